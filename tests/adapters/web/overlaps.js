// What lies on what, on the page as it is shown now: no knowledge of what the page should look like.
// Returns {faults, boxes, layout}; a fault is [kind, what, beside or within what, …]:
//   over    two boxes intersect             cut     a box is hidden in part, or a word by dots
//   spills  a box sticks out of its frame   broken  a word goes on in the next line
//   below   it can be seen only by scrolling, on a desk      aside   it is beside the page
// `themes`: whether the boxes are the same in both; `sheets`: look into each drawer and fold as well.
({ themes = false, sheets = false } = {}) => {
  const DESK = 900, NEAR = 1.5, LINE = 3;  // px that may overlap, across and down
  const SOLID = "svg.card, svg.gauge, .squares, .chip, .disc, .counters i, .tray li, .dots i, button, summary,"
    + " input, select, a.plain, .picks label, td, .tick, .mini, #health i";
  const FRAME = ".seat, .tray, .box, .spot, #middle, #trays, .bar, .words, #foot, #foot > *, .alert, #table, #roads, .road,"
    + " #result, .place, #offers, #side, .slot, .payments li";
  // Names are people's own, however long: dots cut them.
  const NAMES = ".name, .person, .tray header span, .picks span";
  // Texts that are read by scrolling, and sheets that were asked for.
  const SCROLLS = ".book, .drawer, #seat, #alerts";

  // Equal layouts are measured once: digits are equally wide, and a card has its size.
  const known = window.measured ??= new Set();
  const plain = e => e.innerHTML.replace(/<svg[^>]*class="(card|gauge)[^]*?<\/svg>/g, "<svg>")
    .replace(/ (data-(key|input|range)|aria-label|value|min|max)="[^"]*"/g, "")
    .replace(/>[^<]+/g, text => text.replace(/\d/g, "0"));
  const fresh = e => known.size < known.add(plain(e)).size;

  function measure() {
    const styles = new Map();
    const style = e => styles.get(e) ?? styles.set(e, getComputedStyle(e)).get(e);
    const own = e => e.closest("[id]")?.id ?? "";
    const name = e => `#${own(e)} ${e.tagName.toLowerCase()}.${e.getAttribute("class") ?? ""} `
      + `“${e.textContent.trim().replace(/\s+/g, " ").slice(0, 32)}”`;
    const hides = e => /inset\(50%\)/.test(style(e).clipPath);
    const chain = e => { const found = []; for (let a = e; a && a !== document.body; a = a.parentElement) found.push(a); return found; };
    const shown = e => e.checkVisibility({ visibilityProperty: true, opacityProperty: true, contentVisibilityAuto: true })
      && !chain(e).some(hides);
    const sides = r => ({ left: r.left, right: r.right, top: r.top, bottom: r.bottom });
    const within = (r, b) => ({ left: Math.max(r.left, b.left), right: Math.min(r.right, b.right),
      top: Math.max(r.top, b.top), bottom: Math.min(r.bottom, b.bottom) });
    const faults = [];

    // What an element's ancestors let through of a box, and how they hide the rest.
    function seen(e, box) {
      let left = sides(box);
      for (const a of chain(e)) {
        const s = style(a), paint = /strict|content|paint/.test(s.contain) && a !== e;
        if (a === e && !(s.overflowX !== "visible" && box.text)) continue;
        const x = paint || s.overflowX !== "visible", y = paint || s.overflowY !== "visible";
        if (!x && !y) continue;
        const b = a.getBoundingClientRect(), part = within(left, { left: x ? b.left : -1e9, right: x ? b.right : 1e9,
          top: y ? b.top : -1e9, bottom: y ? b.bottom : 1e9 });
        const lost = Math.max(part.left - left.left, left.right - part.right);
        const low = Math.max(part.top - left.top, left.bottom - part.bottom);
        if (low > LINE && /auto|scroll/.test(s.overflowY)) {
          if (innerWidth >= DESK && !a.closest(SCROLLS) && !e.closest(SCROLLS)) faults.push(["below", name(e), name(a)]);
        } else if ((lost > NEAR || low > LINE) && !(lost > NEAR && e.closest(NAMES))) faults.push(["cut", name(e), name(a)]);
        left = part;
      }
      return left;
    }

    // Words, line by line, and things.
    const boxes = [];
    function add(e, box, of) {
      const fits = seen(e, box);
      if (fits.right - fits.left < 1 || fits.bottom - fits.top < 1) return;
      boxes.push({ ...fits, e, of });
      if (fits.right > innerWidth + 1 || fits.left < -1) faults.push(["aside", name(e)]);
      if (innerWidth >= DESK && (fits.bottom > innerHeight + 1 || fits.top < -1)) faults.push(["below", name(e), "the page"]);
      const frame = (of === "word" ? e : e.parentElement)?.closest(`${SOLID}, ${FRAME}`);
      if (!frame || of === "frame") return;
      const b = frame.getBoundingClientRect();
      if (fits.right > b.right + NEAR || fits.left < b.left - NEAR || fits.bottom > b.bottom + LINE || fits.top < b.top - LINE)
        faults.push(["spills", name(e), name(frame)]);
    }
    for (const e of document.body.querySelectorAll(`${SOLID}, ${FRAME}`)) {
      const r = e.getBoundingClientRect();
      if (r.width > 1 && r.height > 1 && shown(e)) add(e, r, e.matches(SOLID) ? "thing" : "frame");
    }
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), range = document.createRange();
    while (walk.nextNode()) {
      const text = walk.currentNode, e = text.parentElement;
      if (!text.data.trim() || e.closest("svg, script, style, template, option, noscript") || !shown(e)) continue;
      range.selectNodeContents(text);
      const lines = new Map();
      for (const r of range.getClientRects()) {
        if (r.width < 1) continue;
        const line = lines.get(Math.round(r.top)) ?? sides(r);
        lines.set(Math.round(r.top), { ...line, left: Math.min(line.left, r.left), right: Math.max(line.right, r.right), text: true });
      }
      for (const line of lines.values()) add(e, line, "word");
      if (lines.size > 1 && !e.closest(NAMES)) for (const { 0: word, index } of text.data.matchAll(/[^\s\u00ad\u200b\u2013\u2014/-]+/g)) {
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        const tops = new Set([...range.getClientRects()].filter(r => r.width > 1).map(r => Math.round(r.top)));
        if (tops.size > 1) faults.push(["broken", word, name(e)]);
      }
    }

    // What stays where it is while the page scrolls lies on the page by intention.
    const stays = new Map();
    const fixed = e => stays.get(e) ?? stays.set(e, chain(e).find(a => /sticky|fixed/.test(style(a).position)) ?? null).get(e);
    boxes.sort((a, b) => a.left - b.left);
    boxes.forEach((a, n) => {
      for (let m = n + 1; m < boxes.length && boxes[m].left < a.right - NEAR; m++) {
        const b = boxes[m];
        if (Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) <= LINE || Math.min(a.right, b.right) - b.left <= NEAR) continue;
        if (a.e.contains(b.e) || b.e.contains(a.e) || fixed(a.e) !== fixed(b.e)) continue;
        faults.push(["over", name(a.e), name(b.e)]);
      }
    });
    const places = boxes.map(b => `${name(b.e)} ${[b.left, b.top, b.right, b.bottom].map(Math.round)}`);
    return { faults, places: places.sort() };
  }

  if (!fresh(document.body)) return { looks: 0, boxes: 0, faults: [] };
  const { faults, places } = measure(), root = document.documentElement;
  let looks = 1;
  if (themes) {
    const was = root.dataset.theme;
    for (const theme of ["dark", "light"]) {
      root.dataset.theme = theme;
      const other = measure().places, n = other.findIndex((place, n) => place !== places[n]);
      if (other.length !== places.length || n >= 0) faults.push([theme, places[n] ?? "", other[n] ?? ""]);
      looks += 1;
    }
    root.dataset.theme = was;
  }
  for (const sheet of sheets ? document.querySelectorAll("details:not([open])") : []) {
    const around = sheet.parentElement.closest("details");
    if (!fresh(sheet)) continue;
    if (around) around.open = true;
    sheet.open = true;
    const title = sheet.firstElementChild.textContent.trim();
    faults.push(...measure().faults.map(fault => [...fault, `in “${title}”`]));
    looks += 1;
    sheet.open = false;
    if (around) around.open = false;
  }
  return { looks, boxes: places.length, faults };
}

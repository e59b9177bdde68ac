// What lies on what, on the page as it is shown now: no knowledge of what the page should look like.
// Returns {looks, boxes, faults}: how often it measured, how many boxes, and what is wrong, each
// [kind, what, beside or within what, …]:
//   over    two boxes intersect             cut     a box is hidden in part, or a word by dots
//   spills  a box sticks out of its frame   broken  a word goes on in the next line
//   below   it can be seen only by scrolling, on a desk      aside   it is beside the page
// `themes`: whether the boxes are the same in both; `sheets`: look into each drawer and fold as well.
({ themes = false, sheets = false } = {}) => {
  const DESK = 900, NEAR = 1.5, LINE = 3;  // px that may overlap, across and down
  const SOLID = "svg.card, svg.gauge, .squares, .chip, b.disc, .counters i, .tray li, .dots i, button, summary,"
    + " input, select, a.plain, .picks label, td, .tick, .mini, #health i";
  const FRAME = ".seat, .tray, .box, .spot, #middle, #trays, .bar, .words, #foot, #foot > *, .alert, #table, #roads, .road,"
    + " #result, .act, .also, .fold, #side, .payments li";
  // Names are people's own, however long: dots cut them.
  const NAMES = ".name, .person, .tray header span, .picks.named span, .known button";
  // Tags lie on the edge of what they belong to.
  const TAGS = ".seat .role";
  // Texts that are read by scrolling, and sheets that were asked for.
  const SCROLLS = ".book, .drawer, #seat, .known, #alerts, .forms";

  // Places side by side: what is in one moves nothing in another, unless the other's box changes too.
  const PLACES = "body > :not(main), main > *";
  // What moves nothing there, or is not seen: a card has its size, and what is shut is looked at by itself.
  const STILL = "svg.card *, svg.gauge *, .unseen, details:not([open]) > :not(summary)";

  // Equal layouts are measured once: digits are equally wide, and a picture's number has no width.
  const known = window.measured ??= new Set();
  const sizes = ({ left, top, width, height }) => (innerWidth < DESK ? [width, height] : [left, top, width, height]).map(Math.round);
  function plain(e) {
    const copy = e.cloneNode(true);
    copy.toggleAttribute("open", e.matches("details"));
    for (const still of copy.querySelectorAll(STILL)) still.remove();
    return copy.outerHTML.replace(/ (data-[a-z-]+|aria-label|value|min|max)="[^"]*"/g, "")
      .replace(/>[^<]+/g, text => text.replace(/\d/g, "0").replace(/[\u2061-\u2063]/g, ""));
  }
  const fresh = (e, size = "") => known.size < known.add(plain(e) + size).size;

  // Everything that is in these places, among the boxes of the others.
  function measure(within) {
    // Each is asked of an element once, since asking is slow.
    const once = ask => { const known = new Map(); return e => (known.has(e) ? known : known.set(e, ask(e))).get(e); };
    const style = once(e => getComputedStyle(e)), rect = once(e => e.getBoundingClientRect());
    const up = (e, ask, end) => e === document.body ? end : ask(e.parentElement);
    const hidden = once(e => /inset\(50%\)/.test(style(e).clipPath) || up(e, hidden, false));
    const fixed = once(e => up(e, fixed, null) ?? (/sticky|fixed/.test(style(e).position) ? e : null));
    const shown = e => e.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !hidden(e);
    const frame = once(e => e.closest(`${SOLID}, ${FRAME}`));
    // What hides a part of that element, or what is in it: ways and place of each.
    const clips = once(e => {
      const s = style(e), paint = /strict|content|paint/.test(s.contain);
      const x = paint || s.overflowX !== "visible", y = paint || s.overflowY !== "visible";
      const own = x || y ? [{ e, x, y, scrolls: /auto|scroll/.test(s.overflowY) }] : [];
      return [...own, ...up(e, clips, [])];
    });
    const name = e => `#${e.closest("[id]")?.id ?? ""} ${e.tagName.toLowerCase()}.${e.getAttribute("class") ?? ""} `
      + `“${e.textContent.trim().replace(/\s+/g, " ").slice(0, 32)}”`;
    const faults = [];

    // What the page lets through of a box; whatever hides the rest is told.
    function seen(e, { left, right, top, bottom }, of) {
      for (const clip of clips(of === "word" ? e : e.parentElement)) {
        const b = rect(clip.e), was = { left, right, top, bottom };
        if (clip.x) [left, right] = [Math.max(left, b.left), Math.min(right, b.right)];
        if (clip.y) [top, bottom] = [Math.max(top, b.top), Math.min(bottom, b.bottom)];
        const wide = right - left < was.right - was.left - NEAR, high = bottom - top < was.bottom - was.top - LINE;
        if (high && clip.scrolls) {
          if (innerWidth >= DESK && !e.closest(SCROLLS)) faults.push(["below", name(e), name(clip.e)]);
        } else if (high || wide && !e.closest(NAMES)) faults.push(["cut", name(e), name(clip.e)]);
      }
      return { left, right, top, bottom };
    }

    // Words, line by line, and things.
    const boxes = [];
    function add(e, box, of) {
      const { left, right, top, bottom } = seen(e, box, of);
      if (right - left < 1 || bottom - top < 1) return;
      boxes.push({ e, left, right, top, bottom });
      if (right > innerWidth + 1 || left < -1) faults.push(["aside", name(e)]);
      if (innerWidth >= DESK && (bottom > innerHeight + 1 || top < -1)) faults.push(["below", name(e), "the page"]);
      const around = frame(of === "word" ? e : e.parentElement), b = around && rect(around);
      if (!b || of === "frame" || e.closest(TAGS)) return;
      if (right > b.right + NEAR || left < b.left - NEAR || bottom > b.bottom + LINE || top < b.top - LINE)
        faults.push(["spills", name(e), name(around)]);
    }
    for (const e of document.body.querySelectorAll(`${SOLID}, ${FRAME}`))
      if ((within.includes(e.closest(PLACES)) || e.matches(PLACES)) && shown(e) && rect(e).width > 1 && rect(e).height > 1)
        add(e, rect(e), e.matches(SOLID) ? "thing" : "frame");
    const range = document.createRange();
    for (const place of within) words(place);
    function words(place) {
      const walk = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
      while (walk.nextNode()) word(walk.currentNode);
    }
    function word(text) {
      const e = text.parentElement;
      if (!text.data.trim() || e.closest("svg, script, style, template, option, noscript") || !shown(e)) return;
      range.selectNodeContents(text);
      const lines = new Map();
      for (const r of range.getClientRects()) {
        if (r.width < 1) continue;
        const { left, right, top, bottom } = r, line = lines.get(Math.round(top)) ?? { left, right, top, bottom };
        lines.set(Math.round(top), { top, bottom, left: Math.min(line.left, left), right: Math.max(line.right, right) });
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

  const within = [...document.querySelectorAll(PLACES)].filter(e => e.checkVisibility() && fresh(e, sizes(e.getBoundingClientRect())));
  const { faults, places } = within.length ? measure(within) : { faults: [], places: [] };
  const before = new Set(faults.map(fault => fault.join()));
  let looks = within.length ? 1 : 0;
  if (themes && looks) {
    const root = document.documentElement, was = root.dataset.theme;
    const theme = root.dataset.theme = getComputedStyle(root).colorScheme === "light" ? "dark" : "light";
    const other = measure(within).places, n = other.findIndex((place, n) => place !== places[n]);
    if (other.length !== places.length || n >= 0) faults.push([theme, places[n] ?? "", other[n] ?? ""]);
    looks += 1;
    root.dataset.theme = was;
  }
  for (const sheet of sheets ? document.querySelectorAll("details:not([open])") : []) {
    const around = sheet.parentElement.closest("details");
    if (!fresh(sheet)) continue;
    if (around) around.open = true;
    sheet.open = true;
    const title = sheet.firstElementChild.textContent.trim();
    const found = measure([sheet.closest(PLACES)]).faults.filter(fault => !before.has(fault.join()));
    faults.push(...found.map(fault => [...fault, `in “${title}”`]));
    looks += 1;
    sheet.open = false;
    if (around) around.open = false;
  }
  return { looks, boxes: places.length, faults };
}

// The felt under a finger: a seat and a chip are a stake; a seat alone shows what can be said there.
// page.js sends what comes of it.
"use strict";
window.felt = (page) => {
  const $ = id => document.getElementById(id);
  let chip = 0, picked;  // the chip in the hand; the seat, or the card's place, that was touched

  // The buttons of everything that can be said now, wherever they are on the page.
  const offered = () => [...document.querySelectorAll("#offers [data-input], #more [data-input]")];
  const said = button => JSON.parse(button.dataset.input);
  const pick = (button, seat) => button.form?.querySelector(`[data-place] input[name=seat][value="${seat}"]`);
  const of = (button, seat) => said(button).seat === seat || Boolean(pick(button, seat));
  const at = box => ({
    seat: Number(box.dataset.seat), spot: box.dataset.spot ?? "",
    side: [...document.querySelectorAll("#cells [data-side]")].findIndex(one => one.contains(box)),
  });
  const on = (what, { seat, spot }) => offered().filter(button => what in button.dataset
    && of(button, seat) && (!spot || said(button).spot === spot));

  // One after another: what lies there decides what the next chip makes of it.
  let last = Promise.resolve();
  function lay(where, prompt) {
    const chips = chip;
    last = last.then(() => laid(where, chips, prompt));
  }
  function stake({ seat, spot, side }) {
    const found = on("lies", { seat, spot });
    return found.find(one => said(one).side === side) ?? (found.length === 1 ? found[0] : undefined);
  }
  async function laid(where, chips, prompt) {
    const { seat } = where, button = stake(where);
    if (!button) return show(seat);
    const value = Number(button.dataset.lies) + chips;
    await page.say(button, { ...said(button), seat, chips: value }, label(button, seat, chips), prompt);
  }
  async function clear({ seat, spot }, prompt) {
    for (const button of on("clears", { seat, spot }))
      await page.say(button, { ...said(button), seat }, label(button, seat), prompt);
  }
  function label(button, seat, chips) {
    const what = chips ? `${page.labelled(button)}, ${chips}` : page.labelled(button);
    if ("seat" in said(button)) return what;
    return $("taken").dataset.said.replace("<", seat).replace(">", what);
  }

  // A button with all that is to fill in for it; the least of them come first.
  const whole = button => button.closest("details.fold") ?? button.form ?? button;
  const size = button => button.form ? button.form.querySelectorAll("input").length : 0;
  // What can be said at a seat, or of a card that lies there: copies of its forms, filled in so far.
  function show(what) {
    picked = what;
    const card = typeof what === "string", panel = $("seat"), fresh = document.createElement("div");
    const filled = card ? `input[data-at="${what}"]` : `input[name=seat][value="${what}"]`;
    const found = card
      ? offered().filter(button => button.form?.querySelector(filled))
      : offered().filter(button => of(button, what)).sort((a, b) => size(a) - size(b));
    fresh.className = "said";
    for (const button of found) {
      const part = found.length > 1 ? whole(button) : button.form ?? button;  // alone, it is open
      const copy = part.cloneNode(true), radio = copy.querySelector(filled);
      if (copy.dataset.key) copy.dataset.key += "@seat";
      if (radio) {
        radio.setAttribute("checked", "");
        radio.closest("fieldset").hidden = true;
      }
      fresh.append(copy);
    }
    const title = card ? document.querySelector(filled)?.nextElementSibling.textContent : panel.dataset.title.replace("<", what) + named(what);
    panel.querySelector("h2").textContent = title ?? "";
    panel.hidden = !fresh.childElementCount;
    if (panel.hidden) picked = undefined;
    panel.toggleAttribute("data-card", card);
    page.morph(panel.querySelector(".said"), fresh);
    panel.querySelectorAll("form").forEach(page.narrow);
    mark();
  }
  function named(seat) {
    const cell = document.querySelector(`.seat[data-seat="${seat}"]`), name = cell?.querySelector(".name");
    return name ? ` · ${name.textContent} · ${cell.querySelector(".balance").textContent}` : "";
  }
  function leave() {
    picked = undefined;
    $("seat").hidden = $("pad").hidden = true;
    mark();
  }
  function take(value) {
    chip = chip === value ? 0 : value;
    mark();
  }
  // Everything that the finger has chosen, drawn again after each picture.
  function mark() {
    const rack = document.querySelector(".rack");
    if (!rack) chip = 0;
    rack?.querySelectorAll("[data-chip]").forEach(one => { one.ariaPressed = String(Number(one.dataset.chip) === chip); });
    const other = rack?.querySelector("[data-other]");
    if (other) other.ariaPressed = String(chip > 0 && !rack.querySelector(`[data-chip="${chip}"]`));
    document.querySelectorAll(".felt .picked").forEach(one => one.classList.remove("picked"));
    if (picked) document.querySelector(`.seat[data-seat="${picked}"], [data-lies-at="${picked}"]`)?.classList.add("picked");
  }

  let down;
  document.addEventListener("pointerdown", event => {
    const box = event.target.closest(".felt [data-seat]");
    clearTimeout(down?.timer);
    down = box && event.button === 0 ? { box, where: at(box), prompt: page.prompt() } : undefined;
    if (down && box.querySelector(".chip")) down.timer = setTimeout(() => {
      clear(down.where, down.prompt);
      down = undefined;
    }, page.HOLD_MS);
  });
  for (const end of ["pointerup", "pointercancel", "blur"]) window.addEventListener(end, () => clearTimeout(down?.timer));
  document.addEventListener("click", event => {
    const target = event.target.closest("[data-chip], [data-other], [data-digit], [data-leave], .felt [data-seat], .felt [data-lies-at]");
    if (!target) return;
    if (target.dataset.chip) {
      const touched = Number(picked), where = touched && at(document.querySelector(`.seat[data-seat="${touched}"]`));
      take(Number(target.dataset.chip));
      if (touched && chip) leave();
      if (touched && chip && stake(where)) { lay(where, page.prompt()); chip = 0; mark(); }
    } else if ("other" in target.dataset) type("");
    else if (target.dataset.digit) type(target.dataset.digit);
    else if ("leave" in target.dataset || picked && picked === target.dataset.liesAt) leave();
    else if (target.dataset.liesAt) show(target.dataset.liesAt);
    else if (down?.box === target) {
      const { where, prompt } = down;
      down = undefined;
      if (chip) lay(where, prompt);
      else if (picked === where.seat) leave();
      else show(where.seat);
    }
  });
  // An odd sum, typed on the screen, is a chip too.
  function type(key) {
    const pad = $("pad"), shown = pad.querySelector("output"), sum = Number(shown.textContent);
    if (key === "=") {
      pad.hidden = true;
      chip = sum;
      return mark();
    }
    if (!key) leave();
    pad.hidden = false;
    shown.textContent = key === "<" ? Math.floor(sum / 10) : key ? Math.min(sum * 10 + Number(key), 999_999) : 0;
  }
  return {
    again() {
      if (picked) show(picked);
      mark();
    },
    leave,
  };
};

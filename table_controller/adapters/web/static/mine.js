// A guest's own seat: what the page says of it to everybody, shown large. Which seat it is stays on this phone.
(() => {
  "use strict";
  const mine = document.getElementById("mine"), choice = mine.querySelector("select"), line = mine.querySelector("p");
  const STANDING = 100, phone = matchMedia("(max-width: 899px)");  // where guests.css shows it
  const at = seat => document.querySelector(`#cells .seat[data-seat="${CSS.escape(seat)}"]`);
  const called = seat => (seat > STANDING ? mine.dataset.placeSaid : mine.dataset.seatSaid).replace("<", seat);
  choice.addEventListener("change", () => {
    if (choice.value) localStorage.setItem("mine", choice.value);
    else localStorage.removeItem("mine");
    show();
  });

  // The table's places; a seat that was chosen stays chosen while it is away.
  function offer(chosen) {
    const places = new Set([...document.querySelectorAll("#cells .seat")].map(one => Number(one.dataset.seat)));
    if (chosen) places.add(Number(chosen));
    const said = [...places].sort((a, b) => a - b);
    if (choice.dataset.places === String(said)) return;
    choice.dataset.places = said;
    choice.length = 1;
    for (const seat of said) choice.add(new Option(called(seat), seat));
  }
  // What it wins, role and marks, what lies where: all that the page says of it.
  function told(cell) {
    const all = which => [...cell.querySelectorAll(which)].map(one => one.textContent);
    const words = [cell.dataset.won, ...all(".marks i:not(.own)"), cell.dataset.holds].filter(Boolean);
    for (const chip of document.querySelectorAll(`#cells [data-seat="${cell.dataset.seat}"] .chip`)) {
      const spot = chip.closest("[data-spot]")?.dataset.spot;
      const where = spot ? document.querySelector(`[data-key="spot-${spot}"]`).textContent : "";
      words.push(mine.dataset.stakes.replace("<", chip.textContent).replace(">", where).trim());
    }
    return [...words, ...all(".marks .own")];
  }
  function show() {
    if (!phone.matches) return;
    const chosen = localStorage.getItem("mine") ?? "";
    offer(chosen);
    choice.value = chosen;
    const cell = chosen && at(chosen), acts = Boolean(cell && cell.matches(".acts"));
    const words = [...cell ? told(cell) : [], ...acts ? [mine.dataset.actsSaid] : []];
    const said = words.join(" · ") || (chosen && mine.dataset.nothing);
    if (line.textContent !== said) line.textContent = said;
    mine.toggleAttribute("data-acts", acts);
    for (const other of document.querySelectorAll("#cells .seat[data-mine]"))
      if (other !== cell) other.removeAttribute("data-mine");
    if (cell && cell.dataset.mine !== mine.dataset.mine) cell.dataset.mine = mine.dataset.mine;
  }
  // The page is changed in place; what this does itself is not looked at again.
  const watch = new MutationObserver(() => { watch.disconnect(); show(); look(); });
  const look = () => watch.observe(document.querySelector("main"),
    { childList: true, subtree: true, characterData: true, attributes: true, attributeFilter: ["class", "data-mine", "data-seat", "data-won", "data-holds"] });
  phone.addEventListener("change", show);
  show();
  look();
})();

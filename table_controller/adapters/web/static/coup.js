// A coup of the past, a moment at a time: buttons, arrow keys, or by itself. Without scripts all stand in a row.
(() => {
  "use strict";
  const PACE_MS = 1500;
  const moments = [...document.querySelectorAll(".p-moments > li")], bar = document.querySelector(".p-play");
  if (!bar) return;
  const play = bar.querySelector("[data-go=play]"), shown = bar.querySelector("output");
  const told = moments.findLastIndex(moment => moment.querySelector(".p-hand"));
  let at = 0, timer, played = false;
  document.body.classList.add("stepwise");
  bar.hidden = false;

  function show(next) {
    at = Math.min(moments.length - 1, Math.max(0, next));
    moments.forEach((moment, n) => { moment.hidden = n !== at; });
    shown.textContent = `${at + 1} / ${moments.length}`;
    if (at === moments.length - 1) stop();
  }
  function stop() {
    clearInterval(timer);
    timer = undefined;
    play.setAttribute("aria-pressed", "false");
  }
  function start() {
    if (!played || at === moments.length - 1) show(0);
    played = true;
    timer = setInterval(() => show(at + 1), PACE_MS);
    play.setAttribute("aria-pressed", "true");
  }
  const go = {
    first: () => show(0), back: () => show(at - 1), on: () => show(at + 1),
    last: () => show(moments.length - 1), play: () => timer ? stop() : start(),
  };
  bar.addEventListener("click", event => {
    const what = event.target.closest("[data-go]")?.dataset.go;
    if (what && what !== "play") stop();
    go[what]?.();
  });
  document.addEventListener("keydown", event => {
    const what = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" }[event.key];
    if (!what) return;
    event.preventDefault();
    stop();
    go[what]();
  });
  show(told);  // how it ended, with its cards; "play" begins at the beginning
})();

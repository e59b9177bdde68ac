// What makes a page an app: its shell is kept, the screen stays awake, and it may fill the screen.
(() => {
  "use strict";
  // The worker keeps the shell, never what a table says. Over plain HTTP only this machine has one.
  if (document.body.dataset.version) navigator.serviceWorker?.register("/worker.js").catch(() => {});

  // A page that people work at, or that hangs on a wall, keeps its screen awake; a guest's phone may sleep.
  let awake;
  async function stayAwake() {
    const wanted = document.body.matches(".staff") || document.fullscreenElement;
    if (!wanted || document.hidden) return;
    awake ??= await navigator.wakeLock?.request("screen").catch(() => {});
    awake?.addEventListener("release", () => { awake = undefined; }, { once: true });
  }
  document.addEventListener("visibilitychange", stayAwake);
  document.addEventListener("fullscreenchange", () => {
    const full = Boolean(document.fullscreenElement);
    document.getElementById("full")?.setAttribute("aria-pressed", full);
    if (full) stayAwake();
    else if (!document.body.matches(".staff")) awake?.release();
  });
  stayAwake();

  const button = document.getElementById("full");
  if (button && document.fullscreenEnabled) button.hidden = false;
  button?.addEventListener("click", () => {
    if (document.fullscreenElement) document.exitFullscreen();
    else document.documentElement.requestFullscreen().catch(() => {});
  });

  document.getElementById("language")?.addEventListener("change", event => {
    location.search = `?lang=${event.target.value}`;
  });

  // Where no table answered: look again by itself, as often as a table needs to start.
  if ("again" in document.body.dataset) setTimeout(() => location.reload(), 3000);

  document.getElementById("print")?.addEventListener("click", () => print());
})();

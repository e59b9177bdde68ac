// The floor's pages: presses that somebody has seen an alert, and forms that only ask for a page.
(() => {
  "use strict";
  document.addEventListener("click", async event => {
    const button = event.target.closest?.("button[data-alert]");
    if (!button || button.ariaBusy === "true") return;
    const note = document.getElementById("answer");
    button.ariaBusy = "true";
    try {
      const response = await fetch("/alerts/seen", {
        method: "POST", body: button.dataset.alert, headers: { "Content-Type": "application/json" },
      });
      if (response.status === 401) location.reload();
      const answer = await response.json();
      note.textContent = answer.ok ? "" : answer.why;
      if (answer.ok) button.hidden = true;
    } catch {
      note.textContent = note.dataset.silent;
    }
    button.removeAttribute("aria-busy");
  });
  document.addEventListener("submit", event => {
    const form = event.target.closest("form[data-get]");
    if (!form) return;
    event.preventDefault();
    const asked = [...new FormData(form)].filter(([, value]) => value !== "");
    location.search = new URLSearchParams(asked);
  });
})();

// The technician's page of a served table: asks once a second how the machine is, as long as it is looked at.
(() => {
  "use strict";
  const PAUSE_MS = 1000, SILENT_MS = 5000;
  const chosen = at => !getSelection().isCollapsed && at.contains(getSelection().anchorNode);
  async function look() {
    if (!document.hidden) try {
      const answer = await fetch(`/technician/look?lang=${document.documentElement.lang}`, { signal: AbortSignal.timeout(SILENT_MS) });
      if (answer.status === 401) return location.reload();
      if (!answer.ok) throw new Error(answer.statusText);
      const fresh = document.createElement("template"), old = document.getElementById("machine");
      fresh.innerHTML = await answer.text();
      const next = fresh.content.firstElementChild;
      if (!chosen(old) && !old.isEqualNode(next)) old.replaceWith(next);
      delete document.body.dataset.connection;
    } catch {
      document.body.dataset.connection = "lost";
    }
    setTimeout(look, PAUSE_MS);
  }
  setTimeout(look, PAUSE_MS);
})();

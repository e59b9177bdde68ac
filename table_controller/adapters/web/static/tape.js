// The page of the tapes: sends what is to be recorded, and shows what is, anew.
"use strict";
for (const button of document.querySelectorAll("[data-switch]"))
  button.addEventListener("click", async () => {
    const answer = await fetch(`/tape/switch?lang=${document.documentElement.lang}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: button.dataset.switch,
    });
    if (answer.ok) location.reload();
    else document.getElementById("why").textContent = await answer.text();
  });

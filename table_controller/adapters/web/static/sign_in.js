// The page where people sign in: sends name and PIN once, keeps neither, and waits when told to.
"use strict";
(() => {
  const form = document.getElementById("sign-in"), button = form.querySelector("button");
  const no = document.getElementById("no"), wait = document.getElementById("wait");

  form.addEventListener("submit", async event => {
    event.preventDefault();
    if (button.disabled) return;
    const { name, pin } = Object.fromEntries(new FormData(form));
    button.disabled = true;
    no.textContent = "";
    let answer;
    try {
      const response = await fetch(`/sign-in?lang=${document.documentElement.lang}`, {
        method: "POST", body: JSON.stringify({ name, pin }), signal: AbortSignal.timeout(10_000),
        headers: { "Content-Type": "application/json" },
      });
      answer = await response.json();
    } catch {
      answer = { ok: false, why: wait.dataset.silent, wait_s: 0 };
    }
    form.elements.pin.value = "";
    if (answer.ok) return location.replace("/");
    no.textContent = answer.why;
    form.elements.pin.focus();
    hold(answer.wait_s);
  });
  function hold(seconds) {
    button.disabled = seconds > 0;
    wait.textContent = seconds > 0 ? wait.dataset.wait.replace("~", seconds) : "";
    if (seconds > 0) setTimeout(hold, 1000, seconds - 1);
  }
})();

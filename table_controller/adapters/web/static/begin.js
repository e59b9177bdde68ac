// The first start: sends the answers once, keeps none, and shows what there is now.
(() => {
  "use strict";
  const form = document.getElementById("begin"), no = document.getElementById("no");
  form.addEventListener("submit", async event => {
    event.preventDefault();
    const { again, addresses, ...said } = Object.fromEntries(new FormData(form));
    if (again !== said.pin) { no.textContent = no.dataset.differ; return; }
    const lang = document.documentElement.lang, button = form.querySelector("button");
    said.addresses = addresses.split(/[\s,]+/).filter(Boolean);
    said.speaks = form.elements.speaks.checked;
    button.disabled = true;
    no.textContent = "";
    let answer;
    try {
      const response = await fetch(`/begin?lang=${lang}`, {
        method: "POST", body: JSON.stringify(said), headers: { "Content-Type": "application/json" },
      });
      answer = await response.json();
    } catch {
      answer = { why: no.dataset.silent };
    }
    button.disabled = false;
    if (!answer.html) { no.textContent = answer.why; return; }
    form.remove();
    document.getElementById("begun").innerHTML = answer.html;
  });
})();

// The technician's page: keeps asking for the newest picture, and sends where somebody points.
"use strict";
(() => {
  const SVG = "http://www.w3.org/2000/svg", PAUSE_MS = 250;
  const lip = document.getElementById("lip"), panel = document.getElementById("panel");
  const why = document.getElementById("why");

  async function look() {
    try {
      const seen = await (await fetch("/look")).json();
      show(seen);
      delete document.body.dataset.connection;
    } catch {
      document.body.dataset.connection = "lost";
    }
    setTimeout(look, PAUSE_MS);
  }

  function show(seen) {
    lip.setAttribute("viewBox", `0 0 ${seen.width} ${seen.height}`);
    const picture = lip.querySelector("image");
    if (seen.n) picture.setAttribute("href", `/picture/${seen.n}`);
    else picture.removeAttribute("href");
    const whole = seen.corners.length === 4;
    lip.querySelector("polygon").setAttribute("points", whole ? seen.corners.join(" ") : "");
    lip.querySelector("g").replaceChildren(...seen.corners.map(([x, y]) => {
      const dot = document.createElementNS(SVG, "circle");
      for (const [name, value] of [["cx", x], ["cy", y], ["r", seen.width / 90]])
        dot.setAttribute(name, value);
      return dot;
    }));
    if (panel.innerHTML !== seen.html && !chosen()) panel.innerHTML = seen.html;
  }

  // While somebody is selecting lines to copy, they stay as they are.
  const chosen = () => !getSelection().isCollapsed && panel.contains(getSelection().anchorNode);

  async function press(said) {
    why.textContent = "…"; // to find an exposure takes seconds
    const answer = await fetch("/press", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(said),
    });
    why.textContent = answer.ok ? (await answer.json()).why : await answer.text();
  }

  lip.addEventListener("click", event => {
    const point = new DOMPoint(event.clientX, event.clientY)
      .matrixTransform(lip.getScreenCTM().inverse());
    press({ type: "mark", x: Math.max(0, point.x), y: Math.max(0, point.y) });
  });
  for (const button of document.querySelectorAll("[data-press]"))
    button.addEventListener("click", () => press(JSON.parse(button.dataset.press)));
  look();
})();

// Keys on the screen where there are no others: a kiosk. `?keyboard=screen` in the address wants them, `?keyboard=own`
// does not; the screen remembers. They type into the field that was touched, and are gone when it is left.
"use strict";
(() => {
  const keys = document.getElementById("keyboard"), asked = new URLSearchParams(location.search).get("keyboard");
  if (asked) localStorage.setItem("keyboard", asked);
  if (!keys || localStorage.getItem("keyboard") !== "screen") return;
  const shown = keys.querySelector("output"), shift = keys.querySelector("[data-key=shift]");
  const typed = node => node?.matches?.("input") && !node.readOnly && ["text", "password", "number"].includes(node.type);
  let field, fresh;  // what is typed into; whether a sum in it is to be typed anew

  function show(input) {
    field = input;
    fresh = input.type === "number";
    keys.dataset.only = input.type === "number" || input.inputMode === "numeric" ? "figures" : "";
    keys.hidden = false;
    (input.form ?? input).scrollIntoView({ block: "nearest" });
    told();
  }
  function hide() {
    field = undefined;
    keys.hidden = true;
  }
  // What stands there; a word begins with a capital letter.
  function told() {
    const { type, value } = field;
    shown.textContent = type === "password" ? "•".repeat(value.length) : value;
    capital(type === "text" && /(^|[ -])$/.test(value.slice(0, field.selectionStart)));
  }
  function capital(on) {
    shift.ariaPressed = String(on);
    keys.classList.toggle("capital", on);
  }
  function type(key) {
    if (field.type === "number") {
      const value = fresh ? "" : field.value;
      field.value = key === "back" ? value.slice(0, -1) : value + key;
      fresh = false;
    } else {
      const { value, selectionStart: from, selectionEnd: to, maxLength, dataset: { letters = maxLength } } = field;
      const before = [...value.slice(0, from)].at(-1)?.length ?? 0;
      if (key === "back") field.setRangeText("", from === to ? from - before : from, to, "end");
      else if ([...value].length - (to - from) < letters || letters < 0)
        field.setRangeText(shift.ariaPressed === "true" && key !== "ß" ? key.toUpperCase() : key, from, to, "end");
    }
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }

  document.addEventListener("focusin", event => typed(event.target) && show(event.target));
  // What a touch leaves the field for must not move away under it.
  document.addEventListener("focusout", () => setTimeout(() => typed(document.activeElement) || hide()));
  document.addEventListener("input", event => event.target === field && told());
  keys.addEventListener("pointerdown", event => event.preventDefault());  // the field keeps the focus
  keys.addEventListener("click", event => {
    const { key } = event.target.closest("[data-key]")?.dataset ?? {};
    if (!key || !field?.isConnected) return;
    if (key === "done") field.blur();
    else if (key === "shift") capital(shift.ariaPressed !== "true");
    else type(key);
  });
  if (typed(document.activeElement)) show(document.activeElement);
  // A field that the table took away is left.
  new MutationObserver(() => field && !field.isConnected && hide()).observe(document.body, { childList: true, subtree: true });
})();

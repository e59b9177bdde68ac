// Changes on the page what differs, so that focus, an open drawer and a half-typed sum stay.
"use strict";
window.morph = (() => {
  const key = node => node.nodeType === Node.ELEMENT_NODE
    ? node.getAttribute("data-key") ?? node.getAttribute("data-input") : null;
  const alike = (a, b) => a && a.nodeType === b.nodeType && a.nodeName === b.nodeName && key(a) === key(b);
  const keyed = parent => new Map([...parent.children].map(c => [key(c), c]).filter(([name]) => name));
  const LOCAL = new Set(["open", "data-holding", "aria-busy"]);
  // An empty stand-in for what has not changed.
  const stands = node => "same" in (node.dataset ?? {});

  function morph(old, fresh) {
    if (stands(fresh) || old.isEqualNode(fresh)) return;
    if (old.nodeType !== Node.ELEMENT_NODE) {
      if (old.data !== fresh.data) old.data = fresh.data;
      return;
    }
    if (old.hasAttribute("data-local")) return;
    for (const name of old.getAttributeNames())
      if (!fresh.hasAttribute(name) && !LOCAL.has(name)) old.removeAttribute(name);
    for (const name of fresh.getAttributeNames()) {
      const value = fresh.getAttribute(name);
      if (old.getAttribute(name) !== value) old.setAttribute(name, value);
    }
    const known = keyed(old), wanted = keyed(fresh);
    let at = old.firstChild;
    for (const next of [...fresh.childNodes]) {
      while (at && key(at) && !wanted.has(key(at))) at = drop(at);
      const kept = key(next) ? known.get(key(next)) : at;
      if (!alike(kept, next)) old.insertBefore(next, at);
      else {
        if (kept === at) at = at.nextSibling;
        else old.insertBefore(kept, at);
        morph(kept, next);
      }
    }
    while (at) at = drop(at);
  }
  function drop(node) {
    const next = node.nextSibling;
    node.remove();
    return next;
  }
  return morph;
})();

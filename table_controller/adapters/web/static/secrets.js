// A closed card: two keys, kept here and nowhere in the page, with the form last typed in.
// Only page.js has the functions: it takes them from the window when it begins.
"use strict";
window.secrets = (() => {
  let card = { rank: "", suit: "" }, of;
  const typed = secret => of === secret && (card.label || card.rank && card.suit);
  function begin(secret) {
    if (of === secret) return;
    card = { rank: "", suit: "" };
    if (of) dots(of);
    of = secret;
  }
  function take(secret) {
    const said = card.label ? { scanned: card.label } : { [secret.dataset.secret]: card.rank + card.suit };
    card = { rank: "", suit: "" };
    dots(secret);
    return said;
  }
  function dots(secret) {
    const count = card.label ? 2 : Boolean(card.rank) + Boolean(card.suit), shown = secret.querySelector(".dots");
    shown.ariaLabel = `${count} / 2`;
    if ("open" in secret.dataset && !card.label) return face(secret, shown);
    [...shown.children].forEach((dot, n) => dot.classList.toggle("typed", n < count));
  }
  // An open card is shown as it is typed, with the signs on the keys.
  function face(secret, shown) {
    const keys = [`[data-rank="${card.rank}"]`, `[data-suit="${card.suit}"]`];
    [...shown.children].forEach((dot, n) => {
      dot.innerHTML = secret.querySelector(keys[n])?.innerHTML ?? "";
      dot.classList.toggle("typed", dot.innerHTML !== "");
    });
    const suit = secret.querySelector(keys[1])?.ariaLabel ?? "";
    if (card.rank) shown.ariaLabel = `${shown.textContent.trim()} ${suit}`.trim();
  }
  // A scanner types a label, or anything, faster than hands do: none of it is a card's rank or suit.
  const SCAN_MS = 30, SCAN_KEYS = 4;
  let burst = { text: "", at: -Infinity };
  // Returns what a scanner has typed so far, and whether that is all; nothing if hands type.
  function scans({ key, repeat, timeStamp = performance.now() }) {
    if (repeat || key.length > 1 && key !== "Enter") return;
    const before = timeStamp - burst.at < SCAN_MS ? burst.text : "", ended = key === "Enter";
    const text = ended ? before : before + key;
    burst = ended ? { text: "", at: -Infinity } : { text, at: timeStamp };
    return text.length + ended >= SCAN_KEYS ? { text, ended } : undefined;
  }
  function scan(secret, label) {
    begin(secret);
    card = { rank: "", suit: "", label };
    dots(secret);
  }
  // Returns what `scans` does: then no key counts as a card's rank or suit.
  function type(secret, event) {
    begin(secret);
    const scanned = scans(event);
    if (scanned) {
      card = { rank: "", suit: "" };
      dots(secret);
      return scanned;
    }
    if (card.label && event.key.length === 1) card = { rank: "", suit: "" };
    const key = event.key === "0" || event.key === "1" ? "T" : event.key;
    if (!card.rank && "A23456789TJQK".includes(key.toUpperCase()) && key.length === 1)
      card.rank = key.toUpperCase();
    else if (card.rank && "cdhs".includes(key.toLowerCase()) && key.length === 1)
      card.suit = key.toLowerCase();
    else if (key === "Backspace") card = { rank: "", suit: "" };
    else if (key === "Enter" && event.target === secret) secret.closest("form").querySelector("[data-input]").click();
    else return;
    event.preventDefault();
    dots(secret);
  }
  // A key on the screen: a rank, a suit, or the one that clears both.
  function touch(secret, { rank, suit }) {
    begin(secret);
    card = rank || suit ? { rank: rank ?? card.rank, suit: suit ?? card.suit } : { rank: "", suit: "" };
    dots(secret);
  }
  return { scan, scans, typed, take, type, touch };
})();

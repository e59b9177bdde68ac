// The page in the browser: takes what the server rendered, sends what a person presses.
// It decides nothing and stores nothing but the theme and the language.
"use strict";
(() => {
  const HOLD_MS = 600, SILENT_MS = 5000, AGAIN_MS = 500, PATIENT_MS = 60_000, DEAF_MS = 13000;
  const DOUBLE_MS = 300, NEAR_PX = 30;  // a second touch so soon, so near, is the same finger's
  const root = document.documentElement, { feeds, morph } = window;
  const { scan, scans, typed, take, type, touch } = window.secrets ?? {};  // where cards are typed
  delete window.secrets;
  const template = id => document.getElementById(id).innerHTML;

  // Live: one stream, which reconnects on its own; closed while nobody sees the page.
  const place = document.querySelector(".place");
  let deaf, current = false;  // whether the stream as it is now has brought a picture

  function heard() {
    if (current) delete document.body.dataset.connection;
    clearTimeout(deaf);
    deaf = setTimeout(lost, DEAF_MS);
  }
  function lost() {
    document.body.dataset.connection = "lost";
    clearTimeout(deaf);
    if (document.hidden || feeds.connecting) return;
    deaf = setTimeout(listen, 1000);
    fetch(location.pathname, { method: "HEAD" })  // signed out meanwhile, here or by a restart?
      .then(answer => answer.status === 401 && location.reload(), () => {});
  }
  // A page of another version than the program's is loaded again, once: its buttons may be gone.
  function outdated(data) {
    if (data === document.body.dataset.version || sessionStorage.getItem("version") === data) return;
    sessionStorage.setItem("version", data);
    location.reload();
  }
  function listen() {
    current = false;
    clearTimeout(deaf);
    deaf = setTimeout(lost, DEAF_MS);
    const { live } = document.body.dataset;
    feeds.follow(`${live}${live.includes("?") ? "&" : "?"}lang=${root.lang}`, came);
  }
  function came(event, data) {
    if (event === "beat") heard();
    else if (event === "version") outdated(data);
    else if (event === "error") { current = false; lost(); }
    else {
      current = true;
      heard();
      if (!waiting.length) requestAnimationFrame(show);
      waiting.push(...Object.entries(data));
    }
  }
  // Once a frame, everything that has arrived: each update builds on the one before it.
  const waiting = [];
  let seen = Number(document.body.dataset.seen);  // which picture a press is about
  let drawn = seen;  // which one is on the screen
  function show() {
    const holder = document.createElement("template");
    for (const [name, html] of waiting.splice(0)) {
      if (name === "seen") { seen = drawn = Number(html); continue; }
      holder.innerHTML = html;
      const fresh = holder.content.firstElementChild, old = document.getElementById(name);
      if (!old) continue;  // not on this page
      if (name === "ask" && old.dataset.prompt !== fresh.dataset.prompt) {
        forgive();
        flying.forEach(spend);
      }
      const asked = old.querySelector("[data-secret]");
      morph(old, fresh);
      if (name === "offers" && !asked && old.querySelector("[data-secret]")) close(drawers());
      old.querySelectorAll("form.asked").forEach(narrow);
    }
    for (const { button, within } of flying) if (!button.isConnected) close(within);
    hand?.again();
    next();
  }
  document.addEventListener("visibilitychange", () => {
    clearTimeout(deaf);
    if (document.hidden) feeds.leave();
    else listen();
  });
  addEventListener("pageshow", event => event.persisted && listen());
  if (!document.hidden) listen();

  // Say: what was on the button when the finger came down, whatever it has shown since.
  const flying = new Set();  // presses not yet answered, and the drawers they were made in
  const underWay = (button, prompt) => [...flying].find(one => one.button === button && one.prompt === prompt);
  async function send(button, said, label) {
    const flight = { button, within: drawers(button), prompt: said.prompt, card: cardOf(said) };
    const atSeat = button.closest("#seat");  // the answer may find another button in its place
    const back = button.closest(".back");  // what was taken back stands above the question
    flying.add(flight);
    button.ariaBusy = "true";
    const answer = await answered(said, label), pin = button.form?.elements.pin;
    if (pin && !flight.spent) pin.value = "";
    flying.delete(flight);
    if (![...flying].some(other => other.button === button)) button.removeAttribute("aria-busy");
    note(answer.ok ? answer.told : "", back ? "" : label);
    if (answer.ok) {
      if (atSeat) hand.leave();
      forgive();
      spend(flight);
      close(flight.within);
      next();
      return;
    }
    dropped();
    refuse(answer.html, label);
  }
  // What was filled in is used up by the answer, or by the next question: what is typed then stays.
  function spend(flight) {
    const { form } = flight.button;
    if (form && !flight.spent) {
      form.reset();
      narrow(form);
    }
    flight.spent = true;
  }
  // The same press is said again until it is answered: it counts once, whatever became of the first.
  async function answered(said, label) {
    const until = performance.now() + PATIENT_MS;
    while (performance.now() < until) {
      try {
        const response = await fetch(`/say?lang=${root.lang}`, {
          method: "POST", body: JSON.stringify(said), signal: AbortSignal.timeout(SILENT_MS),
          headers: { "Content-Type": "application/json" },
        });
        if (response.status === 401) location.reload();
        const answer = await response.json();
        seen = answer.seen ?? seen;
        return answer;
      } catch {
        refuse(template("silent"), label);
        await new Promise(later => setTimeout(later, AGAIN_MS));
      }
    }
    return { ok: false, html: template("lost") };
  }
  function refuse(html, label) {
    const shown = document.getElementById("answer");
    shown.innerHTML = html;
    const pressed = shown.querySelector("[data-pressed]");
    if (pressed) pressed.textContent = `: ${label}`;
    place.classList.add("refused");
  }
  // The open drawers, with what is unfolded in them; for a button only those around it.
  function drawers(button) {
    const open = [...document.querySelectorAll("details[open]")];
    return button ? open.filter(one => one.contains(button) && !("stay" in one.dataset)) : open;
  }
  const close = shown => shown.forEach(one => { one.open = false; });
  // The result of the last press, in words, unless a refusal is shown.
  const taken = document.getElementById("taken");
  function note(words, label) {
    kept(false);
    written(words, label);
  }
  const written = (words, label) => { taken.textContent = words && label ? `${words}: ${label}` : words; };
  // A press that was not sent is told where the reason stands, so that no key moves under the finger.
  function unsent(words, label) {
    note("");
    kept(true);
    written(words, label);
  }
  function kept(room) {
    if (!place) return;
    place.style.minHeight = room ? `${place.getBoundingClientRect().height}px` : "";
    place.classList.toggle("unsent", room);
  }
  const within = range => taken.dataset.range.replace("<", range.textContent.trim());
  // The first field that is not filled in as it must be: its name, or what it takes.
  function missing(form) {
    const field = [...form.querySelectorAll("input, [data-secret]")].find(one => !fits(one));
    const named = field.closest(".picks, .typed, .secret")?.querySelector("legend, span");
    const range = field.type === "number" && form.querySelector("[data-range]");
    unsent(range ? within(range) : taken.dataset.missing.replace("<", named.textContent.trim()));
    field.focus();
  }
  const fits = one => "secret" in one.dataset ? typed(one) : one.checkValidity();
  function forgive() {
    place?.classList.remove("refused");
    if (place?.classList.contains("unsent")) note("");
  }

  // A press belongs to the button and the prompt on which it went down, not to what came after.
  const prompt = () => Number(document.getElementById("ask").dataset.prompt);
  const labelled = button => button.ariaLabel ?? (button.querySelector("span") ?? button).textContent;
  const random = () => [...crypto.getRandomValues(new Uint32Array(3))].map(n => n.toString(36)).join("-");
  const read = button => ({
    button, label: labelled(button),
    said: { ...JSON.parse(button.dataset.input), prompt: prompt(), press: random(), seen },
  });
  const asItWas = ({ button, label, said }) =>
    button.isConnected && labelled(button) === label && prompt() === said.prompt;
  function overtaken(what) {
    unsent(taken.dataset.gone, what.label);
    what.over = true;
  }
  function press(what) {
    if (!asItWas(what)) return overtaken(what);
    const { button, said, label } = what, form = button.form;
    const secret = form?.querySelector("[data-secret]");
    const before = underWay(button, said.prompt);
    if (before) return typed(secret) && alone(form) ? queue(what, before, take(secret)) : undefined;
    if (!form) return send(button, said, label);
    if (!form.checkValidity() || secret && !typed(secret)) return missing(form);
    const long = [...form.querySelectorAll("[data-letters]")].find(one => [...one.value].length > one.dataset.letters);
    if (long) return unsent(long.dataset.long, label);
    send(button, { ...said, ...filled(form), ...secret && take(secret) }, told(form, label));
    secret?.focus();
  }
  // A card that is typed before the last one is answered and drawn waits for it, in its order.
  const queued = [];
  const cardOf = said => said.card ?? said.scanned;
  function queue({ button, label }, last, said) {
    const card = cardOf(said);
    if (card !== (queued.at(-1) ?? last).card) queued.push({ button, label, card, said });
  }
  function next() {
    const [{ button, label, said } = {}] = queued, now = button && read(button);
    if (!now || drawn < seen || underWay(button, now.said.prompt)) return;
    if (!button.isConnected || now.label !== label) return dropped();
    queued.shift();
    send(button, { ...now.said, ...said }, label);
  }
  function dropped() {
    if (queued.length) unsent(taken.dataset.gone, queued[0].label);
    queued.length = 0;
  }

  // What a person fills in: picks are JSON, sums are numbers, the rest are words.
  function filled(form) {
    const said = {};
    for (const { name, type, checked, value, valueAsNumber } of form.querySelectorAll("input"))
      if (type === "number") said[name] = valueAsNumber;
      else if (type !== "radio") said[name] = value;
      else if (checked) said[name] = JSON.parse(value);
    return said;
  }
  // The same, for the answer: the seat first, then what it says, whose name and which sum; no card and no PIN.
  function told(form, label) {
    const inputs = [...form.querySelectorAll("input:not([type=password])")];
    const words = new Map(inputs.filter(one => one.type !== "radio" || one.checked)
      .map(one => [one.name, one.type === "radio" ? one.parentElement.textContent.trim()
        : one.name === "chips" ? `${one.value} ${taken.dataset.unit}` : one.value]));
    const { said } = form.dataset, seat = words.get("seat");
    if (said) return said.replace(/<(\w+)>/g, (_, name) => words.get(name));
    words.delete("seat");
    const what = [label, ...words.values()].join(", ");
    return seat ? taken.dataset.said.replace("<", seat).replace(">", what) : what;
  }
  // A pick narrows the range of the sum beside it, and no place can be picked twice.
  function narrow(form) {
    const picked = [...form.querySelectorAll("input[type=radio]:checked")];
    for (const radio of form.querySelectorAll("[data-place] input"))
      radio.disabled = picked.some(other => other.name !== radio.name && other.value === radio.value
        && other.closest("[data-place]"));
    const sum = form.querySelector("input[type=number]"), range = form.querySelector("[data-range]");
    if (!sum || !picked.length && !("narrowed" in form.dataset)) return;
    form.dataset.narrowed = "";
    const bound = (name, pick) => pick(...[sum, ...picked].filter(e => name in e.dataset)
      .map(e => Number(e.dataset[name])));
    sum.min = bound("least", Math.max);
    sum.max = bound("most", Math.min);
    const figure = n => n < 10_000 ? n : Number(n).toLocaleString(root.lang);
    range.textContent = range.dataset.range.replace("<", figure(sum.min)).replace(">", figure(sum.max));
  }
  document.addEventListener("change", event => {
    if (event.target.type === "radio") narrow(event.target.form);
  });

  // Typing replaces a sum: it is selected when its field is entered. A touch puts the caret there only later.
  let entered;
  document.addEventListener("focusin", ({ target }) => {
    entered = target.type === "number" ? target : undefined;
    entered?.select();
  });
  document.addEventListener("click", ({ target }) => {
    if (target === entered) entered.select();
    entered = undefined;
  });

  // What the felt has to say: a press without a button of its own.
  async function say(button, said, label, since) {
    if (prompt() !== since) return unsent(taken.dataset.gone, label);
    const form = button.form?.cloneNode(true), sum = form?.querySelector("input[type=number]");
    if (sum) {
      form.querySelectorAll("input[type=radio]").forEach(one => { one.checked = JSON.parse(one.value) === said[one.name]; });
      narrow(form);
      sum.value = said[sum.name];
      if (!form.checkValidity()) return unsent(within(form.querySelector("[data-range]")), label);
    }
    await send(button, { ...said, prompt: since, press: random(), seen }, label);
    const due = performance.now() + 500, frame = () => new Promise(requestAnimationFrame);
    while (drawn < seen && performance.now() < due) await frame();
  }
  const hand = window.felt?.({ HOLD_MS, say, morph, narrow, labelled, prompt });

  let down, onKey, holding;  // what a finger and a key went down on; what is held
  let began;  // the button or key below the finger when it went down
  // The second touch of a double tap may meet another button, which has just come to lie there. A mouse
  // lies there already: whoever clicks sees what is below it.
  let touched;  // the last touch: what it says, when and where
  function doubled(event, says) {
    if (event.pointerType === "mouse") return false;
    const since = event.timeStamp - touched?.at, { clientX: x, clientY: y } = event;
    const again = since >= 0 && since < DOUBLE_MS && Math.hypot(x - touched.x, y - touched.y) < NEAR_PX;
    const other = again && touched.says !== says;
    touched = { says: other ? touched.says : says, at: event.timeStamp, x, y };
    return other;
  }
  function letGo() {
    if (holding && asItWas(holding)) unsent(taken.dataset.short, holding.label);
    else if (holding) overtaken(holding);
    release();
  }
  function release() {
    if (!holding) return;
    clearTimeout(holding.timer);
    delete holding.button.dataset.holding;
    holding = undefined;
  }
  function hold(what) {
    if (holding) return;
    what.button.dataset.holding = "";
    holding = what;
    what.timer = setTimeout(() => {
      release();
      press(what);
      what.over = true;
    }, HOLD_MS);
  }
  document.getElementById("sign-out")?.addEventListener("click", async () => {
    feeds.leave();
    await fetch("/sign-out", { method: "POST", body: "{}", headers: { "Content-Type": "application/json" } });
    location.replace("/");
  });
  const offer = event => event.target.closest?.("button[data-input]");

  document.addEventListener("pointerdown", event => {
    const button = offer(event);
    down = button && read(button);
    began = event.target.closest?.("button");
    if (doubled(event, button?.dataset.input) && button) {
      unsent(taken.dataset.double, down.label);
      down.over = true;
    } else if (button && "hold" in button.dataset && event.button === 0) hold(down);
    if (event.target.closest("[data-secret] button")) event.preventDefault();
  });
  window.addEventListener("pointerup", event => {
    if (touched) touched.at = event.timeStamp;
    if (down && !down.over && down !== holding && !asItWas(down)) overtaken(down);
  });
  for (const end of ["pointerup", "pointercancel", "blur"]) window.addEventListener(end, letGo);
  document.addEventListener("pointerout", event => {
    if (holding && !holding.button.contains(event.relatedTarget)) letGo();
  });
  document.addEventListener("contextmenu", event => {
    if (offer(event)) event.preventDefault();
  });
  document.addEventListener("submit", event => {
    if (event.target.closest(".asked")) event.preventDefault();
  });
  document.addEventListener("click", event => {
    const button = offer(event);
    if (!button) {
      // A finger that was held may be lifted from a key that came below it: it does not type.
      const key = event.detail && event.target.closest("[data-secret] button");
      return key && key !== began ? undefined : small(event);
    }
    // A click without coordinates is from the keyboard or a screen reader.
    const seen = event.detail ? down : onKey?.button === button ? onKey : read(button);
    down = onKey = undefined;
    if (seen?.over) return;
    if (seen?.button !== button) overtaken(seen ?? read(button));
    else if (!("hold" in button.dataset)) press(seen);
  });
  document.addEventListener("keydown", event => {
    const button = offer(event), secret = event.target.closest?.("[data-secret]");
    const presses = event.key === "Enter" || event.key === " " && button;
    if (presses && event.repeat) return event.preventDefault();  // a key that stays down says nothing more
    const free = !event.ctrlKey && !event.metaKey && !event.target.matches?.("input, textarea");
    const label = free && (secret ? type(secret, event) : scans?.(event));
    if (label) {
      event.preventDefault();  // a scanner's Enter is nobody's press
      clearTimeout(scanner);
      return label.ended ? scanned(label.text) : scanner = setTimeout(scanned, SCANNED_MS, label.text);
    }
    onKey = button && presses ? read(button) : undefined;
    if (onKey && "hold" in button.dataset) {
      event.preventDefault();
      hold(onKey);
    } else if (event.key === "Escape") { letGo(); forgive(); shut(); hand?.leave(); }
  });
  document.addEventListener("keyup", letGo);
  // What a scanner typed belongs to the card that is asked: the one in hand, or the only one in sight.
  const SCANNED_MS = 100;  // not every scanner ends with Enter
  let scanner;
  function scanned(text) {
    const asked = [...document.querySelectorAll("[data-secret]")].filter(one => !one.closest("details:not([open])"));
    const secret = asked.find(one => one.contains(document.activeElement)) ?? (asked.length === 1 ? asked[0] : undefined);
    if (!secret) return refuse(template("scanned"), "");
    scan(secret, text);
    const button = secret.closest("form").querySelector("[data-input]");
    if (alone(button.form) && !("hold" in button.dataset)) press(read(button));
  }
  document.addEventListener("toggle", event => {
    if (event.target.matches(".fold[open]")) event.target.scrollIntoView({ block: "nearest" });
  }, true);
  function shut() {
    const open = document.querySelector("details.drawer[open], .others[open]");
    if (!open) return;
    open.open = false;
    open.firstElementChild.focus();
  }

  const alone = form => form.querySelectorAll("input").length === 0;  // nothing else is asked
  // Small things: stepper, words used last, secret keys, rules, theme.
  async function small(event) {
    const target = event.target.closest("[data-step], [data-fill], [data-secret] button, [data-close], a.rule, #theme");
    if (!target) return;
    const secret = target.closest("[data-secret]");
    if (secret) {
      touch(secret, target.dataset);
      const button = secret.closest("form").querySelector("[data-input]");
      if (typed(secret) && alone(button.form) && !("hold" in button.dataset)) press(read(button));
    } else if (target.dataset.step) {
      // To the next round sum that way: 100, 500, 1000.
      const sum = target.form.querySelector("input[type=number]"), by = Number(target.dataset.step), size = Math.abs(by);
      const steps = (sum.valueAsNumber || 0) / size, next = by < 0 ? Math.ceil(steps) - 1 : Math.floor(steps) + 1;
      sum.value = Math.min(sum.max, Math.max(sum.min, next * size));
    } else if (target.dataset.fill) target.form.elements[target.dataset.fill].value = target.textContent;
    else if ("close" in target.dataset) forgive();
    else if (target.id === "theme") {
      const light = getComputedStyle(root).colorScheme === "light";
      root.dataset.theme = light ? "dark" : "light";
      document.cookie = `theme=${root.dataset.theme}; path=/; max-age=31536000; SameSite=Strict`;
    } else if (document.getElementById("rule")) {
      event.preventDefault();
      const page = await (await fetch(`${target.href}?lang=${root.lang}`)).text();
      const text = new DOMParser().parseFromString(page, "text/html").getElementById("text");
      const shown = document.getElementById("rule");
      shown.firstElementChild.replaceChildren(text ?? page);
      shown.showModal();
    }
  }
})();

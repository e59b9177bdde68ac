// What a screen lets hear, if somebody chose so there: quiet sounds, and the table's news spoken by a voice of
// this machine. Only what the page shows is heard; nothing is fetched.
(() => {
  "use strict";
  const choice = document.getElementById("heard"), root = document.documentElement;
  if (!choice) return;
  const on = what => choice.value.split(" ").includes(what);
  choice.value = localStorage.getItem("heard") ?? "";
  choice.addEventListener("change", () => {
    localStorage.setItem("heard", choice.value);
    was = now();
    if (on("sounds")) play("step");
    if (!on("voice")) speechSynthesis?.cancel();
  });

  // Two short tones for each moment: from, to (Hz), how long (s). Browsers allow sound after a first touch.
  const TONES = { step: [[660, 0.09]], result: [[523, 0.12], [784, 0.16]], alert: [[440, 0.16], [330, 0.22]] };
  const LOUD = 0.05;
  let audio;
  function play(name) {
    audio ??= new AudioContext();
    root.dataset.heard = name;
    if (audio.state === "suspended") audio.resume();
    let at = audio.currentTime;
    for (const [pitch, long] of TONES[name]) {
      const tone = audio.createOscillator(), loud = audio.createGain();
      tone.frequency.value = pitch;
      loud.gain.setValueAtTime(0, at);
      loud.gain.linearRampToValueAtTime(LOUD, at + 0.015);
      loud.gain.linearRampToValueAtTime(0, at + long);
      tone.connect(loud).connect(audio.destination);
      tone.start(at);
      tone.stop(at += long);
    }
  }

  // Only a voice that is on this machine: others send what they say to somebody else.
  const own = () => speechSynthesis?.getVoices()
    .find(voice => voice.localService && voice.lang.toLowerCase().startsWith(root.lang));
  function offer() {
    for (const option of choice.options) if (option.value.includes("voice")) option.disabled = !own();
  }
  globalThis.speechSynthesis?.addEventListener("voiceschanged", offer);
  offer();
  function speak(words) {
    const voice = own();
    if (!voice || !words) return;
    speechSynthesis.cancel();  // the newest news, like a croupier who goes on
    const said = new SpeechSynthesisUtterance(words);
    said.voice = voice;
    said.lang = voice.lang;
    speechSynthesis.speak(said);
  }

  // What is new, as the page itself shows it.
  const words = selector => document.querySelector(selector)?.textContent.trim() ?? "";
  const now = () => ({
    alerts: document.querySelectorAll("#alerts .alert").length,
    news: words("#ask .news") || words("#result h1"),
    step: document.getElementById("ask")?.dataset.prompt ?? words("#result h1"),
  });
  let was = now();
  new MutationObserver(() => {
    if (!choice.value) return;
    const is = now(), before = was;
    was = is;
    if (on("sounds")) {
      if (is.alerts > before.alerts) play("alert");
      else if (is.news !== before.news && is.news) play("result");
      else if (is.step !== before.step) play("step");
    }
    if (on("voice") && is.news !== before.news) speak(is.news);
  }).observe(document.body, { childList: true, subtree: true, characterData: true, attributes: true,
    attributeFilter: ["data-prompt"] });
})();

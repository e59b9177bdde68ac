// One connection for all pages of this browser. A page that is seen asks for the lock; the page that holds it has the
// connection, and hands what comes to the others. Without locks (no TLS, and not this machine) a page has its own; so has
// a delayed picture, which would begin again whenever another page comes.
"use strict";
(() => {
  const JOIN_MS = 50, LATE_MS = 15_000, ME = Math.random().toString(36);
  const delayed = /[?&]delay=[1-9]/.test(document.body.dataset.live);
  const shared = navigator.locks && "BroadcastChannel" in window && !delayed;
  const channel = shared ? new BroadcastChannel("feeds") : null;
  let mine, silent = false;  // { url, on } while this page is seen; whether nothing has come since it asked
  let asking, release;  // the request for the lock, and what gives the lock back
  let source, joining;  // what the page that holds the lock has
  const wanted = new Map();  // page -> { url, at }
  const open = new Set();  // the streams in the connection
  const over = new Set();  // those of them that have ended
  const held = () => Boolean(release);

  function told(url, event, data) {
    if (mine?.url !== url) return;
    silent = false;
    mine.on(event, data);
  }
  function tell(url, event, data) {
    channel?.postMessage({ url, event, data });
    told(url, event, data);
  }
  const all = event => [...open].forEach(url => tell(url, event));

  // The page that holds the lock: one source for the streams that some page wants. A page that comes gets a whole picture,
  // which only a new stream begins with.
  function join() {
    clearTimeout(joining);
    joining = setTimeout(connect, JOIN_MS);
  }
  function shut() {
    clearTimeout(joining);
    source?.close();
    source = undefined;
    open.clear();
    over.clear();
  }
  function connect() {
    shut();
    for (const { url } of wanted.values()) open.add(url);
    const urls = [...open], several = urls.length > 1;
    if (!urls.length) return;
    source = new EventSource(several ? `/feeds?${new URLSearchParams(urls.map(url => ["of", url]))}` : urls[0]);
    source.onerror = () => all("error");
    source.addEventListener("beat", beat);
    urls.forEach((url, n) => {
      const on = (event, heard) => source.addEventListener(several ? `${n}.${event}` : event, heard);
      on("version", ({ data }) => tell(url, "version", data));
      on("parts", ({ data }) => tell(url, "parts", JSON.parse(data)));
      on("over", () => {
        over.add(url);
        tell(url, "error");
      });
    });
  }
  function beat() {
    const now = performance.now(), urls = new Set();
    for (const [page, { url, at }] of wanted) {
      if (page !== ME && now - at > LATE_MS) wanted.delete(page);
      else urls.add(url);
    }
    if (over.size || [...open].some(url => !urls.has(url))) join();
    all("beat");
  }
  function want(page, url) {
    wanted.set(page, { url, at: performance.now() });
    if (!over.has(url)) join();  // a beat joins it again
  }

  // Every page.
  if (channel) channel.onmessage = ({ data: { url, event, data, page, wants, here, leaves, who } }) => {
    if (who && mine) channel.postMessage({ page: ME, wants: mine.url });
    if (held() && wants) want(page, wants);
    if (held() && here && wanted.has(page)) wanted.get(page).at = performance.now();
    if (held() && leaves) wanted.delete(page);
    if (held() || !event) return;
    if (event === "beat" && mine) channel.postMessage({ page: ME, here: true });
    told(url, event, data);
  };
  function lead() {
    asking = undefined;
    wanted.clear();
    if (mine) wanted.set(ME, { url: mine.url, at: performance.now() });
    channel?.postMessage({ who: true });
    join();
    return new Promise(done => { release = done; });
  }
  function ask(how) {
    asking?.abort();
    if (!shared) return void lead();
    const { signal } = asking = new AbortController();
    navigator.locks.request("feeds", how ?? { signal }, lead).catch(() => {
      if (signal.aborted || !held()) return;
      rest();  // another page has taken the lock, as this one did not answer
      if (mine) ask();
    });
  }
  // Hold the lock no more: the next page that is seen gets it.
  function rest() {
    shut();
    release();
    release = undefined;
  }
  function leave() {
    mine = undefined;
    asking?.abort();
    asking = undefined;
    if (held()) rest();
    else channel?.postMessage({ page: ME, leaves: true });
  }
  addEventListener("pagehide", leave);

  window.feeds = {
    // Follow a stream; `on` gets each event's name and data. Asked once more, it begins again with the whole picture.
    follow(url, on) {
      const steal = silent && !held();
      mine = { url, on };
      silent = true;
      if (held()) {
        want(ME, url);
        return;
      }
      if (steal) ask({ steal: true });
      else if (!asking) ask();
      channel?.postMessage({ page: ME, wants: url });
    },
    leave,
    get connecting() { return source?.readyState === EventSource.CONNECTING; },
  };
})();

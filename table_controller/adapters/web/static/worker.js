// Keeps the shell of this version: styles, scripts, and a page that says that no table answers.
// What a table says is never kept: every other request goes to the network, untouched.
"use strict";
const KEPT = `shell-${VERSION}`;

addEventListener("install", event => {
  event.waitUntil(caches.open(KEPT).then(kept => kept.addAll(SHELL)).then(() => skipWaiting()));
});

addEventListener("activate", event => {
  event.waitUntil(caches.keys()
    .then(names => Promise.all(names.filter(name => name !== KEPT).map(name => caches.delete(name))))
    .then(() => clients.claim()));
});

addEventListener("fetch", event => {
  const { request } = event, path = new URL(request.url).pathname;
  if (request.method !== "GET") return;
  if (request.mode === "navigate")
    event.respondWith(fetch(request).catch(() => caches.match(SHELL.at(-1))));
  else if (SHELL.includes(path) && path.startsWith("/static/"))
    event.respondWith(caches.match(path).then(kept => kept ?? fetch(request)));
});

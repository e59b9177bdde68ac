"""Measures the page: from a table's news to painted pixels on twenty screens, and its memory.

Twenty browsers paint on the same cores that serve them. So a bare page that changes one number is
measured in the same run. Our own cost is the difference between the two. In a club each screen is a
separate device. So there are two browsers, one with the table's page and one with the wall's, next
to eighteen streams that are only read.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import statistics
import subprocess
import sys
import threading
import time

from sse_starlette import EventSourceResponse
from starlette.applications import Starlette
from starlette.responses import HTMLResponse
from starlette.routing import Route

from table_controller.adapters.web.hub import Answer
from table_controller.adapters.web.serve import Server
from tests.adapters.web import samples
from tests.adapters.web.served import DESKTOP, Served, chromium, finish

SCREENS, EVENTS, APART_S = 20, 40, 0.5
"""A table changes when somebody speaks or a card comes, seldom twice in a second."""

#: Notes when each pot was painted. The page changes within a frame's callback, so the next
#: task of the page runs after that frame was laid out, painted and handed to the compositor.
WATCH = """() => {
  window.painted = [];
  const pot = () => Number(document.querySelector('.sum').textContent.match(/\\d+/)[0]);
  new MutationObserver(() => {
    const seen = pot(), task = new MessageChannel();
    task.port1.onmessage = () =>
      window.painted.push([seen, performance.timeOrigin + performance.now()]);
    task.port2.postMessage(0);
  }).observe(document.getElementById('table'),
             { subtree: true, childList: true, characterData: true });
}"""

BARE = """<!doctype html><title>bare</title><div id="table"><p class="sum">0</p></div><script>
let newest;
new EventSource('/live').onmessage = event => {
  if (newest === undefined) requestAnimationFrame(() => {
    document.querySelector('.sum').textContent = newest;
    newest = undefined;
  });
  newest = event.data;
};
</script>"""

MEMORY = """
import asyncio, re
from pathlib import Path
from table_controller.adapters.web.app import app
from table_controller.adapters.web.hub import Answer, Hub
from table_controller.adapters.web.serve import Server
from tests.adapters.web import samples
from tests.adapters.web.test_serve import next_parts, open_stream, table

async def evening():
    hub = table()
    server = Server(app(hub), port=0)
    await server.start()
    streams = [await open_stream(server.url) for _ in range(20)]
    for pot in range(200):
        hub.tell(samples.with_pot(pot))
        await asyncio.sleep(0.01)
    print(re.search(r"VmRSS:\\s+(\\d+)", Path("/proc/self/status").read_text())[1])
    await server.stop()

asyncio.run(evening())
"""

READERS = """
import asyncio, sys
from tests.adapters.web.test_serve import open_stream

async def read(count, url):
    streams = [await open_stream(url, "/public/live") for _ in range(int(count))]
    print("open", flush=True)
    await asyncio.gather(*(reader.read(-1) for reader, _ in streams))

asyncio.run(read(*sys.argv[1:]))
"""


def rows():
    """Return (what, figure, unit, budget or peer) for each figure. All are from one run."""
    ours, bare, alone = latencies(Served), latencies(Bare), latencies(Served, screens=1)
    apart = latencies(Served, screens=2, events=100, readers=SCREENS - 2)
    return [
        ("event to painted, 1 screen, p50", statistics.median(alone), "ms", ""),
        ("event to painted, 1 screen, p99", _p99(alone), "ms", "< 100"),
        (f"event to painted, 2 of {SCREENS}, the rest read, p99", _p99(apart), "ms", "< 100"),
        (f"event to painted, {SCREENS} screens, p50", statistics.median(ours), "ms", ""),
        (f"event to painted, {SCREENS} screens, p99", _p99(ours), "ms", "< 100"),
        (f"a bare page's number, {SCREENS} screens, p50", statistics.median(bare), "ms", "peer"),
        (f"a bare page's number, {SCREENS} screens, p99", _p99(bare), "ms", "peer"),
        (f"{SCREENS} screens, p50 over the bare page's", _times(ours, bare), "x", "< 3"),
        ("press to painted, 1 screen, p99", _p99(pressed()), "ms", "< 100"),
        ("first load of the croupier's page, as sent", first_load("/"), "kB", "< 60"),
        ("first load of the guests' page, as sent", first_load("/public"), "kB", "< 60"),
        ("page server with 20 streams, resident", memory(), "MiB", ""),
    ]


def _times(ours, bare):
    return statistics.median(ours) / statistics.median(bare)


def _p99(values):
    return statistics.quantiles(values, n=100)[98]


class Bare:
    """A page of one number, sent by the same libraries: the best that this machine can do."""

    def __init__(self):
        self._loop, self._queues = asyncio.new_event_loop(), []
        threading.Thread(target=self._loop.run_forever, daemon=True).start()
        pages = (Route("/", self._page), Route("/public", self._page), Route("/live", self._live))
        self._app = Starlette(routes=pages)
        self._app.state.prepare, self._app.state.close = int, lambda: self.tell(None)
        self._server = Server(self._app, port=0)
        self._run(self._server.start())
        self.url = self._server.url

    def tell(self, snapshot):
        """Send the picture's pot to every screen; None ends the streams."""
        for queue in self._queues:
            self._loop.call_soon_threadsafe(
                queue.put_nowait, snapshot and snapshot.figures[0].value
            )

    def stop(self):
        self._run(self._server.stop())
        self._run(finish())
        self._loop.call_soon_threadsafe(self._loop.stop)

    def _run(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(30)

    async def _page(self, _request):
        return HTMLResponse(BARE)

    async def _live(self, _request):
        queue = asyncio.Queue()
        self._queues.append(queue)

        async def pots():
            while (pot := await queue.get()) is not None:
                yield str(pot)

        return EventSourceResponse(pots())


def latencies(kind, screens=SCREENS, events=EVENTS, readers=0):
    """The milliseconds from `tell` to the frame that shows the news, per screen and event.

    A separate process also reads `readers` streams, but draws nothing.
    """
    served = kind()
    try:
        with _read(readers, served.url), chromium(DESKTOP) as browser:
            pages = [_screen(browser, served, n) for n in range(screens)]
            told = _tell(served, events)
            for page in pages:
                page.wait_for_function(
                    "pot => painted.some(seen => seen[0] === pot)", arg=max(told)
                )
            painted = [dict(page.evaluate("window.painted")) for page in pages]
    finally:
        served.stop()
    return [_until(shown, pot) - told[pot] for shown in painted for pot in told]


@contextlib.contextmanager
def _read(count, url):
    run = [sys.executable, "-c", READERS, str(count), url]
    with subprocess.Popen(run, stdout=subprocess.PIPE, text=True) as readers:
        readers.stdout.readline()
        yield
        readers.kill()


def _until(shown, pot):
    """The time when `pot` was first painted. If a slow screen skipped `pot`, a newer pot counts."""
    times = [at for seen, at in shown.items() if seen >= pot]
    if not times:
        raise RuntimeError(f"pot {pot} was never painted on one of the screens")
    return min(times)


def _screen(browser, served, number):
    # A browser opens six connections to one host per profile, so each screen has its own.
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    with page.expect_response("**/live*"):
        page.goto(served.url + ("/" if number % 2 else "/public"))
    page.evaluate(WATCH)
    return page


def _tell(served, events):
    """Send one pot after the other from a separate thread. Return when each was sent."""
    told = {}

    def tell():
        for pot in range(1001, 1001 + events):
            told[pot] = time.time() * 1000
            served.tell(samples.with_pot(pot))
            time.sleep(APART_S)

    thread = threading.Thread(target=tell)
    thread.start()
    thread.join()
    return told


#: Presses the first big button many times; the result is the ms until each next painted picture.
PRESS = """async count => {
  const took = [], frame = () => new Promise(requestAnimationFrame);
  const task = () => new Promise(go => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = go;
    port2.postMessage(0);
  });
  const pot = () => document.querySelector('.sum').textContent;
  for (let n = 0; n < count; n++) {
    const was = pot(), began = performance.now();
    document.querySelector('#offers button.main').click();
    while (pot() === was) await frame();
    await task();
    took.push(performance.now() - began);
    await new Promise(go => setTimeout(go, 30));
  }
  return took;
}"""


class Answering(Served):
    """A table that shows another pot after each press."""

    async def _start(self, snapshot, port):
        await super()._start(snapshot, port)
        pots = itertools.count(2001)

        async def say(_said, _actor, _press):
            self.hub.tell(samples.with_pot(next(pots)))
            return Answer()

        self.hub._say = say


def pressed(count=200):
    """The milliseconds from a press on one screen to the frame that shows its result."""
    served = Answering()
    try:
        with chromium(DESKTOP) as browser:
            page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
            with page.expect_response("**/live*"):
                page.goto(served.url + "/")
            return page.evaluate(PRESS, count)
    finally:
        served.stop()


def first_load(path):
    """The kilobytes that a new browser receives until the page is there, without the stream."""
    served, sent = Served(), []
    try:
        with chromium(DESKTOP) as browser:
            page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
            network = page.context.new_cdp_session(page)
            network.send("Network.enable")
            network.on("Network.loadingFinished", lambda one: sent.append(one["encodedDataLength"]))
            page.goto(served.url + path, wait_until="load")
            page.wait_for_timeout(500)
    finally:
        served.stop()
    return sum(sent) / 1000


def memory():
    """The resident MiB of a process that only serves the page, to twenty streams."""
    run = [sys.executable, "-c", MEMORY]
    told = subprocess.run(run, capture_output=True, text=True, check=True)
    return int(told.stdout) / 1024


if __name__ == "__main__":
    for what, figure, unit, beside in rows():
        print(f"{what:50} {figure:10.1f} {unit:4} {beside}")

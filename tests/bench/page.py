"""Figures of the page: from a table's news to painted pixels on twenty screens; its memory."""

from __future__ import annotations

import statistics
import subprocess
import sys
import threading
import time

from tests.adapters.web import samples
from tests.adapters.web.served import Served, chromium

SCREENS, EVENTS, APART_S = 20, 60, 0.15

#: Notes when each pot was painted. The page changes within a frame's callback, so the next
#: task of the page runs after that frame was laid out, painted and handed to the compositor.
WATCH = """() => {
  window.painted = [];
  const pot = () => Number(document.querySelector('svg.wide .sum').textContent.match(/\\d+/)[0]);
  new MutationObserver(() => {
    const seen = pot(), task = new MessageChannel();
    task.port1.onmessage = () =>
      window.painted.push([seen, performance.timeOrigin + performance.now()]);
    task.port2.postMessage(0);
  }).observe(document.getElementById('table'),
             { subtree: true, childList: true, characterData: true });
}"""

MEMORY = """
import asyncio, re
from pathlib import Path
from table_controller.adapters.web import Answer, Hub, app, serve
from tests.adapters.web import samples
from tests.adapters.web.test_serve import next_parts, open_stream, table

async def evening():
    hub = table()
    server = serve(app(hub), port=0)
    await server.start()
    streams = [await open_stream(server.url) for _ in range(20)]
    for pot in range(200):
        hub.tell(samples.with_pot(pot))
        await asyncio.sleep(0.01)
    print(re.search(r"VmRSS:\\s+(\\d+)", Path("/proc/self/status").read_text())[1])
    await server.stop()

asyncio.run(evening())
"""


def rows():
    """Return (what, figure, unit) for each figure, all of one run on this machine."""
    took = latencies()
    return [
        (f"event to painted, {SCREENS} screens, p50", statistics.median(took), "ms"),
        (f"event to painted, {SCREENS} screens, p99", sorted(took)[int(len(took) * 0.99)], "ms"),
        ("page server with 20 streams, resident", memory(), "MiB"),
    ]


def latencies(screens=SCREENS, events=EVENTS):
    """Milliseconds from `tell` to the frame that shows it, for every screen and event."""
    served = Served()
    try:
        with chromium() as browser:
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


def _until(shown, pot):
    """When `pot`, or a newer one that a slow screen skipped to, was first painted."""
    times = [at for seen, at in shown.items() if seen >= pot]
    if not times:
        raise RuntimeError(f"pot {pot} was never painted on one of the screens")
    return min(times)


def _screen(browser, served, number):
    # A browser opens six connections to one host per profile, so each screen has its own.
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    with page.expect_response("**/live?*"):
        page.goto(served.url + ("/" if number % 2 else "/public"))
    page.evaluate(WATCH)
    return page


def _tell(served, events):
    """Tell one pot after the other from a thread of its own; return when each was told."""
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


def memory():
    """Resident MiB of a process that only serves the page, to twenty streams."""
    run = [sys.executable, "-c", MEMORY]
    told = subprocess.run(run, capture_output=True, text=True, check=True)
    return int(told.stdout) / 1024


if __name__ == "__main__":
    for what, figure, unit in rows():
        print(f"{what:50} {figure:10.1f} {unit}")

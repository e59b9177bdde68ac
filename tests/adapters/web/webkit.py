"""WebKit, the engine of an iPad's browser, as Debian has it: WebKitGTK, on a screen without glass.

Playwright drives a WebKit of its own only, so this one is driven by the protocol that all engines
share (WebDriver), through the driver that comes with it.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import httpx

from tests.brokers import free_port
from tests.limits import PATIENCE_S

DRIVER: Final = Path("/usr/bin/WebKitWebDriver")
SCREEN: Final = Path("/usr/bin/Xvfb")
#: The debian packages that both come in.
PACKAGES: Final = "webkit2gtk-driver and xvfb"


def there() -> bool:
    """Whether both are installed."""
    return DRIVER.exists() and SCREEN.exists()


class WebKit:
    """A browser window; `size` is that of the page in it."""

    def __init__(self, session: httpx.Client) -> None:
        self._session = session

    def goto(self, url: str) -> None:
        """Open a page, and wait until it is loaded."""
        self._ask("POST", "/url", {"url": url})

    def evaluate(self, function: str, argument: Any = None) -> Any:
        """Call a function of JavaScript, as `(argument) => value`, in the page."""
        said = {"script": f"return ({function})(arguments[0])", "args": [argument]}
        return self._ask("POST", "/execute/sync", said)

    def resize(self, wide: int, high: int) -> None:
        """Make the page so large, whatever the window's own frame takes."""
        at = self._ask("GET", "/window/rect")
        inner = self.evaluate("() => [innerWidth, innerHeight]")
        size = {"width": wide + at["width"] - inner[0], "height": high + at["height"] - inner[1]}
        self._ask("POST", "/window/rect", size)
        self.wait_for("size => innerWidth === size[0] && innerHeight === size[1]", [wide, high])

    def screenshot(self) -> str:
        """The page as a PNG in base64."""
        return str(self._ask("GET", "/screenshot"))

    def wait_for(self, function: str, argument: Any = None) -> Any:
        """Wait until a function returns something."""
        until = time.monotonic() + PATIENCE_S
        while not (found := self.evaluate(function, argument)):
            assert time.monotonic() < until, f"never: {function}"
            time.sleep(0.02)
        return found

    def _ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        answer = self._session.request(method, path, json=body)
        found = answer.json()["value"]
        assert answer.is_success, found
        return found


@contextlib.contextmanager
def webkit(folder: Path, size: str = "1600x1300") -> Iterator[WebKit]:
    """A browser with a new profile in `folder`, on a screen of this size."""
    with contextlib.ExitStack() as stack:
        display = _screen(stack, size)
        port = free_port()
        own = {"HOME": str(folder), "DISPLAY": display, "GDK_BACKEND": "x11"}
        own |= {"WEBKIT_DISABLE_COMPOSITING_MODE": "1", "LIBGL_ALWAYS_SOFTWARE": "1"}
        own |= {"WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1"}  # as root; the pages are ours
        call = [str(DRIVER), f"--port={port}", "--host=127.0.0.1"]
        driver = _started(stack, call, {**os.environ, **own})
        yield WebKit(stack.enter_context(_session(port, driver)))


def _screen(stack: contextlib.ExitStack, size: str) -> str:
    read, write = os.pipe()
    call = [str(SCREEN), "-displayfd", str(write), "-screen", "0", f"{size}x24", "-nolisten", "tcp"]
    _started(stack, call, dict(os.environ), pass_fds=(write,))
    os.close(write)
    with os.fdopen(read) as number:
        return f":{number.readline().strip()}"


def _started(
    stack: contextlib.ExitStack,
    call: list[str],
    env: dict[str, str],
    pass_fds: tuple[int, ...] = (),
) -> subprocess.Popen[bytes]:
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(call, env=env, stdout=quiet, stderr=quiet, pass_fds=pass_fds)

    def stop() -> None:
        process.terminate()
        process.wait(PATIENCE_S)

    stack.callback(stop)
    return process


@contextlib.contextmanager
def _session(port: int, driver: subprocess.Popen[bytes]) -> Iterator[httpx.Client]:
    at = f"http://127.0.0.1:{port}"
    wanted = {
        "browserName": "MiniBrowser",
        "webkitgtk:browserOptions": {"binary": _browser(), "args": ["--automation"]},
    }
    until = time.monotonic() + PATIENCE_S
    with httpx.Client(timeout=PATIENCE_S) as client:
        while True:
            assert driver.poll() is None, "WebKitWebDriver ended"
            with contextlib.suppress(httpx.TransportError):
                said = {"capabilities": {"alwaysMatch": wanted}}
                answer = client.post(f"{at}/session", json=said)
                break
            assert time.monotonic() < until, "WebKitWebDriver does not answer"
            time.sleep(0.05)
    made = answer.json()["value"]
    assert answer.is_success, made
    base = f"{at}/session/{made['sessionId']}"
    with httpx.Client(base_url=base, timeout=PATIENCE_S) as session:
        yield session
        session.delete(base)


def _browser() -> str:
    """The browser that comes with the driver."""
    return str(max(Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser")))

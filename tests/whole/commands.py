"""The command as people and programs call it: a process, its exit code and its output."""

from __future__ import annotations

import contextlib
import json
import os
import re
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, Self

from table_controller.commands import demo
from tests.limits import LONG_PATIENCE_S
from vision import generator, manifest, recording

ROOT = Path(__file__).parents[2]
COMMAND = (sys.executable, "-m", "table_controller")
#: As on a terminal of eighty columns without colours.
PLAIN = os.environ | {"NO_COLOR": "1", "TERM": "dumb", "COLUMNS": "80"}


class Said(NamedTuple):
    """What a command came to."""

    code: int
    out: str
    errors: str

    @property
    def lines(self) -> list[Any]:
        """Standard output as JSON lines."""
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def sentence(self) -> str:
        """What went wrong, said to a person: one line, and no traceback."""
        assert "Traceback" not in self.errors, self.errors
        (line,) = [line for line in self.errors.splitlines() if line.startswith("schlitten: ")]
        return line.removeprefix("schlitten: ")


def schlitten(*words: object) -> Said:
    """Run `schlitten` with these words."""
    done = subprocess.run(
        [*COMMAND, *map(str, words)],
        capture_output=True,
        text=True,
        timeout=LONG_PATIENCE_S,
        env=PLAIN,
        check=False,
    )
    return Said(done.returncode, done.stdout, done.stderr)


def short_film(path: Path, cards: int = 22, seed: int = 2) -> Path:
    """A camera recording of the demo's first cards: a few coups, the last one cut short."""
    order = generator.mixed(manifest.make(demo.SHOE, demo.SECRET), seed)[:cards]
    recording.write(path, generator.film(generator.plan(order, seed)))
    return path


class Running:
    """A command that goes on until it is stopped. Use with `with`.

    What it prints on standard error is kept.
    """

    def __init__(self, *words: object, shell: tuple[object, ...] = ()) -> None:
        self._call = [str(word) for word in (*shell, *COMMAND, *words)]
        self.errors: list[str] = []
        self._changed = threading.Condition()

    def __enter__(self) -> Self:
        self.process = subprocess.Popen(
            self._call,
            cwd=ROOT,
            env=PLAIN,
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        self._reading = threading.Thread(target=self._read, daemon=True)
        self._reading.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(LONG_PATIENCE_S)
        self._reading.join(LONG_PATIENCE_S)
        assert "Traceback" not in "".join(self.errors), "".join(self.errors)

    def _read(self) -> None:
        for line in self.process.stderr:
            with self._changed:
                self.errors.append(line)
                self._changed.notify_all()

    def says(self, what: str) -> re.Match[str]:
        """Wait until it says something of this form on standard error."""
        with self._changed:
            found = self._changed.wait_for(
                lambda: re.search(what, "".join(self.errors)), LONG_PATIENCE_S
            )
        assert found, f"it never said {what!r}, only: {''.join(self.errors)}"
        return found

    def page(self, url: str, *, holds: Callable[[str], bool] = bool) -> str:
        """Look at a page again and again until what it shows `holds`."""
        until, seen = time.monotonic() + LONG_PATIENCE_S, ""
        while time.monotonic() < until:
            with contextlib.suppress(OSError):
                with urllib.request.urlopen(url, timeout=LONG_PATIENCE_S) as answer:
                    seen = answer.read().decode()
                if holds(seen):
                    return seen
            time.sleep(0.05)
        raise AssertionError(f"{url} never showed it, but: {seen[:2000]} {''.join(self.errors)}")

    def ends(self, number: int | None = None) -> tuple[int, float]:
        """Send it a signal, if any, and wait for its end: exit code, and the seconds it took."""
        began = time.monotonic()
        if number is not None:
            self.process.send_signal(number)
        code = self.process.wait(LONG_PATIENCE_S)
        return code, time.monotonic() - began

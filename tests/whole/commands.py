"""The command as people and programs call it: a process, its exit code and what it prints."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from table_controller import demo
from vision import generator, manifest, recording

COMMAND = (sys.executable, "-m", "table_controller")
PATIENCE_S = 240
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


def schlitten(*words: object, limits: Callable[[], None] | None = None) -> Said:
    """Run `schlitten` with these words."""
    done = subprocess.run(
        [*COMMAND, *map(str, words)],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        env=PLAIN,
        preexec_fn=limits,
        check=False,
    )
    return Said(done.returncode, done.stdout, done.stderr)


def short_film(path: Path, cards: int = 22, seed: int = 2) -> Path:
    """A camera recording of the demo's first cards: a few coups, the last one cut short."""
    order = generator.mixed(manifest.make(demo.SHOE, demo.SECRET), seed)[:cards]
    recording.write(path, generator.film(generator.plan(order, seed)))
    return path

"""Random slips. Each is tried with the tests that run its line, until the first test fails.

`python -m workshop.mutation --random COUNT [--seed S] [--part PART]`. The verdicts are stored
in the folder of this tree's map (`covered`). So an interrupted run can be continued, and a run with
a larger COUNT tries only new slips.

Two published engines were tried instead of this one, each on one core of a busy machine:

- mutmut 3.8 tried 1,883 mutants of `rules` against `tests/rules` in 12 min 39 s: 0.4 s each, since
  it has all mutants in memory together, whereas a slip takes 2.7 s here. But mutmut changes nothing
  outside a function. So it skips 706 of our 2,073 places in `rules` (tables of duties and payouts,
  settings of houses), and 3,403 of 35,744 in all (the `CASES` of every game). Code that only a
  started program runs counts as untested: 603 of 746 mutants of two files of commands. mutmut draws
  no sample and knows no C.
- cosmic-ray 8.7 changes constants too: 333 mutants in four files in which there are 117 slips. But
  it runs all tests for each mutant, in a new process: 3.8 s with four files of tests, and minutes
  with all of ours, as it does not know which test runs which line. It changes the project itself,
  whereas this engine changes a copy. cosmic-ray draws no sample and knows no C.

With any engine, slips by hand need a copy of the project and the choice of tests (`killer`).
"""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import tempfile
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from workshop.mutation import killer
from workshop.mutation.chosen import (
    NEAREST,
    PARTS,
    Judgement,
    drawn,
    judged,
    lines_of,
    spread,
)
from workshop.mutation.covered import SUITES, Covered, covered, folder_of
from workshop.mutation.killer import Job, Verdict
from workshop.mutation.slip import Slip, nth

#: The tests for one slip take at most this long together. A slip that survives these survives.
MOST_S = 60.0
MOST_OF_C_S = 240.0  # the emulated board is slow, and few of the slips are in C
#: The tests that run the firmware: the PC's build of its pure files, then the emulated board.
_OF_C = (
    "tests/firmware_bridge/test_against_c.py",
    "tests/hil/test_board.py",
    "tests/hil/test_bounces.py",
    "tests/hil/test_hard_cases.py",
    "tests/hardware",
)
_EQUIVALENT = 91  # an exit code that pytest has not


@dataclass(frozen=True)
class Outcome:
    """A slip that was tried: its verdict, and a person's judgement of it if it survived.

    `tests` is the number of tests chosen for the slip. `capped` says that other tests were left
    out.
    """

    part: str
    slip: Slip
    old: str
    new: str
    verdict: Verdict | str
    tests: int
    capped: bool = False
    judgement: Judgement | None = None

    @property
    def counts(self) -> bool:
        """Whether the slip changes what the program does."""
        shown = self.judgement and self.judgement.equivalent and self.survived
        return not (shown or self.verdict == "equivalent")

    @property
    def survived(self) -> bool:
        """Whether no test noticed the slip."""
        return self.verdict == Verdict.SURVIVED

    def __str__(self) -> str:
        place = f"{self.slip.file}:{self.slip.first}"
        cap = ", capped" if self.capped else ""
        tests = f"{self.tests} tests{cap}"
        return f"{self.verdict:10} {place} {self.slip.kind}: {self.old} -> {self.new} ({tests})"


def tried(
    count: int,
    seed: int,
    parts: tuple[str, ...] = tuple(PARTS),
    told: Callable[[str, int], None] = lambda *_: None,
    root: Path = killer.ROOT,
) -> Iterator[Outcome]:
    """Try `count` slips. Yield their outcomes.

    Raises RedTests if a test fails without any slip. While the map of the tests is made
    (`covered`), `told` is called after each suite, with a phrase about the suite and 0.
    """
    with killer.copies(root) as copies:
        ran = _map(copies, parts, partial(_prepared, told), root)
        hexes = _hexes(copies[0] / "hardware/firmware") if "firmware" in parts else ()
        run = _Run(root, ran, hexes, _Kept(folder_of(root) / "tried.jsonl"))
        for part, given in spread(count, {part: lines_of(part, root) for part in parts}).items():
            run.draw(part, given, seed)
        yield from run.outcomes(copies)


def _prepared(told: Callable[[str, int], None], suite: str) -> None:
    told(f"covered by {suite}", 0)


def _map(
    copies: list[Path], parts: tuple[str, ...], told: Callable[[str], None], root: Path
) -> Covered:
    suites = SUITES if set(parts) - {"firmware"} else ()
    of_c = _OF_C if "firmware" in parts else ()
    return covered(copies, (*suites, *of_c), told, root)


class _Kept:
    """A file with the verdict on each slip that was tried with this tree, one line each."""

    def __init__(self, file: Path) -> None:
        self._file = file
        lines = file.read_text().splitlines() if file.exists() else []
        self._verdicts = {tuple(place): said for place, said in map(json.loads, lines)}

    def of(self, slip: Slip) -> str | None:
        """The slip's verdict, or None if the slip has not been tried."""
        return self._verdicts.get((slip.file, slip.start, slip.end, slip.new))

    def keep(self, slip: Slip, verdict: str) -> None:
        """Add the verdict on a slip to the file."""
        with self._file.open("a") as out:
            out.write(json.dumps([[slip.file, slip.start, slip.end, slip.new], verdict]) + "\n")


class _Run:
    """The slips that are left in each part, and those that are being tried, with their tests."""

    def __init__(self, root: Path, ran: Covered, hexes: tuple[bytes, ...], kept: _Kept) -> None:
        self._root, self._ran, self._hexes, self._kept = root, ran, hexes, kept
        self._left = dict[str, Iterator[Slip]]()
        self._found = list[Outcome]()
        self._waiting = deque[Job]()
        self._slips = dict[str, tuple[str, Slip, dict[str, float], bool]]()

    def draw(self, part: str, count: int, seed: int) -> None:
        """Add `count` slips of a part."""
        self._left[part] = drawn(part, seed, self._root)
        for _ in range(count):
            self._draw(part)

    def outcomes(self, copies: list[Path]) -> Iterator[Outcome]:
        """Try all the slips.

        A slip with which the program cannot even start is replaced by another.
        """
        yield from self._found
        for job, status, log in killer.done(copies, self._waiting):
            part, slip, took_s, capped = self._slips.pop(job.name)
            verdict: Verdict | str = killer.verdict(status)
            if os.waitstatus_to_exitcode(status) == _EQUIVALENT:
                verdict = "equivalent"
            self._kept.keep(slip, verdict)
            if verdict == Verdict.STILLBORN:
                self._draw(part)
                continue
            yield self._outcome(part, slip, verdict, took_s, capped)
            log.unlink(missing_ok=True)

    def _outcome(
        self, part: str, slip: Slip, verdict: str, took_s: dict[str, float], capped: bool
    ) -> Outcome:
        text = (self._root / slip.file).read_text()
        old, new = slip.shown(text)
        judgement = judged().get((slip.file, old, new, nth(text, slip.start)))
        return Outcome(part, slip, old, new, verdict, len(took_s), capped, judgement)

    def _draw(self, part: str) -> None:
        """Take the part's next slip with which the program still compiles, and queue it."""
        for slip in self._left[part]:
            kept = self._kept.of(slip)
            if kept == Verdict.STILLBORN:
                continue
            if kept:
                self._found.append(self._outcome(part, slip, kept, *self._tests_of(part, slip)))
                return
            spoiled = slip.made((self._root / slip.file).read_text())
            if slip.file.endswith(".py") and not _compiles(spoiled):
                continue
            took_s, capped = self._tests_of(part, slip)
            work = partial(_c_work, took_s, self._hexes)
            if slip.file.endswith(".py"):
                work = partial(_work, slip.file, _stages(part, took_s))
            name = f"{part} {slip}"
            self._slips[name] = part, slip, took_s, capped
            self._waiting.append(Job(name, work, slip.file, spoiled))
            return

    def _tests_of(self, part: str, slip: Slip) -> tuple[dict[str, float], bool]:
        """The tests that run the slip's line, the fastest first, each with its seconds.

        Also return whether tests were left out because of the limit `MOST_S`.
        """
        took_s = self._ran.took_s
        if part == "firmware":
            most_s = MOST_OF_C_S
            names = {name for name in took_s if name.startswith(_OF_C)}
        else:
            most_s = MOST_S
            names = set(self._ran.tests_of(slip.file, slip.first, slip.last))
        chosen, sum_s = dict[str, float](), 0.0
        for name in sorted(names, key=lambda name: (took_s[name], name)):
            sum_s += took_s[name]
            if sum_s > most_s and chosen:
                return chosen, True
            chosen[name] = took_s[name]
        return chosen, False


def _compiles(text: str) -> bool:
    try:
        compile(text, "slip", "exec")
    except (SyntaxError, ValueError):
        return False
    return True


def _stages(part: str, took_s: dict[str, float]) -> list[dict[str, float]]:
    """The tests in two stages: first those near the part, then the others."""
    near = {name: s for name, s in took_s.items() if name.startswith(NEAREST[part])}
    far = {name: s for name, s in took_s.items() if name not in near}
    return [stage for stage in (near, far) if stage]


def _work(file: str, stages: list[dict[str, float]]) -> int:
    module = file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    try:
        importlib.import_module(module)
    except BaseException as error:  # noqa: BLE001  whatever a spoiled module raises
        print(f"{type(error).__name__}: {error}")
        return killer.STILLBORN
    for took_s in stages:
        code = killer.run(took_s)
        if code != pytest.ExitCode.OK:
            return code
    return pytest.ExitCode.OK


def _c_work(took_s: dict[str, float], hexes: tuple[bytes, ...]) -> int:
    try:
        made = _hexes(Path("hardware/firmware"))
    except subprocess.CalledProcessError as error:
        print(error.stderr)
        return killer.STILLBORN
    return _EQUIVALENT if made == hexes else killer.run(took_s)


def _hexes(firmware: Path) -> tuple[bytes, ...]:
    """The bytes that avrdude would flash, for each build.

    A slip that leaves them as they are changes nothing.
    """
    with tempfile.TemporaryDirectory() as build:
        subprocess.run(
            ["make", "-C", firmware, f"BUILD={build}", "all"],
            check=True,
            capture_output=True,
            text=True,
        )
        return tuple(file.read_bytes() for file in sorted(Path(build).glob("*.hex")))

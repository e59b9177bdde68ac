"""Finds the tests that run each line, and how long each takes, by one run under coverage.

The result is kept in the temporary folder under a digest of sources and tests, so that a second run
of the same tree runs nothing. A program that a test starts counts as part of that test if the
program ends by itself.
"""

from __future__ import annotations

import ast
import hashlib
import json
import os
import tempfile
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import coverage
import pytest

from workshop.mutation import killer

#: The tests that can notice a slip. Tests of texts and of pages' looks cannot, and long filmed runs
#: take minutes each.
SUITES: tuple[str, ...] = (
    "tests/rules",
    "tests/engine",
    "tests/contract",
    "tests/service",
    "tests/firmware_bridge",
    "tests/adapters",
    "tests/vision",
    "tests/whole",
    "tests/hil/test_board.py",
    "tests/hardware",
    "workshop/tests",
)
#: These contain lists that are made from the tests, need a browser, play films for minutes, or
#: build wheels, which is impossible in a copy of the project.
NOT = (
    "tests/whole/test_killed.py",
    "tests/whole/test_schlitten.py",
    "tests/whole/test_upgrade.py",
    "tests/adapters/web/test_page_",
    "workshop/tests/test_at_random.py",
    "workshop/tests/test_generated.py",
    "workshop/tests/test_mutations.py",
    "workshop/tests/test_slips.py",
    "workshop/tests/test_soak_report.py",
    "workshop/tests/test_soak_vision.py",
)
_LONG = ("tests/engine/test_whims.py", "tests/engine/test_secrecy.py", "tests/whole")
#: Folders on which no test of SUITES depends.
_NO_MATTER = {"__pycache__", "build", "mutation"}
_LONGEST_S = 1200  # any test, under coverage on a busy machine
_OF_OURS = ("table_controller", "vision", "firmware_bridge")
_RC = """[run]
data_file = {folder}/of-a-program
parallel = true
include = {include}
context = ${{COVERED_TEST}}
sigterm = true
core = ctrace
"""


class RedTests(Exception):
    """A test already fails in the code without a slip, so no slip can be judged."""


@dataclass
class Covered:
    """For each file and line, the tests that run the line; for each test, its seconds.

    A line that runs when its file is imported belongs to no single test. For such a line,
    `tests_of` gives the tests that run any line of the file, or of a file that imports it.
    """

    took_s: dict[str, float] = field(default_factory=dict)
    lines: dict[str, dict[int, frozenset[str]]] = field(default_factory=dict)
    importers: dict[str, set[str]] = field(default_factory=dict)
    readers: dict[str, set[str]] = field(default_factory=dict)  # tests whose file has it read

    def tests_of(self, file: str, first: int, last: int) -> frozenset[str]:
        """The tests that run any of these lines."""
        by_line = self.lines.get(file, {})
        ran = [by_line[line] for line in range(first, last + 1) if line in by_line]
        if any("" in tests for tests in ran):
            files = {file, *self.importers.get(file, ())}
            ran = [tests for one in files for tests in self.lines.get(one, {}).values()]
            ran.append(frozenset(t for t in self.took_s if t.partition("::")[0] in files))
            if not frozenset().union(*ran) - {""}:  # imported by a name that is made up
                ran.append(frozenset(self.readers.get(file, ())))
        return frozenset().union(*ran) - {""}

    def add(self, other: Covered) -> None:
        """Add the results of another suite's run."""
        self.took_s |= other.took_s
        for file, tests in other.readers.items():
            self.readers.setdefault(file, set()).update(tests)
        for file, by_line in other.lines.items():
            mine = self.lines.setdefault(file, {})
            for line, tests in by_line.items():
                mine[line] = mine.get(line, frozenset()) | tests


class _Mapper:
    """A pytest plugin that assigns each executed line to the test that is running."""

    def __init__(self, measured: coverage.Coverage) -> None:
        self._measured = measured
        self.took_s: dict[str, float] = {}

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item):
        self._measured.switch_context(item.nodeid)
        os.environ["COVERED_TEST"] = item.nodeid
        began = time.perf_counter()
        try:
            return (yield)
        finally:
            self.took_s[item.nodeid] = time.perf_counter() - began


def covered(
    copies: list[Path],
    suites: tuple[str, ...] = SUITES,
    told: Callable[[str], None] = lambda _: None,
    root: Path = killer.ROOT,
) -> Covered:
    """The map of this tree, new or from an earlier run. Raises RedTests if a test fails."""
    whole = Covered(importers=importers(root))
    folder = folder_of(root)
    kept = {test: folder / f"{test.replace('/', '-')}.json" for test in files_of(suites, root)}
    lacking = deque(
        killer.Job(test, partial(_measure, test, file))
        for test, file in kept.items()
        if not file.exists()
    )
    for job, status, log in killer.done(list(copies), lacking):
        told(job.name)
        if not kept[job.name].exists():
            tail = log.read_text(errors="replace")[-2000:]
            raise RedTests(f"the tests fail as they are: {job.name} ({status})\n{tail}")
    for file in kept.values():
        whole.add(_read(file))
    return whole


def folder_of(root: Path) -> Path:
    """The folder with the results for this tree."""
    folder = Path(tempfile.gettempdir()) / f"covered-{digest_of(root)}"
    folder.mkdir(exist_ok=True)
    return folder


def files_of(suites: tuple[str, ...], root: Path) -> list[str]:
    """The test files. Each is run separately; the engine's longest files come first."""
    found = {
        str(path.relative_to(root))
        for suite in suites
        for path in (
            (root / suite).rglob("test_*.py") if (root / suite).is_dir() else [root / suite]
        )
    }
    kept = {name for name in found if not name.startswith(NOT)}
    return sorted(kept, key=lambda name: (not name.startswith(_LONG), name))


def importers(root: Path) -> dict[str, set[str]]:
    """For each of our files, the files that import it or a name from it, including tests."""
    found: dict[str, set[str]] = {}
    for name in (*_OF_OURS, "tests", "workshop"):
        for path in (root / name).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.ImportFrom) and node.module:
                    for one in (node.module, *(f"{node.module}.{a.name}" for a in node.names)):
                        target = one.replace(".", "/")
                        importer = str(path.relative_to(root))
                        found.setdefault(f"{target}.py", set()).add(importer)
                        found.setdefault(f"{target}/__init__.py", set()).add(importer)
    return found


def digest_of(root: Path) -> str:
    """The digest of everything on which a test may depend."""
    told = hashlib.sha256()
    for name in (*_OF_OURS, "hardware", "tests", "workshop"):
        for file in sorted((root / name).rglob("*")):
            if file.is_file() and not _NO_MATTER & set(file.parts):
                told.update(f"{file.relative_to(root)}\n".encode() + file.read_bytes())
    return told.hexdigest()[:16]


def _measure(suite: str, to: Path) -> int:
    """Run a file of tests in this process's copy under coverage, and write the result to `to`.

    Return pytest's exit code.
    """
    here = Path.cwd()
    scratch = Path(os.environ["TMPDIR"])
    include = [f"{here}/{name}/*" for name in _OF_OURS]
    settings = scratch / "coveragerc"
    settings.write_text(_RC.format(folder=scratch, include=", ".join(include)))
    os.environ["COVERAGE_PROCESS_START"] = str(settings)
    measured = coverage.Coverage(data_file=str(scratch / "here"), include=include)
    measured.set_option("run:core", "ctrace")
    mapper, chosen = _Mapper(measured), killer.Chosen(unknown_s=_LONGEST_S / 10)
    measured.start()
    options = ["-q", "-p", "no:cacheprovider", "--timeout=0"]  # coverage is slow
    code = pytest.main([*options, suite], plugins=[mapper, chosen])
    measured.stop()
    if code == pytest.ExitCode.TESTS_FAILED:  # perhaps only as coverage made them slow
        code = killer.run({name: mapper.took_s[name] for name in dict.fromkeys(chosen.red)})
    if code in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        measured.save()
        of_others = [str(file) for file in scratch.glob("of-a-program*")]
        if of_others:
            measured.combine(of_others)
        _write(mapper.took_s, measured.get_data(), here, to)
    else:
        print("RED:", *chosen.red)
    return int(code)


def _write(took_s: dict[str, float], data: coverage.CoverageData, here: Path, to: Path) -> None:
    place = {test: number for number, test in enumerate(["", *took_s])}
    lines = {
        str(Path(file).relative_to(here)): {
            line: [place.get(test, 0) for test in tests]
            for line, tests in data.contexts_by_lineno(file).items()
        }
        for file in data.measured_files()
    }
    part = to.with_suffix(".part")
    part.write_text(json.dumps({"took_s": took_s, "lines": lines}))
    part.rename(to)


def _read(file: Path) -> Covered:
    told = json.loads(file.read_text())
    names = ["", *told["took_s"]]
    lines = {
        file: {int(n): frozenset(names[t] for t in tests) for n, tests in by_line.items()}
        for file, by_line in told["lines"].items()
    }
    read = {file for file, by_line in lines.items() if any("" in t for t in by_line.values())}
    return Covered(told["took_s"], lines, readers={file: set(told["took_s"]) for file in read})

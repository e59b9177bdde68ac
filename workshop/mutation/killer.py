"""Runs tests in copies of the project, each copy in a separate process. It knows no slip.

The project itself is never touched. Python and the large packages are started once. The copies'
processes are forks of this process. So each reads only our own code anew, which may have a slip.
"""

from __future__ import annotations

import compileall
import importlib
import os
import py_compile
import shutil
import signal
import sys
import tempfile
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

# Imported before the forks: starting Python and these anew took most of the time.
import cv2  # noqa: F401
import hypothesis.stateful
import msgspec  # noqa: F401
import numpy as np  # noqa: F401
import pytest

ROOT = Path(__file__).parents[2]
AT_ONCE = os.cpu_count() or 1
#: The files that a copy leaves out. Byte code could outlive a change.
_LEFT_OUT = shutil.ignore_patterns(".*", "__pycache__", "build", "dist", "artefacts", "*.egg-info")
_OURS = ("tests", "workshop", "table_controller", "vision", "hardware", "firmware_bridge")
STILLBORN = 90  # an exit code that pytest has not
_STARTING_S = 180  # until the first test runs
_BY_THE_CLOCK = ("tests/adapters", "tests/whole", "tests/hil")
_HANGS_S = 20  # a test, and ten times what it took before


class Verdict(StrEnum):
    """What the tests found of a slip.

    A slip that makes the program hang is noticed too. Such slips are counted separately, because a
    busy machine may also seem to hang.
    """

    KILLED = "killed"
    HUNG = "hung"
    SURVIVED = "SURVIVED"
    STILLBORN = "stillborn"


@dataclass(frozen=True)
class Job:
    """Run `work` in a copy. If `file` is given, that file of the copy contains `text`.

    `work` returns an exit code.
    """

    name: str
    work: Callable[[], int]
    file: str = ""
    text: str = ""


class Chosen:
    """A pytest plugin that runs only the given tests, in this order; None runs all tests.

    A test that takes far longer than in the earlier run ends the process. If the test was not in
    that run, `unknown_s` seconds are assumed. Hypothesis does not shrink a failure, and its random
    examples are the same each time.
    """

    def __init__(self, took_s: dict[str, float] | None = None, unknown_s: float = 10.0) -> None:
        self._took_s, self._unknown_s = took_s, unknown_s
        self.red: list[str] = []

    def pytest_sessionstart(self) -> None:
        """Set Hypothesis up before the tests' files are read.

        The settings in those files are copies of the settings made here.
        """
        short = (hypothesis.Phase.explicit, hypothesis.Phase.generate)
        hypothesis.settings.register_profile(
            "spoiled", hypothesis.settings(), phases=short, database=None, derandomize=True
        )
        hypothesis.settings.load_profile("spoiled")

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Keep only the chosen tests."""
        if self._took_s is not None:
            order = {name: place for place, name in enumerate(self._took_s)}
            kept = [item for item in items if item.nodeid in order]
            items[:] = sorted(kept, key=lambda item: order[item.nodeid])

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Start the time limit of a test."""
        before = (self._took_s or {}).get(item.nodeid, self._unknown_s)
        signal.alarm(int(_HANGS_S + 10 * before))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note a test that failed."""
        if report.failed:
            self.red.append(report.nodeid)


@contextmanager
def copies(root: Path = ROOT) -> Iterator[list[Path]]:
    """Yield a copy of the project for each core.

    Other users may pass through the copies' folder. So a broker that a test starts as another user
    can reach the broker's own folder.
    """
    with tempfile.TemporaryDirectory(prefix="m") as folder:
        Path(folder).chmod(0o711)
        yield [copied(Path(folder) / str(number), root) for number in range(AT_ONCE)]


def copied(to: Path, root: Path = ROOT) -> Path:
    """Make a compiled copy of the project.

    Python uses the compiled code of a file only as long as the file's digest is the same.
    """
    shutil.copytree(root, to, ignore=_LEFT_OUT)
    compileall.compile_dir(
        to, quiet=2, invalidation_mode=py_compile.PycInvalidationMode.CHECKED_HASH
    )
    return to


def fork(copy: Path, work: Callable[[], int]) -> int:
    """Do `work` in a separate process that sees only the copy. Return the process's id."""
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if child:
        return child
    try:
        _settle_in(copy)
        code = work()
    except BaseException as error:  # noqa: BLE001  the process's edge
        print(f"{type(error).__name__}: {error}")
        code = pytest.ExitCode.INTERNAL_ERROR
    finally:
        sys.stdout.flush()
    os._exit(code)


def _settle_in(copy: Path) -> None:
    os.setsid()
    signal.alarm(_STARTING_S)
    log = os.open(copy.with_suffix(".log"), os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(log, 1)
    os.dup2(log, 2)
    os.chdir(copy)
    scratch = copy.with_suffix(".tmp")
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir()
    os.environ.update(PYTHONPATH=str(copy), PYTHONDONTWRITEBYTECODE="1", TMPDIR=str(scratch))
    tempfile.tempdir = str(scratch)
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(copy))
    for name in [name for name in sys.modules if name.split(".")[0] in _OURS]:
        del sys.modules[name]
    importlib.invalidate_caches()


def pytest_of(names: tuple[str, ...], *plugins: object) -> int:
    """Run these tests until the first failure, with no time limit but `Chosen`'s.

    Return pytest's exit code.
    """
    options = ["-x", "-q", "-p", "no:cacheprovider", "--timeout=0"]
    return int(pytest.main([*options, *names], plugins=[*plugins]))


def run(took_s: dict[str, float]) -> int:
    """Run these tests in this order until the first failure. Return pytest's exit code.

    A test that waits for other programs is run twice if it fails: on a busy machine it may fail by
    chance.
    """
    asked_twice: set[str] = set()
    while True:
        chosen = Chosen(took_s)
        code = pytest_of(tuple(dict.fromkeys(name.partition("::")[0] for name in took_s)), chosen)
        red = next(iter(chosen.red), "")
        if code != pytest.ExitCode.TESTS_FAILED or not red.startswith(_BY_THE_CLOCK):
            return code
        if red in asked_twice or red not in took_s:
            return code
        asked_twice.add(red)
        names = list(took_s)
        took_s = {name: took_s[name] for name in names[names.index(red) :]}


def verdict(status: int) -> Verdict:
    """The verdict on a slip, from the exit status of its tests' process."""
    code = os.waitstatus_to_exitcode(status)
    if code == -signal.SIGALRM:
        return Verdict.HUNG
    told = {pytest.ExitCode.OK: Verdict.SURVIVED, STILLBORN: Verdict.STILLBORN}
    return told.get(code, Verdict.KILLED)


def done(free: list[Path], waiting: deque[Job]) -> Iterator[tuple[Job, int, Path]]:
    """Do the jobs, one in each copy at a time. Yield each with its exit status and its log file.

    More jobs may be added to `waiting` meanwhile.
    """
    running = dict[int, tuple[Path, Job, bytes]]()
    try:
        while waiting or running:
            while free and waiting:
                copy, job = free.pop(), waiting.popleft()
                before = _written(copy, job.file, job.text.encode())
                running[fork(copy, job.work)] = copy, job, before
            child, status = os.wait()
            copy, job, before = running.pop(child)
            _end_what_is_left(child)
            _written(copy, job.file, before)
            free.append(copy)
            yield job, status, copy.with_suffix(".log")
    finally:
        for child in running:
            _end_what_is_left(child)


def _written(copy: Path, file: str, text: bytes) -> bytes:
    """Write a file of a copy. Return what the file contained before."""
    if not file:
        return b""
    before = (copy / file).read_bytes()
    (copy / file).write_bytes(text)
    return before


def _end_what_is_left(child: int) -> None:
    """End the programs that a killed child process has left in its session."""
    try:
        os.killpg(child, signal.SIGKILL)
    except ProcessLookupError:
        return

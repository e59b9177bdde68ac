"""Spoil one rule at a time in a copy of the project and see that a test notices.

`python -m tests.mutation [WORD ...]`: all of them, or those whose rule or file holds a WORD.
Prints one line each and exits 1 where one survived. The project itself is never touched.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

# Imported before the forks: starting Python and these anew took most of the time.
import hypothesis.stateful  # noqa: F401
import msgspec  # noqa: F401
import pytest

from tests.mutation.mutations import MUTATIONS, Mutation

ROOT = Path(__file__).parents[2]
COPIED = (
    "table_controller",
    *("tests/rules", "tests/engine", "tests/coups"),
    *("tests/conftest.py", "tests/oracle.py"),
)
#: Who hangs has been noticed too; told apart, since a busy machine hangs as well.
TIMEOUT_S = 300
AT_ONCE = os.cpu_count() or 1


def copied(to: Path) -> Path:
    """A copy of what the tests need, without byte code that could outlive a change."""
    for name in (*COPIED, "pyproject.toml"):
        source, target = ROOT / name, to / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copyfile(source, target)
    return to


def spoiled(text: str, mutation: Mutation) -> str:
    """The file's text with the slip in it. Raises ValueError where it does not fit."""
    found = text.count(mutation.old)
    if found != 1:
        raise ValueError(
            f"{mutation.rule}: {mutation.old!r} is {found} times in {mutation.file} (want once)"
        )
    return text.replace(mutation.old, mutation.new)


def fork(copy: Path, tests: tuple[str, ...]) -> int:
    """Run the tests of a copy in a process of their own; its id."""
    sys.stdout.flush()
    child = os.fork()
    if child:
        return child
    signal.alarm(TIMEOUT_S)
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    os.chdir(copy)
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(copy))
    for name in [name for name in sys.modules if name.split(".")[0] == "tests"]:
        del sys.modules[name]
    os._exit(pytest.main(["-x", "-q", "-p", "no:cacheprovider", *tests]))


def passed(status: int) -> bool:
    """Whether the tests of a process that ended so all passed."""
    return os.waitstatus_to_exitcode(status) == pytest.ExitCode.OK


def verdict(status: int) -> str:
    """What came of a slip: `SURVIVED`, `killed` or `hung`."""
    if passed(status):
        return "SURVIVED"
    return "hung" if os.waitstatus_to_exitcode(status) == -signal.SIGALRM else "killed"


def tried(folder: Path, chosen: list[Mutation]) -> list[str]:
    """Try each, `AT_ONCE` at a time; what survived."""
    free = [copied(folder / str(number)) for number in range(AT_ONCE)]
    waiting, running = list(reversed(chosen)), dict[int, tuple[Path, Mutation, str]]()
    survivors = list[str]()
    while waiting or running:
        while free and waiting:
            copy, mutation = free.pop(), waiting.pop()
            file = copy / mutation.file
            text = file.read_text()
            file.write_text(spoiled(text, mutation))
            running[fork(copy, mutation.tests)] = copy, mutation, text
        child, status = os.wait()
        copy, mutation, text = running.pop(child)
        (copy / mutation.file).write_text(text)
        free.append(copy)
        slip = f"{mutation.rule}: {mutation.file}: {mutation.new.strip()[:60]!r}"
        print(f"{verdict(status):8} {slip}", flush=True)
        survivors += [slip] if passed(status) else []
    return survivors


def main(words: list[str]) -> int:
    """Try the chosen mutations; the exit code."""
    chosen = [m for m in MUTATIONS if not words or any(w in f"{m.rule} {m.file}" for w in words)]
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        untouched = copied(Path(folder) / "untouched")
        for tests in sorted({mutation.tests for mutation in chosen}):
            if not passed(os.waitpid(fork(untouched, tests), 0)[1]):
                print(f"the tests fail as they are: {' '.join(tests)}")
                return 1
        survivors = tried(Path(folder), chosen)
    print(f"{len(chosen)} tried, {len(survivors)} survived, {time.monotonic() - begun:.0f} s")
    return 1 if survivors or not chosen else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

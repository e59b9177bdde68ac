"""A test that hangs ends by itself and says where, whatever it hangs in."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests import limits
from tests.hooks import LONGEST
from tests.night import EVENINGS, NIGHT

ROOT = Path(__file__).parents[1]

HANGING = """
import asyncio, itertools, subprocess, sys, threading, time


async def deep_in_the_loop():
    await asyncio.Event().wait()


def test_asyncio():
    asyncio.run(deep_in_the_loop())


def test_subprocess():
    subprocess.run([sys.executable, "-c", "import time; time.sleep(600)"])


def test_thread():
    def deep_in_a_thread():
        time.sleep(600)

    thread = threading.Thread(target=deep_in_a_thread, daemon=True)
    thread.start()
    thread.join()


def test_c_that_never_returns():
    sum(itertools.repeat(0))  # holds the interpreter, and runs no handler of a signal


def test_nothing():
    pass
"""

CONFTEST = "from tests.hooks import *\n"


@pytest.fixture
def hanging(tmp_path):
    """Run one of the tests above under our conftest, each limit a second or less."""
    (tmp_path / "test_hanging.py").write_text(HANGING)

    def run(*names, workers="0", grace_s=limits.GRACE_S):
        grace = f"from tests import limits\nlimits.GRACE_S = {grace_s}\n"
        (tmp_path / "conftest.py").write_text(grace + CONFTEST)
        tests = [f"test_hanging.py::test_{name}" for name in names]
        return subprocess.run(
            [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--timeout=1",
             f"--numprocesses={workers}", f"--confcutdir={tmp_path}", f"--rootdir={tmp_path}",
             *tests],
            cwd=tmp_path, env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"},
            capture_output=True, text=True, timeout=limits.PATIENCE_S, check=False,
        )  # fmt: skip

    return run


@pytest.mark.parametrize(
    ("name", "where"),
    [
        ("asyncio", "asyncio.run(deep_in_the_loop())"),
        ("subprocess", "subprocess.run("),
        ("thread", "in deep_in_a_thread"),
    ],
)
@pytest.mark.parametrize("workers", ["0", "1"])
def test_a_hung_test_fails_with_its_stack_and_the_next_one_runs(hanging, name, where, workers):
    """In the event loop, in a child's wait, in another thread; also in a worker."""
    done = hanging(name, "nothing", workers=workers)

    assert done.returncode == 1, done.stdout + done.stderr
    assert "1 failed, 1 passed" in done.stdout
    assert "Timeout (>1.0s)" in done.stdout
    assert where in done.stdout + done.stderr


def test_a_call_that_never_returns_to_python_ends_the_process_with_its_stack(hanging):
    """No signal is heard there; the watchdog needs no interpreter."""
    done = hanging("c_that_never_returns", grace_s=0.5)

    assert done.returncode == 1
    assert "Timeout (0:00:01.500000)!" in done.stderr
    assert "in test_c_that_never_returns" in done.stderr


def test_with_workers_only_the_one_that_hangs_is_ended(hanging):
    """The others' tests, and those after it, still run."""
    done = hanging("c_that_never_returns", "nothing", workers="1", grace_s=0.5)

    assert "in test_c_that_never_returns" in done.stderr
    assert "1 failed, 1 passed" in done.stdout
    assert "crashed while running" in done.stdout


@pytest.mark.parametrize(
    ("load", "cores", "limit_s"), [(0.0, 2, 100), (2.0, 2, 100), (8.0, 2, 400), (30.0, 2, 600)]
)
def test_a_busy_machine_gives_a_test_more_time_up_to_ten_minutes(load, cores, limit_s):
    assert limits.limit_s(load, cores) == limit_s


def test_every_test_has_the_limit():
    """What pyproject.toml says is what tests/limits.py says; both nets together hold 2 minutes."""
    options = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["pytest"]["ini_options"]

    assert (options["timeout"], options["timeout_method"]) == (limits.TEST_S, "signal")
    assert limits.PATIENCE_S < limits.TEST_S
    assert limits.TEST_S + limits.GRACE_S < 120


def test_the_files_that_begin_first_exist():
    """A renamed one would come last, and every run would wait for it."""
    files = (*LONGEST, *NIGHT, *(one.partition("::")[0] for one in EVENINGS))
    assert [name for name in files if not (ROOT / name).exists()] == []

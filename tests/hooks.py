"""For all tests: compiles the texts, stops hypothesis from measuring time, ends tests that hang.

A test that hangs is ended, and its output says where it hung. A busy machine is no failure
(tests/limits.py). The limit of pytest-timeout is a signal: the test fails with the stack of every
thread, its resources are released, and the next test runs. If no Python code runs any more, because
a call into C never returns, the signal is not handled. Then the interpreter's own watchdog, a
thread that needs no interpreter, prints the stacks and ends the process. With xdist that process is
one worker, which is replaced.
"""

import faulthandler
import os
from pathlib import Path

import pytest

from hatch_build import compile_catalogues
from table_controller.service import logs
from tests import night
from tests.databases import (  # noqa: F401 - hooks and fixtures
    add_option,
    databases,
    postgres,
    pytest_generate_tests,
    shared_url,
    url,
)
from tests.limits import GRACE_S, limit_s
from tests.rooted import pytest_pyfunc_call  # noqa: F401 - a hook

# Some machines set it for all programs. It hides lines that wait in the buffer of a pipe.
os.environ.pop("PYTHONUNBUFFERED", None)

ROOT = Path(__file__).parents[1]
#: The files that take a quarter of a minute or more, the longest first; tests/test_limits.py
#: notices one that no longer exists.
LONGEST = (
    "tests/whole/test_schlitten.py",
    "tests/whole/test_ecarte_page.py",
    "tests/whole/test_commands.py",
    "tests/whole/test_punto_banco_page.py",
    "tests/whole/test_ecarte_rulings_page.py",
    "tests/contract/test_contract.py",
    "tests/whole/test_bad_input.py",
    "tests/adapters/web/test_page_overlaps.py",
    "workshop/tests/test_mutations.py",
    "tests/contract/test_worlds.py",
    "tests/whole/test_upgrade.py",
    "tests/hardware/test_scenarios.py",
    "workshop/tests/faces/test_proof.py",
    "tests/adapters/web/test_page_forms.py",
    "workshop/tests/test_at_random.py",
    "tests/whole/test_killed.py",
    "tests/whole/test_evening_pages.py",
    "tests/adapters/web/test_page_readers.py",
    "tests/hardware/test_slips_of_firmware.py",
    "tests/adapters/web/test_page_looks.py",
    "tests/floor/test_check.py",
    "tests/whole/test_simulate.py",
    "tests/adapters/web/test_page_fingers.py",
    "tests/vision/faces/test_enrol.py",
    "workshop/tests/test_filmed.py",
    "tests/test_limits.py",
    "tests/adapters/web/test_page_keyboard.py",
    "workshop/tests/test_floods.py",
    "workshop/tests/test_catalogues.py",
    "tests/whole/test_bad_films.py",
    "tests/whole/test_leaks.py",
    "tests/engine/test_whims.py",
    "workshop/tests/test_soak_vision.py",
    "tests/whole/test_parts_that_end.py",
    "tests/whole/test_touched.py",
)

_STDERR = pytest.StashKey[int]()


def pytest_addoption(parser):
    """Add `--store` and `--part`."""
    add_option(parser)
    night.add_option(parser)


def pytest_configure(config):
    """Keep the real stderr: while a test runs, file descriptor 2 is captured."""
    compile_catalogues()
    night.draw_examples(config)
    config.stash[_STDERR] = os.dup(2)


def pytest_unconfigure(config):
    os.close(config.stash[_STDERR])


def pytest_collection_modifyitems(config, items):
    """Keep one part's tests.

    With several workers, the longest files begin first, so that none is left over at the end.
    """
    night.choose(config, items)
    place = {ROOT / name: n for n, name in enumerate(LONGEST)}
    items.sort(key=lambda item: place.get(item.path, len(place)))


@pytest.fixture(autouse=True)
def log_quota_of_its_own(monkeypatch):
    """On a quick machine the tests of one minute would use up what one table may log in it."""
    monkeypatch.setattr(logs, "_quota", logs.Quota(logs.LINES_A_MINUTE))


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_protocol(item):
    """Give a test more time on a busy machine, unless it or the caller names a limit.

    Where pytest-timeout is off there is none.
    """
    if not item.get_closest_marker("timeout") and item.config.getoption("timeout", 0) is None:
        load, _, _ = os.getloadavg()
        item.add_marker(pytest.mark.timeout(limit_s(load, os.cpu_count() or 1)))
    yield


@pytest.hookimpl(tryfirst=True, optionalhook=True)
def pytest_timeout_set_timer(item, settings):
    """Beside the timer of pytest-timeout, which is set after this one."""
    faulthandler.dump_traceback_later(
        settings.timeout + GRACE_S, exit=True, file=item.config.stash[_STDERR]
    )


@pytest.hookimpl(tryfirst=True, optionalhook=True)
def pytest_timeout_cancel_timer(item):
    """The test is over."""
    faulthandler.cancel_dump_traceback_later()

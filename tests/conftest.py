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

TESTS = Path(__file__).parent
#: The files that take a quarter of a minute or more, the longest first; tests/test_limits.py
#: notices one that no longer exists.
LONGEST = (
    "whole/test_schlitten.py",
    "whole/test_ecarte_page.py",
    "whole/test_commands.py",
    "whole/test_punto_banco_page.py",
    "whole/test_ecarte_rulings_page.py",
    "contract/test_contract.py",
    "whole/test_bad_input.py",
    "adapters/web/test_page_overlaps.py",
    "of_programs/test_mutations.py",
    "contract/test_worlds.py",
    "whole/test_upgrade.py",
    "hardware/test_scenarios.py",
    "vision/faces/test_proof.py",
    "adapters/web/test_page_forms.py",
    "of_programs/test_at_random.py",
    "whole/test_killed.py",
    "whole/test_evening_pages.py",
    "adapters/web/test_page_readers.py",
    "hardware/test_slips_of_firmware.py",
    "adapters/web/test_page_looks.py",
    "floor/test_check.py",
    "whole/test_simulate.py",
    "adapters/web/test_page_fingers.py",
    "vision/faces/test_enrol.py",
    "vision/test_filmed.py",
    "test_limits.py",
    "adapters/web/test_page_keyboard.py",
    "whole/test_floods.py",
    "languages/test_catalogues.py",
    "whole/test_bad_films.py",
    "whole/test_leaks.py",
    "engine/test_whims.py",
    "vision/test_soak.py",
    "whole/test_parts_that_end.py",
    "whole/test_touched.py",
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
    place = {TESTS / name: n for n, name in enumerate(LONGEST)}
    items.sort(key=lambda item: place.get(item.path, len(place)))


@pytest.fixture(autouse=True)
def _log_quota_of_its_own(monkeypatch):
    """On a quick machine the tests of one minute would use up what one table may log in it."""
    monkeypatch.setattr(logs, "_quota", logs.Quota(logs.LINES_A_MINUTE))


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_protocol(item):
    """Give a test more time on a busy machine, unless it or the caller names a limit."""
    if not item.get_closest_marker("timeout") and item.config.getoption("timeout") is None:
        load, _, _ = os.getloadavg()
        item.add_marker(pytest.mark.timeout(limit_s(load, os.cpu_count() or 1)))
    yield


@pytest.hookimpl(tryfirst=True)
def pytest_timeout_set_timer(item, settings):
    """Beside the timer of pytest-timeout, which is set after this one."""
    faulthandler.dump_traceback_later(
        settings.timeout + GRACE_S, exit=True, file=item.config.stash[_STDERR]
    )


@pytest.hookimpl(tryfirst=True)
def pytest_timeout_cancel_timer(item):
    """The test is over."""
    faulthandler.cancel_dump_traceback_later()

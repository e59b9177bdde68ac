"""`schlitten self-test`: checks that this version can serve this table, on a journal's copy.

The command changes nothing at the table. It reads the settings and checks the copy as `verify`
does. It starts from the copy as the service would, and plays an evening in each shipped house.
"""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from table_controller.commands.live import planned
from table_controller.commands.machine.check_result import Finding
from table_controller.commands.simulate import record
from table_controller.service import logs
from table_controller.service.copies import back_up
from table_controller.service.errors import ConfigError, ServiceError
from table_controller.service.verify import verify
from table_controller.wiring import config
from table_controller.wiring.app import Service
from table_controller.wiring.games import game

#: The number of coups played in each house.
COUPS = 20


class _Ill(Exception):
    """A test failed. The text says how."""


def examine(path: Path) -> Iterator[Finding]:
    """Run each test, and yield its finding. Raises ConfigError."""
    settings = config.load(path)
    yield Finding("settings", True, f"{path} is sound")
    yield _tried("journal", lambda: _journal(settings))
    for house in config.houses():
        yield _tried(house, partial(_evening, house))


def _tried(part: str, test: Callable[[], str]) -> Finding:
    """Run a test. Return its sentence, or the fault, as a finding about `part`.

    A fault of the program is a finding too.
    """
    try:
        return Finding(part, True, test())
    except (_Ill, ConfigError, ServiceError, sqlite3.Error, OSError) as error:
        return Finding(part, False, str(error))
    except Exception as failure:  # noqa: BLE001 - whether it fails is the question here
        logs.fault("a self-test failed", failure, part=part)
        return Finding(
            part, False, "it failed, because the program has a fault: see the line above"
        )


def _journal(settings: config.Config) -> str:
    """Copy the journal, check the copy, and start from it. Return a sentence about it.

    Raises _Ill, ServiceError, OSError.
    """
    if not settings.journal.path.exists():
        return f"there is no journal yet at {settings.journal.path}"
    lies = settings.journal
    with tempfile.TemporaryDirectory(prefix="schlitten-self-test-") as folder:
        copied = Path(folder) / lies.path.name
        back_up(lies.path, copied)
        tried = config.Config(settings.table, config.JournalSettings(copied, lies.key))
        plan = replace(planned(tried, lambda _: None), broker=None, page=None)
        verdict = verify(copied, plan.keys, sums=lambda name: game(name).sums)
        if not verdict.holds:
            raise _Ill(str(verdict))
        Service(plan).journal.close()
    return f"{verdict} The table can continue from it."


def _evening(house: str) -> str:
    """Play an evening in one house, and check the events. Return a sentence. Raises _Ill."""
    with tempfile.TemporaryDirectory(prefix="schlitten-self-test-") as folder:
        path = Path(folder) / "evening.jsonl"
        played = record(path, config.house(house), seed=1, coups=COUPS, faults="")
        verdict = verify(path, sums=lambda name: game(name).sums)
    if not verdict.holds:
        raise _Ill(str(verdict))
    return f"{played['coups']} coups play as they should"

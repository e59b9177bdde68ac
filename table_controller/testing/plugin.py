"""Makes files that end in `.scenario` tests for pytest: the shipped files, and an owner's own.

    pytest --pyargs hardware.scenarios --board emulated
    pytest my_house.scenario --board /dev/serial/by-path/…

A test in Python gets the fixture `table`, which plays a scenario's text. pytest loads this file for
every run, even if no test plays a scenario. So the modules that play are imported only when
something is played.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from hardware.rungs import Rung
    from table_controller.commands.hil.verdicts import Verdict
    from table_controller.commands.simulated.broker import BrokerTwin
    from table_controller.service.scenario import Scenario


# ---- Makes files that end in `.scenario` tests for pytest: the shipped files, and an owner's own

# ---- Makes files that end in `.scenario` tests for pytest: the shipped files, and an owner's own

#: The folder of the scenarios written by hand.
LIBRARY = Path(__file__).parents[2] / "hardware" / "scenarios"


_NOT_REAL = ("", "twin", "emulated", "emulated-apa102", "lab")


class Differs(Exception):
    """An expectation of a scenario was not met. The text names the place and the observations."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that chooses the board."""
    parser.getgroup("schlitten").addoption(
        "--board",
        default="",
        help="the board that scenarios are played on: twin (if not given), emulated, "
        "emulated-apa102, lab (in the machine of scripts/lab), or a port",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker for tests that need a real board."""
    config.addinivalue_line("markers", "real_board: needs a real board (--board PORT)")


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test that needs a real board if there is none."""
    if item.get_closest_marker("real_board") and _board(item.config) in _NOT_REAL:
        pytest.skip("no real board: name its port by --board")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect every file that ends in `.scenario`."""
    if file_path.suffix == ".scenario":
        return ScenarioFile.from_parent(parent, path=file_path)
    return None


class ScenarioFile(pytest.File):
    """A file with one scenario, as pytest collects it."""

    def collect(self) -> Iterator[pytest.Item]:
        yield ScenarioItem.from_parent(self, name=self.path.stem)


class ScenarioItem(pytest.Item):
    """A scenario as a test: it passes if something was compared and nothing differed."""

    def runtest(self) -> None:
        from table_controller.commands.hil.scenarios import load

        _judge(self.config, *load(self.path))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        from firmware_bridge.serial_line import PortError
        from hardware.emulator import EmulatorError
        from table_controller.service.errors import ServiceError

        if isinstance(excinfo.value, Differs | ServiceError | PortError | EmulatorError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, 0, f"scenario {self.name}"


@pytest.fixture
def board(request: pytest.FixtureRequest) -> str:
    """The board that was chosen: `twin`, `emulated`, or a port."""
    return _board(request.config) or "twin"


@pytest.fixture
def shoe() -> Callable[[str], str]:
    """Return a function that deals cards at the lip.

    `shoe("9h 2d Kc 4s")` gives the lines of a scenario for these cards.
    """
    return lambda cards: "".join(f"card {card} [lip]\n" for card in cards.split())


@pytest.fixture
def rung(request: pytest.FixtureRequest) -> Iterator[Rung]:
    """The chosen board itself, with `run`, `command`, `seen` and `history` as in `rungs.py`."""
    from hardware.emulator import ToolsMissing
    from table_controller.commands.hil.rehearse import rung_of

    try:
        with rung_of(_board(request.config) or "twin") as board:
            assert board
            yield board
    except ToolsMissing as error:
        pytest.skip(str(error))


@pytest.fixture
def broker() -> BrokerTwin:
    """A broker in the scenario's own time, which gets all that the table of `table` publishes.

    `events("card_drawn")` returns the events of that kind that were published to guests, and
    `heard` has all topics and payloads. `down()` stops the broker, and `up()` starts it again.
    """
    from table_controller.commands.simulated.broker import BrokerTwin

    return BrokerTwin()


@pytest.fixture
def table(request: pytest.FixtureRequest) -> Callable[[str], Verdict]:
    """Return a function that plays a scenario's text on the chosen board.

    The test fails at the first difference.
    """
    from table_controller.service.scenario import game_of, read
    from table_controller.wiring.games import game

    hears = request.getfixturevalue("broker") if "broker" in request.fixturenames else None

    def played(text: str) -> Verdict:
        found = game(game_of(text))
        return _judge(request.config, found, read(found, text, request.node.name), hears)

    return played


def _board(config: pytest.Config) -> str:
    return str(config.getoption("--board"))


def _judge(
    config: pytest.Config, found: Any, scenario: Scenario, broker: BrokerTwin | None = None
) -> Verdict:
    """Play a scenario. Raises Differs.

    A scenario that this board or machine cannot play is skipped, with the reason.
    """
    from hardware.emulator import ToolsMissing
    from hardware.rungs import TakesAHand
    from table_controller.commands.hil.rehearse import Playing, play

    try:
        connects = broker.connect if broker else None
        verdict = play(found, scenario, Playing(board=_board(config), connects=connects))
    except (ToolsMissing, TakesAHand) as error:
        pytest.skip(str(error))
    if not verdict.holds:
        raise Differs(str(verdict))
    return verdict

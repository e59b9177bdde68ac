import pytest

from hardware.emulator import Paced, ToolsMissing
from hardware.lab import lab
from hardware.rungs import EMULATED, LAB
from tests.hil.desk import Desk
from tests.hil.lockstep import Lockstep
from tests.hil.rungs import PortRung, TwinRung


def _emulated(kind):
    """The emulated board; skipped, saying so, where it cannot be built."""
    try:
        return kind()
    except ToolsMissing as error:
        pytest.skip(str(error))


@pytest.fixture
def emulated():
    """A desk with the emulated board, in virtual time (rung 3)."""
    with _emulated(Lockstep) as board:
        yield Desk(board)


@pytest.fixture(params=["twin", "emulated"])
def desk(request):
    """A desk with the twin (rung 1), the emulated board (3), or by `--board` a real one (4)."""
    port = request.config.getoption("--board")
    if port not in ("", "twin", *EMULATED):
        if request.param != "emulated":
            pytest.skip("another board is asked for")
        if port == LAB:
            with lab() as on_usb:
                yield Desk(on_usb)
            return
        board = PortRung(port)
        yield Desk(board)
        board.close()
    elif request.param == "twin":
        yield Desk(TwinRung())
    else:
        yield request.getfixturevalue("emulated")


@pytest.fixture
def board_emulated():
    """The emulated board in real time: open its `path` like any board's port."""
    with _emulated(Paced) as board:
        yield board

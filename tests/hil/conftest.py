import pytest

from hardware.emulator import EmulatorError, Lockstep, Paced
from tests.hil.desk import Desk


@pytest.fixture
def lockstep():
    """The emulated board in virtual time; skipped, saying so, where it cannot be built."""
    try:
        board = Lockstep()
    except EmulatorError as error:
        pytest.skip(str(error).splitlines()[0])
    with board:
        yield board


@pytest.fixture
def desk(lockstep):
    """The emulated board in virtual time, and a host."""
    return Desk(lockstep)


@pytest.fixture
def board_emulated():
    """The emulated board in real time: open its `path` like any board's port."""
    try:
        board = Paced()
    except EmulatorError as error:
        pytest.skip(str(error).splitlines()[0])
    with board:
        yield board

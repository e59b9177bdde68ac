import pytest

from hardware.emulator import ToolsMissing
from tests.firmware_bridge.c_program import CProgram


@pytest.fixture(scope="session")
def c_program():
    """The firmware's C code built for this machine, with sanitizers."""
    try:
        program = CProgram()
    except ToolsMissing as error:
        pytest.skip(str(error))
    yield program
    assert program.close() == 0

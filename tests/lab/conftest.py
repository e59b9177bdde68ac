"""The lab: real kernel drivers without hardware, in a machine that `scripts/lab` starts."""

import contextlib
from pathlib import Path

import pytest

from hardware.emulator import Paced
from hardware.lab import BY_ID, Usb
from tests.lab import projector
from tests.lab.machine import Module, until
from tests.lab.pins import Pins


def pytest_configure():
    """Refuse to run elsewhere: a driver that is not there would look like a fault of ours."""
    if Path("/proc/sys/kernel/hostname").read_text().strip() != "lab":
        raise pytest.UsageError("these tests load kernel modules: run them by scripts/lab")


def pytest_collection_modifyitems(items):
    """Begin with the program in a process of its own: pins that ours has had, it keeps."""
    items.sort(key=lambda item: item.path.name != "test_table.py")


@pytest.fixture
def module():
    """Load a module by name and parameters."""
    loaded = []

    def load(name, *parameters):
        loaded.append(Module(name, *parameters))
        return loaded[-1]

    yield load
    for one in reversed(loaded):
        one.unload()


@pytest.fixture(scope="session")
def pi():
    """The Pi's pins."""
    return Pins()


@pytest.fixture
def usb(module):
    """A board on its USB plug."""
    module("usbmon")
    module("dummy_hcd")
    module("g_serial", "use_acm=1")
    until(lambda: Path("/dev/ttyGS0").exists(), "the gadget's side")
    with Paced() as board, contextlib.closing(Usb(board)) as found:
        yield found


@pytest.fixture
def port(usb):
    """The board's name by id, as udev makes it."""
    (found,) = until(lambda: BY_ID.exists() and list(BY_ID.iterdir()), "a name by id")
    return str(found)


@pytest.fixture
def shown(module):
    """A camera that is shown the lab's film, which has not begun."""
    module("v4l2loopback", *projector.PARAMETERS)
    with contextlib.closing(projector.Projector()) as found:
        yield found

"""A board on USB: the kernel's CDC-ACM driver, udev's names, plug and DTR, before the firmware."""

import asyncio
import contextlib
import subprocess
import termios
import tty
from pathlib import Path

import pytest

from firmware_bridge.messages import OFF, Colour, Lamp, Mode, Picture
from firmware_bridge.port import Board
from firmware_bridge.reconciler import Connected, Lost
from table_controller.commands.hil.rehearse import Playing, play
from table_controller.commands.hil.scenarios import load
from table_controller.testing.plugin import LIBRARY
from tests.lab.machine import PATIENCE_S, run

SOCKETS = Path("/sys/bus/usb/devices")
LIT = Lamp(Mode.ON, Colour.WHITE)
PICTURE = Picture((OFF, LIT, *[OFF] * 10), 1250, 100)


@contextlib.asynccontextmanager
async def served(port):
    """A board that is served at its port, and all news of it."""
    told = []
    board = Board(port, told.append)
    serving = asyncio.create_task(board.run())
    async with asyncio.timeout(PATIENCE_S):
        yield board, told
    serving.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await serving


async def holds(condition):
    """Wait until it is so; the time limit of `served` ends it otherwise."""
    while not condition():
        await asyncio.sleep(0.01)


def plugged(*, into):
    """Let the kernel of the host's side take the device away, or bring it again."""
    (device,) = SOCKETS.glob("[0-9]-1")
    (device / "authorized").write_text(str(int(into)))


def shows(usb):
    """Whether a person sees the picture: seat 2 white, the pot and what stands against it."""
    seen = usb.board.shown()
    digits = (seen.display_1.strip(), seen.display_2.strip())
    return seen.lamps == "070000000000" and digits == ("1250", "100")


def test_opening_the_port_resets_the_board_and_it_shows_the_picture(usb, port):
    """DTR rose once; the board that came up anew was given the picture of now."""

    async def play():
        async with served(port) as (board, told):
            board.show(PICTURE)
            await board.wait_shown(PICTURE)
            await holds(lambda: shows(usb))
            return told

    told = asyncio.run(play())

    assert usb.raised == 1
    assert any(isinstance(one, Connected) for one in told)
    assert not [one for one in told if isinstance(one, Lost)]


def test_a_plug_that_is_pulled_is_told_and_pushed_in_shows_the_picture_of_now(usb, port):
    """The kernel takes the port away and brings it again; the picture changed meanwhile."""

    async def play():
        async with served(port) as (board, told):
            board.show(Picture())
            await board.wait_shown(Picture())
            plugged(into=False)
            await holds(lambda: any(isinstance(one, Lost) for one in told))
            board.show(PICTURE)
            plugged(into=True)
            await holds(lambda: board.status.connected)
            await holds(lambda: shows(usb))
            return [one for one in told if isinstance(one, Connected | Lost)]

    first, lost, again = asyncio.run(play())

    assert (type(first), type(lost), type(again)) == (Connected, Lost, Connected)
    assert "plug the device in" in lost.why


def test_a_second_program_at_the_port_is_refused(usb, port):
    """The first has it for itself."""

    async def play():
        async with served(port) as (board, _told):
            await holds(lambda: board.status.connected)
            async with served(port) as (other, _):
                await holds(lambda: "in use by another program" in other.status.why)

    asyncio.run(play())


def test_the_boards_reset_button_is_no_loss(usb, port):
    """It comes up within the patience for a boot loader, and shows the picture again."""

    async def play():
        async with served(port) as (board, told):
            board.show(PICTURE)
            await board.wait_shown(PICTURE)
            usb.board.command("reset")
            await holds(lambda: not shows(usb))
            await holds(lambda: shows(usb))
            return told

    assert not [one for one in asyncio.run(play()) if isinstance(one, Lost)]


def test_pyserial_sees_the_speed_that_was_set(usb, port):
    """Through the driver: the line coding goes over the bus as it would to a Nano's USB chip."""
    with Path(port).open("rb", buffering=0) as handle:
        tty.setraw(handle)
        attributes = termios.tcgetattr(handle)
        attributes[4] = attributes[5] = termios.B115200
        termios.tcsetattr(handle, termios.TCSANOW, attributes)
        said = subprocess.run(["stty", "-F", port], capture_output=True, text=True, check=True)

    assert "speed 115200 baud" in said.stdout
    assert run("udevadm", "info", "--query=property", f"--name={port}").count("ID_BUS=usb") == 1


@pytest.mark.parametrize("name", ["lid_in_a_coup", "button_lamp_answers", "line_cut"])
def test_a_scenario_of_the_library_holds(name):
    """By the rung `lab`: contacts move at the firmware, and what it shows is seen."""
    verdict = play(*load(LIBRARY / f"{name}.scenario"), Playing(board="lab"))

    assert verdict.holds, str(verdict)

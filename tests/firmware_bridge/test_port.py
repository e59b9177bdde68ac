"""The asyncio side, on real ptys. Events are awaited, and nothing sleeps."""

import asyncio
import contextlib
import os
import select
import tty

import pytest

from firmware_bridge.messages import ButtonReport, Colour, Lamp, Mode, Picture
from firmware_bridge.port import Board
from firmware_bridge.reconciler import Connected, Lost
from firmware_bridge.serial_line import PortError, open_port
from firmware_bridge.twin import Twin

PICTURE = Picture(lamps=(Lamp(Mode.ON, Colour.RED),) * 12, display_1=42)


class Heard:
    """What a board told; waits for a kind of news."""

    def __init__(self):
        self.queue = asyncio.Queue()

    async def wait(self, kind):
        async with asyncio.timeout(10):
            while not isinstance(news := await self.queue.get(), kind):
                pass
        return news


@contextlib.asynccontextmanager
async def serving(port, **options):
    heard = Heard()
    board = Board(port, heard.queue.put_nowait, back_off_s=(0.01,), **options)
    task = asyncio.create_task(board.run())
    try:
        yield board, heard
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


async def until(condition):
    async with asyncio.timeout(10):
        while not condition():
            await asyncio.sleep(0.001)


def test_the_twin_is_served_like_a_board():
    """Port `twin`: the picture is shown, a press is told, the status says so."""

    async def meet():
        async with serving("twin") as (board, heard):
            board.show(PICTURE)
            await heard.wait(Connected)
            await until(lambda: board.status.shown == PICTURE)
            board.twin.press(6)
            press = await heard.wait(ButtonReport)
            return board.twin.shown(), press, board.status

    shown, press, status = asyncio.run(meet())

    assert (shown.lamps[0], shown.display_1) == ("on red", "      42")
    assert (press.button, press.pressed) == (6, True)
    assert (status.port, status.connected, status.why) == ("twin", True, "")


def test_a_picture_is_on_the_line_when_show_returns():
    """Board first: its bytes wait for nothing else that the loop has to do."""

    async def meet():
        with Twin() as twin:
            answering = asyncio.create_task(twin.run())
            async with serving(twin.path) as (board, _):
                await until(lambda: board.status.shown == Picture())
                board.show(PICTURE)
                (written, _, _) = select.select([twin._master], [], [], 0)
                answering.cancel()
        return written

    assert asyncio.run(meet())


def test_a_board_that_is_pulled_out_and_put_back_shows_the_picture_of_now(tmp_path):
    """The name comes and goes like a by-id link; what was wished for meanwhile is shown."""
    name = tmp_path / "usb-board"

    async def meet():
        async with serving(str(name)) as (board, heard):
            missing = await heard.wait(Lost)
            with Twin() as twin:
                running = asyncio.create_task(twin.run())
                name.symlink_to(twin.path)
                await heard.wait(Connected)
                running.cancel()
                await asyncio.gather(running, return_exceptions=True)
                name.unlink()
            gone = await heard.wait(Lost)
            assert not board.status.connected
            assert board.status.shown is None
            board.show(PICTURE)
            with Twin() as twin:
                running = asyncio.create_task(twin.run())
                name.symlink_to(twin.path)
                await heard.wait(Connected)
                await until(lambda: board.status.shown == PICTURE)
                running.cancel()
                await asyncio.gather(running, return_exceptions=True)
                return missing.why, gone.why, twin.shown().display_1

    missing, gone, number = asyncio.run(meet())

    assert missing == f"{name} is not there: plug the device in, or look in /dev/serial/by-path/"
    assert gone.startswith(f"{name} is gone (") or "did not answer" in gone
    assert number == "      42"


def test_a_port_without_a_board_is_told_once():
    """Open, but nobody answers: one sentence after a while, not one a second."""
    master, slave = os.openpty()
    tty.setraw(slave)

    async def wait():
        async with serving(os.ttyname(slave), patience_s=0.05) as (board, heard):
            lost = await heard.wait(Lost)
            await asyncio.sleep(0.3)
            return lost.why, board.status.why, heard.queue.qsize()

    why, status, more = asyncio.run(wait())
    os.close(master)
    os.close(slave)

    assert why == status
    assert why.endswith("is open, but no board answers there")
    assert more == 0


def test_a_board_that_restarts_is_not_told_as_lost():
    """It is back in milliseconds with the picture of now: no alert, but the news of it."""

    async def meet():
        async with serving("twin") as (board, heard):
            board.show(PICTURE)
            told = [await heard.wait(Connected)]
            board.twin.reset()
            told.append(await heard.wait(Connected | Lost))
            await board.wait_shown(PICTURE)
            return told, board.twin.shown().display_1

    told, number = asyncio.run(meet())

    assert [type(one) for one in told] == [Connected, Connected]
    assert told[1].rebooted
    assert number == "      42"


def test_a_board_that_falls_silent_is_told_as_lost():
    """Its port is open and it says nothing for longer than it would go dark."""

    async def meet():
        async with serving("twin", silence_s=0.2) as (board, heard):
            await heard.wait(Connected)
            board.twin.board.poll = lambda _: b""
            return (await heard.wait(Lost)).why, board.status.why

    why, status = asyncio.run(meet())

    assert why == status == "the board did not answer 5 times in 250 ms"


def test_a_line_that_nobody_reads_does_not_block_the_program():
    """The kernel's buffer is full: pictures can still be wished for, other tasks go on."""
    master, slave = os.openpty()
    tty.setraw(slave)
    os.set_blocking(slave, False)
    with contextlib.suppress(BlockingIOError):
        while True:
            os.write(slave, b"x" * 1000)

    async def wait():
        async with serving(os.ttyname(slave), patience_s=0.05) as (board, heard):
            board.show(PICTURE)
            return (await heard.wait(Lost)).why

    why = asyncio.run(wait())
    os.close(master)
    os.close(slave)

    assert "no board answers" in why


def test_a_port_in_use_is_named():
    """Two programs on one line would answer each other's frames."""
    master, slave = os.openpty()
    path = os.ttyname(slave)

    with open_port(path, 115_200), pytest.raises(PortError, match=f"{path} is in use by another"):
        open_port(path, 115_200)
    os.close(master)
    os.close(slave)


def test_a_file_is_no_port(tmp_path):
    """A configuration that names something else says so."""
    path = tmp_path / "no-port"
    path.write_text("")

    with pytest.raises(PortError, match="is no serial port: look in"):
        open_port(str(path), 115_200)

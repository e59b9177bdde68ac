"""When a port is opened again, and which bytes are heard at the limits of time and length."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import grp
import itertools
import os
import termios
import tty

import pytest
import serial

from firmware_bridge import serial_line
from firmware_bridge.barcode_module import (
    BarcodeModule,
    ModuleConnected,
    ModuleLost,
)
from firmware_bridge.frames import encode
from firmware_bridge.messages import ButtonReport, Cause, LampBuild, Picture
from firmware_bridge.port import Board
from firmware_bridge.reconciler import Connected, Lost, Reconciler
from firmware_bridge.serial_line import BACK_OFF_S, OpenLine, PortError, keep_open, open_port


class Enough(Exception):
    """The test has seen all that it wants."""


def pauses(monkeypatch, worked, **options):
    """How long `keep_open` waits between its attempts; `worked` says of each what came of it."""
    waited, told = [], []
    left = iter(worked)

    async def sleep(seconds):
        waited.append(seconds)
        if len(waited) == len(worked):
            raise Enough

    def gone(path, baud):
        raise PortError(f"{path} at {baud} is gone")

    monkeypatch.setattr(asyncio, "sleep", sleep)
    monkeypatch.setattr(serial_line, "open_port", gone)
    with pytest.raises(Enough):
        asyncio.run(keep_open("x", 7, None, told.append, worked=lambda: next(left), **options))
    assert set(told) == {"x at 7 is gone"}
    assert len(told) == len(waited)
    return waited


def test_the_pauses_grow_and_stay_at_the_longest(monkeypatch):
    """Quick at first, since a plug is often pushed in again."""
    assert BACK_OFF_S == (0.25, 0.5, 1.0, 2.0, 5.0)
    assert pauses(monkeypatch, [False] * 7) == [0.25, 0.5, 1.0, 2.0, 5.0, 5.0, 5.0]


def test_the_pauses_begin_small_again_when_it_worked_in_between(monkeypatch):
    """The next failure too."""
    worked = [False, False, False, True, False, False]

    assert pauses(monkeypatch, worked) == [0.25, 0.5, 1.0, 0.25, 0.25, 0.5]
    assert pauses(monkeypatch, [False] * 3, back_off_s=(1.0, 4.0)) == [1.0, 4.0, 4.0]


@pytest.mark.parametrize(
    ("number", "sentence"),
    [
        (errno.ENOENT, "is not there: plug the device in, or look in /dev/serial/by-path/"),
        (errno.EACCES, "may not be opened by this user: add the user to the group dialout"),
        (errno.EAGAIN, "is in use by another program: stop that one"),
        (errno.EBUSY, "is in use by another program: stop that one"),
        (errno.ENOTTY, "is no serial port: look in /dev/serial/by-path/"),
        (errno.EISDIR, "is no serial port: look in /dev/serial/by-path/"),
        (errno.EIO, "cannot be opened as a serial port: it broke"),
    ],
)
def test_whatever_hinders_an_opening_has_its_sentence(monkeypatch, number, sentence):
    """And says what to do."""

    def refuse(*_args, **_options):
        error = serial.SerialException("it broke")
        error.errno = number
        raise error

    monkeypatch.setattr(serial, "Serial", refuse)
    with pytest.raises(PortError) as caught:
        open_port("/dev/x", 9600)

    assert str(caught.value) == f"/dev/x {sentence}"


@contextlib.contextmanager
def line():
    """An open line, and the other end of its pty."""
    master, slave = os.openpty()
    tty.setraw(slave)
    port = open_port(os.ttyname(slave), 115_200)
    try:
        yield OpenLine(port, "the line"), master, slave
    finally:
        port.close()
        for end in (master, slave):
            with contextlib.suppress(OSError):
                os.close(end)


def test_a_line_reads_what_is_there_and_writes_what_fits():
    """It waits for neither."""
    with line() as (open_line, master, _):
        assert open_line.read() == b""
        os.write(master, b"abc")
        assert open_line.read() == b"abc"
        open_line.write(b"def")
        assert os.read(master, 10) == b"def"


def test_a_line_whose_device_is_gone_says_so():
    """To whoever reads and to whoever writes."""
    with line() as (open_line, master, slave):
        os.close(master)
        os.close(slave)
        for use in (open_line.read, lambda: open_line.write(b"x")):
            with pytest.raises(PortError, match=r"^the line is gone \(.+\): plug the device in"):
                use()


def test_a_rest_ends_when_it_is_woken_or_when_its_time_is_over():
    """And a time that is over already is no rest."""

    async def rest():
        with line() as (open_line, _, _):
            open_line.wake.set()
            await open_line.rest(60.0)
            woken = open_line.wake.is_set()
            async with asyncio.timeout(30):
                await open_line.rest(-5.0)
                await open_line.rest(0.0)
            open_line.wake.set()
            await open_line.rest(-1.0)
            return woken, open_line.wake.is_set()

    assert asyncio.run(rest()) == (False, False)


# -- the barcode module


def test_the_module_is_opened_at_9600_baud_and_says_what_is_wrong(tmp_path):
    """Lost is told once however often it is tried; with half a code the next port begins anew."""
    name = tmp_path / "usb-module"

    async def listen():
        told = asyncio.Queue()
        module = BarcodeModule(str(name), told.put_nowait, back_off_s=(0.01,))
        whys = [module.why]
        running = asyncio.create_task(module.run())
        async with asyncio.timeout(60):
            lost = await told.get()
            whys.append(module.why)
            speeds = []
            for _ in range(2):
                master, slave = os.openpty()
                tty.setraw(slave)
                name.symlink_to(os.ttyname(slave))
                assert await told.get() == ModuleConnected()
                whys.append(module.why)
                speeds.append(termios.tcgetattr(slave)[4])
                os.write(master, b"CARD17\rHAL")
                read = await told.get()
                name.unlink()
                os.close(slave)
                os.close(master)
                again = await told.get()
                whys.append(module.why)
                await asyncio.sleep(0.1)  # some attempts in vain
                assert told.empty()
        running.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await running
        return lost, read, again, speeds, whys

    lost, read, again, speeds, whys = asyncio.run(listen())

    assert isinstance(lost, ModuleLost)
    assert isinstance(again, ModuleLost)
    assert read.text == "CARD17"
    assert speeds == [termios.B9600] * 2
    assert whys[0] == f"{name} is not open yet"
    assert (
        whys[1]
        == lost.why
        == f"{name} is not there: plug the device in, or look in" + (" /dev/serial/by-path/")
    )
    assert (whys[2], whys[4]) == ("", "")
    assert whys[5].startswith(f"{name} is ")


# -- the board's reconciler


def reset_ack(session, *, version=1, boot_id=9, cause=1, lamps=0):
    head = bytes([2, 0, version]) + session.to_bytes(4, "little")
    return encode(head + boot_id.to_bytes(4, "little") + bytes([cause, lamps]))


def button(number, serial_):
    return encode(bytes([0x20, number]) + serial_.to_bytes(2, "little") + bytes(8) + b"\x03\x01")


@pytest.fixture
def host():
    """A host whose board answered at 0 s, session 1."""
    sessions = itertools.count(1)
    host = Reconciler(lambda: next(sessions))
    host.poll(0.0)
    host.receive(reset_ack(1), 0.0)
    return host


def test_a_host_shows_what_its_link_says(host):
    """When it is due, whether it is up, why a board is refused."""
    assert (host.connected, host.due, host.refused) == (True, 0.25, "")
    assert [type(one) for one in host.receive(reset_ack(1, version=2), 0.1)] == [Lost]
    assert "speaks protocol 2" in host.refused
    assert not host.connected


@pytest.mark.parametrize(
    ("lamps", "build"),
    [(0, LampBuild.HC595), (1, LampBuild.APA102), (2, LampBuild.HC595), (3, LampBuild.APA102)],
)
def test_a_board_says_its_lamps_by_one_bit(lamps, build):
    """Further bits are for boards of later."""
    host = Reconciler(lambda: 1)
    host.poll(0.0)

    assert host.receive(reset_ack(1, boot_id=5, cause=2, lamps=lamps), 0.0) == [
        Connected(5, rebooted=False, cause=Cause.RESET_LINE, lamps=build)
    ]


@pytest.mark.parametrize(
    ("serial_", "news"), [(101, True), (100, False), (99, False), (0x8064, True), (0x8065, False)]
)
def test_a_serial_up_to_half_the_way_round_is_new(host, serial_, news):
    """The other half has been told already: 32768 further on is the last new one."""
    host.receive(button(1, 100), 0.1)
    told = host.receive(button(2, serial_), 0.1)

    assert [type(one) for one in told] == ([ButtonReport] if news else [])


def test_serials_go_round(host):
    """After 65535 comes 0."""
    for number, serial_ in enumerate((65534, 65535, 0, 1), 1):
        assert host.receive(button(number, serial_), 0.1)


def test_a_port_that_is_pulled_is_told_once_and_the_picture_is_asked_for_anew(host):
    """What the board shows is not known any more."""
    host.show(Picture(display_1=5))
    host.poll(0.1)
    host.receive(encode(b"\x03\x01"), 0.1)
    assert host.shown == Picture(display_1=5)

    assert host.unplug("pulled", 0.2) == [Lost("pulled")]
    assert host.unplug("pulled", 0.2) == []
    assert host.shown is None
    host.poll(0.2)
    (met,) = host.receive(reset_ack(2), 0.2)
    assert not met.rebooted
    host.poll(0.2)
    host.receive(encode(b"\x03\x01"), 0.2)
    assert host.shown == Picture(display_1=5)
    host.unplug("pulled", 0.3)
    host.poll(0.3)
    (other,) = host.receive(reset_ack(3, boot_id=10), 0.3)
    assert other.rebooted


# -- whose opening led to something


class Port:
    """A serial port that opens; the device is gone as soon as it is read."""

    def __init__(self):
        self.ends = os.pipe()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for end in self.ends:
            os.close(end)

    def fileno(self):
        return self.ends[0]

    def read(self, _size):
        raise OSError(errno.EIO, "it broke")


def waits(monkeypatch, opens, run):
    """The pauses of whoever keeps a port open; `opens` says of each attempt whether it opened."""
    waited, left = [], list(opens)

    async def sleep(seconds):
        waited.append(seconds)
        if not left:
            raise Enough

    def open_one(path, _baud):
        if left.pop(0):
            return Port()
        raise PortError(f"{path} is gone")

    monkeypatch.setattr(asyncio, "sleep", sleep)
    monkeypatch.setattr(serial_line, "open_port", open_one)
    with pytest.raises(Enough):
        asyncio.run(run())
    return waited


def test_a_module_that_was_open_is_sought_quickly_again(monkeypatch):
    """Once: an opening counts for the pause after it, and for no later one."""
    told = []
    module = BarcodeModule("/dev/x", told.append)
    opens = [False, False, False, True, False, False, False]

    assert waits(monkeypatch, opens, module.run) == [0.25, 0.5, 1.0, 0.25, 0.25, 0.5, 1.0]
    assert [type(one) for one in told] == [ModuleLost, ModuleConnected, ModuleLost]


def test_a_board_that_was_open_and_never_answered_is_sought_as_seldom_as_before(monkeypatch):
    """Only an answer makes the pauses begin anew."""
    told = []
    board = Board("/dev/x", told.append)
    opens = [False, False, True, True, False]

    assert waits(monkeypatch, opens, board.run) == [0.25, 0.5, 1.0, 2.0, 5.0]
    assert [type(one) for one in told] == [Lost]
    assert told[0].why == "/dev/x is gone"


def test_a_board_that_is_no_longer_served_leaves_nothing_running():
    """Nor does its twin, whose pty is closed then."""

    async def serve():
        board = Board("twin")
        running = asyncio.create_task(board.run())
        async with asyncio.timeout(60):
            while not board.status.connected:
                await asyncio.sleep(0.001)
        running.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await running
        return len(asyncio.all_tasks())

    assert asyncio.run(serve()) == 1


def test_the_remedy_names_the_group_of_the_port(tmp_path):
    """Raspberry Pi OS 13 gives serial ports to plugdev, and other systems to other groups."""
    port = tmp_path / "ttyACM0"
    port.touch()

    assert serial_line._group(str(port)) == grp.getgrgid(port.stat().st_gid).gr_name
    assert serial_line._group(str(tmp_path / "gone")) == "dialout"

"""The twin to the millisecond, the byte and the word. Most cases are in twin.table."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from firmware_bridge.frames import decode, encode
from firmware_bridge.twin import BoardTwin, Twin
from tests import tables

LAMP_BYTES = {
    0x00: "off",
    0x10: "off",
    0x11: "on red",
    0x22: "blink green",
    0x33: "pulse yellow",
    0x41: "on blue",
    0x52: "blink magenta",
    0x63: "pulse cyan",
    0x71: "on white",
}


def frames(data):
    """Contents of all frames in `data`, in hex."""
    return [decode(part).hex() for part in data.split(b"\0") if part]


def reset(session=1, version=1):
    return encode(bytes([1, 0, version]) + session.to_bytes(4, "little"))


def picture(number, lamps=bytes(12), display_1=0, display_2=0, buzzer=0):
    body = b"".join(one.to_bytes(4, "little", signed=True) for one in (display_1, display_2))
    return encode(bytes([0x10, number]) + lamps + body + bytes([buzzer]))


def heartbeat(number):
    return encode(bytes([0x11, number]))


def ack(number):
    return encode(bytes([3, number]))


@pytest.fixture
def board():
    """A board that was reset at 0 ms, session 1."""
    board = BoardTwin(7)
    board.receive(reset(), 0)
    board.poll(0)
    return board


class Line:
    """A board and what it hears and says, millisecond by millisecond."""

    def new(self, boot, *cause):
        self.twin = BoardTwin(int(boot), *map(int, cause))

    def board(self):
        self.new(7)
        self.reset(0, 1)
        self.poll(0)

    def hear(self, t_ms, frame):
        self.twin.receive(frame, int(t_ms))

    def reset(self, t_ms, session, version=1):
        self.hear(t_ms, reset(int(session), int(version)))

    def picture(self, t_ms, number, display_1=0, display_2=0, buzzer=0):
        figures = int(display_1), int(display_2), int(buzzer)
        self.hear(t_ms, picture(int(number), bytes(12), *figures))

    def heartbeat(self, t_ms, number):
        self.hear(t_ms, heartbeat(int(number)))

    def ack(self, t_ms, number):
        self.hear(t_ms, ack(int(number)))

    def say(self, t_ms, content, zeros=0):
        self.hear(t_ms, encode(bytes.fromhex(content[1:]) + bytes(int(zeros))))

    def raw(self, t_ms, data):
        self.hear(t_ms, bytes.fromhex(data[1:]))

    def spoil(self, t_ms, content):
        """The same with another checksum."""
        self.hear(t_ms, encode(bytes.fromhex(content[1:]))[:-2] + b"\x55\0")

    def press(self, t_ms, *buttons):
        for index in buttons:
            self.twin.button(int(index), pressed=True, now_ms=int(t_ms))

    def release(self, t_ms, index):
        self.twin.button(int(index), pressed=False, now_ms=int(t_ms))

    def sensor(self, t_ms, number, how):
        self.twin.sensor(int(number), active=how == "on", now_ms=int(t_ms))

    def forget(self):
        """Its reports."""
        self.twin._reports.clear()

    def poll(self, t_ms):
        return frames(self.twin.poll(int(t_ms)))

    def serials(self, t_ms, count):
        """Of so many reports, each acknowledged."""
        found = []
        for number in range(1, int(count) + 1):
            (said,) = self.poll(t_ms)
            found.append(int.from_bytes(bytes.fromhex(said)[2:4], "little"))
            self.ack(t_ms, number)
        return found

    def dark(self):
        return self.twin.shown().safe

    def displays(self):
        shown = self.twin.shown()
        return [one.replace(" ", "_") for one in (shown.display_1, shown.display_2)]

    def buzzer(self):
        return self.twin.shown().buzzer

    def counts(self, t_ms):
        """Damaged, overruns, lost."""
        return self._status(t_ms)[:3]

    def pressed(self, t_ms):
        """Buttons and sensors, the last one first."""
        *_, buttons, sensors = self._status(t_ms)
        return [f"{buttons:08b}", f"{sensors:03b}"]

    def _status(self, t_ms):
        self.heartbeat(t_ms - 1, 1)
        told = next(said for said in self.poll(t_ms) if said.startswith("22"))
        fields = bytes.fromhex(told)[11:]
        counts = [int.from_bytes(fields[at : at + 2], "little") for at in (0, 2, 4)]
        return [*counts, fields[6], fields[7]]


@pytest.mark.parametrize("case", tables.cases(Path(__file__).with_name("twin.table")))
def test_what_one_less_or_one_more_would_change(case):
    """Each limit met exactly and missed by a little."""
    tables.play(case, Line())


@pytest.mark.parametrize(("byte", "word"), LAMP_BYTES.items())
def test_each_lamp_is_called_by_rhythm_and_colour(board, byte, word):
    """Each of the twelve, and none for its neighbour."""
    for seat in range(12):
        lamps = bytes(byte if at == seat else 0 for at in range(12))
        board.receive(picture(seat + 1, lamps), 10)
        assert board.shown().lamps == ("off",) * seat + (word,) + ("off",) * (11 - seat)


def test_numbers_of_the_board_go_round_without_zero(board):
    """After 255 comes 1, of what it says and of what it hears."""
    for count in range(1, 258):
        number = count if count <= 255 else count - 255
        board.receive(heartbeat(number), 1)
        board.button(0, pressed=True, now_ms=1)
        heard, said = frames(board.poll(1))
        assert heard == f"03{number:02x}"
        assert said.startswith(f"20{number:02x}")
        board.receive(ack(number), 1)


def test_serials_and_counts_turn_over_at_two_bytes(board):
    """After 65535 comes 0."""
    board._serial = board._lost = board._unstuffer.damaged = 0xFFFE
    for _ in range(3):
        board.button(0, pressed=True, now_ms=1)
    heads = [bytes(one)[1:3] for one in board._reports]
    assert heads == [b"\xff\xff", b"\x00\x00", b"\x01\x00"]

    board._reports.extend([b"\x20" + bytes(12)] * 13)
    for _ in range(2):
        board.button(0, pressed=True, now_ms=1)
        board.receive(encode(b"\x07\x01"), 1)
    assert (board._lost, board._unstuffer.damaged) == (0, 0)
    board.receive(b"\x02\x07\0", 1)
    assert board._unstuffer.damaged == 1


def test_a_frame_of_63_bytes_is_read_and_a_longer_one_is_noise():
    """Whole, it is only unknown; either way one thing is counted."""
    whole, longer = encode(b"\x07" * 60), b"\x08" * 64 + b"\0"
    assert len(whole) == 64  # with its end
    line = Line()
    line.board()
    for frame in (whole, longer):
        line.hear(1, frame)
    assert line.counts(1000) == [2, 0, 0]
    assert _heard(whole) == b"\x07" * 60
    assert _heard(b"\x03\xff\xff\0") is None  # the checksum of nothing
    assert _heard(whole[:-1] + b"\x01\0") is None  # what follows the 63rd byte is not left out


@pytest.mark.parametrize("content", [b"\0", b"\0\0", b"\0\x05", b"\x05\0", b"\x05\0\0\x06"])
def test_zeros_anywhere_are_read_as_they_were_meant(content):
    """At the begin, at the end, two in a row."""
    assert _heard(encode(content)) == content


def _heard(frame):
    heard = BoardTwin(7)._unstuffer
    return [heard.take(byte) for byte in frame][-1]


def test_a_press_by_hand_goes_down_and_up_at_that_moment():
    """Two reports with the twin's own time; its reset button starts it anew."""
    twin = Twin()
    twin.board.receive(reset(), 0)
    twin.board.poll(0)
    twin._started -= 5
    twin.press(6)
    assert twin._wake.is_set()
    twin._wake.clear()
    twin.set_sensor(3, active=True)
    assert twin._wake.is_set()
    reports = [bytes(one) for one in twin.board._reports]

    assert [(one[0], one[-2], one[-1]) for one in reports] == [
        (0x20, 6, 1),
        (0x20, 6, 0),
        (0x21, 3, 1),
    ]
    for one in reports:
        assert 5_000_000 <= int.from_bytes(one[3:11], "little") < 65_000_000

    twin._wake.clear()
    twin.reset()
    assert twin._now_ms < 4000
    assert twin._wake.is_set()
    assert frames(twin.board.poll(0)) == ["02000100000000" + "02000000" + "02" + "00"]


def test_a_twin_keeps_its_own_ticks():
    """Nobody wakes it, and it says after a second what a board says then."""

    async def wait():
        with Twin() as twin:
            running = asyncio.create_task(twin.run())
            twin.board.receive(reset(), twin._now_ms)
            async with asyncio.timeout(60):
                while twin.board._session:
                    await asyncio.sleep(0.01)
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
            return twin.board.shown().safe

    assert asyncio.run(wait())

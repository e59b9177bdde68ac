"""The twin to the millisecond, the byte and the word: what one less or one more would change."""

from __future__ import annotations

import asyncio

import pytest

from firmware_bridge.frames import decode, encode
from firmware_bridge.twin import BoardTwin, Twin

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


def status_of(board, now_ms=1000):
    """Its word about itself: damaged, overruns, lost, pressed, active."""
    board.receive(heartbeat(1), now_ms - 1)
    told = [said for said in frames(board.poll(now_ms)) if said.startswith("22")]
    fields = bytes.fromhex(told[0])[11:]
    counts = [int.from_bytes(fields[at : at + 2], "little") for at in (0, 2, 4)]
    return (*counts, fields[6], fields[7])


def test_it_says_who_it_is_when_it_starts():
    """Protocol, no session, the number of its start, why it started, which lamps."""
    assert frames(BoardTwin(7).poll(0)) == ["02000100000000" + "07000000" + "01" + "00"]
    assert frames(BoardTwin(8, cause=4).poll(0)) == ["02000100000000" + "08000000" + "04" + "00"]


def test_it_answers_a_reset_with_its_session():
    """And says so again to the same one, without beginning anew."""
    board = BoardTwin(7)
    board.poll(0)
    board.receive(reset(0x01020304), 0)
    assert frames(board.poll(0)) == ["02000104030201" + "07000000" + "0100"]

    board.receive(picture(1, display_1=5), 10)
    board.receive(reset(0x01020304), 20)
    assert frames(board.poll(20)) == ["0301", "02000104030201" + "07000000" + "0100"]
    assert board.shown().display_1 == "       5"


@pytest.mark.parametrize("said", [reset(2, version=2), reset(2, version=0), reset(0)])
def test_a_reset_of_another_version_or_of_no_session_makes_it_dark(board, said):
    """And it says that it has no session."""
    board.receive(picture(1), 10)
    board.receive(said, 20)

    assert frames(board.poll(20)) == ["0301", "02000100000000" + "07000000" + "0100"]
    assert board.shown().safe


@pytest.mark.parametrize(("byte", "word"), LAMP_BYTES.items())
def test_each_lamp_is_called_by_rhythm_and_colour(board, byte, word):
    """Each of the twelve, and none for its neighbour."""
    for seat in range(12):
        lamps = bytes(byte if at == seat else 0 for at in range(12))
        board.receive(picture(seat + 1, lamps), 10)
        assert board.shown().lamps == ("off",) * seat + (word,) + ("off",) * (11 - seat)


def test_both_displays_and_the_buzzer_are_shown_as_told(board):
    """Right-aligned, dark, too long; each in its own place."""
    board.receive(picture(1, display_1=99_999_999, display_2=-9_999_999, buzzer=3), 10)
    shown = board.shown()
    assert (shown.display_1, shown.display_2) == ("99999999", "-9999999")
    assert (shown.buzzer, shown.safe) == (3, False)

    board.receive(picture(2, display_1=100_000_000, display_2=-(2**31)), 10)
    assert (board.shown().display_1, board.shown().display_2) == ("--------", " " * 8)

    board.receive(picture(3, display_1=-10_000_000, display_2=1 - 2**31), 10)
    assert (board.shown().display_1, board.shown().display_2) == ("--------", "--------")


def test_it_is_dark_after_a_second_of_silence_and_not_before(board):
    """999 ms are patience, 1000 are silence; reports that wait are forgotten."""
    board.receive(picture(1), 5)
    board.poll(1004)
    assert not board.shown().safe

    board.button(1, pressed=True, now_ms=1004)
    board.poll(1005)
    assert board.shown().safe
    assert board.poll(1100) == b""


@pytest.mark.parametrize("said", [picture(2), heartbeat(2), picture(1), heartbeat(1)])
def test_whatever_is_acknowledged_keeps_it_awake(board, said):
    """A message, a heartbeat, a repeat of the last one."""
    board.receive(picture(1), 0)
    board.receive(said, 900)
    board.poll(1899)
    assert not board.shown().safe
    board.poll(1900)
    assert board.shown().safe


def test_an_acknowledgement_keeps_it_awake_and_a_stray_one_does_not(board):
    """The number must be that of the message under way."""
    board.receive(picture(1), 0)
    board.button(1, pressed=True, now_ms=800)
    board.poll(800)
    board.receive(ack(2), 810)  # not the one that is under way
    board.receive(ack(1), 820)
    board.receive(ack(1), 900)  # nothing is under way any more
    board.poll(1819)
    assert not board.shown().safe
    board.poll(1820)
    assert board.shown().safe


def test_numbers_other_than_the_next_or_the_last_are_not_answered(board):
    """Zero is no number; a leap is not followed."""
    for said in (heartbeat(0), heartbeat(2), heartbeat(255)):
        board.receive(said, 1)
    assert board.poll(1) == b""
    board.receive(heartbeat(1), 1)
    board.receive(heartbeat(1), 1)
    assert frames(board.poll(1)) == ["0301", "0301"]


def test_a_message_without_a_session_is_answered_by_a_hello():
    """The host learns at once that the board forgot it."""
    board = BoardTwin(7)
    board.poll(0)
    board.receive(heartbeat(1), 5)

    assert frames(board.poll(5)) == ["02000100000000" + "07000000" + "0100"]


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


def test_a_report_is_repeated_every_50_ms_five_times_then_a_reset_is_asked_for(board):
    """Not a millisecond earlier; the sixth time is a hello."""
    board.button(2, pressed=True, now_ms=100)
    for number in range(5):
        due = 100 + 50 * number
        assert frames(board.poll(due)) == ["2001" + "0100" + "a086010000000000" + "0201"]
        assert board.poll(due + 49) == b""
    assert frames(board.poll(350)) == ["02000100000000" + "07000000" + "0100"]
    assert board.poll(400) == b""

    board.receive(reset(2), 400)
    hello, again = frames(board.poll(400))
    assert hello.startswith("020001" + "02000000")
    assert again == "2001" + "0100" + "a086010000000000" + "0201"


def test_it_speaks_of_itself_after_a_second_and_a_second_later(board):
    """Not at 999 ms; the next one when that is due again."""
    board.receive(heartbeat(1), 999)
    assert frames(board.poll(999)) == ["0301"]
    assert frames(board.poll(1000)) == ["2201" + "40420f0000000000" + "01" + "00" * 8]
    board.receive(ack(1), 1500)
    assert board.poll(1999) == b""
    assert frames(board.poll(2000))[0].startswith("2202" + "80841e0000000000")


def test_reports_go_before_its_word_about_itself(board):
    """News first."""
    board.receive(heartbeat(1), 999)
    board.poll(999)
    board.sensor(2, active=True, now_ms=1000)

    assert frames(board.poll(1000)) == ["2101" + "0100" + "40420f0000000000" + "0201"]


def test_each_button_and_sensor_has_its_bit(board):
    """Buttons 0 to 7, sensors 1 to 3; letting go clears just its own."""
    for index in range(8):
        board.button(index, pressed=True, now_ms=1)
    board.button(3, pressed=False, now_ms=1)
    for number in (1, 2, 3):
        board.sensor(number, active=True, now_ms=1)
    board.sensor(2, active=False, now_ms=1)
    board._reports.clear()

    assert status_of(board) == (0, 0, 0, 0b1111_0111, 0b101)


def test_sixteen_reports_wait_and_the_next_are_counted_as_lost(board):
    """The host hears how many; they are the newest."""
    for index in range(18):
        board.button(index % 8, pressed=True, now_ms=1)
    serials = []
    for number in range(1, 17):
        (said,) = frames(board.poll(1))
        serials.append(int.from_bytes(bytes.fromhex(said)[2:4], "little"))
        board.receive(ack(number), 1)

    assert serials == list(range(1, 17))
    assert status_of(board)[2] == 2


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


@pytest.mark.parametrize(
    "content",
    [
        b"\x07",  # no number
        b"\x01\x00\x01\x01\x00\x00",  # a reset too short
        b"\x01\x00\x01\x01\x00\x00\x00\x00",  # too long
        b"\x03\x01\x00",  # an acknowledgement with a body
        b"\x10\x01" + bytes(20),
        b"\x10\x01" + bytes(22),
        b"\x11\x01\x00",
        b"\x20\x01" + bytes(12),  # what a board says
    ],
)
def test_what_no_host_says_is_counted_as_damage(board, content):
    """Each once, and nothing is answered or shown."""
    board.receive(encode(content), 1)

    assert board.poll(1) == b""
    assert board.shown().safe
    assert status_of(board)[0] == 1


def test_a_frame_of_63_bytes_is_read_and_a_longer_one_is_noise(board):
    """Whole, it is only unknown; either way one thing is counted."""
    whole, longer = encode(b"\x07" * 60), b"\x08" * 64 + b"\0"
    assert len(whole) == 64  # with its end
    for frame in (whole, longer):
        board.receive(frame, 1)
    assert status_of(board)[0] == 2
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


def test_what_ends_amid_a_block_or_holds_no_content_is_damage(board):
    """Ends in a row are nothing at all."""
    board.receive(b"\0\0\0", 1)
    board.receive(b"\x05\x01\0", 1)  # a block of four, cut short
    board.receive(b"\x03\xff\xff\0", 1)  # the checksum of nothing
    board.receive(heartbeat(1)[:-2] + b"\x55\0", 1)  # another checksum

    assert status_of(board)[0] == 3


def test_nobody_listens_before_a_reset():
    """What was pressed then is not told later, but that it is down is."""
    board = BoardTwin(7)
    board.button(1, pressed=True, now_ms=1)
    board.receive(reset(), 2)

    assert len(frames(board.poll(2))) == 2
    assert status_of(board, 1002)[3] == 0b10


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

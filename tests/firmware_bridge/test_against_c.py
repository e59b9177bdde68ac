"""The host, the twin and the firmware's C code, written separately, send and receive the same."""

from pathlib import Path

from hypothesis import example, given, settings
from hypothesis import strategies as st

from firmware_bridge import twin
from firmware_bridge.frames import MAX_CONTENT, BadFrame, Splitter, decode, encode
from firmware_bridge.messages import Buzzer, Colour, Lamp, Mode, Picture, digits, pack
from firmware_bridge.twin import BoardTwin
from tests.firmware_bridge.test_messages import messages, numbers

same = settings(max_examples=200)
contents = st.binary(min_size=1, max_size=MAX_CONTENT)


#: Two numbers side by side; a display holds three digits of each.
PAIRS = st.tuples(st.integers(-1, 1200), st.integers(-1, 1200))


@same
@given(contents)
def test_c_frames_as_python_does(c_program, content):
    """Same bytes for any content."""
    assert c_program.ask(f"encode {content.hex()}") == encode(content).hex()


@same
@given(st.lists(st.one_of(contents.map(encode), st.binary(max_size=90)), max_size=6))
def test_c_and_python_accept_the_same_frames(c_program, parts):
    """On any line, with noise, the same contents and the same damaged frames."""
    line = b"".join(parts) + b"\0"
    found = []
    for frame in Splitter().feed(line):
        try:
            found.append(decode(frame).hex())
        except BadFrame:
            found.append("-")

    assert c_program.ask(f"decode {line.hex()}").split() == found


def test_the_twin_shares_nothing_with_the_host():
    """A twin that used the host's parser would agree with it however wrong it is."""
    source = Path(twin.__file__).read_text("utf-8")

    assert "firmware_bridge" not in source
    assert "cobs" not in source


def test_c_refuses_a_checksum_of_nothing_too(c_program):
    """And still takes the longest content."""
    longest = "78" * MAX_CONTENT

    assert c_program.ask("decode 03ffff00") == "- "
    assert c_program.ask(f"decode {c_program.ask(f'encode {longest}')}") == longest + " "


@same
@given(messages())
def test_c_packs_and_unpacks_as_python_does(c_program, message):
    """Every message type over random values, both ways."""
    layout, values = message
    body = layout.pack(*values).hex()
    said = " ".join(map(str, values))

    assert c_program.ask(f"pack {layout.name} {said}") == body
    assert c_program.ask(f"unpack {layout.name} {body}").split() == said.split()


@same
@example((0, 3))
@example((999, 999))
@given(st.one_of(st.none(), st.integers(-(2**40), 2**40), st.integers(-200, 200), PAIRS))
def test_c_shows_a_number_as_python_says(c_program, value):
    """The board's digits for what the host packs are those that the host expects."""
    _, body = pack(Picture(display_1=value))
    on_wire = int.from_bytes(body[12:16], "little", signed=True)

    assert c_program.ask(f"number {on_wire}") == digits(value)


@same
@example(-(2**31))  # a dark display
@example(-9_999_999)
@example(99_999_999)
@example(1_000_000_000)  # 0-0
@example(1_000_999_999)
@example(1_001_000_000)
@given(st.one_of(numbers["i32"], st.integers(-(10**8), 1_002_000_000)))
def test_c_and_the_twin_show_any_number_on_the_wire_alike(c_program, value):
    """Numbers too long for the display too, which a host of ours does not send."""
    shown = twin._digits(value.to_bytes(4, "little", signed=True))

    assert c_program.ask(f"number {value}") == shown
    pair = f"{(value - 10**9) // 1000}-{value % 1000}"
    assert shown.strip() in {str(value), pair, "--------", ""}


pictures = st.builds(
    Picture,
    st.tuples(*[st.builds(Lamp, st.sampled_from(list(Mode)), st.sampled_from(list(Colour)))] * 12),
    st.one_of(st.none(), st.integers(-(10**9), 10**9)),
    st.one_of(st.none(), st.integers(-(10**9), 10**9)),
    st.sampled_from(list(Buzzer)),
)


def _reset(session):
    return encode(b"\x01\x00\x01" + session.to_bytes(4, "little"))


def _numbered(tag_and_body, number):
    tag, body = tag_and_body
    return encode(bytes([tag, number]) + body)


#: Pictures with numbers that the host never sends.
raw_pictures = st.tuples(st.just(0x10), st.binary(min_size=21, max_size=21))

#: What may happen to a board: something on the line, a report, or nothing; and then time passes.
happenings = st.one_of(
    st.tuples(
        st.just("rx"),
        st.one_of(
            st.integers(0, 3).map(_reset),
            st.builds(_numbered, pictures.map(pack), st.integers(0, 4)),
            st.builds(_numbered, raw_pictures, st.integers(0, 4)),
            st.builds(_numbered, st.just((0x11, b"")), st.integers(0, 4)),
            st.builds(_numbered, st.just((0x03, b"")), st.integers(0, 4)),
            st.builds(
                _numbered, st.tuples(st.integers(0, 255), st.binary(max_size=30)), st.integers(0, 4)
            ),
            st.binary(max_size=70),
        ),
    ),
    st.tuples(st.just("button"), st.tuples(st.integers(0, 7), st.booleans())),
    st.tuples(st.just("sensor"), st.tuples(st.integers(1, 3), st.booleans())),
    st.tuples(st.just("wait"), st.none()),
)


LISTENING = (("rx", _reset(1)), 0)
NOTHING = ("wait", None)
HEARTBEAT = ("rx", _numbered((0x11, b""), 1))
ACK_OF_TWO = ("rx", _numbered((0x03, b""), 2))


@settings(max_examples=300)
@example([LISTENING, (("button", (1, True)), 0), (NOTHING, 49), (NOTHING, 1), (NOTHING, 49)])
@example([LISTENING, (HEARTBEAT, 500), (NOTHING, 499), (NOTHING, 1), (NOTHING, 499), (NOTHING, 1)])
@example([LISTENING, (HEARTBEAT, 0), (("button", (1, True)), 999), (NOTHING, 0), (NOTHING, 1)])
@example([LISTENING, *[(("button", (1, True)), 0)] * 18, *[(ACK_OF_TWO, 1), (NOTHING, 0)] * 2])
@example([LISTENING, (("button", (1, True)), 0), (ACK_OF_TWO, 0), (NOTHING, 50)])
@example([LISTENING, (("button", (3, True)), 0), *[(NOTHING, 50)] * 8])
@example([LISTENING, *[(("rx", _numbered((0x11, b""), n % 255 + 1)), 0) for n in range(300)]])
@example([LISTENING, *[(("button", (1, True)), 0)] * 20, (("rx", _numbered((3, b""), 1)), 1)])
@given(st.lists(st.tuples(happenings, st.sampled_from([0, 1, 20, 50, 300, 1000])), max_size=30))
def test_the_twin_does_what_the_firmware_does(c_program, story):
    """Any story of frames, noise, reports and time: the same bytes, and the same picture."""
    _play(c_program, story, 0)


@settings(max_examples=300)
@example([LISTENING, *[(HEARTBEAT, 300)] * 5, (NOTHING, 1000)], 500)
@example([LISTENING, (("button", (3, True)), 0), *[(NOTHING, 50)] * 8], 120)
@example([LISTENING, (("button", (3, True)), 0), *[(NOTHING, 20)] * 15], 110)
@example([LISTENING, *[(NOTHING, 300)] * 5], 500)
@given(
    st.lists(st.tuples(happenings, st.sampled_from([0, 1, 20, 50, 300, 1000])), max_size=30),
    st.integers(1, 1500),
)
def test_the_twin_does_what_the_firmware_does_after_49_days(c_program, story, before_ms):
    """The firmware's 32 bits of milliseconds turn over amid the story; the twin's never do."""
    _play(c_program, story, 2**32 - before_ms)


def _play(c_program, story, now):
    board = BoardTwin(boot_id=7)
    assert c_program.ask("start 7 1") == board.poll(0).hex()
    for (what, how), later in story:
        now += later
        said = ""
        match what:
            case "rx":
                board.receive(how, now)
                said = c_program.ask(f"rx {now} {how.hex()}")
            case "button":
                board.button(how[0], pressed=how[1], now_ms=now)
                said = c_program.ask(f"report {now} 32 {how[0]} {int(how[1])}")
            case "sensor":
                board.sensor(how[0], active=how[1], now_ms=now)
                said = c_program.ask(f"report {now} 33 {how[0]} {int(how[1])}")
        said += c_program.ask(f"poll {now}")

        assert said == board.poll(now).hex(), (what, how, now)
        assert (c_program.ask("shown") == "safe") == board.shown().safe
        if not board.shown().safe:
            number = int.from_bytes(
                bytes.fromhex(c_program.ask("shown"))[12:16], "little", signed=True
            )
            assert c_program.ask(f"number {number}") == board.shown().display_1


def test_c_counts_damage_and_overruns_each_in_its_own_field(c_program):
    """Three damaged frames, 40 bytes without room, two reports too many: by their bytes."""
    c_program.ask("start 7 1 40")
    c_program.ask(f"rx 0 {_reset(1).hex()}")
    c_program.ask("rx 10 110011001100")
    for _ in range(18):
        c_program.ask("report 20 32 1 1")
    for number in range(1, 17):
        c_program.ask("poll 900")
        c_program.ask(f"rx 900 {_numbered((0x03, b''), number).hex()}")

    status = decode(bytes.fromhex(c_program.ask("poll 1000"))[:-1])
    assert status.hex() == "2211" + "40420f0000000000" + "01" + "0300" + "2800" + "0200" + "0200"

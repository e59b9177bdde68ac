import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.frames import MAX_CONTENT, BadFrame, Splitter, checksum, decode, encode

contents = st.binary(min_size=1, max_size=MAX_CONTENT)


def test_the_checksum_is_the_well_known_one():
    """CRC-16/CCITT-FALSE of its check string."""
    assert checksum(b"123456789") == 0x29B1


@given(contents)
def test_a_frame_gives_back_its_content(content):
    """A frame has no zero but its end, and at most four bytes more than its content."""
    frame = encode(content)

    assert frame.index(0) == len(frame) - 1 <= len(content) + 3
    assert decode(frame[:-1]) == content


@pytest.mark.parametrize("content", [b"", b"x" * (MAX_CONTENT + 1)])
def test_too_much_or_nothing_is_refused(content):
    """A frame that the board has no buffer for is not made."""
    with pytest.raises(ValueError, match="1 to 60 bytes"):
        encode(content)


def test_no_single_fault_is_accepted():
    """Any bit of a frame flipped, any byte lost or doubled: refused."""
    frame = encode(bytes([0x10, 7, 0, 0, 255, 1, 0]))[:-1]
    flipped = [
        frame[:at] + bytes([frame[at] ^ 1 << bit]) + frame[at + 1 :]
        for at in range(len(frame))
        for bit in range(8)
    ]
    lost = [frame[:at] + frame[at + 1 :] for at in range(len(frame))]
    doubled = [frame[: at + 1] + frame[at:] for at in range(len(frame))]

    for damaged in flipped + lost + doubled:
        with pytest.raises(BadFrame):
            [decode(part) for part in damaged.split(b"\0")]


def test_a_checksum_of_nothing_is_no_frame():
    """Two bytes that are the right checksum of no content."""
    with pytest.raises(BadFrame, match="2 bytes are no content"):
        decode(b"\x03\xff\xff")


def test_the_longest_frame_is_found():
    """Sixty bytes without a zero: the longest that the line can carry."""
    longest = b"x" * MAX_CONTENT

    assert [decode(frame) for frame in Splitter().feed(encode(longest))] == [longest]


@given(st.lists(contents), st.data())
def test_frames_are_found_however_they_arrive(sent, data):
    """Split anywhere, with any number of ends between them."""
    line = b"".join(encode(content) + b"\0" * data.draw(st.integers(0, 2)) for content in sent)
    splitter, found = Splitter(), []
    while line:
        size = data.draw(st.integers(1, len(line)))
        found += splitter.feed(line[:size])
        line = line[size:]

    assert [decode(frame) for frame in found] == sent


def test_noise_without_an_end_is_one_bad_frame_and_no_memory():
    """A million bytes without a zero are dropped; the next frame is found."""
    splitter = Splitter()
    for _ in range(1000):
        assert list(splitter.feed(b"\x55" * 1000)) == []

    bad, good = splitter.feed(b"\0" + encode(b"here"))

    with pytest.raises(BadFrame):
        decode(bad)
    assert decode(good) == b"here"

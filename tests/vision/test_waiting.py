"""Frames that wait for a slow machine to decode them."""

from itertools import takewhile

import pytest

from tests.vision.passing import CLEAR, GONE, IN_GATE, code, verdicts
from vision.frame import Frame
from vision.passage import Passages
from vision.waiting import FrameQueue


def waiting(*times, now_ms, most=9):
    frames = FrameQueue(most, lambda: now_ms)
    given_up = [frames.put(Frame(t_ms, None)) for t_ms in times]
    frames.end()
    return frames, [frame.t_ms for frame in given_up if frame]


@pytest.mark.parametrize(
    ("now_ms", "order"), [(80, [0, 8, 16, 24]), (81, [24, 16, 8, 0]), (88.5, [24, 16, 8, 0])]
)
def test_the_newest_comes_first_where_the_oldest_has_waited_for_more_than_80_ms(now_ms, order):
    """Else they come in their order; all of them, then None."""
    frames, _ = waiting(0, 8, 16, 24, now_ms=now_ms)

    assert [frame.t_ms for frame in takewhile(bool, iter(frames.get, 0))] == order
    assert frames.get() is None


def test_the_oldest_gives_way_where_too_many_wait():
    """It is the likeliest to be too late."""
    frames, given_up = waiting(0, 8, 16, 24, now_ms=30, most=2)

    assert given_up == [0, 8]
    assert frames.get().t_ms == 16


def test_each_card_is_read_in_time_by_a_machine_that_reads_every_tenth_picture(shoe):
    """Ten cards 100 ms apart, 80 ms to decode a picture: taken in order, most would be late."""
    entries, passages = shoe.cards[:10], Passages(shoe.lookup)
    now, told, count = [0.0], [], 0
    reading, done_ms = None, 0.0
    frames = FrameQueue(32, lambda: now[0])
    for number in range(140):
        now[0] = number * 1000 / 120
        card, since_ms = divmod(now[0] - 100, 100)
        view = IN_GATE if 0 <= since_ms < 63 and 0 <= card < 10 else GONE if card >= 0 else CLEAR
        passages.view(now[0], view)
        if view.blocked and passages.wanted(now[0]):
            count += frames.put(Frame(now[0], None)) is None
        if reading is not None and now[0] >= done_ms:
            passages.read(reading, [code(entries[int((reading - 100) // 100)])])
            reading = None
        while count and reading is None:
            frame, count = frames.get(), count - 1
            if passages.wanted(frame.t_ms):
                reading, done_ms = frame.t_ms, now[0] + 80
        told += verdicts(passages, now[0])

    assert [seen.card for seen in told] == [entry.card for entry in entries]

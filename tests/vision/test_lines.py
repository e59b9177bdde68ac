"""Whose a line of the barcode module is, where the camera does not tell."""

import pytest

from table_controller.engine.seen import Unknown
from tests.vision.passing import pass_by, unknown, verdicts


def dealt(passages, line_ms, *, entries, gap_ms):
    """Cards by the beam alone, 63 ms in it; each one's line comes so long after it has left."""
    news = []
    for number, entry in enumerate(entries):
        start = number * (63 + gap_ms)
        news += [(start, None), (start + 63, None), (start + 63 + line_ms, entry)]
    seen = []
    for t_ms, entry in sorted(news, key=lambda one: one[0]):
        seen += [one.seen for one in passages.due(t_ms)]
        if entry:
            passages.line(t_ms, entry.token)
        else:
            passages.edge(t_ms, blocked=passages.open_since_ms is None)
    return seen + [one.seen for one in passages.end()]


@pytest.mark.parametrize("later_ms", [101, 2000, 600_000])
def test_a_line_of_long_before_a_card_is_not_its_own(shoe, passages, later_ms):
    """Something with a label was held to the lip from outside."""
    passages.line(1000, shoe.cards[0].token)
    pass_by(passages, 1000 + later_ms)

    assert unknown(passages) == [Unknown.NO_READ]
    assert (passages.quality.stray, passages.quality.reads) == (1, {})


def test_a_line_may_be_in_before_the_picture_that_opens_its_passage(shoe, passages):
    """By a tenth of a second, of a camera that brings ten pictures in one."""
    passages.line(1000, shoe.cards[0].token)
    pass_by(passages, 1100)

    assert [seen.card for seen in verdicts(passages)] == [shoe.cards[0].card]


def test_a_line_of_after_its_cards_verdict_does_not_name_the_next_card(shoe, passages):
    """Both are unread; the second comes two seconds later."""
    pass_by(passages, 0)
    passages.due(100)
    passages.line(144, shoe.cards[0].token)
    pass_by(passages, 2000)

    assert unknown(passages) == [Unknown.NO_READ]


def test_lines_that_nothing_passes_with_are_not_kept(shoe, passages):
    """Each is stray as soon as no card can be its own any more."""
    for number in range(20):
        passages.line(1000 * number, shoe.cards[0].token)

    assert passages.quality.stray == 19


@pytest.mark.parametrize("line_ms", [-30, 0, 40, 79])
def test_a_module_alone_names_every_card(shoe, beamed, line_ms):
    """Twenty cards in five seconds, no camera."""
    entries = shoe.cards[:20]

    seen = dealt(beamed, line_ms, entries=entries, gap_ms=187)

    assert [one.card for one in seen] == [entry.card for entry in entries]


@pytest.mark.parametrize("gap_ms", [400])
def test_a_module_whose_lines_come_too_late_names_no_card(shoe, beamed, gap_ms):
    """117 ms after each card: none is told as the one before it."""
    seen = dealt(beamed, 117, entries=shoe.cards[:4], gap_ms=gap_ms)

    assert [one.unknown for one in seen] == [Unknown.NO_READ] * 4

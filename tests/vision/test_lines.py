"""The card that a line of the barcode module belongs to, if the camera does not show it."""

import pytest

from table_controller.engine.seen import Unknown
from tests.vision.passing import GONE, IN_GATE, code, opened_ms, pass_by, unknown, verdicts


def dealt(passages, line_ms, *, entries, gap_ms):
    """Cards by the beam alone, 63 ms in it; the line of each, if any, comes so long after it."""
    news = []
    for number, entry in enumerate(entries):
        start = number * (63 + gap_ms)
        news += [(start, None), (start + 63, None)]
        news += [(start + 63 + line_ms, entry)] if entry else []
    seen = []
    for t_ms, entry in sorted(news, key=lambda one: one[0]):
        seen += [one.seen for one in passages.due(t_ms)]
        if entry:
            passages.line(t_ms, entry.token)
        else:
            passages.edge(t_ms, blocked=opened_ms(passages) is None)
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


@pytest.mark.parametrize("gap_ms", [25, 100, 150, 187, 400])
@pytest.mark.parametrize("line_ms", [81, 117, 190])
def test_a_module_whose_lines_come_too_late_names_no_card(shoe, beamed, line_ms, gap_ms):
    """So long after each card, perhaps during the next: none is named as the one before it."""
    seen = dealt(beamed, line_ms, entries=shoe.cards[:4], gap_ms=gap_ms)

    assert [one.unknown for one in seen] == [Unknown.NO_READ] * 4


def test_a_line_that_another_card_may_have_said_names_neither(shoe, beamed):
    """40 ms after each of two unread cards that are 25 ms apart: it is in during the next."""
    seen = dealt(beamed, 40, entries=shoe.cards[:2], gap_ms=25)

    assert [one.unknown for one in seen] == [Unknown.NO_READ] * 2


def test_a_card_after_an_unread_one_is_named_by_its_own_line(shoe, beamed):
    """At twenty in five seconds."""
    seen = dealt(beamed, -30, entries=[shoe.cards[0], None, shoe.cards[1]], gap_ms=187)

    assert [one.card for one in seen] == [shoe.cards[0].card, None, shoe.cards[1].card]


@pytest.mark.parametrize("read", [True, False])
def test_a_late_line_of_the_card_before_spoils_no_card_that_the_camera_read(shoe, passages, read):
    """It comes while the next one passes: counted as late, whether its own card was read or not."""
    first, second = shoe.cards[:2]
    pass_by(passages, 0, *([code(first)] if read else []))
    passages.due(89)
    passages.view(100, IN_GATE)
    passages.read(100, [code(second)])
    passages.line(105, first.token)
    passages.view(108, GONE)

    assert [seen.card for seen in verdicts(passages)] == [second.card]
    assert passages.quality.late == 1


def test_the_card_before_is_not_named_again_by_its_late_line(shoe, passages):
    """The camera read it, and nobody the next one."""
    pass_by(passages, 0, code(shoe.cards[0]))
    passages.due(89)
    passages.view(100, IN_GATE)
    passages.line(105, shoe.cards[0].token)
    passages.view(108, GONE)

    assert unknown(passages) == [Unknown.NO_READ]


def test_a_card_shown_again_is_named_by_the_line_of_its_own(shoe, passages):
    """A hand holds the one that was unread to the lip: whichever line comes then."""
    pass_by(passages, 0)
    passages.due(89)
    passages.again = True
    pass_by(passages, 120)
    passages.line(130, shoe.cards[0].token)

    assert [seen.card for seen in verdicts(passages)] == [shoe.cards[0].card]

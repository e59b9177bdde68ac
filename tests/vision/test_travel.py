"""A card's length by its way, if no picture shows both its ends."""

import pytest

from table_controller.engine.seen import Unknown
from tests.vision.passing import CLEAR, code, unknown
from vision.gate import View
from vision.lip import SHIPPED
from vision.passage import Passages
from vision.travel import Travel

PERIOD = 1000 / 120


def drawn(way, length_px):
    """What pictures of 640 px show of a card on this way, px by ms: the ends that are in sight."""
    travel = Travel()
    for number in range(40):
        t_ms = number * PERIOD
        lead = way(t_ms)
        tail = lead - length_px
        if lead > 0 and tail < 640:
            in_sight = {
                "lead_px": lead if lead < 640 else None,
                "tail_px": tail if tail > 0 else None,
            }
            travel.note(t_ms, **in_sight)
    return travel


def passing(lead, length_px):
    """What a picture of 640 px shows of it, its leading end there."""
    tail = lead - length_px
    if lead < 320:
        return View(False, 320, 320, behind_px=320 - lead) if lead > 0 else CLEAR
    if tail > 320:
        return View(False, 320, 320, ahead_px=tail - 320) if tail < 640 else CLEAR
    cut = {"tail_cut": tail <= 0, "lead_cut": lead >= 640}
    whole = not any(cut.values())
    return View(True, max(0, tail), min(640, lead), **cut, along_px=length_px if whole else None)


@pytest.mark.parametrize("length_px", [504, 560, 1008])
@pytest.mark.parametrize(
    "way",
    [
        lambda t: 8.0 * t,
        lambda t: 16.0 * t,
        lambda t: 4.0 * t + 0.06 * t * t,  # 15 m/s² of a hand
    ],
)
def test_the_way_between_both_ends_is_the_card(way, length_px):
    """At a metre a second, at two, and drawn quicker and quicker."""
    assert drawn(way, length_px).length_px(200) == pytest.approx(length_px, abs=2)


def test_the_beam_measures_it_once_more():
    """63 ms at a metre a second; a clock that is off by 10 ms changes nothing."""
    travel = drawn(lambda t: 8.0 * t, 504)

    assert travel.beam_px(40, 103) == pytest.approx(504, abs=1)
    assert travel.beam_px(50, 113) == pytest.approx(504, abs=1)


def test_too_few_pictures_and_a_card_that_rests_tell_nothing():
    """Two are needed of each end; a card that rests has been in sight as a whole."""
    few = Travel()
    few.note(0, lead_px=300, tail_px=None)
    few.note(8, lead_px=370, tail_px=None)
    few.note(60, lead_px=None, tail_px=300)

    assert few.length_px(63) is None
    assert few.beam_px(0, 63) is None
    assert drawn(lambda t: 8.0 * t, 504).length_px(300) is None
    assert drawn(lambda t: 8.0 * t, 504).beam_px(0, 300) is None


@pytest.mark.parametrize(
    ("length_px", "told"),
    [(504, None), (540, Unknown.TWO_CARDS), (560, Unknown.TWO_CARDS)],
)
def test_a_card_at_two_metres_a_second_that_is_too_long_is_two(shoe, length_px, told):
    """If no picture shows both ends, its way tells from four millimetres on; less is unsure."""
    passages = Passages(shoe.lookup)
    for number in range(12):
        passages.view(number * PERIOD - 100, CLEAR)
    for number in range(12):
        t_ms = number * PERIOD
        passages.view(t_ms, passing(16 * t_ms, length_px))
        passages.read(t_ms, [code(shoe.cards[0])])

    assert unknown(passages) == [told]


@pytest.mark.parametrize("fails_later", [False, True])
@pytest.mark.parametrize(("dark_ms", "told"), [(63, None), (75, Unknown.TWO_CARDS)])
def test_a_beam_that_was_dark_for_more_than_a_card_makes_it_two(shoe, dark_ms, told, fails_later):
    """Although the pictures show no more than a card: 12 mm at a metre a second.

    Also if the beam fails before the verdict is due: it measured the card before.
    """
    passages = Passages(shoe.lookup, beam=True)
    passages.edge(1, blocked=True)
    for number in range(8):
        t_ms = number * PERIOD
        lead = 320 + 8 * t_ms
        cut = {"tail_cut": lead <= 504, "lead_cut": lead >= 640}
        passages.view(t_ms, View(True, max(0, lead - 504), min(640, lead), **cut))
        passages.read(t_ms, [code(shoe.cards[0])])
    passages.edge(1 + dark_ms, blocked=False)
    passages.view(75, View(False, 320, 320, ahead_px=96))
    passages.view(1 + dark_ms + PERIOD, View(False, 320, 320, ahead_px=170))
    if fails_later:
        passages.beam_away("its cable was out")

    assert unknown(passages) == [told]


def test_the_pictures_beside_those_in_the_gate_help(shoe):
    """A camera of 30 a second: one picture of either end in the gate, one before, one after."""
    travel = Travel()
    travel.comes(0, View(False, 320, 320, behind_px=220), SHIPPED)
    travel.passes(33, View(True, 0, 364, tail_cut=True))
    travel.passes(66, View(True, 124, 640, lead_cut=True))
    assert travel.length_px(99) is None
    travel.leaves(99, View(False, 320, 320, ahead_px=68), SHIPPED)

    assert travel.length_px(99) == pytest.approx(504, abs=2)


def said_at_60(shoe, mps, length_px):
    """What is said of it at 60 pictures a second, whenever these are taken."""
    said = set()
    for phase in range(17):
        passages = Passages(shoe.lookup, fps=60)
        for number in range(-15, 40):
            t_ms = number * 1000 / 60
            view = passing(8 * mps * (t_ms + phase), length_px)
            passages.view(t_ms, view)
            passages.read(t_ms, [code(shoe.cards[0])] if view.blocked else [])
        said |= set(unknown(passages))
    return said


@pytest.mark.parametrize("mps", [0.9, 1.0, 1.3, 1.6])
@pytest.mark.parametrize("length_px", [526, 534])
def test_a_pair_of_which_no_picture_shows_both_ends_is_never_one_card(shoe, mps, length_px):
    """3.7 mm apart, and before anything is learnt: 60 pictures a second pass over it."""
    assert said_at_60(shoe, mps, length_px) <= {Unknown.TWO_CARDS, Unknown.UNSURE}


def test_one_card_is_sure_while_its_ends_are_in_sight_together(shoe):
    """17 mm of its way in a window of 80; what is quicker may be unsure."""
    assert said_at_60(shoe, 1.0, 504) == {None}
    assert said_at_60(shoe, 1.2, 504) == {None, Unknown.UNSURE}


@pytest.mark.parametrize("mps", [1.3, 1.6, 2.0])
def test_a_pair_too_quick_for_a_slow_camera_is_never_one_card(shoe, mps):
    """Nine millimetres apart at 30 pictures a second, whenever these are taken."""
    for phase in range(0, 33, 3):
        passages = Passages(shoe.lookup, fps=30)
        for number in range(-15, 40):
            t_ms = number * 1000 / 30
            view = passing(8 * mps * (t_ms + phase), 576)
            passages.view(t_ms, view)
            passages.read(t_ms, [code(shoe.cards[0])] if view.blocked else [])

        assert set(unknown(passages)) <= {Unknown.TWO_CARDS, Unknown.UNSURE}


@pytest.mark.parametrize(
    ("pictures", "step_ms", "told"),
    [
        (1, 8, Unknown.UNSURE),
        (2, 8, Unknown.UNSURE),
        (3, 8, Unknown.UNSURE),
        (2, 125, Unknown.UNSURE),
        (2, 126, None),
    ],
)
def test_one_end_alone_tells_nothing(shoe, pictures, step_ms, told):
    """It may have been longer than a card. Not so what lay there for a quarter of a second."""
    passages = Passages(shoe.lookup, fps=1)
    for number in range(pictures):
        passages.view(number * step_ms, View(True, 0, 400, tail_cut=True))
        passages.read(number * step_ms, [code(shoe.cards[0])])
    passages.view(pictures * step_ms, View(False, 320, 320, ahead_px=40))

    assert unknown(passages) == [told]


def test_a_card_so_quick_that_nobody_can_tell_how_long_it_was_is_unsure(shoe):
    """3.5 m/s: a picture of its leading end, one of its tail; two may have passed as one."""
    passages = Passages(shoe.lookup)
    for number in range(12):
        passages.view(number * PERIOD - 100, CLEAR)
    passages.view(0, View(True, 0, 470, tail_cut=True))
    passages.read(0, [code(shoe.cards[0])])
    passages.view(PERIOD, View(True, 196, 640, lead_cut=True))
    passages.view(2 * PERIOD, View(False, 320, 320, ahead_px=109))
    for number in range(4, 60):
        passages.view(number * PERIOD, CLEAR)

    assert unknown(passages) == [Unknown.UNSURE]
    assert not passages.take_unseen()

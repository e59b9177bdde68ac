"""The exit beam's edges and the pictures, in whichever order they are reported."""

import pytest

from table_controller.engine.seen import Unknown
from tests.vision.moving import drawn, edges, play, view, way
from tests.vision.passing import code
from vision.gate import View
from vision.passage import Passages


def told(shoe, cards, until_ms, **how):
    """The cards told, or why not, of a lip with a beam."""
    passages = Passages(shoe.lookup, beam=True, fps=how.get("fps", 120))
    read = {card: code(entry) for card, entry in zip(cards, shoe.cards, strict=False)}
    seen = play(passages, cards, until_ms, read=read, **how)
    return [one.card or one.unknown for one in seen]


@pytest.mark.parametrize("rest_mm", [66, 73, 82])
@pytest.mark.parametrize(
    ("fps", "late_ms", "mps"),
    [
        (120, 0, 1),
        (120, 10, 2),
        (120, 20, 2),
        (120, 30, 2),
        (60, 20, 1.5),
        (60, 30, 1.5),
        (60, 30, 2),
    ],
)
def test_a_card_whose_edge_comes_before_its_picture_is_its_own(shoe, fps, late_ms, mps, rest_mm):
    """The one before it has its verdict, and lies with its tail just past the gate."""
    for phase in range(6):
        first = drawn(100, stop_mm=rest_mm)
        second = drawn(600, mps)

        seen = told(
            shoe, [first, second], 900, fps=fps, late_ms=late_ms, phase_ms=phase * 1000 / fps / 6
        )

        assert len(seen) == 2
        assert seen[0] == shoe.cards[0].card
        assert seen[1] in (shoe.cards[1].card, Unknown.UNSURE)


@pytest.mark.parametrize("pause_ms", [20, 300])
@pytest.mark.parametrize("hold_ms", [3, 20, 60])
@pytest.mark.parametrize("late_ms", [0, 10, 20, 30])
@pytest.mark.parametrize("fps", [60, 120])
def test_a_tail_that_trembles_in_the_beam_is_one_card_however_late_the_pictures_are(
    shoe, fps, late_ms, hold_ms, pause_ms
):
    """It goes two millimetres past the gate and comes back for a while, three times."""
    at, points = 163.0, [(100.0, 0.0), (163.0, 63.0), (173.0, 65.0)]
    for _ in range(3):
        at = points[-1][0] + pause_ms
        points += [(at, 65.0), (at + 4, 61.0), (at + 4 + hold_ms, 61.0), (at + 8 + hold_ms, 65.0)]
    points += [(points[-1][0] + 50, 65.0), (points[-1][0] + 150, 165.0)]

    seen = told(shoe, [way(*points)], points[-1][0] + 200, fps=fps, late_ms=late_ms)

    assert seen == [shoe.cards[0].card]


@pytest.mark.parametrize("hold_ms", [20, 60])
@pytest.mark.parametrize("fps", [60, 120])
def test_a_card_that_is_read_only_while_its_tail_trembles_is_read(shoe, fps, hold_ms):
    """It is in the gate again, and what is read there is of it."""
    back_ms = 197.0, 197.0 + hold_ms
    points = [(100.0, 0.0), (163.0, 63.0), (173.0, 65.0), (193.0, 65.0)]
    points += [(back_ms[0], 61.0), (back_ms[1], 61.0), (back_ms[1] + 4, 65.0)]
    card = way(*points, (back_ms[1] + 54, 65.0), (back_ms[1] + 154, 165.0))
    pictures = [(number * 1000 / fps, None) for number in range(int(0.5 * fps))]
    passages = Passages(shoe.lookup, beam=True, fps=fps)
    for t_ms, dark in sorted([*edges([card], 500), *pictures], key=lambda one: one[0]):
        if dark is not None:
            passages.edge(t_ms, blocked=dark)
            continue
        passages.view(t_ms, view([card], t_ms))
        if back_ms[0] < t_ms < back_ms[1]:
            passages.read(t_ms, [code(shoe.cards[0])])

    assert [one.seen.card for one in passages.end()] == [shoe.cards[0].card]
    assert passages.quality.stray == 0


def test_a_card_that_passed_between_two_pictures_is_no_tail(shoe):
    """Both show the tail of the one before it: at 15 a second a whole card may have passed."""
    for phase in range(6):
        cards = [drawn(100, stop_mm=73), drawn(600, 2)]

        assert len(told(shoe, cards, 900, fps=15, phase_ms=phase * 11)) == 2


def test_the_tail_that_trembles_is_some_cards(shoe):
    """Paper that lay past the gate before any card came says nothing of what comes."""
    at_rest = way((0, 68), (100, 68), (104, 61), (120, 61), (124, 68))

    assert told(shoe, [at_rest], 300) == [Unknown.NO_READ]


def test_a_doubt_outlives_a_tail_that_trembled(shoe):
    """Nobody saw what passed before: that is the next card's, and not the tail's."""
    passages = Passages(shoe.lookup, beam=True, fps=120)
    play(passages, [drawn(100, stop_mm=66)], 400)
    passages.unseen("a queue ran over")
    passages.edge(402, blocked=True)
    passages.view(408, View(True, 304, 640, lead_cut=True))
    passages.edge(412, blocked=False)
    passages.view(417, View(False, 320, 320, ahead_px=24))
    passages.edge(500, blocked=True)
    passages.edge(560, blocked=False)

    assert [one.seen.unknown for one in passages.end()] == [Unknown.UNSURE]


@pytest.mark.parametrize("late_ms", [0, 12, 30, 60])
@pytest.mark.parametrize("gap_ms", [25, 60])
def test_a_beam_that_is_believed_again_hides_no_card(shoe, late_ms, gap_ms):
    """It was away, and the first card restores it: the pictures decide until the beam is light."""
    for phase in range(4):
        passages = Passages(shoe.lookup, beam=True, fps=120)
        passages.beam_away("its cable was out")
        cards = [drawn(100 + number * (63 + gap_ms)) for number in range(3)]
        read = {card: code(entry) for card, entry in zip(cards, shoe.cards, strict=False)}

        seen = play(passages, cards, 700, read=read, late_ms=late_ms, phase_ms=phase * 2)

        assert [one.card or one.unknown for one in seen] == [entry.card for entry in shoe.cards[:3]]
        assert passages.beam_fault == ""


@pytest.mark.parametrize("fps", [60, 120])
def test_the_card_that_restores_a_beam_is_one(shoe, fps):
    """The pictures opened and closed its passage: their times are no measure of a card."""
    for phase in range(6):
        passages, card = Passages(shoe.lookup, beam=True, fps=fps), drawn(150, 1.5)
        passages.beam_away("its cable was out")

        seen = play(
            passages, [card], 500, fps=fps, phase_ms=5 + phase * 1000 / fps / 6, late_ms=12,
            read={card: code(shoe.cards[0])},
        )  # fmt: skip

        assert [one.card or one.unknown for one in seen] in ([shoe.cards[0].card], [Unknown.UNSURE])


def test_a_beam_that_is_believed_again_opens_and_closes_again(shoe):
    """A card that no picture shows is told."""
    passages = Passages(shoe.lookup, beam=True, fps=120)
    passages.beam_away("its cable was out")
    card = drawn(100)
    play(passages, [card], 400, read={card: code(shoe.cards[0])})
    passages.edge(500, blocked=True)
    passages.edge(563, blocked=False)

    assert [one.seen.unknown for one in passages.end()] == [Unknown.NO_READ]


@pytest.mark.parametrize("edge_ms", [0, 3, 12, 20, 40])
@pytest.mark.parametrize("late_ms", [0, 10, 25])
def test_a_card_pushed_back_is_none_however_late_its_edge_is(shoe, edge_ms, late_ms):
    """It comes 30 mm past the gate and goes back, and rests out of the gate or out of sight."""
    for rest_mm in (-5, -30, -60):
        pushed = way((100, 0), (130, 30), (160, 0), (160 - rest_mm, rest_mm))
        for phase in range(4):
            how = {"edge_ms": edge_ms, "late_ms": late_ms, "phase_ms": phase * 2}
            seen = told(shoe, [pushed], 500, **how)

            assert seen == [Unknown.PARTIAL]


@pytest.mark.parametrize(
    ("edge_ms", "late_ms"), [(0, 0), (3, 0), (12, 0), (3, 10), (20, 10), (3, 25), (30, 25)]
)
def test_cards_25_ms_apart_are_cards_however_late_their_edges_are(shoe, edge_ms, late_ms):
    """The one that comes is not the one that went, pushed back."""
    for phase in range(4):
        cards = [drawn(100 + number * 88) for number in range(4)]

        seen = told(shoe, cards, 800, edge_ms=edge_ms, late_ms=late_ms, phase_ms=phase * 2)

        assert seen == [entry.card for entry in shoe.cards[:4]]


def test_a_picture_that_comes_after_its_cards_edge_measures_that_card(shoe):
    """And not the next one, which is in the beam by then: too much paper is the first's."""
    passages = Passages(shoe.lookup, beam=True, fps=120)
    passages.edge(100, blocked=True)
    passages.edge(180, blocked=False)
    passages.edge(220, blocked=True)
    for t_ms in range(100, 180, 8):
        passages.view(t_ms, View(True, 0, 600, tail_cut=True))
        passages.read(t_ms, [code(shoe.cards[0])])
    for t_ms in range(180, 220, 8):
        passages.view(t_ms, View(False, 320, 320, ahead_px=40, behind_px=200))
    for t_ms in range(220, 284, 8):
        passages.view(t_ms, View(True, 68, 572))
        passages.read(t_ms, [code(shoe.cards[1])])
    passages.edge(284, blocked=False)
    passages.view(288, View(False, 320, 320, ahead_px=40))

    seen = [one.seen for one in passages.end()]
    assert [one.card or one.unknown for one in seen] == [Unknown.TWO_CARDS, shoe.cards[1].card]

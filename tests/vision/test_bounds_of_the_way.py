"""Which way a card went, whose a line is, and what a recording counts: each at its limits."""

from __future__ import annotations

import pytest

from table_controller.engine.seen import Seen, Unknown
from table_controller.rules.cards import Card
from tests.vision.passing import BACK, GONE, IN_GATE, code, pass_by, unknown, verdicts
from vision.gate import View
from vision.passage import Passages
from vision.witness import Reading, Witness

# -- which way it went


def test_only_the_first_picture_after_the_close_tells_the_way(shoe, beamed):
    """Even one of that very moment; a later one shows the next card, or none."""
    for start, views in ((0, (BACK, GONE)), (200, (GONE, BACK))):
        beamed.edge(start, blocked=True)
        beamed.view(start + 4, IN_GATE)
        beamed.read(start + 4, [code(shoe.cards[0])])
        beamed.edge(start + 60, blocked=False)
        for at, view in zip((60, 68), views, strict=True):
            beamed.view(start + at, view)

    assert unknown(beamed) == [Unknown.PARTIAL, None]


def test_a_picture_of_before_the_close_does_not_tell_the_way(shoe, beamed):
    """Nor one in which the next card is in the gate already."""
    beamed.edge(0, blocked=True)
    beamed.view(4, IN_GATE)
    beamed.read(4, [code(shoe.cards[0])])
    beamed.edge(60, blocked=False)
    beamed.view(59, BACK)
    beamed.view(68, View(True, 0, 330, tail_cut=True))
    beamed.view(76, BACK)

    assert unknown(beamed) == [None]


@pytest.mark.parametrize(
    ("ahead_px", "behind_px", "back"), [(40, 40, False), (40, 39, True), (39, 40, False)]
)
@pytest.mark.parametrize("beam", [True, False])
def test_the_nearer_paper_tells_the_way(shoe, beam, ahead_px, behind_px, back):
    """Behind the gate: it was pushed back. Equally near: it was not."""
    passages = Passages(shoe.lookup, beam=beam)
    if beam:
        passages.edge(0, blocked=True)
    passages.view(0, IN_GATE)
    passages.read(0, [code(shoe.cards[0])])
    if beam:
        passages.edge(60, blocked=False)
    passages.view(62, View(False, 320, 320, ahead_px=ahead_px, behind_px=behind_px))

    assert unknown(passages) == [Unknown.PARTIAL if back else None]


def test_an_edge_told_twice_opens_and_closes_once(beamed):
    """The card is there since the first."""
    beamed.edge(0, blocked=False)
    assert beamed.open_since_ms is None
    beamed.edge(10, blocked=True)
    beamed.edge(20, blocked=True)
    assert beamed.open_since_ms == 10
    beamed.edge(70, blocked=False)
    beamed.edge(80, blocked=False)

    assert [one.due_ms for one in beamed.due(float("inf"))] == [150]


def test_edges_without_a_beam_are_a_way_to_open_and_close_too(passages):
    """For a recording that was made with one."""
    passages.edge(10, blocked=True)
    passages.edge(70, blocked=False)

    assert passages.next_due_ms == 150
    assert passages.beam_fault == ""
    passages.beam_away("unplugged")
    assert passages.beam_fault == ""


def test_at_the_end_a_card_in_the_gate_closes_with_the_last_picture(passages):
    """Half out; and a second end has nothing left."""
    passages.view(0, IN_GATE)
    passages.view(24, IN_GATE)

    assert [(one.due_ms, one.seen.unknown) for one in passages.end()] == [(104, Unknown.PARTIAL)]
    assert passages.end() == []


# -- the serial module's lines


@pytest.mark.parametrize(("t_ms", "of_first"), [(299.9, True), (300, False), (305, False)])
def test_a_line_is_the_next_cards_from_its_opening_on(shoe, passages, t_ms, of_first):
    """The first card was not read by anybody else."""
    pass_by(passages, 0)
    passages.line(t_ms, shoe.cards[0].token)
    pass_by(passages, 300)

    card = shoe.cards[0].card
    assert [seen.card for seen in verdicts(passages)] == (
        [card, None] if of_first else [None, card]
    )
    assert passages.quality.reads == {"module": 1}


@pytest.mark.parametrize(("t_ms", "named"), [(208, False), (208.1, True)])
def test_a_line_is_not_the_one_befores_after_200_ms(shoe, passages, t_ms, named):
    """Until then, if the one before is unread, it names nobody."""
    pass_by(passages, 0)
    pass_by(passages, 150)
    passages.line(t_ms, shoe.cards[0].token)

    assert [seen.card for seen in verdicts(passages)] == [
        None,
        shoe.cards[0].card if named else None,
    ]
    assert passages.quality.late == (not named)


@pytest.mark.parametrize(
    ("text", "stray"),
    [
        ("A" * 14, False),
        ("A" * 13, True),
        ("A" * 15, True),
        ("1" * 8, False),
        ("1" * 7, True),
        ("1" * 9, True),
        ("1234567A", True),
        ("A" * 13 + "-", True),
        ("²" * 8, True),
        ("", True),
    ],
)
def test_a_line_has_the_length_of_a_token_or_of_digits(passages, text, stray):
    """Anything else is noise, and counted as that."""
    pass_by(passages, 0)
    passages.line(9, text)

    assert unknown(passages) == [Unknown.NO_READ if stray else Unknown.FOREIGN]
    assert passages.quality.stray == stray


@pytest.mark.parametrize("busy", ["", "open", "waiting"])
def test_a_late_line_is_late_only_while_no_other_card_passes(shoe, passages, busy):
    """While one does, it is weighed with that one."""
    pass_by(passages, 0, code(shoe.cards[0]))
    verdicts(passages)
    passages.line(150, shoe.cards[1].token)  # of a card that nobody has read yet
    if busy:
        passages.view(200, IN_GATE)
    if busy == "waiting":
        passages.view(208, GONE)
    passages.line(210, shoe.cards[0].token)

    assert passages.quality.late == (not busy)
    assert passages.quality.stray == 0


def test_lines_mean_nothing_where_cards_have_no_labels():
    """And they are no witness."""
    passages = Passages(None)
    for _ in range(2):
        passages.view(0, IN_GATE)
        passages.read(0, [Reading(Witness.FACE, card=Card("7h"))])
    passages.line(1, "1" * 8)
    passages.view(8, GONE)

    assert verdicts(passages) == [Seen(card=Card("7h"))]
    assert passages.quality.agreed == 0


# -- what a recording of a Schlitten counts


def test_every_figure_of_the_quality_begins_at_nothing(passages):
    """And is taken away with the Schlitten."""
    quality = passages.take_quality()
    figures = (
        quality.passages,
        quality.cards,
        quality.white,
        quality.retries,
        quality.agreed,
        quality.late,
        quality.stray,
        quality.unreadable,
        quality.dropped,
    )

    assert figures == (0,) * 9
    assert (quality.unknown, quality.reads, quality.frames_read) == ({}, {}, {})


def test_two_witnesses_agree_and_one_twice_does_not(shoe, passages):
    """A passage that is unknown has agreed on nothing."""
    first, second = shoe.cards[:2]
    pass_by(passages, 0, code(first), code(first))
    pass_by(passages, 100, code(first), code(first, Witness.ZBAR))
    pass_by(passages, 200, code(first), code(second, Witness.ZBAR))
    verdicts(passages)

    assert (passages.quality.passages, passages.quality.agreed) == (3, 1)
    assert (passages.quality.cards, passages.quality.retries) == (2, 0)

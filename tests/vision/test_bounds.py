"""A passage to the millisecond and the pixel: each limit, met exactly and missed by a little."""

from __future__ import annotations

import pytest

from table_controller.engine.seen import Seen, Unknown
from table_controller.rules.cards import Card
from vision.gate import View
from vision.passage import Passages, Reading, Witness

CLEAR = View(False, 320, 320)
IN_GATE = View(True, 100, 600)
GONE = View(False, 320, 320, ahead_px=40, behind_px=200)
BACK = View(False, 320, 320, ahead_px=200, behind_px=40)


@pytest.fixture
def passages(shoe, other_shoe):
    """By the picture alone."""
    return Passages(lambda text: shoe.lookup(text, [other_shoe]))


@pytest.fixture
def beamed(shoe):
    """With an exit beam."""
    return Passages(shoe.lookup, beam=True)


def code(entry, witness=Witness.ZXING, at_px=320.0):
    return Reading(witness, entry.token, at_px=at_px)


def pass_by(passages, start_ms, *readings):
    """A card in the gate at `start_ms`, gone 8 ms later."""
    passages.view(start_ms, IN_GATE)
    passages.read(start_ms, readings)
    passages.view(start_ms + 8, GONE)


def verdicts(passages):
    return [one.seen for one in passages.due(float("inf"))]


def unknown(passages):
    return [seen.unknown for seen in verdicts(passages)]


def test_a_verdict_is_due_80_ms_after_the_close(passages):
    """As shipped, whoever closed it."""
    pass_by(passages, 0)

    assert passages.next_due_ms == 88
    assert passages.due(87.9) == []
    assert [one.due_ms for one in passages.due(88)] == [88]
    assert passages.next_due_ms is None


@pytest.mark.parametrize(
    ("t_ms", "belongs"), [(89.9, False), (90, True), (169.9, True), (170, False), (170.5, False)]
)
def test_a_frame_within_10_ms_of_a_passage_belongs_to_it(shoe, beamed, t_ms, belongs):
    """Blocked from 100 to 160 by the beam's clock; at its end the time is up."""
    beamed.edge(100, blocked=True)
    beamed.edge(160, blocked=False)
    assert beamed.wanted(t_ms) is belongs
    beamed.read(t_ms, [code(shoe.cards[0])])

    assert [seen.card for seen in verdicts(beamed)] == [shoe.cards[0].card if belongs else None]
    assert (beamed.quality.stray, beamed.quality.late) == (0 if belongs else 1, 0)


def test_a_passage_may_close_at_the_very_begin_of_time(beamed):
    """A recording's first moment is a moment like others."""
    beamed.edge(-5, blocked=True)
    beamed.edge(0, blocked=False)

    assert beamed.next_due_ms == 80
    assert [one.due_ms for one in beamed.due(80)] == [80]


def test_a_frame_that_two_passages_could_claim_is_the_first_ones_by_time(shoe, beamed):
    """The second opens where the first closed: the moment is the second's."""
    for edge, blocked in ((100, True), (160, False), (160, True), (220, False)):
        beamed.edge(edge, blocked=blocked)
    beamed.read(160, [code(shoe.cards[1])])

    assert [seen.card for seen in verdicts(beamed)] == [None, shoe.cards[1].card]


@pytest.mark.parametrize(("gap_ms", "seen"), [(150, None), (150.5, Unknown.UNSURE)])
def test_150_ms_without_a_picture_are_forgiven(shoe, passages, gap_ms, seen):
    """Longer, and another card may have followed unseen."""
    passages.view(0, IN_GATE)
    passages.read(0, [code(shoe.cards[0])])
    passages.view(gap_ms, IN_GATE)
    passages.view(gap_ms + 8, GONE)

    assert unknown(passages) == [seen]


@pytest.mark.parametrize(("opened_ms", "seen"), [(10, Unknown.UNSURE), (10.5, None)])
def test_a_gap_before_the_card_came_hides_nothing(shoe, beamed, opened_ms, seen):
    """The beam says when it came: after the last picture, or with it."""
    beamed.view(10, CLEAR)
    beamed.edge(opened_ms, blocked=True)
    beamed.view(200, IN_GATE)
    beamed.read(200, [code(shoe.cards[0])])
    beamed.edge(205, blocked=False)

    assert unknown(beamed) == [seen]


@pytest.mark.parametrize(("lead_px", "seen"), [(564.48, None), (565, Unknown.TWO_CARDS)])
def test_paper_may_be_twelve_hundredths_longer_than_a_card(shoe, passages, lead_px, seen):
    """504 px and what the cells of 8 px add."""
    passages.view(0, View(True, 0, lead_px))
    passages.read(0, [code(shoe.cards[0])])
    passages.view(8, GONE)

    assert unknown(passages) == [seen]


@pytest.mark.parametrize(
    ("leads", "seen"),
    [((420, 340), None), ((420, 339), Unknown.TWO_CARDS), ((420, 339, 419), Unknown.TWO_CARDS)],
)
def test_a_leading_edge_may_seem_80_px_further_back(shoe, passages, leads, seen):
    """Within one frame; once it leapt, it has leapt."""
    for number, lead_px in enumerate(leads):
        passages.view(8.0 * number, View(True, 0, lead_px, tail_cut=True))
        passages.read(8.0 * number, [code(shoe.cards[0])])
    passages.view(80, GONE)

    assert unknown(passages) == [seen]


def test_an_edge_that_leaps_after_a_clear_gate_is_the_next_cards(shoe, passages):
    """Only edges of one passage are compared, and only of pictures that follow each other."""
    for start, lead_px in ((0, 500), (100, 330)):
        passages.view(start, View(True, 0, lead_px, tail_cut=True))
        passages.read(start, [code(shoe.cards[0])])
        passages.view(start + 8, GONE)
    passages.view(300, View(True, 0, 500, tail_cut=True))
    passages.read(300, [code(shoe.cards[0])])
    passages.view(500, View(True, 0, 330, tail_cut=True))
    passages.view(508, GONE)

    assert unknown(passages) == [None, None, Unknown.UNSURE]


@pytest.mark.parametrize(
    ("view", "seen"),
    [
        (View(True, 100, 402.4), None),
        (View(True, 100, 402), Unknown.PARTIAL),
        (View(True, 0, 302, tail_cut=True), None),
        (View(True, 338, 640, lead_cut=True), None),
    ],
)
def test_six_tenths_of_a_card_are_a_card(shoe, passages, view, seen):
    """302.4 of 504 px, where both ends are in sight."""
    passages.view(0, view)
    passages.read(0, [code(shoe.cards[0])])
    passages.view(8, GONE)

    assert unknown(passages) == [seen]


def test_the_most_paper_that_was_measured_counts(shoe, passages):
    """A card comes out bit by bit, and a view that cuts it measures nothing."""
    for number, view in enumerate([View(True, 100, 500), View(True, 200, 450)]):
        passages.view(8.0 * number, view)
        passages.read(8.0 * number, [code(shoe.cards[0])])
    passages.view(16, GONE)

    assert unknown(passages) == [None]


@pytest.mark.parametrize(("at_px", "seen"), [(258.0, None), (258.5, Unknown.DUPLICATE)])
def test_half_a_label_apart_are_two_labels(shoe, passages, at_px, seen):
    """58 of 116 px: one decoder cannot find one code in two such places."""
    entry = shoe.cards[0]
    pass_by(passages, 0, code(entry, at_px=200), code(entry, at_px=at_px))

    assert unknown(passages) == [seen]


def test_a_face_at_two_places_is_no_doubled_label(shoe):
    """Both indices of one card; and three codes of which the last two are apart."""
    faces = [Reading(Witness.FACE, card=Card("7h"), at_px=at_px) for at_px in (200.0, 400.0)]
    passages = Passages(None)
    pass_by(passages, 0, *faces)
    assert verdicts(passages) == [Seen(card=Card("7h"))]

    entry, other = shoe.cards[:2]
    labelled = Passages(shoe.lookup)
    pass_by(labelled, 0, code(entry), code(other, at_px=0.0), code(entry, at_px=400.0))
    pass_by(labelled, 100, code(entry), code(entry, at_px=322.0), code(entry, at_px=400.0))
    assert unknown(labelled) == [Unknown.TWO_CARDS, Unknown.DUPLICATE]


def test_sixteen_frames_are_read_and_then_one_each_50_ms(shoe, passages):
    """Of a card that rests in the gate."""
    for t_ms in range(0, 160, 10):
        passages.view(t_ms, IN_GATE)
        assert passages.wanted(t_ms)
        passages.read(t_ms, [code(shoe.cards[0])])

    assert not passages.wanted(199.9)
    assert passages.wanted(200)
    passages.read(200, [code(shoe.cards[0])])
    assert not passages.wanted(249.9)
    assert passages.wanted(250)


def test_nothing_is_wanted_of_an_empty_gate(passages):
    """Nor is a frame in which nothing was read one that was read."""
    assert not passages.wanted(0)
    passages.view(0, IN_GATE)
    passages.read(0, [])
    passages.view(8, GONE)
    verdicts(passages)

    assert passages.quality.frames_read == {0: 1}
    assert (passages.quality.stray, passages.quality.late) == (0, 0)


def test_late_readings_are_known_for_four_passages(shoe, passages):
    """An older one is nobody's."""
    for start in range(0, 500, 100):
        pass_by(passages, start)
    verdicts(passages)
    for t_ms in (0, 100, 400):
        passages.read(t_ms, [code(shoe.cards[0])])

    assert (passages.quality.stray, passages.quality.late) == (1, 2)


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
    """Of a recording that was made with one."""
    passages.edge(10, blocked=True)
    passages.edge(70, blocked=False)

    assert passages.next_due_ms == 150
    assert passages.beam_fault == ""
    passages.beam_away("unplugged")
    assert passages.beam_fault == ""


def test_a_gate_that_is_clear_twice_closed_at_the_first(shoe, passages):
    """And paper that was never gone closes when paper is seen beside it."""
    for t_ms, view in ((0, IN_GATE), (8, CLEAR), (16, CLEAR), (100, IN_GATE), (108, CLEAR)):
        passages.view(t_ms, view)
    passages.view(116, IN_GATE)
    passages.view(124, CLEAR)
    passages.view(132, GONE)

    assert [one.due_ms for one in passages.due(float("inf"))] == [88, 204]


def test_at_the_end_a_card_in_the_gate_closes_with_the_last_picture(passages):
    """Half out; and a second end has nothing left."""
    passages.view(0, IN_GATE)
    passages.view(24, IN_GATE)

    assert [(one.due_ms, one.seen.unknown) for one in passages.end()] == [(104, Unknown.PARTIAL)]
    assert passages.end() == []


# -- the serial module's lines


@pytest.mark.parametrize(("t_ms", "of_first"), [(89.9, True), (90, False), (95, False)])
def test_a_line_is_the_next_cards_from_its_opening_on(shoe, passages, t_ms, of_first):
    """The first card was not read by anybody else."""
    pass_by(passages, 0)
    passages.line(t_ms, shoe.cards[0].token)
    pass_by(passages, 90)

    card = shoe.cards[0].card
    assert [seen.card for seen in verdicts(passages)] == (
        [card, None] if of_first else [None, card]
    )
    assert passages.quality.reads == {"module": 1}


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

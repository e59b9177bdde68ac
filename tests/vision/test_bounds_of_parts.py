"""Gate, lip and verdict at their limits, which are met exactly and missed by a little."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from table_controller.engine.seen import Seen, Unknown
from table_controller.rules.cards import Card
from vision.faces.passage import moved
from vision.gate import View, look
from vision.lip import SHIPPED, Lip
from vision.manifest import LabelledCard, LabelVerdict, Lookup
from vision.verdict import Passage, entries, verdict

# -- the gate


def picture(*papers, light=190):
    told = np.full((192, 640), 28, np.uint8)
    for start, end in papers:
        told[:, start:end] = light
    return told


@pytest.mark.parametrize(
    ("papers", "view"),
    [
        ([(320, 328)], View(True, 320, 328)),
        ([(312, 320)], View(False, 320, 320, behind_px=8)),
        ([(328, 336)], View(False, 320, 320, ahead_px=8)),
        ([(0, 640)], View(True, 0, 640, True, True)),
        ([(8, 632)], View(True, 8, 632)),
        ([(0, 632)], View(True, 0, 632, True, False)),
        ([(0, 8), (632, 640)], View(False, 320, 320, ahead_px=312, behind_px=320)),
        ([(0, 24), (40, 72), (600, 640)], View(False, 320, 320, ahead_px=280, behind_px=256)),
        ([(80, 312), (320, 584)], View(True, 80, 584)),
        ([(0, 304), (320, 640)], View(True, 320, 640, lead_cut=True)),
        ([(80, 304), (320, 584)], View(True, 80, 584)),
        ([(80, 304), (320, 592)], View(True, 80, 592)),
        ([(80, 304), (320, 608)], View(True, 80, 608)),
        ([(80, 304), (320, 640)], View(True, 80, 640, lead_cut=True)),
        ([(72, 304), (320, 640)], View(True, 320, 640, lead_cut=True)),
        ([(0, 304), (344, 504)], View(True, 0, 504, tail_cut=True)),
        ([], View(False, 320, 320)),
    ],
)
def test_paper_is_where_it_is_to_a_cell(papers, view):
    """Cells of 8 px; one dark cell amid paper is a rule of ink, two are a gap.

    But of two pieces within a card's length and a tenth, one too short for a card, neither is one.
    """
    found = look(picture(*papers), SHIPPED)

    assert replace(found, along_px=None, bands_px={}) == view


@pytest.mark.parametrize(("light", "blocked"), [(60, False), (61, True)])
def test_paper_is_brighter_than_its_level(light, blocked):
    """60 of 255 as shipped."""
    assert look(picture((80, 584), light=light), SHIPPED).blocked is blocked


@pytest.mark.parametrize(("rows", "blocked"), [(3, False), (4, True)])
def test_a_fifth_of_a_column_is_paper(rows, blocked):
    """Four of a column's twenty cells, as a printed face darkens the others."""
    told = np.full((160, 640), 28, np.uint8)
    told[: 8 * rows, 80:584] = 190

    assert look(told, SHIPPED).blocked is blocked


def test_a_clear_view_is_bare():
    """No paper, and none near."""
    view = View(False)

    assert (view.tail_px, view.lead_px, view.length_px) == (0, 0, 0)
    assert (view.tail_cut, view.lead_cut) == (False, False)
    assert view.ahead_px == view.behind_px == float("inf")
    assert View(True, 100, 340).length_px == 240


# -- the lip


def test_the_lip_as_shipped():
    """The building plan's figures, and what follows from them."""
    assert (SHIPPED.width_px, SHIPPED.height_px, SHIPPED.px_per_mm) == (640, 480, 8.0)
    assert (SHIPPED.module_mm, SHIPPED.card_mm) == (0.5, (63.0, 88.0))
    assert (SHIPPED.reach_px, SHIPPED.across_px, SHIPPED.paper_level) == (200, 24, 60)
    assert SHIPPED.whole is False
    assert (SHIPPED.gate_px, SHIPPED.label_mm) == (320, 14.5)
    assert (SHIPPED.label_px, SHIPPED.card_px) == (116.0, 504.0)


def test_a_label_askew_at_the_edge_of_its_room_is_in_the_rows_and_columns_that_are_decoded():
    """Turned by 5 degrees 63 px to each side, 24 off the middle, 4 to spare; 200 along."""
    assert SHIPPED.rows(480) == slice(149, 331)
    assert SHIPPED.rows(192) == slice(5, 187)
    assert SHIPPED.rows(96) == slice(0, 96)
    assert SHIPPED.columns() == slice(57, 583)
    assert Lip(reach_px=400).columns() == slice(0, 640)


def test_the_whole_card_is_in_the_rows_where_faces_are_read():
    """88 mm across: 176 px to each side at 4 px for each mm."""
    assert Lip(px_per_mm=4.0, whole=True).paper_rows(480) == slice(64, 416)
    assert Lip(px_per_mm=4.0).paper_rows(480) == Lip(px_per_mm=4.0).rows(480)


def test_corners_move_by_what_the_edge_moved():
    """Along the motion alone."""
    corners = np.array([(100, 10), (300, 10), (300, 90), (100, 90)], np.float32)
    by_lead = moved(corners, View(True, 40, 350))
    by_tail = moved(corners, View(True, 60, 640, lead_cut=True))

    assert by_lead is not None
    assert by_tail is not None
    assert by_lead.tolist() == [[150, 10], [350, 10], [350, 90], [150, 90]]
    assert by_tail.tolist() == [[60, 10], [260, 10], [260, 90], [60, 90]]


# -- weighing


def passage(*lookups, **known):
    told = Passage(0.0, 60.0, **known)
    for number, lookup in enumerate(lookups):
        told.found[str(number)] = lookup
    return told


SEVEN = LabelledCard("T7", "00000007", Card("7h"), 3)
NINE = LabelledCard("T9", "00000009", Card("9s"), 1)
WHITE = LabelledCard("TW", "00000000", None, 0)


def known(entry, *, weak=False):
    return Lookup(LabelVerdict.KNOWN, entry, "blue-1", weak)


def test_a_passage_begins_with_nothing_known():
    """Each has its own fields, not shared with the next."""
    one, other = Passage(5.0), Passage(5.0)
    one.faces[Card("7h")] += 1
    one.frames.add(1.0)

    assert (other.closed_ms, other.whole_px) == (None, None)
    assert (other.back, other.two, other.twice, other.blind) == (False,) * 4
    assert (other.found, other.faces, other.witnesses, other.frames) == (
        {},
        Counter(),
        set(),
        set(),
    )
    assert verdict(other, SHIPPED, labels=True) == Seen(unknown=Unknown.NO_READ)


@pytest.mark.parametrize(
    ("t_ms", "skew_ms", "holds"),
    [(5, 0, True), (4.9, 0, False), (4, 1, True), (59.9, 0, True), (60, 0, False), (60, 1, True),
     (61, 1, False)],
)  # fmt: skip
def test_a_passage_holds_from_its_opening_to_just_before_its_close(t_ms, skew_ms, holds):
    assert Passage(5.0, 60.0).holds(t_ms, skew_ms) is holds
    assert Passage(5.0).holds(10**9, 0)
    assert Passage(5.0, 0.0).holds(5, 0) is False


def test_the_first_thing_that_is_wrong_is_what_it_is_called():
    """Half a card comes before a foreign one, and so on down to one that nobody watched."""
    foreign, theirs = Lookup(LabelVerdict.FOREIGN), Lookup(LabelVerdict.OTHER_SHOE, shoe="red-2")
    wrong = {"twice": True, "blind": True, "whole_px": 10.0}
    ours = known(SEVEN)
    order = [
        (passage(ours, foreign, theirs, known(NINE), back=True, two=True, **wrong), "PARTIAL"),
        (passage(ours, foreign, theirs, known(NINE), two=True, **wrong), "FOREIGN"),
        (passage(ours, theirs, known(NINE), two=True, **wrong), "OTHER_SHOE"),
        (passage(ours, known(NINE), **wrong), "TWO_CARDS"),
        (passage(ours, two=True, **wrong), "TWO_CARDS"),
        (passage(ours, **wrong), "DUPLICATE"),
        (passage(ours, blind=True, whole_px=10.0), "PARTIAL"),
        (passage(ours, blind=True), "UNSURE"),
    ]
    for seen, name in order:
        assert verdict(seen, SHIPPED, labels=True) == Seen(unknown=Unknown[name])
    assert verdict(passage(ours), SHIPPED, labels=True) == Seen(card=Card("7h"), copy=3)


SEVEN_TWICE, NINE_TWICE = Counter({Card("7h"): 2}), Counter({Card("9s"): 2})


@pytest.mark.parametrize(
    ("lookups", "faces", "labels", "seen"),
    [
        ([known(SEVEN, weak=True)], {}, True, Seen(unknown=Unknown.UNSURE)),
        ([known(SEVEN, weak=True)], {Card("7h"): 1}, True, Seen(unknown=Unknown.UNSURE)),
        ([known(SEVEN, weak=True)], SEVEN_TWICE, True, Seen(card=Card("7h"), copy=3)),
        ([known(SEVEN, weak=True)], NINE_TWICE, True, Seen(unknown=Unknown.DISAGREE)),
        ([known(SEVEN)], SEVEN_TWICE, True, Seen(card=Card("7h"), copy=3)),
        ([known(SEVEN)], {Card("9s"): 1}, True, Seen(card=Card("7h"), copy=3)),
        ([known(SEVEN)], NINE_TWICE, True, Seen(unknown=Unknown.DISAGREE)),
        ([known(SEVEN), known(NINE, weak=True)], {}, True, Seen(unknown=Unknown.DISAGREE)),
        ([known(SEVEN), known(SEVEN, weak=True)], {}, True, Seen(card=Card("7h"), copy=3)),
        ([known(WHITE)], {}, True, Seen(white=True)),
        ([known(WHITE)], SEVEN_TWICE, True, Seen(unknown=Unknown.DISAGREE)),
        ([known(WHITE, weak=True)], {}, True, Seen(unknown=Unknown.UNSURE)),
        ([], SEVEN_TWICE, True, Seen(unknown=Unknown.UNSURE)),
        ([], SEVEN_TWICE, False, Seen(card=Card("7h"))),
        ([], {Card("7h"): 1}, False, Seen(unknown=Unknown.UNSURE)),
        ([], {Card("7h"): 2, Card("9s"): 1}, False, Seen(unknown=Unknown.UNSURE)),
        ([], {Card("7h"): 2, Card("9s"): 2}, False, Seen(unknown=Unknown.DISAGREE)),
        ([], {}, False, Seen(unknown=Unknown.NO_READ)),
    ],
)
def test_whatever_is_not_one_card_beyond_doubt_is_unknown(lookups, faces, labels, seen):
    """A token is enough, digits want a face beside them, a face wants two frames."""
    told = passage(*lookups, faces=Counter(faces))

    assert verdict(told, SHIPPED, labels=labels) == seen


def test_digits_and_tokens_are_told_apart():
    """Those of another shoe name no card."""
    told = passage(
        known(SEVEN), known(NINE, weak=True), Lookup(LabelVerdict.OTHER_SHOE, shoe="red-2")
    )

    assert entries(told, weak=False) == [SEVEN]
    assert entries(told, weak=True) == [NINE]

"""The places of things on a page, written out for small tables."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from table_controller.adapters.web import layout
from table_controller.engine.messages import phrase
from table_controller.engine.pieces import Party, Spot, Stake, Tray
from table_controller.engine.views import STANDING, SeatView
from table_controller.wiring import config
from table_controller.wiring.games import game
from tests.adapters.web import overlaps, pieces, samples
from tests.adapters.web.samples import ADVICE_LIT


def tray(name, row=0):
    """A tray of that name."""
    return Tray(name=name, label=phrase(name), slots=2, row=row)


SPOT = Spot(name="player", label=phrase("Player"))
DUEL = replace(
    ADVICE_LIT, trays=(tray("elder", 2), tray("trick", 1), tray("trump", 1), tray("dealer"))
)


@pytest.mark.parametrize(
    ("shown", "kind"),
    [
        (ADVICE_LIT, "ring"),
        (replace(ADVICE_LIT, trays=()), "ring"),
        (DUEL, "duel"),
        (replace(ADVICE_LIT, spots=(SPOT,)), "cloth"),
        (replace(DUEL, spots=(SPOT,)), "cloth"),
    ],
)
def test_how_the_seats_lie(shown, kind):
    """Seats across spots, two parties, or a ring; by what a game has and not by its name."""
    assert layout.kind(shown) == kind


@pytest.mark.parametrize(
    ("count", "right", "top", "left"),
    [
        (0, [], [], []),
        (1, [], [1], []),
        (2, [], [1, 2], []),
        (3, [], [1, 2, 3], []),
        (4, [], [1, 2, 3, 4], []),
        (5, [], [1, 2, 3, 4, 5], []),
        (6, [1], [2, 3, 4, 5], [6]),
        (9, [1, 2], [3, 4, 5, 6, 7], [8, 9]),
        (10, [1, 2, 3], [4, 5, 6, 7], [8, 9, 10]),
        (12, [1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]),
    ],
)
def test_seats_go_round_the_table_from_the_right(count, right, top, left):
    """Each edge in the order of the seats, at most five across from the croupier."""
    seats = [SeatView(seat=n, taken=True) for n in range(1, count + 1)]

    edges = layout.ring(seats)

    assert {edge: [at.seat for at in there] for edge, there in edges.items()} == {
        "right": right, "top": top, "left": left,
    }  # fmt: skip


def test_trays_lie_row_by_row():
    """The lowest row on top, those of one row as the game names them."""
    rows = layout.tray_rows(DUEL)

    assert [[one.name for one in row] for row in rows] == [
        ["dealer"],
        ["trick", "trump"],
        ["elder"],
    ]
    assert layout.tray_rows(replace(DUEL, trays=())) == []


def test_a_tray_is_there_whoever_holds_the_hand():
    """And stays empty if nobody does."""
    bank = samples.BEFORE_STAKING  # only the bank has been given out

    assert [layout.hand_in(bank, one) for one in bank.trays] == [None, bank.hands[0]]
    assert bank.hands[0].name == "banker"
    assert layout.tray_rows(bank) == layout.tray_rows(samples.SETTLEMENT)


@pytest.mark.parametrize("name", config.houses())
def test_every_hand_of_a_game_has_a_tray_with_a_slot_for_each_card(name):
    """Over an evening with mishaps; and each picture has the same trays, in whatever order."""
    house = config.house(name)
    door = game(house.game)
    trays, cards = [], {}
    for moment in overlaps.evening(house, coups=4, mishaps=True):
        snap = door.snapshot(moment.table, overlaps.PATHS["/"])
        named = {one.name: one.slots for one in snap.trays}
        trays += [named] * (named not in trays)
        for hand in snap.hands:
            cards[hand.name] = max(cards.get(hand.name, 0), len(hand.cards))

    [slots] = trays
    assert cards.keys() == slots.keys()
    assert all(cards[hand] <= slots[hand] for hand in cards)


def test_only_the_staff_are_told_who_holds_a_hand():
    """By the seat; nobody sits at seat 4, and no hand lies at the table's own place."""
    assert layout.holder(ADVICE_LIT, 2, staff=True) == pieces.NAMES[1] == "A."
    assert layout.holder(ADVICE_LIT, 2, staff=False) == ""
    assert layout.holder(ADVICE_LIT, 4, staff=True) == ""
    assert layout.holder(ADVICE_LIT, 0, staff=True) == ""


def test_what_lies_is_found_by_seat_and_spot():
    """Two spots of one seat are two places."""
    stakes = (
        Stake(seat=2, chips=50, spot="player"),
        Stake(seat=2, chips=5, spot="tie"),
        Stake(seat=3, chips=20, spot="player"),
    )

    assert layout.laid(replace(ADVICE_LIT, stakes=stakes)) == {
        (2, "player"): 50, (2, "tie"): 5, (3, "player"): 20,
    }  # fmt: skip
    assert layout.laid(ADVICE_LIT) == {(2, ""): 160}


def test_whoever_stakes_lies_on_one_of_two_sides():
    """In the parties' own order; others who sit wait, empty seats and strangers are left out."""
    parties = (
        Party(label=phrase("with seat 3"), seats=(3, STANDING + 1)),
        Party(label=phrase("with seat 1"), seats=(1, 5, STANDING + 9)),
    )
    standing = SeatView(seat=STANDING + 1, taken=True)
    now = replace(DUEL, parties=parties, seats=(*DUEL.seats, standing))

    apart = layout.parties(now)

    assert [str(side.label) for side in apart.sides] == ["with seat 3", "with seat 1"]
    assert [[at.seat for at in side.seats] for side in apart.sides] == [[3, STANDING + 1], [1, 5]]
    assert [at.seat for at in apart.others] == [2, 6, 7, 9]


def test_before_there_are_parties_everybody_waits():
    """Two sides without a name, and nobody on them."""
    apart = layout.parties(DUEL)

    assert [(str(side.label), side.seats) for side in apart.sides] == [("", ()), ("", ())]
    assert [at.seat for at in apart.others] == [1, 2, 3, 5, 6, 7, 9]

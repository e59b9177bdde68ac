"""Places on the page: where the cards of each hand are, and at which edge each seat is.

The module is pure. A game says which trays, seats, spots and parties it has, and this module says
where they are. It knows no game and no HTML.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from table_controller.engine.messages import Phrase
from table_controller.engine.pieces import Hand, Party, Tray
from table_controller.engine.views import SeatView, Snapshot

MOST_ON_TOP = 5


def kind(snapshot: Snapshot) -> str:
    """Return the arrangement of seats: a `cloth` of spots, a `duel` of two parties, or a `ring`."""
    if snapshot.spots:
        return "cloth"
    return "duel" if any(tray.row for tray in snapshot.trays) else "ring"


def ring(seats: Sequence[SeatView]) -> dict[str, Sequence[SeatView]]:
    """Split the seats among three edges, at most MOST_ON_TOP on top. Seat 1 is at the right."""
    side = max(0, len(seats) - MOST_ON_TOP + 1) // 2
    top = len(seats) - side
    return {"right": seats[:side], "top": seats[side:top], "left": seats[top:]}


@dataclass(frozen=True, slots=True)
class PartyAt:
    """A party: its label and the views of its seats."""

    label: Phrase
    seats: tuple[SeatView, ...]


@dataclass(frozen=True, slots=True)
class Parties:
    """The seats of the two sides, and the seats that are on neither side."""

    sides: tuple[PartyAt, ...]
    others: tuple[SeatView, ...]


def parties(snapshot: Snapshot) -> Parties:
    """Return the players who stake on each side, and the others. Empty seats are left out."""
    known = {seat.seat: seat for seat in snapshot.seats}
    sides = tuple(
        PartyAt(party.label, tuple(known[seat] for seat in party.seats if seat in known))
        for party in snapshot.parties or (Party(label=Phrase(""), seats=()),) * 2
    )
    placed = {seat.seat for party in sides for seat in party.seats}
    others = (seat for seat in snapshot.seats if seat.taken and seat.seat not in placed)
    return Parties(sides, tuple(others))


def tray_rows(snapshot: Snapshot) -> list[list[Tray]]:
    """Return the trays in rows, from the first row to the last."""
    rows = sorted({tray.row for tray in snapshot.trays})
    return [[tray for tray in snapshot.trays if tray.row == row] for row in rows]


def hand_in(snapshot: Snapshot, tray: Tray) -> Hand | None:
    """Return the hand that is in a tray; None if the tray has no hand."""
    return next((hand for hand in snapshot.hands if hand.name == tray.name), None)


def holder(snapshot: Snapshot, place: int, *, staff: bool) -> str:
    """Return the name of the player at a seat, for the staff; "" for guests or an empty seat."""
    named = (one.name for one in snapshot.people if one.seat == place and staff)
    return next(named, "")


def laid(snapshot: Snapshot) -> dict[tuple[int, str], int]:
    """Return the bets, by seat and spot."""
    return {(stake.seat, stake.spot): stake.chips for stake in snapshot.stakes}

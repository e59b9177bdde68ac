"""Where things lie on a page: which tray holds which hand, which seat is at which edge. Pure.

A game says which trays, seats, spots and parties it has; this module says where they are. Knows no
game, no HTML.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from table_controller.engine.messages import Phrase
from table_controller.engine.pieces import Hand, Party, Tray
from table_controller.engine.views import SeatView, Snapshot

MOST_ON_TOP = 3


def kind(snapshot: Snapshot) -> str:
    """How the seats are arranged: a `cloth` of spots, a `duel` of two parties, or a `ring`."""
    if snapshot.spots:
        return "cloth"
    return "duel" if any(tray.row for tray in snapshot.trays) else "ring"


def ring(seats: Sequence[SeatView]) -> dict[str, Sequence[SeatView]]:
    """Split the seats among three edges, at most three on top; seat 1 is at the right."""
    side = max(0, len(seats) - MOST_ON_TOP + 1) // 2
    top = len(seats) - side
    return {"right": seats[:side], "top": seats[side:top], "left": seats[top:]}


@dataclass(frozen=True, slots=True)
class PartyAt:
    """A party with its seats as they are."""

    label: Phrase
    seats: tuple[SeatView, ...]


@dataclass(frozen=True, slots=True)
class Parties:
    """The seats of either side, and those on neither."""

    sides: tuple[PartyAt, ...]
    others: tuple[SeatView, ...]


def parties(snapshot: Snapshot) -> Parties:
    """Return who stakes on which side, and who waits, empty seats left out."""
    known = {seat.seat: seat for seat in snapshot.seats}
    sides = tuple(
        PartyAt(party.label, tuple(known[seat] for seat in party.seats if seat in known))
        for party in snapshot.parties or (Party(label=Phrase(""), seats=()),) * 2
    )
    placed = {seat.seat for party in sides for seat in party.seats}
    others = (seat for seat in snapshot.seats if seat.taken and seat.seat not in placed)
    return Parties(sides, tuple(others))


def tray_rows(snapshot: Snapshot) -> list[list[Tray]]:
    """Return the trays row by row."""
    rows = sorted({tray.row for tray in snapshot.trays})
    return [[tray for tray in snapshot.trays if tray.row == row] for row in rows]


def hand_in(snapshot: Snapshot, tray: Tray) -> Hand | None:
    """Return the hand that lies in a tray, if anybody holds it."""
    return next((hand for hand in snapshot.hands if hand.name == tray.name), None)


def holder(snapshot: Snapshot, place: int, *, staff: bool) -> str:
    """Return the name of a hand's holder, for the staff; "" if it must not be shown."""
    named = (one.name for one in snapshot.people if one.seat == place and staff)
    return next(named, "")


def laid(snapshot: Snapshot) -> dict[tuple[int, str], int]:
    """Return the bets on each seat's spots."""
    return {(stake.seat, stake.spot): stake.chips for stake in snapshot.stakes}

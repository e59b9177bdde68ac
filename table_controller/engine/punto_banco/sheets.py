"""The output of commands for punto banco: the coups that were published, and the table of draws."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import Struct, field

from table_controller.engine.punto_banco.events import PLACES
from table_controller.engine.punto_banco.inputs import Side
from table_controller.engine.sheet import Sheet
from table_controller.engine.table.standing import standing
from table_controller.rules.punto_banco.house import House
from table_controller.rules.punto_banco.tableau import STOOD, banker_draws

_SIDES = {place: side for side, place in PLACES.items()}
_WINS = {"P": "Player wins", "B": "Banker wins", "T": "tie"}


class CoupRow(Struct):
    """One coup as the public saw it. A card that is not yet open is None.

    `returned` are the stakes that won or stayed, without winnings.
    """

    number: int
    staked: int = 0
    hands: dict[str, dict[int, str | None]] = field(
        default_factory=lambda: {side.value: {} for side in Side}
    )
    points: tuple[int, int] | None = None
    winner: str | None = None
    returned: int = 0
    paid: int = 0
    commission: int = 0
    lost: int = 0
    outcome: str = "interrupted"

    def hand(self, side: Side) -> str:
        """The cards of a hand and, once they are counted, its points, as text."""
        cards = [card or "··" for _, card in sorted(self.hands[side].items())]
        counted = "" if self.points is None else f" = {self.points[side is Side.BANKER]}"
        return " ".join(cards) + counted

    @property
    def result(self) -> str:
        """The winner, or the reason why nobody won, as text."""
        return _WINS[self.winner] if self.winner else self.outcome


def recall(events: Iterable[dict[str, Any]]) -> Sheet:
    """All coups in these public events, in order, including an interrupted one."""
    coups = heard(standing(events))
    rows = (
        (str(c.number), c.hand(Side.PLAYER), c.hand(Side.BANKER), c.result, str(c.staked))
        for c in coups
    )
    return Sheet(("coup", "Player", "Banker", "result", "staked"), tuple(rows), tuple(coups))


def heard(events: Iterable[dict[str, Any]], found: list[CoupRow] | None = None) -> list[CoupRow]:
    """Find all coups in these public events, in order. Return them, and add them to `found`.

    The events that were taken back are not among them (see `standing`).
    """
    found = [] if found is None else found
    dealing = False  # whether the Schlitten in use is that of the last coup
    for event in events:
        match event:
            case {"type": "coup_begun", "coup": number, "staked": staked}:
                found.append(CoupRow(number, staked))
                dealing = True
            case {"type": "schlitten_ready"}:
                dealing = False
            case {"type": "result_changed", "coup": number, "winner": won}:
                _changed(found, number, won)
            case _ if dealing:
                _hear(found[-1], event)
    return found


def _changed(coups: list[CoupRow], number: int, won: str) -> None:
    """Give the coup of this number another winner, if it had one (PB-26)."""
    for coup in coups:
        if coup.number == number and coup.winner:
            coup.winner = won


def _hear(coup: CoupRow, event: dict[str, Any]) -> None:
    """Note an event of the coup's own Schlitten, in which `ordinal` names one card."""
    match event:
        case {"type": "card_drawn", "seat": place, "ordinal": n} if place in _SIDES:
            coup.hands[_SIDES[place]].setdefault(n, None)
        case {"type": "card_opened", "seat": place, "ordinal": n, "card": card} if place in _SIDES:
            coup.hands[_SIDES[place]][n] = card
        case {"type": "card_moved", "seat": place, "ordinal": n}:
            coup.hands[_SIDES[place]][n] = _taken(coup, n)
        case {"type": "card_removed", "ordinal": n}:
            _taken(coup, n)
        case {"type": "coup_annulled", "reason": reason}:
            coup.outcome, coup.winner = f"annulled: {reason}", None
        case {"type": "coup_settled", "winner": won}:
            coup.points, coup.winner = (event["player"], event["banker"]), won
            coup.staked, coup.returned = event["staked"], event["back"] + event["stays"]
            coup.paid, coup.outcome = event["paid"], "settled"
            coup.lost, coup.commission = event["lost"], event["commission"]
        case {"type": "result_reopened"}:
            coup.winner, coup.outcome = None, "reopened"


def _taken(coup: CoupRow, ordinal: int) -> str | None:
    """Take this card out of its hand. Return it; None if it is closed, or in no hand."""
    taken = [hand.pop(ordinal) for hand in coup.hands.values() if ordinal in hand]
    return taken[0] if taken else None


def wall(_house: House) -> Sheet:
    """The table of draws, which says when Banker draws, as a table for printing (PB-7)."""
    given = (STOOD, *range(10))
    rows = tuple(
        (str(points), *("●" if banker_draws(points, pips) else "–" for pips in given))
        for points in range(8)
    )
    data = tuple(
        {
            "points": points,
            "given": None if pips == STOOD else pips,
            "draws": banker_draws(points, pips),
        }
        for points in range(8)
        for pips in given
    )
    title, note = "Banker's third card", "● draws   – stands (PB-7)"
    return Sheet(("Banker", "stood", *map(str, range(10))), rows, data, title, note)

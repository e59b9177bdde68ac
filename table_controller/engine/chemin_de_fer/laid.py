"""The cards in each hand, found from the public events alone. The module knows no table.

Source: ZX-1, ZP-9, Z-11, Z-12, Z-15, Z-21, R-18, R-38.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from table_controller.engine.table.standing import taken_back
from table_controller.rules.cards import Card
from table_controller.rules.points import points

#: The hand of a card that was given back. It is the banker's, unless the card is burned (Z-21).
_GIVEN_BACK = -1
#: The events before which no card of the coup under way lies in a hand.
_BEGINS = frozenset({"schlitten_ready", "bank_posted", "coup_paid", "coup_annulled"})


class Laid:
    """The cards of the coup under way, found from public events.

    If the events begin in the middle of a coup, nothing is known about this coup.
    """

    def __init__(self) -> None:
        self._known = False
        self._told: list[dict[str, Any]] = []  # since the coup before; {"type": ""} if taken back
        self._begin(known=False)

    def _begin(self, *, known: bool = True) -> None:
        self._known = self._known or known
        self._place: dict[int, int] = {}
        self._face: dict[int, str] = {}
        self._thrown: set[int] = set()
        self._misdealt = False

    def hear(self, event: dict[str, Any]) -> str:
        """Note a public event. Return what is wrong with the points in it, or ""."""
        if event["type"] in _BEGINS:
            self._told = []
        if event["type"] == "withdrawn":
            self._again(event)
        self._told.append(event)
        return self._note(event)

    def _again(self, withdrawn: dict[str, Any]) -> None:
        """Note the coup's events again, without those that were taken back (R-20)."""
        for at in taken_back(len(self._told), withdrawn):
            self._told[at] = {"type": ""}
        self._begin(known=False)
        for event in self._told:
            self._note(event)
        if "events" not in withdrawn:  # an older journal does not say which
            self._known = False

    def _note(self, event: dict[str, Any]) -> str:
        match event:
            case {"type": kind} if kind in _BEGINS:
                self._begin()
            case {"type": "card_drawn" | "claim_failed", "seat": seat, "ordinal": ordinal}:
                if event.get("returned", True):
                    self._place[ordinal] = seat
            case {"type": "faux_tirage", "ordinal": ordinal}:
                self._place[ordinal] = _GIVEN_BACK
            case {"type": "card_opened", "ordinal": ordinal, "card": card}:
                self._face[ordinal] = card
            case {"type": "card_removed", "ordinal": ordinal}:
                self._place.pop(ordinal, None)
            case {"type": "hand_thrown", "seat": seat}:
                self._thrown.add(seat)
            case {"type": "misdeal"}:
                self._misdealt = True
            case {"type": "hand_opened", "cards": cards, "points": told}:
                if _points(cards) != told:
                    return f"these cards do not make {told} points"
            case {"type": "coup_settled"}:
                return self._settled(event)
        return ""

    def _settled(self, event: dict[str, Any]) -> str:
        coup, forfeit, bank = event["coup"], event.get("forfeit", ""), event["banker_seat"]
        told = event["banker"], event["pointeur"]
        if forfeit or None in told:
            lost = bank in self._thrown if forfeit == "Z-11" else self._misdealt
            if not forfeit or told != (None, None) or (self._known and not lost):
                return f"coup {coup}: nothing that happened lost it by a rule ({forfeit or 'none'})"
            return ""
        if not self._known:
            return ""
        his = 0 if self._thrown - {bank} else self._points(bank, banks=False)
        due = self._points(bank, banks=True), his
        if bank in self._thrown or told != due:
            return f"coup {coup}: the points are not those of the cards that were opened"
        return ""

    def _points(self, bank: int, *, banks: bool) -> int | None:
        """The points of the bank's hand if `banks`, otherwise of the pointeur's; None if unknown.

        The pointeur may have changed during the deal (R-24). So every card that is not the bank's
        counts as the pointeur's.
        """
        sides = {bank, _GIVEN_BACK}
        cards = [dealt for dealt, seat in self._place.items() if seat and (seat in sides) is banks]
        return _points([self._face.get(dealt, "") for dealt in cards])


def _points(cards: Iterable[str]) -> int | None:
    """The points of two or three open cards; None for other numbers or a closed card."""
    try:
        hand = [Card(card) for card in cards]
    except ValueError:
        return None
    return points(hand) if len(hand) in (2, 3) else None

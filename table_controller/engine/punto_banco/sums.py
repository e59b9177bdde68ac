"""Checks, from the public events alone, that the money and the points add up.

The module uses only what a subscriber of the broker, or a reader of the journal, can see.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from table_controller.engine.punto_banco.events import PLACES
from table_controller.engine.punto_banco.inputs import Side
from table_controller.rules.cards import Card
from table_controller.rules.points import points
from table_controller.rules.punto_banco.coup import Coup, Winner, winner
from table_controller.rules.punto_banco.money import BANKER, MAIN, PLAYER, backed
from table_controller.rules.punto_banco.side_bets import SIDE_BETS

_SIDES = {place: side for side, place in PLACES.items()}


def sums(events: Iterable[dict[str, Any]]) -> tuple[int, str] | None:
    """The index of the first event whose sums do not add up, and the reason; None if all do."""
    heard = _Heard()
    for index, event in enumerate(events):
        wrong = heard.of(event)
        if wrong:
            return index, wrong
    return None


class _Heard:
    """The facts about the present coup that the events told: its open cards, and a ruling."""

    def __init__(self) -> None:
        self._cards: dict[int, tuple[Side, Card]] = {}
        self._number, self._ruled = 0, ""

    def of(self, event: dict[str, Any]) -> str:
        """Note the event. Return which sums or points in it are wrong, or "" if none is."""
        match event:
            case {"type": "coup_begun", "coup": number}:
                self._cards, self._number, self._ruled = {}, number, ""
            case {"type": "card_opened", "seat": place, "ordinal": n, "card": card}:
                if place in _SIDES:
                    self._cards[n] = (_SIDES[place], Card(card))
            case {"type": "card_moved", "seat": place, "ordinal": n} if n in self._cards:
                self._cards[n] = (_SIDES[place], self._cards[n][1])
            case {"type": "card_removed", "ordinal": n}:
                self._cards.pop(n, None)
            case {"type": "result_changed", "coup": number, "winner": won}:
                self._ruled = won if number == self._number else self._ruled
            case {"type": "coup_announced"}:
                self._ruled = ""
                return self._points(event)
            case {"type": "coup_settled"}:
                return self._points(event) or _money(event) or self._won(event)
        return ""

    def _won(self, event: dict[str, Any]) -> str:
        """Why the payments of a coup cannot be right, or "" if they can.

        Each paid spot must have won with these cards, and the payments must add up.
        """
        lines = event.get("won", ())
        if not lines:
            return ""  # nobody won, or the record is older and lists no spots
        player, banker = (tuple(c for s, c in self._laid() if s is side) for side in Side)
        coup = Coup(player, banker, event["player"], event["banker"], Winner(event["winner"]))
        for line in lines:
            spot, even = line["spot"], line["spot"] in (PLAYER, BANKER)
            won = backed(coup) == spot if spot in MAIN else SIDE_BETS[spot].won(coup) > 0
            if not won:
                return f"{spot} is paid, and has not won"
            if even and not 0 <= max(line["paid"], line["commission"]) <= line["stake"]:
                return f"{spot} is paid {line['paid']} for {line['stake']}"
        for part, of in (("back", "stake"), ("paid", "paid"), ("commission", "commission")):
            parts = sum(line[of] for line in lines)
            if event[part] != parts:
                return f"{part} {event[part]}, and by spots {parts}"
        return ""

    def _laid(self) -> list[tuple[Side, Card]]:
        """The open cards and their sides, in the order in which the cards left."""
        return [self._cards[ordinal] for ordinal in sorted(self._cards)]

    def _points(self, event: dict[str, Any]) -> str:
        """Why the points or the winner in the event are wrong for the open cards, or ""."""
        hands = {side: [c for s, c in self._cards.values() if s is side] for side in Side}
        found = {side: points(cards) for side, cards in hands.items()}
        told = {Side.PLAYER: event["player"], Side.BANKER: event["banker"]}
        if found != told:
            return f"the cards make {_two(found)}, not {_two(told)}"
        won: str = self._ruled or winner(told[Side.PLAYER], told[Side.BANKER])
        if Winner(event["winner"]) != won:
            return f"{event['winner']} cannot have won with {_two(told)}"
        return ""


def _two(found: dict[Side, int]) -> str:
    return f"{found[Side.PLAYER]} : {found[Side.BANKER]}"


def _money(event: dict[str, Any]) -> str:
    """Why a settlement's sums do not add up, or "" if they do.

    Every stake must be lost, go back or stay.
    """
    parts = event["lost"] + event["back"] + event["stays"]
    if parts != event["staked"]:
        return f"{event['staked']} staked, and {parts} lost, back or left"
    if min(event["paid"], event["commission"], event["stays"]) < 0:
        return "a sum below nothing"
    return ""

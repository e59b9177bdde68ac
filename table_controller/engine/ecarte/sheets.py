"""The output of commands for écarté: a journal's deals, and the ranking of cards.

The module reads only public events, so that it cannot show a closed card.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from table_controller.engine.sheet import Sheet
from table_controller.engine.table.standing import standing
from table_controller.rules.ecarte.house import House
from table_controller.rules.ecarte.tricks import ORDER


class DealRow(Struct):
    """One deal as the public saw it. Fields that are not yet known are empty.

    `left` is the seat of the left player at the end of the deal. His tricks and marks come first.
    """

    number: int
    partie: int = 0
    trump: str = ""
    cards: list[str] = []
    tricks: str = ""
    winner: int = 0
    result: str = "interrupted"
    score: str = ""
    left: int = 0


def recall(events: Iterable[dict[str, Any]]) -> Sheet:
    """All deals in these public events, in order, including an interrupted one."""
    deals = heard(standing(events))
    rows = ((str(d.number), d.trump, " ".join(d.cards), d.tricks, d.result, d.score) for d in deals)
    head = ("deal", "trump", "played", "tricks", "result", "score")
    return Sheet(head, tuple(rows), tuple(deals))


def heard(events: Iterable[dict[str, Any]], found: list[DealRow] | None = None) -> list[DealRow]:
    """Find all deals in these public events, in order. Return them, and add them to `found`.

    The events that were taken back are not among them (see `standing`).
    """
    found = [] if found is None else found
    partie = left = corrected = opened = 0
    by: list[int] = []  # the seats that played the cards of the last deal
    for event in events:
        match event:
            case {"type": "partie_begun", "partie": number, "left": seat}:
                partie, left = number, seat
            case {"type": "player_replaced", "seat": seat, "to": to}:
                left = to if seat == left else left
                by = [to if one == seat else one for one in by]
            case {"type": "schlitten_ready"}:
                corrected = 0
            case {"type": "card_corrected", "ordinal": ordinal}:
                corrected = ordinal
            case {"type": "card_opened", "ordinal": ordinal}:
                opened = ordinal
            case {"type": "turned_up", "card": card} if corrected and corrected == opened:
                found[-1].trump, corrected = card, 0
            case {"type": "turned_up", "card": card}:
                found.append(DealRow(len(found) + 1, partie, card, []))
                by = []
        if found:
            _hear(found[-1], by, event, left)
    return found


def _hear(row: DealRow, by: list[int], event: dict[str, Any], left_seat: int) -> None:
    match event:
        case {"type": "card_played", "card": card, "seat": seat}:
            row.cards.append(card)
            by.append(seat)
        case {"type": "card_taken_up", "seat": seat} if by:
            # A leader's card that was answered is taken up with the answer.
            less = 1 if by[-1] == seat else 2
            del row.cards[-less:], by[-less:]
        case {"type": "question_answered", "option": "mend"}:  # the last reply (E07-44)
            del row.cards[-1:], by[-1:]
        case {"type": "deal_restored"}:
            row.cards.clear()
            by.clear()
            row.tricks, row.winner, row.left, row.result = "", 0, 0, "interrupted"
        case {"type": "deal_ended", "left": left, "right": right, "winner": winner}:
            row.tricks, row.winner, row.left = f"{left}-{right}", winner, left_seat
            row.result = f"seat {winner} wins" if winner else "nobody wins"
        case {"type": "deal_annulled", "rule": rule}:
            row.result = f"annulled: {rule}"
        case {"type": "marked" | "unmarked", "left": left, "right": right}:
            row.score = f"{left}-{right}"


def wall(house: House) -> Sheet:
    """The ranking of the cards, highest first, as a table for printing (E07-12)."""
    ranks = tuple(rank.name.lower() for rank in reversed(ORDER))
    return Sheet(("rank",), tuple((rank,) for rank in ranks), ranks, title=house.title)

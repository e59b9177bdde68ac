"""The output of commands for écarté: a journal's deals, and the ranking of cards.

The module reads only public events, so that it cannot show a closed card.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from table_controller.engine.sheet import Sheet
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
    deals = heard(events)
    rows = ((str(d.number), d.trump, " ".join(d.cards), d.tricks, d.result, d.score) for d in deals)
    head = ("deal", "trump", "played", "tricks", "result", "score")
    return Sheet(head, tuple(rows), tuple(deals))


def heard(events: Iterable[dict[str, Any]], found: list[DealRow] | None = None) -> list[DealRow]:
    """Find all deals in these public events, in order. Return them, and add them to `found`."""
    found = [] if found is None else found
    partie = left = corrected = opened = 0
    before: list[_Before] = []
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
                before, by = [], []
            case {"type": "withdrawn", "said": said} if (at := _begun(before, said)) >= 0:
                _, found[-1], by = before[at]
                del before[at:]
        if found:
            if event["type"] in _CHANGES:
                row = replace(found[-1], cards=[*found[-1].cards])
                before.append(_Before(event["type"], row, [*by]))
            _hear(found[-1], by, event, left)
    return found


class _Before(NamedTuple):
    """A deal, and the seats that played its cards, before an event of the type `kind`."""

    kind: str
    row: DealRow
    by: list[int]


#: For each input that can be taken back and changes a deal: the events that begin its change.
_BEGINS: Final = {
    "plays_card": ("card_played",),
    "twins": ("card_played", "card_shown"),
    "takes_up": ("card_taken_up",),
    "revoked": ("card_taken_up", "deal_restored"),
    "throws_in": ("deal_ended",),
    "dealt_out_of_turn": ("deal_ended",),
    "marks": ("marked",),
    "unmarks": ("unmarked",),
}
#: The events before which a deal is remembered.
_CHANGES: Final = frozenset(kind for kinds in _BEGINS.values() for kind in kinds)


def _begun(before: list[_Before], said: str) -> int:
    """The index in `before` where the last input, of the type `said`, begins; -1 if nowhere.

    Events do not say to which input they belong. Only the last input can be taken back, so it
    begins with the last event with which such an input can begin.
    """
    begins = _BEGINS.get(said, ())
    at = next((n for n in reversed(range(len(before))) if before[n].kind in begins), -1)
    if at >= 0 and before[at].kind == "deal_restored" and before[at].row.tricks:
        while at and before[at - 1].kind == "unmarked":  # the marks for the tricks (ER-13)
            at -= 1
    return at


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

"""The deals of an evening, found from its public events alone: their record, sheets and sums."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any, Final

from msgspec import Struct

from table_controller.engine.ecarte.offers import SUITS
from table_controller.engine.messages import Phrase, phrase
from table_controller.engine.pieces import Figure, Hand
from table_controller.engine.sheet import Sheet
from table_controller.engine.table.evening import (
    Expected,
    Heard,
    PlayedCoup,
    Span,
    cards_of,
    not_settled,
    once,
    spanned,
    standing,
)
from table_controller.rules.cards import Card, Rank, Suit
from table_controller.rules.ecarte.house import House
from table_controller.rules.ecarte.marks import TRICKS
from table_controller.rules.ecarte.tricks import ORDER

# ---- The output of commands for écarté: a journal's deals, and the ranking of cards


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


# ---- The deals of an evening of écarté, and the outcomes whose chances are known

_TURNED: Final = {suit: f"turned_{suit.name.lower()}" for suit in Suit}


def coups(events: Iterable[Heard], _house: House) -> tuple[PlayedCoup, ...]:
    """All deals in these public events, in order."""
    rows = spanned(heard, events, lambda row: row.result != "interrupted")
    return tuple(_deal(row, span) for row, span in rows)


def _deal(row: DealRow, span: Span) -> PlayedCoup:
    turned = Card(row.trump)
    trump = Hand(name="trump", label=phrase("TRUMP"), cards=(turned,))
    played = Hand(name="played", label=phrase("PLAYED"), cards=cards_of(row.cards))
    return PlayedCoup(
        number=row.number,
        first=span.first,
        last=span.last,
        hands=(trump, played),
        winner=str(row.winner) if row.winner else "",
        sign=str(row.winner) if row.winner else "–",
        tone="gold" if row.winner else "grey",
        text=_ended(row),
        beside=(Figure(name="partie", label=phrase("partie"), value=row.partie),),
        saw=once(king=turned.rank is Rank.KING)
        | once(**{name: turned.suit is suit for suit, name in _TURNED.items()}),
    )


def _ended(row: DealRow) -> Phrase:
    if not row.tricks:
        return not_settled(row.result)
    left, right = row.tricks.split("-")
    if not row.winner:
        return phrase("nobody wins, {left} : {right} tricks", left=left, right=right)
    own, other = (left, right) if row.winner == row.left else (right, left)
    return phrase("seat {n} wins, {own} : {other} tricks", n=row.winner, own=own, other=other)


def expected(_house: House) -> Iterator[Expected]:
    """The outcomes whose chances are known: those of the turn-up, which nobody chooses."""
    yield Expected("king", phrase("a king is turned up"), Fraction(1, 8))
    for suit, name in _TURNED.items():
        turned = phrase("{suit} is turned up", suit=SUITS[suit])
        yield Expected(name, turned, Fraction(1, 4))


# ---- Checks, from the public events alone, that the marks add up (E07-43, E07-45)


def sums(events: Iterable[dict[str, Any]]) -> tuple[int, str] | None:
    """The index of the first public event whose marks do not add up, and the reason.

    None if all add up. The counters of a partie begin at zero, and move by the marks that are made
    or taken back.
    """
    score: dict[int, int] | None = None
    for index, event in enumerate(events):
        match event:
            case {"type": "partie_begun", "left": left, "right": right}:
                score = {left: 0, right: 0}
            case {"type": "withdrawn" | "player_replaced" | "seat_changed"}:
                score = None
            case {"type": "marked" | "unmarked" as kind, "seat": seat, "points": points}:
                if score is not None:
                    score[seat] += points if kind == "marked" else -points
                    if list(score.values()) != [event["left"], event["right"]]:
                        return index, f"the counters stand at {event['left']}-{event['right']}"
            case {"type": "deal_ended", "left": left, "right": right}:
                if not 0 <= left + right <= TRICKS:
                    return index, f"deal {event['deal']}: {left} and {right} tricks of five"
            case {"type": "partie_ended", "left": left, "right": right}:
                if score is not None and list(score.values()) != [left, right]:
                    return index, f"the partie ended at {left}-{right}"
                score = None
    return None

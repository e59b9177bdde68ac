"""The deals of an evening of écarté, and the outcomes whose chances are known."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Final

from table_controller.engine.ecarte.labels import SUITS
from table_controller.engine.ecarte.sheets import DealRow, heard
from table_controller.engine.messages import Phrase, phrase
from table_controller.engine.pieces import Figure, Hand
from table_controller.engine.table.standing import Heard
from table_controller.engine.table.view_evening import (
    Expected,
    PlayedCoup,
    Span,
    cards_of,
    not_settled,
    once,
    spanned,
)
from table_controller.rules.cards import Card, Rank, Suit
from table_controller.rules.ecarte.house import House

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

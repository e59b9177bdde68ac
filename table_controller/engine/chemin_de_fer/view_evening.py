"""The coups of an evening of chemin de fer, and the outcomes whose chances are known."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from table_controller.engine.chemin_de_fer.events import Side
from table_controller.engine.chemin_de_fer.facts import CoupRecord
from table_controller.engine.chemin_de_fer.sheets import CoupRow, heard
from table_controller.engine.chemin_de_fer.view_past import result
from table_controller.engine.messages import phrase
from table_controller.engine.pieces import Figure, Hand
from table_controller.engine.table.standing import Heard
from table_controller.engine.table.view_evening import (
    Expected,
    PlayedCoup,
    Span,
    cards_of,
    not_settled,
    once,
    ranks,
    ranks_seen,
    spanned,
)
from table_controller.rules.chances import natural
from table_controller.rules.chemin_de_fer.house import House
from table_controller.rules.money import Chips
from table_controller.rules.points import is_natural

_ADDS_UP: Final = phrase(
    "If the bank wins, the pot grows by the stakes, less the cagnotte. If the pointeur wins, it "
    "shrinks by the stakes."
)


def coups(events: Iterable[Heard], house: House) -> tuple[PlayedCoup, ...]:
    """All coups in these public events, in order."""
    rows = spanned(heard, events, lambda row: row.outcome != "interrupted")
    return tuple(_coup(row, span, house.unit) for row, span in rows)


def _coup(row: CoupRow, span: Span, unit: str) -> PlayedCoup:
    hands = (_hand(row, Side.BANK), _hand(row, Side.POINTEUR))
    if row.outcome != "settled":
        return PlayedCoup(
            number=row.number,
            first=span.first,
            last=span.last,
            hands=hands,
            winner="",
            sign="–",
            text=not_settled(row.outcome),
        )
    ended = result(_record(row), unit)
    staked = Figure(name="staked", label=phrase("staked"), value=row.staked, unit=unit)
    pot = Figure(name="pot", label=phrase("pot"), value=row.pot_before, unit=unit)
    after = Figure(name="pot_after", label=phrase("pot after"), value=row.pot_after, unit=unit)
    took = Figure(name="house", label=phrase("cagnotte"), value=row.cagnotte, unit=unit)
    return PlayedCoup(
        number=row.number,
        first=span.first,
        last=span.last,
        hands=hands,
        winner=ended.name,
        sign=ended.sign,
        tone=ended.tone,
        text=ended.text,
        figures=(staked, took),
        beside=(pot, after),
        saw=_saw(hands),
        adds_up=_ADDS_UP,
    )


def _record(row: CoupRow) -> CoupRecord:
    return CoupRecord(
        number=row.number,
        winner=Side(row.winner) if row.winner else None,
        banker_seat=row.banker_seat,
        pointeur_seat=row.pointeur_seat,
        banker=row.banker,
        pointeur=row.pointeur,
        pot=Chips(row.pot_before),
        staked=Chips(row.staked),
        cagnotte=Chips(row.cagnotte),
        pot_after=Chips(row.pot_after),
    )


def _hand(row: CoupRow, side: Side) -> Hand:
    bank = side is Side.BANK
    seat = row.banker_seat if bank else row.pointeur_seat
    cards = (card for _, card in sorted(row.hands.get(seat, {}).items()))
    return Hand(
        name="banker" if bank else "pointeur",
        label=phrase("BANK") if bank else phrase("POINTEUR"),
        seat=seat,
        tone="gold" if bank else "blue",
        cards=cards_of(cards),
        count=row.banker if bank else row.pointeur,
    )


def _saw(hands: tuple[Hand, Hand]) -> dict[str, tuple[int, int]]:
    """The outcomes of one coup: whether there was a natural, and which ranks were seen.

    A natural counts only if the first two cards of both hands are known.
    """
    told = ranks_seen(card for hand in hands for card in hand.cards)
    first = [tuple(card for card in hand.cards[:2] if card) for hand in hands]
    if any(len(two) < 2 for two in first):
        return told
    return told | once(natural=any(is_natural(two) for two in first))


def expected(house: House) -> Iterator[Expected]:
    """The outcomes whose chances are known. Who wins depends on people's choices (ZX-2)."""
    yield Expected("natural", phrase("a natural in either hand"), natural(house.packs))
    yield from ranks()

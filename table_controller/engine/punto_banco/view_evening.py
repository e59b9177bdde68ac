"""The coups of an evening of punto banco, and the exact chances of their outcomes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from table_controller.engine.messages import phrase
from table_controller.engine.pieces import Figure, Hand
from table_controller.engine.punto_banco.inputs import Side
from table_controller.engine.punto_banco.labels import SPOTS, TONES
from table_controller.engine.punto_banco.sheets import CoupRow, heard
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
from table_controller.rules import chances
from table_controller.rules.points import is_natural
from table_controller.rules.punto_banco.chances import winners
from table_controller.rules.punto_banco.coup import Winner
from table_controller.rules.punto_banco.house import House
from table_controller.rules.punto_banco.side_bets import pair

_ADDS_UP: Final = phrase(
    "The house won what was staked, less what went back to the players: their winnings, and the "
    "stakes that won or stayed."
)
_NAMES: Final = {Winner.PLAYER: "player", Winner.BANKER: "banker", Winner.TIE: "tie"}


def coups(events: Iterable[Heard], house: House) -> tuple[PlayedCoup, ...]:
    """All coups in these public events, in order."""
    rows = spanned(heard, events, lambda row: row.outcome != "interrupted")
    return tuple(_coup(row, span, house) for row, span in rows)


def _coup(row: CoupRow, span: Span, house: House) -> PlayedCoup:
    hands = tuple(_hand(row, side) for side in (Side.PLAYER, Side.BANKER))
    if row.winner is None or row.points is None:
        return PlayedCoup(
            number=row.number,
            first=span.first,
            last=span.last,
            hands=hands,
            winner="",
            sign="–",
            text=not_settled(row.outcome),
        )
    winner, (player, banker) = Winner(row.winner), row.points
    return PlayedCoup(
        number=row.number,
        first=span.first,
        last=span.last,
        hands=hands,
        winner=_NAMES[winner],
        sign=winner.value,
        tone=TONES[_NAMES[winner]],
        text=phrase("Player {player} : {banker} Banker", player=player, banker=banker),
        figures=tuple(_sums(row, house)),
        saw=_saw(hands, winner),
        adds_up=_ADDS_UP,
    )


def _sums(row: CoupRow, house: House) -> Iterator[Figure]:
    """The sums of a coup: what was staked, less what went back, is what the house won.

    Commission in a box has still to be collected, but it is the house's already (PB-10).
    """
    owed = row.commission if house.commission == "boxes" else 0
    sums = (
        ("staked", phrase("staked"), row.staked),
        ("returned", phrase("back to the players"), row.returned + row.paid - owed),
        ("house", phrase("the house won"), row.lost - row.paid + owed),
        ("commission", phrase("of that, commission"), row.commission),
    )
    for name, label, value in sums:
        yield Figure(name=name, label=label, value=value, unit=house.unit)


def _hand(row: CoupRow, side: Side) -> Hand:
    return Hand(
        name=side.value,
        label=SPOTS[side.value],
        tone=TONES[side.value],
        cards=cards_of(card for _, card in sorted(row.hands[side].items())),
        count=None if row.points is None else row.points[side is Side.BANKER],
    )


def _saw(hands: tuple[Hand, ...], winner: Winner) -> dict[str, tuple[int, int]]:
    won = once(**{name: winner is one for one, name in _NAMES.items()})
    told = won | ranks_seen(card for hand in hands for card in hand.cards)
    player, banker = (tuple(card for card in hand.cards[:2] if card) for hand in hands)
    if len(player) < 2 or len(banker) < 2:
        return told
    return told | once(
        natural=is_natural(player) or is_natural(banker),
        player_pair=pair(player),
        banker_pair=pair(banker),
    )


def expected(house: House) -> Iterator[Expected]:
    """The exact chance of each outcome.

    The chances are known, because nobody has a choice (PB-6, PB-7).
    """
    won = winners(house.packs)
    for winner, name in _NAMES.items():
        yield Expected(name, SPOTS[name], won[winner])
    yield Expected("natural", phrase("a natural in either hand"), chances.natural(house.packs))
    for name in ("player_pair", "banker_pair"):
        yield Expected(name, SPOTS[name], chances.pair(house.packs))
    yield from ranks()

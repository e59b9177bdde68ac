"""Whole Schlitten, and when their last coup is certain, by trying every future of the cards.

The module knows the rules from `tests/punto_oracle.py` alone.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import chain
from typing import NamedTuple

from table_controller.engine.messages import CardSeen, Input
from table_controller.engine.punto_banco import inputs as i
from table_controller.engine.punto_banco.state import (
    Announced,
    Over,
    Table,
    cards_of,
    closed_of,
    lying,
    to_open,
)
from table_controller.engine.punto_banco.step import step
from table_controller.engine.table.events import LastCoup
from table_controller.rules.cards import PACK, Card
from tests import punto_oracle as oracle
from tests.engine.punto_banco.playing import house, table

#: One card of each value.
VALUES = "TA23456789"
#: A card of which nobody knows anything.
CLOSED = "?"


class Moment(NamedTuple):
    """After an input: what was told then of the last coup, and what is certain by then.

    0: nothing.
    """

    told: int
    certain: int


def played(seed: int, *, left: int | None = None, **settings: object) -> Iterator[Moment]:
    """A Schlitten of a table that announces only, or its last cards, to its end."""
    luck = random.Random(seed)
    now = table(house(bets=False, **settings), left=left)
    cards = list(PACK) * now.house.packs
    luck.shuffle(cards)
    dealt = iter(cards)
    cut = Cut()
    while type(now.phase) is not Over:
        said = _next(now, dealt, luck)
        cut.hear(now, said)
        now, told = step(now, said)
        yield Moment(sum(e.coup for e in told if type(e) is LastCoup), cut.certain(now))


def _next(now: Table, dealt: Iterator[Card], luck: random.Random) -> Input:
    shoe = now.felt.shoe
    if shoe.white_out is None and shoe.left == now.house.white_at:
        return CardSeen(white=True)
    if type(now.phase) is Announced:
        return i.Agrees()
    if closed := to_open(now.phase):
        return i.Opened(side=luck.choice(closed))
    return CardSeen(card=next(dealt))


class Cut:
    """What PB-3 makes of the cut card, by the text alone."""

    def __init__(self) -> None:
        self._came_in = 0  # the coup that it came in; or before the first card of
        self._first = False
        self._left = 0

    def hear(self, before: Table, said: Input) -> None:
        if type(said) is CardSeen and said.white:
            coup = lying(before)
            self._first = coup is None or not cards_of(coup)
            self._came_in = before.felt.coups + self._first

    def certain(self, now: Table) -> int:
        """The last coup's number, where every future of the cards comes to the same; else 0."""
        rules, coup = now.house, self._came_in
        if not coup or self._first or rules.after_cut == "none" or rules.white_at < 12:
            return coup
        if now.felt.coups > coup or not cards_of(lying(now)):
            return coup + 1 if self._left >= 12 else coup
        self._left = now.felt.shoe.left
        used = len(cards_of(lying(now)))
        after = {self._left - (all_ - used) >= 12 for all_ in futures(_known(now))}
        return {(True,): coup + 1, (False,): coup}.get(tuple(after), 0)


def _known(now: Table) -> tuple[tuple[str, ...], tuple[str, ...]]:
    deal, closed = lying(now), {card.ordinal for card in closed_of(now)}
    player, banker = (
        tuple(CLOSED if card.ordinal in closed else _value(card.card) for card in hand)
        for hand in (deal.player, deal.banker)
    )
    return player, banker


def _value(card: Card) -> str:
    return VALUES[oracle.pips(card.value)]


ALL = frozenset({4, 5, 6})


@cache
def futures(hands: tuple[tuple[str, ...], tuple[str, ...]]) -> frozenset[int]:
    """How many cards a coup may take that has begun so."""
    player, banker = hands
    if CLOSED in player:
        return _any((one, banker) for one in _tried(player))
    if CLOSED in banker:
        return _any((player, one) for one in _tried(banker))
    left = _left_in_order(player, banker)
    coup = oracle.deal(left)
    if coup is not None:
        return frozenset({coup.used})
    if len(player) > len(banker) and len(banker) < 2:
        return _any((player, (*banker, value)) for value in VALUES)
    if len(player) < 2:
        return _any(((*player, value), banker) for value in VALUES)
    drawn = len(player) == 3 or oracle.total(player) in (6, 7)
    if drawn:
        return _any((player, (*banker, value)) for value in VALUES)
    return _any(((*player, value), banker) for value in VALUES)


def _tried(hand: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The hand with each value in place of its first closed card."""
    at = hand.index(CLOSED)
    return ((*hand[:at], value, *hand[at + 1 :]) for value in VALUES)


def _any(hands: Iterable[tuple[tuple[str, ...], tuple[str, ...]]]) -> frozenset[int]:
    found: frozenset[int] = frozenset()
    for one in hands:
        found |= futures(one)
        if found == ALL:
            break
    return found


def _left_in_order(player: Sequence[str], banker: Sequence[str]) -> list[str]:
    """Player, Banker, Player, Banker, then the third cards: as they left the Schlitten."""
    first = chain.from_iterable(zip(player[:2], banker[:2], strict=False))
    return [*first, *player[len(banker[:2]) : 2], *player[2:], *banker[2:]]

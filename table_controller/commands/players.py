"""Seeded chance for simulated people, and the Schlitten from which they get cards.

The module serves simulations, the demo and tests, and knows no game.
"""

from __future__ import annotations

import random
from collections import deque
from typing import TypeVar

from table_controller.engine.messages import CardNamed, CardSeen, Input
from table_controller.engine.players import USUAL, Players, Progress, Temper
from table_controller.engine.seen import Unknown
from table_controller.rules.cards import PACKS, Card
from table_controller.rules.houses import House
from table_controller.service.game import Game

S = TypeVar("S")

#: The lip's failures on request, and the chance of each per card where it is possible.
FAULTS: dict[str, float] = {
    "unread": 0.01,
    "two_cards": 0.003,
    "stray": 0.01,
    "duplicate": 0.004,
    "white_missed": 1.0,
}


def seeded(
    game: Game[S], seed: int, *, faults: frozenset[str] = frozenset(), temper: Temper = USUAL
) -> Players[S]:
    """Return a game's simulated players. Only the seed decides what they do by chance."""
    return game.players(random.Random(f"people {seed}"), faults=faults, temper=temper)


class Box:
    """The cards of a shuffled Schlitten in order. `white_at` of them are behind the white card."""

    def __init__(
        self, seed: int, number: int, *, packs: int = 6, pack: int = 52, white_at: int = 7
    ) -> None:
        cards = [(card, copy) for card in PACKS[pack] for copy in range(1, packs + 1)]
        random.Random(f"box {seed} {number}").shuffle(cards)
        self.cards: list[tuple[Card, int] | None] = list(cards)
        self.cards.insert(len(cards) - white_at, None)


class SimulatedLip:
    """Twin of the lip's reader. It reads the cards of seeded Schlitten, with faults on request."""

    def __init__(self, seed: int, house: House, *, faults: frozenset[str] = frozenset()) -> None:
        self._seed, self._faults = seed, faults
        self._luck = random.Random(f"lip {seed}")
        self._held = {"packs": house.packs, "pack": house.pack, "white_at": house.white_at}
        self._number = 0
        self._rest: deque[tuple[Card, int] | None] = deque()
        self._unread: deque[tuple[Card, int]] = deque()
        self._out: list[tuple[Card, int]] = []

    def next(self, now: Progress) -> Input:
        """Return the next passage. An unread card is shown again, or two people name it."""
        if now.again and self._unread:
            return self._again(named=now.named)
        self._unread.clear()  # nobody asks for it, because another card was read in its place
        if now.schlitten != self._number:
            self._number = now.schlitten
            box = Box(self._seed, self._number, **self._held)
            self._rest, self._out = deque(box.cards), []
        if not self._rest:
            return CardSeen(actor="lip", unknown=Unknown.NO_READ)
        top = self._rest.popleft()
        if top is None:
            if "white_missed" in self._faults:
                return self.next(now)
            return CardSeen(actor="lip", white=True)
        return self._read(top)

    def _read(self, top: tuple[Card, int]) -> Input:
        """Return the reader's verdict on the card. An unread card is noted, to be shown again."""
        if self._out and self._happens("duplicate"):
            self._unread.append(top)
            card, copy = self._luck.choice(self._out)
            return CardSeen(actor="lip", card=card, copy=copy)
        self._out.append(top)
        if self._rest and self._rest[0] and self._happens("two_cards"):
            self._unread += (top, self._rest[0])
            self._out.append(self._rest[0])
            self._rest.popleft()
            return CardSeen(actor="lip", unknown=Unknown.TWO_CARDS)
        if self._happens("unread"):
            self._unread.append(top)
            reason = self._luck.choice((Unknown.NO_READ, Unknown.DISAGREE, Unknown.FOREIGN))
            return CardSeen(actor="lip", unknown=reason)
        return CardSeen(actor="lip", card=top[0], copy=top[1])

    def stray(self, now: Progress) -> bool:
        """Whether a card leaves the Schlitten now although none is due."""
        return now.idle and bool(self._rest) and self._happens("stray")

    def _again(self, *, named: bool) -> Input:
        card, copy = self._unread[0]
        if not named and self._luck.random() < 0.5:
            return CardNamed(actor="croupier", card=card)
        self._unread.popleft()
        if named:
            return CardNamed(actor="supervisor", card=card)
        return CardSeen(actor="lip", card=card, copy=copy)

    def _happens(self, fault: str) -> bool:
        return fault in self._faults and self._luck.random() < FAULTS[fault]

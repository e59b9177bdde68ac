"""Two worlds that differ only in closed cards. Whatever is said, they must look the same."""

from __future__ import annotations

import random

from msgspec.structs import replace

from table_controller.engine.ecarte import state as p
from table_controller.engine.ecarte.events import DealEnded
from table_controller.engine.ecarte.state import Table, foremost
from table_controller.engine.ecarte.step import step
from table_controller.engine.ecarte.view import snapshot
from table_controller.engine.messages import Audience, CardSeen, Event, Input, Refusal
from table_controller.engine.table.events import CardOpened
from table_controller.rules.cards import PACK_32, Card
from table_controller.rules.ecarte.house import House
from tests.engine.ecarte_playing import choices, started


def masked(told: tuple[Event, ...]) -> list[Event]:
    """What is told to anybody, without promises, which must differ and say nothing."""
    seen = [event for event in told if event.audience is not Audience.SEALED]
    return [replace(e, commitment="") if hasattr(e, "commitment") else e for e in seen]


def looked_at(now: Table, word: Input) -> tuple[Table, object]:
    """One input, and all that public and staff learn from it."""
    try:
        now, told = step(now, word)
    except Refusal as refusal:
        return now, (str(refusal), refusal.rule)
    pictures = [snapshot(now, who) for who in (Audience.PUBLIC, Audience.CROUPIER)]
    return now, (masked(told), pictures, any(isinstance(e, DealEnded) for e in told))


def pair(house: House, seed: int, *, steps: int = 90) -> int:
    """Play one deal in two worlds; how many inputs were compared."""
    luck = random.Random(seed)
    turned = luck.choice(PACK_32)
    rest = [card for card in PACK_32 if card is not turned]
    boxes: list[list[Card]] = [luck.sample(rest, 31), luck.sample(rest, 31)]
    worlds = [started(house), started(house)]
    for count in range(steps):
        one = worlds[0]
        due = foremost(one)
        cards = isinstance(due, p.Dealing | p.Buying) and luck.random() < 0.92
        if (cards or luck.random() < 0.01) and boxes[0]:
            eleventh = isinstance(due, p.Dealing) and one.deal is not None and one.deal.came == 10
            words: list[Input] = [CardSeen(card=turned if eleventh else box.pop()) for box in boxes]
        else:
            words = [luck.choice(choices(one, luck))] * 2
        told: list[object] = []
        for number, word in enumerate(words):
            worlds[number], seen = looked_at(worlds[number], word)
            told.append(seen)
        if ended(told[0]) or bared(told[0]) != bared(told[1]):
            return count  # what contradicts the Schlitten is told now (ER-22), or a card lies open
        assert told[0] == told[1], (house.id, seed, words[0])
        if isinstance(worlds[0].phase, p.DealOver | p.PartieOver):
            return count
    return steps


def bared(seen: object) -> list[str]:
    """The cards that were opened with their proof."""
    events = seen[0] if isinstance(seen, tuple) and isinstance(seen[0], list) else []
    return [event.card for event in events if isinstance(event, CardOpened)]


def ended(seen: object) -> bool:
    """Whether the deal is over."""
    return isinstance(seen, tuple) and len(seen) == 3 and bool(seen[2])

"""Simulated evenings of every house in turn, drawn by their numbers, with random faults.

People have every temper, and some Schlitten are small. So white cut cards come out and Schlitten
are closed during faults.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from table_controller.commands.simulated.faults import Ordered
from table_controller.commands.simulated.lip import Sensors
from table_controller.commands.simulated.many import EveningOrder
from table_controller.engine.players import TEMPERS
from table_controller.rules.houses import House
from table_controller.wiring import config


def drawn(count: int, seed: int = 0) -> Iterator[EveningOrder]:
    """Yield `count` evenings, house by house."""
    houses = [config.house(name) for name in config.houses()]
    for number in range(seed, seed + count):
        luck = random.Random(f"simulated {number}")
        yield EveningOrder(
            house=_small(houses[number % len(houses)], luck),
            seed=number,
            coups=luck.randint(6, 14),
            ordered=Ordered(temper=luck.choice(list(TEMPERS)), sensors=_sensors(luck)),
            random=True,
        )


def _small(house: House, luck: random.Random) -> House:
    """In half of the cases, the house with a smaller Schlitten, of one or two packs."""
    packs = luck.choice((house.packs, min(house.packs, luck.choice((1, 2)))))
    return replace(house, packs=packs)


def _sensors(luck: random.Random) -> Sensors:
    """Sensors that hands of a random quickness move."""
    return Sensors(card_ms=luck.randint(280, 600), between_ms=luck.randint(200, 2000), jitter=0.2)

"""Every possible coup, counted: all ordered six-card sequences, by the drawing rules of the game.

Cards are distinguished only by their value, in ten classes. So a coup represents as many sequences
as there are ways to take its cards, whatever the cards are that it did not need.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from math import perm

from table_controller.rules.cards import Card, hand
from table_controller.rules.punto_banco import tableau
from table_controller.rules.punto_banco.coup import Coup, coup

#: One card for each value, 0 to 9.
VALUES = hand("Kc Ac 2c 3c 4c 5c 6c 7c 8c 9c")


Values = tuple[int, ...]


def coups(packs: int) -> Iterator[tuple[Coup, int]]:
    """Each coup by values, and how many ordered six-card sequences begin with it.

    A side's first two cards are counted in both orders together.
    """
    left = [16 * packs, *[4 * packs] * 9]
    for player, ways in _pairs(left):
        for banker, more in _pairs(left):
            for p, b, third in _drawn(left, player, banker):
                done = coup(_cards(p), _cards(b))
                rest = perm(52 * packs - done.length, 6 - done.length)
                yield done, ways * more * third * rest


def _cards(values: Values) -> tuple[Card, ...]:
    return tuple(VALUES[value] for value in values)


def _pairs(left: list[int]) -> Iterator[tuple[Values, int]]:
    """Two values, in either order, and in how many ways; they are gone in between."""
    for low in range(10):
        for high in range(low, 10):
            ways = left[low] * (left[high] - 1) if low == high else 2 * left[low] * left[high]
            with _gone(left, low), _gone(left, high):
                yield (low, high), ways


def _drawn(left: list[int], player: Values, banker: Values) -> Iterator[tuple[Values, Values, int]]:
    """The hands after the third cards that are due, and in how many ways. PB-5 to PB-7."""
    p, b = sum(player) % 10, sum(banker) % 10
    if tableau.is_natural(p, b):
        yield player, banker, 1
    elif not tableau.player_draws(p):
        yield from _banker(left, player, banker, tableau.banker_draws(b))
    else:
        for given in range(10):
            ways = left[given]
            with _gone(left, given):
                draws = tableau.banker_draws(b, given)
                for hand_p, hand_b, more in _banker(left, (*player, given), banker, draws):
                    yield hand_p, hand_b, ways * more


def _banker(
    left: list[int], player: Values, banker: Values, draws: bool
) -> Iterator[tuple[Values, Values, int]]:
    if not draws:
        yield player, banker, 1
        return
    for given in range(10):
        yield player, (*banker, given), left[given]


@contextmanager
def _gone(left: list[int], value: int) -> Iterator[None]:
    left[value] -= 1
    try:
        yield
    finally:
        left[value] += 1

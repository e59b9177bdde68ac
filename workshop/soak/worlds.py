"""Plays each game in two worlds that differ only in closed cards, and times their answers."""

from __future__ import annotations

import random
from collections import Counter

from tests.contract import worlds
from tests.contract.games import PLAYED, Played
from workshop.soak.passages import run as timed

#: The whole run, over all games in turn. `pairs` has écarté's, with wrong entries and claims.
INPUTS = 1_000_000
#: The inputs of a story, and how many other worlds are compared with it.
STEPS, WINDOWS = 150, 12

Row = tuple[str, str]


def run(share: float) -> list[Row]:
    """Play one story after the other, always of the game with the fewest inputs so far.

    Then measure the times.
    """
    laid = [one for one in PLAYED if one.game.name != "counting"]  # it opens every card at once
    found: Counter[str] = Counter()
    seed = 0
    while _total(found, "inputs") < INPUTS * share:
        _compared(min(laid, key=lambda one: found[f"inputs {one.game.name}"]), seed, found)
        seed += 1
    rows = [
        (f"inputs said in both worlds, {played.game.name}", _row(found, played)) for played in laid
    ]
    inputs, pairs = _total(found, "inputs"), _total(found, "pairs")
    return [
        ("inputs in all", f"{inputs:,}, in {pairs:,} pairs of worlds; 0 differ"),
        *rows,
        *timed(share),
    ]


def _compared(played: Played, seed: int, found: Counter[str]) -> None:
    """Compare one story with other worlds of the same story. Raises Differ."""
    name, luck = played.game.name, random.Random(f"worlds {seed}")
    packs = luck.choice((1, 1, 6))
    told = worlds.story(played, seed, steps=STEPS, packs=packs)
    for _ in range(WINDOWS):
        inputs = worlds.compared(told, luck)
        found.update({f"inputs {name}": inputs, f"pairs {name}": inputs > 0})


def _total(found: Counter[str], what: str) -> int:
    return sum(count for name, count in found.items() if name.startswith(what))


def _row(found: Counter[str], played: Played) -> str:
    name = played.game.name
    return f"{found[f'inputs {name}']:,} in {found[f'pairs {name}']:,} pairs"

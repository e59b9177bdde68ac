"""Simulated people do the same with the same seed, in every version: docs/COMMANDS.md promises it.

Their inputs are kept in `evenings/`, a line of JSON for each input. If you teach them something new
on purpose, `python -m tests.engine.test_people` stores today's evenings.
"""

from __future__ import annotations

import itertools
import random
from pathlib import Path

import msgspec
import pytest

from table_controller.commands import players
from table_controller.commands.simulate import evening
from table_controller.engine.chemin_de_fer.players import FAULTS, Players
from table_controller.engine.promises import SecretKey
from table_controller.engine.table.inputs import BuysIn
from table_controller.wiring import config, games
from tests.engine.playing import play, table

KEPT = Path(__file__).with_name("evenings")
ALL = frozenset(FAULTS | players.FAULTS)
#: House, seed, what goes wrong, and for how many coups.
EVENINGS = [
    ("zoppot-1934", 7, frozenset(), 20),
    ("zoppot-1934", 20, ALL, 40),
    ("nemzeti-1907", 7, frozenset(), 20),
    ("nemzeti-1907", 8, ALL, 40),
    ("modern", 7, frozenset(), 20),
    ("modern", 35, ALL, 40),
    ("punto-banco", 7, frozenset(), 12),
    ("ecarte-nemzeti-1907", 22, frozenset(), 6),
    ("ecarte-undated", 20, frozenset(), 6),
]


def said(house, seed, wrong, coups):
    """What was said that evening, one after the other."""
    played = evening(config.house(house), SecretKey(bytes(32)), seed=seed, coups=coups, wrong=wrong)
    return [moment.input for moment in played]


def kept(house, seed):
    return KEPT / f"{house}-{seed}.jsonl"


@pytest.mark.parametrize(("house", "seed", "wrong", "coups"), EVENINGS)
def test_the_same_seed_is_the_same_evening(house, seed, wrong, coups):
    """To the last chip, word and mistake."""
    read = msgspec.json.Decoder(games.game(config.house(house).game).inputs).decode
    lines = [read(line) for line in kept(house, seed).read_bytes().splitlines()]

    both = itertools.zip_longest(said(house, seed, wrong, coups), lines)
    for number, (now, then) in enumerate(both, 1):
        assert now == then, number


def test_the_kept_evenings_have_all_that_people_do():
    """Each kind of mistake, repair, bank and stake is in one of them."""
    text = "".join(file.read_text() for file in sorted(KEPT.glob("*.jsonl")))
    kinds = {msgspec.json.decode(line)["type"] for line in text.splitlines()}

    assert len(EVENINGS) == len(list(KEPT.glob("*.jsonl")))
    assert kinds >= {
        "sits", "stands", "swaps", "tips", "declares", "prepared", "schlitten_loaded",
        "schlitten_closed", "banks", "passes", "opens_bank", "joins", "suite", "bids", "sold",
        "takes_over", "halves", "draws_in", "raises", "open_game", "banco", "banco_with_table",
        "banco_with_partner", "stakes", "declines", "closes", "card_seen", "card_named", "spoke",
        "asks_schlitten", "opened", "ticked", "paid", "stray_ruled", "put_right",
        "bank_loses", "exposed", "throws", "misdealt", "admits_faux", "takes_back",
        "device_lost", "device_back",
    }  # fmt: skip


def test_where_everybody_is_out_of_money_somebody_who_may_stake_buys_in():
    """The banker's would go on for ever: he stakes on nobody."""
    now = play(table(chips=0), "seat 1 buys in 10", "seat 1 banks 10", "all may stake")
    said = [Players(random.Random(seed)).say(now) for seed in range(200)]
    buys = [word for word in said if isinstance(word, BuysIn)]

    assert len(buys) > 100
    assert {word.seat for word in buys} == set(range(2, 10))


if __name__ == "__main__":
    for house, seed, *more in EVENINGS:
        kept(house, seed).write_bytes(
            b"".join(msgspec.json.encode(one) + b"\n" for one in said(house, seed, *more))
        )

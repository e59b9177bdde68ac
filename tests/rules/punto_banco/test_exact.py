"""How many of all six-card sequences give each result, digit for digit as published."""

import csv
from collections import Counter
from pathlib import Path

import pytest

from table_controller.rules.punto_banco.coup import Winner
from table_controller.rules.punto_banco.side_bets import SIDE_BETS
from tests.rules.punto_banco.exact import coups

with (Path(__file__).parent / "exact.csv").open() as file:
    PUBLISHED = {row["decks"]: row for row in csv.DictReader(file)}


@pytest.mark.parametrize("packs", [1, 6, 8])
def test_all_sequences_are_counted(packs):
    """PB-4 to PB-8: who wins, and with how many cards, by the drawing rules of the game."""
    winners, cards = Counter(), Counter()
    for coup, count in coups(packs):
        winners[coup.winner] += count
        cards[coup.length] += count

    row = {name: int(value) for name, value in PUBLISHED[str(packs)].items() if value.isdigit()}
    assert row == {
        "decks": packs,
        "banker_count": winners[Winner.BANKER],
        "player_count": winners[Winner.PLAYER],
        "tie_count": winners[Winner.TIE],
        "total_permutations": winners.total(),
        **{f"count_{number}cards": cards[number] for number in (4, 5, 6)},
    }


def test_side_bets_that_points_decide_are_counted():
    """PB-12: eight packs, the counts that are published."""
    found = Counter()
    for coup, count in coups(8):
        for name in ("dragon_7", "panda_8", "super_6", "lucky_6", "big", "small"):
            found[name, int(SIDE_BETS[name].won(coup))] += count

    assert found["dragon_7", 1] == 112_633_011_329_024
    assert found["panda_8", 1] == 172_660_763_262_976
    assert found["lucky_6", 1] == 186_173_936_904_192
    assert found["lucky_6", 2] == 83_058_367_551_488
    assert found["super_6", 1] == 186_173_936_904_192 + 83_058_367_551_488
    assert found["small", 1] == int(PUBLISHED["8"]["count_4cards"])
    assert found["big", 0] == found["small", 1]

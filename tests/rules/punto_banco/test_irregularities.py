"""Runs and repeats among opened cards: those that are seen, and how rare they are."""

import random
from fractions import Fraction
from itertools import pairwise
from math import isclose, sqrt
from pathlib import Path

import pytest

from table_controller.rules.cards import PACK, hand
from table_controller.rules.punto_banco.irregularities import (
    LONGEST,
    ONE_YEAR_IN,
    Found,
    Kind,
    Notice,
    Shuffle,
    expected,
    look,
    notices,
    odds,
)
from tests.rules.punto_banco import shuffled

TWO = dict.fromkeys(Kind, 2)
#: Eight packs at a table with 3,000 Schlitten a year.
BUSY = Shuffle(8, 402, 3000)


def seen(cards: str, before: str = "", least=TWO) -> set[tuple[str, int, int]]:
    found = look(hand(cards), hand(before), least)
    return {(each.kind.value, each.length, each.at) for each in found}


@pytest.mark.parametrize(
    ("cards", "found"),
    [
        ("7h 7s 7h 2d", {("rank", 3, 0)}),
        ("2c 7h 9h Kh 3s", {("suit", 3, 1)}),
        ("3c 4d 5h 9s", {("step", 3, 0)}),
        ("9s 5h 4d 3c", {("step", 3, 1)}),
        ("Qc Kd As 2h", {("step", 4, 0)}),  # an ace follows a king
        ("5c 6d 5h", {("step", 2, 0), ("step", 2, 1)}),  # up, and then down
        ("3c 4c 9h", {("step", 2, 0), ("sequence", 2, 0), ("suit", 2, 0)}),
        ("9h 9h 4s", {("rank", 2, 0), ("suit", 2, 0)}),
        ("2c 9d Kh 7s 2c 9d 5h", {("repeat", 2, 4)}),
        ("2c 9d Kh 7s Jh 2c 9d Kh 7s 5h", {("repeat", 4, 5)}),
        ("2c 9d 2c 9d", set()),  # a card stands between, or it is no repeat
        ("", set()),
        ("9h", set()),
    ],
)
def test_what_is_seen(cards, found):
    """Each run as long as it goes, counted once, where it begins."""
    assert seen(cards) == found


@pytest.mark.parametrize(
    ("before", "found"),
    [
        ("Ks 2c 9d 7h Jd", {("again", 3, 0)}),
        ("Jd 7h 9d 2c Ks", {("again", 3, 0)}),  # backwards
        ("9d 5s 2c 9d", {("again", 2, 0)}),
        ("2d 9c", set()),
    ],
)
def test_what_the_schlitten_before_had(before, found):
    """In its order or backwards."""
    assert seen("2c 9d 7h 4s", before) == found


def test_shorter_than_asked_is_passed_over():
    assert seen("7h 7s 2c 3h 4d", least=dict.fromkeys(Kind, 3)) == {("step", 3, 2)}


@pytest.mark.parametrize(
    ("kind", "packs", "shown", "average"),
    [
        (Kind.RANK, 1, 2, Fraction(3, 51)),
        (Kind.SUIT, 1, 2, Fraction(12, 51)),
        (Kind.STEP, 1, 2, Fraction(8, 51)),
        (Kind.SEQUENCE, 1, 2, Fraction(2, 51)),
        # Three cards: the run begins with the first, or with the second after one that differs.
        (Kind.RANK, 1, 3, Fraction(3, 51) + Fraction(3, 51) - Fraction(3 * 2, 51 * 50)),
        # The two cards of the Schlitten before, in order or backwards.
        (Kind.AGAIN, 1, 2, 2 * Fraction(1, 52 * 51)),
        # Five cards of two packs: the last two are the first two, each by its only other copy.
        (Kind.REPEAT, 2, 5, Fraction(52 * 51 * 2**2, 104 * 103 * 102 * 101)),
        (Kind.REPEAT, 1, 52, Fraction(0)),
    ],
)
def test_averages_by_hand(kind, packs, shown, average):
    """How many of two cards or more an honest Schlitten shows, exactly."""
    assert isclose(expected(kind, 2, Shuffle(packs, shown, 1)), average, rel_tol=1e-12)


@pytest.mark.parametrize(
    ("kind", "length"),
    [
        (Kind.RANK, 3),
        (Kind.SUIT, 5),
        (Kind.STEP, 3),
        (Kind.SEQUENCE, 3),
        (Kind.REPEAT, 3),
        (Kind.AGAIN, 3),
    ],
)
def test_honest_shuffles_show_the_average(kind, length):
    """Counted in 200 Schlitten with a seed, within four standard deviations."""
    luck, of = random.Random(12), 200
    shown = [shuffled.honest(luck)[:402] for _ in range(of + 1)]
    least = dict.fromkeys(Kind, 500) | {kind: length}

    came = sum(len(list(look(now, before, least))) for before, now in pairwise(shown))

    wanted = of * expected(kind, length, BUSY)
    assert wanted > 50
    assert abs(came - wanted) < 4 * sqrt(wanted)


def test_odds_are_of_all_kinds_together():
    """What is told is how often that or rarer comes, whatever kind it is of."""
    of = {kind: expected(kind, 6, BUSY) for kind in Kind}
    rarest = min(of, key=of.get)
    others = [
        next(often for n in range(2, LONGEST) if (often := expected(kind, n, BUSY)) <= of[rarest])
        for kind in Kind
    ]

    assert isclose(odds(BUSY)[rarest][6], 3000 * sum(others))
    assert odds(BUSY)[rarest][6] > 3000 * of[rarest]


@pytest.mark.parametrize("kind", Kind)
def test_longer_is_rarer_and_a_busier_table_sees_more(kind):
    """A run of so many is told only where a year of honest shuffles hardly brings one."""
    busy, quiet = odds(BUSY)[kind], odds(BUSY._replace(a_year=100))[kind]

    assert list(busy.values()) == sorted(busy.values(), reverse=True)
    assert all(isclose(busy[n], 30 * quiet[n]) for n in busy)


def test_a_notice_tells_its_odds():
    """Eight sevens: an honest table sees such a thing once in some decades."""
    told = notices(hand("2c Jd" + " 7h" * 4 + " 7s" * 4 + " 2d"), (), BUSY)

    assert [each.found for each in told] == [Found(Kind.RANK, 8, 2)]
    assert told[0].odds == odds(BUSY)[Kind.RANK][8] < 1 / ONE_YEAR_IN
    assert told[0].years == int(1 / told[0].odds) > ONE_YEAR_IN


def test_the_rarest_comes_first():
    """A new pack is a sequence, and therefore a step and a suit."""
    told = notices(PACK[:13], (), BUSY)

    assert [each.found.kind for each in told] == [Kind.SEQUENCE, Kind.STEP]
    assert [each.odds for each in told] == sorted(each.odds for each in told)


def test_what_no_shuffle_can_show_has_odds_too():
    """Five of a rank in one pack: a foreign card, which others are told of; a million years."""
    assert Notice(Found(Kind.RANK, 5, 0), 0.0).years == 1_000_000


def test_notices_come_at_the_rate_they_state():
    """300 honest Schlitten at a table whose year is one of them; 10,000 in `scripts/soak`."""
    found = shuffled.told(300, 5, shuffled.IDLE)

    wanted, came, off = shuffled.rates(found, 300, shuffled.IDLE)[0]
    assert wanted > 10
    assert came == len(found)
    assert abs(off) < 4


def test_an_honest_busy_table_is_left_in_peace():
    """300 Schlitten, where one year of 3,000 in twenty brings a notice."""
    assert shuffled.told(300, 6, shuffled.BUSY) == []


@pytest.mark.parametrize("name", shuffled.FALSE)
def test_what_was_not_shuffled_is_noticed(name):
    """20 of each kind, 95 of a hundred at least; 100 in `scripts/soak`."""
    assert shuffled.noticed(shuffled.FALSE[name], 20, 7) >= 19


@pytest.mark.parametrize("packs", range(1, 9))
def test_every_schlitten_has_odds(packs):
    """PR-4: also one of a single pack, of which nothing can come twice."""
    found = odds(Shuffle(packs, 52 * packs - 6, 1))

    assert all(often >= 0 for by_length in found.values() for often in by_length.values())
    assert (max(found[Kind.REPEAT].values()) == 0) == (packs == 1)


def test_the_page_about_it_tells_the_lengths():
    """PR-4: docs/SHUFFLES.md, from what length on something is remarked, once in how many years."""
    page = (Path(__file__).parents[3] / "docs/SHUFFLES.md").read_text()
    for a_year, head in ((300, "300"), (3000, "3,000")):
        told = []
        for by_length in odds(Shuffle(8, 402, a_year)).values():
            length = next(n for n, often in by_length.items() if often < 1 / ONE_YEAR_IN)
            told.append(f"{length}: {round(1 / by_length[length])}")

        assert f"| {head} | " + " | ".join([f"{told[0]} years", *told[1:]]) + " |" in page

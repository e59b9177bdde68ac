"""Écarté: deals by whim with mistakes, worlds that differ in closed cards, the facts walked."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from tests.engine.ecarte_facts import TRUMPS, deals, few_trumps, golden, kings
from tests.engine.ecarte_playing import HOUSES
from tests.engine.ecarte_worlds import pair
from tests.soak.ecarte_deals import CASES_BY_NAME, DEALS_OF_ALL, found

#: The whole run of pairs of worlds.
PAIRS = 100_000

Row = tuple[str, str]


def run(share: float) -> list[Row]:
    """All three."""
    return [*_deals(share), *_worlds(share), *_facts()]


def _deals(share: float) -> list[Row]:
    every = found(round(DEALS_OF_ALL * share))
    taken = {case for came in every.values() for case in came} & set(CASES_BY_NAME)
    cases = ("cases of the machine that came", f"{len(taken)} of {len(CASES_BY_NAME)}")
    return [*((f"deals at {house}", _told(came)) for house, came in every.items()), cases]


def _told(came: Counter[str]) -> str:
    deals = f"{came['ended'] + came['annulled']}: {came['ended']} played out"
    parties = f"{came['parties']} parties, {came['staked']} of them for money"
    mistakes = f"{came['restored']} played again, {came['taken back']} words taken back"
    return f"{deals}, {came['annulled']} annulled; {parties}; {mistakes}, {came['refused']} refused"


def _worlds(share: float) -> list[Row]:
    pairs = round(PAIRS * share)
    compared = sum([pair(HOUSES[seed % 3], seed) for seed in range(pairs)])
    return [("pairs of worlds", f"{pairs}, {compared} inputs compared, every output equal")]


def _facts() -> list[Row]:
    """Every figure of the golden table, by dealing; one that differs ends the run."""
    known, rows = golden(), []
    for held in range(6):
        few, many = few_trumps(held)
        told = f"{few} / {many}"
        assert told == known[TRUMPS.format(held)], (held, told)
        rows.append((f"elder holds {held} trumps", f"{told}: {Fraction(few, few + many)}"))
    for house in HOUSES:
        found = kings(house)
        assert found["turned"] == Fraction(4, 32), house.id
        assert found["elder"] == found["dealer"] == Fraction(35, 248), house.id
        assert deals(house) == (357_655_858_560, 21), house.id
    rows.append(("deals, kings of trumps and the talon", "as in the golden table at each house"))
    return rows

"""Écarté: random deals with mistakes and stakes, and the chances in a deal, found by dealing."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction

from tests.engine.ecarte_deals import CASES_BY_NAME, DEALS_OF_ALL, WORKERS, found
from tests.engine.ecarte_facts import TRUMPS, deals, few_trumps, golden, kings
from tests.engine.ecarte_playing import HOUSES

Row = tuple[str, str]


def run(share: float) -> list[Row]:
    """Play a share of the random deals, and compute the figures of a deal."""
    return [*_deals(share), *_facts()]


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


def _facts() -> list[Row]:
    """Compute every figure of `golden` by dealing. A figure that differs ends the run."""
    known, rows = golden(), []
    with ProcessPoolExecutor(WORKERS) as pool:
        ways = list(pool.map(few_trumps, range(6)))
    for held, (few, many) in enumerate(ways):
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

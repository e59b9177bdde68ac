"""Refusals word for word, each next to the least change with which the table accepts the input."""

from __future__ import annotations

from collections.abc import Sequence

from table_controller.engine.chemin_de_fer.state import Table
from table_controller.engine.chemin_de_fer.step import step
from table_controller.engine.messages import Refusal
from table_controller.rules.chemin_de_fer.house import House
from tests.engine import script
from tests.engine.playing import deal, play, table

BANK = ("seat 1 banks 100",)
SOLO = (*BANK, "seat 2 banco solo")
FOUR = (*SOLO, *deal("2h Kc", "3d Ks"))
STAKED = (*BANK, "seat 2 stakes 30")
WON = (*SOLO, *deal("2h Kc", "9d Ks"), "seat 2 carte", "seat 1 opens", "seat 2 opens", "paid")
WON_N = (*STAKED, *deal("2h Kc", "9d Ks"), "seat 2 carte", "seat 1 opens", "seat 2 opens", "paid")
LOST = (*SOLO, *deal("9h Kc", "2d Ks"), "seat 2 schlag", "seat 1 opens")
OPEN_GAME = (*BANK, "all may stake", "seat 2 stakes 30")
OPEN_BANK = ("seat 1 banks open", "all may stake", "seat 2 stakes 30", "nichts geht mehr")
SHARED = (*BANK, "seat 2 banco 60 with the table", "seat 3 stakes 10", "nichts geht mehr")
CHOOSE = (*FOUR, "seat 2 carte", "seat 1 opens", "card 4c")
BOUND = "seat 1 by the schlitten"


def refused(now: Table, line: str) -> tuple[str, type[Refusal]]:
    """`why remedy (rule)`, or an empty text where the table takes it."""
    try:
        step(now, script.parse(line))
    except Refusal as refusal:
        rule = f" ({refusal.rule})" if refusal.rule else ""
        return f"{refusal.why} {refusal.remedy}{rule}", type(refusal)
    return "", Refusal


def judged(
    house: House, lines: Sequence[str], wrong: str, _why: str, right: Sequence[str]
) -> list[str]:
    """How `wrong` is refused where `lines` were said, then the same of each of `right`."""
    now = play(table(house=house), *lines)
    return [refused(now, line)[0] for line in (wrong, *right)]


def expected(
    _house: House, _lines: Sequence[str], _wrong: str, why: str, right: Sequence[str]
) -> list[str]:
    """So it is to be refused, and each of `right` is taken."""
    return [why, *[""] * len(right)]

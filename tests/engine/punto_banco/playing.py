"""The common part of punto banco's tests: houses, a table, a way to play lines at it, scripts."""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from importlib import resources
from pathlib import Path

from table_controller.engine.messages import Input, Refusal
from table_controller.engine.punto_banco import game
from table_controller.engine.punto_banco.state import Table
from table_controller.engine.punto_banco.step import step
from table_controller.rules.punto_banco.house import House
from tests.engine.punto_banco import script

COUPS = sorted((Path(__file__).parents[2] / "coups/punto_banco").glob("*.coup"))


def house(name: str = "punto-banco", **settings: object) -> House:
    """A house as its file has it, but for these settings."""
    file = resources.files("table_controller") / "houses" / f"{name}.toml"
    return replace(House(**tomllib.loads(file.read_text())), **settings)


def houses() -> tuple[House, ...]:
    """The three that are shipped, one that does all otherwise, and one that only announces."""
    other = house(
        dealing="squeezed",
        commission="boxes",
        burn="fixed",
        burn_cards=2,
        after_cut="none",
        most_bet=300,
        most_side=50,
        differential=200,
        paid_first="main",
        extra_card="burned",
        face_up="void",
        wrong_hand="void",
        foreign="stays",
        tray=2000,
        side_bets={"perfect_pair": "25:1 200:1", "big": "0.54:1", "small": "1.5:1"},
    )
    announcing = house(dealing="squeezed", bets=False)
    shipped = ("punto-banco", "punto-banco-no-commission", "punto-banco-ez")
    return (*map(house, shipped), other, announcing)


_HOUSE = re.compile(r"^# house ([a-z0-9-]+)$", re.MULTILINE)
_SET = re.compile(r"^# set (.+)$", re.MULTILINE)
_SHORT = re.compile(r"^# The Schlitten holds (\d+) cards\.$", re.MULTILINE)


def table(house: House | None = None, *, left: int | None = None, chips: int = 1000) -> Table:
    """Nine players, a Schlitten ready, its first cards burned; `left` cards in it."""
    begun = script.table(house or _house(), chips=chips)
    return begun if left is None else script.short(begun, left)


def _house() -> House:
    return house()


def table_of(text: str) -> Table:
    """The table that a coup script begins with."""
    short, named = _SHORT.search(text), _HOUSE.search(text)
    settings = tomllib.loads("\n".join(_SET.findall(text)))
    own = house(named[1] if named else "punto-banco", **settings)
    return table(own, left=int(short[1]) if short else None)


def told(now: Table, said: Input | str) -> tuple[Table, str]:
    """The table after `said` and what a script shows of it; a refusal is `refused (its rule)`."""
    said = game.read(said) if isinstance(said, str) else said
    try:
        after, events = step(now, said)
    except Refusal as refusal:
        return now, f"refused ({refusal.rule})" if refusal.rule else "refused"
    return after, script.show(events)


def played(now: Table, *lines: str) -> Table:
    """The table after these lines, none of them refused."""
    for line in lines:
        now, shown = told(now, line)
        assert not shown.startswith("refused"), (line, shown)
    return now

"""The common part of the engine's tests: a table, a way to play lines at it, the coup scripts."""

from __future__ import annotations

import re
import tomllib
from importlib import resources
from pathlib import Path

from msgspec.structs import replace

from table_controller.engine.chemin_de_fer.state import Table, money
from table_controller.engine.chemin_de_fer.step import step
from table_controller.engine.messages import Event, Input, Refusal
from table_controller.rules.chemin_de_fer.house import House
from tests.engine import script

COUPS = sorted((Path(__file__).parents[1] / "coups").glob("*.coup"))

#: The printed house (ZP-2, ZP-4, ZP-5, ZP-16, ZP-20, R-8, R-12), written down again by hand.
ZOPPOT = House(
    id="zoppot-1934",
    title="Zoppot 1934",
    unit="G",
    seats=9,
    packs=6,
    white_at=7,
    least_pot=10,
    least_stake=2,
    most_pot=0,
    cagnotte_bp=500,
)


def house(name: str) -> House:
    """A house as its file has it."""
    file = resources.files("table_controller") / "houses" / f"{name}.toml"
    return House(**tomllib.loads(file.read_text()))


NEMZETI, MODERN = house("nemzeti-1907"), house("modern")

_HOUSE = re.compile(r"^# house ([a-z0-9-]+)$", re.MULTILINE)
_BRING = re.compile(r"^# Everybody brings (\d+)\.$", re.MULTILINE)
_SHORT = re.compile(r"^# The Schlitten holds (\d+) cards\.$", re.MULTILINE)


def table(*, left: int | None = None, chips: int = 1000, house: House = ZOPPOT) -> Table:
    """Nine players, a Schlitten ready at seat 1, with `left` cards where that is given."""
    begun = script.table(house, chips=chips)
    return begun if left is None else script.short(begun, left)


def table_of(text: str) -> Table:
    """The table that a coup script begins with."""
    short, named, bring = (head.search(text) for head in (_SHORT, _HOUSE, _BRING))
    return table(
        left=int(short[1]) if short else None,
        chips=int(bring[1]) if bring else 1000,
        house=house(named[1]) if named else ZOPPOT,
    )


def told(now: Table, said: Input) -> tuple[Table, str]:
    """The table after `said` and what a script shows of it; a refusal is `refused (its rule)`."""
    try:
        after, events = step(now, said)
    except Refusal as refusal:
        return now, f"refused ({refusal.rule})" if refusal.rule else "refused"
    return after, script.show(events)


def total(now: Table) -> int:
    """All money that came to the table and has not left it, in chips (R-16)."""
    return sum(money(now).values())


def play(now: Table, *lines: str) -> Table:
    """The table after these lines, each of which it must admit."""
    for line in lines:
        now, _ = step(now, script.parse(line))
    return now


def events(now: Table, *lines: str) -> tuple[Event, ...]:
    """Everything that these lines bring, sealed events included."""
    heard: tuple[Event, ...] = ()
    for line in lines:
        now, more = step(now, script.parse(line))
        heard += more
    return heard


def deal(pointeur: str, banker: str) -> tuple[str, ...]:
    """The four lines that deal `pointeur` and `banker` two cards each, such as `5h Kd`."""
    one, two = pointeur.split(), banker.split()
    return tuple(f"card {card}" for pair in zip(one, two, strict=True) for card in pair)


__all__ = [
    "COUPS",
    "MODERN",
    "NEMZETI",
    "ZOPPOT",
    "deal",
    "events",
    "house",
    "play",
    "table",
    "table_of",
    "told",
    "total",
]


def same_undo(now: Table, before: Table) -> Table:
    """The table `now`, whose last input is as far back as at the table `before`.

    What can be taken back is the same; what was told since then is not (R-20).
    """
    if now.undo is None or before.undo is None:
        return now
    return replace(now, undo=replace(now.undo, since=before.undo.since))

"""The roads as grids, the counters of the Schlitten, and the table of draws on the wall.

From what is settled alone: a voided coup, and one taken back, is in none of them (PR-2).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from table_controller.engine.messages import Phrase, phrase
from table_controller.engine.pieces import Cell, Figure, Grid, Tone, Total
from table_controller.engine.punto_banco.state import Record
from table_controller.rules.punto_banco.coup import Winner
from table_controller.rules.punto_banco.roads import ROWS, Ask, Colour, Road, roads
from table_controller.rules.punto_banco.roads import Cell as Entry
from table_controller.rules.punto_banco.tableau import STOOD, banker_draws

_WORD: Final = {
    Colour.RED: phrase("red"),
    Colour.BLUE: phrase("blue"),
    Colour.GREEN: phrase("green"),
}
_WON: Final = {
    Colour.RED: phrase("Banker"),
    Colour.BLUE: phrase("Player"),
    Colour.GREEN: phrase("Tie"),
}
_LETTER: Final = {Colour.RED: "B", Colour.BLUE: "P", Colour.GREEN: "T"}
_ROADS: Final = (
    ("bead", phrase("Bead plate"), "PB-30"),
    ("big", phrase("Big road"), "PB-31"),
    ("eye", phrase("Big eye boy"), "PB-33"),
    ("small", phrase("Small road"), "PB-33"),
    ("cockroach", phrase("Cockroach"), "PB-33"),
)
_DERIVED_SIGN: Final = {"eye": "○", "small": "●", "cockroach": "╱"}


@cache
def grids(past: tuple[Record, ...]) -> tuple[Grid, ...]:
    """The five roads and the ask cells (PB-30 to PB-34)."""
    found = roads([record.result for record in past])
    named = {"bead": found.bead, "big": found.big, "eye": found.eye, "small": found.small}
    named["cockroach"] = found.cockroach
    drawn = tuple(_grid(name, label, rule, named[name]) for name, label, rule in _ROADS)
    return (*drawn, _ask(found.if_player, found.if_banker))


def _grid(name: str, label: Phrase, rule: str, road: Road) -> Grid:
    columns = max((cell.column for cell in road), default=-1) + 1
    rows: list[list[Cell | None]] = [[None] * columns for _ in range(ROWS)]
    for entry in road:
        tone: Tone = entry.colour.value
        if name in _DERIVED_SIGN:
            cell = Cell(sign=_DERIVED_SIGN[name], text=_WORD[entry.colour], tone=tone)
        else:
            cell = Cell(sign=_sign(entry), text=_WON[entry.colour], tone=tone)
        rows[entry.row][entry.column] = cell
    return Grid(name=name, label=label, cells=tuple(map(tuple, rows)), rule=rule)


def _sign(entry: Entry) -> str:
    """The winner's letter; pairs are dots, Banker's before it, Player's behind; ties a number."""
    colour, ties = entry.colour, entry.ties
    before = "·" if entry.banker_pair else ""
    behind = "·" if entry.player_pair else ""
    return f"{before}{_LETTER[colour]}{behind}{ties or ''}"


def _ask(player: Ask, banker: Ask) -> Grid:
    """What each derived road would get if Player, or Banker, came next (PB-34)."""
    rows = tuple(
        tuple(
            None if colour is None else Cell(sign=sign, text=_WORD[colour], tone=colour.value)
            for colour, sign in zip(ask, _DERIVED_SIGN.values(), strict=True)
        )
        for ask in (player, banker)
    )
    return Grid(
        name="ask", label=phrase("What comes next"), cells=rows, rows=("P", "B"), rule="PB-34"
    )


def counters(past: Sequence[Record]) -> tuple[Total, ...]:
    """What this Schlitten's coups came to."""
    won = [record.winner for record in past]
    figures = (
        Figure(name="coups", label=phrase("coups"), value=len(past)),
        Figure(name="banker", label=phrase("Banker"), value=won.count(Winner.BANKER)),
        Figure(name="player", label=phrase("Player"), value=won.count(Winner.PLAYER)),
        Figure(name="ties", label=phrase("Tie"), value=won.count(Winner.TIE)),
        Figure(
            name="naturals", label=phrase("naturals"), value=sum(record.natural for record in past)
        ),
    )
    return (Total(of="schlitten", label=phrase("Schlitten"), figures=figures),)


@cache
def wall() -> Grid:
    """The table of draws: Banker's points downwards, Player's third card across (PB-7)."""
    given = (STOOD, *range(10))
    draws, stands = (
        Cell(sign="●", text=phrase("draws")),
        Cell(sign="–", text=phrase("stands")),
    )
    return Grid(
        name="tableau",
        label=phrase("Banker's third card: Banker's points, Player's third card"),
        rule="PB-7",
        rows=tuple(map(str, range(8))),
        columns=("–", *map(str, range(10))),
        cells=tuple(
            tuple(draws if banker_draws(points, pips) else stands for pips in given)
            for points in range(8)
        ),
        key=(draws, stands),
    )

"""The lines of punto banco's own inputs in coup scripts: `seat 2 bets 10 on tie`."""

from __future__ import annotations

from typing import Final

from table_controller.engine.punto_banco import inputs as i
from table_controller.engine.punto_banco.inputs import Side
from table_controller.engine.script import Notation
from table_controller.engine.table import inputs as ti
from table_controller.rules.punto_banco.coup import Winner

NOTATION: Final = Notation(
    (i.Bets, "seat {seat} bets {chips} on {spot}", {}),
    (i.BetsAgain, "the same stakes again", {}),
    (i.TakesDown, "seat {seat} takes down {spot}", {}),
    (ti.Closes, "no more bets", {}),
    (i.FreeCoup, "free coup", {}),
    (i.BetsOpenAgain, "bets open again", {}),
    (i.Opened, "{side} opened", {}),
    (i.Agrees, "agreed", {}),
    (i.Agrees, "agreed on {winner}", {}),
    (ti.Ticked, "tick {line}", {}),
    (ti.Paid, "paid", {}),
    (i.Collects, "seat {seat} commission", {}),
    (ti.Misdealt, "wrong hand", {}),
    (i.PutRight, "put right because {reason}", {}),
    (i.Reopens, "reopened {reason}", {}),
    (i.ResultRuled, "result {winner} because {reason}", {}),
    (i.PastRuled, "coup {coup} result {winner} because {reason}", {}),
    patterns={
        "spot": r"[a-z0-9_]+",
        "side": "|".join(Side),
        "winner": "|".join(Winner),
        "coup": r"\d+",
        "line": r"\d+",
    },
)

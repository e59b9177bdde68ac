"""The lines of chemin de fer's own inputs in coup scripts: `seat 2 banco solo`."""

from __future__ import annotations

from typing import Final

from table_controller.engine.chemin_de_fer import inputs as i
from table_controller.engine.script import Notation
from table_controller.engine.table import inputs as ti

NOTATION: Final = Notation(
    (i.Declares, "seat {seat} by the schlitten", {}),
    (i.Declares, "seat {seat} plays free", {"by_schlitten": False}),
    (i.Banks, "seat {seat} banks {chips}", {}),
    (i.OpensBank, "seat {seat} banks open", {}),
    (i.Passes, "seat {seat} passes", {}),
    (i.Raises, "seat {seat} raises {chips}", {}),
    (i.DrawsIn, "seat {seat} draws in", {}),
    (i.Halves, "seat {seat} halves", {}),
    (i.Joins, "seat {seat} joins the bank {chips}", {}),
    (i.Suite, "seat {seat} suite", {}),
    (i.Bids, "seat {seat} bids {chips}", {}),
    (i.Sold, "sold", {}),
    (i.TakesOver, "seat {seat} takes over", {}),
    (i.Banco, "seat {seat} banco solo", {}),
    (i.BancoWithPartner, "seat {seat} banco {chips} with seat {partner}", {}),
    (i.BancoWithTable, "seat {seat} banco {chips} with the table", {}),
    (i.OpenGame, "all may stake", {}),
    (i.Stakes, "seat {seat} stakes {chips}", {}),
    (i.Stakes, "seat {seat} stakes {chips} with consent", {"consent": True}),
    (i.StakesAgain, "the same stakes again", {}),
    (ti.Closes, "nichts geht mehr", {}),
    (i.Declines, "seat {seat} declines", {}),
    (i.TakesUp, "seat {seat} takes up", {}),
    (i.Opened, "seat {seat} opens", {}),
    (i.Spoke, "seat {seat} {word}", {}),
    (i.AsksSchlitten, "seat {seat} asks the schlitten", {}),
    (i.Waited, "waited", {}),
    (i.Exposed, "seat {seat} exposed", {}),
    (i.Throws, "seat {seat} throws", {}),
    (ti.Misdealt, "misdealt", {}),
    (i.PutRight, "put right", {}),
    (i.BankLoses, "bank loses", {}),
    (i.AdmitsFaux, "seat {seat} admits faux tirage", {}),
    (i.LetStand, "let stand {reason}", {}),
    (i.CardCounts, "card counts {reason}", {}),
    (ti.Ticked, "tick {line}", {}),
    (ti.Paid, "paid", {}),
    patterns={"partner": r"\d+", "line": r"\d+", "word": "|".join(i.Word)},
)

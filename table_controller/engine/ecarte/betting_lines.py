"""The lines of the inputs about stakes, chouettes and banks in a deal's script."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from table_controller.engine.ecarte import betting_inputs as i
from table_controller.engine.script import Line

LINES: Final[tuple[Line, ...]] = (
    (i.Draws, "seat {seat} draws {card}", {}),
    (i.Draws, "seat {seat} draws {card} too", {"more": True}),
    (i.TwoSides, "seat {left} and seat {right} play a deux cotes", {}),
    (i.GivesChouette, "seat {seat} gives chouette", {}),
    (i.CallsAuction, "auction", {}),
    (i.BidsFor, "seat {seat} bids {chips}", {}),
    (i.BidsFor, "seat {seat} bids {chips} together", {"together": True}),
    (i.KnockedDown, "knocked down to seat {seat}", {}),
    (i.LaysBank, "seat {seat} lays a bank of {chips}", {}),
    (i.Stakes, "seat {seat} stakes {chips} on side {side}", {}),
    (i.Stakes, "seat {seat} stakes {chips} on side {side} with leave", {"consent": True}),
    (i.StakesAgain, "the same stakes again", {}),
    (i.StakeWithdrawn, "seat {seat} takes his stake back", {}),
    (i.StakeWithdrawn, "seat {seat} takes his stake back with leave", {"consent": True}),
    (i.HoldsRest, "seat {seat} holds the rest", {}),
    (i.CutsStakes, "the last stakes are cut", {}),
    (i.StakesOutside, "seat {seat} stakes {chips} with seat {holder}", {}),
    (i.StakesOutside, "seat {seat} backs the giver for {chips} with seat {holder}",
     {"on_giver": True}),
    (i.ClosesStakes, "rien ne va plus", {}),
    (i.LetsIn, "seat {seat} lets in {chips}", {}),
    (i.StaysOut, "stays out", {}),
    (i.Renounces, "seat {seat} renounces", {}),
    (i.PartieHeld, "le coup est tenu", {}),
    (i.PartieDeclined, "the giver withdraws", {}),
    (i.TakesShare, "seat {seat} has {parts} parts of it", {}),
    (i.HoldsCards, "seat {seat} holds the cards", {}),
    (i.RaisesBank, "the bank is raised by {chips}", {}),
    (i.HalvesBank, "the bank is halved", {}),
    (i.RenewsBank, "a fresh bank of {chips}", {}),
    (i.GivesUp, "given up", {}),
    (i.GoesOn, "seat {seat} goes on", {}),
    (i.WillNotGoOn, "seat {seat} will not go on", {}),
    (i.StakeFound, "seat {seat} had staked {chips}", {}),
)  # fmt: skip
PATTERNS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("left", "right", "holder", "parts"), r"\d+"),
    "side": "[01]",
}

"""The lines of écarté's own inputs in a deal's script: `seat 3 proposes`."""

from __future__ import annotations

from typing import Final

from table_controller.engine.ecarte import betting_lines
from table_controller.engine.ecarte import inputs as i
from table_controller.engine.script import Notation

NOTATION: Final = Notation(
    (i.Opponents, "seat {left} against seat {right}", {}),
    (i.CutsForDeal, "seat {seat} cuts {card}", {}),
    (i.FreshCards, "seat {seat} calls for fresh cards", {}),
    (i.Reshuffles, "seat {seat} shuffles again", {}),
    (i.CutFaulty, "faulty cut", {}),
    (i.Packets, "first {first}", {}),
    (i.FacedInPack, "faced in the pack", {}),
    (i.Exposed, "exposed of seat {seat}", {}),
    (i.WrongPackets, "dealt first {first}", {}),
    (i.WrongNumber, "wrong number", {}),
    (i.DealtOutOfTurn, "dealt out of turn", {}),
    (i.DealtOutOfTurn, "dealt out of turn, proposed", {"proposed": True}),
    (i.Looks, "seat {seat} looks", {}),
    (i.Proposes, "seat {seat} proposes", {}),
    (i.Accepts, "seat {seat} accepts", {}),
    (i.Refuses, "seat {seat} refuses", {}),
    (i.Discards, "seat {seat} discards {cards}", {}),
    (i.Counted, "seat {seat} holds {cards}", {}),
    (i.AskedWrongly, "seat {seat} asked wrongly, holds {cards}", {}),
    (i.SaysKing, "seat {seat} le roi", {}),
    (i.Marks, "seat {seat} marks {points} {why}", {}),
    (i.Unmarks, "seat {seat} unmarks", {}),
    (i.Announces, "seat {seat} announces {suit}", {}),
    (i.HasNone, "seat {seat} has none", {}),
    (i.PlaysCard, "seat {seat} plays {card}", {}),
    (i.TakesUp, "seat {seat} takes up", {}),
    (i.Shows, "seat {seat} shows {card}", {}),
    (i.Twins, "seat {seat} plays its twin", {}),
    (i.Twins, "seat {seat} plays its twin {card}", {}),
    (i.Revoked, "seat {seat} revoked", {}),
    (i.Revoked, "seat {seat} revoked earlier", {"earlier": True}),
    (i.Touched, "seat {seat} touched the discards", {}),
    (i.LooksAtTricks, "seat {seat} looked at tricks", {}),
    (i.ThrowsAway, "seat {seat} throws away", {}),
    (i.ThrowsAway, "seat {seat} throws away, mixed", {"mixed": True}),
    (i.ThrowsIn, "seat {seat} throws in", {}),
    (i.Quits, "seat {seat} quits", {}),
    (i.PlaysOn, "seat {to} plays on for seat {seat}", {}),
    (i.FalseCards, "false cards", {}),
    (i.Reported, "reported {matter}", {}),
    (i.Chooses, "seat {seat} chooses {option}", {}),
    (i.Onward, "onward", {}),
    *betting_lines.LINES,
    patterns={
        **dict.fromkeys(("left", "right", "first", "cards", "points"), r"\d+"),
        **dict.fromkeys(("why", "matter", "option"), r"[a-z_]+"),
        "suit": "[cdhs]",
        **betting_lines.PATTERNS,
    },
)

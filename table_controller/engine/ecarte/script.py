"""A deal of écarté as text, in the notation of every table (`engine/table/script.py`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from table_controller.engine.ecarte import events as ev
from table_controller.engine.ecarte import inputs as i
from table_controller.engine.messages import Event
from table_controller.engine.table import script

_LINES: Final[tuple[script.Line, ...]] = (
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
    (i.Revoked, "seat {seat} revoked", {}),
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
)
_PATTERNS: Final = {
    **dict.fromkeys(("left", "right", "first", "cards", "points"), r"\d+"),
    **dict.fromkeys(("why", "matter", "option"), r"[a-z_]+"),
    "suit": "[cdhs]",
}
NOTATION: Final = script.Notation((*script.LINES, *_LINES), _PATTERNS, such_as="seat 2 proposes")
read, write = NOTATION.read, NOTATION.write


def _may(event: ev.MarksDue) -> str:
    return f"seat {event.seat} may mark {event.points} {event.why} ({event.rule})"


def _deal(event: ev.DealEnded) -> str:
    who = f"seat {event.winner} wins" if event.winner else "nobody wins"
    return f"{who} {event.left}-{event.right}"


def _partie(event: ev.PartieEnded) -> str:
    who = f"seat {event.winner} wins" if event.winner else "nobody wins"
    return f"{who} the partie {event.left}-{event.right} by {event.how}"


_SHOW: Final[dict[type, Callable[[Any], str]]] = {
    **script.SHOWN,
    ev.PartieBegun: lambda e: f"partie {e.partie}",
    ev.CutShown: lambda e: f"seat {e.seat} cuts {e.card}",
    ev.DealerFound: lambda e: f"seat {e.seat} deals" if e.seat else "cut again",
    ev.CardsAsked: lambda e: f"fresh cards, seat {e.seat} pays" if e.pays else "fresh cards",
    ev.TurnedUp: lambda e: "king turned up" if e.king else "",
    ev.CardExposed: lambda e: f"exposed of seat {e.seat}",
    ev.CardsCounted: lambda e: f"seat {e.seat} holds {e.cards}",
    ev.Proposed: lambda e: f"seat {e.seat} proposes",
    ev.ProposalAnswered: lambda e: f"seat {e.seat} {'accepts' if e.accepted else 'refuses'}",
    ev.Discarded: lambda e: (
        f"seat {e.seat} asks {e.cards}" + (f", takes back {e.short}" if e.short else "")
    ),
    ev.KingSaid: lambda e: f"seat {e.seat} le roi",
    ev.Marked: lambda e: f"seat {e.seat} marks {e.points}: {e.left}-{e.right}",
    ev.Unmarked: lambda e: f"seat {e.seat} loses {e.points}: {e.left}-{e.right} ({e.rule})",
    ev.MarksDue: _may,
    ev.MarksLapsed: lambda e: f"seat {e.seat} lapsed {e.points}",
    ev.SuitAnnounced: lambda e: f"seat {e.seat} announces {e.suit}",
    ev.CardPlayed: lambda e: f"seat {e.seat} {'leads' if e.lead else 'plays'} {e.card}",
    ev.CardShown: lambda e: f"seat {e.seat} shows {e.card}",
    ev.CardTakenUp: lambda e: f"seat {e.seat} takes up",
    ev.TrickWon: lambda e: f"trick to seat {e.seat}: {e.left}-{e.right}",
    ev.RevokeFound: lambda e: f"revoke of seat {e.seat} in trick {e.trick}",
    ev.DealRestored: lambda e: f"played again, seat {e.seat} revoked",
    ev.OpenCards: lambda e: f"seat {e.seat} plays open",
    ev.MayNotMarkKing: lambda e: f"no king for seat {e.seat}",
    ev.MustGrant: lambda e: f"seat {e.seat} must grant",
    ev.QuestionAsked: lambda e: (
        f"asked {script.place(e.seat) if e.seat else 'the croupier'}: {e.question} ({e.rule})"
    ),
    ev.QuestionAnswered: lambda e: f"{e.option}",
    ev.RuleCalled: lambda e: f"{e.matter} ({e.rule})",
    ev.DealMended: lambda e: f"corrected ({e.rule})",
    ev.DealSetAside: lambda e: f"deal of seat {e.dealer} set aside",
    ev.DealResumed: lambda e: f"deal of seat {e.dealer} resumed",
    ev.DealAnnulled: lambda e: f"annulled, seat {e.dealer} deals ({e.rule})",
    ev.DealEnded: _deal,
    ev.Contradicted: lambda e: f"seat {e.seat} was not given {e.cards}",
    ev.PartieEnded: _partie,
    ev.PlayerReplaced: lambda e: f"seat {e.to} plays on for seat {e.seat}",
}


def show(events: Iterable[Event]) -> str:
    """What came of an input, as the croupier would say it; parts divided by `; `."""
    return script.shown(events, _SHOW)

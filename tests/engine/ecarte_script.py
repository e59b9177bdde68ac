"""The events of an écarté table, as its scripts write them."""

from __future__ import annotations

from collections.abc import Iterable

from table_controller.engine.ecarte import events as ev
from table_controller.engine.messages import Event
from table_controller.engine.table import events as te
from tests import scripting


def _may(event: ev.MarksDue) -> str:
    return f"seat {event.seat} may mark {event.points} {event.why} ({event.rule})"


def _deal(event: ev.DealEnded) -> str:
    who = f"seat {event.winner} wins" if event.winner else "nobody wins"
    return f"{who} {event.left}-{event.right}"


def _partie(event: ev.PartieEnded) -> str:
    who = f"seat {event.winner} wins" if event.winner else "nobody wins"
    return f"{who} the partie {event.left}-{event.right} by {event.how}"


_SHOW: scripting.Shown = {
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
    ev.NotBeaten: lambda e: f"seat {e.seat} did not beat in trick {e.trick} ({e.rule})",
    ev.DealRestored: lambda e: f"played again, seat {e.seat} revoked",
    ev.OpenCards: lambda e: f"seat {e.seat} plays open",
    ev.MayNotMarkKing: lambda e: f"no king for seat {e.seat}",
    ev.MustGrant: lambda e: f"seat {e.seat} must grant",
    ev.QuestionAsked: lambda e: (
        f"asked {scripting.place(e.seat) if e.seat else 'the croupier'}: {e.question} ({e.rule})"
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
    told = list(events)
    bare = {e.ordinal for e in told if isinstance(e, te.CardOpened)}
    drawn = (e for e in told if not (isinstance(e, te.CardDrawn) and e.ordinal in bare))
    return scripting.show(drawn, _SHOW)

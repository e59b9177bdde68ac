"""The state machine of écarté: `CASES` lists which input is allowed in which phase.

docs/STATES.md is drawn from this list. The module is pure: it uses no clock, no device, no log and
no random numbers. An input that is not allowed raises `Refusal` and changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final, get_args

from msgspec.structs import replace

from table_controller.engine.ecarte import (
    answers,
    betting,
    betting_cases,
    dealing,
    faults,
    marking,
    opening,
    playing,
    practice,
    repair,
    revoking,
    speaking,
    turning,
)
from table_controller.engine.ecarte import inputs as i
from table_controller.engine.ecarte import phases as p
from table_controller.engine.ecarte import state as s
from table_controller.engine.ecarte.betting_inputs import BettingInput
from table_controller.engine.ecarte.events import DealAnnulled, PartieEnded
from table_controller.engine.ecarte.words import awaited
from table_controller.engine.messages import CardSeen, Event, Input, Phrase, Restored, phrase
from table_controller.engine.table import common, undo
from table_controller.engine.table import inputs as ti
from table_controller.engine.table.stops import Stray, Unread

Handler = Callable[[s.Table, Any, Any], s.Step]

SPEAKING = (p.ElderToSpeak, p.DealerToAnswer)
BUYING = (p.Discarding, p.Buying)
PLAYING = (p.LeadDue, p.ReplyDue)
#: The cards are dealt, and the deal is not over.
OUT = (*SPEAKING, *BUYING, *PLAYING)
#: A partie is under way, and no question is open.
BETWEEN = (p.NoSchlitten, p.PacketsDue, p.Dealing)

#: A partie is held: a player can leave it, and its cards can be found false (ER-47).
HELD = (p.CutDue, *BETWEEN, *OUT, p.DealOver, p.Asked)

#: A fault in play can be reported until the deal's marks are set (ER-13, ER-39).
SAID_LATE = (*PLAYING, *BETWEEN, p.DealOver)


def _each(phases: Iterable[type], said: type, handler: Handler) -> dict[tuple[type, type], Handler]:
    return {(phase, said): handler for phase in phases}


#: The inputs that each phase allows, besides those that every table allows.
CASES: dict[tuple[type, type], Handler] = {
    # The partie and its Schlitten
    (p.PlayersDue, i.Opponents): opening.opponents,
    (p.CutDue, i.CutsForDeal): opening.cuts,
    (p.NoSchlitten, ti.Prepared): opening.prepared,
    (p.NoSchlitten, i.Reshuffles): opening.reshuffles,
    (p.NoSchlitten, i.CutFaulty): opening.cut_faulty,
    (p.NoSchlitten, i.FreshCards): opening.fresh_cards,
    (p.NoSchlitten, ti.SchlittenLoaded): opening.schlitten_loaded,
    (p.NoSchlitten, ti.Annulled): opening.no_third_pack,
    (p.PacketsDue, i.Packets): opening.packets,
    (p.DealOver, ti.SchlittenClosed): opening.schlitten_closed,
    # Mistakes in the deal
    **_each((p.Dealing, p.Buying), i.FacedInPack, dealing.faced_in_pack),
    **_each((p.Dealing, *BUYING, *SPEAKING, p.LeadDue), i.Exposed, dealing.exposed),
    **_each((p.Dealing, p.ElderToSpeak), i.WrongPackets, dealing.wrong_packets),
    **_each((p.Dealing, *SPEAKING, p.Discarding, p.LeadDue), i.WrongNumber, dealing.wrong_number),
    **_each((p.Dealing, *OUT, p.DealOver), i.DealtOutOfTurn, turning.out_of_turn),
    **_each(OUT, i.Looks, dealing.looks),
    # Propositions, answers and discards
    (p.ElderToSpeak, i.Proposes): speaking.proposes,
    (p.DealerToAnswer, i.Accepts): speaking.accepts,
    (p.DealerToAnswer, i.Refuses): speaking.refuses,
    (p.Discarding, i.Discards): speaking.discards,
    **_each((*SAID_LATE, p.Discarding, p.ElderToSpeak), i.Counted, speaking.counted),
    **_each((p.Discarding, p.ElderToSpeak, p.LeadDue), i.AskedWrongly, speaking.asked_wrongly),
    # The king, and the marks
    **_each(OUT, i.SaysKing, marking.says_king),
    **_each((*OUT, *BETWEEN, p.DealOver), i.Marks, marking.marks),
    **_each(OUT, i.Unmarks, marking.unmarks),
    # The tricks
    **_each((p.ElderToSpeak, p.LeadDue), i.Announces, playing.announces),
    **_each((p.ElderToSpeak, p.LeadDue), i.PlaysCard, playing.leads),
    (p.ReplyDue, i.PlaysCard): playing.replies,
    (p.ReplyDue, i.HasNone): playing.has_none,
    **_each(PLAYING, i.TakesUp, playing.takes_up),
    **_each(OUT, i.Shows, playing.shows),
    **_each(OUT, i.Twins, playing.twins),
    # Faults
    **_each((*SAID_LATE, p.PartieOver), i.Revoked, revoking.revoked),
    **_each(OUT, i.Touched, faults.touched),
    **_each(PLAYING, i.LooksAtTricks, faults.looks_at_tricks),
    **_each(OUT, i.ThrowsAway, faults.throws_away),
    (p.LeadDue, i.ThrowsIn): faults.throws_in,
    **_each(HELD, i.Quits, faults.quits),
    (p.Asked, i.PlaysOn): faults.plays_on,
    **_each(HELD, i.FalseCards, faults.false_cards),
    **_each((*OUT, *BETWEEN, p.DealOver), i.Reported, faults.reported),
    **_each((p.Dealing, *OUT, p.Asked), ti.Annulled, faults.annulled),
    **_each((p.Dealing, *OUT, p.Asked), ti.Corrects, repair.corrects),
    **_each((Stray, Unread), ti.ThrownAway, repair.thrown_away),
    (p.Asked, i.Chooses): answers.chooses,
    (Stray, ti.StrayRuled): repair.stray_ruled,
    **betting_cases.CASES,
}

#: Inputs that a person can take back (R-20) until a card leaves the Schlitten. They include every
#: input about stakes, chouettes and banks until a partie is confirmed and its cards are dealt.
TAKEN_BACK: Final[dict[type, Phrase]] = dict.fromkeys(
    (
        i.CutFaulty, i.Packets, i.Looks, i.Touched, i.LooksAtTricks, i.Revoked, i.Counted,
        i.AskedWrongly, i.Quits, i.FalseCards, i.ThrowsIn, i.FacedInPack, i.Exposed,
        i.WrongPackets, i.WrongNumber, i.DealtOutOfTurn, i.Twins, *get_args(BettingInput),
    ),
    phrase("the last word"),
) | {
    i.Opponents: phrase("these two play"),
    i.CutsForDeal: phrase("cuts"),
    ti.Prepared: phrase("done, next step"),
    i.Reshuffles: phrase("elder shuffles again"),
    i.FreshCards: phrase("fresh cards"),
    i.Proposes: phrase("proposes"),
    i.Accepts: phrase("accepts"),
    i.Refuses: phrase("refuses"),
    i.Discards: phrase("lays away"),
    i.SaysKing: phrase("le roi"),
    i.Marks: phrase("marks"),
    i.Unmarks: phrase("takes the king's mark back"),
    i.Announces: phrase("announces"),
    i.PlaysCard: phrase("plays"),
    i.HasNone: phrase("he has none of that suit"),
    i.TakesUp: phrase("takes the card up"),
    i.Shows: phrase("shows a card"),
    **betting_cases.CALLED,
}  # fmt: skip
#: Inputs after which the one before them can still be taken back.
IDLE = frozenset({i.Reported})


def step(table: s.Table, said: Input) -> s.Step:
    """The table after the input `said`, and the events. The function is pure.

    Raises Refusal, and leaves `table` unchanged, if the input is not allowed.
    """
    common.check(table, said, awaited)
    kind, phase = type(said), s.foremost(table)
    if kind is ti.TakesBack:
        now, told = undo.taken_back(table, last_word(table))
        return undo.remembered(table, now, said, told, TAKEN_BACK, final=False), told
    if isinstance(said, Restored):
        return opening.restored(table, said)
    now, told = _handled(table, phase, said)
    if kind is ti.Ruled:
        now = faults.heard(now)
    now, laid_open = practice.laid_open(now, said)
    final = kind is CardSeen or (kind in TAKEN_BACK and (_over(told) or _gathered(table, now)))
    told = (*told, *laid_open)
    return undo.remembered(table, now, said, told, TAKEN_BACK, final=final, idle=IDLE), told


def last_word(table: s.Table) -> Phrase:
    """The label of the input that would be taken back, with its seat.

    The button that takes the input back shows the label, and so does the news.
    """
    said = table.undo.said if table.undo else None
    if said is None:
        return Phrase("")
    what = TAKEN_BACK[type(said)]
    if isinstance(said, i.PlaysCard):  # a card on the cloth, which everybody has seen
        what = phrase("plays {card}", card=said.card.value)
    return undo.by_seat(said, what, chips=getattr(said, "chips", None))


def _over(told: Iterable[Event]) -> bool:
    """Whether these events end a partie or void a deal, so that the input cannot be taken back.

    Source: ER-38. After a partie, players claim errors instead (ER-31).
    """
    return any(isinstance(event, PartieEnded | DealAnnulled) for event in told)


def _gathered(before: s.Table, now: s.Table) -> bool:
    """Whether a Schlitten was gathered between the two tables.

    Nobody can take this back (ER-13).
    """
    return before.felt.shoe is not None and now.felt.shoe is None


def _handled(table: s.Table, phase: s.Awaited, said: Input) -> s.Step:
    handler = CASES.get((type(phase), type(said)))
    if handler is not None:
        return handler(table, phase, said)
    if not isinstance(said, ti.SchlittenClosed | ti.StrayRuled):
        taken = common.answered(
            table,
            said,
            repair.lay,
            repair.lying,
            coup=s.under_way(table),
            busy=lambda seat: s.busy(table, seat),
        )
        if taken is not None:
            now, told = taken
            bets = betting.after_moving(table.bets, said)
            known = betting.known_after_moving(table.before, said)
            return replace(now, bets=bets, before=known), told
    raise common.not_due(awaited(table).ask)

"""The state machine of écarté: `CASES` lists which input is allowed in which phase.

docs/STATES.md is drawn from this list. The module is pure: it uses no clock, no device, no log and
no random numbers. An input that is not allowed raises `Refusal` and changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final, get_args

from msgspec.structs import replace

from table_controller.engine.ecarte import betting, deal, faults, partie, playing, stakes
from table_controller.engine.ecarte import inputs as i
from table_controller.engine.ecarte import state as s
from table_controller.engine.ecarte.events import DealAnnulled, PartieEnded
from table_controller.engine.ecarte.words import awaited
from table_controller.engine.messages import CardSeen, Event, Input, Phrase, Restored, phrase
from table_controller.engine.table import common, undo
from table_controller.engine.table import inputs as ti
from table_controller.engine.table.felt import Stray, Unread

# ---- Lists the inputs about stakes, chouettes and banks by phase

#: Phases in which the giver may still allow a stake, since no card is out yet (E07-7, E00-6).
STAKED: Final = (s.StakesDue, s.CutDue, s.NoSchlitten)

#: What taking back calls the commonest of these inputs.
CALLED: Final[dict[type, Phrase]] = {
    i.Draws: phrase("draws for the order"),
    i.GivesChouette: phrase("open chouette"),
    i.CallsAuction: phrase("auction"),
    i.BidsFor: phrase("makes a bid"),
    i.KnockedDown: phrase("knocked down"),
    i.LaysBank: phrase("lays a bank"),
    i.Stakes: phrase("the stake"),
    i.StakesAgain: phrase("the same stakes again"),
    i.StakeWithdrawn: phrase("takes his stake back"),
    i.StakesOutside: phrase("stakes outside the bank"),
    i.CutsStakes: phrase("cut the last stakes"),
    i.ClosesStakes: phrase("rien ne va plus"),
    i.Renounces: phrase("renounces"),
    i.PartieHeld: phrase("le coup est tenu"),
    i.PartieDeclined: phrase("withdraws from this partie"),
    i.TakesShare: phrase("shares in it"),
    i.HoldsCards: phrase("holds the cards"),
    i.RaisesBank: phrase("raise the bank"),
    i.HalvesBank: phrase("halve the bank"),
    i.RenewsBank: phrase("a fresh bank"),
    i.GivesUp: phrase("gives it up"),
    i.GoesOn: phrase("goes on"),
}

_BETTING: Final[dict[tuple[type, type], Callable[[s.Table, Any, Any], s.Step]]] = {
    # Who plays
    (s.PlayersDue, i.Draws): betting.draws,
    (s.PlayersDue, i.TwoSides): betting.two_sides,
    (s.PlayersDue, i.GivesChouette): betting.gives,
    (s.PlayersDue, i.CallsAuction): stakes.calls_auction,
    (s.PlayersDue, i.LaysBank): stakes.lays_bank,
    (s.PlayersDue, i.WillNotGoOn): betting.lays_none,
    (s.Auction, i.BidsFor): stakes.bids,
    (s.Auction, i.KnockedDown): stakes.knocked_down,
    (s.Auction, i.WillNotGoOn): betting.will_not,
    (s.Succession, i.GoesOn): betting.goes_on,
    (s.Succession, i.WillNotGoOn): betting.will_not,
    (s.Succession, i.LaysBank): stakes.lays_bank,
    # The stakes
    **{(phase, i.Stakes): stakes.stakes for phase in STAKED},
    **{(phase, i.StakeWithdrawn): stakes.withdrawn for phase in STAKED},
    (s.StakesDue, i.StakesAgain): stakes.stakes_again,
    (s.StakesDue, i.HoldsRest): stakes.holds_rest,
    (s.StakesDue, i.CutsStakes): stakes.cuts,
    (s.StakesDue, i.StakesOutside): stakes.outside,
    (s.StakesDue, i.ClosesStakes): stakes.closes,
    (s.StakesDue, i.LetsIn): stakes.lets_in,
    (s.StakesDue, i.StaysOut): stakes.stays_out,
    (s.StakesDue, i.Renounces): betting.renounces,
    (s.StakesDue, i.PartieHeld): stakes.held,
    (s.StakesDue, i.PartieDeclined): stakes.declined,
    # The giver's side
    (s.StakesDue, i.TakesShare): betting.takes_share,
    (s.StakesDue, i.HoldsCards): betting.holds_cards,
    (s.StakesDue, i.RaisesBank): stakes.raises,
    (s.StakesDue, i.HalvesBank): stakes.halves,
    (s.StakesDue, i.RenewsBank): stakes.renews,
    (s.StakesDue, i.GivesUp): betting.gives_up,
    # After a partie
    (s.PartieOver, i.StakeFound): stakes.stake_found,
    (s.PartieOver, i.Onward): stakes.settled,
}


# ---- The state machine of écarté: `CASES` lists which input is allowed in which phase

Handler = Callable[[s.Table, Any, Any], s.Step]

SPEAKING = (s.ElderToSpeak, s.DealerToAnswer)
BUYING = (s.Discarding, s.Buying)
PLAYING = (s.LeadDue, s.ReplyDue)
#: The cards are dealt, and the deal is not over.
OUT = (*SPEAKING, *BUYING, *PLAYING)
#: A partie is under way, and no question is open.
BETWEEN = (s.NoSchlitten, s.PacketsDue, s.Dealing)

#: A partie is held: a player can leave it, and its cards can be found false (ER-47).
HELD = (s.CutDue, *BETWEEN, *OUT, s.DealOver, s.Asked)

#: A fault in play can be reported until the deal's marks are set (ER-13, ER-39).
SAID_LATE = (*PLAYING, *BETWEEN, s.DealOver)


def _each(phases: Iterable[type], said: type, handler: Handler) -> dict[tuple[type, type], Handler]:
    return {(phase, said): handler for phase in phases}


#: The inputs that each phase allows, besides those that every table allows.
CASES: dict[tuple[type, type], Handler] = {
    # The partie and its Schlitten
    (s.PlayersDue, i.Opponents): partie.opponents,
    (s.CutDue, i.CutsForDeal): partie.cuts,
    (s.NoSchlitten, ti.Prepared): partie.prepared,
    (s.NoSchlitten, i.Reshuffles): partie.reshuffles,
    (s.NoSchlitten, i.CutFaulty): partie.cut_faulty,
    (s.NoSchlitten, i.FreshCards): partie.fresh_cards,
    (s.NoSchlitten, ti.SchlittenLoaded): partie.schlitten_loaded,
    (s.NoSchlitten, ti.Annulled): partie.no_third_pack,
    (s.PacketsDue, i.Packets): partie.packets,
    (s.DealOver, ti.SchlittenClosed): partie.schlitten_closed,
    # Mistakes in the deal
    **_each((s.Dealing, s.Buying), i.FacedInPack, deal.faced_in_pack),
    **_each((s.Dealing, *BUYING, *SPEAKING, s.LeadDue), i.Exposed, deal.exposed),
    **_each((s.Dealing, s.ElderToSpeak), i.WrongPackets, deal.wrong_packets),
    **_each((s.Dealing, *SPEAKING, s.Discarding, s.LeadDue), i.WrongNumber, deal.wrong_number),
    **_each((s.Dealing, *OUT, s.DealOver), i.DealtOutOfTurn, faults.out_of_turn),
    **_each(OUT, i.Looks, deal.looks),
    # Propositions, answers and discards
    (s.ElderToSpeak, i.Proposes): deal.proposes,
    (s.DealerToAnswer, i.Accepts): deal.accepts,
    (s.DealerToAnswer, i.Refuses): deal.refuses,
    (s.Discarding, i.Discards): deal.discards,
    **_each((*SAID_LATE, s.Discarding, s.ElderToSpeak), i.Counted, deal.counted),
    **_each((s.Discarding, s.ElderToSpeak, s.LeadDue), i.AskedWrongly, deal.asked_wrongly),
    # The king, and the marks
    **_each(OUT, i.SaysKing, partie.says_king),
    **_each((*OUT, *BETWEEN, s.DealOver), i.Marks, partie.sets_mark),
    **_each(OUT, i.Unmarks, partie.unmarks),
    # The tricks
    **_each((s.ElderToSpeak, s.LeadDue), i.Announces, playing.announces),
    **_each((s.ElderToSpeak, s.LeadDue), i.PlaysCard, playing.leads),
    (s.ReplyDue, i.PlaysCard): playing.replies,
    (s.ReplyDue, i.HasNone): playing.has_none,
    **_each(PLAYING, i.TakesUp, playing.takes_up),
    **_each(OUT, i.Shows, playing.shows),
    **_each(OUT, i.Twins, playing.twins),
    # Faults
    **_each((*SAID_LATE, s.PartieOver), i.Revoked, playing.revoked),
    **_each(OUT, i.Touched, faults.touched),
    **_each(PLAYING, i.LooksAtTricks, faults.looks_at_tricks),
    **_each(OUT, i.ThrowsAway, faults.throws_away),
    (s.LeadDue, i.ThrowsIn): faults.throws_in,
    **_each(HELD, i.Quits, faults.quits),
    (s.Asked, i.PlaysOn): faults.plays_on,
    **_each(HELD, i.FalseCards, faults.false_cards),
    **_each((*OUT, *BETWEEN, s.DealOver), i.Reported, faults.reported),
    **_each((s.Dealing, *OUT, s.Asked), ti.Annulled, faults.annulled),
    **_each((s.Dealing, *OUT, s.Asked), ti.Corrects, faults.corrects),
    **_each((Stray, Unread), ti.ThrownAway, faults.thrown_away),
    (s.Asked, i.Chooses): faults.chooses,
    (Stray, ti.StrayRuled): faults.stray_ruled,
    **_BETTING,
}

#: Inputs that a person can take back (R-20) until a card leaves the Schlitten. They include every
#: input about stakes, chouettes and banks until a partie is confirmed and its cards are dealt.
TAKEN_BACK: Final[dict[type, Phrase]] = dict.fromkeys(
    (
        i.CutFaulty, i.Packets, i.Looks, i.Touched, i.LooksAtTricks, i.Revoked, i.Counted,
        i.AskedWrongly, i.Quits, i.FalseCards, i.ThrowsIn, i.FacedInPack, i.Exposed,
        i.WrongPackets, i.WrongNumber, i.DealtOutOfTurn, i.Twins, *get_args(i.BettingInput),
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
    **CALLED,
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
        return partie.restored(table, said)
    now, told = _handled(table, phase, said)
    if kind is ti.Ruled:
        now = faults.heard(now)
    now, laid_open = deal.laid_open(now, said)
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
            faults.lay,
            faults.lying,
            coup=s.under_way(table),
            busy=lambda seat: s.busy(table, seat),
        )
        if taken is not None:
            now, told = taken
            bets = s.after_moving(table.bets, said)
            known = s.known_after_moving(table.before, said)
            return replace(now, bets=bets, before=known), told
    raise common.not_due(awaited(table).ask)

"""The offers of the croupier's page. No offer depends on a closed card (R-13, R-17)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from table_controller.engine.ecarte import inputs as i
from table_controller.engine.ecarte import phases as p
from table_controller.engine.ecarte import state as s
from table_controller.engine.ecarte.chouette import may_play_on
from table_controller.engine.ecarte.labels import OPTIONS, RULINGS, SUITS, WHY
from table_controller.engine.ecarte.marking import (
    kings_deal,
    may_mark_king,
    may_mark_turned,
    may_say_king,
    may_unmark,
)
from table_controller.engine.ecarte.offers_betting import betting
from table_controller.engine.ecarte.offers_faults import card, faults, leaving, revokes, to_show
from table_controller.engine.ecarte.opening import STEPS, due_again, third_pack_due
from table_controller.engine.ecarte.playing import may_take_up, playable
from table_controller.engine.ecarte.repair import correctable
from table_controller.engine.ecarte.speaking import most
from table_controller.engine.ecarte.step import last_word
from table_controller.engine.messages import Phrase, phrase
from table_controller.engine.table import devices
from table_controller.engine.table import inputs as ti
from table_controller.engine.table import offers as to
from table_controller.engine.table import offers_by_hand as by_hand
from table_controller.engine.table.felt import occupied_from, places
from table_controller.engine.table.stops import Stray, Unread
from table_controller.engine.table.undo import may_take_back
from table_controller.engine.views import Choice, Pick, Sum
from table_controller.rules.cards import PACK_32
from table_controller.rules.ecarte.marks import KING, PARTIE

#: A newcomer probably brings this many least stakes.
BRINGS = 100


def offers(table: s.Table) -> to.Offers:
    """All offers that the table would accept now, those for the present moment first."""
    felt = table.felt
    stands_still = devices.stopped(felt.alerts)
    first = to.lid_ruling() if stands_still else (*_of_now(table), *betting(table))
    idle = [place for place in places(felt) if not s.busy(table, place)]
    people = to.people(
        felt,
        idle,
        brings=BRINGS * table.house.least_stake,
        between=not s.under_way(table),
        come=all(offer.input["type"] != "sits" for offer in first),
    )
    back = to.taking_back(last_word(table)) if may_take_back(table) else ()
    return (*first, *back, *people, *_supervisor(table), *to.acknowledging(felt))


def _of_now(table: s.Table) -> to.Offers:
    """The offers that are due.

    After a deal, the offers to mark come before the offer to gather the cards (E07-57).
    """
    due, beside = _due(table), _beside(table)
    return (*beside, *due) if isinstance(table.phase, p.DealOver) else (*due, *beside)


def _supervisor(table: s.Table) -> to.Offers:
    stopped = devices.stopped(table.felt.alerts)
    annul = to.annulling(asked=stopped) if _annullable(table) else ()
    mixed = s.under_way(table) and isinstance(s.foremost(table), Stray | Unread)
    return (
        *(to.throwing_away() if mixed else ()),
        *annul,
        *to.correcting(table.felt, _misread(table)),
        *to.transferring(table.felt),
        *to.ruling(),
    )


def _misread(table: s.Table) -> Iterator[tuple[int, Phrase, str]]:
    """Each card whose reading may be corrected: its ordinal, label and place.

    The label names the owner, and the card's number in the order in which he received his cards.
    """
    deal = s.the_deal(table) if table.deal else None
    for dealt in correctable(table):
        owner = next((side for side in (0, 1) if deal and dealt in deal.taken[side]), None)
        if deal is None or owner is None:
            yield dealt.ordinal, phrase("TRUMP"), "trump-1"
            continue
        number = deal.taken[owner].index(dealt) + 1
        if owner == deal.dealer:
            yield dealt.ordinal, phrase("dealer, card {n}", n=number), ""
        else:
            yield dealt.ordinal, phrase("elder, card {n}", n=number), ""


def _annullable(table: s.Table) -> bool:
    return s.under_way(table) and not isinstance(s.foremost(table), Stray | Unread)


_PLAYED = (p.ElderToSpeak, p.DealerToAnswer, p.Discarding, p.Buying, p.LeadDue, p.ReplyDue)


def _due(table: s.Table) -> to.Offers:
    due = s.foremost(table)
    if isinstance(due, Unread):
        return to.unread(table.felt)
    if isinstance(due, Stray):
        return tuple(
            one
            for ruling, label in RULINGS.items()
            for one in to.offer(ti.StrayRuled, label, hold=_voids(table, ruling), ruling=ruling)
        )
    act = _DUE.get(type(due))
    return act(table, due) if act else ()


def _voids(table: s.Table, ruling: ti.StrayRuling) -> bool:
    """Whether this ruling on a stray voids the deal (EDE-21, ER-38).

    At some houses it does if a second card is turned up.
    """
    deal, open_too = table.deal, ruling is ti.StrayRuling.FACE_UP
    speaks = isinstance(table.phase, p.ElderToSpeak) and deal is not None and not deal.bought
    return open_too and speaks and table.house.two_turned == "new_deal"


def seats(table: s.Table, sides: Iterable[int] = (0, 1)) -> Choice:
    """A field in which a person picks one of the players of the partie."""
    return to.one_of(table.felt, [s.seat_of(table, side) for side in sides])


def number(name: str, least: int, most: int, suggested: int) -> Sum:
    """A field for a number of cards or of marks. It shows `suggested` at first."""
    return Sum(label=phrase("how many"), least=least, most=most, suggested=suggested, name=name)


def _players(table: s.Table, _due: p.PlayersDue) -> to.Offers:
    felt = table.felt
    seated = occupied_from(felt, 1)
    left = to.one_of(felt, seated, "left", phrase("on the left"))
    right = to.one_of(felt, seated, "right", phrase("on the right"))
    if len(seated) < 2:
        return to.sits(felt, "main", BRINGS * table.house.least_stake)
    return to.offer(i.Opponents, phrase("these two play"), left, right)


def _cut(table: s.Table, due: p.CutDue) -> to.Offers:
    return tuple(
        one
        for side in (0, 1)
        if due.cuts[side] is None
        for one in to.offer(
            i.CutsForDeal, _of(table, side, phrase("cuts")), card(PACK_32),
            seat=s.seat_of(table, side),
        )
    )  # fmt: skip


def _of(table: s.Table, side: int, what: Any) -> Any:
    return phrase("seat {seat}, {what}", seat=s.seat_of(table, side), what=what)


def _load(table: s.Table, due: p.NoSchlitten) -> to.Offers:
    elder = s.seat_of(table, 1 - s.the_partie(table).dealer)
    if due.done == STEPS:
        faulty = to.offer(i.CutFaulty, phrase("faulty cut"), group="mistake")
        cut = table.house.cut_limits and not due_again(s.the_partie(table))
        return (*to.loading(table.felt, more=False), *(faulty if cut else ()))
    again = to.offer(i.Reshuffles, phrase("elder shuffles again"), group="more", seat=elder)
    fresh = to.offer(i.FreshCards, phrase("fresh cards"), seats(table), group="more")
    return (
        *to.offer(ti.Prepared, phrase("done, next step")),
        *(again if due.done == 1 else ()),
        *fresh,
        *_no_third_pack(table),
    )


def _no_third_pack(table: s.Table) -> to.Offers:
    """The offer to void the deal that was set aside last, if no third pack is there (ER-45)."""
    if not third_pack_due(table):
        return ()
    none = phrase("there is no third pack")
    return to.offer(ti.Annulled, none, group="supervisor", hold=True, reason="E00-18")


def _packets(_table: s.Table, _due: p.PacketsDue) -> to.Offers:
    return (
        *to.offer(i.Packets, phrase("three, then two"), first=3),
        *to.offer(i.Packets, phrase("two, then three"), first=2),
    )


def _speak(table: s.Table, _due: p.ElderToSpeak) -> to.Offers:
    deal = s.the_deal(table)
    seat = s.seat_of(table, deal.elder)
    proposes = to.offer(i.Proposes, phrase("proposes"), seat=seat) if s.talon(table) else ()
    return (*to_show(table), *proposes, *_leads(table))


def _leads(table: s.Table) -> to.Offers:
    """The offers to lead: for the player whose turn it is and, out of turn, the other (E07-34)."""
    deal = s.the_deal(table)
    leader = deal.elder if isinstance(table.phase, p.ElderToSpeak) else deal.leader
    return (
        *_plays(table, leader, phrase("leads"), "main"),
        *_plays(table, 1 - leader, phrase("leads out of turn"), "mistake"),
        *_announces(table, leader),
    )


def _plays(table: s.Table, side: int, what: Any, group: str) -> to.Offers:
    seat = s.seat_of(table, side)
    cards = playable(table, side)
    return to.offer(i.PlaysCard, _of(table, side, what), card(cards), group=group, seat=seat)


def _announces(table: s.Table, side: int) -> to.Offers:
    picks = tuple(Pick(value=suit.value, label=label) for suit, label in SUITS.items())
    suit = Choice(label=phrase("suit"), name="suit", picks=picks)
    seat = s.seat_of(table, side)
    return to.offer(i.Announces, phrase("announces"), suit, group="more", seat=seat)


def _answer(table: s.Table, _due: p.DealerToAnswer) -> to.Offers:
    deal = s.the_deal(table)
    seat = s.seat_of(table, deal.dealer)
    refuses = () if deal.forced else to.offer(i.Refuses, phrase("refuses"), seat=seat)
    return (*to.offer(i.Accepts, phrase("accepts"), seat=seat), *refuses)


def _discards(table: s.Table, due: p.Discarding) -> to.Offers:
    least = int(due.side == s.the_deal(table).elder)
    seat = s.seat_of(table, due.side)
    cards = number("cards", least, most(table, due.side), least)
    return to.offer(i.Discards, _of(table, due.side, phrase("lays away")), cards, seat=seat)


def _lead(table: s.Table, _due: p.LeadDue) -> to.Offers:
    return (*to_show(table), *_leads(table), *_takes_up(table))


def _takes_up(table: s.Table) -> to.Offers:
    """The offers to take up a card, for each player who may (E07-32, E07-34, E07-44, E07-53)."""
    return tuple(
        one
        for side in may_take_up(table)
        for one in to.offer(
            i.TakesUp, _of(table, side, phrase("takes the card up")), group="more",
            seat=s.seat_of(table, side),
        )
    )  # fmt: skip


def _reply(table: s.Table, _due: p.ReplyDue) -> to.Offers:
    deal = s.the_deal(table)
    seat = s.seat_of(table, deal.leader)
    none = to.offer(i.HasNone, phrase("he has none of that suit"), group="more", seat=seat)
    return (
        *to_show(table),
        *_plays(table, 1 - deal.leader, phrase("plays"), "main"),
        *_takes_up(table),
        *(none if deal.announced is not None else ()),
    )


def _gathered(_table: s.Table, _due: p.DealOver) -> to.Offers:
    return to.closing()


#: Answers that void the deal or end the partie. Their buttons must be held down (ER-38).
_HELD = frozenset({i.Option.ANNUL, i.Option.DEAL, i.Option.VOID, i.Option.LOSES, i.Option.SHOWN})


def _asked(table: s.Table, due: p.Asked) -> to.Offers:
    seat = s.seat_of(table, due.side)
    answers = tuple(
        one
        for option in due.options
        for one in to.offer(
            i.Chooses, OPTIONS[option], hold=option in _HELD, seat=seat, option=option
        )
    )
    if due.question is not p.Question.LEFT or table.house.leaving != "always":
        return answers
    on = to.one_of(table.felt, may_play_on(table, due.about), "to", phrase("plays on"))
    gone = s.seat_of(table, due.about)
    return (*answers, *to.offer(i.PlaysOn, phrase("another plays on"), on, seat=gone))


def _settled(table: s.Table, _due: p.PartieOver) -> to.Offers:
    return (*to.offer(i.Onward, phrase("the partie is settled"), hold=True), *revokes(table))


_DUE: dict[type, Callable[[s.Table, Any], to.Offers]] = {
    p.PlayersDue: _players,
    p.CutDue: _cut,
    p.NoSchlitten: _load,
    p.PacketsDue: _packets,
    p.ElderToSpeak: _speak,
    p.DealerToAnswer: _answer,
    p.Discarding: _discards,
    p.LeadDue: _lead,
    p.ReplyDue: _reply,
    p.DealOver: _gathered,
    p.PartieOver: _settled,
    p.Asked: _asked,
}


# Besides the offers that are due: the king, the marks, and mistakes


def _beside(table: s.Table) -> to.Offers:
    due = s.foremost(table)
    if table.partie is None or isinstance(due, Stray | Unread | p.PartieOver):
        return ()
    if isinstance(due, p.Asked | p.CutDue):
        return tuple(leaving(table))
    return (*_kings(table), *_marks(table), *faults(table), *leaving(table))


def _kings(table: s.Table) -> Iterator[Any]:
    """The offers to say "le roi" and to mark the king, for both players until the deadline.

    They are there whether or not a player has the king. At a house without a deadline the mark is
    still offered when the deal is over. Source: E07-27, E07-28, EDE-6, EDE-12, ER-24.
    """
    if kings_deal(table) is None or isinstance(table.phase, p.CutDue):
        return
    for side in (0, 1):
        if may_say_king(table, side):
            label = _of(table, side, phrase("le roi"))
            yield from to.offer(i.SaysKing, label, group="open", seat=s.seat_of(table, side))
    for side in (0, 1):
        if may_mark_turned(table, side) or may_mark_king(table, side):
            yield from to.offer(
                i.Marks, _of(table, side, WHY[i.Why.KING]), group="open",
                hold=_ends(table, side, KING), seat=s.seat_of(table, side), points=KING,
                why=i.Why.KING,
            )  # fmt: skip
    back = [side for side in (0, 1) if may_unmark(table, side)]
    yield from to.offer(
        i.Unmarks, phrase("takes the king's mark back"), seats(table, back), group="more"
    )


def _marks(table: s.Table) -> to.Offers:
    """The offers to enter the marks that each player may make by the rules (ER-24).

    The player himself makes the mark, and the croupier enters it.
    """
    told: dict[tuple[int, i.Why], int] = {}
    for due in s.the_partie(table).due:
        told.setdefault((due.side, due.why), due.points)
    return tuple(
        one
        for (side, why), points in told.items()
        for one in to.offer(
            i.Marks, _of(table, side, WHY[why]), number("points", 1, points, points), group="main",
            hold=_ends(table, side, points), seat=s.seat_of(table, side), why=why,
        )
    )  # fmt: skip


def _ends(table: s.Table, side: int, points: int) -> bool:
    """Whether these marks may end the partie, which nobody can take back (E07-45, ER-38)."""
    return s.the_partie(table).score[side] + points >= PARTIE


def cards_by_hand(table: s.Table) -> to.Offers:
    """The offers to type a card that left the Schlitten, instead of having it read (R-13)."""
    due = s.foremost(table)
    if isinstance(due, p.Asked):  # a question to a player does not stop the dealer
        due = table.phase
    group = "main" if isinstance(due, p.Dealing | p.Buying) else "mistake"
    turn_up = isinstance(due, p.Dealing) and table.deal is not None and table.deal.came == 10
    return by_hand.cards_by_hand(table.felt, group, lies_open=turn_up)

"""The buttons for what went wrong: a thing that stands still, a mistake, a supervisor's word.

Nothing here depends on a closed card (R-17).
"""

from __future__ import annotations

from table_controller.engine.chemin_de_fer import facts as f
from table_controller.engine.chemin_de_fer import inputs as i
from table_controller.engine.chemin_de_fer import phases as p
from table_controller.engine.chemin_de_fer import state as s
from table_controller.engine.chemin_de_fer.cards import face_up_card
from table_controller.engine.chemin_de_fer.faux import can_admit
from table_controller.engine.chemin_de_fer.mistakes import Playing, banker_can_throw, mendable
from table_controller.engine.chemin_de_fer.offering import (
    Offers,
    amount,
    holding,
    offer,
    one_of,
    reason,
)
from table_controller.engine.chemin_de_fer.repair import correctable, may_take_back
from table_controller.engine.chemin_de_fer.settle import lacking, undoable
from table_controller.engine.chemin_de_fer.step import CASES
from table_controller.engine.messages import CardNamed, phrase
from table_controller.engine.shoe import Dealt
from table_controller.engine.table import inputs as ti
from table_controller.engine.table.devices import LidRuled
from table_controller.engine.table.felt import disputed, places
from table_controller.engine.table.schlitten import short
from table_controller.engine.table.stops import MisdealDue, Stop, Stray, Unread, WhiteDisputed
from table_controller.engine.views import Choice, Pick, Secret

#: Phases in which something waits for a person before anything else goes on.
STANDING_STILL = Stop | p.ClaimDisputed

_CARD = Secret(label=phrase("the card, unseen"))
#: What is told to everybody, and what to the staff only.
_PUBLIC, _STAFF = phrase("reason, for the public record"), phrase("reason, for the staff")


def repairs(table: s.Table) -> Offers:
    """What a person says when something stands still."""
    match s.foremost(table):
        case Stray():
            replay = table.coup is not None and table.coup.tie  # it waits for other cards
            void = lacking(table) and not replay and not disputed(table.felt)
            annul = for_want_of_cards() if void else ()
            return (*_stray(under_way=s.under_way(table)), *annul)
        case Unread():
            named = offer(CardNamed, phrase("enter the card, unseen"), _CARD)
            return (*named, *offer(ti.UnreadRuled, phrase("no card left"), group="mistake"))
        case WhiteDisputed():
            choices = [
                (ti.WhiteRuling.LAST_COUP, phrase("last coup")),
                (ti.WhiteRuling.PLAY_ON, phrase("play on")),
            ]
            if s.under_way(table):
                choices.append((ti.WhiteRuling.ANNUL, phrase("annul the coup")))
            return tuple(
                one
                for ruling, label in choices
                for one in offer(ti.WhiteRuled, label, ruling=ruling)
            )
        case MisdealDue():
            losable = s.deal_of(table.phase) is not None
            offered: Offers = ()
            if mendable(table) or not losable:
                offered = offer(i.PutRight, phrase("put right (retablir)"))
            if losable:
                offered += offer(i.BankLoses, phrase("the bank loses"), hold=True)
            return offered
        case p.ClaimDisputed():
            stands = phrase("let it stand")
            return offer(i.LetStand, stands, reason(_STAFF), hold=True)
        case _:
            return ()


def lid_ruling() -> Offers:
    """The lid was opened during the coup: it stands by a supervisor's word (R-51)."""
    return offer(LidRuled, phrase("let it stand"), reason(_STAFF), hold=True)


def for_want_of_cards() -> Offers:
    """The coup cannot begin for want of cards: the croupier confirms it (Z-24, R-37)."""
    return offer(ti.Annulled, phrase("annul the coup"), hold=True, reason="Z-24")


def _stray(*, under_way: bool) -> Offers:
    rulings = [
        (ti.StrayRuling.KEPT, phrase("closed: keep it"), "main"),
        (ti.StrayRuling.BURNED, phrase("uncovered: burn it"), "main"),
        (ti.StrayRuling.FACE_UP, phrase("it lay face up in the pack"), "mistake"),
        (ti.StrayRuling.BACK, phrase("it went back"), "mistake"),
    ]
    if under_way:
        rulings.append((ti.StrayRuling.MISDEALT, phrase("dealt wrongly"), "main"))
    return tuple(
        one
        for ruling, label, group in rulings
        for one in offer(ti.StrayRuled, label, group=group, ruling=ruling)
    )


def mistakes(table: s.Table) -> Offers:
    """One tap away, under "mistake at the table"."""
    bank, coup, phase = table.bank, table.coup, s.foremost(table)
    offered: Offers = ()
    if table.undo and may_take_back(table):
        back = phrase("take back: {what}", what=table.undo.what)
        offered += offer(ti.TakesBack, back, group="more")
    if bank is None or coup is None:
        return offered
    offered += _exposed(phase, coup.pointeur, bank.seat)
    dealing = isinstance(phase, p.Dealing) and phase.deal
    throwing = (coup.pointeur,) if isinstance(phase, Playing) else ()
    for seat in (*throwing, bank.seat) if banker_can_throw(table) else throwing:
        thrown = phrase("seat {seat} threw his cards away", seat=seat)
        offered += offer(i.Throws, thrown, group="mistake", hold=True, seat=seat)
    if (dealing or isinstance(phase, p.PointeurToSpeak)) and face_up_card(phase):
        up = phrase("the last card lay face up in the pack")
        face_up = ti.StrayRuling.FACE_UP
        offered += offer(ti.StrayRuled, up, group="mistake", hold=True, ruling=face_up)
    if isinstance(phase, Playing) or dealing:
        offered += offer(i.Misdealt, phrase("dealt wrongly"), group="mistake")
    if isinstance(phase, p.BankerToChoose):
        offered += _faux(table, phase.deal, coup.pointeur)
    return offered


def _faux(table: s.Table, deal: f.Deal, pointeur: int) -> Offers:
    """A card that he gives back on his word, and his hand that proves it (Z-21, R-38)."""
    if can_admit(table, deal):
        admitted = phrase("the pointeur admits a faux tirage")
        return offer(i.AdmitsFaux, admitted, group="mistake", seat=pointeur)
    if deal.claimed and not deal.thrown:
        label = phrase("pointeur opened")
        return offer(i.Opened, label, group="mistake", hold=True, seat=pointeur)
    return ()


def _exposed(phase: s.Awaited, pointeur: int, banker: int) -> Offers:
    """Closed cards that were laid open (Z-6, Z-8, Z-10)."""
    first = isinstance(phase, p.Dealing) and phase.deal
    four = isinstance(phase, p.PointeurToSpeak) and phase.deal
    offered: Offers = ()
    if (first and not first.lies_open(first.pointeur)) or (four and not four.pointeur_open):
        label = phrase("the pointeur's card was laid open")
        offered = offer(i.Exposed, label, group="mistake", hold=True, seat=pointeur)
    if four and not four.banker_open:
        label = phrase("the bank's cards were laid open")
        offered += offer(i.Exposed, label, group="mistake", hold=True, seat=banker)
    return offered


# A supervisor's word


def supervisor(table: s.Table) -> Offers:
    """What needs a supervisor's word, most of it with its reason (R-20, Z-27)."""
    phase = s.foremost(table)
    offered: Offers = ()
    due = isinstance(phase, p.StakesDue) and short(table.felt)
    if isinstance(phase, p.PlayersDue | p.BankDue | p.StakesDue) and not due:
        closing = phrase("close the Schlitten")
        offered += offer(ti.SchlittenClosed, closing, group="supervisor", hold=True)
    first = isinstance(table.phase, p.Settled | p.Auction | p.TakeOver)
    if (type(phase), ti.ThrownAway) in CASES and not first:
        thrown = phrase("throw all cards away")
        offered += offer(ti.ThrownAway, thrown, reason(_PUBLIC), group="supervisor", hold=True)
    if _voidable(table):
        annul = phrase("annul the coup")
        offered += offer(ti.Annulled, annul, reason(_PUBLIC), group="supervisor", hold=True)
    return (
        *offered,
        *_correction(table),
        *_transfer(table),
        *offer(ti.Ruled, phrase("note a ruling"), reason(_STAFF), group="supervisor"),
    )


def _voidable(table: s.Table) -> bool:
    if disputed(table.felt):
        return False
    *beneath, phase = table.phase, *table.felt.stops
    if isinstance(phase, p.Settled):
        return undoable(table, phase)
    still = Stray | Unread | p.Settled | p.Over | p.NoSchlitten | p.Auction | p.TakeOver
    if isinstance(phase, Unread):
        return not isinstance(beneath[-1], still) and s.deal_of(table.phase) is not None
    return not isinstance(phase, still) and table.coup is not None


def _correction(table: s.Table) -> Offers:
    """A misread card, named unseen (R-20)."""
    hands = correctable(table)
    labels = (phrase("pointeur, card {n}"), phrase("bank, card {n}"))
    picks = tuple(
        _pick(dealt, label.text, number)
        for hand, label in zip(hands, labels, strict=True)
        for number, dealt in hand
    )
    return offer(
        ti.Corrects,
        phrase("correct a card"),
        Choice(label=phrase("card"), name="ordinal", picks=picks),
        _CARD,
        reason(_STAFF),
        group="supervisor",
    )


def _pick(dealt: Dealt, label: str, number: int) -> Pick:
    return Pick(value=dealt.ordinal, label=phrase(label, n=number))


def _transfer(table: s.Table) -> Offers:
    """Chips from one place to another, or from and to the cagnotte (R-20, Z-27)."""
    everybody = list(places(table.felt))
    held = holding(table, everybody)
    if table.felt.cagnotte:
        held[0] = (None, table.felt.cagnotte)
    most = max((most or 0 for _, most in held.values()), default=0)
    return offer(
        ti.Transfers,
        phrase("move chips"),
        one_of(table, held, "seat", phrase("from")),
        one_of(table, [*everybody, 0], "to", phrase("to")),
        amount(1, most),
        reason(_STAFF),
        group="supervisor",
    )

"""The buttons for things that went wrong: a stop, a mistake, a supervisor's repair.

No offer depends on a closed card (R-17).
"""

from __future__ import annotations

from table_controller.engine.chemin_de_fer import facts as f
from table_controller.engine.chemin_de_fer import inputs as i
from table_controller.engine.chemin_de_fer import phases as p
from table_controller.engine.chemin_de_fer import state as s
from table_controller.engine.chemin_de_fer.cards import face_up_card, unread_voids
from table_controller.engine.chemin_de_fer.faux import can_admit
from table_controller.engine.chemin_de_fer.mistakes import Playing, banker_can_throw, mendable
from table_controller.engine.chemin_de_fer.repair import correctable, may_take_back
from table_controller.engine.chemin_de_fer.settle import lacking, undoable
from table_controller.engine.chemin_de_fer.step import CASES, last_word
from table_controller.engine.messages import phrase
from table_controller.engine.table import devices
from table_controller.engine.table import inputs as ti
from table_controller.engine.table import offers as to
from table_controller.engine.table.felt import disputed
from table_controller.engine.table.offers import Offers, offer
from table_controller.engine.table.schlitten import NoSchlitten, short
from table_controller.engine.table.stops import MisdealDue, Stop, Stray, Unread, WhiteDisputed

#: Phases in which the table waits for a person before anything else goes on.
STANDING_STILL = Stop | p.ClaimDisputed


def repairs(table: s.Table) -> Offers:
    """The offers while something has stopped the table."""
    match s.foremost(table):
        case Stray():
            replay = table.coup is not None and table.coup.tie  # a replay waits for cards
            void = lacking(table) and not replay and not disputed(table.felt)
            annul = for_want_of_cards() if void else ()
            return (*to.stray(coup=s.under_way(table)), *annul)
        case Unread():
            return to.unread(table.felt)
        case WhiteDisputed():
            return to.white(coup=s.under_way(table))
        case MisdealDue():
            losable = s.deal_of(table.phase) is not None
            offered: Offers = ()
            if mendable(table) or not losable:
                offered = offer(i.PutRight, phrase("put right (retablir)"))
            if losable:
                offered += offer(i.BankLoses, phrase("the bank loses"), hold=True)
            return offered
        case p.ClaimDisputed():
            counts = offer(i.CardCounts, phrase("the card counts"), to.STAFF, hold=True)
            stands = offer(i.LetStand, phrase("let it stand"), to.STAFF, hold=True)
            return (*counts, *stands, *to.annulling("main"))
        case _:
            return ()


def for_want_of_cards() -> Offers:
    """The offer to annul a coup that cannot begin, because too few cards are left (Z-24, R-37)."""
    return offer(ti.Annulled, phrase("annul the coup"), hold=True, reason="Z-24")


def mistakes(table: s.Table) -> Offers:
    """The offers to report mistakes, one tap away under "mistake at the table"."""
    bank, coup, phase = table.bank, table.coup, s.foremost(table)
    offered: Offers = ()
    if may_take_back(table):
        offered += to.taking_back(last_word(table))
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
        offered += offer(ti.Misdealt, phrase("dealt wrongly"), group="mistake")
    if isinstance(phase, p.BankerToChoose):
        offered += _faux(table, phase.deal, coup.pointeur)
    return offered


def _faux(table: s.Table, deal: f.Deal, pointeur: int) -> Offers:
    """The offers about a faux tirage: the pointeur gives a card back, or opens his hand as proof.

    Source: Z-21, R-38.
    """
    if can_admit(table, deal):
        admitted = phrase("the pointeur admits a faux tirage")
        return offer(i.AdmitsFaux, admitted, group="mistake", seat=pointeur)
    if deal.claimed and not deal.thrown:
        label = phrase("pointeur opened")
        return offer(i.Opened, label, group="mistake", hold=True, seat=pointeur)
    return ()


def _exposed(phase: s.Awaited, pointeur: int, banker: int) -> Offers:
    """The offers to report that closed cards were exposed (Z-6, Z-8, Z-10)."""
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


# For a supervisor


def supervisor(table: s.Table) -> Offers:
    """The offers that need a supervisor, most of them with a reason (R-20, Z-27)."""
    phase = s.foremost(table)
    offered: Offers = ()
    due = isinstance(phase, p.StakesDue) and short(table.felt)
    if isinstance(phase, p.PlayersDue | p.BankDue | p.StakesDue) and not due:
        offered += to.closing_early()
    first = isinstance(table.phase, p.Settled | p.Auction | p.TakeOver)
    if isinstance(phase, Unread) and not s.cards_lie(table):
        offered += to.burning()
    if (type(phase), ti.ThrownAway) in CASES and not first:
        offered += to.throwing_away()
    if _voidable(table):
        offered += to.annulling(asked=devices.stopped(table.felt.alerts))
    return (*offered, *_correction(table), *to.transferring(table.felt), *to.ruling())


def _voidable(table: s.Table) -> bool:
    if disputed(table.felt) or isinstance(s.foremost(table), p.ClaimDisputed):
        return False  # the white card comes first; or it is one of the three main offers
    phase = s.foremost(table)
    if isinstance(phase, p.Settled):
        return undoable(table, phase)
    still = Stray | Unread | p.Settled | p.Over | NoSchlitten | p.Auction | p.TakeOver
    if isinstance(phase, Unread):
        return unread_voids(table)
    return not isinstance(phase, still) and table.coup is not None


def _correction(table: s.Table) -> Offers:
    """The offer to correct a misread card.

    The screen does not show the card that is typed (R-20).
    """
    hands = correctable(table)
    labels = {"pointeur": phrase("pointeur, card {n}"), "banker": phrase("bank, card {n}")}
    cards = (
        (dealt.ordinal, phrase(label.text, n=number), f"{name}-{number}")
        for hand, (name, label) in zip(hands, labels.items(), strict=True)
        for number, dealt in hand
    )
    return to.correcting(table.felt, cards)

"""The inputs that the table would accept now: the page's buttons, a simulated player's choices.

The group `main` contains the offers that are due, two to four if possible. `more`, `people`,
`mistake` and `supervisor` are one tap away. No offer depends on a closed card (R-17).
"""

from __future__ import annotations

from table_controller.engine.chemin_de_fer import facts as f
from table_controller.engine.chemin_de_fer import inputs as i
from table_controller.engine.chemin_de_fer import offers_bank, offers_stakes
from table_controller.engine.chemin_de_fer import phases as p
from table_controller.engine.chemin_de_fer import state as s
from table_controller.engine.chemin_de_fer.deal import bound
from table_controller.engine.chemin_de_fer.hands import by_schlitten
from table_controller.engine.chemin_de_fer.offers_people import brings, people
from table_controller.engine.chemin_de_fer.offers_repairs import (
    STANDING_STILL,
    for_want_of_cards,
    mistakes,
    repairs,
    supervisor,
)
from table_controller.engine.chemin_de_fer.settle import lacking
from table_controller.engine.messages import phrase
from table_controller.engine.table import offers as to
from table_controller.engine.table import paying
from table_controller.engine.table.devices import failing, stopped
from table_controller.engine.table.offers import Offers, offer
from table_controller.engine.table.schlitten import PREPARING, NoSchlitten, ended, short
from table_controller.rules.chemin_de_fer.tableau import Duty


def offers(table: s.Table) -> Offers:
    """Every input that a person may send now, the most likely first."""
    still = stopped(table.felt.alerts)  # everything else waits for a ruling
    return (
        *(to.lid_ruling() if still else _due(table)),
        *people(table),
        *(() if still else mistakes(table)),
        *supervisor(table),
        *to.acknowledging(table.felt),
    )


def _due(table: s.Table) -> Offers:
    """The offers that are due, and those that go with them."""
    match s.foremost(table):
        case NoSchlitten(done=done):
            load = to.loading(table.felt, more=done < len(PREPARING))
            return (*load, *offers_bank.suite(table), *offers_bank.going_home(table))
        case p.PlayersDue():
            return to.sits(table.felt, "main", brings(table))
        case p.BankDue():
            return offers_bank.bank_due(table)
        case p.Settled() as settled:
            return _settled(table, settled)
        case p.Over():
            return (*to.closing(), *offers_bank.suite(table))
        case phase if isinstance(phase, STANDING_STILL):
            return repairs(table)
        case _:
            return _played(table, table.bank) if table.bank else _sold(table)


def _settled(table: s.Table, phase: p.Settled) -> Offers:
    """The offers to settle each line of the settlement, and all lines together (Z-26)."""
    again = phase.record.winner is None and not ended(table.felt)
    label = phrase("deal again") if again else phrase("all paid")
    return paying.offers(phase.payments, label, hold=not again)


def _sold(table: s.Table) -> Offers:
    """The offers while the bank is for sale, or may be taken over."""
    match table.phase:
        case p.Auction() as auction:
            return offers_bank.auction(table, auction)
        case p.TakeOver() as take_over:
            return offers_bank.take_over(table, take_over)
        case _:
            return ()


def _played(table: s.Table, bank: f.Bank) -> Offers:
    """The offers while there is a bank: first about stakes, then about cards."""
    suite = offers_bank.suite(table)
    if lacking(table):
        replay = table.coup is not None and table.coup.tie
        return (*(to.closing() if replay else for_want_of_cards()), *suite)
    match table.phase:
        case p.StakesDue():
            waits = failing(table.felt.alerts)  # no coup begins
            called = () if waits else offers_stakes.called(table, bank)
            called = to.closing() if short(table.felt) else called
            return (*called, *offers_bank.between(table, bank))
        case p.Staking() if failing(table.felt.alerts) and s.unstaked(table):
            return suite
        case p.Staking():
            staking = offers_stakes.staking(table, bank)
            return (*staking, *offers_stakes.better_rights(table, bank), *suite)
        case p.Sharing() as phase:
            sharing = offers_stakes.sharing(table, phase)
            return (*sharing, *offers_stakes.better_rights(table, bank), *suite)
        case p.BankStakeDue(least=least):
            return (*offers_bank.stake_due(table, bank, least), *suite)
        case p.Dealing():  # a card is due: nobody need press anything
            late = (*offers_stakes.late(table), *offers_bank.halving(table, bank))
            return (*offers_stakes.better_rights(table, bank), *late, *suite)
        case _:
            return _deal(table, bank.seat, table.coup.pointeur) if table.coup else ()


def _deal(table: s.Table, banker: int, pointeur: int) -> Offers:
    match table.phase:
        case p.PointeurToSpeak(deal=deal):
            carte = offer(i.Spoke, phrase("carte"), seat=pointeur, word=i.Word.CARTE)
            reste = offer(i.Spoke, phrase("reste"), seat=pointeur, word=i.Word.RESTE)
            if deal.pointeur_open:
                return (*carte, *reste)
            shows = phrase("opens: Schlag")
            schlag = offer(i.Spoke, shows, hold=True, seat=pointeur, word=i.Word.SCHLAG)
            return (*carte, *reste, *schlag, *offers_stakes.late(table))
        case p.BankerToOpen(deal=deal):
            opened = offer(i.Opened, phrase("bank opened"), hold=True, seat=banker)
            return (*opened, *_other_word(table, deal, pointeur))
        case p.BankerToChoose(deal=deal):
            asks: Offers = ()
            if not deal.bound:
                label = phrase("Was macht der Schlitten?")
                asks = offer(i.AsksSchlitten, label, group="more", seat=banker)
            return (*_draw_or_stay(banker, bound(table, deal)), *asks)
        case p.FauxOffered():
            return _draw_or_stay(banker)
        case p.PointeurToOpen():
            return offer(i.Opened, phrase("pointeur opened"), hold=True, seat=pointeur)
        case _:
            return ()  # a card is due: nobody need press anything


def _other_word(table: s.Table, deal: f.Deal, pointeur: int) -> Offers:
    """The offers for a pointeur by the Schlitten to correct his word.

    He may do this until the banker opens (R-18, Z-17).
    """
    if deal.thrown or not by_schlitten(table, pointeur):
        return ()
    match deal.word:
        case i.Word.CARTE:
            label, word = phrase("corrects himself: reste"), i.Word.RESTE
        case i.Word.RESTE:
            label, word = phrase("corrects himself: carte"), i.Word.CARTE
        case _:
            return ()
    return offer(i.Spoke, label, group="mistake", seat=pointeur, word=word)


def _draw_or_stay(banker: int, commanded: Duty | None = None) -> Offers:
    """The banker's two offers, to draw and to stand, or only the one he is bound to (R-18)."""
    draws = offer(i.Spoke, phrase("takes a card"), seat=banker, word=i.Word.DRAWS)
    stays = offer(i.Spoke, phrase("stays"), seat=banker, word=i.Word.STANDS)
    match commanded:
        case Duty.DRAW:
            return draws
        case Duty.STAND:
            return stays
        case _:
            return (*draws, *stays)

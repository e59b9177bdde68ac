"""Mistakes of the deal: cards exposed, cards thrown away, cards dealt wrongly.

Source: Z-6, Z-8, Z-11, Z-12, Z-15, N-4.
"""

from __future__ import annotations

from msgspec.structs import replace

from table_controller.engine.chemin_de_fer import inputs as i
from table_controller.engine.chemin_de_fer import phases as p
from table_controller.engine.chemin_de_fer.deal import after_opening, held
from table_controller.engine.chemin_de_fer.events import HandThrown
from table_controller.engine.chemin_de_fer.facts import Deal
from table_controller.engine.chemin_de_fer.faux import to_pointeur
from table_controller.engine.chemin_de_fer.hands import (
    advise,
    of_banker,
    of_pointeur,
    show_hand,
)
from table_controller.engine.chemin_de_fer.settle import (
    resumed,
    settle,
)
from table_controller.engine.chemin_de_fer.state import (
    Awaited,
    Step,
    Table,
    at,
    deal_of,
    under_way,
)
from table_controller.engine.messages import AgainstRules, OutOfTurn, phrase
from table_controller.engine.table import inputs as ti
from table_controller.engine.table.events import CardRemoved, Misdeal, MisdealMended
from table_controller.engine.table.felt import disputed, released, stopped
from table_controller.engine.table.inputs import StrayRuling
from table_controller.engine.table.promises import opened
from table_controller.engine.table.schlitten import gathered
from table_controller.engine.table.stops import MisdealDue
from table_controller.engine.table.white import WHITE

#: Phases in which four cards are on the table and no hand is decided.
Playing = p.PointeurToSpeak | p.BankerToOpen | p.ThirdCardDue | p.BankerToChoose | p.PointeurToOpen


def first_exposed(table: Table, phase: p.Dealing, said: i.Exposed) -> Step:
    """The pointeur's first card was exposed, so the banker's first card must be open too (Z-6).

    If an exposed card is reported again once the pointeur has both cards, his whole hand was dealt
    open (Z-8, R-48).
    """
    of_pointeur(table, said.seat)
    deal = phase.deal
    if deal is None or deal.lies_open(deal.pointeur):
        raise AgainstRules(
            phrase("No closed card lies before seat {seat}.", seat=said.seat),
            phrase("Press it when a card was laid open by mistake."),
            "Z-6",
        )
    if deal.shown:
        deal, told = show_hand(table, deal, said.seat, deal.pointeur)
        return at(held(table), p.Dealing(replace(deal, bound=True))), told
    hands = ((table.pointeur, deal.pointeur[:1]), (table.banker, deal.banker[:1]))
    told = tuple(event for seat, cards in hands for event in opened(table.felt, seat, cards))
    shown = tuple(card.ordinal for _, cards in hands for card in cards)
    return at(table, p.Dealing(replace(deal, shown=shown))), told


def hand_exposed(table: Table, phase: p.PointeurToSpeak, said: i.Exposed) -> Step:
    """The pointeur's cards were exposed. The banker opens his, and the custom binds him (Z-8).

    If the banker's own cards were exposed, they simply stay open (Z-10).
    """
    if said.seat == table.banker and not phase.deal.banker_open:
        deal, told = show_hand(table, phase.deal, said.seat, phase.deal.banker)
        return at(table, p.PointeurToSpeak(deal)), told
    of_pointeur(table, said.seat)
    if phase.deal.pointeur_open:
        raise AgainstRules(
            phrase("His cards lie open already."), phrase("He says his word."), "Z-8"
        )
    deal, told = show_hand(table, phase.deal, said.seat, phase.deal.pointeur)
    deal, table = replace(deal, bound=True), held(table)
    if not deal.banker_open:
        return at(table, p.BankerToOpen(deal)), told
    table, after = after_opening(table, deal)
    return table, (*told, *after)


def banker_can_throw(table: Table) -> bool:
    """Whether the banker has a card of an unsettled coup that he could throw away (Z-11, R-46)."""
    deal = deal_of(table.phase)
    return bool(deal and deal.banker) and under_way(table)


def banker_throws(table: Table, _phase: Awaited, said: i.Throws) -> Step:
    """The banker throws a card away and so loses the coup, even during a stop (Z-11, R-46)."""
    deal = deal_of(table.phase)
    if deal is None or not banker_can_throw(table):
        raise OutOfTurn(
            phrase("No coup is under way that the bank could lose."),
            phrase("He can lose it in this way from his first card until it is settled."),
            "Z-11",
        )
    of_banker(table, said.seat)
    table, after = _forfeited(table, deal, "Z-11")
    return table, (HandThrown(seat=said.seat), *after)


def throws(table: Table, phase: Playing, said: i.Throws) -> Step:
    """A player throws his cards away.

    If he is the banker, he loses the coup (Z-11). If he is the pointeur, his hand counts as
    Baccara, 0 (Z-15).
    """
    if said.seat == table.banker:
        return banker_throws(table, phase, said)
    told = HandThrown(seat=said.seat)
    of_pointeur(table, said.seat)
    deal = replace(phase.deal, thrown=True)
    table, after = _thrown(table, phase, deal)
    return table, (told, *after)


def _thrown(table: Table, phase: Playing, deal: Deal) -> Step:
    """The game goes on after the pointeur threw his hand away, which gets no third card (R-31)."""
    match phase:
        case p.PointeurToSpeak() | p.BankerToOpen():
            if deal.banker_open:  # the cards fell open (Z-10): a Schlag draws no card
                return after_opening(table, deal)
            return at(table, p.BankerToOpen(deal)), ()
        case p.ThirdCardDue():
            return advise(table, deal)
        case p.BankerToChoose():
            return at(table, p.BankerToChoose(deal)), ()
        case p.PointeurToOpen():
            return to_pointeur(table, deal)


def misdealt(table: Table, phase: p.Dealing | Playing, _said: ti.Misdealt) -> Step:
    """Cards were dealt in the wrong order or number. The table stops.

    The croupier puts the cards right, or the banker loses the coup (Z-12, N-4).
    """
    if phase.deal is None:
        raise AgainstRules(phrase("No card has been dealt."), phrase("Begin the deal."), "Z-12")
    return at(table, phase, felt=stopped(table.felt, MisdealDue())), (Misdeal(),)


def mendable(table: Table) -> bool:
    """Whether the house's rule still allows the croupier to put the deal right.

    Source: Z-12, N-4, R-15, R-50.
    """
    deal = deal_of(table.phase)
    if deal is None or table.house.retablir == "always":
        return True
    thirds = len(deal.pointeur) > 2 or len(deal.banker) > 2
    if table.house.retablir == "third_card":
        return not thirds
    return len(deal.pointeur) + len(deal.banker) <= 3


def put_right(table: Table, phase: MisdealDue, _said: i.PutRight) -> Step:
    """*Retablir*: the croupier puts the cards where they belong, and burns a surplus card unseen.

    Raises AgainstRules if it is too late.
    """
    if not mendable(table):
        raise AgainstRules(
            phrase("It is too late to put the deal right."),
            phrase("The banker has lost this coup."),
            "N-4",
        )
    told: tuple[CardRemoved, ...] = ()
    felt = released(table.felt)
    if phase.extra:
        felt = replace(felt, hidden=(*felt.hidden, phase.extra))
        told = (CardRemoved(ordinal=phase.extra.ordinal, ruling=StrayRuling.MISDEALT),)
    return resumed(table, felt), (MisdealMended(), *told)


def bank_loses(table: Table, _phase: MisdealDue, _said: i.BankLoses) -> Step:
    """The deal is not put right, so the banker loses the coup (Z-12, N-4)."""
    deal = deal_of(table.phase)
    if deal is None:
        raise AgainstRules(
            phrase("No coup is under way that the bank could lose."),
            phrase("Put it right: the card is burned."),
            "Z-12",
        )
    rule = "N-4" if table.house.retablir != "always" else "Z-12"
    return _forfeited(table, deal, rule)


def _forfeited(table: Table, deal: Deal, rule: str) -> Step:
    """The bank loses the coup by `rule`. Cards that wait for a ruling leave the game unseen.

    If the white card waits for a ruling, the croupier still has to rule on it (R-6).
    """
    dispute = disputed(table.felt)
    felt, told = gathered(table.felt, but=WHITE)
    table, after = settle(replace(table, felt=felt), deal, forfeit=rule)
    if dispute:
        felt = stopped(table.felt, replace(dispute, coup=deal.number))
        table = at(table, table.phase, felt=felt)
    return table, (*told, *after)

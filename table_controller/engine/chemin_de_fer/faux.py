"""The pointeur opens. His third card may be a faux tirage, which he admits or his hand shows.

A faux tirage is a card that the custom forbids. Source: ZP-12, Z-21, R-18, R-38, R-55.
"""

from __future__ import annotations

from msgspec.structs import replace

from table_controller.engine.alerts import Alert
from table_controller.engine.chemin_de_fer import phases as p
from table_controller.engine.chemin_de_fer.events import ClaimFailed, FauxTirage, Said
from table_controller.engine.chemin_de_fer.facts import Deal
from table_controller.engine.chemin_de_fer.hands import (
    advise,
    by_schlitten,
    is_bankers,
    of_banker,
    of_pointeur,
    show_hand,
)
from table_controller.engine.chemin_de_fer.inputs import (
    AdmitsFaux,
    CardCounts,
    LetStand,
    Opened,
    Spoke,
    Word,
)
from table_controller.engine.chemin_de_fer.settle import settle
from table_controller.engine.chemin_de_fer.state import Step, Table, at, value
from table_controller.engine.messages import AgainstRules, Event, OutOfTurn, Severity, phrase
from table_controller.engine.shoe import Dealt
from table_controller.engine.table.events import CardRemoved, RulingNoted
from table_controller.engine.table.felt import calmed, warned
from table_controller.engine.table.inputs import StrayRuling
from table_controller.engine.table.repairs import with_reason
from table_controller.rules.chemin_de_fer.tableau import Duty, pointeur_duty

CLAIM = "faux-claim"


def to_pointeur(table: Table, deal: Deal) -> Step:
    """The pointeur opens last, unless his cards are open or thrown away (ZP-12, R-26, Z-15)."""
    if deal.pointeur_open or deal.thrown:
        return _decided(table, deal)
    return at(table, p.PointeurToOpen(deal)), ()


def _decided(table: Table, deal: Deal) -> Step:
    """The table once both hands are known: usually the coup is settled.

    If the custom forbade the pointeur's third card, he gives it back first. If he gave back a card
    that was not forbidden, a supervisor must rule.
    """
    if deal.claimed and not deal.thrown and not forbids(deal):
        return _disputed(table, deal, deal.claimed)
    if _is_faux(table, deal):
        return _give_back_third(table, deal)
    return settle(table, deal)


def pointeur_opens(table: Table, phase: p.PointeurToOpen, said: Opened) -> Step:
    """The pointeur opens his two closed cards, which shows who has won (ZP-12)."""
    of_pointeur(table, said.seat)
    deal, told = show_hand(table, phase.deal, said.seat, phase.deal.pointeur)
    table, after = _decided(table, deal)
    return table, (*told, *after)


# Faux tirage (Z-21, R-18)


def forbids(deal: Deal) -> bool:
    """Whether the custom forbids a third card to the pointeur's first two cards (R-25, ZP-11)."""
    return pointeur_duty(value(deal.pointeur[:2])) is Duty.STAND


def _is_faux(table: Table, deal: Deal) -> bool:
    """Whether the pointeur plays by the Schlitten and asked for a card on 6 to 9 (R-25, ZP-11)."""
    if deal.given is None or deal.thrown or not by_schlitten(table, table.pointeur):
        return False
    return forbids(deal)


def _give_back_third(table: Table, deal: Deal) -> Step:
    """The pointeur's third card is taken from his hand.

    The banker may ask for this card if he has not drawn; otherwise it is burned.
    """
    spare = deal.pointeur[2]
    told: tuple[Event, ...] = (FauxTirage(seat=table.pointeur, ordinal=spare.ordinal),)
    deal = replace(deal, pointeur=deal.pointeur[:2], spare=spare)
    if len(deal.banker) == 2 and value(deal.banker) < 8:
        return at(table, p.FauxOffered(deal)), told
    table, after = burn_spare(table, deal)
    return table, (*told, *after)


def can_admit(table: Table, deal: Deal) -> bool:
    """Whether the pointeur may say that the custom forbade his third card.

    He may while his hand is closed. If his hand is open, it must show that he is right.
    """
    if deal.given is None or not by_schlitten(table, table.pointeur):
        return False
    return forbids(deal) if deal.pointeur_open else True


def admits_faux(table: Table, phase: p.BankerToChoose, said: AdmitsFaux) -> Step:
    """The pointeur admits, before the banker has drawn, that his third card was forbidden (Z-21).

    The card is kept for the banker. While the pointeur's hand is closed, this is only a claim
    (R-38).
    """
    of_pointeur(table, said.seat)
    deal, card = phase.deal, phase.deal.given
    if card is None or not by_schlitten(table, said.seat):
        raise AgainstRules(
            phrase("No card of his can be given back."),
            phrase("It is for a pointeur by the Schlitten who asked for a card."),
            "Z-21",
        )
    if not can_admit(table, deal):
        raise AgainstRules(_NOT_FORBIDDEN, _HIS_THIRD, "Z-21")
    told = FauxTirage(seat=said.seat, ordinal=card.ordinal)
    claimed = None if deal.pointeur_open else card
    deal = replace(deal, pointeur=deal.pointeur[:2], spare=card, claimed=claimed)
    table, after = advise(table, deal)
    return table, (told, *after)


# A claim of a faux tirage, and whether the opened hand proves it

_NOT_FORBIDDEN = phrase("The custom did not forbid that card.")
_HIS_THIRD = phrase("It is the pointeur's third card.")
#: The question to the supervisor in that case (R-55).
COUNTS = phrase("A supervisor: the card counts, let it stand, or annul?")


def proves_claim(table: Table, phase: p.BankerToChoose, said: Opened) -> Step:
    """The pointeur opens before the banker answers, which proves or disproves his claim.

    If the card was forbidden, it stays given back; otherwise it is his third card again. The
    banker, who now sees the whole hand, must play by the custom, as in Z-8 and R-34.
    """
    of_pointeur(table, said.seat)
    deal, card = phase.deal, phase.deal.claimed
    if card is None or deal.thrown:
        raise OutOfTurn(
            phrase("Nothing of the kind is due now."),
            phrase("The banker draws or stands."),
            "ZP-12",
        )
    deal = replace(deal, claimed=None, bound=True)
    if forbids(deal):
        deal, told = show_hand(table, deal, said.seat, deal.pointeur)
        return at(table, p.BankerToChoose(deal)), told
    deal = replace(deal, pointeur=(*deal.pointeur, card), spare=None)
    deal, told = show_hand(table, deal, said.seat, deal.pointeur)
    table, failed = _failed(table, card, returned=True)
    table, after = advise(table, deal)
    return table, (*told, *failed, *after)


def _disputed(table: Table, deal: Deal, card: Dealt) -> Step:
    """The pointeur's claim was false, but the banker has drawn the card, or it was burned.

    A supervisor rules (R-55).
    """
    table, failed = _failed(table, card, returned=False)
    return at(table, p.ClaimDisputed(deal)), failed


def card_counts(table: Table, phase: p.ClaimDisputed, said: CardCounts) -> Step:
    """A supervisor rules that the claimed card is the pointeur's third card (R-55).

    The coup is judged with this card, and with what the banker did. A card belongs to one hand
    only: a banker who took this card counts as having drawn, and gets another card.
    """
    with_reason(said.reason)
    deal, card = phase.deal, phase.deal.claimed
    if card is None:
        raise ValueError("no card was claimed")
    felt, calm = calmed(table.felt, CLAIM)
    table = replace(table, felt=felt)
    drew, kept = card in deal.banker, tuple(one for one in deal.banker if one != card)
    deal = replace(deal, pointeur=(*deal.pointeur, card), banker=kept, claimed=None)
    told = (
        RulingNoted(reason=said.reason),
        ClaimFailed(seat=table.pointeur, ordinal=card.ordinal, returned=True),
        *calm,
    )
    if drew:
        return at(table, p.BankerCardDue(deal)), told
    table, after = settle(table, deal)
    return table, (*told, *after)


def let_stand(table: Table, phase: p.ClaimDisputed, said: LetStand) -> Step:
    """A supervisor rules that the coup counts with the cards as they are (R-38, R-55, Z-27)."""
    with_reason(said.reason)
    felt, told = calmed(table.felt, CLAIM)
    table, after = settle(replace(table, felt=felt), replace(phase.deal, claimed=None))
    return table, (RulingNoted(reason=said.reason), *told, *after)


def _failed(table: Table, card: Dealt, *, returned: bool) -> Step:
    """The table with an event for everybody that the claim failed, and an alert with the remedy.

    `returned` says whether the card is the pointeur's third card again.
    """
    severity = Severity.WARNING if returned else Severity.STOP
    remedy = _HIS_THIRD if returned else COUNTS
    alert = Alert(CLAIM, "faux_claim_failed", severity, _NOT_FORBIDDEN, remedy)
    felt, told = warned(table.felt, alert)
    failed = ClaimFailed(seat=table.pointeur, ordinal=card.ordinal, returned=returned)
    return replace(table, felt=felt), (failed, *told)


# The fate of a card that was given back


def faux_answered(table: Table, phase: p.FauxOffered, said: Spoke) -> Step:
    """The banker asks for the card that was given back, or stands (Z-21)."""
    of_banker(table, said.seat)
    is_bankers(said.word)
    told = Said(seat=said.seat, word=said.word)
    act = take_spare if said.word is Word.DRAWS else burn_spare
    table, after = act(table, phase.deal)
    return table, (told, *after)


def take_spare(table: Table, deal: Deal) -> Step:
    """The banker draws, and his third card is the one that the pointeur gave back (Z-21)."""
    if deal.spare is None:
        raise ValueError("no card was given back")
    return to_pointeur(table, replace(deal, banker=(*deal.banker, deal.spare), spare=None))


def burn_spare(table: Table, deal: Deal) -> Step:
    """The banker stands. A card that the pointeur gave back is burned (Z-21)."""
    if deal.spare is None:
        return to_pointeur(table, deal)
    burned = CardRemoved(ordinal=deal.spare.ordinal, ruling=StrayRuling.BURNED)
    table, after = to_pointeur(table, replace(deal, spare=None))
    return table, (burned, *after)

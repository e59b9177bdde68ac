"""The table's question in words: one sentence, its reason, and the rule's id.

No sentence depends on a closed card (R-17).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from table_controller.engine.chemin_de_fer import phases as p
from table_controller.engine.chemin_de_fer.deal import bound, first_kept
from table_controller.engine.chemin_de_fer.facts import Deal
from table_controller.engine.chemin_de_fer.faux import COUNTS
from table_controller.engine.chemin_de_fer.hands import duty_of
from table_controller.engine.chemin_de_fer.inputs import Word
from table_controller.engine.chemin_de_fer.mistakes import mendable
from table_controller.engine.chemin_de_fer.state import (
    Table,
    deal_of,
    foremost,
    under_way,
    unstaked,
    value,
)
from table_controller.engine.chemin_de_fer.words_between import BETWEEN, too_few
from table_controller.engine.chemin_de_fer.words_settled import settled
from table_controller.engine.messages import Phrase, phrase
from table_controller.engine.table.stops import MisdealDue
from table_controller.engine.table.words import SILENT, Asked, held, stopped
from table_controller.engine.views import Prompt
from table_controller.rules.chemin_de_fer.tableau import Duty


def awaited(table: Table) -> Prompt:
    """The present question in one sentence, with its reason and the seats that must act."""
    due = foremost(table)
    begins = unstaked(table) or (isinstance(due, p.Dealing) and due.deal is None)
    few = held(table.felt, begins=begins) or too_few(table)
    halt = few or stopped(table.felt, coup=under_way(table))
    news, ask, why, rule, seats = halt or _ASK[type(due)](table, due)
    if table.felt.withdrawn:
        news = phrase("Taken back: {what}.", what=table.felt.withdrawn)
    if _last_coup(table) and not few:
        news = phrase("Der letzte Coup. {news}", news=news) if news.text else LAST_COUP
    return Prompt(id=table.prompt, news=news, ask=ask, why=why, rule=rule, seats=seats)


#: The call with the white card (ZP-4).
LAST_COUP = phrase("Der letzte Coup.")
#: The call is made from the white card until the coup's first card is dealt, ...
_BEFORE = (
    p.BankDue,
    p.StakesDue,
    p.Staking,
    p.Sharing,
    p.BankStakeDue,
    p.Auction,
    p.TakeOver,
    p.Dealing,
)
#: ... and, if the white card came out during that coup, until the coup is settled.
_DURING = (p.PointeurToSpeak, p.BankerToOpen, p.ThirdCardDue, p.BankerToChoose, p.BankerCardDue)


def _last_coup(table: Table) -> bool:
    """Whether the news is that this coup, or the next, is the Schlitten's last (R-6, ZP-4)."""
    shoe, deal = table.felt.shoe, deal_of(table.phase)
    if not table.felt.last_coup or shoe is None or shoe.white_out is None:
        return False
    if deal is None:
        return isinstance(foremost(table), _BEFORE)
    dealt = len(deal.pointeur) + len(deal.banker)
    return isinstance(foremost(table), (*_DURING, p.Dealing)) and shoe.left + dealt > shoe.white_out


def _faux_offered(table: Table, _phase: p.FauxOffered) -> Asked:
    seat = table.banker
    return (
        phrase("Faux tirage: the pointeur's third card is given back."),
        phrase("Seat {seat}: this card, or stay?", seat=seat),
        phrase("The other side may have it as its third card; else it is burned."),
        "Z-21",
        (seat,),
    )


def _claim_disputed(_table: Table, _phase: p.ClaimDisputed) -> Asked:
    return (
        phrase("The custom did not forbid that card."),
        COUNTS,
        phrase("The banker has drawn or burned it since."),
        "R-55",
        (),
    )


def _misdeal_due(table: Table, _phase: MisdealDue) -> Asked:
    if mendable(table):
        why = phrase("Without protest the croupier puts it right; else the banker loses.")
    else:
        why = phrase("It is too late to put it right: the banker loses the coup.")
    rule = "Z-12" if table.house.retablir == "always" else "N-4"
    return phrase("A misdeal."), phrase("Put it right, or is the coup lost?"), why, rule, ()


def _dealing(table: Table, phase: p.Dealing) -> Asked:
    dealt = (*phase.deal.pointeur, *phase.deal.banker) if phase.deal else first_kept(table)
    count = len(dealt)
    seat = table.banker
    tie = not phase.deal and table.coup and table.coup.tie
    return (
        phrase("En carte: the stakes stand, a new deal.") if tie else SILENT,
        phrase("Seat {seat} deals: {left} more", seat=seat, left=4 - count),
        phrase("Two cards each, closed; this one is the pointeur's.")
        if count % 2 == 0
        else phrase("Two cards each, closed; this one is the banker's own."),
        "R-4" if tie else "ZP-6",
        (seat,),
    )


def _pointeur_to_speak(table: Table, phase: p.PointeurToSpeak) -> Asked:
    seat = table.pointeur
    if phase.deal.pointeur_open and phase.deal.banker_open:
        return (
            phrase("All four cards lie open."),
            phrase("Seat {seat}: carte or reste?", seat=seat),
            phrase("He says his word all the same; the banker plays by the custom."),
            "Z-8",
            (seat,),
        )
    if phase.deal.pointeur_open:
        return (
            phrase("Seat {seat} opened, and it is no Schlag.", seat=seat),
            phrase("Seat {seat}: carte or reste?", seat=seat),
            phrase("His cards stay open; he must still say a word."),
            "R-34",
            (seat,),
        )
    return (
        phrase("Four cards are dealt."),
        phrase("Seat {seat}: carte or reste?", seat=seat),
        phrase("Or he shows a Schlag: 8 or 9 with two cards."),
        "ZP-12",
        (seat,),
    )


def _said(table: Table, deal: Deal) -> Phrase:
    seat = table.pointeur
    match deal.word:
        case Word.SCHLAG:
            return phrase("Seat {seat} shows {points}.", seat=seat, points=value(deal.pointeur))
        case Word.CARTE:
            return phrase('Seat {seat}: "carte".', seat=seat)
        case Word.RESTE:
            return phrase('Seat {seat}: "reste".', seat=seat)
        case _:
            return phrase("The pointeur's cards lie open, or were thrown.")


def _banker_to_open(table: Table, phase: p.BankerToOpen) -> Asked:
    seat = table.banker
    schlag = phase.deal.word is Word.SCHLAG
    return (
        _said(table, phase.deal),
        phrase("Seat {seat} opens the bank's cards", seat=seat),
        phrase("After a Schlag the banker opens his.")
        if schlag
        else phrase("The banker opens first, as soon as the pointeur has spoken."),
        "ZP-7" if schlag else "ZP-12",
        (seat,),
    )


def _third_card_due(table: Table, phase: p.ThirdCardDue) -> Asked:
    bank, coup = table.bank, table.coup
    seat = bank.seat if bank else 0
    return (
        phrase("Seat {seat} opened {points}.", seat=seat, points=value(phase.deal.banker)),
        phrase(
            "Seat {seat} gives seat {to} a card, open", seat=seat, to=coup.pointeur if coup else 0
        ),
        phrase("The pointeur asked for it, and the banker has no Schlag."),
        "ZP-8",
        (seat,),
    )


#: The custom's advice to the banker, and the rule behind it.
ADVICE: dict[Duty, tuple[Phrase, str]] = {
    Duty.DRAW: (phrase("The custom draws."), "ZX-2"),
    Duty.STAND: (phrase("The custom stands."), "ZX-2"),
    Duty.CHOOSE: (phrase("The custom leaves this one to him."), "ZX-2"),
    Duty.NO_INFORMATION: (
        phrase("Für eine nicht gezogene Karte keine Auskunft."),
        "Z-20",
    ),
}


#: The same for a banker who plays by the custom, or is bound by Z-8, Z-19 or R-34.
_BINDING = {
    Duty.DRAW: phrase("The custom draws, and it binds him."),
    Duty.STAND: phrase("The custom stands, and it binds him."),
}


def _banker_to_choose(table: Table, phase: p.BankerToChoose) -> Asked:
    seat = table.banker
    point, given, duty = duty_of(table, phase.deal)
    sentence, rule = ADVICE[duty]
    if duty is Duty.NO_INFORMATION:  # the call itself is the advice (Z-20)
        sentence, rule = phrase("No card was given: he is free."), "R-2"
    elif bound(table, phase.deal):
        sentence, rule = _BINDING[duty], "Z-21"
    news = _before_choosing(table, phase.deal, point, given)
    return news, phrase("Seat {seat}: card or stay?", seat=seat), sentence, rule, (seat,)


def _before_choosing(table: Table, deal: Deal, point: int, given: int | None) -> Phrase:
    """The news before the banker chooses: the pointeur's third card, or that he took none.

    If the pointeur claims that the custom forbade his third card, only his opened hand can prove
    this (R-55).
    """
    seat, to = table.banker, table.pointeur
    if deal.claimed and not deal.thrown:
        return phrase("Seat {to} admits a faux tirage: his hand must be opened.", to=to)
    if deal.spare:
        return phrase("Faux tirage: the pointeur's third card is given back.")
    if given is None:
        return phrase("Seat {seat} opened {point}; seat {to} stays.", seat=seat, point=point, to=to)
    return phrase(
        "Seat {seat} opened {point}; seat {to} took {card}.",
        seat=seat,
        point=point,
        to=to,
        card=deal.given.card.value if deal.given else "",
    )


def _banker_card_due(table: Table, _phase: p.BankerCardDue) -> Asked:
    seat = table.banker
    return (
        phrase("Seat {seat} draws.", seat=seat),
        phrase("Seat {seat}: the banker's card, open", seat=seat),
        phrase("A third card always lies face up."),
        "Z-9",
        (seat,),
    )


def _bank_has(table: Table, deal: Deal) -> Phrase:
    """The bank's points, and whether the banker drew, if he might."""
    seat, points = table.banker, value(deal.banker)
    if len(deal.banker) > 2:
        return phrase("Seat {seat} drew: the bank has {points}.", seat=seat, points=points)
    if points < 8:  # no Schlag
        return phrase("Seat {seat} stays: the bank has {points}.", seat=seat, points=points)
    return phrase("The bank has {points}.", points=points)


def _pointeur_to_open(table: Table, phase: p.PointeurToOpen) -> Asked:
    seat, claimed = table.pointeur, phase.deal.claimed is not None
    return (
        _bank_has(table, phase.deal),
        phrase("Seat {seat} opens the pointeur's cards", seat=seat),
        phrase("His hand shows whether the custom forbade that card.")
        if claimed
        else phrase("Then the table shows who has won."),
        "R-55" if claimed else "ZP-12",
        (seat,),
    )


_ASK: dict[type, Callable[[Table, Any], Asked]] = {
    **BETWEEN,
    p.Dealing: _dealing,
    p.PointeurToSpeak: _pointeur_to_speak,
    p.BankerToOpen: _banker_to_open,
    p.ThirdCardDue: _third_card_due,
    p.BankerToChoose: _banker_to_choose,
    p.BankerCardDue: _banker_card_due,
    p.PointeurToOpen: _pointeur_to_open,
    p.FauxOffered: _faux_offered,
    p.ClaimDisputed: _claim_disputed,
    MisdealDue: _misdeal_due,
    p.Settled: settled,
}

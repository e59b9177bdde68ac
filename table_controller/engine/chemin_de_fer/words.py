"""The table's question in words: one sentence, its reason, and the rule's id."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from table_controller.engine.chemin_de_fer import money
from table_controller.engine.chemin_de_fer import state as s
from table_controller.engine.chemin_de_fer.bank import standing_bids
from table_controller.engine.chemin_de_fer.deal import COUNTS, bound, duty_of, first_kept, mendable
from table_controller.engine.chemin_de_fer.events import Side
from table_controller.engine.chemin_de_fer.inputs import Play, Word
from table_controller.engine.chemin_de_fer.money import lacking
from table_controller.engine.messages import Phrase, phrase
from table_controller.engine.table.felt import MisdealDue, next_seat
from table_controller.engine.table.schlitten import NoSchlitten, short
from table_controller.engine.table.words import SILENT, Asked, held, no_schlitten, over, stopped
from table_controller.engine.views import Prompt
from table_controller.rules.chemin_de_fer.tableau import Duty

# ---- The table's questions between two deals: cards, players, bank and stakes


def _no_schlitten(table: s.Table, phase: NoSchlitten) -> Asked:
    return no_schlitten(table.felt, phase)


def _over(table: s.Table, _phase: s.Over) -> Asked:
    return over(table.felt)


def _players_due(_table: s.Table, _phase: s.PlayersDue) -> Asked:
    return (
        SILENT,
        phrase("Players, please"),
        phrase("Two are needed: one for the bank, one against it."),
        "ZP-3",
        (),
    )


def _bank_due(table: s.Table, _phase: s.BankDue) -> Asked:
    last = table.last[-1] if table.last else None
    news = SILENT
    if (
        last
        and last.winner is Side.POINTEUR
        and next_seat(table.felt, last.banker_seat) == table.place
    ):
        news = phrase("Seat {seat} lost its bank.", seat=last.banker_seat)
    return (
        news,
        phrase("Seat {seat}: how much in the bank?", seat=table.place),
        phrase(
            "The Schlitten is at this seat. The least is {least} {unit}.",
            least=table.house.least_pot,
            unit=table.house.unit,
        ),
        "ZP-5",
        (table.place,),
    )


def _stakes_due(table: s.Table, _phase: s.StakesDue) -> Asked:
    bank, unit = table.bank, table.house.unit
    pot = bank.pot if bank else 0
    if short(table.felt):
        return over(table.felt)
    if bank and bank.open:
        return (
            phrase("Seat {seat} opens the bank.", seat=bank.seat),
            phrase("Bitte das Spiel zu machen zur offenen Bank"),
            phrase("All may stake; the highest stake holds the cards."),
            "Z-5",
            (),
        )
    highest = table.house.stakes == "highest"
    return (
        phrase("The bank stands at {pot} {unit}.", pot=pot, unit=unit),
        phrase("{pot} {unit} in the bank: your stakes, please", pot=pot, unit=unit)
        if highest
        else phrase("{pot} {unit}, banco! Who plays?", pot=pot, unit=unit),
        phrase("The highest stake holds the cards.")
        if highest
        else phrase("Solo, with a partner, or with the table. If nobody does, all may stake."),
        "N-3" if highest else "ZP-15",
        (),
    )


def _over_the_pot(table: s.Table, coup: s.Coup, pot: int) -> Phrase:
    """Who gets how much back of the stakes that the pot does not cover (R-23, R-47)."""
    covered = {stake.seat: stake.chips for stake in money.cover(table)}
    back = [(one.seat, one.chips - covered.get(one.seat, 0)) for one in coup.stakes]
    parts = [f"{seat}: {chips}" for seat, chips in sorted(back) if chips > 0]
    return phrase(
        "The pot covers {pot} of {staked}; what goes back, by seat: {back}.",
        pot=pot, staked=coup.staked, back=", ".join(parts),
    )  # fmt: skip


def _staking(table: s.Table, _phase: s.Staking) -> Asked:
    coup, bank = table.coup, table.bank
    pot, staked = bank.pot if bank else 0, coup.staked if coup else 0
    holder = coup.pointeur if coup else 0
    news = phrase("{staked} staked against {pot}.", staked=staked, pot=pot)
    if bank and bank.open:  # its money comes later (Z-5)
        news = phrase("{staked} staked.", staked=staked)
    elif coup and bank and staked > pot:
        news = _over_the_pot(table, coup, pot)
    if coup and coup.play is Play.BANCO_TABLE:
        return (
            news,
            phrase("Banco with the table: your stakes, please"),
            phrase("Seat {seat} holds the cards; the table stakes the rest.", seat=holder),
            "ZP-15",
            (),
        )
    return (
        news,
        phrase("Your stakes, please"),
        phrase("Seat {seat} holds the cards so far.", seat=holder)
        if holder
        else phrase("The highest stake holds the cards."),
        "N-3" if table.house.stakes == "highest" else "ZP-16",
        (),
    )


def _sharing(_table: s.Table, phase: s.Sharing) -> Asked:
    return (
        phrase("The table has not staked the rest of the pot."),
        phrase("Seat {seat}: a part of {missing}?", seat=phase.seats[0], missing=phase.missing),
        phrase("Offered round the table from the prime on; what nobody takes is not played for."),
        "R-21",
        (phase.seats[0],),
    )


def _bank_stake_due(table: s.Table, phase: s.BankStakeDue) -> Asked:
    seat = table.banker
    return (
        phrase("The stakes are closed."),
        phrase("Seat {seat}: the bank's stake, please", seat=seat),
        phrase("{least} at least; only then may he deal.", least=phase.least),
        "Z-5",
        (seat,),
    )


def _auction(table: s.Table, phase: s.Auction) -> Asked:
    news = phrase("Seat {seat}: Suite.", seat=phase.seller)
    ask = phrase("The bank is for sale: who offers?")
    if bids := standing_bids(table, phase):
        best, unit = max(bids, key=lambda bid: bid.chips), table.house.unit
        chips = best.chips
        news = phrase("Seat {seat} offers {chips} {unit}.", seat=best.seat, chips=chips, unit=unit)
        ask = phrase(
            "The bank is for sale at {best} {unit}: who offers more?", best=chips, unit=unit
        )
    return (
        news,
        ask,
        phrase("The highest pot holds the bank. Touch the seat that bids."),
        "ZP-18",
        (),
    )


def _take_over(table: s.Table, phase: s.TakeOver) -> Asked:
    return (
        phrase("Seat {seat} gives up the bank.", seat=phase.giver),
        phrase("Who takes the bank over at {pot} {unit}?", pot=phase.pot, unit=table.house.unit),
        phrase("At its present size; it may not be halved. Touch the seat that takes it."),
        "N-7",
        (),
    )


def too_few(table: s.Table) -> Asked | None:
    """The prompt if stakes are laid, but too few cards are left for the coup; otherwise None.

    If the coup replays a tie, it is played with the next Schlitten (R-37).
    """
    if not isinstance(s.foremost(table), s.Staking | s.Sharing | s.BankStakeDue | s.Dealing):
        return None
    if not lacking(table):
        return None
    news, close, why, rule, nobody = over(table.felt)
    if table.coup and table.coup.tie:
        return news, close, why, rule, nobody
    return news, phrase("Annul the coup: too few cards are left"), why, "R-37", nobody


BETWEEN: dict[type, Callable[[s.Table, Any], Asked]] = {
    NoSchlitten: _no_schlitten,
    s.PlayersDue: _players_due,
    s.BankDue: _bank_due,
    s.StakesDue: _stakes_due,
    s.Staking: _staking,
    s.Sharing: _sharing,
    s.BankStakeDue: _bank_stake_due,
    s.Auction: _auction,
    s.TakeOver: _take_over,
    s.Over: _over,
}


# ---- A settlement in words: the winner, his win, the sum that was played for, and the payments


def settled(table: s.Table, phase: s.Settled) -> Asked:
    """The prompt with the result, and with the payments that the croupier must make now."""
    record, unit = phase.record, table.house.unit
    if record.forfeit:
        return (
            phrase("The bank has lost by rule {rule}.", rule=record.forfeit),
            _pay(phase, unit),
            phrase("The cards do not count."),
            record.forfeit,
            (record.pointeur_seat,),
        )
    points = {"banker": record.banker or 0, "pointeur": record.pointeur or 0}
    match record.winner:
        case None:
            return (
                phrase("En carte: {banker} to {pointeur}.", **points),
                phrase("A tie: the coup is played again"),
                phrase("The stakes stand, the same pointeur, a new deal; no cagnotte."),
                "R-4",
                (),
            )
        case Side.BANK:
            return (
                phrase("Bank {banker}, pointeur {pointeur}.", **points),
                *_collect(record, unit),
                "ZP-20",
                (record.banker_seat,),
            )
        case Side.POINTEUR:
            return (
                phrase("Pointeur {pointeur}, bank {banker}.", **points),
                _pay(phase, unit),
                phrase(
                    "The bank has lost {staked} of {pot}: the Schlitten passes on.",
                    staked=record.staked,
                    pot=record.pot,
                ),
                "ZP-19",
                (record.pointeur_seat,),
            )


def _pay(phase: s.Settled, unit: str) -> Phrase:
    """The sentence with the pointeur's win, and the wins of those who staked with him."""
    seat, staked = phase.record.pointeur_seat, phase.record.staked
    own = sum(line.chips for line in phase.payments if line.seat == seat)
    if own == staked:
        return phrase("Seat {seat} wins {sum} {unit}: pay", seat=seat, sum=own, unit=unit)
    return phrase(
        "Seat {seat} wins {sum}, the others {rest} {unit}: pay",
        seat=seat,
        sum=own,
        rest=staked - own,
        unit=unit,
    )


def _collect(record: s.CoupRecord, unit: str) -> tuple[Phrase, Phrase]:
    """The sentences with the bank's win, and with the pot now."""
    return (
        phrase(
            "Seat {seat} wins {sum} {unit}: collect",
            seat=record.banker_seat,
            sum=record.staked,
            unit=unit,
        ),
        phrase(
            "The pot is {pot} {unit} after a cagnotte of {house}.",
            pot=record.pot_after,
            house=record.cagnotte,
            unit=unit,
        ),
    )


# ---- The table's question in words: one sentence, its reason, and the rule's id


def awaited(table: s.Table) -> Prompt:
    """The present question in one sentence, with its reason and the seats that must act."""
    due = s.foremost(table)
    begins = s.unstaked(table) or (isinstance(due, s.Dealing) and due.deal is None)
    few = held(table.felt, begins=begins) or too_few(table)
    halt = few or stopped(table.felt, coup=s.under_way(table))
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
    s.BankDue,
    s.StakesDue,
    s.Staking,
    s.Sharing,
    s.BankStakeDue,
    s.Auction,
    s.TakeOver,
    s.Dealing,
)
#: ... and, if the white card came out during that coup, until the coup is settled.
_DURING = (s.PointeurToSpeak, s.BankerToOpen, s.ThirdCardDue, s.BankerToChoose, s.BankerCardDue)


def _last_coup(table: s.Table) -> bool:
    """Whether the news is that this coup, or the next, is the Schlitten's last (R-6, ZP-4)."""
    shoe, deal = table.felt.shoe, s.deal_of(table.phase)
    if not table.felt.last_coup or shoe is None or shoe.white_out is None:
        return False
    if deal is None:
        return isinstance(s.foremost(table), _BEFORE)
    dealt = len(deal.pointeur) + len(deal.banker)
    return (
        isinstance(s.foremost(table), (*_DURING, s.Dealing)) and shoe.left + dealt > shoe.white_out
    )


def _faux_offered(table: s.Table, _phase: s.FauxOffered) -> Asked:
    seat = table.banker
    return (
        phrase("Faux tirage: the pointeur's third card is given back."),
        phrase("Seat {seat}: this card, or stay?", seat=seat),
        phrase("The other side may have it as its third card; else it is burned."),
        "Z-21",
        (seat,),
    )


def _claim_disputed(_table: s.Table, _phase: s.ClaimDisputed) -> Asked:
    return (
        phrase("The custom did not forbid that card."),
        COUNTS,
        phrase("The banker has drawn or burned it since."),
        "R-55",
        (),
    )


def _misdeal_due(table: s.Table, _phase: MisdealDue) -> Asked:
    if mendable(table):
        why = phrase("Without protest the croupier puts it right; else the banker loses.")
    else:
        why = phrase("It is too late to put it right: the banker loses the coup.")
    rule = "Z-12" if table.house.retablir == "always" else "N-4"
    return phrase("A misdeal."), phrase("Put it right, or is the coup lost?"), why, rule, ()


def _dealing(table: s.Table, phase: s.Dealing) -> Asked:
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


def _pointeur_to_speak(table: s.Table, phase: s.PointeurToSpeak) -> Asked:
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


def _said(table: s.Table, deal: s.Deal) -> Phrase:
    seat = table.pointeur
    match deal.word:
        case Word.SCHLAG:
            return phrase("Seat {seat} shows {points}.", seat=seat, points=s.value(deal.pointeur))
        case Word.CARTE:
            return phrase('Seat {seat}: "carte".', seat=seat)
        case Word.RESTE:
            return phrase('Seat {seat}: "reste".', seat=seat)
        case _:
            return phrase("The pointeur's cards lie open, or were thrown.")


def _banker_to_open(table: s.Table, phase: s.BankerToOpen) -> Asked:
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


def _third_card_due(table: s.Table, phase: s.ThirdCardDue) -> Asked:
    bank, coup = table.bank, table.coup
    seat = bank.seat if bank else 0
    return (
        phrase("Seat {seat} opened {points}.", seat=seat, points=s.value(phase.deal.banker)),
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


def _banker_to_choose(table: s.Table, phase: s.BankerToChoose) -> Asked:
    seat = table.banker
    point, given, duty = duty_of(table, phase.deal)
    sentence, rule = ADVICE[duty]
    if duty is Duty.NO_INFORMATION:  # the call itself is the advice (Z-20)
        sentence, rule = phrase("No card was given: he is free."), "R-2"
    elif bound(table, phase.deal):
        sentence, rule = _BINDING[duty], "Z-21"
    news = _before_choosing(table, phase.deal, point, given)
    return news, phrase("Seat {seat}: card or stay?", seat=seat), sentence, rule, (seat,)


def _before_choosing(table: s.Table, deal: s.Deal, point: int, given: int | None) -> Phrase:
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


def _banker_card_due(table: s.Table, _phase: s.BankerCardDue) -> Asked:
    seat = table.banker
    return (
        phrase("Seat {seat} draws.", seat=seat),
        phrase("Seat {seat}: the banker's card, open", seat=seat),
        phrase("A third card always lies face up."),
        "Z-9",
        (seat,),
    )


def _bank_has(table: s.Table, deal: s.Deal) -> Phrase:
    """The bank's points, and whether the banker drew, if he might."""
    seat, points = table.banker, s.value(deal.banker)
    if len(deal.banker) > 2:
        return phrase("Seat {seat} drew: the bank has {points}.", seat=seat, points=points)
    if points < 8:  # no Schlag
        return phrase("Seat {seat} stays: the bank has {points}.", seat=seat, points=points)
    return phrase("The bank has {points}.", points=points)


def _pointeur_to_open(table: s.Table, phase: s.PointeurToOpen) -> Asked:
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


_ASK: dict[type, Callable[[s.Table, Any], Asked]] = {
    **BETWEEN,
    s.Dealing: _dealing,
    s.PointeurToSpeak: _pointeur_to_speak,
    s.BankerToOpen: _banker_to_open,
    s.ThirdCardDue: _third_card_due,
    s.BankerToChoose: _banker_to_choose,
    s.BankerCardDue: _banker_card_due,
    s.PointeurToOpen: _pointeur_to_open,
    s.FauxOffered: _faux_offered,
    s.ClaimDisputed: _claim_disputed,
    MisdealDue: _misdeal_due,
    s.Settled: settled,
}

"""What the table waits for, in words: one sentence, why, and the rule behind it.

Nothing here depends on a closed card (R-17).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from table_controller.engine.chemin_de_fer.deal import bound, duty_of
from table_controller.engine.chemin_de_fer.events import Side
from table_controller.engine.chemin_de_fer.inputs import Play, Word
from table_controller.engine.chemin_de_fer.mistakes import mendable
from table_controller.engine.chemin_de_fer.settle import in_box
from table_controller.engine.chemin_de_fer.state import (
    PREPARING,
    Auction,
    BankDue,
    BankerCardDue,
    BankerToChoose,
    BankerToOpen,
    BankStakeDue,
    Deal,
    Dealing,
    FauxOffered,
    MisdealDue,
    NoSchlitten,
    Over,
    PlayersDue,
    PointeurToOpen,
    PointeurToSpeak,
    Settled,
    Sharing,
    StakesDue,
    Staking,
    Stray,
    Table,
    TakeOver,
    ThirdCardDue,
    Unread,
    WhiteDisputed,
    next_seat,
    value,
)
from table_controller.engine.messages import Phrase, phrase
from table_controller.engine.views import Prompt
from table_controller.rules.tableau import Duty

SILENT = Phrase("")


def awaited(table: Table) -> Prompt:
    """The one sentence of now, with its reason and who is to act."""
    news, ask, why, rule, seats = _ASK[type(table.phase)](table, table.phase)
    return Prompt(id=table.prompt, news=news, ask=ask, why=why, rule=rule, seats=seats)


Asked = tuple[Phrase, Phrase, Phrase, str, tuple[int, ...]]


#: The steps of ZP-4, as the croupier hears them.
_PREPARE = {
    "face_up": phrase("Mix the six packs, face up"),
    "face_down": phrase("Now face down: mach Salat"),
    "carte_passe": phrase('"Carte passe": the players mix once more'),
    "mixed_again": phrase("Mix again, then hand the cards to the cutter"),
    "cut": phrase("The cutter parts them with the white card"),
    "white_card": phrase("Lift off, count seven from the bottom, put in the white card"),
}


def _no_schlitten(_table: Table, phase: NoSchlitten) -> Asked:
    ask = (
        _PREPARE[PREPARING[phase.done]]
        if phase.done < len(PREPARING)
        else phrase("Load the Schlitten")
    )
    why = phrase("Six packs mixed, cut, the white card seven from the end.")
    return SILENT, ask, why, "ZP-4", ()


def _players_due(_table: Table, _phase: PlayersDue) -> Asked:
    return (
        SILENT,
        phrase("Players, please"),
        phrase("Two are needed: one for the bank, one against it."),
        "ZP-3",
        (),
    )


def _bank_due(table: Table, _phase: BankDue) -> Asked:
    last = table.last[-1] if table.last else None
    news = SILENT
    if last and last.winner is Side.POINTEUR and next_seat(table, last.banker_seat) == table.place:
        news = phrase("Seat {seat} lost its bank.", seat=last.banker_seat)
    return (
        news,
        phrase("Seat {seat}: how much in the bank?", seat=table.place),
        phrase(
            "The Schlitten stands here. The least is {least} {unit}.",
            least=table.house.least_pot,
            unit=table.house.unit,
        ),
        "ZP-5",
        (table.place,),
    )


def _stakes_due(table: Table, _phase: StakesDue) -> Asked:
    bank, unit = table.bank, table.house.unit
    pot = bank.pot if bank else 0
    if in_box(table) < table.house.white_at:
        return _over(table, Over())
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
        else phrase("Solo, with a partner or with the table; nobody, and all may stake."),
        "N-3" if highest else "ZP-15",
        (),
    )


def _staking(table: Table, _phase: Staking) -> Asked:
    coup, bank = table.coup, table.bank
    pot, staked = bank.pot if bank else 0, coup.staked if coup else 0
    holder = coup.pointeur if coup else 0
    news = phrase("{staked} lie against {pot}.", staked=staked, pot=pot)
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


def _sharing(_table: Table, phase: Sharing) -> Asked:
    return (
        phrase("The table has not staked the rest of the pot."),
        phrase("Seat {seat}: a part of {missing}?", seat=phase.seats[0], missing=phase.missing),
        phrase("Offered round the table from the prime on; what nobody takes is not played for."),
        "R-21",
        (phase.seats[0],),
    )


def _bank_stake_due(table: Table, phase: BankStakeDue) -> Asked:
    seat = table.bank.seat if table.bank else 0
    return (
        phrase("The stakes are closed."),
        phrase("Seat {seat}: the bank's stake, please", seat=seat),
        phrase("{least} at least; only then may he deal.", least=phase.least),
        "Z-5",
        (seat,),
    )


def _auction(table: Table, phase: Auction) -> Asked:
    best = max((bid.chips for bid in phase.bids), default=0)
    return (
        phrase("Seat {seat}: Suite.", seat=phase.seller),
        phrase("The bank is for sale: who offers more?"),
        phrase(
            "The highest pot holds the bank; so far {best} {unit}.",
            best=best,
            unit=table.house.unit,
        ),
        "ZP-18",
        (),
    )


def _take_over(table: Table, phase: TakeOver) -> Asked:
    return (
        phrase("Seat {seat} gives up the bank.", seat=phase.giver),
        phrase("Who takes the bank over at {pot} {unit}?", pot=phase.pot, unit=table.house.unit),
        phrase("At its height, and it may not be halved."),
        "N-7",
        (),
    )


def _faux_offered(table: Table, _phase: FauxOffered) -> Asked:
    seat = table.bank.seat if table.bank else 0
    return (
        phrase("Faux tirage: the pointeur's third card is given back."),
        phrase("Seat {seat}: this card, or stay?", seat=seat),
        phrase("The other side may have it as its third card; else it is burned."),
        "Z-21",
        (seat,),
    )


def _misdeal_due(table: Table, phase: MisdealDue) -> Asked:
    if mendable(table, phase):
        why = phrase("Without protest the croupier puts it right; else the banker loses.")
    else:
        why = phrase("It is too late to put it right: the banker loses the coup.")
    rule = "Z-12" if table.house.retablir == "always" else "N-4"
    return phrase("A misdeal."), phrase("Put it right, or is the coup lost?"), why, rule, ()


def _dealing(table: Table, phase: Dealing) -> Asked:
    count = len(phase.deal.pointeur) + len(phase.deal.banker) if phase.deal else 0
    seat = table.bank.seat if table.bank else 0
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


def _pointeur_to_speak(table: Table, phase: PointeurToSpeak) -> Asked:
    seat = table.coup.pointeur if table.coup else 0
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
        phrase("Four cards lie."),
        phrase("Seat {seat}: carte or reste?", seat=seat),
        phrase("Or he shows a Schlag: 8 or 9 with two cards."),
        "ZP-12",
        (seat,),
    )


def _said(table: Table, deal: Deal) -> Phrase:
    seat = table.coup.pointeur if table.coup else 0
    match deal.word:
        case Word.SCHLAG:
            return phrase("Seat {seat} shows {points}.", seat=seat, points=value(deal.pointeur))
        case Word.CARTE:
            return phrase('Seat {seat}: "carte".', seat=seat)
        case Word.RESTE:
            return phrase('Seat {seat}: "reste".', seat=seat)
        case _:
            return phrase("The pointeur's cards lie open, or were thrown.")


def _banker_to_open(table: Table, phase: BankerToOpen) -> Asked:
    seat = table.bank.seat if table.bank else 0
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


def _third_card_due(table: Table, phase: ThirdCardDue) -> Asked:
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


#: What the custom says to the banker, and the rule that says it.
ADVICE: dict[Duty, tuple[Phrase, str]] = {
    Duty.DRAW: (phrase("The custom draws."), "ZX-2"),
    Duty.STAND: (phrase("The custom stands."), "ZX-2"),
    Duty.CHOOSE: (phrase("The custom leaves this one to him."), "ZX-2"),
    Duty.NO_INFORMATION: (
        phrase("Für eine nicht gezogene Karte keine Auskunft."),
        "Z-20",
    ),
}


#: What it says to a banker who plays by it, or is bound by Z-8, Z-19 or R-34.
_BINDING = {
    Duty.DRAW: phrase("The custom draws, and it binds him."),
    Duty.STAND: phrase("The custom stands, and it binds him."),
}


def _banker_to_choose(table: Table, phase: BankerToChoose) -> Asked:
    seat = table.bank.seat if table.bank else 0
    point, given, duty = duty_of(table, phase.deal)
    sentence, rule = ADVICE[duty]
    if bound(table, phase.deal):
        sentence, rule = _BINDING[duty], "Z-21"
    coup = table.coup
    to = coup.pointeur if coup else 0
    news = (
        phrase("Seat {seat} opened {point}; seat {to} stays.", seat=seat, point=point, to=to)
        if given is None
        else phrase(
            "Seat {seat} opened {point}; seat {to} took {card}.",
            seat=seat,
            point=point,
            to=to,
            card=phase.deal.given.card.value if phase.deal.given else "",
        )
    )
    return news, phrase("Seat {seat}: card or stay?", seat=seat), sentence, rule, (seat,)


def _banker_card_due(table: Table, _phase: BankerCardDue) -> Asked:
    seat = table.bank.seat if table.bank else 0
    return (
        phrase("Seat {seat} draws.", seat=seat),
        phrase("Seat {seat}: the banker's card, open", seat=seat),
        phrase("A third card always lies face up."),
        "Z-9",
        (seat,),
    )


def _pointeur_to_open(table: Table, phase: PointeurToOpen) -> Asked:
    seat = table.coup.pointeur if table.coup else 0
    return (
        phrase("The bank has {points}.", points=value(phase.deal.banker)),
        phrase("Seat {seat} opens the pointeur's cards", seat=seat),
        phrase("Then it shows who has won."),
        "ZP-12",
        (seat,),
    )


def _settled(table: Table, phase: Settled) -> Asked:
    record, unit = phase.record, table.house.unit
    if record.forfeit:
        return (
            phrase("The bank has lost by rule {rule}.", rule=record.forfeit),
            phrase(
                "Seat {seat} wins {sum} {unit}: pay",
                seat=record.pointeur_seat,
                sum=record.staked,
                unit=unit,
            ),
            phrase("The cards do not count."),
            record.forfeit,
            (record.pointeur_seat,),
        )
    points = {"banker": record.banker or 0, "pointeur": record.pointeur or 0}
    if record.winner is None:
        return (
            phrase("En carte: {banker} to {pointeur}.", **points),
            phrase("A tie: the coup is played again"),
            phrase("The stakes stand, the same pointeur, a new deal; no cagnotte."),
            "R-4",
            (),
        )
    if record.winner is Side.BANK:
        return (
            phrase("Bank {banker}, pointeur {pointeur}.", **points),
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
            "ZP-20",
            (record.banker_seat,),
        )
    return (
        phrase("Pointeur {pointeur}, bank {banker}.", **points),
        phrase(
            "Seat {seat} wins {sum} {unit}: pay",
            seat=record.pointeur_seat,
            sum=record.staked,
            unit=unit,
        ),
        phrase("The bank has lost: the Schlitten passes on."),
        "ZP-19",
        (record.pointeur_seat,),
    )


def _over(table: Table, _phase: Over) -> Asked:
    return (
        phrase("No further coup from this Schlitten."),
        phrase("Close and count the Schlitten"),
        phrase("A coup needs {least} cards in the box.", least=table.house.white_at),
        "R-6",
        (),
    )


def _unread(_table: Table, phase: Unread) -> Asked:
    second = phase.named is not None
    return (
        phrase("A card left and could not be read for certain."),
        phrase("A second person enters the card, unseen")
        if second
        else phrase("Show the card to the lip again"),
        phrase("The two entries are compared and never shown.")
        if second
        else phrase("Or two people each enter it, without seeing the other's entry."),
        "R-13",
        (),
    )


def _stray(_table: Table, _phase: Stray) -> Asked:
    return (
        phrase("A card left the Schlitten and none was due."),
        phrase("Is the card still closed?"),
        phrase("Closed, it is the next deal's first card; uncovered, it is burned."),
        "Z-13",
        (),
    )


def _white_disputed(table: Table, phase: WhiteDisputed) -> Asked:
    return (
        phrase("The white card came out."),
        phrase("Last coup, play on, or annul?"),
        phrase(
            "By the count {left} cards are left; the white card lies before {want}.",
            left=phase.left,
            want=table.house.white_at,
        ),
        "R-6",
        (),
    )


_ASK: dict[type, Callable[[Table, Any], Asked]] = {
    NoSchlitten: _no_schlitten,
    PlayersDue: _players_due,
    BankDue: _bank_due,
    StakesDue: _stakes_due,
    Staking: _staking,
    Sharing: _sharing,
    BankStakeDue: _bank_stake_due,
    Auction: _auction,
    TakeOver: _take_over,
    Dealing: _dealing,
    PointeurToSpeak: _pointeur_to_speak,
    BankerToOpen: _banker_to_open,
    ThirdCardDue: _third_card_due,
    BankerToChoose: _banker_to_choose,
    BankerCardDue: _banker_card_due,
    PointeurToOpen: _pointeur_to_open,
    FauxOffered: _faux_offered,
    MisdealDue: _misdeal_due,
    Settled: _settled,
    Over: _over,
    Unread: _unread,
    Stray: _stray,
    WhiteDisputed: _white_disputed,
}

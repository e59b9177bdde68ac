"""The inputs that the table would take now: the buttons of the page, the whims of a player."""

from __future__ import annotations

from msgspec import to_builtins

from table_controller.engine.chemin_de_fer.messages import (
    Annulled,
    Banco,
    Banks,
    Opened,
    Paid,
    Passes,
    SchlittenClosed,
    SchlittenLoaded,
    Spoke,
    StrayRuled,
    StrayRuling,
    UnreadRuled,
    WhiteRuled,
    WhiteRuling,
    Word,
)
from table_controller.engine.chemin_de_fer.settle import ended, in_box
from table_controller.engine.chemin_de_fer.state import (
    BankDue,
    BankerToChoose,
    BankerToOpen,
    NoSchlitten,
    Over,
    PlayersDue,
    PointeurToOpen,
    PointeurToSpeak,
    Settled,
    StakesDue,
    Stray,
    Table,
    Unread,
    WhiteDisputed,
    deal_of,
    occupied_from,
)
from table_controller.engine.messages import Input, Phrase, phrase
from table_controller.engine.views import Offer
from table_controller.rules.money import Chips


def _offer(
    said: Input,
    label: Phrase,
    group: str = "main",
    *,
    hold: bool = False,
    sums: tuple[int, int, int] | None = None,
) -> Offer:
    fields = to_builtins(said)
    del fields["actor"], fields["prompt"]
    return Offer(input=fields, label=label, group=group, hold=hold, sums=sums)


def offers(table: Table) -> tuple[Offer, ...]:
    """Everything a person may say now, the likely first."""
    offered = _main(table)
    if isinstance(table.phase, PlayersDue | BankDue | StakesDue):
        closing = _offer(SchlittenClosed(), phrase("close the Schlitten"), "supervisor", hold=True)
        offered = (*offered, closing)
    phase = table.phase
    if isinstance(phase, Unread):
        phase = phase.resume
    if table.coup and deal_of(phase) and not isinstance(phase, Settled | Stray | WhiteDisputed):
        voided = Annulled(reason="supervisor")
        offered = (*offered, _offer(voided, phrase("annul the coup"), "supervisor", hold=True))
    return offered


def _main(table: Table) -> tuple[Offer, ...]:
    bank, coup = table.bank, table.coup
    match table.phase:
        case NoSchlitten():
            loaded = SchlittenLoaded(shoe=f"schlitten-{table.number + 1}")
            return (_offer(loaded, phrase("Schlitten loaded"), hold=True),)
        case BankDue():
            return _bank_offers(table)
        case StakesDue() if bank:
            solo = tuple(
                _offer(Banco(seat=seat), phrase("seat {seat}: Banco solo", seat=seat))
                for seat in occupied_from(table, bank.seat)
                if seat != bank.seat
                and _has(table, seat, bank.pot)
                and in_box(table) >= table.house.white_at
            )
            passing = _offer(Passes(seat=bank.seat), phrase("the banker passes"), "more")
            return (*solo, passing)
        case PointeurToSpeak(deal=deal) if coup:
            words = (
                _offer(Spoke(seat=coup.pointeur, word=Word.CARTE), phrase("carte")),
                _offer(Spoke(seat=coup.pointeur, word=Word.RESTE), phrase("reste")),
            )
            if deal.pointeur_open:
                return words
            schlag = Spoke(seat=coup.pointeur, word=Word.SCHLAG)
            return (*words, _offer(schlag, phrase("opens: Schlag"), hold=True))
        case BankerToOpen() if bank:
            return (_offer(Opened(seat=bank.seat), phrase("bank opened"), hold=True),)
        case BankerToChoose() if bank:
            return (
                _offer(Spoke(seat=bank.seat, word=Word.DRAWS), phrase("takes a card")),
                _offer(Spoke(seat=bank.seat, word=Word.STANDS), phrase("stays")),
            )
        case PointeurToOpen() if coup:
            return (_offer(Opened(seat=coup.pointeur), phrase("pointeur opened"), hold=True),)
        case Settled(record=record):
            again = record.winner is None and not ended(table)
            return (_offer(Paid(), phrase("deal again") if again else phrase("all paid")),)
        case Over():
            return (_offer(SchlittenClosed(), phrase("closed and counted"), hold=True),)
        case _:
            return _repairs(table)


def _bank_offers(table: Table) -> tuple[Offer, ...]:
    house, seat = table.house, table.place
    who = table.seats[seat - 1]
    balance = who.balance if who else 0
    passing = _offer(Passes(seat=seat), phrase("seat {seat} passes", seat=seat))
    if balance < house.least_pot:
        return (passing,)
    most = min(balance, house.most_pot) if house.most_pot else balance
    least = Chips(house.least_pot)
    banked = _offer(
        Banks(seat=seat, chips=least),
        phrase("seat {seat} banks", seat=seat),
        sums=(least, most, least),
    )
    return banked, passing


def _has(table: Table, seat: int, chips: int) -> bool:
    who = table.seats[seat - 1]
    return who is not None and who.balance >= chips


def _repairs(table: Table) -> tuple[Offer, ...]:
    """What a person says when something stands still."""
    match table.phase:
        case Stray():
            return tuple(
                _offer(StrayRuled(ruling=ruling), label)
                for ruling, label in (
                    (StrayRuling.KEPT, phrase("closed: keep it")),
                    (StrayRuling.BURNED, phrase("uncovered: burn it")),
                    (StrayRuling.BACK, phrase("it went back")),
                )
            )
        case Unread():
            named = Offer(
                input={"type": "card_named", "card": ""},
                label=phrase("enter the card, unseen"),
                secret=True,
            )
            return named, _offer(UnreadRuled(), phrase("no card left"), "mistake")
        case WhiteDisputed(resume=resume):
            choices = [
                (WhiteRuling.LAST_COUP, phrase("last coup")),
                (WhiteRuling.PLAY_ON, phrase("play on")),
            ]
            if deal_of(resume) and not isinstance(resume, Settled):
                choices.append((WhiteRuling.ANNUL, phrase("annul the coup")))
            return tuple(_offer(WhiteRuled(ruling=ruling), label) for ruling, label in choices)
        case _:
            return ()  # a card or a player is due: nobody need press anything

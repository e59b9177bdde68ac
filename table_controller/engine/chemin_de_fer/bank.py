"""Seats, the Schlitten's place, the bank and who comes forward against it."""

from __future__ import annotations

from msgspec.structs import replace

from table_controller.engine.alerts import cleared
from table_controller.engine.chemin_de_fer.cards import WHITE_MISSED
from table_controller.engine.chemin_de_fer.messages import (
    BalanceChanged,
    Banco,
    BankPosted,
    Banks,
    BuysIn,
    Leaves,
    Passes,
    Play,
    PlayerLeft,
    PlayerSat,
    PointeurNamed,
    SchlittenClosed,
    SchlittenCounted,
    SchlittenLoaded,
    SchlittenPassed,
    SchlittenReady,
    Sits,
)
from table_controller.engine.chemin_de_fer.settle import in_box, onward
from table_controller.engine.chemin_de_fer.state import (
    Bank,
    BankDue,
    Coup,
    Dealing,
    NoSchlitten,
    Phase,
    Player,
    PlayersDue,
    StakesDue,
    Step,
    Table,
    at,
    next_seat,
    occupied_from,
    pay,
    player,
)
from table_controller.engine.chemin_de_fer.telling import opened
from table_controller.engine.messages import AgainstRules, Event, OutOfTurn, phrase
from table_controller.engine.shoe import Shoe, remaining
from table_controller.rules.money import NONE, Chips

# Seats


def sits(table: Table, phase: Phase, said: Sits) -> Step:
    """A player takes a free seat, at any time."""
    if not 1 <= said.seat <= len(table.seats):
        raise AgainstRules(
            phrase("There is no seat {seat}.", seat=said.seat),
            phrase("Seats 1 to {most} can be taken.", most=len(table.seats)),
            "ZP-3",
        )
    if player(table, said.seat):
        raise AgainstRules(
            phrase("Seat {seat} is taken.", seat=said.seat),
            phrase("Choose a free seat."),
            "N-1",
        )
    _positive(said.chips, least=0)
    who = Player(said.name, said.chips)
    seats = (*table.seats[: said.seat - 1], who, *table.seats[said.seat :])
    table = _seated(replace(table, seats=seats), phase)
    return table, (
        PlayerSat(seat=said.seat),
        BalanceChanged(seat=said.seat, name=said.name, chips=said.chips, balance=said.chips),
    )


def buys_in(table: Table, _phase: Phase, said: BuysIn) -> Step:
    """A seated player brings more money; called stakes are not accepted (Z-3)."""
    who = _seated_player(table, said.seat)
    _positive(said.chips, least=1)
    seats = pay(table, said.seat, said.chips)
    balance = Chips(who.balance + said.chips)
    told = BalanceChanged(seat=said.seat, name=who.name, chips=said.chips, balance=balance)
    return replace(table, seats=seats), (told,)


def leaves(table: Table, phase: Phase, said: Leaves) -> Step:
    """A player goes, with his chips. Who holds the bank or the cards stays for the coup."""
    who = _seated_player(table, said.seat)
    if (table.bank and table.bank.seat == said.seat) or (
        table.coup and table.coup.pointeur == said.seat
    ):
        raise AgainstRules(
            phrase("Seat {seat} plays in this coup.", seat=said.seat),
            phrase("He can leave when it is settled and his bank, if he has one, is over."),
        )
    seats = (*table.seats[: said.seat - 1], None, *table.seats[said.seat :])
    table = _seated(replace(table, seats=seats), phase)
    return table, (
        PlayerLeft(seat=said.seat),
        BalanceChanged(seat=said.seat, name=who.name, chips=-who.balance, balance=NONE),
    )


def _seated(table: Table, phase: Phase) -> Table:
    """Who sits has changed: perhaps enough sit now, or the Schlitten stands at an empty seat."""
    if not isinstance(phase, PlayersDue | BankDue):
        return table
    after = onward(table)
    place = next(occupied_from(table, table.place), table.place)
    if type(after) is type(phase) and place == table.place:
        return table
    return at(table, after, place=place)


# The Schlitten


def schlitten_loaded(table: Table, _phase: NoSchlitten, said: SchlittenLoaded) -> Step:
    """A full Schlitten stands ready; the pot of a won bank goes over to it (ZP-4, Z-25, R-7)."""
    shoe = Shoe(said.shoe, table.house.packs)
    place = next(occupied_from(table, table.place), table.place)
    table = replace(
        table,
        shoe=shoe,
        number=table.number + 1,
        place=place,
        last_coup=0,
        first_coup=table.coups + 1,
        bank=_carried(table.bank),
    )
    ready = SchlittenReady(
        shoe=said.shoe, number=table.number, cards=shoe.cards, white_at=table.house.white_at
    )
    told: tuple[Event, ...] = (ready,)
    if table.bank and not table.coup:
        told = (ready, BankPosted(seat=table.bank.seat, pot=table.bank.pot))
    return at(table, onward(table)), told


def _carried(bank: Bank | None) -> Bank | None:
    """The first pot of a new Schlitten is what the bank won in the last deal; the rest waits."""
    if bank is None or not bank.won:
        return bank
    return replace(bank, pot=bank.won, aside=Chips(bank.aside + bank.pot - bank.won))


def schlitten_closed(table: Table, _phase: Phase, _said: SchlittenClosed) -> Step:
    """Emptied and counted: cards that stayed closed are revealed (R-35)."""
    shoe = table.shoe
    if shoe is None:
        raise OutOfTurn(
            phrase("No Schlitten is loaded."), phrase("Load one; there is nothing to close.")
        )
    revealed = opened(table, 0, (*table.hidden, *table.kept))
    counted = SchlittenCounted(
        shoe=shoe.id,
        coups=table.coups - table.first_coup + 1,
        remaining={card.value: count for card, count in remaining(shoe).items()},
    )
    alerts, told = cleared(table.alerts, WHITE_MISSED)
    table = at(table, NoSchlitten(), shoe=None, hidden=(), kept=(), alerts=alerts)
    return table, (*revealed, *told, counted)


# The bank


def banks(table: Table, _phase: BankDue, said: Banks) -> Step:
    """The player where the Schlitten stands puts up a pot (ZP-5)."""
    who = _seated_player(table, said.seat)
    if said.seat != table.place:
        raise OutOfTurn(
            phrase("The Schlitten does not stand at seat {seat}.", seat=said.seat),
            phrase("Seat {place} puts up the pot or lets it pass.", place=table.place),
            "ZP-19",
        )
    house = table.house
    if said.chips < house.least_pot:
        raise AgainstRules(
            phrase("A pot of {chips} {unit} is too small.", chips=said.chips, unit=house.unit),
            phrase("The least is {least} {unit}.", least=house.least_pot, unit=house.unit),
            "ZP-5",
        )
    if house.most_pot and said.chips > house.most_pot:
        raise AgainstRules(
            phrase("A pot of {chips} {unit} is too great.", chips=said.chips, unit=house.unit),
            phrase("The most is {most} {unit}.", most=house.most_pot, unit=house.unit),
            "R-12",
        )
    _covered(table, said.seat, who, said.chips)
    bank = Bank(said.seat, said.chips)
    seats = pay(table, said.seat, -said.chips)
    told = BankPosted(seat=said.seat, pot=said.chips)
    return at(table, StakesDue(), bank=bank, seats=seats), (told,)


def passes(table: Table, _phase: BankDue | StakesDue, said: Passes) -> Step:
    """The player lets the Schlitten pass, drawing in what he had put up (ZP-19, R-32)."""
    if said.seat != (table.bank.seat if table.bank else table.place):
        raise OutOfTurn(
            phrase("The Schlitten does not stand at seat {seat}.", seat=said.seat),
            phrase("Only who has it can let it pass."),
            "ZP-19",
        )
    seats = table.seats
    if table.bank:
        seats = pay(table, said.seat, table.bank.pot + table.bank.aside)
    to = next_seat(table, table.place)
    table = replace(table, seats=seats, bank=None, place=to)
    return at(table, onward(table)), (SchlittenPassed(seat=said.seat, to=to),)


def banco(table: Table, _phase: StakesDue, said: Banco) -> Step:
    """A pointeur comes forward for the whole pot (ZP-15 I); the money lies on the table (Z-1)."""
    who = _seated_player(table, said.seat)
    bank = table.bank
    if bank is None:
        raise ValueError("stakes are due and there is no bank")
    if said.seat == bank.seat:
        raise AgainstRules(
            phrase("Seat {seat} holds the bank.", seat=said.seat),
            phrase("Another player comes forward as pointeur."),
            "ZP-6",
        )
    if in_box(table) < table.house.white_at:
        raise AgainstRules(
            phrase("The Schlitten holds fewer than {least} cards.", least=table.house.white_at),
            phrase("Close it and load the next one; then the coup can be played."),
            "R-6",
        )
    _covered(table, said.seat, who, bank.pot)
    coup = Coup(said.seat, Play.BANCO_SOLO, bank.pot)
    seats = pay(table, said.seat, -bank.pot)
    told = PointeurNamed(seat=said.seat, play=Play.BANCO_SOLO, stake=bank.pot)
    return at(table, Dealing(), coup=coup, seats=seats), (told,)


# Guards


def _seated_player(table: Table, seat: int) -> Player:
    who = player(table, seat)
    if who is None:
        raise AgainstRules(
            phrase("Nobody sits at seat {seat}.", seat=seat),
            phrase("Name an occupied seat."),
        )
    return who


def _positive(chips: int, *, least: int) -> None:
    if chips < least:
        raise AgainstRules(
            phrase("{chips} is no sum to bring to the table.", chips=chips),
            phrase("Name {least} or more.", least=least),
            "R-16",
        )


def _covered(table: Table, seat: int, who: Player, chips: int) -> None:
    """Money plays: what is not on the table is not accepted (Z-1, Z-3)."""
    if chips > who.balance:
        raise AgainstRules(
            phrase(
                "Seat {seat} has {balance} {unit}, not {chips}.",
                seat=seat,
                balance=who.balance,
                chips=chips,
                unit=table.house.unit,
            ),
            phrase("Called stakes are not accepted: he buys in first."),
            "Z-3",
        )

"""People at the table: seats, standing players, their money, and who leads the table.

The game decides who may leave or change seats now, and what follows from a change of seats.
"""

from __future__ import annotations

from msgspec.structs import replace

from table_controller.engine import alerts
from table_controller.engine.messages import (
    AgainstRules,
    AlertAcknowledged,
    DeviceBack,
    DeviceLost,
    phrase,
)
from table_controller.engine.table.events import (
    BalanceChanged,
    PlayerLeft,
    PlayerSat,
    SeatChanged,
    StaffChanged,
)
from table_controller.engine.table.felt import Change, Felt, Player, pay, player, put
from table_controller.engine.table.inputs import (
    BuysIn,
    CashesOut,
    CroupierChanged,
    Leaves,
    Moves,
    Sits,
    Stands,
    Swaps,
    Tips,
)
from table_controller.engine.views import STANDING
from table_controller.rules.money import NONE, Chips

#: The most standing players that a table can tell apart.
MOST_STANDING = 40


def sits(felt: Felt, said: Sits) -> Change:
    """A player takes a free seat, which is allowed at any time (N-1)."""
    _free_seat(felt, said.seat)
    _positive(said.chips, least=0)
    felt = put(felt, said.seat, Player(said.name, said.chips))
    return felt, (PlayerSat(seat=said.seat), _balance(felt, said.seat, said.chips))


def stands(felt: Felt, said: Stands) -> Change:
    """The felt after a player without a seat came to the table (ZP-17)."""
    _positive(said.chips, least=1)
    free = [n for n, who in enumerate(felt.standing, 1) if who is None]
    place = STANDING + (free[0] if free else len(felt.standing) + 1)
    if place > STANDING + MOST_STANDING:
        raise AgainstRules(
            phrase("{most} players stand already.", most=MOST_STANDING),
            phrase("One of them leaves or takes a seat first."),
            "ZP-17",
        )
    felt = put(felt, place, Player(said.name, said.chips))
    return felt, (PlayerSat(seat=place), _balance(felt, place, said.chips))


def buys_in(felt: Felt, said: BuysIn) -> Change:
    """The felt after a player brought more chips.

    Stakes that are only called do not count (Z-3, N-6).
    """
    present(felt, said.seat)
    _positive(said.chips, least=1)
    felt = pay(felt, said.seat, said.chips)
    return felt, (_balance(felt, said.seat, said.chips),)


def cashes_out(felt: Felt, said: CashesOut) -> Change:
    """The felt after a player took chips away. His chips in play stay."""
    _positive(said.chips, least=1)
    money_lies(felt, said.seat, said.chips)
    felt = pay(felt, said.seat, -said.chips)
    return felt, (_balance(felt, said.seat, -said.chips),)


def tips(felt: Felt, said: Tips) -> Change:
    """The felt after a player tipped the croupiers.

    The tip stays part of the table's sums (R-16).
    """
    _positive(said.chips, least=1)
    money_lies(felt, said.seat, said.chips)
    felt = replace(pay(felt, said.seat, -said.chips), tips=Chips(felt.tips + said.chips))
    return felt, (_balance(felt, said.seat, -said.chips),)


def leaves(felt: Felt, said: Leaves) -> Change:
    """The felt after a player left with his chips."""
    who = present(felt, said.seat)
    gone = BalanceChanged(seat=said.seat, name=who.name, chips=-who.balance, balance=NONE)
    return put(felt, said.seat, None), (PlayerLeft(seat=said.seat), gone)


def moves(felt: Felt, said: Moves) -> Change:
    """The felt after a player moved to a free seat (N-1)."""
    who = present(felt, said.seat)
    _free_seat(felt, said.to)
    felt = put(put(felt, said.seat, None), said.to, who)
    return felt, (SeatChanged(seat=said.seat, to=said.to),)


def swaps(felt: Felt, said: Swaps) -> Change:
    """The felt after two players changed seats with each other (N-1)."""
    one, other = present(felt, said.seat), present(felt, said.other)
    if said.seat == said.other or max(said.seat, said.other) > STANDING:
        raise AgainstRules(
            phrase("Only two different seats can be swapped."),
            phrase("Name two seated players who agree."),
            "N-1",
        )
    felt = put(put(felt, said.seat, other), said.other, one)
    return felt, (SeatChanged(seat=said.seat, to=said.other, swap=True),)


def croupier_changed(felt: Felt, said: CroupierChanged) -> Change:
    """The felt with another croupier, who leads the table from now on."""
    return replace(felt, croupier=said.name), (StaffChanged(name=said.name),)


def device(felt: Felt, said: DeviceLost | DeviceBack) -> Change:
    """The felt after a device was lost or came back."""
    now, told = alerts.device(felt.alerts, said)
    return replace(felt, alerts=now), told


def acknowledged(felt: Felt, said: AlertAcknowledged) -> Change:
    """The felt after somebody saw an alert."""
    now, told = alerts.acknowledged(felt.alerts, said)
    return replace(felt, alerts=now), told


def present(felt: Felt, seat: int) -> Player:
    """The player at that place. Raises AgainstRules if nobody is there."""
    who = player(felt, seat)
    if who is None:
        raise AgainstRules(
            phrase("Nobody is at place {seat}.", seat=seat),
            phrase("Name an occupied seat, or a standing player's place from 101 on."),
        )
    return who


def money_lies(felt: Felt, seat: int, chips: int) -> None:
    """Raise AgainstRules if the player has fewer than `chips` in front of him.

    Only money on the table counts, and not a stake that is merely called. Source: Z-1, Z-3, N-6.
    """
    who = present(felt, seat)
    if chips > who.balance:
        raise AgainstRules(
            phrase(
                "Seat {seat} has {balance} {unit}, not {chips}.",
                seat=seat,
                balance=who.balance,
                chips=chips,
                unit=felt.house.unit,
            ),
            phrase("Called stakes are not accepted: he buys in first."),
            "Z-3",
        )


def in_play(seat: int) -> AgainstRules:
    """The refusal to let the player at `seat` go while his money is in play."""
    return AgainstRules(
        phrase("Seat {seat} has money in play.", seat=seat),
        phrase("He can leave or move when the coup is settled and his bank is over."),
    )


def coup_begun() -> AgainstRules:
    """The refusal of a change of seats during a coup (R-5)."""
    return AgainstRules(
        phrase("The coup has begun."),
        phrase("Seats are changed before its first card, or once it is settled."),
        "R-5",
    )


def _balance(felt: Felt, seat: int, chips: int) -> BalanceChanged:
    who = present(felt, seat)
    return BalanceChanged(seat=seat, name=who.name, chips=chips, balance=who.balance)


def _free_seat(felt: Felt, seat: int) -> None:
    if not 1 <= seat <= len(felt.seats):
        raise AgainstRules(
            phrase("There is no seat {seat}.", seat=seat),
            phrase("Seats 1 to {most} can be taken.", most=len(felt.seats)),
            "ZP-3",
        )
    if player(felt, seat):
        raise AgainstRules(
            phrase("Seat {seat} is taken.", seat=seat), phrase("Choose a free seat."), "N-1"
        )


def _positive(chips: int, *, least: int) -> None:
    if chips < least:
        raise AgainstRules(
            phrase("{chips} is no sum to bring to the table or to take from it.", chips=chips),
            phrase("Name {least} or more.", least=least),
            "R-16",
        )

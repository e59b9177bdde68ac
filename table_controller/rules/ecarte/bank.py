"""A bank at écarté: how a bank is auctioned, laid, raised, renewed and halved.

The module does not know the stakes against a bank, nor who shares in the bank.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from table_controller.rules.ecarte.house import House
from table_controller.rules.money import NONE, Chips


@dataclass(frozen=True, slots=True)
class Bid:
    """A bid for the right to give a chouette."""

    place: int
    chips: Chips


@dataclass(frozen=True, slots=True)
class Bank:
    """A bank on the table.

    Attributes:
        start: the sum first laid, even if this was double the bid (ER-25).
        holds: the sum in the bank now.
        renewed: how many times the bank was laid again after a loss.
        halved: how many times half of it was withdrawn.
        parties: how many parties were played against the bank; there must be at least one (E07-8).
    """

    start: Chips
    holds: Chips
    renewed: int = 0
    halved: int = 0
    parties: int = 0


def highest(bids: Sequence[Bid]) -> tuple[int, ...]:
    """The players with the highest bid. If there are several, the lot decides. Source: E07-8."""
    most = max((bid.chips for bid in bids), default=NONE)
    return tuple(bid.place for bid in bids if bid.chips == most)


def owed(house: House, bid: Bid, retired_winner: int | None) -> Chips:
    """The sum that the winner of the auction must lay as his bank.

    It is double his bid if he has just given up a chouette "as a winner", that is, after he won his
    last partie (ER-25). Source: E07-8.
    """
    doubles = house.winner_doubles and bid.place == retired_winner
    return Chips(2 * bid.chips if doubles else bid.chips)


def laid(chips: Chips) -> Bank:
    """A new bank of this sum. Source: E07-8, EDE-0."""
    return Bank(chips, chips)


def raised(bank: Bank, by: Chips) -> Bank:
    """The bank after its giver raised it, as he may do at any time. Source: E07-8."""
    if by <= 0:
        raise ValueError(f"a bank is raised by more than nothing, not {by}")
    return replace(bank, holds=Chips(bank.holds + by))


def may_renew(house: House, bank: Bank) -> bool:
    """Whether a lost bank may be laid again. At EDE it always may. Source: E07-8, EDE-0."""
    return bank.holds == 0 and (house.chouette == "bank" or bank.renewed < house.most_renewals)


def renewed(house: House, bank: Bank, chips: Chips) -> Bank:
    """The bank after it was laid again; its `start` does not change (ER-25). Source: E07-8.

    Raises ValueError if that is not allowed.
    """
    if not may_renew(house, bank) or chips < house.least_bank:
        raise ValueError(f"a bank of {bank.holds} that was renewed {bank.renewed} times stays")
    return replace(bank, holds=chips, renewed=bank.renewed + 1)


def half(bank: Bank) -> Chips:
    """The sum withdrawn when the bank is halved; an odd chip stays in the bank."""
    return Chips(bank.holds // 2)


def may_halve(house: House, bank: Bank) -> bool:
    """Whether half of the bank may be withdrawn: only once, and never below the first sum.

    Source: E07-8.
    """
    left = bank.holds - half(bank)
    return bank.halved < house.most_halvings and half(bank) > 0 and left >= bank.start


def halved(house: House, bank: Bank) -> Bank:
    """The bank after half of it was withdrawn. Raises ValueError if not allowed. Source: E07-8."""
    if not may_halve(house, bank):
        raise ValueError(f"a bank of {bank.holds} that began with {bank.start} is not halved")
    return replace(bank, holds=Chips(bank.holds - half(bank)), halved=bank.halved + 1)


def played(bank: Bank, change: int) -> Bank:
    """The bank after it won or lost `change` in a partie. Source: E07-8."""
    if bank.holds + change < 0:
        raise ValueError(f"a bank of {bank.holds} cannot lose {-change}")
    return replace(bank, holds=Chips(bank.holds + change), parties=bank.parties + 1)


def may_stop(bank: Bank) -> bool:
    """Whether the bank's giver may retire: he may after one partie. Source: E07-8."""
    return bank.parties > 0

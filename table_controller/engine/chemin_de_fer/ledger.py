"""The order of players, and where their money goes. The module does not use the cards."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from table_controller.engine.chemin_de_fer.facts import Bank, Coup, Stake
from table_controller.engine.chemin_de_fer.inputs import Play
from table_controller.engine.chemin_de_fer.state import Table, pay
from table_controller.engine.messages import AgainstRules, phrase
from table_controller.engine.table.felt import occupied_from, player
from table_controller.engine.views import STANDING
from table_controller.rules.money import Chips

_PLAYS = list(Play)


def round_table(table: Table) -> tuple[int, ...]:
    """The occupied seats in order, beginning with the prime, without the banker's (Z-26, R-10).

    The prime is the first occupied seat after the Schlitten's seat, even if the bank was sold
    (Z-14). If the bank was taken over, it is the first one after the giver's seat (N-7).
    """
    bank = table.bank
    banker = bank.seat if bank else table.place
    first = bank.giver if bank and bank.giver else table.place
    around = occupied_from(table.felt, first % len(table.felt.seats) + 1)
    if banker in around:
        around.remove(banker)
    return tuple(around)


def prime(table: Table) -> int:
    """The player on the banker's right, 0 if there is none. Source: ZP-13, R-10, R-28."""
    return next(iter(round_table(table)), 0)


def order(table: Table, coup: Coup) -> tuple[int, ...]:
    """The places in the order in which the pot covers their stakes.

    The pointeur comes first. Then come the others, from the prime round the table, with the latest
    seller at the end. The standing players follow, the smallest stake first. Source: R-22, Z-26,
    N-7, ZP-17, R-47.
    """
    latest = _latest_banker(table)
    behind = list(round_table(table))
    if latest in behind:
        behind.remove(latest)
        behind.append(latest)
    standing = [(stake.chips, stake.seat) for stake in coup.stakes if stake.seat > STANDING]
    behind += [seat for _, seat in sorted(standing)]
    if coup.pointeur in behind:
        behind.remove(coup.pointeur)
    return coup.pointeur, *behind


def _latest_banker(table: Table) -> int:
    """The player who sold the bank last, 0 if nobody did (Z-26, R-29)."""
    return table.bank.sellers[-1].seat if table.bank and table.bank.sellers else 0


def cover(table: Table) -> tuple[Stake, ...]:
    """The stakes at risk: the pot covers the stakes in their order until it is used up (R-23).

    Stakes kept from a tie come before all stakes laid or added after it (N-5, R-36).
    """
    bank, coup = table.bank, table.coup
    if bank is None or coup is None:
        return ()
    if len(coup.stakes) == 1 and coup.stakes[0].chips <= bank.pot:
        return coup.stakes
    lies, tied = _by_seat(coup.stakes), _by_seat(coup.tied)
    seats = [seat for seat in order(table, coup) if seat in lies]
    turns = [(seat, tied.get(seat, 0)) for seat in seats]
    turns += [(seat, lies[seat] - tied.get(seat, 0)) for seat in seats]
    left, parts = int(bank.pot), dict.fromkeys(seats, 0)
    for seat, chips in turns:
        part = min(chips, left)
        parts[seat] += part
        left -= part
    return tuple(Stake(seat, Chips(chips)) for seat, chips in parts.items() if chips)


def _by_seat(stakes: Sequence[Stake]) -> dict[int, int]:
    return {stake.seat: stake.chips for stake in stakes}


def paying(table: Table, stakes: tuple[Stake, ...]) -> tuple[Stake, ...]:
    """These stakes of the coup in the order in which they are collected and paid.

    The highest stake at the table is first. The other seated players follow, from the prime round
    the table. The standing players come next, the smallest stake first. The latest banker is last
    (Z-26, R-47). After a tie, the stakes kept from the tie come before all others (R-36).
    """
    coup = table.coup
    if coup is None or len(stakes) < 2:
        return stakes
    lies, tied = _by_seat(coup.stakes), _by_seat(coup.tied)
    first, latest, around = coup.pointeur, _latest_banker(table), round_table(table)
    if lies.get(first, 0) < max(lies.values()):
        first = highest(table, coup.stakes)

    def turn(stake: Stake) -> tuple[int, ...]:
        seat = stake.seat
        stands = seat > STANDING
        place = lies[seat] if stands else around.index(seat)
        return seat == latest, not tied.get(seat), seat != first, stands, place, seat

    return tuple(sorted(stakes, key=turn))


def covered(table: Table) -> Chips:
    """The sum of the stakes at risk, which the pot covers."""
    return Chips(sum(stake.chips for stake in cover(table)))


def rank(table: Table, seat: int, play: Play) -> tuple[int, int, int]:
    """The rank of a player who wants to be pointeur. The lower the number, the better his right.

    The player with the suivi is first, then the prime. All others follow by the number of their
    game (I to III), then from the prime on. A seated player comes before a standing player (R-22).
    Source: ZP-13, R-9, Z-14.
    """
    around = round_table(table)
    distance = around.index(seat) if seat in around else len(around) + seat
    if seat == table.suivi:
        return 0, 0, distance
    if seat == prime(table):
        return 1, 0, distance
    return 2, _PLAYS.index(play), distance


def highest(table: Table, stakes: Sequence[Stake]) -> int:
    """The place that plays the cards if all may stake: the place with the highest stake (ZP-16).

    If several stakes are the highest, R-22 decides.
    """
    most = max(stake.chips for stake in stakes)
    best = [stake.seat for stake in stakes if stake.chips == most]
    if len(best) == 1:
        return best[0]
    return min(best, key=lambda seat: (seat > STANDING, rank(table, seat, Play.OPEN)))


def lay(coup: Coup, seat: int, chips: Chips) -> Coup:
    """The coup with a stake of `chips` at `seat`; 0 removes the stake.

    If a player takes back a part of his stake from a tie, this part no longer counts as kept from
    the tie (R-36).
    """
    others = tuple(stake for stake in coup.stakes if stake.seat != seat)
    tied = tuple(
        replace(stake, chips=min(stake.chips, chips)) if stake.seat == seat else stake
        for stake in coup.tied
    )
    return replace(coup, stakes=(*others, Stake(seat, chips)) if chips else others, tied=tied)


def give_back(table: Table) -> Table:
    """The table after all stakes went back to their owners. Nobody is pointeur."""
    for stake in table.coup.stakes if table.coup else ():
        table = pay(table, stake.seat, stake.chips)
    return replace(table, coup=None)


def out_of_bank(table: Table, bank: Bank, chips: int) -> Table:
    """Pay `chips` out of the bank: to the partners by their parts, the rest to the banker (Z-4).

    The partners get whole chips. The banker gets the remainder, so that the sums add up (R-16).
    """
    parts = bank.own + sum(part for _, part in bank.partners)
    rest = chips
    for seat, part in bank.partners:
        share = chips * part // parts
        table, rest = pay(table, seat, share), rest - share
    return pay(table, bank.seat, rest)


def valued(bank: Bank) -> Bank:
    """The bank with each part at its present value, before somebody adds to the pot (Z-4)."""
    worth, parts = bank.pot + bank.aside, bank.own + sum(part for _, part in bank.partners)
    partners = tuple((seat, Chips(worth * part // parts)) for seat, part in bank.partners)
    own = Chips(worth - sum(part for _, part in partners))
    return replace(bank, own=own, partners=partners)


def end_bank(table: Table) -> Table:
    """The table after the end of the bank. Its chips go to the people who put it up."""
    bank = table.bank
    if bank is None:
        return table
    return replace(out_of_bank(table, bank, bank.pot + bank.aside), bank=None)


# The players who may play


def may_play(table: Table, seat: int) -> None:
    """Raise AgainstRules if the player at `seat` may not play against this bank.

    Source: ZP-6, Z-4, Z-22, R-29.
    """
    bank = table.bank
    if bank is None:
        return
    if seat == bank.seat or seat in dict(bank.partners):
        raise AgainstRules(
            phrase("Seat {seat} is in the bank.", seat=seat),
            phrase("Others play against it."),
            "ZP-6",
        )
    for seller in bank.sellers:
        if seat in (seller.seat, *seller.partners) and bank.pot < 2 * seller.bid:
            raise AgainstRules(
                phrase("Seat {seat} has sold this bank.", seat=seat),
                phrase(
                    "He may play again when the pot reaches {pot} {unit}.",
                    pot=2 * seller.bid,
                    unit=table.house.unit,
                ),
                "Z-22",
            )


def able(table: Table, seat: int, chips: int) -> bool:
    """Whether the player at `seat` may play against this bank, and has `chips` to stake."""
    who = player(table.felt, seat)
    if who is None or who.balance < chips:
        return False
    try:
        may_play(table, seat)
    except AgainstRules:
        return False
    return True

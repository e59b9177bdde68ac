"""The buttons for stakes: the four games, better rights to be pointeur, stakes, and their end."""

from __future__ import annotations

from table_controller.engine.chemin_de_fer import facts as f
from table_controller.engine.chemin_de_fer import inputs as i
from table_controller.engine.chemin_de_fer import ledger
from table_controller.engine.chemin_de_fer import phases as p
from table_controller.engine.chemin_de_fer import state as s
from table_controller.engine.chemin_de_fer.again import fitting
from table_controller.engine.chemin_de_fer.labels import closing_words
from table_controller.engine.chemin_de_fer.offers_bank import BIG, halving, own_bank
from table_controller.engine.chemin_de_fer.stakes import claimable, goes_before
from table_controller.engine.messages import Phrase, phrase
from table_controller.engine.table import inputs as ti
from table_controller.engine.table.felt import balance, places
from table_controller.engine.table.offers import (
    Offers,
    Range,
    amount,
    holding,
    offer,
    one_of,
)

_WITH_PARTNER = phrase("Banco with a partner"), phrase("better right: Banco with a partner")
_WITH_TABLE = phrase("Banco with the table"), phrase("better right: Banco with the table")


def called(table: s.Table, bank: f.Bank) -> Offers:
    """The offers once the pot is put up: to be pointeur, or to let all stake (ZP-15, ZP-16)."""
    if table.house.stakes == "games" and not bank.open:
        return (*claims(table, bank, BIG), *offer(i.OpenGame, phrase("all may stake")))
    opened = offer(i.OpenGame, phrase("all may stake"))
    return (*opened, *_again(table), *_stakes(table))


def claims(free: s.Table, bank: f.Bank, big: int = 0) -> Offers:
    """The offers to come forward as pointeur in game I, II or III; the first `big` are big buttons.

    `free` is the table as it would be if all stakes were returned (ZP-15).
    """
    everybody = list(places(free.felt))
    solo: Offers = ()
    for index, seat in enumerate(_solo(free, free, bank)):
        label = phrase("seat {seat}: Banco solo", seat=seat)
        solo += offer(i.Banco, label, group="main" if index < big else "more", seat=seat)
    return (
        *solo,
        *_with_partner(free, bank, everybody, _WITH_PARTNER[0]),
        *_with_table(free, bank, everybody, _WITH_TABLE[0]),
    )


def _solo(table: s.Table, free: s.Table, bank: f.Bank) -> list[int]:
    """The players who have chips for the whole pot, the best right first (R-9).

    `free` is the table as it would be if all stakes were returned.
    """
    able = [seat for seat in places(table.felt) if ledger.able(free, seat, bank.pot)]
    return sorted(able, key=lambda seat: ledger.rank(table, seat, i.Play.BANCO_SOLO))


def _with_partner(free: s.Table, bank: f.Bank, seats: list[int], label: Phrase) -> Offers:
    """The offer of game II, in which one of `seats` and a partner stake the whole pot (ZP-15)."""
    least = min(free.house.least_stake, bank.pot)
    has = {at: balance(free.felt, at) for at in places(free.felt) if ledger.able(free, at, least)}
    pairs = [
        (one, other)
        for one in seats
        for other in has
        if one in has and one != other and has[one] + has[other] >= bank.pot
    ]
    pointeurs: dict[int, Range] = {one: (None, has[one]) for one, _ in pairs}
    partners: dict[int, Range] = {other: (bank.pot - has[other], None) for _, other in pairs}
    return offer(
        i.BancoWithPartner,
        label,
        one_of(free.felt, pointeurs),
        one_of(free.felt, partners, "partner", phrase("partner")),
        amount(least, bank.pot - least, -(-bank.pot // 2)),
        group="more",
    )


def _with_table(free: s.Table, bank: f.Bank, seats: list[int], label: Phrase) -> Offers:
    """The offer of game III, in which one of `seats` stakes at least half of the pot.

    The other players stake the rest (ZP-15).
    """
    half = max(-(-bank.pot // 2), free.house.least_stake)
    able = (seat for seat in seats if ledger.able(free, seat, half))
    return offer(
        i.BancoWithTable,
        label,
        one_of(free.felt, holding(free.felt, able, half)),
        amount(half, bank.pot - 1),
        group="more",
    )


def better_rights(table: s.Table, bank: f.Bank) -> Offers:
    """The offers for players who may still take the pointeur's place (R-9, R-24, Z-7)."""
    coup, deal = table.coup, s.deal_of(table.phase)
    if coup is None or not claimable(coup, deal):
        return ()
    held = ledger.rank(table, coup.pointeur, coup.play)

    def better(play: i.Play) -> list[int]:
        return [seat for seat in places(table.felt) if ledger.rank(table, seat, play) < held]

    offered: Offers = ()
    if deal:  # the deal has begun: the stakes stay as they are
        stake = coup.stake_of(coup.pointeur)
        for seat in better(coup.play):
            if ledger.able(table, seat, stake):
                label = phrase("better right: seat {seat}", seat=seat)
                offered += offer(i.Banco, label, group="more", seat=seat)
        return offered
    free = ledger.give_back(table)
    solo = better(i.Play.BANCO_SOLO)
    for seat in _solo(table, free, bank):
        if seat in solo:
            label = phrase("better right: seat {seat}, Banco solo", seat=seat)
            offered += offer(i.Banco, label, group="more", seat=seat)
    return (
        *offered,
        *_with_partner(free, bank, better(i.Play.BANCO_PARTNER), _WITH_PARTNER[1]),
        *_with_table(free, bank, better(i.Play.BANCO_TABLE), _WITH_TABLE[1]),
    )


def staking(table: s.Table, bank: f.Bank) -> Offers:
    """The offers while all may stake, until the stakes are closed."""
    coup, house = table.coup, table.house
    staked = coup is not None and bool(coup.stakes)
    closes: Offers = ()
    if not (coup and coup.closed):
        closes = offer(ti.Closes, closing_words(house, staked=staked))
    passing: Offers = ()
    if not staked or (house.sale == "take_over" and bank.pot):
        passing = offer(i.Passes, phrase("the banker passes"), group="more", seat=bank.seat)
    own = own_bank(table, bank) if coup and coup.tie else halving(table, bank)
    banco = claims(ledger.give_back(table), bank) if coup and goes_before(table, coup) else ()
    lying = (*_stakes(table), *_withdrawals(table))
    return (*closes, *_again(table), *banco, *lying, *own, *passing)


def _again(table: s.Table) -> Offers:
    """The offer to lay all allowed stakes of the previous coup again with one tap."""
    if not fitting(table):
        return ()
    return offer(i.StakesAgain, phrase("the same stakes again"))


def _stakes(table: s.Table) -> Offers:
    """The offer to stake, for everybody who may stake.

    It suggests the player's previous stake, or else the least stake.
    """
    coup, least = table.coup, table.house.least_stake
    last = {stake.seat: stake.chips for stake in table.previous}
    dealt = s.deal_of(table.phase) is not None
    offered: Offers = ()
    for seat in _stakers(table):
        lies = coup.stake_of(seat) if coup else 0
        begin = lies or last.get(seat, least)
        sum_ = amount(max(least, lies if dealt else 0), lies + balance(table.felt, seat), begin)
        label = phrase("seat {seat} stakes", seat=seat)
        offered += offer(i.Stakes, label, sum_, group="more", lies=lies, seat=seat)
    return offered


def _stakers(table: s.Table) -> list[int]:
    """The players who may stake.

    The pointeur of game III is not among them, because he has already named his stake (ZP-15).
    """
    coup = table.coup
    named = coup.pointeur if coup and coup.play is i.Play.BANCO_TABLE else 0
    return [seat for seat in places(table.felt) if seat != named and ledger.able(table, seat, 0)]


def _withdrawals(table: s.Table) -> Offers:
    """The offer to take back a stake before the deal (ZP-16, N-3)."""
    coup = table.coup
    if coup is None or coup.closed:
        return ()
    lying = [seat for seat in _stakers(table) if coup.stake_of(seat)]
    label = phrase("takes his stake back")
    who = one_of(table.felt, lying)
    return offer(i.Stakes, label, who, group="more", clears=True, chips=0)


def late(table: s.Table) -> Offers:
    """The offers about stakes after the deal, while the pointeur has not taken up his cards.

    They exist only at houses where the highest stake plays the cards (N-3).
    """
    coup, phase = table.coup, table.phase
    if coup is None or coup.taken_up or table.house.stakes != "highest":
        return ()
    offered: Offers = ()
    if isinstance(phase, p.PointeurToSpeak):
        taken = phrase("seat {seat} takes up its cards", seat=coup.pointeur)
        offered = offer(i.TakesUp, taken, group="more", seat=coup.pointeur)
    if coup.closed:
        return (*offered, *_with_consent(table, coup))
    closes = offer(ti.Closes, closing_words(table.house, staked=True), group="more")
    return (*offered, *closes, *_stakes(table))


def _with_consent(table: s.Table, coup: f.Coup) -> Offers:
    """The offer to stake after "rien ne va plus", with the banker's consent (N-3)."""
    has = {seat: coup.stake_of(seat) + balance(table.felt, seat) for seat in _stakers(table)}
    least = table.house.least_stake
    able: dict[int, Range] = {seat: (None, most) for seat, most in has.items() if most >= least}
    return offer(
        i.Stakes,
        phrase("a stake with the banker's consent"),
        one_of(table.felt, able),
        amount(least, max(has.values(), default=0)),
        group="more",
        consent=True,
    )


def sharing(table: s.Table, phase: p.Sharing) -> Offers:
    """The offers to the player who is asked about the part of the pot that nobody staked (R-21)."""
    seat = phase.seats[0]
    most = min(phase.missing, balance(table.felt, seat))
    takes, refuses = (
        phrase("seat {seat} takes", seat=seat),
        phrase("seat {seat} declines", seat=seat),
    )
    return (
        *offer(i.Stakes, takes, amount(1, most, most), seat=seat),
        *offer(i.Declines, refuses, seat=seat),
    )

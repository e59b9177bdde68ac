"""Simulated people at chemin de fer, and the inputs that they send next.

They are for simulations, the demo and tests. Unlike the service, these people look at their own
closed cards, as people do.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from table_controller.engine.chemin_de_fer import inputs as i
from table_controller.engine.chemin_de_fer import money
from table_controller.engine.chemin_de_fer import state as s
from table_controller.engine.chemin_de_fer.bank import first_pot
from table_controller.engine.chemin_de_fer.deal import bound, by_schlitten, duty_of, mendable
from table_controller.engine.chemin_de_fer.house_keeping import may_take_back
from table_controller.engine.chemin_de_fer.money import lacking
from table_controller.engine.chemin_de_fer.step import BETWEEN
from table_controller.engine.messages import DeviceBack, DeviceLost, Input
from table_controller.engine.players import CABLE_OUT, USUAL, Chance, Progress, Temper
from table_controller.engine.table import inputs as ti
from table_controller.engine.table.felt import (
    MisdealDue,
    Stray,
    Unread,
    WhiteDisputed,
    balance,
    occupied_from,
    places,
    player,
)
from table_controller.engine.table.schlitten import PREPARING, NoSchlitten, ended, load, short
from table_controller.engine.table.undo import ticks
from table_controller.rules.chemin_de_fer.tableau import Duty, pointeur_duty
from table_controller.rules.money import Chips

NAMES = ("Kowalska", "Amber", "Lindqvist", "Haas", "Berger", "Réti", "Oxenstierna", "Wolf", "Szabó")

#: Mistakes that people make on request, and the chance of each per input at which it is possible.
FAULTS: dict[str, float] = {
    "device": 0.01,
    "refused": 0.03,
    "misdeal": 0.01,
    "faux": 0.3,
    "exposed": 0.02,
    "thrown": 0.005,
    "take_back": 0.02,
}

#: The richest player brings this many least pots in chips.
WEALTH = 40

_PLAYING = s.PointeurToSpeak | s.BankerToOpen | s.ThirdCardDue | s.BankerToChoose | s.PointeurToOpen


class Players:
    """The simulated players and the croupier of one table."""

    def __init__(
        self, chance: Chance, *, faults: frozenset[str] = frozenset(), temper: Temper = USUAL
    ) -> None:
        self._luck, self._temper = chance, temper
        self._faults = faults | temper.mistakes
        self._afterwards: deque[Input] = deque()

    def arrive(self, table: s.Table) -> Iterator[Input]:
        """Yield the inputs with which everybody arrives, with money; two of them stand (ZP-17)."""
        for seat in range(1, len(table.felt.seats) + 1):
            name = NAMES[(seat - 1) % len(NAMES)]
            yield ti.Sits(seat=seat, name=name, chips=self._purse(table))
        for name in NAMES[:2]:
            yield ti.Stands(name=f"{name} jun.", chips=self._purse(table))

    def say(self, table: s.Table) -> Input | None:
        """The next input from one of the people, or None if the table waits for a card."""
        if self._afterwards:
            return self._afterwards.popleft()
        return self._interruption(table) or self._mistake(table) or self._play(table)

    def progress(self, table: s.Table) -> Progress:
        """How far the evening has come."""
        phase = s.foremost(table)
        unread = phase if isinstance(phase, Unread) else None
        return Progress(
            schlitten=table.felt.number,
            loaded=table.felt.shoe is not None,
            coups=table.felt.coups,
            settled=isinstance(phase, s.Settled),
            close=ti.SchlittenClosed() if isinstance(phase, BETWEEN) else None,
            again=unread is not None,
            named=unread is not None and unread.named is not None,
            idle=isinstance(phase, s.StakesDue | s.BankDue) and not ended(table.felt),
        )

    def _purse(self, table: s.Table) -> Chips:
        return Chips(self._luck.randrange(WEALTH // 2, WEALTH) * table.house.least_pot)

    def _perhaps(self, chance: float) -> bool:
        return self._luck.random() < chance

    def _play(self, table: s.Table) -> Input | None:
        if lacking(table) and not isinstance(s.foremost(table), Stray):
            replay = table.coup is not None and table.coup.tie
            return ti.SchlittenClosed() if replay else ti.Annulled(reason="Z-24")
        match s.foremost(table):
            case NoSchlitten(done=done):
                if done < len(PREPARING):
                    return ti.Prepared()
                return load(table.felt)
            case s.BankDue():
                return self._bank(table)
            case s.StakesDue() if table.bank:
                return self._between(table, table.bank)
            case s.Staking() | s.Sharing() | s.BankStakeDue() | s.Auction() | s.TakeOver():
                return self._stake(table)
            case s.Settled(payments=payments):
                open_lines = [line for line, one in enumerate(payments) if not one.done]
                if open_lines and self._perhaps(0.3):
                    return ti.Ticked(line=open_lines[0])
                return ti.Paid()
            case s.Over():
                return ti.SchlittenClosed()
            case Unread() | Stray() | WhiteDisputed() | MisdealDue() | s.ClaimDisputed():
                return self._repair(table)
            case _:
                return self._deal(table)

    # The bank

    def _bank(self, table: s.Table) -> Input:
        seat, least = table.place, table.house.least_pot
        who = player(table.felt, seat)
        if who is None or s.passes_due(table, seat) or self._perhaps(0.08 * self._temper.retreats):
            return i.Passes(seat=seat)
        if who.balance < least:
            return ti.BuysIn(seat=seat, chips=Chips(least * WEALTH // 2))
        if self._perhaps(0.08 * self._temper.talks):
            return self._small_talk(table)
        if self._perhaps(0.06 * self._temper.ventures):
            return i.OpensBank(seat=seat)
        most = max(1, min(who.balance // least, 8))
        return i.Banks(seat=seat, chips=Chips(least * self._temper.stakes(self._luck, 1, most)))

    def _small_talk(self, table: s.Table) -> Input:
        """An input from people between two banks: they declare, change seats or tip."""
        seats = occupied_from(table.felt, 1)
        one, other = self._luck.sample(seats, 2)
        who = player(table.felt, one)
        free = not by_schlitten(table, one)
        choices: list[Input] = [i.Declares(seat=one, by_schlitten=free)] * 4
        choices.append(ti.Swaps(seat=one, other=other))
        if who and who.balance:
            choices.append(ti.Tips(seat=one, chips=Chips(1)))
        return self._luck.choice(choices)

    def _between(self, table: s.Table, bank: s.Bank) -> Input:
        if short(table.felt):
            return ti.SchlittenClosed()
        own = self._with_his_bank(table, bank)
        if own:
            return own
        able = [seat for seat in places(table.felt) if money.able(table, seat, bank.pot)]
        some = [seat for seat in places(table.felt) if money.able(table, seat, bank.pot // 2 + 1)]
        if table.house.stakes != "games" or bank.open or self._perhaps(0.2 / self._temper.ventures):
            return i.OpenGame()
        if len(some) > 1 and bank.pot >= 10 and self._perhaps(0.3):
            one, other = self._luck.sample(some, 2)
            half = Chips(bank.pot // 2 + 1)
            if self._perhaps(0.5):
                return i.BancoWithTable(seat=one, chips=half)
            return i.BancoWithPartner(seat=one, chips=half, partner=other)
        return i.Banco(seat=self._luck.choice(able)) if able else i.OpenGame()

    def _with_his_bank(self, table: s.Table, bank: s.Bank) -> Input | None:
        """The banker's input before anybody plays against him; None most of the time."""
        house, seat = table.house, bank.seat
        if bank.won and self._perhaps(0.25 * self._temper.retreats):
            return i.Suite(seat=seat) if house.sale == "auction" else i.Passes(seat=seat)
        if bank.aside and not first_pot(table, bank):
            half = Chips(max(1, bank.aside // 2))
            return self._luck.choice((i.DrawsIn(seat=seat), i.Raises(seat=seat, chips=half)))
        if house.halving and not bank.halved and bank.pot > 2 and self._perhaps(0.05):
            return i.Halves(seat=seat)
        others = [one for one in places(table.felt) if money.able(table, one, 10)]
        fresh = not bank.won and not bank.open and bank.own >= house.least_pot
        asked = fresh and others and self._perhaps(0.04)
        if asked and money.valued(bank).own >= house.least_pot:  # less after a halved tie (N-5)
            return i.Joins(seat=self._luck.choice(others), chips=Chips(10))
        return None

    # The stakes

    def _stake(self, table: s.Table) -> Input:
        bank, coup = table.bank, table.coup
        match table.phase:
            case s.BankStakeDue(least=least) if bank:
                missing = least - balance(table.felt, bank.seat)
                if missing > 0:
                    return ti.BuysIn(seat=bank.seat, chips=Chips(missing))
                return i.Banks(seat=bank.seat, chips=least)
            case s.Sharing(seats=seats, missing=missing):
                most = min(missing, balance(table.felt, seats[0]))
                if most and self._perhaps(0.4 * self._temper.ventures):
                    chips = self._temper.stakes(self._luck, 1, most)
                    return i.Stakes(seat=seats[0], chips=Chips(chips))
                return i.Declines(seat=seats[0])
            case s.Auction(seller=seller, partners=partners, bids=bids):
                return self._bid(
                    table, (seller, *partners), max((b.chips for b in bids), default=0)
                )
            case s.TakeOver(giver=giver, pot=pot):
                able = [
                    seat
                    for seat in places(table.felt)
                    if seat != giver and money.able(table, seat, pot)
                    and not (coup and coup.stake_of(seat))
                ]  # fmt: skip
                if able and self._perhaps(0.7):
                    return i.TakesOver(seat=self._luck.choice(able))
                return i.Sold()
            case _ if bank and coup:
                return self._lay(table, bank, coup)
            case _:
                return ti.Closes()

    def _bid(self, table: s.Table, sellers: tuple[int, ...], best: int) -> Input:
        offer = max(best, table.house.least_pot) + self._luck.randrange(10)
        able = [
            seat
            for seat in places(table.felt)
            if seat not in sellers and balance(table.felt, seat) >= offer
        ]
        if able and self._perhaps(0.7):
            return i.Bids(seat=self._luck.choice(able), chips=Chips(offer))
        return i.Sold()

    def _lay(self, table: s.Table, bank: s.Bank, coup: s.Coup) -> Input:
        """The input of one more stake, or the croupier's "nichts geht mehr"."""
        least = table.house.least_stake
        free = [
            seat
            for seat in places(table.felt)
            if money.able(table, seat, least) and not coup.stake_of(seat)
        ]
        if coup.tie and self._perhaps(0.1):
            return i.Passes(seat=bank.seat)
        if coup.tie and not bank.halved and bank.pot > 1 and self._perhaps(0.3):
            return i.Halves(seat=bank.seat)
        if free and self._perhaps(0.75):
            seat = self._luck.choice(free)
            most = min(balance(table.felt, seat), max(least, bank.pot // 2, 30 * bank.open))
            return i.Stakes(seat=seat, chips=Chips(self._temper.stakes(self._luck, least, most)))
        if not coup.stakes and not free:  # everybody is out of money
            seat = self._luck.choice([one for one in places(table.felt) if one != bank.seat])
            return ti.BuysIn(seat=seat, chips=Chips(table.house.least_pot * WEALTH // 2))
        return ti.Closes()

    # The deal

    def _deal(self, table: s.Table) -> Input | None:
        bank, coup = table.bank, table.coup
        if bank is None or coup is None:
            return None
        match table.phase:
            case s.PointeurToSpeak(deal=deal):
                return self._answer(table, deal, coup.pointeur)
            case s.BankerToOpen():
                return i.Opened(seat=bank.seat)
            case s.BankerToChoose(deal=deal):
                if deal.given and not deal.bound and self._perhaps(0.05):
                    return i.AsksSchlitten(seat=bank.seat)
                word = i.Word.DRAWS if self._draws(table, deal) else i.Word.STANDS
                return i.Spoke(seat=bank.seat, word=word)
            case s.FauxOffered(deal=deal):
                word = i.Word.DRAWS if s.value(deal.banker) <= 5 else i.Word.STANDS
                return i.Spoke(seat=bank.seat, word=word)
            case s.PointeurToOpen():
                return i.Opened(seat=coup.pointeur)
            case _:
                return None

    def _answer(self, table: s.Table, deal: s.Deal, seat: int) -> Input:
        points = s.value(deal.pointeur)
        if points >= 8 and not deal.pointeur_open:
            return i.Spoke(seat=seat, word=i.Word.SCHLAG)
        duty = pointeur_duty(points)
        draws = duty is Duty.DRAW or (duty is Duty.CHOOSE and self._perhaps(0.5))
        if by_schlitten(table, seat) and duty is Duty.STAND and self._happens("faux"):
            draws = True
        return i.Spoke(seat=seat, word=i.Word.CARTE if draws else i.Word.RESTE)

    def _draws(self, table: s.Table, deal: s.Deal) -> bool:
        point, _, duty = duty_of(table, deal)
        if duty is Duty.NO_INFORMATION:
            return point <= 5
        if not bound(table, deal) and self._perhaps(0.1):
            return self._perhaps(0.5)
        return duty is Duty.DRAW or (duty is Duty.CHOOSE and self._perhaps(0.5))

    # Mistakes and repairs

    def _repair(self, table: s.Table) -> Input | None:
        match s.foremost(table):
            case Stray():
                return ti.StrayRuled(ruling=self._luck.choice(_STRAYS))
            case WhiteDisputed():
                return ti.WhiteRuled(ruling=ti.WhiteRuling.PLAY_ON)
            case MisdealDue():
                right = mendable(table) and self._perhaps(0.7)
                return i.PutRight() if right else i.BankLoses()
            case s.ClaimDisputed():
                return i.LetStand(reason="as the cards lie")
            case _:
                return None  # the card is shown to the lip again

    def _interruption(self, table: s.Table) -> Input | None:
        """Now and then an input out of turn, or a device that fails for a while; otherwise None."""
        if self._happens("device"):
            device = self._luck.choice(("board", "broker", "camera"))
            self._afterwards.append(DeviceBack(actor="watch", device=device))
            return DeviceLost(actor="watch", device=device, why=CABLE_OUT)
        if self._happens("refused"):
            seat = self._luck.randint(1, len(table.felt.seats))
            return self._luck.choice(
                (
                    i.Opened(seat=seat, prompt=max(0, table.prompt - 1)),
                    i.Banks(seat=seat, chips=Chips(1)),
                    ti.Sits(seat=seat, name="Nobody", chips=Chips(5)),
                    ti.Paid(prompt=table.prompt + 7),
                )
            )
        return None

    def _mistake(self, table: s.Table) -> Input | None:
        """Now and then a mistake: a misdeal, exposed or thrown cards, a wrong word; or None."""
        bank, coup, phase = table.bank, table.coup, s.foremost(table)
        # A ticked line is left as it is, so that a seed is the same evening as before.
        if may_take_back(table) and not ticks(table) and self._happens("take_back"):
            return ti.TakesBack()
        if bank is None or coup is None:
            return None
        dealing = phase.deal if isinstance(phase, s.Dealing) else None
        closed = (dealing and dealing.pointeur and not dealing.shown) or (
            isinstance(phase, s.PointeurToSpeak) and not phase.deal.pointeur_open
        )
        if closed and self._happens("exposed"):
            return i.Exposed(seat=coup.pointeur)
        playing = isinstance(phase, _PLAYING)
        if playing and self._happens("thrown"):
            return i.Throws(seat=self._luck.choice((bank.seat, coup.pointeur)))
        if (playing or dealing) and self._happens("misdeal"):
            return ti.Misdealt()
        given = phase.deal if isinstance(phase, s.BankerToChoose) and phase.deal.given else None
        misread = given and pointeur_duty(s.value(given.pointeur[:2])) is Duty.STAND
        if misread and by_schlitten(table, coup.pointeur) and self._happens("faux"):
            return i.AdmitsFaux(seat=coup.pointeur)
        return None

    def _happens(self, fault: str) -> bool:
        return fault in self._faults and self._luck.random() < FAULTS[fault]


_STRAYS = (ti.StrayRuling.KEPT, ti.StrayRuling.BURNED)

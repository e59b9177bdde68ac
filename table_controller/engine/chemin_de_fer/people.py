"""Simulated people at chemin de fer: what they would say next.

For simulations, the demo and tests. Unlike the service these people look into their own closed
cards, as people do.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from table_controller.engine.chemin_de_fer import ledger
from table_controller.engine.chemin_de_fer import messages as m
from table_controller.engine.chemin_de_fer import state as s
from table_controller.engine.chemin_de_fer.bank import first_pot
from table_controller.engine.chemin_de_fer.box import ended, short
from table_controller.engine.chemin_de_fer.deal import bound
from table_controller.engine.chemin_de_fer.hands import by_schlitten, duty_of
from table_controller.engine.chemin_de_fer.mistakes import mendable
from table_controller.engine.chemin_de_fer.repair import may_take_back
from table_controller.engine.chemin_de_fer.settle import lacking
from table_controller.engine.chemin_de_fer.step import BETWEEN
from table_controller.engine.messages import DeviceBack, DeviceLost, Input
from table_controller.engine.people import Chance, Progress
from table_controller.rules.money import Chips
from table_controller.rules.tableau import Duty, pointeur_duty

NAMES = ("Kowalska", "Amber", "Lindqvist", "Haas", "Berger", "Réti", "Oxenstierna", "Wolf", "Szabó")

#: What people do wrong on request, and how often per input that it could happen at.
FAULTS: dict[str, float] = {
    "device": 0.01,
    "refused": 0.03,
    "misdeal": 0.01,
    "faux": 0.3,
    "exposed": 0.02,
    "thrown": 0.005,
    "take_back": 0.02,
}

#: Chips that the richest player brings, in least pots.
WEALTH = 40

_PLAYING = s.PointeurToSpeak | s.BankerToOpen | s.ThirdCardDue | s.BankerToChoose | s.PointeurToOpen


class People:
    """Players and croupier of one table. Ask `say` for the next words; None: a card is due."""

    def __init__(self, chance: Chance, *, faults: frozenset[str] = frozenset()) -> None:
        self._luck = chance
        self._faults = faults
        self._afterwards: deque[Input] = deque()

    def arrive(self, table: s.Table) -> Iterator[Input]:
        """Everybody takes a seat, with money; two stand (ZP-17)."""
        for seat in range(1, len(table.seats) + 1):
            name = NAMES[(seat - 1) % len(NAMES)]
            yield m.Sits(seat=seat, name=name, chips=self._purse(table))
        for name in NAMES[:2]:
            yield m.Stands(name=f"{name} jun.", chips=self._purse(table))

    def say(self, table: s.Table) -> Input | None:
        """What somebody says next, or None where the next thing is a card."""
        if self._afterwards:
            return self._afterwards.popleft()
        return self._interruption(table) or self._mistake(table) or self._play(table)

    def progress(self, table: s.Table) -> Progress:
        """How far the evening is."""
        phase = table.phase
        unread = phase if isinstance(phase, s.Unread) else None
        return Progress(
            schlitten=table.number,
            loaded=table.shoe is not None,
            coups=table.coups,
            settled=isinstance(phase, s.Settled),
            close=m.SchlittenClosed() if isinstance(phase, BETWEEN) else None,
            again=unread is not None,
            named=unread is not None and unread.named is not None,
            idle=isinstance(phase, s.StakesDue | s.BankDue) and not ended(table),
        )

    def _purse(self, table: s.Table) -> Chips:
        return Chips(self._luck.randrange(WEALTH // 2, WEALTH) * table.house.least_pot)

    def _perhaps(self, chance: float) -> bool:
        return self._luck.random() < chance

    def _play(self, table: s.Table) -> Input | None:
        if lacking(table) and not isinstance(table.phase, s.Stray):
            replay = table.coup is not None and table.coup.tie
            return m.SchlittenClosed() if replay else m.Annulled(reason="Z-24")
        match table.phase:
            case s.NoSchlitten(done=done):
                if done < len(s.PREPARING):
                    return m.Prepared()
                return m.SchlittenLoaded(shoe=f"schlitten-{table.number + 1}")
            case s.BankDue():
                return self._bank(table)
            case s.StakesDue() if table.bank:
                return self._between(table, table.bank)
            case s.Staking() | s.Sharing() | s.BankStakeDue() | s.Auction() | s.TakeOver():
                return self._stake(table)
            case s.Settled(payments=payments):
                open_lines = [line for line, one in enumerate(payments) if not one.done]
                if open_lines and self._perhaps(0.3):
                    return m.Ticked(line=open_lines[0])
                return m.Paid()
            case s.Over():
                return m.SchlittenClosed()
            case s.Unread() | s.Stray() | s.WhiteDisputed() | s.MisdealDue() | s.ClaimDisputed():
                return self._repair(table)
            case _:
                return self._deal(table)

    # The bank

    def _bank(self, table: s.Table) -> Input:
        seat, least = table.place, table.house.least_pot
        who = s.player(table, seat)
        if who is None or who.must_pass or self._perhaps(0.08):
            return m.Passes(seat=seat)
        if who.balance < least:
            return m.BuysIn(seat=seat, chips=Chips(least * WEALTH // 2))
        if self._perhaps(0.08):
            return self._small_talk(table)
        if self._perhaps(0.06):
            return m.OpensBank(seat=seat)
        most = max(1, min(who.balance // least, 8))
        return m.Banks(seat=seat, chips=Chips(least * self._luck.randint(1, most)))

    def _small_talk(self, table: s.Table) -> Input:
        """What people do between banks: declare, change seats, tip."""
        seats = s.occupied_from(table, 1)
        one, other = self._luck.sample(seats, 2)
        who = s.player(table, one)
        by_schlitten = not (who and who.by_schlitten)
        choices: list[Input] = [m.Declares(seat=one, by_schlitten=by_schlitten)] * 4
        choices.append(m.Swaps(seat=one, other=other))
        if who and who.balance:
            choices.append(m.Tips(seat=one, chips=Chips(1)))
        return self._luck.choice(choices)

    def _between(self, table: s.Table, bank: s.Bank) -> Input:
        if short(table):
            return m.SchlittenClosed()
        own = self._with_his_bank(table, bank)
        if own:
            return own
        able = [seat for seat in s.places(table) if ledger.able(table, seat, bank.pot)]
        some = [seat for seat in s.places(table) if ledger.able(table, seat, bank.pot // 2 + 1)]
        if table.house.stakes != "games" or bank.open or self._perhaps(0.2):
            return m.OpenGame()
        if len(some) > 1 and bank.pot >= 10 and self._perhaps(0.3):
            one, other = self._luck.sample(some, 2)
            half = Chips(bank.pot // 2 + 1)
            if self._perhaps(0.5):
                return m.BancoWithTable(seat=one, chips=half)
            return m.BancoWithPartner(seat=one, chips=half, partner=other)
        return m.Banco(seat=self._luck.choice(able)) if able else m.OpenGame()

    def _with_his_bank(self, table: s.Table, bank: s.Bank) -> Input | None:
        """What the banker does before he is played against; mostly nothing."""
        house, seat = table.house, bank.seat
        if bank.won and self._perhaps(0.25):
            return m.Suite(seat=seat) if house.sale == "auction" else m.Passes(seat=seat)
        if bank.aside and not first_pot(table, bank):
            half = Chips(max(1, bank.aside // 2))
            return self._luck.choice((m.DrawsIn(seat=seat), m.Raises(seat=seat, chips=half)))
        if house.halving and not bank.halved and bank.pot > 2 and self._perhaps(0.05):
            return m.Halves(seat=seat)
        others = [one for one in s.places(table) if ledger.able(table, one, 10)]
        fresh = not bank.won and not bank.open and bank.own >= house.least_pot
        if fresh and others and self._perhaps(0.04):
            return m.Joins(seat=self._luck.choice(others), chips=Chips(10))
        return None

    # The stakes

    def _stake(self, table: s.Table) -> Input:
        bank, coup = table.bank, table.coup
        match table.phase:
            case s.BankStakeDue(least=least) if bank:
                missing = least - s.balance(table, bank.seat)
                if missing > 0:
                    return m.BuysIn(seat=bank.seat, chips=Chips(missing))
                return m.Banks(seat=bank.seat, chips=least)
            case s.Sharing(seats=seats, missing=missing):
                most = min(missing, s.balance(table, seats[0]))
                if most and self._perhaps(0.4):
                    return m.Stakes(seat=seats[0], chips=Chips(self._luck.randint(1, most)))
                return m.Declines(seat=seats[0])
            case s.Auction(seller=seller, partners=partners, bids=bids):
                return self._bid(
                    table, (seller, *partners), max((b.chips for b in bids), default=0)
                )
            case s.TakeOver(giver=giver, pot=pot):
                able = [
                    seat
                    for seat in s.places(table)
                    if seat != giver and ledger.able(table, seat, pot)
                    and not (coup and coup.stake_of(seat))
                ]  # fmt: skip
                if able and self._perhaps(0.7):
                    return m.TakesOver(seat=self._luck.choice(able))
                return m.Sold()
            case _ if bank and coup:
                return self._lay(table, bank, coup)
            case _:
                return m.Closes()

    def _bid(self, table: s.Table, sellers: tuple[int, ...], best: int) -> Input:
        offer = max(best, table.house.least_pot) + self._luck.randrange(10)
        able = [
            seat
            for seat in s.places(table)
            if seat not in sellers and s.balance(table, seat) >= offer
        ]
        if able and self._perhaps(0.7):
            return m.Bids(seat=self._luck.choice(able), chips=Chips(offer))
        return m.Sold()

    def _lay(self, table: s.Table, bank: s.Bank, coup: s.Coup) -> Input:
        """One more stake, or "nichts geht mehr"."""
        least = table.house.least_stake
        free = [
            seat
            for seat in s.places(table)
            if ledger.able(table, seat, least) and not coup.stake_of(seat)
        ]
        if coup.tie and self._perhaps(0.1):
            return m.Passes(seat=bank.seat)
        if coup.tie and not bank.halved and bank.pot > 1 and self._perhaps(0.3):
            return m.Halves(seat=bank.seat)
        if free and self._perhaps(0.75):
            seat = self._luck.choice(free)
            most = min(s.balance(table, seat), max(least, bank.pot // 2, 30 * bank.open))
            return m.Stakes(seat=seat, chips=Chips(self._luck.randint(least, most)))
        if not coup.stakes and not free:  # everybody is out of money
            seat = self._luck.choice([one for one in s.places(table) if one != bank.seat])
            return m.BuysIn(seat=seat, chips=Chips(table.house.least_pot * WEALTH // 2))
        return m.Closes()

    # The deal

    def _deal(self, table: s.Table) -> Input | None:
        bank, coup = table.bank, table.coup
        if bank is None or coup is None:
            return None
        match table.phase:
            case s.PointeurToSpeak(deal=deal):
                return self._answer(table, deal, coup.pointeur)
            case s.BankerToOpen():
                return m.Opened(seat=bank.seat)
            case s.BankerToChoose(deal=deal):
                if deal.given and not deal.bound and self._perhaps(0.05):
                    return m.AsksSchlitten(seat=bank.seat)
                word = m.Word.DRAWS if self._draws(table, deal) else m.Word.STANDS
                return m.Spoke(seat=bank.seat, word=word)
            case s.FauxOffered(deal=deal):
                word = m.Word.DRAWS if s.value(deal.banker) <= 5 else m.Word.STANDS
                return m.Spoke(seat=bank.seat, word=word)
            case s.PointeurToOpen():
                return m.Opened(seat=coup.pointeur)
            case _:
                return None

    def _answer(self, table: s.Table, deal: s.Deal, seat: int) -> Input:
        points = s.value(deal.pointeur)
        if points >= 8 and not deal.pointeur_open:
            return m.Spoke(seat=seat, word=m.Word.SCHLAG)
        duty = pointeur_duty(points)
        draws = duty is Duty.DRAW or (duty is Duty.CHOOSE and self._perhaps(0.5))
        if by_schlitten(table, seat) and duty is Duty.STAND and self._happens("faux"):
            draws = True
        return m.Spoke(seat=seat, word=m.Word.CARTE if draws else m.Word.RESTE)

    def _draws(self, table: s.Table, deal: s.Deal) -> bool:
        point, _, duty = duty_of(table, deal)
        if duty is Duty.NO_INFORMATION:
            return point <= 5
        if not bound(table, deal) and self._perhaps(0.1):
            return self._perhaps(0.5)
        return duty is Duty.DRAW or (duty is Duty.CHOOSE and self._perhaps(0.5))

    # Mistakes and repairs

    def _repair(self, table: s.Table) -> Input | None:
        match table.phase:
            case s.Stray():
                return m.StrayRuled(ruling=self._luck.choice(_STRAYS))
            case s.WhiteDisputed():
                return m.WhiteRuled(ruling=m.WhiteRuling.PLAY_ON)
            case s.MisdealDue() as misdeal:
                right = mendable(table, misdeal) and self._perhaps(0.7)
                return m.PutRight() if right else m.BankLoses()
            case s.ClaimDisputed():
                return m.LetStand(reason="as the cards lie")
            case _:
                return None  # the card is shown to the lip again

    def _interruption(self, table: s.Table) -> Input | None:
        """Now and then somebody says what is not due, or a device fails for a while."""
        if self._happens("device"):
            device = self._luck.choice(("board", "broker", "camera"))
            self._afterwards.append(DeviceBack(actor="watch", device=device))
            return DeviceLost(actor="watch", device=device, why="Its cable is out: plug it in.")
        if self._happens("refused"):
            seat = self._luck.randint(1, len(table.seats))
            return self._luck.choice(
                (
                    m.Opened(seat=seat, prompt=max(0, table.prompt - 1)),
                    m.Banks(seat=seat, chips=Chips(1)),
                    m.Sits(seat=seat, name="Nobody", chips=Chips(5)),
                    m.Paid(prompt=table.prompt + 7),
                )
            )
        return None

    def _mistake(self, table: s.Table) -> Input | None:
        """Now and then somebody deals wrongly, lays cards open, throws them, or misspoke."""
        bank, coup, phase = table.bank, table.coup, table.phase
        if may_take_back(table) and self._happens("take_back"):
            return m.TakesBack()
        if bank is None or coup is None:
            return None
        dealing = phase.deal if isinstance(phase, s.Dealing) else None
        closed = (dealing and dealing.pointeur and not dealing.shown) or (
            isinstance(phase, s.PointeurToSpeak) and not phase.deal.pointeur_open
        )
        if closed and self._happens("exposed"):
            return m.Exposed(seat=coup.pointeur)
        playing = isinstance(phase, _PLAYING)
        if playing and self._happens("thrown"):
            return m.Throws(seat=self._luck.choice((bank.seat, coup.pointeur)))
        if (playing or dealing) and self._happens("misdeal"):
            return m.Misdealt()
        given = phase.deal if isinstance(phase, s.BankerToChoose) and phase.deal.given else None
        misread = given and pointeur_duty(s.value(given.pointeur[:2])) is Duty.STAND
        if misread and by_schlitten(table, coup.pointeur) and self._happens("faux"):
            return m.AdmitsFaux(seat=coup.pointeur)
        return None

    def _happens(self, fault: str) -> bool:
        return fault in self._faults and self._luck.random() < FAULTS[fault]


_STRAYS = (m.StrayRuling.KEPT, m.StrayRuling.BURNED)

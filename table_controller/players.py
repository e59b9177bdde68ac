"""Seeded people for a table: what they would say next, and the Schlitten they are dealt from.

For simulations, the demo and tests. Chance comes from the seed alone. Unlike the service these
people look into their own closed cards, as people do.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterator

from table_controller.engine.chemin_de_fer import messages as m
from table_controller.engine.chemin_de_fer import state as s
from table_controller.engine.chemin_de_fer.deal import duty_of
from table_controller.engine.chemin_de_fer.settle import ended
from table_controller.engine.messages import CardNamed, CardSeen, DeviceBack, DeviceLost, Input
from table_controller.engine.seen import Unknown
from table_controller.rules.cards import PACK, Card
from table_controller.rules.money import Chips
from table_controller.rules.tableau import Duty, pointeur_duty

NAMES = ("Kowalska", "Amber", "Lindqvist", "Haas", "Berger", "Réti", "Oxenstierna", "Wolf", "Szabó")

#: What can go wrong on request, and how often per input.
FAULTS: dict[str, float] = {
    "unread": 0.01,
    "two_cards": 0.003,
    "stray": 0.01,
    "duplicate": 0.004,
    "device": 0.01,
    "refused": 0.03,
    "white_missed": 1.0,
}

#: Chips that the richest player brings, in least pots.
WEALTH = 40


class People:
    """Players and croupier of one table. Ask `say` for the next words; None: a card is due."""

    def __init__(self, seed: int, *, faults: frozenset[str] = frozenset()) -> None:
        self._luck = random.Random(f"people {seed}")
        self._faults = faults
        self._afterwards: deque[Input] = deque()

    def arrive(self, table: s.Table) -> Iterator[Input]:
        """Everybody takes a seat, with money."""
        for seat in range(1, len(table.seats) + 1):
            chips = self._luck.randrange(WEALTH // 2, WEALTH) * table.house.least_pot
            name = NAMES[(seat - 1) % len(NAMES)]
            yield m.Sits(seat=seat, name=name, chips=Chips(chips))

    def say(self, table: s.Table) -> Input | None:
        """What somebody says next, or None where the next thing is a card."""
        if self._afterwards:
            return self._afterwards.popleft()
        mistake = self._mistake(table)
        return mistake or self._play(table)

    def _play(self, table: s.Table) -> Input | None:
        bank, coup = table.bank, table.coup
        match table.phase:
            case s.NoSchlitten():
                return m.SchlittenLoaded(shoe=f"schlitten-{table.number + 1}")
            case s.BankDue():
                return self._bank(table)
            case s.StakesDue() if bank:
                return self._come_forward(table, bank)
            case s.PointeurToSpeak(deal=deal) if coup:
                return self._answer(deal, coup.pointeur)
            case s.BankerToOpen() if bank:
                return m.Opened(seat=bank.seat)
            case s.BankerToChoose(deal=deal) if bank:
                word = m.Word.DRAWS if self._draws(table, deal) else m.Word.STANDS
                return m.Spoke(seat=bank.seat, word=word)
            case s.PointeurToOpen() if coup:
                return m.Opened(seat=coup.pointeur)
            case s.Settled():
                return m.Paid()
            case s.Over():
                return m.SchlittenClosed()
            case s.Unread() | s.Stray() | s.WhiteDisputed():
                return self._repair(table.phase)
            case _:
                return None

    def _bank(self, table: s.Table) -> Input:
        seat, least = table.place, table.house.least_pot
        who = s.player(table, seat)
        balance = who.balance if who else 0
        if balance < least:
            return m.BuysIn(seat=seat, chips=Chips(least * WEALTH // 2))
        if self._luck.random() < 0.1:
            return m.Passes(seat=seat)
        most = max(1, min(balance // least, 8))
        return m.Banks(seat=seat, chips=Chips(least * self._luck.randint(1, most)))

    def _come_forward(self, table: s.Table, bank: s.Bank) -> Input:
        others = [
            seat
            for seat in s.occupied_from(table, bank.seat)
            if seat != bank.seat and table.seats[seat - 1].balance >= bank.pot  # type: ignore[union-attr]  # occupied
        ]
        if not others or (bank.won and self._luck.random() < 0.15):
            return m.Passes(seat=bank.seat)
        return m.Banco(seat=self._luck.choice(others))

    def _answer(self, deal: s.Deal, seat: int) -> Input:
        points = s.value(deal.pointeur)
        if points >= 8 and not deal.pointeur_open:
            return m.Spoke(seat=seat, word=m.Word.SCHLAG)
        duty = pointeur_duty(points)
        draws = duty is Duty.DRAW or (duty is Duty.CHOOSE and self._luck.random() < 0.5)
        return m.Spoke(seat=seat, word=m.Word.CARTE if draws else m.Word.RESTE)

    def _draws(self, table: s.Table, deal: s.Deal) -> bool:
        point, _, duty = duty_of(table, deal)
        if duty is Duty.NO_INFORMATION:
            return point <= 5
        return duty is Duty.DRAW or (duty is Duty.CHOOSE and self._luck.random() < 0.5)

    def _repair(self, phase: s.Phase) -> Input | None:
        match phase:
            case s.Stray():
                return m.StrayRuled(ruling=self._luck.choice(_STRAYS))
            case s.WhiteDisputed():
                return m.WhiteRuled(ruling=m.WhiteRuling.PLAY_ON)
            case _:
                return None  # the card is shown to the lip again

    def _mistake(self, table: s.Table) -> Input | None:
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

    def _happens(self, fault: str) -> bool:
        return fault in self._faults and self._luck.random() < FAULTS[fault]


_STRAYS = (m.StrayRuling.KEPT, m.StrayRuling.BURNED)


class Box:
    """A mixed Schlitten's cards in their order, the white card seven from the end."""

    def __init__(self, seed: int, number: int, *, packs: int = 6, white_at: int = 7) -> None:
        self._luck = random.Random(f"box {seed} {number}")
        cards = [(card, copy) for card in PACK for copy in range(1, packs + 1)]
        self._luck.shuffle(cards)
        self.cards: list[tuple[Card, int] | None] = list(cards)
        self.cards.insert(len(cards) - white_at, None)


class SimulatedLip:
    """Twin of the lip's reader: the cards of seeded boxes, with faults on request."""

    def __init__(self, seed: int, table: s.Table, *, faults: frozenset[str] = frozenset()) -> None:
        self._seed, self._faults = seed, faults
        self._luck = random.Random(f"lip {seed}")
        self._packs, self._white_at = table.house.packs, table.house.white_at
        self._number = 0
        self._rest: deque[tuple[Card, int] | None] = deque()
        self._unread: deque[tuple[Card, int]] = deque()
        self._out: list[tuple[Card, int]] = []

    def next(self, table: s.Table) -> Input:
        """The next passage. A card that stayed unread is shown again, or named by two people."""
        if isinstance(table.phase, s.Unread) and self._unread:
            return self._again(table.phase)
        if table.number != self._number:
            self._number = table.number
            box = Box(self._seed, self._number, packs=self._packs, white_at=self._white_at)
            self._rest, self._out = deque(box.cards), []
        if not self._rest:
            return CardSeen(actor="lip", unknown=Unknown.NO_READ)
        top = self._rest.popleft()
        if top is None:
            if "white_missed" in self._faults:
                return self.next(table)
            return CardSeen(actor="lip", white=True)
        return self._read(top)

    def _read(self, top: tuple[Card, int]) -> Input:
        """What the reader makes of the card; what it could not read lies ready to be shown."""
        if self._out and self._happens("duplicate"):
            self._unread.append(top)
            card, copy = self._luck.choice(self._out)
            return CardSeen(actor="lip", card=card, copy=copy)
        self._out.append(top)
        if self._rest and self._rest[0] and self._happens("two_cards"):
            self._unread += (top, self._rest[0])
            self._out.append(self._rest[0])
            self._rest.popleft()
            return CardSeen(actor="lip", unknown=Unknown.TWO_CARDS)
        if self._happens("unread"):
            self._unread.append(top)
            reason = self._luck.choice((Unknown.NO_READ, Unknown.DISAGREE, Unknown.FOREIGN))
            return CardSeen(actor="lip", unknown=reason)
        return CardSeen(actor="lip", card=top[0], copy=top[1])

    def stray(self, table: s.Table) -> bool:
        """Whether a card slips out now though none is due."""
        between = isinstance(table.phase, s.StakesDue | s.BankDue)
        return between and bool(self._rest) and not ended(table) and self._happens("stray")

    def _again(self, phase: s.Unread) -> Input:
        card, copy = self._unread[0]
        if phase.named is None and self._luck.random() < 0.5:
            return CardNamed(actor="croupier", card=card)
        self._unread.popleft()
        if phase.named is not None:
            return CardNamed(actor="supervisor", card=card)
        return CardSeen(actor="lip", card=card, copy=copy)

    def _happens(self, fault: str) -> bool:
        return fault in self._faults and self._luck.random() < FAULTS[fault]

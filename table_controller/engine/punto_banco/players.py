"""Simulated people at punto banco, and the inputs that they send next.

They are for simulations, the demo and tests. They know the open cards, and their own chips.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Final

from table_controller.engine.messages import DeviceBack, DeviceLost, Input
from table_controller.engine.players import CABLE_OUT, USUAL, Chance, Progress, Temper
from table_controller.engine.punto_banco import bets, mishaps, play
from table_controller.engine.punto_banco import inputs as i
from table_controller.engine.punto_banco import state as s
from table_controller.engine.punto_banco.house_keeping import PREPARING
from table_controller.engine.punto_banco.play import ended
from table_controller.engine.table import inputs as ti
from table_controller.engine.table.felt import (
    MisdealDue,
    Stray,
    Unread,
    WhiteDisputed,
    places,
    player,
)
from table_controller.engine.table.schlitten import NoSchlitten, load
from table_controller.engine.table.undo import may_take_back, ticks
from table_controller.rules.money import Chips
from table_controller.rules.punto_banco.money import MAIN

NAMES: Final = ("Kowalska", "Amber", "Lindqvist", "Haas", "Berger", "Réti", "Wolf", "Szabó")
#: Mistakes that people make on request, and the chance of each per input at which it is possible.
FAULTS: Final[dict[str, float]] = {
    "device": 0.01,
    "refused": 0.03,
    "misdeal": 0.01,
    "face_up": 0.005,
    "reopened": 0.02,
    "take_back": 0.02,
}
#: The richest player brings this many least bets in chips.
WEALTH: Final = 200
#: Once this many stakes are laid, nobody lays another.
_BUSY: Final = 8


class Players:
    """The simulated players and the croupier of one table."""

    def __init__(
        self, chance: Chance, *, faults: frozenset[str] = frozenset(), temper: Temper = USUAL
    ) -> None:
        self._luck, self._temper = chance, temper
        self._faults = faults | temper.mistakes
        self._afterwards: deque[Input] = deque()

    def arrive(self, table: s.Table) -> Iterator[Input]:
        """Yield the inputs with which the people arrive, with money; two of them stand."""
        for seat in range(1, len(table.felt.seats) + 1):
            yield ti.Sits(seat=seat, name=NAMES[(seat - 1) % len(NAMES)], chips=self._purse(table))
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
        between = isinstance(phase, s.Betting | s.Over | s.Burning)
        return Progress(
            schlitten=table.felt.number,
            loaded=table.felt.shoe is not None,
            coups=table.felt.coups,
            settled=isinstance(phase, s.Announced | s.Paying),
            close=ti.SchlittenClosed() if between else None,
            again=unread is not None,
            named=unread is not None and unread.named is not None,
            idle=isinstance(phase, s.Paying | s.ToOpen) and not ended(table),
        )

    def _purse(self, table: s.Table) -> Chips:
        return Chips(self._luck.randrange(WEALTH // 2, WEALTH) * table.house.least_bet)

    def _perhaps(self, chance: float) -> bool:
        return self._luck.random() < chance

    def _play(self, table: s.Table) -> Input | None:
        match s.foremost(table):
            case NoSchlitten(done=done):
                if done < len(PREPARING):
                    return ti.Prepared()
                return load(table.felt)
            case s.Betting():
                return self._between(table)
            case s.ToOpen() | s.PlayerToOpen() | s.BankerToOpen() as deal:
                return i.Opened(side=self._luck.choice(s.to_open(deal)))
            case s.Announced(contradicted=True, winner=winner):
                return i.ResultRuled(winner=winner, reason="looked at again, and it stands")
            case s.Announced():
                return i.Agrees()
            case s.Paying(payments=payments):
                open_lines = [line for line, one in enumerate(payments) if not one.done]
                if self._perhaps(0.3):
                    return ti.Ticked(line=open_lines[0])
                return ti.Paid()
            case s.Over():
                return ti.SchlittenClosed()
            case Unread() | Stray() | WhiteDisputed() | MisdealDue():
                return self._repair(table)
            case _ if play.lacking(table):
                return ti.Annulled(reason="PB-25")
            case _:
                return None  # a card is due

    # Between two coups

    def _between(self, table: s.Table) -> Input | None:
        if not table.house.bets:
            return None
        if not table.bets and play.may_be_free(table) and self._perhaps(0.02):
            return i.FreeCoup()
        if table.previous and not table.bets and self._perhaps(0.3) and self._again(table):
            return i.BetsAgain()
        wanted = self._wanted(table) if len(table.bets) < _BUSY else None
        if wanted and (not table.bets or self._perhaps(0.8)):
            return wanted
        if not table.bets:
            return self._small_talk(table)
        return ti.Closes() if self._perhaps(0.5) else None

    def _again(self, table: s.Table) -> bool:
        limits = bets.Limits(table)
        return any(map(limits.again, table.previous))

    def _wanted(self, table: s.Table) -> Input | None:
        """A stake that somebody can lay, mostly on Player or Banker; None if there is none."""
        seat = self._luck.choice(list(places(table.felt)))
        spots = bets.spots(table.house)
        spot = self._luck.choice(MAIN[:2] if self._perhaps(0.7 / self._temper.ventures) else spots)
        least, most = bets.bounds(table, seat, spot)
        if least > most:
            return None
        most = min(most, 8 * max(least, table.house.least_bet))
        chips = self._temper.stakes(self._luck, least, most)
        return i.Bets(seat=seat, spot=spot, chips=Chips(chips))

    def _small_talk(self, table: s.Table) -> Input:
        """An input while nobody stakes: somebody buys in or tips."""
        seat = self._luck.choice(list(places(table.felt)))
        who = player(table.felt, seat)
        if bets.free_money(table, seat) and who and self._perhaps(0.5):
            return ti.Tips(seat=seat, chips=Chips(1))
        return ti.BuysIn(seat=seat, chips=Chips(20 * table.house.least_bet))

    # Mistakes and repairs

    def _repair(self, table: s.Table) -> Input | None:
        match s.foremost(table):
            case Stray():
                ruling = self._luck.choice(mishaps.rulings(table))
                return ti.StrayRuled(ruling=ruling, reason="as it lay")
            case WhiteDisputed():
                return ti.WhiteRuled(ruling=ti.WhiteRuling.PLAY_ON)
            case MisdealDue():
                if table.house.wrong_hand == "void" or self._perhaps(0.3):
                    return ti.Annulled(reason="nobody knows the order")
                return i.PutRight(reason="the order is known")
            case _:
                return None  # the card is shown to the lip again

    def _interruption(self, table: s.Table) -> Input | None:
        """Now and then an input out of turn, or a device that fails for a while; otherwise None."""
        if self._happens("device"):
            self._afterwards.append(DeviceBack(device="board", actor="wiring"))
            return DeviceLost(device="board", why=CABLE_OUT, actor="wiring")
        if self._happens("refused") and not isinstance(s.foremost(table), s.Announced):
            return i.Agrees()
        return None

    def _mistake(self, table: s.Table) -> Input | None:
        """Now and then a mistake that the simulation asks for; otherwise None."""
        # A ticked line is left as it is, so that a seed is the same evening as before.
        if may_take_back(table) and not ticks(table) and self._happens("take_back"):
            return ti.TakesBack()
        phase = s.foremost(table)
        if not isinstance(phase, s.Lying) or not s.under_way(table):
            return None
        if self._happens("misdeal"):
            return ti.Misdealt()
        if mishaps.last_card(table) and self._happens("face_up"):
            return ti.StrayRuled(ruling=ti.StrayRuling.FACE_UP, reason="turned in the pack")
        if isinstance(phase, s.Announced) and self._happens("reopened"):
            return i.ResultRuled(winner=phase.winner, reason="asked, and it stands")
        return None

    def _happens(self, fault: str) -> bool:
        return fault in self._faults and self._perhaps(FAULTS[fault])

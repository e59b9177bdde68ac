"""Measures punto banco: its deal alone, and the whole step with count, nonce and promise."""

from __future__ import annotations

import importlib
import math
import os
import random
import sys
import time
from dataclasses import replace

import msgspec

from table_controller.engine.messages import Audience, CardSeen, Input, Role
from table_controller.engine.promises import nonce, promise
from table_controller.engine.punto_banco import game
from table_controller.engine.punto_banco.inputs import Agrees, Bets
from table_controller.engine.punto_banco.state import (
    LAY,
    Announced,
    Bet,
    Betting,
    Deal,
    Dealing,
    Over,
    Paying,
    Table,
    at,
    on_felt,
)
from table_controller.engine.shoe import Dealt
from table_controller.engine.table.inputs import Paid, SchlittenClosed, SchlittenLoaded, Sits
from table_controller.engine.table.roles import Person
from table_controller.rules.cards import PACK, Card
from table_controller.rules.money import Chips
from table_controller.rules.punto_banco.house import House
from table_controller.rules.punto_banco.money import MAIN
from table_controller.rules.punto_banco.side_bets import SIDE_BETS
from table_controller.service.sealing import Keys
from table_controller.wiring import config

SCHLITTEN = 20
#: The cards of one Schlitten that are dealt before the cut card.
BEFORE_CUT = 402
SECRET = Keys.derive(bytes(32))
#: How often everything is dealt. The best time counts, when nothing else disturbed the machine.
TIMES = 100
#: The cards of a coup, on average.
CARDS = 4.94
#: How many people bet in each coup.
BETS = (0, 1, 9)
#: The stakes on the picture: twelve places, thirteen spots.
STAKES = 156
STAFF = (Person("Anna", Role.CROUPIER), Person("Berta", Role.SUPERVISOR))
#: The variable that names the folder of a published engine, which we may not ship (see README.md).
PEER = "SCHLITTEN_PEER"


def rows() -> list[tuple[str, float | str, str, str]]:
    """Measure. Return rows of name, value, unit, and the budget or a peer's value."""
    evenings = {bets: _Evening(_table(bets=bets > 0), bets) for bets in BETS}
    led = _Evening(_table(STAFF), 0)
    rules = promised = 0.0
    for _ in range(TIMES):  # in turn: a moment in which the machine is slow slows none each time
        rules, promised = max(rules, _rules()), max(promised, _promised())
        for evening in (*evenings.values(), led):
            evening.play()
    none, one_bet, nine = (evening.speed for evening in evenings.values())
    one, all_ = _picture(1), _picture(STAKES)
    return [
        ("punto banco, rules with events, no bets", rules, "coups/s", "> 400,000"),
        ("punto banco, step with count, nonce and promise, one bet", one_bet, "coups/s", "> 5,500"),
        ("punto banco, the same with nine bets", nine, "coups/s", ""),
        ("punto banco, the same without bets", none, "coups/s", ""),
        ("punto banco, the same without bets, where people signed in", led.speed, "coups/s", ""),
        ("punto banco, its nonces and promises alone", promised, "coups/s", "above any step"),
        ("punto banco, a staff picture, one stake", 1000 * one, "ms", ""),
        (f"punto banco, a staff picture, {STAKES} stakes", all_ / one, "x one stake's", "< 5"),
        ("punto banco, an open engine without events", _peer(), "coups/s", "kairotic, GPL 3"),
    ]


def _peer() -> float | str:
    """The coups a second of a published engine in the folder `PEER`, including its own shuffles.

    The result is a sentence if the engine is not there.
    """
    folder = os.environ.get(PEER)
    if not folder:
        return f"not here: set {PEER}"
    sys.path.insert(0, folder)
    shoe = importlib.import_module("kairotic.elements").Shoe(8, 14)
    engine = importlib.import_module("kairotic.games.baccarat").Baccarat(shoe)
    best = 0.0
    for _ in range(TIMES):
        began = time.perf_counter()
        for _ in range(80):
            engine.play_round()
        best = max(best, 80 / (time.perf_counter() - began))
    return best


def _picture(stakes: int) -> float:
    """The seconds to make the staff's picture with `stakes` stakes, spread over twelve places."""
    house = config.house("punto-banco")
    assert isinstance(house, House)
    every = {name: " ".join(["11:1"] * bet.steps) for name, bet in SIDE_BETS.items()}
    now = game.begin(replace(house, seats=12, side_bets=every), SECRET.commit)
    spots = (*MAIN, *every)
    for seat in range(1, 13):
        now, _ = game.step(now, Sits(seat=seat, name=f"N{seat}", chips=Chips(10_000)))
    bets = [Bet(seat, spot, Chips(10)) for seat in range(1, 13) for spot in spots]
    now = msgspec.structs.replace(at(now, Betting()), bets=tuple(bets[:stakes]))
    return min(_pictured(now) for _ in range(TIMES))


def _pictured(now: Table) -> float:
    began = time.perf_counter()
    game.snapshot(now, Audience.CROUPIER)
    return time.perf_counter() - began


def _box(seed: int) -> list[Card]:
    cards = list(PACK) * 8
    random.Random(seed).shuffle(cards)
    return cards


def _rules() -> float:
    """The coups a second from cards to winner, including the events about them."""
    cards = [Dealt(number, card) for number, card in enumerate(_box(1))]
    deal: Deal = Dealing(1)
    coups = told = 0
    began = time.perf_counter()
    for card in cards:
        deal, events = LAY[type(deal)](deal, card, False)
        told += len(events)
        if type(deal) is Announced:
            coups += 1
            deal = Dealing(coups + 1)
    took = time.perf_counter() - began
    assert told > 2 * coups
    return coups / took


def _table(staff: tuple[Person, ...] = (), *, bets: bool = False) -> Table:
    """A table that burns no cards. With `bets` nine people sit there, or else it takes no bets."""
    house = config.house("punto-banco")
    assert isinstance(house, House)
    now = game.begin(replace(house, bets=bets, burn="fixed"), SECRET.commit)
    for seat in range(1, max(BETS) + 1 if bets else 1):
        now, _ = game.step(now, Sits(seat=seat, name=f"N{seat}", chips=Chips(100_000)))
    return on_felt(now, persons=staff)


def _schlitten(now: Table, number: int, bets: int) -> tuple[Table, list[Input]]:
    """The inputs of a whole Schlitten, as a journal would have them, and the table after them.

    In each coup so many people bet on Player, and are paid together.
    """
    said: list[Input] = []

    def say(one: Input) -> None:
        nonlocal now
        said.append(one)
        now, _ = game.step(now, one)

    say(SchlittenLoaded(shoe=f"schlitten-{number}", actor=STAFF[0].actor))
    for nth, card in enumerate(_box(number)):
        if isinstance(now.phase, Announced):
            say(Agrees(actor=STAFF[0].actor))
        if isinstance(now.phase, Paying):
            say(Paid(actor=STAFF[0].actor))
        if isinstance(now.phase, Over):
            break
        if isinstance(now.phase, Betting):
            for seat in range(1, bets + 1):
                say(Bets(seat=seat, spot="player", chips=Chips(20), actor=STAFF[0].actor))
        if nth == BEFORE_CUT:
            say(CardSeen(white=True, actor="lip"))
        say(CardSeen(card=card, actor="lip"))
    say(SchlittenClosed(actor=STAFF[0].actor))
    return now, said


class _Evening:
    """Some Schlitten of one table, played again and again.

    Of each Schlitten the best time counts.
    """

    def __init__(self, now: Table, bets: int) -> None:
        self._schlitten = list[tuple[Table, list[Input]]]()
        for number in range(SCHLITTEN):
            after, said = _schlitten(now, number, bets)
            self._schlitten.append((now, said))
            now = after
        self._coups, self._best = now.felt.coups, [math.inf] * SCHLITTEN

    def play(self) -> None:
        """Play every input once more."""
        took = [_seconds(*one) for one in self._schlitten]
        self._best = list(map(min, self._best, took))

    @property
    def speed(self) -> float:
        """The coups a second."""
        return self._coups / sum(self._best)


def _promised() -> float:
    """The coups a second that would be played if promising the cards were the only work."""
    cards = _box(1)
    coups = len(cards) / CARDS
    began = time.perf_counter()
    for ordinal, card in enumerate(cards, 1):
        promise(nonce(SECRET.commit, "schlitten-1", 1, Dealt(ordinal, card)), card)
    return coups / (time.perf_counter() - began)


def _seconds(now: Table, said: list[Input]) -> float:
    step = game.step
    began = time.perf_counter()
    for one in said:
        now, _ = step(now, one)
    return time.perf_counter() - began

"""How fast punto banco is: its deal alone, and the whole step with count, nonce and promise."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import replace

from table_controller.engine.messages import CardSeen, Input
from table_controller.engine.punto_banco import game
from table_controller.engine.punto_banco.deal import LAY, Announced, Deal, Dealing
from table_controller.engine.punto_banco.inputs import Agrees
from table_controller.engine.punto_banco.state import Over
from table_controller.engine.shoe import Dealt
from table_controller.engine.table.inputs import SchlittenClosed, SchlittenLoaded
from table_controller.rules.cards import PACK, Card
from table_controller.rules.punto_banco.house import House
from table_controller.service.sealing import Keys
from table_controller.wiring import config

SCHLITTEN = 20
#: Cards of one that are dealt before the cut card.
BEFORE_CUT = 402
SECRET = Keys.derive(bytes(32))


def rows() -> list[tuple[str, float, str, str]]:
    """Name, value, unit, budget or peer."""
    said = _evening()
    coups = sum(isinstance(one, Agrees) for one in said)
    return [
        ("punto banco, rules with events", _best(_rules), "coups/s", "> 400,000"),
        (
            "punto banco, step with count, nonce and promise",
            _best(lambda: _stepped(said, coups)),
            "coups/s",
            "> 40,000",
        ),
    ]


def _best(measure: Callable[[], float]) -> float:
    return max(measure() for _ in range(5))


def _box(seed: int) -> list[Card]:
    cards = list(PACK) * 8
    random.Random(seed).shuffle(cards)
    return cards


def _rules() -> float:
    """Coups a second from cards to who has won, with what is told of them."""
    cards = [Dealt(number, card) for number, card in enumerate(_box(1) * SCHLITTEN)]
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


def _table():
    """A table that only announces, and burns nothing."""
    house = config.house("punto-banco")
    assert isinstance(house, House)
    house = replace(house, bets=False, burn="fixed")
    return game.begin(house, SECRET.commit)


def _evening() -> list[Input]:
    """Whole Schlitten of it, as its journal would hold them."""
    now, said = _table(), []

    def say(one: Input) -> None:
        nonlocal now
        said.append(one)
        now, _ = game.step(now, one)

    for number in range(SCHLITTEN):
        say(SchlittenLoaded(shoe=f"schlitten-{number}"))
        for at, card in enumerate(_box(number)):
            if isinstance(now.phase, Announced):
                say(Agrees())
            if isinstance(now.phase, Over):
                break
            if at == BEFORE_CUT:
                say(CardSeen(white=True))
            say(CardSeen(card=card))
        say(SchlittenClosed())
    return said


def _stepped(said: list[Input], coups: int) -> float:
    """Coups a second through all of them."""
    now = _table()
    began = time.perf_counter()
    for one in said:
        now, _ = game.step(now, one)
    return coups / (time.perf_counter() - began)

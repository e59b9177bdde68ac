"""Measures the time of a passage from the lip's report to lamps and screens, in two worlds.

Cards are dealt at two tables with different closed cards, in random order. The times of each
passage of a deal are two samples, which must be indistinguishable.
"""

from __future__ import annotations

import math
import random
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from table_controller.adapters import board
from table_controller.engine.messages import Audience, CardSeen
from table_controller.engine.table.inputs import Closes
from table_controller.rules.cards import Card
from table_controller.service.game import Game, Position
from table_controller.service.table import Table, Told
from table_controller.wiring.config import lamp_language
from tests.engine import ecarte_playing, playing
from tests.engine.punto_banco import playing as punto_banco
from tests.every_game import GAMES
from tests.service import evenings

#: The passages of each game in the whole run; how seldom chance alone would give a finding.
PASSAGES, SELDOM = 10_000, 1e-4

Cards = tuple[Card, ...]


class Deal(NamedTuple):
    """A table before a deal, and the closed cards of the two worlds."""

    game: Game[Any]
    begun: Any
    worlds: tuple[Cards, Cards]


def run(share: float) -> list[tuple[str, str]]:
    """Measure each game's passages, and how much their times differ. Raises AssertionError."""
    rows = []
    for deal in deals():
        samples = timed(deal, round(PASSAGES * share))
        chances = [chance(*pair) for pair in samples]
        least = min(1.0, min(chances) * len(chances))
        assert least > SELDOM, f"{deal.game.name}: the times tell the worlds apart, {least:.2g}"
        count = sum(len(times) for pair in samples for times in pair)
        middle = sorted(time for pair in samples for times in pair for time in times)[count // 2]
        said = (
            f"{count:,} in {middle * 1e6:.0f} µs at the median; so far apart by chance: {least:.2g}"
        )
        rows.append((f"passages timed in two worlds, {deal.game.name}", said))
    return rows


def deals() -> list[Deal]:
    """The pairs of hands whose difference tells most to somebody who watches the clock.

    In chemin de fer and punto banco one world has a natural and the other has none. In écarté one
    world has the king.
    """
    punto = GAMES["punto-banco"]
    squeezed, _ = punto.step(punto_banco.table(punto_banco.houses()[4]), Closes())
    banked = playing.play(playing.table(), "seat 1 banks 10", "seat 2 banco solo")
    natural, none = _cards("9h Kd Kc 8s"), _cards("2h 3d 4c 5s")
    kings = _cards("Kh Kd Kc Ks Ah Ad Ac As Qh Qd"), _cards("7h 8h 9h Th 7d 8d 9d Td 7c 8c")
    return [
        Deal(GAMES["chemin-de-fer"], banked, (natural, none)),
        Deal(punto, squeezed, (natural, none)),
        Deal(GAMES["ecarte"], ecarte_playing.started(ecarte_playing.E07), kings),
    ]


def _cards(codes: str) -> Cards:
    return tuple(map(Card, codes.split()))


def timed(deal: Deal, passages: int) -> list[tuple[list[float], list[float]]]:
    """The times of each passage of the deal, in the one world and in the other."""
    luck, places = random.Random(f"passages {deal.game.name}"), len(deal.worlds[0])
    samples: list[tuple[list[float], list[float]]] = [([], []) for _ in range(places)]
    with tempfile.TemporaryDirectory() as folder:
        shown = Shown(deal)
        journal = evenings.open_journal(
            Path(folder) / "table.db", game=deal.game.name, house="here", durable=False
        )
        table = Table(deal.game, deal.begun, journal, clock=lambda: 0, listeners=[shown])
        for _ in range(-(-passages // places)):
            which, table.now = luck.randrange(2), Position(deal.game, deal.begun)
            for place, card in enumerate(deal.worlds[which]):
                began = time.perf_counter()
                table.take(CardSeen(card=card, actor="lip"), 0)
                samples[place][which].append(time.perf_counter() - began)
        journal.close()
    return samples


class Shown:
    """The pictures after a passage: for the board, for the public's screen and for the staff's."""

    def __init__(self, deal: Deal) -> None:
        """Prepare to show that game's lamps."""
        self._language = lamp_language(deal.begun.house, game=deal.game)

    def tell(self, _told: Sequence[Told], now: Position[Any], /) -> None:
        """Make each picture anew."""
        board.picture(now.snapshot(Audience.PUBLIC), self._language)
        now.by_hand(now.snapshot(Audience.CROUPIER), reads=True)


def chance(one: list[float], other: list[float]) -> float:
    """The probability that two samples of the same kind differ as much as these two.

    It is found by the two-sided test of Kolmogorov and Smirnov.
    """
    if not one or not other:
        return 1.0
    marks = sorted([(value, 1) for value in one] + [(value, 0) for value in other])
    far = here = there = 0.0
    for number, (value, first) in enumerate(marks):
        here, there = here + first / len(one), there + (1 - first) / len(other)
        if number + 1 == len(marks) or marks[number + 1][0] != value:
            far = max(far, abs(here - there))
    scale = far * math.sqrt(len(one) * len(other) / (len(one) + len(other)))
    if scale < 0.2:  # the series below converges slowly there, to one
        return 1.0
    terms = ((-1) ** (k - 1) * math.exp(-2 * k * k * scale * scale) for k in range(1, 101))
    return min(1.0, max(0.0, 2 * sum(terms)))

"""The games that the contract suite is played with. A new game is one more line of `PLAYED`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

from table_controller.rules.cards import PACK, Card
from table_controller.service.game import Game
from table_controller.wiring.games import GAMES
from tests.engine.playing import MODERN, NEMZETI, ZOPPOT, table
from tests.service import counting


class Played(NamedTuple):
    """A game, and what the suite cannot see from its door.

    Attributes:
        begun: a table that can be played at, with so many packs in its Schlitten; the number
            chooses among the game's houses.
        key: of that table, which no paper may hold.
        pack: what its cards are of.
        brings: tags of what brings money to the table, or takes it away.
        unoffered: tags of what no button says: of devices and the clock, and what only somebody
            says who sees more than the page.
        ends: tags of what ends an evening, or reveals what stayed closed.
        faults: tags of inputs that are a fault of the program on purpose.
    """

    game: Game[Any]
    begun: Callable[[int, int], Any]
    key: bytes
    pack: tuple[Card, ...] = PACK
    brings: frozenset[str] = frozenset()
    unoffered: frozenset[str] = frozenset()
    ends: frozenset[str] = frozenset()
    faults: frozenset[str] = frozenset()


#: Said by what watches and reads, at any table.
DEVICES = frozenset(
    {
        "card_seen", "card_named", "device_lost", "device_back", "lid_opened", "lid_closed",
        "cut_card_sensed", "power_failed", "power_back",
    }
)  # fmt: skip


def _chemin_de_fer(number: int, packs: int) -> Any:
    return table(house=replace((ZOPPOT, NEMZETI, MODERN)[number % 3], packs=packs))


PLAYED = (
    Played(
        GAMES["chemin-de-fer"],
        _chemin_de_fer,
        b"script",
        brings=frozenset({"sits", "stands", "buys_in", "cashes_out", "leaves"}),
        # With a better right the game is the pointeur's.
        unoffered=DEVICES | {"waited", "banco", "banco_with_partner", "banco_with_table"},
        ends=frozenset({"schlitten_closed", "annulled", "thrown_away"}),
    ),
    Played(
        counting,
        lambda _number, _packs: counting.begin(),
        counting.KEY.value,
        brings=frozenset({"add", "takes_back"}),
        unoffered=DEVICES,
        ends=frozenset({"close"}),
        faults=frozenset({"boom"}),
    ),
)

"""The games with which the contract suite is played. A new game is one more line of `PLAYED`."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple, get_args

from table_controller.engine.messages import Input
from table_controller.engine.table.devices import Sensed
from table_controller.rules.cards import PACK, PACK_32, Card
from table_controller.service.game import Game
from tests.engine import ecarte_playing
from tests.engine.playing import MODERN, NEMZETI, ZOPPOT, table
from tests.engine.punto_banco.playing import houses as punto_banco_houses
from tests.engine.punto_banco.playing import table as punto_banco_table
from tests.every_game import GAMES
from tests.service import counting


class Played(NamedTuple):
    """A game, and what the suite cannot learn through its door.

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
        lays: tags of inputs by which people enter a card that lies open, from a picker.
        proves: tags of events that, by a rule, tell of closed cards what people said wrongly.
        closed: cards that lie closed at least in a short evening.
        plays: what people say who go through a whole deal, with mistakes now and then; it may be
            refused. Where a game has such people, some evenings are theirs.
        apart: whether every Schlitten has cards of its own, one pack; else they are all of a box.
    """

    game: Game[Any]
    begun: Callable[[int, int], Any]
    key: bytes
    pack: tuple[Card, ...] = PACK
    brings: frozenset[str] = frozenset()
    unoffered: frozenset[str] = frozenset()
    ends: frozenset[str] = frozenset()
    faults: frozenset[str] = frozenset()
    lays: frozenset[str] = frozenset()
    proves: frozenset[str] = frozenset()
    closed: int = 20
    plays: Callable[[Any, random.Random], Input] | None = None
    apart: bool = False


#: Said by what watches and reads, at any table.
DEVICES = frozenset(
    {
        "card_seen", "card_named", "device_lost", "device_back", "booted", "restored",
        "person_added", "person_removed", "account_added", "account_removed", "signed_in",
        "sign_in_refused", "reading_counted",
        *(kind.__struct_config__.tag for kind in get_args(Sensed)),
    }
)  # fmt: skip


def _chemin_de_fer(number: int, packs: int) -> Any:
    return table(house=replace((ZOPPOT, NEMZETI, MODERN)[number % 3], packs=packs))


def _ecarte(number: int, _packs: int) -> Any:
    return ecarte_playing.started(ecarte_playing.HOUSES[number % 3])


def _punto_banco(number: int, packs: int) -> Any:
    """Its houses, and one that has everything otherwise: closed cards, boxes, limits."""
    house = replace(punto_banco_houses()[number % 5], packs=packs)
    if number % 10 < 9:  # whims seldom burn ten cards in a row
        house = replace(house, burn="fixed", burn_cards=1)
    return punto_banco_table(house)


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
        GAMES["ecarte"],
        _ecarte,
        b"script",
        pack=PACK_32,
        brings=frozenset({"sits", "stands", "buys_in", "cashes_out", "leaves"}),
        unoffered=DEVICES,
        ends=frozenset({"schlitten_closed", "annulled", "onward"}),
        lays=frozenset({"plays_card", "shows", "cuts_for_deal"}),
        proves=frozenset({"contradicted"}),
        closed=4,  # whims annul most deals
        plays=lambda state, luck: luck.choice(ecarte_playing.choices(state, luck)),
        apart=True,
    ),
    Played(
        GAMES["punto-banco"],
        _punto_banco,
        b"script",
        brings=frozenset({"sits", "stands", "buys_in", "cashes_out", "leaves"}),
        unoffered=DEVICES,
        ends=frozenset({"schlitten_closed", "annulled", "thrown_away"}),
        closed=10,  # whims seldom ask for a coup without stakes
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

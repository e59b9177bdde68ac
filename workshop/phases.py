"""A table in every phase, stop and question that a house can come to, for people to look at.

An evening of simulated people shows most of them. The others are one word away: every button is
pressed once in each phase, and cards leave the Schlitten when none is due. What even that does not
reach is taken from the coup scripts of that game, which are of any house.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from table_controller.engine.ecarte import state as ecarte
from table_controller.engine.messages import Audience, CardSeen, Input, Refusal
from table_controller.rules.cards import PACKS
from table_controller.service.game import Game
from tests.engine import ecarte_playing, playing
from tests.engine.filling import filled
from tests.engine.punto_banco import playing as punto_banco
from tests.scripting import read

#: How many words away from the evening a phase is looked for.
AWAY = 3
#: How often a word is said in a phase, each time at another table, with other sums.
OFTEN = 12
#: How many words are said at random at a table of écarté, and to how many tables.
WHIMS, TABLES = 400, 10


def name(table: Any) -> str:
    """What the table waits for: a stop, or else a question to a person, or else its phase."""
    first = (*table.felt.stops[-1:], *getattr(table, "asked", ())[-1:], table.phase)[0]
    about = f" {first.question}" if isinstance(first, ecarte.Asked) else ""
    return type(first).__name__ + about


def others(door: Game[Any], tables: Iterable[Any]) -> list[Any]:
    """A table in each phase that none of these tables is in."""
    tables = list(tables)
    found = {name(table): None for table in tables}
    for table in (*_aside(door, tables), *_scripted(door)):
        found.setdefault(name(table), table)
    return [table for table in found.values() if table is not None]


def _aside(door: Game[Any], tables: list[Any]) -> Iterator[Any]:
    """The tables after each word that can be said in a phase, and after the words that follow."""
    said: Counter[tuple[str, object]] = Counter()
    luck = random.Random("aside")
    for _ in range(AWAY):
        after = []
        for table in tables:
            for kind, word in _words(door, table, luck):
                often = said[name(table), kind] >= OFTEN
                told = None if often else _told(door, table, word)
                if told is not None:
                    said[name(table), kind] += 1
                    after.append(told)
        yield from after
        tables = after


def _words(door: Game[Any], table: Any, luck: random.Random) -> Iterator[tuple[object, Input]]:
    """What can be said or dealt at that table, each with its kind."""
    for offer in door.snapshot(table, Audience.CROUPIER).offers:
        if not offer.secret:
            yield offer.input["type"], msgspec.convert(filled(offer, luck), door.inputs)
    yield "white", CardSeen(actor="lip", white=True)
    yield "card", CardSeen(actor="lip", card=luck.choice(PACKS[table.felt.house.pack]), copy=1)


def _told(door: Game[Any], table: Any, word: Input) -> Any:
    """The table after a word, or None if the word was refused."""
    try:
        return door.step(table, word)[0]
    except Refusal:
        return None


def _scripted(door: Game[Any]) -> Iterator[Any]:
    """The tables of the game's coup scripts; of écarté, tables at which people say anything."""
    if door.name == "ecarte":
        walked = list(_whims())
        yield from walked
        yield from _aside(door, walked[::20])
        return
    own: Any = {"chemin-de-fer": playing, "punto-banco": punto_banco}[door.name]
    for path in own.COUPS:
        text = path.read_text()
        table = own.table_of(text)
        for word, _ in read(door, text):
            if isinstance(word, Input):
                table = _told(door, table, word) or table
                yield table


def _whims() -> Iterator[Any]:
    """Tables of each house at which people say anything, with all mistakes."""
    luck = random.Random("whims")
    for house in ecarte_playing.HOUSES * TABLES:
        begun = ecarte_playing.started(house)
        for _, table, _, _ in ecarte_playing.walk(begun, luck, WHIMS, mistakes=0.5):
            yield table

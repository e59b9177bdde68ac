"""Journals of played evenings, for the pages about them: any game, with no table served."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from msgspec.structs import replace

from table_controller.adapters.mqtt_names import TableId
from table_controller.commands import simulate
from table_controller.engine.messages import CardSeen, Input
from table_controller.engine.promises import SecretKey
from table_controller.rules.cards import Card
from table_controller.rules.houses import House
from table_controller.service.sealing import Keys
from table_controller.wiring import config
from table_controller.wiring.app import Service
from table_controller.wiring.past import JournalChronicle
from table_controller.wiring.plan import Plan

KEYS = Keys.derive(b"p" * 32)
HOUSES = ("zoppot-1934", "nemzeti-1907", "punto-banco", "ecarte-german")
#: Six in the evening somewhere, in ms since 1970.
SIX = 1_795_572_000_000
A_DAY = 24 * 3600 * 1000


class Played(NamedTuple):
    """A simulated evening: its moments, the table at its end, the house."""

    house: House
    moments: list[simulate.Moment]

    @property
    def said(self) -> list[tuple[int, Input]]:
        """The inputs with their times."""
        return [(SIX + moment.t_ms, moment.input) for moment in self.moments]


def played(house: str | House, *, seed: int = 5, coups: int = 20, faults: str = "") -> Played:
    """Play a seeded evening of this house."""
    found = config.house(house) if isinstance(house, str) else house
    wrong = frozenset(filter(None, faults.split(",")))
    key = SecretKey(b"s" * 32)
    return Played(found, [*simulate.evening(found, key, seed=seed, coups=coups, wrong=wrong)])


def kept(path: Path, house: House, said: Iterable[tuple[int, Input]]) -> JournalChronicle:
    """Write a journal of these inputs, and return what tells of it."""
    plan = Plan(
        table=TableId("house", "table-1"),
        house=house,
        keys=KEYS,
        journal=path,
        durable=False,
        starts=False,
    )
    service = Service(plan)
    for t_ms, one in said:
        service.table.take(one, t_ms)
    service.journal.close()
    return JournalChronicle(path, KEYS, service.game, house)


def closed_at(moments: Sequence[simulate.Moment]) -> list[tuple[int, Card]]:
    """The cards of this Schlitten that nobody has seen yet, and which moments brought them."""
    lies: dict[int, tuple[int, Card]] = {}
    for at, moment in enumerate(moments):
        for event in moment.events:
            told: Any = event
            match event.__struct_config__.tag:
                case "schlitten_ready":
                    lies = {}
                case "card_identified":
                    lies[told.ordinal] = at, told.card
                case "card_opened" | "turned_up" | "card_played":
                    lies.pop(getattr(told, "ordinal", -1), None)
    return sorted(lies.values())


def exchanged(said: list[tuple[int, Input]], a: int, b: int) -> list[tuple[int, Input]]:
    """The same inputs in another world: two cards that were seen are each other."""
    other = list(said)
    first, second = said[a][1], said[b][1]
    assert isinstance(first, CardSeen)
    assert isinstance(second, CardSeen)
    other[a] = said[a][0], replace(first, card=second.card)
    other[b] = said[b][0], replace(second, card=first.card)
    return other

"""The first things on the page of all tables, and their words."""

from __future__ import annotations

import pytest
from msgspec import json

from table_controller.adapters.mqtt_messages import (
    ChainedSnapshot,
    Health,
    Info,
    TableState,
    alert_messages,
    current,
    health_message,
    snapshot_message,
    state_message,
)
from table_controller.adapters.mqtt_names import TableId
from table_controller.commands.floor.page import frame
from table_controller.engine.messages import Audience, Severity, phrase
from table_controller.engine.views import AlertView
from table_controller.floor.live import LiveTables
from table_controller.floor.web.app import FloorPages
from table_controller.floor.web.view import Known, glance, size

NOON = 1000.0


def table(live, name, state=TableState.READY, *, house="zoppot-1934", at=NOON):
    """A table that the floor has heard everything of."""
    here = TableId("hall", name)
    info = Info(
        version="1", house=house, game=frame(house).game, capabilities=(), configuration="",
        boot="b", limits={"least_stake": 2, "least_pot": 10},
    )  # fmt: skip
    picture = ChainedSnapshot(seq=3, chain_head="0a", count=3, stream="s", snapshot=frame(house))
    for message in (
        state_message(state, "b", here), current("info", info, here),
        health_message(Health(cpu_celsius=50.6), here), snapshot_message(picture, here),
    ):  # fmt: skip
        live.hear(here, message.topic[len(here.root) + 1 :], message.payload, at)
    return here


def alert(live, here, severity, at=NOON, what="The lid is open.", *, id_="lid"):
    said = phrase(what)
    seen = AlertView(id=id_, code="lid", severity=severity, what=said, remedy=said)
    for message in alert_messages(seen, here):
        live.hear(here, message.topic[len(here.root) + 1 :], message.payload, at)


def test_the_worst_comes_first_and_each_says_a_word():
    live = LiveTables()
    table(live, "a-well", at=NOON + 125)
    table(live, "b-off", TableState.DISCONNECTED)
    table(live, "c-lost", TableState.LOST)
    alert(live, table(live, "d-notes", at=NOON + 125), Severity.NOTICE)
    alert(live, table(live, "e-warns", at=NOON + 125), Severity.WARNING)
    live.fault(table(live, "f-lies"), "Row 3 was told otherwise before.", NOON)
    alert(live, table(live, "g-stands", at=NOON + 125), Severity.STOP)

    tiles = glance(live.tables.values(), {}, NOON + 130)

    assert [(tile.key, str(tile.word), tile.minutes, tile.wants) for tile in tiles] == [
        ("hall-g-stands", "stands still", 2, True),
        ("hall-f-lies", "does not hold", 2, True),
        ("hall-c-lost", "is lost", 2, True),
        ("hall-e-warns", "warns", 2, True),
        ("hall-d-notes", "notes something", 2, True),
        ("hall-b-off", "is switched off", 2, False),
        ("hall-a-well", "plays", 0, False),
    ]


@pytest.mark.parametrize(
    ("after", "word"), [(35.0, "plays"), (35.1, "does not answer")], ids=["in time", "silent"]
)
def test_a_table_that_is_not_heard_is_said_to_be_silent(after, word):
    """A killed broker publishes no last wills."""
    live = LiveTables()
    table(live, "one")

    (tile,) = glance(live.tables.values(), {}, NOON + after)

    assert str(tile.word) == word


def test_a_tile_has_what_a_pit_boss_asks_for():
    live = LiveTables()
    here = table(live, "one")
    (tile,) = glance(live.tables.values(), {here.source: Known("Anna", 52)}, NOON)

    assert (tile.game, tile.title, tile.limits) == ("chemin-de-fer", "Zoppot 1934", (2, 0))
    assert (tile.croupier, tile.coups_an_hour, tile.celsius) == ("Anna", 52, 51)
    assert tile.figure.name == "pot"
    assert tile.at == "/table/hall/one"


@pytest.mark.parametrize(("count", "way"), [(24, "large"), (25, "medium"), (201, "small")])
def test_the_more_tables_the_smaller(count, way):
    live = LiveTables()
    for number in range(count):
        live.tables[TableId("hall", f"t{number}")] = _one(number)

    assert size(glance(live.tables.values(), {}, NOON)) == way


def _one(number):
    live = LiveTables()
    here = TableId("hall", f"t{number}")
    live.hear(here, "alert/x", b"", NOON)
    return live.tables[here]


def test_a_table_of_another_name_is_refused_what_it_says():
    live = LiveTables()
    one, two = TableId("hall", "one"), TableId("hall", "two")
    with pytest.raises(ValueError, match="another table"):
        live.hear(one, "state", state_message(TableState.READY, "b", two).payload, NOON)

    assert live.tables[one].state is TableState.LOST


def test_a_table_that_was_removed_wants_nobody():
    """Its broker tells no last will of somebody who has no rights any more."""
    live = LiveTables()
    live.gone(table(live, "one"), NOON + 1)

    (tile,) = glance(live.tables.values(), {}, NOON + 600)

    assert (str(tile.word), tile.wants) == ("is switched off", False)


def test_a_tables_page_is_its_guests_page():
    """Trays stand where the house's game has them, though no message says where."""
    live = LiveTables()
    here = table(live, "one")
    pages = FloorPages(live, dict, frame)

    shown = pages._framed(live.tables[here])

    assert shown.trays == frame("zoppot-1934").trays
    assert shown.offers == ()
    assert json.encode(shown.prompt) == json.encode(frame("zoppot-1934").prompt)
    assert pages._project(live.tables[here], Audience.PUBLIC) == shown

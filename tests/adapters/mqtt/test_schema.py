"""The AsyncAPI document and the schemas say what the code does, and are the committed ones."""

import json
import re

import pytest

from table_controller.adapters.mqtt_messages import event_message, snapshot_message
from table_controller.adapters.mqtt_schema import asyncapi, json_schemas
from table_controller.engine.chemin_de_fer import game
from table_controller.engine.messages import Audience, CardNamed
from table_controller.service.rows import Row
from table_controller.wiring.into import by_broker
from tests.adapters.mqtt.kit import TABLE, shown


@pytest.fixture(scope="module")
def document():
    return asyncapi(game.events, game.inputs, by_broker(game), version="1")


def test_sealed_events_are_in_no_document(document):
    """They have no message; and no input that names a closed card may be asked for."""
    text = json.dumps([document, json_schemas(game.events, game.inputs, by_broker(game))])

    assert "card_identified" not in text
    assert "CardIdentified" not in text
    assert CardNamed.__struct_config__.tag not in by_broker(game)
    assert "request_card_named" not in document["channels"]


def test_every_public_and_staff_event_has_its_channel(document):
    """Under the topic that its messages have."""
    for kind in game.events.__args__:
        tag = kind.__struct_config__.tag
        row = Row(1, kind.audience, 1, tag, b"{}", 0, "x")
        message = event_message(row, TABLE)
        if message is None:
            continue
        address = document["channels"][f"event_{tag}"]["address"]

        assert address.format(site="casino", table="one") == message.topic


def test_references_lead_somewhere(document):
    """Every $ref of both documents."""
    for whole in (document, json_schemas(game.events, game.inputs, by_broker(game))):
        for path in re.findall(r'"\$ref": "#/(.*?)"', json.dumps(whole)):
            place = whole
            for step in path.split("/"):
                place = place[step]

            assert place


def test_messages_have_the_fields_that_the_schema_requires(document):
    """Of the envelope and of its content, for an event and a picture."""
    schemas = document["components"]["schemas"]
    event = event_message(
        Row(1, Audience.PUBLIC, 1, "alert_raised",
            b'{"type":"alert_raised","id":"a","code":"a","severity":"stop"}', 0, "x"), TABLE,
    )  # fmt: skip
    for message, kind in (
        (event, "AlertRaised"),
        (snapshot_message(shown().picture, TABLE), "Picture"),
    ):
        told = json.loads(message.payload)

        assert set(schemas["CloudEvent"]["required"]) <= set(told)
        assert set(told) <= set(schemas["CloudEvent"]["properties"])
        assert set(schemas[kind]["required"]) <= set(told["data"])
        assert set(told["data"]) <= set(schemas[kind]["properties"])

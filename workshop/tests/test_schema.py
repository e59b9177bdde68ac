"""The AsyncAPI documents and the schemas match the code, and the committed files are up to date."""

import json
import re
from types import SimpleNamespace

import pytest

from table_controller.adapters.mqtt_messages import event_message, snapshot_message
from table_controller.engine.chemin_de_fer import game
from table_controller.engine.messages import Audience, CardNamed, Event
from table_controller.service.rows import Row
from table_controller.wiring.inputs import by_broker
from tests.adapters.mqtt.kit import TABLE, shown
from tests.contract.games import PLAYED
from tests.service import counting
from workshop.papers.message_documents import spoken
from workshop.papers.mqtt_schema import asyncapi, documents, json_schemas


@pytest.fixture(scope="module", params=PLAYED, ids=lambda played: played.game.name)
def any_game(request):
    """Each game whose door the contract holds."""
    return request.param.game


@pytest.fixture(scope="module")
def document(any_game):
    return asyncapi(spoken(any_game), version="1")


@pytest.fixture(scope="module")
def schemas(any_game):
    return json_schemas([spoken(any_game)])


def test_sealed_events_are_in_no_document(document, schemas, any_game):
    """They have no message; and no input that names a closed card may be asked for."""
    text = json.dumps([document, schemas])

    assert "card_identified" not in text
    assert "CardIdentified" not in text
    assert CardNamed.__struct_config__.tag not in by_broker(any_game)
    assert "request_card_named" not in document["channels"]


def test_every_public_and_staff_event_has_its_channel(document, any_game):
    """Under the topic that its messages have."""
    for kind in any_game.events.__args__:
        tag = kind.__struct_config__.tag
        row = Row(1, kind.audience, 1, tag, b"{}", 0, "x")
        message = event_message(row, TABLE)
        if message is None:
            continue
        address = document["channels"][f"event_{tag}"]["address"]

        assert address.format(site="casino", table="one") == message.topic


def test_references_lead_somewhere(document, schemas):
    """Every $ref of both documents, in its own file or in the schemas'."""
    files = {"asyncapi": {"": document, "schemas.json": schemas}, "schemas": {"": schemas}}
    for own, known in files.items():
        for file, path in re.findall(r'"\$ref": "(.*?)#/(.*?)"', json.dumps(known[""])):
            place = known[file]
            for step in path.split("/"):
                place = place[step]

            assert place, (own, path)


def test_a_game_describes_its_channels_and_repeats_no_schema(document, any_game):
    """The schemas are one file; what stands in a game's own are topics and references."""
    assert set(document["components"]) == {"messages"}
    assert any_game.name in document["info"]["title"]
    assert document["components"]["messages"]["event_card_drawn"]["payload"]["allOf"][0] == {
        "$ref": "schemas.json#/$defs/CloudEvent"
    }


def test_each_game_has_its_document_and_all_share_the_schemas():
    """The tests' counting game beside chemin de fer; what both have stands once."""
    files = documents([spoken(game), spoken(counting)], version="1")
    mine, theirs = (json.loads(files[f"asyncapi-{one}.json"]) for one in (game.name, "counting"))
    shared = json.loads(files["schemas.json"])["$defs"]

    assert set(files) == {"asyncapi-chemin-de-fer.json", "asyncapi-counting.json", "schemas.json"}
    assert "event_counted" in theirs["channels"]
    assert "event_counted" not in mine["channels"]
    assert "event_refused" in theirs["channels"]
    assert {"Counted", "CoupSettled", "Refused"} <= set(shared)


def test_the_schemas_are_json_schema_and_nothing_beside(schemas):
    """An AsyncAPI reader takes `discriminator` for its own, a string, and refuses the document."""
    assert "discriminator" not in json.dumps(schemas)


def test_equal_names_for_two_things_are_told():
    """Two games may share a class, not only its name."""

    class CoupSettled(Event, frozen=True, tag="other"):
        """Another game's."""

    other = SimpleNamespace(name="other", events=CoupSettled, inputs=None)

    with pytest.raises(ValueError, match="called CoupSettled"):
        json_schemas([spoken(game), spoken(other)])


def test_messages_have_the_fields_that_the_schema_requires(schemas):
    """Of the envelope and of its content, for an event and a picture."""
    schemas = schemas["$defs"]
    event = event_message(
        Row(1, Audience.PUBLIC, 1, "alert_raised",
            b'{"type":"alert_raised","id":"a","code":"a","severity":"stop"}', 0, "x"), TABLE,
    )  # fmt: skip
    for message, kind in (
        (event, "AlertRaised"),
        (snapshot_message(shown().picture, TABLE), "ChainedSnapshot"),
    ):
        told = json.loads(message.payload)

        assert set(schemas["CloudEvent"]["required"]) <= set(told)
        assert set(told) <= set(schemas["CloudEvent"]["properties"])
        assert set(schemas[kind]["required"]) <= set(told["data"])
        assert set(told["data"]) <= set(schemas[kind]["properties"])


def test_a_document_says_which_asyncapi_it_is(document):
    """Tools read that first."""
    assert document["asyncapi"] == "3.0.0"


def test_an_address_explains_each_of_its_parameters_and_no_other(document):
    """Site and table stand in all of them."""
    for channel in document["channels"].values():
        told = re.findall(r"\{(\w+)\}", channel["address"])

        assert told[:2] == ["site", "table"]
        assert set(channel["parameters"]) == set(told)


def test_a_request_holds_what_neither_topic_nor_envelope_say():
    """The topic names the input, the table knows the actor, the prompt stands beside it."""
    told = json_schemas([spoken(game)])["$defs"]["Sits"]

    assert list(told["properties"]) == told["required"] == ["seat", "name", "chips"]

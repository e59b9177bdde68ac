"""Home Assistant finds a table if that is switched on: public figures only, and gone when off."""

from __future__ import annotations

import asyncio
import json

import jinja2
import msgspec
import pytest

from table_controller.adapters.broker_rules import BrokerRole, User
from table_controller.adapters.home_assistant import announcement
from table_controller.adapters.mosquitto import acl
from table_controller.adapters.mqtt_messages import (
    Health,
    TableState,
    health_message,
    snapshot_message,
    state_message,
)
from table_controller.adapters.mqtt_names import TableId
from table_controller.engine.views import ShoeView
from table_controller.wiring.config import BrokerSettings
from tests.adapters.mqtt.kit import (
    PASSWORDS,
    TABLE,
    OwnBroker,
    RealBroker,
    may_read,
    may_write,
    serving,
    shown,
    talking,
)
from tests.brokers import Observer

TOPIC = "homeassistant/device/schlitten-casino/one/config"
GUEST, OTHER = (User("guest", BrokerRole.GUEST, at) for at in (TABLE, TableId("casino", "two")))


def told():
    return json.loads(announcement(TABLE, "1.2").payload)


def test_it_is_told_of_a_device_with_its_sensors():
    """As Home Assistant's MQTT discovery of devices wants it."""
    said = told()

    assert announcement(TABLE, "1.2").retain
    assert said["device"] == {
        "identifiers": ["schlitten/casino/one"],
        "name": "Schlitten casino one",
        "sw_version": "1.2",
    }
    assert said["origin"]["name"] == "schlitten"
    assert [*said["components"]] == ["state", "alert", "coup", "left", "temperature", "disk"]
    assert {sensor["platform"] for sensor in said["components"].values()} == {
        "sensor", "binary_sensor"
    }  # fmt: skip
    assert said["components"]["coup"]["unique_id"] == "schlitten/casino/one/coup"


def test_its_figures_come_with_what_home_assistant_knows_of_them():
    """Classes and units by their names there; figures of the machine stand apart."""
    known = ("device_class", "unit_of_measurement", "entity_category")

    assert {
        name: tuple(sensor.get(key) for key in known)
        for name, sensor in told()["components"].items()
    } == {
        "state": ("enum", None, None),
        "alert": ("problem", None, None),
        "coup": (None, None, None),
        "left": (None, None, None),
        "temperature": ("temperature", "°C", "diagnostic"),
        "disk": ("data_size", "MiB", "diagnostic"),
    }


def test_it_is_sent_to_topics_that_a_guest_may_read():
    said = told()
    topics = {sensor["state_topic"] for sensor in said["components"].values()}

    assert topics | {said["availability_topic"]} == {
        f"schlitten/2/casino/one/{name}" for name in ("state", "snapshot", "health")
    }
    assert all(may_read(GUEST, topic) for topic in topics)


def test_its_templates_find_their_figures_in_what_the_table_says():
    """Read as Home Assistant reads them, from messages as they are sent."""
    said, health = told(), Health(cpu_celsius=41.5)
    messages = [
        state_message(TableState.ALERT, "b", TABLE),
        snapshot_message(shown(coup=7).picture, TABLE),
        health_message(health, TABLE),
    ]
    payloads = {message.topic: json.loads(message.payload) for message in messages}

    def value(template, topic):
        strict = jinja2.Environment(undefined=jinja2.StrictUndefined)
        return strict.from_string(template).render(value_json=payloads[topic])

    found = {
        name: value(sensor["value_template"], sensor["state_topic"])
        for name, sensor in said["components"].items()
    }

    assert found == {
        "state": "alert", "alert": "ON", "coup": "7", "left": "None", "temperature": "41.5",
        "disk": "None",
    }  # fmt: skip
    loaded = msgspec.to_builtins(ShoeView(id="blue", number=1, cards=312, left=300, white_at=7))
    payloads[TABLE.topic("snapshot")]["data"]["snapshot"]["shoe"] = loaded
    left = said["components"]["left"]
    assert value(left["value_template"], left["state_topic"]) == "300"
    there = value(said["availability_template"], said["availability_topic"])
    payloads[TABLE.topic("state")]["data"]["state"] = "lost"
    assert (there, value(said["availability_template"], said["availability_topic"])) == (
        "online", "offline"
    )  # fmt: skip


@pytest.mark.parametrize("kind", [RealBroker, OwnBroker])
def test_switched_off_it_is_told_nothing_and_what_it_was_told_is_taken_back(kind, tmp_path):
    """Retained while it is on, for guests to read; the next start without it empties the topic."""

    async def kept(broker, announced):
        async with talking(broker.port, announced=announced) as table:
            await table.publisher.told()
            async with Observer(
                broker.port, TOPIC, f"{TABLE.root}/info", user="guest", password=PASSWORDS["guest"]
            ) as guest:
                await guest.until(lambda: guest.last("/info"))
                await guest.until(lambda: not announced or len(guest.heard) == 2)
                return [payload for topic, payload, _ in guest.heard if topic == TOPIC]

    async def evening():
        async with serving(kind, tmp_path) as broker:
            on = announcement(TABLE, "1.2")
            before = await kept(broker, None)
            first = await kept(broker, on)
            await emptied(broker)
            return before, first == [on.payload], await kept(broker, None)

    async def emptied(broker):
        """A start without it, until the topic is empty."""
        async with (
            Observer(broker.port, TOPIC, user="guest", password=PASSWORDS["guest"]) as guest,
            talking(broker.port),
        ):
            await guest.until(lambda: guest.heard and guest.heard[-1][1] == b"")

    assert asyncio.run(evening()) == ([], True, [])


def test_nobody_but_the_table_announces_it():
    """An ACL line of its own."""
    table, staff = User("table", BrokerRole.TABLE, TABLE), User("anna", BrokerRole.STAFF, TABLE)

    assert may_write(table, TOPIC)
    assert not any(may_write(user, TOPIC) for user in (staff, GUEST, OTHER))
    assert not may_write(User("t", BrokerRole.TABLE, OTHER.table), TOPIC)
    assert may_read(GUEST, TOPIC)
    assert not may_read(OTHER, TOPIC)
    assert f"topic readwrite {TOPIC}\n" in acl([table])
    assert f"topic read {TOPIC}\n" in acl([GUEST])
    assert TOPIC not in acl([OTHER])


def test_it_is_off_unless_somebody_switches_it_on():
    assert BrokerSettings().home_assistant is False


def test_every_state_is_one_that_home_assistant_was_told_of():
    """A state beside its options is an error in its log, each time."""
    assert told()["components"]["state"]["options"] == [
        "ready", "alert", "disconnected", "lost"
    ]  # fmt: skip

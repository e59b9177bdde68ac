"""The broker's information about the table: its state, and for Home Assistant its identity."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from importlib.metadata import version

from table_controller.adapters.mqtt_link import BrokerAddress
from table_controller.wiring.app import Service
from table_controller.wiring.config import BrokerSettings
from tests.brokers import Mosquitto, Observer
from tests.whole.plans import plan


def test_the_state_is_alert_while_an_alert_stands_and_ready_after_it(tmp_path):
    """A wall, and Home Assistant, are told by it alone."""
    broker = Mosquitto(tmp_path)
    broker.start()

    async def meet():
        settings = BrokerSettings(kind="mqtt", port=broker.port)
        made = replace(plan(tmp_path, broker=settings), address=BrokerAddress(port=broker.port))
        told = []
        async with Observer(broker.port, "#") as ear, Service(made) as service:
            for happens, state in (
                (lambda: None, "ready"),
                (lambda: service.lost("camera", "Its cable is off."), "alert"),
                (lambda: service.back("camera"), "ready"),
            ):
                happens()
                await ear.until(lambda: (ear.last("/state") or {}).get("state") == state)  # noqa: B023
                told.append(state)
        return told

    try:
        assert asyncio.run(meet()) == ["ready", "alert", "ready"]
    finally:
        broker.stop()


def test_home_assistant_is_told_of_the_table_where_the_settings_say_so(tmp_path):
    """By its names there, and with the version that runs."""
    broker = Mosquitto(tmp_path)
    broker.start()

    async def meet():
        settings = BrokerSettings(kind="mqtt", port=broker.port, home_assistant=True)
        made = replace(plan(tmp_path, broker=settings), address=BrokerAddress(port=broker.port))
        async with Observer(broker.port, "homeassistant/#") as ear, Service(made):
            await ear.until(lambda: ear.heard)
            return ear.heard[0]

    try:
        topic, payload, _ = asyncio.run(meet())
    finally:
        broker.stop()
    told = json.loads(payload)
    assert topic == "homeassistant/device/schlitten-whole/table/config"
    assert told["device"]["name"] == "Schlitten whole table"
    assert told["device"]["sw_version"] == told["origin"]["sw_version"] == version("schlitten")


def test_the_staff_can_see_whether_it_has_all_of_its_events(tmp_path):
    """A number and a stream, retained; the public cannot: its picture counts its own alone."""
    broker = Mosquitto(tmp_path)
    broker.start()

    async def meet():
        settings = BrokerSettings(kind="mqtt", port=broker.port)
        made = replace(plan(tmp_path, broker=settings), address=BrokerAddress(port=broker.port))
        async with Observer(broker.port, "#") as ear, Service(made) as service:
            service.lost("camera", "Its cable is off.")  # tells the staff what is amiss
            await ear.until(lambda: (ear.last("/croupier/picture") or {}).get("seq") == 1)
            await ear.until(lambda: ear.last("/info"))
            limits = ear.last("/info")["limits"]
            return ear.last("/croupier/picture"), service.journal.stream, limits

    try:
        told, stream, limits = asyncio.run(meet())
    finally:
        broker.stop()
    assert told == {"seq": 1, "stream": stream}
    assert limits == {"least_stake": 2, "least_pot": 10}

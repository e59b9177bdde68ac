"""An earlier run's reports of devices and parts do not stay once these work, or are gone."""

from __future__ import annotations

import asyncio
import socket
from dataclasses import replace

import pytest
from msgspec.structs import replace as changed

from table_controller.adapters.broker import EmbeddedBroker
from table_controller.engine.table import offers
from table_controller.engine.table.devices import LID
from table_controller.wiring.app import Service
from table_controller.wiring.config import BrokerSettings, PageSettings
from table_controller.wiring.plan import evening_accounts, own_address
from tests.brokers import free_port
from tests.whole import wired
from tests.whole.lips import until
from tests.whole.plans import paged, plan

DEVICES = ("board", "broker", "page", "pins", "camera", "module", "beam", "recording", "reading")
OURS = ("disk-watch", "health", "watchdog", "metrics", "button")


def alerts(service):
    """The ids of what is open."""
    return {alert.id for alert in service.game.alerts(service.table.state)}


def test_a_page_that_is_served_now_is_no_alert(tmp_path):
    """Its port was another program's in the run before."""
    taken = socket.create_server(("127.0.0.1", 0))
    own = replace(paged(tmp_path), page=PageSettings(port=taken.getsockname()[1]))

    async def play():
        async with Service(own) as service:
            await until(lambda: alerts(service) == {"device-page"})
        taken.close()
        async with Service(own) as service:
            assert service.url
            await until(lambda: not alerts(service))

    asyncio.run(play())


def test_pins_that_are_open_now_are_no_alert(tmp_path):
    """They were another program's in the run before."""

    async def play():
        async with wired.table(tmp_path, "pins") as served:
            served.service.lost("pins", "Another program has them.")
            await until(lambda: served.alerts() == {"device-pins"})
        async with wired.table(tmp_path, "pins") as served:
            await until(lambda: not served.alerts())

    asyncio.run(play())


def test_a_broker_that_is_connected_now_is_no_alert(tmp_path):
    """There was none in the run before; the first connection says so."""
    port = free_port()
    made = plan(tmp_path, board="", broker=BrokerSettings(kind="mqtt", host="127.0.0.1", port=port))
    accounts = evening_accounts(made.table)
    own = replace(made, page=None, address=changed(own_address(accounts), port=port))

    async def play():
        async with Service(own) as service:
            await until(lambda: alerts(service) == {"device-broker"})
        broker = EmbeddedBroker(accounts, port=port)
        await broker.start()
        async with Service(own) as service:
            await until(lambda: not alerts(service))
        await broker.stop()

    asyncio.run(play())


def test_what_the_settings_leave_out_is_no_alert(tmp_path):
    """Board, lid, broker, page, pins and reader of the run before, and faults of its own parts."""
    whole = replace(paged(tmp_path), board="twin")
    bare = replace(whole, board="", page=None, reads=False)

    async def play():
        async with Service(whole) as service:
            await until(lambda: service.board.status.connected)
            service.board.twin.set_sensor(wired.LID, active=True)
            for part in (*DEVICES, *OURS):
                service.lost(part, "It is away.")
            await until(lambda: len(alerts(service)) == len(DEVICES) + len(OURS) + 1)
            assert LID in alerts(service)
        async with Service(bare) as service:
            await until(lambda: not alerts(service))

    asyncio.run(play())


def test_what_is_set_and_still_away_stays_an_alert(tmp_path):
    """Nothing has said yet that camera and board are there; somebody is to count what lay there."""
    own = replace(paged(tmp_path), page=None, board=str(tmp_path / "unplugged"))
    away = {"device-board", "device-camera", "device-frames"}

    async def play():
        async with Service(own) as service:
            for part in ("camera", "frames"):
                service.lost(part, "It is away.")
            await until(lambda: alerts(service) == away)
        async with Service(own) as service:
            await service.table.ask(service.game.read("seat 1 sits 100 Anna"))
            assert alerts(service) == away

    asyncio.run(play())


@pytest.mark.parametrize("number", [1, 2], ids=["pressed in vain", "taken"])
def test_a_good_press_clears_the_fault_of_a_bad_one(tmp_path, monkeypatch, number):
    """A fault of the program, in one press; the next one finds the buttons well."""
    faults = [ValueError("a fault of ours")]

    def answering(picture, name, whole=offers.answering):
        if faults:
            raise faults.pop()
        return whole(picture, name)

    monkeypatch.setattr(offers, "answering", answering)

    async def play():
        async with wired.table(tmp_path, "twin") as served:
            await served.play(*wired.DEALING, *wired.FOUR)
            served.wires.press(number)
            await until(lambda: served.alerts() == {"device-button"})
            served.wires.press(number)
            await until(lambda: not served.alerts())

    asyncio.run(play())

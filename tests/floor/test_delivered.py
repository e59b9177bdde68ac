"""From a real table's alert to people, and from the floor's page back into the table's journal."""

from __future__ import annotations

import asyncio
import json

import httpx

from table_controller.adapters.broker_rules import BrokerAccount, BrokerRole, User, table_user
from table_controller.adapters.mosquitto import proof
from table_controller.adapters.mqtt_link import BrokerAddress
from table_controller.adapters.mqtt_names import TableId
from table_controller.commands.floor.page import paged
from table_controller.engine.messages import DeviceBack, DeviceLost, Role
from table_controller.engine.table.persons import AccountAdded, PersonAdded
from table_controller.floor.alerts import AlertSettings, MailSettings, PersonSettings, RuleSettings
from table_controller.floor.floor import Floor
from table_controller.floor.watch import Lookout
from table_controller.service.sealing import Keys
from table_controller.wiring import config, tasks
from table_controller.wiring.app import Service
from table_controller.wiring.config import BrokerSettings
from table_controller.wiring.plan import Plan
from tests.floor import sinks
from tests.limits import PATIENCE_S

AT = TableId("casino", "one")
SECRET = "the table's"


def settings(sink, hook):
    return AlertSettings(
        people={
            "anna": PersonSettings(mail="anna@floor.example"),
            "pit": PersonSettings(webhook=f"http://127.0.0.1:{hook.server_port}/x"),
        },
        rules={"all": RuleSettings(sites=("casino",), people=("anna", "pit"))},
        mail=MailSettings(
            host="127.0.0.1", port=sink.server_address[1], sender="floor@floor.example", tls="none"
        ),
    )


def plan(folder, port):
    return Plan(
        table=AT,
        house=config.house("zoppot-1934"),
        keys=Keys.derive(b"f" * 32),
        journal=folder / "table.db",
        broker=BrokerSettings(kind="mqtt", port=port),
        address=BrokerAddress(port=port, username=table_user(AT), password=SECRET),
    )


async def until(holds):
    async with asyncio.timeout(PATIENCE_S):
        while not holds():
            await asyncio.sleep(0.05)


async def joined(service):
    """Somebody called Floor, a technician, has the floor's account at this table."""
    for said in (
        PersonAdded(actor="console", name="Chef", role=Role.SUPERVISOR, proof="any"),
        PersonAdded(actor="console", name="Floor", role=Role.TECHNICIAN),
        AccountAdded(actor="console", name="Floor", account="floor", proof=proof("any")),
    ):
        await service.table.ask(said)


def actors(service):
    """Who acknowledged what, by the table's journal."""
    with_body = (row for row in service.journal.archive.inputs() if row.body)
    said = (json.loads(row.body) for row in with_body)
    return [(one["actor"], one["alert"]) for one in said if one["type"] == "alert_acknowledged"]


async def evening(folder, sink, hook):
    guest = BrokerAccount(User(table_user(AT), BrokerRole.TABLE, AT), SECRET)
    floor_folder = folder / "floor"
    floor_folder.mkdir()
    async with (
        Floor(floor_folder, port=0, guests=(guest,)) as floor,
        paged(floor, 0, settings(sink, hook)) as url,
        Service(plan(folder, floor.broker.port)) as service,
        httpx.AsyncClient(base_url=url, timeout=PATIENCE_S) as browser,
    ):

        async def seen(**pressed):
            press = {"site": "casino", "table": "one", **pressed}
            answer = await browser.post("/alerts/seen", json=press, headers={"Origin": url})
            return answer.json()

        await joined(service)
        await until(lambda: AT in floor.live.there())
        lost = DeviceLost(actor="service", device="camera", why="no frames")
        await service.table.ask(lost)
        await until(lambda: sink.mails and hook.posts)
        before = (await browser.get("/alerts")).text
        foreign = await browser.post("/alerts/seen", json={}, headers={"Origin": "http://evil"})
        wrong = await seen(alert="none")
        first = await seen(alert="device-camera")
        await until(lambda: floor.live.tables[AT].alerts["device-camera"].acknowledged)
        after = (await browser.get("/alerts")).text
        await service.table.ask(DeviceBack(actor="service", device="camera"))
        await until(lambda: not floor.live.tables[AT].alerts)
        metrics = (await browser.get("/metrics")).text
        return before, foreign.status_code, wrong, first, after, actors(service), metrics


def test_an_alert_reaches_people_and_who_saw_it_stands_in_the_tables_journal(tmp_path):
    with sinks.mail_sink() as sink, sinks.hook() as hook:
        found = asyncio.run(evening(tmp_path, sink, hook))
        ((to, mail), *_), (post, *_) = sink.mails, hook.posts
    before, foreign, wrong, first, after, actors_, metrics = found

    sentence = "casino/one, warning: No answer from: camera."
    assert to == ["anna@floor.example"]
    assert mail["Subject"].startswith(sentence)
    assert "/alerts" in mail.get_content()
    assert post["title"].startswith(sentence)
    assert post["text"] == f"{post['title']}\n{post['message']}"
    assert "No answer from: camera." in before
    assert "told: anna, pit" in after
    assert foreign == 403
    assert wrong == {"ok": False, "why": "This alert is over. Nothing is to be done."}
    assert first == {"ok": True, "why": ""}
    assert "seen by this machine" in after
    assert actors_ == [("technician:Floor [this machine]", "device-camera")]
    assert 'schlitten_floor_table_up{site="casino",table="one"} 1.0' in metrics


def test_a_fault_in_the_watch_over_the_tables_does_not_end_it(tmp_path, monkeypatch):
    """The task begins again: an alert after that is told."""
    looks = []

    def look(_self):
        looks.append(len(looks))
        if len(looks) == 1:
            raise RuntimeError
        return []

    monkeypatch.setattr(Lookout, "look", look)
    monkeypatch.setattr(tasks, "AGAIN_S", 0.01)

    async def evening():
        async with Floor(tmp_path, port=0) as floor, paged(floor, 0):
            await until(lambda: len(looks) > 1)

    asyncio.run(evening())


def test_a_table_that_does_not_know_the_floor_says_why(tmp_path):
    """Its people decide who may say what; the floor's name adds no right."""

    async def asked():
        guest = BrokerAccount(User(table_user(AT), BrokerRole.TABLE, AT), SECRET)
        async with (
            Floor(tmp_path, port=0, guests=(guest,)) as floor,
            Service(plan(tmp_path, floor.broker.port)) as service,
        ):
            await until(lambda: AT in floor.live.there())
            await service.table.ask(DeviceLost(actor="service", device="camera", why="no frames"))
            await until(lambda: floor.live.tables[AT].alerts)
            boot = floor.live.tables[AT].boot
            ask = floor.listener.asking.ask
            seen = {"alert": "device-camera"}
            return await ask(AT, boot, "alert_acknowledged", seen, "Anna"), actors(service)

    answer, noted = asyncio.run(asked())

    assert (answer.ok, answer.why) == (False, "Only the table's staff may do that.")
    assert noted == []

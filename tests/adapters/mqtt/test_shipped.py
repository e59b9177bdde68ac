"""The shipped Mosquitto configuration and the page on topics, used as their readers would."""

import asyncio
import datetime
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from table_controller.adapters.mqtt_link import BrokerAddress, LinkLost, connect
from table_controller.adapters.mqtt_messages import TableState, answer_message, state_message
from table_controller.adapters.mqtt_names import Request
from table_controller.adapters.mqtt_requests import Desk
from table_controller.wiring import config
from tests.adapters.mqtt.kit import (
    BOOT,
    PASSWORDS,
    ROOT,
    TABLE,
    Box,
    OwnBroker,
    RealBroker,
    serving,
    talking,
)
from tests.brokers import SHIPPED, Mosquitto, free_port
from tests.certificates import Authority
from tests.limits import PATIENCE_S

PAGE = Path(__file__).parents[3] / "docs" / "TOPICS.md"
CHANNELS = PAGE.parent / "asyncapi-chemin-de-fer.json"
NAME = "table-casino-one"


@pytest.fixture(scope="module")
def production(tmp_path_factory):
    """A Mosquitto with the shipped configuration; paths and ports are a test's, all else is not."""
    folder = tmp_path_factory.mktemp("schlitten")
    authority = Authority(folder)
    authority.sign("broker", "broker")
    authority.sign("table", NAME)
    (folder / "schlitten.acl").write_text((SHIPPED / "schlitten.acl").read_text())
    (folder / "mosquitto.passwd").write_text("anna:for-anna\n")
    subprocess.run(["mosquitto_passwd", "-U", folder / "mosquitto.passwd"], check=True)
    people, tables = free_port(), free_port()
    text = (SHIPPED / "mosquitto.conf").read_text()
    for ours, theirs in (
        ("/etc/schlitten", str(folder)), ("listener 8883", f"listener {people} 127.0.0.1"),
        ("listener 8884", f"listener {tables} 127.0.0.1"),
        ("/var/lib/mosquitto/", f"{folder}/"), ("log_dest syslog", "log_dest stderr\nuser root"),
        ("log_type error", "log_type all"),
    ):  # fmt: skip
        assert ours in text
        text = text.replace(ours, theirs)
    broker = Mosquitto(folder)
    (folder / "mosquitto.conf").write_text(text)
    broker.start()
    yield folder, people, tables
    broker.stop()


def talk(port, folder, **who):
    """Connect, publish the state, and return once it is acknowledged; or raise LinkLost."""

    async def work():
        acknowledged = asyncio.get_running_loop().create_future()
        will = state_message(TableState.LOST, BOOT, TABLE)
        link = await connect(
            BrokerAddress(port=port, ca=folder / "ca.pem", **who), "x", will,
            lambda *_: None, acknowledged.set_result,
        )  # fmt: skip
        link.publish(state_message(TableState.READY, BOOT, TABLE))
        async with asyncio.timeout(PATIENCE_S):
            await acknowledged
        link.close()
        return True

    return asyncio.run(work())


def test_a_table_comes_in_with_its_certificate(production):
    """TLS with an authority of the house; the certificate's name is the user."""
    folder, _, tables = production

    assert talk(
        tables, folder, certificate=folder / "table.pem", key=folder / "table.key"
    )  # fmt: skip


def test_nobody_comes_in_at_the_tables_port_without_one(production):
    """A password does not help there."""
    folder, _, tables = production

    with pytest.raises(LinkLost):
        talk(tables, folder, username="anna", password="for-anna")


def test_a_broker_of_another_authority_is_not_trusted(production, tmp_path):
    """The table says so instead of talking to it."""
    folder, _, tables = production
    Authority(tmp_path)

    with pytest.raises(LinkLost, match="certificate verify failed"):
        talk(tables, tmp_path, certificate=folder / "table.pem", key=folder / "table.key")


def test_certificates_that_cannot_be_read_are_named(production, tmp_path):
    """Before anything is connected."""
    _, _, tables = production

    with pytest.raises(LinkLost, match="certificates cannot be used"):
        talk(tables, tmp_path / "nowhere")


def test_people_come_in_with_a_password_and_tls_only(production):
    """Plain MQTT is no connection there."""
    folder, people, _ = production
    subscribe = ["mosquitto_sub", "-p", str(people), "-u", "anna", "-P", "for-anna",
                 "-t", f"{ROOT}/state", "-C", "1", "-W", "3"]  # fmt: skip
    talk(production[2], folder, certificate=folder / "table.pem", key=folder / "table.key")
    with_tls = subprocess.run(
        [*subscribe, "-h", "127.0.0.1", "--cafile", folder / "ca.pem"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    without = subprocess.run(
        [*subscribe, "-h", "127.0.0.1"], capture_output=True, text=True, check=False
    )

    assert json.loads(with_tls.stdout)["data"]["state"] == "ready"
    assert without.returncode
    assert not without.stdout


def test_the_loopback_file_differs_in_paths_only(tmp_path):
    """A Mosquitto starts with it, and lets nobody in without a name."""
    (tmp_path / "schlitten.acl").write_text((SHIPPED / "schlitten.acl").read_text())
    (tmp_path / "mosquitto.passwd").write_text("")
    text = (SHIPPED / "loopback.conf").read_text()
    broker = Mosquitto(tmp_path)
    (tmp_path / "mosquitto.conf").write_text(
        text.replace("/etc/schlitten", str(tmp_path)).replace("1883", str(broker.port))
        + "user root\nlog_type all\n"
    )
    broker.start()
    try:
        with pytest.raises(LinkLost, match="refused us"):
            asyncio.run(_plain(broker.port))
    finally:
        broker.stop()


async def _plain(port):
    will = state_message(TableState.LOST, BOOT, TABLE)
    return await connect(BrokerAddress(port=port), "x", will, lambda *_: None, lambda _: None)


def test_the_example_of_a_table_reaches_this_broker():
    """systemd/table.toml: port, authority, certificate and topics are as in the shipped files."""
    settings = config.load(SHIPPED.parent / "table.toml")
    table, broker = settings.table, settings.broker
    listeners = (SHIPPED / "mosquitto.conf").read_text().split("\nlistener ")
    of_tables = next(text for text in listeners if "require_certificate true" in text).splitlines()
    blocks = (SHIPPED / "schlitten.acl").read_text().split("\nuser ")
    of_table = next(text for text in blocks if text.startswith(f"{NAME}\n"))

    assert (table.site, table.name) == (TABLE.site, TABLE.table)
    assert f"topic write schlitten/2/{table.site}/{table.name}/state" in of_table
    assert broker.kind == "mqtt"
    assert str(broker.port) == of_tables[0] == "8884"
    assert f"cafile {broker.ca}" in of_tables
    assert broker.certificate
    assert broker.key
    assert (broker.certificate.stem, broker.key.stem) == (NAME, NAME)
    assert (broker.username, broker.password) == ("", None)  # the certificate's name is the user


def test_the_page_on_topics_has_every_kind_of_topic():
    """One row for each of the document's channels."""
    text = PAGE.read_text()
    for channel in json.loads(CHANNELS.read_text())["channels"].values():
        below = channel["address"].removeprefix("schlitten/2/{site}/{table}/")
        below = re.sub(r"\{(\w+)\}", r"<\1>", below).replace("<alert>", "<id>")
        below = re.sub(r"event/\w+", "event/<type>", below)
        below = re.sub(r"^request/<user>/\w+", "request/<user>/<command>", below)

        assert f"| `{below}` |" in text


#: How a program of the page is called; Debian's Node.js finds Debian's packages by itself.
CALLED = {"python": (sys.executable, "-c"), "javascript": ("node", "-e")}
NODE = Path("/usr/share/nodejs/mqtt")


@pytest.mark.parametrize("language", CALLED)
@pytest.mark.parametrize("kind", [RealBroker, OwnBroker])
def test_the_pages_client_prints_every_event_once_and_in_order(kind, language, tmp_path):
    """From the page, as it stands there: 250 events before it came, and 30 while it listens."""
    if language == "javascript" and not (shutil.which("node") and NODE.exists()):
        pytest.skip("no Node.js with mqtt here: apt install node-mqtt")
    (code,) = re.findall(rf"```{language}\n(.*?)```", PAGE.read_text(), re.DOTALL)

    async def work():
        box = Box()
        box.add_public(250)
        async with serving(kind, tmp_path) as broker, talking(broker.port, box=box):
            client = await asyncio.create_subprocess_exec(
                *CALLED[language], code, "127.0.0.1", str(broker.port), "guest",
                PASSWORDS["guest"], ROOT, stdout=subprocess.PIPE,
                env={**os.environ, "NODE_PATH": str(NODE.parent)},
            )  # fmt: skip
            found = []
            async with asyncio.timeout(PATIENCE_S):
                while len(found) < 280:
                    found.append((await client.stdout.readline()).split(b" ", 2))
                    if len(found) == 250:
                        box.add_public(30)
            client.terminate()
            await client.wait()
            return found

    found = asyncio.run(work())

    assert [int(number) for number, *_ in found] == list(range(1, 281))
    assert {kind for _, kind, _ in found} == {b"schlitten.card_drawn"}


def test_the_pages_answer_is_as_the_table_gives_it():
    blocks = re.findall(r"```json\n(.*?)```", PAGE.read_text(), re.DOTALL)
    (told,) = (json.loads(text.replace("[…]", "[]")) for text in blocks if "transaction" in text)
    given = answer_message(
        "guest", "replay", {"transaction": "5f1c0c5e", "ok": True, "audience": "public",
                            "events": [], "next": None}, BOOT, TABLE,
    )  # fmt: skip
    said = json.loads(given.payload)

    assert told.keys() == said.keys()
    assert told["data"].keys() == said["data"].keys()
    assert told["type"] == said["type"]


def test_the_pages_requests_are_understood():
    """Both examples, as they stand there."""
    blocks = re.findall(r"```json\n(.*?)```", PAGE.read_text(), re.DOTALL)
    replay, command = (text for text in blocks if "/scoreboard" in text or "/tablet" in text)
    said = []

    async def say(what, actor):
        said.append((what, actor))

    async def unseen(_):
        return False

    async def ask():
        at = datetime.datetime.fromisoformat("2026-11-20T21:14:06+00:00").timestamp()
        desk = Desk(
            TABLE, Box(), boot="…", staff={"anna": "croupier"}.get, commands=frozenset({"spoke"}),
            say=say, seen_before=unseen, now=lambda: at,
        )  # fmt: skip
        return (
            await desk.answer(Request("guest", "replay"), replay.encode()),
            await desk.answer(Request("anna", "spoke"), command.encode()),
        )

    first, second = asyncio.run(ask())

    assert first["ok"]
    assert second["ok"], second
    assert said == [({"type": "spoke", "prompt": 41, "seat": 3, "word": "carte"}, "croupier")]

"""The embedded broker: whom it admits, and which loads it withstands."""

import asyncio
import contextlib
import os
import re
import shutil
import socket
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from table_controller.adapters import broker as broker_module
from table_controller.adapters.addresses import CannotServe, listening
from table_controller.adapters.broker import EmbeddedBroker
from table_controller.adapters.broker_rules import BrokerAccount, BrokerRole, User
from table_controller.adapters.mosquitto import proof
from table_controller.engine.messages import Audience
from tests.adapters.mqtt.kit import PASSWORDS, ROOT, TABLE, USERS, OwnBroker, serving, talking
from tests.adapters.mqtt.packets import code, connect_packet, raw, text
from tests.brokers import Observer
from tests.limits import PATIENCE_S

SUB = shutil.which("mosquitto_sub")


def watching(broker, *patterns, user="guest"):
    return Observer(
        broker.port, *(f"{ROOT}/{p}" for p in patterns), user=user, password=PASSWORDS[user]
    )


def test_a_taken_port_is_a_sentence_with_a_remedy():
    """It names the port and how to see who has it."""

    async def begin():
        with socket.create_server(("127.0.0.1", 0)) as other:
            port = other.getsockname()[1]
            broker = EmbeddedBroker([], port=port)
            with pytest.raises(CannotServe, match=f"port {port} at 127.0.0.1") as caught:
                await broker.start()
            await broker.stop()
            return str(caught.value)

    assert "taken by another program" in asyncio.run(begin())


def test_any_free_port_is_another_one_where_somebody_took_the_first(monkeypatch):
    """Between the choice of a port and Mosquitto's own bind, another program may take the port."""

    async def begin():
        with socket.create_server(("127.0.0.1", 0)) as other:
            chosen = [contextlib.nullcontext(other), listening("127.0.0.1", 0)]
            monkeypatch.setattr(broker_module, "listening", lambda *_: chosen.pop(0))
            broker = EmbeddedBroker([], port=0)
            await broker.start()
            ports = broker.port, other.getsockname()[1]
            await broker.stop()
            return ports

    own, others = asyncio.run(begin())

    assert own not in (0, others)


def test_it_serves_this_machine_only():
    """An address of a network is refused, and Mosquitto named instead."""
    with pytest.raises(CannotServe, match=r"not '0\.0\.0\.0'.*Mosquitto with TLS"):
        EmbeddedBroker([], host="0.0.0.0")


def test_ctrl_c_at_a_terminal_is_not_for_the_broker():
    """A terminal tells its foreground group; the table ends the broker itself, without an alert."""

    async def group():
        async with serving(OwnBroker, None) as broker:
            return os.getpgid(broker.broker.pid)

    assert asyncio.run(group()) != os.getpgrp()


@pytest.mark.parametrize(
    ("user", "password", "expected"),
    [
        ("guest", PASSWORDS["guest"], 0),
        ("guest", PASSWORDS["anna"], 5),
        ("guest", "", 5),
        ("nobody", "", 5),
        ("nobody", PASSWORDS["guest"], 5),
        ("", "", 5),
    ],
)
def test_only_a_name_with_its_password_comes_in(user, password, expected):
    """Whatever else he says."""

    async def knock():
        async with serving(OwnBroker, None) as broker:
            return await code(broker.port, connect_packet(user, password))

    assert asyncio.run(knock()) == expected


def test_without_name_and_password_nobody_comes_in():
    """Nor does an anonymous client at the table's own socket."""
    anonymous = b"\x10\x0f" + text("MQTT") + b"\x04\x02\x00\x3c" + text("raw")

    async def knock():
        async with serving(OwnBroker, None) as broker:
            reader, writer = await asyncio.open_unix_connection(broker.broker.socket)
            writer.write(anonymous)
            inside = await reader.readexactly(4)
            writer.close()
            return await code(broker.port, anonymous), inside[3]

    assert asyncio.run(knock()) == (5, 5)


def test_a_persons_secret_is_known_by_its_proof():
    """The same that a Mosquitto's password file holds; it is no secret itself."""
    kept = proof("tulip")

    async def knock():
        broker = EmbeddedBroker([BrokerAccount(User("eva", BrokerRole.GUEST, TABLE), kept)], port=0)
        await broker.start()
        try:
            return [
                await code(broker.port, connect_packet("eva", password))
                for password in ("tulip", "rose", kept[:80], "")
            ]
        finally:
            await broker.stop()

    assert asyncio.run(knock()) == [0, 5, 5, 5]


def test_accounts_show_no_secret():
    """Neither in a log line nor in an error."""
    assert "hush" not in repr(BrokerAccount(User("eva", BrokerRole.GUEST, TABLE), "hush"))


def test_nobody_takes_anothers_place():
    """A stranger, or another user, with the table's client id disturbs nothing."""

    async def evening():
        async with serving(OwnBroker, None) as broker, talking(broker.port) as table:
            await table.publisher.told()
            for name in (TABLE.client_id, "table", "anna"):
                await code(broker.port, connect_packet("table", "wrong", client=name))
                await code(broker.port, connect_packet("guest", PASSWORDS["guest"], client=name))
            async with watching(broker, "event/+") as guest:
                table.box.add_public(3)
                await guest.until(lambda: len(guest.events()) == 3)
            return table.troubles

    assert asyncio.run(evening()) == []


def test_a_client_that_comes_again_ends_its_older_connection():
    """As MQTT asks; its last will is told before."""
    will = f"{ROOT}/state"

    async def evening():
        async with serving(OwnBroker, None) as broker, watching(broker, "state") as guest:
            connect = connect_packet("table", PASSWORDS["table"], client="any", will=will)
            older, _ = await raw(broker.port, connect)
            await older.readexactly(4)
            newer, _ = await raw(broker.port, connect)
            accepted = await newer.readexactly(4)
            await guest.until(lambda: guest.heard)
            return accepted[3], await older.read()

    assert asyncio.run(evening()) == (0, b"")


def test_nobody_is_sent_what_he_did_not_subscribe_to():
    """What is retained for others stays theirs."""

    async def evening():
        async with (
            serving(OwnBroker, None) as broker,
            talking(broker.port) as table,
            watching(broker, "#", user="anna") as anna,
        ):
            await anna.until(lambda: anna.last("/snapshot"))
            async with watching(broker, "event/+") as guest:
                table.box.add_public(1)
                await guest.until(guest.events)
                return [topic for topic, *_ in guest.heard]

    assert asyncio.run(evening()) == [f"{ROOT}/event/card_drawn"]


def test_a_guests_last_will_cannot_speak_for_the_table():
    """He is let in, and what he left to be said is not said."""
    will = f"{ROOT}/state"

    async def evening():
        async with (
            serving(OwnBroker, None) as broker,
            watching(broker, "#", user="anna") as anna,
            talking(broker.port) as table,
        ):
            await anna.until(lambda: anna.last("/state"))
            packet = connect_packet("guest", PASSWORDS["guest"], will=will)
            reader, writer = await raw(broker.port, packet)
            await reader.readexactly(4)
            writer.transport.abort()
            table.box.add_public(1)
            await anna.until(anna.events)
            return [payload for _, payload, _ in anna.heard]

    assert not [payload for payload in asyncio.run(evening()) if b"spoofed" in payload]


@settings(max_examples=40, suppress_health_check=list(HealthCheck))
@given(
    noise=st.lists(st.binary(max_size=60), max_size=4),
    admitted=st.booleans(),
)
def test_no_bytes_disturb_the_others(noise, admitted):
    """Neither before nor after CONNECT."""

    async def evening():
        async with serving(OwnBroker, None) as broker, talking(broker.port) as table:
            first = connect_packet("guest", PASSWORDS["guest"]) if admitted else b""
            _, writer = await raw(broker.port, first + b"".join(noise))
            with contextlib.suppress(OSError):  # it may be let go already
                writer.write_eof()
            async with watching(broker, "event/+", user="anna") as anna:
                table.box.add_public(1)
                await anna.until(anna.events)
            writer.close()
            return table.troubles

    assert asyncio.run(evening()) == []


@pytest.mark.parametrize("start", [b"", connect_packet("guest", PASSWORDS["guest"])])
def test_a_packet_of_any_size_is_not_read(start):
    """It says it is 256 MiB; the connection ends instead."""
    huge = b"\x30\xff\xff\xff\x7f\x00\x04room" if start else b"\x10\xff\xff\xff\x7f\xff\xff"

    async def evening():
        async with serving(OwnBroker, None) as broker:
            reader, writer = await raw(broker.port, start + huge)
            async with asyncio.timeout(PATIENCE_S):
                with contextlib.suppress(ConnectionError):
                    await reader.read()
            writer.close()

    asyncio.run(evening())


@pytest.mark.parametrize("qos", [0, 1])
def test_a_client_that_never_reads_costs_the_others_nothing(qos):
    """What it leaves unread does not fill the memory; others get all."""
    subscribe = b"\x82" + bytes([5 + len(ROOT) + 2]) + b"\0\1" + text(ROOT + "/#") + bytes([qos])

    async def evening():
        async with (
            serving(OwnBroker, None) as broker,
            talking(broker.port) as table,
            watching(broker, "event/+", user="anna") as anna,
        ):
            idle = socket.create_connection(("127.0.0.1", broker.port))
            idle.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            idle.sendall(connect_packet("guest", PASSWORDS["guest"]) + subscribe)
            for _ in range(100):  # 80 MB: more than the kernel keeps for it, and than the bound
                table.box.add(*[Audience.PUBLIC] * 20, text="x" * 40_000)
                await anna.until(lambda: len(anna.heard) == len(table.box.rows))
            idle.close()
            return resident(broker.broker.pid), table.troubles

    kib, troubles = asyncio.run(evening())

    assert kib < 80 * 1024
    assert troubles == []


def resident(pid):
    """KiB of a process."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+) kB", status)[1])


@pytest.mark.skipif(not SUB, reason="no mosquitto_sub here (Debian: mosquitto-clients)")
def test_a_foreign_client_gets_retained_and_live_messages():
    """mosquitto_sub reads the state that was there, and the event that comes."""

    async def evening():
        async with serving(OwnBroker, None) as broker, talking(broker.port) as table:
            await table.publisher.told()
            sub = await asyncio.create_subprocess_exec(
                SUB, "-p", str(broker.port), "-u", "guest", "-P", PASSWORDS["guest"], "-q", "1",
                "-t", f"{ROOT}/state", "-t", f"{ROOT}/event/+", "-F", "%r %t", "-C", "2",
                stdout=subprocess.PIPE,
            )  # fmt: skip
            first = await sub.stdout.readline()
            table.box.add_public(1)
            second = await sub.stdout.readline()
            await sub.wait()
            return first.decode().split(), second.decode().split()

    assert asyncio.run(evening()) == (
        ["1", f"{ROOT}/state"], ["0", f"{ROOT}/event/card_drawn"]
    )  # fmt: skip


def test_whoever_crowds_the_port_does_not_crowd_out_the_table():
    """It comes in by a socket of its own; who was connected stays so."""

    async def evening():
        async with serving(OwnBroker, None) as broker, watching(broker, "#", user="anna") as anna:
            silent = [await raw(broker.port, b"\x10") for _ in range(300)]
            with contextlib.suppress(ConnectionError):
                await silent[-1][0].read()  # one too many
            async with talking(broker) as table:
                table.box.add_public(1)
                await anna.until(anna.events)
            for _, line in silent:
                line.transport.abort()
            return table.troubles

    assert asyncio.run(evening()) == []


def test_users_are_those_of_both_brokers():
    """The tests' own: one of each role at a table's broker."""
    assert [user.role for user in USERS] == [
        role for role in BrokerRole if role is not BrokerRole.OF_FLOOR
    ]

"""Every row arrives in order, even if the broker, the line or the table itself fails."""

import asyncio
import json
import socket
import sys
from pathlib import Path

import pytest

from table_controller.adapters import mqtt_link, mqtt_publisher
from table_controller.adapters.mqtt_link import BrokerAddress, LinkLost, connect
from table_controller.adapters.mqtt_messages import Message, TableState, state_message
from tests.adapters.mqtt.kit import (
    BOOT,
    IMPATIENT,
    PASSWORDS,
    ROOT,
    TABLE,
    RealBroker,
    serving,
    talking,
)
from tests.adapters.mqtt.proxy import Proxy
from tests.brokers import Observer, free_port
from tests.limits import PATIENCE_S

CHILD = Path(__file__).parent / "child.py"


def watching(broker, *patterns):
    return Observer(
        broker.port, *(f"{ROOT}/{p}" for p in patterns), user="guest", password=PASSWORDS["guest"]
    )


def seqs(observer):
    return [told["seq"] for told in observer.events()]


def test_lost_acknowledgements_repeat_rows_but_lose_none(tmp_path):
    """A broker whose PUBACK never comes counts as gone; by their ids the rows come once."""

    async def evening():
        async with (
            serving(RealBroker, tmp_path) as broker,
            Proxy(broker.port) as line,
            watching(broker, "event/+") as guest,
            talking(line.port, pace=IMPATIENT) as table,
        ):
            table.box.add_public(40)
            await table.publisher.told()
            line.deaf = True
            table.box.add_public(40)
            await table.until(lambda: table.lost)
            line.deaf = False
            await table.publisher.told()
            await guest.until(lambda: len(guest.events()) == 80)
            return guest, line, table

    guest, line, table = asyncio.run(evening())

    assert seqs(guest) == list(range(1, 81))
    assert len(guest.heard) > 80
    assert line.dropped
    assert not table.box.waiting
    assert "acknowledged nothing" in table.troubles[0]


def test_a_broker_that_hangs_delays_rows_and_loses_none(tmp_path):
    """Frozen, it is noticed and reported; thawed, it gets the rest in order."""

    async def evening():
        async with (
            serving(RealBroker, tmp_path) as broker,
            watching(broker, "event/+") as guest,
            talking(broker.port, pace=IMPATIENT) as table,
        ):
            table.box.add_public(10)
            await table.publisher.told()
            broker.freeze()
            table.box.add_public(500)
            await table.until(lambda: table.lost)
            broker.thaw()
            await table.publisher.told()
            await guest.until(lambda: len(guest.events()) == 510)
            return seqs(guest)

    assert asyncio.run(evening()) == list(range(1, 511))


def test_the_table_is_killed_and_started_again_and_again(tmp_path):
    """By kill -9 of the publishing process, rows under way: none is missing or out of order.

    The broker says `lost` each time, and `disconnected` after the clean end.
    """
    rows = 400

    async def evening():
        async with (
            serving(RealBroker, tmp_path) as broker,
            watching(broker, "event/+", "state") as guest,
        ):
            ends = []

            def states():
                return [json.loads(p)["data"]["state"] for t, p, _ in guest.heard if "state" in t]

            for dies in (1, 30, 2, 100, rows):
                child = await asyncio.create_subprocess_exec(
                    sys.executable, CHILD, str(broker.port), str(rows), tmp_path / "m", str(dies)
                )  # fmt: skip
                ends.append(await child.wait())
                await guest.until(lambda: len(states()) == 2 * len(ends))
            await guest.until(lambda: len(guest.events()) == rows)
            return seqs(guest), ends, states()

    got, ends, states = asyncio.run(evening())

    assert got == list(range(1, rows + 1))
    assert ends == [-9, -9, -9, -9, 0]
    assert states == ["ready", "lost"] * 4 + ["ready", "disconnected"]


def test_no_broker_at_all_is_one_sentence(monkeypatch):
    """It names the broker; the table goes on, and nothing is repeated at each attempt."""
    attempts = []

    async def evening():
        enough = asyncio.Event()

        async def attempt(*args):
            attempts.append(args)
            if len(attempts) == 4:
                enough.set()
            return await connect(*args)

        monkeypatch.setattr(mqtt_publisher, "connect", attempt)
        port = free_port()
        async with talking(port) as table:
            table.box.add_public(10)
            await asyncio.wait_for(enough.wait(), PATIENCE_S)
            return table.troubles, port, len(table.box.waiting)

    troubles, port, waiting = asyncio.run(evening())

    assert len(troubles) == 1
    assert f"127.0.0.1:{port}" in troubles[0]
    assert "The table goes on" in troubles[0]
    assert waiting == 10


def test_a_refusal_says_what_to_check(tmp_path, monkeypatch):
    """A wrong password is told as such, and the password is in no text."""

    async def evening():
        async with serving(RealBroker, tmp_path) as broker:
            monkeypatch.setitem(PASSWORDS, "table", "wrong-word")
            async with talking(broker.port) as table:
                await table.until(lambda: table.lost)
                return table.troubles[0]

    sentence = asyncio.run(evening())

    assert "check user name, password" in sentence
    assert "wrong-word" not in sentence


def test_a_second_program_with_the_tables_name_is_suspected(tmp_path):
    """Two that throw each other out are told what to look for."""

    async def evening():
        async with serving(RealBroker, tmp_path) as broker, talking(broker.port) as first:
            await first.publisher.told()
            async with talking(broker.port) as second:
                for table in (
                    first,
                    second,
                ):  # a busy machine may first lose one for another reason
                    await table.until(lambda table=table: _suspects(table))

    asyncio.run(evening())


def _suspects(table):
    return any("second program" in (sentence or "") for sentence in table.troubles)


def test_a_broker_that_accepts_and_says_nothing_is_given_up(monkeypatch):
    """There is a limit to waiting for its answer."""
    monkeypatch.setattr(mqtt_link, "CONNECT_S", 0.05)

    async def evening():
        with socket.create_server(("127.0.0.1", 0)) as silent:
            await _try_to_connect(silent.getsockname()[1])

    with pytest.raises(LinkLost, match="did not answer"):
        asyncio.run(evening())


async def _try_to_connect(port):
    will = state_message(TableState.LOST, BOOT, TABLE)
    return await connect(
        BrokerAddress(port=port), "test", will, lambda *_: None, lambda _: None
    )  # fmt: skip


def test_a_lost_link_publishes_nothing_more(tmp_path):
    """Paho would queue it and send it later, behind our back."""

    async def evening():
        async with serving(RealBroker, tmp_path) as broker:
            address = BrokerAddress(port=broker.port, username="table", password=PASSWORDS["table"])
            will = state_message(TableState.LOST, BOOT, TABLE)
            link = await connect(address, "x", will, lambda *_: None, lambda _: None)
            await broker.crash()
            await link.lost
            with pytest.raises(LinkLost):
                link.publish(Message(TABLE.topic("state"), b"{}"))
            with pytest.raises(LinkLost):
                link.subscribe("#")
            return link

    asyncio.run(evening())


def test_ending_while_a_connection_is_being_made_waits_for_nobody():
    """Ctrl-C is not delayed by a broker that does not answer."""

    async def evening():
        with socket.create_server(("127.0.0.1", 0)) as silent:
            trying = asyncio.create_task(_try_to_connect(silent.getsockname()[1]))
            await asyncio.get_running_loop().sock_accept(_nonblocking(silent))
            trying.cancel()
            async with asyncio.timeout(mqtt_link.CONNECT_S / 2):
                await asyncio.wait([trying])
            return trying.cancelled()

    assert asyncio.run(evening())


def _nonblocking(server):
    server.setblocking(False)
    return server


def test_an_address_never_shows_its_password():
    """Neither in a log line nor in an error."""
    address = BrokerAddress(host="broker.example", username="table", password="hush")

    assert "hush" not in f"{address} {address!r} {[address]}"


#: What somebody may leave lying where the table's own pictures lie, and no table ever told.
NONE_OF_OURS = {
    "a count beyond all numbers": b'{"data": {"count": 9223372036854775808, "chain_head": "00"}}',
    "a count below none": b'{"data": {"count": -1, "chain_head": "00"}}',
    "deeper than any": b'{"data": {"count": 1, "x": ' + b"[" * 5000 + b"]" * 5000 + b"}}",
    "no text": b'{"data": {"count": 1, "chain_head": "\xff"}}',
}


@pytest.mark.parametrize("topic", ["snapshot", "state"])
@pytest.mark.parametrize("left", NONE_OF_OURS)
def test_what_lies_there_and_is_none_of_ours_is_passed_over(left, topic, tmp_path):
    """The table is told of no snapshot, and the broker of all that there is to tell."""

    async def evening():
        faults = []
        asyncio.get_running_loop().set_exception_handler(lambda _, fault: faults.append(fault))
        async with serving(RealBroker, tmp_path) as broker:
            who = {"user": "table", "password": PASSWORDS["table"]}
            async with Observer(broker.port, f"{ROOT}/{topic}", **who) as liar:
                liar.say(f"{ROOT}/{topic}", NONE_OF_OURS[left], retain=True)
                await liar.until(lambda: liar.heard)
            async with talking(broker.port) as table:
                table.box.add_public(3)
                await table.publisher.told()
                return table, faults

    table, faults = asyncio.run(evening())

    assert not faults
    assert not table.lost
    assert not table.found
    assert not table.box.waiting


def test_a_fault_in_hearing_a_message_ends_the_connection(mosquitto, capfd):
    """Paho would hand over the same message for ever: no other is heard, and a core is busy."""

    async def evening():
        faults = []
        asyncio.get_running_loop().set_exception_handler(lambda _, fault: faults.append(fault))

        def heard(topic, payload, retained):
            raise KeyError("7h")

        link = await connect(
            BrokerAddress(port=mosquitto.port),
            "a-table",
            Message("will", b""),
            heard,
            lambda _: None,
        )
        link.subscribe("news")
        link.publish(Message("news", b"7h"))
        async with asyncio.timeout(PATIENCE_S):
            return await asyncio.shield(link.lost), faults

    why, faults = asyncio.run(evening())

    said = capfd.readouterr().err
    assert "fault of the program" in why
    assert not faults
    assert said.count("error=KeyError") == 1
    assert "7h" not in said

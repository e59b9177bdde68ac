"""The embedded broker's door at its limits: filters, connections, packets, and what it counts."""

from __future__ import annotations

import asyncio
import contextlib
import struct

import pytest

from table_controller.adapters import broker_door
from tests.adapters.mqtt.kit import PASSWORDS, ROOT, OwnBroker, serving
from tests.adapters.mqtt.test_embedded import connect_packet, raw, text
from tests.limits import PATIENCE_S

GUEST = ("guest", PASSWORDS["guest"])


@pytest.fixture(autouse=True)
def _no_pause(monkeypatch):
    monkeypatch.setattr(broker_door, "WRONG_PASSWORD_S", 0)


def length(size):
    """A packet's remaining length as MQTT writes it."""
    found = b""
    while True:
        size, digit = divmod(size, 128)
        found += bytes([digit | (0x80 if size else 0)])
        if not size:
            return found


def subscribe(*patterns):
    body = struct.pack("!H", 7) + b"".join(text(one) + b"\x01" for one in patterns)
    return b"\x82" + length(len(body)) + body


async def packet(reader):
    """The next packet's first byte and its body; empty where the line was ended."""
    try:
        async with asyncio.timeout(PATIENCE_S):
            head, size, place = (await reader.readexactly(1))[0], 0, 1
            while (digit := (await reader.readexactly(1))[0]) & 0x80:
                size, place = size + (digit & 0x7F) * place, place * 128
            return head, await reader.readexactly(size + digit * place)
    except (asyncio.IncompleteReadError, ConnectionError):
        return None, b""


def counts(broker):
    return dict(broker._broker._door.counts)


@pytest.mark.parametrize("many", [64, 66])
def test_64_filters_may_be_asked_for(many):
    """Of one session; the others are refused and counted."""

    async def ask():
        async with serving(OwnBroker, None) as broker:
            reader, writer = await raw(broker.port, connect_packet(*GUEST))
            assert await packet(reader) == (0x20, b"\0\0")
            codes = []
            for first in range(0, many, 22):
                asked = [f"{ROOT}/x{n}" for n in range(first, min(first + 22, many))]
                writer.write(subscribe(*asked))
                head, body = await packet(reader)
                assert head == 0x90
                codes += body[2:]
            writer.close()
            return codes, counts(broker)

    codes, counted = asyncio.run(ask())
    assert codes == [1] * 64 + [0x80] * (many - 64)
    assert counted == ({"forbidden": many - 64} if many > 64 else {})


def test_64_may_be_connected():
    """The next one is sent away and counted; when one goes, there is room again."""

    async def knock():
        async with serving(OwnBroker, None) as broker:
            lines = []
            for number in range(64):
                line = await raw(broker.port, connect_packet(*GUEST, client=f"c{number}"))
                assert await packet(line[0]) == (0x20, b"\0\0")
                lines.append(line)
            reader, writer = await raw(broker.port, connect_packet(*GUEST, client="more"))
            refused = await packet(reader)
            writer.close()
            counted = counts(broker)
            lines[0][1].write(b"\xe0\0")  # a goodbye
            assert await packet(lines[0][0]) == (None, b"")
            reader, writer = await raw(broker.port, connect_packet(*GUEST, client="again"))
            admitted = await packet(reader)
            for _, line in (*lines, (reader, writer)):
                line.close()
            return refused, counted, admitted

    refused, counted, admitted = asyncio.run(knock())
    assert refused == (None, b"")
    assert counted == {"too_many": 1}
    assert admitted == (0x20, b"\0\0")


@pytest.mark.parametrize(
    ("sent", "answer", "counted"),
    [
        (connect_packet("guest", "wrong"), (0x20, b"\0\x04"), {"turned_away": 1}),
        (b"GET / HTTP/1.1\r\n\r\n", (None, b""), {"not_mqtt": 1}),
        (b"\x10" + length(4097) + b"x" * 4097, (None, b""), {"not_mqtt": 1}),
        (
            connect_packet(*GUEST, will=f"{ROOT}/state"),
            (0x20, b"\0\x05"),
            {"turned_away": 1},
        ),
        (
            connect_packet(*GUEST).replace(b"MQTT\x04", b"MQTT\x03"),
            (0x20, b"\0\x01"),
            {"turned_away": 1},
        ),
        (
            connect_packet(*GUEST).replace(b"MQTT", b"MQXX"),
            (0x20, b"\0\x01"),
            {"turned_away": 1},
        ),
    ],
)
def test_who_is_not_admitted_is_told_so_and_counted(sent, answer, counted):
    """A wrong password, another protocol, a last will where he may not write."""

    async def knock():
        async with serving(OwnBroker, None) as broker:
            reader, writer = await raw(broker.port, sent)
            got = await packet(reader)
            writer.close()
            return got, counts(broker)

    assert asyncio.run(knock()) == (answer, counted)


def test_who_comes_again_under_his_name_throws_out_the_older():
    """And nobody else's: the name is the user's and the client's together."""

    async def meet():
        async with serving(OwnBroker, None) as broker:
            lines = []
            for user, client in (("guest", "a"), ("anna", "a"), ("guest", "b"), ("guest", "a")):
                line = await raw(broker.port, connect_packet(user, PASSWORDS[user], client=client))
                assert await packet(line[0]) == (0x20, b"\0\0")
                lines.append(line)
            gone = await packet(lines[0][0])
            inside = sorted(broker._broker._door._inside)
            for reader, writer in lines[1:]:
                writer.write(b"\xc0\0")  # PING
                assert await packet(reader) == (0xD0, b"")
            for _, writer in lines:
                writer.close()
            return gone, inside

    gone, inside = asyncio.run(meet())
    assert gone == (None, b"")
    assert inside == ["anna/a", "guest/a", "guest/b"]


def test_a_part_of_a_packet_may_be_as_long_as_the_bound_and_no_longer():
    """After one that asks for more, nothing is read from it at all."""

    async def read(*lengths):
        stream = asyncio.StreamReader()
        stream.feed_data(b"12345678")
        reader = broker_door._Reader(stream, most=4)
        return [await reader.read(length) for length in lengths]

    assert asyncio.run(read(4, 3)) == [b"1234", b"567"]
    with pytest.raises(ConnectionResetError):
        asyncio.run(read(5))


def publish(topic, payload, *, qos=0, retain=False, number=1):
    """PUBLISH, byte by byte."""
    body = text(topic) + (struct.pack("!H", number) if qos else b"") + payload
    return bytes([0x30 | qos << 1 | retain]) + length(len(body)) + body


def test_who_leaves_messages_unreleased_is_let_go():
    """Finding 4: 2,500 of QoS 2 that nobody releases; amqtt keeps each for ever."""

    async def meet():
        async with serving(OwnBroker, None) as broker:
            reader, writer = await raw(broker.port, connect_packet(*GUEST))
            await packet(reader)
            for number in range(1, 2_501):
                if writer.is_closing():
                    break
                topic = f"{ROOT}/request/guest/replay"
                writer.write(publish(topic, bytes(1000), qos=2, number=number))
            answers = []
            with contextlib.suppress(ConnectionError):
                while (got := await packet(reader))[0] is not None:
                    answers.append(got[0])
            writer.close()
            honest, line = await raw(broker.port, connect_packet(*GUEST, client="honest"))
            return answers, counts(broker)["unreleased"], await packet(honest), line.close()

    answers, counted, honest, _ = asyncio.run(meet())

    assert set(answers) <= {0x50}  # PUBREC
    assert len(answers) <= 4
    assert counted
    assert honest == (0x20, b"\0\0")


def test_four_released_in_time_are_as_many_as_ever_one_likes():
    """QoS 2 as it should be: more than the bound, one after the other."""

    async def meet():
        async with serving(OwnBroker, None) as broker:
            reader, writer = await raw(broker.port, connect_packet(*GUEST))
            await packet(reader)
            heads = []
            for number in range(1, 9):
                topic = f"{ROOT}/request/guest/replay"
                writer.write(publish(topic, b"x", qos=2, number=number))
                heads.append((await packet(reader))[0])
                writer.write(b"\x62\x02" + struct.pack("!H", number))  # PUBREL
                heads.append((await packet(reader))[0])
            writer.close()
            return heads

    assert asyncio.run(meet()) == [0x50, 0x70] * 8


def test_only_the_table_leaves_messages_behind():
    """Finding 4: 600 retained ones of anybody's; his messages are passed on and not kept."""

    async def meet():
        async with serving(OwnBroker, None) as broker:
            reader, writer = await raw(broker.port, connect_packet("anna", PASSWORDS["anna"]))
            await packet(reader)
            for number in range(600):
                topic = f"{ROOT}/request/anna/x{number}"
                writer.write(publish(topic, bytes(100), qos=1, retain=True, number=number + 1))
            for _ in range(600):
                assert (await packet(reader))[0] == 0x40
            table, own = await raw(broker.port, connect_packet("table", PASSWORDS["table"]))
            await packet(table)
            own.write(publish(f"{ROOT}/state", b"ready", qos=1, retain=True))
            assert (await packet(table))[0] == 0x40
            while counts(broker).get("not_retained", 0) < 600:
                await asyncio.sleep(0)
            writer.close()
            own.close()
            return sorted(broker._broker._door._broker._retained_messages)

    assert asyncio.run(meet()) == [f"{ROOT}/state"]


def test_500_who_knock_and_say_nothing_keep_nobody_out():
    """Finding 4: half-open connections took the sign-ins; the longest silent one goes first."""

    async def meet():
        async with serving(OwnBroker, None) as broker:
            silent = [await raw(broker.port, b"\x10") for _ in range(500)]
            reader, writer = await raw(broker.port, connect_packet(*GUEST))
            admitted = await packet(reader)
            knocking = len(broker._broker._door._knocking)
            for _, line in (*silent, (reader, writer)):
                line.close()
            return admitted, knocking

    admitted, knocking = asyncio.run(meet())

    assert admitted == (0x20, b"\0\0")
    assert knocking <= 32


def test_what_the_table_tells_is_acknowledged_once_every_session_has_it(monkeypatch):
    """Finding 4: the outbox was empty when a guest had heard a third of it."""
    written = []
    write = broker_door._Writer.write

    def noted(self, data):
        written.append((self, data[0] >> 4))
        write(self, data)

    monkeypatch.setattr(broker_door._Writer, "write", noted)

    async def meet():
        async with serving(OwnBroker, None) as broker:
            guests = []
            for name in ("slow", "other"):
                guests.append(await raw(broker.port, connect_packet(*GUEST, client=name)))
                await packet(guests[-1][0])
                guests[-1][1].write(subscribe(f"{ROOT}/event/+"))
                await packet(guests[-1][0])
            reader, writer = await raw(broker.port, connect_packet("table", PASSWORDS["table"]))
            await packet(reader)
            written.clear()
            for number in range(1, 201):
                writer.write(publish(f"{ROOT}/event/told", bytes(100), qos=1, number=number))
            for _ in range(200):
                assert (await packet(reader))[0] == 0x40
            for _, line in (*guests, (reader, writer)):
                line.close()

    asyncio.run(meet())
    told, acknowledged, behind = {}, 0, 0
    for who, kind in written:
        acknowledged += kind == 4
        told[who] = told.get(who, 0) + (kind == 3)
        behind += kind == 4 and sum(count >= acknowledged for count in told.values()) < 2

    assert acknowledged == 200
    assert behind == 0

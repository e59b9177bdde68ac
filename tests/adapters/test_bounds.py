"""Meters, and the limits of requests over the broker.

Each limit is met exactly, and just missed.
"""

from __future__ import annotations

import asyncio
import json

import pytest

from table_controller.adapters import limits, meters, mqtt_link, mqtt_publisher
from table_controller.adapters import mqtt_requests as requests
from table_controller.adapters.mqtt_link import BrokerAddress
from table_controller.adapters.mqtt_names import Request
from table_controller.adapters.mqtt_publisher import Pace
from table_controller.adapters.mqtt_requests import Desk
from table_controller.adapters.web import serve
from table_controller.service import outbox
from tests.adapters.mqtt.kit import BOOT, TABLE, Box
from tests.limits import PATIENCE_S

# -- the machine's meters


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """A machine whose meters stand in files."""
    monkeypatch.setattr(meters, "_THERMAL", tmp_path / "thermal")
    monkeypatch.setattr(meters, "_THROTTLED", tmp_path / "throttled")
    return tmp_path


@pytest.mark.parametrize(
    ("thermal", "throttled", "celsius", "slowed"),
    [
        ("41231\n", "0\n", 41.231, False),
        ("-500\n", "50005\n", -0.5, True),
        ("0", "a0000\n", 0.0, True),
        ("a0", "0x1", None, True),
        ("", "", None, None),
    ],
)
def test_the_meters_are_read_as_the_kernel_writes_them(
    machine, thermal, throttled, celsius, slowed
):
    """Thousandths of a degree in tens, bits in sixteens; what is no number is no meter."""
    (machine / "thermal").write_text(thermal)
    (machine / "throttled").write_text(throttled)
    told = meters.health(machine, inbox=3)

    assert (told.cpu_celsius, told.throttled) == (celsius, slowed)
    assert told.inbox_inputs == 3


def test_a_machine_without_meters_says_nothing_of_them(machine):
    """Its disk and memory are counted in MiB."""
    told = meters.health(machine, inbox=0)

    assert (told.cpu_celsius, told.throttled) == (None, None)
    assert told.disk_free_mib is not None
    assert told.memory_mib is not None
    assert 0 < told.disk_free_mib < 2**30
    assert 10 < told.memory_mib < 4000


# -- requests over the broker


NOON = 1_700_000_000.0  # 2023-11-14T22:13:20Z


def asked(number: object = 1, at="2023-11-14T22:13:20Z", data=None, **changes) -> bytes:
    """A request as a till sends it."""
    envelope = {
        "specversion": "1.0", "id": f"transaction-{number}", "source": "/pos", "type": "x",
        "time": at, "data": data or {"boot": BOOT, "prompt": None, "ttl_ms": 5000, "input": {}},
    }  # fmt: skip
    return json.dumps(envelope | changes).encode()


class Hall:
    """A desk at noon whose table takes everything."""

    def __init__(self):
        self.said = []
        self.desk = Desk(
            TABLE, Box(), boot=BOOT, staff={f"user{n}": f"actor{n}" for n in range(20)}.get,
            commands=frozenset({"stake"}), say=self.say, seen_before=self.seen_before,
            now=lambda: NOON,
        )  # fmt: skip

    async def say(self, said, actor):
        self.said.append((said, actor))
        return []

    async def seen_before(self, _):
        return False

    def answer(self, payload, command="stake"):
        return asyncio.run(self.desk.answer(Request("user0", command), payload))


#: What is asked, and whether it is done: each limit met exactly and missed by a little.
ASKED = {
    "a request may be as old as its time to live": (asked(at="2023-11-14T22:13:15Z"), True),
    "and no millisecond older": (asked(at="2023-11-14T22:13:14.999Z"), False),
    "its time may be two seconds ahead": (asked(at="2023-11-14T22:13:22Z"), True),
    "and no millisecond more": (asked(at="2023-11-14T22:13:22.001Z"), False),
    "a transaction of 7 signs": (asked(id="a" * 7), False),
    "a transaction of 8 signs": (asked(id="a" * 8), True),
    "a transaction of 64 signs": (asked(id="a" * 64), True),
    "a transaction of 65 signs": (asked(id="a" * 65), False),
    "a source of 256 signs": (asked(source="x" * 256), True),
    "a source of 257 signs": (asked(source="x" * 257), False),
    "a type of 128 signs": (asked(type="x" * 128), True),
    "a type of 129 signs": (asked(type="x" * 129), False),
    "no type": (asked(type=""), False),
    "good for 0 ms": (asked(data={"boot": BOOT, "prompt": 1, "ttl_ms": 0}), False),
    "good for 1 ms": (asked(data={"boot": BOOT, "prompt": 1, "ttl_ms": 1}), True),
    "good for a minute": (asked(data={"boot": BOOT, "prompt": 1, "ttl_ms": 60_000}), True),
    "good for longer": (asked(data={"boot": BOOT, "prompt": 1, "ttl_ms": 60_001}), False),
    "a request of 8192 bytes": (asked().ljust(8192), True),
    "a request of 8193 bytes": (asked().ljust(8193), False),
}
#: Of a gap: its first number, or its last.
GAPS = {
    "a gap that begins at 0": ({"from_seq": 0}, False),
    "a gap that begins at 1": ({"from_seq": 1}, True),
    "a gap that ends at 0": ({"from_seq": 1, "to_seq": 0}, False),
    "a gap that ends at 1": ({"from_seq": 1, "to_seq": 1}, True),
}


@pytest.mark.parametrize(
    ("payload", "command", "ok"),
    [
        *(pytest.param(payload, "stake", ok, id=name) for name, (payload, ok) in ASKED.items()),
        *(pytest.param(asked(data=gap), "replay", ok, id=name) for name, (gap, ok) in GAPS.items()),
    ],
)
def test_a_request_at_its_limits(payload, command, ok):
    """By the table's clock, to the millisecond; to the sign and the byte."""
    assert Hall().answer(payload, command)["ok"] is ok


def test_a_request_that_is_too_large_says_how_large_it_may_be():
    assert Hall().answer(asked().ljust(8193))["why"] == "It is larger than 8192 bytes."


def test_a_request_that_is_ahead_says_by_how_much():
    """And nothing is done."""
    hall = Hall()

    assert hall.answer(asked(at="2023-11-14T22:13:25.500Z")) == {
        "transaction": "transaction-1",
        "ok": False,
        "why": "Its time lies 5.5 s ahead of the table's clock.",
        "remedy": "Set the clocks.",
    }
    assert hall.said == []
    assert hall.desk.counts == {"declined": 1}


def test_64_requests_wait_and_8_of_one_user():
    """Who is served may ask again, and nothing is remembered of who asks no more."""
    hall = Hall()
    for user in range(9):
        for _ in range(9):
            hall.desk.hear(f"{TABLE.root}/request/user{user}/stake", b"{}", False)
    assert hall.desk.counts == {"dropped_busy": 8 + 9}
    assert dict(hall.desk._waiting_of) == {f"user{user}": 8 for user in range(8)}

    async def serve():
        enough, told = asyncio.Event(), []

        def tell(message):
            told.append(message.topic)
            if len(told) == 64:
                enough.set()

        serving = asyncio.create_task(hall.desk.serve(tell))
        await asyncio.wait_for(enough.wait(), PATIENCE_S)
        await asyncio.sleep(0)
        serving.cancel()

    asyncio.run(serve())
    assert dict(hall.desk._waiting_of) == {}


def test_who_is_served_once_may_ask_once_more():
    """Of eight one is done and one under way: a ninth has room, a tenth has not."""
    hall, under_way = Hall(), asyncio.Event()

    async def say(said, actor):
        hall.said.append((said, actor))
        if len(hall.said) == 2:
            under_way.set()
            await asyncio.Event().wait()

    def hear(number):
        hall.desk.hear(f"{TABLE.root}/request/user1/stake", asked(number), False)

    async def meet():
        hall.desk._say = say
        for number in range(8):
            hear(number)
        serving = asyncio.create_task(hall.desk.serve(lambda _: None))
        await asyncio.wait_for(under_way.wait(), PATIENCE_S)
        hear(8)
        assert hall.desk.counts["dropped_busy"] == 0
        hear(9)
        assert hall.desk.counts["dropped_busy"] == 1
        serving.cancel()

    asyncio.run(meet())


def test_256_answers_are_kept():
    """The oldest is forgotten first; then the journal knows the transaction."""
    hall = Hall()
    for number in range(257):
        hall.answer(asked(number))
    assert len(hall.said) == 257
    hall.answer(asked(1))
    assert len(hall.said) == 257
    hall.answer(asked(0))
    assert len(hall.said) == 258


#: docs/TOPICS.md names them, and whoever runs a broker counts on them.
FIGURES: dict[object, dict[str, object]] = {
    requests: {"PAGE_ROWS": 100, "AHEAD_S": 2.0},
    outbox: {"MOST_REPLAYED": 1000},
    limits: {
        "MAX_CONNECTIONS": 256, "MAX_PACKET": 262_144, "MAX_INFLIGHT": 64,
        "MAX_INFLIGHT_BYTES": 65_536, "MAX_QUEUED": 1000, "MAX_QUEUED_BYTES": 2_097_152,
        "MAX_MEMORY": 67_108_864, "MOST_CONNECTIONS": 192, "MOST_STAFF_SCREENS": 64,
        "MOST_PUBLIC_SCREENS": 66, "MOST_FLOOR_SCREENS": 128, "BACKLOG": 64, "MOST_KNOCKING": 64,
        "MOST_COUNTED": 4096, "SILENT_S": 5.0, "UNREAD_S": 30.0, "SESSION_S": 43_200.0,
        "FREE_GUESSES": 3, "FREE_AT_AN_ADDRESS": 12, "MOST_SESSIONS": 8,
        "FIRST_WAIT_S": 5.0, "MOST_WAIT_S": 300.0, "MOST_PRESS_BYTES": 2048,
    },
    mqtt_link: {"CONNECT_S": 5.0, "MISC_PART": 1 / 15},
    mqtt_publisher: {"BRIEF_S": 5.0, "GOODBYE_S": 0.3},
    serve: {"STOP_S": 1},
    Pace(): {"window": 64, "ack_s": 10.0, "first_s": 0.25, "most_s": 30.0},
    BrokerAddress(password="secret"): {
        "host": "127.0.0.1", "port": 1883, "keepalive_s": 15, "username": "", "ca": None,
        "certificate": None, "key": None,
    },
}  # fmt: skip


@pytest.mark.parametrize(
    ("of", "name", "figure"),
    [
        pytest.param(of, name, figure, id=name)
        for of, figures in FIGURES.items()
        for name, figure in figures.items()
    ],
)
def test_the_figures_that_the_documents_name(of, name, figure):
    assert getattr(of, name) == figure


def test_an_address_shows_no_password():
    address = BrokerAddress(password="secret")

    assert str(address) == repr(address) == "127.0.0.1:1883"

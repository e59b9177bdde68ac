"""What stands before a broker and a browser, at its limits; and the words that they are told."""

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
from table_controller.adapters.web.serve import STOP_S
from table_controller.service.outbox import MOST_REPLAYED
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


class Hall:
    """A desk at noon whose table takes everything."""

    def __init__(self):
        self.said = []
        self.desk = Desk(
            TABLE, Box(), boot=BOOT, staff={f"user{n}": f"actor{n}" for n in range(20)}.get,
            commands=frozenset({"stake"}), say=self.say, seen_before=self.seen_before,
            now=lambda: 1_700_000_000.0,
        )  # fmt: skip

    async def say(self, said, actor):
        self.said.append((said, actor))
        return []

    async def seen_before(self, _):
        return False

    def ask(self, at="2023-11-14T22:13:20Z", command="stake", **changes):
        data = {"boot": BOOT, "prompt": None, "ttl_ms": 5000, "input": {}}
        asked = {
            "specversion": "1.0", "id": "transaction-1", "source": "/pos", "type": "x",
            "time": at, "data": data,
        } | changes  # fmt: skip
        payload = json.dumps(asked).encode()
        return asyncio.run(self.desk.answer(Request("user0", command), payload))


@pytest.mark.parametrize(
    ("at", "ok"),
    [
        ("2023-11-14T22:13:15Z", True),  # as old as it may be
        ("2023-11-14T22:13:14.999Z", False),
        ("2023-11-14T22:13:22Z", True),  # two seconds ahead
        ("2023-11-14T22:13:22.001Z", False),
    ],
)
def test_a_request_is_good_from_two_seconds_ahead_until_its_time_is_over(at, ok):
    """By the table's clock, to the millisecond."""
    assert Hall().ask(at)["ok"] is ok


def test_a_request_that_is_ahead_says_by_how_much():
    """And nothing is done."""
    hall = Hall()

    assert hall.ask("2023-11-14T22:13:25.500Z") == {
        "transaction": "transaction-1",
        "ok": False,
        "why": "Its time lies 5.5 s ahead of the table's clock.",
        "remedy": "Set the clocks.",
    }
    assert hall.said == []
    assert hall.desk.counts == {"declined": 1}


@pytest.mark.parametrize(("name", "ok"), [("a" * 7, 0), ("a" * 8, 1), ("a" * 64, 1), ("a" * 65, 0)])
def test_a_transaction_has_8_to_64_signs(name, ok):
    assert Hall().ask(id=name)["ok"] is bool(ok)


@pytest.mark.parametrize(
    ("field", "length", "ok"),
    [("source", 256, 1), ("source", 257, 0), ("type", 128, 1), ("type", 129, 0), ("type", 0, 0)],
)
def test_an_envelopes_words_have_their_longest(field, length, ok):
    assert Hall().ask(**{field: "x" * length})["ok"] is bool(ok)


@pytest.mark.parametrize(("ttl_ms", "ok"), [(0, 0), (1, 1), (60_000, 1), (60_001, 0)])
def test_a_request_is_good_for_a_minute_at_most(ttl_ms, ok):
    data = {"boot": BOOT, "prompt": 1, "ttl_ms": ttl_ms}

    assert Hall().ask(data=data)["ok"] is bool(ok)


@pytest.mark.parametrize(("first", "ok"), [(0, 0), (1, 1)])
def test_a_gap_begins_at_one(first, ok):
    assert Hall().ask(command="replay", data={"from_seq": first})["ok"] is bool(ok)
    told = Hall().ask(command="replay", data={"from_seq": 1, "to_seq": first})
    assert told["ok"] is bool(ok)


def test_a_request_of_8192_bytes_is_read():
    """One more is not."""
    for more, ok in ((0, True), (1, False)):
        hall = Hall()
        data = {"boot": BOOT, "prompt": None, "ttl_ms": 5000, "input": {}}
        asked = {
            "specversion": "1.0", "id": "transaction-1", "source": "/pos", "type": "x",
            "time": "2023-11-14T22:13:20Z", "data": data,
        }  # fmt: skip
        payload = json.dumps(asked).encode()
        payload += b" " * (8192 + more - len(payload))
        answer = asyncio.run(hall.desk.answer(Request("user0", "stake"), payload))
        assert answer["ok"] is ok
        if not ok:
            assert answer["why"] == "It is larger than 8192 bytes."


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
        data = {"boot": BOOT, "prompt": None, "ttl_ms": 5000}
        asked = {
            "specversion": "1.0", "id": f"transaction-{number}", "source": "/pos", "type": "x",
            "time": "2023-11-14T22:13:20Z", "data": data,
        }  # fmt: skip
        topic = f"{TABLE.root}/request/user1/stake"
        hall.desk.hear(topic, json.dumps(asked).encode(), False)

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
        hall.ask(id=f"transaction-{number}")
    assert len(hall.said) == 257
    hall.ask(id="transaction-1")
    assert len(hall.said) == 257
    hall.ask(id="transaction-0")
    assert len(hall.said) == 258


def test_the_figures_that_the_documents_name():
    """docs/TOPICS.md, and what whoever runs a broker counts on."""
    assert (requests.PAGE_ROWS, requests.AHEAD_S, MOST_REPLAYED) == (100, 2.0, 1000)
    assert (limits.MAX_CONNECTIONS, limits.MAX_PACKET) == (256, 262_144)
    assert (limits.MAX_INFLIGHT, limits.MAX_INFLIGHT_BYTES) == (64, 65_536)
    assert (limits.MAX_QUEUED, limits.MAX_QUEUED_BYTES) == (1000, 2_097_152)
    assert limits.MAX_MEMORY == 67_108_864
    assert (limits.MOST_CONNECTIONS, limits.MOST_STAFF_SCREENS) == (192, 64)
    assert (limits.MOST_PUBLIC_SCREENS, limits.BACKLOG) == (66, 64)
    assert (limits.MOST_KNOCKING, limits.MOST_COUNTED) == (64, 4096)
    assert (limits.SILENT_S, limits.UNREAD_S, limits.SESSION_S) == (5.0, 30.0, 43_200.0)
    assert (limits.FREE_GUESSES, limits.FIRST_WAIT_S, limits.MOST_WAIT_S) == (3, 5.0, 300.0)
    assert (mqtt_link.CONNECT_S, mqtt_link.MISC_S) == (5.0, 1.0)
    assert (mqtt_publisher.BRIEF_S, mqtt_publisher.GOODBYE_S) == (5.0, 0.3)
    pace, address = Pace(), BrokerAddress(password="secret")
    assert (pace.window, pace.ack_s, pace.first_s, pace.most_s) == (64, 10.0, 0.25, 30.0)
    assert (address.host, address.port, address.keepalive_s) == ("127.0.0.1", 1883, 15)
    assert (address.username, address.ca, address.certificate, address.key) == (
        "",
        None,
        None,
        None,
    )
    assert str(address) == repr(address) == "127.0.0.1:1883"
    assert (limits.MOST_PRESS_BYTES, STOP_S) == (2048, 1)

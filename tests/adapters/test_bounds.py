"""What stands before a broker and a browser, at its limits; and the words that they are told."""

from __future__ import annotations

import asyncio
import errno
import json

import msgspec
import pytest

from firmware_bridge.messages import Buzzer, Colour, Lamp, Mode
from table_controller.adapters import board, broker_door, meters, mqtt_link, mqtt_publisher
from table_controller.adapters import mqtt_requests as requests
from table_controller.adapters.broker_rules import Role, User, may_read, may_write, mosquitto_acl
from table_controller.adapters.mqtt_link import BrokerAddress
from table_controller.adapters.mqtt_messages import (
    Health,
    Info,
    Message,
    TableState,
    alert_messages,
    answer_message,
    cleared,
    health_message,
    info_message,
    rfc3339,
    state_message,
)
from table_controller.adapters.mqtt_names import Request, TableId, matches, request_of
from table_controller.adapters.mqtt_publisher import Pace
from table_controller.adapters.mqtt_requests import Desk
from table_controller.adapters.web import guard, picture
from table_controller.adapters.web.serve import STOP_S, _sentence
from table_controller.adapters.web.words import NAMES
from table_controller.engine.messages import Severity, phrase
from table_controller.engine.views import AlertView, Offer, SeatView, ShoeView, Sum, Text
from table_controller.service.outbox import MOST_REPLAYED
from tests.adapters.mqtt.kit import BOOT, TABLE, Box
from tests.adapters.web import samples
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
    told = meters.health(machine, inbox=3, outbox=4)

    assert (told.cpu_celsius, told.throttled) == (celsius, slowed)
    assert (told.inbox_inputs, told.outbox_rows) == (3, 4)


def test_a_machine_without_meters_says_nothing_of_them(machine):
    """Its disk and memory are counted in MiB."""
    told = meters.health(machine, inbox=0)

    assert (told.cpu_celsius, told.throttled, told.outbox_rows) == (None, None, None)
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
            TABLE, Box(), boot=BOOT, staff={f"user{n}": f"actor{n}" for n in range(20)},
            commands=frozenset({"stake"}), say=self.say, seen_before=lambda _: False,
            now=lambda: 1_700_000_000.0,
        )  # fmt: skip

    async def say(self, said, actor):
        self.said.append((said, actor))
        return []

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
    assert (broker_door.MAX_CONNECTIONS, broker_door.MAX_FILTERS) == (64, 64)
    assert broker_door.MAX_PACKET == 262_144
    assert (broker_door.MAX_CONNECT, broker_door.MAX_UNREAD) == (4096, 1_048_576)
    assert (broker_door.CONNECT_S, broker_door.WRONG_PASSWORD_S) == (5.0, 0.5)
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
    assert (guard.MOST_BYTES, STOP_S) == (2048, 1)


# -- topics and who may read them


@pytest.mark.parametrize(
    ("pattern", "topic", "within"),
    [
        ("a/b", "a/b", True),
        ("a/b", "a", False),
        ("a", "a/b", False),
        ("a/+", "a/b", True),
        ("a/+", "a", False),
        ("a/+", "a/b/c", False),
        ("a/#", "a/b/c", True),
        ("a/#", "b/c", False),
        ("+/b", "a/b", True),
        ("+/b", "a/c", False),
        ("#", "a", True),
    ],
)
def test_a_filter_takes_in_what_mqtt_says(pattern, topic, within):
    assert matches(pattern, topic) is within


@pytest.mark.parametrize(
    ("name", "good"), [("a" * 64, 1), ("a" * 65, 0), ("", 0), ("A", 0), ("a.b", 0)]
)
def test_a_name_in_a_topic_has_1_to_64_plain_signs(name, good):
    """And an error shows no more than 64 of them."""
    if good:
        assert TableId(name, "one").root == f"schlitten/1/{name}/one"
        return
    with pytest.raises(ValueError, match=r"^the site cannot be called") as caught:
        TableId(name, "one")
    assert "a" * 65 not in str(caught.value)
    with pytest.raises(ValueError, match=r"^the table cannot be called"):
        TableId("casino", name)


def test_a_tables_topics():
    """Its root, its source, its name at the broker."""
    table = TableId("casino", "one")

    assert (table.root, table.source) == ("schlitten/1/casino/one", "/schlitten/1/casino/one")
    assert table.client_id == "schlitten:casino:one"
    assert table.topic("event", "said") == "schlitten/1/casino/one/event/said"
    assert request_of(f"{table.root}/request/anna/stake", table) == Request("anna", "stake")
    for topic in (
        "x/request/anna/stake",
        f"{table.root}/request/anna",
        f"{table.root}/request/a/b/c",
    ):
        assert request_of(topic, table) is None


def test_each_role_reads_and_writes_its_own():
    """Word for word, as Mosquitto is told it."""
    users = [User(role.value, role, TABLE) for role in Role]
    blocks = mosquitto_acl(users).rstrip("\n").split("\n\n")
    found = [block.replace(f"{TABLE.root}/", "").splitlines() for block in blocks]
    public = ["state", "info", "snapshot", "event/+", "alert/+", "health"]
    staff = ["croupier/event/+", "croupier/alert/+", "croupier/reading"]

    def lines(role, reads, writes):
        return [
            f"# {role} at casino/one",
            f"user {role}",
            *(f"topic read {one}" for one in reads),
            *(f"topic write {one}" for one in writes),
        ]

    assert found == [
        lines(
            "table",
            ["state", "alert/+", "croupier/alert/+", "request/+/+"],
            [*public, *staff, "response/+/+"],
        ),
        lines("staff", [*public, *staff, "response/staff/+"], ["request/staff/+"]),
        lines("guest", [*public, "response/guest/+"], ["request/guest/replay"]),
    ]
    guest = users[2]
    assert may_read(guest, f"{TABLE.root}/state")
    assert not may_read(guest, f"{TABLE.root}/croupier/event/said")
    assert may_write(guest, f"{TABLE.root}/request/guest/replay")
    assert not may_write(guest, f"{TABLE.root}/request/guest/stake")
    assert not may_write(guest, f"{TABLE.root}/request/staff/replay")


# -- messages


def content(message: Message) -> dict:
    found = json.loads(message.payload)
    assert (found["specversion"], found["datacontenttype"]) == ("1.0", "application/json")
    assert found["source"] == TABLE.source
    assert len(found["id"]) == 32
    return {"type": found["type"], **found["data"]}


def test_messages_of_now_have_their_topic_and_their_care():
    """What is retained, and what is news; QoS 1 but for the meters."""
    told = [
        state_message(TableState.READY, BOOT, TABLE),
        info_message(
            Info(version="1", house="h", game="g", capabilities=(), configuration="c", boot=BOOT),
            TABLE,
        ),
        health_message(Health(), TABLE),
        answer_message("anna", "stake", {"ok": True, "transaction": "t"}, BOOT, TABLE),
        cleared("x"),
    ]
    assert [(one.topic.removeprefix(f"{TABLE.root}/"), one.qos, one.retain) for one in told] == [
        ("state", 1, True),
        ("info", 1, True),
        ("health", 0, False),
        ("response/anna/stake", 1, False),
        ("x", 1, True),
    ]
    assert [content(one)["type"] for one in told[:4]] == [
        "schlitten.state", "schlitten.info", "schlitten.health", "schlitten.response"
    ]  # fmt: skip
    assert told[4].payload == b""
    assert content(told[3]) == {
        "type": "schlitten.response", "boot": BOOT, "ok": True, "transaction": "t"
    }  # fmt: skip
    assert content(told[0])["state"] == "ready"
    assert rfc3339(1_700_000_000_007) == "2023-11-14T22:13:20.007Z"


def test_an_alert_is_two_messages_and_the_public_one_names_no_remedy():
    """R-13: what is to be done is the staff's."""
    alert = AlertView(
        id="lost-board", code="device_lost", severity=Severity.WARNING, acknowledged=True,
        what=phrase("It is gone."), remedy=phrase("Plug it in."),
    )  # fmt: skip
    public, staff = alert_messages([alert], TABLE)

    assert public.topic == f"{TABLE.root}/alert/lost-board"
    assert staff.topic == f"{TABLE.root}/croupier/alert/lost-board"
    assert public.retain
    assert staff.retain
    assert content(public) == {
        "type": "schlitten.alert", "id": "lost-board", "code": "device_lost",
        "severity": "warning", "acknowledged": True,
    }  # fmt: skip
    assert content(staff)["remedy"] == {"text": "Plug it in.", "args": {}}


# -- the page


@pytest.mark.parametrize(
    ("total", "piles"),
    [
        (0, []),
        (1888, [(1000, 1), (500, 1), (100, 3), (50, 1), (10, 3), (5, 1), (2, 1), (1, 1)]),
        (9, [(5, 1), (2, 2)]),
        (4, [(2, 2)]),
    ],
)
def test_a_sum_in_the_houses_chips(total, piles):
    assert picture.chips(total) == piles


@pytest.mark.parametrize(
    ("span", "by"),
    [
        (0, 1), (79, 1), (80, 2), (199, 2), (200, 5), (399, 5), (400, 10), (1999, 10), (2000, 50),
        (3999, 50), (4000, 100), (19_999, 100), (20_000, 500), (39_999, 500), (40_000, 1000),
    ],
)  # fmt: skip
def test_a_steppers_key_changes_a_fortieth(span, by):
    """A round one, and never more."""
    assert picture.step_of(7, 7 + span) == by


@pytest.mark.parametrize(
    ("word", "device"),
    [
        *((word, "shoe") for word in ("shoe", "schlitten", "lip", "beam", "lid", "white", "count")),
        *((word, "camera") for word in ("camera", "reader", "frames", "module", "recording",
                                        "reading")),
        *((word, "board") for word in ("board", "serial", "lamps", "digits")),
        *((word, "broker") for word in ("broker", "mqtt")),
    ],
)  # fmt: skip
def test_each_device_has_its_dot(word, device):
    """By a word in the alert's id or in its code, whatever stands around it."""
    for alert in (
        AlertView(id=f"Lost-{word.upper()}", code="x", severity=Severity.NOTICE),
        AlertView(id="x", code=f"{word}_lost", severity=Severity.NOTICE),
    ):
        found = picture.health([alert])
        assert {name for name, state in found.items() if state != "ok"} == {device}
        assert found[device] == "notice"
    assert set(picture.health([AlertView(id=f"x{word}", code="x",
                                         severity=Severity.STOP)]).values()) == {"ok"}  # fmt: skip


def test_the_gauge_and_the_shape_of_an_offer():
    """Parts of the whole; a button, a line with one sum, or a block."""
    shoe = ShoeView(id="x", number=1, cards=312, left=78, white_at=39)
    assert picture.gauge(shoe) == {"left": 0.25, "white": 0.125}
    chips = Sum(label=phrase("x"), least=1, most=2, suggested=1)
    words = Text(label=phrase("x"), name="x", most=9)
    shapes = [((), "button"), ((chips,), "line"), ((words,), "block"), ((chips, words), "block")]
    for fields, shape in shapes:
        assert picture.shape(Offer(input={"type": "x"}, label=phrase("x"), fields=fields)) == shape
    assert (picture.tag(chips), picture.tag(words)) == ("sum", "text")


def test_a_coup_without_its_cards_is_lost_by_the_bank():
    """Whichever hand stayed closed."""
    for changes in ({"banker": None}, {"pointeur": None}):
        coup = msgspec.structs.replace(samples.LAST[-1], winner="pointeur", **changes)
        assert str(picture.result(coup)) == "The bank lost without its cards"


def test_the_pages_words_for_what_a_game_says_in_codes():
    """Every code that a picture holds has its word."""
    assert {name: word.text for name, word in picture.PLAYS.items()} == {
        "banco_solo": "Banco solo",
        "banco_partner": "Banco with a partner",
        "banco_table": "Banco with the table",
        "open": "open game",
        "open_bank": "open bank",
    }
    assert NAMES == {
        "en": "English", "de": "Deutsch", "fr": "Français", "sv": "Svenska", "hu": "Magyar"
    }  # fmt: skip
    assert list(picture.DRAWERS) == [
        "banco", "stakes", "bids", "more", "people", "mistake", "supervisor"
    ]  # fmt: skip
    assert list(picture.TOTALS) == ["coup", "schlitten", "evening"]
    assert list(picture.COUNTED) == ["coups", "bank", "pointeur", "ties"]
    assert list(picture.SUMMED) == ["staked", "cagnotte"]
    assert list(picture.MARKS) == ["prime", "suivi", "partner", "by_schlitten", "must_pass"]
    assert (list(picture.ROLES), list(picture.OUTCOMES)) == (
        ["banker", "pointeur"], ["won", "lost", "tie"]
    )  # fmt: skip
    assert (picture.ROWS, picture.COLUMNS) == ((3, 4, 5, 6), (1, 2, 3, 4, 5, 6, 7, 8, 9, 0))
    assert (picture.STAY, picture.FEW, picture.PILE) == (("stakes", "bids", "people"), 2, 5)
    assert [picture.RANK_SIGNS[rank] for rank in sorted(picture.RANK_SIGNS)] == (
        ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
    )


@pytest.mark.parametrize(
    ("number", "sentence"),
    [
        (errno.EADDRINUSE, ("port 80 at h is taken by another program: stop that one, or set"
         " another port for the page (0 takes any free one)")),
        (errno.EACCES, "port 80 needs root: set one from 1024 on for the page"),
        (errno.EADDRNOTAVAIL,
         "h is no address of this machine: use 127.0.0.1, or one that `ip a` shows"),
        (errno.EIO, "the page cannot be served at h:80: it broke"),
    ],
)  # fmt: skip
def test_a_page_that_cannot_be_served_says_why(number, sentence):
    assert _sentence("h", 80, OSError(number, "it broke")) == sentence


# -- the board's lamps

LANGUAGE = {
    word: Lamp(Mode.ON, colour)
    for word, colour in (
        ("banker", Colour.RED), ("pointeur", Colour.GREEN), ("won", Colour.WHITE),
        ("prime", Colour.BLUE), ("alert", Colour.MAGENTA), ("to_act", Colour.CYAN),
    )
}  # fmt: skip


@pytest.mark.parametrize(
    ("seat", "lamp"),
    [
        ({}, Lamp()),
        ({"marks": ("suivi", "prime")}, LANGUAGE["prime"]),
        ({"role": "banker", "marks": ("prime",)}, LANGUAGE["banker"]),
        ({"role": "banker", "outcome": "won"}, LANGUAGE["won"]),
        ({"role": "banker", "outcome": "lost"}, LANGUAGE["banker"]),
        ({"role": "pointeur", "acts": True}, Lamp(Mode.BLINK, Colour.GREEN)),
        ({"acts": True}, LANGUAGE["to_act"]),
        ({"role": "pointeur", "acts": True, "outcome": "won"}, LANGUAGE["won"]),
    ],
)
def test_a_lamp_says_the_result_before_the_role_before_a_right(seat, lamp):
    """And who acts blinks, in the colour of his role."""
    now = msgspec.structs.replace(
        samples.ADVICE_LIT, alerts=(), pot=70, against=30,
        seats=(SeatView(seat=1, taken=True, **seat), SeatView(seat=101, taken=True, role="banker")),
    )  # fmt: skip
    shown = board.picture(now, LANGUAGE)

    assert shown.lamps == (lamp, *(Lamp(),) * 11)
    assert (shown.pot, shown.stakes, shown.buzzer) == (70, 30, Buzzer.OFF)


def test_a_table_that_stands_still_is_heard_and_seen_at_the_banker():
    """Only a stop; without a Schlitten the displays are dark."""
    seats = tuple(SeatView(seat=n, taken=True, role=role)
                  for n, role in ((1, "banker"), (2, "pointeur")))  # fmt: skip
    for severity, lamp, buzzer in (
        (Severity.STOP, LANGUAGE["alert"], Buzzer.TWICE),
        (Severity.WARNING, LANGUAGE["banker"], Buzzer.OFF),
    ):
        alert = AlertView(id="x", code="x", severity=severity)
        now = msgspec.structs.replace(samples.ADVICE_LIT, alerts=(alert,), seats=seats, shoe=None)
        shown = board.picture(now, LANGUAGE)
        assert shown.lamps[:2] == (lamp, LANGUAGE["pointeur"])
        assert (shown.buzzer, shown.pot, shown.stakes) == (buzzer, None, None)

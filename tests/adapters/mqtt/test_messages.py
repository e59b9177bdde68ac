"""Rows and pictures as messages."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from table_controller.adapters.broker_rules import (
    BrokerRole,
    User,
)
from table_controller.adapters.mosquitto import acl as mosquitto_acl
from table_controller.adapters.mqtt_messages import (
    Health,
    TableState,
    alert_messages,
    answer_message,
    cleared,
    current,
    event_message,
    health_message,
    rfc3339,
    snapshot_message,
    state_message,
)
from table_controller.adapters.mqtt_names import Request, TableId, name, request_of
from table_controller.engine.messages import Audience, Phrase, Severity, phrase
from table_controller.engine.pieces import Note, Person
from table_controller.engine.views import AlertView
from table_controller.service.rows import Row
from tests.adapters.mqtt.kit import BOOT, TABLE, info, may_read, may_write, shown

SHIPPED = Path(__file__).parents[3] / "systemd" / "mosquitto"
ALERT = AlertView(
    id="lid", code="lid_open", severity=Severity.STOP,
    what=Phrase("The lid is open."), remedy=Phrase("Close it."),
)  # fmt: skip


def row(audience=Audience.PUBLIC, body=b'{"type":"coup_settled","pot":10}'):
    return Row(9, audience, 4, "coup_settled", body, 1_700_000_000_123, "j-4")


def test_an_event_is_a_cloud_event_under_its_name():
    """Its data is what the journal holds, byte for byte: the public chain is made of it."""
    told = event_message(row(), TABLE)

    assert told.topic == "schlitten/2/casino/one/event/coup_settled"
    assert (told.qos, told.retain) == (1, False)
    assert b'"data":{"type":"coup_settled","pot":10}}' in told.payload
    assert json.loads(told.payload) == {
        "specversion": "1.0", "id": "j-4", "source": "/schlitten/2/casino/one",
        "type": "schlitten.coup_settled", "time": "2023-11-14T22:13:20.123Z", "seq": 4,
        "datacontenttype": "application/json", "data": {"type": "coup_settled", "pot": 10},
    }  # fmt: skip


def test_croupier_events_have_topics_of_their_own():
    """So that an ACL can keep them to the staff."""
    assert event_message(row(Audience.CROUPIER), TABLE).topic.endswith(
        "/croupier/event/coup_settled"
    )


def test_a_sealed_row_has_no_message():
    """R-13: not even an empty one."""
    assert event_message(row(Audience.SEALED), TABLE) is None


@given(st.integers(0, 4_000_000_000_000))
def test_times_keep_their_millisecond(t_ms):
    """Whoever checks the chain gets back the number that the row has."""
    whole, ms = re.fullmatch(r"(.*)\.(\d{3})Z", rfc3339(t_ms)).groups()

    assert len(whole) == 19
    assert int(ms) == t_ms % 1000


def test_retained_and_passing_messages():
    """What is a state is retained; health is not, and may be lost."""
    retained = [
        state_message(TableState.READY, BOOT, TABLE),
        current("info", info(), TABLE),
        snapshot_message(shown().picture, TABLE),
        cleared(TABLE.topic("alert", "lid")),
        *alert_messages(ALERT, TABLE),
    ]
    passing = answer_message("anna", "replay", {"ok": True}, BOOT, TABLE)
    health = health_message(Health(cpu_celsius=51.5), TABLE)

    assert all(message.retain and message.qos == 1 for message in retained)
    assert (passing.retain, passing.qos, passing.topic) == (
        False, 1, TABLE.topic("response", "anna", "replay")
    )  # fmt: skip
    assert (health.retain, health.qos) == (False, 0)


def test_the_public_learns_an_alerts_code_only():
    """What to do may tell how the table stands; that is for the staff."""
    public, staff = alert_messages(ALERT, TABLE)

    assert json.loads(public.payload)["data"] == {
        "id": "lid", "code": "lid_open", "severity": "stop", "acknowledged": False
    }  # fmt: skip
    assert public.topic == TABLE.topic("alert", "lid")
    assert staff.topic == TABLE.topic("croupier", "alert", "lid")
    assert b"Close it." in staff.payload


def test_equal_pictures_are_equal_messages():
    """A picture that did not change is not news, and its bytes show no clock."""
    once, again = (snapshot_message(shown(coup=coup).picture, TABLE) for coup in (1, 1))
    other = snapshot_message(shown(coup=2).picture, TABLE)

    assert once == again
    assert json.loads(once.payload)["id"] != json.loads(other.payload)["id"]


def test_what_only_a_page_shows_is_not_sent():
    """A panel more or less changes no message, and what the staff know is in none."""
    now = shown(coup=1).picture
    desk = replace(
        now.snapshot,
        people=(Person(seat=1, name="Anna", balance=700),),
        notes=(Note(phrase("kept")),),
        croupier="Berta",
    )

    assert snapshot_message(replace(now, snapshot=desk), TABLE) == snapshot_message(now, TABLE)


@pytest.mark.parametrize("bad", ["", "Casino", "a.b", "a/b", "a+", "#", "ä", "a" * 65, "a b"])
def test_names_that_brokers_mangle_are_refused(bad):
    """The error has the name and what is allowed."""
    with pytest.raises(ValueError, match="a-z, digits") as caught:
        TableId("casino", bad)

    assert repr(bad[:64]) in str(caught.value)


@given(st.from_regex(r"[a-z0-9_-]{1,64}", fullmatch=True))
def test_good_names_pass(text):
    """And come back unchanged."""
    assert name(text, "it") == text


@given(st.text("ab/#+é \0", max_size=40))
def test_any_topic_is_a_request_or_none(rest):
    """Reading a topic never fails, and a request reads back as it was written."""
    request = request_of(f"{TABLE.root}/request/{rest}", TABLE)

    assert request is None or TABLE.topic("request", request.user, request.command).endswith(rest)


def test_requests_of_another_table_are_none_of_ours():
    """Even if a broker delivers them."""
    other = TableId("casino", "two")

    assert request_of(f"{TABLE.root}/request/anna/stake", TABLE) == Request("anna", "stake")
    assert request_of(f"{other.root}/request/anna/stake", TABLE) is None


def test_nobody_but_the_table_may_write_what_the_table_says():
    """And the table may write all that it says, but answers for nobody's requests."""
    table, anna, guest = (
        User(who, role, TABLE)
        for who, role in (
            ("table", BrokerRole.TABLE),
            ("anna", BrokerRole.STAFF),
            ("guest", BrokerRole.GUEST),
        )
    )
    said = [
        TABLE.topic(*part.split("/"))
        for part in ("state", "info", "snapshot", "event/card_drawn", "croupier/event/refused",
                     "croupier/alert/lid", "alert/lid", "health", "response/anna/stake")
    ]  # fmt: skip

    assert all(may_write(table, topic) for topic in said)
    assert not any(may_write(user, topic) for user in (anna, guest) for topic in said)
    assert not may_write(table, TABLE.topic("request", "anna", "stake"))


def test_a_table_of_a_floor_answers_the_floor_alone():
    """What nobody hears fills a broker's memory: 1.2 GB in 5 s, and nobody counts it."""
    table = User("table-casino-one", BrokerRole.OF_FLOOR, TABLE)

    assert may_write(table, TABLE.topic("response", "floor", "replay"))
    assert may_write(table, TABLE.topic("event", "card_drawn"))
    assert may_read(table, TABLE.topic("request", "floor", "replay"))
    assert not may_write(table, TABLE.topic("response", "anna", "replay"))
    assert not may_write(table, TABLE.topic("response", "u1", "x"))


def test_each_reads_what_is_his():
    """Guests the public, staff its own besides; answers only who asked."""
    anna, guest = User("anna", BrokerRole.STAFF, TABLE), User("guest", BrokerRole.GUEST, TABLE)
    other = User("anna", BrokerRole.STAFF, TableId("casino", "two"))
    alert, answer = TABLE.topic("croupier", "alert", "lid"), TABLE.topic("response", "guest", "x")

    assert may_read(anna, alert)
    assert not may_read(guest, alert)
    assert not may_read(other, alert)
    assert may_read(guest, answer)
    assert not may_read(anna, answer)


def test_the_shipped_acl_is_made_of_the_same_rules():
    """So that what is shipped and the rules cannot drift apart."""
    users = [
        User("table-casino-one", BrokerRole.TABLE, TABLE),
        User("anna", BrokerRole.STAFF, TABLE),
        User("guest", BrokerRole.GUEST, TABLE),
    ]

    assert (SHIPPED / "schlitten.acl").read_text().endswith(mosquitto_acl(users))

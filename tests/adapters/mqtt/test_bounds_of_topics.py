"""Topics, who may read them, and their messages, word for word."""

from __future__ import annotations

import json

import pytest

from table_controller.adapters.broker_rules import BrokerRole, User
from table_controller.adapters.mosquitto import acl as mosquitto_acl
from table_controller.adapters.mqtt_messages import (
    Health,
    Info,
    Message,
    TableState,
    alert_messages,
    answer_message,
    cleared,
    current,
    health_message,
    rfc3339,
    state_message,
)
from table_controller.adapters.mqtt_names import Request, TableId, request_of
from table_controller.engine.messages import Severity, phrase
from table_controller.engine.views import AlertView
from tests.adapters.mqtt.kit import BOOT, TABLE, may_read, may_write

# -- topics and who may read them


@pytest.mark.parametrize(
    ("name", "good"), [("a" * 64, 1), ("a" * 65, 0), ("", 0), ("A", 0), ("a.b", 0)]
)
def test_a_name_in_a_topic_has_1_to_64_plain_signs(name, good):
    """And an error shows no more than 64 of them."""
    if good:
        assert TableId(name, "one").root == f"schlitten/2/{name}/one"
        return
    with pytest.raises(ValueError, match=r"^the site cannot be called") as caught:
        TableId(name, "one")
    assert "a" * 65 not in str(caught.value)
    with pytest.raises(ValueError, match=r"^the table cannot be called"):
        TableId("casino", name)


def test_a_tables_topics():
    """Its root, its source, its name at the broker."""
    table = TableId("casino", "one")

    assert (table.root, table.source) == ("schlitten/2/casino/one", "/schlitten/2/casino/one")
    assert table.client_id == "schlitten:casino:one"
    assert table.topic("event", "said") == "schlitten/2/casino/one/event/said"
    assert request_of(f"{table.root}/request/anna/stake", table) == Request("anna", "stake")
    for topic in (
        "x/request/anna/stake",
        f"{table.root}/request/anna",
        f"{table.root}/request/a/b/c",
    ):
        assert request_of(topic, table) is None


def test_each_role_reads_and_writes_its_own():
    """Word for word, as Mosquitto is told it."""
    users = [User(role.value, role, TABLE) for role in BrokerRole]
    blocks = mosquitto_acl(users).rstrip("\n").split("\n\n")
    found = [block.replace(f"{TABLE.root}/", "").splitlines() for block in blocks]
    public = ["state", "info", "snapshot", "event/+", "alert/+", "health"]
    staff = ["croupier/picture", "croupier/event/+", "croupier/alert/+", "croupier/reading"]

    def lines(role, reads, writes, announced="read"):
        return [
            f"# {role} at casino/one",
            f"user {role}",
            *(f"topic read {one}" for one in reads),
            *(f"topic write {one}" for one in writes),
            f"topic {announced} homeassistant/device/schlitten-casino/one/config",
        ]

    assert found == [
        lines(
            "table",
            ["state", "snapshot", "alert/+", "croupier/alert/+", "request/+/+"],
            [*public, *staff, "response/+/+"],
            "readwrite",
        ),
        lines(
            "table-of-floor",
            ["state", "snapshot", "alert/+", "croupier/alert/+", "request/+/+"],
            [*public, *staff, "response/floor/+"],
            "readwrite",
        ),
        lines("staff", [*public, *staff, "response/staff/+"], ["request/staff/+"]),
        lines("guest", [*public, "response/guest/+"], ["request/guest/replay"]),
    ]
    guest = users[-1]
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
        current(
            "info",
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
    public, staff = alert_messages(alert, TABLE)

    assert public.topic == f"{TABLE.root}/alert/lost-board"
    assert staff.topic == f"{TABLE.root}/croupier/alert/lost-board"
    assert public.retain
    assert staff.retain
    assert content(public) == {
        "type": "schlitten.alert", "id": "lost-board", "code": "device_lost",
        "severity": "warning", "acknowledged": True,
    }  # fmt: skip
    assert content(staff)["remedy"] == {"text": "Plug it in.", "args": {}}

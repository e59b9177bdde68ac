"""The promises to a subscriber, with a real Mosquitto and with the embedded broker."""

import asyncio
import json
import time

import pytest

from table_controller.adapters.mqtt_messages import TableState
from table_controller.engine.messages import Audience, Phrase, Severity
from table_controller.engine.views import AlertView
from tests.adapters.mqtt.kit import (
    BOOT,
    PASSWORDS,
    ROOT,
    OwnBroker,
    RealBroker,
    serving,
    shown,
    talking,
)
from tests.brokers import Observer

BOTH = pytest.mark.parametrize("kind", [RealBroker, OwnBroker])
PUBLIC, CROUPIER, SEALED = Audience.PUBLIC, Audience.CROUPIER, Audience.SEALED


def watching(broker, *patterns, user="guest"):
    return Observer(
        broker.port, *(f"{ROOT}/{p}" for p in patterns), user=user, password=PASSWORDS[user]
    )


def seqs(events):
    return [told["seq"] for told in events]


def asked(transaction="transaction-1", *, age_s=0.0, **data):
    """A request's payload, as a client would make it."""
    moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - age_s))
    return json.dumps(
        {
            "specversion": "1.0", "id": transaction, "source": "/test", "type": "schlitten.request",
            "time": moment, "data": data or {"boot": BOOT, "prompt": 1, "ttl_ms": 60_000},
        }
    ).encode()  # fmt: skip


@BOTH
def test_every_public_row_comes_once_and_in_order(kind, tmp_path):
    """200 rows in bursts: the subscriber has each, in `seq` order, none twice."""

    async def evening():
        async with serving(kind, tmp_path) as broker, watching(broker, "event/+") as guest:
            async with talking(broker.port) as table:
                for _ in range(4):
                    table.box.add_public(50)
                    await table.publisher.told()
                await guest.until(lambda: len(guest.heard) >= 200)
            return [json.loads(payload)["seq"] for _, payload, _ in guest.heard]

    assert asyncio.run(evening()) == list(range(1, 201))


@BOTH
def test_after_the_broker_died_the_rest_follows_without_a_gap(kind, tmp_path):
    """Rows committed while the broker is away wait for it; nothing is skipped or reordered."""

    async def evening():
        async with serving(kind, tmp_path) as broker, talking(broker.port) as table:
            async with watching(broker, "event/+") as guest:
                table.box.add_public(30)
                await guest.until(lambda: len(guest.events()) == 30)
                await broker.crash()
                await table.until(lambda: table.lost)
                table.box.add_public(30)
                await guest.until(lambda: not guest.up)
            await broker.begin()
            async with watching(broker, "event/+") as again:
                table.box.add_public(1)
                await again.until(lambda: 61 in seqs(again.events()))
                await table.publisher.told()
                await again.until(lambda: again.events()[-1]["seq"] == 61)
                late = seqs(again.events())
            return seqs(guest.events()), late, table

    before, late, table = asyncio.run(evening())

    assert before == list(range(1, 31))
    assert late == sorted(late)
    assert not table.box.waiting
    assert "The table goes on" in table.troubles[0]
    assert table.troubles[1:] == [None]


@BOTH
def test_a_gap_is_filled_by_replay(kind, tmp_path):
    """A subscriber who was away asks for the missing numbers, and then has the same events."""

    async def evening():
        async with serving(kind, tmp_path) as broker, talking(broker.port) as table:
            table.box.add_public(150)
            await table.publisher.told()
            events, start = [], 1
            async with watching(broker, "response/guest/+") as guest:
                while start:
                    count = len(guest.heard)
                    guest.say(f"{ROOT}/request/guest/replay", asked(from_seq=start))
                    await guest.until(lambda count=count: len(guest.heard) > count)
                    page = guest.last("/replay")
                    events, start = events + page["events"], page["next"]
            return events

    events = asyncio.run(evening())

    assert seqs(events) == list(range(1, 151))
    assert events[0]["id"] == "journal-public-1"
    assert events[0]["data"] == {"type": "card_drawn", "place": "banker"}


@BOTH
def test_nothing_sealed_is_on_the_wire_not_even_a_gap(kind, tmp_path):
    """Sealed rows cause no message, no gap in the numbers, and no snapshot."""

    async def evening():
        async with (
            serving(kind, tmp_path) as broker,
            watching(broker, "#", user="anna") as anna,
            talking(broker.port) as table,
        ):
            table.box.add(PUBLIC, SEALED, CROUPIER, SEALED, PUBLIC, text="7h")
            await table.publisher.told()
            table.box.add(PUBLIC)  # once this one is heard, all before it was heard
            await anna.until(lambda: len(anna.events()) == 4 and anna.last("/snapshot"))
            count = len(anna.heard)
            table.box.add(SEALED, SEALED)
            table.publisher.show(shown())
            await table.publisher.told()
            table.box.add(PUBLIC)
            await anna.until(lambda: len(anna.events()) == 5)
            await table.publisher.told()
            return anna.events(), len(anna.heard) - count, table.box

    events, after, box = asyncio.run(evening())

    assert [(e["id"], e["seq"]) for e in events] == [
        ("journal-public-1", 1), ("journal-croupier-1", 1),
        ("journal-public-2", 2), ("journal-public-3", 3), ("journal-public-4", 4),
    ]  # fmt: skip
    assert after == 1
    assert not box.waiting


@BOTH
def test_a_guest_is_told_nothing_that_is_for_the_staff(kind, tmp_path):
    """Whatever a guest subscribes to, and even if the staff subscribed before him."""
    alert = AlertView(
        id="card_unread", code="card_unread", severity=Severity.STOP,
        what=Phrase("A card was not read."), remedy=Phrase("Show it to the lip again."),
    )  # fmt: skip

    async def evening():
        async with (
            serving(kind, tmp_path) as broker,
            watching(broker, "#", user="anna") as anna,
            talking(broker.port, now=shown(alerts=(alert,))) as table,
        ):
            table.box.add(CROUPIER, PUBLIC)
            await anna.until(lambda: len(anna.events()) == 2)
            async with watching(broker, "#", "croupier/#", "response/#") as guest:
                table.box.add(CROUPIER, PUBLIC)
                anna.say(f"{ROOT}/request/anna/replay", asked(from_seq=1))
                await anna.until(lambda: anna.last("/response/anna/replay"))
                await guest.until(lambda: guest.events() and guest.last("/snapshot"))
                return [topic for topic, *_ in anna.heard], guest

    anna, guest = asyncio.run(evening())
    heard = {topic.removeprefix(ROOT + "/") for topic, *_ in guest.heard}

    assert heard == {"state", "info", "snapshot", "alert/card_unread", "event/card_drawn"}
    assert f"{ROOT}/croupier/alert/card_unread" in anna
    assert "remedy" not in guest.last("/alert/card_unread")


@BOTH
@pytest.mark.parametrize(
    "topic", ["state", "event/card_drawn", "request/anna/stake", "request/guest/stake"]
)
def test_a_guest_cannot_speak_for_others(kind, topic, tmp_path):
    """A guest cannot write as the table or as another user, and in his own name only `replay`."""

    async def evening():
        async with serving(kind, tmp_path) as broker, talking(broker.port) as table:
            async with watching(broker, "#", user="anna") as anna, watching(broker, "#") as guest:
                await anna.until(lambda: anna.last("/snapshot"))
                guest.say(f"{ROOT}/{topic}", asked("forged-by-guest"))
                guest.say(f"{ROOT}/request/guest/replay", asked(from_seq=1))
                await guest.until(lambda: guest.last("/response/guest/replay"))
            return anna.heard, table

    heard, table = asyncio.run(evening())

    assert not any(b"forged-by-guest" in payload for _, payload, _ in heard)
    assert not table.said


@BOTH
def test_what_an_earlier_run_told_last_is_found_and_nothing_of_its_own(kind, tmp_path):
    """R-54: before it publishes its own snapshot, the table learns of the one already there."""

    async def evening():
        found = []
        async with serving(kind, tmp_path) as broker:
            for coup in (7, 3):
                async with talking(broker.port, now=shown(coup=coup)) as table:
                    await table.publisher.told()
                    table.publisher.show(shown(coup=coup + 1))
                    await table.publisher.told()
                found.append([(anchor.count, anchor.head) for anchor in table.found])
        return found

    assert asyncio.run(evening()) == [[], [(8, "00" * 32)]]


@BOTH
def test_whoever_comes_later_finds_the_pictures_of_now(kind, tmp_path):
    """State, info, snapshot and open alerts are retained, even after the broker has lost them."""
    alert = AlertView(id="lid", code="lid_open", severity=Severity.WARNING)

    async def evening():
        found = []
        async with serving(kind, tmp_path) as broker, talking(broker.port) as table:
            table.publisher.show(shown(coup=3, alerts=(alert,)))
            await table.publisher.told()
            for _ in range(2):
                async with watching(broker, "#") as guest:
                    await guest.until(lambda: len(guest.heard) == 4)
                    found.append(sorted(topic.removeprefix(ROOT) for topic, *_ in guest.heard))
                    coup = guest.last("/snapshot")["snapshot"]["coup"]
                await broker.crash()
                await table.until(lambda: table.lost)
                await broker.begin()
                await table.until(lambda: not table.lost)
                await table.publisher.told()
            return found, coup

    found, coup = asyncio.run(evening())

    assert found == [["/alert/lid", "/info", "/snapshot", "/state"]] * 2
    assert coup == 3


@BOTH
def test_an_alert_that_ended_is_taken_away_also_by_the_next_start(kind, tmp_path):
    """An empty message clears what is no longer true, even what an earlier run left."""
    old, new = (AlertView(id=i, code=i, severity=Severity.NOTICE) for i in ("old", "new"))

    async def evening():
        async with (
            serving(kind, tmp_path) as broker,
            watching(broker, "alert/+") as guest,
            watching(broker, "croupier/alert/+", user="anna") as staff,
        ):
            async with talking(broker.port, now=shown(alerts=(old, new))):
                await guest.until(lambda: guest.last("/old") and guest.last("/new"))
                await staff.until(lambda: staff.last("/old") and staff.last("/new"))
            async with talking(broker.port, now=shown(alerts=(new,))) as table:
                await guest.until(lambda: not guest.last("/old"))
                await staff.until(lambda: not staff.last("/old") and staff.last("/new"))
                left = guest.last("/new")
                table.publisher.show(shown())
                await guest.until(lambda: not guest.last("/new"))
            async with watching(broker, "alert/+", "state") as late:
                await late.until(lambda: late.last("/state"))
                return left, late.heard

    left, heard = asyncio.run(evening())

    assert left["code"] == "new"
    assert {topic for topic, *_ in heard} == {f"{ROOT}/state"}  # "disconnected" may come after it


@BOTH
def test_state_says_disconnected_after_a_clean_end(kind, tmp_path):
    """No last will is published if the program ended on purpose."""

    async def evening():
        async with serving(kind, tmp_path) as broker, watching(broker, "state") as guest:
            async with talking(broker.port):
                await guest.until(lambda: guest.last("/state"))
            await guest.until(lambda: guest.last("/state")["state"] == "disconnected")
            async with talking(broker.port):
                await guest.until(lambda: guest.last("/state")["state"] == "ready")
            return [json.loads(payload)["data"]["state"] for _, payload, _ in guest.heard]

    assert asyncio.run(evening())[:3] == ["ready", "disconnected", "ready"]


@BOTH
def test_a_late_last_will_is_contradicted(kind, tmp_path):
    """While the table lives, `lost` is corrected: a broker may publish it for a dead connection."""

    async def evening():
        async with serving(kind, tmp_path) as broker, talking(broker.port) as table:
            async with watching(broker, "state") as guest:
                await guest.until(lambda: guest.last("/state"))
                old = json.dumps(
                    {"data": {"state": TableState.LOST, "boot": "an-earlier-one"}}
                ).encode()
                liar = Observer(
                    broker.port, ROOT + "/state", user="table", password=PASSWORDS["table"]
                )
                async with liar:
                    liar.say(f"{ROOT}/state", old, retain=True)
                    await guest.until(
                        lambda: any(b"an-earlier-one" in said for _, said, _ in guest.heard)
                    )
                    await guest.until(lambda: guest.last("/state")["state"] == "ready")
                await table.publisher.told()
            async with watching(broker, "state") as late:
                await late.until(lambda: late.heard)
                return late.last("/state")

    assert asyncio.run(evening()) == {"state": "ready", "boot": BOOT}


@BOTH
def test_a_request_of_the_staff_becomes_an_input_and_is_answered(kind, tmp_path):
    """The actor is the broker's user as the house knows him, whatever the payload says."""

    async def evening():
        async with (
            serving(kind, tmp_path) as broker,
            talking(broker.port) as table,
            watching(broker, "response/anna/+", user="anna") as anna,
        ):
            await table.publisher.told()  # so it listens
            data = {"boot": BOOT, "prompt": 7, "ttl_ms": 60_000, "input": {"seat": 3}}
            anna.say(f"{ROOT}/request/anna/stake", asked(**data))
            await anna.until(lambda: anna.heard)
            return table.said, anna.last("/response/anna/stake")

    said, answer = asyncio.run(evening())

    assert said == [({"type": "stake", "prompt": 7, "seat": 3}, "supervisor:anna")]
    assert answer == {
        "boot": BOOT, "transaction": "transaction-1", "ok": True, "said": {"taken": True}
    }  # fmt: skip


@BOTH
def test_a_retained_request_is_ignored(kind, tmp_path):
    """A request that the broker retained from before is ignored."""

    async def evening():
        async with (
            serving(kind, tmp_path) as broker,
            watching(broker, "response/anna/+", user="anna") as anna,
        ):
            await anna.leave(f"{ROOT}/request/anna/stake", asked("left-lying"))
            async with talking(broker.port) as table:
                await table.publisher.told()
                anna.say(f"{ROOT}/request/anna/replay", asked("asked-now", from_seq=1))
                await anna.until(lambda: anna.heard)
                return table, anna.heard

    table, heard = asyncio.run(evening())

    assert [topic for topic, *_ in heard] == [f"{ROOT}/response/anna/replay"]
    assert not table.said
    assert table.desk.counts["dropped_retained"] == 1

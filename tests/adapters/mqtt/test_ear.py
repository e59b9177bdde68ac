"""Floods of requests: the sender is ignored for a while, but the staff is not; events go on."""

from __future__ import annotations

import asyncio

from table_controller.adapters import mqtt_requests, mqtt_throttle
from table_controller.adapters.mqtt_requests import Desk
from table_controller.adapters.mqtt_throttle import Ear
from tests.adapters.mqtt.kit import BOOT, ROOT, TABLE, Box, RealBroker, serving, talking
from tests.adapters.mqtt.test_contract import asked, watching
from tests.limits import PATIENCE_S

ALL = ("request/+/+",)
COMMANDS = ("request/+/spoke", "request/+/stake")


class Clock:
    """A clock that the test moves."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def ear():
    clock = Clock()
    return Ear(frozenset({"stake", "spoke"}), clock), clock


def flood(one, clock, times=100):
    for _ in range(times):
        clock.now += 0.001
        one.dropped()


def test_a_hundred_dropped_within_a_second_close_it_to_all_but_commands():
    one, clock = ear()
    flood(one, clock, 99)
    assert one.patterns() == ALL
    clock.now += 1  # ninety-nine of another second
    flood(one, clock, 99)
    assert one.patterns() == ALL
    flood(one, clock, 1)
    assert one.patterns() == COMMANDS


def test_a_second_is_over_when_it_is():
    """What came in it counts no more from then on."""
    one, clock = ear()
    one.dropped(99)
    clock.now += 1
    one.dropped(99)
    assert one.patterns() == ALL
    one.dropped()
    assert one.patterns() == COMMANDS


def test_it_opens_again_and_closes_twice_as_long_each_time_up_to_a_minute():
    """After a minute's calm it begins anew."""
    one, clock = ear()
    for pause_s in (5, 10, 20, 40, 60, 60):
        flood(one, clock)
        clock.now += pause_s - 0.001
        assert one.patterns() == COMMANDS
        clock.now += 0.002
        assert one.patterns() == ALL
    clock.now += 61
    flood(one, clock)
    clock.now += 5.001
    assert one.patterns() == ALL


def test_what_comes_while_it_is_closed_closes_it_no_longer():
    """What was on its way."""
    one, clock = ear()
    flood(one, clock, 3000)
    assert one.patterns() == COMMANDS
    clock.now += 2.2
    assert one.patterns() == ALL


def desk():
    async def say(_said, _actor):
        return {}

    async def seen_before(_):
        return False

    return Desk(
        TABLE, Box(), boot=BOOT, staff={"anna": "supervisor:anna"}.get,
        commands=frozenset({"stake"}), say=say, seen_before=seen_before,
    )  # fmt: skip


def test_guests_who_ask_for_replay_leave_places_for_commands():
    """However many they are; and what they sent in vain is counted."""
    one = desk()
    for number in range(100):
        one.hear(f"{ROOT}/request/guest-{number}/replay", b"{}", False)
    assert one.counts == {"dropped_busy": 100 - mqtt_requests.MAX_REPLAYS}
    one.hear(f"{ROOT}/request/anna/stake", b"{}", False)
    assert one.counts == {"dropped_busy": 100 - mqtt_requests.MAX_REPLAYS}


def test_large_requests_in_vain_count_for_many():
    """Each takes as long to read: 250 kB are thirty of the largest honest ones."""
    one = desk()
    for number in range(8 + 4):
        assert one.ear.open, number
        one.hear(f"{ROOT}/request/guest/replay", bytes(250_000), False)
    assert not one.ear.open


def test_between_two_replays_the_table_has_as_long_as_one_took():
    """Else its events would wait for all of them."""
    one, turns, told = desk(), 0, []
    for number in range(20):
        one.hear(f"{ROOT}/request/guest-{number}/replay", b"{}", False)

    async def others():
        nonlocal turns
        while len(told) < 20:
            turns += 1
            await asyncio.sleep(0)

    async def play():
        serving_them = asyncio.create_task(one.serve(told.append))
        async with asyncio.timeout(PATIENCE_S):
            await others()
        serving_them.cancel()

    asyncio.run(play())
    assert turns > 20


def test_a_guest_who_floods_is_not_heard_and_the_staff_is(tmp_path, monkeypatch):
    """At a real Mosquitto; then he is heard again."""
    monkeypatch.setattr(mqtt_throttle, "DEAF_S", 0.5)

    async def evening():
        async with (
            serving(RealBroker, tmp_path) as broker,
            talking(broker.port) as table,
            watching(broker, "response/anna/+", "event/+", user="anna") as anna,
            watching(broker, "response/guest/+") as guest,
        ):
            await table.publisher.told()
            while table.desk.ear.open:
                for number in range(50):
                    guest.say(f"{ROOT}/request/guest/replay", asked(f"flood-{number:04}"))
                await asyncio.sleep(0)
            await table.publisher.told()
            anna.say(f"{ROOT}/request/anna/stake", asked("staff-0001"))
            await anna.until(lambda: anna.last("/response/anna/stake"))
            table.box.add_public(1)
            await anna.until(anna.events)
            again = asked("heard-again", from_seq=1)
            async with asyncio.timeout(PATIENCE_S):
                while not any(b"heard-again" in payload for _, payload, _ in guest.heard):
                    guest.say(f"{ROOT}/request/guest/replay", again)
                    await asyncio.sleep(0.05)
            return anna.last("/response/anna/stake")["ok"]

    assert asyncio.run(evening())

"""Lid, cut card, buttons and mains through a whole table: board twin, firmware, Pi's pins."""

import asyncio
import itertools
import re
from functools import partial

import pytest

from firmware_bridge.messages import Sensor
from table_controller.engine.table.devices import CUT_COUNT, LID, LID_STOP, POWER, SENSORS
from table_controller.service import store
from tests.whole.lips import until
from tests.whole.wired import CUT_CARD, DEALING, FOUR, table
from tests.whole.wired import LID as LID_SENSOR

EVERYWHERE = pytest.mark.parametrize("by", ["twin", "emulated", "pins"])
ALL = ("lid", "cut_card", "power_fail", "buttons", "lamps")
BOARDS = [sensor.name.lower() for sensor in Sensor if sensor is not Sensor.EXIT_BEAM]


@pytest.mark.parametrize(
    ("by", "name"),
    [
        *itertools.product(["twin", "emulated"], BOARDS),
        *(("pins", name) for name in SENSORS),
    ],
)
def test_every_sensor_is_said_to_the_table_from_its_wire(tmp_path, by, name):
    """What it says when it becomes active, and what it says when it is so no more."""
    wire = SENSORS[name]

    async def play():
        async with table(tmp_path, by) as served:
            for active, kind in ((True, wire.active), (False, wire.calm)):
                if by == "pins":
                    served.wires.wire(name.upper(), active=active)
                else:
                    served.wires.sense(Sensor[name.upper()], active=active)
                if kind:
                    await until(partial(served.taken.__contains__, (kind, wire.actor)))

    asyncio.run(play())


@EVERYWHERE
def test_a_lid_that_opens_during_a_coup_stops_the_table_until_a_ruling(tmp_path, by):
    """R-51: from the switch to the prompt, the ruling, and on; closed again is noted."""

    async def play():
        async with table(tmp_path, by) as served:
            await served.play(*DEALING, "card 9h")
            served.wires.sense(LID_SENSOR, active=True)
            await until(lambda: served.alerts() == {LID, LID_STOP})
            asked = served.asks()
            served.wires.sense(LID_SENSOR, active=False)
            await until(lambda: served.alerts() == {LID_STOP})
            await served.play("lid ruled nobody touched a card", "card 2d")
            return asked, await served.heard("LidNoted", 2), served.phase(), served.alerts()

    asked, noted, phase, alerts = asyncio.run(play())

    assert "supervisor" in asked
    assert [(one.open, one.coup) for one in noted] == [(True, True), (False, True)]
    assert (phase, alerts) == ("Dealing", set())


@EVERYWHERE
def test_a_lid_between_two_coups_is_noted_and_nothing_stops(tmp_path, by):
    """R-51: so it is loaded."""

    async def play():
        async with table(tmp_path, by) as served:
            served.wires.sense(LID_SENSOR, active=True)
            await until(lambda: served.alerts() == {LID})
            await served.play(*DEALING)
            served.wires.sense(LID_SENSOR, active=False)
            await until(lambda: served.alerts() == set())
            return await served.heard("LidNoted", 2)

    assert [(one.open, one.coup) for one in asyncio.run(play())] == [(True, False), (False, False)]


@EVERYWHERE
def test_a_cut_card_that_is_not_where_the_count_has_it_is_an_alert(tmp_path, by):
    """R-52: a third witness; here it sees the white card with all 312 still to come."""

    async def play():
        async with table(tmp_path, by) as served:
            await served.play(*DEALING)
            served.wires.sense(CUT_CARD, active=True)
            await until(lambda: served.alerts() == {CUT_COUNT})
            (alert,) = served.service.game.alerts(served.service.table.state)
            return str(alert.what)

    assert re.fullmatch(r"By the sensor .*\b312\b.*, by the count .*\b7\b.*", asyncio.run(play()))


@EVERYWHERE
def test_a_button_presses_the_offer_of_its_name_and_is_answered(tmp_path, by):
    """The pointeur's word by button 2; his lamp and a tone answer; the lamp is itself again."""

    async def play():
        async with table(tmp_path, by, uses=ALL) as served:
            await served.play(*DEALING, *FOUR)
            served.wires.press(2)
            (said,) = await served.heard("Said")
            if by == "pins":
                await until(lambda: served.wires.seen()[0])
            else:
                await until(lambda: served.wires.seen() == (True, True))
                await until(lambda: served.wires.seen() == (False, False))
            return said, served.phase()

    said, phase = asyncio.run(play())

    assert (said.seat, said.word, phase) == (2, "reste", "BankerToOpen")


@EVERYWHERE
def test_a_press_that_nothing_answers_does_nothing_and_says_so(tmp_path, by):
    """The word "carte" before the cards lie, and a bank that is not to be opened yet."""

    async def play():
        async with table(tmp_path, by) as served:
            await served.play(*DEALING)
            before = served.service.journal.last
            for number in (1, 4):
                served.wires.press(number)
                if by != "pins":
                    await until(lambda: served.wires.seen() == (False, True))
                    await until(lambda: served.wires.seen() == (False, False))
            await asyncio.sleep(0.05)
            return before, served.service.journal.last, served.phase()

    before, after, phase = asyncio.run(play())

    assert (before, phase) == (after, "Dealing")


@EVERYWHERE
def test_what_cannot_be_taken_back_wants_its_button_held(tmp_path, by):
    """R-20: as on the page; let go too soon, it is answered like a press that nothing takes."""

    async def play():
        async with table(tmp_path, by) as served:
            await served.play(*DEALING, *FOUR, "seat 2 reste")
            served.wires.press(4)
            await asyncio.sleep(0.05)
            if by != "pins":
                await until(lambda: served.wires.seen() == (False, True))
                await until(lambda: served.wires.seen() == (False, False))
            before = served.phase()
            served.wires.hold(4)
            await until(lambda: served.phase() != "BankerToOpen")
            return before, served.phase()

    assert asyncio.run(play()) == ("BankerToOpen", "BankerToChoose")


def test_two_presses_at_once_are_one_word(tmp_path):
    """The second was meant for the question that the first has answered: it is stale."""

    async def play():
        async with table(tmp_path, "pins") as served:
            await served.play(*DEALING, *FOUR)
            served.wires.press(1)
            served.wires.press(2)
            await served.heard("Said")
            await served.heard("Refused")
            return await served.heard("Said"), await served.heard("Refused")

    said, refused = asyncio.run(play())

    assert [one.word for one in said] == ["carte"]
    assert str(refused[0].why) == "It answers a question that the table no longer asks."


def test_without_mains_no_coup_begins_and_the_journal_is_brought_into_its_file(
    tmp_path, monkeypatch
):
    """R-53, over the Pi's pin: the alert, the refusal, the checkpoint; the mains clear it."""
    moved = []
    checkpoint = store.checkpoint
    monkeypatch.setattr(store, "checkpoint", lambda path: moved.append(checkpoint(path)))

    async def play():
        async with table(tmp_path, "pins") as served:
            await served.play(*DEALING[:-1])
            served.wires.wire("POWER_FAIL", active=True)
            await until(lambda: served.alerts() == {POWER})
            await until(lambda: len(moved) == 1)
            asked = served.asks()
            with pytest.raises(AssertionError, match="banco solo"):
                await served.play("seat 2 banco solo")
            served.wires.wire("POWER_FAIL", active=False)
            await until(lambda: served.alerts() == set())
            await served.play("seat 2 banco solo")
            return asked

    assert asyncio.run(play()) == "No coup begins before the mains are back."


def test_the_mains_that_came_back_while_nothing_ran_are_noted_at_the_next_start(tmp_path):
    """So is a lid that was closed meanwhile: the alert of an earlier run does not stay."""

    async def play():
        async with table(tmp_path, "pins") as served:
            served.wires.wire("POWER_FAIL", active=True)
            served.wires.sense(LID_SENSOR, active=True)
            await until(lambda: served.alerts() == {POWER, LID})
        async with table(tmp_path, "pins") as served:
            await until(lambda: served.alerts() == set())
        async with table(tmp_path, "pins") as served:
            served.wires.wire("POWER_FAIL", active=True)
            await until(lambda: served.alerts() == {POWER})
        async with table(tmp_path, "twin") as served:  # no such pin any more
            await until(lambda: served.alerts() == set())

    asyncio.run(play())


def test_sixty_four_flaps_of_a_lid_are_a_few_rows(tmp_path):
    """A loose contact: told at once that it is open, and not sixty-four times."""

    async def play():
        async with table(tmp_path, "pins") as served:
            await served.play(*DEALING)
            before = served.service.journal.last
            for _ in range(64):
                served.wires.sense(LID_SENSOR, active=True)
                await asyncio.sleep(0.002)
                served.wires.sense(LID_SENSOR, active=False)
                await asyncio.sleep(0.002)
            await asyncio.sleep(0.05)
            return served.service.journal.last - before, served.alerts()

    rows, alerts = asyncio.run(play())

    assert rows <= 7
    assert alerts == {LID}


def test_only_the_pins_that_are_set_to_be_used_are_taken(tmp_path):
    """Another program may have the others."""

    async def play():
        async with table(tmp_path, "pins", uses=("lid",)) as served:
            taken = served.service.devices.pins._reservations
            return [str(pin) for pin, by in taken.items() if by]

    (taken,) = asyncio.run(play())
    assert "27" in taken


def test_sixty_four_flaps_of_a_plug_are_a_few_rows(tmp_path):
    """They were 126: now three times at once, then lost until it has rested."""

    async def play():
        async with table(tmp_path, "pins") as served:
            before = served.service.journal.last
            for number in range(64):
                served.service.lost("camera", f"Its cable is out, try {number}.")
                await until(lambda: not served.service.table.waiting)
                served.service.back("camera")
                await until(lambda: not served.service.table.waiting)
            await asyncio.sleep(0.05)
            return served.service.journal.last - before, served.alerts()

    rows, alerts = asyncio.run(play())

    assert rows == 7
    assert alerts == {"device-camera"}

"""Sensors of a table: their inputs for a change, and when there is none."""

import asyncio
from typing import get_args

import pytest

from table_controller.engine.table.devices import LID, POWER, SENSORS
from table_controller.service.buttons_and_sensors import Sensing
from table_controller.service.debouncing import Flaps
from tests.service.dealt import at_table, heard
from tests.service.disks import SlowDisk
from tests.service.test_flaps import Line


def alerts(table):
    return {alert.id for alert in table.now.alerts}


def test_two_sensors_of_one_lid_agree_before_it_is_closed(tmp_path):
    """It is open as long as one of them says so, and each change is said once."""

    async def story(table):
        sensing, seen = Sensing(table, 0), []
        for source, active in (("board", 1), ("pins", 1), ("board", 0), ("pins", 0)):
            sensing.hear("lid", source, active=bool(active))
            seen.append(table.waiting)
            await heard(table)
            seen.append(alerts(table))
        return seen

    assert at_table(tmp_path, story) == [1, {LID}, 0, {LID}, 0, {LID}, 1, set()]


def test_a_sensor_that_flaps_is_closed_once_it_rests(tmp_path):
    """A loose contact: sixty-four flaps are a few rows, and the end is the truth."""

    async def story(table):
        line, said = Line(), 0
        sensing = Sensing(table, 0, Flaps(lambda: line.now, line.later))
        for _ in range(64):
            for active in (True, False):
                sensing.hear("lid", "pins", active=active)
                said += table.waiting
                await heard(table)
        before = said, alerts(table)
        line.rest(11.0)
        await heard(table)
        return before, alerts(table)

    assert at_table(tmp_path, story) == ((7, {LID}), set())


def test_a_lid_that_is_closed_before_it_is_written_that_it_was_open(tmp_path):
    """The table has heard of it, and the disk takes its time: both are said, in this order."""

    async def story(table):
        sensing, disk = Sensing(table, 0), SlowDisk(table._journal)
        sensing.hear("lid", "pins", active=True)
        await asyncio.to_thread(disk.reached)
        on_its_way = table.waiting, alerts(table)
        sensing.hear("lid", "pins", active=False)
        disk.release()
        await heard(table)
        return on_its_way, alerts(table)

    assert at_table(tmp_path, story) == ((0, set()), set())


@pytest.mark.parametrize(("line", "said"), [("power fails", 1), ("lid opens", 0)])
def test_what_ended_while_nothing_ran_is_said_at_the_start(tmp_path, line, said):
    """The alert of an earlier run; where none is open, all is well and nothing is said."""

    async def story(table):
        Sensing(table, 0).unheard("power_fail", "pins")
        count = table.waiting
        await heard(table)
        return count, POWER in alerts(table)

    assert at_table(tmp_path, story, line) == (said, False)


def test_what_was_heard_is_not_taken_for_silent(tmp_path):
    """Active from the start: it has reported so before anybody asks."""

    async def story(table):
        sensing = Sensing(table, 0)
        sensing.hear("power_fail", "pins", active=True)
        sensing.unheard("power_fail", "pins")
        await heard(table)
        return alerts(table)

    assert at_table(tmp_path, story) == {POWER}


def test_the_cut_card_is_said_with_what_lies_before_the_lip(tmp_path):
    """R-52; that the white card has passed is no news."""

    async def story(table):
        sensing = Sensing(table, 9)
        sensing.hear("cut_card", "pins", active=True)
        sensing.hear("cut_card", "pins", active=False)
        waiting = table.waiting
        await heard(table)
        return waiting, table.state.felt.shoe.left - table.state.felt.shoe.cut_sensed

    assert at_table(tmp_path, story) == (1, 9)


def test_a_game_without_such_inputs_is_told_nothing(open_table):
    """The counting game has no lid."""
    table = open_table()
    assert not {wire.active for wire in SENSORS.values()} & {*get_args(table.now.game.inputs)}

    async def story():
        Sensing(table, 0).hear("lid", "pins", active=True)
        return table.waiting

    assert asyncio.run(story()) == 0

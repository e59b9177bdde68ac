"""The Pi's pins by lgpio, as far as they can be tried without a Pi: against a fake of the module.

The behaviour of lgpio is taken from its source. Our code's handling of it is tested here.
"""

import asyncio
import contextlib
import gc
import importlib
import os
import sys
from collections import defaultdict
from pathlib import Path

import pytest
from gpiozero.pins import local

from firmware_bridge.messages import Sensor, SensorReport
from hardware import pi_table
from hardware.pi_table import PiTable, pin_factory
from hardware.pins import PinsError

LID = 27  # WIRING.md


@pytest.fixture
def lgpio(monkeypatch, tmp_path):
    """A machine with lgpio, whose working folder may not be written; the fake's Pi."""
    fake = "tests.hardware.fake_lgpio"
    shut = tmp_path / "shut"
    shut.mkdir()
    monkeypatch.chdir(shut)
    monkeypatch.setenv("LG_WD", str(tmp_path))
    monkeypatch.setattr(local, "get_pi_revision", lambda: 0xA02082)
    monkeypatch.setattr(local.LocalPiFactory, "pins", {})
    monkeypatch.setattr(local.LocalPiFactory, "_reservations", defaultdict(list))
    for name in (fake, "lgpio", "gpiozero.pins.lgpio"):
        monkeypatch.delitem(sys.modules, name, raising=False)

    class Finder:
        """Imports the fake when lgpio is asked for."""

        def find_spec(self, name, _path=None, _target=None):
            spec = importlib.util.find_spec(fake) if name == "lgpio" else None
            return importlib.util.spec_from_file_location("lgpio", spec.origin) if spec else None

    monkeypatch.setattr(sys, "meta_path", [Finder(), *sys.meta_path])
    pi_table._of_a_pi.cache_clear()
    yield lambda: sys.modules["lgpio"].pi
    pi_table._of_a_pi.cache_clear()
    for name in ("lgpio", "gpiozero.pins.lgpio"):
        sys.modules.pop(name, None)


@contextlib.asynccontextmanager
async def serving(pins, uses=("LID",)):
    told = asyncio.Queue()
    had = asyncio.Event()
    task = asyncio.create_task(PiTable(pins, told.put_nowait, uses=uses).run(ready=had.set))
    await asyncio.wait({task, asyncio.ensure_future(had.wait())}, return_when="FIRST_COMPLETED")
    if task.done():
        task.result()
    try:
        yield told
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


async def lid_opens(pi, told):
    """The report of a lid that opens and closes."""
    pi.edge(LID, 0)
    report = await asyncio.wait_for(told.get(), 2)
    pi.edge(LID, 1)
    await asyncio.wait_for(told.get(), 2)
    return report


def test_the_pipe_is_made_in_its_own_folder_and_we_stay_where_we_are(lgpio, tmp_path):
    """Else it fails where the working folder may not be written: the service's is /."""
    here = Path.cwd()
    here.chmod(0o555)

    pin_factory("lgpio")

    assert lgpio().folder == str(tmp_path)
    assert (tmp_path / ".lgd-nfy0").exists()
    assert Path.cwd() == here


def test_without_a_named_folder_the_pipe_gets_a_new_one(lgpio, monkeypatch):
    """At a table that is started by hand."""
    monkeypatch.delenv("LG_WD")
    here = Path.cwd()

    pin_factory("lgpio")

    assert "schlitten-pins-" in lgpio().folder
    assert Path.cwd() == here
    assert not os.listdir(here)  # noqa: PTH208


def test_a_pin_that_another_program_has_is_said(lgpio):
    """Lgpio's error is a plain Exception: it once ended the task, and nobody was told."""

    async def meet():
        pins = pin_factory("lgpio")
        lgpio().busy.add(LID)
        async with serving(pins):
            pass

    with pytest.raises(PinsError, match=r"GPIO busy.*stop the other program"):
        asyncio.run(meet())


def test_a_pin_that_was_busy_is_had_once_it_is_free(lgpio):
    """Without waiting for garbage collection: a fault is kept, and with it what failed."""

    async def meet():
        pins, kept = pin_factory("lgpio"), []
        for busy in ({LID}, set()):
            lgpio().busy = busy
            try:
                async with serving(pins) as told:
                    return await lid_opens(lgpio(), told), kept
            except PinsError as error:
                kept.append(error)
        return None

    gc.disable()
    try:
        report, kept = asyncio.run(meet())
    finally:
        gc.enable()

    assert report.active
    assert len(kept) == 1


@pytest.mark.parametrize("folder", ["nowhere", "a file"])
def test_a_bad_folder_for_the_pipe_is_named(lgpio, monkeypatch, tmp_path, folder):
    """It is not a package that is missing."""
    (tmp_path / "a file").touch()
    monkeypatch.setenv("LG_WD", str(tmp_path / folder))

    with pytest.raises(PinsError, match=rf"^LG_WD = '.*{folder}' is no folder that may be written"):
        pin_factory("lgpio")


def test_the_pins_of_one_use_leave_the_others_alone(lgpio):
    """Another program may have the lamps."""

    async def meet():
        pins = pin_factory("lgpio")
        lgpio().busy |= set(range(28)) - {LID}
        async with serving(pins) as told:
            return await lid_opens(lgpio(), told)

    report = asyncio.run(meet())

    assert isinstance(report, SensorReport)
    assert (report.sensor, report.active) == (Sensor.LID, True)


def test_pins_that_are_served_a_second_time_hear_their_edges(lgpio):
    """After a fault they are tried again, in the same process."""

    async def meet():
        heard = []
        for _ in range(3):
            async with serving(pin_factory("lgpio")) as told:
                heard.append(await lid_opens(lgpio(), told))
            gc.collect()
        return heard, lgpio().alive, lgpio().opened

    heard, alive, opened = asyncio.run(meet())

    assert [report.active for report in heard] == [True] * 3
    assert alive
    assert opened == 1


def test_two_tables_of_pins_share_one_factory(lgpio):
    """The exit beam's and the others': each hears its own."""

    async def meet():
        async with (
            serving(pin_factory("lgpio"), {"EXIT_BEAM"}) as beam,
            serving(pin_factory("lgpio")) as lid,
        ):
            told = beam.qsize()  # the beam's own wire is off here, which is told from the start
            report = await lid_opens(lgpio(), lid)
            return report, beam.qsize() - told

    report, others = asyncio.run(meet())

    assert (report.sensor, others) == (Sensor.LID, 0)

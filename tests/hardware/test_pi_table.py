"""One contract for the Pi's pins: by default on the twin, with `--pins lgpio` on a wired Pi."""

import asyncio
import contextlib
from pathlib import Path

import pytest

from firmware_bridge.messages import (
    OFF,
    ButtonReport,
    Colour,
    Lamp,
    Mode,
    Picture,
    Sensor,
    SensorReport,
)
from hardware import pi_table
from hardware.pi_table import PinTwin, PiTable, pin_factory
from hardware.pins import PinsError, PiPin, WireReport

LIT = Lamp(Mode.ON, Colour.WHITE)


def lamps(*, dark=()):
    """All lamps lit but some: a wired input is active while its lamp is dark."""
    return Picture(lamps=tuple(OFF if seat in dark else LIT for seat in range(1, 13)))


@contextlib.asynccontextmanager
async def serving(pins, **options):
    told = asyncio.Queue()
    table = PiTable(pins, told.put_nowait, **options)
    table.show(lamps())
    task = asyncio.create_task(table.run())
    try:
        yield table, told
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


def what(news):
    """A report without serial and time."""
    match news:
        case SensorReport():
            return (news.sensor, news.active)
        case ButtonReport():
            return (news.button, news.pressed)
        case WireReport():
            return (news.wire, news.active)


async def settle(told):
    """Drop what the wires said while the lamps were not lit yet."""
    with contextlib.suppress(TimeoutError):
        while True:
            await asyncio.wait_for(told.get(), 0.2)


@pytest.mark.parametrize(
    ("seat", "names"),
    [
        (1, Sensor.EXIT_BEAM),
        (2, Sensor.LID),
        (3, Sensor.CUT_CARD),
        (4, "POWER_FAIL"),
        (5, 0),
        (6, 1),
        (7, 2),
        (8, 3),
    ],
)
def test_each_input_is_told_when_it_becomes_active_and_when_it_ends(wired_pins, seat, names):
    """A lamp goes dark, its wired input is at 0 V; it is lit again, the input is not."""

    async def meet():
        async with serving(wired_pins) as (table, told):
            await settle(told)
            heard = []
            for picture in (lamps(dark={seat}), lamps()):
                table.show(picture)
                heard.append(await asyncio.wait_for(told.get(), 5))
            return heard, told.qsize()

    heard, more = asyncio.run(meet())

    # The lid's contact is closed, and the beam's eye is lit, as long as all is well.
    at_0_v = names is not Sensor.LID and names is not Sensor.EXIT_BEAM
    assert [what(news) for news in heard] == [(names, at_0_v), (names, not at_0_v)]
    assert more == 0
    if not isinstance(heard[0], WireReport):
        assert heard[1].serial == heard[0].serial + 1
        assert heard[1].time_us > heard[0].time_us


def test_an_input_that_is_active_from_the_start_is_told(wired_pins):
    """The lid may be open when the table is switched on."""

    async def meet():
        async with serving(wired_pins) as (table, told):
            table.show(lamps(dark={2}))
            return await asyncio.wait_for(told.get(), 5)

    assert what(asyncio.run(meet())) in {
        (sensor, True)
        for sensor in Sensor  # before the lamps were lit, every wired input is
    }


def test_lamps_keep_the_rhythm_of_the_board():
    """Eight phases of 0.128 s: on, four of eight, the first and the third."""
    twin, now = PinTwin(), 0.0
    modes = (Mode.OFF, Mode.ON, Mode.BLINK, Mode.PULSE)

    async def watch():
        nonlocal now
        seen = []
        async with serving(twin, clock=lambda: now) as (table, _):
            for phase in range(8):
                now = (phase + 0.5) * 0.128
                table.show(Picture(lamps=tuple(Lamp(mode) for mode in modes) * 3))
                await asyncio.sleep(0)
                await asyncio.sleep(0)
                await asyncio.sleep(0)
                seen.append(twin.lit()[:4])
        return seen

    seen = asyncio.run(watch())

    rhythm = ["".join("x" if lit else "." for lit in lamp) for lamp in zip(*seen, strict=True)]
    assert rhythm == ["........", "xxxxxxxx", "xxxx....", "x.x....."]


def test_the_lamps_are_dark_when_the_program_has_ended():
    """A table without a program must not look as if somebody had to act."""
    twin = PinTwin()

    async def meet():
        async with serving(twin):
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            return twin.lit()

    assert asyncio.run(meet()) == (True,) * 12
    assert twin.lit() == (False,) * 12


def test_a_press_on_the_twin_is_two_reports():
    """The verbs of the twin are what a hand does."""

    async def meet():
        twin = PinTwin()
        async with serving(twin) as (_, told):
            await asyncio.sleep(0)
            twin.press(2)
            return [await asyncio.wait_for(told.get(), 5) for _ in range(2)]

    assert [what(news) for news in asyncio.run(meet())] == [(2, True), (2, False)]


def test_pins_are_chosen_by_name_and_never_guessed():
    """An unknown name, and a Pi's pins where there is no Pi, are named with a remedy."""
    assert isinstance(pin_factory("mock"), PinTwin)
    with pytest.raises(PinsError, match=r"'gpio'.*lgpio, rpigpio or mock"):
        pin_factory("gpio")


def test_pins_of_a_pi_elsewhere_are_an_error_that_says_so():
    """No twin takes their place."""
    if Path("/dev/gpiochip0").exists():
        pytest.skip("this machine has pins")
    with pytest.raises(PinsError, match=r"no pins by lgpio here.*install the extra `pi`"):
        pin_factory("lgpio")


def test_an_input_that_nothing_is_told_of_is_named_before_its_wire_moves(monkeypatch):
    """Somebody wired it into `board.toml`, and nothing says what it means."""
    pins = (PiPin(5, 29, "in", "DOOR", "the door", "contact", ""),)
    monkeypatch.setattr(pi_table, "pi_pins", lambda: pins)

    with pytest.raises(PinsError, match=r"DOOR in hardware/board.toml is no sensor, no button"):
        asyncio.run(PiTable(PinTwin(), lambda _: None).run())


def test_a_lid_whose_wire_is_cut_is_told_as_open():
    """Its contact is closed while the lid is shut; without the wire the pull-up has the pin."""

    async def meet():
        twin = PinTwin()
        lid = twin.pin("GPIO27")
        async with serving(twin, uses={"LID"}) as (_, told):
            await settle(told)
            shut = told.qsize(), lid.state
            lid.drive_high()
            return shut, what(await asyncio.wait_for(told.get(), 5))

    assert asyncio.run(meet()) == ((0, False), (Sensor.LID, True))

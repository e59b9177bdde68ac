"""The Pi's pins through lgpio and the kernel's simulated Pi: contacts, lamps, a pin in use."""

import asyncio
import contextlib
import subprocess
import sys
from functools import partial

import pytest

from hardware.pi_table import PiTable, pin_factory
from hardware.pins import PinsError
from table_controller.adapters.mqtt_names import TableId
from table_controller.engine.table.devices import SENSORS
from table_controller.service.sealing import load_keys, make_key
from table_controller.wiring import config
from table_controller.wiring.app import Plan, Service
from table_controller.wiring.devices import Wired
from tests.lab.machine import PATIENCE_S
from tests.lab.pins import PINS
from tests.whole.wired import BUTTONS, DEALING, FOUR, Table

USES = (*SENSORS, "buttons", "lamps")


@contextlib.asynccontextmanager
async def table(folder, pi):
    """A table whose sensors, buttons and lamps are at the Pi's pins."""
    make_key(folder / "table.key")
    plan = Plan(
        table=TableId("lab", "pins"), house=config.house("zoppot-1934"),
        keys=load_keys(folder / "table.key", {}), journal=folder / "table.db",
        wired=Wired(buttons=BUTTONS, pins="lgpio", uses=USES, cut_card_ahead=0),
    )  # fmt: skip
    async with asyncio.timeout(PATIENCE_S), Service(plan) as service:
        served = Table(service, pi)
        service.table.listen(served)
        await holds(lambda: bool(service.devices.pins and service.devices.pins.pins))
        pi.calm(*(name.upper() for name in SENSORS), *(f"BUTTON_{n}" for n in range(4)))
        closed = SENSORS["lid"].calm, SENSORS["lid"].actor
        await holds(lambda: closed in served.taken)  # until then, a card is a stray
        yield served


async def holds(condition):
    """Wait until it is so; the table's own time limit ends it otherwise."""
    while not condition():
        await asyncio.sleep(0.01)


@pytest.mark.parametrize("name", SENSORS)
def test_every_sensor_is_said_to_the_table_by_its_wire(tmp_path, pi, name):
    """What it says when it becomes active, and when it no longer is."""
    wire = SENSORS[name]

    async def play():
        async with table(tmp_path, pi) as served:
            for active, kind in ((True, wire.active), (False, wire.calm)):
                await asyncio.sleep(1)  # longer than any contact takes to settle
                served.taken.clear()
                pi.wire(name.upper(), active=active)
                if kind:
                    await holds(partial(served.taken.__contains__, (kind, wire.actor)))

    asyncio.run(play())


def test_a_button_presses_its_offer_once_though_its_contacts_bounce(tmp_path, pi):
    """The pointeur's word by button 2, through thirty edges; his lamp answers."""

    async def play():
        async with table(tmp_path, pi) as served:
            await served.play(*DEALING, *FOUR)
            await asyncio.sleep(0.5)
            for _ in range(15):
                pi.wire("BUTTON_1", active=True)
                pi.wire("BUTTON_1", active=False)
            pi.wire("BUTTON_1", active=True)
            (said,) = await served.heard("Said")
            await holds(lambda: pi.lit(2))
            pi.wire("BUTTON_1", active=False)
            await asyncio.sleep(0.5)
            return said, await served.heard("Said"), served.phase()

    said, all_of_them, phase = asyncio.run(play())

    assert (said.seat, said.word, phase) == (2, "reste", "BankerToOpen")
    assert len(all_of_them) == 1


TAKES = """
import lgpio, sys
chip = lgpio.gpiochip_open(0)
lgpio.gpio_claim_input(chip, int(sys.argv[1]))
print("taken", flush=True)
sys.stdin.read()
"""


def test_a_pin_that_another_program_has_is_named_and_had_once_it_is_free(pi):
    """By the kernel's own refusal."""
    pins, told = pin_factory("lgpio"), []
    wanted = PiTable(pins, told.append, uses=["EXIT_BEAM"])
    with subprocess.Popen(
        [sys.executable, "-c", TAKES, str(PINS["EXIT_BEAM"].gpio)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as other:  # fmt: skip
        assert other.stdout.readline() == "taken\n"
        with pytest.raises(PinsError, match="stop the other program that uses them"):
            asyncio.run(wanted.run())
        other.stdin.close()
        other.wait()

    async def serve():
        ready = asyncio.Event()
        serving = asyncio.create_task(wanted.run(ready.set))
        await ready.wait()
        serving.cancel()

    asyncio.run(serve())

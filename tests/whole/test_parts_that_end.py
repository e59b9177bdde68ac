"""A part that ends by itself while a table is served causes an alert, and the rest goes on."""

import asyncio
import inspect
import os
import re
import signal
from dataclasses import replace

import httpx
import pytest

from firmware_bridge.barcode_module import BarcodeModule
from firmware_bridge.port import Board
from firmware_bridge.trouble import Trouble
from hardware.pi_table import PiTable
from table_controller.adapters.addresses import CannotServe
from table_controller.adapters.mqtt_publisher import Publisher
from table_controller.adapters.mqtt_requests import Desk
from table_controller.adapters.web.screens import Renderer
from table_controller.adapters.web.serve import _Quiet
from table_controller.commands import demo
from table_controller.service.errors import ServiceError
from table_controller.service.sealing import make_key
from table_controller.wiring import app
from table_controller.wiring import tasks as wiring_tasks
from table_controller.wiring.app import Service
from table_controller.wiring.config import ShoeSettings
from table_controller.wiring.shoe import eyes, lip
from table_controller.wiring.tasks import Tasks
from tests.limits import PATIENCE_S
from tests.whole.commands import Running, short_film
from tests.whole.lips import EMPTY, SHOE, Module, Scene, table, until
from tests.whole.plans import paged, plan
from vision import manifest
from vision.cardstock import Stock

LABELLED = Stock(SHOE.cards[9].card, SHOE.cards[9].token)


@pytest.fixture
def settings(tmp_path):
    """Write the settings of a table that reads a recording; their file."""

    def write(film):
        manifest.save(manifest.make(demo.SHOE, demo.SECRET), tmp_path / "shoe.manifest")
        make_key(tmp_path / "table.key")
        file = tmp_path / "table.toml"
        file.write_text(
            f'[journal]\npath = "{tmp_path}/table.db"\nkey = "{tmp_path}/table.key"\n'
            f'[shoe]\nreader = "recording"\ncamera = "{film}"\nheight = 192\n'
            f'manifests = ["{tmp_path}/shoe.manifest"]\n'
            '[board]\nport = "twin"\n[broker]\nkind = "none"\n[page]\nport = 0\n'
        )
        return file

    return write


def alert_on_the_page(running, text):
    """Wait until the croupier's page shows an alert that says `text`; the page is served still."""
    url = running.says(r"croupier's page\s+(\S+)/")[1]
    running.page(url, holds=lambda seen: text in seen)
    assert running.process.poll() is None


def test_a_recording_at_its_end_is_an_alert_and_the_table_goes_on(settings, tmp_path):
    """It names the file and what to do."""
    film = short_film(tmp_path / "evening.film", cards=0)
    with Running("run", "--config", settings(film)) as running:
        running.says(
            rf"recording: The recording {re.escape(str(film))} is at its end\. Name another one"
        )
        alert_on_the_page(running, f"The recording {film} is at its end.")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "cannot read the recording"),
        (b"", "is empty: it is no camera recording"),
        (b"\x89PNG\r\n\x1a\n and so on", "no camera recording"),
        (b'{"schlitten":"recording","format":1}\n', "no camera recording"),
    ],
    ids=["not there", "empty", "a picture", "an evening"],
)
def test_a_film_that_is_none_is_an_alert_and_the_table_goes_on(settings, tmp_path, content, said):
    """The sentence is the camera recording's own, with the file."""
    film = tmp_path / "evening.film"
    if content is not None:
        film.write_bytes(content)
    with Running("run", "--config", settings(film)) as running:
        told = running.says(r"recording: (\[shoe\]: .*)\n")[1]
        assert str(film) in told
        assert said in told
        assert told.endswith("Name another one in the settings ([shoe] camera), and start the "
                             "table again.")  # fmt: skip
        alert_on_the_page(running, "Name another one in the settings")


def test_a_recording_that_can_be_read_clears_the_alert_of_the_last_run(tmp_path, monkeypatch):
    """The file was exchanged, and the table started again."""

    async def play():
        async with table(tmp_path, monkeypatch) as lipped:
            await lipped.pictures()  # the first one would clear the alert
            lipped.service.lost("recording", "It is none.")
            await until(lambda: "device-recording" in lipped.alerts())
        async with table(tmp_path, monkeypatch) as lipped:
            assert "device-recording" in lipped.alerts()
            await until(lambda: "device-recording" not in lipped.alerts())

    asyncio.run(play())


def test_a_fault_of_a_witness_is_an_alert_and_nothing_else_stops(tmp_path, monkeypatch, capfd):
    """Its text, which may hold a card, is nowhere; the next card is read."""
    faults = [ValueError("it shows the 7h")]
    sight = eyes.sight

    def failing(settings, house):
        seen = sight(settings, house)
        (eye,) = seen.witnesses

        def look(picture):
            if picture.max() > EMPTY.max() and faults:
                raise faults[0]
            return eye(picture)

        return replace(seen, witnesses=(look,))

    monkeypatch.setattr(eyes, "sight", failing)

    async def play():
        async with table(tmp_path, monkeypatch) as lipped:
            first = lipped.lip.reader
            await lipped.lay(LABELLED)
            await until(lambda: "device-reading" in lipped.alerts())
            (alert,) = [
                a for a in lipped.service.table.state.felt.alerts if a.id == "device-reading"
            ]
            faults.clear()
            await lipped.draw(LABELLED)
            await until(lambda: bool(lipped.heard))
            await lipped.card(LABELLED)
            await until(lambda: "device-reading" not in lipped.alerts())
            assert lipped.lip.reader is first
            return str(alert.remedy), lipped.heard[-1]

    remedy, seen = asyncio.run(play())

    assert re.match(r"It begins anew by itself.*report the line.*\(reading failed", remedy)
    assert (seen.card, seen.copy) == (SHOE.cards[9].card, SHOE.cards[9].copy)
    log = capfd.readouterr().err
    assert "reading cards failed" in log
    assert "7h" not in log


def test_a_table_whose_own_task_fails_does_not_hang(tmp_path, monkeypatch):
    """Nobody would be served any more: whoever started it is told, and can start it again."""

    async def play():
        async with table(tmp_path, monkeypatch) as lipped:
            service = lipped.service

            def broken(*_args, **_more):
                raise RuntimeError("a fault of ours")

            monkeypatch.setattr(service.journal, "commit", broken)
            service.lost("board", "it is away")
            async with asyncio.timeout(PATIENCE_S):
                await service.served()

    with pytest.raises(ServiceError, match="The table stopped because of a fault in the program"):
        asyncio.run(play())


def test_a_task_that_ends_or_fails_is_missed_and_one_that_is_done_is_not(capfd):
    """Those that are stopped are not missed either."""

    async def fails():
        raise ValueError("it shows the 7h")

    async def ends():
        pass

    async def play():
        missed = []
        tasks = Tasks(lambda part, _: missed.append(part), missed.append)
        work = [
            tasks.start("fails", fails, again=False),
            tasks.start("ends", ends, again=False),
            tasks.start("fails too", fails, ends=True, again=False),
            tasks.start("is done", ends, ends=True),
        ]
        tasks.start("goes on", asyncio.Event().wait)
        await asyncio.wait(work)
        await tasks.stop()
        return missed

    assert sorted(asyncio.run(play())) == ["ends", "fails", "fails too"]
    log = capfd.readouterr().err
    assert "ValueError" in log
    assert "7h" not in log


def test_a_task_that_ended_is_begun_anew_until_it_goes_on(monkeypatch):
    """Whether it failed or just ended; each time it is missed, and then said to be back."""
    monkeypatch.setattr(wiring_tasks, "AGAIN_S", 0)
    ends = iter([ValueError("a fault of ours"), None, CannotServe(Trouble("The port is taken."))])

    async def play():
        said, going = [], asyncio.Event()

        async def work():
            end = next(ends, "goes on")
            if end == "goes on":
                await asyncio.sleep(0)  # long enough to be back
                going.set()
                await asyncio.Event().wait()
            if isinstance(end, Exception):
                raise end

        tasks = Tasks(lambda part, why: said.append(f"{part} is missed: {why}"),
                      lambda part: said.append(f"{part} is back"), (CannotServe,))  # fmt: skip
        tasks.start("the board", work)
        async with asyncio.timeout(PATIENCE_S):
            await going.wait()
        await tasks.stop()
        return said

    assert asyncio.run(play()) == [
        "the board is missed: ", "the board is missed: ", "the board is missed: The port is taken.",
        "the board is back",
    ]  # fmt: skip


#: So soon an alert says that a part ended.
ALERT_S = 2.0
#: What is begun by a part that opens a camera or a port first, which takes its time.
WATCHED = ("reading", "module", "beam")
PARTS = {
    "board": (Board, "_exchange"),
    "broker": (Publisher, "_pump"),
    "desk": (Desk, "serve"),
    "health": (app, "health"),
    "page": (_Quiet, "on_tick"),
    "reading": (lip.LiveLip, "_read"),
    "module": (BarcodeModule, "run"),
    "beam": (PiTable, "run"),
}


@pytest.mark.parametrize("part", PARTS)
def test_each_part_that_fails_is_an_alert_and_comes_back_by_itself(
    part, tmp_path, monkeypatch, capfd
):
    """While the table goes on; nothing of what failed is told but its places."""
    monkeypatch.setattr(wiring_tasks, "AGAIN_S", 0.05)
    monkeypatch.setattr(app, "HEALTH_S", 0.01)
    monkeypatch.setattr(eyes, "frames", lambda _settings: Scene())
    owner, name = PARTS[part]
    whole, broken = getattr(owner, name), [True]

    def failing(*args, **more):
        if broken:
            raise ValueError("it shows the 7h")
        return whole(*args, **more)

    async def failing_later(*args, **more):
        return await failing(*args, **more)

    later = inspect.iscoroutinefunction(whole)
    monkeypatch.setattr(owner, name, failing_later if later else failing)

    module = Module(tmp_path / "module")
    module.plug_in()
    manifest.save(SHOE, tmp_path / "blue.manifest")
    shoe = ShoeSettings(reader="camera", camera="scene", module=str(module.name), beam="mock",
                        manifests=(tmp_path / "blue.manifest",))  # fmt: skip

    async def play():
        async with Service(plan(tmp_path)) as service:
            service.start("reading", service.lip(shoe).run, ends=True)

            def missed():
                alert = f"device-{'broker' if part == 'desk' else part}"  # it serves the broker's
                return any(a.id == alert for a in service.table.state.felt.alerts)

            async with asyncio.timeout(ALERT_S + PATIENCE_S * (part in WATCHED)):
                await until(missed)
            broken.clear()
            await until(lambda: not missed())
            await until(lambda: service.table.waiting == 0)

    asyncio.run(play())
    module.pull()
    log = capfd.readouterr().err
    assert "error=ValueError" in log
    assert "7h" not in log


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM])
def test_an_embedded_broker_that_ends_is_an_alert_and_another_takes_its_place(
    end, tmp_path, monkeypatch
):
    """At the same port; what was told meanwhile follows."""
    monkeypatch.setattr(wiring_tasks, "AGAIN_S", 0.05)

    async def play():
        async with Service(plan(tmp_path)) as service:
            await service.publisher.told()
            first, port = service.broker.pid, service.broker.port
            os.kill(first, end)

            def missed():
                return any(a.id == "device-broker" for a in service.table.state.felt.alerts)

            async with asyncio.timeout(ALERT_S):
                await until(missed)
            await until(lambda: service.broker.pid not in (first, None) and not missed())
            async with asyncio.timeout(PATIENCE_S):
                await service.publisher.told()
            assert service.broker.port == port
            assert service.outbox.pending(1) == []

    asyncio.run(play())


def test_a_picture_that_cannot_be_rendered_is_an_alert_until_it_can(tmp_path, monkeypatch, capfd):
    """The fault's text, which may hold a card, is nowhere; a screen in another language is well."""
    parts = Renderer.parts

    def failing(renderer, *args):
        if renderer._locale == "sv":
            raise KeyError("7h")
        return parts(renderer, *args)

    async def play():
        async with (
            Service(paged(tmp_path)) as service,
            httpx.AsyncClient(base_url=service.url, timeout=PATIENCE_S) as client,
        ):

            async def look(language):
                async with client.stream("GET", f"/public/live?lang={language}") as answer:
                    async for line in answer.aiter_lines():
                        if line.startswith("data: {"):
                            return True
                return False

            def alerts():
                return {alert.id for alert in service.table.state.felt.alerts}

            monkeypatch.setattr(Renderer, "parts", failing)
            seen = [await look("sv")]
            await until(lambda: "device-page" in alerts())
            seen += [await look("en"), await look("sv")]
            assert "device-page" in alerts()
            assert service.table.waiting == 0  # nothing clears it

            monkeypatch.setattr(Renderer, "parts", parts)
            seen += [await look("sv")]
            await until(lambda: "device-page" not in alerts())
            return seen

    assert asyncio.run(play()) == [False, True, False, True]

    said = capfd.readouterr().err
    assert "error=KeyError" in said
    assert "7h" not in said

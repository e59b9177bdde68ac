"""The lip at a live table: barcode module and exit beam next to the camera, lost and back."""

import asyncio
from functools import partial

import pytest
from msgspec import json

from firmware_bridge.barcode_module import BarcodeModule
from hardware.pi_table import PiTable, pin_factory
from hardware.pins import PinsError
from table_controller.engine.messages import AlertAcknowledged
from table_controller.engine.seen import Unknown
from table_controller.engine.table.events import SchlittenCounted
from table_controller.engine.table.persons import SignInRefused
from table_controller.service.table import Told
from table_controller.wiring.shoe import lip
from tests.whole.lips import EMPTY, SHOE, Module, kept, lying, table, until
from vision.beam import MISSED
from vision.cardstock import Stock

ENTRY, OTHER, THIRD, FOURTH = (SHOE.cards[number] for number in (9, 99, 199, 299))
BARE = Stock(ENTRY.card)  # a face without a label: the camera reads nothing
LABELLED = Stock(ENTRY.card, ENTRY.token)


@pytest.fixture
def module(tmp_path):
    return Module(tmp_path / "usb-module")


def test_the_modules_line_reaches_the_table_through_noise_split_and_doubled(
    tmp_path, monkeypatch, module
):
    """A QR token alone names the card; digits need the camera beside them; noise names nothing."""

    def noisy(text):
        def speak():
            for part in (b"\xff\x00\r", text[:5].encode(), f"{text[5:]}\r\n{text}\r\n".encode()):
                module.says(part)

        return speak

    async def play():
        async with table(tmp_path, monkeypatch, module=str(module.name)) as lipped:
            module.plug_in()
            await until(lambda: not lipped.alerts())
            return [
                await lipped.card(BARE, noisy(ENTRY.token)),
                await lipped.card(BARE, noisy(FOURTH.digits)),
                await lipped.card(Stock(OTHER.card, OTHER.token), noisy(OTHER.digits)),
                await lipped.card(LABELLED, noisy(THIRD.digits)),
                await lipped.card(BARE, lambda: module.says(b"\xf0\x9f\r\n")),
            ], lipped.lip.reader.take_quality()

    seen, quality = asyncio.run(play())

    assert [(one.card, one.copy, one.unknown) for one in seen] == [
        (ENTRY.card, ENTRY.copy, None),
        (None, 0, Unknown.UNSURE),
        (OTHER.card, OTHER.copy, None),
        (None, 0, Unknown.DISAGREE),
        (None, 0, Unknown.NO_READ),
    ]
    assert quality.reads["module"] == 4
    assert quality.agreed == 1


def test_a_module_that_is_pulled_is_an_alert_and_the_camera_reads_on(tmp_path, monkeypatch, module):
    """Missing at the start, there, pulled, and back: an alert each time, and cleared.

    Its last line names another card than the one just read: that one it would name late.
    """

    async def play():
        async with table(tmp_path, monkeypatch, module=str(module.name)) as lipped:
            await until(lambda: lipped.alerts() == {"device-module"})
            first = await lipped.card(LABELLED)
            module.plug_in()
            await until(lambda: lipped.alerts() == set())
            module.pull()
            await until(lambda: lipped.alerts() == {"device-module"})
            second = await lipped.card(LABELLED)
            module.plug_in()
            await until(lambda: lipped.alerts() == set())
            third = await lipped.card(BARE, lambda: module.says(OTHER.token.encode() + b"\r"))
            return first, second, third

    told = [(seen.card, seen.copy) for seen in asyncio.run(play())]
    assert told == [(one.card, one.copy) for one in (ENTRY, ENTRY, OTHER)]


def _heard(lipped, count):
    return len(lipped.heard) == count


def test_the_exit_beam_opens_and_closes_the_passages(tmp_path, monkeypatch):
    """Two dark moments are two passages, though the picture shows a card all the while."""

    async def play():
        async with table(tmp_path, monkeypatch, beam="mock") as lipped:
            await until(lambda: lipped.lip.pins is not None and lipped.lip.pins.pins)
            dark = 0
            for entry in (ENTRY, OTHER):
                lipped.scene.picture = lying(Stock(entry.card, entry.token))
                while not any(seen.card == entry.card for seen in lipped.heard):
                    lipped.lip.pins.drive("EXIT_BEAM", active=True)
                    await until(lambda: lipped.lip.reader._passages._open is not None)
                    await lipped.rest()
                    lipped.lip.pins.drive("EXIT_BEAM", active=False)
                    dark += 1
                    await until(partial(_heard, lipped, dark))
            return lipped.heard, dark, lipped.alerts()

    heard, dark, alerts = asyncio.run(play())

    known = [(seen.card, seen.copy) for seen in heard if seen.unknown is None]
    assert known == [(ENTRY.card, ENTRY.copy), (OTHER.card, OTHER.copy)]
    assert len(heard) == dark  # a machine that takes no picture for 150 ms judges nobody
    assert "device-beam" not in alerts


def test_a_beam_that_sees_nothing_is_an_alert_and_the_picture_takes_over(tmp_path, monkeypatch):
    """The card it missed stops the coup; the next is read; a beam that sees again is back."""

    async def play():
        async with table(tmp_path, monkeypatch, beam="mock") as lipped:
            pins = lambda: lipped.lip.pins  # noqa: E731
            await until(lambda: pins() is not None and pins().pins)
            while not lipped.heard:  # a machine that takes no picture for 150 ms judges nobody
                await lipped.lay(LABELLED)
                await lipped.pictures()
                await lipped.draw(LABELLED)
                await lipped.pictures()
            await until(lambda: lipped.alerts() == {"device-beam"})
            (alert,) = lipped.service.table.state.felt.alerts
            await lipped.card(LABELLED)
            while lipped.alerts():
                await lipped.card(LABELLED, lambda: pins().drive("EXIT_BEAM", active=True))
                pins().drive("EXIT_BEAM", active=False)
                await lipped.pictures()
            return lipped.heard, alert

    heard, alert = asyncio.run(play())

    assert [seen.unknown for seen in heard][:3] == [Unknown.NO_READ, None, None]
    assert MISSED in str(alert.remedy)


def test_without_pins_the_beam_is_an_alert_and_cards_are_read(tmp_path, monkeypatch):
    """Settings of a Pi on another machine: never a twin in its place."""

    async def play():
        async with table(tmp_path, monkeypatch, beam="rpigpio") as lipped:
            await until(lambda: lipped.alerts() == {"device-beam"})
            return await lipped.card(LABELLED)

    assert asyncio.run(play()).card == ENTRY.card


def test_a_beam_whose_pins_open_later_is_no_alert_any_more(tmp_path, monkeypatch):
    """Another program had them; nothing has to pass before it is said."""
    taken, whole = asyncio.Event(), pin_factory

    def opened(name):
        if taken.is_set():
            raise PinsError("Another program has them.")
        return whole(name)

    monkeypatch.setattr(lip, "pin_factory", opened)
    monkeypatch.setattr(lip, "RETRY_S", 0.01)

    async def play():
        taken.set()
        async with table(tmp_path, monkeypatch, beam="mock") as lipped:
            await until(lambda: lipped.alerts() == {"device-beam"})
            taken.clear()
            await until(lambda: lipped.alerts() == set())

    asyncio.run(play())


@pytest.mark.parametrize("witness", ["beam", "module"])
def test_whatever_a_witness_raises_is_its_alert_and_cards_are_read(
    tmp_path, monkeypatch, capfd, witness
):
    """Not its end: it is tried again, and the picture opens and closes meanwhile."""

    async def fails(*_args, **_named):
        raise TypeError("run() got an unexpected keyword argument")

    monkeypatch.setattr(PiTable, "run", fails)
    monkeypatch.setattr(BarcodeModule, "run", fails)

    async def play():
        async with table(tmp_path, monkeypatch, **{witness: "mock"}) as lipped:
            await until(lambda: lipped.alerts() == {f"device-{witness}"})
            return await lipped.card(LABELLED)

    assert asyncio.run(play()).card == ENTRY.card
    assert "TypeError" in capfd.readouterr().err


def test_a_camera_that_stood_still_is_back_by_itself_but_somebody_has_to_count(
    tmp_path, monkeypatch
):
    """After a second, not the ten of its driver. The next card is unsure, the one after it not."""

    async def play():
        async with table(tmp_path, monkeypatch, fps=8.0) as lipped:
            await lipped.pictures()
            lipped.scene.stopped.set()
            await until(lambda: lipped.alerts() == {"device-camera"})
            lipped.scene.stopped.clear()
            await until(lambda: lipped.alerts() == {"device-frames"})
            seen = [await lipped.card(LABELLED), await lipped.card(LABELLED)]
            before = lipped.alerts()
            table_ = lipped.service.table
            await table_.ask(AlertAcknowledged(actor="croupier", alert="device-frames"))
            await until(lambda: not lipped.alerts())
            return [one.unknown for one in seen], before

    assert asyncio.run(play()) == ([Unknown.UNSURE, None], {"device-frames"})


@pytest.mark.parametrize(
    ("loaded", "alerts", "unknown"),
    [("schlitten blue-1", {"device-frames"}, Unknown.UNSURE), ("", set(), None)],
)
def test_what_left_before_reading_began_anew_has_to_be_counted(
    tmp_path, monkeypatch, loaded, alerts, unknown
):
    """Nobody saw it, and the next card is unsure; but where no Schlitten is loaded none left."""
    monkeypatch.setattr(lip, "RETRY_S", 0.05)

    def fails(_frame):
        raise RuntimeError("a fault")

    async def play():
        async with table(tmp_path, monkeypatch) as lipped:
            await lipped.pictures()
            if loaded:
                await lipped.service.table.ask(lipped.service.game.read(loaded))
            first = lipped.lip.reader
            first.watch = fails
            await until(lambda: lipped.lip.reader is not first)
            lipped.count()
            await lipped.pictures()
            await until(lambda: "device-reading" not in lipped.alerts())
            before = lipped.alerts()
            return before, [(await lipped.card(LABELLED)).unknown for _ in range(2)]

    assert asyncio.run(play()) == (alerts, [unknown, None])


def test_what_left_while_the_program_was_away_has_to_be_counted(tmp_path, monkeypatch):
    """Also where somebody counted after a gap of the earlier run."""

    async def play():
        async with table(tmp_path, monkeypatch) as lipped:
            await lipped.pictures()
            ask = lipped.service.table.ask
            await ask(lipped.service.game.read("schlitten blue-1"))
            lipped.lip.reader.dropped(overrun=True)
            await until(lambda: lipped.alerts() == {"device-frames"})
            await ask(AlertAcknowledged(actor="croupier", alert="device-frames"))
        async with table(tmp_path, monkeypatch) as again:

            def acknowledged():
                return [one.acknowledged for one in again.service.table.state.felt.alerts]

            await until(lambda: acknowledged() == [False])
            await again.pictures()
            return [(await again.card(LABELLED)).unknown for _ in range(2)]

    assert asyncio.run(play()) == [Unknown.UNSURE, None]


async def told_of(lipped, picture, count):
    """What the camera's alert says of such pictures, and the alerts after `count` more of them."""
    lipped.scene.picture = picture
    await until(lambda: lipped.alerts() == {"device-camera"})
    (alert,) = lipped.service.table.state.felt.alerts
    await lipped.pictures(count)
    before = lipped.alerts()
    lipped.scene.picture = EMPTY
    return str(alert.remedy), before


def test_a_lamp_that_dies_is_an_alert_while_it_is_dark_and_somebody_has_to_count(
    tmp_path, monkeypatch
):
    """Every card that left meanwhile was silent."""

    async def play():
        async with table(tmp_path, monkeypatch) as lipped:
            await lipped.pictures(30)
            said = await told_of(lipped, EMPTY // 10, 60)
            await until(lambda: lipped.alerts() == {"device-frames"})
            return said

    why, before = asyncio.run(play())

    assert "the pictures are dark" in why
    assert before == {"device-camera"}


def test_what_lies_in_the_gate_for_good_is_an_alert_until_it_is_gone(tmp_path, monkeypatch):
    """A light that blinds, as if paper lay all over the lip: no verdict is ever due."""

    async def play():
        async with table(tmp_path, monkeypatch) as lipped:
            await lipped.pictures(30)
            lipped.scene.picture = EMPTY // EMPTY * 255
            await until(lambda: lipped.alerts() == {"device-camera"})
            lipped.scene.picture = EMPTY
            await until(lambda: "device-frames" in lipped.alerts())

    asyncio.run(play())


def test_pictures_of_another_size_are_an_alert_of_the_camera_while_they_come(tmp_path, monkeypatch):
    """Such a recording or camera reads nothing, though pictures come."""

    async def play():
        async with table(tmp_path, monkeypatch) as lipped:
            said = await told_of(lipped, EMPTY[:, :320], 150)
            await until(lambda: "device-camera" not in lipped.alerts())
            return said

    why, before = asyncio.run(play())

    assert "the frames are 320 pixels wide" in why
    assert before == {"device-camera"}


def test_every_gap_has_to_be_counted_however_soon_it_follows_the_last(tmp_path, monkeypatch):
    """Whoever counted after the first knows nothing of the sixth: people do not flap."""

    async def play():
        async with table(tmp_path, monkeypatch) as lipped:

            def stands():
                alerts = lipped.service.table.state.felt.alerts
                return [one.acknowledged for one in alerts if one.id == "device-frames"] == [False]

            await lipped.pictures()
            for _ in range(6):
                lipped.lip.reader.dropped(overrun=True)
                await until(stands)
                said = AlertAcknowledged(actor="croupier", alert="device-frames")
                await lipped.service.table.ask(said)
            await until(lambda: not lipped.alerts())

    asyncio.run(play())


def test_a_device_that_was_taken_out_of_the_settings_is_missed_no_longer(
    tmp_path, monkeypatch, module
):
    """Its alert of an earlier run is cleared."""

    async def play():
        async with table(tmp_path, monkeypatch, module=str(module.name)) as lipped:
            await until(lambda: lipped.alerts() == {"device-module"})
        async with table(tmp_path, monkeypatch) as lipped:
            before = lipped.alerts()
            await until(lambda: not lipped.alerts())
            return before

    assert asyncio.run(play()) == {"device-module"}


def test_figures_of_reading_are_told_when_a_schlitten_is_closed_and_not_before(
    tmp_path, monkeypatch
):
    """To the staff, retained, and beside the journal; the next Schlitten begins with none."""
    told, dropped = [], []  # a stalled machine drops pictures of a card that it has read, too

    class Ear:
        def tell(self, message):
            told.append(message)

        def show(self, _now):
            pass

    async def play():
        async with table(tmp_path, monkeypatch) as lipped:
            lipped.service.out.publisher = Ear()
            reader, drop = lipped.lip.reader, lipped.lip.reader.dropped
            monkeypatch.setattr(reader, "dropped", lambda **how: dropped.append(drop(**how)))
            await lipped.card(LABELLED)
            await lipped.card(BARE)
            reader.dropped(overrun=True)
            before = (list(told), kept(tmp_path))
            closed = SchlittenCounted(shoe="1", coups=3, remaining={})
            lipped.lip.tell([Told(closed, None)], lipped.service.table.now)
            await lipped.service.table.ask(SignInRefused())  # by then it is journaled
            noted = lipped.service.journal.of_types("reading_noted")
            left = reader.take_quality()
            return before, left, [json.decode(row.body) for row in noted]

    before, left, noted = asyncio.run(play())
    (figures,) = kept(tmp_path)

    assert before == ([], [])
    assert [message.topic for message in told] == ["schlitten/2/whole/lip/croupier/reading"]
    assert told[0].retain
    assert (figures["shoe"], figures["camera"], figures["deck"]) == ("1", "scene", "blue-1")
    assert (figures["passages"], figures["cards"], figures["rejects"]) == (2, 1, {"no_read": 1})
    assert sum(figures["margins"].values()) == 2
    assert noted == [
        {
            "type": "reading_noted", "shoe": "1", "passages": 2, "cards": 1, "retries": 0,
            "agreed": 1, "rejected": 1, "gaps": 1,
        }
    ]  # fmt: skip
    assert (figures["gaps"], figures["dropped"] + left.dropped) == (1, len(dropped))
    assert left.passages == 0

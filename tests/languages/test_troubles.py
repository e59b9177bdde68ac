"""Why a device is lost, in the language of the page."""

import ast
import asyncio
import re
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from firmware_bridge.reconciler import Lost
from firmware_bridge.trouble import Trouble
from table_controller import words
from table_controller.engine import alerts
from table_controller.engine.messages import Audience, DeviceLost, Phrase
from table_controller.wiring.app import Service
from tests.whole.lips import until
from tests.whole.plans import plan

ROOT = Path(__file__).parents[2]
GONE = Trouble(
    "{path} is gone ({error}): plug the device in again",
    path="/dev/tty",
    error="Input/output error",
)
#: What tells why a device or a part of the program is lost.
TELLS = {"CameraError", "PortError", "PinsError", "CannotServe", "CannotSpeak"} | {
    "ModuleLost",
    "Lost",
}
#: Files whose faults are plain texts, and why.
OTHERS = {
    "vision/recording.py": "a damaged film; its faults name the line",
}


def test_a_trouble_is_its_english_sentence():
    assert GONE == "/dev/tty is gone (Input/output error): plug the device in again"
    assert (GONE.template, GONE.values) == (
        "{path} is gone ({error}): plug the device in again",
        {"path": "/dev/tty", "error": "Input/output error"},
    )


@pytest.mark.parametrize(
    ("locale", "remedy"),
    [
        (
            "en",
            (
                "Look at its plug: lamps and digits come back by themselves. (/dev/tty is gone "
                "(Input/output error): plug the device in again)"
            ),
        ),
        (
            "de",
            (
                "Den Stecker prüfen: Lampen und Ziffern kommen von selbst wieder. (/dev/tty ist "
                "weg (Input/output error): das Gerät wieder einstecken)"
            ),
        ),
        (
            "fr",
            (
                "Vérifier sa prise\u00a0: lampes et chiffres reviennent d’eux-mêmes. (/dev/tty a "
                "disparu (Input/output error)\u00a0: rebrancher l’appareil)"
            ),
        ),
        (
            "hu",
            (
                "Nézzék meg a csatlakozóját: lámpák és számjegyek maguktól visszajönnek. (/dev/tty "
                "eltűnt (Input/output error): dugják be újra a készüléket)"
            ),
        ),
        (
            "sv",
            (
                "Se efter kontakten: lampor och siffror återkommer av sig själva. (/dev/tty är "
                "borta (Input/output error): sätt i kontakten igen)"
            ),
        ),
    ],
)
def test_the_alert_of_a_lost_board_speaks_the_pages_language(tmp_path, locale, remedy):
    """The driver's own error stays as the driver wrote it; the journal keeps it over a restart."""
    made = replace(plan(tmp_path, board=""), broker=None, page=None)

    async def play(news):
        async with Service(made) as service:
            if news:
                service.voices.board_news(news)
            picture = service.hub.snapshot
            await until(lambda: bool(picture(Audience.CROUPIER).alerts))
            return picture(Audience.CROUPIER).alerts[0]

    alert = asyncio.run(play(Lost(GONE)))

    assert words.text(alert.remedy, locale) == remedy


def test_a_drivers_own_text_stays_as_it_is():
    (lost,), _ = alerts.device((), DeviceLost(device="camera", why="VIDIOC_DQBUF: -19"))

    assert words.text(lost.remedy, "de") == (
        "Kabel und Licht prüfen: sie kommt von selbst wieder. (VIDIOC_DQBUF: -19)"
    )


def test_a_trouble_inside_a_trouble_is_translated_too():
    why = Phrase(
        "the Pi's camera is lost ({error}): check its cable",
        {"error": Phrase("no picture came in {s} s", {"s": 2})},
    )

    assert words.text(why, "hu") == (
        "a Pi kamerája elveszett (2 másodpercig nem jött kép): nézzék meg a kábelét"
    )


@pytest.mark.parametrize(
    ("row", "why"),
    [
        (
            (
                b'{"type":"device_lost","actor":"watch","prompt":null,"device":"board",'
                b'"why":"Its cable is out: plug it in."}'
            ),
            "Its cable is out: plug it in.",
        ),
        (
            (
                b'{"type":"device_lost","actor":"watch","prompt":null,"device":"board","why":'
                b'{"text":"{path} is open, but no board answers there","args":{"path":"/dev/x"}}}'
            ),
            Phrase("{path} is open, but no board answers there", {"path": "/dev/x"}),
        ),
    ],
    ids=["of an earlier version", "of today"],
)
def test_a_journals_row_is_read(row, why):
    read = msgspec.json.decode(row, type=DeviceLost)

    assert read == DeviceLost(actor="watch", device="board", why=why)
    assert msgspec.json.decode(msgspec.json.encode(read), type=DeviceLost) == read


def _told(path):
    """The first argument of each call that tells why a device is lost, as it is written."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call) and node.args:
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if name in TELLS:
                yield node.args[0]


def test_no_reason_is_written_as_a_plain_text():
    """A new one is a `Trouble`, and so fails without its translations."""
    rooms = ("firmware_bridge", "hardware", "vision", "table_controller")
    plain = {
        f"{path.relative_to(ROOT)}: {ast.unparse(said)}"
        for room in rooms
        for path in sorted((ROOT / room).rglob("*.py"))
        for said in _told(path)
        if isinstance(said, ast.JoinedStr) or (isinstance(said, ast.Constant) and said.value)
    }

    assert plain == set()


def test_frames_say_their_fault_by_a_trouble():
    """A camera's `Frame` without a picture; only a damaged film speaks for itself."""
    spoken = {
        str(path.relative_to(ROOT))
        for path in sorted((ROOT / "vision").rglob("*.py"))
        if re.search(r"Frame\([^()]*None,\s*f\"", path.read_text())
    }

    assert spoken <= set(OTHERS)

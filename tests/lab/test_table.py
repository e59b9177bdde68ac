"""The whole program: `doctor` and `run` with camera, board and pins by their real drivers."""

import re
import subprocess
import urllib.request

import pytest

from tests.lab import film, projector
from tests.lab.machine import until
from tests.whole.commands import COMMAND, Running, schlitten
from vision import manifest

SETTINGS = """
[table]
site = "lab"
name = "one"
house = "zoppot-1934"
[journal]
path = "{folder}/table.db"
key = "{folder}/table.key"
[shoe]
reader = "camera"
camera = "{camera}"
manifests = ["{folder}/lab.manifest"]
width = 640
height = 192
fps = 6.0
exposure_us = 0
mains_hz = 0
[board]
port = "{port}"
[pins]
driver = "lgpio"
uses = ["lid"]
[page]
port = 0
[metrics]
port = 9469
"""


@pytest.fixture
def settings(tmp_path, shown, port, pi):
    """A table with everything; its camera sees the empty gate."""
    manifest.save(film.SHOE, tmp_path / "lab.manifest")
    (tmp_path / "table.key").write_text("07" * 32)
    (tmp_path / "table.key").chmod(0o600)
    path = tmp_path / "table.toml"
    path.write_text(SETTINGS.format(folder=tmp_path, port=port, camera=projector.NAME))
    return path


def alerts():
    """The codes of all open alerts, as a monitor asks for them; None while nobody answers."""
    try:
        with urllib.request.urlopen("http://127.0.0.1:9469/metrics", timeout=60) as answer:
            told = answer.read().decode()
    except OSError:
        return None
    return {
        code for code, count in re.findall(r'alerts{code="([^"]+)".*} (\d+)', told) if int(count)
    }


def test_doctor_finds_camera_board_and_pins(settings):
    """Each is opened and answers; the board says by which firmware."""
    found = {one["part"]: one for one in schlitten("doctor", "--config", settings, "--json").lines}

    assert {part: found[part]["well"] for part in ("camera", "board", "pins")} == {
        "camera": True, "board": True, "pins": True,
    }  # fmt: skip


def test_a_table_with_everything_starts_without_an_alert_and_tells_each_loss(settings, pi, usb):
    """The board's line cut and whole again; the lid opened and closed."""
    pi.calm("LID")
    with Running("run", "--config", settings) as table:
        table.says(r"http://127\.0\.0\.1:\d+/")
        until(lambda: alerts() == set(), "a table without an alert")
        usb.board.command("cut 1")
        until(lambda: alerts() == {"device_lost"}, "the alert of the board")
        usb.board.command("cut 0")
        until(lambda: alerts() == set(), "the board again")
        pi.wire("LID", active=True)
        until(lambda: alerts() == {"lid_open"}, "the alert of the lid")
        pi.wire("LID", active=False)
        until(lambda: alerts() == set(), "the lid closed")


def test_a_second_table_is_refused_the_same_journal(settings):
    """Said in one line, before a device is touched."""
    with Running("run", "--config", settings) as table:
        table.says(r"http://127\.0\.0\.1:\d+/")
        second = subprocess.run(
            [*COMMAND, "run", "--config", settings], capture_output=True, text=True, check=False
        )

    assert second.returncode == 2
    assert len(second.stderr.strip().splitlines()) == 1

"""The whole program: `doctor` and `run` with camera, board and pins by their real drivers."""

import json
import subprocess
from contextlib import closing

import pytest

from table_controller.service.archive import Archive
from tests.lab import projector
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
"""


@pytest.fixture
def settings(tmp_path, shown, port, pi):
    """A table with everything; its camera sees the empty gate."""
    shoe = manifest.make("lab", bytes(range(32)), 6)  # as many packs as the house plays with
    manifest.save(shoe, tmp_path / "lab.manifest")
    (tmp_path / "table.key").write_text("07" * 32)
    (tmp_path / "table.key").chmod(0o600)
    path = tmp_path / "table.toml"
    path.write_text(SETTINGS.format(folder=tmp_path, port=port, camera=projector.NAME))
    return path


def alerts(journal):
    """The ids of the open alerts, by the journal's public events.

    Pictures that come late are reported too, until somebody has seen that. This processor is slow,
    so they are left out.
    """
    found = set()
    with closing(Archive.read(journal)) as archive:
        for row in archive.public():
            if row.type in ("alert_raised", "alert_cleared"):
                change = found.add if row.type == "alert_raised" else found.discard
                change(json.loads(row.body)["id"])
    return found - {"device-frames"}


def test_doctor_finds_camera_board_and_pins(settings):
    """Each is opened and answers; the board says by which firmware."""
    found = {one["part"]: one for one in schlitten("doctor", "--config", settings, "--json").lines}

    assert {part: found[part]["well"] for part in ("camera", "board", "pins")} == {
        "camera": True, "board": True, "pins": True,
    }  # fmt: skip


def opens(table, settings, *ids):
    """Wait until just these alerts are open; if they never are, tell the others and the log."""
    seen = [set()]

    def holds():
        seen.append(alerts(settings.parent / "table.db"))
        return seen[-1] == set(ids)

    try:
        until(holds, f"the alerts {ids}", every_s=0.5)
    except AssertionError as error:
        raise AssertionError(f"{error}; at last {seen[-1]}: {''.join(table.errors)}") from None


def test_a_table_with_everything_tells_each_loss_and_its_end(settings, pi, usb):
    """The lid closed; the board's line cut and whole again; the lid opened and closed."""
    with Running("run", "--config", settings) as table:
        table.says(r"http://127\.0\.0\.1:\d+/")
        opens(table, settings, "lid")  # gpio-sim has one pull for a line, and the program's is up
        pi.calm("LID")
        opens(table, settings)
        usb.board.command("cut 1")
        opens(table, settings, "device-board")
        usb.board.command("cut 0")
        opens(table, settings)
        pi.wire("LID", active=True)
        opens(table, settings, "lid")
        pi.wire("LID", active=False)
        opens(table, settings)


def test_a_second_table_is_refused_the_same_journal(settings):
    """Said in one line, before a device is touched."""
    with Running("run", "--config", settings) as table:
        table.says(r"http://127\.0\.0\.1:\d+/")
        second = subprocess.run(
            [*COMMAND, "run", "--config", settings], capture_output=True, text=True, check=False
        )

    assert second.returncode == 2
    assert len(second.stderr.strip().splitlines()) == 1

"""The whole program: `doctor` and `run` with camera, board and pins by their real drivers."""

import pytest

from tests.lab import film, projector
from tests.whole.commands import schlitten
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


def test_doctor_finds_camera_board_and_pins(settings):
    """Each is opened and answers; the board says by which firmware."""
    found = {one["part"]: one for one in schlitten("doctor", "--config", settings, "--json").lines}

    assert {part: found[part]["well"] for part in ("camera", "board", "pins")} == {
        "camera": True, "board": True, "pins": True,
    }  # fmt: skip

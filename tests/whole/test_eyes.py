"""From the settings of `[shoe]` to frames and the witnesses that read them."""

import cv2
import numpy as np
import pytest

from table_controller.service.errors import ConfigError
from table_controller.wiring import config
from table_controller.wiring.config import ShoeSettings
from table_controller.wiring.shoe import eyes
from vision import manifest

SHOE = manifest.make("blue-1", bytes(32))


@pytest.mark.parametrize(
    ("changed", "size"),
    [
        ({}, (640, 480)),
        ({"width": 1280, "height": 720}, (1280, 720)),
        ({"width": 1280, "height": 720, "region": (300, 100, 500, 400)}, (500, 400)),
        ({"region": (0, 0, 600, 200), "rotation": 90}, (200, 600)),
        ({"rotation": 180}, (640, 480)),
    ],
)
def test_the_lip_is_as_large_as_the_picture_that_reaches_it(changed, size):
    """After region and rotation: else the gate would be looked for in another place."""
    lip = eyes.lip(ShoeSettings(reader="camera", **changed))

    assert (lip.width_px, lip.height_px) == size
    assert lip.gate_px == size[0] // 2


def test_a_folder_of_pictures_is_a_recording_too(tmp_path):
    """One picture each frame, cut and turned as a camera's."""
    for number in range(3):
        cv2.imwrite(str(tmp_path / f"{number}.png"), np.full((480, 640), 50 * number, np.uint8))
    settings = ShoeSettings(
        reader="recording", camera=str(tmp_path), fps=1000.0, region=(0, 0, 320, 100)
    )

    pictures = [frame.picture for frame in eyes.frames(settings)]

    assert [(picture.shape, int(picture[0, 0])) for picture in pictures] == [
        ((100, 320), 0),
        ((100, 320), 50),
        ((100, 320), 100),
    ]


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"reader": "recording", "camera": "/nowhere/film"}, "/nowhere/film"),
        ({"reader": "pi", "camera": "front"}, "front"),
        ({"reader": "camera", "region": (600, 0, 100, 100)}, "is not inside the picture"),
        ({"reader": "none"}, "name one that reads the cards"),
    ],
)
def test_what_cannot_see_is_said(changed, sentence):
    with pytest.raises(ConfigError, match=sentence):
        eyes.frames(ShoeSettings(**changed))


def test_what_reads_is_as_the_settings_say(tmp_path):
    """Labels, faces, or both; a beam where one is named; nothing is no setting."""
    file = tmp_path / "blue.manifest"
    manifest.save(SHOE, file)

    labels = eyes.sight(ShoeSettings(manifests=(file,)))
    faces = eyes.sight(ShoeSettings(faces=True))
    both = eyes.sight(ShoeSettings(manifests=(file,), faces=True, beam="mock"))

    assert [len(one.eyes()) for one in (labels, faces, both)] == [1, 1, 2]
    assert [one.beam for one in (labels, faces, both)] == [False, False, True]
    assert (labels.manifest, faces.manifest) == (SHOE, None)
    with pytest.raises(ConfigError, match="by their labels or by their faces"):
        eyes.sight(ShoeSettings())
    with pytest.raises(ConfigError, match="manifests"):
        eyes.sight(ShoeSettings(manifests=(tmp_path / "gone",)))


def test_with_a_cards_corners_paper_is_looked_for_all_over_it():
    corners = ((192.0, 56.0), (449.0, 60.0), (443.0, 420.0), (186.0, 415.0))

    assert eyes.lip(ShoeSettings(corners=corners)).whole
    assert not eyes.lip(ShoeSettings()).whole


@pytest.mark.parametrize(
    ("packs", "pack", "house", "sentence"),
    [
        (4, 52, "zoppot-1934", "4 x 52 cards, and the house 'zoppot-1934' plays with 6 x 52"),
        (
            1,
            52,
            "ecarte-nemzeti-1907",
            "1 x 52 cards, and the house 'ecarte-nemzeti-1907' plays with 1 x 32",
        ),
        (6, 32, "zoppot-1934", "6 x 32 cards, and the house 'zoppot-1934' plays with 6 x 52"),
    ],
    ids=["packs", "52 for 32", "32 for 52"],
)
def test_a_schlitten_of_other_cards_than_the_house_plays_is_refused(
    packs, pack, house, sentence, tmp_path
):
    """At the start, naming both, and not at the card that the game does not know (ZP-2, ER-20)."""
    file = tmp_path / "small.manifest"
    manifest.save(manifest.make("small", bytes(32), packs=packs, pack=pack), file)
    settings = ShoeSettings(reader="camera", manifests=(file,))

    with pytest.raises(ConfigError) as refused:
        eyes.sight(settings, config.house(house))

    assert str(refused.value) == (
        f"[shoe] manifests: the Schlitten 'small' is of {sentence}: name one of these"
    )


def test_a_schlitten_of_the_cards_that_the_house_plays_is_read(tmp_path):
    """One pack of 32 at écarté (ER-20)."""
    file = tmp_path / "blue.manifest"
    manifest.save(manifest.make("blue", bytes(32), packs=1, pack=32), file)
    settings = ShoeSettings(reader="camera", manifests=(file,))

    read = eyes.sight(settings, config.house("ecarte-nemzeti-1907"))

    assert read.manifest is not None
    assert (read.manifest.shoe, len(read.manifest.cards)) == ("blue", 32)

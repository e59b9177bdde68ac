import itertools

import numpy as np
import pytest

from firmware_bridge.messages import Colour, Lamp, Mode
from hardware.lamps import OWN, WORDS, LampLanguageError, load


def test_every_word_has_a_lamp_of_its_own():
    """No two words look alike, and none is dark."""
    language = load()

    assert set(language) == set(WORDS)
    assert len(set(language.values())) == len(WORDS)
    assert all(lamp.mode is not Mode.OFF for lamp in language.values())


#: Linear RGB to what remains for an eye that lacks one kind of cone (Machado, Oliveira and
#: Fernandes 2009, severity 1.0).
EYES = {
    "all cones": np.eye(3),
    "no long cones": [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]],
    "no middle cones": [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]],
    "no short cones": [[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]],
}


def _lab(rgb):
    """CIE Lab of linear sRGB."""
    to_xyz = np.array(
        [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    )
    x, y, z = np.cbrt(np.clip(to_xyz @ rgb, 0, None) / [0.9505, 1.0, 1.089])
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def _seen(colour, eye):
    rgb = np.array([colour >> bit & 1 for bit in range(3)], float)
    return _lab(np.clip(np.array(EYES[eye]) @ rgb, 0, 1))


def _all_lamps():
    """Every lamp that can be seen: the words, and a role that blinks because it is to act."""
    language = load()
    acting = {
        f"{role}, to act": Lamp(Mode.BLINK, language[role].colour)
        for role in ("banker", "pointeur")  # the others act as `to_act` says
    }
    return language | acting


@pytest.mark.parametrize("eye", EYES)
def test_lamps_of_one_rhythm_differ_in_colour_for_every_eye(eye):
    """Where the rhythm does not say it, the colour does, by a distance that nobody mistakes."""
    for (one, lamp), (other, second) in itertools.combinations(_all_lamps().items(), 2):
        if lamp.mode is second.mode:
            distance = np.linalg.norm(_seen(lamp.colour, eye) - _seen(second.colour, eye))
            assert distance > 40, f"{one} and {other} look alike with {eye}: {distance:.0f}"


def test_red_against_green_would_not_do():
    """The measure can fail: with no middle cones, green and yellow are close."""
    green, yellow = _seen(Colour.GREEN, "no middle cones"), _seen(Colour.YELLOW, "no middle cones")

    assert np.linalg.norm(green - yellow) < 20


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (("[won]", "[wins]"), r"\[w(in|on)s?\] (is missing|is no word of the lamp language)"),
        (('mode = "pulse"', 'mode = "flash"'), r"mode = 'flash'; it is one of off, on, blink"),
        (('colour = "red"', 'colour = "pink"'), r"colour = 'pink'; it is one of red, green"),
        (('colour = "red"', "tone = 1"), r"needs `mode` and `colour`, and nothing else"),
        (("[banker]", "[banker"), r"lamps.toml: "),
    ],
)
def test_a_wrong_language_is_refused_by_name(tmp_path, change, complaint):
    """File, word, value and what is allowed."""
    path = tmp_path / "lamps.toml"
    path.write_text(OWN.read_text("utf-8").replace(*change), "utf-8")

    with pytest.raises(LampLanguageError, match=complaint):
        load(path)


def test_a_missing_file_is_named(tmp_path):
    """The path is in the error."""
    with pytest.raises(LampLanguageError, match=r"nowhere.toml"):
        load(tmp_path / "nowhere.toml")

import itertools
from pathlib import Path

import numpy as np
import pytest

from firmware_bridge.messages import Colour, Lamp, Mode
from hardware.lamps import OWN, WORDS, LampLanguageError, load, shipped

ENGINE = Path(__file__).parents[2] / "table_controller" / "engine"
#: Each game's own words: its hands, which blink where they are to act, then its rights.
GAMES = {
    "chemin_de_fer": (("banker", "pointeur"), ("prime", "suivi")),
    "punto_banco": ((), ("player", "banker", "tie", "player_draws", "banker_draws")),
    "ecarte": (("dealer", "elder"), ("deals",)),
}


def own_words(game):
    """Where a game's own words stand."""
    return ENGINE / game / "lamps.toml"


def test_every_game_with_words_of_its_own_is_looked_at():
    """Whoever adds a game adds its hands above."""
    assert {path.parent.name for path in ENGINE.glob("*/lamps.toml")} == set(GAMES)


@pytest.mark.parametrize("game", GAMES)
def test_every_word_has_a_lamp_of_its_own(game):
    """No two words look alike, and none is dark."""
    language = shipped(own_words(game))

    assert set(language) == {*WORDS, *itertools.chain(*GAMES[game])}
    assert len(set(language.values())) == len(language)
    assert all(lamp.mode is not Mode.OFF for lamp in language.values())


def test_a_game_does_not_say_otherwise_what_every_game_says(tmp_path):
    """Who has won looks the same at every table."""
    path = tmp_path / "lamps.toml"
    path.write_text('[won]\nmode = "on"\ncolour = "red"\n')

    with pytest.raises(LampLanguageError, match=r"lamps.toml: \[won\] is a word of every game"):
        shipped(path)


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


def _all_lamps(game):
    """Every lamp that can be seen: the words, and a hand that blinks because it is to act."""
    language = shipped(own_words(game))
    acting = {
        f"{hand}, to act": Lamp(Mode.BLINK, language[hand].colour)
        for hand in GAMES[game][0]  # the others act as `to_act` says
    }
    return language | acting


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("eye", EYES)
def test_lamps_of_one_rhythm_differ_in_colour_for_every_eye(eye, game):
    """If the rhythm does not tell them apart, the colour does, beyond any doubt."""
    for (one, lamp), (other, second) in itertools.combinations(_all_lamps(game).items(), 2):
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
        (("[lost]", "[lost"), r"lamps.toml: "),
    ],
)
def test_a_wrong_language_is_refused_by_name(tmp_path, change, complaint):
    """File, word, value and what is allowed."""
    path = tmp_path / "lamps.toml"
    path.write_text(OWN.read_text("utf-8").replace(*change), "utf-8")

    with pytest.raises(LampLanguageError, match=complaint):
        load(path, WORDS)


def test_a_missing_file_is_named(tmp_path):
    """The path is in the error."""
    with pytest.raises(LampLanguageError, match=r"nowhere.toml"):
        load(tmp_path / "nowhere.toml", WORDS)

import tomllib
from dataclasses import replace
from importlib import resources
from typing import Any, get_args, get_type_hints

import pytest

from table_controller.rules import houses
from table_controller.rules.chemin_de_fer.house import House
from table_controller.service.errors import ConfigError
from table_controller.wiring import config

HOUSES = resources.files("table_controller") / "houses"
FILE = HOUSES / "zoppot-1934.toml"


def house(**settings):
    return House(**{"id": "here", "title": "Here", "unit": "G", "seats": 9} | settings)


@pytest.mark.parametrize("name", ["tableau", "stakes", "sale", "tie", "retablir"])
def test_a_word_that_is_no_custom_is_refused_with_those_that_there_are(tmp_path, name):
    """R-12: closed sets are told as they are."""
    file = tmp_path / "own.toml"
    file.write_text(f'id = "own"\ntitle = "Own"\nunit = "G"\nseats = 9\n{name} = "rouge"\n')
    there_are = ", ".join(get_args(get_type_hints(House)[name]))

    with pytest.raises(ConfigError, match=rf"line 5: {name} = 'rouge': want one of: {there_are}\."):
        config.house(str(file))


def test_zoppot_is_as_printed():
    """ZP-2, ZP-3, ZP-4, ZP-5, ZP-16, ZP-20, R-8, R-12, ZX-2: the figures of the house file."""
    settings = tomllib.loads(FILE.read_text())

    assert settings == {
        "id": "zoppot-1934",
        "title": "Zoppot 1934",
        "game": "chemin-de-fer",
        "unit": "G",
        "seats": 9,
        "packs": 6,
        "white_at": 7,
        "least_pot": 10,
        "least_stake": 2,
        "most_pot": 0,
        "cagnotte_bp": 500,
        "tableau": "zx-2",
        "stakes": "games",
        "sale": "auction",
        "tie": "all",
        "halving": False,
        "passes_after_move": 0,
        "retablir": "always",
        "slow_look_s": 20,
        "cut_card_apart": 2,
    }


def test_nemzeti_sets_only_what_it_prints():
    """N-1, N-3, N-4, N-5, N-7, R-14, R-15, R-33, R-40: all else is as at Zoppot."""
    own, printed = (
        tomllib.loads((HOUSES / f"{name}.toml").read_text())
        for name in ("nemzeti-1907", "zoppot-1934")
    )

    assert {name: own[name] for name in own if own[name] != printed[name]} == {
        "id": "nemzeti-1907",
        "title": "Nemzeti Casino 1907",
        "unit": "K",
        "seats": 12,
        "stakes": "highest",
        "sale": "take_over",
        "tie": "staked",
        "halving": True,
        "passes_after_move": 2,
        "retablir": "third_card",
    }


def test_modern_has_another_tableau_and_nothing_else():
    """R-2, ZX-2: the column for "stood" is the house's own."""
    own, printed = (
        tomllib.loads((HOUSES / f"{name}.toml").read_text()) for name in ("modern", "zoppot-1934")
    )

    assert {name for name in own if own[name] != printed[name]} == {"id", "title", "tableau"}
    assert own["tableau"] == "modern"


def test_a_house_file_that_sets_nothing_plays_as_zoppot_does():
    """ZP-2, R-12, R-14: the defaults are the printed ones."""
    settings = tomllib.loads(FILE.read_text())

    assert House(**settings) == house(**{name: settings[name] for name in ("id", "title")})


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("seats", 1, "2 to 12"),
        ("seats", 13, "2 to 12"),
        ("packs", 0, "1 to 8"),
        ("packs", 9, "1 to 8"),
        ("white_at", 5, "6 to 52"),
        ("white_at", 53, "6 to 52"),
        ("least_pot", 0, "1 to 1000000000"),
        ("least_stake", 0, "1 to 1000000000"),
        ("most_pot", -1, "0 to 1000000000"),
        ("cagnotte_bp", -1, "0 to 10000"),
        ("cagnotte_bp", 10_001, "0 to 10000"),
        ("most_pot", 9, "at least least_pot (10)"),
    ],
)
def test_a_wrong_setting_names_itself_its_value_and_what_is_allowed(name, value, allowed):
    """R-12: every limit is a setting, and every setting has limits."""
    with pytest.raises(ValueError, match=name) as error:
        house(**{name: value})

    assert repr(value) in str(error.value)
    assert allowed in str(error.value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("seats", 2),
        ("seats", 12),
        ("packs", 1),
        ("packs", 8),
        ("white_at", 6),
        ("white_at", 52),
        ("most_pot", 10),
        ("cagnotte_bp", 0),
        ("cagnotte_bp", 10_000),
        ("tableau", "modern"),
    ],
)
def test_a_setting_at_its_limit_is_allowed(name, value):
    """R-12: limits are inclusive."""
    assert getattr(house(**{name: value}), name) == value


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("seats", 1, "2 to 12"),
        ("packs", 9, "1 to 8"),
        ("white_at", 53, "0 to 52"),
        ("cut_card_apart", 53, "0 to 52"),
    ],
)
def test_a_house_of_any_game_keeps_the_limits_of_the_table(name, value, allowed):
    """R-12: what every card table has is limited whatever is played on it."""
    plain = {"id": "x", "title": "X", "game": "any", "unit": "chips", "seats": 6}

    with pytest.raises(ValueError, match=rf"^{name} is {value}; allowed: {allowed}$"):
        houses.House(**plain | {name: value})


@pytest.mark.parametrize(
    ("name", "limits"),
    [
        ("zoppot-1934", {"least_stake": 2, "least_pot": 10}),
        ("punto-banco", {"least_bet": 5, "least_side": 1}),
        ("ecarte-nemzeti-1907", {"least_stake": 1, "least_bank": 10}),
    ],
)
def test_a_house_says_its_limits_and_none_that_limits_nothing(name, limits):
    """As `info` tells them: the least stake first."""
    told = config.house(name).limits

    assert list(told.items()) == list(limits.items())


def test_a_limit_that_a_house_sets_is_said_with_the_others():
    sold: Any = config.house("punto-banco")
    told = replace(sold, most_bet=500, differential=900).limits

    assert told == {"least_bet": 5, "most_bet": 500, "least_side": 1, "differential": 900}

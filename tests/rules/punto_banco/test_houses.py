"""The houses of punto banco that are shipped, written down by hand."""

from __future__ import annotations

import pytest

from table_controller.rules.punto_banco.house import House
from table_controller.service.errors import ConfigError
from table_controller.wiring import config

BASE = {"id": "own", "title": "Own", "unit": "G", "seats": 7}


def shipped(name: str) -> House:
    """A house of punto banco, by its name or its file's."""
    found = config.house(name)
    assert isinstance(found, House)
    return found


def test_the_usual_house():
    """PB-1 to PB-3, PB-9, PB-10, PB-12 to PB-16, PB-20 to PB-27: eight packs, 5 %, 8:1."""
    house = shipped("punto-banco")

    assert (house.packs, house.white_at, house.burn) == (8, 14, "value")
    assert (house.after_cut, house.dealing, house.bets) == ("one_more", "open", True)
    assert (house.banker_pays, house.commission_bp, house.commission) == (
        "commission",
        500,
        "at_once",
    )
    assert (house.tie_pays, house.paid_first, house.free_coups) == ("8:1", "side", 3)
    assert (house.most_bet, house.most_side, house.differential) == (0, 0, 0)
    assert (house.extra_card, house.face_up) == ("kept", "burned")
    assert (house.wrong_hand, house.foreign) == ("put_right", "withdrawn")
    assert house.side_bets == {"player_pair": "11:1", "banker_pair": "11:1"}


def test_the_house_without_commission():
    """PB-11 (a), PB-12: Banker's 6 pays 1:2, and may be bet on."""
    house = shipped("punto-banco-no-commission")

    assert (house.banker_pays, house.commission_bp) == ("half_on_six", 0)
    assert house.side_bets["super_6"] == "12:1"
    assert house.side_bets["lucky_6"] == "12:1 20:1"


def test_the_house_that_pushes():
    """PB-11 (b), PB-12: Banker's three cards and 7 push; Dragon 7 and Panda 8."""
    house = shipped("punto-banco-ez")

    assert (house.banker_pays, house.commission_bp) == ("push_on_seven", 0)
    assert house.side_bets == {"dragon_7": "40:1", "panda_8": "25:1"}


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"most_bet": 4}, r"most_bet is 4; allowed: 0 \(no limit\) or at least least_bet \(5\)"),
        ({"tie_pays": "8"}, "not odds: '8'"),
        ({"tie_pays": "8:1 9:1"}, "tie_pays is '8:1 9:1'; allowed: one odds"),
        ({"side_bets": {"dragon": "40:1"}}, "side bet 'dragon'; allowed: player_pair, "),
        ({"side_bets": {"lucky_6": "12:1"}}, "lucky_6 is '12:1'; it pays in 2 steps"),
        ({"round_to": 0}, "round_to is 0; allowed: 1 to"),
        ({"free_coups": 21}, "free_coups is 21; allowed: 0 to 20"),
    ],
)
def test_a_house_that_cannot_be_is_refused_with_what_is_allowed(settings, why):
    """PB-9, PB-10, PB-12, PB-13, PB-16: odds, limits and steps."""
    with pytest.raises(ValueError, match=why):
        House(**BASE, **settings)


def test_odds_of_a_file_are_read(tmp_path):
    """PB-12: a table of odds in a house's own file; a wrong one is told with the file."""
    file = tmp_path / "own.toml"
    text = 'id = "own"\ntitle = "Own"\ngame = "punto-banco"\nunit = "G"\nseats = 7\n[side_bets]\n'
    file.write_text(text + 'big = "0.54:1"\n')

    assert shipped(str(file)).side_bets == {"big": "0.54:1"}

    file.write_text(text + 'big = "half"\n')
    with pytest.raises(ConfigError, match="not odds: 'half'"):
        config.house(str(file))

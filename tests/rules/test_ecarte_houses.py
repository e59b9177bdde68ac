"""The houses of écarté: what their books say, written down by hand."""

import re
import tomllib
from dataclasses import fields
from importlib import resources

import pytest

from table_controller.rules import houses
from table_controller.rules.ecarte.house import House
from tests.test_docs import sections

HOUSES = resources.files("table_controller") / "houses"
NEMZETI, UNDATED, GERMAN = (
    tomllib.loads((HOUSES / f"ecarte-{name}.toml").read_text())
    for name in ("nemzeti-1907", "undated", "german")
)


def test_nemzeti_is_as_printed():
    """E07-2, E07-4, E07-7, E07-8, E07-10, E07-13, E07-18, E07-44, E07-45, E07-61."""
    house = House(**NEMZETI)

    assert (house.book, house.decks, house.seats, house.packs) == ("E07", 2, 12, 1)
    assert (house.cut_for_deal, house.packets) == ("lower", "either")
    assert (house.chouette, house.two_sides, house.freezes) == (
        "open_and_auctioned", True, "rien_ne_va_plus",
    )  # fmt: skip
    assert (house.most_renewals, house.most_halvings, house.winner_doubles) == (2, 1, True)
    assert (house.succession, house.retired, house.renounced) == ("lots", "result", "place")
    assert (house.shares, house.side_bets) == (True, True)
    assert (house.out_of_turn, house.thrown, house.twins) == ("stands", "always", "void")
    assert (house.revoke, house.revoke_of_two, house.marks) == ("mended", "one", "left_to_right")


def test_the_undated_print_differs_in_what_it_prints():
    """E00-4, E00-5, E00-6, E00-11, E00-16, E00-18, E00-46, E00-51 to E00-53, E00-59, ER-9."""
    assert {name: UNDATED[name] for name in UNDATED if UNDATED[name] != NEMZETI[name]} == {
        "id": "ecarte-undated",
        "title": "Écarté, an undated print",
        "book": "E00",
        "faced_bought": "always",
        "out_of_turn": "set_aside",
        "fresh_cards": "house",
        "twins": "stand",
        "revoke_of_two": "nothing",
        "fallen": "covered",
        "thrown": "mixed",
        "leaving": "always",
        "doubt": "against",
        "advice": "free",
        "chouette": "one_kind",
        "freezes": "tenu",
        "most_renewals": 0,
        "most_halvings": 0,
        "winner_doubles": False,
        "shares": False,
        "succession": "list",
        "retired": "newcomer",
        "renounced": "out",
        "side_bets": False,
    }


def test_the_german_article_is_as_printed():
    """EDE-0, EDE-1, EDE-3, EDE-4, EDE-6, EDE-12, EDE-16, EDE-20, EDE-27, ER-2."""
    house = House(**GERMAN)

    assert (house.book, house.decks, house.chouette) == ("EDE", 1, "bank")
    assert (house.cut_for_deal, house.packets) == ("higher", "three_two")
    assert (house.turned_king, house.king_word, house.false_king) == ("always", False, "unmarked")
    assert (house.marks, house.marks_until) == ("right_to_left", "turn_up")
    assert (house.out_of_turn, house.wrong_number) == ("passes", "passes")
    assert (house.faced, house.two_turned) == ("new_deal", "new_deal")
    assert (house.discards, house.revoke, house.revoke_of_two) == ("demand", "open", "nothing")
    assert (house.two_sides, house.succession, house.side_bets) == (False, "anyone", False)


@pytest.mark.parametrize("settings", [NEMZETI, UNDATED, GERMAN], ids=lambda each: each["id"])
def test_every_setting_stands_in_every_file(settings):
    """Who copies one sees all that he may change."""
    shared = {"cut_card_apart", "lamps"}

    assert set(settings) == {one.name for one in fields(House)} - shared


def test_a_house_file_that_sets_nothing_plays_as_nemzeti_does():
    """E07-4, E07-8: the defaults are its own."""
    read = NEMZETI | {"chips": tuple(NEMZETI["chips"])}  # TOML knows no tuple

    assert House(**{name: read[name] for name in ("id", "title", "unit", "seats")}) == House(**read)


def test_every_setting_is_explained_and_no_other():
    """In docs/SETTINGS.md, beside those that every house has."""
    table = sections("SETTINGS.md")["House files"].partition("### Écarté")[2].partition("\n### ")[0]
    told = {
        name
        for row in re.findall(r"^\| (`.*?`) \|", table, re.MULTILINE)
        for name in row.split(", ")
    }

    own = {one.name for one in fields(House)} - {one.name for one in fields(houses.House)}
    assert told == {f"`{name}`" for name in own}

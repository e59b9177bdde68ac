"""The rulebook: complete, treated, found by id, and shown to a terminal, a program and a page."""

import json
import re
import tomllib
from pathlib import Path

import pytest

from table_controller.rules import report, rulebook
from table_controller.rules.chemin_de_fer.tableau import CHEMIN_DE_FER, Duty, read
from table_controller.rules.rulebook import Treatment, UnknownRule, held_by, kept_by, rule, rules

#: What each game's book must hold: a file per game, counted by hand.
WANTED = {
    path.stem: tomllib.loads(path.read_text(encoding="utf-8"))
    for path in sorted((Path(__file__).parent / "books").glob("*.toml"))
}
SERIES = {name: held for book in WANTED.values() for name, held in book["series"].items()}
GOOD = {"text": "A.", "treatment": "decides", "how": "B."}


def test_every_game_that_has_a_book_says_what_it_must_hold():
    """No book goes uncounted."""
    assert [f"{game}/rulebook.toml" for game in WANTED] == list(rulebook.BOOKS)


def test_every_rule_of_every_house_and_every_ruling_is_there_once_in_order():
    """Nothing is missing, nothing is there twice, nothing else is there."""
    wanted = [f"{name}-{number}" for name, held in SERIES.items() for number in _numbers(held)]

    assert [each.id for each in rules()] == wanted
    assert list(rulebook.series()) == list(SERIES)


def _numbers(held):
    """All numbers of a series: 1 to so many, or as they are listed."""
    return range(1, held + 1) if isinstance(held, int) else held.split()


@pytest.mark.parametrize("each", rules(), ids=lambda each: each.id)
def test_a_rule_says_what_it_is_and_how_it_is_treated(each):
    """Whole sentences, in plain text that reads the same everywhere."""
    assert each.text.endswith((".", '."', ".)"))
    assert each.how.endswith(".")
    assert not re.search(r"[*`<>|\t]|  ", each.text + each.how)
    assert not re.search(r"(?<!\n)\n(?!\n)", each.text)
    assert each.treatment in Treatment


def test_only_a_few_rules_are_left_to_people():
    """Each game names them; all others are decided or prompted."""
    left = {each.id for each in rules() if each.treatment in (Treatment.RULED, Treatment.TEXT)}

    assert left <= {each for book in WANTED.values() for each in book["left_to_people"]}


def test_rules_cite_only_rules_that_exist():
    """No reference leads nowhere."""
    pointed = {
        (each.id, other)
        for each in rules()
        for other in re.findall(rf"\b(?:{'|'.join(SERIES)})-\d+[a-z]?", each.text + each.how)
    }

    ids = {each.id for each in rules()}
    assert pointed
    assert {(at, other) for at, other in pointed if other not in ids} == set()


def test_the_tableau_in_words_is_the_tableau_on_the_wall():
    """Each square from 3 to 6 reads as the program plays it, one square excepted."""
    wall = read(CHEMIN_DE_FER)
    said = {}
    for row in re.findall(r"On [3-6] he .*?\.", rule("ZX-2").text):
        for verb, duty in {
            "draws": Duty.DRAW,
            "stands": Duty.STAND,
            "chooses": Duty.CHOOSE,
        }.items():
            for given in "".join(re.findall(rf"{verb} to ([\d ]+)", row)).split():
                said[int(row[3]), int(given)] = duty

    assert said == {
        (point, given): wall[point, given] for point in range(3, 7) for given in range(10)
    }


def test_a_rule_is_found_in_whatever_case():
    """People type z-24."""
    assert rule("z-24") is rule("Z-24")
    assert rule("Z-24").series == "Z"


@pytest.mark.parametrize(
    ("asked", "near"),
    [
        ("Z-28", {"Z-2", "Z-8", "Z-27"}),
        ("ZP21", {"ZP-2", "ZP-1"}),
        ("r-350", {"R-35"}),
        ("E00-60", {"E00-6", "E00-56"}),
    ],
)
def test_an_unknown_id_is_refused_with_ids_like_it(asked, near):
    """The error says what was asked for and what comes near, of the same series."""
    with pytest.raises(UnknownRule, match=re.escape(repr(asked))) as raised:
        rule(asked)

    found = raised.value.near
    assert near <= set(found)
    assert {rule(each).series for each in found} == {next(iter(near)).partition("-")[0]}
    assert ", ".join(found) in str(raised.value)


def test_an_id_like_no_other_is_refused_with_an_example():
    """Nothing comes near: then what an id looks like."""
    with pytest.raises(UnknownRule, match="ids look like Z-24") as raised:
        rule("baccara")

    assert raised.value.near == ()


@pytest.mark.parametrize(
    ("values", "why"),
    [
        (GOOD | {"treatment": "maybe"}, "X-1: treatment = 'maybe'; want one of decides, prompts"),
        ({"text": "A."}, "X-1 has text; want text, treatment, how"),
        (GOOD | {"note": "C."}, "X-1 has text, treatment, how, note; want"),
    ],
)
def test_a_broken_entry_is_refused_by_name(values, why):
    """Whoever adds a book learns which rule is wrong, and in what."""
    with pytest.raises(ValueError, match=re.escape(why)):
        rulebook.read_rule("X-1", values)


def test_lines_are_joined_and_an_empty_line_begins_a_paragraph():
    """How a text is broken into lines in the file is nobody's business."""
    found = rulebook.read_rule("X-1", GOOD | {"text": "\nOne\n  two.\n\nThree.\n"})

    assert found.text == "One two.\n\nThree."


def test_a_terminal_is_told_the_rule_its_treatment_and_its_tests():
    """Each rule asked for, in that order, in lines that fit a terminal."""
    told = report.as_text(["ZX-2", "N-10"])

    lines = told.splitlines()
    assert lines[0] == "ZX-2"
    assert lines.index("N-10") > 0
    assert "Decided by the program." in told
    assert "Shown as text." in told
    assert " ".join(told.split()).count(" ".join(rule("ZX-2").text.split())) == 1
    places = [line.strip() for line in lines if line.startswith("  ")]
    code = [place for places in kept_by("ZX-2").values() for place in places]
    assert code
    assert held_by("ZX-2")
    assert kept_by("N-10") == {}
    assert places == [*code, *held_by("ZX-2"), *(held_by("N-10") or ["none yet"])]
    assert all(len(line) <= 88 for line in lines if not line.startswith("  "))


def test_a_rule_names_its_handler_and_its_offer():
    """By file and function."""
    told = report.as_text(["PB-16"])

    assert "Handlers:\n  engine/punto_banco/play.py::free_coup\nOffers:\n" in told
    assert "Offers:\n  engine/punto_banco/offers.py::_besides\nOther code:\n" in told


def test_a_rule_that_no_test_holds_says_so(monkeypatch):
    """Rather than nothing at all."""
    monkeypatch.setattr(rulebook, "_index", dict)

    assert report.as_text(["Z-24"]).endswith("Tests:\n  none yet")


def test_a_program_gets_the_same_as_json():
    """A list in the order asked for, every field there."""
    shown = report.as_json(["Z-24", "Z-20"])

    told = json.loads(shown)
    assert "Für eine nicht gezogene Karte keine Auskunft" in shown
    assert [each["id"] for each in told] == ["Z-24", "Z-20"]
    assert told[0] == {
        "id": "Z-24",
        "text": rule("Z-24").text,
        "treatment": "prompts",
        "how": rule("Z-24").how,
        "handlers": ["engine/chemin_de_fer/money.py::annulled_for_want"],
        "offers": list(kept_by("Z-24")["offers"]),
        "others": list(kept_by("Z-24")["others"]),
        "tests": list(held_by("Z-24")),
    }


@pytest.mark.parametrize("form", [report.as_text, report.as_json])
def test_both_forms_refuse_an_unknown_id(form):
    """Nothing half told."""
    with pytest.raises(UnknownRule):
        form(["Z-24", "Z-99"])

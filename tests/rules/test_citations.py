"""The citations of rules are true, and every rule that the program implements has a test."""

import shutil
from collections import defaultdict
from importlib import import_module
from pathlib import Path

import pytest

from table_controller.engine.table import common
from table_controller.rules.citations import Citations
from table_controller.rules.rulebook import Treatment, rules

ROOT = Path(__file__).parents[2]
CITATIONS = Citations(ROOT)


@pytest.fixture(scope="module")
def held():
    return CITATIONS.tests()


@pytest.fixture(scope="module")
def index():
    return CITATIONS.code()


def test_tests_cite_only_rules_that_exist(held):
    """A slip of the pen in a citation holds nothing."""
    ids = {each.id for each in rules()}

    assert {cited: tests for cited, tests in held.items() if cited not in ids} == {}


def test_every_rule_that_the_program_keeps_has_a_test(held):
    """Decided or prompted, and no test: none is left out."""
    kept = {each.id for each in rules() if each.treatment in (Treatment.DECIDES, Treatment.PROMPTS)}

    assert sorted(kept - set(held)) == [], "these rules need a test that cites them"


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("Source: " + "Z-24.", {"Z-24"}),
        ("R-9 to R-11, ZX-2's squares", {"R-9", "R-10", "R-11", "ZX-2"}),
        ("N-4..N-6 and R-1–R-2", {"N-4", "N-5", "N-6", "R-1", "R-2"}),
        ("ZP-15 III (Z-1)", {"ZP-15", "Z-1"}),
        ("XZ-1 Z-1x2 A-Z-3 UTF-8 Z-", set()),
    ],
)
def test_ids_are_found_word_for_word(text, ids):
    """No part of another word is an id; a range counts whole."""
    assert CITATIONS.cited(text) == ids


@pytest.mark.parametrize(
    ("name", "ids"),
    [
        ("test_z_24_annuls", {"Z-24"}),
        ("test_zp7_and_r_18", {"ZP-7", "R-18"}),
        ("test_buzz_24_times", set()),
    ],
)
def test_ids_are_found_in_names(name, ids):
    """With or without an underscore."""
    assert CITATIONS.cited_in_name(name) == ids


MODULE = '''
"""Module: {0}-1."""

# {0}-2 outside
DATA = "{0}-3 is data"


def helper():
    """{0}-4."""


@mark(  # {0}-5
    "{0}-3"
)
def test_one():
    """{0}-6."""
    assert True  # {0}-7


class Helper:
    """{0}-8."""


class Machine(RuleBasedStateMachine):
    def rule(self):
        """{0}-9."""


class TestMany:
    def test_three(self):
        """{0}-10."""


async def test_z_11():
    def z_12_inside(): ...  # {0}-13
'''


@pytest.fixture
def checkout(tmp_path):
    """A checkout with the books alone: no test, and no game's code."""
    books = ROOT / "table_controller" / "rules"
    for book in books.glob("*/rulebook.toml"):
        copy = tmp_path / book.relative_to(ROOT)
        copy.parent.mkdir(parents=True)
        shutil.copy(book, copy)
    (tmp_path / "tests").mkdir()
    common = tmp_path / "table_controller/engine/table/common.py"
    common.parent.mkdir(parents=True)
    common.touch()
    return tmp_path


def test_only_tests_tables_and_scripts_cite(checkout):
    """By name and docstring; no comment, no string, no module, no helper."""
    for name in ("test_a.py", "helper.py"):
        (checkout / "tests" / name).write_text(MODULE.format("Z"))
    (checkout / "tests/b.coup").write_text("# A tie (" + "R-4)\ncard 7h => refused (" + "Z-1)\n")
    (checkout / "tests/c.table").write_text("A tie\n    seat 2 opens => " + "R-3 [] settle\n")

    found = Citations(checkout).index()
    assert list(found) == [*(f"Z-{number}" for number in (1, 6, 9, 10, 11, 12)), "R-3", "R-4"]
    assert {rule_id: cited["tests"] for rule_id, cited in found.items()} == {
        "Z-1": ["tests/b.coup"],
        "Z-6": ["tests/test_a.py::test_one"],
        "Z-9": ["tests/test_a.py::Machine"],
        "Z-10": ["tests/test_a.py::TestMany"],
        "Z-11": ["tests/test_a.py::test_z_11"],
        "Z-12": ["tests/test_a.py::test_z_11"],
        "R-3": ["tests/c.table"],
        "R-4": ["tests/b.coup"],
    }


def test_code_cites_only_rules_that_exist():
    """A slip of the pen in a docstring leads nowhere."""
    ids = {each.id for each in rules()}

    cited = {one.place: one.cites - ids for one in CITATIONS.functions}
    assert {place: wrong for place, wrong in cited.items() if wrong} == {}


def test_a_handler_is_told_from_what_helps_it(index):
    """What `CASES` names is the handler; any other function that cites the rule stands beside."""
    assert index["PB-16"] == {
        "handlers": ["engine/punto_banco/play.py::free_coup"],
        "offers": ["engine/punto_banco/offers.py::_besides"],
        "others": [
            "engine/punto_banco/play.py::may_begin",
            "engine/punto_banco/play.py::may_be_free",
        ],
    }


def test_what_every_table_answers_has_its_handlers_too(index):
    """R-51: the lid."""
    assert set(index["R-51"]["handlers"]) >= {
        "engine/table/devices.py::lid_opened", "engine/table/devices.py::lid_closed"
    }  # fmt: skip


def test_an_offer_that_cites_nothing_is_found_by_what_it_offers(index):
    """ZP-5: `banks` is its handler, and these two offer `Banks`."""
    offers = [f"engine/chemin_de_fer/offers.py::{name}" for name in ("bank_due", "stake_due")]

    assert index["ZP-5"]["handlers"] == ["engine/chemin_de_fer/bank.py::banks"]
    assert index["ZP-5"]["offers"] == offers == [*CITATIONS.offering("chemin_de_fer", "Banks")]


def test_another_games_button_is_no_offer_of_this_one():
    """Chemin de fer and ecarte both have `Stakes`."""
    found = CITATIONS.offering("chemin_de_fer", "Stakes")

    assert found
    assert not [place for place in found if "/ecarte/" in place]


@pytest.mark.parametrize("game", [*CITATIONS.games()])
def test_the_handlers_read_are_those_that_a_step_calls(game):
    """No lambda, nothing bound: a reader can go there."""
    step = common if game == "table" else import_module(f"table_controller.engine.{game}.step")
    called = defaultdict(set)
    for key, handler in (*getattr(step, "CASES", {}).items(), *getattr(step, "ALWAYS", {}).items()):
        kind = key[1] if isinstance(key, tuple) else key
        file = handler.__module__.removeprefix("table_controller.").replace(".", "/")
        called[kind.__name__].add(f"{file}.py::{handler.__name__}")

    read = CITATIONS.answering(game)
    assert {kind: set(places) for kind, places in read.items()} == called
    assert {at for places in read.values() for at in places} <= {
        one.place for one in CITATIONS.functions
    }

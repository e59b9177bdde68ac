"""The code that implements each rule, by the citations in docstrings of rules and engine."""

import pytest

from table_controller.engine.chemin_de_fer import inputs as i
from table_controller.rules.rulebook import rules
from workshop.papers import rule_code


@pytest.fixture(scope="module")
def index():
    return rule_code.index()


def test_code_cites_only_rules_that_exist():
    """A slip of the pen in a docstring leads nowhere."""
    ids = {each.id for each in rules()}

    assert {one.place: one.cites - ids for one in rule_code.functions() if one.cites - ids} == {}


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
    offers = [f"engine/chemin_de_fer/offers_bank.py::{name}" for name in ("bank_due", "stake_due")]

    assert index["ZP-5"]["handlers"] == ["engine/chemin_de_fer/bank.py::banks"]
    assert index["ZP-5"]["offers"] == offers == [*rule_code.offering("chemin_de_fer", i.Banks)]


def test_another_games_button_is_no_offer_of_this_one():
    """Chemin de fer and ecarte both have `Stakes`."""
    found = rule_code.offering("chemin_de_fer", i.Stakes)

    assert found
    assert not [place for place in found if "/ecarte/" in place]


@pytest.mark.parametrize("game", [*rule_code.games()])
def test_every_handler_of_a_game_is_found_where_it_stands(game):
    """No lambda, nothing bound: a reader can go there."""
    places = {one.place for one in rule_code.functions()}

    assert {at for _, handlers, _, _ in rule_code.rows(game) for at in handlers} <= places

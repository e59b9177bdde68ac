"""The list of tests per rule is true, and every rule that the program implements has a test."""

import pytest

from table_controller.rules.rulebook import Treatment, rules
from workshop.papers import rule_code, rule_index


@pytest.fixture(scope="module")
def index():
    return rule_index.index()


def test_tests_cite_only_rules_that_exist(index):
    """A slip of the pen in a citation holds nothing."""
    ids = {each.id for each in rules()}

    assert {cited: tests for cited, tests in index.items() if cited not in ids} == {}


def test_every_rule_that_the_program_keeps_has_a_test(index):
    """Decided or prompted, and no test: none is left out."""
    kept = {each.id for each in rules() if each.treatment in (Treatment.DECIDES, Treatment.PROMPTS)}

    assert sorted(kept - set(index)) == [], "these rules need a test that cites them"


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
    assert rule_index.cited(text) == ids


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
    assert rule_index.cited_in_name(name) == ids


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


def test_only_tests_tables_and_scripts_cite(tmp_path):
    """By name and docstring; no comment, no string, no module, no helper."""
    for name in ("test_a.py", "helper.py"):
        (tmp_path / name).write_text(MODULE.format("Z"))
    (tmp_path / "b.coup").write_text("# A tie (" + "R-4)\ncard 7h => refused (" + "Z-1)\n")
    (tmp_path / "c.table").write_text("A tie\n    seat 2 opens => " + "R-3 [] settle\n")

    found = rule_index.index(tmp_path)
    assert list(found) == [*(f"Z-{number}" for number in (1, 6, 9, 10, 11, 12)), "R-3", "R-4"]
    assert found == {
        "Z-1": ["b.coup"],
        "Z-6": ["test_a.py::test_one"],
        "Z-9": ["test_a.py::Machine"],
        "Z-10": ["test_a.py::TestMany"],
        "Z-11": ["test_a.py::test_z_11"],
        "Z-12": ["test_a.py::test_z_11"],
        "R-3": ["c.table"],
        "R-4": ["b.coup"],
    }


def test_writing_makes_the_list_and_then_the_page(tmp_path, monkeypatch, capsys):
    """One command for both; any other use is explained and writes nothing."""
    monkeypatch.setattr(rule_index, "INDEX", tmp_path / "tests.json")
    monkeypatch.setattr(rule_index, "PAGE", tmp_path / "RULEBOOK.md")
    monkeypatch.setattr(rule_code, "INDEX", tmp_path / "code.json")

    assert rule_index.main([]) == 2
    assert "--write" in capsys.readouterr().out
    assert list(tmp_path.iterdir()) == []
    assert rule_index.main(["--write"]) == 0
    assert rule_index.INDEX.read_text() == rule_index.shown(rule_index.index())
    assert rule_index.PAGE.read_text() == rule_index.made()[rule_index.PAGE]
    assert rule_code.INDEX.read_text() == rule_code.shown(rule_code.index())

"""The coup scripts: each plays as written, line by line."""

import pytest

from table_controller.engine.chemin_de_fer import script
from tests.engine.answers import answer
from tests.engine.playing import COUPS, table_of, told, total


@pytest.mark.parametrize("path", COUPS, ids=lambda path: path.stem)
def test_coup_script(path):
    """Every script in tests/coups plays as written, and its money adds up (R-16)."""
    text = path.read_text()
    now = table_of(text)
    money = total(now)
    for number, (said, expected) in enumerate(script.read(text), 1):
        if isinstance(said, script.Question):
            assert answer(now, said.about) == expected, (
                f"{path.name}, line {number}: ? {said.about}"
            )
            continue
        before = total(now)
        now, shown = told(now, said)
        if expected is not None:
            assert shown == expected, f"{path.name}, line {number}: {script.write(said)}"
        else:
            assert not shown.startswith("refused"), f"{path.name}, line {number}: {said}"
        if type(said).__name__ in ("Sits", "Stands", "BuysIn", "CashesOut", "Leaves"):
            money += total(now) - before
        assert total(now) == money, f"{path.name}, line {number}: {said}"


@pytest.mark.parametrize("path", COUPS, ids=lambda path: path.stem)
def test_a_script_says_which_rules_it_holds(path):
    """A script without a rule id or without an expectation holds nothing."""
    text = path.read_text()

    assert text.startswith("# ")
    assert any(expected for _, expected in script.read(text))


def test_there_are_scripts():
    """A wrong folder would make the test above pass with nothing."""
    assert len(COUPS) >= 30

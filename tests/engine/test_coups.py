"""The coup scripts: each plays as written, line by line."""

import pytest

from table_controller.engine.chemin_de_fer import game
from table_controller.engine.chemin_de_fer.state import PointeurToOpen
from tests import scripting
from tests.engine import script
from tests.engine.answers import answer
from tests.engine.playing import COUPS, table_of, told


@pytest.mark.parametrize("path", COUPS, ids=lambda path: path.stem)
def test_coup_script(path):
    """Every script in tests/coups plays as written, and its money adds up (R-16)."""
    text = path.read_text()
    scripting.played(game, table_of(text), text, told, answer)


def test_a_script_presses_a_button_at_the_table():
    """As a button of the board does: the offer of its name, for the seat that is to act."""
    text = "\n".join(
        (
            *("seat 1 banks 100", "seat 2 banco solo", "card 2h", "card Kc", "card 9d", "card Ks"),
            "button reste",
            "button bank opened => seat 1 opens Kc Ks, 0 points; advice: no information",
            "button stays",
        )
    )

    after = scripting.played(game, table_of(text), text, told, answer)
    assert isinstance(after.phase, PointeurToOpen)
    with pytest.raises(ValueError, match="no button says 'carte' now"):
        scripting.played(game, after, "button carte", told, answer)


@pytest.mark.parametrize("path", COUPS, ids=lambda path: path.stem)
def test_a_script_says_which_rules_it_holds(path):
    """A script without a rule id or without an expectation holds nothing."""
    text = path.read_text()

    assert text.startswith("# ")
    assert any(expected for _, expected in script.read(text))


def test_there_are_scripts():
    """A wrong folder would make the test above pass with nothing."""
    assert len(COUPS) >= 30

"""The drawing of the phases has every phase and every move, and marks those that no script walks.

`workshop/tests/test_generated.py` checks that docs/STATES.md matches the code.
"""

import re
from typing import get_args

import pytest

from table_controller.engine.chemin_de_fer.state import Phase
from table_controller.engine.table.felt import Stop
from workshop.papers import state_diagram as drawing
from workshop.papers.state_diagram import Move


@pytest.fixture(scope="module")
def walked():
    return {move for _, move in drawing.scripts()}


def test_every_move_of_the_scripts_stands_in_the_list_of_cases(walked):
    """So the list is the diagram: nothing happens in a coup that it does not show."""
    assert drawing.unknown(walked) == set()
    assert len(walked) > 200


def test_a_move_beside_the_list_would_be_found():
    """A word in a phase that does not admit it; what is admitted at any time is none."""
    beside = Move("BankDue", "opened", "Settled")

    assert drawing.unknown({beside, Move("BankDue", "sits", "BankDue")}) == {beside}


def test_every_phase_stands_in_one_group():
    """A new phase without a place in the drawing fails here."""
    drawn = [phase for group in drawing.GROUPS for phase in group.phases]

    assert sorted([*drawn, *drawing.INTERRUPTS]) == sorted(
        kind.__name__ for kind in get_args(Phase | Stop)
    )


def test_what_no_script_walks_is_listed():
    """With a star where its button was pressed; what a script says is not listed."""
    page = drawing.page(
        {Move("BankDue", "banks", "StakesDue")}, {Move("BankDue", "passes", "BankDue")}
    )
    left = page.partition("## What no coup script walks")[2]
    (row,) = (line for line in left.splitlines() if line.startswith("| bank due |"))

    assert row == "| bank due | opens bank, passes*, schlitten closed, thrown away |"


def test_a_move_is_drawn_as_an_arrow_with_what_is_said():
    """Where at least three phases of a group lead to the same one so, it is said, not drawn."""
    away = {Move(phase, "annulled", "StakesDue") for phase in drawing.GROUPS[3].phases[:3]}
    page = drawing.page({Move("BankDue", "opens_bank", "StakesDue"), *away}, set())

    assert '    BankDue -- "opens bank" --> StakesDue\n' in page
    assert "From most of them also: **annulled** to stakes due.\n" in page
    assert '"annulled" -->' not in page


def test_what_may_happen_anywhere_is_drawn_nowhere():
    """Taking back, what is said at any time, and what interrupts."""
    page = drawing.page(
        {
            Move("StakesDue", "takes_back", "BankDue"),
            Move("BankDue", "sits", "BankDue"),
            Move("BankDue", "card_seen", "Stray"),
            Move("Stray", "stray_ruled", "BankDue"),
        },
        set(),
    )

    assert "--> BankDue" not in page
    assert "--> Stray" not in page
    assert "| stray | a card left when none was due | bank due | stray ruled |" in page


def test_of_every_game_it_is_said_what_answers_and_what_offers():
    """With the rules that the handlers cite."""
    said = drawing.page(set(), set()).partition("## What answers")[2]

    assert re.findall(r"^### (.*)$", said, re.MULTILINE) == [
        "Chemin de fer", "Écarté", "Punto banco", "Every table",
    ]  # fmt: skip
    assert "| free coup | `play.free_coup` | `offers._besides` | PB-16 |" in said
    assert "| leaves | `house_keeping.leaves` | `table/offers._goings` |" in said


def test_a_stale_page_is_told(tmp_path, monkeypatch, capsys):
    """And `--write` mends it."""
    made = drawing.page({Move("BankDue", "banks", "StakesDue")}, set())
    monkeypatch.setattr(drawing, "PAGE", tmp_path / "STATES.md")
    monkeypatch.setattr(drawing, "made", lambda: {drawing.PAGE: made})

    assert drawing.main([]) == 1
    assert drawing.main(["--write"]) == 0
    assert drawing.main([]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "STATES.md: out of date", "STATES.md: as the code has it",
    ]  # fmt: skip

"""Punto banco's coup scripts: each plays as written, line by line."""

from __future__ import annotations

import pytest

from table_controller.engine.messages import Audience
from table_controller.engine.punto_banco import game
from tests import scripting
from tests.engine.punto_banco.playing import COUPS, table_of, told


def answer(now, about):
    """What the screens show of that; `tests/coups/punto_banco` asks."""
    picture = game.snapshot(now, Audience.CROUPIER)
    match about.split():
        case ["payments"]:
            lines = now.phase.payments
            return ", ".join(f"{line.seat} {line.spot} {line.chips:+}" for line in lines)
        case ["stakes"]:
            return ", ".join(f"{one.seat} {one.spot} {one.chips}" for one in picture.stakes)
        case ["boxes"]:
            boxes = [figure for figure in picture.till if figure.name == "box"]
            return ", ".join(f"{box.seat}: {box.value}" for box in boxes)
        case ["seats"]:
            return ", ".join(map(str, picture.prompt.seats))
        case ["hands"]:
            return " | ".join(
                " ".join((hand.name, *(card or ".." for card in hand.cards)))
                for hand in picture.hands
            )
        case ["roads"]:
            return " ".join(record.winner for record in now.past)
        case ["alerts"]:  # a stop is what every lamp and the buzzer say
            return ", ".join(alert.severity for alert in picture.alerts)
        case ["ask"]:
            return str(picture.prompt.ask)
        case ["money", seat]:
            return str(game.money(now)[f"seat {seat}"])
    raise KeyError(about)


@pytest.mark.parametrize("path", COUPS, ids=lambda path: path.stem)
def test_coup_script(path):
    """Every script of punto banco plays as written, and its money adds up (R-16)."""
    text = path.read_text()
    scripting.played(game, table_of(text), text, told, answer)


@pytest.mark.parametrize("path", COUPS, ids=lambda path: path.stem)
def test_a_script_says_which_rules_it_holds(path):
    """A script without a rule id or without an expectation holds nothing."""
    text = path.read_text()

    assert text.startswith("# ")
    assert any(expected is not None for _, expected in scripting.read(game, text))


def test_there_are_scripts():
    """A wrong folder would make the test above pass with nothing."""
    assert len(COUPS) >= 40

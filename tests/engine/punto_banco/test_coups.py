"""Punto banco's coup scripts: each plays as written, line by line."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from table_controller.engine.messages import Audience
from table_controller.engine.punto_banco import game
from tests import scripting
from tests.engine.punto_banco.playing import COUPS, table_of, told


def answer(now, about):
    """What the screens show of that; `tests/coups/punto_banco` asks."""
    what, *rest = about.split()
    return _ANSWERS[what](now, game.snapshot(now, Audience.CROUPIER), *rest)


def _payments(now, _picture):
    return ", ".join(f"{line.seat} {line.spot} {line.chips:+}" for line in now.phase.payments)


def _stakes(_now, picture):
    return ", ".join(f"{one.seat} {one.spot} {one.chips}" for one in picture.stakes)


def _boxes(_now, picture):
    boxes = [figure for figure in picture.till if figure.name == "box"]
    return ", ".join(f"{box.seat}: {box.value}" for box in boxes)


def _hands(_now, picture):
    hands = ((hand.name, *(card or ".." for card in hand.cards)) for hand in picture.hands)
    return " | ".join(map(" ".join, hands))


def _offered(_now, picture):
    return ", ".join(str(one.label) for one in picture.offers if one.group == "main")


def _more(_now, picture):
    """What one touch says now, but for taking back."""
    said = (one for one in picture.offers if one.group in {"main", "more"} and not one.fields)
    return ", ".join(str(one.label) for one in said if one.input["type"] != "takes_back")


_ANSWERS: dict[str, Callable[..., str]] = {
    "payments": _payments,
    "stakes": _stakes,
    "boxes": _boxes,
    "hands": _hands,
    "offered": _offered,
    "lying": lambda _, picture: ", ".join(
        f"{one.label}: {one.value}" for one in picture.till if one.name == "stake"
    ),
    "step": lambda _, picture: str(picture.steps[picture.step]) if picture.step >= 0 else "",
    "more": _more,
    "seats": lambda _, picture: ", ".join(map(str, picture.prompt.seats)),
    "roads": lambda now, _: " ".join(record.winner for record in now.past),
    # A stop is what every lamp and the buzzer say.
    "alerts": lambda _, picture: ", ".join(alert.severity for alert in picture.alerts),
    "notes": lambda _, picture: "; ".join(str(note.text) for note in picture.notes),
    "ask": lambda _, picture: str(picture.prompt.ask),
    "news": lambda _, picture: str(picture.prompt.news),
    "why": lambda _, picture: str(picture.prompt.why),
    "money": lambda now, _, seat: str(game.money(now)[f"seat {seat}"]),
}


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

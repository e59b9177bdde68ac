"""The public record of every coup script: its sums add up, and its hands make the told points."""

from __future__ import annotations

import pytest
from msgspec import to_builtins

from table_controller.engine.chemin_de_fer import game as chemin_de_fer
from table_controller.engine.messages import Audience, Refusal
from table_controller.engine.punto_banco import game as punto_banco
from table_controller.rules.points import points
from tests import scripting
from tests.engine import playing
from tests.engine.punto_banco import playing as punto_banco_playing

SCRIPTS = [
    *((chemin_de_fer, playing.table_of, path) for path in playing.COUPS),
    *((punto_banco, punto_banco_playing.table_of, path) for path in punto_banco_playing.COUPS),
]


def told(game, now, text):
    """The public events of a script, as a subscriber has them, and the house."""
    public = []
    for line, _ in scripting.read(game, text):
        if isinstance(line, scripting.Question):
            continue
        said = scripting.pressed(game, now, line) if isinstance(line, scripting.Button) else line
        try:
            now, events = game.step(now, said)
        except Refusal:
            continue
        public += [to_builtins(event) for event in events if event.audience is Audience.PUBLIC]
    return public, now.house


@pytest.mark.parametrize(
    ("game", "begun", "path"), SCRIPTS, ids=lambda part: getattr(part, "stem", "")
)
def test_the_record_adds_up_and_its_hands_make_the_told_points(game, begun, path):
    """ZX-1, PB-20, PB-27, R-20: also where a card was corrected, moved, or left too early."""
    text = path.read_text()
    public, house = told(game, begun(text), text)

    assert game.sums(public) is None
    for coup in game.coups(public, house):
        for hand in coup.hands:
            if hand.count is not None and None not in hand.cards:
                assert points(hand.cards) == hand.count, (coup.number, hand.name)

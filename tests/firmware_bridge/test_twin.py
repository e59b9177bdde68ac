"""A person's view of the twin, word for word."""

from __future__ import annotations

from firmware_bridge.twin import SAFE, BoardTwin


def test_a_board_that_nobody_tells_anything_is_dark():
    """No lamp lit, dashes on both displays."""
    assert BoardTwin(1).shown() == SAFE
    assert SAFE.lamps == ("off",) * 12
    assert (SAFE.display_1, SAFE.display_2, SAFE.buzzer) == ("--------", "--------", 0)

"""The output of `recall` for punto banco's coups: from the public events, as people see it."""

from __future__ import annotations

import pytest
from msgspec import to_builtins

from table_controller.engine.messages import Audience
from table_controller.engine.punto_banco import game
from table_controller.engine.punto_banco.evening import recall
from tests.engine.punto_banco.playing import COUPS, table_of
from tests.engine.punto_banco.test_sums import NATURAL, heard
from tests.scripting import read


def printed(events):
    """The lines of the sheet, and the last of them as `--json` has it."""
    sheet = recall(events)
    return [tuple(row) for row in sheet.rows], to_builtins(sheet.data[-1])


def test_a_settled_coup_reads_as_it_was_played():
    """Hands, points, who won, what lay and what was paid."""
    rows, data = printed(heard(*NATURAL))

    assert rows == [("1", "4h 5s = 9", "Kd Qd = 0", "Player wins", "10")]
    assert (data["winner"], data["paid"], data["outcome"]) == ("P", 10, "settled")


def test_a_card_that_was_removed_is_in_no_hand():
    """PB-23: it lay there, and was burned; the next one replaces it."""
    bet, first, *_ = NATURAL
    turned = (bet, first, "stray face_up because it was turned")

    assert printed(heard(bet, first))[0] == [("1", "4h", "", "interrupted", "10")]
    assert printed(heard(*turned))[0] == [("1", "", "", "interrupted", "10")]
    assert printed(heard(*turned, "card 9d"))[0] == [("1", "9d", "", "interrupted", "10")]


def test_a_card_that_a_correction_moves_is_in_one_hand():
    """PB-20, R-20: Player stands on his corrected hand, so the closed card is Banker's third."""
    text = next(one for one in COUPS if one.stem == "squeezed_corrected_for_banker").read_text()
    now, told = table_of(text), []
    for line, expected in read(game, text):
        if expected and expected.startswith("refused"):
            continue
        now, events = game.step(now, line)
        told += [to_builtins(one) for one in events if one.audience is Audience.PUBLIC]
    (row,), _ = printed(told)

    assert row[1:3] == ("2h 5s", "Kd 4d 7h")


@pytest.mark.parametrize(
    ("end", "result"),
    [
        ({"type": "coup_annulled", "reason": "no light"}, "annulled: no light"),
        ({"type": "result_reopened"}, "reopened"),
        ({"type": "result_changed", "coup": 1, "winner": "T"}, "tie"),
        ({"type": "result_changed", "coup": 2, "winner": "T"}, "Player wins"),
    ],
    ids=["annulled", "reopened", "changed", "another changed"],
)
def test_what_became_of_it_later_is_its_result(end, result):
    """PB-26."""
    ((*_, said, _),), _ = printed([*heard(*NATURAL), end])

    assert said == result

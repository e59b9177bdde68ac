"""The output of `recall` for écarté, and the offers of each screen, as people see them."""

import pytest

from table_controller.engine.ecarte.sheets import recall, wall
from table_controller.engine.ecarte.view_evening import coups
from tests.engine.ecarte_playing import E07

DEALT = [
    {"type": "partie_begun", "partie": 4, "left": 3, "right": 9},
    {"type": "turned_up", "seat": 9, "card": "7h", "king": False},
    {"type": "card_played", "seat": 3, "card": "Kh", "lead": True},
    {"type": "card_played", "seat": 9, "card": "8h", "lead": False},
]
ENDED = {"type": "deal_ended", "deal": 1, "winner": 3, "left": 4, "right": 1}
HEAD = ("deal", "trump", "played", "tricks", "result", "score")


def printed(*events):
    """The lines of the sheet."""
    sheet = recall([*DEALT, *events])
    assert sheet.head == HEAD
    return [tuple(row) for row in sheet.rows]


@pytest.mark.parametrize("kind", ["marked", "unmarked"])
def test_the_score_is_as_it_stands_after_the_last_mark(kind):
    """E07-45: the left player's first, also where a mark was taken back."""
    marks = {"type": "marked", "seat": 3, "points": 2, "left": 2, "right": 0}
    last = {"type": kind, "seat": 3, "points": 1, "left": 3, "right": 1}

    assert printed(ENDED, marks) == [("1", "7h", "Kh 8h", "4-1", "seat 3 wins", "2-0")]
    assert printed(ENDED, marks, last) == [("1", "7h", "Kh 8h", "4-1", "seat 3 wins", "3-1")]


def test_a_deal_reads_as_it_ended():
    """Won, nobody's, annulled by its rule, or not over yet."""
    nobody = ENDED | {"winner": 0, "left": 2, "right": 2}
    void = {"type": "deal_annulled", "deal": 1, "dealer": 9, "rule": "E07-19"}

    assert printed(nobody) == [("1", "7h", "Kh 8h", "2-2", "nobody wins", "")]
    assert printed(void) == [("1", "7h", "Kh 8h", "", "annulled: E07-19", "")]
    assert printed() == [("1", "7h", "Kh 8h", "", "interrupted", "")]


def test_a_deal_that_is_played_again_shows_the_cards_of_the_replay():
    """E07-44: the others were taken back."""
    again = {"type": "deal_restored", "seat": 9}
    card = {"type": "card_played", "seat": 3, "card": "Ah", "lead": True}

    assert printed(again, card) == [("1", "7h", "Ah", "", "interrupted", "")]


@pytest.mark.parametrize(
    ("events", "text"),
    [
        ([ENDED], "seat 3 wins, 4 : 1 tricks"),
        ([ENDED | {"winner": 9, "left": 2, "right": 3}], "seat 9 wins, 3 : 2 tricks"),
        (
            [{"type": "player_replaced", "seat": 3, "to": 5}, ENDED | {"winner": 5}],
            "seat 5 wins, 4 : 1 tricks",
        ),
        (
            [ENDED, {"type": "player_replaced", "seat": 3, "to": 5}],
            "seat 3 wins, 4 : 1 tricks",
        ),
    ],
)
def test_the_winners_tricks_come_first(events, text):
    """Whoever reads it does not know who sat on the left; E00-53: another may play on."""
    told = [*DEALT, *events]

    assert [str(coup.text) for coup in coups(told, E07)] == [text]


def test_every_turn_up_begins_a_line_of_its_partie():
    """Numbered through the evening; what was told before the first is none."""
    turned = {"type": "turned_up", "seat": 3, "card": "Kd", "king": True}
    begun = {"type": "partie_begun", "partie": 5, "left": 3, "right": 9}
    sheet = recall([{"type": "marked", "left": 1, "right": 0}, *DEALT, ENDED, begun, turned])

    assert [(row.number, row.partie, row.trump) for row in sheet.data] == [
        (1, 4, "7h"), (2, 5, "Kd"),
    ]  # fmt: skip


def test_the_wall_has_the_order_from_the_king_down():
    """E07-12: the ace between knave and ten."""
    ranks = [row[0] for row in wall(E07).rows]

    assert ranks == ["king", "queen", "jack", "ace", "ten", "nine", "eight", "seven"]
    assert wall(E07).title == E07.title

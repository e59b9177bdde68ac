"""The output of `recall` for écarté, and the offers of each screen, as people see them."""

import random

import pytest
from msgspec import to_builtins

from table_controller.engine.ecarte.evening import coups, heard, recall, wall
from table_controller.engine.messages import Audience
from table_controller.engine.table.evening import standing
from tests.engine.ecarte_playing import E07, HOUSES, table, walk

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


def lead(card, seat=3):
    """A card that a player led."""
    return {"type": "card_played", "seat": seat, "card": card, "lead": True}


def back(said, events=1, ago=None):
    """The input of this type was taken back, with its `events` events."""
    return {"type": "withdrawn", "said": said, "ago": ago or events, "events": events}


UP = {"type": "card_taken_up", "seat": 9}
RESTORED = {"type": "deal_restored", "seat": 9}
TWO = {"type": "marked", "seat": 3, "points": 2, "left": 2, "right": 0}
NONE = {"type": "unmarked", "seat": 3, "points": 2, "left": 0, "right": 0}


@pytest.mark.parametrize(
    ("events", "row"),
    [
        ([lead("9d"), back("plays_card"), lead("7c")], "Kh 8h 7c"),
        ([lead("9d"), back("plays_card"), back("plays_card", ago=3)], "Kh"),
        ([lead("9d"), {"type": "card_drawn", "seat": 0}, back("plays_card", ago=2)], "Kh 8h"),
        ([back("proposes", events=0)], "Kh 8h"),
        ([lead("8h"), back("twins")], "Kh 8h"),
        ([{"type": "card_shown", "seat": 9, "card": "8h"}, back("twins")], "Kh 8h"),
        ([UP], "Kh"),
        ([UP | {"seat": 3}], ""),
        ([lead("9d"), UP | {"seat": 3}], "Kh 8h"),
        ([{"type": "question_answered", "option": "mend"}], "Kh"),
        ([UP, back("takes_up")], "Kh 8h"),
        ([UP, back("revoked")], "Kh 8h"),
        ([lead("9d"), back("plays_card"), UP], "Kh"),
        ([RESTORED, lead("9d"), back("plays_card"), back("revoked", ago=3)], "Kh 8h"),
    ],
)
def test_a_card_that_was_taken_back_is_not_listed(events, row):
    """R-20, E07-34, E07-44: by the croupier or by the player, once or several times."""
    assert printed(*events) == [("1", "7h", row, "", "interrupted", "")]


@pytest.mark.parametrize(
    ("events", "end"),
    [
        ([ENDED, back("plays_card", 2)], ("Kh", "", "interrupted", "")),
        ([ENDED, back("throws_in")], ("Kh 8h", "", "interrupted", "")),
        ([ENDED, TWO, back("marks")], ("Kh 8h", "4-1", "seat 3 wins", "")),
        ([ENDED, TWO, NONE, RESTORED], ("", "", "interrupted", "0-0")),
        ([ENDED, TWO, NONE, RESTORED, back("revoked", 2)], ("Kh 8h", "4-1", "seat 3 wins", "2-0")),
    ],
)
def test_a_result_that_was_taken_back_does_not_stand(events, end):
    """R-20, ER-13."""
    assert printed(*events) == [("1", "7h", *end)]


def test_the_end_of_a_deal_that_was_taken_back_is_not_its_end():
    """R-20: the deal lasts until it ends again."""
    told = [*DEALT, ENDED, back("plays_card", 2), lead("8c"), ENDED]
    (coup,) = coups(told, E07)

    assert coup.last == len(told) - 1


def test_a_corrected_turn_up_begins_no_second_deal():
    """R-20: the supervisor named the card anew."""
    opened = {"type": "card_opened", "seat": 0, "ordinal": 11, "card": "7h"}
    corrected = [
        {"type": "card_corrected", "ordinal": 11, "attempt": 1},
        opened | {"card": "Kd"},
        {"type": "turned_up", "seat": 9, "card": "Kd", "king": True},
    ]
    begun, turned, *played = DEALT
    ready = {"type": "schlitten_ready"}
    sheet = recall([begun, opened, turned, *corrected, *played, ENDED, ready, opened, turned])

    assert [(row.trump, row.cards) for row in sheet.data] == [("Kd", ["Kh", "8h"]), ("7h", [])]


@pytest.mark.parametrize("house", HOUSES, ids=lambda house: house.id)
def test_the_listed_cards_are_those_that_lie_in_the_tricks(house):
    """R-20, E07-34, E07-44: whatever people do, and whatever is taken back."""
    compared = 0
    for seed in range(5):
        told = []
        for _, now, events, _ in walk(table(house), random.Random(seed), 400, mistakes=0.3):
            told += [to_builtins(event) for event in events if event.audience is Audience.PUBLIC]
            deal = now.deal
            if (
                not events
                or not deal
                or not deal.turned
                or deal.annulled
                or deal.ended
                or aside(told)
            ):
                continue
            tricks = [card for trick in deal.tricks for card in (trick.led, trick.reply)]
            assert heard(standing(told))[-1].cards == [*tricks, *([deal.led] if deal.led else [])]
            compared += any(event["type"] == "withdrawn" for event in told[-3:])
    assert compared


def aside(told):
    """Whether a deal was set aside, which is played later (E00-18)."""
    return any(event["type"] == "deal_set_aside" for event in told)

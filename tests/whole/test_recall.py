"""The output of `recall` for the public events of an evening."""

import pytest
from msgspec import to_builtins

from table_controller.engine.chemin_de_fer import game
from table_controller.engine.chemin_de_fer.evening import heard
from table_controller.engine.chemin_de_fer.state import deal_of
from table_controller.engine.messages import Audience
from table_controller.engine.table.evening import standing
from tests import scripting
from tests.engine.playing import COUPS, table_of

DEAL = [
    {"type": "bank_posted", "seat": 1, "pot": 20},
    {"type": "pointeur_named", "seat": 2},
    *({"type": "card_drawn", "seat": seat, "ordinal": n} for n, seat in enumerate((2, 1, 2, 1), 1)),
]


def opened(seat, ordinal, card):
    return {"type": "card_opened", "seat": seat, "ordinal": ordinal, "card": card}


def test_cards_stand_in_the_order_dealt():
    """A third card lies open first: behind the closed ones, and behind them once they open."""
    third = [{"type": "card_drawn", "seat": 2, "ordinal": 5}, opened(2, 5, "9h")]
    [waiting] = heard([*DEAL, *third])
    [shown] = heard([*DEAL, *third, opened(2, 3, "4s"), opened(2, 1, "2c")])

    assert waiting.pointeur_hand == "seat 2: ·· ·· 9h"
    assert (waiting.closed, waiting.cards) == ({2: 3, 1: 2}, {2: ["9h"]})
    assert shown.pointeur_hand == "seat 2: 2c 4s 9h"
    assert shown.cards == {2: ["2c", "4s", "9h"]}
    assert shown.bank == "seat 1: ·· ··"


def test_a_pot_is_told_where_the_coup_was_settled():
    """Of an interrupted or annulled coup no pot is known."""
    settled = {
        "type": "coup_settled", "banker": 8, "pointeur": 5, "winner": "bank", "staked": 20,
        "pot": 20, "pot_after": 39,
    }  # fmt: skip
    pots = [
        heard([*DEAL, *end])[0].pot
        for end in ([settled], [{"type": "coup_annulled", "reason": "misdeal"}], [])
    ]

    assert pots == ["20 → 39", "–", "–"]


SETTLED = {
    "type": "coup_settled", "coup": 1, "banker": 8, "pointeur": 5, "winner": "bank", "staked": 20,
    "pot": 20, "pot_after": 39,
}  # fmt: skip
DRAWN = {"type": "card_drawn", "seat": 2, "ordinal": 1}


def test_a_card_that_was_removed_is_in_no_hand():
    """N-9, R-20: it lay face up, or a card left before its input was taken back."""
    third = {"type": "card_drawn", "seat": 2, "ordinal": 5}
    [coup] = heard([*DEAL, third, opened(2, 5, "9h"), {"type": "card_removed", "ordinal": 5}])

    assert coup.pointeur_hand == "seat 2: ·· ··"
    assert (coup.closed, coup.cards) == ({2: 2, 1: 2}, {})


def test_a_card_that_was_given_back_is_where_it_lies():
    """Z-21, R-38: the card of a *faux tirage* is the banker's, nobody's, or his again."""
    third = [{"type": "card_drawn", "seat": 2, "ordinal": 5}, opened(2, 5, "9h")]
    told = [*DEAL, *third, {"type": "faux_tirage", "seat": 2, "ordinal": 5}]
    draws = {"type": "said", "seat": 1, "word": "draws"}
    back = {"type": "withdrawn", "said": "spoke", "ago": 1, "events": 1}
    failed = {"type": "claim_failed", "seat": 2, "ordinal": 5, "returned": True}
    hands = [
        (coup.pointeur_hand, coup.bank)
        for end in ([], [draws], [draws, back], [draws, failed], [draws | {"seat": 2}])
        for coup in heard(standing([*told, *end]))
    ]

    two, other = "seat 2: ·· ··", "seat 1: ·· ··"
    assert hands == [
        (two, other), (two, f"{other} 9h"), (two, other), (f"{two} 9h", other), (two, other),
    ]  # fmt: skip


@pytest.mark.parametrize("path", COUPS, ids=lambda path: path.stem)
def test_the_listed_cards_are_those_that_lie_on_the_table(path):
    """R-20, N-9, Z-21, R-24: whatever was taken back, corrected, thrown out or passed on."""
    text, told = path.read_text(), []
    now = table_of(text)
    for line, expected in scripting.read(game, text):
        if isinstance(line, scripting.Question) or (expected and "refused" in expected):
            continue
        said = scripting.pressed(game, now, line) if isinstance(line, scripting.Button) else line
        now, events = game.step(now, said)
        told += [to_builtins(event) for event in events if event.audience is Audience.PUBLIC]
        deal = deal_of(now.phase)
        if deal and (deal.pointeur or deal.banker):
            row = heard(standing(told))[-1]
            listed = [{*row.hands.get(at, {})} for at in (row.pointeur_seat, row.banker_seat)]
            assert listed == [
                {card.ordinal for card in hand} for hand in (deal.pointeur, deal.banker)
            ]


def test_a_card_corrected_after_the_result_begins_no_second_coup():
    """R-20: the coup is settled anew, and counts once."""
    corrected = {"type": "card_corrected", "ordinal": 1, "attempt": 1}
    anew = SETTLED | {"winner": None, "pointeur": 8}
    [coup] = heard([*DEAL, opened(2, 1, "2c"), SETTLED, corrected, DRAWN, opened(2, 1, "5c"), anew])

    assert coup.pointeur_hand == "seat 2: 5c ·· = 8"
    assert (coup.result, coup.closed) == ("en carte", {2: 2, 1: 2})


def test_a_result_that_was_taken_back_or_annulled_does_not_stand():
    """R-20: the word that settled a coup was taken back, or the coup was annulled while unpaid.

    What belongs to another coup changes nothing.
    """
    third = {"type": "card_drawn", "seat": 2, "ordinal": 5}
    back = {"type": "withdrawn", "said": "spoke", "ago": 1, "events": 1}
    annulled = {"type": "coup_annulled", "coup": 1, "reason": "dealt twice"}
    told = [*DEAL, SETTLED]
    [played_on] = heard(standing([*told, back, third]))
    [void] = heard([*told, annulled])
    [kept] = heard(
        standing([*told, back | {"said": "ticked", "events": 0}, annulled | {"coup": 2}])
    )

    assert (played_on.result, played_on.bank) == ("interrupted", "seat 1: ·· ··")
    assert played_on.pointeur_hand == "seat 2: ·· ·· ··"
    assert (void.result, kept.result) == ("annulled: dealt twice", "bank wins 20")


def test_the_hand_belongs_to_whoever_plays_it():
    """R-20, Z-13: another takes the pointeur's place while his cards are dealt."""
    named = {"type": "pointeur_named", "seat": 5}
    fifth = {"type": "card_drawn", "seat": 5, "ordinal": 5}
    [coup] = heard([*DEAL, named, fifth])

    assert coup.pointeur_hand == "seat 5: ·· ·· ··"
    assert coup.closed == {1: 2, 5: 3}

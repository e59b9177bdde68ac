"""A card that only a closed card contradicts is accepted. The Schlitten's count finds the error."""

from dataclasses import replace

import pytest

from table_controller.engine.chemin_de_fer import game
from table_controller.engine.messages import AlertRaised, Audience, CardNamed, Refusal
from table_controller.engine.shoe import Dealt, Shoe, leaving, remaining, restored, without
from table_controller.engine.table.events import SchlittenCounted
from table_controller.engine.table.inputs import Corrects
from table_controller.rules.cards import Card
from tests.contract.walks import masked, named, seen, taken
from tests.engine import script
from tests.engine.playing import ZOPPOT, events, play, table

SOLO = ("seat 1 banks 10", "seat 2 banco solo")
NINE, DEUCE = Card("9h"), Card("2d")
DEALT = ("card 9h copy 3", "card 2d copy 1", "card Kc copy 1", "card Ks copy 1")
MISCOUNTED = AlertRaised(id="schlitten-miscounted", code="schlitten_miscounted", severity="stop")


def compared(one, other, *lines):
    """What is told of these inputs at two tables that differ in closed cards."""
    stories = []
    for now in (one, other):
        story, after = [], now
        for line in lines:
            step = taken(game, after, script.parse(line) if isinstance(line, str) else line)
            after = step.after
            story.append(masked(seen(game, step)))
        stories.append(story)
    return stories


def six_nines(*, but):
    """Five nines of hearts lie open, and the pointeur's first, closed card is one or another."""
    burned = ["card 9h", "stray burned"] * 5
    return play(table(), *burned, *SOLO, f"card {but}", "card 2d", "card Kc", "card Ks")


@pytest.mark.parametrize(
    "said",
    [
        Corrects(ordinal=7, card=NINE, reason="seen"),
        "card 9h",
        "card 9h [hand:croupier]",
    ],
    ids=["corrects", "lip", "hand"],
)
def test_a_seventh_card_is_taken_whatever_lies_closed(said):
    """R-13, R-17, R-20: five lie open; whether the sixth lies closed, nobody may learn."""
    one, other = compared(six_nines(but="9h"), six_nines(but="Th"), said)

    assert one == other


def test_a_label_that_lies_closed_is_taken_again():
    """R-13, R-17: the lip reads it once more; of whom it was nothing is told."""
    first = play(table(), *SOLO, "card 9h copy 3")
    second = play(table(), *SOLO, "card Th copy 3")

    one, other = compared(first, second, "card 9h copy 3", "card unread no_read", "card 9h copy 3")

    assert one == other


def test_two_people_who_agree_are_taken_whatever_lies_closed():
    """R-13, R-17: the entry of two, where a closed card contradicts it."""
    tables = [play(six_nines(but=card), "card unread no_read") for card in ("9h", "Th")]
    words = [CardNamed(card=NINE, actor=f"croupier:{who}") for who in ("anna", "berta")]

    one, other = compared(*tables, *words)

    assert one == other


def test_what_lies_open_is_contradicted_at_once():
    """R-20: six nines lie open; everybody knows that there is no seventh."""
    now = play(table(), *["card 9h", "stray burned"] * 6, *SOLO, *DEALT[1:], "card 3d")
    with pytest.raises(Refusal, match="cannot have held one more"):
        game.step(now, Corrects(ordinal=7, card=NINE, reason="seen"))

    assert [e.code for e in events(now, "card 9h") if isinstance(e, AlertRaised)] == ["card_unread"]


def test_a_count_that_does_not_come_out_stops_the_table():
    """R-20, R-35: told when the Schlitten is counted, and it is closed until a supervisor ruled."""
    now = play(table(), *SOLO, *DEALT, "correct 2 9h seen", "card 9h copy 3", "stray kept")
    now = play(now, "annul no light")
    told = events(now, "schlitten closed")
    (counted,) = [event for event in told if isinstance(event, SchlittenCounted)]

    assert MISCOUNTED in told
    assert told.index(MISCOUNTED) > told.index(counted)
    assert counted.remaining["9h"] == 3
    now = play(now, "schlitten closed")
    assert [alert.code for alert in game.alerts(now)] == ["schlitten_miscounted"]
    offered = {o.input["type"] for o in game.snapshot(now, Audience.CROUPIER).offers}
    assert "schlitten_loaded" not in offered
    assert "ruled" in offered
    with pytest.raises(Refusal, match="More of a card left"):
        play(now, "schlitten next")
    assert named([event for event in told if isinstance(event, AlertRaised)]) == set()
    play(now, "ruled counted anew", "schlitten next")


def test_an_honest_count_stops_nothing():
    """R-35: what stayed closed is revealed, and the next one may be loaded."""
    now = play(table(), *SOLO, *DEALT, "annul no light")

    assert MISCOUNTED not in events(now, "schlitten closed")
    play(now, "schlitten closed", "schlitten next")


def test_a_card_without_room_has_some_once_an_equal_went_back():
    """R-19: the count comes out again, whichever of the equals goes back."""
    shoe = Shoe("blue-1", 1)
    first = without(shoe, NINE, 0)
    twice = leaving(first, NINE, 1, lambda: [Dealt(1, NINE)])

    assert twice.over == ((NINE, 1),)
    assert remaining(twice)[NINE] == -1
    assert remaining(twice)[DEUCE] == 1
    for back in (Dealt(1, NINE), Dealt(2, NINE, 1)):
        left = restored(twice, back)
        assert left.over == ()
        assert remaining(left)[NINE] == 0
    assert leaving(first, NINE, 1, list) is None
    assert leaving(twice, NINE, 1, lambda: [Dealt(1, NINE)]) is None


def test_a_card_that_went_back_is_not_taken_for_an_open_equal():
    """R-19, R-13: it is in the Schlitten again, unseen; only the open one is out."""
    table_of_one = table(house=replace(ZOPPOT, packs=1))
    lines = ("stray back", "card 9h", "stray burned")
    one, other = (play(table_of_one, *SOLO[:1], f"card {card}", *lines) for card in ("9h", "Th"))

    one, other = compared(one, other, "card 9h")

    assert one == other


def test_a_foreign_card_is_none_whatever_lies_closed():
    """A copy that no pack holds, or a card of another pack, is known by itself."""
    shoe = without(Shoe("blue-1", 1, pack=32), NINE, 0)

    assert leaving(shoe, NINE, 2, lambda: [Dealt(1, NINE)]) is None
    assert leaving(shoe, DEUCE, 0, lambda: [Dealt(1, NINE)]) is None

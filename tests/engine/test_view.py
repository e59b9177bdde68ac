"""The content of a picture for each audience: results in words, published parts, lit cells."""

import msgspec
import pytest

from table_controller.engine.chemin_de_fer.view import snapshot
from table_controller.engine.messages import Audience
from table_controller.engine.views import PublicView, public
from tests.engine.pictured import figure, values
from tests.engine.playing import deal, play, table

STAKED = ("seat 1 banks 98", "all may stake", "seat 3 stakes 50", "seat 4 stakes 30")
CLOSED = (*STAKED, "nichts geht mehr")
BANK = (*deal("2h 2s", "9d Ks"), "seat 3 reste", "seat 1 opens", "seat 3 opens")
HAND = (*deal("2h 7h", "2d Ks"), "seat 3 schlag", "seat 1 opens")
TIE = (*deal("7h Kc", "7d Ks"), "seat 3 reste", "seat 1 opens", "seat 1 stands", "seat 3 opens")


def seen(*lines, audience=Audience.CROUPIER):
    return snapshot(play(table(), *CLOSED, *lines), audience)


@pytest.mark.parametrize(
    ("lines", "row", "words"),
    [
        (BANK, ("banker", "B", "red", 9), ("Bank 9 : 4", "seat 1 wins", "", 80, "")),
        (
            HAND,
            ("pointeur", "P", "blue", 9),
            ("Pointeur 9 : 2", "seat 3 wins", "the bank pays", 80, ""),
        ),
        (TIE, ("tie", "=", "grey", 7), ("En carte 7 : 7", "", None, None, "the coup is replayed")),
    ],
)  # fmt: skip
def test_a_coup_s_result_is_words_and_figures(lines, row, words):
    """ZP-16, ZP-20, R-4: nobody wins what others staked; a tie is replayed."""
    [coup] = seen(*lines).last
    paid = coup.paid

    assert (coup.name, coup.sign, coup.tone, coup.count) == row
    assert words == (
        str(coup.text),
        str(coup.winner),
        str(paid.label) if paid else None,
        paid.value if paid else None,
        str(coup.after),
    )


def test_everybody_sees_what_the_house_took_of_a_coup():
    """R-8: five in a hundred of 80; without it no sum at the table adds up."""
    assert values(seen(*BANK).last[0].figures) == {"pot": 98, "cagnotte": 4}
    assert values(seen(*BANK, audience=Audience.PUBLIC).last[0].figures) == {
        "pot": 98,
        "cagnotte": 4,
    }


def test_figures_say_what_they_are_before_and_after_the_coup():
    """ZP-20: the pot as it is now, and what was played of it."""
    before, after = seen(), seen(*BANK)

    assert [(str(one.label), one.value) for one in before.figures] == [
        ("Pot", 98), ("against it", 80),
    ]  # fmt: skip
    assert [(str(one.label), one.value) for one in after.figures] == [
        ("Pot now", 174), ("played", 80),
    ]  # fmt: skip
    assert before.displays == after.displays == ("pot", "against")


def test_displays_are_dark_without_a_schlitten():
    """The figures stay on the page."""
    now = snapshot(play(table(), "schlitten closed"), Audience.PUBLIC)

    assert now.displays == ()
    assert figure(now, "pot") == 0


def test_a_hand_is_there_from_when_somebody_holds_it():
    """Its seat has its colour before a card is dealt; closed cards are None (R-13)."""
    hands = seen().hands
    dealt = seen(*deal("2h 2s", "9d Ks")).hands

    assert [(hand.name, hand.seat, hand.cards) for hand in hands] == [
        ("pointeur", 3, ()), ("banker", 1, ()),
    ]  # fmt: skip
    assert [(hand.seat, hand.cards, hand.points) for hand in dealt] == [
        (3, (None, None), None), (1, (None, None), None),
    ]  # fmt: skip


def test_what_is_sent_is_less_than_what_is_shown():
    """A new panel of the page changes no message; names and balances are in none."""
    staff = seen(*BANK)
    sent = msgspec.json.decode(msgspec.json.encode(public(staff)))

    assert set(sent) == set(PublicView.__struct_fields__)
    assert not {"people", "till", "offers", "totals", "croupier", "wall", "displays"} & set(sent)
    assert not any("balance" in str(part) for part in sent.values())
    assert msgspec.convert(sent, PublicView) == public(staff)


def test_a_card_that_is_kept_is_a_note_below_the_prompt():
    """Z-13: whoever deals sees that it waits; nothing stands there where none does."""
    now = play(table(), "seat 1 banks 100", "card 9h", "stray kept")

    assert [(str(note.text), note.rule) for note in snapshot(now, Audience.CROUPIER).notes] == [
        ("Kept for the next deal: 1.", "Z-13"),
    ]
    assert seen().notes == ()

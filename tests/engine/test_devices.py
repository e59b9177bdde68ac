"""Buttons: which offer a name presses. The rest of the devices is in tests/coups."""

from table_controller.engine.chemin_de_fer import game
from table_controller.engine.chemin_de_fer.step import step
from table_controller.engine.messages import Audience, Refusal
from table_controller.engine.table.buttons import answering, lit_by, pressable
from tests.engine import script
from tests.engine.playing import COUPS, NEMZETI, deal, play, table, table_of


def picture(now):
    return game.snapshot(now, Audience.CROUPIER)


def test_a_button_presses_the_offer_of_its_name_for_the_seat_that_is_to_act():
    """Its lamp answers; before and after its moment the same button says nothing."""
    begun = play(table(), "seat 1 banks 10", "seat 4 banco solo")
    dealt = play(begun, *deal("9h Kc", "2d 4s"))
    offer = answering(picture(dealt), "carte")

    assert offer.input == {"type": "spoke", "seat": 4, "word": "carte"}
    assert lit_by(offer, picture(dealt)) == {4}
    assert answering(picture(begun), "carte") is None
    assert answering(picture(play(dealt, "seat 4 carte")), "carte") is None


def test_what_is_nobodys_word_is_answered_by_who_acts_else_by_all_lamps():
    """The payments of a coup, and a step of the mixing."""
    now = play(table(), "seat 1 banks 10", "seat 2 banco solo", *deal("9h Kc", "2d 4s"))
    now = play(now, "seat 2 schlag", "seat 1 opens")
    offer = answering(picture(now), "all paid")

    assert offer.input == {"type": "paid"}
    assert lit_by(offer, picture(now)) == {2}
    now = picture(play(now, "paid", "schlitten closed"))
    assert len(lit_by(answering(now, "done, next step"), now)) == 9


def test_no_button_says_a_supervisors_word_or_what_must_be_filled_in():
    """Nor acknowledges an alert: that is read first."""
    now = play(table(house=NEMZETI), "lost lip: Plug it in.")

    assert answering(picture(now), "seen") is None
    assert answering(picture(now), "close the Schlitten") is None
    assert answering(picture(now), "bank") is None


def test_the_names_that_settings_may_give_are_those_that_the_table_offers():
    """In some moment of some coup script, each of them and no other."""
    names = set()
    for path in COUPS:
        now = table_of(path.read_text())
        for said, _ in script.lines(path.read_text()):
            names |= {o.label.text for o in picture(now).offers if pressable(o)}
            try:
                now, _ = step(now, said)
            except Refusal:
                continue

    assert set(game.buttons) == names

"""Buttons: the offer that a name presses. Sensors: their inputs. The rest is in tests/coups."""

from typing import get_args

import pytest

from table_controller.engine.chemin_de_fer import game
from table_controller.engine.chemin_de_fer.step import step
from table_controller.engine.messages import Audience, Refusal
from table_controller.engine.table import devices
from table_controller.engine.table.offers import answering, lit_by, pressable
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


@pytest.mark.parametrize(
    ("name", "active", "told", "said"),
    [
        ("lid", True, False, devices.LidOpened(actor="lid")),
        ("lid", False, True, devices.LidClosed(actor="lid")),
        ("lid", False, False, None),
        ("cut_card", True, False, devices.CutCardSensed(actor="cut_card", ahead=9)),
        ("cut_card", False, True, None),
        ("power_fail", True, False, devices.PowerFailed(actor="mains")),
        ("power_fail", False, True, devices.PowerBack(actor="mains")),
        ("power_fail", False, False, None),
    ],
)
def test_what_a_sensor_says_when_it_changes(name, active, told, said):
    """R-51 to R-53: that all is well again is said only to who may know that it was not."""
    assert devices.sensed(name, active=active, told=told, ahead=9) == said


def test_each_input_of_a_sensor_is_said_by_one():
    """And what only sensors say has a line in scripts."""
    wires = devices.SENSORS.values()
    said = [kind for wire in wires for kind in (wire.active, wire.calm) if kind]

    assert sorted(said, key=str) == sorted(get_args(devices.Sensed), key=str)
    assert set(said) <= {kind for kind, _, _ in devices.LINES}


def test_an_alert_that_its_sensor_ends_clears_by_itself():
    """An open lid and lost mains; what the lid stopped waits for a supervisor."""
    now = play(table(), "lid opens", "power fails")
    dealt = play(table(), "seat 1 banks 10", "seat 2 banco solo", "card 9h", "lid opens")

    assert {alert.id: alert.clears for alert in (*picture(now).alerts, *picture(dealt).alerts)} == {
        "lid": "itself", "power-fail": "itself", "lid-stop": "supervisor"
    }  # fmt: skip

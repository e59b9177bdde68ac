"""What a page prints and a board lights, word for word."""

from __future__ import annotations

import errno

import msgspec
import pytest

from firmware_bridge.messages import Buzzer, Colour, Lamp, Mode
from table_controller.adapters import board
from table_controller.adapters.web import picture
from table_controller.adapters.web.serve import _sentence
from table_controller.adapters.web.words import NAMES
from table_controller.engine.messages import Severity, phrase
from table_controller.engine.views import AlertView, Offer, SeatView, ShoeView, Sum, Text
from tests.adapters.web import samples

# -- the page


@pytest.mark.parametrize(
    ("total", "piles"),
    [
        (0, []),
        (1888, [(1000, 1), (500, 1), (100, 3), (50, 1), (10, 3), (5, 1), (2, 1), (1, 1)]),
        (9, [(5, 1), (2, 2)]),
        (4, [(2, 2)]),
    ],
)
def test_a_sum_in_the_houses_chips(total, piles):
    assert picture.chips(total) == piles


@pytest.mark.parametrize(
    ("span", "by"),
    [
        (0, 1), (79, 1), (80, 2), (199, 2), (200, 5), (399, 5), (400, 10), (1999, 10), (2000, 50),
        (3999, 50), (4000, 100), (19_999, 100), (20_000, 500), (39_999, 500), (40_000, 1000),
    ],
)  # fmt: skip
def test_a_steppers_key_changes_a_fortieth(span, by):
    """A round one, and never more."""
    assert picture.step_of(7, 7 + span) == by


@pytest.mark.parametrize(
    ("word", "device"),
    [
        *((word, "shoe") for word in ("shoe", "schlitten", "lip", "beam", "lid", "white", "count")),
        *((word, "camera") for word in ("camera", "reader", "frames", "module", "recording",
                                        "reading")),
        *((word, "board") for word in ("board", "serial", "lamps", "digits")),
        *((word, "broker") for word in ("broker", "mqtt")),
    ],
)  # fmt: skip
def test_each_device_has_its_dot(word, device):
    """By a word in the alert's id or in its code, whatever stands around it."""
    for alert in (
        AlertView(id=f"Lost-{word.upper()}", code="x", severity=Severity.NOTICE),
        AlertView(id="x", code=f"{word}_lost", severity=Severity.NOTICE),
    ):
        found = picture.health([alert])
        assert {name for name, state in found.items() if state != "ok"} == {device}
        assert found[device] == "notice"
    assert set(picture.health([AlertView(id=f"x{word}", code="x",
                                         severity=Severity.STOP)]).values()) == {"ok"}  # fmt: skip


def test_the_gauge_and_the_shape_of_an_offer():
    """Parts of the whole; a button, a line with one sum, or a block."""
    shoe = ShoeView(id="x", number=1, cards=312, left=78, white_at=39)
    assert picture.gauge(shoe) == {"left": 0.25, "white": 0.125}
    chips = Sum(label=phrase("x"), least=1, most=2, suggested=1)
    words = Text(label=phrase("x"), name="x", most=9)
    shapes = [((), "button"), ((chips,), "line"), ((words,), "block"), ((chips, words), "block")]
    for fields, shape in shapes:
        assert picture.shape(Offer(input={"type": "x"}, label=phrase("x"), fields=fields)) == shape
    assert (picture.tag(chips), picture.tag(words)) == ("sum", "text")


def test_a_coup_without_its_cards_is_lost_by_the_bank():
    """Whichever hand stayed closed."""
    for changes in ({"banker": None}, {"pointeur": None}):
        coup = msgspec.structs.replace(samples.LAST[-1], winner="pointeur", **changes)
        assert str(picture.result(coup)) == "The bank lost without its cards"


def test_the_pages_words_for_what_a_game_says_in_codes():
    """Every code that a picture holds has its word."""
    assert {name: word.text for name, word in picture.PLAYS.items()} == {
        "banco_solo": "Banco solo",
        "banco_partner": "Banco with a partner",
        "banco_table": "Banco with the table",
        "open": "open game",
        "open_bank": "open bank",
    }
    assert NAMES == {
        "en": "English", "de": "Deutsch", "fr": "Français", "sv": "Svenska", "hu": "Magyar"
    }  # fmt: skip
    assert list(picture.DRAWERS) == [
        "banco", "stakes", "bids", "more", "people", "mistake", "supervisor"
    ]  # fmt: skip
    assert list(picture.TOTALS) == ["coup", "schlitten", "evening"]
    assert list(picture.COUNTED) == ["coups", "bank", "pointeur", "ties"]
    assert list(picture.SUMMED) == ["staked", "cagnotte"]
    assert list(picture.MARKS) == ["prime", "suivi", "partner", "by_schlitten", "must_pass"]
    assert (list(picture.ROLES), list(picture.OUTCOMES)) == (
        ["banker", "pointeur"], ["won", "lost", "tie"]
    )  # fmt: skip
    assert (picture.ROWS, picture.COLUMNS) == ((3, 4, 5, 6), (1, 2, 3, 4, 5, 6, 7, 8, 9, 0))
    assert (picture.STAY, picture.FEW, picture.PILE) == (("stakes", "bids", "people"), 2, 5)
    assert [picture.RANK_SIGNS[rank] for rank in sorted(picture.RANK_SIGNS)] == (
        ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
    )


@pytest.mark.parametrize(
    ("number", "sentence"),
    [
        (errno.EADDRINUSE, ("port 80 at h is taken by another program: stop that one, or set"
         " another port for the page (0 takes any free one)")),
        (errno.EACCES, "port 80 needs root: set one from 1024 on for the page"),
        (errno.EADDRNOTAVAIL,
         "h is no address of this machine: use 127.0.0.1, or one that `ip a` shows"),
        (errno.EIO, "the page cannot be served at h:80: it broke"),
    ],
)  # fmt: skip
def test_a_page_that_cannot_be_served_says_why(number, sentence):
    assert _sentence("h", 80, OSError(number, "it broke")) == sentence


# -- the board's lamps

LANGUAGE = {
    word: Lamp(Mode.ON, colour)
    for word, colour in (
        ("banker", Colour.RED), ("pointeur", Colour.GREEN), ("won", Colour.WHITE),
        ("prime", Colour.BLUE), ("alert", Colour.MAGENTA), ("to_act", Colour.CYAN),
    )
}  # fmt: skip


@pytest.mark.parametrize(
    ("seat", "lamp"),
    [
        ({}, Lamp()),
        ({"marks": ("suivi", "prime")}, LANGUAGE["prime"]),
        ({"role": "banker", "marks": ("prime",)}, LANGUAGE["banker"]),
        ({"role": "banker", "outcome": "won"}, LANGUAGE["won"]),
        ({"role": "banker", "outcome": "lost"}, LANGUAGE["banker"]),
        ({"role": "pointeur", "acts": True}, Lamp(Mode.BLINK, Colour.GREEN)),
        ({"acts": True}, LANGUAGE["to_act"]),
        ({"role": "pointeur", "acts": True, "outcome": "won"}, LANGUAGE["won"]),
    ],
)
def test_a_lamp_says_the_result_before_the_role_before_a_right(seat, lamp):
    """And who acts blinks, in the colour of his role."""
    now = msgspec.structs.replace(
        samples.ADVICE_LIT, alerts=(), pot=70, against=30,
        seats=(SeatView(seat=1, taken=True, **seat), SeatView(seat=101, taken=True, role="banker")),
    )  # fmt: skip
    shown = board.picture(now, LANGUAGE)

    assert shown.lamps == (lamp, *(Lamp(),) * 11)
    assert (shown.pot, shown.stakes, shown.buzzer) == (70, 30, Buzzer.OFF)


def test_a_table_that_stands_still_is_heard_and_seen_at_the_banker():
    """Only a stop; without a Schlitten the displays are dark."""
    seats = tuple(SeatView(seat=n, taken=True, role=role)
                  for n, role in ((1, "banker"), (2, "pointeur")))  # fmt: skip
    for severity, lamp, buzzer in (
        (Severity.STOP, LANGUAGE["alert"], Buzzer.TWICE),
        (Severity.WARNING, LANGUAGE["banker"], Buzzer.OFF),
    ):
        alert = AlertView(id="x", code="x", severity=severity)
        now = msgspec.structs.replace(samples.ADVICE_LIT, alerts=(alert,), seats=seats, shoe=None)
        shown = board.picture(now, LANGUAGE)
        assert shown.lamps[:2] == (lamp, LANGUAGE["pointeur"])
        assert (shown.buzzer, shown.pot, shown.stakes) == (buzzer, None, None)

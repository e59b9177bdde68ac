"""The texts of a page and the lamps of a board, word for word."""

from __future__ import annotations

import errno

import msgspec
import pytest

from firmware_bridge.messages import Buzzer, Colour, Lamp, Mode
from table_controller.adapters import board
from table_controller.adapters.addresses import _why
from table_controller.adapters.web import picture
from table_controller.engine.chemin_de_fer import view
from table_controller.engine.chemin_de_fer.events import Side
from table_controller.engine.chemin_de_fer.state import CoupRecord
from table_controller.engine.messages import Audience, Severity, phrase
from table_controller.engine.pieces import Mark
from table_controller.engine.views import AlertView, Offer, SeatView, ShoeView, Sum, Text
from table_controller.rules.money import Chips
from table_controller.words.languages import Language
from tests.adapters.web import pieces, samples
from tests.engine import playing

# -- the page


@pytest.mark.parametrize(
    ("total", "value"),
    [
        (0, 1), (1, 1), (2, 2), (4, 2), (5, 5), (9, 5), (10, 10), (49, 10), (50, 50), (99, 50),
        (100, 100), (499, 100), (500, 500), (999, 500), (1000, 1000), (24_680, 1000),
    ],
)  # fmt: skip
def test_a_sum_has_its_largest_chips_colour(total, value):
    assert picture.colour(total) == f"value-{value}"


@pytest.mark.parametrize(
    ("span", "by"),
    [
        (0, 1), (79, 1), (80, 2), (199, 2), (200, 5), (399, 5), (400, 10), (1999, 10), (2000, 50),
        (3999, 50), (4000, 100), (19_999, 100), (20_000, 500), (39_999, 500), (40_000, 1000),
    ],
)  # fmt: skip
def test_a_steppers_key_changes_a_fortieth(span, by):
    """A round one, and never more."""
    assert picture.step_of(7, 7 + span, 200) == by


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
    record = CoupRecord(
        number=9, winner=Side.POINTEUR, banker_seat=1, pointeur_seat=4, banker=3, pointeur=7,
        pot=Chips(80), staked=Chips(80), cagnotte=Chips(0), pot_after=Chips(0),
    )  # fmt: skip
    played = msgspec.structs.replace(playing.table(), last=(record,))
    (known,) = view.snapshot(played, Audience.PUBLIC).last
    assert str(known.text) == "Pointeur 7 : 3"
    for changes in ({"banker": None}, {"pointeur": None}):
        closed = msgspec.structs.replace(record, **changes)
        played = msgspec.structs.replace(playing.table(), last=(closed,))
        (shown,) = view.snapshot(played, Audience.PUBLIC).last
        assert "without its cards" in str(shown.text)


def test_the_words_for_what_a_game_says_in_codes():
    """Every code that a picture holds has its word."""
    assert {play.value: word.text for play, word in view._PLAYS.items()} == {
        "banco_solo": "Banco solo",
        "banco_partner": "Banco with a partner",
        "banco_table": "Banco with the table",
        "open": "open game",
        "open_bank": "open bank",
    }
    assert {name: word.text for name, word in view._MARKS.items()} == {
        "prime": "prime",
        "suivi": "suivi",
        "partner": "partner",
        "by_schlitten": "by the Schlitten",
        "must_pass": "must pass",
    }
    assert [(name, label.text, tone) for name, label, tone in view._HANDS.values()] == [
        ("banker", "BANK", "red"), ("pointeur", "POINTEUR", "blue")
    ]  # fmt: skip
    outcomes = [(mark.name, mark.label.text) for mark in (view._WON, view._LOST, view._TIE)]
    assert outcomes == [("won", "WON"), ("lost", "LOST"), ("tie", "EN CARTE")]


def test_what_the_staff_s_picture_of_a_game_counts_and_keeps_apart():
    """Its totals row by row, the wall's heads, and the drawers, its own before the page's."""
    record = CoupRecord(
        number=9, winner=Side.BANK, banker_seat=1, pointeur_seat=4, banker=7, pointeur=3,
        pot=Chips(80), staked=Chips(80), cagnotte=Chips(4), pot_after=Chips(156),
    )  # fmt: skip
    played = msgspec.structs.replace(playing.table(), last=(record,))
    now = view.snapshot(played, Audience.CROUPIER)

    assert [(one.of, one.label.text) for one in now.totals] == [
        ("coup", "last coup"), ("schlitten", "Schlitten"), ("evening", "evening")
    ]  # fmt: skip
    for one in now.totals:
        counted = [(figure.name, figure.label.text, bool(figure.unit)) for figure in one.figures]
        assert counted == [
            ("coups", "coups", False),
            ("bank", "bank won", False),
            ("pointeur", "pointeur won", False),
            ("ties", "en carte", False),
            ("staked", "staked", True),
            ("cagnotte", "cagnotte", True),
        ]
    assert now.wall is not None
    assert now.wall.rows == ("3", "4", "5", "6")
    assert now.wall.columns == ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10")
    drawers = picture.drawers(now)
    assert [drawer.name for drawer in drawers] == [
        "banco", "stakes", "bids", "more", "people", "mistake", "supervisor"
    ]  # fmt: skip
    assert [drawer.name for drawer in drawers if drawer.stays] == ["stakes", "bids", "people"]


def test_the_page_s_own_words_and_signs():
    """Languages by their own names, ranks as they stand on a card."""
    assert {language.value: language.called for language in Language} == {
        "en": "English", "de": "Deutsch", "fr": "Français", "sv": "Svenska", "hu": "Magyar"
    }  # fmt: skip
    assert picture.FEW == 2
    assert [picture.RANK_SIGNS[rank] for rank in sorted(picture.RANK_SIGNS)] == (
        ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
    )


@pytest.mark.parametrize(
    ("number", "sentence"),
    [
        (errno.EADDRINUSE, ("port 80 at h is taken by another program: stop that one "
         "(`ss -ltnp 'sport = :80'` shows it), or set another port")),
        (errno.EACCES, "port 80 needs root: set one from 1024 on"),
        (errno.EADDRNOTAVAIL,
         "h is no address of this machine: use 127.0.0.1, or an address that `ip a` shows"),
        (errno.EIO, "nothing can be served at h:80: it broke"),
    ],
)  # fmt: skip
def test_what_cannot_be_served_says_why(number, sentence):
    assert _why("h", 80, OSError(number, "it broke")) == sentence


# -- the board's lamps

LANGUAGE = {
    word: Lamp(Mode.ON, colour)
    for word, colour in (
        ("banker", Colour.RED), ("pointeur", Colour.GREEN), ("won", Colour.WHITE),
        ("prime", Colour.BLUE), ("alert", Colour.MAGENTA), ("to_act", Colour.CYAN),
    )
}  # fmt: skip


WON, LOST, TIE = (Mark(name=name, label=phrase("")) for name in ("won", "lost", "tie"))
PRIME, SUIVI = (Mark(name=name, label=phrase("")) for name in ("prime", "suivi"))


def shown(seats, hands=(), acts=(), **changes):
    """What the board is given of these seats, of which `acts` are to act."""
    now = samples.ADVICE_LIT
    prompt = msgspec.structs.replace(now.prompt, seats=acts)
    given = {"alerts": (), "displays": ("pot", "against"), "seats": tuple(seats)} | changes
    now = msgspec.structs.replace(now, hands=tuple(hands), prompt=prompt, **given)
    return board.picture(now, LANGUAGE)


@pytest.mark.parametrize(
    ("marks", "hand", "acts", "lamp"),
    [
        ((), None, False, Lamp()),
        ((SUIVI, PRIME), None, False, LANGUAGE["prime"]),
        ((PRIME,), pieces.banker(1), False, LANGUAGE["banker"]),
        ((), pieces.banker(1, outcome=WON), False, LANGUAGE["won"]),
        ((), pieces.banker(1, outcome=LOST), False, LANGUAGE["banker"]),
        ((), pieces.banker(1, outcome=TIE), False, LANGUAGE["banker"]),
        ((), pieces.pointeur(1), True, Lamp(Mode.BLINK, Colour.GREEN)),
        ((), None, True, LANGUAGE["to_act"]),
        ((), pieces.pointeur(1, outcome=WON), True, LANGUAGE["won"]),
    ],
)
def test_a_lamp_says_the_result_before_the_hand_before_a_right(marks, hand, acts, lamp):
    """And who acts blinks, in the colour of his hand; a standing player has no lamp."""
    seats = (
        SeatView(seat=1, taken=True, marks=marks), SeatView(seat=101, taken=True, marks=(PRIME,))
    )  # fmt: skip
    hands = (pieces.banker(101), *([hand] if hand else []))
    given = shown(seats, hands, (1,) if acts else (), figures=pieces.pot_and(70, 30))

    assert given.lamps == (lamp, *(Lamp(),) * 11)
    assert (given.display_1, given.display_2, given.buzzer) == (70, 30, Buzzer.OFF)


def test_a_hand_in_the_middle_of_the_table_lights_no_seat():
    """It is nobody's."""
    assert shown([SeatView(seat=1, taken=True)], [pieces.banker(0)]).lamps == (Lamp(),) * 12


def test_a_table_that_stands_still_is_heard_and_seen_at_the_banker():
    """Only a stop; a display whose figure is not named is dark."""
    seats = [SeatView(seat=n, taken=True, host=n == 1) for n in (1, 2)]
    hands = [pieces.banker(1), pieces.pointeur(2)]
    for severity, lamp, buzzer in (
        (Severity.STOP, LANGUAGE["alert"], Buzzer.TWICE),
        (Severity.WARNING, LANGUAGE["banker"], Buzzer.OFF),
    ):
        alert = AlertView(id="x", code="x", severity=severity)
        given = shown(seats, hands, alerts=(alert,), displays=())
        assert given.lamps[:2] == (lamp, LANGUAGE["pointeur"])
        assert (given.buzzer, given.display_1, given.display_2) == (buzzer, None, None)


def test_without_a_schlitten_no_display_is_named():
    """With one the pot and what is against it are."""
    begun = playing.table()
    bare = msgspec.structs.replace(begun, felt=msgspec.structs.replace(begun.felt, shoe=None))
    assert view.snapshot(begun, Audience.PUBLIC).displays == ("pot", "against")
    assert view.snapshot(bare, Audience.PUBLIC).displays == ()


def test_the_displays_show_the_first_two_figures_that_are_named():
    """In the order of the names; one that is not there is dark."""
    figures = pieces.pot_and(70, 30)
    for names, values in (
        (("against", "pot"), (30, 70)),
        (("pot", "?", "against"), (70, None)),
        (("?",), (None, None)),
    ):
        given = shown([], figures=figures, displays=names)
        assert (given.display_1, given.display_2) == values

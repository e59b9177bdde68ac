"""The texts of the templates, from a snapshot."""

from __future__ import annotations

import random
from itertools import pairwise

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from table_controller.adapters.web import picture
from table_controller.engine.chemin_de_fer.view import wall
from table_controller.engine.messages import Audience, Severity, phrase
from table_controller.engine.pieces import Advice, Figure, Grid
from table_controller.engine.views import AlertView, Choice, Offer, Pick, SeatView, Text
from table_controller.rules.cards import Rank
from table_controller.wiring import config
from table_controller.wiring.games import game
from table_controller.words import figure
from tests.adapters.web import overlaps, pieces, samples


@given(st.integers(1, 10**7))
def test_a_sum_has_the_colour_of_the_largest_chip_in_it(total):
    value = int(picture.colour(total).removeprefix("value-"))

    assert value in picture.COLOURS
    assert value <= total
    assert all(other <= value or other > total for other in picture.COLOURS)


@given(st.integers(1, 10**6), st.sets(st.sampled_from((1, 2, 5, 10, 50, 100, 500, 1000))))
def test_a_stack_is_the_fewest_chips_of_its_house(total, values):
    """The largest lie lowest; what fits three columns makes up the sum."""
    laid = picture.stack(total, tuple(values))
    worth = [one.value for one in laid]

    assert worth == sorted(worth, reverse=True)
    assert set(worth) <= {1, *(values or picture.COLOURS)}
    assert len(laid) <= 15
    assert sum(worth) == total or (len(laid) == 15 and sum(worth) < total)
    for small, large in pairwise(sorted({1, *(values or picture.COLOURS)})):
        assert worth.count(small) * small < large


def test_a_stack_is_five_high_and_goes_on_to_the_right():
    """Seven fives of a house with no larger chip."""
    laid = picture.stack(35, (5,))

    assert [(one.x, one.y) for one in laid] == [
        (0, 0), (0, -5.4), (0, -10.8), (0, pytest.approx(-16.2)), (0, -21.6), (34, 0), (34, -5.4),
    ]  # fmt: skip


@pytest.mark.parametrize("rank", [rank for rank in Rank if 2 <= rank.value <= 10])
def test_a_card_has_as_many_signs_as_its_rank(rank):
    """Each in its own place on the card, those of the lower half upside down."""
    places = picture.pips(rank)

    assert len(places) == rank.value == len({(x, y) for x, y, _ in places})
    assert all(turned == (y > 84) for _, y, turned in places)
    assert all(40 < x < 80 and 30 < y < 138 for x, y, _ in places)
    assert sorted(168 - y for _, y, _ in places) == sorted(y for _, y, _ in places) or (
        rank.value == 7  # the print has one sign above its middle, and none below it
    )


TYPED = Text(name="t", label=phrase("t"), most=9)


def test_the_first_answer_is_golden_unless_somebody_must_rule():
    """Forms are no answers yet."""
    yes, no = (Offer(input={"type": name}, label=phrase(name), group="main") for name in "yn")
    form = Offer(input={"type": "f"}, label=phrase("f"), group="main", fields=(TYPED,))

    assert picture.acts((form, yes, no)) == picture.Acts((yes,), (no,), (form,))
    assert picture.acts((yes, no), stopped=["unread"]) == picture.Acts((yes, no), (), ())
    assert picture.acts((yes,), stopped=["unread"]) == picture.Acts((yes,), (), ())


@pytest.mark.parametrize(
    ("length", "name"), [(30, ""), (31, " long"), (44, " long"), (45, " longer"), (81, " longest")]
)
def test_a_longer_text_has_smaller_letters(length, name):
    """So that no row grows."""
    assert picture.step_down(length, (30, 44, 80)) == name


def advice(row, column, name="draw"):
    return Advice(name=name, row=row, column=column, text=phrase("x"), rule="ZX-2")


def lit(wall, told):
    return [
        (row, column)
        for row, squares in zip(wall.rows, picture.squares(wall, told), strict=True)
        for column, square in zip(wall.columns, squares, strict=True)
        if square.lit
    ]


@pytest.mark.parametrize(
    ("told", "cells"),
    [
        (None, []),
        (advice("5", "4"), [("5", "4")]),
        (advice("3", "10"), [("3", "10")]),
        (advice("7", "4"), []),
        (advice("5", ""), []),
        (advice("", "", "no_information"), []),
    ],
)
def test_one_cell_is_lit_where_the_advice_names_it(told, cells):
    """R-17, Z-20: without both cards nothing is lit; the wall has rows 3 to 6."""
    assert lit(wall("zx-2"), told) == cells


def test_row_and_column_of_the_lit_cell_are_marked():
    rows = picture.squares(wall("zx-2"), advice("5", "4"))

    assert all(square.near for square in rows[2])
    assert [square.near for square in rows[0]] == [column == 3 for column in range(10)]


def test_tableau_is_the_houses_own():
    """ZX-2, R-1: row 5 stands, may choose on 4, draws on 5, 6, 7."""
    rows = picture.squares(wall("zx-2"))

    said = [str(square.cell.text) for square in rows[2]]
    assert said == ["stands"] * 3 + ["as he chooses"] + ["draws"] * 3 + ["stands"] * 3


def test_a_grid_needs_no_heads_and_may_have_empty_squares():
    """A road has neither: only its signs."""
    road = Grid(name="road", label=phrase("road"), cells=((pieces.DRAWS, None),))

    assert picture.squares(road) == [
        [picture.Square(pieces.DRAWS, lit=False, near=False), picture.Square(None, False, False)]
    ]


def alert(name, severity=Severity.WARNING):
    return AlertView(id=name, code="device_lost", severity=severity)


def test_health_names_the_device_that_an_alert_is_about():
    found = picture.health([alert("lost-board"), alert("mqtt", Severity.STOP)])

    assert found == {"shoe": "ok", "camera": "ok", "board": "warning", "broker": "stop"}


def test_alerts_that_say_the_same_share_a_row():
    """What is seen already, or says something else, has one of its own."""
    stray, other = phrase("A card left."), phrase("The board does not answer.")

    def alert(id_, what, **more):
        return AlertView(id=id_, code="x", severity=Severity.STOP, what=what, **more)

    seen = alert("d", stray, acknowledged=True)
    alerts = (alert("a", stray), alert("b", other), alert("c", stray), seen)

    rows = [(one.id, count) for one, count in picture.alert_rows(alerts)]

    assert rows == [("a", 2), ("b", 1), ("d", 1)]


def test_the_most_urgent_alert_is_the_first():
    """Alerts that somebody has seen follow all others; equal ones keep their order."""
    seen = msgspec.structs.replace(alert("seen", Severity.STOP), acknowledged=True)
    others = (alert("lid", Severity.NOTICE), alert("board"), alert("broker"))

    rows = picture.alert_rows((seen, *others, alert("card", Severity.STOP)))

    assert [one.id for one, _ in rows] == ["card", "board", "broker", "lid", "seen"]


def test_what_is_not_set_up_is_neither_well_nor_ill():
    """The dot of a device that is not there is grey; an alert is heard all the same."""
    absent = frozenset({"shoe", "board"})
    found = picture.health([alert("white-missed")], absent)

    assert found == {"shoe": "warning", "camera": "ok", "board": "absent", "broker": "ok"}


def test_health_keeps_the_loudest_word():
    found = picture.health([alert("board-1", Severity.STOP), alert("board-2", Severity.NOTICE)])

    assert found["board"] == "stop"


def test_seats_that_the_picture_leaves_out_are_empty():
    few = msgspec.structs.replace(
        samples.ADVICE_LIT, seats=(samples.ADVICE_LIT.seats[4], samples.ADVICE_LIT.seats[1])
    )

    seats = picture.seats_in_order(few)
    assert [(seat.seat, seat.taken) for seat in seats] == [
        (1, False),
        (2, True),
        (3, False),
        (4, False),
        (5, True),
    ]


def test_an_offer_of_an_unknown_group_is_not_lost():
    strange = Offer(input={"type": "x"}, label=phrase("x"), group="new")

    assert strange in picture.groups([strange])["open"]


@given(st.integers(0, 5000), st.integers(0, 5000), st.integers(0, 5000))
def test_stepper_needs_few_presses_and_moves(least, span, suggested):
    by = picture.step_of(least, least + span, suggested)

    assert by >= 1
    assert by == 1 or by * 40 <= span
    assert by == 1 or suggested <= least or by <= 5 * suggested


def test_where_no_sum_is_suggested_the_key_goes_by_the_range_alone():
    """The least stands there then, such as 1 for a tip: five times it would be no step."""
    assert [picture.step_of(1, 5000, 1), picture.step_of(0, 5000, 0)] == [100, 100]


def test_last_coups_are_nine_oldest_first_whatever_their_order():
    coups = [*pieces.LAST[:1], *samples.SETTLEMENT.last]
    random.Random(1).shuffle(coups)

    assert [coup.coup for coup in picture.latest(coups)] == [21, 22, 23, 24, 25, 26, 27, 28, 29]


def test_a_result_is_shown_only_while_its_hands_lie_open():
    """The row's last coup is not the present one's result."""
    assert picture.finished(samples.ADVICE_LIT) is None
    assert picture.finished(samples.SETTLEMENT).coup == 29
    still_old = msgspec.structs.replace(samples.SETTLEMENT, last=pieces.LAST)
    assert picture.finished(still_old) is None


def test_rule_ids_are_found_in_a_list_of_them():
    assert picture.rule_ids("ZX-2, R-17; Z-20, ZP-5, N-3 and K-9") == [
        "ZX-2",
        "R-17",
        "Z-20",
        "ZP-5",
        "N-3",
    ]
    assert picture.rule_ids("PB-7, PR-3; E07-20a, EDE-2") == ["PB-7", "PR-3", "E07-20a", "EDE-2"]


@pytest.mark.parametrize(
    ("number", "text"),
    [(160, "160"), (2400, "2400"), (24680, "24\u202f680"), (-1234567, "-1\u202f234\u202f567")],
)
def test_long_figures_are_grouped(number, text):
    assert figure(number, "fr") == text


def test_standing_players_take_no_seat():
    """ZP-17: places from 101 on stand beside the table; the seats stay nine."""
    now = msgspec.structs.replace(
        samples.ADVICE_LIT,
        seats=(*samples.ADVICE_LIT.seats, SeatView(seat=101, taken=True)),
    )

    assert [seat.seat for seat in picture.seats_in_order(now)] == list(range(1, 10))
    assert [seat.seat for seat in picture.standing(now)] == [101]


def test_what_is_said_seat_by_seat_gets_a_drawer_once_there_are_many():
    """Nine steppers in a row would hide everything else; two may stand in the open."""
    stakes = [
        Offer(input={"type": "stakes", "seat": n, "chips": 2}, label=phrase("stake"), group="more")
        for n in range(1, 5)
    ]

    assert picture.groups(stakes, pieces.DRAWERS)["stakes"] == stakes
    assert picture.groups(stakes, pieces.DRAWERS)["open"] == []
    assert picture.groups(stakes[:2], pieces.DRAWERS)["open"] == stakes[:2]


@pytest.mark.parametrize("kind", ["stakes", "bids"])
def test_what_one_or_two_stake_or_bid_is_not_hidden_among_other_things(kind):
    """Where they do not lie in the open, a drawer with their name holds them."""
    said = [Offer(input={"type": kind, "seat": 5}, label=phrase("x"), group="more")]
    other = [Offer(input={"type": f"x{n}"}, label=phrase("x"), group="more") for n in range(2)]

    assert picture.groups([*said, *other], pieces.DRAWERS) == {
        "main": [],
        "open": other,
        kind: said,
    }
    assert picture.groups([*said, *other, *other], pieces.DRAWERS) == {
        "main": [], "open": [], kind: said, "more": [*other, *other]
    }  # fmt: skip
    assert picture.groups([*said, other[0]], pieces.DRAWERS) == {
        "main": [],
        "open": [said[0], other[0]],
    }


def test_much_of_what_is_further_goes_into_a_drawer():
    """Nothing but the sentence and its buttons is loud; what is filled in never lies open."""
    plain = [Offer(input={"type": f"x{n}"}, label=phrase("x"), group="more") for n in range(3)]
    words = Text(label=phrase("reason"), name="reason", most=9)
    form = Offer(input={"type": "x"}, label=phrase("x"), group="more", fields=(words,))

    assert picture.groups(plain) == {"main": [], "open": [], "more": plain}
    assert picture.groups([form]) == {"main": [], "open": [], "more": [form]}
    assert picture.groups(plain[:2])["open"] == plain[:2]


def test_what_is_always_at_hand_stays_in_the_open():
    """However many others lie in the drawer."""
    plain = [Offer(input={"type": f"x{n}"}, label=phrase("x"), group="more") for n in range(3)]
    word = Offer(input={"type": "y"}, label=phrase("y"), group="open")

    assert picture.groups([*plain, word]) == {"main": [], "open": [word], "more": plain}


def counter_row(value, moves):
    figure = Figure(name="marks", label=phrase("marks"), value=value, of=5, moves=moves)
    row = [" "] * (5 + picture.GAP)
    for place, moved in picture.counters(figure):
        row[place] = "#" if moved else "o"
    return "".join(row)


@pytest.mark.parametrize(
    ("value", "to_the_right", "to_the_left"),
    [
        (0, "ooooo  ", "  ooooo"),
        (1, "oooo  #", "#  oooo"),
        (3, "oo  ###", "###  oo"),
        (5, "  #####", "#####  "),
        (7, "  #####", "#####  "),
        (-1, "ooooo  ", "  ooooo"),
    ],
)
def test_counters_that_were_moved_lie_on_the_other_side(value, to_the_right, to_the_left):
    """None but those that there are."""
    assert counter_row(value, "right") == to_the_right
    assert counter_row(value, "left") == to_the_left


def test_a_choice_among_cards_is_laid_out_by_ranks_and_suits():
    """A column for each rank that there is, a row for each suit; a gap for what is gone."""
    choice = picks_of("Kh", "7c", "7s", "Kc")

    assert [[pick and pick.value for _, pick in rank] for rank in picture.keys(choice)] == [
        ["7c", None, None, "7s"],
        ["Kc", None, "Kh", None],
    ]


def test_the_keys_of_a_small_pack_stand_as_those_of_closed_cards_do():
    """From the seven on, the ace below the jack."""
    codes = [f"{rank}h" for rank in "AKQJT987"]
    picks = tuple(Pick(value=code, label=phrase("{card}", card=code)) for code in codes)
    columns = picture.keys(Choice(label=phrase("card"), name="card", picks=picks))

    assert "".join(column[0][0].value[0] for column in columns) == "789TAJQK"


def test_cards_alone_are_keys_and_beside_something_else_a_choice():
    """Seats to be picked are no cards."""
    cards, words = picks_of("Kh", "7c"), Text(label=phrase("reason"), name="reason", most=9)
    seat = Choice(label=phrase("seat"), name="seat", picks=(Pick(value=1, label=phrase("1 Karl")),))
    forms = [
        Offer(input={"type": "x"}, label=phrase("x"), fields=fields)
        for fields in ((cards,), (cards, words), (seat,))
    ]

    assert [picture.shape(form) for form in forms] == ["keys", "block", "block"]


def picks_of(*cards):
    picks = tuple(Pick(value=card, label=phrase("{card}", card=card)) for card in cards)
    return Choice(label=phrase("card"), name="card", picks=picks)


def test_a_payment_is_ticked_where_it_stands():
    """Z-26: the offer to tick a line belongs to that line, and to no list of buttons."""
    first, tick = (
        Offer(input={"type": "ticked", "line": line}, label=phrase("paid"), group="payment")
        for line in (0, 1)
    )

    assert picture.ticking([first, tick]) == {0: first, 1: tick}
    assert all(tick not in offers for offers in picture.groups([tick]).values())


@pytest.mark.parametrize("name", ["zoppot-1934", "punto-banco", "ecarte-german"])
def test_no_two_offers_of_a_picture_have_the_same_key(name):
    """Parts of the page are told apart by it: a half-filled form never becomes another."""
    house = config.house(name)
    door = game(house.game)
    for moment in overlaps.evening(house, coups=2, mishaps=True):
        keys = [picture.key(o) for o in door.snapshot(moment.table, Audience.CROUPIER).offers]
        assert len(set(keys)) == len(keys)

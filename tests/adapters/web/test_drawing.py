"""The drawn table measured: what mirrors what, and how far each thing lies from its seat."""

from __future__ import annotations

import itertools
import math

import pytest

from table_controller.adapters.web import geometry

SHAPES = [geometry.WIDE, geometry.TALL]
MIDDLE = {"wide": (430, 339), "tall": (215, 355)}
HALF = {"wide": (322, 256), "tall": (168, 315)}
HAND = {"wide": 0.58, "tall": 0.62}
STAKE = {"wide": 0.84, "tall": 0.75}


@pytest.mark.parametrize("count", [2, 5, 9, 10, 12])
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_the_left_half_mirrors_the_right(shape, count):
    """Seat by seat, with its cards, but for a corner of the drawing."""
    middle = MIDDLE[shape.name][0]
    places = geometry.places(count, shape, False)
    for one, other in zip(places, reversed(places), strict=True):
        for (x, y), (to_x, to_y) in zip(
            ((one.x, one.y), one.hand), ((other.x, other.y), other.hand), strict=True
        ):
            assert 2 * middle - x == pytest.approx(to_x, abs=7)
            assert y == pytest.approx(to_y, abs=7)


@pytest.mark.parametrize("count", [2, 9, 12])
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_the_guests_see_the_table_from_the_other_side(shape, count):
    """Seats and cards turned by half a circle; words and chips stand upright all the same."""
    for below, above in zip(
        geometry.places(count, shape, False), geometry.places(count, shape, True), strict=True
    ):
        assert (above.x, above.y) == pytest.approx((shape.width - below.x, shape.height - below.y))
        assert above.hand == pytest.approx(
            (shape.width - below.hand[0], shape.height - below.hand[1]), abs=0.11
        )


@pytest.mark.parametrize("count", [2, 9, 12])
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_each_thing_has_its_distance_from_the_seat(shape, count):
    """Cards between seat and middle; chips nearer to the seat, beside it at the narrow ends."""
    mid_x, mid_y = MIDDLE[shape.name]
    half_x, half_y = HALF[shape.name]
    for place in geometry.places(count, shape, False):
        x, y = place.x - mid_x, place.y - mid_y
        out_x, out_y = x / half_x**2, y / half_y**2
        out_x, out_y = out_x / math.hypot(out_x, out_y), out_y / math.hypot(out_x, out_y)
        part = HAND[shape.name]
        assert place.hand == pytest.approx((mid_x + x * part, mid_y + y * part), abs=0.11)
        to_middle = -math.copysign(1, x)
        if abs(out_y) > 0.8 and 10 < abs(x) < 85:
            chips = (place.x, place.y - math.copysign(58, y))
        elif abs(out_y) > 0.8:
            chips = (place.x + 62 * to_middle, place.y + (-22 if y > 0 else 34))
        elif out_y > 0.3:
            part = STAKE[shape.name]
            chips = (mid_x + x * part + 14 * to_middle, mid_y + y * part + 16)
        else:
            part = STAKE[shape.name]
            chips = (mid_x + x * part, mid_y + y * part - 18)
        assert place.stake == pytest.approx(chips, abs=0.11)


@pytest.mark.parametrize("count", [2, 9, 12])
def test_words_stand_beside_the_seats_of_a_desk(count):
    """33 to the side and up to 54 along; above and below the table they are centred."""
    for place in geometry.places(count, geometry.WIDE, False):
        x, y = place.x - 430, place.y - 339
        out_x, out_y = x / 322**2, y / 256**2
        out_x, out_y = out_x / math.hypot(out_x, out_y), out_y / math.hypot(out_x, out_y)
        if abs(out_x) > 0.5:
            assert place.anchor == ("start" if x > 0 else "end")
            side = math.copysign(33, x)
        else:
            assert place.anchor == "middle"
            side = 0
        assert place.label == pytest.approx((place.x + side, place.y + out_y * 54), abs=0.11)
        below = out_y > 0.3
        assert (place.badge, place.lift) == ((-33, False) if below else (33, True))


@pytest.mark.parametrize("at_top", [False, True])
@pytest.mark.parametrize("count", [2, 9, 12])
def test_words_stand_under_the_seats_of_a_phone(count, at_top):
    """44 lower; those of the lowest seats 60 higher, or they would be cut off."""
    mid_y = 790 - 355 if at_top else 355
    for place in geometry.places(count, geometry.TALL, at_top):
        lowest = place.y - mid_y > 0.9 * 315
        off = -60 if lowest else 44
        assert place.label == pytest.approx((place.x, place.y + off), abs=0.11)
        assert place.anchor == "middle"
        assert place.lift is False
        assert place.badge == (-33 if place.y < mid_y or lowest else 33)


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
@pytest.mark.parametrize("at_top", [False, True])
def test_the_edge_is_drawn_round_and_has_room_for_the_croupier(shape, at_top):
    """360 corners; he stands where it is cut in, the others sit on the edge."""
    drawn = geometry.outline(shape, at_top)
    assert drawn[0] + drawn[-1] == "MZ"
    points = [tuple(map(float, one.split())) for one in drawn[1:-1].split("L")]
    assert len(points) == 360
    (mid_x, mid_y), (half_x, half_y) = MIDDLE[shape.name], HALF[shape.name]
    mid_y = shape.height - mid_y if at_top else mid_y
    notch = {"wide": 0.17, "tall": 0.1}[shape.name]
    sign = -1 if at_top else 1
    assert points[0] == pytest.approx((mid_x, mid_y + sign * half_y * (1 - notch)), abs=0.06)
    assert points[90] == pytest.approx((mid_x + sign * half_x, mid_y), abs=0.06)
    assert points[180] == pytest.approx((mid_x, mid_y - sign * half_y), abs=0.06)
    assert points[270] == pytest.approx((mid_x - sign * half_x, mid_y), abs=0.06)
    diagonal = math.sin(math.pi / 4) ** 0.8
    expected = (mid_x - sign * half_x * diagonal, mid_y - sign * half_y * diagonal)
    assert points[225] == pytest.approx(expected, abs=0.06)


@pytest.mark.parametrize("count", [2, 9, 12])
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_seats_are_equally_far_apart_along_the_edge(shape, count):
    """From the croupier's right hand to his left, but for a corner of the drawing."""
    points = [
        tuple(map(float, one.split())) for one in geometry.outline(shape, False)[1:-1].split("L")
    ]
    places = geometry.places(count, shape, False)
    gap = {"wide": 0.92, "tall": 0.62}[shape.name]
    nearest = [
        min(range(360), key=lambda n: math.dist(points[n], (place.x, place.y))) for place in places
    ]
    assert nearest == sorted(nearest)
    assert nearest[0] == pytest.approx(math.degrees(gap), abs=1)
    assert nearest[-1] == pytest.approx(360 - math.degrees(gap), abs=1)
    ways = [
        sum(math.dist(points[n], points[n + 1]) for n in range(one, other))
        for one, other in itertools.pairwise(nearest)
    ]
    assert max(ways) - min(ways) < 30


def test_one_seat_alone_is_across_from_the_croupier():
    """And a standing player's hand keeps to its half of the felt."""
    (alone,) = geometry.places(1, geometry.WIDE, False)
    assert (alone.x, alone.y) == pytest.approx((430, 339 - 256), abs=4)
    for left, x in ((True, 430 - 322 * 0.58), (False, 430 + 322 * 0.58)):
        free = geometry.across(geometry.WIDE, False, None, left)
        assert free.hand == pytest.approx((x, 339))
        assert (free.x, free.y) == free.label == free.stake == free.hand
        assert (free.badge, free.lift, free.anchor) == (0, False, "middle")
    near = geometry.places(9, geometry.WIDE, False)[4]
    assert abs(near.hand[0] - 430) < 322 * 0.58 / 3
    assert geometry.across(geometry.WIDE, False, near, True).hand[0] == pytest.approx(
        430 - 322 * 0.58
    )


@pytest.mark.parametrize("at_top", [False, True])
@pytest.mark.parametrize("count", [9, 10, 12])
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_neighbours_hands_lie_clear_of_each_other(shape, count, at_top):
    """Cards and the line under them, 96 wide at least, of any two who sit side by side."""
    crowded = count > 9
    small = 0.84 if crowded else 1
    high = {"wide": 80, "tall": 51.2}[shape.name] * small + 22
    for pair in itertools.pairwise(geometry.places(count, shape, at_top)):
        for cards in itertools.product((2, 3, 5), repeat=2):
            across = [max(96, shape.across(number, crowded)) for number in cards]
            (ax, ay), (bx, by) = (
                place.hand
                for place in geometry.parted(shape, crowded, list(zip(pair, cards, strict=True)))
            )
            clear = abs(ax - bx) >= sum(across) / 2 or abs(ay - by) >= high

            assert clear, (pair, cards)
            for x, y, wide in ((ax, ay, across[0]), (bx, by, across[1])):
                assert wide / 2 < x < shape.width - wide / 2
                assert high / 2 < y < shape.height - high / 2


def test_hands_that_lie_apart_stay_where_they_lay():
    """Across the table nothing is moved."""
    places = geometry.places(10, geometry.WIDE, False)

    assert geometry.parted(geometry.WIDE, True, [(places[1], 5), (places[7], 5)]) == [
        places[1],
        places[7],
    ]

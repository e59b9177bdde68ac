"""Where things lie on the table, in either shape of the drawing."""

from __future__ import annotations

import itertools
import math

import pytest

from table_controller.adapters.web import geometry

# Where things lie

SHAPES = [geometry.WIDE, geometry.TALL]


@pytest.mark.parametrize("at_top", [False, True])
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
@pytest.mark.parametrize("count", range(2, 13))
def test_seats_lie_apart_and_inside_the_picture(count, shape, at_top):
    places = geometry.places(count, shape, at_top)

    assert len(places) == count
    for one, other in itertools.combinations(places, 2):
        assert math.dist((one.x, one.y), (other.x, other.y)) > 60
    for place in places:
        for x, y in ((place.x, place.y), place.label, place.stake, place.hand):
            assert 25 <= x <= shape.width - 25
            assert 15 <= y <= shape.height - 15


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_seat_one_is_at_the_croupiers_right_hand(shape):
    """He looks from below: to the right; the guests see him above: to the left."""
    below, above = (geometry.places(9, shape, at_top) for at_top in (False, True))
    middle = shape.width / 2

    assert below[0].x > middle > below[8].x
    assert below[0].y > shape.height / 2
    assert above[0].x < middle < above[8].x
    assert above[0].y < shape.height / 2


@pytest.mark.parametrize("at_top", [False, True])
@pytest.mark.parametrize("count", [2, 9, 12])
def test_hands_of_neighbours_do_not_cover_each_other(count, at_top):
    """Their middles are at least a card's index apart, so rank and suit stay legible."""
    places = geometry.places(count, geometry.WIDE, at_top)

    for one, other in itertools.pairwise(places):
        assert math.dist(one.hand, other.hand) > 60


@pytest.mark.parametrize("at_top", [False, True])
@pytest.mark.parametrize("count", [2, 9, 12])
def test_a_name_stands_outside_its_seat(count, at_top):
    """Further from the table's middle than the seat, so that no name lies on the felt."""
    places = geometry.places(count, geometry.WIDE, at_top)
    middle = [sum(way) / count for way in zip(*((at.x, at.y) for at in places), strict=True)]

    for place in places:
        assert math.dist(place.label, middle) > math.dist((place.x, place.y), middle)


def alone_middle():
    """Half way between where two standing hands lie that have no other to face."""
    one, two = (geometry.across(geometry.WIDE, False, None, left).hand for left in (True, False))
    return (one[0] + two[0]) / 2


@pytest.mark.parametrize("left", [False, True])
def test_a_standing_hand_lies_across_from_the_other(left):
    """ZP-17: on its own side of the felt, and not where the other hand lies."""
    other = geometry.places(9, geometry.WIDE, croupier_at_top=False)[0]
    hand = geometry.across(geometry.WIDE, False, other, left).hand
    alone = geometry.across(geometry.WIDE, False, None, left).hand

    assert math.dist(hand, other.hand) > 200
    assert hand[1] == other.hand[1]
    assert hand[0] == pytest.approx(2 * alone_middle() - other.hand[0])
    assert (alone[0] < geometry.WIDE.width / 2) is left


@pytest.mark.parametrize("at_top", [False, True])
@pytest.mark.parametrize("shape", geometry.SHAPES.values(), ids=str)
def test_the_tables_own_cards_lie_side_by_side_in_the_middle(shape, at_top):
    """One and two of them, without touching, as far to the left as to the right."""
    one, two = geometry.row(shape, at_top, (1, 2), crowded=True)
    left = one.hand[0] - shape.across(1, crowded=True) / 2
    right = two.hand[0] + shape.across(2, crowded=True) / 2
    between = (two.hand[0] - shape.across(2, crowded=True) / 2) - (left + 56 * shape.scale(True))

    assert (left + right) / 2 == pytest.approx(geometry.middle(shape, at_top)[0], abs=0.1)
    assert between > 8
    assert one.hand[1] == two.hand[1] < geometry.middle(shape, at_top)[1]


def written(stake):
    """Left, right, top and bottom of a stake of four figures: 14 high, on a line 13 lower."""
    x, y = stake
    return x - 20, x + 20, y + 1, y + 15


@pytest.mark.parametrize("croupier_at_top", [False, True])
@pytest.mark.parametrize("count", [9, 10, 12])
def test_no_stake_is_written_across_a_seat_or_another_stake(count, croupier_at_top):
    """Seats' circles are 25 wide to each side; a phone writes the stake under the name."""
    seats = geometry.places(count, geometry.WIDE, croupier_at_top)
    for place in seats:
        left, right, top, bottom = written(place.stake)
        for seat in seats:
            off_x = max(left - seat.x, 0, seat.x - right)
            off_y = max(top - seat.y, 0, seat.y - bottom)
            assert math.hypot(off_x, off_y) >= 25
    for one, other in itertools.combinations([written(place.stake) for place in seats], 2):
        across = one[0] < other[1] and other[0] < one[1]
        assert not (across and one[2] < other[3] and other[2] < one[3])

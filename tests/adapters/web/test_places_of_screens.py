"""Who may watch when all places are taken: addresses with few screens before those with many."""

from __future__ import annotations

from contextlib import ExitStack

from table_controller.adapters.web.places import Places


def hold(places, *addresses):
    """The places that these are given, in this order; and what undoes it."""
    stack, lost = ExitStack(), []
    given = [
        stack.enter_context(places.held(address, lambda at=number: lost.append(at)))
        for number, address in enumerate(addresses)
    ]
    return given, lost, stack


def test_a_stranger_with_all_places_does_not_shut_the_wall_out():
    """He loses the one he had first; and takes none back."""
    places = Places(3)
    given, lost, stack = hold(places, "stranger", "stranger", "stranger", "wall")

    assert lost == [0]
    assert [place.lost for place in given] == [True, False, False, False]
    assert not places.open_to("stranger")
    assert places.open_to("another wall")
    stack.close()


def test_nobody_loses_a_place_to_whoever_would_then_have_as_many():
    """Two each of four: a third of either is refused, and a newcomer is not."""
    places = Places(4)
    _, lost, stack = hold(places, "a", "a", "b", "b", "a")

    assert lost == []
    assert (places.open_to("a"), places.open_to("b"), places.open_to("c")) == (False, False, True)
    stack.close()


def test_one_address_may_have_all_that_nobody_else_wants():
    places = Places(3)
    given, lost, stack = hold(places, "house", "house", "house", "house")

    assert [place.lost for place in given] == [False, False, False, True]
    assert lost == []
    stack.close()
    assert places.open_to("house")


def test_none_is_given_where_there_are_none():
    assert not Places(0).open_to("anybody")

"""The Schlitten's count, for every pack: the cards that left, are left, or cannot have left."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from table_controller.engine.shoe import (
    Dealt,
    Shoe,
    gone,
    passed,
    put_back,
    remaining,
    restored,
    without,
)
from table_controller.rules.cards import PACK, PACKS, Card

packs = pytest.mark.parametrize("pack", PACKS)


@pytest.mark.parametrize(
    ("count", "pack", "cards"), [(6, 52, 312), (1, 52, 52), (1, 32, 32), (2, 32, 64), (8, 32, 256)]
)
def test_a_schlitten_holds_packs_times_pack(count, pack, cards):
    """ZP-2 and écarté's pack: the count follows from both."""
    shoe = Shoe("blue-1", count, pack=pack)

    assert (shoe.cards, shoe.left) == (cards, cards)
    assert sum(remaining(shoe).values()) == cards
    assert (passed(shoe, 3).left, put_back(passed(shoe, 3), 2).left) == (cards - 3, cards - 1)


@packs
@given(data=st.data())
def test_what_left_and_what_remains_is_the_whole_pack(pack, data):
    """Labelled or not, in any order: each card leaves as often as there are packs, no more."""
    count = data.draw(st.integers(1, 8))
    shoe = Shoe("blue-1", count, pack=pack)
    copies = [(card, copy) for card in PACKS[pack] for copy in range(1, count + 1)]
    out = data.draw(st.lists(st.sampled_from(copies), unique=True))
    plain = data.draw(st.lists(st.booleans(), min_size=len(out), max_size=len(out)))
    for (card, copy), told in zip(out, plain, strict=True):
        after = without(shoe, card, 0 if told else copy)
        assert after is not None
        shoe = after

    left = remaining(shoe)
    assert set(left) == set(PACKS[pack])
    assert all(left[card] + gone(shoe, card) == count for card in left)
    assert sum(left.values()) == shoe.cards - len(out)
    for card in {card for card, _ in out if not left[card]}:
        assert without(shoe, card, 0) is None


@packs
@given(data=st.data())
def test_a_card_that_went_back_never_left(pack, data):
    """`restored` undoes `without`, with a label or without."""
    card, copy = data.draw(st.sampled_from(PACKS[pack])), data.draw(st.integers(0, 6))
    shoe = Shoe("blue-1", 6, pack=pack)
    after = without(shoe, card, copy)

    assert after is not None
    assert after != shoe
    assert restored(after, Dealt(1, card, copy)) == shoe
    assert (without(after, card, copy) is None) is bool(copy)


@pytest.mark.parametrize("copy", [0, 1])
def test_a_foreign_card_cannot_have_left(copy):
    """A two to six is of no pack of 32."""
    shoe = Shoe("blue-1", 1, pack=32)
    foreign = {card for card in PACK if without(shoe, card, copy) is None}

    assert foreign == {Card(rank + suit) for rank in "23456" for suit in "cdhs"}


def test_a_count_saved_before_packs_had_names_is_of_52():
    """Journals of then open: an absent pack is one of 52."""
    saved = b'{"id":"blue-1","packs":6,"out":2,"ordinal":2,"labelled":1,"plain":16}'

    shoe = msgspec.json.decode(saved, type=Shoe)

    assert (shoe.pack, shoe.left) == (52, 310)
    assert (gone(shoe, Card("Ac")), gone(shoe, Card("2c"))) == (1, 1)

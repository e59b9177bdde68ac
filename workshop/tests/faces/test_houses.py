"""The packs for the soak of letters: never seen in training, a few pictures of each."""

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.decks import deck, glyphs
from vision.faces.letters import HOUSES, looks, parse
from workshop.soak.letters import ALPHABETS
from workshop.training import art, crops, houses


@pytest.mark.parametrize("alphabet", HOUSES, ids=str)
def test_local_letters_are_read_as_themselves_and_never_as_a_neighbour(alphabet, reader):
    """Held-out letters: a share of the soak. Under no house's letters is one answered wrongly."""
    rng = np.random.default_rng(21)
    pack = houses.drawn(rng, "local letters", alphabet)

    shots = list(houses.shots(pack, 14, reader, rng))

    assert sum(shot.said(alphabet) == "right" for shot in shots) >= 6
    assert not [shot for shot in shots for each in ALPHABETS if shot.said(each) == "wrong"]


def test_a_face_without_the_letter_is_not_chosen_for_the_deck():
    """An empty box would be taught as a letter."""
    rng = np.random.default_rng(3)

    for _ in range(12):
        letters = deck.mixed(rng)
        style = deck.style(rng, bearing=letters)

        assert glyphs.draws(style.font, "".join(letters))
        assert len({looks(letter) for letter in letters}) == 4
        assert style.bears("T") == "10"
        assert [style.bears(rank) for rank in "AKQJ"] == list(letters)


@pytest.mark.parametrize("rank", ["A", "5", "8"])
def test_a_letter_is_thinned_as_far_as_it_holds_together(rank):
    """Heavier has more ink; of a face that is thin already nothing is taken, of none a half."""
    rng = np.random.default_rng(4)
    inks = []
    for _ in range(60):
        style = deck.style(rng)
        thin, plain, heavy = (
            deck.rank_mask(replace(style, weight=weight), rank).sum(dtype=int)
            for weight in (-5, 0, 12)
        )
        assert plain / 2 <= thin <= plain < heavy
        inks.append(thin / plain)

    assert 0 < inks.count(1.0) < 60


def test_a_label_is_what_the_index_bears():
    """Cyrillic В is the class of B; the ten is not the letter T."""
    russian = parse("Т К Д В")

    assert crops.label("В", "h") == crops.label("B", "h")
    assert crops.label("Т", "c") == crops.label("T", "c") != crops.label("10", "c")
    assert crops.label(russian.glyph("T"), "c") == crops.label("10", "c")


def test_artwork_is_taught_by_what_it_bears():
    """And what training sees is not what is measured with."""
    kept = {*art.HELD_OUT, *art.HELD_OUT_SINCE}

    assert set(houses.KINDS) == kept
    assert set(houses.ARTWORK) <= kept
    assert all(parse(letters) for letters in art.LETTERS.values())

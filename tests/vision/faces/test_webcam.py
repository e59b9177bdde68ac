"""A webcam over a window and an ordinary deck: whole cards slid past, read by their faces alone."""

from __future__ import annotations

import itertools
from dataclasses import replace

import cv2
import numpy as np

from table_controller.rules.cards import PACK
from tests.vision.faces.drawn import At, corners, picture
from vision.calibrate import by_corners, find_corners
from vision.faces.passage import sliding
from vision.frame import Frame
from vision.lip import SHIPPED
from vision.reader import Reader, Sight

FPS, SECONDS, WIDTH = 30, 0.8, 258
RNG = np.random.default_rng(3)
EMPTY = np.clip(22 + RNG.normal(0, 4, (480, 640)), 0, 255).astype(np.uint8)


def strip(code, tilt):
    """The card on a dark ground, much wider than a picture, smeared along its way."""
    at = At(code, 800, 238, WIDTH, tilt)
    seen = picture(at, size=(480, 1600), ground=(22, 22, 22), seed=int(RNG.integers(1_000_000)))
    return cv2.cvtColor(cv2.blur(seen, (7, 1)), cv2.COLOR_BGR2GRAY)


def shot(wide, x):
    """The card at `x` of a picture, under uneven light."""
    left = 800 - round(x)
    return (wide[:, left : left + 640] * np.linspace(0.85, 1, 640)).astype(np.uint8)


def slid(cards):
    """Each card from the left edge to the right one, a quarter of a second apart."""
    count, times = int(SECONDS * FPS), itertools.count()
    for card in cards:
        wide = strip(card.value, float(RNG.uniform(-3, 3)))
        shown = [shot(wide, -140 + 930 * n / count) for n in range(count + 1)]
        for seen in (*[EMPTY] * 8, *shown):
            yield Frame(next(times) * 1000 / FPS, seen)
    for _ in range(6):
        yield Frame(next(times) * 1000 / FPS, EMPTY)


def test_cards_slid_past_a_calibrated_webcam_are_read_once_each_and_none_wrong(reader):
    """All courts, whose middles are dark, and one of each other rank; one passage per card."""
    lying = shot(strip("7h", 1.0), 318)
    marks = find_corners(lying)
    lip = replace(by_corners(lying, marks, SHIPPED).lip, whole=True)
    cards = [card for card in PACK if card.rank > 10] + list(PACK[:10])
    sight = Sight(manifest=None, lip=lip, witnesses=[sliding(reader, lip, marks)])

    seen = [one for _, one in Reader(slid(cards), sight).passages()]

    assert len(seen) == len(cards)
    assert [
        one for one, card in zip(seen, cards, strict=True) if one.card not in (None, card)
    ] == []
    assert sum(one.card is not None for one in seen) >= len(cards) - 2


def test_the_corners_of_a_card_in_a_webcams_picture_are_found():
    """Nearly, so that the card's index is where it is looked for."""
    found = np.array(sorted(find_corners(shot(strip("7h", 1.0), 318))))
    true = np.array(sorted(corners(At("7h", 318, 238, WIDTH, 1.0)).tolist()))

    assert np.abs(found - true).max() < 4  # the smear is three of them

"""Draws random cards that are none of ours: backs, jokers, foreign indices, German packs."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from table_controller.rules.cards import RANKS, SUITS
from tests.vision.decks import deck, glyphs
from workshop.training import signs

Image = NDArray[Any]
#: Letters unlike any rank of ours. Even with a suit sign they are no card.
NO_RANKS = "CFGHLMNOPUWXY&%?@+ПЖШЛИЯФЦ"
#: Letters and larger numbers that look like a queen or a ten if little of them is seen.
ALIKE = (*"OOGCMMNHW", "11", "11", "14")
#: The letters of a German pack's Ober, Unter and others.
GERMAN_RANKS = "OOUUGZ"
NO_SUITS = "★☂♫☀✚●■▲"
#: Ranks of larger packs, which training also labels as none.
NO_NUMBERS = ("11", "12", "13", "14", "20", "21")


def back(style: deck.Style, rng: np.random.Generator) -> Image:
    """Draw a card's back: a small pattern repeated within a white border, or up to the edge."""
    card = deck.blank(style)
    ink = [(150, 40, 30), (40, 30, 170), (40, 40, 40), (60, 120, 30)][rng.integers(4)]
    size = int(rng.integers(8, 40))
    tile = np.full((size, size, 3), style.paper, np.uint8)
    for _ in range(rng.integers(1, 4)):
        a, b = rng.integers(0, size, 2), rng.integers(0, size, 2)
        cv2.line(tile, a.tolist(), b.tolist(), ink, int(rng.integers(1, 4)), cv2.LINE_AA)
        cv2.circle(
            tile,
            b.tolist(),
            int(rng.integers(2, size // 2)),
            ink,
            int(rng.choice([-1, 1, 2])),
            cv2.LINE_AA,
        )
    rows, columns = deck.HEIGHT * deck.PX // size + 1, deck.WIDTH * deck.PX // size + 1
    whole = np.tile(tile, (rows, columns, 1))[: deck.HEIGHT * deck.PX, : deck.WIDTH * deck.PX]
    edge = 0 if rng.random() < 0.3 else int(rng.integers(8, 24))
    card[edge : deck.HEIGHT * deck.PX - edge, edge : deck.WIDTH * deck.PX - edge] = whole[
        edge : deck.HEIGHT * deck.PX - edge, edge : deck.WIDTH * deck.PX - edge
    ]
    return card


def joker(style: deck.Style, rng: np.random.Generator) -> Image:
    """Draw a card without a rank. Its corners show a word, such as JOKER or RULES, or a star."""
    card = deck.blank(style)
    ink = style.colours["s" if rng.random() < 0.5 else "h"]
    word = ["JOKER", "Joker", "*", "MASTER", "RULES", "J*K"][rng.integers(6)]
    size = rng.uniform(3, 7)
    for n, letter in enumerate(word):
        mask = glyphs.text(style.font, letter)
        box = (style.margin[0], style.margin[1] + n * size * 1.15, size * 0.8, size)
        for place, upside_down in deck.ends(box):
            deck.stamp(card, mask, place, ink, turned=upside_down)
    card[100:250, 70:180] = cv2.resize(deck.pattern(rng), (110, 150))
    return card


def foreign(
    style: deck.Style,
    rng: np.random.Generator,
    *,
    own: float = 0.0,
    aces: float = 0.0,
    alike: float = 0.0,
) -> Image:
    """Draw a card like ours without our index: a foreign letter, a foreign suit, or half an index.

    `own` is the share of foreign marks that are signs of our own drawing or larger numbers. `aces`
    is the share of cards that are made red aces. Since an ace has no other pips, its foreign suit
    is easily read as a diamond. `alike` is the share of foreign letters and numbers that look like
    ours.
    """
    card = deck.blank(style)
    rank, suit = RANKS[rng.integers(13)], SUITS[rng.integers(4)]
    if aces and rng.random() < aces:
        rank, suit = "A", "dh"[rng.integers(2)]
    marks = [deck.rank_mask(style, rank), deck.suit_mask(style, suit)]
    luck = rng.integers(4)
    if own and luck > 1 and rng.random() < 0.6:
        luck -= 2  # foreign marks are harder to reject than missing ones
    if luck == 0:
        marks[0] = glyphs.text(style.font, _no_rank(style, rng, own, alike))
    elif luck == 1:
        marks[1] = _no_suit(rng, own)
    else:
        marks[luck - 2] = np.zeros((4, 4), np.uint8)
    for mask, box in zip(marks, deck.index(style, rank), strict=True):
        for place, upside_down in deck.ends(box):
            deck.stamp(card, mask, place, style.colours[suit], turned=upside_down)
    if rng.random() < 0.4:
        x, y = deck.WIDTH / 2, deck.HEIGHT / 2
        for row in (-20, 0, 20):
            deck.stamp(card, marks[1], (x - 5, y + row - 5, 10, 10), style.colours[suit])
    return card


def _no_rank(style: deck.Style, rng: np.random.Generator, own: float, alike: float) -> str:
    if alike and rng.random() < alike:
        return str(rng.choice(ALIKE))
    if own and rng.random() < own:
        return str(rng.choice(NO_NUMBERS))
    return str(rng.choice([letter for letter in NO_RANKS if glyphs.draws(style.font, letter)]))


def _no_suit(rng: np.random.Generator, own: float) -> Image:
    if own and rng.random() < own:
        return signs.foreign(rng)
    sign = NO_SUITS[rng.integers(len(NO_SUITS))]
    face = next(path for path in glyphs.suit_fonts() if path.name == "DejaVuSans.ttf")
    return glyphs.text(face, sign)


def german(style: deck.Style, rng: np.random.Generator, court: Image) -> Image:
    """Draw a card of a German pack: leaves, acorns or bells, or an O or U with a suit of ours."""
    rank, suit = RANKS[rng.integers(13)], SUITS[rng.integers(4)]
    letter, ink = deck.rank_mask(style, rank), style.colours[suit]
    own = rng.random() < 0.35
    if own or rng.random() < 0.3:
        rank = "JQK"[rng.integers(3)]
        letter = glyphs.text(style.font, str(rng.choice(list(GERMAN_RANKS))))
    if own:
        marks = (letter, ink), (deck.suit_mask(style, suit), ink)
    else:  # not in black ink: a black leaf can hardly be told from a spade, and teaches doubt
        blue, green, red = rng.integers((0, 70, 0), (70, 160, 70)).tolist()
        sign = signs.german(rng), (blue, green, red)
        marks = (letter, style.colours["s"] if rng.random() < 0.6 else sign[1]), sign
    middle = court if rank in "JQK" and rng.random() < 0.7 else None
    return deck.face(style, rank, suit, rng, middle, marks=marks)

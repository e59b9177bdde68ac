"""Random pictures without a card to read: cloth, wood, print, codes, hands, dice."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.vision.decks import glyphs

Image = NDArray[Any]
Size = tuple[int, int]  # height, width
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghiklmnopqrstuvwxyz0123456789"


def ground(rng: np.random.Generator, size: Size) -> Image:
    """Draw a background for cards: plain, cloth, wood, or busy."""
    kinds = [_plain, _cloth, _wood, patches]
    return kinds[rng.choice(4, p=[0.25, 0.35, 0.2, 0.2])](rng, size)


def anything(rng: np.random.Generator, size: Size) -> Image:
    """Draw a picture without a card: a background, a page, a headline, a code, a hand, or dice."""
    kinds = [ground, page, code, hand, dice, headline]
    return kinds[rng.choice(6, p=[0.2, 0.25, 0.15, 0.12, 0.08, 0.2])](rng, size)


def _ink(rng: np.random.Generator) -> list[int]:
    return [int(value) for value in rng.integers(0, 256, 3)]


def _plain(rng: np.random.Generator, size: Size) -> Image:
    return np.full((*size, 3), _ink(rng), np.uint8)


def _cloth(rng: np.random.Generator, size: Size) -> Image:
    base = _plain(rng, size).astype(np.float32)
    for grain in (1, 2, 5, 20):
        coarse = rng.normal(0, rng.uniform(2, 14), (size[0] // grain + 2, size[1] // grain + 2))
        base += cv2.resize(coarse.astype(np.float32), size[::-1], interpolation=cv2.INTER_CUBIC)[
            ..., None
        ]
    return np.clip(base, 0, 255).astype(np.uint8)


def _wood(rng: np.random.Generator, size: Size) -> Image:
    coarse = rng.normal(0, rng.uniform(8, 30), (size[0] // 2 + 2, max(size[1] // 60, 2)))
    grain = cv2.resize(coarse.astype(np.float32), size[::-1], interpolation=cv2.INTER_CUBIC)
    if rng.random() < 0.5:
        grain = cv2.resize(np.ascontiguousarray(grain.T), size[::-1])
    brown = np.array([rng.uniform(20, 120), rng.uniform(50, 150), rng.uniform(80, 200)])
    return np.clip(brown + grain[..., None], 0, 255).astype(np.uint8)


def patches(rng: np.random.Generator, size: Size) -> Image:
    """Draw a background of many colours: overlapping polygons of three to five sides."""
    image = _plain(rng, size)
    reach = max(size)
    for _ in range(rng.integers(3, 25)):
        points = rng.integers(-20, reach, (rng.integers(3, 6), 1, 2)).astype(np.int32)
        cv2.fillPoly(image, [points], _ink(rng), cv2.LINE_AA)
    return image


def _paper(rng: np.random.Generator, size: Size) -> tuple[Image, list[int]]:
    if rng.random() < 0.8:
        white = int(rng.integers(190, 256))
        return np.full((*size, 3), white, np.uint8), [
            int(value) for value in rng.integers(0, 90, 3)
        ]
    return _plain(rng, size), _ink(rng)


def _write(
    image: Image, words: str, box: tuple[int, int, int, int], ink: list[int], font_at: int
) -> None:
    x, y, wide, high = box
    mask = glyphs.text(glyphs.fonts()[font_at], words, min(160, 3 * high))
    mask = cv2.resize(mask, (max(wide, 2), max(high, 2)), interpolation=cv2.INTER_AREA)
    part = image[max(y, 0) : y + high, max(x, 0) : x + wide]
    cut = mask[max(-y, 0) :, max(-x, 0) :][: part.shape[0], : part.shape[1], None].astype(np.uint16)
    part = part[: cut.shape[0], : cut.shape[1]]
    part[:] = (part * (255 - cut) + np.array(ink, np.uint16) * cut) // 255


def page(rng: np.random.Generator, size: Size) -> Image:
    """Draw print: lines of words in one font."""
    image, ink = _paper(rng, size)
    font, high = int(rng.integers(len(glyphs.fonts()))), int(rng.integers(5, 40))
    for y in range(int(rng.integers(0, high)), size[0], int(high * rng.uniform(1.2, 2))):
        x = int(rng.integers(-20, 20))
        while x < size[1]:
            word = "".join(rng.choice(list(LETTERS), rng.integers(1, 9)))
            wide = int(len(word) * high * 0.6)
            _write(image, word, (x, y, wide, high), ink, font)
            x += wide + high // 2
    return image


def headline(rng: np.random.Generator, size: Size) -> Image:
    """Draw large letters, figures or suit signs, as on a street sign or a book cover."""
    image, ink = _paper(rng, size)
    font = int(rng.integers(len(glyphs.fonts())))
    for _ in range(rng.integers(1, 5)):
        high = int(rng.uniform(0.08, 0.5) * size[0])
        x, y = int(rng.integers(-10, size[1])), int(rng.integers(-10, size[0]))
        if rng.random() < 0.25:
            sign = glyphs.drawn_suit("cdhs"[rng.integers(4)], *rng.random(2))
            sign = cv2.resize(sign, (high, high))
            cut = image[max(y, 0) : y + high, max(x, 0) : x + high]
            sign = sign[max(-y, 0) :, max(-x, 0) :][: cut.shape[0], : cut.shape[1]]
            cut[sign > 128] = ink
        else:
            word = "".join(rng.choice(list(LETTERS), rng.integers(1, 3)))
            _write(image, word, (x, y, int(high * 0.6 * len(word)), high), ink, font)
    return image


def code(rng: np.random.Generator, size: Size) -> Image:
    """Draw machine codes: squares or bars."""
    image, _ = _paper(rng, size)
    high, wide = (int(side * rng.uniform(0.4, 1)) for side in size)
    modules = int(rng.integers(15, 60))
    bits = (
        rng.integers(0, 2, (1 if rng.random() < 0.4 else modules, modules)).astype(np.uint8) * 255
    )
    y, x = int(rng.integers(0, size[0] - high + 1)), int(rng.integers(0, size[1] - wide + 1))
    image[y : y + high, x : x + wide] = cv2.resize(
        bits, (wide, high), interpolation=cv2.INTER_NEAREST
    )[..., None]
    return image


def hand(rng: np.random.Generator, size: Size) -> Image:
    """Draw skin-coloured fingers over a background."""
    image = ground(rng, size)
    skin = np.array([rng.uniform(60, 170), rng.uniform(90, 190), rng.uniform(140, 235)])
    x, y, thick = rng.uniform(0, size[1]), float(size[0]), int(rng.uniform(0.08, 0.22) * size[1])
    for _ in range(rng.integers(2, 6)):
        tip = (int(x + rng.normal(0, 0.2 * size[1])), int(rng.uniform(0, size[0] * 0.7)))
        shade = (skin * rng.uniform(0.85, 1.05)).tolist()
        cv2.line(image, (int(x), int(y)), tip, shade, max(thick, 3), cv2.LINE_AA)
        if rng.random() < 0.6:
            nail = (max(thick // 3, 1), max(thick // 4, 1))
            cv2.ellipse(
                image,
                tip,
                nail,
                float(rng.uniform(0, 180)),
                0,
                360,
                (skin * 1.1).tolist(),
                -1,
                cv2.LINE_AA,
            )
        x += thick * rng.uniform(0.9, 1.3)
    return cv2.GaussianBlur(image, (0, 0), rng.uniform(0.5, 2))


def dice(rng: np.random.Generator, size: Size) -> Image:
    """Draw dice, chips or dominoes: light shapes with round spots."""
    image = ground(rng, size)
    for _ in range(rng.integers(1, 6)):
        side = int(rng.uniform(0.15, 0.6) * min(size))
        x, y = int(rng.integers(-side // 2, size[1])), int(rng.integers(-side // 2, size[0]))
        light, dark = (
            [int(v) for v in rng.integers(180, 256, 3)],
            [int(v) for v in rng.integers(0, 120, 3)],
        )
        if rng.random() < 0.6:
            cv2.rectangle(image, (x, y), (x + side, y + side * int(rng.integers(1, 3))), light, -1)
        else:
            cv2.circle(image, (x + side // 2, y + side // 2), side // 2, light, -1, cv2.LINE_AA)
        for _ in range(rng.integers(1, 7)):
            spot = (
                x + int(rng.uniform(0.15, 0.85) * side),
                y + int(rng.uniform(0.15, 0.85) * side),
            )
            cv2.circle(image, spot, max(side // 12, 1), dark, -1, cv2.LINE_AA)
    return image

"""Measures how well drawn pictures are read: unseen decks, and pictures without cards.

Training never saw these decks. The thresholds of `read.py` are chosen by these pictures (`python -m
workshop.training.proof`), never by photos.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from table_controller.rules.cards import PACK, Card
from tests.vision.decks import clutter, deck, lens, scenes
from vision.faces import letters
from vision.faces.read import CornerReader, FaceReading, Looked
from vision.faces.recognise import Recognised, recognise
from workshop.training import art, crops, strange

Image = NDArray[Any]


class Exposure(NamedTuple):
    """One card in front of the camera: which card it is, and the nets' answers for its crops."""

    card: Card
    looked: Looked


def picture(
    shown: crops.Shown, rng: np.random.Generator, *, webcam: bool = False, least: float = 1.3
) -> tuple[Image, Image]:
    """A camera's picture of the card, and the card's four corners as a finder would give them.

    The picture has at least `least` pixels per millimetre of the card. `webcam` means a poor
    webcam.
    """
    expose = lens.webcam if webcam else lens.develop
    scale = max(float(np.exp(rng.uniform(np.log(least), np.log(4.5)))), 8 / shown.letter)
    seen = lens.view(rng, (deck.WIDTH, deck.HEIGHT), scale)
    seen = seen - seen.min(0) + 12
    size = np.ceil(seen.max(0) + 12).astype(int)
    shrink = min(1.0, scale / crops.PX)
    small = cv2.resize(shown.picture, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    source = ((crops.CARD + crops.MARGIN) * crops.PX * shrink).astype(np.float32)
    move = cv2.getPerspectiveTransform(source, seen.astype(np.float32))
    flat = cv2.warpPerspective(small, move, size.tolist(), borderMode=cv2.BORDER_REPLICATE)
    found = seen + rng.normal(0, 0.006, seen.shape) * np.linalg.norm(seen[0] - seen[2])
    return expose(rng, flat, letter=shown.letter * scale), found.astype(np.float32)


def exposures(
    count: int, seed: int, reader: CornerReader, *, webcam: bool = False
) -> Iterator[Exposure]:
    """Yield cards with held-out letters and artwork, as the reader sees them.

    `webcam` means that a poor webcam takes all pictures, and that the cards of our own drawing have
    large indices.
    """
    rng = np.random.default_rng(seed)
    kinds = deck.JUMBO if webcam else deck.KINDS
    own = max(count // 4, 1)
    pool = crops.Pool(rng, own=own, nothing=4, held_out=True, kinds=kinds, local=0.0)
    usual = [one for one in pool.art if one.label == crops.label(_bears(one.code), one.code[1])]
    shown = [*pool.own, *usual]
    for _ in range(count):
        one = shown[rng.integers(len(shown))]
        seen, found = picture(one, rng, webcam=webcam)
        yield Exposure(Card(one.code), reader.looked(seen, found))


def _bears(code: str) -> str:
    return letters.USUAL.glyph(code[0]) or ""


def readings(taken: Iterable[Exposure]) -> Iterator[tuple[Card, FaceReading]]:
    """Yield each card with its reading at the shipped thresholds."""
    for card, looked in taken:
        yield card, looked.read()


def tables(
    count: int, seed: int, reader: CornerReader
) -> Iterator[tuple[set[Card], list[Recognised]]]:
    """Yield tables with overlapping held-out cards: the cards on the table, and the readings."""
    rng = np.random.default_rng(seed)
    sheets = art.sheets(held_out=True)
    for _ in range(count):
        style = deck.style(rng, held_out=True)
        sheet = sheets[rng.integers(len(sheets))] if rng.random() < 0.4 else None
        names = rng.choice(list(sheet.faces if sheet else PACK), rng.integers(1, 6), replace=False)
        image = clutter.ground(rng, (720, 960))
        wide = rng.uniform(80, 190)
        for name in names.tolist():
            card = sheet.faces[name] if sheet else deck.face(style, name[0], name[1], rng)
            shape = lens.view(rng, (deck.WIDTH, deck.HEIGHT), wide / deck.WIDTH)
            at = shape + rng.uniform([120, 120], [840, 600])
            scenes.paste(image, card, at.astype(np.float32), rng)
        letter = (crops.ART_LETTER if sheet else style.rank_h) * wide / deck.WIDTH
        seen = recognise(lens.develop(rng, image, letter=letter), reader)
        yield {Card(name) for name in names.tolist()}, seen


def no_card(rng: np.random.Generator, size: tuple[int, int] = (480, 640)) -> Image:
    """Draw a picture without a card to read: felt, backs, jokers, hands, print, codes, or a mix."""
    image = clutter.anything(rng, size)
    for _ in range(int(rng.integers(1, 5))):
        style = deck.style(rng)
        card = (strange.back, strange.joker, strange.foreign)[rng.integers(3)](style, rng)
        wide = rng.uniform(60, 260)
        shape = lens.view(rng, (deck.WIDTH, deck.HEIGHT), wide / deck.WIDTH)
        at = (shape + rng.uniform([60, 60], [size[1] - 60, size[0] - 60])).astype(np.float32)
        scenes.paste(image, card, at, rng)
    return lens.develop(rng, image, letter=20)


def accepted(count: int, seed: int, reader: CornerReader) -> list[str]:
    """The cards named in `count` pictures without cards. Each name is a mistake."""
    rng = np.random.default_rng(seed)
    return [
        f"picture {n}: {one.card} ({one.confidence:.3f})"
        for n in range(count)
        for one in recognise(no_card(rng), reader)
        if one.card is not None
    ]


def table(taken: list[Exposure]) -> Iterator[str]:
    """Yield lines: how many held-out cards are read, and how many wrongly, for each threshold.

    The threshold is how sure two agreeing crops must be.
    """
    yield "| two crops | answered | wrong |"
    yield "|---|---|---|"
    for agree in (0.9, 0.93, 0.95, 0.97, 0.98):
        judged = [(card, looked.read(agree=agree).card) for card, looked in taken]
        said = [(card, answer) for card, answer in judged if answer is not None]
        wrong = sum(card != answer for card, answer in said)
        yield f"| {agree} | {len(said)} ({100 * len(said) / len(taken):.1f} %) | {wrong} |"


def main() -> None:
    """Print the table from which the thresholds in `read.py` were taken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cards", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=77)
    parser.add_argument("--webcam", action="store_true", help="large indices, poor webcams")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    taken = list(exposures(given.cards, given.seed, CornerReader(), webcam=given.webcam))
    sys.stdout.write("\n".join(table(taken)) + "\n")


if __name__ == "__main__":
    main()

"""Packs to measure with: with the houses' letters, and of each kind that training never saw.

A pack's letters and artwork were held out of training. The net's raw output for each card is kept,
so that the same picture can be read with every alphabet.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from table_controller.rules.cards import PACK, RANKS, Card
from tests.vision.decks import clutter, deck, lens, scenes
from vision.faces.find import find
from vision.faces.letters import HOUSES, LETTERED, USUAL, Alphabet
from vision.faces.read import CornerReader, Looked
from vision.faces.recognise import recognise
from workshop.training import art, crops, proof, strange

Image = NDArray[Any]
Rng = np.random.Generator
POKERTH = Path("/usr/share/games/pokerth/gfx/cards")
#: The place of the public-domain vector deck (MODEL.md), if it is installed: ace_of_clubs.svg …
VECTOR = os.environ.get("SCHLITTEN_VECTOR")
#: Outlines that overlap by at least this share are of one card.
NEARLY = 0.8
#: The least pixels per millimetre. A lip's camera for faces has about four (hardware/BUILD.md).
NEAR = 3.0
#: Artwork that shows a house's letters.
ARTWORK = ("ancient_french", "berlin", "slavic_costumes")


class Pack(NamedTuple):
    """One deck: its kind, its source, its letters, and how to draw each of its cards."""

    kind: str
    source: str
    alphabet: Alphabet
    draw: Callable[[str], crops.Shown]
    codes: tuple[str, ...] = PACK


class Shot(NamedTuple):
    """One card in front of the camera: which card it is, and the nets' output for its crops."""

    card: Card
    looked: Looked

    def said(self, alphabet: Alphabet) -> str:
        """The result of reading by the letters of `alphabet`: "right", "wrong" or "unread"."""
        card = self.looked.read(alphabet).card
        return "unread" if card is None else "right" if card == self.card else "wrong"


def shots(pack: Pack, count: int, reader: CornerReader, rng: Rng) -> Iterator[Shot]:
    """Show random cards of a pack to the camera, in the light and blur of `proof`.

    Half of the cards have letters, the others figures.
    """
    lettered = [code for code in pack.codes if code[0] in LETTERED]
    figures = [code for code in pack.codes if code[0] not in LETTERED]
    for n in range(count):
        of = lettered if n % 2 or not figures else figures
        code = of[rng.integers(len(of))]
        picture, found = proof.picture(pack.draw(code), rng, least=NEAR)
        yield Shot(Card(code), reader.looked(picture, found))


def drawn(rng: Rng, kind: str, alphabet: Alphabet = USUAL, **wanted: object) -> Pack:
    """Make a pack that we draw ourselves, in letters held out of training.

    Random styles are drawn until one has the `wanted` values. The pack has four colours if `kind`
    is "four colours", and otherwise at most two.
    """
    kinds = dict.fromkeys(("standard", "jumbo", "magnum", "peek"), 0.0)
    kinds[{"large index": "jumbo", "jumbo": "magnum"}.get(kind, "standard")] = 1.0
    while True:
        style = deck.style(rng, held_out=True, kinds=kinds, bearing=alphabet.letters)
        coloured = len(set(style.colours.values())) > 2
        if all(getattr(style, name) == value for name, value in wanted.items()) and (
            coloured is (kind == "four colours")
        ):
            break

    def draw(code: str) -> crops.Shown:
        return crops.drawn(style, deck.face(style, code[0], code[1], rng), code, rng)

    return Pack(kind, f"drawn, {style.font.stem}", alphabet, draw)


def printed(rng: Rng, kind: str, sheet: art.Sheet) -> Pack:
    """Make a pack of artwork."""
    draw = partial(crops.printed, sheet, rng=rng)
    return Pack(kind, sheet.name, sheet.letters, draw, tuple(sheet.faces))


def local(rng: Rng) -> list[Pack]:
    """Make twenty packs with the letters of the houses we build for, four of each alphabet."""
    sheets = {
        str(sheet.letters): sheet for sheet in art.sheets(held_out=True) if sheet.name in ARTWORK
    }
    packs = []
    for alphabet in HOUSES:
        packs += [drawn(rng, "local letters", alphabet) for _ in range(3)]
        if sheet := sheets.get(str(alphabet)):
            packs.append(printed(rng, "local letters", sheet))
        else:
            packs.append(drawn(rng, "local letters", alphabet))
    return packs


#: Pictures 48 pixels wide, coarser than any print.
COARSE = ("coarse pictures", "the same, four colours")
#: The kind of deck that each held-out artwork represents.
KINDS = {
    "ancient_french": "Paris pattern, 1 R D V",
    "bellot": "Paris pattern",
    "berlin": "German pattern",
    "slavic_costumes": "Russian letters",
    "standard": "a desktop's usual deck",
    "anglo_poker": "English pattern",
    "plastic": "modern courts",
    "tigullio": "Italian courts",
    "simplistic": "letters for courts",
}


def unseen(rng: Rng) -> list[Pack]:
    """Make packs of each kind that training never saw."""
    packs = [
        drawn(rng, "suit beside the rank", beside=True),
        drawn(rng, "suit beside the rank", beside=True),
        drawn(rng, "large index", beside=False),
        drawn(rng, "large index", beside=True),
        drawn(rng, "jumbo"),
        drawn(rng, "four colours"),
        drawn(rng, "four colours"),
    ]
    packs += [printed(rng, KINDS[sheet.name], sheet) for sheet in art.sheets(held_out=True)]
    packs += [printed(rng, kind, sheet) for kind, sheet in _pokerth()]
    if VECTOR:
        packs.append(printed(rng, "widespread vector deck", _vector(Path(VECTOR))))
    return packs


def _vector(folder: Path) -> art.Sheet:
    """Load the vector deck, which has large pips next to its indices.

    Raises CalledProcessError if the deck is incomplete.
    """
    names = ("ace", *map(str, range(2, 11)), "jack", "queen", "king")
    high = str(2 * deck.HEIGHT * deck.PX)
    faces = {
        rank + suit[0]: art.drawn_alone(["-h", high, str(folder / f"{name}_of_{suit}.svg")])
        for suit in ("clubs", "diamonds", "hearts", "spades")
        for rank, name in zip(RANKS, names, strict=True)
    }
    return art.Sheet("vector-playing-cards", faces, [])


def _pokerth() -> Iterator[tuple[str, art.Sheet]]:
    """Yield the decks of Wikimedia Commons' "Poker" set from pokerth-data, 48 pixels wide."""
    for folder, kind in zip(("default", "default4c"), COARSE, strict=True):
        faces = {}
        for n, code in enumerate(rank + suit for suit in "dhsc" for rank in "23456789TJQKA"):
            path = POKERTH / folder / f"{n}.png"
            if (image := cv2.imread(str(path), cv2.IMREAD_COLOR)) is None:
                return
            size = (deck.WIDTH * deck.PX, deck.HEIGHT * deck.PX)
            faces[code] = cv2.resize(image, size, interpolation=cv2.INTER_CUBIC)
        yield kind, art.Sheet(f"pokerth {folder}", faces, [])


def no_cards(count: int, rng: Rng, readers: dict[Alphabet, CornerReader]) -> Iterator[str]:
    """Yield the cards that a reader names in pictures without a card of ours. Every name is wrong.

    Two in five pictures contain cards of German suits that training never saw, or foreign signs of
    our own. The readers, one per alphabet, take turns.
    """
    strangers = art.strangers()
    for n in range(count):
        alphabet = list(readers)[n % len(readers)]
        picture = proof.no_card(rng) if n % 5 < 3 else _foreign(rng, strangers, alphabet)
        for one in recognise(picture, readers[alphabet]):
            if one.card is not None:
                yield f"picture {n}: {one.card} under {alphabet} ({one.confidence:.3f})"


def _foreign(rng: Rng, strangers: list[Image], alphabet: Alphabet) -> Image:
    """Draw one to three cards of foreign suits, or with foreign letters, on a table."""
    image = clutter.ground(rng, (480, 640))
    for _ in range(int(rng.integers(1, 4))):
        card = strangers[rng.integers(len(strangers))]
        if rng.random() < 0.6:
            style = deck.style(rng, held_out=True, bearing=alphabet.letters)
            card = strange.foreign(style, rng, own=0.7)
        shape = lens.view(rng, (deck.WIDTH, deck.HEIGHT), rng.uniform(90, 260) / deck.WIDTH)
        at = shape + rng.uniform([120, 120], [520, 360])
        scenes.paste(image, card, at.astype(np.float32), rng)
    return lens.develop(rng, image, letter=20)


def courts_found(count: int, rng: Rng) -> int:
    """Return in how many pictures the one court card, of Paris artwork, is found by its outline.

    `count` is the number of pictures.
    """
    sheets = [sheet for sheet in art.sheets(held_out=True) if "Paris" in KINDS[sheet.name]]
    found = 0
    for n in range(count):
        sheet = sheets[n % len(sheets)]
        card = sheet.faces["JQK"[rng.integers(3)] + "cdhs"[rng.integers(4)]]
        image = clutter.ground(rng, (480, 640))
        wide = rng.uniform(90, 240)
        shape = lens.view(rng, (deck.WIDTH, deck.HEIGHT), wide / deck.WIDTH)
        at = (shape - (shape.min(0) + shape.max(0)) / 2 + [320, 240]).astype(np.float32)
        scenes.paste(image, card, at, rng)
        seen = lens.develop(rng, image, letter=crops.ART_LETTER * wide / deck.WIDTH)
        found += any(_covers(quad.corners, at) for quad in find(seen))
    return found


def _covers(quad: Image, truth: Image) -> bool:
    """Whether the two outlines share most of their area."""
    shared, _ = cv2.intersectConvexConvex(quad, truth)
    both = cv2.contourArea(quad) + cv2.contourArea(truth) - shared
    return bool(shared / both >= NEARLY)

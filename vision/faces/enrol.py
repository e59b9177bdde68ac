"""Enrols a house's own deck: fits the net's last layer to images of known cards, and scores it.

Enrolling teaches the net that reads cards how the deck looks. Every second image of a card is held
back for scoring. The module knows images and files, but no table.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np

from table_controller.rules.cards import PACK, Card
from vision.faces import rectify
from vision.faces.enrolled import Array, Deck, DeckError, Taught, digest, fit
from vision.faces.find import find
from vision.faces.letters import GLYPHS, LETTERED, USUAL, Alphabet
from vision.faces.quads import Image, Points
from vision.faces.read import (
    ALONE,
    ALONE_ENROLLED,
    DISSENT,
    NET,
    READ_FIRST,
    CornerReader,
    FaceReading,
    Looked,
    corner,
)
from vision.faces.recognise import CARD_LIKE, SUFFIXES, pictures

#: The fewest images of each card: one to learn from, and one to measure by.
LEAST = 2
#: The corners in which every deck has its indices. Only some decks also have them in the others.
_INDEXED = (0, 2)


class NoCard(ValueError):
    """An image in which no card is found. The text names the image and the remedy."""


class Look(NamedTuple):
    """One look at a card: the net's features of each visible corner, by the corner's place.

    The corners are in the order of reading. `whole` is the output of the net that sees whole cards,
    which enrolling does not change.
    """

    file: Path
    card: Card
    corners: dict[int, Array]
    whole: Sequence[Array] = ()


class Score(NamedTuple):
    """The numbers of looks that were read right, not at all, or wrong."""

    right: int
    unread: int
    wrong: int


class Enrolment(NamedTuple):
    """An enrolled deck, the scores before and after enrolling, and the objections to the deck.

    `taught` is the number of looks from which the net learnt. `before` and `after` are the scores
    of the held-back looks without the deck and with it. `misread` lists the files of all looks that
    are read wrongly with the deck. `bears` gives, for each of ace, king, queen and jack, the letter
    that the shipped net sees on it most often.
    """

    deck: Deck
    taught: int
    before: Score
    after: Score
    misread: list[Path]
    bears: dict[str, str]

    @property
    def strange(self) -> Alphabet | None:
        """The letters that the images seem to show, if they differ from those that the user gave.

        The result is None if they are the same, or if the net does not know one of the given
        letters.
        """
        said = self.deck.alphabet.enrolled()
        seen = tuple(self.bears.get(rank, said.glyph(rank) or "") for rank in LETTERED)
        known = all(self.deck.alphabet.glyph(rank) for rank in LETTERED)
        return Alphabet(seen) if known and seen != said.letters else None

    @property
    def pays(self) -> bool:
        """Whether the deck may be used: as many cards are read as before, and none wrongly."""
        return self.after.right >= self.before.right and not self.misread


def files(folder: Path) -> list[tuple[Path, Card]]:
    """The images in a folder, each with its card. Raises DeckError.

    An image's name begins with its card (`7h-1.png`), or its folder is named after the card
    (`7h/1.png`).
    """
    if not folder.is_dir():
        raise DeckError(f"{folder} is no folder: name the folder of the cards' pictures")
    found = []
    for path in sorted(folder.iterdir()):
        code = path.name if path.is_dir() else path.stem.partition("-")[0]
        if path.is_dir() or path.suffix.lower() in SUFFIXES:
            if code not in PACK:
                raise DeckError(
                    f"{path}: {code!r} is no card: call its pictures as 7h-1.png (A 2 … 9 T J Q K, "
                    "then c d h s), or a folder of them 7h"
                )
            found += [(picture, Card(code)) for picture in pictures([path])]
    return found


def looks(file: Path, card: Card, picture: Image, reader: CornerReader) -> Iterator[Look]:
    """Yield looks at the card in an image. Raises NoCard.

    The card is the largest outline that has a card's shape. The first look is at the image as it
    is. If the image has colours, a second look is at the image in grey, since a lip's camera sees
    no colours.
    """
    outlines = [
        quad
        for quad in find(picture)
        if quad.spot is None and quad.card_shaped and quad.fit > CARD_LIKE
    ]
    if not outlines:
        raise NoCard(f"{file}: no whole card is found. Lay it flat on a plain dark ground.")
    largest = max(outlines, key=lambda quad: float(np.prod(np.ptp(quad.corners, axis=0))))
    grey = np.asarray(cv2.cvtColor(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR))
    for shown in (picture,) if np.array_equal(picture, grey) else (picture, grey):
        ways = [looked(file, card, shown, way, reader) for way in rectify.upright(largest.corners)]
        standing, lying = (
            _votes(reader.shipped, card, way.corners, _INDEXED, reader.alphabet) for way in ways
        )
        yield ways[lying > standing]


def looked(file: Path, card: Card, picture: Image, corners: Points, reader: CornerReader) -> Look:
    """Look at the card with these corners in the image, clockwise from its top left corner."""
    four = zip(READ_FIRST, rectify.crops(picture, corners, READ_FIRST), strict=True)
    rows = {place: reader.features(crop) for place, crop in four if crop is not None}
    return Look(file, card, rows, reader.whole(picture, corners))


def _votes(
    heads: Array,
    card: Card,
    corners: dict[int, Array],
    places: Iterable[int],
    alphabet: Alphabet,
) -> int:
    """Count the corners at `places` that the net already reads as `card` or as a foreign letter."""
    said = [corner(heads @ corners[place], alphabet) for place in places if place in corners]
    named = sum(one.card == card and one.sure >= DISSENT for one in said)
    return named + sum(card[0] in LETTERED and one.strange >= DISSENT for one in said)


def answer(
    heads: Array,
    look: Look,
    alphabet: Alphabet = USUAL,
    alone: float = ALONE_ENROLLED,
) -> FaceReading:
    """Return the reading that the last layer `heads` gives for a look.

    `alone` is how sure the net must be of a crop that no other crop confirms.
    """
    given = [heads @ row for row in look.corners.values()]
    return Looked(given, look.whole).read(alphabet, alone=alone)


def missing(looks: Sequence[Look]) -> list[Card]:
    """Return those of the 52 cards that have fewer than `LEAST` images."""
    shown = _files(looks)
    return [card for code in PACK if len(shown[card := Card(code)]) < LEAST]


def _files(looks: Sequence[Look]) -> dict[Card, list[Path]]:
    """The image files of each card."""
    by_card = defaultdict[Card, dict[Path, None]](dict)
    for one in looks:
        by_card[one.card][one.file] = None
    return defaultdict(list, {card: list(files) for card, files in by_card.items()})


def enrol(name: str, looks: Sequence[Look], reader: CornerReader) -> Enrolment:
    """Fit the last layer to half of the images, then read the other half with it. Raises DeckError.

    `name` is the deck's name.
    """
    if lacking := missing(looks):
        raise DeckError(
            f"too few pictures (want {LEAST} of each card, better 6) of {' '.join(lacking)}: "
            "take pictures of these too"
        )
    kept = {file for files in _files(looks).values() for file in files[1::2]}
    taught = [one for one in looks if one.file not in kept]
    aside = [one for one in looks if one.file in kept]
    shipped = reader.shipped
    alphabet = reader.alphabet
    learnt = alphabet.enrolled()
    heads = fit(shipped, seen(shipped, taught, alphabet), alphabet)
    wrong = (one.file for one in looks if _wrong(one, answer(heads, one, learnt)))
    return Enrolment(
        Deck(name, digest(NET), heads, alphabet),
        len(taught),
        score(shipped, aside, alphabet, ALONE),
        score(heads, aside, learnt),
        [*dict.fromkeys(wrong)],
        borne(shipped, looks),
    )


def borne(heads: Array, looks: Sequence[Look]) -> dict[str, str]:
    """Return, for ace, king, queen and jack, the letter that the net reads on each most often.

    A rank is left out if the net most often reads no letter in the corners of its cards.
    """
    told = {}
    for rank in LETTERED:
        shown = [one for one in looks if one.card[0] == rank]
        rows = [one.corners[place] for one in shown for place in _INDEXED if place in one.corners]
        best = Counter(int((heads @ row)[: len(GLYPHS) + 1].argmax()) for row in rows).most_common(
            1
        )
        if best and best[0][0] < len(GLYPHS):
            told[rank] = GLYPHS[best[0][0]]
    return told


def seen(heads: Array, looks: Sequence[Look], alphabet: Alphabet = USUAL) -> list[Taught]:
    """Return the corners to learn from. Each is marked as having an index or not.

    Every deck has indices in two corners. A deck counts as one with four indices if the net often
    reads the other two corners as the right card, too.
    """
    usual, other = (
        sum(_votes(heads, one.card, one.corners, places, alphabet) for one in looks)
        for places in (_INDEXED, (1, 3))
    )
    indexed = range(4) if other > usual / 2 else _INDEXED
    return [
        Taught(
            one.card, np.stack(list(one.corners.values())), [at in indexed for at in one.corners]
        )
        for one in looks
        if one.corners
    ]


def score(
    heads: Array, looks: Sequence[Look], alphabet: Alphabet, alone: float = ALONE_ENROLLED
) -> Score:
    """Count how many of these looks a last layer reads right, not at all, and wrong."""
    answers = [(one, answer(heads, one, alphabet, alone)) for one in looks]
    right = sum(reading.card == one.card for one, reading in answers)
    wrong = sum(_wrong(one, reading) for one, reading in answers)
    return Score(right, len(answers) - right - wrong, wrong)


def _wrong(one: Look, reading: FaceReading) -> bool:
    return reading.card is not None and reading.card != one.card

"""Reads rank and suit of one card from crops of its corners and of the whole card.

For each crop the nets say how sure they are of each rank, of each suit, and of none. A card is
named only if two crops agree beyond doubt (or a single crop is even surer) and none contradicts. So
it never guesses. The module knows no file and no table.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from table_controller.rules.cards import SUITS, Card
from vision.faces import rectify, window
from vision.faces.enrolled import Deck
from vision.faces.letters import GLYPHS, USUAL, Alphabet
from vision.faces.quads import Image, Points, Quad

NET = Path(__file__).with_name("corner.onnx")
WHOLE = Path(__file__).with_name("whole.onnx")
#: Two crops must together be this sure. It was measured on drawn decks that training never saw
#: (MODEL.md).
AGREE = 0.97
#: The same if only one side of the card is visible, as such an outline does not prove a card.
PARTLY = 0.985
#: A corner that no other crop confirms must be this sure. It was measured in the same way.
ALONE = 0.999
#: An enrolled layer has learnt little about things that are no card. With it, no corner may answer
#: alone.
ALONE_ENROLLED = math.inf
#: If two corners are sure of nothing to this degree, the others are not looked at.
LEGIBLE = 0.05
#: A crop this sure of another card or letter prevents the answer. A lone corner is stopped by less.
DISSENT, WHISPER = 0.5, 0.2
#: The crop of the whole card must be this sure of the same card, as an index on blank paper is no
#: card.
CONSENT = 0.05
#: The order in which corners are read: first those where every deck has its indices, then the
#: others.
READ_FIRST = (0, 2, 1, 3)


class Reason(StrEnum):
    """The reason why a card has no name."""

    NO_INDEX = "no index is legible"
    UNSURE = "an index is legible, but not beyond doubt"
    DISAGREE = "two looks at it name different cards"
    STRANGE = "an index bears a letter that this deck does not have"


@dataclass(frozen=True, slots=True)
class Corner:
    """The net's answer for one crop: the likeliest card, and how sure the net is of it.

    `letter` is the likeliest letter that the deck does not have. `strange` is how sure the net is
    of it.
    """

    card: Card = field(repr=False)  # it may be a closed card
    sure: float
    letter: str = field(default="", repr=False)
    strange: float = 0.0


@dataclass(frozen=True, slots=True)
class FaceReading:
    """A card, or None with the reason. `confidence` (0 to 1) is that of the likeliest card.

    `likeliest` is for measuring how well we read; no deal may depend on it. `letter` is a letter
    that the deck does not have, if that is the reason. It is for setting up a deck, never for a
    live card.
    """

    card: Card | None = field(repr=False)
    reason: Reason | None
    confidence: float
    votes: int = 0  # crops that named the likeliest card
    likeliest: Card | None = field(default=None, repr=False)
    letter: str | None = field(default=None, repr=False)


class Looked(NamedTuple):
    """The last layers' output for a card's corners, in reading order, and for the whole card.

    `whole` is empty if part of the card is outside the image.
    """

    corners: Sequence[NDArray[Any]]
    whole: Sequence[NDArray[Any]] = ()

    def read(
        self, alphabet: Alphabet = USUAL, *, agree: float = AGREE, alone: float = ALONE
    ) -> FaceReading:
        """The reading by the letters of a deck."""
        seen = (corner(one, alphabet) for one in self.corners)
        return in_turn(seen, lambda: _of_all(self.whole, alphabet), agree=agree, alone=alone)


class CornerReader:
    """The nets, loaded once. A `deck` brings its own last layer for corners, and its own letters.

    One reader serves one thread.
    """

    def __init__(
        self,
        net: Path = NET,
        deck: Deck | None = None,
        alphabet: Alphabet = USUAL,
        whole: Path = WHOLE,
    ) -> None:
        self.alphabet = deck.alphabet.enrolled() if deck else alphabet
        self._net, self._whole = _loaded(net), _loaded(whole)
        names = self._net.getLayerNames()
        last = next(n for n, name in enumerate(names) if self._net.getLayer(name).type == "Gemm")
        self._body, self._last = names[last - 1 : last + 1]
        self._heads = deck and deck.heads
        self._alone = ALONE_ENROLLED if deck else ALONE

    @property
    def shipped(self) -> NDArray[Any]:
        """The net's own last layer, weights and bias, as `enrolled.SHAPE`."""
        weight, bias = self._net.getLayer(self._last).blobs[:2]
        return np.column_stack([weight.reshape(bias.size, -1), bias.ravel()])

    def features(self, crop: Image) -> NDArray[Any]:
        """The input of the last layer: 320 features and a 1."""
        self._look(crop)
        return np.append(self._net.forward(self._body)[0], 1)

    def corners(self, crops: Iterable[Image]) -> Iterator[Corner]:
        """The net's answer for each crop. A crop is evaluated only when it is asked for."""
        return (corner(self.logits(crop), self.alphabet) for crop in crops)

    def logits(self, crop: Image) -> NDArray[Any]:
        """The last layer's output for one corner."""
        if self._heads is not None:
            return np.asarray(self._heads @ self.features(crop))
        self._look(crop)
        return np.asarray(self._net.forward()[0])

    def whole(self, picture: Image, corners: Points) -> list[NDArray[Any]]:
        """The same for the whole card, by another net; empty if the card leaves the image."""
        crop = rectify.whole(picture, corners)
        if crop is None:
            return []
        self._whole.setInput(_blob(crop))
        return [np.asarray(self._whole.forward()[0])]

    def looked(self, picture: Image, corners: Points) -> Looked:
        """The output for everything visible: the corners within the image, and the whole card."""
        four = rectify.crops(picture, corners, READ_FIRST)
        seen = [self.logits(crop) for crop in four if crop is not None]
        return Looked(seen, self.whole(picture, corners))

    def _look(self, crop: Image) -> None:
        self._net.setInput(_blob(crop))

    def read(self, picture: Image, quad: Quad) -> FaceReading:
        """Read the card within this outline. If that fails upright, try it on its side."""
        standing, lying = rectify.upright(quad.corners)
        best = self._read(picture, standing, quad.spot)
        if best.card is None and quad.spot is None:
            other = self._read(picture, lying, None)
            best = max(best, other, key=_rank)
        if best.votes == 1 and best.card is not None and not quad.card_shaped:
            return replace(best, card=None, reason=Reason.UNSURE)  # it may be two cards
        return best

    def _read(
        self, picture: Image, corners: Points, spot: tuple[float, float] | None
    ) -> FaceReading:
        four = rectify.crops(picture, corners, _order(corners, spot))
        seen = self.corners(crop for crop in four if crop is not None)
        if spot is not None:  # something may hide its middle
            return in_turn(seen, agree=PARTLY, alone=self._alone)

        def whole() -> Corner | None:
            return _of_all(self.whole(picture, corners), self.alphabet)

        return in_turn(seen, whole, alone=self._alone)


def _blob(crop: Image) -> NDArray[Any]:
    return cv2.dnn.blobFromImage(crop, 1 / 255, (window.WIDE, window.HIGH), (127.5,) * 3)


def _loaded(net: Path) -> cv2.dnn.Net:
    """The net on OpenCV's older engine.

    It is a fifth faster here than 5.0's, with the same answers.
    """
    if hasattr(cv2.dnn, "ENGINE_CLASSIC"):
        return cv2.dnn.readNetFromONNX(str(net), cv2.dnn.ENGINE_CLASSIC)
    return cv2.dnn.readNetFromONNX(str(net))  # OpenCV 4 has no other


def _rank(reading: FaceReading) -> tuple[bool, bool, float]:
    """A reading's rank when one is chosen: those with a card first, then foreign indices."""
    return reading.card is not None, reading.letter is not None, reading.confidence


def _order(corners: Points, spot: tuple[float, float] | None) -> Sequence[int]:
    """The order of corners: those where every deck has its indices first, or the ones in sight."""
    if spot is None:
        return READ_FIRST
    away = np.linalg.norm(corners - np.array(spot), axis=1)
    return [int(n) for n in away.argsort()]


def corner(logits: NDArray[Any], alphabet: Alphabet = USUAL) -> Corner:
    """The likeliest card of one crop, from the last layer's output and the deck's alphabet."""
    ranks = alphabet.ranks
    bears, suits = _share(logits[: len(GLYPHS) + 1]), _share(logits[len(GLYPHS) + 1 :])
    best = max(ranks, key=bears.__getitem__)
    other = max(set(range(len(GLYPHS))) - ranks.keys(), key=bears.__getitem__)
    suit = int(suits[:-1].argmax())
    sure, strange = (float(bears[one] * suits[suit]) for one in (best, other))
    return Corner(Card(ranks[best] + SUITS[suit]), sure, GLYPHS[other], strange)


def _of_all(whole: Sequence[NDArray[Any]], alphabet: Alphabet) -> Corner | None:
    return next((corner(alphabet.from_afar(one), alphabet) for one in whole), None)


def _share(logits: NDArray[Any]) -> NDArray[Any]:
    powers = np.exp(logits - logits.max())
    return np.asarray(powers / powers.sum())


def together(one: float, two: float) -> float:
    """How sure two agreeing crops are, by the geometric mean of their doubts, never zero."""
    return 1 - math.sqrt((1.001 - one) * (1.001 - two))


def in_turn(
    corners: Iterable[Corner],
    whole: Callable[[], Corner | None] = lambda: None,
    *,
    agree: float = AGREE,
    alone: float = ALONE,
) -> FaceReading:
    """Read a card corner by corner, and the whole card once, until two crops decide.

    If two corners show hardly anything, the others and the whole card are not looked at.
    """
    said: list[Corner] = []
    of_all, asked = None, False
    for one in corners:
        said.append(one)
        if max(each.sure for each in said) < LEGIBLE:
            if len(said) > 1:
                break
            continue
        if not asked:
            of_all, asked = whole(), True
        reading = judge(said, of_all, agree=agree, alone=alone)
        if reading.card is not None and reading.votes > 1:
            return reading
    return judge(said, of_all, agree=agree, alone=alone)


def judge(
    corners: Sequence[Corner],
    whole: Corner | None = None,
    *,
    agree: float = AGREE,
    alone: float = ALONE,
) -> FaceReading:
    """The reading from several corners of one card, and from the whole card if it is visible."""
    said = [*corners] if whole is None else [*corners, whole]
    if not said:
        return FaceReading(None, Reason.NO_INDEX, 0.0)
    by_doubt = sorted(said, key=lambda corner: -corner.sure)
    best = by_doubt[0]
    same = [corner.sure for corner in by_doubt if corner.card == best.card]
    against = max((corner.sure for corner in by_doubt if corner.card != best.card), default=0.0)
    foreign = max(said, key=lambda corner: corner.strange)
    votes = sum(sure >= DISSENT for sure in same)
    confidence = together(*same[:2]) if votes > 1 else best.sure
    stops = WHISPER if votes == 1 else DISSENT
    if foreign.strange >= stops:
        letter = foreign.letter if best.sure < DISSENT else None
        reason = Reason.STRANGE if letter else Reason.DISAGREE
        return FaceReading(None, reason, confidence, votes, best.card, letter)
    if against >= stops:
        return FaceReading(None, Reason.DISAGREE, confidence, votes, best.card)
    indexed = any(one.card == best.card and one.sure >= DISSENT for one in corners)
    consents = whole is None or (whole.card == best.card and whole.sure >= CONSENT)
    if confidence >= (agree if votes > 1 else alone) and indexed and consents:
        return FaceReading(best.card, None, confidence, votes, best.card)
    reason = Reason.UNSURE if best.sure >= DISSENT else Reason.NO_INDEX
    return FaceReading(None, reason, confidence, votes, best.card)

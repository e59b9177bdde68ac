"""Reads rank and suit of one card from crops of its corners and of the whole card.

For each crop the nets say how sure they are of each rank, of each suit, and that there is no index.
A card is named only if two crops agree beyond doubt, or if a single crop is even surer. No other
crop may contradict. So the module never guesses. The module knows no file and no table.
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
#: (workshop/training/MODEL.md).
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
    """The net's answer for one crop: the likeliest card, and how sure the net is of it (0 to 1).

    `letter` is the likeliest letter that the deck does not have, and `strange` is how sure the net
    is of that letter.
    """

    card: Card = field(repr=False)  # it may be a closed card
    sure: float
    letter: str = field(default="", repr=False)
    strange: float = 0.0


@dataclass(frozen=True, slots=True)
class FaceReading:
    """A card, or None with the reason. `confidence` (0 to 1) is how sure the likeliest card is.

    `likeliest` is for measuring how well we read; no deal may depend on it. If the reason is a
    letter that the deck does not have, `letter` names it. That is for setting up a deck, never for
    a live card.
    """

    card: Card | None = field(repr=False)
    reason: Reason | None
    confidence: float
    votes: int = 0  # crops that named the likeliest card
    likeliest: Card | None = field(default=None, repr=False)
    letter: str | None = field(default=None, repr=False)


class Looked(NamedTuple):
    """The last layers' outputs for a card's corners, in reading order, and for the whole card.

    `whole` is empty if part of the card is outside the image.
    """

    corners: Sequence[NDArray[Any]]
    whole: Sequence[NDArray[Any]] = ()

    def read(
        self, alphabet: Alphabet = USUAL, *, agree: float = AGREE, alone: float = ALONE
    ) -> FaceReading:
        """Judge the outputs, by the letters of a deck.

        `agree` is how sure two agreeing crops must be together, and `alone` how sure a single crop
        must be.
        """
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
        """The net's own last layer, weights and bias, in the shape `enrolled.SHAPE`."""
        weight, bias = self._net.getLayer(self._last).blobs[:2]
        return np.column_stack([weight.reshape(bias.size, -1), bias.ravel()])

    def features(self, crop: Image) -> NDArray[Any]:
        """Return the last layer's input for one corner: 320 features and a 1."""
        self._look(crop)
        return np.append(self._net.forward(self._body)[0], 1)

    def corners(self, crops: Iterable[Image]) -> Iterator[Corner]:
        """Yield the net's answer for each crop.

        A crop is evaluated only when its answer is needed.
        """
        return (corner(self.logits(crop), self.alphabet) for crop in crops)

    def logits(self, crop: Image) -> NDArray[Any]:
        """Return the last layer's output for the crop of one corner."""
        if self._heads is not None:
            return np.asarray(self._heads @ self.features(crop))
        self._look(crop)
        return np.asarray(self._net.forward()[0])

    def whole(self, picture: Image, corners: Points) -> list[NDArray[Any]]:
        """Return the output of the net for whole cards; empty if the card is not whole in it."""
        crop = rectify.whole(picture, corners)
        if crop is None:
            return []
        self._whole.setInput(_blob(crop))
        return [np.asarray(self._whole.forward()[0])]

    def looked(self, picture: Image, corners: Points) -> Looked:
        """Return the output for all that is visible: corners within the image, and the card."""
        four = rectify.crops(picture, corners, READ_FIRST)
        seen = [self.logits(crop) for crop in four if crop is not None]
        return Looked(seen, self.whole(picture, corners))

    def _look(self, crop: Image) -> None:
        self._net.setInput(_blob(crop))

    def read(self, picture: Image, quad: Quad) -> FaceReading:
        """Read the card within this outline.

        If reading it upright fails, read it lying on its side.
        """
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
    """Load the net with OpenCV's older engine.

    Here the older engine is a fifth faster than OpenCV 5.0's own, with the same answers.
    """
    if hasattr(cv2.dnn, "ENGINE_CLASSIC"):
        return cv2.dnn.readNetFromONNX(str(net), cv2.dnn.ENGINE_CLASSIC)
    return cv2.dnn.readNetFromONNX(str(net))  # OpenCV 4 has no other


def _rank(reading: FaceReading) -> tuple[bool, bool, float]:
    """The key for choosing between two readings: cards come first, then foreign letters."""
    return reading.card is not None, reading.letter is not None, reading.confidence


def _order(corners: Points, spot: tuple[float, float] | None) -> Sequence[int]:
    """The order in which to read the corners.

    Without a spot, the corners in which every deck has indices come first. With a spot, the corners
    nearest to the spot come first, because they are surely in sight.
    """
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
    """How sure two agreeing crops are together: 1 less the geometric mean of their doubts.

    The result is never quite 1.
    """
    return 1 - math.sqrt((1.001 - one) * (1.001 - two))


def in_turn(
    corners: Iterable[Corner],
    whole: Callable[[], Corner | None] = lambda: None,
    *,
    agree: float = AGREE,
    alone: float = ALONE,
) -> FaceReading:
    """Read a card corner by corner until two crops agree on it. The whole card is one of the crops.

    If the first two corners show hardly anything, nothing else is read. `agree` is how sure two
    agreeing crops must be together, and `alone` how sure a single crop must be.
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
    """Judge the answers for several corners of one card, and for the whole card if it is visible.

    `agree` is how sure two agreeing crops must be together, and `alone` how sure a single crop must
    be.
    """
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

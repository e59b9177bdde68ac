"""Rank and suit of one card from its corner crops, or None and why. Never a guess.

The net says of each crop how sure it is of a rank, of a suit, and of neither. A card is answered
only where corners say the same beyond doubt and none says another. Knows no file and no table.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from table_controller.rules.cards import SUITS, Card
from vision.faces import rectify, window
from vision.faces.enrolled import Deck
from vision.faces.letters import GLYPHS, USUAL, Alphabet
from vision.faces.quads import Image, Points, Quad

NET = Path(__file__).with_name("corner.onnx")
#: Two corners must together be this sure; fixed on drawn decks that training never saw (MODEL.md).
AGREE = 0.97
#: The same where one side of the card alone was seen: its outline is no witness that it is one.
PARTLY = 0.985
#: One corner alone, the others saying nothing, must be this sure; fixed in the same way.
ALONE = 0.999
#: A deck's own layer has learnt little of what is no card: none of its corners answers alone.
ALONE_ENROLLED = math.inf
#: Where two corners are less sure than this of anything, the others are not looked at.
LEGIBLE = 0.05
#: A corner this sure of another card or letter stops the answer; one alone is stopped by less.
DISSENT, WHISPER = 0.5, 0.2


class Reason(StrEnum):
    """Why a card has no name."""

    NO_INDEX = "no index is legible"
    UNSURE = "an index is legible, but not beyond doubt"
    DISAGREE = "two corners name different cards"
    STRANGE = "an index bears a letter that this deck does not have"


@dataclass(frozen=True, slots=True)
class Corner:
    """What the net says of one crop: the likeliest card, and how sure it is of it.

    `letter` is the likeliest that is not the deck's, and `strange` how sure the net is of that.
    """

    card: Card = field(repr=False)  # it may be a closed card's
    sure: float
    letter: str = field(default="", repr=False)
    strange: float = 0.0


@dataclass(frozen=True, slots=True)
class Reading:
    """A card, or None with the reason; `confidence` (0 to 1) is that of the likeliest card.

    `likeliest` is for measuring how well we read; nothing may be dealt on it. `letter` is one that
    is not the deck's, where that is the reason: for whoever sets up a deck, never of a live card.
    """

    card: Card | None = field(repr=False)
    reason: Reason | None
    confidence: float
    votes: int = 0  # corners that named the likeliest card
    likeliest: Card | None = field(default=None, repr=False)
    letter: str | None = field(default=None, repr=False)


class CornerReader:
    """The net, loaded once; with a `deck`, its last layer and letters are those of its enrolment.

    One reader serves one thread.
    """

    def __init__(
        self, net: Path = NET, deck: Deck | None = None, alphabet: Alphabet = USUAL
    ) -> None:
        self.alphabet = deck.alphabet.enrolled() if deck else alphabet
        self._net = _loaded(net)
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
        """What goes into the last layer: 256 features and a 1."""
        self._look(crop)
        return np.append(self._net.forward(self._body)[0], 1)

    def corners(self, crops: list[Image]) -> list[Corner]:
        """What the net says of each crop; one at a time is as fast as many together."""
        return [self._corner(crop) for crop in crops]

    def _corner(self, crop: Image) -> Corner:
        return corner(self.logits(crop), self.alphabet)

    def logits(self, crop: Image) -> NDArray[Any]:
        """What the last layer gives for one crop."""
        if self._heads is not None:
            return np.asarray(self._heads @ self.features(crop))
        self._look(crop)
        return np.asarray(self._net.forward()[0])

    def _look(self, crop: Image) -> None:
        blob = cv2.dnn.blobFromImage(crop, 1 / 255, (window.WIDE, window.HIGH), (127.5,) * 3)
        self._net.setInput(blob)

    def read(self, picture: Image, quad: Quad) -> Reading:
        """The card within this outline, tried lying too where it is not read standing."""
        standing, lying = rectify.upright(quad.corners)
        best = self._read(picture, standing, quad.spot)
        if best.card is None and quad.spot is None:
            other = self._read(picture, lying, None)
            best = max(best, other, key=_rank)
        if best.votes == 1 and best.card is not None and not quad.card_shaped:
            return replace(best, card=None, reason=Reason.UNSURE)  # perhaps two cards in one
        return best

    def _read(self, picture: Image, corners: Points, spot: tuple[float, float] | None) -> Reading:
        near, far = _order(corners, spot)
        first = self._seen(picture, corners, near)
        agree = AGREE if spot is None else PARTLY
        early = judge(first, agree=agree, alone=self._alone)
        settled = early.card is not None and early.votes == 2
        if settled or (first and max(said.sure for said in first) < LEGIBLE):
            return early
        rest = self._seen(picture, corners, far)
        return judge(first + rest, agree=agree, alone=self._alone)

    def _seen(self, picture: Image, corners: Points, places: list[int]) -> list[Corner]:
        """What the net says of the crops at these corners that lie in the picture."""
        four = rectify.crops(picture, corners, places)
        return self.corners([crop for crop in four if crop is not None])


def _loaded(net: Path) -> cv2.dnn.Net:
    """The net, run by OpenCV's older engine: a fifth faster here than that of 5.0, same answers."""
    if hasattr(cv2.dnn, "ENGINE_CLASSIC"):
        return cv2.dnn.readNetFromONNX(str(net), cv2.dnn.ENGINE_CLASSIC)
    return cv2.dnn.readNetFromONNX(str(net))  # OpenCV 4 knows no other


def _rank(reading: Reading) -> tuple[bool, bool, float]:
    """Of two ways to hold a card: rather what names it, else what shows a strange index."""
    return reading.card is not None, reading.letter is not None, reading.confidence


def _order(corners: Points, spot: tuple[float, float] | None) -> tuple[list[int], list[int]]:
    """Which two corners are read first: where every deck has its indices, or what is in sight."""
    if spot is None:
        return [0, 2], [1, 3]
    away = np.linalg.norm(corners - np.array(spot), axis=1)
    by_distance = [int(n) for n in away.argsort()]
    return by_distance[:2], by_distance[2:]


def corner(logits: NDArray[Any], alphabet: Alphabet = USUAL) -> Corner:
    """The likeliest card of one crop, by what the last layer gives and the deck's letters mean."""
    ranks = alphabet.ranks
    bears, suits = _share(logits[: len(GLYPHS) + 1]), _share(logits[len(GLYPHS) + 1 :])
    best = max(ranks, key=bears.__getitem__)
    other = max(set(range(len(GLYPHS))) - ranks.keys(), key=bears.__getitem__)
    suit = int(suits[:-1].argmax())
    sure, strange = (float(bears[one] * suits[suit]) for one in (best, other))
    return Corner(Card(ranks[best] + SUITS[suit]), sure, GLYPHS[other], strange)


def _share(logits: NDArray[Any]) -> NDArray[Any]:
    powers = np.exp(logits - logits.max())
    return np.asarray(powers / powers.sum())


def together(one: float, two: float) -> float:
    """How sure two corners that agree are: their doubts are multiplied, none counts as nothing."""
    return 1 - math.sqrt((1.001 - one) * (1.001 - two))


def judge(corners: list[Corner], *, agree: float = AGREE, alone: float = ALONE) -> Reading:
    """What several corners of one card say together."""
    if not corners:
        return Reading(None, Reason.NO_INDEX, 0.0)
    by_doubt = sorted(corners, key=lambda corner: -corner.sure)
    best = by_doubt[0]
    same = [corner.sure for corner in by_doubt if corner.card == best.card]
    against = max((corner.sure for corner in by_doubt if corner.card != best.card), default=0.0)
    foreign = max(corners, key=lambda corner: corner.strange)
    votes = sum(sure >= DISSENT for sure in same)
    confidence = together(*same[:2]) if votes > 1 else best.sure
    stops = WHISPER if votes == 1 else DISSENT
    if foreign.strange >= stops:
        letter = foreign.letter if best.sure < DISSENT else None
        reason = Reason.STRANGE if letter else Reason.DISAGREE
        return Reading(None, reason, confidence, votes, best.card, letter)
    if against >= stops:
        return Reading(None, Reason.DISAGREE, confidence, votes, best.card)
    if confidence >= (agree if votes > 1 else alone):
        return Reading(best.card, None, confidence, votes, best.card)
    reason = Reason.UNSURE if best.sure >= DISSENT else Reason.NO_INDEX
    return Reading(None, reason, confidence, votes, best.card)

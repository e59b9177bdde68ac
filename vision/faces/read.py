"""Rank and suit of one card from its corner crops, or None and why. Never a guess.

The net says of each crop how sure it is of a rank, of a suit, and of neither. A card is answered
only where corners say the same beyond doubt and none says another. Knows no file and no table.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from table_controller.rules.cards import RANKS, SUITS, Card
from vision.faces import rectify, window

Image = NDArray[Any]
Points = NDArray[Any]
NET = Path(__file__).with_name("corner.onnx")
#: Two corners must each be this sure; fixed on synthetic decks that training never saw (MODEL.md).
AGREE = 0.90
#: One corner alone, the others saying nothing, must be this sure; fixed in the same way.
ALONE = 0.985
#: A corner this sure of another card stops the answer.
DISSENT = 0.5


class Reason(StrEnum):
    """Why a card has no name."""

    NO_INDEX = "no index is legible"
    UNSURE = "an index is legible, but not beyond doubt"
    DISAGREE = "two corners name different cards"


@dataclass(frozen=True, slots=True)
class Corner:
    """What the net says of one crop: the likeliest card, and how sure it is of it."""

    card: Card = field(repr=False)  # it may be a closed card's
    sure: float


@dataclass(frozen=True, slots=True)
class Reading:
    """A card, or None with the reason; `confidence` (0 to 1) is that of the likeliest card.

    `likeliest` is for measuring how well we read; nothing may be dealt on it.
    """

    card: Card | None = field(repr=False)
    reason: Reason | None
    confidence: float
    votes: int = 0  # corners that named the likeliest card
    likeliest: Card | None = field(default=None, repr=False)


class CornerReader:
    """The net, loaded once. One reader serves one thread."""

    def __init__(self, net: Path = NET) -> None:
        self._net = cv2.dnn.readNetFromONNX(str(net))

    def corners(self, crops: list[Image]) -> list[Corner]:
        """What the net says of each crop, two at a time."""
        answers: list[Corner] = []
        for at in range(0, len(crops), 2):
            pair = crops[at : at + 2]
            # The net takes two; a lone crop goes twice.
            blob = cv2.dnn.blobFromImages(
                (pair * 2)[:2], 1 / 255, (window.WIDE, window.HIGH), (127.5,) * 3
            )
            self._net.setInput(blob)
            answers += [_corner(row) for row in self._net.forward()[: len(pair)]]
        return answers

    def read(self, picture: Image, corners: Points) -> Reading:
        """The card within these four corners, tried lying too where that is unclear."""
        tries = [self._read(picture, standing) for standing in rectify.upright(corners)]
        return max(tries, key=lambda reading: (reading.card is not None, reading.confidence))

    def _read(self, picture: Image, corners: Points) -> Reading:
        seen = rectify.crops(picture, corners)
        first = self.corners([crop for crop in (seen[0], seen[2]) if crop is not None])
        early = judge(first)
        if early.card is not None and early.votes == 2:
            return early
        return judge(
            first + self.corners([crop for crop in (seen[1], seen[3]) if crop is not None])
        )


def _corner(logits: NDArray[Any]) -> Corner:
    rank, suit = _share(logits[: len(RANKS) + 1]), _share(logits[len(RANKS) + 1 :])
    best_rank, best_suit = int(rank[:-1].argmax()), int(suit[:-1].argmax())
    sure = min(float(rank[best_rank]), float(suit[best_suit]))
    return Corner(Card(RANKS[best_rank] + SUITS[best_suit]), sure)


def _share(logits: NDArray[Any]) -> NDArray[Any]:
    powers = np.exp(logits - logits.max())
    return np.asarray(powers / powers.sum())


def judge(corners: list[Corner], *, agree: float = AGREE, alone: float = ALONE) -> Reading:
    """What several corners of one card say together."""
    if not corners:
        return Reading(None, Reason.NO_INDEX, 0.0)
    by_doubt = sorted(corners, key=lambda corner: -corner.sure)
    best = by_doubt[0]
    same = [corner.sure for corner in by_doubt if corner.card == best.card]
    against = max((corner.sure for corner in by_doubt if corner.card != best.card), default=0.0)
    votes = sum(sure >= DISSENT for sure in same)
    confidence = same[1] if len(same) > 1 and votes > 1 else best.sure
    if against >= DISSENT:
        return Reading(None, Reason.DISAGREE, confidence, votes, best.card)
    if confidence >= (agree if votes > 1 else alone):
        return Reading(best.card, None, confidence, votes, best.card)
    reason = Reason.UNSURE if best.sure >= DISSENT else Reason.NO_INDEX
    return Reading(None, reason, confidence, votes, best.card)

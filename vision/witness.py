"""The witnesses that read frames, their readings, and the quality of reading. It knows no image."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum

from table_controller.engine.seen import Seen
from table_controller.rules.cards import Card


class Witness(StrEnum):
    """A reader of frames or labels: a label decoder, the reader of faces, or the barcode module."""

    ZXING = "zxing"
    ZBAR = "zbar"
    FACE = "face"
    MODULE = "module"


@dataclass(frozen=True, slots=True)
class Reading:
    """One witness's reading of one frame: a code's text, or a face.

    Attributes:
        witness: the witness that read the frame.
        text: the code's text, or empty for a face.
        card: the face's card, or None for a code. A face below its threshold is no reading.
        at_px: the place along the motion, to tell two equal codes in one frame apart.
    """

    witness: Witness
    text: str = field(default="", repr=False)
    card: Card | None = field(default=None, repr=False)
    at_px: float = 0.0


@dataclass(slots=True)
class Quality:
    """How well reading went since the last Schlitten was closed. It is never published per card.

    Attributes:
        passages: the number of all passages.
        cards, white: the number of cards, and of white cut cards, that were read.
        unknown: passages without a card, by reason.
        retries: passages of cards that were shown again because the table asked for that.
        reads: frames in which each witness read something.
        frames_read: the number of passages, by how many of their frames were read (the margin).
        agreed: passages in which two or more witnesses agreed.
        late, stray: readings after their passage's verdict, and outside any passage.
        unreadable, dropped: frames that were damaged, and frames that were skipped for lack of
            time.
        gaps: how often the lip was unseen for a moment.
    """

    passages: int = 0
    cards: int = 0
    white: int = 0
    retries: int = 0
    unknown: Counter[str] = field(default_factory=Counter)
    reads: Counter[str] = field(default_factory=Counter)
    frames_read: Counter[int] = field(default_factory=Counter)
    agreed: int = 0
    late: int = 0
    stray: int = 0
    unreadable: int = 0
    dropped: int = 0
    gaps: int = 0

    def count(self, seen: Seen, frames: int, witnesses: int) -> None:
        """Count a passage: its verdict, and how many frames and witnesses contributed to it."""
        self.passages += 1
        self.cards += seen.card is not None
        self.white += seen.white
        self.frames_read[frames] += 1
        self.agreed += seen.unknown is None and witnesses > 1
        if seen.unknown:
            self.unknown[seen.unknown.value] += 1


def in_two_places(readings: tuple[Reading, ...], apart_px: float) -> bool:
    """Whether one witness read the same text in two places of one frame.

    The places must be more than `apart_px` apart.
    """
    return any(
        one.witness is other.witness
        and one.text == other.text != ""
        and abs(one.at_px - other.at_px) > apart_px
        for number, one in enumerate(readings)
        for other in readings[:number]
    )

"""Faces over many pictures: decks that training never saw, and pictures without a card."""

from __future__ import annotations

from collections import Counter

from vision.faces.read import CornerReader
from vision.faces.training import proof

#: Of the whole run. The seeds differ from those of training and of the thresholds.
CARDS, NO_CARDS = 20_000, 1_000


def run(share: float) -> list[tuple[str, str]]:
    """Name and finding; 1.0 is the whole."""
    reader = CornerReader()
    cards, pictures = (max(1, round(share * whole)) for whole in (CARDS, NO_CARDS))
    said = Counter(
        "unread" if reading.card is None else "right" if reading.card == card else "wrong"
        for card, reading in proof.readings(list(proof.exposures(cards, 501, reader)))
    )
    accepted = proof.accepted(pictures, 502, reader)
    return [
        ("cards of held-out letters and artwork", str(cards)),
        ("answered at the shipped thresholds", f"{100 * (1 - said['unread'] / cards):.2f} %"),
        ("wrong answers", str(said["wrong"])),
        ("pictures without a card to read", str(pictures)),
        ("accepted in them", str(len(accepted)) + "".join(f"; {one}" for one in accepted[:5])),
    ]

"""Reads faces in many pictures: decks kept from training, pictures without a card, photos.

The photos are labelled by people. `scripts/soak --only faces` runs it, and `python -m
workshop.soak.accuracy` writes the figures down. The photos are sought in
`../shared/data/cards/photos`, or in the folder SCHLITTEN_PHOTOS.
"""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import cv2

from vision.faces.read import CornerReader
from workshop.soak.photos import findings, measure, table
from workshop.training import proof

ROOT = Path(__file__).parents[2]
PHOTOS = Path(os.environ.get("SCHLITTEN_PHOTOS", ROOT.parent / "shared/data/cards/photos"))
#: The numbers of the whole run, about 15 minutes of one core. The seeds differ from those of
#: training and of the thresholds.
CARDS, TABLES = 8_000, 400
NO_CARDS = {502: 1_000, 1502: 1_000, 2502: 1_000}  # by seed


def run(share: float) -> list[tuple[str, str]]:
    """Return rows of name and finding. A share of 1.0 is the whole."""
    cv2.setNumThreads(1)
    reader = CornerReader()
    cards, tables = (max(1, round(share * whole)) for whole in (CARDS, TABLES))
    said = Counter(
        "unread" if reading.card is None else "right" if reading.card == card else "wrong"
        for card, reading in proof.readings(proof.exposures(cards, 501, reader))
    )
    strewn = Counter(
        "right" if one.card in there else "wrong"
        for there, seen in proof.tables(tables, 503, reader)
        for one in seen
        if one.card is not None
    )
    attacks = {seed: max(1, round(share * count)) for seed, count in NO_CARDS.items()}
    accepted = [
        one for seed, count in attacks.items() for one in proof.accepted(count, seed, reader)
    ]
    answered = cards - said["unread"]
    return [
        ("drawn cards in letters and artwork kept from training, hard conditions", f"{cards:,}"),
        ("of these answered at the shipped thresholds", f"{answered / cards:.2%}"),
        ("of these answers wrong", f"{said['wrong']} ({_at_most(said['wrong'], answered)})"),
        (
            "cards of that kind named rightly, strewn over each other on tables",
            f"{strewn['right']:,}",
        ),
        ("named wrongly there", f"{strewn['wrong']} ({_at_most(strewn['wrong'], strewn.total())})"),
        (
            "pictures of felt, backs, jokers, hands, print, other codes, strange cards",
            f"{sum(attacks.values()):,} (seeds {', '.join(map(str, attacks))})",
        ),
        ("accepted in them", str(len(accepted)) + "".join(f"; {one}" for one in accepted[:5])),
    ]


def _at_most(wrong: int, answers: int) -> str:
    """The error rate that this count proves not to be exceeded, at 95 %, as a phrase.

    If no answer was wrong, the rate follows from the rule of three.
    """
    bound = (wrong + 1.96 * wrong**0.5 + 2 if wrong else 3) / max(answers, 1)
    return f"proves an error rate under {bound:.2%} on such pictures"


def photos() -> str:
    """The table of labelled photos, or a sentence that they are not here."""
    if not (PHOTOS / "labels.csv").is_file():
        return f"No photos in {PHOTOS}.\n"
    reader = CornerReader()
    scores, false, times = measure(PHOTOS, reader)
    text = "\n".join(table(scores)) + "\n\n"
    return text + "\n".join(findings(scores, false, times)) + "\n"

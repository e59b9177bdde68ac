"""Measures the gain of enrolling a house's deck: `python -m workshop.training.enrol`.

Decks held out of training are shown card by card, with several looks each, and enrolled as by
`schlitten enrol`. The held-back looks are then read by the shipped net without the deck and with
the deck, at the shipped thresholds. The program prints one table.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from table_controller.rules.cards import PACK, Card
from tests.vision.decks import deck
from vision.faces import enrol
from vision.faces.read import CornerReader
from workshop.training import art, crops, proof


def looks(
    shown: crops.Shown, reader: CornerReader, rng: np.random.Generator, count: int
) -> Iterator[enrol.Look]:
    """Show the card to the camera `count` times, as hard to read as in `proof`. Yield the looks."""
    card = Card(shown.code)
    for n in range(count):
        picture, found = proof.picture(shown, rng)
        yield enrol.looked(Path(f"{card}-{n}"), card, picture, found, reader)


def decks(count: int, rng: np.random.Generator) -> Iterator[list[crops.Shown]]:
    """Yield packs held out of training: half of our own drawing, half of complete artwork."""
    sheets = [sheet for sheet in art.sheets(held_out=True) if len(sheet.faces) == len(PACK)]
    for n in range(count):
        if n % 2:
            sheet = sheets[n // 2 % len(sheets)]
            yield [crops.printed(sheet, code, rng) for code in sheet.faces]
        else:
            style = deck.style(rng, held_out=True)
            faces = ((deck.face(style, code[0], code[1], rng), code) for code in PACK)
            yield [crops.drawn(style, face, code, rng) for face, code in faces]


def main() -> None:
    """Print how many held-back looks are read, and how many of them wrongly."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--decks", type=int, default=4)
    parser.add_argument("--shown", type=int, default=6, help="looks of each card; half are read")
    parser.add_argument("--seed", type=int, default=601)
    given = parser.parse_args()
    cv2.setNumThreads(1)
    rng, reader = np.random.default_rng(given.seed), CornerReader()
    before, after = [], []
    for pack in decks(given.decks, rng):
        done = enrol.enrol(
            "drawn",
            [look for card in pack for look in looks(card, reader, rng, given.shown)],
            reader,
        )
        before.append(done.before)
        after.append(done.after)
    sys.stdout.write("| looks kept aside | right | unread | wrong |\n|---|---|---|---|\n")
    for name, scores in (("as shipped", before), ("with the deck enrolled", after)):
        right, unread, wrong = np.sum(scores, axis=0)
        share = right / (right + unread + wrong)
        sys.stdout.write(f"| {name} | {right} ({share:.1%}) | {unread} | {wrong} |\n")


if __name__ == "__main__":
    main()

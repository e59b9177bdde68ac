"""Checks that every card of many decks is seen in the gate, both ways round. Part of `accuracy`.

The second generator films each card of each deck, with mild disturbances, as it is dealt and turned
round. The decks are in `../shared/data/art` (or SCHLITTEN_ART) and in Debian's gnome-cards-data, if
they are installed. They have dark backgrounds, frames in ink, and court cards in full colour.
"""

from __future__ import annotations

import os
import subprocess
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2
import numpy as np

from table_controller.rules.cards import PACK
from tests.vision.filmed import CARD, MILD, SCALE, Passing, decks, filmed, printed, straight
from tests.vision.scenarios import right
from vision.manifest import LabelledCard
from workshop.soak.filmed import read
from workshop.soak.vision import shoe, tally
from workshop.training import art

#: Ranks and suits as a sheet has them, in its columns and rows.
RANKS, SUITS = ("A", *map(str, range(2, 11)), "J", "Q", "K"), "CDHS"
APART_MM = 60.0
IN_A_FILM = 13


def run(share: float = 1.0) -> list[tuple[str, str]]:
    """Film each deck, with all its cards or a share of them. Return rows of deck and finding."""
    with TemporaryDirectory(prefix="soak-gates-") as folder:
        here = decks() + _cut(Path(folder))
        with ProcessPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            found = list(pool.map(partial(_deck, share=share), here))
    together = sum((counts for counts, _ in found), Counter[str]())
    rows = [(deck.name, _said(*one)) for deck, one in zip(here, found, strict=True)]
    return [*rows, (f"{len(here)} decks", _said(together, ""))]


def _cut(folder: Path) -> list[Path]:
    """Cut the sheets of gnome-cards-data into single pictures, one folder per sheet."""
    made = []
    for sheet in sorted(art.GNOME.glob("*.svgz")):
        deck = folder / sheet.stem
        deck.mkdir()
        wide = str(len(RANKS) * round(CARD[0] * SCALE))
        run = ["rsvg-convert", "-w", wide, sheet]
        done = subprocess.run(run, capture_output=True, check=True)
        drawn = cv2.imdecode(np.frombuffer(done.stdout, np.uint8), cv2.IMREAD_UNCHANGED)
        for row, column, cell in art.parted(drawn, rows=5):
            if row < len(SUITS):  # not the jokers and the back
                cv2.imwrite(str(deck / f"{RANKS[column]}{SUITS[row]}.png"), cell)
        made.append(deck)
    return made


def _deck(deck: Path, share: float) -> tuple[Counter[str], str]:
    """Count how the cards of a deck were read, and name those that were not read."""
    first = {entry.card: entry for entry in reversed(shoe().cards)}
    cards = [first[card] for card in PACK][:: max(1, round(1 / share))]
    found, lost = Counter[str](), []
    for turned in (False, True):
        for start in range(0, len(cards), IN_A_FILM):
            entries = cards[start : start + IN_A_FILM]
            seen = read(filmed(_passing(entries, deck, turned=turned), MILD, start))
            found += tally([right(entry) for entry in entries], seen)
            lost += [f"{one.unknown}" for one in seen if one.card is None]
    return found, ", ".join(sorted(lost))


def _passing(entries: Sequence[LabelledCard], deck: Path, *, turned: bool) -> list[Passing]:
    luck, passing, start = np.random.default_rng(len(entries)), [], 150.0
    for entry in entries:
        sheet = printed(entry.token, entry.card, deck, MILD, luck)
        sheet = cv2.rotate(sheet, cv2.ROTATE_180) if turned else sheet
        passing.append(Passing(sheet, straight(start), start - 60, start + 130))
        start += CARD[0] + APART_MM
    return passing


def _said(found: Counter[str], lost: str) -> str:
    dealt, more = found["dealt"], found["verdicts"] - found["dealt"]
    words = f"{dealt} passages, {dealt - found['right']} not read, {more} too many"
    return words + (f" ({lost})" if lost else "")

"""Measures how well cards are found and read: `python -m workshop.soak.photos PHOTOS`.

PHOTOS contains pictures and labels.csv: file, source, licence, rank, suit, x0, y0, x1, y1, notes.
The photos are used only for measuring. The program prints one Markdown table, and exits with 1 if a
card was misread.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import cv2

from table_controller.rules.cards import Card
from tests.vision.faces.drawn import iou
from vision.faces.read import CornerReader, FaceReading
from vision.faces.recognise import Box, cards, load


@dataclass(frozen=True, slots=True)
class Label:
    """One card of a photo, as a person wrote it down."""

    card: Card
    box: Box
    source: str
    kind: str  # "clear", "overlapping" or "cut" (by the frame)
    free: bool  # its licence lets it be trained on; we do not


@dataclass(slots=True)
class Score:
    """Counts over cards and pictures. `wrong` names the wrong answers."""

    cards: int = 0
    found: int = 0
    both: int = 0  # likeliest card right, among those found
    answered: int = 0
    wrong: list[str] = field(default_factory=list)

    def row(self, name: str) -> str:
        """The Markdown row of these counts."""
        return (
            f"| {name} | {self.cards} | {_of(self.found, self.cards)}"
            f" | {_of(self.both, self.found)} | {_of(self.answered, self.cards)}"
            f" | {len(self.wrong)} |"
        )


def _of(part: int, whole: int) -> str:
    return f"{part} ({100 * part / whole:.1f} %)" if whole else "-"


def labels(folder: Path) -> dict[str, list[Label]]:
    """Read the labels, by their files. Raises FileNotFoundError and ValueError."""
    by_file: dict[str, list[Label]] = defaultdict(list)
    with (folder / "labels.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            rank = "T" if row["rank"] == "10" else row["rank"]
            notes = row["notes"]
            cut = "cut by" in notes or "whole frame" in notes
            kind = "overlapping" if "overlapping" in notes else "cut" if cut else "clear"
            box = [float(row[side]) for side in ("x0", "y0", "x1", "y1")]
            card = Card(rank + row["suit"].lower())
            source = row["source"].split("/")[0]
            by_file[row["file"]].append(
                Label(card, box, source, kind, row["licence"] != "none stated")
            )
    return by_file


class Sighting(NamedTuple):
    """A card that the program saw: its box and its reading."""

    box: Box
    reading: FaceReading


def pairs(truth: list[Label], seen: list[Sighting]) -> Iterator[tuple[Label, Sighting | None]]:
    """Yield each label with the unused sighting that covers it best.

    The sighting is None if no unused one overlaps the label by an IoU of 0.5 or more.
    """
    free = list(seen)
    for label in truth:
        at = max(range(len(free)), key=lambda n: iou(label.box, free[n].box), default=None)
        if at is None or iou(label.box, free[at].box) < 0.5:
            yield label, None
        else:
            yield label, free.pop(at)


def strays(truth: list[Label], seen: list[Sighting]) -> list[Sighting]:
    """The answers at places where there is no card.

    An answer is left out if it overlaps the card that it names.
    """
    return [
        one
        for one in seen
        if one.reading.card is not None
        and not any(iou(label.box, one.box) >= 0.5 for label in truth)
        and not any(
            iou(label.box, one.box) > 0 and label.card == one.reading.card for label in truth
        )
    ]


def measure(
    folder: Path, reader: CornerReader
) -> tuple[dict[tuple[str, str], Score], list[str], list[float]]:
    """Measure the photos.

    Return the scores by source and kind, the answers where no card is, and the time on one core, in
    ms per picture of 1280 px.
    """
    scores: dict[tuple[str, str], Score] = defaultdict(Score)
    false, times = [], []
    for name, truth in labels(folder).items():
        picture = load(folder / name)
        start = time.process_time()
        found = cards(picture, reader)
        if max(picture.shape) == 1280:
            times.append((time.process_time() - start) * 1000)
        seen = [Sighting(one.box(picture.shape), one.reading) for one in found]
        false += [f"{name}: {one.reading.card}" for one in strays(truth, seen)]
        for label, one in pairs(truth, seen):
            _count(
                scores[label.source + ("" if label.free else " *"), label.kind], name, label, one
            )
    return scores, false, times


def _count(score: Score, name: str, label: Label, seen: Sighting | None) -> None:
    score.cards += 1
    if seen is None:
        return
    reading = seen.reading
    score.found += 1
    score.both += reading.likeliest == label.card
    if reading.card is not None:
        score.answered += 1
        if reading.card != label.card:
            sure = f"({reading.confidence:.3f}, {reading.votes} corners)"
            score.wrong.append(f"{name}: {label.card} answered as {reading.card} {sure}")


def total(scores: dict[tuple[str, str], Score], *, star: bool, kinds: tuple[str, ...]) -> Score:
    """The sum over the sources without a stated licence (`star`), or over those with one."""
    whole = Score()
    for (source, kind), score in scores.items():
        if source.endswith("*") is star and kind in kinds:
            whole.cards += score.cards
            whole.found += score.found
            whole.both += score.both
            whole.answered += score.answered
            whole.wrong += score.wrong
    return whole


def table(scores: dict[tuple[str, str], Score]) -> Iterator[str]:
    """Yield the lines of the Markdown table. Its last rows are the sums."""
    yield "| source | cards | found at IoU >= 0.5 | both right of those | answered | wrong |"
    yield "|---|---|---|---|---|---|"
    for (source, kind), score in sorted(scores.items()):
        yield score.row(f"{source}, {kind}")
    every = ("clear", "cut", "overlapping")
    yield total(scores, star=True, kinds=("clear",)).row("**all without licence (*), clear**")
    yield total(scores, star=True, kinds=every).row("**all without licence (*)**")
    yield total(scores, star=False, kinds=every).row("**all with licence**")


def findings(
    scores: dict[tuple[str, str], Score], false: list[str], times: list[float]
) -> Iterator[str]:
    """Yield a line for each finding that is not in the table."""
    clear = total(scores, star=True, kinds=("clear",))
    every = [score for pair, score in scores.items() if pair[1] == "overlapping"]
    found, count = sum(score.found for score in every), sum(score.cards for score in every)
    named = sum(score.answered for score in every)
    said = _of(clear.answered, clear.found)
    yield f"- Clear cards without licence, answered of those found: {said}"
    yield f"- Overlapping cards: {_of(found, count)} found, {_of(named, count)} answered"
    yield f"- Answers where there is no card: {len(false)}"
    yield from (f"- Wrong: {text}" for score in scores.values() for text in score.wrong)
    yield from (f"- No card there: {text}" for text in false)
    if times:
        middle = sorted(times)[len(times) // 2]
        yield f"- core-ms per 1280 px picture: median {middle:.0f}, most {max(times):.0f}"


def main() -> int:
    """Print the table for a folder of photos. Return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("photos", type=Path)
    cv2.setNumThreads(1)
    scores, false, times = measure(parser.parse_args().photos, CornerReader())
    lines = [*table(scores), "", *findings(scores, false, times)]
    sys.stdout.write("\n".join(lines) + "\n")
    return int(bool(false or any(score.wrong for score in scores.values())))


if __name__ == "__main__":
    sys.exit(main())

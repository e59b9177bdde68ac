"""Pairs of cards and single cards at every rate and speed: is a pair told, unsure or silent?

`scripts/soak --only together` runs it. `python -m workshop.soak.accuracy --only together`
writes the figures down. The films are of the second generator, with a global shutter and a quarter
of a millisecond of light. So labels are legible up to 1.5 m/s, and the verdict on a pair depends on
its edges alone.
"""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from itertools import product

import cv2
import numpy as np

from tests.vision.filmed import CARD, MILD, Film, Passing, dealt, printed, straight
from vision.limits import pairs_mps, sure_mps
from vision.lip import SHIPPED, Lip
from vision.passage import DELAY_MS
from vision.reader import Reader, Sight
from workshop.soak.filmed import deck, order
from workshop.soak.vision import shoe

SPEEDS = (0.5, 1.5)  # m/s
HIGH = 768  # rows: both long edges are in sight
#: Frames a second, and their width. BUILD advises the first and the last.
LIPS = ((60.0, 832), (60.0, 640), (90.0, 640), (120.0, 640))
#: The ways in which two cards are shifted or turned against each other, and by how much at most.
WAYS = {"along": 12.0, "across": 6.0, "turned": 5.0}  # mm, mm, degrees
ASKEW = (0.0, 5.0)  # both, to the way: straight, and turned by up to so many degrees
PAIRS = 1_000  # in the whole run, of each lip
LEARNT, PAIRED, ALONE = 10, 30, 12  # cards in a film: learnt from, in pairs, alone
#: An edge or a corner that sticks out by less counts as one card, as `schlitten doctor` says.
LIMIT_MM = {"along": 0.4, "across": 0.4, "turned": 0.9}


@dataclass(frozen=True, slots=True)
class Case:
    """A pair of cards, or a single card (`way` is empty), and what was found."""

    way: str
    mps: float
    out_mm: float
    said: str


@dataclass(frozen=True, slots=True)
class _Laid:
    """The position of the second of two cards, relative to the first.

    If there is no second card, `way` is empty.
    """

    way: str
    along_mm: float = 0.0
    across_mm: float = 0.0
    turn_deg: float = 0.0

    @property
    def out_mm(self) -> float:
        """How far (mm) the second card's furthest corner sticks out from under the first card."""
        turn, farthest = math.radians(self.turn_deg), 0.0
        for x, y in product((-0.5, 0.5), repeat=2):
            u, v = x * CARD[0], y * CARD[1]
            along = u * math.cos(turn) - v * math.sin(turn) + self.along_mm
            across = u * math.sin(turn) + v * math.cos(turn) + self.across_mm
            farthest = max(farthest, abs(along) - CARD[0] / 2, abs(across) - CARD[1] / 2)
        return farthest


def lip(wide: int) -> Lip:
    """A lip whose picture has this width and shows both long edges of a card."""
    return replace(SHIPPED, width_px=wide, height_px=HIGH)


def film(seed: int, fps: float, wide: int, askew: float) -> list[Case]:
    """Film slow single cards, then pairs and single cards at any speed.

    The reader learns the sizes from the slow cards.
    """
    cv2.setNumThreads(1)
    luck = np.random.default_rng((seed, round(fps), wide, round(askew)))
    grade = replace(MILD, fps=fps, exposure_ms=0.25, row_ms=0.0)
    entries = [(one.token, one.card) for one in order(seed, LEARNT + 2 * PAIRED + ALONE)]
    passing = list(_slowly(dealt(entries[:LEARNT], grade, seed, deck(seed))))
    rest, start, windows = entries[LEARNT:], passing[-1].until_ms + 100, []
    for way in [*luck.permutation([*WAYS] * (PAIRED // len(WAYS))), *[""] * ALONE]:
        laid, mps = _laid(str(way), luck), float(luck.uniform(*SPEEDS))
        sheets = [printed(*rest.pop(), deck(seed), grade, luck) for _ in range(2 if way else 1)]
        begins = start + float(luck.uniform(0, 20))
        passing += _passing(sheets, laid, begins, mps, float(luck.uniform(-askew, askew)))
        until = passing[-1].until_ms + 100
        windows.append((start, until, laid, mps))
        start = until
    frames = Film(grade, seed, HIGH, wide).frames(passing, start + 400)
    seen = list(Reader(frames, Sight(manifest=shoe(), lip=lip(wide), fps=fps)).passages())
    return [
        Case(laid.way, mps, laid.out_mm, _said([
            one for due_ms, one in seen if begins <= due_ms - DELAY_MS < until
        ]))
        for begins, until, laid, mps in windows
    ]  # fmt: skip


def _laid(way: str, luck: np.random.Generator) -> _Laid:
    """Place a second card at random, within this way's limits."""
    more = float(luck.uniform(0, WAYS[way])) if way else 0.0
    match way:
        case "along":
            return _Laid(way, along_mm=more)
        case "across":
            return _Laid(way, across_mm=more)
        case _:
            return _Laid(way, turn_deg=more * float(luck.choice((-1, 1))))


def _passing(
    sheets: Sequence[np.ndarray], laid: _Laid, begins: float, mps: float, turn: float
) -> list[Passing]:
    """The motion of one card and, if `laid` has a second card, of the second behind it."""
    end, c, s = begins + 240 / mps, math.cos(math.radians(turn)), math.sin(math.radians(turn))
    along, across = (
        laid.along_mm * c - laid.across_mm * s,
        laid.along_mm * s + laid.across_mm * c,
    )
    both = [
        Passing(sheets[-1], straight(begins + along / mps, mps), begins - 90, end, across,
                turn + laid.turn_deg),
        Passing(sheets[0], straight(begins, mps), begins - 90, end, 0.0, turn),
    ]  # fmt: skip
    return both[-len(sheets) :]


def _slowly(passing: Sequence[Passing]) -> Iterator[Passing]:
    """Yield the same cards at half a metre a second, 120 ms apart."""
    for number, one in enumerate(passing):
        start = 150.0 + number * (2 * CARD[0] + 120)
        way = straight(start, 0.5)
        yield replace(one, place=way, from_ms=start - 120, until_ms=start + 280)


def _said(seen: list) -> str:
    """The finding: "told" for `two_cards` or two passages, "unsure" for any other unknown."""
    if len(seen) > 1 or any(one.unknown == "two_cards" for one in seen):
        return "told"
    return "unsure" if not seen or seen[0].unknown else "silent"


def run(share: float = 1.0) -> list[tuple[str, str]]:
    """Return rows of name and finding. A share of 1.0 takes half an hour of one core."""
    films, rows = max(1, round(PAIRS * share / PAIRED / len(ASKEW))), []
    with ProcessPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for fps, wide in LIPS:
            for askew in ASKEW:
                work = partial(film, fps=fps, wide=wide, askew=askew)
                cases = [one for some in pool.map(work, range(films)) for one in some]
                lies = f"turned to {askew:g} degrees" if askew else "straight"
                where = f"{fps:g} pictures/s, {wide / SHIPPED.px_per_mm:g} mm of window, {lies}"
                rows += _rows(where, cases, fps, wide)
    return rows


def _rows(where: str, cases: list[Case], fps: float, wide: int) -> Iterator[tuple[str, str]]:
    told, sure = pairs_mps(lip(wide), fps), sure_mps(lip(wide), fps)
    pairs = [one for one in cases if one.way]
    for name, some in (
        (f"up to {told:.2f} m/s", [one for one in pairs if one.mps <= told]),
        ("quicker, to 1.5 m/s", [one for one in pairs if one.mps > told]),
    ):
        if some:
            yield f"{where}: pairs {name}", _score(some)
    alone = [one for one in cases if not one.way and one.mps <= sure]
    said = Counter(one.said for one in alone)
    yield (
        f"{where}: cards alone up to {min(sure, SPEEDS[1]):.2f} m/s",
        (f"{said['silent']} of {len(alone)} sure"),
    )


def _score(pairs: list[Case]) -> str:
    said = Counter(one.said for one in pairs)
    words = ", ".join(f"{said[word]} {word}" for word in ("told", "unsure", "silent"))
    silent = [one for one in pairs if one.said == "silent"]
    if not silent:
        return words
    farthest = max(one.out_mm for one in silent)
    beyond = sum(one.out_mm > LIMIT_MM[one.way] for one in silent)
    return f"{words}: to {farthest:.2f} mm, {beyond} of them beyond the limit"

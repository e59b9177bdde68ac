"""The lip filmed by the second generator: passages, gaps, dark pictures, tremble, pairs of cards.

`scripts/soak --only filmed`; `python -m tests.soak.accuracy --only filmed` writes it down beside
the first generator's table. The artwork is looked for in `../shared/data/art`, or SCHLITTEN_ART.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial

import cv2
import numpy as np

from tests.soak.vision import shoe, tally
from tests.vision.filmed import (
    CARD,
    HARSH,
    MEDIUM,
    MILD,
    Film,
    Grade,
    Passing,
    dealt,
    decks,
    filmed,
    printed,
    straight,
    trembling,
)
from tests.vision.scenarios import right
from vision.frame import Frame
from vision.manifest import Entry
from vision.reader import Reader, Sight

GRADES = {"mild": MILD, "medium": MEDIUM, "harsh": HARSH}
#: Of each, in the whole run.
PASSAGES, GAPS, DARK, TREMBLES, PAIRS = 10_000, 2_000, 500, 200, 1_000
CARDS = 10  # in one film
#: How two cards lie to each other, how many pass before them, and the millimetres between edges.
PAIRED = (
    ("behind", 0, (0, 1, 2, 4, 6, 9, 12)),
    ("under", 8, (0.5, 1, 1.5, 2, 3, 6, 12)),
    ("sideways", 0, (3, 12)),
)


def order(seed: int, count: int = CARDS) -> list[Entry]:
    """Some cards of the shoe."""
    luck = np.random.default_rng(seed)
    return [shoe().cards[place] for place in luck.choice(len(shoe().cards), count, replace=False)]


def deck(seed: int):
    """One of the decks of artwork, if there are any; every fourth film is of blank cards."""
    here = [*decks(), None]
    return here[seed % len(here)]


def film(seed: int, grade: Grade) -> tuple[list[Entry], list[Passing]]:
    """Some cards, and their way past the lip."""
    entries = order(seed)
    named = [(entry.token, entry.card) for entry in entries]
    return entries, dealt(named, grade, seed, deck(seed))


def read(frames: Iterator[Frame], told: list[str] | None = None) -> list:
    """The verdicts on a film, and what was told of the lip unseen."""
    cv2.setNumThreads(1)
    gaps = [] if told is None else told
    reader = Reader(frames, Sight(manifest=shoe()), on_gap=gaps.append)
    return [seen for _due, seen in reader.passages()]


def passages(seed: int, grade: Grade) -> Counter[str]:
    """A film of ten cards, and how its passages came out."""
    entries, passing = film(seed, grade)
    return tally([right(one) for one in entries], read(filmed(passing, grade, seed)))


def gaps(seed: int) -> Counter[str]:
    """A film in which the camera is away once, from three frame periods to 2 s.

    Lost is a card that no verdict speaks of, where nothing was told.
    """
    entries, passing = film(seed, MILD)
    luck = np.random.default_rng(seed)
    start, length = luck.uniform(200, 1200), 25 * (80 ** luck.random())
    until = max(passing[-1].until_ms, start + length) + 400  # the camera is back before the end
    frames = Film(MILD, seed).frames(passing, until)
    kept = (frame for frame in frames if not start < frame.t_ms < start + length)
    told: list[str] = []
    found = tally([right(one) for one in entries], read(kept, told))
    alerted = bool(told)
    lost = found["missed"] + found["wrong"] + found["doubled"]
    return Counter(films=1, told=alerted, lost=lost if not alerted else 0, wrong=found["wrong"],
                   doubled=found["doubled"])  # fmt: skip


def dark(seed: int) -> Counter[str]:
    """A card of which one to four pictures are dark while it is in the gate."""
    entries, passing = film(seed, MILD)
    luck = np.random.default_rng(seed)
    start, count = luck.uniform(150, 205), int(luck.integers(1, 5))

    def missed() -> Iterator[Frame]:
        left = count
        for frame in filmed(passing[:1], MILD, seed):
            if frame.t_ms > start and left:
                left -= 1
                yield replace(frame, picture=np.full_like(frame.picture, 8))
            else:
                yield frame

    return tally([right(entries[0])], read(missed()))


def tremble(seed: int) -> Counter[str]:
    """A card whose tail trembles at the gate for 1.5 s, by half a millimetre to eight."""
    entries, passing = film(seed, MILD)
    luck = np.random.default_rng(seed)
    one = trembling(passing[0], 150.0, float(luck.uniform(0.5, 8)), 1500.0)
    return tally([right(entries[0])], read(filmed([one], MILD, seed)))


def pair(seed: int, way: str, apart_mm: float, before: int = 0) -> Counter[str]:
    """Two cards at once, `before` of them cards one by one, from which their length is learnt.

    Told is `two_cards`, or two passages; silent is one card read as if it were alone.
    """
    luck = np.random.default_rng(seed)
    entries = order(seed, before + 2)
    named = [(one.token, one.card) for one in entries[:before]]
    passing = dealt(named, MILD, seed, deck(seed)) if before else []
    start = passing[-1].until_ms if before else 150.0
    upper, lower = (
        printed(one.token, one.card, deck(seed), MILD, luck) for one in entries[before:]
    )
    behind = {"behind": CARD[0] + apart_mm, "under": apart_mm}.get(way, 0.0)
    across = apart_mm if way == "sideways" else 0.0
    turn, end = luck.uniform(-3, 3), start + 400
    passing += [
        Passing(upper, straight(start + behind), start - 90, end, across, turn),
        Passing(lower, straight(start), start - 90, end, 0.0, turn),
    ]
    seen = read(filmed(passing, MILD, seed))[before:]
    two = len(seen) > 1 or any(one.unknown == "two_cards" for one in seen)
    return Counter(pairs=1, told=two, silent=len(seen) == 1 and bool(seen[0].card))


def run(share: float = 1.0) -> list[tuple[str, str]]:
    """All of it, or a share; (what, found)."""
    art = ", ".join(path.name for path in decks()) or "none here: blank cards alone"
    rows = [("artwork", art)]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for name, grade in GRADES.items():
            films = max(1, round(PASSAGES * share / CARDS))
            found = _sum(pool, partial(passages, grade=grade), films)
            unread = f"{found['unread'] / found['dealt']:.2%} unread"
            rows.append((f"{name}, {found['dealt']} passages", f"{_shares(found)}; {unread}"))
        found = _sum(pool, gaps, max(1, round(GAPS * share)))
        rows.append((f"{found['films']} gaps of three periods to 2 s", _words(found, "films")))
        for name, work, whole in (
            ("one to four dark pictures of a card", dark, DARK),
            ("a tail that trembles for 1.5 s", tremble, TREMBLES),
        ):
            found = _sum(pool, work, max(1, round(whole * share)))
            rows.append((f"{name}, {found['dealt']}", _shares(found)))
        for way, before, mms in PAIRED:
            for apart in mms:
                work = partial(pair, way=way, apart_mm=apart, before=before)
                found = _sum(pool, work, max(2, round(PAIRS * share / 16)))
                what = f"pairs, {way} by {apart:g} mm, {found['pairs']}"
                rows.append((what, _words(found, "pairs")))
    return rows


def _sum(pool: ProcessPoolExecutor, work: Callable[[int], Counter[str]], films: int) -> Counter:
    return sum(pool.map(work, range(films)), Counter())


def _shares(found: Counter[str]) -> str:
    names = ("right", "unread", "wrong", "doubled", "missed")
    return ", ".join(f"{found[name]} {name}" for name in names)


def _words(found: Counter[str], but: str) -> str:
    names = {"films": ("told", "lost", "wrong", "doubled"), "pairs": ("told", "silent")}[but]
    return ", ".join(f"{found[name]} {name}" for name in names)

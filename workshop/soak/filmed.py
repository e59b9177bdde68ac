"""The lip filmed by the second generator: passages, gaps, dark pictures, tremble, pairs of cards.

`scripts/soak --only filmed` runs it. `python -m workshop.soak.accuracy --only filmed` writes
the figures down next to the first generator's table. The artwork is sought in `../shared/data/art`,
or in the folder SCHLITTEN_ART.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import replace
from functools import partial

import cv2
import numpy as np

from tests.vision.filmed import (
    CARD,
    HARSH,
    HIGH,
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
from vision.lip import SHIPPED
from vision.manifest import LabelledCard
from vision.passage import DELAY_MS
from vision.reader import Reader, Sight
from workshop.soak.vision import shoe, tally

GRADES = {"mild": MILD, "medium": MEDIUM, "harsh": HARSH}
#: How many of each the whole run has.
PASSAGES, GAPS, DARK, TREMBLES, PAIRS = 10_000, 2_000, 500, 200, 1_000
CARDS = 20  # in one film
FEW = 4  # cards in a film with a gap, so that most of the film is near the gap
LEARNT, TOGETHER = 8, 10  # cards one by one, by which their size is learnt, then pairs, in a film
#: The ways in which two cards are shifted against each other, each by 0 to 12 mm.
WAYS = ("behind", "under", "sideways", "askew to both")
APART_MM = 12.0
#: The picture's rows for both long edges of a card (96 mm), and for the label; the shares of pairs.
LIPS = {
    "a lip that shows both long edges": (768, 1.0),
    "a lip that shows the label's rows": (HIGH, 0.2),
}


def order(seed: int, count: int = CARDS) -> list[LabelledCard]:
    """Choose some cards of the Schlitten."""
    luck = np.random.default_rng(seed)
    return [shoe().cards[place] for place in luck.choice(len(shoe().cards), count, replace=False)]


def deck(seed: int):
    """Choose one of the decks of artwork, if there are any. Every fourth film is of blank cards."""
    here = [*decks(), None]
    return here[seed % len(here)]


def film(seed: int, grade: Grade, count: int = CARDS) -> tuple[list[LabelledCard], list[Passing]]:
    """Choose some cards, and plan their way past the lip."""
    entries = order(seed, count)
    named = [(entry.token, entry.card) for entry in entries]
    return entries, dealt(named, grade, seed, deck(seed))


def read(frames: Iterator[Frame], told: list[str] | None = None) -> list:
    """The verdicts on a film. The reports that the lip was unseen are added to `told`."""
    return [seen for _due, seen in verdicts(frames, HIGH, told)]


def verdicts(frames: Iterator[Frame], high: int, told: list[str] | None = None) -> list:
    """The verdicts on a film of this height, each with its time. `told` is as in `read`."""
    cv2.setNumThreads(1)
    gaps = [] if told is None else told
    lip = replace(SHIPPED, height_px=high)
    reader = Reader(frames, Sight(manifest=shoe(), lip=lip), on_gap=gaps.append)
    return list(reader.passages())


def passages(seed: int, grade: Grade) -> Counter[str]:
    """Film some cards. Count how their passages were read."""
    entries, passing = film(seed, grade)
    told = verdicts(filmed(passing, grade, seed), HIGH)
    found = tally([right(one) for one in entries], [seen for _due, seen in told])
    return found | by_card(passing, [due_ms for due_ms, _seen in told])


def by_card(passing: list[Passing], due_ms: list[float]) -> Counter[str]:
    """Count doubled and missed cards by the time when each left the gate.

    So a card with two verdicts cannot hide a card with none.
    """
    left = np.array([left_ms(one) for one in passing]) + DELAY_MS
    told = Counter(int(np.abs(left - due).argmin()) for due in due_ms)
    doubled = sum(count - 1 for count in told.values())
    return Counter(doubled=doubled, missed=len(passing) - len(told))


def left_ms(one: Passing) -> float:
    """The time when the tail of a card that moves steadily is at the gate."""
    way = one.place(one.until_ms) - one.place(one.from_ms)
    speed = way / (one.until_ms - one.from_ms)
    return one.from_ms + (CARD[0] / 2 - one.place(one.from_ms)) / speed


def gaps(seed: int) -> Counter[str]:
    """Make a film in which the camera is away once, for between three frame periods and 2 s.

    A card counts as lost if no verdict is about it and no gap was reported.
    """
    entries, passing = film(seed, MILD, FEW)
    luck = np.random.default_rng(seed)
    start, length = luck.uniform(200, 650), 25 * (80 ** luck.random())
    until = max(passing[-1].until_ms, start + length) + 400  # the camera is back before the end
    frames = Film(MILD, seed).frames(passing, until, away=(start, start + length))
    told: list[str] = []
    found = tally([right(one) for one in entries], read(frames, told))
    alerted = bool(told)
    lost = found["missed"] + found["wrong"] + found["doubled"]
    return Counter(films=1, told=alerted, lost=lost if not alerted else 0, wrong=found["wrong"],
                   doubled=found["doubled"])  # fmt: skip


def dark(seed: int) -> Counter[str]:
    """Film a card with one to four dark frames while it is in the gate."""
    entries, passing = film(seed, MILD, 1)
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
    """Film a card whose tail trembles at the gate for 1.5 s, by half a millimetre to eight."""
    entries, passing = film(seed, MILD, 1)
    luck = np.random.default_rng(seed)
    one = trembling(passing[0], 150.0, float(luck.uniform(0.5, 8)), 1500.0)
    return tally([right(entries[0])], read(filmed([one], MILD, seed)))


def pairs(seed: int, way: str, high: int) -> list[tuple[float, str]]:
    """Film pairs of cards after single cards. Return each pair's distance and what was found.

    "told" means the verdict `two_cards`, or two passages. "stopped" means any other verdict without
    a card. "silent" means that one card was read as if it were alone.
    """
    luck = np.random.default_rng(seed)
    entries = order(seed, LEARNT + 2 * TOGETHER)
    named = [(one.token, one.card) for one in entries]
    passing = dealt(named[:LEARNT], MILD, seed, deck(seed))
    start, windows, apart = passing[-1].until_ms + 100, [], []
    for number in range(TOGETHER):
        apart.append(float(luck.uniform(0, APART_MM)))
        two = named[LEARNT + 2 * number : LEARNT + 2 * number + 2]
        sheets = [printed(*one, deck(seed), MILD, luck) for one in two]
        passing += pair(sheets, way, apart[-1], start, luck)
        windows.append(start)
        start += 2 * CARD[0] + APART_MM + 200
    seen = verdicts(filmed(passing, MILD, seed, high), high)
    told = []
    for apart_mm, begins in zip(apart, windows, strict=True):
        until = begins + 2 * CARD[0] + APART_MM + 200
        of_it = [one for due_ms, one in seen if begins <= due_ms - DELAY_MS < until]
        told.append((apart_mm, _said(of_it)))
    return told


def pair(
    sheets: Sequence[np.ndarray], way: str, apart_mm: float, start: float, luck: np.random.Generator
) -> list[Passing]:
    """Two cards that move together in this `way`. The leading card is nearer to the camera."""
    under, over = sheets
    behind = {"behind": CARD[0] + apart_mm, "under": apart_mm}.get(way, 0.0)
    across = apart_mm if way == "sideways" else 0.0
    if way == "askew to both":
        behind, across = apart_mm, float(luck.uniform(-APART_MM, APART_MM))
    turn, end = luck.uniform(-3, 3), start + 240
    return [
        Passing(under, straight(start + behind), start - 90, end, across, turn),
        Passing(over, straight(start), start - 90, end, 0.0, turn),
    ]


def _said(seen: list) -> str:
    if len(seen) > 1 or any(one.unknown == "two_cards" for one in seen):
        return "told"
    return "stopped" if seen and seen[0].unknown else "silent"


def paired(pool: Executor, way: str, high: int, count: int) -> str:
    """A sentence about `count` pairs: the findings, and the widest distance of a "silent" pair."""
    films = range(max(1, round(count / TOGETHER)))
    told = [one for some in pool.map(partial(pairs, way=way, high=high), films) for one in some]
    said = Counter(word for _, word in told)
    least = max((apart for apart, word in told if word == "silent"), default=None)
    words = ", ".join(f"{said[word]} {word}" for word in ("told", "stopped", "silent"))
    return f"{words}; {said['told'] / len(told):.1%} told" + (
        "" if least is None else f", silent to {least:.2f} mm"
    )


def run(share: float = 1.0) -> list[tuple[str, str]]:
    """Run a share of all parts. Return rows of name and finding."""
    art = ", ".join(path.name for path in decks()) or "none here: blank cards alone"
    rows = [("artwork", art)]
    with ProcessPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for name, grade in GRADES.items():
            films = max(1, round(PASSAGES * share / CARDS))
            found = _sum(pool, partial(passages, grade=grade), films)
            unread = f"{found['unread'] / found['dealt']:.2%} unread"
            rows.append((f"{name}, {found['dealt']} passages", f"{_shares(found)}; {unread}"))
        found = _sum(pool, gaps, max(1, round(GAPS * share)))
        words = ", ".join(f"{found[name]} {name}" for name in ("told", "lost", "wrong", "doubled"))
        rows.append((f"{found['films']} gaps of three periods to 2 s", words))
        for name, work, whole in (
            ("one to four dark pictures of a card", dark, DARK),
            ("a tail that trembles for 1.5 s", tremble, TREMBLES),
        ):
            found = _sum(pool, work, max(1, round(whole * share)))
            rows.append((f"{name}, {found['dealt']}", _shares(found)))
        for lip, (high, part) in LIPS.items():
            for way in WAYS:
                count = round(PAIRS * share * part / len(WAYS))
                found = paired(pool, way, high, count)
                rows.append((f"pairs {way} by 0 to 12 mm, {lip}", found))
    return rows


def _sum(pool: Executor, work: Callable[[int], Counter[str]], films: int) -> Counter:
    return sum(pool.map(work, range(films)), Counter())


def _shares(found: Counter[str]) -> str:
    names = ("right", "unread", "wrong", "doubled", "missed")
    return ", ".join(f"{found[name]} {name}" for name in names)

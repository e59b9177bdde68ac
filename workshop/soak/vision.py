"""Barcodes read from filmed passages: whole Schlitten, beyond the ranges, and attacks.

`scripts/soak --only vision` runs it, and `python -m workshop.soak.accuracy` writes the
figures down.
"""

from __future__ import annotations

import itertools
import os
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import cache

import cv2

from table_controller.engine.seen import Seen
from tests.vision.scenarios import right, scenarios
from vision import manifest
from vision.generator import AS_BUILT, Conditions, film, mixed, plan, schlitten
from vision.reader import Reader, Sight
from workshop.soak import attacks

KEY = bytes(range(32))
SCHLITTEN = 100
BEYOND_CARDS = 104  # of each row beyond the ranges

#: The condition taken beyond its range, how far, and the fields of `Conditions` that this changes.
BEYOND: dict[str, tuple[tuple[float, ...], Callable[[float], dict[str, object]]]] = {
    "motion blur, px": ((4, 5, 6, 7, 8, 10), lambda px: {"blur_px": (px, px)}),
    "noise sigma": ((12, 18, 25, 35), lambda sigma: {"noise": (sigma, sigma)}),
    "light, +- %": ((30, 50, 70), lambda light: {"light": light / 100}),
    "uneven light, +- % to an edge": ((15, 30, 45), lambda slope: {"uneven": slope / 100}),
    "tilt, +- degrees": ((5, 10, 15, 20), lambda tilt: {"tilt_deg": tilt}),
    "gap between cards, ms": ((25, 15, 10, 5, 0), lambda gap: {"gap_ms": (gap, gap)}),
    "off the middle, +- mm": ((1.5, 3, 5), lambda off: {"across_mm": off}),
    "speed, m/s, blur with it": (
        (1, 1.5, 2, 3),
        lambda speed: {"speed_mps": (speed, speed), "blur_px": (0.0, 4 * speed)},
    ),
    "frames per second": ((120, 90, 60, 40, 30), lambda fps: {"fps": fps}),
}


@cache
def shoe(packs: int = 6) -> manifest.Manifest:
    """The manifest of the Schlitten from which the cards are dealt."""
    return manifest.make("soak", KEY, packs)


def one_schlitten(seed: int) -> Counter[str]:
    """Film and read a whole Schlitten. Count how its 313 passages were read."""
    cv2.setNumThreads(1)
    order = mixed(shoe(), seed)
    reader = Reader(schlitten(shoe(), seed), Sight(manifest=shoe()))
    return tally([right(entry) for entry in order], [seen for _due, seen in reader.passages()])


def beyond(conditions: Conditions, cards: int, seed: int = 1) -> Counter[str]:
    """Film and read some cards under other conditions. Count how they were read."""
    cv2.setNumThreads(1)
    order = mixed(shoe(), seed)[:cards]
    frames = film(plan(order, seed, conditions), fps=conditions.fps)
    reader = Reader(frames, Sight(manifest=shoe()))
    return tally([right(entry) for entry in order], [seen for _due, seen in reader.passages()])


def tally(dealt: list[Seen], read: list[Seen]) -> Counter[str]:
    """Count right, unread (a passage that stops the coup), wrong, doubled and missed cards.

    The white cut card is counted too. A read card that is not among the cards dealt since the card
    read before it is wrong, or doubled if it had been read before. A dealt card without a verdict
    is missed. If there are more verdicts than cards, read or not, the surplus counts as doubled.
    """
    found: Counter[str] = Counter(dealt=len(dealt), verdicts=len(read))
    place, before = 0, set()
    for seen in read:
        if seen.unknown:
            found["unread"] += 1
        elif seen in dealt[place:]:
            place = dealt.index(seen, place) + 1
            found["right"] += 1
            if seen.white:
                found[f"white with {len(dealt) - place} left"] += 1
        else:
            found["doubled" if seen in before else "wrong"] += 1
        before.add(seen)
    more = len(read) - len(dealt)
    found["missed"] = max(0, -more)
    found["doubled"] += max(0, more - found["doubled"] - found["wrong"])
    return found


def run(share: float = 1.0) -> list[tuple[str, str]]:
    """Run a share of all parts. Return rows of name and finding."""
    return [*_schlitten_rows(share), *_attack_rows(share), *_beyond_rows(share)]


def _schlitten_rows(share: float) -> list[tuple[str, str]]:
    count = max(1, round(SCHLITTEN * share))
    began, total = time.monotonic(), Counter()
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for found in pool.map(one_schlitten, range(count)):
            total += found
    seconds = time.monotonic() - began
    rows = [
        (f"{count} Schlitten as built, passages", str(total["dealt"])),
        *((name, str(total[name])) for name in ("right", "wrong", "doubled", "unread", "missed")),
        ("white card read with seven cards left", f"{total['white with 7 left']} of {count}"),
        ("minutes for these", f"{seconds / 60:.1f}"),
    ]
    if not total["wrong"] + total["doubled"]:
        bound = f"under {3 / total['right']:.2%} at 95 % confidence (3 / passages)"
        rows.append(("error rate that this proves", bound))
    return rows


def _attack_rows(share: float) -> list[tuple[str, str]]:
    frames = attacks.frames(shoe(), max(200, round(10_000 * share)))
    pictures = attacks.pictures(shoe(), max(50, round(1000 * share)))
    together = sum(frames.values(), Counter())
    seen = f"{pictures['pictures']} pictures, {pictures['accepted']} accepted"
    return [
        *((f"attack: {name}", _accepted(found)) for name, found in frames.items()),
        ("attacks together", _accepted(together)),
        ("pictures of felt, backs, hands, print, other codes, scraps of labels", seen),
    ]


def _accepted(found: Counter[str]) -> str:
    return f"{found['frames']} frames, {found['passages']} cards, {found['accepted']} accepted"


def _beyond_rows(share: float) -> list[tuple[str, str]]:
    cards = max(4, round(BEYOND_CARDS * share))
    cases = [
        (f"{what} {value:g}", replace(AS_BUILT, **change(value)))
        for what, (values, change) in BEYOND.items()
        for value in values
    ]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        done = pool.map(beyond, [case for _, case in cases], [cards] * len(cases))
        return [(name, _shares(found)) for (name, _), found in zip(cases, done, strict=True)]


def _shares(found: Counter[str]) -> str:
    wrong = found["wrong"] + found["doubled"]
    share = found["right"] / found["dealt"]
    return f"{share:.1%} right, {found['unread']} unread, {found['missed']} missed, {wrong} wrong"


def lip_rows() -> list[tuple[str, str]]:
    """A row for each scenario at the lip: what happens, and the verdicts that are expected."""
    other = manifest.make("other", KEY)
    return [(each.name, _verdicts(each.expected)) for each in scenarios(shoe(), other, 0)]


def _verdicts(expected: tuple[Seen, ...]) -> str:
    """The verdicts in words, such as `card, no_read, card`. Equal ones are counted."""
    words = ["white card" if one.white else one.unknown or "card" for one in expected]
    runs = [(word, len(list(run))) for word, run in itertools.groupby(words)]
    return ", ".join(word if count == 1 else f"{count} x {word}" for word, count in runs)

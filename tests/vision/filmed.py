"""A lip filmed by another camera than ours: the second generator, which shares no line with it.

Every pixel's ray is followed to the plane of the cards: a lens that bends, rows that are taken one
after the other, a card that moves meanwhile. Cards are printed artwork with printed labels; light
hangs on the mains, glares and falls off; pixels count photons; the picture comes as MJPEG.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import segno

from vision.frame import Frame

#: Card artwork: folders of `7H.png`. Where there is none, cards are blank paper with a label.
ART = Path(os.environ.get("SCHLITTEN_ART", Path(__file__).parents[3] / "shared/data/art"))
WIDE, HIGH = 640, 192  # of a picture, px
SCALE = 8.0  # px/mm
CARD = (63.0, 88.0)  # mm
FINE = 12  # px/mm of a card as printed
PAPER, INK, LIP = 200, 30, 22  # levels
ELECTRONS = 40.0  # a level
EXPOSURE_MS, ROW_MS = 0.5, 0.025


@dataclass(frozen=True, kw_only=True)
class Grade:
    """How hard it is; each range is drawn from for each card, up to what is named here."""

    defocus_px: float = 1.0
    jpeg: int = 80
    dropout: float = 0.01  # of the label's toner
    off_mm: float = 2.0  # of the label, in any direction
    askew_deg: float = 4.0  # of the label
    mains: float = 0.2  # depth of the light at 100 Hz
    glare: float = 0.0  # levels, on a third of the lip
    dirt: int = 0  # specks on the window
    creases: int = 0
    gap_ms: tuple[float, float] = (30.0, 150.0)
    fps: float = 120.0


MILD = Grade()
MEDIUM = Grade(defocus_px=2, jpeg=60, dropout=0.03, off_mm=3, askew_deg=8, mains=0.4, glare=60)
HARSH = Grade(defocus_px=3, jpeg=40, dropout=0.1, off_mm=5, askew_deg=15, mains=0.8, glare=60,
              dirt=40, creases=3)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Passing:
    """A printed card, and where its middle is past the gate, mm, at a time; its turn, deg."""

    printed: np.ndarray
    place: Callable[[float], float]
    from_ms: float
    until_ms: float
    across_mm: float = 0.0
    turn_deg: float = 0.0


def decks() -> list[Path]:
    """The decks of artwork that are here."""
    return sorted(path for path in ART.glob("*") if path.is_dir())


@lru_cache(maxsize=64)
def _face(card: str | None, deck: Path | None) -> np.ndarray:
    """A card's face in grey, as large as a card."""
    size = (round(CARD[0] * FINE), round(CARD[1] * FINE))
    rank = {"T": "10", "A": "A"}.get(card[0], card[0]) if card else ""
    path = deck / f"{rank}{card[1].upper()}.png" if deck and card else None
    if path is None or not path.exists():
        return np.full(size[::-1], PAPER, np.float32)
    art = cv2.imread(str(path), cv2.IMREAD_UNCHANGED).astype(np.float32)
    shown = cv2.cvtColor(art[..., :3], cv2.COLOR_BGR2GRAY)
    if art.shape[2] == 4:
        solid = art[..., 3] / 255
        shown = shown * solid + 255 * (1 - solid)
    grey = INK + shown / 255 * (PAPER - INK)
    return cv2.resize(grey, size, interpolation=cv2.INTER_AREA)


def printed(
    token: str | None, card: str | None, deck: Path | None, grade: Grade, luck: np.random.Generator
) -> np.ndarray:
    """A card with its label stuck on by hand, and rounded corners; below 0 there is no card."""
    sheet = _face(card, deck).copy()
    high, wide = sheet.shape
    if token:
        modules = np.array(segno.make_qr(token, version=1, error="m", boost_error=False).matrix)
        label = np.pad(modules, 4).repeat(6, 0).repeat(6, 1)  # 0.5 mm each
        specks = cv2.resize(luck.random((58, 58)).astype(np.float32), label.shape[::-1])
        threshold = np.quantile(specks, grade.dropout)
        levels = np.where(label.astype(bool) & (specks >= threshold), INK, PAPER + 8)
        turn = luck.uniform(-grade.askew_deg, grade.askew_deg) + 90 * luck.integers(4)
        middle = (label.shape[1] / 2, label.shape[0] / 2)
        way = cv2.getRotationMatrix2D(middle, turn, 1)
        for axis, side in enumerate((wide, high)):
            off = luck.uniform(-grade.off_mm, grade.off_mm) * FINE / math.sqrt(2)
            way[axis, 2] += side / 2 - middle[axis] + off
        cv2.warpAffine(levels.astype(np.float32), way, (wide, high), dst=sheet,
                       borderMode=cv2.BORDER_TRANSPARENT)  # fmt: skip
    for _ in range(grade.creases):
        ends = [(int(luck.integers(wide)), int(luck.integers(high))) for _ in range(2)]
        cv2.line(sheet, ends[0], ends[1], float(luck.uniform(120, 240)), 3, cv2.LINE_AA)
    round_ = 3.5 * FINE
    x, y = np.meshgrid(np.arange(wide), np.arange(high))
    out_x = np.maximum(np.maximum(round_ - x, x - (wide - 1 - round_)), 0)
    out_y = np.maximum(np.maximum(round_ - y, y - (high - 1 - round_)), 0)
    sheet[out_x**2 + out_y**2 > round_**2] = -1000
    return sheet


def straight(start_ms: float, speed: float = 1.0) -> Callable[[float], float]:
    """The way of a card whose leading edge is at the gate at `start_ms`; m/s is mm/ms."""
    return lambda t_ms: (t_ms - start_ms) * speed - CARD[0] / 2


def dealt(
    cards: Sequence[tuple[str, str | None]], grade: Grade, seed: int, deck: Path | None
) -> list[Passing]:
    """These (token, card) one after the other at a metre a second."""
    luck = np.random.default_rng(seed)
    passing, start = [], 150.0
    for token, card in cards:
        sheet = printed(token, card, deck, grade, luck)
        sheet = sheet[::-1, ::-1] if luck.integers(2) else sheet
        across, turn = luck.uniform(-1.5, 1.5), luck.uniform(-4, 4)
        passing.append(Passing(sheet, straight(start), start - 60, start + 130, across, turn))
        start += CARD[0] + luck.uniform(*grade.gap_ms)
    return passing


class Film:
    """The camera; one light and one window for all that it films."""

    def __init__(self, grade: Grade, seed: int) -> None:
        self.grade, self._luck = grade, np.random.default_rng(seed + 7919)
        luck = self._luck
        bend, level = luck.uniform(-0.03, 0.03), math.radians(luck.uniform(-0.7, 0.7))
        x, y = np.meshgrid((np.arange(WIDE) - WIDE / 2), (np.arange(HIGH) - HIGH / 2))
        radius = (x**2 + y**2) / (WIDE / 2) ** 2
        x, y = x * (1 + bend * radius) / SCALE, y * (1 + bend * radius) / SCALE
        self._x = (x * math.cos(level) - y * math.sin(level)).astype(np.float32)
        self._y = (x * math.sin(level) + y * math.cos(level)).astype(np.float32)
        self._rows_ms = np.arange(HIGH, dtype=np.float32)[:, None] * ROW_MS
        self._fall_off = (1.05 - 0.2 * radius).astype(np.float32) * luck.uniform(0.85, 1.15)
        self._window = np.zeros((HIGH, WIDE), np.float32)
        for _ in range(grade.dirt):
            at = (int(luck.integers(WIDE)), int(luck.integers(HIGH)))
            cv2.circle(self._window, at, int(luck.integers(1, 4)), luck.uniform(-90, 40), -1)
        self._glare = np.zeros((HIGH, WIDE), np.float32)
        if grade.glare:
            left = int(luck.integers(WIDE * 2 // 3))
            self._glare[:, left : left + WIDE // 3] = luck.uniform(0.5, 1) * grade.glare
            self._glare = cv2.GaussianBlur(self._glare, (0, 0), 25)
        self._depth, self._phase = luck.uniform(0.5, 1) * grade.mains, luck.uniform(0, math.tau)
        reach = luck.uniform(0.5, 1) * grade.defocus_px
        span = np.arange(-4, 5)
        disc = np.clip(reach + 0.5 - np.hypot(*np.meshgrid(span, span)), 0, 1)
        self._disc = (disc / disc.sum()).astype(np.float32)

    def frames(self, passing: Sequence[Passing], until_ms: float) -> Iterator[Frame]:
        """The pictures; a later card in the list is nearer the camera."""
        for number in range(int(until_ms * self.grade.fps / 1000) + 1):
            t_ms = number * 1000 / self.grade.fps
            there = [one for one in passing if one.from_ms <= t_ms <= one.until_ms]
            yield Frame(t_ms, self.picture(t_ms, there))

    def picture(self, t_ms: float, there: Sequence[Passing]) -> np.ndarray:
        """What the sensor sees from `t_ms` on, row after row."""
        light = np.full((HIGH, WIDE), LIP, np.float32)
        if there:
            steps = [(n + 0.5) / 3 * EXPOSURE_MS for n in range(3)]
            light = np.mean([self._sharp(t_ms + step, there) for step in steps], axis=0)
        light = cv2.filter2D(light, -1, self._disc)
        swing = 1 + self._depth * np.sin(math.tau * (t_ms + self._rows_ms) / 10 + self._phase)
        shine = self._glare * np.clip((light - LIP) / (PAPER - LIP), 0, 1)  # off paper
        light = np.clip(light * self._fall_off * swing + shine + self._window, 0, 255)
        noise = self._luck.standard_normal(light.shape, dtype=np.float32)
        light += noise * (np.sqrt(light / ELECTRONS) + 1)
        level = np.clip(light, 0, 255).astype(np.uint8)
        _, packed = cv2.imencode(".jpg", level, [cv2.IMWRITE_JPEG_QUALITY, self.grade.jpeg])
        return cv2.imdecode(packed, cv2.IMREAD_GRAYSCALE)

    def _sharp(self, t_ms: float, there: Sequence[Passing]) -> np.ndarray:
        seen = np.full((HIGH, WIDE), LIP, np.float32)
        for one in there:
            mid, soon = one.place(t_ms), one.place(t_ms + 1)
            x = self._x - (mid + (soon - mid) * self._rows_ms)
            y = self._y - one.across_mm
            c, s = math.cos(math.radians(one.turn_deg)), math.sin(math.radians(one.turn_deg))
            u, v = (x * c + y * s + CARD[0] / 2) * FINE, (-x * s + y * c + CARD[1] / 2) * FINE
            card = cv2.remap(one.printed, u, v, cv2.INTER_LINEAR, borderValue=-1000)
            np.copyto(seen, card, where=card >= 0)
        return seen


def filmed(passing: Sequence[Passing], grade: Grade, seed: int) -> Iterator[Frame]:
    """All of it from before the first card until after the last."""
    end = max(one.until_ms for one in passing) + 400
    return Film(grade, seed).frames(passing, end)


def trembling(one: Passing, start_ms: float, reach_mm: float, for_ms: float) -> Passing:
    """The same, whose tail trembles at the gate, at 9 Hz, for a time, and then goes on."""
    stay = start_ms + CARD[0]  # its tail is at the gate then

    def place(t_ms: float) -> float:
        on = straight(start_ms)
        if t_ms < stay:
            return on(t_ms)
        if t_ms < stay + for_ms:
            return CARD[0] / 2 + reach_mm * math.sin(math.tau * (t_ms - stay) * 0.009)
        return on(t_ms - for_ms)

    return replace(one, place=place, until_ms=one.until_ms + for_ms)

"""A second generator of lip films, which shares no line of code with the first.

Every pixel's ray is traced to the plane of the cards, with lens distortion, a rolling shutter and a
card that moves meanwhile. Cards are printed artwork with printed labels. The light flickers with
the mains, glares and falls off. Pixels count photons, and the pictures are MJPEG.
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

#: Card artwork: folders of `7H.png`. Without any, cards are blank paper with a label.
ART = Path(os.environ.get("SCHLITTEN_ART", Path(__file__).parents[3] / "shared/data/art"))
WIDE, HIGH = 640, 192  # of a picture, px
SCALE = 8.0  # px/mm
CARD = (63.0, 88.0)  # mm
FINE = 12  # px/mm of a card as printed
LINE = 6  # px cut off the edges of artwork
BEYOND = CARD[0] / 2 + 8  # mm from the picture's edge to the middle of a card that is out of sight
BARE = 4  # pictures of the empty lip for each phase of the light
PAPER, INK, LIP = 200, 30, 22  # levels
ELECTRONS = 40.0  # per level


@dataclass(frozen=True, kw_only=True)
class Grade:
    """How hard it is to read; each card draws each value, up to the maximum given here."""

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
    exposure_ms: float = 0.5
    row_ms: float = 0.025  # from one row to the next


MILD = Grade()
MEDIUM = Grade(defocus_px=2, jpeg=60, dropout=0.03, off_mm=3, askew_deg=8, mains=0.4, glare=60)
HARSH = Grade(defocus_px=3, jpeg=40, dropout=0.1, off_mm=5, askew_deg=15, mains=0.8, glare=60,
              dirt=40, creases=3)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Passing:
    """A printed card, how far its middle is past the gate at each time, mm, and its turn, deg."""

    printed: np.ndarray
    place: Callable[[float], float]
    from_ms: float
    until_ms: float
    across_mm: float = 0.0
    turn_deg: float = 0.0


def decks() -> list[Path]:
    """The decks of artwork that are here."""
    return sorted(path for path in ART.glob("*") if path.is_dir())


@lru_cache(maxsize=256)
def _face(card: str | None, deck: Path | None) -> np.ndarray:
    """A card's face in grey, as large as a card; without the outline of the drawing."""
    size = (round(CARD[0] * FINE), round(CARD[1] * FINE))
    rank = {"T": "10", "A": "A"}.get(card[0], card[0]) if card else ""
    path = deck / f"{rank}{card[1].upper()}.png" if deck and card else None
    if path is None or not path.exists():
        return np.full(size[::-1], PAPER, np.uint8)
    art = cv2.imread(str(path), cv2.IMREAD_UNCHANGED).astype(np.float32)
    shown = cv2.cvtColor(art[..., :3], cv2.COLOR_BGR2GRAY)
    if art.shape[2] == 4:
        solid = art[..., 3] / 255
        shown = shown * solid + 255 * (1 - solid)
    grey = (INK + shown / 255 * (PAPER - INK))[LINE:-LINE, LINE:-LINE]
    return cv2.resize(grey, size, interpolation=cv2.INTER_AREA).astype(np.uint8)


@lru_cache(maxsize=1)
def _shape() -> np.ndarray:
    """Mask of the card: 1 except at the rounded corners."""
    wide, high = (round(side * FINE) for side in CARD)
    round_ = 3.5 * FINE
    x, y = np.meshgrid(np.arange(wide), np.arange(high))
    out_x = np.maximum(np.maximum(round_ - x, x - (wide - 1 - round_)), 0)
    out_y = np.maximum(np.maximum(round_ - y, y - (high - 1 - round_)), 0)
    return np.where(out_x**2 + out_y**2 > round_**2, 0, 1).astype(np.float32)


def printed(
    token: str | None, card: str | None, deck: Path | None, grade: Grade, luck: np.random.Generator
) -> np.ndarray:
    """A card with its label stuck on by hand: grey levels, those of the lip beyond its corners."""
    sheet = _face(card, deck).copy()
    high, wide = sheet.shape
    if token:
        mask = int(luck.integers(8))  # choosing the best takes longer than filming the card
        code = segno.make_qr(token, version=1, error="m", boost_error=False, mask=mask)
        modules = np.array(code.matrix)
        label = np.pad(modules, 4).repeat(6, 0).repeat(6, 1)  # 0.5 mm each
        specks = cv2.resize(luck.random((58, 58)).astype(np.float32), label.shape[::-1])
        threshold = np.quantile(specks, grade.dropout)
        levels = np.where(label.astype(bool) & (specks >= threshold), INK, PAPER + 8)
        turn = luck.uniform(-grade.askew_deg, grade.askew_deg) + 90 * luck.integers(4)
        middle = (label.shape[1] / 2, label.shape[0] / 2)
        way = cv2.getRotationMatrix2D(middle, turn, 1)
        half = label.shape[0]  # a patch with room for any turn and offset
        for axis in range(2):
            off = luck.uniform(-grade.off_mm, grade.off_mm) * FINE / math.sqrt(2)
            way[axis, 2] += half - middle[axis] + off
        patch = np.ascontiguousarray(sheet[high // 2 - half : high // 2 + half,
                                           wide // 2 - half : wide // 2 + half])  # fmt: skip
        cv2.warpAffine(levels.astype(np.uint8), way, (2 * half, 2 * half), dst=patch,
                       borderMode=cv2.BORDER_TRANSPARENT)  # fmt: skip
        sheet[high // 2 - half : high // 2 + half, wide // 2 - half : wide // 2 + half] = patch
    for _ in range(grade.creases):
        ends = [(int(luck.integers(wide)), int(luck.integers(high))) for _ in range(2)]
        cv2.line(sheet, ends[0], ends[1], float(luck.uniform(120, 240)), 3, cv2.LINE_AA)
    sheet[_shape() == 0] = LIP
    return sheet.astype(np.float32)


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
        sheet = cv2.rotate(sheet, cv2.ROTATE_180) if luck.integers(2) else sheet
        across, turn = luck.uniform(-1.5, 1.5), luck.uniform(-4, 4)
        passing.append(Passing(sheet, straight(start), start - 60, start + 130, across, turn))
        start += CARD[0] + luck.uniform(*grade.gap_ms)
    return passing


@lru_cache(maxsize=1)
def _normal() -> np.ndarray:
    """Noise enough for many pictures: each starts somewhere else in it."""
    return np.random.default_rng(5).standard_normal(1 << 22, dtype=np.float32)


class Film:
    """The camera; one light and one window for all that it films, `high` rows of it."""

    def __init__(self, grade: Grade, seed: int, high: int = HIGH, wide: int = WIDE) -> None:
        self.grade, self._luck = grade, np.random.default_rng(seed + 7919)
        self._in_sight, luck = wide / SCALE / 2 + BEYOND, self._luck
        bend, level = luck.uniform(-0.03, 0.03), math.radians(luck.uniform(-0.7, 0.7))
        x, y = np.meshgrid((np.arange(wide) - wide / 2), (np.arange(high) - high / 2))
        radius = (x**2 + y**2) / (wide / 2) ** 2
        x, y = x * (1 + bend * radius) / SCALE, y * (1 + bend * radius) / SCALE
        self._x = (x * math.cos(level) - y * math.sin(level)).astype(np.float32)
        self._y = (x * math.sin(level) + y * math.cos(level)).astype(np.float32)
        self._rows_ms = np.arange(high, dtype=np.float32)[:, None] * grade.row_ms
        self._fall_off = (1.05 - 0.2 * radius).astype(np.float32) * luck.uniform(0.85, 1.15)
        self._window = np.zeros((high, wide), np.float32)
        for _ in range(grade.dirt):
            at = (int(luck.integers(wide)), int(luck.integers(high)))
            cv2.circle(self._window, at, int(luck.integers(1, 4)), luck.uniform(-90, 40), -1)
        self._glare = np.zeros((high, wide), np.float32)
        if grade.glare:
            left = int(luck.integers(wide * 2 // 3))
            self._glare[:, left : left + wide // 3] = luck.uniform(0.5, 1) * grade.glare
            self._glare = cv2.GaussianBlur(self._glare, (0, 0), 25) / (PAPER - LIP)
        self._depth, self._phase = luck.uniform(0.5, 1) * grade.mains, luck.uniform(0, math.tau)
        reach = luck.uniform(0.5, 1) * grade.defocus_px
        span = np.arange(-int(reach + 1), int(reach + 1) + 1)
        disc = np.clip(reach + 0.5 - np.hypot(*np.meshgrid(span, span)), 0, 1)
        self._disc = (disc / disc.sum()).astype(np.float32)
        self._empty: dict[int, np.ndarray] = {}
        self._light, self._much, self._seen, self._card, *self._maps = (
            np.empty((high, wide), np.float32) for _ in range(9)
        )

    def frames(
        self, passing: Sequence[Passing], until_ms: float, away: tuple[float, float] = (0.0, 0.0)
    ) -> Iterator[Frame]:
        """The pictures, except while the camera is `away`; later cards are nearer to it."""
        for number in range(int(until_ms * self.grade.fps / 1000) + 1):
            t_ms = number * 1000 / self.grade.fps
            if away[0] < t_ms < away[1]:
                continue
            there = [one for one in passing if one.from_ms <= t_ms <= one.until_ms]
            there = [one for one in there if abs(one.place(t_ms)) < self._in_sight]
            yield Frame(t_ms, self.picture(t_ms, there) if there else self._bare(number))

    def _bare(self, number: int) -> np.ndarray:
        """The empty lip: some pictures of it over and over, each at its time in the light."""
        fps = round(self.grade.fps)
        swings = fps // math.gcd(fps, 100)  # pictures until the light's cycle repeats
        key = int(number % (swings * BARE))
        if key not in self._empty:
            self._empty[key] = self.picture(key * 1000 / self.grade.fps, ())
        return self._empty[key]

    def picture(self, t_ms: float, there: Sequence[Passing]) -> np.ndarray:
        """What the sensor sees from `t_ms` on, row after row."""
        light = self._light
        if there:
            mid_ms = t_ms + self.grade.exposure_ms / 2
            way_mm = there[-1].place(t_ms + self.grade.exposure_ms) - there[-1].place(t_ms)
            reach = int(abs(way_mm) * SCALE / 2) + 1
            smear = np.clip(abs(way_mm) * SCALE / 2 + 1 - abs(np.arange(-reach, reach + 1)), 0, 1)
            cv2.filter2D(self._sharp(mid_ms, there), -1, smear[None] / smear.sum(), dst=self._much)
            cv2.filter2D(self._much, -1, self._disc, dst=light)
        else:
            light.fill(LIP)
        swing = 1 + self._depth * np.sin(math.tau * (t_ms + self._rows_ms) / 10 + self._phase)
        much = self._much  # one buffer for all steps: allocating costs more than computing
        np.multiply(self._fall_off, swing.astype(np.float32), out=much)
        if self.grade.glare:  # off paper
            much += self._glare
            light *= much
            np.multiply(self._glare, LIP, out=much)
            light -= much
        else:
            light *= much
        if self.grade.dirt:
            light += self._window
        np.clip(light, 0, 255, out=light)
        start = int(self._luck.integers(_normal().size - light.size))
        np.sqrt(np.multiply(light, 1 / ELECTRONS, out=much), out=much)
        much += 1
        much *= _normal()[start : start + light.size].reshape(light.shape)
        light += much
        level = cv2.convertScaleAbs(np.maximum(light, 0, out=light))
        _, packed = cv2.imencode(".jpg", level, [cv2.IMWRITE_JPEG_QUALITY, self.grade.jpeg])
        return cv2.imdecode(packed, cv2.IMREAD_GRAYSCALE)

    def _sharp(self, t_ms: float, there: Sequence[Passing]) -> np.ndarray:
        seen, card, (x, y, u, v, much) = self._seen, self._card, self._maps
        seen.fill(LIP)
        for number, one in enumerate(there):
            mid, soon = one.place(t_ms), one.place(t_ms + 1)
            np.subtract(self._x, mid + (soon - mid) * self._rows_ms, out=x)
            np.subtract(self._y, one.across_mm, out=y)
            c, s = (FINE * part(math.radians(one.turn_deg)) for part in (math.cos, math.sin))
            np.add(np.multiply(x, c, out=u), np.multiply(y, s, out=much), out=u)
            np.subtract(np.multiply(y, c, out=v), np.multiply(x, s, out=much), out=v)
            u += CARD[0] / 2 * FINE
            v += CARD[1] / 2 * FINE
            cv2.remap(one.printed, u, v, cv2.INTER_LINEAR, dst=card, borderValue=LIP)
            if any(abs(mid - other.place(t_ms)) < CARD[0] + 8 for other in there[:number]):
                cv2.remap(_shape(), u, v, cv2.INTER_LINEAR, dst=much)
                card -= seen
                card *= much
                seen += card
            else:  # nothing is darker than the lip
                np.maximum(seen, card, out=seen)
        return seen


def filmed(
    passing: Sequence[Passing], grade: Grade, seed: int, high: int = HIGH, wide: int = WIDE
) -> Iterator[Frame]:
    """All of it from before the first card until after the last."""
    end = max(one.until_ms for one in passing) + 400
    return Film(grade, seed, high, wide).frames(passing, end)


def trembling(one: Passing, start_ms: float, reach_mm: float, for_ms: float) -> Passing:
    """The same card, its tail trembling at the gate at 9 Hz for a time before it goes on."""
    stay = start_ms + CARD[0]  # its tail is at the gate then

    def place(t_ms: float) -> float:
        on = straight(start_ms)
        if t_ms < stay:
            return on(t_ms)
        if t_ms < stay + for_ms:
            return CARD[0] / 2 + reach_mm * math.sin(math.tau * (t_ms - stay) * 0.009)
        return on(t_ms - for_ms)

    return replace(one, place=place, until_ms=one.until_ms + for_ms)

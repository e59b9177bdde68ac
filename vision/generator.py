"""Recordings of cards sliding past the lip, made from a seed. It knows no decoder and no verdict.

The module is the twin of a lip camera. Like a camera it yields grey frames at a fixed rate, with
blur along the motion, noise, uneven light and tilt. The frames are 640 columns by 192 rows. The
card slides along the rows, and fewer rows mean more frames a second. So a lip camera is set to
the rows that can contain a label. `rows=480` gives the whole frame.

The white cut card is a plain white card with its own label. A lost label or a glaring lamp also
looks like blank paper, and must not end a Schlitten.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.cardstock import Stock
from vision.frame import Frame, Pixels
from vision.lip import SHIPPED, Lip
from vision.manifest import LabelledCard, Manifest

CUT_CARD_FROM_END = 7
_EMPTY_LEVEL = 28  # the lip's black inside
_NOISE_BANK = (1100, 1500)


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    """The disturbances of a film. Each passage gets one value at random from each range.

    Attributes:
        blur_px: motion blur while the card moves at its full speed.
        noise: standard deviation, on a contrast of 150 between paper and ink.
        light: how much the overall light varies; 0.3 means plus or minus 30 %.
        uneven: additional change of light from the middle to an edge, in any direction.
        tilt_deg: the greatest angle by which the card is turned, either way.
        across_mm: the greatest distance of the card from the middle, either way.
        gap_ms: the time from one card's end to the next card's start, at the gate.
        speed_mps: the card's speed, in metres per second.
        fps: frames per second.
    """

    blur_px: tuple[float, float] = (0.0, 4.0)
    noise: tuple[float, float] = (6.0, 12.0)
    light: float = 0.3
    uneven: float = 0.15
    tilt_deg: float = 5.0
    across_mm: float = 1.5
    gap_ms: tuple[float, float] = (25.0, 150.0)
    speed_mps: tuple[float, float] = (1.0, 1.0)
    fps: float = 120.0


AS_BUILT = Conditions()


@dataclass(frozen=True, slots=True)
class Slide:
    """One card's way past the gate.

    Attributes:
        stock: the card.
        way: points in order of time. Each is a time (ms) and how far (mm) the leading edge is then
            past the gate; between points the motion is steady. Before the first and after the last
            point the card is out of sight.
        tilt_deg, across_mm, blur_px, noise, light: the conditions drawn for this passage.
        slope: the change of light along and across, per frame.
        phase: the place at which this passage starts in the noise that was drawn beforehand.
    """

    stock: Stock
    way: tuple[tuple[float, float], ...]
    tilt_deg: float = 0.0
    across_mm: float = 0.0
    blur_px: float = 0.0
    noise: float = 6.0
    light: float = 1.0
    slope: tuple[float, float] = (0.0, 0.0)
    phase: int = 0

    def lead_mm(self, t_ms: float) -> float | None:
        """The leading edge's distance past the gate; None while the card is out of sight."""
        if not self.way[0][0] <= t_ms <= self.way[-1][0]:
            return None
        times, places = zip(*self.way, strict=True)
        return float(np.interp(t_ms, times, places))

    def later(self, by_ms: float) -> Slide:
        """Return the same slide, later by `by_ms`."""
        return replace(self, way=tuple((t_ms + by_ms, place) for t_ms, place in self.way))


def mixed(
    manifest: Manifest, seed: int, white_at: int = CUT_CARD_FROM_END
) -> tuple[LabelledCard, ...]:
    """Shuffle the manifest's cards by the seed, with the white cut card `white_at` from the end.

    If `white_at` is 0, there is no white card.
    """
    cards = list(manifest.cards)
    random.Random(f"mixed {seed}").shuffle(cards)
    if not white_at:
        return tuple(cards)
    cut = max(0, len(cards) - white_at)
    return (*cards[:cut], manifest.white, *cards[cut:])


def plan(
    order: Sequence[LabelledCard], seed: int, conditions: Conditions = AS_BUILT, lip: Lip = SHIPPED
) -> list[Slide]:
    """Plan one slide for each card of `order`, one after the other."""
    stocks = [Stock(entry.card, entry.token) for entry in order]
    return plan_stocks(stocks, seed, conditions, lip)


def plan_stocks(
    stocks: Sequence[Stock], seed: int, conditions: Conditions = AS_BUILT, lip: Lip = SHIPPED
) -> list[Slide]:
    """Plan one slide for each of `stocks`, one after the other."""
    luck = random.Random(f"slides {seed}")
    slides, start_ms = [], 100.0
    for stock in stocks:
        speed = luck.uniform(*conditions.speed_mps)
        slides.append(_slide(stock, luck, conditions, straight(start_ms, speed, lip)))
        start_ms += lip.card_mm[0] / speed + luck.uniform(*conditions.gap_ms)
    return slides


def straight(start_ms: float, speed_mps: float, lip: Lip) -> tuple[tuple[float, float], ...]:
    """Return the first and last point of the `way` of a card at constant speed (`Slide.way`).

    Each point is a time in ms and the leading edge's distance past the gate in mm. The leading edge
    is at the gate at `start_ms`.
    """
    before = lip.gate_px / lip.px_per_mm + 8  # a tilted corner comes into sight earlier
    after = lip.card_mm[0] + before
    return (
        (start_ms - before / speed_mps, -before),
        (start_ms + after / speed_mps, after),
    )


def _slide(
    stock: Stock,
    luck: random.Random,
    conditions: Conditions,
    way: tuple[tuple[float, float], ...],
) -> Slide:
    def about_zero(size: float) -> float:
        return luck.uniform(-size, size)

    return Slide(
        replace(stock, turned=luck.randrange(2)),
        way,
        tilt_deg=about_zero(conditions.tilt_deg),
        across_mm=about_zero(conditions.across_mm),
        blur_px=luck.uniform(*conditions.blur_px),
        noise=luck.uniform(*conditions.noise),
        light=1 + about_zero(conditions.light),
        slope=(about_zero(conditions.uneven), about_zero(conditions.uneven)),
        phase=luck.randrange(1 << 30),
    )


def schlitten(
    manifest: Manifest,
    seed: int,
    conditions: Conditions = AS_BUILT,
    *,
    rows: int = 192,
    white_at: int = CUT_CARD_FROM_END,
) -> Iterator[Frame]:
    """A whole Schlitten dealt past the lip, one frame at a time."""
    order = mixed(manifest, seed, white_at)
    return film(plan(order, seed, conditions), fps=conditions.fps, rows=rows)


def film(
    slides: Sequence[Slide], *, fps: float = 120.0, rows: int = 192, lip: Lip = SHIPPED
) -> Iterator[Frame]:
    """Yield the frames of `slides` (in order of time), from before the first until after the last.

    Two cards may be in one frame, which then has the light of the card nearer to the gate.
    """
    camera = _Camera(lip, rows)
    period, waiting = 1000.0 / fps, list(slides)
    in_sight: list[Slide] = []
    end_ms = max((slide.way[-1][0] for slide in slides), default=0.0) + 50
    number = 0
    while (t_ms := number * period) <= end_ms:
        while waiting and waiting[0].way[0][0] <= t_ms:
            in_sight.append(waiting.pop(0))
        in_sight = [slide for slide in in_sight if slide.way[-1][0] >= t_ms]
        yield Frame(round(t_ms, 3), camera.picture(t_ms, in_sight, number))
        number += 1


class _Camera:
    """Draws the cards in sight.

    It keeps the cards' drawings while they are in sight, and noise drawn beforehand.
    """

    def __init__(self, lip: Lip, rows: int) -> None:
        self._lip, self._rows = lip, rows
        generator = np.random.default_rng(1934)
        self._noise = generator.standard_normal(_NOISE_BANK, dtype=np.float32)
        self._drawn: dict[Slide, Pixels] = {}
        self._lights: dict[Slide, npt.NDArray[np.float32]] = {}

    def picture(self, t_ms: float, in_sight: Sequence[Slide], number: int) -> Pixels:
        """Draw the frame of `t_ms` with the slides in sight. `number` is the frame's number."""
        lip = self._lip
        frame = np.full((self._rows, lip.width_px), _EMPTY_LEVEL, np.uint8)
        nearest, distance, moved = None, float("inf"), 0.0
        for slide in in_sight:
            lead = slide.lead_mm(t_ms)
            if lead is None:
                continue
            self._lay(frame, slide, lead)
            off = abs(lead - lip.card_mm[0] / 2)
            if off < distance:
                before = slide.lead_mm(t_ms - 1)
                nearest, distance = slide, off
                moved = abs(lead - before) if before is not None else 1.0
        self._forget(in_sight)
        return self._expose(frame, nearest, moved, number)

    def _lay(self, frame: Pixels, slide: Slide, lead_mm: float) -> None:
        """Lay the card into the frame, turned about its middle."""
        lip = self._lip
        if slide not in self._drawn:
            self._drawn[slide] = slide.stock.picture(lip)
        card = self._drawn[slide]
        high, wide = card.shape
        turn = cv2.getRotationMatrix2D((wide / 2, high / 2), slide.tilt_deg, 1.0)
        turn[0, 2] += lip.gate_px + lead_mm * lip.px_per_mm - wide
        turn[1, 2] += (self._rows - high) / 2 + slide.across_mm * lip.px_per_mm
        laid = cv2.warpAffine(card, turn, (frame.shape[1], frame.shape[0]), flags=cv2.INTER_LINEAR)
        np.copyto(frame, laid, where=laid > _EMPTY_LEVEL)

    def _expose(self, frame: Pixels, slide: Slide | None, moved: float, number: int) -> Pixels:
        """Add blur, light and noise to the frame.

        `moved` is how far (px) the card moved during the exposure.
        """
        noise, phase = (slide.noise, slide.phase) if slide else (6.0, 0)
        picture = frame
        if slide:
            picture = _blurred(picture, slide.blur_px * min(1.0, moved))
            lit = cv2.multiply(picture, self._light(slide), dtype=cv2.CV_32F)
        else:
            lit = picture.astype(np.float32)
        luck = random.Random(phase * 1_000_003 + number)
        top = luck.randrange(_NOISE_BANK[0] - self._rows)
        left = luck.randrange(_NOISE_BANK[1] - self._lip.width_px)
        bank = self._noise[top : top + self._rows, left : left + self._lip.width_px]
        seen = cv2.addWeighted(lit, 1.0, bank, noise, 0.0, dtype=cv2.CV_8U)
        return np.asarray(seen, dtype=np.uint8)

    def _light(self, slide: Slide) -> npt.NDArray[np.float32]:
        """Return the brightness of each place in the frame."""
        if slide in self._lights:
            return self._lights[slide]
        rows, wide = self._rows, self._lip.width_px
        along = np.linspace(-1, 1, wide, dtype=np.float32)[None, :]
        across = np.linspace(-1, 1, rows, dtype=np.float32)[:, None]
        light = slide.light * (1 + slide.slope[0] * along + slide.slope[1] * across)
        self._lights[slide] = np.ascontiguousarray(light, dtype=np.float32)
        return self._lights[slide]

    def _forget(self, in_sight: Sequence[Slide]) -> None:
        for kept in (self._drawn, self._lights):
            for slide in [slide for slide in kept if slide not in in_sight]:
                del kept[slide]


def _blurred(picture: Pixels, blur_px: float) -> Pixels:
    """The frame, smeared along the motion over `blur_px` further pixels."""
    if blur_px < 0.05:
        return picture
    reach = int(np.ceil(blur_px / 2))
    kernel = np.ones(2 * reach + 1, np.float32)
    kernel[0] = kernel[-1] = blur_px / 2 - (reach - 1)
    kernel /= kernel.sum()
    smeared = cv2.sepFilter2D(picture, cv2.CV_8U, kernel, np.ones(1, np.float32))
    return np.asarray(smeared, dtype=np.uint8)

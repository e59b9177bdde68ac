"""A camera's effects on a card, at random: place, light, blur, noise, compression."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[Any]
Light = NDArray[Any]
Points = NDArray[Any]


def view(rng: np.random.Generator, size_mm: tuple[float, float], scale: float) -> Points:
    """The corners (top left, clockwise) of a card of `size_mm` as a camera sees it, in pixels.

    `scale` is pixels per millimetre at the card's middle. The tilt is usually small, 45° at most.
    """
    width, height = size_mm
    flat = (
        np.array(
            [[-width, -height, 0], [width, -height, 0], [width, height, 0], [-width, height, 0]]
        )
        / 2
    )
    tilt = np.radians(min(abs(rng.normal(0, 16)), 45.0))
    axis = rng.uniform(0, 2 * np.pi)
    vector = np.array([np.cos(axis), np.sin(axis), 0]) * tilt
    solid = flat @ cv2.Rodrigues(vector)[0].T
    away = height * rng.uniform(2.5, 9)
    seen = solid[:, :2] * (away / (away + solid[:, 2:])) * scale
    spin = rng.uniform(0, 2 * np.pi)
    turn = np.array([[np.cos(spin), -np.sin(spin)], [np.sin(spin), np.cos(spin)]])
    return np.asarray(seen @ turn.T, np.float32)


def jitter(rng: np.random.Generator, quad: Points) -> Points:
    """The outline as a finder gives it: each corner a little off, and all moved in or out."""
    size = np.linalg.norm(quad[0] - quad[2])
    middle = quad.mean(0)
    swollen = middle + (quad - middle) * (1 + rng.normal(0, 0.012))
    worst = 0.007 * rng.choice([0.4, 1, 2.2, 5], p=[0.3, 0.35, 0.2, 0.15])
    return np.asarray(swollen + rng.normal(0, worst, quad.shape) * size, np.float32)


def develop(rng: np.random.Generator, patch: Image, *, letter: float) -> Image:
    """Expose `patch` once, so that a rank of `letter` pixels' height stays legible."""
    light = _light(rng, patch.astype(np.float32))
    light = _blur(rng, light, letter)
    sigma = rng.choice([1.0, 3.0, 6.0, 12.0], p=[0.3, 0.3, 0.25, 0.15]) * rng.uniform(0.5, 1.2)
    if rng.random() < 0.5:  # one grain for all colours, or one for each
        grain = np.empty(light.shape[:2], np.float32)
        light += cv2.randn(grain, np.zeros(1), np.full(1, sigma))[..., None]
    else:
        light += cv2.randn(np.empty(light.shape, np.float32), np.zeros(3), np.full(3, sigma))
    seen: Image = np.clip(light, 0, 255).astype(np.uint8)
    if rng.random() < 0.2:
        seen = cv2.addWeighted(seen, 1.9, cv2.GaussianBlur(seen, (0, 0), 1.2), -0.9, 0)
    if rng.random() < 0.5:
        seen = _squeezed(seen, int(rng.integers(22, 95)))
    if rng.random() < 0.1:
        seen = cv2.cvtColor(cv2.cvtColor(seen, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    return seen


def webcam(rng: np.random.Generator, patch: Image, *, letter: float) -> Image:
    """Expose `patch` once by a poor webcam: colour cast, few pixels, sharpened, compressed.

    A rank of `letter` pixels' height stays legible.
    """
    light = _light(rng, patch * rng.uniform(0.72, 1.05, 3).astype(np.float32))
    light = _blur(rng, light, 0.7 * letter)
    light += cv2.randn(
        np.empty(light.shape, np.float32), np.zeros(3), np.full(3, rng.uniform(1, 9))
    )
    seen: Image = np.clip(light, 0, 255).astype(np.uint8)
    size = seen.shape[1::-1]
    few = max(1 / rng.uniform(1, 2.0), min(1.0, 6.5 / letter))
    seen = cv2.resize(seen, None, fx=few, fy=few, interpolation=cv2.INTER_AREA)
    if rng.random() < 0.3:  # noise reduction removes fine lines too
        seen = cv2.bilateralFilter(seen, 5, rng.uniform(10, 40), 2.0)
    if rng.random() < 0.4:
        seen = cv2.addWeighted(seen, 2.0, cv2.GaussianBlur(seen, (0, 0), 1.0), -1.0, 0)
    seen = _squeezed(seen, int(rng.integers(14, 60)))
    return cv2.resize(seen, size, interpolation=cv2.INTER_LINEAR)


def _squeezed(seen: Image, quality: int) -> Image:
    data = cv2.imencode(".jpg", seen, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    again = cv2.imdecode(data, cv2.IMREAD_COLOR)
    assert again is not None
    return again


def _light(rng: np.random.Generator, light: Light) -> Light:
    if (
        rng.random() < 0.5
    ):  # the lamp's colour, and a lens or sensor that fades or strengthens colours
        light *= rng.uniform(0.72, 1.05, 3).astype(np.float32)
        grey = light.mean(2, keepdims=True)
        light = grey + (light - grey) * np.float32(rng.uniform(0.5, 1.4))
    high, wide = light.shape[:2]
    gain = np.float32(rng.uniform(0.35, 1.2))
    slope = rng.normal(0, 0.22, 2)
    ramp = 1 + slope[0] * np.linspace(-1, 1, high)[:, None] + slope[1] * np.linspace(-1, 1, wide)
    if rng.random() < 0.15:  # the edge of a shadow
        turn = rng.uniform(0, 2 * np.pi)
        across = np.cos(turn) * np.arange(wide) + np.sin(turn) * np.arange(high)[:, None]
        edge = rng.uniform(across.min(), across.max())
        ramp *= 1 - rng.uniform(0.2, 0.55) / (
            1 + np.exp(np.clip((edge - across) / rng.uniform(0.5, 6), -50, 50))
        )
    light *= (gain * ramp).astype(np.float32)[..., None]
    if rng.random() < 0.25:  # haze lifts the blacks
        lift = np.float32(rng.uniform(0, 70))
        light = lift + light * (1 - lift / 255)
    if rng.random() < 0.1:  # glare; most letters survive it
        spot: Light = np.zeros((high, wide), np.float32)
        centre = (int(rng.integers(wide)), int(rng.integers(high)))
        axes = (int(wide * rng.uniform(0.1, 0.5)) + 1, int(high * rng.uniform(0.05, 0.3)) + 1)
        cv2.ellipse(spot, centre, axes, float(rng.uniform(0, 180)), 0, 360, 1.0, -1)
        spot = cv2.GaussianBlur(spot, (0, 0), max(axes) / 2 + 0.5)
        light += spot[..., None] * np.float32(rng.uniform(30, 150))
    if rng.random() < 0.3:
        light = 255 * np.power(np.clip(light, 0, 255) / 255, np.float32(rng.uniform(0.6, 1.7)))
    return light.astype(np.float32)


def _blur(rng: np.random.Generator, light: Light, letter: float) -> Light:
    if rng.random() < 0.6:
        light = cv2.GaussianBlur(
            light, (0, 0), rng.uniform(0.3, max(0.35, min(0.085 * letter, 3.0)))
        )
    if rng.random() < 0.3:
        length = rng.uniform(1, max(1.2, min(0.3 * letter, 9.0)))
        light = cv2.filter2D(light, -1, streak(length, rng.uniform(0, np.pi)))
    return light


def streak(length: float, turn: float) -> Light:
    """The blur kernel of a motion of `length` pixels along the angle `turn` (radians)."""
    side = int(np.ceil(length)) // 2 * 2 + 3
    fine = np.zeros((side * 8, side * 8), np.uint8)
    middle = side * 4
    step = np.array([np.cos(turn), np.sin(turn)]) * length * 4
    start, end = (np.round(middle + sign * step).astype(int).tolist() for sign in (-1, 1))
    cv2.line(fine, start, end, 255, 8)
    kernel = cv2.resize(fine, (side, side), interpolation=cv2.INTER_AREA).astype(np.float32)
    return np.asarray(kernel / kernel.sum())

"""Measures reading labels: the region against the whole frame, capture to verdict, memory."""

from __future__ import annotations

import itertools
import multiprocessing
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import cv2
from pyzbar import pyzbar

from vision import barcode, manifest
from vision.barcode import DecoderSettings
from vision.frame import Frame, Pixels
from vision.gate import look
from vision.generator import film, mixed, plan
from vision.lip import SHIPPED
from vision.reader import Reader, Sight
from vision.witness import Witness

CARDS = 30


def rows() -> list[tuple[str, float, str, str]]:
    """Measure. Return rows of name, value, unit, and the budget or a peer's value.

    Everything runs on one core. The frames are filmed before the clock starts.
    """
    cv2.setNumThreads(1)
    shoe = manifest.make("bench", bytes(32))
    order = mixed(shoe, 1)[:CARDS]
    frames = list(film(plan(order, 1), rows=480))
    pictures = [frame.picture for frame in frames if frame.picture is not None]
    read = [bool(barcode.decode(picture, SHIPPED)) for picture in pictures]
    labelled = list(itertools.compress(pictures, read))
    worst = _labelled(frames, read)
    full = _ms(labelled, pyzbar.decode)
    zxing = _ms(labelled, _decoder(Witness.ZXING))
    zbar = _ms(labelled, _decoder(Witness.ZBAR))
    both = _ms(labelled, lambda picture: barcode.decode(picture, SHIPPED))
    return [
        ("pyzbar.decode, full 640x480 frame, all codes", full, "ms", "peer"),
        ("region, zxing-cpp alone", zxing, "ms", f"{full / zxing:.0f} x faster"),
        ("region, zbar alone", zbar, "ms", f"{full / zbar:.0f} x faster"),
        ("region, both, as shipped", both, "ms", f"{full / both:.0f} x faster; 10 x"),
        ("paper in the gate", _ms(pictures, lambda picture: look(picture, SHIPPED)), "ms", ""),
        ("capture to verdict, 640x480", _rate(shoe, frames), "frames/s", "> 120"),
        ("the same, only frames with a label", _rate(shoe, worst), "frames/s", "> 120"),
        ("peak memory of reading", _peak_mib(), "MiB", "< 200"),
    ]


def _decoder(decoder: Witness) -> Callable[[Pixels], object]:
    settings = DecoderSettings(decoders=(decoder,))
    return lambda picture: barcode.decode(picture, SHIPPED, settings)


def _ms(pictures: Sequence[Pixels], work: Callable[[Pixels], object]) -> float:
    """The milliseconds per picture: the best of three rounds."""
    rounds = []
    for _ in range(3):
        began = time.perf_counter()
        for picture in pictures:
            work(picture)
        rounds.append((time.perf_counter() - began) * 1000 / len(pictures))
    return min(rounds)


def _rate(shoe: manifest.Manifest, frames: Sequence[Frame]) -> float:
    """The frames per second through gate, both decoders and passages."""
    best = 0.0
    for _ in range(3):
        began = time.perf_counter()
        for _verdict in Reader(frames, Sight(manifest=shoe)).passages():
            pass
        best = max(best, len(frames) / (time.perf_counter() - began))
    return best


def _labelled(frames: Sequence[Frame], read: Sequence[bool]) -> list[Frame]:
    """Return the frames with a label in the region.

    Also return the next frame after each series of such frames. This is the hardest work that a
    film can contain.
    """
    return [
        frame
        for number, frame in enumerate(frames)
        if read[number] or (number and read[number - 1])
    ]


def _peak_mib() -> float:
    """The peak MiB of a process that films and reads one frame at a time, as with a camera."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        return pool.submit(_read_and_weigh).result()


def _read_and_weigh() -> float:
    cv2.setNumThreads(1)
    shoe = manifest.make("bench", bytes(32))
    order = mixed(shoe, 1)[:CARDS]
    for _verdict in Reader(film(plan(order, 1), rows=480), Sight(manifest=shoe)).passages():
        pass
    status = Path("/proc/self/status").read_text()  # getrusage would count the parent's peak
    return int(status.split("VmHWM:")[1].split()[0]) / 1024

"""One picture with its time. Knows no camera and no card."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

Pixels = npt.NDArray[np.uint8]
"""One picture: grey, rows by columns."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """What a camera saw at `t_ms`, or why there is no picture.

    Attributes:
        t_ms: milliseconds since any fixed instant, never decreasing.
        picture: grey, or None if the frame is unreadable.
        fault: what is wrong with an unreadable frame, and what to do; else empty.
        arrived: whether `t_ms` is when the picture arrived, perhaps late: the camera does not say
            when it took it.
    """

    t_ms: float
    picture: Pixels | None
    fault: str = ""
    arrived: bool = False


#: Time, whether that is its arrival, height and width of a picture; its pixels follow.
_LEADER: Final = struct.Struct(">d?HH")


def packed(frame: Frame) -> bytes:
    """A readable frame as bytes, uncompressed: as long as any other of its size."""
    picture = frame.picture
    if picture is None:
        raise ValueError("an unreadable frame has no picture")
    return _LEADER.pack(frame.t_ms, frame.arrived, *picture.shape) + picture.tobytes()


def unpacked(data: bytes) -> Frame:
    """The inverse of `packed`."""
    t_ms, arrived, high, wide = _LEADER.unpack_from(data)
    pixels = np.frombuffer(data, np.uint8, offset=_LEADER.size).reshape(high, wide)
    return Frame(t_ms, pixels, arrived=arrived)

"""One camera frame with its time. The module knows no camera and no card."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

Pixels = npt.NDArray[np.uint8]
"""One image in grey, rows by columns."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A camera's image at `t_ms`, or the reason why there is none.

    Attributes:
        t_ms: milliseconds since any fixed instant, never decreasing.
        picture: the image in grey, or None if the frame is unreadable.
        fault: for an unreadable frame, what is wrong, and the remedy; else empty.
        arrived: whether `t_ms` is the time when the image arrived here, perhaps late. It is so if
            the camera does not say when it took the image.
    """

    t_ms: float
    picture: Pixels | None
    fault: str = ""
    arrived: bool = False


#: The time, whether it is that of arrival, and height and width of an image. Its pixels follow.
_LEADER: Final = struct.Struct(">d?HH")


def packed(frame: Frame) -> bytes:
    """Turn a readable frame into plain bytes. All frames of one size give the same length."""
    picture = frame.picture
    if picture is None:
        raise ValueError("an unreadable frame has no picture")
    return _LEADER.pack(frame.t_ms, frame.arrived, *picture.shape) + picture.tobytes()


def unpacked(data: bytes) -> Frame:
    """Turn the bytes from `packed` back into the frame."""
    t_ms, arrived, high, wide = _LEADER.unpack_from(data)
    pixels = np.frombuffer(data, np.uint8, offset=_LEADER.size).reshape(high, wide)
    return Frame(t_ms, pixels, arrived=arrived)

"""One picture with its time. Knows no camera and no card."""

from __future__ import annotations

from dataclasses import dataclass

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

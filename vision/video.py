"""Videos that another program filmed: mp4, and other formats that OpenCV reads.

The module knows no card. Compressed frames lose detail, so a recording of ours (`vision.recording`)
is read better.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from firmware_bridge.trouble import Trouble
from vision.camera import CameraError, Settings
from vision.frame import Frame


def read(path: Path, settings: Settings) -> Iterator[Frame]:
    """Yield the frames of a video, grey, cut and turned by the settings. Raises CameraError."""
    video = cv2.VideoCapture(str(path))
    if not video.isOpened():
        raise CameraError(
            Trouble(
                "{path} cannot be read as a video: film it anew, or convert it to mp4",
                path=str(path),
            )
        )
    return _frames(video, settings)


def _frames(video: cv2.VideoCapture, settings: Settings) -> Iterator[Frame]:
    last_ms = 0.0
    try:
        while True:
            there, picture = video.read()
            if not there:
                return
            last_ms = max(last_ms, video.get(cv2.CAP_PROP_POS_MSEC))
            grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
            yield Frame(last_ms, settings.cut(np.asarray(grey, np.uint8)))
    finally:
        video.release()

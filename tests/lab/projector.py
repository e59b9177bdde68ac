"""Shows the lab's film to a camera: pictures written to a v4l2loopback device at their rate."""

import fcntl
import os
import struct
import threading
from pathlib import Path

import numpy as np

from tests.lab import film

NUMBER, NAME = 9, "lab-lip"
DEVICE = f"/dev/video{NUMBER}"
RATE = Path(f"/sys/devices/virtual/video4linux/video{NUMBER}/format")
#: From `linux/videodev2.h`.
S_FMT, VIDEO_OUTPUT, FIELD = 0xC0D05605, 2, 1
PARAMETERS = (f"video_nr={NUMBER}", f"card_label={NAME}", "exclusive_caps=0", "max_buffers=8")


class Projector:
    """Shows the empty gate until it plays; `left` counts the pictures that are still to come.

    The first picture is shown before the projector is used. Until then the driver refuses to stream
    (STREAMON: EIO), and a program that opens the camera reports it as lost.
    """

    def __init__(self):
        RATE.write_text(f"@{film.FPS:.0f}/1")
        self._handle = os.open(DEVICE, os.O_RDWR)
        size = film.WIDE, film.HIGH, int.from_bytes(b"GREY", "little"), FIELD, film.WIDE
        wanted = struct.pack("<I4x5I", VIDEO_OUTPUT, *size).ljust(208, b"\0")
        fcntl.ioctl(self._handle, S_FMT, bytearray(wanted))
        self._film = np.load(film.WHERE, mmap_mode="r")
        self._at, self._playing = 0, threading.Event()
        self._stop = threading.Event()
        self._show_one()
        self._work = threading.Thread(target=self._show)
        self._work.start()

    def play(self):
        """Let the cards come."""
        self._playing.set()

    @property
    def left(self):
        """How many pictures are still to come."""
        return len(self._film) - self._at

    def close(self):
        """Show no more."""
        self._stop.set()
        self._work.join()
        os.close(self._handle)

    def _show(self):
        while not self._stop.wait(1 / film.FPS):
            self._show_one()

    def _show_one(self):
        at = min(self._at, len(self._film) - 1)
        os.write(self._handle, self._film[at].tobytes())
        self._at += self._playing.is_set() and self._at < len(self._film)

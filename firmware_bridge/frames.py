"""Frames on the line: COBS with a zero byte as the end, and a checksum.

The module knows bytes only. It must not know the meaning of a frame, nor ports or time. The
firmware has the same code in C (`hardware/firmware/frames.c`); a test compares the bytes of both.
"""

from __future__ import annotations

import binascii
from collections.abc import Iterator
from typing import Final

from cobs import cobs

#: The longest content of a frame, without checksum. The board's buffers have no room for more.
MAX_CONTENT: Final = 60
#: The longest frame on the line without its end: content, checksum, one byte of COBS.
_MAX_FRAME: Final = MAX_CONTENT + 3


class BadFrame(ValueError):
    """The bytes between two zero bytes are damaged."""


def checksum(data: bytes) -> int:
    """CRC-16/CCITT-FALSE of `data`: 0x29B1 for b"123456789"."""
    return binascii.crc_hqx(data, 0xFFFF)


def encode(content: bytes) -> bytes:
    """Return `content` (1 to 60 bytes) as a frame that ends with a zero byte. Raises ValueError."""
    if not 1 <= len(content) <= MAX_CONTENT:
        raise ValueError(f"a frame holds 1 to {MAX_CONTENT} bytes, not {len(content)}")
    return bytes(cobs.encode(content + checksum(content).to_bytes(2, "big"))) + b"\0"


def decode(frame: bytes) -> bytes:
    """Return a frame's content. `frame` comes without its zero byte. Raises BadFrame."""
    try:
        content = bytes(cobs.decode(frame))
    except cobs.DecodeError as error:
        raise BadFrame(str(error)) from None
    if len(content) < 3:
        raise BadFrame(f"{len(content)} bytes are no content and checksum")
    if checksum(content):  # the checksum over data and checksum is zero
        raise BadFrame("wrong checksum")
    return content[:-2]


class Splitter:
    """Cuts arriving bytes into frames.

    It keeps the bytes of an unfinished frame until the rest arrives.
    """

    def __init__(self) -> None:
        self._unfinished = bytearray()
        self._overlong = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Yield every frame that `data` completes, without its zero byte.

        An overlong frame is b"".
        """
        *ends, rest = data.split(b"\0")
        for part in ends:
            self._take(part)
            if self._unfinished or self._overlong:
                yield b"" if self._overlong else bytes(self._unfinished)
            self._unfinished.clear()
            self._overlong = False
        self._take(rest)

    def _take(self, part: bytes) -> None:
        if len(self._unfinished) + len(part) > _MAX_FRAME:
            self._overlong = True  # it is noise, and none of it is worth keeping
            self._unfinished.clear()
        elif not self._overlong:
            self._unfinished += part

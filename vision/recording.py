"""A camera recording on disk. The module knows frames and a file, but no camera and no card.

The format is JSON Lines: a header, one line per frame, and a closing line with count and digest.
Each line contains its frame (JPEG or PNG in base64, with a CRC-32). So a recording is a single
file, a damaged line costs one frame, and a missing end is noticed. A recording shows cards that may
still be closed at a table, so the file has mode 0600.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import os
import zlib
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, suppress
from importlib.metadata import version
from pathlib import Path
from types import TracebackType

import cv2
import msgspec
import numpy as np

from vision.frame import Frame, Pixels

FORMAT = "schlitten-camera/1"
_JPEG_QUALITY = 90  # the quality of webcams; PNG of a noisy frame is three times as large
_LONGEST_LINE = 16 << 20


class FilmError(ValueError):
    """A recording that cannot be read or written at all.

    The text names the recording, the reason and the remedy.
    """


class _Header(msgspec.Struct, frozen=True):
    format: str
    code: str = ""


class _Line(msgspec.Struct, frozen=True):
    t_ms: float
    crc: int
    picture: str


class _Close(msgspec.Struct, frozen=True):
    frames: int
    sha256: str


class Writer(AbstractContextManager["Writer"]):
    """Writes frames as they come. The frames on disk can be read at any time.

    Raises FilmError if the file exists or cannot be written, for example because the disk is full.
    """

    def __init__(self, path: Path, *, lossless: bool = False) -> None:
        self._path, self._lossless = path, lossless
        self._count, self._digest = 0, hashlib.sha256()
        try:
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            raise FilmError(
                f"{path} exists: a recording is never overwritten; name another file"
            ) from None
        except OSError as error:
            raise FilmError(f"cannot write {path}: {error.strerror}") from None
        self._file = os.fdopen(handle, "wb")
        self._put(_Header(FORMAT, f"schlitten {version('schlitten')}"))

    def add(self, frame: Frame) -> None:
        """Append one frame. An unreadable frame is left out."""
        if frame.picture is None:
            return
        data = _encode(frame.picture, lossless=self._lossless)
        text = base64.b64encode(data).decode()
        self._put(_Line(frame.t_ms, zlib.crc32(data), text))
        self._count += 1

    def finish(self) -> None:
        """Write the closing line, which makes the recording complete."""
        try:
            self._put(_Close(self._count, self._digest.hexdigest()))
        finally:
            self._file.close()

    def abandon(self) -> None:
        """End without a closing line, and keep the frames written so far."""
        with suppress(OSError):  # closing tries the failed write again
            self._file.close()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        """Finish the recording, unless writing failed."""
        if kind is None:
            self.finish()
        else:
            self.abandon()

    def _put(self, line: msgspec.Struct) -> None:
        raw = msgspec.json.encode(line) + b"\n"
        self._digest.update(raw)
        try:
            self._file.write(raw)
            self._file.flush()
        except OSError as error:
            raise FilmError(
                f"cannot go on writing {self._path} after frame {self._count}: {error.strerror}; "
                "what is there can be read"
            ) from None


def write(path: Path, frames: Iterable[Frame], *, lossless: bool = False) -> int:
    """Write a recording to a new file. Return its number of frames. Raises FilmError.

    `lossless` stores PNG images instead of JPEG.
    """
    with Writer(path, lossless=lossless) as writer:
        for frame in frames:
            writer.add(frame)
        return writer._count


def read(path: Path) -> Iterator[Frame]:
    """Yield the frames of a recording, in order. A damaged frame is unreadable; its fault says so.

    A missing or wrong closing line gives a last unreadable frame. Raises FilmError immediately if
    the file is missing or is not a recording.
    """
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            first = file.readline(_LONGEST_LINE)
    except OSError as error:
        raise FilmError(f"cannot read the recording {path}: {error.strerror}") from None
    try:
        header = msgspec.json.decode(first, type=_Header)
    except (msgspec.DecodeError, UnicodeDecodeError):
        what = "is empty" if not size else "does not begin with a recording's header"
        raise FilmError(
            f"{path} {what}: it is no camera recording, or its first line is lost; "
            "take another copy"
        ) from None
    if header.format != FORMAT:
        raise FilmError(f"{path}: format {header.format!r}, this program reads {FORMAT!r}")
    return _frames(path)


def _frames(path: Path) -> Iterator[Frame]:
    digest, count, t_ms = hashlib.sha256(), 0, 0.0
    with path.open("rb") as file:
        lines = iter(lambda: file.readline(_LONGEST_LINE), b"")
        for number, raw in enumerate(lines, 1):
            if number > 1:
                if (closing := _closing(raw)) is not None:
                    if fault := _unlike(closing, count, digest.hexdigest()):
                        yield Frame(t_ms, None, f"{path} line {number}: {fault}")
                    return
                count += 1
                frame = _frame(raw, t_ms, f"{path} line {number} (frame {count})")
                t_ms = frame.t_ms
                yield frame
            digest.update(raw)
    yield Frame(
        t_ms,
        None,
        f"{path} ends after line {number} without its closing line: the end is lost; the "
        f"{count} frames before it are used. Take another copy if all are wanted",
    )


def _closing(raw: bytes) -> _Close | None:
    if b'"sha256"' not in raw[-120:]:
        return None
    try:
        return msgspec.json.decode(raw, type=_Close)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


def _unlike(closing: _Close, count: int, digest: str) -> str:
    if closing.frames != count:
        return (
            f"{count} frames are here, {closing.frames} were recorded: some are lost; the others "
            "are used. Take another copy if all are wanted"
        )
    if closing.sha256 != digest:
        return "the digest is wrong: the recording was changed; take another copy"
    return ""


def _frame(raw: bytes, last_ms: float, where: str) -> Frame:
    """Read the frame in one line. If the line is damaged, the frame is unreadable, with the reason.

    `last_ms` is the time of the frame before, and `where` names the line.
    """
    remedy = "this frame is left out, the others are used"
    try:
        line = msgspec.json.decode(raw, type=_Line)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        return Frame(last_ms, None, f"{where} is broken ({error}): {remedy}")
    if not last_ms <= line.t_ms < last_ms + 1e9:
        return Frame(
            last_ms, None, f"{where}: time {line.t_ms} ms is not after {last_ms} ms: {remedy}"
        )
    try:
        data = base64.b64decode(line.picture, validate=True)
    except binascii.Error:
        data = b""
    if not data:
        return Frame(line.t_ms, None, f"{where} has no picture: {remedy}")
    if zlib.crc32(data) != line.crc:
        fault = f"{where}: its picture is cut or changed ({len(data)} bytes): {remedy}"
        return Frame(line.t_ms, None, fault)
    picture = _decode(data)
    if picture is None:
        return Frame(line.t_ms, None, f"{where}: its picture is no JPEG or PNG: {remedy}")
    return Frame(line.t_ms, picture)


def _encode(picture: Pixels, *, lossless: bool) -> bytes:
    ending = ".png" if lossless else ".jpg"
    settings = [cv2.IMWRITE_PNG_COMPRESSION, 1] if lossless else [
        cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY,
    ]  # fmt: skip
    done, data = cv2.imencode(ending, picture, settings)
    if not done:
        raise FilmError(f"a picture of shape {picture.shape} cannot be stored as {ending}")
    return data.tobytes()


def _decode(data: bytes) -> Pixels | None:
    try:
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_GRAYSCALE)
    except cv2.error:
        return None
    return None if picture is None else np.asarray(picture, dtype=np.uint8)

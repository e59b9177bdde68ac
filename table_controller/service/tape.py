"""Tapes: the inputs, camera frames and board's bytes of one table, sealed with the table's key.

A power cut cannot spoil the file, because the file only grows. After the head, which names game,
house, version and key unencrypted, each record has its length, its kind and a checksum. If a power
cut left only a part of the last record, that part is cut off and reported. SQLite was not used: it
would write a frame of 300 kB twice, into its log and into its file. The pages of a SQLite file
would also show when each page was written.

The file contains closed cards. Small items are sealed together, padded to whole blocks. Frames are
neither compressed nor padded, so all frames of one size have the same length. Each record is bound
to the head and to its position. The module knows bytes and keys, but no game, no camera and no
board.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import struct
import zlib
from collections.abc import Iterator
from enum import IntEnum
from pathlib import Path
from typing import Any, Final

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESSIV
from msgspec import Struct

from table_controller.service.errors import UNREADABLE, RecordingError, WrongKey
from table_controller.service.sealing import Keys

FORMAT: Final = 2
MAGIC: Final = b"schlitten tape\n"
#: Small items of one moment are padded to whole blocks of this many bytes.
BLOCK: Final = 4096
#: No record is longer. A record that claims to be longer is torn.
_LONGEST: Final = 64 << 20
_LEADER: Final = struct.Struct(">IBI")


class TapeError(RecordingError):
    """A tape that cannot be written or read. The text names the tape and the remedy."""


class RecordKind(IntEnum):
    """The kind of a record. Kinds and lengths can be read without the key."""

    HEAD = 0
    ITEMS = 1
    FRAME = 2


class TapeHead(Struct, frozen=True, kw_only=True):
    """The first record, which is not encrypted.

    Attributes:
        tape: a random id, to which all records are bound.
        code: the version of the program that wrote the tape.
        game, house: as `chemin-de-fer`, `zoppot-1934`.
        journal: the id of the journal whose inputs are on the tape.
        key: the check of the key that sealed the tape (`Keys.check`).
        began_ms: the time when the tape began, in milliseconds since 1970.
    """

    format: int
    tape: str
    code: str
    game: str
    house: str
    journal: str
    key: str
    began_ms: int


def head(*, code: str, game: str, house: str, journal: str, key: str, began_ms: int) -> TapeHead:
    """Make the head of a new tape."""
    return TapeHead(
        format=FORMAT, tape=secrets.token_hex(8), code=code, game=game, house=house,
        journal=journal, key=key, began_ms=began_ms,
    )  # fmt: skip


class _Seal:
    """Encrypts and decrypts the records of one tape.

    Each record is bound to the head and to its position.
    """

    def __init__(self, keys: Keys, first: bytes) -> None:
        self._siv = AESSIV(keys.seal.value)
        self._tape = hashlib.sha256(b"tape" + first).digest()

    def seal(self, kind: RecordKind, number: int, plain: bytes) -> bytes:
        return self._siv.encrypt(plain, self._bound(kind, number))

    def open(self, kind: RecordKind, number: int, sealed: bytes) -> bytes:
        return self._siv.decrypt(sealed, self._bound(kind, number))

    def _bound(self, kind: RecordKind, number: int) -> list[bytes]:
        return [self._tape, bytes([kind]), number.to_bytes(8)]


class TapeWriter:
    """Appends records to a new tape, mode 0600. Only `flush` makes sure that they are on disk.

    `flush` and `close` may raise OSError. Even then, the records that were flushed before can be
    read.
    """

    def __init__(self, path: Path, first: TapeHead, keys: Keys) -> None:
        """Create the file. Raises TapeError if the file exists or cannot be written."""
        try:
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_CLOEXEC
            self._file = os.open(path, flags, 0o600)
        except OSError as error:
            raise TapeError(f"Cannot write the tape {path}: {error.strerror}.") from None
        self.path = path
        body = msgspec.json.encode(first)
        self._seal, self._number = _Seal(keys, body), 0
        self._waiting = [MAGIC, _record(RecordKind.HEAD, body)]
        #: The length of the file, including the bytes that wait to be written.
        self.size = sum(map(len, self._waiting))

    def items(self, items: list[Any]) -> None:
        """Add small items that belong to the same moment, as plain JSON."""
        plain = msgspec.json.encode(items)
        self._add(RecordKind.ITEMS, plain + bytes(-len(plain) % BLOCK))

    def frame(self, frame: bytes) -> None:
        """Add a frame, uncompressed."""
        self._add(RecordKind.FRAME, frame)

    def _add(self, kind: RecordKind, plain: bytes) -> None:
        self._number += 1
        self._waiting.append(_record(kind, self._seal.seal(kind, self._number, plain)))
        self.size += len(self._waiting[-1])

    def flush(self) -> None:
        """Write the waiting records, and wait until they are on disk."""
        data, self._waiting = b"".join(self._waiting), []
        while data:
            data = data[os.write(self._file, data) :]
        os.fdatasync(self._file)

    def close(self) -> None:
        """Close the file. Records that were not flushed are lost."""
        os.close(self._file)


def _record(kind: RecordKind, body: bytes) -> bytes:
    return _LEADER.pack(len(body), kind, _check(kind, body)) + body


def _check(kind: int, body: bytes) -> int:
    return zlib.crc32(body, kind)


class Tape:
    """A tape for reading. Without keys only its head can be read.

    Attributes:
        head: the tape's first record.
        torn: "" for a whole tape. Otherwise, once the tape was read to its end, a sentence about
            the torn end, which is left out.
    """

    def __init__(self, path: Path, keys: Keys | None = None) -> None:
        """Read the head. Raises TapeError, WrongKey."""
        self.path, self.torn, self._keys = path, "", keys
        first = next(self._records(), None)
        if first is None or first[1] != RecordKind.HEAD:
            raise TapeError(
                f"{path} is a tape, but its head is torn: nothing of it can be read. The journal "
                "still has what was said."
            )
        self._first = first[2]
        try:
            self.head = msgspec.json.decode(self._first, type=TapeHead)
        except UNREADABLE:
            raise TapeError(f"{path}: its head is no tape's. Take another copy.") from None
        if self.head.format != FORMAT:
            raise TapeError(
                f"{path} has the tape format {self.head.format}; this program reads {FORMAT}. "
                f"Use the version that wrote it ({self.head.code})."
            )
        if keys and keys.check != self.head.key:
            raise WrongKey(
                f"{path} was sealed with the key {self.head.key}, but this key is {keys.check}. "
                "Name the key file of the table that it was recorded at."
            )

    def __iter__(self) -> Iterator[tuple[RecordKind, Any]]:
        """Yield the records in order: items as plain JSON, frames as bytes. Raises TapeError."""
        if self._keys is None:
            raise WrongKey(f"{self.path} is sealed: name the key file of its table.")
        seal = _Seal(self._keys, self._first)
        for number, kind, body in self._records():
            if kind == RecordKind.HEAD:
                continue
            try:
                plain = seal.open(RecordKind(kind), number, body)
            except (InvalidTag, ValueError):
                raise TapeError(
                    f"{self.path}, record {number}: it was altered, or is not in its place. Take "
                    "another copy."
                ) from None
            yield RecordKind(kind), msgspec.json.decode(plain.rstrip(b"\0")) if kind == 1 else plain

    def _records(self) -> Iterator[tuple[int, int, bytes]]:
        """Yield number, kind and bytes of each whole record. A torn last record is left out."""
        try:
            with self.path.open("rb") as file:
                if file.read(len(MAGIC)) != MAGIC:
                    raise TapeError(f"{self.path} is no tape: it does not begin as one.")
                number = 0
                while leader := file.read(_LEADER.size):
                    at = file.tell() - len(leader)
                    body = _body(leader, file.read)
                    if body is None:
                        self._cut(number, file.seek(0, os.SEEK_END) - at)
                        return
                    yield number, body[0], body[1]
                    number += 1
        except OSError as error:
            raise TapeError(f"Cannot read the tape {self.path}: {error.strerror}.") from None

    def _cut(self, number: int, count: int) -> None:
        self.torn = (
            f"{self.path} ends amid record {number}, as after a power cut: its last {count} bytes "
            "are left out, all before them is used."
        )


def _body(leader: bytes, read: Any) -> tuple[int, bytes] | None:
    """Return kind and bytes of a record; None if it is incomplete or its checksum is wrong."""
    if len(leader) < _LEADER.size:
        return None
    length, kind, check = _LEADER.unpack(leader)
    body = read(length) if length <= _LONGEST else b""
    if len(body) != length or _check(kind, body) != check:
        return None
    return kind, body


def is_tape(path: Path) -> bool:
    """Whether a file begins like a tape."""
    try:
        with path.open("rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:
        return False

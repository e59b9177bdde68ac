"""The files that commands write: what they never replace, and how they come complete.

A command writes over no database, key or tape, however the path names it. A link stays a link, and
a device or a pipe is written through. The module knows how such files begin, but no game.
"""

from __future__ import annotations

import os
import re
import stat
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from table_controller.service.errors import ServiceError
from table_controller.service.tape import MAGIC

_SQLITE: Final = b"SQLite format 3\0"
_KEY: Final = re.compile(rb"\s*[0-9a-fA-F]{64}\s*")
#: The files that SQLite and a table's lock keep next to a database.
_BESIDE: Final = ("-wal", "-shm", "-journal", ".lock")


class OutputError(ServiceError):
    """A file that a command must not replace, or cannot write. The text has the remedy."""


class Output:
    """A file that gets its name once it is complete, mode 0600.

    Use it as a context manager: at an error, what was there before stays. Raises OutputError.
    """

    def __init__(self, path: Path) -> None:
        spare(path)
        self._path, self._plain = path, is_plain(path)
        target = Path(os.path.realpath(path)) if self._plain else path  # /dev/stdout has no target
        self._target = target
        self.part = target.with_name(target.name + ".part") if self._plain else path
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC
        try:
            self.file = os.fdopen(os.open(self.part, flags, 0o600), "wb")
        except OSError as error:
            raise self._failed(error) from None

    def finish(self) -> None:
        """Make sure that the file is on the disk, and give it its name. Raises OSError."""
        self.file.flush()
        if self._plain:
            os.fsync(self.file.fileno())
        self.file.close()
        if self._plain:
            self.part.replace(self._target)

    def drop(self) -> None:
        """Forget what was written."""
        with suppress(OSError):  # on a full disk: the first error is already being raised
            self.file.close()
        if self._plain:
            self.part.unlink(missing_ok=True)

    def _failed(self, error: OSError) -> OutputError:
        return OutputError(
            f"cannot write {self._path}: {error.strerror}; name a file in a folder that exists "
            "and that you may write"
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, _: object, __: TracebackType | None
    ) -> None:
        if kind is not None:
            self.drop()
            return
        try:
            self.finish()
        except OSError as error:
            self.drop()
            raise self._failed(error) from None


def write(path: Path, content: bytes) -> None:
    """Write a whole file. Raises OutputError."""
    with Output(path) as made:
        try:
            made.file.write(content)
        except OSError as error:
            raise made._failed(error) from None


def is_plain(path: Path) -> bool:
    """Whether the path names a plain file, or a new one: no device, no pipe, no folder."""
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except OSError:
        return True


def spare(path: Path) -> None:
    """Raise OutputError if the file at `path`, or the file that it is a link to, must stay."""
    what = _precious(path)
    if what:
        raise OutputError(f"{path} is {what}. Nothing is written over it: name another file.")


def _precious(path: Path) -> str:
    """What the file is that must stay, in words; "" if it may be replaced."""
    real = Path(os.path.realpath(path))
    for end in _BESIDE:
        base = real.with_name(real.name.removesuffix(end))
        if base != real and _begins(base).startswith(_SQLITE):
            return f"a part of the database {base}"
    begins = _begins(real)
    if begins.startswith(_SQLITE):
        return "a database (a journal, or a floor's)"
    if begins.startswith(MAGIC):
        return "a tape"
    if _KEY.fullmatch(begins) or b"PRIVATE KEY-----" in begins:
        return "a key"
    return ""


def _begins(path: Path) -> bytes:
    """The first bytes of a plain file; b"" if there is none, or nobody may read it."""
    if not path.is_file():
        return b""
    try:
        with path.open("rb") as file:
            return file.read(128)
    except OSError:
        return b""


def holders(path: Path) -> list[str]:
    """The processes that have this file open, as `sqlite3, process 1234`, as far as we may see."""
    try:
        wanted = os.stat(path)  # noqa: PTH116
    except OSError:
        return []
    found = set[int]()
    for handle in Path("/proc").glob("[0-9]*/fd/*"):
        with suppress(OSError):
            one = handle.stat()
            if (one.st_dev, one.st_ino) == (wanted.st_dev, wanted.st_ino):
                found.add(int(handle.parts[2]))
    return [named_process(pid) for pid in sorted(found - {os.getpid()})]


def named_process(pid: int) -> str:
    """A process for people to find: `sqlite3, process 1234`."""
    try:
        name = Path(f"/proc/{pid}/comm").read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return f"process {pid}"
    return f"{name}, process {pid}"

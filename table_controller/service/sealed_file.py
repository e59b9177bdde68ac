"""A small file that only the holder of a key can read or write: for data that outlive a restart."""

from __future__ import annotations

from pathlib import Path

from table_controller.service import logs, output
from table_controller.service.errors import JournalDamaged
from table_controller.service.sealing import Keys, Sealer
from table_controller.service.store import flush


class SealedFile:
    """One sealed text at `path`, mode 0600. `purpose` is bound to it: other files do not open."""

    def __init__(self, path: Path, keys: Keys, purpose: str) -> None:
        self._path, self._sealer = path, Sealer(keys, purpose)

    def read(self) -> bytes:
        """Return the text; b"" if there is none, or none that this key sealed."""
        try:
            return self._sealer.open(b"file", 0, self._path.read_bytes())
        except FileNotFoundError:
            return b""
        except (OSError, JournalDamaged) as error:
            logs.error("a sealed file is not read", file=str(self._path), why=str(error))
            return b""

    def write(self, text: bytes) -> None:
        """Replace the text. If it cannot be written, the log says so, and the old text stays.

        Call this in a thread: it waits for the disk.
        """
        try:
            output.write(self._path, self._sealer.seal(b"file", 0, text))
            flush(self._path.parent)
        except (OSError, output.OutputError) as error:
            logs.error("a sealed file is not written", file=str(self._path), why=str(error))

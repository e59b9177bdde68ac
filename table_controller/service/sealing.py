"""Sealing: encrypts the journal's secret fields, and derives the sub-keys of a table's key.

The module knows no row and no game. Each table has one key of 32 bytes, written as 64 hex digits in
a file that only the service may read. HKDF derives four keys from it: to seal (AES-SIV), to chain
rows (HMAC), to promise cards, and to hash PINs.
"""

from __future__ import annotations

import hmac
import os
import re
import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESSIV
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from msgspec import Struct

from table_controller.engine.promises import SecretKey
from table_controller.service.errors import JournalDamaged, KeyFileError

CREDENTIAL = "schlitten.key"
#: `schlitten install` puts the key file here. systemd passes it on to the service.
INSTALLED = Path("/etc/schlitten/table.key")

#: Sealed texts are padded to a multiple of this, so that their size reveals nothing. The longest
#: reading (a card, a reason, an actor's name) fits into one block.
BLOCK = 256


class Keys(Struct, frozen=True, gc=False):
    """A table's sub-keys: to seal, to chain rows, to promise cards (`commit`), to hash PINs."""

    seal: SecretKey
    chain: SecretKey
    commit: SecretKey
    pins: SecretKey

    @classmethod
    def derive(cls, master: bytes) -> Keys:
        """Make the sub-keys from the table's 32 bytes."""

        def sub(purpose: str, length: int) -> SecretKey:
            info = b"schlitten/1 " + purpose.encode()
            return SecretKey(HKDF(SHA256(), length, salt=None, info=info).derive(master))

        return cls(
            seal=sub("seal", 64),
            chain=sub("chain", 32),
            commit=sub("commit", 32),
            pins=sub("pins", 32),
        )

    @property
    def check(self) -> str:
        """Eight bytes in hex that show which key sealed a journal. They do not reveal the key."""
        return hmac.digest(self.chain.value, b"which key", "sha256")[:8].hex()


def make_key(path: Path) -> Keys:
    """Write a new key to `path`, mode 0600. Raises KeyFileError if the file exists."""
    master = secrets.token_bytes(32)
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise KeyFileError(
            f"{path} exists: a key is never overwritten, since its journals would be lost. "
            "Name another file."
        ) from None
    except OSError as error:
        raise KeyFileError(f"Cannot write the key {path}: {error.strerror}.") from None
    try:
        with os.fdopen(handle, "w") as file:
            file.write(master.hex() + "\n")
            file.flush()
            os.fsync(handle)
    except OSError as error:
        path.unlink(missing_ok=True)  # a partly written key would prevent writing a whole one
        raise KeyFileError(f"Cannot write the key {path}: {error.strerror}.") from None
    return Keys.derive(master)


def load_keys(path: Path | None, environ: Mapping[str, str]) -> Keys:
    """Read the key from `path`, or from systemd's credentials, or from the installed file.

    Only root may read the installed file; it is for root at the console. Raises KeyFileError.
    """
    others = 0o077
    if path is None:
        others = 0o007  # the group may read too, as only the service may enter systemd's folder
        directory = environ.get("CREDENTIALS_DIRECTORY")
        if directory is None and INSTALLED.exists():
            return load_keys(INSTALLED, environ)
        if directory is None:
            raise KeyFileError(
                "No key: neither is a key file configured nor did systemd pass the credential "
                f"{CREDENTIAL}. Set `key` in the configuration, or LoadCredential in the unit."
            )
        path = Path(directory) / CREDENTIAL
    try:
        mode = path.stat().st_mode
        text = path.read_text(encoding="ascii", errors="replace").strip()
    except OSError as error:
        raise KeyFileError(
            f"Cannot read the key {path}: {error.strerror}. It must be a file of 64 hex digits "
            "that the service's user may read."
        ) from None
    if mode & others:
        raise KeyFileError(
            f"The key {path} has mode {mode & 0o777:04o}: others may read it. Run: chmod 600 {path}"
        )
    if not re.fullmatch(r"[0-9a-fA-F]{64}", text):
        raise KeyFileError(
            f"The key {path} holds {len(text)} characters that are not 64 hex digits. "
            "Restore it from its copy; a new key cannot open old journals."
        )
    return Keys.derive(bytes.fromhex(text))


class Sealer:
    """Encrypts and decrypts texts of one journal. A text is bound to its journal and its row.

    AES-SIV needs no nonce, so a row can safely be written a second time after a failed commit. The
    associated data contains the row's number, so that equal cards look different.
    """

    def __init__(self, keys: Keys, journal: str) -> None:
        self._siv = AESSIV(keys.seal.value)
        self._journal = journal.encode()

    def seal(self, kind: bytes, row: int, plain: bytes) -> bytes:
        """Encrypt `plain`, with padding.

        `kind` is `input`, `event` or `save`; `row` is the row's number.
        """
        padded = plain + b"\x80" + bytes(-(len(plain) + 1) % BLOCK)
        return self._siv.encrypt(padded, self._bound(kind, row))

    def open(self, kind: bytes, row: int, sealed: bytes) -> bytes:
        """Decrypt a text that `seal` made for this row. Raises JournalDamaged."""
        try:
            padded = self._siv.decrypt(sealed, self._bound(kind, row))
        except (InvalidTag, ValueError):
            raise JournalDamaged(
                f"The sealed part of {kind.decode()} {row} does not open: it was altered, or the "
                "key is another one. Restore the journal and the key from their copies."
            ) from None
        return padded.rstrip(b"\0")[:-1]

    def _bound(self, kind: bytes, row: int) -> Sequence[bytes]:
        return [self._journal, kind, row.to_bytes(8)]

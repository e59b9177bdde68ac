"""The manifest of a Schlitten: which card each secret token means. It knows no image or game.

A token is a text printed on one card's label. A token is a truncated keyed MAC. So nobody can
compute or guess the token of a card, and no two Schlitten share a token. Besides its 14 characters
for QR, each card has 8 digits for Code 128. Eight digits are so few that a misreading may give
another card's digits. So a reader accepts them only with a second witness. The manifest names every
card of the Schlitten. The manifest is a secret, and so is its key. The module knows no camera.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import re
import secrets
import stat
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

import msgspec

from table_controller.rules.cards import PACK, PACKS, Card

FORMAT = "schlitten-manifest/1"
TOKEN_LENGTH = 14  # QR-M version 1 has room for at most 20; everything was measured with 14
KEY_BYTES = 32
_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # 32 of QR's alphanumerics, no two look alike
_SHOE = re.compile(r"[a-z0-9_-]{1,64}")
_WHITE = "white"


class ManifestError(ValueError):
    """A manifest or key that cannot be used.

    The text names the file, the reason and the remedy.
    """


class LabelledCard(msgspec.Struct, frozen=True, array_like=True):
    """One labelled card: its QR token, its Code 128 digits, and the card itself.

    `card` is None and `copy` 0 for the white cut card.
    """

    token: str
    digits: str
    card: Card | None
    copy: int

    @property
    def name(self) -> str:
        """`7h copy 3`, or `white cut card`, for the person who sticks the labels."""
        return f"{self.card} copy {self.copy}" if self.card else "white cut card"


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    format: str
    shoe: str
    packs: int
    entries: tuple[LabelledCard, ...]
    digest: str
    pack: int = 0  # absent in manifests from when every pack had 52 cards


class LabelVerdict(Enum):
    """What a text means for this Schlitten."""

    KNOWN = "known"
    OTHER_SHOE = "other shoe"
    FOREIGN = "foreign"


@dataclass(frozen=True, slots=True)
class Lookup:
    """A text that was looked up: its meaning, and its card if it is a card of this Schlitten.

    If the token belongs to another Schlitten, `shoe` names that Schlitten. `weak` says that the
    text was Code 128 digits.
    """

    verdict: LabelVerdict
    entry: LabelledCard | None = field(default=None, repr=False)
    shoe: str = ""
    weak: bool = False


_FOREIGN = Lookup(LabelVerdict.FOREIGN)


@dataclass(frozen=True, slots=True)
class Manifest:
    """The cards of one Schlitten and its white cut card. Its repr shows no token.

    `pack` is the number of cards in each of the packs, 52 or 32.
    """

    shoe: str
    packs: int
    entries: tuple[LabelledCard, ...] = field(repr=False)
    pack: int = 52
    _by_text: dict[str, LabelledCard] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        by_text = {entry.token: entry for entry in self.entries}
        by_text |= {entry.digits: entry for entry in self.entries}
        object.__setattr__(self, "_by_text", by_text)

    @property
    def cards(self) -> tuple[LabelledCard, ...]:
        """The cards of all packs: every entry but the white cut card."""
        return tuple(entry for entry in self.entries if entry.card)

    @property
    def white(self) -> LabelledCard:
        """The white cut card's label."""
        return next(entry for entry in self.entries if entry.card is None)

    def lookup(self, text: str, others: Iterable[Manifest] = ()) -> Lookup:
        """Look up what `text` means.

        The text means a card of this Schlitten or of one of the `others`, or it is foreign.
        """
        if entry := self._by_text.get(text):
            return Lookup(LabelVerdict.KNOWN, entry, self.shoe, text == entry.digits)
        for other in others:
            if entry := other._by_text.get(text):
                return Lookup(LabelVerdict.OTHER_SHOE, None, other.shoe, text == entry.digits)
        return _FOREIGN


def make(shoe: str, key: bytes, packs: int = 6, pack: int = 52) -> Manifest:
    """Make the manifest of `shoe`. The same key and name always give the same tokens.

    A lost label can therefore be printed again. `pack` is the number of cards in a pack, 52 or 32.
    Raises ManifestError.
    """
    if not _SHOE.fullmatch(shoe):
        raise ManifestError(
            f"shoe id {shoe!r} cannot be used: take 1 to 64 of a-z, 0-9, _ and -, e.g. 'blue-2'"
        )
    if len(key) < KEY_BYTES:
        raise ManifestError(f"the key has {len(key)} bytes: it needs {KEY_BYTES}; make a new one")
    if not 1 <= packs <= 8:
        raise ManifestError(f"{packs} packs: a Schlitten holds 1 to 8")
    taken: set[str] = set()
    entries = tuple(_entry(key, shoe, card, copy, taken) for card, copy in _wanted(packs, pack))
    return Manifest(shoe, packs, entries, pack)


def _wanted(packs: int, pack: int) -> list[tuple[Card | None, int]]:
    """List every card and copy of such packs, with the white cut card last.

    Raises ManifestError.
    """
    if pack not in PACKS:
        known = " or ".join(map(str, sorted(PACKS)))
        raise ManifestError(f"a pack of {pack} cards: there are packs of {known}")
    cards = [(card, copy) for copy in range(1, packs + 1) for card in PACKS[pack]]
    return [*cards, (None, 0)]


def _entry(key: bytes, shoe: str, card: Card | None, copy: int, taken: set[str]) -> LabelledCard:
    """Make the card's token and digits. If the digits are already `taken`, try other digits."""
    for attempt in range(100):
        what = f"{FORMAT}/{shoe}/{card or _WHITE}/{copy}/{attempt}".encode()
        number = int.from_bytes(hmac.digest(key, what, "sha256"), "big")
        token = "".join(_ALPHABET[number >> 5 * place & 31] for place in range(TOKEN_LENGTH))
        digits = f"{(number >> 5 * TOKEN_LENGTH) % 10**8:08d}"
        if not {token, digits} & taken:
            taken.update((token, digits))
            return LabelledCard(token, digits, card, copy)
    raise ManifestError(f"shoe {shoe!r}: no free token in 100 attempts; choose another shoe id")


def save(manifest: Manifest, path: Path) -> None:
    """Write `manifest` to a new file of mode 0600. Raises ManifestError if the file exists."""
    body = _body(manifest.shoe, manifest.packs, manifest.entries, manifest.pack)
    text = json.dumps(body | {"digest": _digest(body)}, indent=0) + "\n"
    _write_secret(path, text.encode(), "manifest")


def load(path: Path) -> Manifest:
    """Read a manifest.

    Raises ManifestError if it is damaged, is no manifest, or others may read it. The manifest must
    contain each card of its packs once. A manifest that does not say how large its packs are has
    packs of 52 cards.
    """
    raw = _read_secret(path, "manifest")
    try:
        found = msgspec.json.decode(raw, type=_File)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ManifestError(
            f"{path} is no whole manifest ({error}): restore it from its copy, or make it again "
            "with the shoe's key"
        ) from None
    if found.format != FORMAT:
        raise ManifestError(f"{path}: format {found.format!r}, this program reads {FORMAT!r}")
    if _digest(_body(found.shoe, found.packs, found.entries, found.pack)) != found.digest:
        raise ManifestError(
            f"{path} was changed or torn (its digest is wrong): restore it from its copy, "
            "or make it again with the shoe's key"
        )
    pack = found.pack or len(PACK)
    if Counter((e.card, e.copy) for e in found.entries) != Counter(_wanted(found.packs, pack)):
        raise ManifestError(
            f"{path} does not contain each card of {found.packs} packs of {pack} once, and the "
            "white card: make it again with the shoe's key and the right `--pack`"
        )
    return Manifest(found.shoe, found.packs, found.entries, pack)


def new_key(path: Path) -> bytes:
    """Make a key file of mode 0600 and return the key. Raises ManifestError if the file exists."""
    key = secrets.token_bytes(KEY_BYTES)
    _write_secret(path, key.hex().encode() + b"\n", "key")
    return key


def load_key(path: Path) -> bytes:
    """Read a key file. Raises ManifestError if the file is damaged or others may read it."""
    raw = _read_secret(path, "key")
    try:
        key = bytes.fromhex(raw.decode("ascii"))
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES:
        raise ManifestError(
            f"{path} is no key file (want {2 * KEY_BYTES} hexadecimal digits): restore it from "
            "its copy; a new key means new labels on every card"
        )
    return key


def _body(shoe: str, packs: int, entries: tuple[LabelledCard, ...], pack: int) -> dict[str, object]:
    rows = [[entry.token, entry.digits, entry.card, entry.copy] for entry in entries]
    named = {"pack": pack} if pack else {}
    return {"format": FORMAT, "shoe": shoe, "packs": packs, **named, "entries": rows}


def _digest(body: dict[str, object]) -> str:
    return hashlib.sha256(json.dumps(body, separators=(",", ":")).encode()).hexdigest()


def _write_secret(path: Path, data: bytes, kind: str) -> None:
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise ManifestError(
            f"{path} exists: a {kind} is never overwritten; move it away or name another file"
        ) from None
    except OSError as error:
        raise ManifestError(f"cannot write the {kind} {path}: {error.strerror}") from None
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        path.unlink(missing_ok=True)  # a half-written file would block the next attempt
        raise ManifestError(f"cannot write the {kind} {path}: {error.strerror}") from None


def _read_secret(path: Path, kind: str) -> bytes:
    try:
        mode = path.stat().st_mode
        if stat.S_IMODE(mode) & 0o077:
            raise ManifestError(
                f"the {kind} {path} can be read by others (mode {stat.S_IMODE(mode):04o}): "
                f"run `chmod 600 {path}`, and make a new one if others may have read it"
            )
        return path.read_bytes()
    except OSError as error:
        raise ManifestError(f"cannot read the {kind} {path}: {error.strerror}") from None

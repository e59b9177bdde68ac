"""The firmware as it is shipped: a hex file for each lamp build, usable without a compiler.

`scripts/generate` makes the files if the same compiler as before is installed. It notes the
sources, the compiler, and their digests. If somebody has changed the sources, the firmware is built
from the changed sources.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from hardware.emulator import BUILDS, FIRMWARE, EmulatorError, built

SHIPPED: Final = FIRMWARE / "shipped"


class DamagedFirmware(EmulatorError):
    """A shipped file does not match its digest. The text names the remedy."""


@dataclass(frozen=True)
class Note:
    """The content of `shipped.toml`: the sources, the avr-gcc, and each file's SHA-256."""

    sources: str
    compiler: str
    sha256: dict[str, str]


def hexfile(lamps: str) -> Path:
    """The hex file for a board with these lamps.

    Raises DamagedFirmware. If the sources were changed, raises the errors of `built`.
    """
    name = file_name(lamps)
    known = note()
    if known is None or known.sources != sources():
        return built("all") / name
    path = SHIPPED / name
    if not path.exists() or sha256(path.read_bytes()).hexdigest() != known.sha256[name]:
        raise DamagedFirmware(f"{path} is damaged or missing: install schlitten again")
    return path


def file_name(lamps: str) -> str:
    """The name of a build's hex file."""
    return f"board-{lamps}.hex"


def sources() -> str:
    """The SHA-256 of everything from which the hex files are built."""
    digest = sha256()
    for path in sorted([FIRMWARE / "Makefile", *FIRMWARE.glob("*.[ch]")]):
        text = path.read_bytes()
        digest.update(f"{path.name} {len(text)}\n".encode() + text)
    return digest.hexdigest()


def note() -> Note | None:
    """The note about the shipped files; None if none are shipped."""
    try:
        kept: dict[str, Any] = tomllib.loads((SHIPPED / "shipped.toml").read_text())
    except FileNotFoundError:
        return None
    return Note(**kept)


def written(known: Note) -> str:
    """The note as text, in the form that `note` reads."""
    return "\n".join(
        [
            "# Made by `scripts/generate` from the firmware's sources. Do not edit.",
            f'sources = "{known.sources}"',
            f'compiler = "{known.compiler}"',
            "",
            "[sha256]",
            *(f'"{name}" = "{digest}"' for name, digest in sorted(known.sha256.items())),
            "",
        ]
    )


def build_anew(compiler: str) -> dict[Path, bytes]:
    """Build the hex files and their note from the present sources, by their paths.

    `compiler` is the compiler's version, for the note. Raises the errors of `built`.
    """
    folder = built("all")
    files = {name: (folder / name).read_bytes() for name in map(file_name, BUILDS)}
    digests = {name: sha256(content).hexdigest() for name, content in files.items()}
    made = {SHIPPED / name: content for name, content in files.items()}
    text = written(Note(sources(), compiler, digests))
    return {**made, SHIPPED / "shipped.toml": text.encode()}

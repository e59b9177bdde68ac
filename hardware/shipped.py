"""The firmware as it is shipped: a hex file for each lamp build, written without a compiler.

`scripts/generate` makes them wherever the compiler is that made them before, and notes of which
sources, by which compiler, and their digests. Whoever has changed the sources gets what they build.
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
    """A shipped file is not what its digest says. The text says what to do."""


@dataclass(frozen=True)
class Note:
    """What `shipped.toml` says: of which sources, by which avr-gcc, and each file's SHA-256."""

    sources: str
    compiler: str
    sha256: dict[str, str]


def hexfile(lamps: str) -> Path:
    """The file that a board with these lamps gets.

    Raises DamagedFirmware; where the sources were changed, what `built` raises.
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
    """The hex file of a build."""
    return f"board-{lamps}.hex"


def sources() -> str:
    """The SHA-256 of everything that the hex files are built from."""
    digest = sha256()
    for path in sorted([FIRMWARE / "Makefile", *FIRMWARE.glob("*.[ch]")]):
        text = path.read_bytes()
        digest.update(f"{path.name} {len(text)}\n".encode() + text)
    return digest.hexdigest()


def note() -> Note | None:
    """What is noted of the shipped files; None where none are shipped."""
    try:
        kept: dict[str, Any] = tomllib.loads((SHIPPED / "shipped.toml").read_text())
    except FileNotFoundError:
        return None
    return Note(**kept)


def written(known: Note) -> str:
    """The note as `note` reads it."""
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
    """The hex files and their note, as the present sources build them. Raises as `built` does."""
    folder = built("all")
    files = {name: (folder / name).read_bytes() for name in map(file_name, BUILDS)}
    digests = {name: sha256(content).hexdigest() for name, content in files.items()}
    made = {SHIPPED / name: content for name, content in files.items()}
    text = written(Note(sources(), compiler, digests))
    return {**made, SHIPPED / "shipped.toml": text.encode()}

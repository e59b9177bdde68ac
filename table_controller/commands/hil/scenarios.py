"""Finds, reads and writes files of scenarios.

The module is part of the wiring, as app.py is, and prints nothing.
"""

from __future__ import annotations

import os
from contextlib import closing
from importlib.metadata import version
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from table_controller.service.archive import Archive
from table_controller.service.errors import RecordingError
from table_controller.service.game import Game
from table_controller.service.incident import incident
from table_controller.service.recording import Recording, is_recording
from table_controller.service.scenario import (
    Scenario,
    ScenarioError,
    game_of,
    is_scenario,
    read,
    write,
)
from table_controller.service.scenario_recordings import from_recording, to_recording
from table_controller.service.sealing import Keys
from table_controller.wiring import config
from table_controller.wiring.games import game

#: The endings of the files that `vision/video.py` reads.
VIDEOS = (".mp4", ".m4v", ".mov", ".mkv", ".avi", ".webm")


def is_film(path: Path) -> bool:
    """Whether the path is a film of ours, a video, or a folder of images."""
    return path.is_dir() or path.suffix.lower() in VIDEOS or _begins(path, _FILM)


def is_list(path: Path) -> bool:
    """Whether it is a list of cards (`streams.py`)."""
    return path.suffix.lower() == ".csv"


_FILM, _JOURNAL = b'{"format":"schlitten-camera', b"SQLite format 3"


def _begins(path: Path, how: bytes) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(len(how)) == how
    except OSError:
        return False


def named(path: Path) -> None:
    """Raise RecordingError if the file cannot be played.

    The error says what kind of file it is, but does not quote it: the file may be a key.
    """
    if _begins(path, _JOURNAL):
        raise RecordingError(
            f"{path} is a journal: `schlitten incident` makes a scenario of its last coups, "
            "`schlitten export` a recording of it."
        )
    if path.exists() and not (_begins(path, b"{") or is_scenario(path)):
        raise RecordingError(
            f"{path} is neither a recording, a scenario, a tape nor a film. Name another "
            "file, or fetch it again."
        )


def load(path: Path) -> tuple[Game[Any], Scenario]:
    """Read a scenario or a recording. Return its game and a scenario.

    Raises RecordingError, ConfigError.
    """
    if is_recording(path):
        played = game(Recording(path).header.game)
        return played, from_recording(Recording(path, played), played, path.name)
    if not path.exists():
        raise ScenarioError(f"Cannot read {path}: there is no such file.")
    if not is_scenario(path):
        raise ScenarioError(
            f"{path} is neither a scenario nor a recording: a scenario begins with a line such as "
            '`game chemin-de-fer`, a recording with {"schlitten":"recording",…}.'
        )
    try:
        text = path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ScenarioError(f"Cannot read the scenario {path}: {error}.") from None
    played = game(game_of(text, path.name))
    return played, replace(read(played, text, path.name), folder=str(path.parent))


def convert(path: Path, written: Path) -> dict[str, Any]:
    """Write a recording as a scenario, or a scenario as a recording. Return facts about the file.

    Raises RecordingError, also if `written` exists: the file may be somebody's work.
    """
    if written.exists():
        raise RecordingError(f"{written} exists already: name a file that does not.")
    played, scenario = load(path)
    unread = sum(line.unread for line in scenario.cues)
    if is_recording(path):
        _write(written, write(played, scenario))
        return {"written": str(written), "kind": "scenario", "lines": len(scenario.cues),
                "unread": unread}  # fmt: skip
    lines = to_recording(scenario, played, written, code=version("schlitten"))
    return {"written": str(written), "kind": "recording", "lines": lines, "unread": 0}


def write_incident(
    journal: Path,
    keys: Keys,
    written: Path | None,
    *,
    house: str,
    coups: int,
    until: int | None,
) -> dict[str, Any]:
    """Write the last coups of a journal as a scenario. Return facts about the file.

    Raises RecordingError, JournalError, ConfigError.
    """
    with closing(Archive.read(journal, keys)) as archive:
        kept = archive.header
        played, named = game(kept.game), config.house(house or kept.house, kept.game)
        made = incident(archive, played, named, coups=coups, until=until)
    path = written or Path(f"{made.name}.scenario")
    if path.exists():
        raise RecordingError(f"{path} exists already: name a file that does not with --out.")
    _write(path, made.text)
    return {"written": str(path), "coups": made.coups, "until": made.until,
            "closed": made.closed}  # fmt: skip


def _write(path: Path, text: str) -> None:
    """Write a file that only its owner may read, since it names cards."""
    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(text.encode())
    except OSError as error:
        raise RecordingError(f"Cannot write {path}: {error.strerror}.") from None

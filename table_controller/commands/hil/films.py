"""Plays a film of a lip through the reader: our own film, a video, or a folder of images.

The module is part of the wiring, as app.py is, and prints nothing. A film does not say which cards
it shows. So somebody must supply a list of the cards in the order in which they were dealt.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from msgspec.structs import replace

from table_controller.commands.hil.scenarios import VIDEOS
from table_controller.engine.seen import Seen
from table_controller.rules.cards import parse
from table_controller.service.errors import ConfigError, RecordingError
from table_controller.wiring import config
from table_controller.wiring.shoe import eyes
from vision import camera, recording, video
from vision.frame import Frame
from vision.reader import Reader

#: The sign for the white card in a list, and for an unread card.
WHITE = "white"


@dataclass
class FilmPlayed:
    """The result of a film: the reader's verdicts as card codes, `white`, or `?` and the reason."""

    name: str
    cards: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    compared: bool = False
    difference: str = ""

    @property
    def holds(self) -> bool:
        """Whether a list of cards was given, and the verdicts are those cards."""
        return self.compared and not self.difference

    def __str__(self) -> str:
        unread = sum(card.startswith("?") for card in self.cards)
        said = f"{self.name}: {len(self.cards)} passages, {unread} of them unread"
        if self.difference:
            return f"{said}. {self.difference}"
        if self.compared:
            return f"{said}: all as listed."
        return (
            f"{said}. Nothing was compared: name a list of its cards in their order with --expect, "
            "such as `7h Kd white 2c`."
        )


def play(path: Path, settings: config.Config, expect: Path | None) -> FilmPlayed:
    """Read a film by the settings of a table. Raises ConfigError, RecordingError."""
    house = config.house(settings.table.house, settings.table.game)
    wanted = _listed(expect) if expect else None
    played = FilmPlayed(path.name)
    shoe = replace(settings.shoe, reader="recording")
    try:
        frames = _frames(path, eyes.camera_settings(shoe))
    except (camera.CameraError, recording.FilmError) as error:
        raise RecordingError(f"{error}.") from None
    reader = Reader(frames, eyes.sight(shoe, house), played.faults.append)
    played.cards = [_code(seen) for _, seen in reader.passages()]
    if wanted is not None:
        played.compared = bool(wanted)
        played.difference = _difference(played.cards, wanted)
    return played


def _frames(path: Path, how: camera.Settings) -> Iterable[Frame]:
    if path.is_dir():
        return camera.folder(path, how)
    return video.read(path, how) if path.suffix.lower() in VIDEOS else recording.read(path)


def _code(seen: Seen) -> str:
    return WHITE if seen.white else seen.card or f"?{seen.unknown}"


def _listed(path: Path) -> list[str]:
    """Return the cards of a list: codes and `white`, separated by blanks, commas or line ends."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot read the list of cards {path}: {error}.") from None
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        for word in re.split(r"[\s,;]+", line.partition("#")[0].strip()):
            try:
                found += [WHITE if word == WHITE else parse(word)] if word else []
            except ValueError as error:
                raise ConfigError(f"{path}, line {number}: {error}, or `white`.") from None
    return [str(card) for card in found]


def _difference(read: list[str], wanted: list[str]) -> str:
    for number, (one, other) in enumerate(zip(read, wanted, strict=False), 1):
        if one != other:
            return f"Passage {number} is read as {one}, but the list has {other}."
    if len(read) != len(wanted):
        return f"{len(read)} passages were seen, but the list has {len(wanted)}."
    return ""

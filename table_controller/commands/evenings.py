"""A journal's evenings, for the command line. The module reads the journal without any key."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any

from table_controller.service import output
from table_controller.service.archive import Archive
from table_controller.service.errors import ConfigError
from table_controller.service.evenings import Evenings, record
from table_controller.service.paper import WRITERS
from table_controller.wiring import config
from table_controller.wiring.games import game


def found(journal: Path) -> Iterator[dict[str, Any]]:
    """Yield each evening as facts. Times are in this machine's time zone. Raises JournalError."""
    with closing(Archive.read(journal)) as archive:
        for one in Evenings().find(archive):
            yield {
                "evening": one.number,
                "began": _local(one.began_ms),
                "ended": _local(one.ended_ms),
                "cards": one.cards,
            }


def write(journal: Path, paper: Path, *, number: int | None, house: str) -> dict[str, Any]:
    """Write the coups of an evening to `paper`; None means the last one.

    Return facts about the file. Raises ConfigError for an unknown evening or kind of file, and
    JournalError.
    """
    kind = paper.suffix.removeprefix(".")
    if kind not in WRITERS:
        raise ConfigError(f"{paper}: its name ends with one of .{', .'.join(WRITERS)}.")
    with closing(Archive.read(journal)) as archive:
        all_ = Evenings().find(archive)
        number = len(all_) if number is None else number
        if not 0 < number <= len(all_):
            had = f"1 to {len(all_)}" if all_ else "none yet"
            raise ConfigError(f"{journal} has no evening {number}; it has {had}.")
        played = game(archive.header.game)
        at = config.house(house or archive.header.house, played.name)
        told = record(archive, played, at, all_[number - 1], over=number < len(all_))
    writer, _ = WRITERS[kind]
    output.write(paper, writer(told))
    return {"paper": str(paper), "evening": number, "coups": len(told.coups)}


def _local(t_ms: int) -> str:
    return datetime.fromtimestamp(t_ms / 1000).astimezone().isoformat(timespec="seconds")

"""For `doctor`: the age of the copies of a table's journal, and the files next to the journal.

The module only reads, and removes nothing: each house has its own rules for keeping its evenings.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from table_controller.commands.finding import Finding
from table_controller.service.archive import Archive
from table_controller.service.errors import ServiceError
from table_controller.wiring.config import Config

#: The timer makes a copy every morning. If there is none of the last two days, yesterday's failed.
OLD_S: Final = 48 * 3600.0
_MIB: Final = 1 << 20


def examine(settings: Config, *, clock: Callable[[], float] = time.time) -> Iterator[Finding]:
    """Yield findings about this table's journal, the journal's copies, and the files next to it.

    Yield nothing if there is no journal yet.
    """
    journal = settings.journal.path
    if not journal.exists():
        return
    yield _copies(journal, settings.journal.copies, clock())
    yield Finding("kept", True, _kept(journal))


def _copies(journal: Path, folder: Path | None, now_s: float) -> Finding:
    if folder is None:
        said = "no folder is set for them ([journal] copies): nobody looks how old they are"
        return Finding("copies", True, said)
    try:
        made = sorted(copy.stat().st_mtime for copy in folder.glob("*.db"))
    except OSError as error:
        return Finding("copies", False, f"{folder} cannot be read: {error.strerror}")
    first_s, last_s = (t_ms / 1000 for t_ms in played(journal))
    newest = made[-1] if made else first_s
    if newest < last_s and now_s - newest > OLD_S:
        held = f"the newest in {folder} is {_age(now_s - newest)} old" if made else "there is none"
        said = f"{held}: look at `systemctl status schlitten-backup.timer`, or copy by hand"
        return Finding("copies", False, said)
    if not made:
        return Finding("copies", True, f"none yet in {folder}")
    said = f"{len(made)} in {folder}, the newest {_age(now_s - newest)} old"
    return Finding("copies", True, said)


def played(journal: Path) -> tuple[int, int]:
    """Return the times of a journal's first and last rows, in ms since 1970; zeros without rows."""
    with suppress(ServiceError), closing(Archive.read(journal)) as archive:
        times = [row.t_ms for row in (*archive.inputs(0, 1), *archive.inputs(archive.last() - 1))]
        if times:
            return times[0], times[-1]
    return 0, 0


def _age(seconds: float) -> str:
    hours = seconds / 3600
    return f"{hours:.0f} h" if hours < 72 else f"{hours / 24:.0f} days"


def _kept(journal: Path) -> str:
    """Return a sentence about the journal and the files that the program left next to it."""
    aside = list(journal.parent.glob(f"{journal.name}.before-*[0-9]"))
    films = list(journal.parent.glob("lip-*.film"))
    lies = [
        _count(aside, "journal", "laid aside by `restore`"),
        _count(films, "film", "of the lip"),
    ]
    said = f"the journal has {_mib([journal])} MiB and begins at the table's first evening"
    beside = " and ".join(part for part in lies if part)
    if not beside:
        return said
    return (
        f"{said}; beside it {beside}. The program deletes none of these files: move away the ones "
        "that nobody needs."
    )


def _count(paths: list[Path], what: str, why: str) -> str:
    if not paths:
        return ""
    return f"{len(paths)} {what}{'s' if len(paths) > 1 else ''} {why} ({_mib(paths)} MiB)"


def _mib(paths: Iterable[Path]) -> int:
    return sum(path.stat().st_size for path in paths) // _MIB

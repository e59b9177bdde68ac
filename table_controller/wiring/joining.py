"""Lets a table join a floor: the code yields a name and an account for the table's settings."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

from table_controller.adapters import enrolling
from table_controller.adapters.enrolling import EnrolmentCode, Joined
from table_controller.adapters.mqtt_names import TableId
from table_controller.service.archive import Archive
from table_controller.service.copies import back_up
from table_controller.service.errors import ConfigError
from table_controller.service.store import Lock
from table_controller.wiring import config
from table_controller.wiring.config import Config
from table_controller.wiring.first_start import given, write_file
from table_controller.wiring.toml_files import changed, parsed

#: How long the floor may take to read the table's `info` once the table has started.
ARRIVE_S: Final = 60.0
_LOOK_S: Final = 0.5


def join(code: EnrolmentCode, at: Path) -> Iterator[str]:
    """Let the table join with this code. Yield a sentence for each step.

    All steps that can fail here are tried before the code is used. Raises NotEnrolled, ConfigError,
    and JournalBusy while the table is running.
    """
    settings = config.load(at)
    text, _ = parsed(at)
    if settings.journal.path.exists():
        Lock(settings.journal.path).release()
    root = enrolling.authority(code)
    folder = at.parent
    paths = folder / "floor-root.pem", folder / "floor.secret"
    _tried(at, _with(text, Joined("site", "table", 1, "x", ""), code, paths))
    joined = enrolling.enrol(code, root)
    like = settings.journal.path.parent
    write_file(paths[0], root, 0o644)
    write_file(paths[1], f"{joined.password}\n".encode(), 0o600, like=like)
    before = at.with_name(f"{at.name}.before-floor")
    write_file(before, text.encode(), 0o644)
    fresh = at.with_name(f"{at.name}.new")
    write_file(fresh, _with(text, joined, code, paths).encode(), 0o644)
    fresh.replace(at)
    yield f"this table is {joined.site}/{joined.table} at the floor of {code.host}"
    yield f"{at} names the floor's broker; the settings of before are in {before}"


def renamed(at: Path, put_back: Callable[[Path, Config], object]) -> Iterator[str]:
    """If the table has a new name, let its journal go on under the new name (R-54).

    `put_back` replaces the journal with a copy that has the name in the settings. The earlier
    journal is kept. Yields a sentence for each step. Raises JournalError.
    """
    settings = config.load(at)
    journal = settings.journal.path
    if not journal.exists():
        return
    with closing(Archive.read(journal)) as archive:
        was = archive.head().boot.source
    if was in ("", TableId(settings.table.site, settings.table.name).source):
        return
    copy = journal.with_name(f"{journal.name}.before-floor")
    back_up(journal, copy)
    put_back(copy, settings)
    for file in journal.parent.glob(f"{journal.name}*"):
        given(file, journal.parent)
    yield "the journal goes on under the new name; a loaded Schlitten is mixed again (R-54)"
    yield f"{copy} is the journal of before"


def arrived(code: EnrolmentCode, at: Path, *, wait_s: float = ARRIVE_S) -> bool:
    """Wait until the floor has read the table's `info`. Return False after `wait_s` seconds.

    Raises NotEnrolled.
    """
    root, until = (at.parent / "floor-root.pem").read_bytes(), time.monotonic() + wait_s
    while not enrolling.arrived(code, root):
        if time.monotonic() > until:
            return False
        time.sleep(_LOOK_S)
    return True


def _with(text: str, joined: Joined, code: EnrolmentCode, paths: tuple[Path, Path]) -> str:
    """Return the text of the settings with the table's new name and the floor's broker."""
    text = changed(text, "table", {"site": joined.site, "name": joined.table})
    return changed(
        text,
        "broker",
        {
            "kind": "mqtt", "host": code.host, "hosts": None, "port": joined.port,
            "username": joined.username, "password": str(paths[1].absolute()),
            "ca": str(paths[0].absolute()), "certificate": None, "key": None,
        },
    )  # fmt: skip


def _tried(at: Path, text: str) -> None:
    """Raise ConfigError if the table's settings would be wrong with this text."""
    fresh = at.with_name(f"{at.name}.new")
    write_file(fresh, text.encode(), 0o644)
    try:
        config.load(fresh)
    except ConfigError as error:
        raise ConfigError(
            f"{at} cannot be changed by itself ({error}): write [table] and each setting of "
            "[broker] on lines of their own, and try again."
        ) from None
    finally:
        fresh.unlink(missing_ok=True)

"""Lets a table join a floor: a code yields a name and an account for the settings of the table.

The floor gets an account at the table too, to ask for the events of the staff and to answer alerts.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

from table_controller.adapters import enrolling, mosquitto
from table_controller.adapters.broker_rules import FLOOR
from table_controller.adapters.enrolling import EnrolmentCode, Joined, NotEnrolled
from table_controller.adapters.mqtt_names import TableId
from table_controller.engine.messages import Role
from table_controller.engine.table import roles
from table_controller.service.archive import Archive
from table_controller.service.copies import back_up
from table_controller.service.errors import ConfigError
from table_controller.service.store import Lock
from table_controller.wiring import config, people
from table_controller.wiring.config import Config
from table_controller.wiring.first_start import given, write_file
from table_controller.wiring.toml_files import changed, parsed

#: The floor as a person at the table; its rights are those of this role, whoever asks by it.
PERSON: Final = "Floor"
ROLE: Final = Role.TECHNICIAN
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
    account_of_floor(at)
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
    yield f"{at} names the floor's broker; the earlier settings are in {before}"


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
    yield f"{copy} is the earlier journal"


def account_of_floor(at: Path) -> tuple[dict[str, str], ...]:
    """The inputs that give the floor its account at this table; none if it has one.

    Nobody can sign in by this account at the table itself: its secret is known to nobody. Raises
    NotEnrolled if that must wait for somebody.
    """
    persons = people.persons(at) if config.load(at).journal.path.exists() else ()
    if not persons:
        raise NotEnrolled(
            "Nobody has a role at this table, so the floor cannot have one either: add a "
            f"supervisor (`schlitten people add NAME --role supervisor --config {at}`), then use "
            "the code again."
        )
    holder, called = roles.holder(persons, FLOOR), roles.named(persons, PERSON)
    if wrong := next((one for one in (holder, called) if one and one.role is not ROLE), None):
        raise NotEnrolled(
            f"At this table, {wrong.name} ({wrong.role}) has the name or the account of the floor, "
            f"which must be a {ROLE}: remove this person, add {wrong.name} under another name, and "
            "use the code again."
        )
    if holder:
        return ()
    secret = mosquitto.proof(mosquitto.new_secret())
    account = {"type": "account_added", "name": PERSON, "account": FLOOR, "proof": secret}
    if called:
        return (account,)
    return {"type": "person_added", "name": PERSON, "role": ROLE}, account


def known(at: Path) -> Iterator[str]:
    """Give the floor its account at this table. Raises NotEnrolled, NotChanged, JournalBusy."""
    if inputs := account_of_floor(at):
        people.changed(at, *inputs)
        journal = config.load(at).journal.path
        for file in journal.parent.glob(f"{journal.name}*"):
            given(file, journal.parent)
        yield f"the floor is {PERSON} here, a {ROLE}: it may answer alerts"


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

"""Who may read and write which topic of a table. Pure; the same rules for every broker.

The embedded broker asks `may_read` and `may_write`; the ACL file that is shipped for a Mosquitto
says the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from msgspec import Struct

from table_controller.adapters.mqtt_names import TableId, matches, name


class Role(StrEnum):
    """What a user of the broker is."""

    TABLE = "table"
    STAFF = "staff"
    GUEST = "guest"


class User(Struct, frozen=True):
    """A user of the broker, at one table."""

    name: str
    role: Role
    table: TableId

    def __post_init__(self) -> None:
        name(self.name, "a user of the broker")


class Account(Struct, frozen=True):
    """A user and how he proves it.

    `secret` is a proof of it (`mosquitto.proof`), or the secret itself where we made it up for one
    evening.
    """

    user: User
    secret: str

    def __repr__(self) -> str:
        return f"Account({self.user.name!r}, {self.user.role})"  # never the secret


def table_user(at: TableId) -> str:
    """How a table is called at a broker of several: the common name of its certificate."""
    return f"table-{at.site}-{at.table}"


PUBLIC = ("state", "info", "snapshot", "event/+", "alert/+", "health")
FOR_STAFF = ("croupier/event/+", "croupier/alert/+", "croupier/reading")


def readable(user: User) -> tuple[str, ...]:
    """Return the patterns below the table's root that a user may read."""
    match user.role:
        case Role.TABLE:
            return ("state", "snapshot", "alert/+", "croupier/alert/+", "request/+/+")
        case Role.STAFF:
            return (*PUBLIC, *FOR_STAFF, f"response/{user.name}/+")
        case Role.GUEST:
            return (*PUBLIC, f"response/{user.name}/+")


def writable(user: User) -> tuple[str, ...]:
    """Return the patterns below the table's root that a user may write."""
    match user.role:
        case Role.TABLE:
            return (*PUBLIC, *FOR_STAFF, "response/+/+")
        case Role.STAFF:
            return (f"request/{user.name}/+",)
        case Role.GUEST:
            return (f"request/{user.name}/replay",)


def may_read(user: User, topic: str) -> bool:
    """Whether a message on `topic` may be given to the user."""
    return topic == user.table.announced or _within(user, topic, readable(user))


def may_write(user: User, topic: str) -> bool:
    """Whether a message of the user's on `topic` is passed on."""
    if topic == user.table.announced:
        return user.role is Role.TABLE
    return _within(user, topic, writable(user))


def _within(user: User, topic: str, patterns: Iterable[str]) -> bool:
    return any(matches(f"{user.table.root}/{pattern}", topic) for pattern in patterns)

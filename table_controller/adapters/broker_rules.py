"""The topics of a table that each user may read and write. The rules are the same at every broker.

The module is pure. `mosquitto.acl` writes the rules in the form that every broker reads, including
the embedded one.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from msgspec import Struct

from table_controller.adapters.mqtt_names import TableId, name

#: The account of a floor of many tables. It may name the person for whom it asks.
FLOOR: Final = "floor"


class BrokerRole(StrEnum):
    """The role of a user at the broker."""

    TABLE = "table"
    OF_FLOOR = "table-of-floor"
    STAFF = "staff"
    GUEST = "guest"


class User(Struct, frozen=True):
    """A user of the broker, at one table."""

    name: str
    role: BrokerRole
    table: TableId

    def __post_init__(self) -> None:
        name(self.name, "a user of the broker")


class BrokerAccount(Struct, frozen=True):
    """A user of the broker, and the secret with which the user signs in.

    `secret` is normally only a hash of the secret, as the broker's password file contains it
    (`mosquitto.proof`). For a user who exists for one evening, `secret` is the secret itself, which
    the program made.
    """

    user: User
    secret: str

    @property
    def proved(self) -> bool:
        """Whether `secret` is the hash for a password file, and not the secret itself."""
        return self.secret.startswith("$7$")

    def __repr__(self) -> str:
        return f"BrokerAccount({self.user.name!r}, {self.user.role})"  # never the secret


def table_user(at: TableId) -> str:
    """Return a table's user name at a broker of several tables: its certificate's common name."""
    return f"table-{at.site}-{at.table}"


PUBLIC = ("state", "info", "snapshot", "event/+", "alert/+", "health")
FOR_STAFF = ("croupier/picture", "croupier/event/+", "croupier/alert/+", "croupier/reading")


def readable(user: User) -> tuple[str, ...]:
    """Return the topic patterns, below the table's root, that a user may read."""
    match user.role:
        case BrokerRole.TABLE | BrokerRole.OF_FLOOR:
            return ("state", "snapshot", "alert/+", "croupier/alert/+", "request/+/+")
        case BrokerRole.STAFF:
            return (*PUBLIC, *FOR_STAFF, f"response/{user.name}/+")
        case BrokerRole.GUEST:
            return (*PUBLIC, f"response/{user.name}/+")


def writable(user: User) -> tuple[str, ...]:
    """Return the topic patterns, below the table's root, that a user may write."""
    match user.role:
        case BrokerRole.TABLE:
            return (*PUBLIC, *FOR_STAFF, "response/+/+")
        case BrokerRole.OF_FLOOR:  # only what the floor hears, and so counts
            return (*PUBLIC, *FOR_STAFF, f"response/{FLOOR}/+")
        case BrokerRole.STAFF:
            return (f"request/{user.name}/+",)
        case BrokerRole.GUEST:
            return (f"request/{user.name}/replay",)

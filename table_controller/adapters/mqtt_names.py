"""Topics and names at the broker. The module is pure, and knows no client, payload or rule.

Names use only `[a-z0-9_-]+`, since some brokers damage dots, and `/`, `+` and `#` have a meaning in
MQTT.
"""

from __future__ import annotations

import re

from msgspec import Struct

VERSION = "2"
"""The topic tree's version. It changes only when old consumers would misread a message."""

_NAME = re.compile(r"[a-z0-9_-]{1,64}")


def name(text: str, what: str) -> str:
    """Return `text` if it can be part of a topic. Raises ValueError with `what` and `text`.

    `what` says in the error what the text is.
    """
    if not _NAME.fullmatch(text):
        raise ValueError(
            f"{what} cannot be called {text[:64]!r}: "
            "want 1 to 64 of the letters a-z, digits, '_' and '-'"
        )
    return text


class TableId(Struct, frozen=True):
    """The table's identity: a site (the house, the room) and the table in it."""

    site: str
    table: str

    def __post_init__(self) -> None:
        name(self.site, "the site")
        name(self.table, "the table")

    @property
    def root(self) -> str:
        """The prefix of all this table's topics."""
        return f"schlitten/{VERSION}/{self.site}/{self.table}"

    @property
    def source(self) -> str:
        """The table as the `source` of its CloudEvents."""
        return f"/{self.root}"

    @property
    def announced(self) -> str:
        """The topic of this table's announcement to Home Assistant."""
        return f"homeassistant/device/schlitten-{self.site}/{self.table}/config"

    @property
    def client_id(self) -> str:
        """The publisher's client id at the broker.

        The id is the same after every restart. So the broker drops a dead connection as soon as the
        next one begins.
        """
        return f"schlitten:{self.site}:{self.table}"

    def topic(self, *levels: str) -> str:
        """Return a topic below the table's root. Raises ValueError if a level is no valid name."""
        for level in levels:
            name(level, "a topic's level")
        return "/".join((self.root, *levels))


class Request(Struct, frozen=True):
    """The content of a request's topic: the user (guaranteed by the broker's ACL), the command."""

    user: str
    command: str


def request_of(topic: str, table: TableId) -> Request | None:
    """Read the topic `request/<user>/<cmd>`; return None for any other topic."""
    root, _, rest = topic.partition("/request/")
    levels = rest.split("/")
    if root != table.root or len(levels) != 2 or not all(map(_NAME.fullmatch, levels)):
        return None
    return Request(*levels)

"""What a command prints of a game: rows for people, objects for programs. Pure data."""

from __future__ import annotations

from typing import Any, NamedTuple


class Sheet(NamedTuple):
    """A printed table: `head` labels the cells of each of `rows`.

    `title` and `note` stand over and under them, where the game has something to say there.
    `data` is the same for programs, an object each.
    """

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    data: tuple[Any, ...]
    title: str = ""
    note: str = ""

    def last(self, count: int) -> Sheet:
        """Only so many of the last rows, each of which is an object too."""
        return self._replace(rows=self.rows[-count:], data=self.data[-count:])

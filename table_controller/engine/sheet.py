"""A command's output about a game: rows for people, objects for programs. Pure data."""

from __future__ import annotations

from typing import Any, NamedTuple


class Sheet(NamedTuple):
    """A printed table: `head` labels the cells of each of `rows`.

    `title` and `note` are printed above and below the rows, if the game supplies them. `data` is
    the same for programs, one object per row.
    """

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    data: tuple[Any, ...]
    title: str = ""
    note: str = ""

    def last(self, count: int) -> Sheet:
        """Only this many of the last rows, with their objects."""
        return self._replace(rows=self.rows[-count:], data=self.data[-count:])

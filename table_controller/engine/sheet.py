"""A command's printed output about a game: rows for people, objects for programs.

It is plain data.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class Sheet(NamedTuple):
    """A printed table. `head` are the headings of its columns.

    `title` is printed above the rows, and `note` below them; "" prints nothing. `data` contains the
    rows once more for programs, one object per row.
    """

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    data: tuple[Any, ...]
    title: str = ""
    note: str = ""

    def last(self, count: int) -> Sheet:
        """The same table with only the last `count` rows and their objects."""
        return self._replace(rows=self.rows[-count:], data=self.data[-count:])

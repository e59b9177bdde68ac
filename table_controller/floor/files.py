"""Writes the lines of a report as CSV, JSON or Parquet."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Any, Final

import msgspec

from table_controller.engine.messages import Phrase
from table_controller.service.paper import parquet

#: The media type of each kind of file, by its suffix.
SUFFIXES: Final = {
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
    "parquet": "application/vnd.apache.parquet",
}
#: A cell that begins so is a formula to a spreadsheet; a table's text must not be one.
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


def written(lines: Sequence[Any], kind: str) -> bytes:
    """Return the lines as a file of this kind. Raises NoParquet if pyarrow is not installed."""
    rows = [_row(line) for line in lines]
    if kind == "json":
        return msgspec.json.format(msgspec.json.encode(rows), indent=1) + b"\n"
    names = [*rows[0]] if rows else []
    if kind == "parquet":
        return parquet({name: [row[name] for row in rows] for name in names})
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(names)
    writer.writerows([_cell(row[name]) for name in names] for row in rows)
    return text.getvalue().encode()


def _row(line: Any) -> dict[str, Any]:
    """Return a line's fields. A phrase becomes its English text."""
    fields = msgspec.structs.asdict(line)
    return {name: str(one) if isinstance(one, Phrase) else one for name, one in fields.items()}


def _cell(value: Any) -> Any:
    if isinstance(value, str) and value.startswith(_FORMULA):
        return f"'{value}"
    return value

"""An evening's coups as rows for other programs, as CSV, JSON or Parquet.

The module knows no page. A closed card is an empty cell. Times are ISO 8601 in UTC, sums are in
smallest chips.
"""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from importlib.util import find_spec
from typing import Any, Final

import msgspec

from table_controller.service.errors import ServiceError
from table_controller.service.evenings import EveningRecord, Timed

Row = dict[str, str | int | float | None]
#: A text that begins so is a formula to a spreadsheet, also behind white space.
_FORMULA: Final = tuple("=+-@＝＋－＠")
#: The columns whose texts come from a table or its people.
_TEXTS: Final = ("schlitten", "winner")


class NoParquet(ServiceError):
    """The library that writes Parquet is not installed."""


def rows(record: EveningRecord) -> list[Row]:
    """Return one row for each coup, all with the same columns."""
    made = [_row(record, timed) for timed in record.coups]
    columns = list(dict.fromkeys(name for row in made for name in row))
    return [{name: row.get(name) for name in columns} for row in made]


def _row(record: EveningRecord, timed: Timed) -> Row:
    coup = timed.coup
    began = datetime.fromtimestamp(timed.began_ms / 1000, UTC).isoformat(timespec="milliseconds")
    row: Row = {
        "evening": record.evening.number,
        "schlitten": timed.schlitten,
        "coup": coup.number,
        "began": began,
        "stakes_s": timed.stakes_s,
        "cards_s": timed.cards_s,
        "winner": coup.winner or None,
        "ended": str(coup.text),
    }
    for hand in coup.hands:
        row[f"{hand.name}_seat"] = hand.seat or None
        row[f"{hand.name}_cards"] = " ".join(card or "--" for card in hand.cards)
        row[f"{hand.name}_points"] = hand.count
    return row | {figure.name: figure.value for figure in (*coup.figures, *coup.beside)}


def as_csv(record: EveningRecord) -> bytes:
    """Return the rows as comma-separated values with a header line (RFC 4180)."""
    made, text = rows(record), io.StringIO()
    if made:
        writer = csv.DictWriter(text, list(made[0]), lineterminator="\r\n")
        writer.writeheader()
        writer.writerows(row | {name: cell(row[name]) for name in _TEXTS} for row in made)
    return text.getvalue().encode()


def cell(value: Any) -> Any:
    """A value as a cell of a CSV file. A spreadsheet must not take a text for a formula."""
    if isinstance(value, str) and (value[:1].isspace() or value.startswith(_FORMULA)):
        return f"'{value}"
    return value


def as_json(record: EveningRecord) -> bytes:
    """Return a JSON text: coups, rulings, how well cards were read, and the public chain's end."""
    evening = record.evening
    told = {
        "evening": evening.number,
        "began_ms": evening.began_ms,
        "ended_ms": evening.ended_ms,
        "coups": rows(record),
        "sums": record.sums,
        "rulings": record.rulings,
        "reading": record.reading,
        "alerts": record.alerts,
        "public_rows": record.public_rows,
        "chain": record.chain,
    }
    return msgspec.json.format(msgspec.json.encode(told), indent=1) + b"\n"


def as_parquet(record: EveningRecord) -> bytes:
    """Return the rows as a Parquet file with typed columns. Raises NoParquet without pyarrow."""
    made = rows(record)
    return parquet({name: [row[name] for row in made] for name in (made or [{}])[0]})


def parquet(columns: dict[str, list[Any]]) -> bytes:
    """Return these columns as a Parquet file. Raises NoParquet if pyarrow is not installed."""
    try:
        import pyarrow as pa  # noqa: PLC0415 - an extra, and slow to load
        from pyarrow import parquet as files  # noqa: PLC0415
    except ImportError:
        raise NoParquet(
            "Parquet needs pyarrow, which is not installed. Run "
            f"`{sys.executable} -m pip install pyarrow`, or take CSV or JSON."
        ) from None
    kept = io.BytesIO()
    files.write_table(pa.table(columns), kept)
    return kept.getvalue()


@cache
def kinds() -> tuple[str, ...]:
    """Return the kinds of files that this installation can write. A running program keeps them."""
    parquet_too = find_spec("pyarrow") is not None
    return tuple(kind for kind in WRITERS if parquet_too or kind != "parquet")


#: The writer of each kind of file, by the file's suffix, and its media type.
WRITERS: Final[dict[str, tuple[Callable[[EveningRecord], bytes], str]]] = {
    "csv": (as_csv, "text/csv; charset=utf-8"),
    "json": (as_json, "application/json"),
    "parquet": (as_parquet, "application/vnd.apache.parquet"),
}

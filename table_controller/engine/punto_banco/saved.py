"""A table on paper, as it is kept when its Schlitten is closed."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from table_controller.engine.commitments import Secret
from table_controller.engine.punto_banco.state import Table, on_felt


def save(table: Table) -> bytes:
    """A table whose Schlitten was just closed, as JSON, without its key."""
    return msgspec.json.encode(on_felt(replace(table, undo=None), key=Secret(b"")))


def load(begun: Table, saved: bytes) -> Table:
    """The inverse of `save`; house and key are those of the fresh table `begun`."""
    table = msgspec.json.decode(saved, type=Table)
    felt = replace(table.felt, house=begun.house, key=begun.felt.key)
    return replace(table, house=begun.house, felt=felt)

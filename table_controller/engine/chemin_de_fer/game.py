"""Chemin de fer as the service takes it: names, types, step, picture, and a state on paper."""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec.structs import replace

from table_controller.engine.chemin_de_fer.messages import CheminDeFerEvent, CheminDeFerInput
from table_controller.engine.chemin_de_fer.state import Table
from table_controller.engine.chemin_de_fer.step import step
from table_controller.engine.chemin_de_fer.view import snapshot
from table_controller.engine.commitments import Secret

__all__ = ["events", "inputs", "load", "name", "save", "snapshot", "step"]

name: Final = "chemin-de-fer"
inputs: Final = CheminDeFerInput
events: Final = CheminDeFerEvent


def save(table: Table) -> bytes:
    """A table whose Schlitten was just closed, as JSON, without its key."""
    return msgspec.json.encode(replace(table, key=Secret(b"")))


def load(begun: Table, saved: bytes) -> Table:
    """The inverse of `save`; house and key are those of the fresh table `begun`."""
    return replace(msgspec.json.decode(saved, type=Table), key=begun.key, house=begun.house)

"""Lets a table in at a floor as an enrolment does, in a transaction of its own."""

from __future__ import annotations

from table_controller.adapters.mqtt_names import TableId
from table_controller.floor import accounts
from table_controller.floor.store import Store


def admit(store: Store, at: TableId, proof: str) -> None:
    """Let this table in, with the proof of its password."""
    with store.engine.begin() as db:
        accounts.admit(store, db, at, proof)

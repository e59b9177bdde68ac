"""Reads messages that a table's earlier run left at the broker, and the table's last will."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from table_controller.adapters.mqtt_messages import State, TableState
from table_controller.service.rows import Anchor


def state_told(payload: bytes) -> TableState | None:
    """Return the state in a message of `state`; None for any other message."""
    try:
        return _STATE.decode(payload).data.state
    except (ValueError, RecursionError):
        return None


def chain_told(payload: bytes) -> Anchor | None:
    """Return the end of the public chain in a message of `snapshot`; None for any other message."""
    try:
        said = _SNAPSHOT.decode(payload).data
    except (ValueError, RecursionError):
        return None
    return Anchor(said.count, said.chain_head, said.stream)


class _Chain(Struct):
    """The end of the public chain in a snapshot.

    The snapshot's other fields may be from another version.
    """

    count: Annotated[int, Meta(ge=0, le=2**63 - 1)]  # as many as a journal can contain
    chain_head: str
    stream: str = ""


class _SnapshotEvent(Struct):
    data: _Chain


class _StateEvent(Struct):
    data: State


_STATE = msgspec.json.Decoder(_StateEvent)
_SNAPSHOT = msgspec.json.Decoder(_SnapshotEvent)

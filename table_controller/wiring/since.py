"""Knows since when each alert has been open, even after a restart of the program.

The times are those of the journal.

The module knows the two events of an alert, but no table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import msgspec
from msgspec.structs import replace

from table_controller.engine.messages import AlertCleared, AlertRaised
from table_controller.engine.views import Snapshot
from table_controller.service.rows import Row
from table_controller.service.table import Told

#: The rows about alerts.
RAISED = str(AlertRaised.__struct_config__.tag)
CLEARED = str(AlertCleared.__struct_config__.tag)


class _Named(msgspec.Struct):
    id: str


class Since:
    """The time when each open alert was first raised, in milliseconds since 1970.

    `past` are the journal's rows about alerts, in order. An alert without a row, such as the
    journal's own trouble, gets the time of `clock` when it is first seen.
    """

    def __init__(self, past: Iterable[Row], clock: Callable[[], int]) -> None:
        self._clock = clock
        self._since: dict[str, int] = {}
        named = msgspec.json.Decoder(_Named)
        for row in past:
            self._note(row.type == RAISED, named.decode(row.body or b"{}").id, row.t_ms)

    def hear(self, told: Sequence[Told]) -> None:
        """Note which alerts were raised and cleared."""
        for event, row in told:
            if isinstance(event, AlertRaised | AlertCleared):
                self._note(isinstance(event, AlertRaised), event.id, row.t_ms)

    def _note(self, raised: bool, id_: str, t_ms: int) -> None:
        if raised:
            self._since.setdefault(id_, t_ms)
        else:
            self._since.pop(id_, None)

    def dated(self, picture: Snapshot) -> Snapshot:
        """Return the picture with the time at which each alert was raised."""
        open_ = {alert.id for alert in picture.alerts}
        self._since = {id_: t_ms for id_, t_ms in self._since.items() if id_ in open_}
        return replace(
            picture,
            alerts=tuple(
                replace(alert, since_ms=self._since.setdefault(alert.id, self._clock()))
                for alert in picture.alerts
            ),
        )

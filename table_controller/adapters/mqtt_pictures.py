"""The pictures that a broker should retain now, as messages.

The module knows topics, but no broker, no outbox and no time.
"""

from __future__ import annotations

from msgspec import Struct

from table_controller.adapters.mqtt_messages import (
    ChainedSnapshot,
    Info,
    Message,
    StaffPicture,
    TableState,
    alert_messages,
    current,
    snapshot_message,
    state_message,
)
from table_controller.adapters.mqtt_names import TableId
from table_controller.engine.views import AlertView


class Now(Struct, frozen=True, kw_only=True):
    """All states that the broker should retain now.

    `staff` is the picture that only the staff reads. `alerts` are as the staff sees them, with the
    fault and the remedy; the public message has only code and severity.
    """

    state: TableState
    info: Info
    picture: ChainedSnapshot | None = None
    staff: StaffPicture | None = None
    alerts: tuple[AlertView, ...] = ()


def pictures(
    now: Now, table: TableId, *, boot: str, announced: Message | None
) -> dict[str, Message]:
    """The messages that the broker should retain, by their topics.

    `announced` is the message that announces the table, if one does.
    """
    told = [
        current("info", now.info, table),
        state_message(now.state, boot, table),
        *(told for alert in now.alerts for told in alert_messages(alert, table)),
    ]
    if now.picture is not None:
        told.append(snapshot_message(now.picture, table))
    if now.staff is not None:
        told.append(current("croupier_picture", now.staff, table))
    if announced is not None:
        told.append(announced)
    return {message.topic: message for message in told}

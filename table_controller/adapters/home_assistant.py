"""Announces a table to Home Assistant by MQTT discovery, so that nobody must add the table there.

The module knows only the table's public topics. Home Assistant has a guest's rights.
"""

from __future__ import annotations

from typing import Any

import msgspec

from table_controller.adapters.mqtt_messages import Message, TableState
from table_controller.adapters.mqtt_names import TableId

#: States in which the table is not being served.
_AWAY = (TableState.DISCONNECTED, TableState.LOST)


def announcement(table: TableId, version: str) -> Message:
    """Return one retained message: a device whose sensors are the table's public topics."""
    ident = f"schlitten/{table.site}/{table.table}"
    state, snapshot, health = map(table.topic, ("state", "snapshot", "health"))
    away = ", ".join(f"'{state.value}'" for state in _AWAY)
    sensors: dict[str, dict[str, Any]] = {
        "state": _sensor(
            "State", state, "state",
            device_class="enum", options=[one.value for one in TableState],
        ),
        "alert": {
            "platform": "binary_sensor", "name": "Alert", "device_class": "problem",
            "state_topic": state,
            "value_template": "{{ 'ON' if value_json.data.state == 'alert' else 'OFF' }}",
        },
        "coup": _sensor("Coup", snapshot, "snapshot.coup"),
        "left": _sensor(
            "Cards in the Schlitten", snapshot, "snapshot.shoe.left", of="snapshot.shoe"
        ),
        "temperature": _sensor(
            "Temperature", health, "cpu_celsius",
            device_class="temperature", unit_of_measurement="°C", entity_category="diagnostic",
        ),
        "disk": _sensor(
            "Free on the disk", health, "disk_free_mib",
            device_class="data_size", unit_of_measurement="MiB", entity_category="diagnostic",
        ),
    }  # fmt: skip
    told = {
        "device": {
            "identifiers": [ident],
            "name": f"Schlitten {table.site} {table.table}",
            "sw_version": version,
        },
        "origin": {"name": "schlitten", "sw_version": version},
        "availability_topic": state,
        "availability_template": (
            f"{{{{ 'offline' if value_json.data.state in ({away}) else 'online' }}}}"
        ),
        "components": {
            name: {**sensor, "unique_id": f"{ident}/{name}"} for name, sensor in sensors.items()
        },
    }
    return Message(table.announced, msgspec.json.encode(told), retain=True)


def _sensor(name: str, topic: str, value: str, *, of: str = "", **more: object) -> dict[str, Any]:
    """Return a sensor for one figure of a message.

    Home Assistant shows the word None as unknown, and warns of a figure of nothing: `of` names what
    may be absent together with the figure.
    """
    there = f" if value_json.data.{of} else none" if of else ""
    template = f"{{{{ value_json.data.{value}{there} }}}}"
    where = {"state_topic": topic, "value_template": template}
    return {"platform": "sensor", "name": name, **where, **more}

"""The machine's own meters for `health`: temperature, throttling, disk, memory.

The module needs Linux.
"""

from __future__ import annotations

import os
from pathlib import Path

from table_controller.adapters.mqtt_messages import Health

_THERMAL = Path("/sys/class/thermal/thermal_zone0/temp")
#: On a Raspberry Pi: bits that say what the firmware has throttled since the start.
_THROTTLED = Path("/sys/devices/platform/soc/soc:firmware/get_throttled")


def health(folder: Path, *, inbox: int) -> Health:
    """Return the meters' present values; None for a meter that this machine lacks.

    `folder` is the journal's folder, and `inbox` the number of inputs that wait.
    """
    temperature, throttled = _number(_THERMAL, 10), _number(_THROTTLED, 16)
    disk = os.statvfs(folder)
    return Health(
        cpu_celsius=None if temperature is None else temperature / 1000,
        throttled=None if throttled is None else bool(throttled),
        disk_free_mib=disk.f_bavail * disk.f_frsize >> 20,
        memory_mib=_resident_mib(),
        inbox_inputs=inbox,
    )


def _number(path: Path, base: int) -> int | None:
    try:
        return int(path.read_text(encoding="ascii"), base)
    except (OSError, ValueError):
        return None


def _resident_mib() -> int | None:
    pages = Path("/proc/self/statm")
    try:
        resident = int(pages.read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return None
    return resident * os.sysconf("SC_PAGESIZE") >> 20

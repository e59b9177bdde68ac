"""For `doctor`: the machine's own meters of disk, heat, power supply, clock, and SD card wear.

The module knows Linux's and the Pi's meters. A meter that this machine lacks is left out.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from table_controller.commands.finding import Finding

SYS: Final = Path("/sys")
#: A press waits for a flush. People notice a flush that is slower than the first figure. The second
#: figure is a stall.
SLOW_S, STALL_S = 0.05, 0.5
FLUSHES: Final = 20
#: From this figure on an eMMC is near the end of its life. The unit is ten per cent.
WORN: Final = 9
_THROTTLED = "devices/platform/soc/soc:firmware/get_throttled"
#: Bits of the firmware's word that are true now. The same bits, 16 places higher, were true at some
#: time since the start.
_UNDER_VOLTAGE, _CAPPED, _THROTTLING, _HOT = 1, 2, 4, 8


def examine(
    folder: Path,
    *,
    last_ms: int = 0,
    sys: Path = SYS,
    clock: Callable[[], float] = time.time,
    flush: Callable[[int], None] = os.fsync,
) -> Iterator[Finding]:
    """Read each meter of the machine.

    `folder` is the journal's folder, and `last_ms` the time of the journal's last row.
    """
    yield _flushing(folder, flush)
    yield from _firmware(sys)
    yield _clock(last_ms, clock(), sys)
    yield from _wear(folder, sys)


def _flushing(folder: Path, flush: Callable[[int], None]) -> Finding:
    """Measure how long the disk takes to write and flush 4 KiB.

    The journal does this for each press.
    """
    try:
        took = list(_kept_s(folder, flush))
    except OSError as error:
        said = f"{folder} takes nothing ({error.strerror}): free some space, or let it be written"
        return Finding("disk", False, said)
    usual, worst = statistics.median(took), max(took)
    said = f"keeps a press in {usual * 1000:.1f} ms, at worst of {FLUSHES} in {worst * 1000:.1f}"
    if usual > SLOW_S or worst > STALL_S:
        said += ": every press waits so long. Use a better card, or an SSD"
    return Finding("disk", usual <= SLOW_S and worst <= STALL_S, said)


def _kept_s(folder: Path, flush: Callable[[int], None]) -> Iterator[float]:
    """Write and flush several times. Yield the seconds of each. Raises OSError."""
    with tempfile.TemporaryFile(dir=folder) as file:
        for _ in range(FLUSHES):
            began = time.perf_counter()
            os.pwrite(file.fileno(), bytes(4096), 0)
            flush(file.fileno())
            yield time.perf_counter() - began


def _firmware(sys: Path) -> Iterator[Finding]:
    """Yield findings from the Pi's reports on power supply and heat (`vcgencmd get_throttled`)."""
    word = _number(sys / _THROTTLED, 16)
    if word is None:
        return
    yield _since_start(
        "supply", word, _UNDER_VOLTAGE, "the voltage is too low",
        "use the Pi's own power supply and a short cable",
    )  # fmt: skip
    yield _since_start(
        "throttling", word, _CAPPED | _THROTTLING | _HOT, "the processor is slowed down",
        "cool it, or look at its supply",
    )  # fmt: skip


def _since_start(part: str, word: int, bits: int, what: str, remedy: str) -> Finding:
    if word & bits:
        return Finding(part, False, f"{what} now: {remedy}")
    if word >> 16 & bits:
        return Finding(part, False, f"{what} at times since the start: {remedy}")
    return Finding(part, True, "no fault since the start")


def _clock(last_ms: int, now: float, sys: Path) -> Finding:
    """Return a finding about the clock, which must not be before the journal's last row.

    A Pi without a battery starts with a time in the past, until the network gives the time.
    """
    if now * 1000 < last_ms:
        return Finding(
            "clock",
            False,
            f"is {last_ms / 1000 - now:.0f} s before the journal's last row: set it, or wait for "
            "the network's time",
        )
    kept = any((sys / "class/rtc").glob("rtc*"))
    return Finding(
        "clock",
        True,
        f"says {time.strftime('%Y-%m-%d %H:%M:%S', time.localtime(now))}"
        + ("" if kept else "; without a battery: it needs the network's time after each start"),
    )


def _wear(folder: Path, sys: Path) -> Iterator[Finding]:
    """Yield a finding about the wear of the journal's disk, if the disk reports it."""
    device = folder.stat().st_dev
    part = (sys / f"dev/block/{os.major(device)}:{os.minor(device)}").resolve()
    errors = _number(sys / f"fs/ext4/{part.name}/errors_count")
    if errors:
        yield Finding(
            "file system",
            False,
            f"{part.name} has noted {errors} errors: back the journal up, and exchange the card",
        )
    written = _number(sys / f"fs/ext4/{part.name}/lifetime_write_kbytes")
    life = _life(part.parent / "device/life_time") or _life(part / "device/life_time")
    told = [f"{written / 2**20:.1f} GiB written to {part.name} in its life"] if written else []
    if life:
        told.append(f"{life * 10} % of the card's life is used up")
        if life >= WORN:
            told.append("back the journal up, and exchange it")
    if told:
        yield Finding("wear", life < WORN, "; ".join(told))


def _life(path: Path) -> int:
    """Return the worse of an eMMC's two wear figures, in units of ten per cent; 0 without them."""
    try:
        return max(int(word, 16) for word in path.read_text(encoding="ascii").split())
    except (OSError, ValueError):
        return 0


def _number(path: Path, base: int = 10) -> int | None:
    try:
        return int(path.read_text(encoding="ascii"), base)
    except (OSError, ValueError):
        return None

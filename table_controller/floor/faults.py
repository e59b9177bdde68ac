"""The faults that a floor finds at a table, each with a code. Pure: time is an argument.

The database keeps a fault under its code, and the rules for alerts choose by the code. Most faults
end by themselves: when the clock is set, the program is updated, or the flood is over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from enum import StrEnum
from typing import Final

from msgspec import Struct

from table_controller.adapters.mqtt_names import TableId
from table_controller.engine.messages import Phrase, phrase


class FaultCode(StrEnum):
    """What is wrong with a table."""

    CHAIN = "chain"  # a row or a chain differs from what the table sent before
    NONSENSE = "nonsense"
    FOREIGN = "foreign"  # it speaks in another table's name
    CLONED = "cloned"
    FLOOD = "flood"
    CLOCK = "clock"
    VERSION = "version"
    RESTORED = "restored"
    RENAMED = "renamed"
    MOVED = "moved"


#: With one of these faults, a table's events cannot be trusted. The others are notes.
GRAVE: Final = frozenset({FaultCode.CHAIN, FaultCode.NONSENSE, FaultCode.FOREIGN, FaultCode.CLONED})
#: With one of these faults, somebody should look at the table soon.
WARNING: Final = frozenset({FaultCode.FLOOD, FaultCode.CLOCK})
#: These only report a change.
CHANGES: Final = frozenset({FaultCode.RESTORED, FaultCode.RENAMED, FaultCode.MOVED})
#: How far a table's clock may be from the floor's.
CLOCK_S: Final = 60
#: How long a note is shown that only reports a change.
NOTE_S: Final = 3600.0
#: Messages of one table in a second. No evening has nearly as many, nor has a return after an hour.
MOST_A_SECOND: Final = 2000
#: A message counts once more for each of these bytes that it is long.
HEAVY: Final = 4096
#: How many of a table's messages are dropped before it is cut off, and for how long.
MOST_DROPPED: Final = 5000
CUT_S: Final = 60.0


class Odd(Struct, frozen=True):
    """A fault of a table and the sentence about it. Without `why`, the fault is over."""

    code: FaultCode
    why: Phrase | None = None


def cloned(of: TableId) -> Odd:
    """The fault that another table has the same journal."""
    return Odd(
        FaultCode.CLONED,
        phrase(
            "Its journal is also that of {site}/{table}: one of the two is a copy.",
            site=of.site, table=of.table,
        ),
    )  # fmt: skip


def earlier_name(at: TableId, source: str, is_there: Callable[[TableId], bool]) -> Odd | None:
    """Return the fault, if any, that an earlier name in a table's journal means.

    The table was renamed or moved, or has a copy of another table's journal. `source` is the name
    in an event, and `is_there` says whether a table of some name is connected.
    """
    was = _named(source)
    if was is None or was == at:
        return None
    if is_there(was):
        return cloned(was)
    if was.site == at.site:
        return Odd(FaultCode.RENAMED, phrase("It was called {table} before.", table=was.table))
    return Odd(
        FaultCode.MOVED,
        phrase("It was moved here: it was {site}/{table}.", site=was.site, table=was.table),
    )


def flood() -> Odd:
    """The fault that a table sends more than the floor can take."""
    return Odd(
        FaultCode.FLOOD,
        phrase("It tells more than can be taken; the rest is asked for later."),
    )


def _named(source: str) -> TableId | None:
    levels = source.split("/")
    try:
        return TableId(levels[-2], levels[-1])
    except (IndexError, ValueError):
        return None


class TableShare:
    """Counts how much each table sends. Messages beyond a table's share are dropped.

    A table that goes on sending too much is cut off for a while. All tables share one session with
    the broker, so one table's flood would delay the others.
    """

    def __init__(self) -> None:
        self._in: dict[TableId, tuple[int, int]] = {}
        self._dropped: dict[TableId, tuple[int, float]] = {}

    def spent(self, at: TableId, now: float, size: int = 0) -> bool:
        """Count a message.

        Return whether to drop it: too many in this second, or the table is cut off.
        """
        second, count = self._in.get(at, (0, 0))
        count = 1 + size // HEAVY + (count if second == int(now) else 0)
        self._in[at] = int(now), count
        dropped, last = self._dropped.get(at, (0, -CUT_S))
        return count > MOST_A_SECOND or (dropped > MOST_DROPPED and now - last < CUT_S)

    def flooded(self, at: TableId, now: float, size: int = 0) -> bool:
        """Count a dropped message. Return whether it is the first of a flood."""
        count, last = self._dropped.get(at, (0, -CUT_S))
        first = now - last >= CUT_S
        self._dropped[at] = 1 + size // HEAVY + (0 if first else count), now
        return first

    def over(self, at: TableId, now: float) -> bool:
        """Whether the flood is over: the table has kept to its share for a while."""
        return now - self._dropped.get(at, (0, -CUT_S))[1] >= CUT_S

    def cut_off(self, now: float) -> frozenset[TableId]:
        """The tables that are cut off now, so that the other tables' messages need not wait."""
        found = self._dropped.items()
        return frozenset(
            at for at, (count, last) in found if count > MOST_DROPPED and now - last < CUT_S
        )


class Noticing:
    """Compares each table's start, stream, clock and program with what it sent before.

    `streams` are the streams that the database has; `version` is the version of the floor's own
    program.
    """

    def __init__(self, streams: dict[TableId, str], version: str) -> None:
        self._streams, self._version = dict(streams), _numbers(version)
        self._boots: dict[TableId, list[str]] = {}

    def boot(self, at: TableId, boot: str) -> Iterator[Odd]:
        """Take the id of a table's present start. Yield a fault if an earlier start came back.

        An earlier start comes back only if two machines use the table's name.
        """
        boots = self._boots.setdefault(at, [])
        if boots and boot in boots[:-1]:
            yield Odd(
                FaultCode.CLONED,
                phrase("Two machines run under this name: switch one of them off."),
            )
        if not boots or boots[-1] != boot:
            self._boots[at] = [*boots[-7:], boot]

    def stream(self, at: TableId, stream: str) -> Iterator[Odd]:
        """Take the stream that a table's events now belong to.

        Yield a fault if the stream changed.
        """
        was = self._streams.get(at, stream)
        self._streams[at] = stream
        if stream != was:
            yield Odd(
                FaultCode.RESTORED,
                phrase("Its journal was put back from a copy; what it told after that is void."),
            )

    def version(self, version: str) -> Iterator[Odd]:
        """Take the version of a table's program. Yield a fault if it is older than the floor's.

        Otherwise yield that this fault is over.
        """
        old = _numbers(version) < self._version
        why = phrase("It runs version {version}, older than the floor's.", version=version[:20])
        yield Odd(FaultCode.VERSION, why if old else None)

    def clock(self, time: str, now_s: float) -> Iterator[Odd]:
        """Take the time by a table's clock, and the floor's.

        Yield a fault if the two differ too much. Otherwise yield that this fault is over. Older
        programs send no time.
        """
        try:
            ahead = datetime.fromisoformat(time).timestamp() - now_s
        except (ValueError, OverflowError, OSError):
            return
        seconds = round(abs(ahead))
        late = phrase("Its clock is {seconds} s late: set it.", seconds=seconds)
        early = phrase("Its clock is {seconds} s early: set it.", seconds=seconds)
        wrong = late if ahead < 0 else early
        yield Odd(FaultCode.CLOCK, wrong if seconds > CLOCK_S else None)


def _numbers(version: str) -> tuple[int, ...]:
    """The numbers of a version, without the part about the build."""
    plain = version.partition("+")[0].split(".")
    return tuple(int(part) for part in plain if part.isdecimal() and len(part) < 9)

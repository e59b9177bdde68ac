"""Makes the board show the desired `Picture`, even if the line fails for a while. It does no IO.

The module knows the link and the messages. It must not know ports, clocks, or the meaning of a
`Picture` (what the board should show). The caller sets the desired `Picture`. A newer `Picture`
replaces an older one, even if the older one was never sent.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from firmware_bridge.link import Delivered, Down, Happened, HostLink, Received, Up
from firmware_bridge.messages import (
    BadMessage,
    Cause,
    FromBoard,
    LampBuild,
    Picture,
    Status,
    pack,
    unpack,
)


@dataclass(frozen=True, slots=True)
class Connected:
    """The board answers, and is sent the picture that it should show.

    `rebooted` says whether the board has restarted since the last connection.
    """

    boot_id: int
    rebooted: bool
    cause: Cause
    lamps: LampBuild


@dataclass(frozen=True, slots=True)
class Lost:
    """The board does not answer, or its port is gone, for the reason `why`, a sentence.

    The host goes on trying.
    """

    why: str


News = Connected | Lost | FromBoard


class Reconciler:
    """The host's side of one board.

    The caller passes in bytes, times and `Picture`s, and gets bytes and news.
    """

    def __init__(self, new_session: Callable[[], int]) -> None:
        self._link = HostLink(new_session)
        self._desired = Picture()
        self._in_flight: Picture | None = None
        self._boot_id: int | None = None
        self._serial: int | None = None  # of the last report since the board's start
        #: What the board has acknowledged; None while it may show something else.
        self.shown: Picture | None = None
        #: The board's latest status.
        self.status: Status | None = None

    @property
    def connected(self) -> bool:
        """Whether the link is up."""
        return self._link.up

    @property
    def wanted(self) -> Picture:
        """What the board should show now."""
        return self._desired

    @property
    def settled(self) -> bool:
        """Whether the board has acknowledged what it should show."""
        return self.connected and self.shown == self._desired

    @property
    def refused(self) -> str:
        """The reason why a board that answers cannot be used; empty if it can be used."""
        return self._link.refused

    @property
    def due(self) -> float:
        """The time when `poll` must be called next, unless bytes or a new `Picture` come first."""
        return self._link.due

    def show(self, picture: Picture) -> None:
        """Set what the board should show. Call `poll` afterwards."""
        self._desired = picture

    def poll(self, now: float) -> tuple[bytes, list[News]]:
        """Return the bytes to write at `now`, and the events on the link."""
        if self._link.ready and self.shown != self._desired:
            self._in_flight = self._desired
            self._link.send(*pack(self._desired), now)
        out, happened = self._link.poll(now)
        return out, self._news(happened)

    def receive(self, data: bytes, now: float) -> list[News]:
        """Take bytes that arrived at `now`. Return the news. Call `poll` afterwards."""
        return self._news(self._link.receive(data, now))

    def unplug(self, why: str, now: float) -> list[News]:
        """Note that the port is gone, for the reason `why`. Return the news.

        The conversation is forgotten, but what the board should show is kept.
        """
        return self._news(self._link.break_off(why, now))

    def _news(self, happened: list[Happened]) -> list[News]:
        news: list[News] = []
        for one in happened:
            match one:
                case Up():
                    news.append(self._meet(one))
                case Down(why):
                    self.shown = self._in_flight = None
                    news.append(Lost(why))
                case Delivered():
                    self.shown, self._in_flight = self._in_flight, None
                case Received(tag, body):
                    news += self._hear(tag, body)
        return news

    def _meet(self, up: Up) -> Connected:
        rebooted = self._boot_id is not None and self._boot_id != up.boot_id
        if self._boot_id != up.boot_id:
            self._serial = None
        self._boot_id = up.boot_id
        return Connected(up.boot_id, rebooted, _cause(up.cause), LampBuild(up.lamps & 1))

    def _hear(self, tag: int, body: bytes) -> list[News]:
        try:
            said = unpack(tag, body)
        except BadMessage:
            return []
        if isinstance(said, Status):
            self.status = said
            return [said]
        # A report whose acknowledgement was lost in a reset is repeated with the same serial.
        if self._serial is not None and (said.serial - self._serial - 1) & 0xFFFF >= 0x8000:
            return []
        self._serial = said.serial
        return [said]


def _cause(number: int) -> Cause:
    return Cause(number) if number in set(Cause) else Cause.UNKNOWN

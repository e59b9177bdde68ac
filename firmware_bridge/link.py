"""The host's end of the line to the table board: a protocol without IO.

The caller passes in the bytes that arrived, and the time, and gets bytes and events. The module
knows numbers, acknowledgements and resets. It must not know the meaning of a message, nor ports,
clocks or threads. The board's end is `hardware/firmware/link.c`; its twin on a PC is `twin.py`.

The protocol is stop and wait. One message is in flight, and is sent again every `RETRY_S` until the
board acknowledges its number. After `TRIES` without an answer the link is down. Then the host sends
*reset* (with a session number never used before) until the board answers with its boot id, and both
ends count from 1 again. A board that restarted or gave up says so with session 0, and the reset
starts immediately.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from firmware_bridge.frames import BadFrame, Splitter, decode, encode
from firmware_bridge.messages import LAYOUTS, PROTOCOL, BadMessage
from firmware_bridge.trouble import Trouble

RETRY_S: Final = 0.05  # the longest frame and its acknowledgement take under 8 ms at 115200 baud
TRIES: Final = 5
HEARTBEAT_S: Final = 0.25  # the board goes dark after 1 s of silence, so three may be lost
RESET_S: Final = 0.1  # between two resets, while no answer comes
RESET_SLOW_S: Final = 1.0  # the same if the board speaks another version and there is no hurry

_RESET, _RESET_ACK, _ACK = (LAYOUTS[name].tag for name in ("reset", "reset_ack", "ack"))
_HEARTBEAT: Final = LAYOUTS["heartbeat"].tag
_FIRST_NUMBERED: Final = 0x10


@dataclass(frozen=True, slots=True)
class Up:
    """Both ends have agreed on message numbers. `boot_id` changes with each start of the board."""

    boot_id: int
    cause: int
    lamps: int


@dataclass(frozen=True, slots=True)
class Down:
    """The line was up and has failed, for the reason `why`, a sentence for people."""

    why: str


@dataclass(frozen=True, slots=True)
class Received:
    """A message from the board. Each message comes once, and in order."""

    tag: int
    body: bytes


@dataclass(frozen=True, slots=True)
class Delivered:
    """The board has acknowledged the message given to `HostLink.send`."""


Happened = Up | Down | Received | Delivered


RESTARTED: Final = Trouble("the board restarted or had not heard of us for a while")


def _silent() -> Trouble:
    within_ms = round(TRIES * RETRY_S * 1000)
    return Trouble("the board did not answer {n} times in {ms} ms", n=TRIES, ms=within_ms)


class HostLink:
    """The host's end. `new_session` returns a number (1 to 2**32-1), never the same one twice."""

    def __init__(self, new_session: Callable[[], int]) -> None:
        self._new_session = new_session
        self._splitter = Splitter()
        self._session = new_session()
        self._in_flight: tuple[int, bytes] | None = None  # tag and body
        self._sent = self._seen = 0  # numbers of the last message out, and of the last one in
        self._tries = 0
        self._due = 0.0  # when to resend the message in flight, or send a heartbeat or a reset
        self._acks = b""
        self.up = False
        self.refused: str = ""  # the reason why the board cannot be used, although it answers

    @property
    def ready(self) -> bool:
        """Whether `send` may be called: the link is up and nothing is in flight."""
        return self.up and self._in_flight is None

    @property
    def due(self) -> float:
        """The time when `poll` must be called next, unless bytes arrive first."""
        return self._due

    def send(self, tag: int, body: bytes, now: float) -> None:
        """Begin to send a message of type `tag`. Raises RuntimeError unless `ready`."""
        if not self.ready:
            raise RuntimeError("the link is down or a message is in flight: wait for Delivered")
        self._sent = self._sent % 255 + 1
        self._in_flight, self._tries, self._due = (tag, body), 0, now

    def break_off(self, why: str, now: float) -> list[Happened]:
        """Forget the conversation, for the reason `why`: the port is gone. Return the events.

        The next conversation starts afresh.
        """
        self._splitter = Splitter()
        return [self._break(why, now)] if self.up else []

    def poll(self, now: float) -> tuple[bytes, list[Happened]]:
        """Return the bytes to write at `now` (seconds, any monotonic origin), and the events."""
        out, self._acks = self._acks, b""
        if now < self._due:
            return out, []
        if not self.up:
            self._due = now + (RESET_SLOW_S if self.refused else RESET_S)
            reset = bytes([_RESET, 0]) + LAYOUTS["reset"].pack(PROTOCOL, self._session)
            return b"\0" + encode(reset), []  # the zero ends any noise before it
        if self._in_flight is None:
            self.send(_HEARTBEAT, b"", now)
        if self._tries == TRIES:
            return out, [self._break(_silent(), now)]
        self._tries, self._due = self._tries + 1, now + RETRY_S
        assert self._in_flight is not None
        tag, body = self._in_flight
        return out + encode(bytes([tag, self._sent]) + body), []

    def receive(self, data: bytes, now: float) -> list[Happened]:
        """Take bytes that arrived at `now`. Return the events. Damaged frames are dropped."""
        happened: list[Happened] = []
        for frame in self._splitter.feed(data):
            with suppress(BadFrame, BadMessage):
                happened += self._take(decode(frame), now)
        return happened

    def _take(self, content: bytes, now: float) -> list[Happened]:
        if len(content) < 2:
            raise BadMessage("no tag and number")
        tag, number, body = content[0], content[1], content[2:]
        if tag == _RESET_ACK:
            return self._agree(*LAYOUTS["reset_ack"].unpack(body), now=now)
        if not self.up:
            return []
        if tag == _ACK:
            return self._acknowledged(number, now)
        if tag >= _FIRST_NUMBERED and number:
            return self._hear(tag, number, body)
        raise BadMessage(f"tag {tag:#04x}, number {number}")

    def _agree(
        self, version: int, session: int, boot_id: int, cause: int, lamps: int, *, now: float
    ) -> list[Happened]:
        if version != PROTOCOL:
            self.refused = Trouble(
                "the board speaks protocol {version}, this program {ours}: "
                "run `schlitten board flash`",
                version=version,
                ours=PROTOCOL,
            )
            return [self._break(self.refused, now)] if self.up else []
        if session == 0:  # the board has no session: it restarted, or gave up
            self.refused = ""
            if self.up:
                return [self._break(RESTARTED, now)]
            self._due = min(self._due, now)
            return []
        if self.up or session != self._session:
            return []  # the answer to a reset that was sent twice
        self.up, self.refused = True, ""
        self._sent = self._seen = 0
        self._in_flight, self._due = None, now + HEARTBEAT_S
        return [Up(boot_id, cause, lamps)]

    def _acknowledged(self, number: int, now: float) -> list[Happened]:
        if self._in_flight is None or number != self._sent:
            return []  # it acknowledges an earlier try
        (tag, _), self._in_flight = self._in_flight, None
        self._due = now + HEARTBEAT_S
        return [] if tag == _HEARTBEAT else [Delivered()]

    def _hear(self, tag: int, number: int, body: bytes) -> list[Happened]:
        if number == self._seen % 255 + 1:
            self._seen = number
            self._acks += encode(bytes([_ACK, number]))
            return [Received(tag, body)]
        if number == self._seen:  # our acknowledgement was lost
            self._acks += encode(bytes([_ACK, number]))
        return []

    def _break(self, why: str, now: float) -> Down:
        self.up, self._in_flight, self._acks = False, None, b""
        self._session, self._due = self._new_session(), now
        return Down(why)

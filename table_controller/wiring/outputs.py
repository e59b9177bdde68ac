"""Sends the current pictures to the board, the pages and the broker, each in its own queue."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from importlib.metadata import version
from typing import Any

import msgspec
from msgspec.structs import replace

from firmware_bridge.messages import Picture
from table_controller.adapters import board as board_picture
from table_controller.adapters.mqtt_messages import (
    ChainedSnapshot,
    Info,
    Message,
    StaffPicture,
    TableState,
)
from table_controller.adapters.mqtt_pictures import Now
from table_controller.adapters.mqtt_publisher import Publisher
from table_controller.adapters.web.hub import Hub
from table_controller.engine.messages import AlertCleared, AlertRaised, Audience
from table_controller.engine.views import Snapshot
from table_controller.rules.rulebook import rule
from table_controller.service.game import Game, Position
from table_controller.service.journal import Journal
from table_controller.service.rows import Row
from table_controller.service.table import Table, Told
from table_controller.wiring import page_parts
from table_controller.wiring.config import lamp_language
from table_controller.wiring.inputs import Voices
from table_controller.wiring.plan import Plan
from table_controller.wiring.shoe.taping import Tapes

# ---- Knows since when each alert has been open, even after a restart of the program

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


# ---- Sends the current pictures to the board, the pages and the broker, each in its own queue


class Outputs:
    """The outputs of one table. `publisher` is set once there is a broker."""

    def __init__(self, plan: Plan, table: Table[Any], journal: Journal, voices: Voices) -> None:
        self._plan, self._table, self._journal = plan, table, journal
        self._used = voices.used
        self.hub: Hub[Position[Any]] = Hub(
            table.now,
            self._project,
            voices.page,
            rule_text,
            voices.answered,
            begin=journal.last,
        )
        self.board = plan.makes_board(plan.board, voices.board_news) if plan.board else None
        #: Shows a `Picture` on the board. The devices set it; they also report the board's presses.
        self.lamps: Callable[[Picture], None] | None = None
        self._language = plan.lamps or lamp_language(plan.house, game=table.now.game)
        self.publisher: Publisher | None = None
        #: The table's tapes, if it makes any. The staff is told while frames are recorded on
        #: them.
        self.tapes: Tapes | None = None
        self._info = introduced(plan, table.now.game, journal)
        past = journal.of_types(RAISED, CLEARED) if table.now.alerts else ()
        self._since = Since(past, plan.clock)
        self._due: asyncio.Handle | None = None

    def tell(self, told: Sequence[Told], now: Position[Any]) -> None:
        """Show the position everywhere. The table calls this.

        The bytes for the board are written here. Page and broker are only notified.
        """
        self._since.hear(told)
        self.hub.tell(now)
        if self.lamps:
            public = self.hub.snapshot(Audience.PUBLIC)
            self.lamps(board_picture.picture(public, self._language))
        if self.publisher and not self._due:
            self._due = asyncio.get_running_loop().call_soon(self._tell_broker, self.publisher)

    def publish(self, message: Message) -> None:
        """Pass a message to the publisher, if there is a broker."""
        if self.publisher:
            self.publisher.tell(message)

    def _tell_broker(self, publisher: Publisher) -> None:
        """Give the publisher the current picture, once for all events of one round of the loop."""
        self._due = None
        anchor, public = self._journal.anchor(), self.hub.snapshot(Audience.PUBLIC)
        alerts = self.hub.snapshot(Audience.CROUPIER).alerts if public.alerts else ()
        publisher.show(
            Now(
                state=TableState.ALERT if alerts else TableState.READY,
                info=self._info,
                picture=ChainedSnapshot(
                    seq=anchor.count,
                    chain_head=anchor.head,
                    count=anchor.count,
                    stream=anchor.stream,
                    snapshot=public,
                ),
                staff=StaffPicture(
                    seq=self._journal.told_to(Audience.CROUPIER), stream=anchor.stream
                ),
                alerts=alerts,
            )
        )

    def _project(self, now: Position[Any], audience: Audience) -> Snapshot:
        """Return the game's picture with the additions for pages (`page_parts.py`)."""
        staff, picture = audience is not Audience.PUBLIC, now.snapshot(audience)
        if staff:
            picture = page_parts.with_entries(now, picture, reads=self._plan.reads)
            picture = self._used.offered(picture)
        if staff and self.tapes and self.tapes.full:
            picture = page_parts.with_taping(picture, self.tapes.status().by)
        if self._table.trouble:
            picture = page_parts.with_trouble(picture, self._table.trouble, staff=staff)
        return self._since.dated(picture) if staff and picture.alerts else picture


def introduced(plan: Plan, game: Game[Any], journal: Journal) -> Info:
    """Return the table's description for the broker. No input changes it."""
    return Info(
        version=version("schlitten"),
        house=plan.house.id,
        game=game.name,
        capabilities=("replay", "verify"),
        configuration=sha256(repr(plan.house).encode()).hexdigest()[:16],
        boot=journal.boot,
        limits=plan.house.limits,
    )


def rule_text(id_: str) -> str | None:
    """Return the rule in our words; None if no rule has that id."""
    try:
        return rule(id_).text
    except LookupError:
        return None

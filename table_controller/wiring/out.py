"""Sends the current pictures to the board, the pages and the broker, each in its own queue.

The module decides nothing. It shows the game's snapshot, and the additions of the pages.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from hashlib import sha256
from importlib.metadata import version
from typing import Any

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
from table_controller.engine.messages import Audience
from table_controller.engine.views import Snapshot
from table_controller.rules.rulebook import rule
from table_controller.service.game import Game, Position
from table_controller.service.journal import Journal
from table_controller.service.table import Table, Told
from table_controller.wiring import shown
from table_controller.wiring.config import lamp_language
from table_controller.wiring.into import Voices
from table_controller.wiring.plan import Plan
from table_controller.wiring.since import CLEARED, RAISED, Since
from table_controller.wiring.taping import Tapes


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
        """Return the game's picture with the additions for pages (`shown.py`)."""
        staff, picture = audience is not Audience.PUBLIC, now.snapshot(audience)
        if staff:
            picture = shown.with_entries(now, picture, reads=self._plan.reads)
            picture = self._used.offered(picture)
        if staff and self.tapes and self.tapes.full:
            picture = shown.with_taping(picture, self.tapes.status().by)
        if self._table.trouble:
            picture = shown.with_trouble(picture, self._table.trouble, staff=staff)
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

"""The inputs of one table: from pages, the broker, devices and the clock.

The module knows who may send which input. It uses a game only through the interface `Game`, and
knows no driver.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, get_args

import msgspec

from firmware_bridge.reconciler import Connected, Lost, News
from firmware_bridge.trouble import Trouble
from table_controller.adapters.web.hub import Answer, Said
from table_controller.engine.alerts import is_open
from table_controller.engine.messages import (
    CardSeen,
    DeviceBack,
    DeviceLost,
    Phrase,
    Refusal,
    Refused,
    phrase,
)
from table_controller.engine.seen import Seen
from table_controller.engine.table.persons import KINDS
from table_controller.service import logs
from table_controller.service.debouncing import Flaps
from table_controller.service.errors import BadInput
from table_controller.service.game import Game, Position
from table_controller.service.journal import Journal
from table_controller.service.reading import by_page
from table_controller.service.table import Table, Told, refusal
from table_controller.wiring.recent_texts import REACH, Used

_REFUSED = str(Refused.__struct_config__.tag)


class Voices:
    """Sends the inputs of pages, broker and devices to one table.

    `warn` gets sentences about devices.
    """

    def __init__(self, table: Table[Any], journal: Journal, warn: Callable[[str], None]) -> None:
        self._table, self._journal, self._warn = table, journal, warn
        self._lost: dict[str, str] = {}
        self._flaps = Flaps()
        self.used = Used(journal.archive.typed(REACH))
        #: Hears the reports of the board's buttons and sensors.
        self.reports: Callable[[News], None] = lambda _: None

    async def page(self, said: Said, actor: str, press: str = "") -> Answer:
        """Send an input from a page to the table, and return the answer, which may be a refusal.

        `press` is the press's id in the journal, or "".
        """
        heard, who = by_page(said, actor)
        before = self._table.now
        try:
            told = await self._table.ask(heard, actor=who, press=press)
        except BadInput as error:
            return Answer(ok=False, why=phrase("{why}", why=error.plain))
        no = refusal(told)
        if no:
            return Answer(ok=False, why=no.why, remedy=no.remedy, rule=no.rule)
        self.used.hear(heard)
        news = [event for event, _ in told]
        return Answer(changed=before.changed(self._table.state, news))

    def answered(self, press: str) -> Answer | None:
        """Return the answer to a press, even from before a restart; None for a new press."""
        known = self._journal.answer(press)
        if known is None:
            return None
        told, changed = known
        no = next((row for row in told if row.type == _REFUSED), None)
        if no is None:
            return Answer(changed=changed)
        why = msgspec.json.decode(no.body, type=Refused)
        return Answer(ok=False, why=why.why, remedy=why.remedy, rule=why.rule)

    async def broker(self, said: dict[str, Any], actor: str) -> dict[str, Any]:
        """Send an input from the broker to the table, and return the types of its events.

        Raises Refusal, or ValueError if `said` is not an input.
        """
        try:
            told = await self._table.ask(said, actor=actor)
        except BadInput as error:
            raise ValueError(error.plain) from None
        no = refusal(told)
        if no:
            raise Refusal(no.why, no.remedy, no.rule)
        self.used.hear(said)
        return {"events": [row.type for _, row in told]}

    def lost(self, device: str, why: str) -> None:
        """Report that a device does not answer. `why` is a sentence with the remedy.

        A page translates a `Trouble`. A driver's own text stays as the driver wrote it.
        """
        self._flaps.amiss(device)
        told = self._lost.get(device)
        if told != why and not (told and self._flaps.often(device)):
            self._lost[device] = why
            self._table.say(DeviceLost(actor="watch", device=device, why=_told(why)))
            self.warn(f"{device}: {why}")

    def warn(self, sentence: str) -> None:
        """Print a sentence on the terminal, if that is possible. Alerts do not depend on this."""
        try:
            self._warn(sentence)
        except Exception as error:  # noqa: BLE001 - a terminal may fail in any way
            logs.fault("a warning could not be told", error)

    def back(self, device: str) -> None:
        """Report that a device that was lost answers again.

        The device may have been lost before a restart of the service.

        If a device often comes and goes, its return is reported only after a quiet time.
        """
        if device in self._lost or is_open(self._table.now.alerts, f"device-{device}"):
            self._flaps.well(device, partial(self._say_back, device))

    def settled(self, device: str) -> None:
        """Report that a person has dealt with the fault of a device.

        Unlike a device's report, this report never waits.
        """
        self._flaps.amiss(device)
        self._say_back(device)

    def _say_back(self, device: str) -> None:
        self._lost.pop(device, None)
        self._table.say(DeviceBack(actor="watch", device=device))

    def stop(self) -> None:
        """Report no more changes of devices."""
        self._flaps.close()

    def board_news(self, news: News) -> None:
        self.reports(news)
        match news:
            case Lost(why=why):
                self.lost("board", why)
            case Connected():
                self.back("board")

    def news(self, device: str, fault: str | None) -> None:
        """Report the fault of a device. If there is none, report that the device answers again."""
        if fault:
            self.lost(device, fault)
        else:
            self.back(device)


class Clock:
    """Sends an input in the clock's name when the table has waited long for an answer (Z-16)."""

    def __init__(self, table: Table[Any]) -> None:
        self._table = table
        self._alarm: asyncio.TimerHandle | None = None
        self._prompt = 0

    def tell(self, _told: Sequence[Told], now: Position[Any]) -> None:
        """If the prompt is new, start its waiting time. The table calls this."""
        if now.prompt == self._prompt:
            return
        self._prompt = now.prompt
        self.stop()
        if now.deadline:
            seconds, said = now.deadline
            self._alarm = asyncio.get_running_loop().call_later(seconds, self._table.say, said)

    def stop(self) -> None:
        """Cancel the waiting time."""
        if self._alarm:
            self._alarm.cancel()


def _told(why: str) -> str | Phrase:
    """Return a reason as a phrase, which pages translate, and any other text unchanged."""
    if not isinstance(why, Trouble):
        return why
    values = why.values.items()
    return Phrase(
        why.template,
        {name: _told(value) if isinstance(value, str) else value for name, value in values},
    )


def by_broker(game: Game[Any]) -> frozenset[str]:
    """Return the types of the inputs that staff may send through the broker.

    Inputs of devices, inputs that may name a card, and inputs about people with roles are excluded.
    """
    return frozenset(
        str(kind.__struct_config__.tag)
        for kind in get_args(game.inputs)
        if not (kind.SEALED or kind.OWN) and kind.NEEDS is not None and kind not in KINDS
    )


def card_input(seen: Seen) -> CardSeen:
    """Turn a reader's verdict into an input of the table."""
    return CardSeen(
        actor="lip", card=seen.card, copy=seen.copy, unknown=seen.unknown, white=seen.white
    )

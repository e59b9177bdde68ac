"""A table to practise at: you are the croupier, and a word on the terminal makes a fault.

The module is part of the wiring, as app.py is. Nobody plays by himself. A generated
Schlitten gives a card when the table waits for one. The board is always the twin, so no real table
has these faults.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from firmware_bridge.messages import Sensor
from table_controller.commands import demo
from table_controller.commands.live import Say, where
from table_controller.commands.players import seeded
from table_controller.engine.messages import Audience, CardSeen
from table_controller.engine.seen import Unknown
from table_controller.rules.houses import House
from table_controller.service.game import Position
from table_controller.service.table import Told
from table_controller.wiring.app import Service
from table_controller.wiring.shoe.pacing import awaits_card

CAMERA: Final = (
    "The camera of the practice is unplugged: type camera on the terminal to plug it in."
)
BEGINS: Final = (
    "A table to practise at: you are the croupier, and nobody else plays. Press on the page who\n"
    "sits down, and what each says and stakes. "
)
COME: Final = "A card comes by itself when the table waits for one."
TYPED: Final = "Type each card on the page."
ASKED: Final = "\nTo make a fault, type a word here, and Enter:"


class Practice:
    """Deals cards to a table when one is due, and makes the faults that somebody asks for.

    Attributes:
        faults: each word with its sentence and with the function that makes or ends the fault.
    """

    def __init__(
        self, service: Service, draw: Callable[[], CardSeen | None] | None, say: Say
    ) -> None:
        """`draw` returns the next card, or None if none is left. It may block.

        Without `draw`, the croupier types the cards.
        """
        self._service, self._draw, self._say = service, draw, say
        self._held: deque[CardSeen] = deque()  # cards that left unread
        self._next: Unknown | None = None
        self._news = asyncio.Event()
        self._lid_up = self._blind = False
        self.faults: dict[str, tuple[str, Callable[[], None]]] = {
            "lid": ("the lid opens; lid again closes the lid", self._lid),
            "board": ("the board is unplugged; board again plugs the board in", self._board),
        }
        if draw:
            self.faults |= {
                "unread": ("the next card is not read", partial(self._misread, Unknown.NO_READ)),
                "foreign": (
                    "the next card is of another pack",
                    partial(self._misread, Unknown.FOREIGN),
                ),
                "again": ("the unread card is shown to the camera again", self._again),
                "stray": ("a card leaves although none is due", self._stray),
                "camera": ("the camera is unplugged; camera again plugs it in", self._camera),
            }

    @property
    def begins(self) -> str:
        """The text at the beginning: what this is, and the words that make a fault."""
        words = (f"  {word:9}{text}" for word, (text, _) in self.faults.items())
        return "\n".join((BEGINS + (TYPED if not self._draw else COME) + ASKED, *words))

    def hear(self, line: str) -> None:
        """Obey a line of the terminal."""
        word = line.strip().lower()
        if word in self.faults:
            self.faults[word][1]()
        elif word:
            self._say(f"{word!r} is no fault. Type one of: {', '.join(self.faults)}.")

    def tell(self, _told: Sequence[Told], _now: Position[Any], /) -> None:
        """Look again whether a card is due. The table calls this."""
        self._news.set()

    async def deal(self) -> None:
        """Give a card whenever one is due, until cancelled."""
        while True:
            await self._news.wait()
            self._news.clear()
            if self._due:
                await asyncio.sleep(demo.CARD_S)
            if self._due:
                await self._pass()

    @property
    def _due(self) -> bool:
        now = self._service.table.now
        return (
            bool(self._draw)
            and awaits_card(now)
            and not (self._blind or self._lid_up or now.asks_again)
        )

    async def _pass(self) -> None:
        card = await asyncio.to_thread(self._draw) if self._draw else None
        if card is None:
            self._say("The Schlitten is empty: touch annul the coup, or end the practice (Ctrl-C).")
            return
        why, self._next = self._next, None
        if why and not card.white:
            self._held.append(card)
            self._say(
                f"This card was not read: {card.card}. Type again to show it to the camera once "
                "more, or give the card on the page."
            )
            card = CardSeen(actor="lip", unknown=why)
        else:
            self._held.clear()
        before = dict(self._closed())
        await self._service.table.ask(card)
        for seat, count in self._closed():
            if card.card and count > before.get(seat, 0):
                self._say(f"Seat {seat} got {card.card}.")

    def _closed(self) -> Iterator[tuple[int, int]]:
        """Each seat with a hand, and how many closed cards it holds. You speak for the players."""
        for hand in self._service.table.now.snapshot(Audience.CROUPIER).hands:
            if hand.seat:
                yield hand.seat, hand.cards.count(None)

    def _misread(self, why: Unknown) -> None:
        self._next = why
        self._say("The next card will not be read.")

    def _again(self) -> None:
        if not self._held or not self._service.table.now.asks_again:
            self._say("The table does not ask to see a card again.")
            return
        self._service.table.say(self._held.popleft())

    def _stray(self) -> None:
        if awaits_card(self._service.table.now):
            self._say("A card is due now. Type stray while the table waits for a word or a press.")
            return
        self._service.start("stray", self._pass, ends=True, again=False)

    def _lid(self) -> None:
        board = self._service.board
        if board and board.twin:
            self._lid_up = not self._lid_up
            board.twin.set_sensor(Sensor.LID, active=self._lid_up)
            self._say("The lid is open." if self._lid_up else "The lid is closed.")
            self._news.set()

    def _board(self) -> None:
        board = self._service.board
        if board and board.twin:
            board.twin.plugged = not board.twin.plugged
            if board.twin.plugged:
                board.twin.reset()  # its power came back
                self._lid_up = False
            self._say("The board is plugged in." if board.twin.plugged else "The board is out.")

    def _camera(self) -> None:
        self._blind = not self._blind
        self._service.voices.news("camera", CAMERA if self._blind else None)
        self._say("The camera is out." if self._blind else "The camera is plugged in.")
        self._news.set()


@contextlib.contextmanager
def heard(practice: Practice) -> Iterator[None]:
    """Pass on the terminal's lines. Without a terminal or a pipe, nobody can type."""
    loop, terminal = asyncio.get_running_loop(), sys.stdin.fileno()

    def read() -> None:
        typed = os.read(terminal, 4096)
        if not typed:
            loop.remove_reader(terminal)
        for line in typed.decode(errors="replace").splitlines():
            practice.hear(line)

    with contextlib.suppress(PermissionError):  # a file, or /dev/null
        loop.add_reader(terminal, read)
    try:
        yield
    finally:
        loop.remove_reader(terminal)


async def run_practice(
    folder: Path,
    house: House,
    *,
    page_port: int,
    seed: int,
    by_hand: bool,
    say: Say,
) -> None:
    """Serve a table to practise at until cancelled. Key and journal are in `folder`.

    If `by_hand` is true, the croupier types the cards.
    """
    titled = replace(house, title=f"{house.title} · Practice")
    made = demo.plan(folder, titled, say, page_port=page_port, broker_port=0)
    made = replace(made, reads=not by_hand, broker=None, accounts=(), address=None)
    async with Service(made) as service:
        cards, people = demo.Cards(house, seed, None, say), seeded(service.game, seed)

        def draw() -> CardSeen | None:
            return cards.next(people.progress(service.table.state).schlitten)

        practice = Practice(service, None if by_hand else draw, say)
        say(practice.begins)
        say(where(service, ()))
        service.table.listen(practice)
        practice.tell((), service.table.now)
        with heard(practice):
            await practice.deal()

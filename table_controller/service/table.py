"""The table: one inbox, one writer. Everything that happens goes through `take`.

The module knows the order: step, commit, adopt the new state, tell the listeners. It knows no rule
and no device.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from typing import Generic, NamedTuple, Protocol, TypeVar

from table_controller.engine.messages import Audience, Event, Input, Refusal, Refused
from table_controller.service import logs
from table_controller.service.errors import JournalBusy, JournalError
from table_controller.service.game import Game, Position, closes, failed, flushes, refused
from table_controller.service.journal import Commit, Journal
from table_controller.service.reading import InputReader
from table_controller.service.rows import Outcome, Pressed, Row

S = TypeVar("S")

#: After a failed commit the same input is retried at this interval until it is written.
RETRY_S = 1.0
#: The shorter interval, if only another program's lock was in the way.
BUSY_RETRY_S = 0.05


class Told(NamedTuple):
    """An event that may be published, and its row in the journal. It is never a sealed event."""

    event: Event
    row: Row


def refusal(told: Sequence[Told]) -> Refused | None:
    """Return the event that says that the input was refused; None if the input was accepted."""
    return next((event for event, _ in told if isinstance(event, Refused)), None)


class Listener(Protocol[S]):
    """Gets the events of every input. A listener must only enqueue the events."""

    def tell(self, told: Sequence[Told], now: Position[S], /) -> None:
        """Take the events of an input, and the position after that input."""


class _Said(NamedTuple):
    """An input that waits in the inbox.

    `answer` gets the input's events once they are committed.
    """

    input: Input
    t_ms: int
    answer: asyncio.Future[tuple[Told, ...]] | None
    press: str = ""


class _Turn(NamedTuple, Generic[S]):
    """The result of an input, which takes effect once `commit` is settled."""

    state: S
    news: tuple[Event, ...]
    money: dict[str, int]
    commit: Commit


class Table(Generic[S]):
    """One card table while the service runs it.

    Attributes:
        now: the game's position after the last committed input.
        trouble: for the croupier, the reason why the journal cannot be written now; else "".
    """

    def __init__(
        self,
        game: Game[S],
        state: S,
        journal: Journal,
        clock: Callable[[], int],
        *,
        listeners: Sequence[Listener[S]] = (),
        alarm: Callable[[str], None] = lambda _: None,
    ) -> None:
        """Begin with the recovered `state`. `clock` gives milliseconds.

        `alarm` is called with `trouble` whenever `trouble` changes.
        """
        self.now, self.trouble = Position(game, state), ""
        self._money: dict[str, int] = {}  # where the money was according to the journal
        self._game, self._journal, self._clock = game, journal, clock
        self._listeners, self._alarm = list(listeners), alarm
        self._reader = InputReader(game.inputs)
        self._inbox: asyncio.Queue[_Said] = asyncio.Queue()
        self._taking: _Said | None = None
        self._turned, self._at_disk = math.inf, False
        self._turn: _Turn[S] | None = None  # the turn of `_taking` while it is written

    @property
    def state(self) -> S:
        """The game's state after the last committed input."""
        return self.now.state

    def listen(self, listener: Listener[S]) -> None:
        """Call `listener` with all further events."""
        self._listeners.append(listener)

    def say(self, said: Input | Mapping[str, object] | bytes, *, actor: str | None = None) -> None:
        """Put an input into the inbox. `actor`, if given, replaces the actor that the input names.

        Call this from the event loop's thread. Other threads use `loop.call_soon_threadsafe`.
        Raises BadInput for a mapping or JSON that is no input of the game.
        """
        self._inbox.put_nowait(_Said(self._reader.read(said, actor), self._clock(), None))

    async def ask(
        self,
        said: Input | Mapping[str, object] | bytes,
        *,
        actor: str | None = None,
        press: str = "",
    ) -> tuple[Told, ...]:
        """Put an input into the inbox, wait until it is committed, and return its events.

        If the input is refused, the event is the refusal. `press` is the press's id: the journal
        notes the answer to a press, in the same transaction. Raises BadInput.
        """
        answer: asyncio.Future[tuple[Told, ...]] = asyncio.get_running_loop().create_future()
        heard = self._reader.read(said, actor)
        self._inbox.put_nowait(_Said(heard, self._clock(), answer, press))
        return await answer

    @property
    def waiting(self) -> int:
        """The number of inputs that wait in the inbox."""
        return self._inbox.qsize()

    @property
    def busy(self) -> bool:
        """Whether the table still works on an input, or an input waits in the inbox."""
        return self._taking is not None or not self._inbox.empty()

    @property
    def turned(self) -> float:
        """The time of the last round of `run`, in monotonic seconds; a watchdog checks this time.

        While `run` waits for an input or for the disk, the value is infinity.
        """
        return self._turned if self.busy and not self._at_disk else math.inf

    async def run(self) -> None:
        """Take the inputs from the inbox until cancelled. Only this method changes the state.

        When it is cancelled, the inputs that wait are still taken, so that no card that has passed
        is forgotten.
        """
        try:
            while True:
                self._taking = await self._inbox.get()
                self._turned = time.monotonic()
                told = await self._persist(self._taking)
                _answer(self._taking, told)
                self._taking = None
                if flushes(event for event, _ in told):
                    await self._tidy()
        finally:
            self._finish()

    def _finish(self) -> None:
        """Take the waiting inputs, each once. The log counts those that cannot be written now."""
        left = [self._taking] if self._taking else []
        left += [self._inbox.get_nowait() for _ in range(self._inbox.qsize())]
        for done, said in enumerate(left):
            turn, self._turn = self._turn or self._begin(said.input, said.t_ms, said.press), None
            try:
                _answer(said, self._end(turn))
            except JournalError as error:
                logs.error("inputs not journaled", count=len(left) - done, why=str(error))
                return

    async def _persist(self, said: _Said) -> tuple[Told, ...]:
        """Take one input.

        While the journal cannot be written, try again, so that no input is lost.
        """
        while True:
            self._turned = time.monotonic()
            turn = self._turn = self._begin(said.input, said.t_ms, said.press)
            await self._wait_for_disk(turn.commit.written())
            self._turn = None
            try:
                told = self._end(turn)
            except JournalError as error:
                self._say_trouble(str(error))
                await asyncio.sleep(BUSY_RETRY_S if isinstance(error, JournalBusy) else RETRY_S)
            else:
                self._say_trouble("")
                return told

    async def _tidy(self) -> None:
        """Tidy the journal between two Schlitten.

        Meanwhile the event loop serves pages and broker.
        """
        with suppress(JournalError):  # if the fault lasts, the next commit reports it
            await self._wait_for_disk(self._journal.tidy())

    async def _wait_for_disk(self, work: Awaitable[None]) -> None:
        self._at_disk = True
        try:
            await work
        finally:
            self._at_disk, self._turned = False, time.monotonic()

    def _say_trouble(self, trouble: str) -> None:
        if trouble != self.trouble:
            self.trouble = trouble
            try:
                self._alarm(trouble)
            except Exception as error:  # noqa: BLE001 - as with a listener: the table goes on
                logs.fault("alarm failed", error)

    def take(self, said: Input, t_ms: int) -> tuple[Told, ...]:
        """Take one input: one step of the game, one transaction, then tell the listeners.

        This waits for the disk; `run` does the same without blocking. Raises JournalError if the
        input cannot be written; then the state is unchanged.
        """
        return self._end(self._begin(said, t_ms))

    def _begin(self, said: Input, t_ms: int, press: str = "") -> _Turn[S]:
        """Step the game and start to write the result. The state does not change yet."""
        outcome, state, news, saved = self._step(said)
        money = self._money if state is self.state else self._game.money(state)
        moved = money if money != self._money else None
        pressed = None
        if press:
            changed = self._game.changed(self.state, state, news)
            pressed = Pressed(press, changed)
        commit = self._journal.commit(
            t_ms, said, news, outcome=outcome, saved=saved, money=moved, pressed=pressed
        )
        return _Turn(state, news, money, commit)

    def _end(self, turn: _Turn[S]) -> tuple[Told, ...]:
        """Wait until the turn is written, adopt its state, and tell the listeners its events.

        Raises JournalError if the turn cannot be written.
        """
        rows = turn.commit.settle()
        self.now, self._money = Position(self._game, turn.state), turn.money
        open_news = (event for event in turn.news if event.audience is not Audience.SEALED)
        told = tuple(map(Told, open_news, rows))
        for listener in self._listeners:
            self._tell(listener, told)
        return told

    def _step(self, said: Input) -> tuple[Outcome, S, tuple[Event, ...], bytes | None]:
        try:
            state, news = self._game.step(self.state, said)
            saved = self._game.save(state) if closes(news) else None
        except Refusal as refusal:
            return Outcome.REFUSED, self.state, (refused(said, refusal),), None
        except Exception as error:  # noqa: BLE001 - a fault of a game must not end the evening
            logs.fault("step failed", error, input=str(said.__struct_config__.tag))
            return Outcome.FAILED, self.state, (failed(said),), None
        return Outcome.TAKEN, state, news, saved

    def _tell(self, listener: Listener[S], told: tuple[Told, ...]) -> None:
        try:
            listener.tell(told, self.now)
        except Exception as error:  # noqa: BLE001 - it is committed; the others must hear it
            logs.fault("listener failed", error, listener=type(listener).__name__)


def _answer(said: _Said, told: tuple[Told, ...]) -> None:
    if said.answer and not said.answer.done():
        said.answer.set_result(told)

"""From journal to state: replay from the last closed Schlitten, and proof that it fits.

Knows a game's step and the journal's rows. What the table told then must be what replay tells
now, byte for byte; the first row that differs is named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Generic, TypeVar

import msgspec
from msgspec import Struct

from table_controller.engine.messages import Audience, Event, Input, Refusal
from table_controller.service.archive import Archive
from table_controller.service.errors import RecoveryError
from table_controller.service.game import Game, refused
from table_controller.service.rows import EventRow, InputRow, Outcome

S = TypeVar("S")


class Recovered(Struct, Generic[S], frozen=True):
    """The state that a journal leads to.

    Attributes:
        state: after the last input.
        since: the number of the input whose closed Schlitten replay began at, or 0.
        replayed: how many inputs were played again.
    """

    state: S
    since: int
    replayed: int


def recover(
    archive: Archive, game: Game[S], begin: Callable[[], S], *, whole: bool = False
) -> Recovered[S]:
    """Return the state that the journal leads to, and prove it.

    `whole` replays everything, not just what followed the last closed Schlitten. Raises
    RecoveryError where replay tells another story, JournalDamaged where a chain breaks.
    """
    state, since = begin(), 0
    save = None if whole else archive.last_save()
    if save:
        since, saved = save
        state = game.load(state, saved)
    replay = _Replay(game, archive)
    head = archive.head(since) if since else archive.root()
    for row, events in archive.turns(after=since):
        broken = archive.advance(head, row, events)
        if broken:
            raise archive.damaged(broken)
        state = replay.turn(state, row, events)
    return Recovered(state, since, head.n - since)


def play(game: Game[S], state: S, inputs: Iterable[Input]) -> Iterator[tuple[S, tuple[Event, ...]]]:
    """Step through `inputs` without journal or table; refusals are news, as at the table."""
    step = game.step
    for said in inputs:
        try:
            state, news = step(state, said)
        except Refusal as refusal:
            news = (refused(said, refusal),)
        yield state, news


class _Replay(Generic[S]):
    """Plays stored turns again."""

    def __init__(self, game: Game[S], archive: Archive) -> None:
        self._game, self._archive = game, archive
        self._decode = msgspec.json.Decoder(game.inputs).decode
        self._encode = msgspec.json.Encoder().encode

    def turn(self, state: S, row: InputRow, events: list[EventRow]) -> S:
        """Return the state after one stored input. Raises RecoveryError."""
        if row.outcome == Outcome.FAILED:
            return state
        try:
            said: Input = self._decode(self._archive.body(row))
        except msgspec.DecodeError:
            raise self._differs(row, "it is no input of the game as it is now") from None
        try:
            state, news = self._game.step(state, said)
            outcome = Outcome.TAKEN
        except Refusal as refusal:
            news, outcome = (refused(said, refusal),), Outcome.REFUSED
        if outcome != row.outcome:
            raise self._differs(row, f"it is {outcome.name.lower()} now, as it was not then")
        self._compare(row, news, events)
        return state

    def _compare(self, row: InputRow, news: tuple[Event, ...], events: list[EventRow]) -> None:
        if len(news) != len(events):
            raise self._differs(row, f"it has {len(news)} events now, {len(events)} then")
        for event, stored in zip(news, events, strict=True):
            if self._encode(event) != self._archive.body(stored):
                where = f"event {stored.id} ({stored.type})"
                if stored.audience == Audience.SEALED:
                    raise self._differs(row, f"{where} differs; it is sealed")
                was, now = (stored.body or b"").decode(), self._encode(event).decode()
                raise self._differs(row, f"{where} was {was} and is {now}")

    def _differs(self, row: InputRow, what: str) -> RecoveryError:
        path, code = self._archive.path, self._archive.code_of(row)
        return RecoveryError(
            f"{path}: input {row.n}, played again, tells another story: {what}. The rules or the "
            f"house have changed amid a Schlitten. Finish it with version {code} and the house "
            "as it was, or set the journal aside and begin a new one."
        )

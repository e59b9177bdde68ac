"""Computes a table's state from its journal: replays the inputs after the last closed Schlitten.

The module also checks that the replay agrees with the journal. The module knows a game's step and
the journal's rows. Replay must produce the kinds, rules and figures that the journal contains.
Sentences may be reworded, and a field that was added later has its default in older rows. An error
names the first row that differs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Generic, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from table_controller.engine.messages import Audience, Event, Input, Phrase, Refusal, Refused
from table_controller.service.archive import Archive
from table_controller.service.errors import UNREADABLE, RecoveryError
from table_controller.service.game import Game, refused, tell
from table_controller.service.rows import EventRow, InputRow, Outcome

S = TypeVar("S")

#: The fields that identify an event's subject. A replayed event may be shown in an error only if
#: these are equal.
_ABOUT = ("seat", "ordinal")
_CARD = re.compile(r'"[A2-9TJQK][cdhs]"')


class Recovered(Struct, Generic[S], frozen=True):
    """The state that a journal leads to.

    Attributes:
        state: the state after the last input.
        since: the number of the input that closed the last Schlitten, where replay began; or 0.
        replayed: the number of inputs that were played again.
    """

    state: S
    since: int
    replayed: int


def recover(
    archive: Archive, game: Game[S], begin: Callable[[], S], *, whole: bool = False
) -> Recovered[S]:
    """Return the state that the journal leads to. Check that the replay agrees with the journal.

    `whole` replays all inputs, not just those after the last closed Schlitten. Raises RecoveryError
    if replay produces other events, JournalDamaged if a chain breaks.
    """
    state, since = begin(), 0
    save = None if whole else archive.last_save()
    if save:
        since, saved = save
        state = _loaded(archive, game, state, since, saved)
    replay, money = Replay(game, archive), dict(archive.money(after=since))
    head = archive.head(since) if since else archive.root()
    for row, events in archive.turns(after=since):
        broken = archive.advance(head, row, events)
        if broken:
            raise archive.damaged(broken)
        state = replay.turn(state, row, events)
        replay.check(state, row, money.get(row.n, {}))
    return Recovered(state, since, head.n - since)


def _loaded(archive: Archive, game: Game[S], begun: S, since: int, saved: bytes) -> S:
    """Return the saved state. Raises RecoveryError if a newer program saved it in another form."""
    try:
        return game.load(begun, saved)
    except UNREADABLE:  # its text may contain sealed values
        (row,) = archive.inputs(since - 1, since)
        code = archive.code_of(row)
    raise RecoveryError(
        f"{archive.path}: the Schlitten that input {since} closed was kept by version {code}, in a "
        "form that this program does not know: it is older. Nothing is lost, the journal is as it "
        f"was: start it with version {code} or a later one."
    )


def play(game: Game[S], state: S, inputs: Iterable[Input]) -> Iterator[tuple[S, tuple[Event, ...]]]:
    """Yield the state and events after each input, played without journal and table.

    A refusal becomes an event, as it does at the table.
    """
    step = game.step
    for said in inputs:
        try:
            state, news = step(state, said)
        except Refusal as refusal:
            news = (refused(said, refusal),)
        yield state, news


class Replay(Generic[S]):
    """Plays stored inputs again, and compares the events with the stored events."""

    def __init__(self, game: Game[S], archive: Archive) -> None:
        self._game, self._archive = game, archive
        self._as_input = msgspec.json.Decoder(game.inputs).decode
        self._as_event = msgspec.json.Decoder(game.events | Refused).decode
        self._encode = msgspec.json.Encoder().encode

    def turn(self, state: S, row: InputRow, events: list[EventRow]) -> S:
        """Return the state after one stored input. Raises RecoveryError if the events differ."""
        if row.outcome == Outcome.FAILED:
            return state
        try:
            said: Input = self._as_input(self._archive.body(row))
        except UNREADABLE:
            raise self._differs(row, "", "it is no input of the game as it is now") from None
        try:
            state, news = self._game.step(state, said)
            was, now = Outcome.REFUSED, "taken"
        except Refusal as refusal:
            news = (refused(said, refusal),)
            was, now = Outcome.TAKEN, f"refused ({refusal.rule or 'no rule'}: {refusal.why})"
        except Exception as error:  # noqa: BLE001 - its text, like its locals, may hold a card
            what = f"the program fails on it now ({type(error).__name__})"
            raise self._differs(row, tell(said), what) from None
        if row.outcome == was:
            what = f"it was {was.name.lower()} then, and is {now} now"
            raise self._differs(row, tell(said), what)
        what = self._difference(events, news)
        if what:
            raise self._differs(row, tell(said), what)
        return state

    def check(self, state: S, row: InputRow, then: dict[str, int]) -> None:
        """Raise RecoveryError if the money at a place differs from `then`, the journaled money."""
        now = self._game.money(state)
        wrong = [
            f"{who} had {chips} and has {now.get(who, 0)}"
            for who, chips in then.items()
            if now.get(who, 0) != chips
        ]
        if wrong:
            raise self._differs(row, "", f"then {', '.join(wrong)}")

    def _difference(self, events: list[EventRow], news: tuple[Event, ...]) -> str:
        """Return how the replayed events differ from the stored events, or "".

        The text does not show a sealed event.
        """
        news = _since_then(events, news)
        if [stored.type for stored in events] != [_kind(event) for event in news]:
            was = _listed((stored.audience, stored.type) for stored in events)
            now = _listed((event.audience, _kind(event)) for event in news)
            return f"it told {was} then, and tells {now} now"
        for stored, event in zip(events, news, strict=True):
            body = self._archive.body(stored)
            what = "" if body == self._encode(event) else self._compare(body, event)
            if what:
                return f"event {stored.id} ({stored.type}) {what}"
        return ""

    def _compare(self, body: bytes, event: Event) -> str:
        try:
            then = self._as_event(body)
        except UNREADABLE:
            return "is no event of the game as it is now"
        was, now = _figures(then), _figures(event)
        stored = msgspec.json.decode(body, type=dict[str, Any])
        for name in event.LATER:
            if name not in stored:
                now[name] = was[name]
        if was == now:
            return ""
        if event.audience is Audience.SEALED:
            return "differs; it is sealed"
        differ = [name for name in was if was[name] != now.get(name)]
        same = not any(name in differ for name in _ABOUT)
        shown = (
            f"had {name} {_show(was[name])} then, and has {_show(now.get(name))} now"
            if same and was[name] not in (None, ()) and not _secret(name, now.get(name))
            else f"has another {name} now"
            for name in differ
        )
        return ", ".join(shown)

    def _differs(self, row: InputRow, said: str, what: str) -> RecoveryError:
        path, code = self._archive.path, self._archive.code_of(row)
        named = f"input {row.n} ({said})" if said else f"input {row.n}"
        return RecoveryError(
            f"{path}: {named}, played again, tells another story: {what}. The rules or the house "
            "have changed amid a Schlitten, which cannot go on by these. Nothing is lost, the "
            f"journal is as it was: start it with version {code} and the house as it was, and "
            "close the Schlitten there (play it out, or throw its cards away); then this version "
            "goes on. Or set the journal aside, where recall, verify and export still read it, and "
            "begin a new one, at which people sit down with what lies before them."
        )


def _since_then(events: list[EventRow], news: tuple[Event, ...]) -> tuple[Event, ...]:
    """Return the replayed events, without those that an older program did not tell."""
    told = {stored.type for stored in events}
    return tuple(event for event in news if not event.ADDED or _kind(event) in told)


def _figures(event: Event) -> dict[str, object]:
    """The part of an event that must never change: rules, codes and figures, without sentences."""
    figures = {
        name: value for name, value in asdict(event).items() if not isinstance(value, Phrase)
    }
    if isinstance(event, Refused):
        del figures["said"]  # a sentence too: it describes the input
    return figures


def _listed(events: Iterable[tuple[str, str]]) -> str:
    """Return the kinds of events as a list in words. A sealed event's kind is hidden."""
    told = ["a sealed one" if who == Audience.SEALED else kind for who, kind in events]
    return ", ".join(told) or "nothing"


def _kind(event: Event) -> str:
    return str(event.__struct_config__.tag)


def _show(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _secret(name: str, value: object) -> bool:
    """Whether a field may show a card that is still closed, or a value that reveals such a card."""
    return name in ("nonce", "commitment") or _CARD.search(_show(value)) is not None

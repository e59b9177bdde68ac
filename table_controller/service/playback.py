"""A past coup, step by step: the pictures that everybody was shown at the time.

The inputs are played again from the last saved state. Each picture is the public one, which
contains no closed card (R-13). If the rules or the house have changed since then, an error says so
instead of showing the coup by other rules. The module uses a game only through the interface
`Game`, and knows no page.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, replace

from table_controller.engine.messages import Audience, Input, Phrase
from table_controller.engine.views import Snapshot
from table_controller.service.archive import Archive
from table_controller.service.errors import ServiceError
from table_controller.service.game import Game
from table_controller.service.recovery import Replay
from table_controller.service.rows import InputRow, Outcome


class OtherRules(ServiceError):
    """Today's rules or house would decide the coup differently."""


class SaidThen(Struct, frozen=True):
    """Who sent an input, and the input as a script's line.

    Of a sealed input, only the type is given.
    """

    actor: str
    line: str
    why_not: Phrase | None = None


class PastMoment(Struct, frozen=True):
    """One moment of a coup: the input, and the picture after it."""

    t_ms: int
    said: SaidThen
    picture: Snapshot


def frames(
    archive: Archive, game: Game[Any], begin: Callable[[], Any], first: int, last: int
) -> tuple[PastMoment, ...]:
    """Return the moments of the inputs `first` to `last`. Raises OtherRules, JournalError."""
    replay = Replay(game, archive)
    state, since = begin(), 0
    save = archive.save_before(first)
    found = []
    try:
        if save:
            since, kept = save
            state = game.load(state, kept)
        for row, events in archive.turns(since, last):
            state = replay.turn(state, row, events)
            if row.n >= first and row.outcome != Outcome.FAILED:
                refused = next((e.body for e in events if e.type == "refused"), None)
                picture = game.snapshot(state, Audience.PUBLIC)
                found.append(PastMoment(row.t_ms, _said(game, row, refused), picture))
    except (ServiceError, ValueError, TypeError, LookupError):  # its text may contain sealed values
        raise OtherRules(
            f"{archive.path}: inputs {first} to {last} were played by other rules, by another "
            f"house, or by version {archive.code_of(_row(archive, first))}: `recall` tells what "
            "became of them."
        ) from None
    return tuple(found)


def _row(archive: Archive, n: int) -> InputRow:
    return next(archive.inputs(n - 1, n))


def _said(game: Game[Any], row: InputRow, refused: bytes | None) -> SaidThen:
    """Return the input in words.

    If the input is sealed, such as a card that was typed or seen, return only its type.
    """
    if row.body is None:
        return SaidThen("", "")
    said: Input = msgspec.json.decode(row.body, type=game.inputs)
    if said.SEALED:
        return SaidThen(said.actor, "")
    try:
        line = game.write(_in_english(said))
    except ValueError:
        line = str(said.__struct_config__.tag)
    return SaidThen(said.actor, line, _why(refused))


def _in_english(said: Input) -> Input:
    """Return the input with English texts in place of phrases, which no line can express."""
    phrases = {name: value for name, value in asdict(said).items() if isinstance(value, Phrase)}
    return replace(said, **{name: str(value) for name, value in phrases.items()})


def _why(refused: bytes | None) -> Phrase | None:
    return msgspec.json.decode(refused, type=_Refused).why if refused else None


class _Refused(Struct):
    why: Phrase

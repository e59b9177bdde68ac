"""Recordings: the inputs and events of a table, as JSON Lines that a person can read.

A recording has a header, then lines with an input or an event and its time, then a last line with
count and digest. The module knows this notation and a game's message types. The module also reads
the rows of a journal, to export them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

import msgspec
from msgspec import UNSET, Struct, UnsetType

from table_controller.engine.messages import Event, Input, Refused
from table_controller.engine.table import persons, roles
from table_controller.service.archive import Archive
from table_controller.service.errors import UNREADABLE, NothingToExport, RecordingError
from table_controller.service.game import Game
from table_controller.service.output import Output

FORMAT = 1

#: Fields that depend on the table's secret key. They differ in a replay with another key.
KEYED = frozenset({"commitment", "nonce"})


class RecordingHeader(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The first line of a recording.

    Attributes:
        game, house: as `chemin-de-fer`, `zoppot-1934`.
        code: the version of the program that wrote the recording.
        manifest: the cards of the Schlitten, if the game needs them to begin.
        key: the table's 32 bytes in hex, only if the cards are no secret (simulations). A replay
            then makes the same promises.
        state: the table at its beginning, as a game's `save` writes it, if the table is not empty.
        people: false if the list of people, the sign-ins, and refusals for lack of a role were left
            out.
    """

    schlitten: Literal["recording"]
    format: int
    game: str
    house: str
    code: str
    manifest: dict[str, Any] | None = None
    key: str | None = None
    state: dict[str, Any] | None = None
    people: bool = True


class _End(Struct, frozen=True, forbid_unknown_fields=True):
    count: int
    sha256: str


class Heard(Struct, frozen=True, gc=False):
    """A recorded input."""

    t_ms: int
    input: Input


class Happened(Struct, frozen=True, gc=False):
    """A recorded event."""

    t_ms: int
    event: Event


def is_recording(path: Path) -> bool:
    """Whether a file begins like a recording."""
    try:
        with path.open("rb") as file:
            return file.readline(65536).replace(b" ", b"").startswith(b'{"schlitten":"recording"')
    except OSError:
        return False


def header(*, game: str, house: str, code: str, **more: Any) -> RecordingHeader:
    """Make the first line of a recording. `more` can be `manifest`, `key`, `state`, `people`."""
    return RecordingHeader(
        schlitten="recording", format=FORMAT, game=game, house=house, code=code, **more
    )


class Recorder:
    """Writes a recording, mode 0600. The file gets its final name once it is complete."""

    def __init__(self, path: Path, head: RecordingHeader) -> None:
        self._path, self._out = path, Output(path)
        self._encode = msgspec.json.Encoder().encode
        self._digest, self.count = hashlib.sha256(), 0
        self._write(self._encode(head))

    def input(self, t_ms: int, said: Input) -> None:
        """Add an input."""
        self._add(t_ms, b"input", self._encode(said))

    def event(self, t_ms: int, told: Event) -> None:
        """Add an event."""
        self._add(t_ms, b"event", self._encode(told))

    def close(self) -> None:
        """Write the last line and give the file its final name. Raises RecordingError."""
        end = _End(self.count, self._digest.hexdigest())
        try:
            self._write(self._encode(end))
            self._out.finish()
        except OSError as error:
            raise self._failed(error) from None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, _: object, __: TracebackType | None
    ) -> None:
        if kind is None:
            self.close()
        else:
            self._out.drop()

    def _add(self, t_ms: int, kind: bytes, body: bytes) -> None:
        self.count += 1
        self._write(b'{"t_ms":%d,"%s":%s}' % (t_ms, kind, body))

    def _write(self, line: bytes) -> None:
        try:
            self._out.file.write(line + b"\n")
        except OSError as error:
            raise self._failed(error) from None
        self._digest.update(line + b"\n")

    def _failed(self, error: OSError) -> RecordingError:
        part = self._out.part
        kept = "" if part == self._path else f" The part that was written is in {part}."
        return RecordingError(
            f"Cannot finish the recording {self._path}: {error.strerror}.{kept} Free some space "
            "and record again."
        )


class Recording:
    """A complete recording. Its lines are decoded on demand."""

    def __init__(self, path: Path, game: Game[Any] | None = None) -> None:
        """Check header, digest and last line of `path`. Raises RecordingError.

        Without a game, only the header and `lines` can be used.
        """
        self._path = path
        self._lines = _whole(path)
        try:
            self.header = msgspec.json.decode(self._lines[0], type=RecordingHeader)
        except UNREADABLE:
            raise self._bad(1, 'a header {"schlitten":"recording",…} is wanted here') from None
        if self.header.format != FORMAT:
            raise self._bad(
                1,
                f"its format is {self.header.format}, this program reads {FORMAT}; "
                f"replay it with version {self.header.code}",
            )
        if game is None:
            return
        if game.name != self.header.game:
            raise self._bad(1, f"it is a recording of {self.header.game}, not of {game.name}")
        fields: list[tuple[str, Any] | tuple[str, Any, Any]] = [
            ("t_ms", int),
            ("input", game.inputs | UnsetType, UNSET),
            ("event", game.events | Refused | UnsetType, UNSET),
        ]
        line = msgspec.defstruct("Line", fields, forbid_unknown_fields=True, gc=False)
        self._decode = msgspec.json.Decoder(line).decode

    def __iter__(self) -> Iterator[Heard | Happened]:
        """Yield the recorded inputs and events, in order.

        Raises RecordingError at a broken line.
        """
        for number, text in enumerate(self._lines[1:], 2):
            try:
                line: Any = self._decode(text)
            except UNREADABLE as error:
                raise self._bad(number, f"{_path(error)} in {_cut(text)}") from None
            if (line.input is UNSET) == (line.event is UNSET):
                raise self._bad(number, f"one of input and event is wanted in {_cut(text)}")
            if line.event is UNSET:
                yield Heard(line.t_ms, line.input)
            else:
                yield Happened(line.t_ms, line.event)

    def lines(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yield each line's number and its plain JSON, for callers that know no game."""
        for number, text in enumerate(self._lines[1:], 2):
            try:
                yield number, msgspec.json.decode(text, type=dict[str, Any])
            except UNREADABLE:
                raise self._bad(number, f"no JSON object: {_cut(text)}") from None

    def inputs(self) -> Iterator[Input]:
        """Yield the recorded inputs."""
        return (line.input for line in self if isinstance(line, Heard))

    def events(self) -> Iterator[Event]:
        """Yield the recorded events."""
        return (line.event for line in self if isinstance(line, Happened))

    def _bad(self, number: int, what: str) -> RecordingError:
        return RecordingError(
            f"{self._path}, line {number}: {what}. Fetch or make the recording again."
        )


def _whole(path: Path) -> list[bytes]:
    """Return all lines except the last. Raises RecordingError.

    The last line must give the count and the digest of the others.
    """
    try:
        text = path.read_bytes()
    except OSError as error:
        raise RecordingError(f"Cannot read the recording {path}: {error.strerror}.") from None
    body, _, last = text.removesuffix(b"\n").rpartition(b"\n")
    lines = body.split(b"\n")
    number = len(lines) + 1
    try:
        end = msgspec.json.decode(last, type=_End)
    except UNREADABLE:
        raise RecordingError(
            f'{path}, line {number}: the last line must close it ({{"count":…,"sha256":…}}), but '
            f"is {_cut(last)}. The recording is torn: fetch it again."
        ) from None
    if end.count != len(lines) - 1:
        raise RecordingError(
            f"{path}, line {number}: it counts {end.count} lines between header and end, but "
            f"{len(lines) - 1} are there. Fetch the recording again."
        )
    found = hashlib.sha256(body + b"\n").hexdigest()
    if end.sha256 != found:
        raise RecordingError(
            f"{path}, line {number}: the digest is {end.sha256[:16]}…, but the lines give "
            f"{found[:16]}…: {_first_broken(lines)}. Fetch the recording again."
        )
    return lines


def _first_broken(lines: list[bytes]) -> str:
    for number, line in enumerate(lines, 1):
        try:
            msgspec.json.decode(line)
        except UNREADABLE:
            return f"line {number} is broken, {_cut(line)}"
    return "a line was altered"


def _path(error: Exception) -> str:
    """Say at which place of its JSON a line is wrong. The wrong value is not repeated.

    It may be a closed card.
    """
    _, found, where = str(error).partition(" - at ")
    return f"no message of this game at {where}" if found else "no message of this game"


def _cut(line: bytes) -> str:
    """Return the beginning of a line for an error, cut before the first card."""
    text = line.decode(errors="replace")
    head = text.split('"card"')[0]
    return repr(head[:80] + ("…" if len(head) < len(text) or len(head) > 80 else ""))


def export(
    archive: Archive,
    game: Game[Any],
    path: Path,
    *,
    everything: bool = False,
    people: bool = False,
    **more: Any,
) -> int:
    """Write a journal as a recording. Return the recording's number of lines.

    Only closed Schlitten are written, since their cards are no secret. With `everything` the open
    Schlitten is written too, for the holder of the key. The list of people, with the hashes of
    their PINs and accounts, is written only if `people` is true. Sealed inputs are decrypted, so
    the archive needs its keys. `more` goes into the header.

    Raises RecordingError, NothingToExport, WrongKey.
    """
    until = None if everything else archive.last_closed()
    there = archive.last()
    if not there:
        raise NothingToExport(f"{archive.path} holds no input yet: nothing is written.")
    if until == 0:
        raise NothingToExport(
            f"{archive.path} holds no closed Schlitten, but {there} inputs of an open one, whose "
            "cards are secret: nothing is written. Close the Schlitten at the table first, or add "
            "--everything and keep the recording as secret as the key."
        )
    kept = archive.header
    head = header(game=kept.game, house=kept.house, code=kept.code, people=people, **more)
    as_input = msgspec.json.Decoder(game.inputs).decode
    as_event = msgspec.json.Decoder(game.events | Refused).decode
    with Recorder(path, head) as recorder:
        for row, rows in archive.turns(until=until):
            said = as_input(archive.body(row))
            told = [as_event(archive.body(event)) for event in rows]
            if not people and of_people(said, told):
                continue
            recorder.input(row.t_ms, said)
            for event in told:
                recorder.event(row.t_ms, event)
    return recorder.count


def of_people(said: Input, told: list[Event]) -> bool:
    """Whether the input concerns the list of people, or was refused because of that list.

    Replay needs neither kind.
    """
    by_role = (isinstance(event, Refused) and event.why in roles.WHYS for event in told)
    return isinstance(said, persons.KINDS) or any(by_role)


class Difference(Struct, frozen=True):
    """The first event that is not as expected, or that is missing on one side (None).

    `number` counts the events from 1.
    """

    number: int
    got: dict[str, Any] | None
    expected: dict[str, Any] | None

    def __str__(self) -> str:
        if self.got is None:
            return f"Event {self.number} is missing: expected {_show(self.expected)}."
        if self.expected is None:
            return f"Event {self.number} was not expected: {_show(self.got)}."
        names = self.got.keys() | self.expected.keys()
        wrong = sorted(name for name in names if self.got.get(name) != self.expected.get(name))
        return (
            f"Event {self.number} differs in {', '.join(wrong)}: "
            f"got {_show(self.got)}, expected {_show(self.expected)}."
        )


def compare(
    events: Iterable[Event], expected: Iterable[Event], *, ignore: frozenset[str] = frozenset()
) -> Difference | None:
    """Return the first difference, or None. The fields that `ignore` names may differ (`KEYED`)."""
    got, wanted = iter(events), iter(expected)
    number = 0
    while True:
        number += 1
        one, other = next(got, None), next(wanted, None)
        if one is None and other is None:
            return None
        if one == other:
            continue
        left, right = _fields(one, ignore), _fields(other, ignore)
        if left != right:
            return Difference(number, left, right)


def _fields(event: Event | None, ignore: frozenset[str]) -> dict[str, Any] | None:
    if event is None:
        return None
    fields: dict[str, Any] = msgspec.to_builtins(event)
    return {name: value for name, value in fields.items() if name not in ignore}


def _show(fields: dict[str, Any] | None) -> str:
    return msgspec.json.encode(fields).decode()

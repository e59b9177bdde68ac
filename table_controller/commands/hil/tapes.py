"""Plays a table's tape again: inputs, the board's line, the lip's frames. Compares all three."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from msgspec import convert, json, to_builtins

from firmware_bridge.frames import BadFrame, Splitter, decode
from firmware_bridge.messages import LAYOUTS, Colour, Lamp, Mode, Picture, pack
from table_controller.adapters import board as board_picture
from table_controller.adapters.answering import ANSWERED
from table_controller.adapters.mqtt_names import TableId
from table_controller.commands.hil import observed
from table_controller.commands.hil.rehearse import rung_of
from table_controller.commands.hil.virtual_time import Cable, World
from table_controller.engine.messages import Audience, Event, Refused
from table_controller.rules.houses import House
from table_controller.service.errors import UNREADABLE, ConfigError
from table_controller.service.game import Game
from table_controller.service.recording import compare
from table_controller.service.sealing import Keys
from table_controller.service.tape import RecordKind, Tape, TapeError
from table_controller.wiring import config
from table_controller.wiring.app import Service
from table_controller.wiring.config import ShoeSettings
from table_controller.wiring.games import game
from table_controller.wiring.plan import Plan, promising

# ---- The board's line on a tape: compares the bytes sent then with those that are due today

_SEATS = 12


def compare_lines(sent: bytes, shown: Sequence[Picture], board: str) -> tuple[int, str]:
    """Compare the recorded bytes with the pictures due today.

    Then have a board show these pictures. Return the number of pictures sent, and the first
    difference as a sentence, or "".
    """
    now = [(picture, pack(picture)[1]) for picture in shown]
    at, held, count = 0, set[Picture](), 0
    for count, body in enumerate(_pictures(sent), 1):
        place = next((n for n in range(at, len(now)) if _alike(body, now[n][1])), None)
        if place is None:
            return count, (
                f"Picture {count} on the board's line is none of those that the table shows now: "
                f"{_told(body)}."
            )
        at = place
        held.add(now[place][0])
    pictures = [picture for picture in dict.fromkeys(shown) if picture in held]
    return count, _show(pictures, board) if board else ""


def _pictures(sent: bytes) -> Iterator[bytes]:
    """Yield the bytes of every `Picture`. If one was sent repeatedly, yield it once."""
    layout, last = LAYOUTS["picture"], (0, b"")
    for frame in Splitter().feed(sent):
        with suppress(BadFrame):
            content = decode(frame)
            if content[0] == layout.tag and (content[1], content[2:]) != last:
                last = content[1], content[2:]
                yield content[2:]


def _alike(then: bytes, now: bytes) -> bool:
    """Whether two pictures are the same, apart from the lamps and tones that answer a press."""
    lamps = zip(then[:_SEATS], now[:_SEATS], strict=True)
    answers = all(one in (other, ANSWERED.byte) for one, other in lamps)
    return answers and then[_SEATS:-1] == now[_SEATS:-1]


def _told(body: bytes) -> str:
    *lamps, first, second, tone = LAYOUTS["picture"].unpack(body)
    return f"lamps {' '.join(map(str, lamps))}, numbers {first} and {second}, tone {tone}"


def _show(pictures: Sequence[Picture], board: str) -> str:
    with rung_of(board) as there:
        assert there
        world = World(speed=0.0)
        world.wire = Cable(there)
        try:
            return world.run_until_complete(_shown(world, pictures))
        finally:
            world.close()


async def _shown(world: World, pictures: Sequence[Picture]) -> str:
    """Have the board show the pictures one by one. Return the first difference, or ""."""
    wire = world.wire
    assert wire
    board = wire.board("tape", lambda _: None)
    serving, why = asyncio.create_task(board.run()), ""
    for picture in pictures:
        board.show(picture)
        await board.wait_shown(picture)
        await asyncio.sleep(2 * observed.RHYTHM_US / 1e6)
        since = wire.rung.us - observed.RHYTHM_US
        seen, asked = observed.look(wire.rung, since, since, picture), observed.as_asked(picture)
        figures = (seen.first.strip(), seen.second.strip())
        if (seen.lamps, *figures) != (asked.lamps, asked.first.strip(), asked.second.strip()):
            why = (
                f"The board shows lamps {', '.join(seen.lamps)} and {' '.join(figures)} for the "
                f"picture {', '.join(asked.lamps)} and {asked.first.strip()} "
                f"{asked.second.strip()}."
            )
            break
    serving.cancel()
    with suppress(asyncio.CancelledError):
        await serving
    return why


# ---- Plays a table's tape again: inputs, the board's line, the lip's frames


@dataclass
class TapePlayed:
    """The result of playing a tape. `differences` and `notes` are sentences.

    Attributes:
        inputs, events: the numbers of inputs that were played, and of events that were compared.
        pictures: the number of pictures on the board's line, as far as the line was recorded.
        board: the board that showed the pictures.
        passages, frames: the numbers of verdicts compared, and of frames of the lip.
        lost: the number of items that could not be recorded in time, by kind.
    """

    name: str
    inputs: int = 0
    events: int = 0
    pictures: int = 0
    board: str = ""
    passages: int = 0
    frames: int = 0
    lost: dict[str, int] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    differences: list[str] = field(default_factory=list)

    @property
    def holds(self) -> bool:
        """Whether at least one event was compared, and nothing differed."""
        return bool(self.events) and not self.differences

    def __str__(self) -> str:
        parts = [f"{self.inputs} inputs, {self.events} events"]
        if self.pictures:
            parts.append(f"{self.pictures} pictures on the board's line, shown by: {self.board}")
        if self.frames:
            parts.append(f"{self.passages} passages in {self.frames} pictures of the lip")
        said = "all as recorded" if self.holds else "not as recorded"
        if not self.events:
            said = "nothing to compare: no input is on it"
        lines = [f"{self.name}: {'; '.join(parts)}: {said}."]
        if self.lost:
            lost = ", ".join(f"{count} {kind}" for kind, count in sorted(self.lost.items()))
            lines.append(f"Did not fit when it was recorded: {lost}.")
        return "\n".join([*lines, *self.notes, *self.differences])


@dataclass
class _Content:
    """The small items of a tape, sorted by subject."""

    about: dict[str, Any] = field(default_factory=dict)
    state: bytes = b""
    inputs: list[tuple[int, Any]] = field(default_factory=list)
    events: list[Any] = field(default_factory=list)
    sent: bytes = b""
    filmed: bool = False
    lost: dict[str, int] = field(default_factory=dict)

    def hear(self, item: list[Any]) -> None:
        match item:
            case ["about", found]:
                self.about = found
            case ["state", _, state] if state is not None:
                self.state = json.encode(state)
            case ["input", t_ms, said]:
                self.inputs.append((t_ms, said))
            case ["event", _, told]:
                self.events.append(told)
            case ["bytes", _, True, data, *_]:
                self.sent += bytes.fromhex(data)
            case ["lost", _, kind, count]:
                self.lost[kind] = self.lost.get(kind, 0) + count


def play(path: Path, keys: Keys, *, board: str) -> TapePlayed:
    """Play a tape, and compare it. `board` is `twin`, `emulated`, or "" for no board.

    Raises TapeError, WrongKey, ConfigError, EmulatorError.
    """
    tape, found = Tape(path, keys), _Content()
    for kind, record in tape:
        if kind is RecordKind.ITEMS:
            for item in record:
                found.hear(item)
        else:
            found.filmed = True
    played, verdict = game(tape.head.game), TapePlayed(path.name, lost=found.lost)
    if tape.torn:
        verdict.notes.append(tape.torn)
    if not found.about:
        raise TapeError(
            f"{path} does not name its table, because it was cut before its first input."
        )
    house = _house(tape, played, found.about, verdict)
    shown = _inputs(tape, keys, (played, house), found, verdict)
    if found.sent:
        verdict.board = board or "none"
        verdict.pictures, why = compare_lines(found.sent, shown, board)
        verdict.differences += [why] if why else []
    if found.filmed:
        _film(path, tape, house, found.about, verdict)
    return verdict


def _house(tape: Tape, played: Game[Any], said: dict[str, Any], verdict: TapePlayed) -> House:
    """Return the recorded house.

    If house or version are different today, add a note to `verdict`.
    """
    now, then = version("schlitten"), tape.head.code
    if now != then:
        verdict.notes.append(f"It was recorded by version {then}; this is {now}.")
    try:
        house: House = convert(said["house"], played.house)
    except (*UNREADABLE, LookupError) as error:
        raise TapeError(
            f"{tape.path}: its house {tape.head.house!r} has settings that this program does not "
            f"know ({error}). Play it with version {then}."
        ) from None
    try:
        today = config.house(tape.head.house, played.name)
    except ConfigError:
        return house  # a house file, whose place is not known
    was, is_ = to_builtins(house), to_builtins(today)
    names = sorted(name for name in was if was[name] != is_[name])
    if names:
        verdict.notes.append(
            f"The house {house.id} is another today ({', '.join(names)}); it is played by the "
            "house as recorded."
        )
    return house


def _inputs(
    tape: Tape, keys: Keys, of: tuple[Game[Any], House], found: _Content, verdict: TapePlayed
) -> list[Picture]:
    """Play the inputs, and compare the events.

    Return the pictures that the board should show today.
    """
    played, house = of
    lamps = {
        word: Lamp(Mode(mode), Colour(colour))
        for word, (mode, colour) in found.about["lamps"].items()
    }
    with TemporaryDirectory(prefix="schlitten-tape-") as place:
        plan = Plan(
            table=TableId("replay", "table-1"), house=house, keys=keys, game=played,
            journal=Path(place) / "tape.db", durable=False, starts=False, state=found.state,
            promises=promising(keys, tape.head.journal), lamps=lamps,
        )  # fmt: skip
        try:
            service = Service(plan)
        except UNREADABLE:
            raise TapeError(
                f"{tape.path}: the state that it begins with is unknown to this program. Play it "
                f"with version {tape.head.code}."
            ) from None
        try:
            got, shown = _take(tape, service, found, lamps)
        finally:
            service.journal.close()
    verdict.inputs, verdict.events = len(found.inputs), len(found.events)
    wanted = [_as(tape, played.events | Refused, told, "event") for told in found.events]
    difference = compare(got, wanted)
    if difference:
        verdict.differences.append(str(difference))
    return shown


def _take(
    tape: Tape, service: Service, found: _Content, lamps: Any
) -> tuple[list[Event], list[Picture]]:
    got: list[Event] = []
    shown = [board_picture.picture(service.hub.snapshot(Audience.PUBLIC), lamps)]
    for t_ms, said in found.inputs:
        heard = _as(tape, service.game.inputs, said, "input")
        got += [event for event, _ in service.table.take(heard, t_ms)]
        public = service.game.snapshot(service.table.state, Audience.PUBLIC)
        picture = board_picture.picture(public, lamps)
        if picture != shown[-1]:
            shown.append(picture)
    return got, shown


def _as(tape: Tape, kind: Any, said: Any, what: str) -> Any:
    try:
        return convert(said, kind)
    except UNREADABLE:  # its text may contain a card
        raise TapeError(
            f"{tape.path}: an {what} on it is none of {tape.head.game} as it is now. Play it with "
            f"version {tape.head.code}."
        ) from None


def _film(path: Path, tape: Tape, house: House, said: dict[str, Any], verdict: TapePlayed) -> None:
    """Give the lip's frames to today's reader, and compare the verdicts."""
    from table_controller.wiring.shoe import eyes, taped_reader  # noqa: PLC0415 - it loads OpenCV

    shoe = convert(said["shoe"], ShoeSettings, dec_hook=lambda kind, text: kind(text))
    again = taped_reader.FilmedAgain(eyes.sight(shoe, house))
    again.play(_in_order(tape))
    then, now = again.compared()
    verdict.passages, verdict.frames = len(then), again.pictures
    for number, (was, is_) in enumerate(zip(then, now, strict=False), 1):
        if was != is_:
            verdict.differences.append(
                f"Passage {number} of {len(then)}, at {was[0] / 1000:.3f} s of the camera's clock, "
                "is read otherwise now. Its card may still be closed, so it is not named."
            )
            return
    if len(then) != len(now):
        verdict.differences.append(
            f"{len(then)} passages were seen then, and {len(now)} are seen now in {path.name}."
        )


def _in_order(tape: Tape) -> Iterator[list[Any] | bytes]:
    """Yield every item and every frame, in the order in which they were recorded."""
    for kind, record in tape:
        if kind is RecordKind.FRAME:
            yield record
        else:
            yield from record

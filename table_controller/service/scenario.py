"""Scenarios: the inputs of a table, and the results that must be seen, in lines that people read.

    game chemin-de-fer
    house zoppot-1934
    wire 3 carte

    0:12.000 seat 2 sits 1000 Anna
    card 7h [lip]               => journal card_drawn {"seat":2}, lamp 2 blink blue
    lid 2 s                     => alert lid, tone twice
    ~ => digits 1250 100

Every line of a coup script is also a line of a scenario. A time at the beginning of a line counts
from the beginning of the scenario. A line without a time follows a second after the line before.
`=>` begins the expectations. A line that begins with `~` comes from a recording, and nobody has yet
checked that it is right. If you have checked the line, delete the `~`. The module knows notations
and files, but no board and no table.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from table_controller.engine.messages import Input
from table_controller.service.errors import UNREADABLE, RecordingError
from table_controller.service.game import Game
from table_controller.service.scenario_lines import EXPECTED, HARDWARE, Expectation, Step


class ScenarioError(RecordingError):
    """A scenario that cannot be read. The text quotes the line and says which lines are allowed."""


class Preamble(Struct, frozen=True, kw_only=True):
    """The lines at the top of a scenario, before the first input.

    Attributes:
        game, house: as `chemin-de-fer`, `zoppot-1934`. The house may be a file.
        lamps: a file of the lamps' words, "" for the house's own file.
        wires: the offer that each button presses, by the button's number.
        key: the table's 32 bytes in hex, if its cards are no secret; "" for any key.
        begins: the time 0:00.000 in milliseconds since 1970; 0 if it is not given.
        code, manifest, state, people: as in a recording's first line. Manifest and state are JSON,
            or "".
    """

    game: str
    house: str
    lamps: str = ""
    wires: Mapping[int, str] = field(default_factory=dict)
    key: str = ""
    begins: int = 0
    code: str = ""
    manifest: str = ""
    state: str = ""
    people: bool = True


class Cue(Struct, frozen=True, kw_only=True):
    """One line of a scenario.

    Attributes:
        at_ms: its time since the beginning, in milliseconds; None means one second after the line
            before.
        said: the input or the step; None if the line only expects a result of the line before.
        expects: the expectations after the input or step.
        unread: whether the line comes from a recording and nobody has checked the line yet.
        number: its line number in the file, from 1. It is ignored when two lines are compared.
    """

    at_ms: int | None = None
    said: Input | Step | None = None
    expects: tuple[Expectation, ...] = ()
    unread: bool = False
    number: int = 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Cue) and self._content == other._content

    def __hash__(self) -> int:
        return hash(self._content)

    @property
    def _content(self) -> tuple[object, ...]:
        return self.at_ms, self.said, self.expects, self.unread


class Scenario(Struct, frozen=True):
    """A scenario: the lines at its top (`head`), and its other lines, called cues.

    `name` is for reports. A file that the head names without a folder is in `folder`, which is ""
    if it is unknown.
    """

    head: Preamble
    cues: tuple[Cue, ...]
    name: str = ""
    folder: str = ""


_TIME: Final = re.compile(r"(-?)(\d+):([0-5]\d)\.(\d{3})(?:\s+(.*))?")
_PROMPT: Final = re.compile(r"(.*) \(prompt (\d+)\)")
_JSON: Final = "said "
_HEADS: Final = "game, house, lamps, wire, key, begins, code, manifest, state, people"


def game_of(text: str, name: str = "scenario") -> str:
    """Return the game that a scenario's head names. Raises ScenarioError, whose text has `name`."""
    for line in text.splitlines():
        word, _, value = line.split("#", 1)[0].strip().partition(" ")
        if word == "game" and value:
            return value.strip()
    raise ScenarioError(f"{name}: no line names the game: begin with `game chemin-de-fer`.")


def is_scenario(path: Path) -> bool:
    """Whether a file begins like a scenario, with a comment or a line of the head."""
    try:
        text = path.read_bytes()[:65536].decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return False
    lines = (line.split("#", 1)[0].strip() for line in text.splitlines())
    return next(filter(None, lines), "").partition(" ")[0] in _HEADS.split(", ")


def read(game: Game[Any], text: str, name: str = "scenario") -> Scenario:
    """Read a scenario of this game.

    Raises ScenarioError, whose text has `name`, the file's name.
    """
    head: dict[str, Any] = {"wires": {}}
    lines: list[Cue] = []
    for number, whole in enumerate(text.split("\n"), 1):
        content = whole.strip()
        if not content or content.startswith("#"):
            continue
        try:
            if lines or not _headed(head, content.split(" #", 1)[0].strip()):
                lines.append(replace(_line(game, content), number=number))
        except ValueError as error:
            raise ScenarioError(f"{name}, line {number}: {content!r}: {error}") from None
    for word in ("game", "house"):
        if word not in head:
            raise ScenarioError(f"{name}: no line names the {word}: begin with `{word} …`.")
    if head["game"] != game.name:
        raise ScenarioError(f"{name}: it is of {head['game']}, not of {game.name}.")
    return Scenario(Preamble(**head), tuple(lines), name)


def _headed(head: dict[str, Any], content: str) -> bool:
    """Read a line of the head into `head`. Return False for any other line. Raises ValueError."""
    word, _, value = content.partition(" ")
    value = value.strip()
    match word:
        case "game" | "house" | "lamps" | "code":
            head[word] = value
        case "key":
            if not re.fullmatch("[0-9a-f]{64}", value):
                raise ValueError("want 64 hexadecimal digits after `key`")
            head["key"] = value
        case "begins":
            if not value.isdecimal():
                raise ValueError("want milliseconds since 1970 after `begins`")
            head["begins"] = int(value)
        case "manifest" | "state":
            head[word] = value
            _object(value)
        case "people":
            if value not in ("yes", "no"):
                raise ValueError("want `people yes` or `people no`")
            head["people"] = value == "yes"
        case "wire":
            number, _, offer = value.partition(" ")
            if not re.fullmatch("[1-8]", number) or not offer:
                raise ValueError("want a button from 1 to 8 and its offer, as in `wire 3 carte`")
            head["wires"][int(number)] = offer.strip()
        case _:
            return False
    if not value:
        raise ValueError(f"want something after `{word}`")
    return True


def _line(game: Game[Any], content: str) -> Cue:
    unread = content.startswith("~")
    content = content.removeprefix("~").strip()
    at_ms, timed = None, _TIME.fullmatch(content)
    if timed:
        sign, minutes, seconds, millis, content = timed.groups("")
        at_ms = int(sign + "1") * (int(minutes) * 60_000 + int(seconds) * 1000 + int(millis))
    said, arrow, wanted = content.partition("=>")
    bare, comment, _ = said.partition("#")
    said, wanted = bare.strip(), "" if comment else wanted
    expects = tuple(_expected(one) for one in parts(wanted))
    if arrow and not comment and not expects:
        raise ValueError(f"nothing follows `=>`: want {_or(EXPECTED.near(''))}")
    if not said and not expects:
        raise ValueError("nothing happens in this line, and nothing is expected")
    return Cue(
        at_ms=at_ms, said=_said(game, said) if said else None, expects=expects, unread=unread
    )


def parts(text: str) -> Iterator[str]:
    """Split a text into expectations, at commas outside quotes and braces. Leave out a comment."""
    part, depth, quoted, escaped = "", 0, False, False
    for sign in text:
        if sign == '"' and not escaped:
            quoted = not quoted
        elif not quoted:
            depth += (sign == "{") - (sign == "}")
        escaped = sign == "\\" and depth > 0 and not escaped  # in JSON only, not on a page
        if not quoted and sign == "#":
            break
        if not quoted and depth <= 0 and sign == ",":
            yield from filter(None, (part.strip(),))
            part = ""
        else:
            part += sign
    yield from filter(None, (part.strip(),))


def _expected(text: str) -> Expectation:
    found = EXPECTED.parse(text)
    if not isinstance(found, Expectation):
        raise ValueError(  # noqa: TRY004 - the text is wrong, not its type
            f"{text!r} is no expectation: want {_or(EXPECTED.near(text))}"
        )
    return found


def _said(game: Game[Any], text: str) -> Input | Step:
    if text.startswith(_JSON + "{"):
        try:
            said: Input = msgspec.json.decode(text.removeprefix(_JSON), type=game.inputs)
        except UNREADABLE:  # its text might repeat a card
            raise ValueError("no input of this game follows `said`") from None
        return said
    step = HARDWARE.parse(text)
    if isinstance(step, Step):
        return step
    asked = _PROMPT.fullmatch(text)
    try:
        said = game.read(asked[1] if asked else text)
    except ValueError as error:
        raise ValueError(f"{error}; of the hardware: {_or(HARDWARE.near(text))}") from None
    return msgspec.structs.replace(said, prompt=int(asked[2])) if asked else said


def write(game: Game[Any], scenario: Scenario) -> str:
    """Return the text of a scenario, which `read` reads back."""
    head = scenario.head
    facts = {
        "game": head.game, "house": head.house, "lamps": head.lamps, "code": head.code,
        "key": head.key, "begins": head.begins or "", "manifest": head.manifest,
        "state": _quoted(head.state), "people": "" if head.people else "no",
    }  # fmt: skip
    heads = [f"{word} {value}" for word, value in facts.items() if value]
    heads += [f"wire {number} {offer}" for number, offer in sorted(head.wires.items())]
    return "\n".join([*heads, "", *(written(game, line) for line in scenario.cues), ""])


def written(game: Game[Any], line: Cue) -> str:
    """Return one line as text."""
    said = "" if line.said is None else write_said(game, line.said)
    if line.at_ms is not None:
        said = f"{clock(line.at_ms)} {said}"
    wanted = ", ".join(map(EXPECTED.write, line.expects))
    arrow = f"{said:<39} => {wanted}" if said and wanted else f"=> {wanted}" if wanted else said
    return f"~ {arrow}" if line.unread else arrow


def clock(ms: int) -> str:
    """Return a time as it is written before a line: minutes, seconds, milliseconds."""
    sign, rest = "-" if ms < 0 else "", abs(ms)
    return f"{sign}{rest // 60_000}:{rest // 1000 % 60:02d}.{rest % 1000:03d}"


def write_said(game: Game[Any], said: Input | Step) -> str:
    """Return the line for an input or a step.

    An input that no notation can express is written as JSON.
    """
    if isinstance(said, Step):
        return HARDWARE.write(said)
    try:
        line = game.write(said)
        if said.prompt is not None:
            line += f" (prompt {said.prompt})"
        if line == line.strip() and _said(game, line) == said:
            return line
    except ValueError:
        pass
    return _JSON + _quoted(msgspec.json.encode(said).decode())


def _quoted(text: str) -> str:
    """Return JSON in which the characters that end an input (`#` and `=>`) are escaped."""
    return text.replace("#", "\\u0023").replace("=>", "=\\u003e")


def _object(text: str) -> None:
    try:
        msgspec.json.decode(text, type=dict[str, Any])
    except UNREADABLE as error:
        raise ValueError(f"want a JSON object: {error}") from None


def _or(forms: list[str]) -> str:
    return " | ".join(forms)

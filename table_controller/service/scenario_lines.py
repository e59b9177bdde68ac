"""The forms of a scenario's lines that are no inputs: actions on the hardware, and expectations."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import Any, Final

from msgspec import Struct, ValidationError, convert, json
from msgspec.structs import asdict

from table_controller.service.errors import UNREADABLE

# ---- Actions on a table's hardware, as a scenario's lines write them

#: How long a button is held if its line does not say so.
PRESS_MS: Final = 100


class Step(Struct, frozen=True):
    """An action on the table's hardware, or a wait."""


class Holds(Step, frozen=True):
    """Somebody holds a button (1 to 8, as in the settings) down for `ms` milliseconds."""

    number: int
    ms: int = PRESS_MS


class Finger(Step, frozen=True):
    """Somebody puts a button down, or lets it go."""

    number: int
    down: bool


class Named(Step, frozen=True):
    """Somebody presses the button to which the settings give this offer."""

    name: str


class Pulse(Step, frozen=True):
    """A sensor is active for `ms` milliseconds: `beam` is broken, `lid` is up, `white` is there."""

    sensor: str
    ms: int


class Level(Step, frozen=True):
    """A sensor becomes active, or inactive."""

    sensor: str
    active: bool


class Bounces(Step, frozen=True):
    """A button's contact chatters for `ms` milliseconds, is closed for 0.1 s and chatters again."""

    number: int
    ms: int


class Chatter(Step, frozen=True):
    """A sensor's contact chatters for `ms` milliseconds. Then the sensor is as before."""

    sensor: str
    ms: int


class Storm(Step, frozen=True):
    """A sensor's wire has noise for `ms` milliseconds (0: until a line such as `lid calm`)."""

    sensor: str
    khz: int
    ms: int = 0


class Calmed(Step, frozen=True):
    """The noise on a sensor's wire ends."""

    sensor: str


class Cut(Step, frozen=True):
    """The board's line carries nothing for `ms` milliseconds (0: until the words `line whole`)."""

    ms: int = 0


class Noise(Step, frozen=True):
    """For `ms` ms (0: no end), `lost` of 10,000 bytes are lost and `flipped` have a changed bit."""

    lost: int
    flipped: int
    ms: int = 0


class Whole(Step, frozen=True):
    """The line to the board carries every byte again, unchanged."""


class Reset(Step, frozen=True):
    """Somebody presses the board's reset button. The boot loader waits for `ms` milliseconds."""

    ms: int = 0


class Hangs(Step, frozen=True):
    """The firmware hangs in a loop. The board's watchdog must notice this."""


class Unplugged(Step, frozen=True):
    """The board's plug is out for `ms` milliseconds. The port is gone, and the board has no power.

    This happens `times` times, with equal pauses. If `ms` is 0: once, until `board plugged in`.
    """

    ms: int = 0
    times: int = 1


class PluggedIn(Step, frozen=True):
    """Somebody plugs the board in again."""


class Waits(Step, frozen=True):
    """Nothing happens for `ms` milliseconds."""

    ms: int


#: The steps in which something breaks or is whole again; in all others somebody moves something.
FAULTS: Final = (
    *(Bounces, Chatter, Storm, Calmed, Cut, Noise, Whole),
    *(Reset, Hangs, Unplugged, PluggedIn),
)


# ---- Conditions that a scenario's lines expect to be true


class Expectation(Struct, frozen=True):
    """A condition that must become true after a line."""


class Lit(Expectation, frozen=True):
    """A seat's lamp, as a person sees it. `mode` is on, blink, pulse, or off; off has no colour."""

    seat: int
    mode: str
    colour: str = ""

    def __str__(self) -> str:  # what a line cannot expect may be seen: `uneven`
        return f"lamp {self.seat} {self.mode} {self.colour}"


class AllLit(Expectation, frozen=True):
    """All lamps. `lamps` lists the lit ones, as `1 on red 4 blink blue`; all others are dark."""

    lamps: str = ""

    def __str__(self) -> str:
        return f"lamps {self.lamps}"


class Flashed(Expectation, frozen=True):
    """Since the line was played, a seat's lamp answered a press with this colour, for 0.6 s."""

    seat: int
    colour: str


class Digits(Expectation, frozen=True):
    """One or both displays. Each shows a number, `3-4`, `--------`, or `dark` (nothing)."""

    first: str
    second: str = ""


class Tone(Expectation, frozen=True):
    """The tone that began since the line was played: none, beep, twice or alarm."""

    tone: str


class Safe(Expectation, frozen=True):
    """The board hears nothing from the program: lamps dark, no tone, dashes on the displays."""


class OnPage(Expectation, frozen=True):
    """A sentence that the croupier's page shows now, in English."""

    text: str


class NotOnPage(Expectation, frozen=True):
    """A sentence that the croupier's page does not show now."""

    text: str


class Sent(Expectation, frozen=True):
    """Guests got an event with at least these `fields` (JSON) since the line was played."""

    type: str
    fields: str = "{}"


class Journaled(Expectation, frozen=True):
    """An event with at least these `fields` (JSON) was journaled since the line was played."""

    type: str
    fields: str = "{}"


class Count(Expectation, frozen=True):
    """The number of events that the line caused and that may be published. A refusal counts too."""

    events: int


class RefusedBy(Expectation, frozen=True):
    """The table refused the line by this rule. If `rule` is "", any rule will do."""

    rule: str = ""


class Alarmed(Expectation, frozen=True):
    """An alert with this id is open."""

    id: str


class Calm(Expectation, frozen=True):
    """No alert with this id is open. If `id` is "", no alert at all is open."""

    id: str = ""


# ---- The forms of those lines of a scenario that are no inputs: actions on the hardware,
#      expectations

_NUMBER, _MS = r"\d+", r"\d+(?:\.\d+)? (?:ms|s)"
_LAMP = "(?:on|blink|pulse) (?:red|green|yellow|blue|magenta|cyan|white)"
_DIGITS = r"-?\d+|\d+-\d+|-{8}|dark"
_PATTERNS: Final = {
    **dict.fromkeys(("seat", "lost", "flipped", "events", "khz", "times"), _NUMBER),
    "number": "[1-8]",
    "ms": _MS,
    "mode": "on|blink|pulse",
    "colour": "red|green|yellow|blue|magenta|cyan|white",
    "lamps": rf"\d+ {_LAMP}(?: \d+ {_LAMP})*",
    **dict.fromkeys(("first", "second"), _DIGITS),
    "tone": "none|beep|twice|alarm",
    "type": "[a-z_]+",
    "fields": r"\{.*\}",
    "rule": r"[A-Z]+-\d+|internal",
    "id": r"[a-z0-9_-]+",
    "text": '[^"]+',
}
_FIELD = re.compile(r"\{(\w+)\}")

_Form = tuple[type[Struct], str, dict[str, Any]]

STEPS: Final[tuple[_Form, ...]] = (
    (Holds, "button {number}", {"ms": PRESS_MS}),
    (Holds, "button {number} {ms}", {}),
    (Bounces, "button {number} bounces {ms}", {}),
    (Finger, "button {number} down", {"down": True}),
    (Finger, "button {number} up", {"down": False}),
    (Named, "button {name}", {}),
    (Pulse, "beam {ms}", {"sensor": "beam"}),
    (Pulse, "lid {ms}", {"sensor": "lid"}),
    (Pulse, "white {ms}", {"sensor": "white"}),
    (Chatter, "beam bounces {ms}", {"sensor": "beam"}),
    (Chatter, "lid bounces {ms}", {"sensor": "lid"}),
    (Chatter, "white bounces {ms}", {"sensor": "white"}),
    (Storm, "beam storm {khz} kHz", {"sensor": "beam", "ms": 0}),
    (Storm, "beam storm {khz} kHz {ms}", {"sensor": "beam"}),
    (Calmed, "beam calm", {"sensor": "beam"}),
    (Storm, "lid storm {khz} kHz", {"sensor": "lid", "ms": 0}),
    (Storm, "lid storm {khz} kHz {ms}", {"sensor": "lid"}),
    (Calmed, "lid calm", {"sensor": "lid"}),
    (Storm, "white storm {khz} kHz", {"sensor": "white", "ms": 0}),
    (Storm, "white storm {khz} kHz {ms}", {"sensor": "white"}),
    (Calmed, "white calm", {"sensor": "white"}),
    (Level, "beam blocked", {"sensor": "beam", "active": True}),
    (Level, "beam free", {"sensor": "beam", "active": False}),
    (Level, "lid up", {"sensor": "lid", "active": True}),
    (Level, "lid down", {"sensor": "lid", "active": False}),
    (Level, "white there", {"sensor": "white", "active": True}),
    (Level, "white gone", {"sensor": "white", "active": False}),
    (Cut, "line cut", {"ms": 0}),
    (Cut, "line cut {ms}", {}),
    (Noise, "line loses {lost} flips {flipped}", {"ms": 0}),
    (Noise, "line loses {lost} flips {flipped} {ms}", {}),
    (Whole, "line whole", {}),
    (Reset, "board reset", {"ms": 0}),
    (Reset, "board reset {ms}", {}),
    (Hangs, "board hangs", {}),
    (Unplugged, "board unplugged", {"ms": 0, "times": 1}),
    (Unplugged, "board unplugged {ms}", {"times": 1}),
    (Unplugged, "board unplugged {ms} {times} times", {}),
    (PluggedIn, "board plugged in", {}),
    (Waits, "wait {ms}", {}),
)

EXPECTATIONS: Final[tuple[_Form, ...]] = (
    (Lit, "lamp {seat} off", {"mode": "off", "colour": ""}),
    (Lit, "lamp {seat} {mode} {colour}", {}),
    (Flashed, "lamp {seat} flashed {colour}", {}),
    (AllLit, "lamps off", {"lamps": ""}),
    (AllLit, "lamps {lamps}", {}),
    (Digits, "digits {first}", {"second": ""}),
    (Digits, "digits {first} {second}", {}),
    (Tone, "tone {tone}", {}),
    (Safe, "board safe", {}),
    (OnPage, 'page "{text}"', {}),
    (NotOnPage, 'no page "{text}"', {}),
    (Sent, "broker {type}", {"fields": "{}"}),
    (Sent, "broker {type} {fields}", {}),
    (Journaled, "journal {type}", {"fields": "{}"}),
    (Journaled, "journal {type} {fields}", {}),
    (Count, "events {events}", {}),
    (RefusedBy, "refused", {"rule": ""}),
    (RefusedBy, "refused {rule}", {}),
    (Calm, "no alerts", {"id": ""}),
    (Alarmed, "alert {id}", {}),
    (Calm, "no alert {id}", {}),
)


class Forms:
    """Reads and writes the lines of a scenario by a list of their forms."""

    def __init__(self, forms: tuple[_Form, ...]) -> None:
        self._forms = [(_pattern(template), kind, template, more) for kind, template, more in forms]

    def parse(self, text: str) -> Struct | None:
        """Return what a line describes; None if it has no form.

        Raises ValueError for a bad value.
        """
        for pattern, kind, _, implied in self._forms:
            found = pattern.fullmatch(text)
            if found:
                known: dict[str, Any] = {**found.groupdict(), **implied}
                if isinstance(known.get("ms"), str):
                    known["ms"] = milliseconds(known["ms"])
                _as_fields(known.get("fields", "{}"))
                try:
                    return convert(known, kind, strict=False)
                except ValidationError as error:
                    raise ValueError(str(error)) from None
        return None

    def write(self, said: Struct) -> str:
        """Write a line that `parse` reads back. Raises ValueError if no form can express it."""
        for _, kind, template, implied in self._forms:
            known = asdict(said)
            if kind is not type(said) or any(known[name] != implied[name] for name in implied):
                continue
            shown = {name: _shown(name, value) for name, value in known.items()}
            line = template.format(**{name: shown[name] for name in _FIELD.findall(template)})
            if self._reads_back(line, said):
                return line
        raise ValueError(f"no line of a scenario can express this: {type(said).__name__}")

    def _reads_back(self, line: str, said: Struct) -> bool:
        try:
            return self.parse(line) == said
        except ValueError:
            return False

    def near(self, text: str) -> list[str]:
        """Return the allowed forms that are most like `text`, at most six."""
        return near(text, [template for _, _, template, _ in self._forms])


def near(text: str, templates: list[str]) -> list[str]:
    """Return at most six forms that are like `text`: first those that begin with its first word."""
    shown = {_FIELD.sub(lambda field: field[1].upper(), one): one for one in templates}
    first = text.partition(" ")[0]
    alike = get_close_matches(text, shown, n=6, cutoff=0.55)
    same = [one for one in shown if first and one.startswith(first)]
    return list(dict.fromkeys([*same, *alike]))[:6] or list(shown)[:6]


def milliseconds(text: str) -> int:
    """Read `63 ms` or `0.3 s`. Raises ValueError for a part of a millisecond."""
    number, unit = text.split(" ")
    ms = float(number) * (1000 if unit == "s" else 1)
    if abs(ms - round(ms)) > 1e-6:
        raise ValueError(f"{text} is no whole number of milliseconds")
    return round(ms)


def duration(ms: int) -> str:
    """Write a duration as `63 ms`, `2 s` or `2.5 s`. It is the inverse of `milliseconds`."""
    return f"{ms} ms" if ms < 1000 else f"{ms / 1000:.3f}".rstrip("0").rstrip(".") + " s"


def _as_fields(text: str) -> None:
    try:
        json.decode(text, type=dict[str, Any])
    except UNREADABLE as error:
        raise ValueError(f"the fields are no JSON object: {error}") from None


def _shown(name: str, value: object) -> str:
    return duration(value) if name == "ms" and isinstance(value, int) else str(value)


def _pattern(template: str) -> re.Pattern[str]:
    return re.compile(_FIELD.sub(lambda f: f"(?P<{f[1]}>{_PATTERNS.get(f[1], '.+')})", template))


HARDWARE: Final = Forms(STEPS)
EXPECTED: Final = Forms(EXPECTATIONS)

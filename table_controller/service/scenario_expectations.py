"""Conditions that a scenario's lines expect to be true (`scenario_forms.py` has their words).

The module knows no table and no board: `commands/observed.py` compares.
"""

from __future__ import annotations

from msgspec import Struct


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

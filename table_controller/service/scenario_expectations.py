"""Conditions that a scenario's lines expect to be true (`scenario_forms.py` has their words).

The module knows no table and no board: `commands/observed.py` compares.
"""

from __future__ import annotations

from msgspec import Struct


class Expectation(Struct, frozen=True):
    """A condition that must be true after a line."""


class Lit(Expectation, frozen=True):
    """A seat's lamp as a person sees it. `mode` is on, blink, pulse, or off without a colour."""

    seat: int
    mode: str
    colour: str = ""

    def __str__(self) -> str:  # what a line cannot expect may be seen: `uneven`
        return f"lamp {self.seat} {self.mode} {self.colour}"


class AllLit(Expectation, frozen=True):
    """All lamps: those named, as `1 on red 4 blink blue`. Every other lamp is dark."""

    lamps: str = ""

    def __str__(self) -> str:
        return f"lamps {self.lamps}"


class Flashed(Expectation, frozen=True):
    """Since the line, a seat's lamp was of this colour for 0.6 s: it answered a press."""

    seat: int
    colour: str


class Digits(Expectation, frozen=True):
    """Both displays, or the first: a number, `3-4`, `--------`, or `dark`."""

    first: str
    second: str = ""


class Tone(Expectation, frozen=True):
    """The tone that began since the line: none, beep, twice, alarm."""

    tone: str


class Safe(Expectation, frozen=True):
    """The board is dark and silent, with dashes for numbers, because it hears nothing."""


class OnPage(Expectation, frozen=True):
    """A sentence that the croupier's page shows now, in English."""

    text: str


class NotOnPage(Expectation, frozen=True):
    """A sentence that the croupier's page does not show now."""

    text: str


class Sent(Expectation, frozen=True):
    """An event that guests got over the broker since the line, with at least these `fields`."""

    type: str
    fields: str = "{}"


class Journaled(Expectation, frozen=True):
    """An event journaled since the line, with at least these `fields` (JSON)."""

    type: str
    fields: str = "{}"


class Count(Expectation, frozen=True):
    """The line led to this many events that may be published. A refusal counts as an event."""

    events: int


class RefusedBy(Expectation, frozen=True):
    """The table refused the line by this rule, or by any rule if it is ""."""

    rule: str = ""


class Alarmed(Expectation, frozen=True):
    """An alert with this id is open."""

    id: str


class Calm(Expectation, frozen=True):
    """No alert with this id is open. With "" no alert at all is open."""

    id: str = ""

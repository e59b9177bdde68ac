"""Actions on a table's hardware, as a scenario's lines write them (`scenario_forms.py`).

The module knows no word, no board and no file.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct

#: How long a button is held if its line does not say so.
PRESS_MS: Final = 100


class Step(Struct, frozen=True):
    """An action on the table's hardware, or a time that passes."""


class Holds(Step, frozen=True):
    """Somebody holds a button (1 to 8, as in the settings) for a given time."""

    number: int
    ms: int = PRESS_MS


class Finger(Step, frozen=True):
    """A button goes down, or up again."""

    number: int
    down: bool


class Named(Step, frozen=True):
    """Somebody presses the button to which the settings give this offer."""

    name: str


class Pulse(Step, frozen=True):
    """A sensor is active for a given time: `beam` (broken), `lid` (up), `white` (there)."""

    sensor: str
    ms: int


class Level(Step, frozen=True):
    """A sensor becomes active, or inactive."""

    sensor: str
    active: bool


class Bounces(Step, frozen=True):
    """A button's contact chatters for a given time before it is down for 0.1 s, and after that."""

    number: int
    ms: int


class Chatter(Step, frozen=True):
    """A sensor's contact chatters for a given time, a millisecond each way.

    Then it is as before.
    """

    sensor: str
    ms: int


class Storm(Step, frozen=True):
    """A sensor's wire picks up noise of this frequency for so long (0: until it is calm)."""

    sensor: str
    khz: int
    ms: int = 0


class Calmed(Step, frozen=True):
    """The noise on a sensor's wire is over."""

    sensor: str


class Cut(Step, frozen=True):
    """The line to the board carries nothing for so long (0: until it is whole)."""

    ms: int = 0


class Noise(Step, frozen=True):
    """This many of 10,000 bytes are lost or have a bit flipped for so long (0: until whole)."""

    lost: int
    flipped: int
    ms: int = 0


class Whole(Step, frozen=True):
    """The line to the board carries everything again, as it is sent."""


class Reset(Step, frozen=True):
    """Somebody presses the board's reset button. Its boot loader waits for a given time."""

    ms: int = 0


class Hangs(Step, frozen=True):
    """The firmware hangs in a loop, which its watchdog must notice."""


class Unplugged(Step, frozen=True):
    """The board's plug is out for a given time: its port is gone, and it has no supply.

    So often; in between it is in for as long. 0: it stays out until somebody plugs it in.
    """

    ms: int = 0
    times: int = 1


class PluggedIn(Step, frozen=True):
    """The board's plug is in again."""


class Waits(Step, frozen=True):
    """Nothing happens for a given time."""

    ms: int


#: The steps in which something breaks or is whole again; in all others somebody moves something.
FAULTS: Final = (
    *(Bounces, Chatter, Storm, Calmed, Cut, Noise, Whole),
    *(Reset, Hangs, Unplugged, PluggedIn),
)

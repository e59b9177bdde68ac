"""Actions on a table's hardware, as a scenario's lines write them (`scenario_forms.py`).

The module knows no word, no board and no file.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct

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

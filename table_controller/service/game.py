"""A game's door: all that anybody above the engine knows of a game, beside its `Snapshot`.

Knows no game: chemin de fer, punto banco and écarté fit it alike. A module is a game if it has
these names; nothing subclasses anything. Which there are: `table_controller/wiring/games.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

import msgspec

from table_controller.engine.alerts import Alerts
from table_controller.engine.messages import Audience, Event, Input, Refusal, Refused, phrase
from table_controller.engine.people import Chance, People
from table_controller.engine.promises import SecretKey
from table_controller.engine.sheet import Sheet
from table_controller.engine.table.roles import Person
from table_controller.engine.views import Snapshot
from table_controller.rules.houses import House

S = TypeVar("S")


class Game(Protocol[S]):
    """A pure step function, what goes in and out of it, and what one may ask of its state."""

    @property
    def name(self) -> str:
        """As in a header: `chemin-de-fer`."""

    @property
    def inputs(self) -> Any:
        """The tagged union of its inputs."""

    @property
    def events(self) -> Any:
        """The tagged union of its events.

        One with `CHECKPOINT = True` closes a Schlitten, one with `SETTLES = True` settles a coup.
        """

    @property
    def house(self) -> type[House]:
        """What its house files hold."""

    @property
    def buttons(self) -> tuple[str, ...]:
        """The names of offers that a button at the table may press."""

    @property
    def lamps(self) -> Path | None:
        """The file of its own words for lamps; None: it has none."""

    def begin(self, house: Any, key: SecretKey, /) -> S:
        """Return an empty table of a house of this game; `key` makes the cards' promises."""

    def step(self, state: S, said: Input, /) -> tuple[S, tuple[Event, ...]]:
        """Return the state after `said`, and what to tell. Raises Refusal; pure."""

    def snapshot(self, state: S, audience: Audience, /) -> Snapshot:
        """Return the picture of now for `audience`."""

    def by_hand(self, state: S, picture: Snapshot, /, *, reads: bool) -> Snapshot:
        """Return the staff's picture with what people type; `reads`: something reads the cards."""

    def money(self, state: S, /) -> dict[str, int]:
        """Say where how much lies. Events need not tell it, and replay must come to it again."""

    def save(self, state: S, /) -> bytes:
        """Write down a state in which a Schlitten was just closed, without any key."""

    def load(self, begun: S, saved: bytes, /) -> S:
        """Return the state that `save` wrote; keys and house come from `begun`, a fresh state."""

    def persons(self, state: S, /) -> tuple[Person, ...]:
        """Return the people with roles; without any, nobody's role is asked."""

    def prompt(self, state: S, /) -> int:
        """Return the id of what the table waits for now."""

    def alerts(self, state: S, /) -> Alerts:
        """Return what is amiss, the newest last."""

    def asks_again(self, state: S, /) -> bool:
        """Say whether the card that left last is to be shown once more."""

    def deadline(self, state: S, /) -> tuple[int, Input] | None:
        """Say what the clock has to say, and how many seconds after the prompt came up."""

    def changed(self, before: S, after: S, told: Sequence[Event], /) -> bool:
        """Say whether an input that was taken made anything other than it was, or noted it."""

    def sums(self, events: Iterable[dict[str, Any]], /) -> tuple[int, str] | None:
        """Return index and reason of the first public event whose sums do not come out."""

    def recall(self, events: Iterable[dict[str, Any]], /) -> Sheet:
        """Return the coups that these public events tell of, one a row."""

    def wall(self, house: Any, /) -> Sheet:
        """Return what hangs on such a house's wall."""

    @property
    def faults(self) -> Mapping[str, float]:
        """What its people do wrong on request, and how often."""

    def people(self, chance: Chance, /, *, faults: frozenset[str]) -> People[S]:
        """Return simulated people, who let these faults happen."""

    def read(self, line: str, /) -> Input:
        """Read an input from a script's line. Raises ValueError."""

    def write(self, said: Input, /) -> str:
        """Write it as such a line. Raises ValueError for one that no line can hold."""


def closes(events: Iterable[Event]) -> bool:
    """Whether a Schlitten was closed: everything before may be known, recovery starts here."""
    return any(getattr(event, "CHECKPOINT", False) for event in events)


def settled(events: Iterable[Event]) -> int:
    """How many coups were settled."""
    return sum(getattr(event, "SETTLES", False) for event in events)


def flushes(events: Iterable[Event]) -> bool:
    """Whether the write-ahead log is to be moved into the journal's file now."""
    told = list(events)
    return closes(told) or any(getattr(event, "FLUSHES", False) for event in told)


def refused(said: Input, refusal: Refusal) -> Refused:
    """Return the news that `said` was not admitted."""
    return Refused(said=tell(said), why=refusal.why, remedy=refusal.remedy, rule=refusal.rule)


#: In place of a rule's id where the program itself failed.
INTERNAL = "internal"


def failed(said: Input) -> Refused:
    """Return the news that the program failed on `said`; what failed is in the log only."""
    return Refused(
        said=tell(said),
        why=phrase("The program failed on this input, and nothing changed."),
        remedy=phrase("Do it another way, and report the line in the log."),
        rule=INTERNAL,
    )


def tell(said: Input) -> str:
    """Say an input in one line, as far as a person may know it: no field of a sealed one."""
    kind = str(said.__struct_config__.tag)
    if said.SEALED:
        return kind
    fields = msgspec.structs.asdict(said)
    told = [f"{name}={value}" for name, value in fields.items() if name not in ("actor", "prompt")]
    return " ".join([kind, *told])

"""A game's interface, called its door. The layers above the engine know nothing else about a game.

The one exception is a game's `Snapshot`, which those layers know too. The interface names no game:
chemin de fer, punto banco and écarté all have this interface. A module is a game if it has these
names; no class is subclassed. The games are listed in `table_controller/wiring/games.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from table_controller.engine.alerts import Alerts
from table_controller.engine.messages import Audience, Event, Input, Refusal, Refused, phrase
from table_controller.engine.players import USUAL, Chance, Players, Temper
from table_controller.engine.promises import SecretKey
from table_controller.engine.sheet import Sheet
from table_controller.engine.table.evening import Expected, PlayedCoup
from table_controller.engine.table.roles import Person
from table_controller.engine.views import Snapshot
from table_controller.rules.houses import House

S = TypeVar("S")


class Game(Protocol[S]):
    """A game: a pure step function, its inputs and events, and questions about its state."""

    @property
    def name(self) -> str:
        """The game's name as in a journal's header: `chemin-de-fer`."""

    @property
    def inputs(self) -> Any:
        """The tagged union of all types of the game's inputs."""

    @property
    def events(self) -> Any:
        """The tagged union of all types of the game's events.

        An event with `CHECKPOINT = True` closes a Schlitten. An event with `SETTLES = True` settles
        a coup.
        """

    @property
    def house(self) -> type[House]:
        """The settings type of the game's house files."""

    @property
    def buttons(self) -> tuple[str, ...]:
        """The names of the offers that a button at the table may press."""

    @property
    def lamps(self) -> Path | None:
        """The file of the lamp words that only this game has; None if there are none."""

    def begin(self, house: Any, key: SecretKey, /) -> S:
        """Return the state of an empty table in this house. `key` makes the promises of cards."""

    def step(self, state: S, said: Input, /) -> tuple[S, tuple[Event, ...]]:
        """Return the state after `said`, and the events. The function is pure. Raises Refusal."""

    def snapshot(self, state: S, audience: Audience, /) -> Snapshot:
        """Return the current picture for `audience`."""

    def by_hand(self, state: S, picture: Snapshot, /, *, reads: bool) -> Snapshot:
        """Return the staff's picture, and add the offers to type cards.

        `reads` says whether a device reads the cards.
        """

    def money(self, state: S, /) -> dict[str, int]:
        """Return how much money is at each place.

        Events need not contain these sums, but replay must arrive at the same sums.
        """

    def save(self, state: S, /) -> bytes:
        """Serialise a state in which a Schlitten was just closed. The result contains no key."""

    def load(self, begun: S, saved: bytes, /) -> S:
        """Return the state that `save` wrote. Keys and house come from `begun`, a fresh state."""

    def persons(self, state: S, /) -> tuple[Person, ...]:
        """Return the people who have roles. If there are none, the game does not check roles."""

    def prompt(self, state: S, /) -> int:
        """Return the id of the question that the table asks now."""

    def alerts(self, state: S, /) -> Alerts:
        """Return the open alerts, the newest last."""

    def asks_again(self, state: S, /) -> bool:
        """Return whether the card that passed last must be shown to the camera again."""

    def deadline(self, state: S, /) -> tuple[int, Input] | None:
        """Return the seconds from the prompt to the clock's next input, and that input; or None."""

    def changed(self, before: S, after: S, told: Sequence[Event], /) -> bool:
        """Return whether an accepted input changed the state or noted anything."""

    def sums(self, events: Iterable[dict[str, Any]], /) -> tuple[int, str] | None:
        """Return index and fault of the first public event whose sums do not balance, or None."""

    def recall(self, events: Iterable[dict[str, Any]], /) -> Sheet:
        """Return a sheet of the coups in these public events, one coup per row."""

    def coups(self, events: Iterable[dict[str, Any]], house: Any, /) -> tuple[PlayedCoup, ...]:
        """Return the coups in these public events, for the evening's record."""

    def expected(self, house: Any, /) -> Iterable[Expected]:
        """Return the outcomes of a coup, or of a deal, with the exact chance of each."""

    def wall(self, house: Any, /) -> Sheet:
        """Return the sheet that such a house has on its wall, for example the tableau."""

    @property
    def faults(self) -> Mapping[str, float]:
        """The mistakes that the game's simulated people can make, and the chance of each."""

    def players(
        self, chance: Chance, /, *, faults: frozenset[str], temper: Temper = USUAL
    ) -> Players[S]:
        """Return simulated people who have this temper and make these mistakes."""

    def read(self, line: str, /) -> Input:
        """Read an input from a script's line. Raises ValueError."""

    def write(self, said: Input, /) -> str:
        """Write an input as a script's line. Raises ValueError if no line can express it."""


@dataclass(frozen=True, slots=True)
class Position(Generic[S]):
    """A state of a game together with the game. `Game` explains the methods."""

    game: Game[S]
    state: S

    def snapshot(self, audience: Audience) -> Snapshot:
        """The current picture for `audience`."""
        return self.game.snapshot(self.state, audience)

    def by_hand(self, picture: Snapshot, *, reads: bool) -> Snapshot:
        """The staff's picture, with the offers to type cards.

        `reads` says whether a device reads the cards.
        """
        return self.game.by_hand(self.state, picture, reads=reads)

    def changed(self, after: S, told: Sequence[Event]) -> bool:
        """Whether an input that led to the state `after` changed the state or noted anything."""
        return self.game.changed(self.state, after, told)

    @property
    def alerts(self) -> Alerts:
        """The open alerts, the newest last."""
        return self.game.alerts(self.state)

    @property
    def persons(self) -> tuple[Person, ...]:
        """The people who have roles."""
        return self.game.persons(self.state)

    @property
    def prompt(self) -> int:
        """The id of the question that the table asks now."""
        return self.game.prompt(self.state)

    @property
    def deadline(self) -> tuple[int, Input] | None:
        """The seconds from the prompt to the clock's next input, and that input; or None."""
        return self.game.deadline(self.state)

    @property
    def asks_again(self) -> bool:
        """Whether the card that passed last must be shown to the camera again."""
        return self.game.asks_again(self.state)


def closes(events: Iterable[Event]) -> bool:
    """Whether these events close a Schlitten.

    If so, the cards of that Schlitten may be shown, and a later recovery starts after these events.
    """
    return any(getattr(event, "CHECKPOINT", False) for event in events)


def settled(events: Iterable[Event]) -> int:
    """Return the number of coups that these events settle."""
    return sum(getattr(event, "SETTLES", False) for event in events)


def flushes(events: Iterable[Event]) -> bool:
    """Whether the write-ahead log should be moved into the journal's file after these events."""
    told = list(events)
    return closes(told) or any(getattr(event, "FLUSHES", False) for event in told)


def refused(said: Input, refusal: Refusal) -> Refused:
    """Return the event that says that `said` was refused."""
    return Refused(said=tell(said), why=refusal.why, remedy=refusal.remedy, rule=refusal.rule)


#: The text in place of a rule's id if the program itself failed.
INTERNAL = "internal"


def failed(said: Input) -> Refused:
    """Return the event that says that the program failed on `said`. Details are only in the log."""
    return Refused(
        said=tell(said),
        why=phrase("The program failed on this input, and nothing changed."),
        remedy=phrase("Do it another way, and report the line in the log."),
        rule=INTERNAL,
    )


def tell(said: Input) -> str:
    """Return an input as one line that everybody may read.

    Of a sealed input the line has only the type.
    """
    kind = str(said.__struct_config__.tag)
    if said.SEALED:
        return kind
    fields = msgspec.structs.asdict(said)
    told = [f"{name}={value}" for name, value in fields.items() if name not in ("actor", "prompt")]
    return " ".join([kind, *told])

"""A game as the service sees it. Knows no game: chemin de fer, punto banco and écarté fit it alike.

A module is a game if it has these names; nothing subclasses anything.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol, TypeVar

import msgspec

from table_controller.engine.messages import Audience, Event, Input, Refusal, Refused, phrase
from table_controller.engine.views import Snapshot

S = TypeVar("S")


class Game(Protocol[S]):
    """A pure step function and what goes in and out of it.

    How a state begins (house, Schlitten, key) is the game's own affair: the wiring hands the
    service a state, or a callable without arguments that makes the first one.
    """

    @property
    def name(self) -> str:
        """As in a header: `chemin-de-fer`."""

    @property
    def inputs(self) -> Any:
        """The tagged union of its inputs."""

    @property
    def events(self) -> Any:
        """The tagged union of its events. One with `CHECKPOINT = True` closes a Schlitten."""

    def step(self, state: S, said: Input, /) -> tuple[S, tuple[Event, ...]]:
        """Return the state after `said`, and what to tell. Raises Refusal; pure."""

    def snapshot(self, state: S, audience: Audience, /) -> Snapshot:
        """Return the picture of now for `audience`."""

    def money(self, state: S, /) -> dict[str, int]:
        """Say where how much lies. Events need not tell it, and replay must come to it again."""

    def save(self, state: S, /) -> bytes:
        """Write down a state in which a Schlitten was just closed, without any key."""

    def load(self, begun: S, saved: bytes, /) -> S:
        """Return the state that `save` wrote; keys and house come from `begun`, a fresh state."""


def closes(events: Iterable[Event]) -> bool:
    """Whether a Schlitten was closed: everything before may be known, recovery starts here."""
    return any(getattr(event, "CHECKPOINT", False) for event in events)


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

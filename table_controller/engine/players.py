"""The interface of every game's simulated people, and of the chance that they use.

The module knows no game and no random generator. The same chance gives the same evening.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, Protocol, TypeVar

from table_controller.engine.messages import Input

T = TypeVar("T")
S_contra = TypeVar("S_contra", contravariant=True)


class Chance(Protocol):
    """The source of people's whims: those methods of `random.Random` that they use."""

    def random(self) -> float:
        """A number from 0 up to, but not including, 1."""

    def randint(self, a: int, b: int) -> int:
        """An integer from `a` to `b`, both included."""

    def randrange(self, start: int, stop: int | None = None) -> int:
        """An integer from `start` up to, but not including, `stop`; or from 0 to below `start`."""

    def choice(self, seq: Sequence[T], /) -> T:
        """One of these."""

    def sample(self, population: Sequence[T], k: int) -> list[T]:
        """A number of these, none of them twice."""


class Temper(NamedTuple):
    """How people play. Most people have a factor of 1.

    Attributes:
        sum: how much they stake, from 0, the least, to 1, the most allowed; None: any sum between.
        ventures: how often they take an optional chance.
        retreats: how often they give up something they have.
        talks: how often they do something else meanwhile.
        mistakes: the mistakes they make, out of the game's `faults`.
    """

    sum: float | None = None
    ventures: float = 1.0
    retreats: float = 1.0
    talks: float = 1.0
    mistakes: frozenset[str] = frozenset()

    def stakes(self, luck: Chance, least: int, most: int) -> int:
        """The sum they stake, between these."""
        if self.sum is None:
            return luck.randint(least, most)
        return least + round((most - least) * self.sum)


USUAL: Final = Temper()
#: The tempers that a simulation can ask for.
TEMPERS: Final = {
    "usual": USUAL,
    "bold": Temper(sum=1.0, ventures=2.5, retreats=0.2, talks=0.3),
    "careful": Temper(sum=0.0, ventures=0.2, retreats=3.0),
    "restless": Temper(talks=4.0, retreats=2.0, mistakes=frozenset({"refused", "take_back"})),
}


class Progress(NamedTuple):
    """How far an evening has come, for the program that plays and deals it unattended.

    Attributes:
        schlitten: the number of the current Schlitten this evening; `loaded`: whether one is in
            use.
        coups: the number of coups begun so far; `settled`: whether the last coup has a result.
        close: the input that closes the Schlitten, if it is allowed now.
        again: whether the card that left last must be shown once more; `named`: whether one person
            has already entered it.
        idle: whether no card is due, although one could slip out.
    """

    schlitten: int
    loaded: bool
    coups: int
    settled: bool
    close: Input | None
    again: bool
    named: bool
    idle: bool


class Players(Protocol[S_contra]):
    """The players and the croupier of one table."""

    def arrive(self, state: S_contra, /) -> Iterator[Input]:
        """Yield the inputs of their arrival."""

    def say(self, state: S_contra, /) -> Input | None:
        """Return the next input from somebody, or None if a card is next."""

    def progress(self, state: S_contra, /) -> Progress:
        """Say how far the evening is."""

"""The interface of the simulated people of every game, and of the random choices that they use.

The module knows no game and no random generator. The same random numbers give the same evening.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, Protocol, TypeVar

from table_controller.engine.messages import Input, phrase

#: Why a device is lost in a simulated evening.
CABLE_OUT: Final = phrase("Its cable is out: plug it in.")

T = TypeVar("T")
S_contra = TypeVar("S_contra", contravariant=True)


class Chance(Protocol):
    """The source of random choices: the methods of `random.Random` that simulated people use."""

    def random(self) -> float:
        """A number from 0 up to, but not including, 1."""

    def randint(self, a: int, b: int) -> int:
        """An integer from `a` to `b`, both included."""

    def randrange(self, start: int, stop: int | None = None) -> int:
        """An integer from `start` to `stop` - 1; without `stop`, from 0 to `start` - 1."""

    def choice(self, seq: Sequence[T], /) -> T:
        """One element of `seq`, chosen at random."""

    def sample(self, population: Sequence[T], k: int) -> list[T]:
        """`k` different elements of `population`, chosen at random."""


class Temper(NamedTuple):
    """How simulated people play. A factor of 1 means as often as most people.

    Attributes:
        sum: how much they stake, from 0 (the least sum allowed) to 1 (the most). None means any sum
            between the two.
        ventures: the factor for how often they take an optional chance.
        retreats: the factor for how often they give up something they have, such as the bank.
        talks: the factor for how often they do something other than play, such as buying chips.
        mistakes: the names of the mistakes they make, out of the game's `faults`.
    """

    sum: float | None = None
    ventures: float = 1.0
    retreats: float = 1.0
    talks: float = 1.0
    mistakes: frozenset[str] = frozenset()

    def stakes(self, luck: Chance, least: int, most: int) -> int:
        """The sum that these people stake: at least `least` and at most `most`."""
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
    """How far an evening has come.

    The program that plays and deals an evening unattended needs this.

    Attributes:
        schlitten: the number of the current Schlitten this evening; `loaded`: whether one is in
            use.
        coups: the number of coups begun so far; `settled`: whether the last coup has a result.
        close: the input that closes the Schlitten; None if closing is not allowed now.
        again: whether the card that left last must be shown once more; `named`: whether one person
            has already typed this card.
        idle: whether no card is due and the table would still accept a card that slips out.
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
    """The simulated players and croupier of one table."""

    def arrive(self, state: S_contra, /) -> Iterator[Input]:
        """Yield the inputs with which the people arrive at the table."""

    def say(self, state: S_contra, /) -> Input | None:
        """Return the next input from one of the people, or None if the table waits for a card."""

    def progress(self, state: S_contra, /) -> Progress:
        """Say how far the evening has come."""

"""Simulated people as every game has them: what they are asked, and the chance they are given.

Knows no game, and no source of chance: the same chance, the same evening.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol, TypeVar

from table_controller.engine.messages import Input

T = TypeVar("T")
S_contra = TypeVar("S_contra", contravariant=True)


class Chance(Protocol):
    """Where people get their whims from: of `random.Random`, what they use."""

    def random(self) -> float:
        """A number from 0 to 1, without 1."""

    def randint(self, a: int, b: int) -> int:
        """A number from `a` to `b`."""

    def randrange(self, start: int, stop: int | None = None) -> int:
        """A number from `start` to `stop`, without `stop`; or up to `start`."""

    def choice(self, seq: Sequence[T], /) -> T:
        """One of them."""

    def sample(self, population: Sequence[T], k: int) -> list[T]:
        """So many of them, each once."""


class Progress(NamedTuple):
    """How far an evening is, for who plays it by itself and deals it.

    Attributes:
        schlitten: number of the present one this evening; `loaded`: one is in use.
        coups: begun so far; `settled`: the last one's result lies there to be looked at.
        close: what closes the Schlitten, where that may be said now.
        again: the card that left last is to be shown once more; `named`: one person entered it.
        idle: no card is due, yet one could slip out.
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
    """Players and croupier of one table."""

    def arrive(self, state: S_contra, /) -> Iterator[Input]:
        """Yield what they say as they come."""

    def say(self, state: S_contra, /) -> Input | None:
        """Return what somebody says next, or None where the next thing is a card."""

    def progress(self, state: S_contra, /) -> Progress:
        """Say how far the evening is."""

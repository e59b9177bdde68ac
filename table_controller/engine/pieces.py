"""What a picture of the table is made of: marks, figures, hands, stakes, results, grids. Pure data.

No word of a game stands here. What a game calls a thing is a `name` for lamps and programs and a
phrase for people.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from table_controller.engine.messages import Phrase
from table_controller.rules.cards import Card

Tone = Literal["", "gold", "blue", "red", "green", "grey"]
"""A colour class of the screens, which say what it looks like; a word stands beside it always."""


class Mark(Struct, frozen=True, kw_only=True):
    """A word beside a seat or a hand: `name` for lamps and programs, `label` for people, or ""."""

    name: str
    label: Phrase


class Note(Struct, frozen=True):
    """A sentence, and the id of the rule behind it or ""; `whole`: that is read out beside it."""

    text: Phrase
    rule: str = ""
    whole: bool = False


class Figure(Struct, frozen=True, kw_only=True):
    """A labelled number: a sum in smallest chips where `unit` is one of money, else a count.

    Attributes:
        name: for displays and programs; `label` for people.
        unit: printed after it, "" for a count.
        seat: whose it is, 0 for the table's.
        of: so many counters show it, of which as many as its value were moved; 0: a plain number.
        moves: where a counter goes that is moved.
    """

    name: str
    label: Phrase
    value: int
    unit: str = ""
    seat: int = 0
    of: int = 0
    moves: Literal["left", "right"] = "right"


class Hand(Struct, frozen=True, kw_only=True):
    """A hand of the game, from when somebody holds it, or cards that are nobody's.

    Attributes:
        name: whose it is, for lamps and programs; `label` for people.
        seat: where it lies, 0 for the table's middle.
        cards: in the order of their places; None is a closed card. Empty before the deal.
        points: what it counts, in words, once every card of it is open; `count` as a number.
        outcome: after a coup: `won`, `lost`, …
    """

    name: str
    label: Phrase
    seat: int = 0
    tone: Tone = ""
    cards: tuple[Card | None, ...] = ()
    points: Phrase | None = None
    count: int | None = None
    outcome: Mark | None = None


class Spot(Struct, frozen=True, kw_only=True):
    """Where stakes lie beside those in front of their seats: a bet's name."""

    name: str
    label: Phrase
    tone: Tone = ""


class Stake(Struct, frozen=True, kw_only=True):
    """What a seat has staked, in smallest chips; `spot` is a `Spot`'s name, or "" for one's own."""

    seat: int
    chips: int
    spot: str = ""


class Result(Struct, frozen=True, kw_only=True):
    """A finished coup in the row of the last ones.

    Attributes:
        coup: its number in the evening.
        name: for programs: the winning hand's, or `tie`.
        sign, count: the letter and the points that stand for it in the row; None: unknown.
        text: how it ended, in a few words.
        winner: who won, "" where nobody did; `paid`: what he or they got.
        after: what follows where nobody won, or "".
        figures: further sums of the coup.
    """

    coup: int
    name: str
    text: Phrase
    sign: str
    tone: Tone = ""
    count: int | None = None
    winner: Phrase = Phrase("")
    paid: Figure | None = None
    after: Phrase = Phrase("")
    figures: tuple[Figure, ...] = ()


class Advice(Struct, frozen=True, kw_only=True):
    """What the wall table says now: the heads of its lit cell, or a sentence in its place (Z-20).

    Attributes:
        name: what it says, for programs; `text`: the sentence; `rule`: behind it.
        row: head of the row, "" where the sentence takes the wall's place.
        column: head of the column, "" where the row alone holds.
    """

    name: str
    text: Phrase
    rule: str
    row: str = ""
    column: str = ""


class Cell(Struct, frozen=True, kw_only=True):
    """One square of a `Grid`: a sign to look at, and its words."""

    sign: str
    text: Phrase
    tone: Tone = ""


class Grid(Struct, frozen=True, kw_only=True):
    """A table of signs: what hangs on the wall, a road, a list.

    Attributes:
        label: what it is; `rule`: behind it, or "".
        rows, columns: their heads, none where it has none.
        cells: row by row; None is an empty square.
        key: what the signs mean, to print below.
    """

    name: str
    label: Phrase
    cells: tuple[tuple[Cell | None, ...], ...]
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    key: tuple[Cell, ...] = ()
    rule: str = ""


class Entry(Struct, frozen=True, gc=False, array_like=True):
    """Where a sign stands in a `Road`, from 0, and what is marked on it.

    `sign` is its place in the road's key; `count`, a small figure in it, none where 0;
    `top_left` and `bottom_right`: a dot in that corner.
    """

    row: int
    column: int
    sign: int
    count: int = 0
    top_left: bool = False
    bottom_right: bool = False


class Ask(Struct, frozen=True, gc=False, array_like=True):
    """Which sign a `Road` would get next if that came, None where it gets none."""

    label: Phrase
    tone: Tone
    sign: int | None


class Road(Struct, frozen=True, kw_only=True):
    """Signs that grow to the right, of which a screen shows the last columns that fit.

    Attributes:
        label: what it is; `rule`: behind it, or "".
        rows: how many it has; columns are as many as it takes.
        key: its signs: a letter on a disc, `○`, `●` or `╱`, each in its tone.
        entries: in the order in which they came; `figures`: counted of what they stand for.
    """

    name: str
    label: Phrase
    rows: int
    key: tuple[Cell, ...]
    entries: tuple[Entry, ...]
    ask: tuple[Ask, ...] = ()
    figures: tuple[Figure, ...] = ()
    rule: str = ""


class Person(Struct, frozen=True, kw_only=True):
    """Who sits or stands at a place, and what he has, in smallest chips. For the staff."""

    seat: int
    name: str
    balance: int


class Total(Struct, frozen=True, kw_only=True):
    """What so many coups came to. All totals of a picture have the same figures.

    `of` is `coup`, `schlitten` or `evening`, `label` the same for people.
    """

    of: str
    label: Phrase
    figures: tuple[Figure, ...]


class Drawer(Struct, frozen=True, kw_only=True):
    """Where the page keeps many offers of one input apart.

    `name` is the input's type; it stays open where several say something one after the other.
    """

    name: str
    label: Phrase
    stays: bool = False

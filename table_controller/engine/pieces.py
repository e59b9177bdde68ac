"""The parts of a picture of the table: marks, figures, hands, stakes, results, grids.

They are pure data, and know no game's terms. A game names a thing twice: with a `name` for lamps
and programs, and with a phrase for people.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from table_controller.engine.messages import Phrase
from table_controller.rules.cards import Card

Tone = Literal["", "gold", "blue", "red", "green", "grey"]
"""A colour class. Each screen defines how it looks, and a word always accompanies it."""


class Mark(Struct, frozen=True, kw_only=True):
    """A word next to a seat or a hand: `name` is for lamps and programs, `label` for people.

    Either may be "".
    """

    name: str
    label: Phrase


class Note(Struct, frozen=True):
    """A sentence for people. `rule` is the id of the rule behind it, or "".

    If `whole`, the rule's text is read out too.
    """

    text: Phrase
    rule: str = ""
    whole: bool = False


class Figure(Struct, frozen=True, kw_only=True):
    """A labelled number.

    It is a sum in smallest chips if `unit` is a unit of money, otherwise a count.

    Attributes:
        name: the figure's name for displays and programs; `label` is for people.
        unit: the unit printed after the number, "" for a count.
        seat: the seat that the figure belongs to, 0 for the whole table.
        of: the number of counters that show the figure. Its value tells how many of them were
            moved. 0 means a plain number.
        moves: the direction in which a counter moves.
    """

    name: str
    label: Phrase
    value: int
    unit: str = ""
    seat: int = 0
    of: int = 0
    moves: Literal["left", "right"] = "right"


class Hand(Struct, frozen=True, kw_only=True):
    """A hand of the game once somebody has it, or cards that belong to nobody.

    Attributes:
        name: the hand's name for lamps and programs; `label` is for people.
        seat: the seat where the hand is, 0 for the middle of the table.
        cards: the cards in the order of their places; None is a closed card. Empty before the deal.
        points: the hand's value in words once all its cards are open; `count` is the same as a
            number.
        outcome: the result after a coup: `won`, `lost`, …
    """

    name: str
    label: Phrase
    seat: int = 0
    tone: Tone = ""
    cards: tuple[Card | None, ...] = ()
    points: Phrase | None = None
    count: int | None = None
    outcome: Mark | None = None


class Tray(Struct, frozen=True, kw_only=True):
    """The place on a page for the hand of the same name. It is always there, whoever has the hand.

    Attributes:
        slots: the greatest number of cards that the game can bring there.
        row: trays of one row are side by side; the row with the smallest number is on top.
    """

    name: str
    label: Phrase
    slots: int
    tone: Tone = ""
    row: int = 0


class Party(Struct, frozen=True, kw_only=True):
    """The players who stake on one side of a game between two; `seats` are in their order."""

    label: Phrase
    seats: tuple[int, ...]
    tone: Tone = ""


class Spot(Struct, frozen=True, kw_only=True):
    """A place for stakes other than in front of a seat, by the bet's name."""

    name: str
    label: Phrase
    tone: Tone = ""


class Stake(Struct, frozen=True, kw_only=True):
    """A seat's stake, in smallest chips; `spot` is a `Spot`'s name, or "" in front of the seat."""

    seat: int
    chips: int
    spot: str = ""


class Result(Struct, frozen=True, kw_only=True):
    """A finished coup in the row of past coups.

    Attributes:
        coup: the coup's number in the evening.
        name: the result for programs: the winning hand's name, or `tie`.
        sign, count: the letter and the points that the row shows for the coup; None if unknown.
        text: how the coup ended, in a few words.
        winner: who won, "" if nobody did; `paid`: the sum that the winner got.
        after: what follows if nobody won, or "".
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
    """What the wall table advises now: the heads of its lit cell, or a sentence instead (Z-20).

    Attributes:
        name: the advice, for programs; `text`: its sentence; `rule`: the rule behind it.
        row: the head of the row, "" if the sentence replaces the wall table.
        column: the head of the column, "" if the row alone decides.
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
    """A table of signs: a wall table, a road, a list.

    Attributes:
        label: the table's title; `rule`: the rule behind it, or "".
        rows, columns: the heads of the rows and columns, empty if there are none.
        cells: the squares row by row; None is an empty square.
        key: the meaning of the signs, printed below.
    """

    name: str
    label: Phrase
    cells: tuple[tuple[Cell | None, ...], ...]
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    key: tuple[Cell, ...] = ()
    rule: str = ""


class Entry(Struct, frozen=True, gc=False, array_like=True):
    """A sign's position in a `Road`, from 0, and the marks on it.

    `sign` is the sign's index in the road's key. `count` is a small figure in it; 0 means none.
    `top_left` and `bottom_right` put a dot in that corner.
    """

    row: int
    column: int
    sign: int
    count: int = 0
    top_left: bool = False
    bottom_right: bool = False


class Ask(Struct, frozen=True, gc=False, array_like=True):
    """The sign that a `Road` would get next for such a result.

    None means that it would get no sign.
    """

    label: Phrase
    tone: Tone
    sign: int | None


class Road(Struct, frozen=True, kw_only=True):
    """Signs that grow to the right; a screen shows the last columns that fit.

    Attributes:
        label: the road's title; `rule`: the rule behind it, or "".
        rows: the number of rows. The road has as many columns as it needs.
        key: the road's signs: a letter on a disc, `○`, `●` or `╱`, each in its tone.
        entries: the signs, oldest first; `figures`: the count of each sign.
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
    """The person at a seat or a standing place, and his money in smallest chips. For the staff."""

    seat: int
    name: str
    balance: int


class Total(Struct, frozen=True, kw_only=True):
    """The totals of some coups. All totals of a picture have the same figures.

    `of` is `coup`, `schlitten` or `evening` for programs; `label` is the same for people.
    """

    of: str
    label: Phrase
    figures: tuple[Figure, ...]


class Drawer(Struct, frozen=True, kw_only=True):
    """A drawer of the page for the many offers of one input.

    `name` is the input's type. The drawer stays open if several people send the input in turn.
    """

    name: str
    label: Phrase
    stays: bool = False

"""The parts of a picture of the table: marks, figures, hands, stakes, results, grids. Pure data.

Knows no game's terms. A game names a thing twice: a `name` for lamps and programs, and a phrase
for people.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from table_controller.engine.messages import Phrase
from table_controller.rules.cards import Card

Tone = Literal["", "gold", "blue", "red", "green", "grey"]
"""A colour class; each screen defines its look, and a word always goes with it."""


class Mark(Struct, frozen=True, kw_only=True):
    """A word beside a seat or a hand: `name` for lamps and programs, `label` for people, or ""."""

    name: str
    label: Phrase


class Note(Struct, frozen=True):
    """A sentence, and the id of the rule behind it or ""; `whole`: the rule is read out too."""

    text: Phrase
    rule: str = ""
    whole: bool = False


class Figure(Struct, frozen=True, kw_only=True):
    """A labelled number: a sum in smallest chips if `unit` is one of money, else a count.

    Attributes:
        name: for displays and programs; `label` is for people.
        unit: printed after it, "" for a count.
        seat: whose it is, 0 for the table's.
        of: the number of counters that show it, of which its value were moved; 0: a plain number.
        moves: where a moved counter goes.
    """

    name: str
    label: Phrase
    value: int
    unit: str = ""
    seat: int = 0
    of: int = 0
    moves: Literal["left", "right"] = "right"


class Hand(Struct, frozen=True, kw_only=True):
    """A hand of the game, once somebody holds it, or cards that belong to nobody.

    Attributes:
        name: whose it is, for lamps and programs; `label` is for people.
        seat: where it lies, 0 for the middle of the table.
        cards: in the order of their places; None is a closed card. Empty before the deal.
        points: its value in words, once all its cards are open; `count` is the same as a number.
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


class Tray(Struct, frozen=True, kw_only=True):
    """Where the hand of the same name lies on a page: always there, whoever holds the hand.

    Attributes:
        slots: how many cards the game can bring there.
        row: trays of one row lie side by side, the lowest row on top.
    """

    name: str
    label: Phrase
    slots: int
    tone: Tone = ""
    row: int = 0


class Party(Struct, frozen=True, kw_only=True):
    """Those who stake on one side of a game between two; `seats` in their order."""

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
        coup: its number in the evening.
        name: for programs: the winning hand's name, or `tie`.
        sign, count: the letter and the points shown for it in the row; None: unknown.
        text: how it ended, in a few words.
        winner: who won, "" if nobody did; `paid`: what the winner got.
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
    """What the wall table says now: the heads of its lit cell, or a sentence instead (Z-20).

    Attributes:
        name: what it says, for programs; `text`: the sentence; `rule`: the rule behind it.
        row: head of the row, "" if the sentence replaces the wall table.
        column: head of the column, "" if the row alone decides.
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
        label: what it is; `rule`: the rule behind it, or "".
        rows, columns: their heads, empty if it has none.
        cells: row by row; None is an empty square.
        key: what the signs mean, printed below.
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

    `sign` is its index in the road's key; `count` is a small figure in it, none if 0;
    `top_left` and `bottom_right` put a dot in that corner.
    """

    row: int
    column: int
    sign: int
    count: int = 0
    top_left: bool = False
    bottom_right: bool = False


class Ask(Struct, frozen=True, gc=False, array_like=True):
    """The sign a `Road` would get next for such a result, None if it would get none."""

    label: Phrase
    tone: Tone
    sign: int | None


class Road(Struct, frozen=True, kw_only=True):
    """Signs that grow to the right; a screen shows the last columns that fit.

    Attributes:
        label: what it is; `rule`: the rule behind it, or "".
        rows: how many it has; it has as many columns as it needs.
        key: its signs: a letter on a disc, `○`, `●` or `╱`, each in its tone.
        entries: oldest first; `figures`: counts of what they stand for.
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
    """Who sits or stands at a place, and with how much, in smallest chips. For the staff."""

    seat: int
    name: str
    balance: int


class Total(Struct, frozen=True, kw_only=True):
    """The totals of some coups. All totals of a picture have the same figures.

    `of` is `coup`, `schlitten` or `evening`; `label` is the same for people.
    """

    of: str
    label: Phrase
    figures: tuple[Figure, ...]


class Drawer(Struct, frozen=True, kw_only=True):
    """A drawer of the page that holds the many offers of one input.

    `name` is the input's type; the drawer stays open if several people say it in turn.
    """

    name: str
    label: Phrase
    stays: bool = False

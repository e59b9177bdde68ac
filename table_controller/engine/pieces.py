"""The parts of a picture of the table: marks, figures, hands, stakes, results, grids.

They are plain data and use no game's terms. A game describes each thing twice: by a `name` for
lamps and programs, and by a phrase for people.
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

    An empty `name` or `label` means that there is nothing to show there.
    """

    name: str
    label: Phrase


class Note(Struct, frozen=True):
    """A sentence for people. `rule` is the id of the rule on which the sentence is based, or "".

    If `whole` is true, the rule's whole text is read out after the sentence.
    """

    text: Phrase
    rule: str = ""
    whole: bool = False


class Figure(Struct, frozen=True, kw_only=True):
    """A number with a label.

    The number is a sum in smallest chips if `unit` is a unit of money; otherwise it is a count.

    Attributes:
        name: the figure's name for displays and programs; `label` is for people.
        unit: the unit printed after the number, "" for a count.
        seat: the seat that the figure belongs to, 0 for the whole table.
        of: the number of counters with which the table shows the figure; `value` is then the number
            of counters that were moved. 0 means a plain number without counters.
        moves: the direction in which a counter is moved.
    """

    name: str
    label: Phrase
    value: int
    unit: str = ""
    seat: int = 0
    of: int = 0
    moves: Literal["left", "right"] = "right"


class Hand(Struct, frozen=True, kw_only=True):
    """A hand of cards in the game, or a group of cards that belongs to nobody.

    Attributes:
        name: the hand's name for lamps and programs; `label` is for people.
        seat: the seat where the hand is, 0 for the middle of the table.
        cards: the cards in the order of their places; None is a closed card. Empty before the deal.
        points: the hand's value in words, None until all its cards are open; `count` is the value
            as a number.
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
    """The area of a page for the hand of the same name.

    The area is there even while nobody has the hand.

    Attributes:
        slots: the greatest number of cards that the hand can have in this game.
        row: the row of the page. Trays with the same number are side by side; the lowest number is
            on top.
    """

    name: str
    label: Phrase
    slots: int
    tone: Tone = ""
    row: int = 0


class Party(Struct, frozen=True, kw_only=True):
    """The players who stake on one of the two sides of a game.

    `seats` are listed in the players' order.
    """

    label: Phrase
    seats: tuple[int, ...]
    tone: Tone = ""


class Spot(Struct, frozen=True, kw_only=True):
    """An area on the table for one kind of bet, away from the seats. `name` is the bet's name."""

    name: str
    label: Phrase
    tone: Tone = ""


class Stake(Struct, frozen=True, kw_only=True):
    """A seat's stake, in smallest chips.

    `spot` is a `Spot`'s name, or "" if it is in front of the seat.
    """

    seat: int
    chips: int
    spot: str = ""


class Result(Struct, frozen=True, kw_only=True):
    """A finished coup in the row of past coups.

    Attributes:
        coup: the coup's number in the evening.
        name: the result for programs: the winning hand's name, or `tie`.
        sign, count: the letter and the points that the row shows for the coup. `count` is None if
            the points are unknown.
        text: how the coup ended, in a few words.
        winner: the winner in words, "" if nobody won; `paid`: the sum that the winner got.
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
    """The present advice of the printed table on the wall, which says when to draw (Z-20).

    Attributes:
        name: the advice, for programs; `text`: its sentence; `rule`: the id of the rule that gives
            the advice.
        row: the heading of the row in which the advice is found. It is "" if the advice is given by
            the sentence alone.
        column: the heading of the column; "" if the row alone decides.
    """

    name: str
    text: Phrase
    rule: str
    row: str = ""
    column: str = ""


class Cell(Struct, frozen=True, kw_only=True):
    """One square of a `Grid`: a sign to look at, and the sign's meaning in words."""

    sign: str
    text: Phrase
    tone: Tone = ""


class Grid(Struct, frozen=True, kw_only=True):
    """A rectangle of signs: the table on the wall, a chart of past results, a list.

    Attributes:
        label: the grid's title; `rule`: the id of the rule that the grid shows, or "".
        rows, columns: the headings of the rows and columns, empty if there are none.
        cells: the squares row by row; None is an empty square.
        key: the meaning of the signs, printed below the grid.
    """

    name: str
    label: Phrase
    cells: tuple[tuple[Cell | None, ...], ...]
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    key: tuple[Cell, ...] = ()
    rule: str = ""


class Entry(Struct, frozen=True, gc=False, array_like=True):
    """One sign of a `Road`: its row and column, counted from 0, and the marks on it.

    `sign` is the sign's index in the road's key. `count` is a small number inside the sign; 0 means
    no number. `top_left` and `bottom_right` put a dot in that corner of the sign.
    """

    row: int
    column: int
    sign: int
    count: int = 0
    top_left: bool = False
    bottom_right: bool = False


class Ask(Struct, frozen=True, gc=False, array_like=True):
    """The sign that a `Road` would get next if the next coup ended with the result `label`.

    `sign` is None if the road would get no sign for this result.
    """

    label: Phrase
    tone: Tone
    sign: int | None


class Road(Struct, frozen=True, kw_only=True):
    """A chart of past results that grows to the right.

    A screen shows as many of the last columns as fit.

    Attributes:
        label: the road's title; `rule`: the id of the rule that the road shows, or "".
        rows: the number of rows. The road has as many columns as it needs.
        key: the road's signs: a letter on a disc, `○`, `●` or `╱`, each in its colour.
        entries: the signs, oldest first; `figures`: how often each sign occurs.
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
    """A person at a seat or a standing place, and his chips, in smallest chips.

    Only the staff sees this.
    """

    seat: int
    name: str
    balance: int


class Total(Struct, frozen=True, kw_only=True):
    """The sums of the figures over several coups. All totals of a picture have the same figures.

    `of` says over which coups: `coup`, `schlitten` or `evening`, for programs. `label` says the
    same for people.
    """

    of: str
    label: Phrase
    figures: tuple[Figure, ...]


class Drawer(Struct, frozen=True, kw_only=True):
    """A drawer of the page in which the many offers of one input are grouped.

    `name` is the input's type. If `stays` is true, the drawer stays open after a press, because
    several people send this input one after another.
    """

    name: str
    label: Phrase
    stays: bool = False

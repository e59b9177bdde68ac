"""The results of a Schlitten: its roads, its counters, and patterns among its cards.

They depend on results and opened cards alone. None of them contains a coup that was voided or taken
back (PR-2).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain, zip_longest
from typing import Final

from table_controller.engine.messages import Phrase, phrase
from table_controller.engine.pieces import Ask, Cell, Entry, Figure, Note, Road, Total
from table_controller.engine.punto_banco.state import BETWEEN, Record, Table
from table_controller.rules.cards import Card
from table_controller.rules.punto_banco import roads as drawn
from table_controller.rules.punto_banco.irregularities import Kind, Shuffle, notices
from table_controller.rules.punto_banco.results import Result, counters
from table_controller.rules.punto_banco.roads import Colour

_SIDES: Final = {
    Colour.RED: phrase("Banker"),
    Colour.BLUE: phrase("Player"),
    Colour.GREEN: phrase("Tie"),
}
_COLOURS: Final = {Colour.RED: phrase("red"), Colour.BLUE: phrase("blue")}
_LETTERS: Final = {Colour.RED: "B", Colour.BLUE: "P", Colour.GREEN: "T"}
#: The derived roads: name, label, sign.
_DERIVED: Final = (
    ("eye", phrase("Big eye boy"), "○"),
    ("small", phrase("Small road"), "●"),
    ("cockroach", phrase("Cockroach"), "╱"),
)
_COUNTED: Final = {
    "coups": phrase("coups"),
    "player": phrase("Player"),
    "banker": phrase("Banker"),
    "ties": phrase("Tie"),
    "player_pairs": phrase("Player pairs"),
    "banker_pairs": phrase("Banker pairs"),
    "naturals": phrase("naturals"),
}
_SEEN: Final = {
    Kind.RANK: phrase("{n} cards of one rank in a row"),
    Kind.SUIT: phrase("{n} cards of one suit in a row"),
    Kind.STEP: phrase("{n} cards in a row, each one rank on"),
    Kind.SEQUENCE: phrase("{n} cards of one suit in the order of a new pack"),
    Kind.REPEAT: phrase("{n} cards in an order that came before"),
    Kind.AGAIN: phrase("{n} cards in the order of the Schlitten before"),
}


#: The index of each colour's sign in a key.
_PLACE: Final = {colour: at for at, colour in enumerate(_SIDES)}
#: The signs of the first two roads: a letter, and a ring.
_BEADS: Final = tuple(
    Cell(sign=letter, text=_SIDES[colour], tone=colour.value) for colour, letter in _LETTERS.items()
)
_RINGS: Final = tuple(
    Cell(sign="○", text=text, tone=colour.value) for colour, text in _SIDES.items()
)


@lru_cache(maxsize=8)  # more pictures are made than coups played
def roads(results: tuple[Result, ...]) -> tuple[Road, ...]:
    """The five roads, each with the signs that may come next. Source: PB-30 to PB-34."""
    found = drawn.roads(results)
    bead = Road(
        name="bead",
        label=phrase("Bead plate"),
        rule="PB-30",
        rows=drawn.ROWS,
        key=_BEADS,
        entries=_entries(found.bead),
        figures=figures(results),
    )
    big = Road(
        name="big",
        label=phrase("Big road"),
        rule="PB-31",
        rows=drawn.ROWS,
        key=_RINGS,
        entries=_entries(found.big),
    )
    cells = (found.eye, found.small, found.cockroach)
    asks = map(_asks, found.if_player, found.if_banker)
    return (bead, big, *map(_derived, _DERIVED, cells, asks))


def _derived(drawn_as: tuple[str, Phrase, str], cells: drawn.Road, ask: tuple[Ask, ...]) -> Road:
    """One of the three derived roads, whose one sign is drawn in two colours."""
    name, label, sign = drawn_as
    key = (Cell(sign=sign, text=text, tone=colour.value) for colour, text in _COLOURS.items())
    return Road(
        name=name,
        label=label,
        rule="PB-33",
        rows=drawn.ROWS,
        key=tuple(key),
        entries=_entries(cells),
        ask=ask,
    )


def _entries(cells: drawn.Road) -> tuple[Entry, ...]:
    return tuple(
        Entry(
            cell.row,
            cell.column,
            _PLACE[cell.colour],
            count=cell.ties,
            top_left=cell.banker_pair,
            bottom_right=cell.player_pair,
        )
        for cell in cells
    )


def _asks(player: Colour | None, banker: Colour | None) -> tuple[Ask, ...]:
    """The signs that a road would get if Player, or if Banker, wins next. Source: PB-34."""
    return tuple(
        Ask(_SIDES[side], side.value, None if colour is None else _PLACE[colour])
        for side, colour in ((Colour.BLUE, player), (Colour.RED, banker))
    )


def figures(results: Sequence[Result]) -> tuple[Figure, ...]:
    """The counters of a Schlitten: coups, wins, ties, pairs, naturals."""
    counted = counters(results)._asdict()
    return tuple(
        Figure(name=name, label=label, value=counted[name]) for name, label in _COUNTED.items()
    )


def totals(results: Sequence[Result]) -> tuple[Total, ...]:
    """The same counters as totals of the Schlitten, for the staff."""
    return (Total(of="schlitten", label=phrase("Schlitten"), figures=figures(results)),)


def remarks(table: Table) -> tuple[Note, ...]:
    """The notes about patterns among the opened cards, only between two coups (PR-4)."""
    if not isinstance(table.phase, BETWEEN):
        return ()
    house = table.house
    shuffle = Shuffle(house.packs, house.packs * 52 - house.white_at, house.schlitten_a_year)
    return notes(_dealt(table.past), _gathered(table.before), shuffle)


def _dealt(past: Iterable[Record]) -> tuple[Card, ...]:
    """The opened cards of these coups in the order dealt, in which Player and Banker alternate."""
    turns = (zip_longest(one.player_cards, one.banker_cards) for one in past)
    return tuple(card for turn in chain.from_iterable(turns) for card in turn if card)


def _gathered(past: Iterable[Record]) -> tuple[Card, ...]:
    """The opened cards of these coups in the order of gathering: Player's hand, then Banker's."""
    return tuple(card for one in past for card in (*one.player_cards, *one.banker_cards))


@lru_cache(maxsize=4)
def notes(opened: tuple[Card, ...], before: tuple[Card, ...], shuffle: Shuffle) -> tuple[Note, ...]:
    """A note about the rarest pattern among the opened cards, and how rare it is (PR-4).

    `before` are the cards of the previous Schlitten. There is no note if nothing is rare. For the
    staff.
    """
    return tuple(
        Note(
            phrase(
                "{seen}. Honest shuffles at this table: such a thing once in {years} years.",
                seen=phrase(_SEEN[each.found.kind].text, n=each.found.length),
                years=each.years,
            ),
            "PR-4",
        )
        for each in notices(opened, before, shuffle)[:1]
    )

"""An evening's record from public events: what still counts, what is a ruling, what chances are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any, Final, NamedTuple, TypeVar

from msgspec import Struct

from table_controller.engine.messages import Phrase, phrase
from table_controller.engine.pieces import Figure, Hand, Tone
from table_controller.rules.cards import Card

# ---- Finds the public events that still count, after inputs were taken back

#: A public event in Python's built-in types, as a journal contains it.
Heard = dict[str, Any]


def taken_back(at: int, event: Heard) -> range:
    """The indices of the events that the event at index `at` takes back; mostly none."""
    if event["type"] != "withdrawn" or not event.get("events"):
        return range(0)
    first = at - event["ago"]
    return range(max(first, 0), max(first + event["events"], 0))


def void(events: Iterable[Heard]) -> frozenset[int]:
    """The indices, among all public events in order, of those that were taken back."""
    return frozenset(index for at, event in enumerate(events) for index in taken_back(at, event))


def standing(events: Iterable[Heard]) -> list[Heard]:
    """The public events, in order, without those that were taken back."""
    every = list(events)
    gone = void(every)
    return [event for at, event in enumerate(every) if at not in gone]


# ---- A coup in the evening's record, and the chances of its outcomes

R = TypeVar("R")


class PlayedCoup(Struct, frozen=True, kw_only=True):
    """One coup, or one deal of écarté.

    Attributes:
        number: the coup's number, as the table counts.
        first, last: the indices of the coup's first card and of its end among the events; `last` is
            -1 if the coup was not played to its end.
        winner: the winning hand's name, `tie`, or "" if nobody won.
        sign, tone: the coup's sign and colour in a row of coups.
        figures: sums that can be added up over coups: the stakes, the house's takings (`house`),
            and the like.
        beside: further figures, which make no sense as a sum over coups.
        saw: the coup's outcomes by name: how often each occurred, and how often it could have.
        adds_up: a sentence that says how the sums of such a coup add up, if it has any.
    """

    number: int
    first: int
    last: int
    hands: tuple[Hand, ...]
    winner: str
    sign: str
    tone: Tone = ""
    text: Phrase
    figures: tuple[Figure, ...] = ()
    beside: tuple[Figure, ...] = ()
    saw: Mapping[str, tuple[int, int]] = {}
    adds_up: Phrase | None = None


class Expected(NamedTuple):
    """A possible outcome and its exact chance at each opportunity. `name` is the name in `saw`."""

    name: str
    label: Phrase
    chance: Fraction


class Span(NamedTuple):
    """The indices of a coup's first card and of its end among the events; -1 if it has no end."""

    first: int
    last: int


def spanned(
    heard: Callable[[Iterable[Heard], list[R]], object],
    events: Iterable[Heard],
    over: Callable[[R], bool],
) -> Iterator[tuple[R, Span]]:
    """Yield each coup's row that `heard` makes of the events, with the coup's span.

    `over` says whether the coup of a row has ended.
    """
    every = list(events)
    gone = void(every)
    rows: list[R] = []
    begun: list[int] = []
    ended: dict[int, int] = {}

    def watched() -> Iterator[Heard]:
        for at, event in enumerate(every):
            if at in gone:
                continue
            yield event
            begun.extend([at] * (len(rows) - len(begun)))
            if rows and over(rows[-1]):
                ended.setdefault(len(rows), at)
            else:  # the coup was opened again
                ended.pop(len(rows), None)

    heard(watched(), rows)
    for number, (row, first) in enumerate(zip(rows, begun, strict=True), 1):
        yield row, Span(first, ended.get(number, -1))


_RANKS: Final = (
    phrase("ace"), phrase("two"), phrase("three"), phrase("four"), phrase("five"),
    phrase("six"), phrase("seven"), phrase("eight"), phrase("nine"), phrase("ten"),
    phrase("jack"), phrase("queen"), phrase("king"),
)  # fmt: skip


def ranks() -> Iterator[Expected]:
    """The chance of each rank, if every opened card may be any card of whole packs."""
    for rank, label in enumerate(_RANKS, 1):
        yield Expected(f"rank_{rank}", label, Fraction(1, 13))


def ranks_seen(cards: Iterable[Card | None]) -> dict[str, tuple[int, int]]:
    """How often each rank is among the open cards, and how many of these cards are open."""
    opened = [card.rank for card in cards if card]
    count = Counter[int](opened)
    return {f"rank_{rank}": (count[rank], len(opened)) for rank in range(1, 14)} if opened else {}


def once(**saw: bool) -> dict[str, tuple[int, int]]:
    """For each named outcome: whether it occurred (0 or 1), out of one opportunity."""
    return {name: (int(came), 1) for name, came in saw.items()}


def cards_of(row: Iterable[str | None]) -> tuple[Card | None, ...]:
    """The cards of a row of card codes, with None for a closed card."""
    return tuple(Card(code) if code else None for code in row)


#: The phrase for a coup that was begun, but neither decided nor annulled.
NOT_ENDED: Final = phrase("not played to an end")
#: The phrase for such a coup while it is being played.
IN_PLAY: Final = phrase("in play")


def not_settled(outcome: str) -> Phrase:
    """The phrase that says why nobody won: the coup was annulled, or not played to its end."""
    if outcome.startswith("annulled"):
        return phrase("annulled")
    return NOT_ENDED


# ---- The events that tell of a ruling: a person, or the table, decided otherwise than the cards


class RulingKind(NamedTuple):
    """How people call a kind of ruling, and the event's field that says why ("" if none does)."""

    label: Phrase
    why: str = ""


#: By the event's type.
RULINGS: Final[dict[str, RulingKind]] = {
    "ruling_noted": RulingKind(phrase("a supervisor's ruling"), "reason"),
    "moved": RulingKind(phrase("chips were moved"), "reason"),
    "mishap_ruled": RulingKind(phrase("a mishap was ruled on"), "reason"),
    "card_removed": RulingKind(phrase("a stray card was ruled on"), "ruling"),
    "coup_annulled": RulingKind(phrase("the coup was annulled"), "reason"),
    "deal_annulled": RulingKind(phrase("the deal was annulled"), "rule"),
    "card_corrected": RulingKind(phrase("a reading was corrected")),
    "withdrawn": RulingKind(phrase("an input was taken back"), "said"),
    "misdeal": RulingKind(phrase("a misdeal")),
    "result_changed": RulingKind(phrase("a result was changed")),
    "result_reopened": RulingKind(phrase("a result was reopened")),
    "rule_called": RulingKind(phrase("a matter to be ruled on"), "rule"),
    "schlitten_withdrawn": RulingKind(phrase("the Schlitten was withdrawn")),
    "faux_tirage": RulingKind(phrase("a faux tirage")),
    "claim_failed": RulingKind(phrase("a claimed faux tirage was not one")),
    "revoke_found": RulingKind(phrase("a revoke was found")),
}

"""How an offer is made: an input without what people fill in, and the fields that they fill in.

Knows who is at which place; knows no phase and no rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import to_builtins

from table_controller.engine.chemin_de_fer import state as s
from table_controller.engine.messages import Input, Phrase, phrase
from table_controller.engine.table.felt import balance, player
from table_controller.engine.views import Choice, Field, Offer, Pick, Sum, Text

Offers = tuple[Offer, ...]
#: The least and the most that somebody may put down; None: as the sum beside it says.
Range = tuple[int | None, int | None]

#: More than anybody brings at once, in chips: a finger that slipped is stopped here.
MOST_BROUGHT = 1_000_000
#: Characters of a name, and of a reason.
NAME, REASON = 40, 120

CHIPS = phrase("chips")
SEAT = phrase("seat")


def offer(
    kind: type[Input],
    label: Phrase,
    *fields: Field,
    group: str = "main",
    hold: bool = False,
    **known: Any,
) -> Offers:
    """Offer an input whose other fields are `known`; nothing where a field cannot be filled in."""
    if not all(map(_possible, fields)) or not _apart(fields):
        return ()
    said = {"type": str(kind.__struct_config__.tag), **to_builtins(known)}
    return (Offer(input=said, label=label, group=group, hold=hold, fields=fields),)


def _possible(field: Field) -> bool:
    match field:
        case Sum(least=least, most=most):
            return least <= most
        case Choice(picks=picks):
            return bool(picks)
        case _:
            return True


def _apart(fields: Iterable[Field]) -> bool:
    """Whether every choice can take a value of its own."""
    choices = [field.picks for field in fields if isinstance(field, Choice)]
    return len({pick.value for picks in choices for pick in picks}) >= len(choices)


def amount(least: int, most: int, suggested: int | None = None) -> Sum:
    """A sum of chips between two bounds, to begin with what is suggested."""
    begin = least if suggested is None else min(most, max(least, suggested))
    return Sum(label=CHIPS, least=least, most=most, suggested=begin)


def one_of(
    table: s.Table,
    places: Iterable[int] | Mapping[int, Range],
    name: str = "seat",
    label: Phrase = SEAT,
) -> Choice:
    """One of these places; as a mapping, with what each of them may put down. 0: the cagnotte."""
    ranges = places if isinstance(places, Mapping) else dict.fromkeys(places, (None, None))
    return Choice(
        label=label,
        name=name,
        picks=tuple(
            Pick(value=place, label=_named(table, place), least=least, most=most)
            for place, (least, most) in ranges.items()
        ),
    )


def _named(table: s.Table, place: int) -> Phrase:
    if not place:
        return phrase("cagnotte")
    who = player(table.felt, place)
    if who is None:
        return phrase("{seat}", seat=place)
    return phrase("{seat} {name}", seat=place, name=who.name)


def reason(label: Phrase) -> Text:
    """Why a supervisor decides so, in a few words."""
    return Text(label=label, name="reason", most=REASON)


def holding(table: s.Table, places: Iterable[int], least: int = 1) -> dict[int, Range]:
    """Of these places, those that hold so much at least, and what each of them holds."""
    balances = {place: balance(table.felt, place) for place in places}
    return {place: (None, held) for place, held in balances.items() if held >= least}

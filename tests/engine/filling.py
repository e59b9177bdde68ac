"""Fills in the fields of an offer: any seat, sum, word and reason that it accepts."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, get_args

import msgspec

from table_controller.engine.views import Choice, Offer, Secret, Sum, Text, bounds, ways

Filled = dict[str, str | int | bool | None]


def filled(offer: Offer, luck: random.Random, *, card: str = "7h", modest: bool = False) -> Filled:
    """The offer's input with every field filled in; of a sum often its least or its most.

    Who is `modest` puts down the least.
    """
    said = dict(offer.input)
    picked = luck.choice(list(ways(offer)))
    said |= {name: pick.value for name, pick in picked.items()}
    for field in offer.fields:
        match field:
            case Sum():
                least, most = bounds(field, list(picked.values()))
                sums = (least, most, luck.randint(least, most))
                said[field.name] = least if modest else luck.choice(sums)
            case Text(most=most):
                said[field.name] = luck.choice(("Anna", "x" * most))
            case Choice():
                pass
            case _:
                said[field.name] = card
    return said


def edges(offer: Offer) -> Iterator[tuple[Filled, bool]]:
    """The offer's input with each of its sums at a bound, or one beyond; whether it is in bounds.

    In every way to pick; of an offer with a card to type, or without a sum, there are none.
    """
    sums = [field for field in offer.fields if isinstance(field, Sum)]
    if any(isinstance(field, Secret) for field in offer.fields):
        return
    texts: Filled = {field.name: "Anna" for field in offer.fields if isinstance(field, Text)}
    for picked in ways(offer):
        said = offer.input | texts | {name: pick.value for name, pick in picked.items()}
        found = {field.name: bounds(field, picked.values()) for field in sums}
        for name, (least, most) in found.items():
            others = {other: low for other, (low, _) in found.items()}
            for chips in (least - 1, least, most, most + 1):
                yield {**said, **others, name: chips}, least <= chips <= most


def read(said: Mapping[str, Any], union: Any) -> Any:
    """The input or event that these builtins are; a union itself would be read anew each time."""
    return msgspec.convert(said, by_tag(union)[str(said["type"])])


@cache
def by_tag(union: Any) -> dict[str, type[Any]]:
    """The kinds of a union by their names on the wire."""
    return {str(kind.__struct_config__.tag): kind for kind in get_args(union)}

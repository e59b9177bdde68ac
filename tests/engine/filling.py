"""People who fill in what an offer asks for: any seat, sum, word and reason that it takes."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product

from table_controller.engine.views import Choice, Offer, Pick, Sum, Text, bounds

Filled = dict[str, str | int | bool | None]


def picks(offer: Offer) -> Iterator[dict[str, Pick]]:
    """Every way to pick from its choices, as far as a sum is left."""
    choices = [field for field in offer.fields if isinstance(field, Choice)]
    sums = [field for field in offer.fields if isinstance(field, Sum)]
    for found in product(*(choice.picks for choice in choices)):
        apart = len({pick.value for pick in found}) == len(found)
        if apart and all(least <= most for least, most in (bounds(s, found) for s in sums)):
            yield {choice.name: pick for choice, pick in zip(choices, found, strict=True)}


def filled(offer: Offer, luck: random.Random, *, card: str = "7h", modest: bool = False) -> Filled:
    """The offer's input with every field filled in; of a sum often its least or its most.

    Who is `modest` puts down the least.
    """
    said = dict(offer.input)
    picked = luck.choice(list(picks(offer)))
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

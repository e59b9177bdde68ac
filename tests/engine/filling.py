"""People who fill in what an offer asks for: any seat, sum, word and reason that it takes."""

from __future__ import annotations

import random

from table_controller.engine.views import Choice, Offer, Sum, Text, bounds, ways

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

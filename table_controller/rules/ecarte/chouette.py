"""The giver's side of a chouette: who shares in it, who may play its cards, who may go on with it.

The module knows no card, and no stakes against the chouette.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from table_controller.rules.ecarte.house import House
from table_controller.rules.money import Chips

#: The most parts of a chouette that one player can have: hundredths are possible.
MOST_PARTS: Final = 100


@dataclass(frozen=True, slots=True)
class Share:
    """A player's share of the chouette, as a number of its parts."""

    place: int
    parts: int


@dataclass(frozen=True, slots=True)
class Chouette:
    """A chouette: the player who gives it, and the players who share in it.

    Attributes:
        shares: the share of each of these players, the giver's first.
        hand: the player of them who plays the cards.
    """

    shares: tuple[Share, ...]
    hand: int

    @property
    def giver(self) -> int:
        """The place of the player who gives the chouette."""
        return self.shares[0].place

    @property
    def places(self) -> tuple[int, ...]:
        """The places of everybody on the giver's side, the giver first."""
        return tuple(share.place for share in self.shares)


def given(place: int) -> Chouette:
    """A chouette given by one player alone. Source: E07-4."""
    return Chouette((Share(place, 1),), place)


def shared(chouette: Chouette, parts: Mapping[int, int]) -> Chouette:
    """The chouette with these parts of its players, by place. Source: E07-4, E00-4.

    If the player of the cards no longer has a half, the giver gets the cards. If the giver has no
    half either and another player has one, that player must take over the cards before the partie.
    Raises ValueError unless the giver has a part and every part is positive.
    """
    if chouette.giver not in parts or any(part <= 0 for part in parts.values()):
        raise ValueError("everybody needs a part, and the giver his own")
    others = (place for place in parts if place != chouette.giver)
    shares = tuple(Share(place, parts[place]) for place in (chouette.giver, *others))
    hand = chouette.hand if chouette.hand in parts else chouette.giver
    divided = Chouette(shares, hand)
    return divided if hand in may_play(divided) else Chouette(shares, chouette.giver)


def halves(chouette: Chouette) -> tuple[int, ...]:
    """The players with at least half of the chouette. Source: E07-4, E00-4."""
    whole = sum(share.parts for share in chouette.shares)
    return tuple(share.place for share in chouette.shares if 2 * share.parts >= whole)


def may_play(chouette: Chouette) -> tuple[int, ...]:
    """The players who may play the cards: those with at least a half; if none has, the giver.

    Source: E07-4, E00-4.
    """
    return halves(chouette) or (chouette.giver,)


def partners(chouette: Chouette) -> tuple[int, ...]:
    """The players other than the giver with at least half of the chouette.

    Source: E07-6, E00-53.
    """
    return tuple(place for place in halves(chouette) if place != chouette.giver)


def small(chouette: Chouette) -> tuple[int, ...]:
    """Sharers with less than a half. When they leave, they go to the end of the order.

    Source: E07-4.
    """
    return tuple(place for place in chouette.places[1:] if place not in halves(chouette))


def parted(chouette: Chouette, chips: Chips) -> dict[int, Chips]:
    """A sum won or lost, split by parts, by place. The player of the cards gets the remainder.

    Source: ER-26.
    """
    whole = sum(share.parts for share in chouette.shares)
    each = {share.place: Chips(chips * share.parts // whole) for share in chouette.shares}
    each[chouette.hand] = Chips(each[chouette.hand] + chips - sum(each.values()))
    return each


def successors(
    house: House, chouette: Chouette, order: Sequence[int], willing: Iterable[int]
) -> tuple[int, ...]:
    """The players who may go on with a chouette that its giver gives up.

    If several may, the lot decides. At E07 the partner with a half may, then anybody in `willing`
    (E07-6). At E00 the sharers may, then the players of the other side in their `order` (E00-5). At
    EDE anybody may (EDE-0).
    """
    wanting = set(willing) - {chouette.giver}
    if house.succession == "list":
        ranked = (*chouette.places[1:], *order)
        return tuple(place for place in ranked if place in wanting)[:1]
    if house.succession == "lots":
        first = tuple(place for place in partners(chouette) if place in wanting)
        if first:
            return first[:1]
    return tuple(sorted(wanting))


def left_with(chouette: Chouette) -> tuple[int, ...]:
    """The giver and his partner with a half; the one who played last comes first. Source: E07-6."""
    both = (chouette.giver, *partners(chouette))
    return tuple(sorted(both, key=lambda place: place != chouette.hand))

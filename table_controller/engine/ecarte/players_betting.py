"""How simulated players stake before and after a partie: they pick offers by chance."""

from __future__ import annotations

from typing import Final

from msgspec import convert

from table_controller.engine.ecarte import inputs as i
from table_controller.engine.ecarte import phases as p
from table_controller.engine.ecarte import state as s
from table_controller.engine.ecarte.betting_inputs import BettingInput
from table_controller.engine.ecarte.offers_betting import betting
from table_controller.engine.messages import Input
from table_controller.engine.players import Chance, Temper
from table_controller.engine.table.felt import occupied_from
from table_controller.engine.views import Offer, Sum, bounds, ways

#: Phases in which players handle money, or settle who plays for money.
PHASES: Final = p.PlayersDue | p.Auction | p.StakesDue | p.Succession
#: The weight of each input among the inputs offered.
LIKELY: Final[dict[str, float]] = {
    "two_sides": 2, "gives_chouette": 2, "calls_auction": 2, "lays_bank": 6, "draws": 1,
    "bids_for": 3, "knocked_down": 3, "stakes": 4, "holds_rest": 4, "cuts_stakes": 1,
    "closes_stakes": 3, "lets_in": 6, "stays_out": 1, "partie_held": 6, "renews_bank": 4,
    "takes_share": 0.3, "goes_on": 4, "gives_up": 0.4,
}  # fmt: skip
_SELDOM: Final = 0.1
#: The most least stakes that are staked at a time.
MODEST: Final = 20


def says(table: s.Table, luck: Chance, temper: Temper) -> Input:
    """An input about the next partie's players or stakes.

    One partie in five is played without stakes.
    """
    offered = [offer for offer in betting(table) if offer.group != "mistake" and list(ways(offer))]
    alone = isinstance(table.phase, p.PlayersDue) and luck.random() < 0.2
    if alone or not offered:
        left, right = luck.sample(occupied_from(table.felt, 1), 2)
        return i.Opponents(left=left, right=right)
    return _filled(_one_of(offered, luck), luck, MODEST * table.house.least_stake, temper)


def _one_of(offered: list[Offer], luck: Chance) -> Offer:
    """One of the offers, picked by chance with the weights in `LIKELY`."""
    weights = [LIKELY.get(str(offer.input["type"]), _SELDOM) for offer in offered]
    at = luck.random() * sum(weights)
    for offer, weight in zip(offered, weights, strict=True):
        at -= weight
        if at < 0:
            return offer
    return offered[-1]


def _filled(offer: Offer, luck: Chance, modest: int, temper: Temper) -> Input:
    """The input of the offer, with choices picked by chance and a sum near the least."""
    said, picked = dict(offer.input), luck.choice(list(ways(offer)))
    said |= {name: pick.value for name, pick in picked.items()}
    for field in offer.fields:
        if isinstance(field, Sum):
            least, most = bounds(field, picked.values())
            said[field.name] = temper.stakes(luck, least, min(most, least + modest))
    word: Input = convert(said, BettingInput)
    return word

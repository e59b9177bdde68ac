"""The betting's buttons of écarté: each is taken however it is filled in, and each word has one."""

import random
from typing import get_args

import msgspec
import pytest

from table_controller.engine.ecarte import betting_inputs as b
from table_controller.engine.ecarte import inputs as i
from table_controller.engine.ecarte import phases as p
from table_controller.engine.ecarte.offers_betting import betting
from table_controller.engine.ecarte.state import foremost, total
from table_controller.engine.ecarte.step import step
from tests.engine.ecarte_staking import E00, E07, EDE, over, said, table
from tests.engine.filling import filled

#: Words that a house has no button for, beside those that no house has.
LACKING: dict[str, set[type]] = {
    "e07": {b.LaysBank},
    "e00": {b.LaysBank, b.CallsAuction, b.BidsFor, b.KnockedDown, b.StakesOutside, b.ClosesStakes,
            b.LetsIn, b.StaysOut, b.RaisesBank, b.HalvesBank, b.RenewsBank},
    "ede": {b.TwoSides, b.GivesChouette, b.CallsAuction, b.BidsFor, b.KnockedDown, b.HoldsRest,
            b.CutsStakes, b.StakesOutside, b.ClosesStakes, b.LetsIn, b.StaysOut, b.TakesShare,
            b.HoldsCards, b.HalvesBank, b.GoesOn, b.StakeFound},
}  # fmt: skip


@pytest.mark.parametrize("house", [E07, E00, EDE], ids=lambda house: house.id)
def test_every_offer_is_taken_and_every_word_is_offered(house):
    """E07-60, E07-61, E07-8, E00-58, EDE-0, R-16: no button is refused, none is missing."""
    luck, offered = random.Random(house.id), set()
    for _evening in range(24):
        now = table(house, chips=luck.choice([60, 400]))
        money = total(now)
        for _ in range(40):
            words = [msgspec.convert(filled(each, luck), b.BettingInput) for each in betting(now)]
            offered |= {type(word) for word in words}
            for word in words:
                step(now, word)
            if isinstance(foremost(now), p.PartieOver):
                words = [*words, i.Onward()]
            if not words:
                break
            now, _ = step(now, luck.choice(words))
            assert total(now) == money
            if isinstance(foremost(now), p.CutDue | p.NoSchlitten):
                now = said(over(now, luck.choice([0, 1, 1, None]), held=False))
    assert offered == set(get_args(b.BettingInput)) - LACKING[house.id]

"""The betting buttons of écarté.

Each is accepted however it is filled in, and each input has one.
"""

import random
from typing import get_args

import msgspec
import pytest

from table_controller.engine.ecarte import inputs as i
from table_controller.engine.ecarte import state as p
from table_controller.engine.ecarte.offers import about_stakes
from table_controller.engine.ecarte.state import foremost, total
from table_controller.engine.ecarte.step import step
from table_controller.engine.messages import Refusal
from tests.engine.ecarte_staking import E00, E07, EDE, laid, over, said, table
from tests.engine.filling import edges, filled, read

#: Words that a house has no button for, beside those that no house has.
LACKING: dict[str, set[type]] = {
    "e07": {i.LaysBank},
    "e00": {i.LaysBank, i.CallsAuction, i.BidsFor, i.KnockedDown, i.StakesOutside, i.ClosesStakes,
            i.LetsIn, i.StaysOut, i.RaisesBank, i.HalvesBank, i.RenewsBank},
    "ede": {i.TwoSides, i.GivesChouette, i.CallsAuction, i.BidsFor, i.KnockedDown, i.HoldsRest,
            i.CutsStakes, i.StakesOutside, i.ClosesStakes, i.LetsIn, i.StaysOut, i.TakesShare,
            i.HoldsCards, i.HalvesBank, i.RaisesBank, i.GoesOn, i.StakeFound},
}  # fmt: skip


def rare():
    """What chance seldom leads to: a lost bank, and a partie à deux côtés that is over."""
    bids = i.CallsAuction(), i.BidsFor(seat=1, chips=20), i.KnockedDown(seat=1), laid(2, 20)
    sides = i.TwoSides(left=1, right=2), laid(1, 10, 0), laid(2, 10)
    lost = over(said(table(E07, chips=60), *bids), 0)
    return said(lost, i.Onward()), over(said(table(E07, chips=60), *sides), 0)


@pytest.mark.parametrize("house", [E07, E00, EDE], ids=lambda house: house.id)
def test_every_offer_is_taken_and_every_word_is_offered(house):
    """E07-60, E07-61, E07-8, E00-58, EDE-0, R-16: no button is refused, none is missing."""
    luck, offered = random.Random(house.id), set()
    begun = [table(house, chips=luck.choice([60, 400])) for _ in range(24)]
    for start in (*begun, *(rare() if house is E07 else ())):
        now = start
        money = total(now)
        for _ in range(40):
            words = [
                msgspec.convert(filled(each, luck), i.BettingInput) for each in about_stakes(now)
            ]
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
    assert offered == set(get_args(i.BettingInput)) - LACKING[house.id]


def shared_bank(luck):
    """A bank of which three share, with little beside it: before and after closing, and lost."""
    bank = luck.randint(10, 40)
    now = said(
        table(E07, chips=bank + luck.randint(0, 9)),
        i.CallsAuction(), i.BidsFor(seat=1, chips=bank), i.KnockedDown(seat=1), laid(4, bank),
    )  # fmt: skip
    shares = [i.TakesShare(seat=seat, parts=luck.randint(1, 60)) for seat in (1, 2, 3)]
    for word in (*shares, *(i.HoldsCards(seat=seat) for seat in (1, 2, 3))):
        now = after(now, word) or now
    return now, said(now, i.ClosesStakes()), said(over(now, 0), i.Onward())


def after(now, word):
    """The table after a word, None where it is refused."""
    try:
        return step(now, word)[0]
    except Refusal:
        return None


@pytest.mark.parametrize("seed", range(40))
def test_a_sum_of_a_shared_bank_goes_as_far_as_the_button_and_no_further(seed):
    """ER-26, E07-4, E07-8: parts, what it is raised by and put up with again, by what each has."""
    tried = set()
    for now in shared_bank(random.Random(seed)):
        for offer in about_stakes(now):
            for word, within in edges(offer):
                taken = after(now, read(word, i.BettingInput)) is not None
                assert taken is within, word
                tried.add(word["type"])
    assert {"raises_bank", "renews_bank", "takes_share"} & tried

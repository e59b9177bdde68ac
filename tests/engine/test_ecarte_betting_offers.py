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
from table_controller.engine.messages import AgainstRules
from table_controller.engine.views import Choice, bounds
from tests.engine.ecarte_staking import E00, E07, EDE, over, said, table

#: Words that a house has no button for, beside those that no house has.
LACKING: dict[str, set[type]] = {
    "e07": {b.LaysBank},
    "e00": {b.LaysBank, b.CallsAuction, b.BidsFor, b.KnockedDown, b.StakesOutside, b.ClosesStakes,
            b.LetsIn, b.StaysOut, b.RaisesBank, b.HalvesBank, b.RenewsBank},
    "ede": {b.TwoSides, b.GivesChouette, b.CallsAuction, b.BidsFor, b.KnockedDown, b.HoldsRest,
            b.CutsStakes, b.StakesOutside, b.ClosesStakes, b.LetsIn, b.StaysOut, b.TakesShare,
            b.HoldsCards, b.HalvesBank, b.GoesOn, b.StakeFound},
}  # fmt: skip


def filled(offer, luck):
    """An offer's input with its fields filled in by chance; None where no sum fits the picks."""
    known, picks = dict(offer.input), []
    for field in offer.fields:
        if isinstance(field, Choice):
            free = [pick for pick in field.picks if pick.value not in {x.value for x in picks}]
            picks.append(luck.choice(free or field.picks))
            known[field.name] = picks[-1].value
    for field in offer.fields:
        if not isinstance(field, Choice):
            least, most = bounds(field, picks)
            if least > most:
                return None
            known[field.name] = luck.choice([least, most, luck.randint(least, most)])
    assert offer.takes(known)
    return msgspec.convert(known, b.BettingInput)


@pytest.mark.parametrize("house", [E07, E00, EDE], ids=lambda house: house.id)
def test_every_offer_is_taken_and_every_word_is_offered(house):
    """E07-60, E07-61, E07-8, E00-58, EDE-0, R-16: no button is refused, none is missing."""
    luck, offered = random.Random(house.id), set()
    for _evening in range(40):
        now = table(house, chips=luck.choice([60, 400]))
        money = total(now)
        for _ in range(40):
            offers = betting(now)
            words = [filled(offer, luck) for offer in offers]
            offered |= {type(word) for word in words if word}
            words = [word for word in words if word and acceptable(now, word)]
            if isinstance(foremost(now), p.PartieOver):
                words = [*words, i.Onward()] if payable(now) else words
            if not words:
                break
            now, _ = step(now, luck.choice(words))
            assert total(now) == money
            if isinstance(foremost(now), p.CutDue | p.NoSchlitten):
                now = said(over(now, luck.choice([0, 1, 1, None]), held=False))
    assert offered == set(get_args(b.BettingInput)) - LACKING[house.id]


def acceptable(now, word):
    """A partie is held only when it can be; an odd share may be more than somebody has."""
    if not isinstance(word, b.PartieHeld | b.TakesShare | b.HoldsCards | b.RaisesBank | b.Stakes):
        step(now, word)
        return True
    return taken(now, word)


def payable(now):
    """Whether who owes after a partie has it: else he buys in first."""
    return taken(now, i.Onward())


def taken(now, word):
    try:
        step(now, word)
    except AgainstRules:
        return False
    return True

"""The betting inputs in a script are written as they are read, and every event can be written."""

from typing import get_args

import pytest

from table_controller.engine.ecarte import events as e
from table_controller.engine.ecarte import inputs as b
from table_controller.engine.ecarte.inputs import LINES, PATTERNS
from table_controller.engine.script import Notation
from tests.engine.ecarte_staking import laid
from tests.engine.ecarte_staking_told import SHOWN

NOTATION = Notation(*LINES, patterns=PATTERNS)
WORDS = [
    b.Draws(seat=3, card="7h"), b.Draws(seat=3, card="7h", more=True), b.TwoSides(left=1, right=4),
    b.GivesChouette(seat=1), b.CallsAuction(), b.BidsFor(seat=1, chips=5), b.KnockedDown(seat=1),
    b.LaysBank(seat=1, chips=50), laid(2, 10), laid(2, 10, 0), b.StakesAgain(),
    b.StakeWithdrawn(seat=2), b.Stakes(seat=2, side=1, chips=10, consent=True),
    b.StakeWithdrawn(seat=2, consent=True),
    b.HoldsRest(seat=2), b.CutsStakes(), b.StakesOutside(seat=2, holder=1, chips=5),
    b.StakesOutside(seat=2, holder=3, chips=5, on_giver=True), b.ClosesStakes(),
    b.LetsIn(seat=2, chips=5), b.StaysOut(), b.Renounces(seat=2), b.PartieHeld(),
    b.PartieDeclined(), b.TakesShare(seat=2, parts=0), b.HoldsCards(seat=2), b.RaisesBank(chips=5),
    b.HalvesBank(), b.RenewsBank(chips=5), b.GivesUp(), b.GoesOn(seat=2), b.WillNotGoOn(seat=0),
    b.StakeFound(seat=2, chips=5),
]  # fmt: skip


@pytest.mark.parametrize("word", WORDS, ids=lambda word: type(word).__name__)
def test_a_word_is_read_as_it_is_written(word):
    """Each in one line, and no line is another one's."""
    assert NOTATION.parse(NOTATION.write(word)) == word


def test_every_word_and_every_event_has_its_line():
    """None is silent in a script."""
    assert {type(word) for word in WORDS} == set(get_args(b.BettingInput))
    assert set(SHOWN) == set(get_args(e.BettingEvent))

"""Evenings of écarté's own people: parties come to an end, and every promise is proven."""

import random

import pytest
from msgspec import to_builtins

from table_controller.engine.ecarte import game
from table_controller.engine.ecarte.events import PartieEnded
from table_controller.engine.ecarte.step import step
from table_controller.engine.messages import Audience, CardSeen, Refusal
from table_controller.rules.cards import PACK_32
from table_controller.service.verify import Cards
from tests.engine.ecarte_playing import HOUSES, table


@pytest.mark.parametrize("house", HOUSES, ids=lambda house: house.id)
@pytest.mark.parametrize("faults", [frozenset(), frozenset(game.faults)], ids=["fair", "faulty"])
def test_every_card_is_proven_at_the_partie_s_end(house, faults):
    """ER-20, EDE-1, E00-1, E07-1: closed until then, each opened as it was promised."""
    people, luck = game.people(random.Random(house.id), faults=faults), random.Random(7)
    now, cards, ended, box, public = table(house), Cards(), 0, [], []
    for _ in range(4000):
        said = people.say(now)
        if said is None:
            box = box if now.felt.shoe.out else luck.sample(PACK_32, 32)
            said = CardSeen(card=box.pop())
        try:
            now, told = step(now, said)
        except Refusal:
            continue
        builtins = [to_builtins(event) for event in told if event.audience is Audience.PUBLIC]
        public += builtins
        assert [wrong for wrong in map(cards.hear, builtins) if wrong] == []
        ended += any(isinstance(event, PartieEnded) for event in told)
        if now.partie is None:
            assert cards.opened == cards.promised
    assert ended > 5
    assert game.sums(public) is None

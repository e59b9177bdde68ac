"""Evenings of écarté's simulated people: parties come to an end, and every promise is proven."""

import random
from dataclasses import replace
from itertools import islice

import pytest
from msgspec import to_builtins

from table_controller.commands.simulate import evening, record
from table_controller.engine.ecarte import game
from table_controller.engine.ecarte import inputs as i
from table_controller.engine.ecarte.events import PartieEnded
from table_controller.engine.ecarte.state import begin, total
from table_controller.engine.ecarte.step import step
from table_controller.engine.messages import Audience, CardSeen, Refusal
from table_controller.engine.promises import SecretKey
from table_controller.rules.cards import PACK_32
from table_controller.service.verify import KeptPromises
from table_controller.wiring.config import house
from tests.engine.ecarte_playing import E00, E07, EDE, HOUSES, table


@pytest.mark.parametrize("house", HOUSES, ids=lambda house: house.id)
@pytest.mark.parametrize("faults", [frozenset(), frozenset(game.faults)], ids=["fair", "faulty"])
def test_every_card_is_proven_at_the_partie_s_end(house, faults):
    """ER-20, EDE-1, E00-1, E07-1: closed until then, each opened as it was promised."""
    people, luck = game.players(random.Random(house.id), faults=faults), random.Random(7)
    now, cards, ended, box, public = table(house), KeptPromises(), 0, [], []
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


@pytest.mark.parametrize(
    ("house", "kinds"),
    [
        (E07, {i.TwoSides, i.GivesChouette, i.KnockedDown, i.HoldsRest, i.GoesOn}),
        (E00, {i.TwoSides, i.GivesChouette, i.HoldsRest, i.TakesShare, i.GoesOn}),
        (EDE, {i.LaysBank, i.RenewsBank}),
    ],
    ids=["e07", "e00", "ede"],
)
def test_people_stake_in_every_way_that_their_house_has(house, kinds):
    """E07-3, E07-5, E07-8, E07-60, E07-61, E00-4, E00-58, EDE-0: nothing they say is refused."""
    said, played = set(), 0
    for seed in range(6):
        people, luck = game.players(random.Random(seed), faults=frozenset()), random.Random(seed)
        now, box = begin(house, SecretKey(b"people")), []
        for word in people.arrive(now):
            now, _ = step(now, word)
        money = total(now)
        for _ in range(2500):
            word = people.say(now)
            if word is None:
                box = box if now.felt.shoe.out else luck.sample(PACK_32, 32)
                word = CardSeen(card=box.pop())
            now, told = step(now, word)
            said.add(type(word))
            played += any(isinstance(event, PartieEnded) for event in told)
            assert total(now) == money

    assert kinds | {i.Stakes, i.PartieHeld, i.GivesUp, i.Onward} <= said
    assert played > 50


def test_people_of_a_practice_table_stake_nothing():
    """EDE-19."""
    people = game.players(random.Random(1), faults=frozenset())
    now = table(replace(E07, practice=True))

    assert isinstance(people.say(now), i.Opponents)


def test_a_simulated_evening_deals_a_pack_of_32(tmp_path):
    """E07-1, EDE-1: no card of the lip's twin is foreign to the game's pack."""
    path = tmp_path / "evening.jsonl"
    record(path, house("ecarte-german"), seed=1, coups=5, faults="")

    told = path.read_text()
    assert told.count('"type":"deal_ended"') >= 4
    assert "card_unread" not in told


@pytest.mark.parametrize("name", ["ecarte-nemzeti-1907", "ecarte-undated", "ecarte-german"])
def test_a_card_that_is_named_twice_ends_no_evening(name):
    """ER-22: what lies open elsewhere is played by nobody, and the evening goes on to its end."""
    for seed in (0, 1, 3, 6, 23, 44):
        wrong, key = frozenset({"duplicate"}), SecretKey(b"twice")
        moments = list(islice(evening(house(name), key, seed=seed, coups=30, wrong=wrong), 3000))

        assert moments[-1].progress.coups == 30
        assert not moments[-1].progress.loaded

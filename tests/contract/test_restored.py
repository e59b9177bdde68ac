"""A journal that was put back from a copy, at any table and in any moment (R-54)."""

import random

import pytest

from table_controller.engine.messages import Audience, Restored
from tests.contract import holds, walks
from tests.contract.games import PLAYED

any_game = pytest.mark.parametrize("played", PLAYED, ids=lambda played: played.game.name)


@any_game
@pytest.mark.parametrize("seed", range(2))
def test_the_schlitten_is_withdrawn_in_any_moment(played, seed):
    """R-54: never refused; nothing is revealed, no money is lost, and the table plays on."""
    tried = 0
    for evening in range(seed, seed + 10, 2):  # by whim, some evenings seldom have a Schlitten
        tried += _withdrawn(played, evening)
        if tried > 2:
            return
    raise AssertionError(f"withdrawn {tried} times")


def _withdrawn(played, seed):
    """How often a Schlitten was withdrawn, in moments of one evening."""
    game, luck = played.game, random.Random(seed)
    box, tried = walks.mixed(played, seed, 6), 0
    for step in walks.walk(played, played.begun(seed, 6), luck, box):
        if luck.random() > 0.1:
            continue
        again = walks.taken(game, step.after, Restored(actor="service"))
        assert again.refusal is None, str(again.refusal)
        holds.fair(played, again)
        assert not walks.ordinals(again, "card_opened")
        picture = game.snapshot(again.after, Audience.CROUPIER)
        assert picture.shoe is None or played.game.name == "counting"
        if any(getattr(event, "CHECKPOINT", False) for event in again.told):
            assert game.load(played.begun(seed, 6), game.save(again.after)) == again.after
            tried += 1
        assert not walks.taken(game, again.after, Restored()).told or game.name == "counting"
        later = walks.walk(played, again.after, random.Random(seed), box[:8])
        for _, after in zip(range(8), later, strict=False):
            holds.fair(played, after)
            walks.seen(game, after)
    return tried

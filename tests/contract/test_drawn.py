"""Whatever input a game accepts, every picture can be drawn: offered or not, from any actor."""

from __future__ import annotations

import random
from typing import get_args

import pytest

from table_controller.adapters.web.screens import Renderer
from table_controller.engine.messages import Audience, CardSeen
from table_controller.engine.promises import SecretKey
from table_controller.wiring import config
from tests.contract import walks
from tests.contract.games import PLAYED

PLAYS = {played.game.name: played for played in PLAYED}
RENDERER = Renderer()
TRIES = 60


class Wild:
    """An evening at which people play, and anybody says whatever is taken; mostly, if odd."""

    def __init__(self, house, seed):
        self.house, self.luck = config.house(house), random.Random(seed)
        self.played = PLAYS[self.house.game]
        self.game = self.played.game
        unsaid = self.played.faults | self.played.ends
        self.kinds = [kind for kind in get_args(self.game.inputs) if walks.tag(kind) not in unsaid]
        self.playing = 0.05 if seed % 2 else 0.5
        self.people = self.game.players(self.luck, faults=frozenset(self.game.faults))
        self.boxes = {}

    def steps(self, count):
        state = self.game.begin(self.house, SecretKey(b"script"))
        for said in self.people.arrive(state):
            state = walks.taken(self.game, state, said).after
        for _ in range(count):
            found = (walks.taken(self.game, state, self.word(state)) for _ in range(TRIES))
            step = next((step for step in found if step.refusal is None), None)
            if step is None:
                return
            yield step
            state = step.after

    def word(self, state):
        """What somebody might say: who plays, who presses a button, or anybody anything."""
        what = self.luck.random()
        if what < self.playing:
            return self.people.say(state) or CardSeen(card=self.card(state))
        offered = walks.offers(self.game, state)
        lit = [one for one in offered if one.input["type"] not in self.played.ends]
        if what < self.playing + 0.15 and lit:
            return walks.pressed(self.played, self.luck.choice(lit), self.luck)
        return walks.anything(self.luck.choice(self.kinds), self.luck)

    def card(self, state):
        """The next one of this Schlitten."""
        number = self.people.progress(state).schlitten
        box = self.boxes.setdefault(number, walks.mixed(self.played, number, 6))
        return box.pop() if box else self.luck.choice(self.played.pack)

    def beside(self, state):
        """What else would be taken now, of every kind."""
        for kind in self.kinds * 3:
            step = walks.taken(self.game, state, walks.anything(kind, self.luck))
            if step.refusal is None:
                yield step


def draw(game, state):
    """Every picture of a table; also as a page gets it that reads no cards."""
    staff = game.snapshot(state, Audience.CROUPIER)
    return (
        (Audience.PUBLIC, game.snapshot(state, Audience.PUBLIC)),
        (Audience.CROUPIER, game.by_hand(state, staff, reads=True)),
        (Audience.CROUPIER, game.by_hand(state, staff, reads=False)),
    )


@pytest.mark.parametrize("house", config.houses())
@pytest.mark.parametrize("seed", range(2))
def test_whatever_is_taken_can_be_drawn(house, seed):
    """Also what a broker's client said out of turn, of seats where nobody sits.

    Every picture; and at every moment that asks for other words than those before with all parts
    of a page, and after any other word too.
    """
    evening, known = Wild(house, seed), set()
    for step in evening.steps(80):
        pictures = draw(evening.game, step.after)
        offers = pictures[-1][1].offers
        asked = frozenset(str(one.input["type"]) for one in offers if one.group == "main")
        if asked in known:
            continue
        known.add(asked)
        for who, picture in pictures:
            RENDERER.parts(picture, who)
        for other in evening.beside(step.after):
            draw(evening.game, other.after)

"""A card that is known later goes where it was due when it left, whatever devices say meanwhile."""

from __future__ import annotations

import random
import re
from itertools import islice

import pytest

from table_controller.engine.alerts import is_open
from table_controller.engine.messages import (
    Booted,
    CardNamed,
    CardSeen,
    DeviceBack,
    DeviceLost,
    phrase,
)
from table_controller.engine.seen import Unknown
from table_controller.engine.table import devices as d
from table_controller.engine.table.felt import Unread
from tests.contract import walks
from tests.contract.games import PLAYED

GAMES = [played for played in PLAYED if played.game.name != "counting"]
FULL = {"device": d.DISK_FULL.removeprefix("device-")}
_BOOT = re.compile(r"boot='[^']*'")
#: What devices may say while nobody knows the card yet.
MEANWHILE = (
    d.LidOpened(),
    d.LidClosed(),
    d.PowerFailed(),
    d.PowerBack(),
    DeviceLost(**FULL, why=phrase("There is no room.")),
    DeviceBack(**FULL),
    DeviceLost(device="camera", why=phrase("Plug it in.")),
    DeviceBack(device="camera"),
    Booted(boot="later"),
)


def moments(played, seed):
    """Tables of an evening of whims at which no unread card waits, and the evening's luck."""
    luck = random.Random(seed)
    box = walks.mixed(played, seed, 6)
    state = played.begun(seed, 6)
    for step in islice(walks.walk(played, state, luck, box), 150):
        state = step.after
        for said in luck.choices(MEANWHILE, k=luck.choice((0, 0, 1, 2))):
            state = walks.taken(played.game, state, said).after
        if state.felt.shoe and not waiting(state):
            yield state, luck


def waiting(state):
    """The unread cards that the table waits for."""
    return [stop for stop in state.felt.stops if isinstance(stop, Unread)]


def after(game, state, *said):
    """The table after what nothing refuses."""
    for one in said:
        state, _ = game.step(state, one)
    return state


def where(state):
    """Where each card lies, what waits for a ruling, and how the game stands.

    A card's promise may be of a later start: it is made when somebody knows the card.
    """
    felt = state.felt
    cards = (felt.stops, felt.kept, felt.hidden, felt.coups, felt.shoe)
    return _BOOT.sub("", repr((state.phase, getattr(state, "deal", None), *cards)))


@pytest.mark.parametrize("played", GAMES, ids=lambda played: played.game.name)
@pytest.mark.parametrize("seed", range(4))
def test_it_lies_where_it_would_lie_had_it_been_read_at_once(played, seed):
    """R-51, R-53, R-56: stray or not; and a lid that was lifted over its coup is ruled on."""
    game, tried = played.game, 0
    for state, luck in moments(played, seed):
        card = luck.choice(played.pack)
        at_once = walks.taken(game, state, CardSeen(card=card))
        if at_once.refusal or waiting(at_once.after):
            continue
        tried += 1
        meanwhile = luck.choices(MEANWHILE, k=luck.randint(1, 4))
        unread = after(game, state, CardSeen(unknown=Unknown.NO_READ), *meanwhile)
        shown = after(game, unread, CardSeen(card=card))
        read = after(game, at_once.after, *meanwhile)

        assert where(shown) == where(read), meanwhile
        if is_open(read.felt.alerts, d.LID_STOP):
            assert is_open(shown.felt.alerts, d.LID_STOP), meanwhile
    assert tried > 10


@pytest.mark.parametrize("played", GAMES, ids=lambda played: played.game.name)
@pytest.mark.parametrize("seed", range(4))
def test_an_entry_that_is_due_stays_due(played, seed):
    """R-13, R-51: the second person's is taken, after the ruling where the lid needs one."""
    game, tried = played.game, 0
    for state, luck in moments(played, seed):
        card = luck.choice(played.pack)
        if is_open(state.felt.alerts, d.LID_STOP):
            continue
        unread = walks.taken(game, state, CardSeen(unknown=Unknown.NO_READ))
        if unread.refusal:
            continue
        tried += 1
        waits = after(game, unread.after, CardNamed(card=card, actor="supervisor:anna"))
        waits = after(game, waits, *luck.choices(MEANWHILE, k=luck.randint(1, 4)))
        second = CardNamed(card=card, actor="supervisor:berta")
        no = walks.taken(game, waits, second).refusal
        if no:
            assert (no.why, no.remedy) == (d.OPENED, d.RULE)
            waits = after(game, waits, d.LidRuled(reason="as it was", actor="supervisor"))
        known = after(game, waits, second)

        assert all(stop.reason is Unknown.DUPLICATE for stop in waiting(known))
    assert tried > 10

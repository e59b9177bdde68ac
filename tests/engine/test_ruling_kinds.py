"""The list of rulings: every kind is an event of some game, and its reason a field of it."""

from typing import get_args

import pytest

from table_controller.engine.messages import Audience
from table_controller.engine.table.evening import RULINGS
from tests.every_game import GAMES

EVENTS = {
    str(kind.__struct_config__.tag): kind
    for game in GAMES.values()
    for kind in get_args(game.events)
}
#: Events that give a reason or name who ruled, and are no ruling on the game.
OTHERS = {"card_unread", "person_set", "person_removed", "refused"}


@pytest.mark.parametrize("kind", RULINGS)
def test_every_kind_is_an_event_that_somebody_may_see(kind):
    """A record would never list another one."""
    event, ruling = EVENTS[kind], RULINGS[kind]

    assert event.audience is not Audience.SEALED
    assert not ruling.why or ruling.why in event.__struct_fields__
    assert str(ruling.label)


def test_every_event_with_a_reason_is_a_ruling():
    """Z-27, R-20: whoever rules says why, and a record must not lack it."""
    reasoned = {
        kind for kind, event in EVENTS.items() if {"reason", "by"} & {*event.__struct_fields__}
    }

    assert reasoned - OTHERS <= RULINGS.keys()

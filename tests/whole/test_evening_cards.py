"""An evening's number of cards: what left the Schlitten, whatever was mended afterwards."""

from __future__ import annotations

import random
from collections import Counter
from contextlib import closing
from typing import Any, NamedTuple

import pytest

from table_controller.commands.players import FAULTS
from table_controller.engine.messages import Event, Input, Refusal
from table_controller.engine.promises import SecretKey
from table_controller.engine.table.events import CardIdentified
from table_controller.engine.table.inputs import Corrects
from table_controller.service.archive import Archive
from table_controller.service.evenings import Evenings
from table_controller.wiring import config, games
from tests.whole import past
from tests.whole.past import A_DAY, HOUSES

#: What makes an event of a card that does not leave the Schlitten then.
MENDED = {"card_corrected", "card_unread", "card_removed"}


class Mended(NamedTuple):
    """An input of an evening, its events, and the table after it."""

    said: tuple[int, Input]
    events: tuple[Event, ...]
    table: Any


@pytest.fixture(scope="module")
def mended():
    """An evening of each house in which cards were unread, astray and corrected; made once."""
    made = {}

    def of(house):
        if house not in made:
            made[house] = [*corrected(config.house(house))]
        return made[house]

    return of


def corrected(house):
    """An evening with every fault, in which a supervisor looks at many cards again."""
    door = games.game(house.game)
    faults = ",".join(sorted(FAULTS.keys() | door.faults.keys()))
    table, luck = door.begin(house, SecretKey(b"s" * 32)), random.Random(3)
    for t_ms, said in past.played(house, seed=11, coups=50, faults=faults).said:
        table, told = stepped(door, table, said)
        yield Mended((t_ms, said), told, table)
        read = [event for event in told if isinstance(event, CardIdentified)]
        for one in read if luck.random() < 0.2 else ():
            again = Corrects(ordinal=one.ordinal, card=one.card, reason="looked at again")
            table, told = stepped(door, table, again)
            yield Mended((t_ms, again), told, table)


def stepped(door, table, said):
    """The table after an input, and its events; unchanged if the input was refused."""
    try:
        return door.step(table, said)
    except Refusal:
        return table, ()


def written(path, house, some):
    """The journal at `path` after these inputs too."""
    return past.kept(path, config.house(house), [one.said for one in some])


def by_the_count(moments):
    """The number of cards that are out, by the counts of all Schlittens."""
    out = Counter()
    for moment in moments:
        felt = moment.table.felt
        if felt.shoe is not None:
            out[felt.number] = felt.shoe.out
    return sum(out.values())


def kinds(moment):
    """The types of the events of this moment."""
    return {event.__struct_config__.tag for event in moment.events}


@pytest.mark.parametrize("house", HOUSES)
def test_the_evening_counts_the_cards_that_left(mended, tmp_path, house):
    """R-6, R-19, R-20: a corrected card is one card; an unread card is a card, once."""
    played = mended(house)

    journal = written(tmp_path / "mended.db", house, played)

    assert set().union(*map(kinds, played)) >= MENDED
    (evening,) = journal.evenings()
    assert evening.cards == by_the_count(played)
    assert journal.record(1).reading.drawn == evening.cards


@pytest.mark.parametrize("house", HOUSES)
def test_the_count_is_right_after_every_mend(mended, tmp_path, house):
    """Somebody who looks during the evening sees as many cards as the table has counted out."""
    played = mended(house)
    first = next(at for at, one in enumerate(played, 1) if "card_drawn" in kinds(one))
    mended_at = (at for at, one in enumerate(played, 1) if at > first and kinds(one) & MENDED)
    mends = [*mended_at][::4]
    path, done, found = tmp_path / "grown.db", 0, Evenings()
    wrong = []

    for at in mends:
        written(path, house, played[done:at])
        done = at
        with closing(Archive.read(path)) as archive:
            counted = sum(evening.cards for evening in found.find(archive))
        if counted != by_the_count(played[:at]):
            wrong.append((at, kinds(played[at - 1]), counted, by_the_count(played[:at])))

    assert wrong == []


def test_each_evening_has_its_own_cards(mended, tmp_path):
    """A Schlitten stays at the table over night, and its first passage of the day is unread."""
    played = mended("punto-banco")
    half = next(at for at, one in enumerate(played) if at > 60 and "card_unread" in kinds(one))
    later = [one._replace(said=(one.said[0] + A_DAY, one.said[1])) for one in played[half:]]

    first, second = written(tmp_path / "two.db", "punto-banco", [*played[:half], *later]).evenings()

    before = by_the_count(played[:half])
    assert (first.cards, second.cards) == (before, by_the_count(played) - before)

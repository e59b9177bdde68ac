"""A press counts once, even if it is sent again after a kill, or on two screens."""

from __future__ import annotations

import asyncio
from collections import Counter

import httpx
import pytest

from table_controller.engine.messages import Audience
from table_controller.wiring.app import Service
from tests.limits import LONG_S
from tests.whole import pressing
from tests.whole.plans import paged

BEGUN = ("seat 1 sits 100 Anna", "seat 2 sits 100 Berta")
TIP = {"type": "tips", "seat": 1, "chips": 5}


@pytest.mark.timeout(LONG_S)
def test_presses_are_booked_once_though_the_table_is_killed(tmp_path):
    """Before the commit, after it, and before whoever pressed hears of it."""
    left = pressing.play(tmp_path, presses=40, seed=5)

    assert left.booked == Counter(range(1, 41))
    assert left.answers == {press: {True} for press in range(40)}
    assert all(left.deaths[point] for point in pressing.POINTS)


def tell(folder, story):
    """A table with its page, and somebody who presses there."""

    async def work():
        async with Service(paged(folder)) as service:
            for line in BEGUN:
                await service.table.ask(service.game.read(line))
            async with httpx.AsyncClient(base_url=service.url) as client:
                return await story(service, client)

    return asyncio.run(work())


async def press(service, client, words, name, seen):
    prompt = service.hub.snapshot(Audience.CROUPIER).prompt.id
    said = {"prompt": prompt, **words, "press": name, "seen": seen}
    answer = await client.post("/say", json=said, headers={"Origin": service.url})
    return answer.json()


def test_a_press_said_again_gets_its_answer_and_is_done_once(tmp_path):
    async def story(service, client):
        seen = service.hub.turn
        first = await press(service, client, TIP, "aaaaaaaa", seen)
        again = await press(service, client, TIP, "aaaaaaaa", seen)
        return first, again, service.game.money(service.table.state)

    first, again, money = tell(tmp_path, story)

    assert first == again
    assert first["ok"]
    assert 95 in money.values()


def test_a_refusal_said_again_is_the_same_refusal(tmp_path):
    """Also where the table would take it by now."""

    async def story(service, client):
        seen = service.hub.turn
        old = {"prompt": service.hub.snapshot(Audience.CROUPIER).prompt.id - 1}
        first = await press(service, client, {**TIP, **old}, "aaaaaaaa", seen)
        again = await press(service, client, TIP, "aaaaaaaa", seen)
        return first, again

    first, again = tell(tmp_path, story)

    assert not first["ok"]
    assert (first["why"], first["remedy"]) == (again["why"], again["remedy"])


def test_two_screens_that_say_the_same_at_once_say_it_once(tmp_path):
    """Two people heard one tip. Who sees it there and presses means a second one."""

    async def story(service, client):
        seen = service.hub.turn
        both = await asyncio.gather(
            press(service, client, TIP, "aaaaaaaa", seen),
            press(service, client, TIP, "bbbbbbbb", seen),
        )
        other = await press(service, client, {**TIP, "chips": 6}, "cccccccc", seen)
        again = await press(service, client, TIP, "dddddddd", both[1]["seen"])
        return both, other, again, service.game.money(service.table.state)

    both, other, again, money = tell(tmp_path, story)

    assert sorted(one["ok"] for one in both) == [False, True]
    refused = next(one for one in both if not one["ok"])
    assert refused["why"] == "The same was said on another screen just now."
    assert other["ok"]
    assert again["ok"]
    assert 100 - 5 - 6 - 5 in money.values()

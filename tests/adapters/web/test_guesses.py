"""Wrong names and PINs. All get the same answer, and longer and longer waits."""

from __future__ import annotations

import asyncio

import pytest

from table_controller.adapters.web import gate
from table_controller.engine.table.persons import SignInRefused
from tests.adapters.web.door import FAR, PINS, run
from tests.limits import PATIENCE_S
from tests.signing import sign_in


@pytest.mark.parametrize("name", ["Béla", "Zita", "Gast", ""])
def test_a_wrong_pin_an_unknown_name_and_a_guest_are_one_answer(name):
    """Nobody learns who is of the house; and a PIN is tried for each, which takes its time."""

    async def story(door, client):
        answer = await sign_in(client, name, "000000")
        return answer.status_code, answer.json(), answer.headers.get("set-cookie"), door.tried

    status, told, cookie, tried = run(story)

    assert status == 401
    assert told["why"].startswith("No person here has this name and this PIN.")
    assert cookie is None
    assert tried == ["000000"]


def test_a_guest_does_not_sign_in_with_his_pin_either():
    assert run(lambda _door, client: sign_in(client, "Gast", "111222")).status_code == 401


def test_a_refused_sign_in_is_noted_with_a_name_of_the_house_only():
    """What a stranger types may be anything, a PIN in the wrong field too."""

    async def story(door, client):
        for name in ("béla ", "482913"):
            await sign_in(client, name, "000000")
        return door.noted

    assert run(story) == [
        SignInRefused(actor="page", name="Béla"),
        SignInRefused(actor="page", name=""),
    ]


def test_guessing_a_pin_takes_longer_and_longer():
    """Three are free, then 5, 10, 20 … 300 s; the wait is told, and no PIN is tried meanwhile."""

    async def story(door, client):
        waits = []
        for guess in range(11):
            told = (await sign_in(client, "Béla", f"{guess:06}")).json()
            waits.append(told["wait_s"])
            early = (await sign_in(client, "Béla", PINS["Béla"])).json() if told["wait_s"] else None
            assert early is None or (
                early["why"].startswith("Too many wrong PINs."),
                early["ok"],
            ) == (True, False)
            door.now += told["wait_s"]
        return waits, len(door.tried)

    assert run(story) == ([0, 0, 5, 10, 20, 40, 80, 160, 300, 300, 300], 11)


def test_ten_thousand_guesses_in_a_night_cannot_be_made():
    """In twelve hours at most 160 of a million are heard, whoever sends them."""

    async def story(door, client):
        end = door.now + 12 * 3600
        while door.now < end:
            told = (await sign_in(client, "Anna", "000000")).json()
            door.now += max(told["wait_s"], 0.01)
        return len(door.tried)

    assert run(story) <= 160


def test_many_guesses_at_once_are_heard_one_after_the_other():
    async def story(door, client):
        answers = await asyncio.gather(*[sign_in(client, "Béla", f"{n:06}") for n in range(50)])
        return len(door.tried), sorted({answer.status_code for answer in answers})

    assert run(story) == (3, [401, 429])


def test_who_guesses_too_early_is_told_so_a_second_later():
    """So 180 connections with made-up names cost the page 180 answers a second, and no more."""

    async def story(door, client):
        answers = [await sign_in(client, "Béla", f"{n:06}") for n in range(5)]
        return [answer.status_code for answer in answers], door.held

    assert run(story) == ([401, 401, 429, 429, 429], 2.0)


def test_who_guesses_over_the_network_keeps_nobody_out_at_the_table():
    async def story(door, client):
        async with door.client(FAR) as far:
            for guess in range(4):
                await sign_in(far, "Béla", f"{guess:06}")
            far_now = (await sign_in(far, "Béla", PINS["Béla"])).status_code
        return far_now, (await sign_in(client, "Béla", PINS["Béla"])).status_code

    assert run(story) == (429, 200)


def test_the_right_pin_makes_the_guesses_before_it_forgotten():
    async def story(_door, client):
        pins = ("000000", "000001", PINS["Béla"], "000000", "000001")
        return [(await sign_in(client, "Béla", pin)).json().get("wait_s") for pin in pins]

    assert run(story) == [0, 0, None, 0, 0]


@pytest.mark.parametrize("name", ["Béla", "Zita", "482913"])
def test_a_name_of_the_house_waits_as_one_that_nobody_has(name):
    """Four guesses at each of them look alike, whatever was guessed at another before."""

    async def story(_door, client):
        for other in ("Anna", "Otto", "Otto", "Otto"):
            await sign_in(client, other, "000000")
        answers = [await sign_in(client, name, "000000") for _ in range(4)]
        return [(answer.status_code, answer.json()["wait_s"]) for answer in answers]

    assert run(story) == [(401, 0), (401, 0), (429, 5), (429, 5)]


def test_a_stranger_who_guesses_all_night_keeps_nobody_out_elsewhere():
    """At another address of the network the right PIN opens, whenever she comes."""

    async def story(door, _client):
        let_in = []
        async with door.client(FAR, "192.168.1.66") as stranger:
            for _ in range(76):
                told = (await sign_in(stranger, "Anna", "000000")).json()
                async with door.client(FAR, "192.168.1.20") as anna:
                    let_in.append((await sign_in(anna, "Anna", PINS["Anna"])).status_code)
                door.now += told["wait_s"]
        return set(let_in)

    assert run(story) == {200}


@pytest.mark.parametrize(
    ("one", "other", "status"),
    [
        ("2001:db8::1", "2001:db8::ffff:2", 429),
        ("2001:db8::1", "2001:db8:0:1::1", 200),
        ("::ffff:192.168.1.66", "::ffff:192.168.1.20", 200),
    ],
)
def test_a_network_of_ipv6_is_one_address(one, other, status):
    """Whoever has one of its addresses has all 2^64 of them."""

    async def story(door, _client):
        async with door.client(FAR, one) as stranger, door.client(FAR, other) as anna:
            for _ in range(3):
                await sign_in(stranger, "Anna", "000000")
            return (await sign_in(anna, "Anna", PINS["Anna"])).status_code

    assert run(story) == status


def test_counts_are_bounded_and_who_guessed_most_is_not_forgotten(monkeypatch):
    """A thousand invented names do not make the guesses at Anna's PIN forgotten."""
    monkeypatch.setattr(gate, "MOST_COUNTED", 3)

    async def story(door, client):
        for _ in range(3):
            await sign_in(client, "Anna", "000000")
        for number in range(20):
            async with door.client(FAR, f"192.168.1.{number + 10}") as stranger:
                await sign_in(stranger, f"nobody {number}", "000000")
        return (await sign_in(client, "Anna", "000000")).status_code

    assert run(story) == 429


def test_invented_names_make_their_own_address_wait_and_nobody_else():
    """Twelve a time are heard from one address, then the waits grow as for one name."""

    async def story(door, _client):
        waits = []
        async with door.client(FAR, "192.168.1.66") as stranger:
            for number in range(15):
                told = (await sign_in(stranger, f"nobody {number}", "000000")).json()
                waits.append(told["wait_s"])
                door.now += told["wait_s"]
            async with door.client(FAR, "192.168.1.20") as anna:
                await sign_in(stranger, "nobody", "000000")
                let_in = (await sign_in(anna, "Anna", PINS["Anna"])).status_code
            refused = (await sign_in(stranger, "Anna", PINS["Anna"])).status_code
        return waits, let_in, refused

    assert run(story) == ([0] * 11 + [5, 10, 20, 40], 200, 429)


@pytest.mark.parametrize(
    ("address", "waits"), [("192.168.1.20", False), ("192.168.1.21", True)], ids=["used", "new"]
)
def test_the_pin_of_an_address_in_use_waits_for_no_strangers_pin(address, waits):
    """Whether the name is known makes no difference, so the time tells nothing about it."""

    async def story(door, _client):
        async with door.client(FAR, "192.168.1.20") as anna:
            await sign_in(anna, "Anna", PINS["Anna"])
        checked, go_on = [], asyncio.Event()

        async def matches(pin, _proof):
            checked.append(pin)
            if pin == "000000":
                await go_on.wait()
            return False

        door.gate._matches = matches
        async with door.client(FAR, "192.168.1.66") as stranger, door.client(FAR, address) as one:
            async with asyncio.timeout(PATIENCE_S):
                under_way = asyncio.create_task(sign_in(stranger, "nobody", "000000"))
                while not checked:
                    await asyncio.sleep(0)
                for name in ("Béla", "Zita"):
                    asking = asyncio.create_task(sign_in(one, name, "111119"))
                    for _ in range(100):
                        await asyncio.sleep(0)
                    assert asking.done() != waits
                    if waits:
                        asking.cancel()
                go_on.set()
                await under_way

    run(story)

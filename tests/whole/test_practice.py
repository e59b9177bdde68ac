"""The table to practise at: cards when they are due, and a fault for each word."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from table_controller.commands import demo
from table_controller.commands.practice import Practice, run_practice
from table_controller.engine.messages import CardSeen
from table_controller.rules.cards import Card
from table_controller.wiring import config
from table_controller.wiring.app import Service
from table_controller.wiring.shoe.pacing import awaits_card
from tests.whole.lips import until

HOUSE = config.house("zoppot-1934")
UNTIL_CARDS = (
    "schlitten practice", "seat 1 sits 100 Anna", "seat 2 sits 100 Berta", "seat 1 banks 10",
    "seat 2 banco solo",
)  # fmt: skip


def alerts(service):
    return {alert.id for alert in service.game.alerts(service.table.state)}


async def practised(tmp_path, acts):
    """Do `acts` with a practice whose cards are 9h, 8s, 7d, 6c, and return what it said."""
    said, cards = [], ["9h", "8s", "7d", "6c"]
    made = demo.plan(tmp_path, HOUSE, said.append, page_port=0, broker_port=0)
    made = replace(made, page=None, broker=None, accounts=(), address=None)

    def draw():
        return CardSeen(actor="lip", card=Card(cards.pop(0)), copy=1)

    async with Service(made) as service:
        await until(lambda: service.board.status.connected)
        practice = Practice(service, draw, said.append)
        service.table.listen(practice)
        dealing = asyncio.create_task(practice.deal())
        try:
            await acts(service, practice)
        finally:
            dealing.cancel()
    return said


@pytest.mark.parametrize(
    ("word", "alert"), [("lid", "lid"), ("camera", "device-camera"), ("board", "device-board")]
)
def test_the_word_makes_the_alert_and_ends_it(word, alert, tmp_path):
    async def acts(service, practice):
        practice.hear(word)
        await until(lambda: alert in alerts(service))
        practice.hear(f" {word.upper()} ")
        await until(lambda: alert not in alerts(service))

    asyncio.run(practised(tmp_path, acts))


def test_an_unread_card_is_shown_again_when_somebody_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr(demo, "CARD_S", 0.0)

    async def acts(service, practice):
        practice.hear("unread")
        for line in UNTIL_CARDS:
            await service.table.ask(service.game.read(line))
        await until(lambda: service.table.now.asks_again)
        practice.hear("again")
        await until(lambda: not service.table.now.asks_again)

    said = asyncio.run(practised(tmp_path, acts))
    assert any("This card was not read: 9h." in line for line in said)


def test_the_terminal_names_each_closed_card_to_who_speaks_for_the_players(tmp_path, monkeypatch):
    """The page shows closed cards to nobody, and nobody else sits at the table."""
    monkeypatch.setattr(demo, "CARD_S", 0.0)

    async def acts(service, _practice):
        for line in UNTIL_CARDS:
            await service.table.ask(service.game.read(line))
        await until(lambda: not awaits_card(service.table.now))

    said = asyncio.run(practised(tmp_path, acts))
    assert [line for line in said if " got " in line][:2] == ["Seat 2 got 9h.", "Seat 1 got 8s."]


def test_a_card_that_nobody_asked_for_is_a_stray(tmp_path):
    async def acts(service, practice):
        await service.table.ask(service.game.read("schlitten practice"))
        practice.hear("stray")
        await until(lambda: "stray" in " ".join(alerts(service)))

    asyncio.run(practised(tmp_path, acts))


def test_an_unknown_word_names_the_known(tmp_path):
    async def acts(_service, practice):
        practice.hear("fire")
        practice.hear("again")

    said = asyncio.run(practised(tmp_path, acts))
    assert said[-2].startswith("'fire' is no fault. Type one of: lid, board, unread,")
    assert said[-1] == "The table does not ask to see a card again."


def test_by_hand_nothing_is_dealt_and_the_page_names_the_practice(tmp_path):
    said = []

    async def some_time():
        work = run_practice(tmp_path, HOUSE, page_port=0, seed=1, by_hand=True, say=said.append)
        practice = asyncio.create_task(work)
        await until(lambda: len(said) == 2)
        practice.cancel()

    asyncio.run(some_time())
    assert "Type each card on the page." in said[0]
    assert "unread" not in said[0]
    assert "croupier's page  http://127.0.0.1:" in said[1]

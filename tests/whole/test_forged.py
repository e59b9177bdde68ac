"""Inputs that are forged at the page of a served table."""

from __future__ import annotations

import asyncio

import httpx

from table_controller.wiring.app import Service
from tests.whole.plans import paged

BEGUN = ("seat 1 sits 100 Anna", "seat 2 sits 100 Berta", "schlitten blue", "seat 1 banks 10")


def test_a_card_is_not_said_for_the_prompt_to_come(tmp_path):
    """R-13: sent together with the press that leads to it, it reaches no table, nor its journal."""

    async def pressed():
        async with Service(paged(tmp_path)) as service:
            for line in BEGUN:
                await service.table.ask(service.game.read(line))
            now = service.table.state.prompt
            banco = {"type": "banco", "seat": 2, "prompt": now}
            forged = {"type": "card_seen", "card": "9h", "prompt": now + 1}
            async with httpx.AsyncClient(base_url=service.url) as client:
                sent = (
                    client.post("/say", json=said, headers={"Origin": service.url})
                    for said in (banco, forged)
                )
                told = await asyncio.gather(*sent)
            archive = service.journal.archive
            words = [archive.body(row) for row in archive.inputs()]
            return [one.json()["ok"] for one in told], service.table.state, words

    ok, state, words = asyncio.run(pressed())

    assert ok == [True, False]
    assert state.felt.shoe.left == 312
    assert not any(b"card_seen" in word for word in words)

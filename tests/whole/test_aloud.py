"""The voice at a served table: off unless chosen, and never waited for."""

from __future__ import annotations

import asyncio
import os
from dataclasses import replace

import pytest

from table_controller.engine.messages import Audience
from table_controller.wiring.app import Service
from table_controller.wiring.config import VoiceSettings
from tests.engine import script
from tests.limits import PATIENCE_S
from tests.whole.plans import paged

SAID = ("seat 1 sits 100 Anna", "seat 2 sits 100 Berta", "schlitten blue", "seat 1 banks 10")


@pytest.fixture
def stuck(tmp_path, monkeypatch):
    """An espeak-ng that never ends; the file that it makes when it begins."""
    begun = tmp_path / "begun"
    program = tmp_path / "bin/espeak-ng"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\ntouch {begun}\nexec tail -f /dev/null\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    return begun


async def told(folder, settings, begun):
    """Play with this voice until it is asked to speak, if it ever is; who has how much then."""
    async with Service(replace(paged(folder), page=None, voice=settings)) as service:
        for line in SAID:
            async with asyncio.timeout(PATIENCE_S):
                await service.table.ask(script.parse(line))
        async with asyncio.timeout(PATIENCE_S):
            while settings.engine != "none" and not begun.exists():
                await asyncio.sleep(0.01)
        for chips in range(1, 6):  # while it speaks
            async with asyncio.timeout(PATIENCE_S):
                await service.table.ask(script.parse(f"seat 2 tips {chips}"))
        return service.hub.snapshot(Audience.CROUPIER).people


def test_a_voice_that_hangs_delays_no_input(tmp_path, stuck):
    """Five tips are taken while it says one sentence without end; then the table stops as well."""
    spoken = asyncio.run(told(tmp_path, VoiceSettings(engine="espeak-ng"), stuck))

    assert stuck.exists()
    assert {person.seat: person.balance for person in spoken} == {1: 90, 2: 85}


def test_no_voice_is_heard_unless_it_was_chosen(tmp_path, stuck):
    """By default nothing is even started."""
    asyncio.run(told(tmp_path, VoiceSettings(), stuck))

    assert not stuck.exists()

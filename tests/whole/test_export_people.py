"""A recording for a bug report contains no name from the list of people, and no proof of theirs."""

from __future__ import annotations

import asyncio
from pathlib import Path

from msgspec.structs import replace

from table_controller.adapters.mosquitto import proof
from table_controller.commands.live import play
from table_controller.engine.messages import Role
from table_controller.engine.table.persons import AccountAdded, PersonAdded, SignedIn, SignInRefused
from table_controller.service import pins
from table_controller.service.archive import Archive
from table_controller.service.recording import export
from table_controller.service.verify import verify
from table_controller.wiring.app import Service
from table_controller.wiring.games import game
from tests.engine import script
from tests.whole.plans import paged

EVENING = """
seat 1 sits 100 Anna
seat 2 sits 100 Bela
"""


def exported(folder: Path, *, people: bool) -> Path:
    """An evening with people of all kinds, one of whom may not say what he says."""
    plan = paged(folder)

    async def work():
        async with Service(plan) as service:
            ask = service.table.ask
            for name, role, pin in (
                ("Erna", Role.SUPERVISOR, "482913"),
                ("Otto", Role.CROUPIER, "771204"),
            ):
                secret = pins.proof(pin, plan.keys)
                await ask(PersonAdded(actor="console", name=name, role=role, proof=secret))
            account = {"name": "Erna", "account": "erna-tablet", "proof": proof("x" * 32)}
            await ask(AccountAdded(actor="console", **account))
            await ask(SignedIn(actor="supervisor:Erna"))
            await ask(SignInRefused(actor="page", name="Otto"))
            for line in EVENING.strip().splitlines():
                for actor in ("croupier:Otto", "technician:Erna"):  # she has another role here
                    await ask(replace(script.parse(line), actor=actor))

    asyncio.run(work())
    recording = folder / "evening.jsonl"
    archive = Archive.read(plan.journal, plan.keys)
    try:
        export(archive, game("chemin-de-fer"), recording, everything=True, people=people)
    finally:
        archive.close()
    return recording


def test_people_are_left_out_and_verify_says_so(tmp_path):
    """Its replay tells the same, since a table without people refuses nothing for a role."""
    recording = exported(tmp_path, people=False)
    text = recording.read_text()

    for word in ("argon2", "$7$", "person_", "account_", "sign", "Erna", "482913"):
        assert word not in text, word
    assert text.count('"chips":100') >= 2
    assert play(recording, speed=0, expect=None, told=None).difference == ""
    verdict = verify(recording)
    assert verdict.holds
    assert str(verdict).endswith(
        "The list of people is not in it, nor who signed in, nor what was refused for somebody's "
        "role."
    )


def test_people_are_in_it_where_they_are_asked_for(tmp_path):
    recording = exported(tmp_path, people=True)

    assert recording.read_text().count("argon2") == 2
    assert "person_added" in recording.read_text()
    assert play(recording, speed=0, expect=None, told=None).difference == ""
    assert "people" not in str(verify(recording))

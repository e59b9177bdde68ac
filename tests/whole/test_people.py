"""People with roles at a whole table: the console, the page, the journal, a restart."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from contextlib import closing

import httpx
import msgspec
import pytest
from typer.testing import CliRunner

from table_controller.adapters.mqtt_names import TableId
from table_controller.commands.cli import app
from table_controller.engine.messages import Audience, Role
from table_controller.service.archive import Archive
from table_controller.service.sealing import load_keys, make_key
from table_controller.wiring import people
from table_controller.wiring.app import Service
from table_controller.wiring.config import PageSettings, house
from table_controller.wiring.plan import Plan
from tests.limits import PATIENCE_S
from tests.signing import STAFF, added, own, sign_in

SETTINGS = """
[journal]
path = "{0}/table.db"
key = "{0}/table.key"
[broker]
kind = "none"
[page]
port = 0
"""


@pytest.fixture
def folder(tmp_path):
    make_key(tmp_path / "table.key")
    (tmp_path / "table.toml").write_text(SETTINGS.format(tmp_path))
    return tmp_path


def planned(folder, page=None, name="zoppot-1934"):
    return Plan(
        table=TableId("house", "table-1"),
        house=house(name),
        keys=load_keys(folder / "table.key", {}),
        journal=folder / "table.db",
        page=page or PageSettings(port=0),
    )


def run(folder, story, page=None, name="zoppot-1934"):
    """Serve the table of this folder, and tell a story with somebody before its page."""

    async def work():
        async with Service(planned(folder, page, name)) as service:
            for said in added(service.plan.keys) if not service.accounts else ():
                await service.table.ask(said)
            async with httpx.AsyncClient(base_url=service.url or "http://none") as client:
                return await story(service, client)

    return asyncio.run(work())


def console(folder, *words, pin=""):
    return CliRunner().invoke(
        app, ["people", *words, "--config", str(folder / "table.toml")], input=f"{pin}\n"
    )


async def say(client, words, prompt):
    answer = await client.post(
        "/say", json={**words, "prompt": prompt}, headers={"Origin": own(client)}
    )
    return answer.json()


SITS = {"type": "sits", "seat": 3, "name": "Dora", "chips": 100}
RULES = {"type": "ruled", "reason": "the light went out"}


@pytest.mark.parametrize("name", ["zoppot-1934", "punto-banco", "ecarte-german"])
def test_a_croupier_and_a_supervisor_press_what_is_theirs(folder, name):
    """In their names, as the journal has them; what is not theirs is refused in words."""

    async def story(service, client):
        told = {}
        for who in ("Béla", "Anna"):
            await sign_in(client, who)
            prompt = service.game.prompt(service.table.state)
            told[who] = await say(client, RULES, prompt), await say(client, SITS, prompt)
        return told

    told = run(folder, story, name=name)

    assert [answer["ok"] for answer in told["Béla"]] == [False, True]
    assert told["Béla"][0]["why"] == "This needs another role: supervisor."
    assert told["Anna"][0]["ok"]
    with journal(folder) as archive:
        rulings = [row.body for row in archive.inputs() if row.body and b'"ruled"' in row.body]
    assert [b'"actor":"croupier:B\xc3\xa9la"' in rulings[0],
            b'"actor":"supervisor:Anna"' in rulings[1]] == [True, True]  # fmt: skip


def journal(folder):
    """The journal of a folder, to read."""
    return closing(Archive.read(folder / "table.db", load_keys(folder / "table.key", {})))


def test_every_sign_in_is_journaled_and_told_to_the_staff(folder):
    """Taken or refused; the public learns nothing of it."""

    async def story(_service, client):
        await sign_in(client, "Anna", "000000")
        await sign_in(client, "Anna")
        await sign_in(client, "nobody", "111222")

    run(folder, story)

    with journal(folder) as archive:
        told = [(row.audience, archive.body(row)) for row in archive.events()]
    noted = [(who, body) for who, body in told if b"sign_in" in body]
    assert noted == [
        ("croupier", b'{"type":"sign_in_noted","name":"Anna","taken":false}'),
        ("croupier", b'{"type":"sign_in_noted","name":"Anna","taken":true}'),
        ("croupier", b'{"type":"sign_in_noted","name":"","taken":false}'),
    ]


def test_no_pin_is_in_the_journal_nor_anything_to_try_it_by(folder, capfd):
    """Neither in its files nor in the log; the proofs are sealed."""

    async def story(_service, client):
        for who in STAFF:
            await sign_in(client, who)
            await sign_in(client, who, STAFF[who][1][::-1])
        return dict(client.cookies)

    cookies = run(folder, story)

    stored = b"".join(path.read_bytes() for path in folder.glob("table.db*"))
    for _, pin in STAFF.values():
        assert pin.encode() not in stored
        assert pin[::-1].encode() not in stored
    assert b"argon2" not in stored
    told = "".join(capfd.readouterr())
    assert not any(secret in told for secret in ("482913", "argon2", *cookies.values()))


def test_the_list_and_what_was_refused_replay(folder):
    """After a restart the same people sign in, and recovery proves it."""

    async def story(service, client):
        await sign_in(client, "Béla")
        await say(client, RULES, service.game.prompt(service.table.state))
        return service.game.persons(service.table.state)

    first = run(folder, story)

    assert run(folder, story) == first
    assert [person.name for person in first] == list(STAFF)
    assert people.persons(folder / "table.toml") == first


def test_a_session_outlives_the_program_unless_the_person_goes(folder):
    """A press may be under way during a restart, and a role may end while the table is closed."""

    async def begin(_service, client):
        await sign_in(client, "Anna")
        return next(iter(client.cookies.values()))

    async def again(service, client):
        port = service.url.rpartition(":")[2]
        return (await client.get("/", headers={"Cookie": f"session-{port}={token}"})).status_code

    token = run(folder, begin)
    kept = [file.read_bytes() for file in folder.rglob("*.sessions")]

    assert run(folder, again) == 200
    assert len(kept) == 1
    assert not any(word in kept[0] for word in (b"Anna", token.encode()))
    console(folder, "add", "Berta", "--role", "supervisor", pin="730156")
    console(folder, "remove", "Anna")
    assert run(folder, again) == 401


def test_before_the_first_supervisor_nothing_but_this_machine_is_served(folder, monkeypatch):
    """The page for the network is an alert with its remedy, and comes once there is one."""
    monkeypatch.setattr("table_controller.wiring.tasks.AGAIN_S", 0.01)
    tried = PageSettings(host="0.0.0.0", port=0)

    async def work():
        async with Service(planned(folder, tried)) as service:
            async with asyncio.timeout(PATIENCE_S):
                while not service.table.state.felt.alerts:
                    await asyncio.sleep(0.005)
            return service.url, str(service.table.state.felt.alerts[0].remedy)

    url, said = asyncio.run(work())

    assert url == ""
    assert "make the first supervisor" in said
    assert "schlitten people add" in said


def test_the_console_makes_the_first_supervisor(folder):
    """Nobody else can be the first; a PIN that everybody would try is none."""
    refused = console(folder, "add", "Béla", "--role", "croupier", pin="730156")
    weak = console(folder, "add", "Anna", "--role", "supervisor", pin="123456")
    made = console(folder, "add", "Anna", "--role", "supervisor", pin="482913")
    croupier = console(folder, "add", "Béla", "--role", "croupier", pin="730156")
    last = console(folder, "remove", "Anna")
    listed = console(folder, "list", "--json")

    assert "Make somebody a supervisor first." in str(refused.exception)
    assert weak.exit_code == 2
    assert (made.exit_code, croupier.exit_code) == (0, 0)
    assert "Make somebody a supervisor first." in str(last.exception)
    assert [person.role for person in people.persons(folder / "table.toml")] == [
        Role.SUPERVISOR,
        Role.CROUPIER,
    ]
    assert "482913" not in made.output + listed.output


def test_who_was_added_at_the_console_signs_in_at_the_page(folder):
    console(folder, "add", "Anna", "--role", "supervisor", pin="482913")

    assert run(folder, lambda _service, client: sign_in(client, "Anna")).status_code == 200


def test_while_the_table_is_served_the_console_says_so(folder):
    async def story(_service, _client):
        return await asyncio.to_thread(console, folder, "remove", "Csaba")

    assert "being written by another service" in str(run(folder, story).exception)


def test_a_name_alone_makes_nobody_another_person(folder):
    """R-13: with people, whoever is named beside a card must show that it is he."""

    async def story(service, client):
        await sign_in(client, "Béla")
        forged = {"type": "card_named", "card": "7h", "by": "Anna"}
        return await say(client, forged, service.game.prompt(service.table.state) - 1)

    answer = run(folder, story)

    assert answer["why"] == "No person here has this name and this PIN."
    with journal(folder) as archive:
        said = [archive.body(row) for row in archive.inputs()]
    assert not any(b"card_named" in body for body in said)


BEGUN = (
    *("seat 1 sits 100 Karl", "seat 2 sits 100 Kitty"),
    *("prepared", "prepared", "prepared", "schlitten schlitten-1"),
    *("seat 1 banks 10", "seat 2 banco solo", "card unread no_read"),
)


#: Who enters it first, and what is tried as the second.
TRIED = (
    {},
    {"by": "Béla"},
    {"by": "Anna", "pin": "482914"},
    {"by": "Anna"},
    {"by": "Csaba", "pin": "915264"},
    {"by": "Anna", "pin": "482913"},
)


async def begin(service):
    """A card that nobody could read; whatever leads there was said at the console."""
    for line in BEGUN:
        said = msgspec.structs.replace(service.game.read(line), actor="console")
        await service.table.ask(said)


def entering(service):
    """What the page asks for, to enter the unread card."""
    offers = service.hub.snapshot(Audience.CROUPIER).offers
    return next(one for one in offers if one.input["type"] == "card_named")


def test_the_second_person_is_known_by_his_pin_at_the_same_screen(folder):
    """R-13: Béla is signed in there, and Anna types hers; a wrong PIN enters nothing."""
    card = {"type": "card_named", "card": "7h"}

    async def story(service, client):
        await sign_in(client, "Béla")
        await begin(service)
        told = []
        for more in TRIED:
            who = [pick.value for pick in entering(service).fields[0].picks] if more else ()
            answer = await say(client, card | more, service.game.prompt(service.table.state))
            told.append((who, answer["ok"], answer.get("why", "")))
        return told, service.journal.archive.last()

    told, last = run(folder, story)

    no = "No person here has this name and this PIN."
    assert told == [
        ((), True, ""),
        (["Anna"], False, "The table does not take this now."),
        (["Anna"], False, no),
        (["Anna"], False, no),
        (["Anna"], False, "The table does not take this now."),
        (["Anna"], True, ""),
    ]
    with journal(folder) as archive:
        bodies = [json.loads(archive.body(row)) for row in archive.inputs(after=last - 5)]
    entered = [one["actor"] for one in bodies if one["type"] == "card_named"]
    assert entered == ["croupier:Béla", "supervisor:Anna"]
    assert [one["name"] for one in bodies if one["type"] == "sign_in_refused"] == ["Anna"] * 2
    assert not any("pin" in one for one in bodies)


def test_the_second_person_at_a_screen_of_his_own_needs_no_pin_again(folder):
    """He is signed in there already."""
    card = {"type": "card_named", "card": "7h"}

    async def story(service, client):
        await sign_in(client, "Béla")
        await begin(service)
        await say(client, card, service.game.prompt(service.table.state))
        await sign_in(client, "Anna")
        return await say(client, card | {"by": "Anna"}, service.game.prompt(service.table.state))

    assert run(folder, story)["ok"]


def test_a_start_loads_nothing_of_sign_ins(folder):
    """From start to ready: argon2 and its 19 MiB come with the first who signs in."""
    run(folder, lambda *_: asyncio.sleep(0))
    script = (
        "import asyncio, sys, pathlib; from tests.whole.test_people import run;"
        "run(pathlib.Path(sys.argv[1]), lambda *_: asyncio.sleep(0));"
        "print([name for name in sys.modules if 'argon2' in name])"
    )

    done = subprocess.run(
        [sys.executable, "-c", script, folder], capture_output=True, text=True, check=True
    )

    assert done.stdout.strip() == "[]"

"""The pages of the tapes and of an incident: who may switch, and the answers. No browser."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

from table_controller.adapters.web.app import app
from table_controller.engine.messages import Role
from table_controller.engine.table.roles import Person
from table_controller.service.incident import Incident, IncidentError
from table_controller.service.scenario import Preamble, Scenario
from tests.adapters.web.door import NEAR, PEOPLE, PINS, Door
from tests.signing import sign_in

FULL = '{"on": true, "full": true}'
OURS = {"origin": NEAR, "content-type": "application/json"}
MADE = Incident(
    name="incident-7",
    scenario=Scenario(Preamble(game="chemin-de-fer", house="zoppot-1934"), ()),
    until=7,
    coups=3,
    closed=2,
    text="game chemin-de-fer\n",
)


class Tapes:
    """A table's tapes that note what was switched."""

    def __init__(self):
        self.said = []

    def status(self):
        return SimpleNamespace(
            on=True, full=bool(self.said), by="technician:Dora" if self.said else "", path="",
            size=3 << 20, lost={"pictures": 4, "bytes": 1}, trouble="",
        )  # fmt: skip

    def switch(self, *, on, full, by):
        self.said.append((on, full, by))


class Past:
    """A journal's reader that makes one incident, or none."""

    title = "Zoppot"

    def __init__(self, why=None):
        self.why, self.asked = why, []

    def incident(self, coups, until):
        self.asked.append((coups, until))
        if self.why:
            raise self.why
        return MADE


STAFF = (*PEOPLE, Person("Dora", Role.TECHNICIAN, "proof of 915264"))


def story(tell, *, why=None):
    """Tell a story at a table with tapes and a past."""

    async def work():
        door, tapes, past = Door(STAFF), Tapes(), Past(why)
        door.site = app(door.hub, gate=door.gate, tapes=tapes, past=past)
        async with door.client() as client:
            return await tell(client), tapes, past, door

    return asyncio.run(work())


def switched(name, pin):
    """What is answered to somebody who switches pictures and bytes on."""

    async def tell(client):
        if name:
            await sign_in(client, name, pin)
        return await client.post("/tape/switch", content=FULL, headers=OURS)

    answer, tapes, *_ = story(tell)
    return answer.status_code, tapes.said


def test_only_a_supervisor_and_a_technician_have_pictures_and_bytes_recorded():
    """A croupier is refused, and a stranger gets the sign-in page."""
    assert switched("Anna", PINS["Anna"]) == (200, [(True, True, "supervisor:Anna")])
    assert switched("Dora", PINS["Csaba"]) == (200, [(True, True, "technician:Dora")])
    assert switched("Béla", PINS["Béla"]) == (403, [])
    assert switched("", "") == (401, [])


def test_another_sites_press_and_nonsense_switch_nothing():
    """As everywhere: a press comes from this table's own page."""

    async def tell(client):
        await sign_in(client, "Anna", PINS["Anna"])
        foreign = OURS | {"origin": "http://elsewhere"}
        return [
            (await client.post("/tape/switch", content=FULL, headers=foreign)).status_code,
            (await client.post("/tape/switch", content="{}", headers=OURS)).status_code,
        ]

    answers, tapes, *_ = story(tell)

    assert answers == [403, 400]
    assert tapes.said == []


def test_everybody_of_the_staff_sees_what_is_recorded_and_is_drawn_anew():
    """Also who may not switch it: his buttons are dead."""

    async def tell(client):
        await sign_in(client, "Béla", PINS["Béla"])
        seen = (await client.get("/tape")).text
        await sign_in(client, "Dora", PINS["Csaba"])
        await client.post("/tape/switch", content=FULL, headers=OURS)
        return seen, (await client.get("/tape")).text

    (seen, after), _, _, door = story(tell)

    assert "record pictures and bytes too</button>" in seen
    assert seen.count(" disabled>") == 2
    assert "<dd>3.0</dd>" in seen
    assert "<dd>5</dd>" in seen
    assert "no more pictures and bytes</button>" in after
    assert "Switched last by technician:Dora." in after
    assert door.hub.turn == 1


def test_an_incident_is_shown_and_kept_as_a_file_for_the_staff_alone():
    """With the number by which it is found again; guests get the sign-in page."""

    async def tell(client):
        stranger = await client.get("/incident")
        await sign_in(client, "Béla", PINS["Béla"])
        page = await client.get("/incident?coups=5")
        return stranger, page, await client.get("/incident/file?until=7&coups=3")

    (stranger, page, file), _, past, _ = story(tell)

    assert stranger.status_code == 401
    assert "game chemin-de-fer" not in stranger.text
    assert "/incident/file?until=7&amp;coups=3" in page.text
    assert "Cards that still lie closed: 2." in page.text
    assert file.text == "game chemin-de-fer\n"
    assert 'filename="incident-7.scenario"' in file.headers["content-disposition"]
    assert past.asked == [(5, None), (3, 7)]


def test_where_none_can_be_made_a_sentence_says_so_and_names_no_file():
    async def tell(client):
        await sign_in(client, "Béla", PINS["Béla"])
        return await client.get("/incident")

    answer, *_ = story(tell, why=IncidentError("/var/lib/secret.db cannot be told"))

    assert answer.status_code == 503
    assert "ask again once the Schlitten is closed" in answer.text
    assert "secret" not in answer.text

"""A table's web application with people who sign in, and a client. No browser is needed."""

from __future__ import annotations

import asyncio

import httpx

from table_controller.adapters.web.app import app
from table_controller.adapters.web.gate import SignIn
from table_controller.adapters.web.hub import Answer, Hub
from table_controller.engine.messages import Role
from table_controller.engine.table.roles import Person
from tests.adapters.web import samples
from tests.signing import own

NEAR = "http://127.0.0.1:8080"
FAR = "https://192.168.1.4:8443"
DRAWS = {"type": "spoke", "seat": 1, "word": "draws", "prompt": 412}
PINS = {"Anna": "482913", "Béla": "730156", "Csaba": "915264"}
PEOPLE = (
    Person("Anna", Role.SUPERVISOR, "proof of 482913"),
    Person("Béla", Role.CROUPIER, "proof of 730156"),
    Person("Gast", Role.GUEST, "proof of 111222"),
)


class Door:
    """The application of a table with people, the inputs that reached it, and a clock to move."""

    def __init__(self, persons=PEOPLE, names=(), kept=None):
        self.persons, self.now = persons, 1000.0
        self.said, self.noted, self.tried = [], [], []
        self.kept, self.held = kept, 0.0
        self.gate = SignIn(
            lambda: self.persons, self.matches, self.noted.append, kept,
            now=lambda: self.now, clock=lambda: self.now, hold=self.hold,
        )  # fmt: skip
        self.hub = Hub(samples.ADVICE_LIT, samples.project, self.say, samples.RULES.get)
        self.site = app(self.hub, gate=self.gate, names=frozenset(names))

    async def hold(self, seconds):
        self.held += seconds

    async def matches(self, pin, proof):
        self.tried.append(pin)
        return proof == f"proof of {pin}"

    async def say(self, words, actor, _press):
        self.said.append((words, actor))
        return Answer()

    def client(self, base_url=NEAR, address="127.0.0.1"):
        """Somebody's browser at this address."""
        transport = httpx.ASGITransport(app=self.site, client=(address, 40_000))
        return httpx.AsyncClient(transport=transport, base_url=base_url)


def run(story, **how):
    """Run a test with a door and a client."""

    async def work():
        door = Door(**how)
        async with door.client() as client:
            return await story(door, client)

    return asyncio.run(work())


def press(client, **headers):
    return client.post("/say", json=DRAWS, headers={"Origin": own(client), **headers})

"""People with roles for tests, and how they sign in at a page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import httpx

from table_controller.engine.messages import Role
from table_controller.engine.table import persons
from table_controller.service import pins
from table_controller.service.sealing import Keys

#: Who works at the tests' tables, by name: the role and the PIN.
STAFF: Mapping[str, tuple[Role, str]] = {
    "Anna": (Role.SUPERVISOR, "482913"),
    "Béla": (Role.CROUPIER, "730156"),
    "Csaba": (Role.TECHNICIAN, "915264"),
}


def added(keys: Keys, *names: str) -> list[persons.PersonAdded]:
    """What the console says to make them people of a table; all of them if none is named."""
    return [
        persons.PersonAdded(
            actor="console", name=name, role=STAFF[name][0], proof=pins.proof(STAFF[name][1], keys)
        )
        for name in names or STAFF
    ]


async def sign_in(client: httpx.AsyncClient, name: str, pin: str | None = None) -> httpx.Response:
    """Sign in as the page's script does; the client keeps the cookie."""
    said: dict[str, Any] = {"name": name, "pin": STAFF[name][1] if pin is None else pin}
    return await client.post("/sign-in", json=said, headers={"Origin": own(client)})


def own(client: httpx.AsyncClient) -> str:
    """The client's page as an origin."""
    return str(client.base_url).rstrip("/")

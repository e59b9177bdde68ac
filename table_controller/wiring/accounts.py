"""The rights of people with roles, at the pages and at the broker.

The module is part of the wiring, as app.py is.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from table_controller.adapters.broker_rules import BrokerAccount, BrokerRole, User
from table_controller.adapters.mqtt_names import TableId
from table_controller.adapters.web.gate import SignIn
from table_controller.engine.messages import Role as HouseRole
from table_controller.engine.table.roles import Person, holder
from table_controller.service import pins
from table_controller.service.sealed_file import SealedFile
from table_controller.service.sealing import Keys
from table_controller.service.table import Table


def accounts(persons: Iterable[Person], at: TableId) -> tuple[BrokerAccount, ...]:
    """Return the accounts of these people at a table's brokers."""
    return tuple(
        BrokerAccount(User(account.name, _ROLES[person.role], at), account.proof)
        for person in persons
        for account in person.accounts
    )


#: Everybody who works at a table may read everything that its staff may. The table decides which
#: inputs each may send.
_ROLES = {
    role: BrokerRole.GUEST if role is HouseRole.GUEST else BrokerRole.STAFF for role in HouseRole
}


class Accounts:
    """The rights of people at one table, according to its journal now."""

    def __init__(self, table: Table[Any], keys: Keys, journal: Path) -> None:
        """Take the table and its key. The pages' sessions are kept next to the `journal`."""
        self._table, self._keys = table, keys
        self._kept = SealedFile(journal.with_name(journal.name + ".sessions"), keys, "sessions")

    def __bool__(self) -> bool:
        """Whether anybody has a role."""
        return bool(self._table.now.persons)

    def gate(self) -> SignIn[Person]:
        """Return the sign-in of the pages."""
        return SignIn(lambda: self._table.now.persons, self._matches, self._table.say, self._kept)

    async def _matches(self, pin: str, proof: str) -> bool:
        return await asyncio.to_thread(pins.matches, pin, proof, self._keys)

    def accounts(self, at: TableId) -> tuple[BrokerAccount, ...]:
        """Return everybody's accounts at the brokers of this table."""
        return accounts(self._table.now.persons, at)

    def at_broker(self, evening: tuple[BrokerAccount, ...], user: str) -> str | None:
        """Return the actor of a user of the broker, if the user may send commands; else None.

        `evening` are accounts made for one evening, which are valid only if nobody has a role.
        """
        persons = self._table.now.persons
        if persons:
            person = holder(persons, user)
            return person.actor if person and person.role is not HouseRole.GUEST else None
        staff = (one.user.name for one in evening if one.user.role is BrokerRole.STAFF)
        return user if user in staff else None

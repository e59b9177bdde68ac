"""The accounts of the tables that may join a floor, one for each table.

The database keeps a proof of each table's secret. The secret itself is shown once, and not kept.
"""

from __future__ import annotations

import sqlalchemy as sa

from table_controller.adapters.broker_rules import BrokerAccount
from table_controller.adapters.mosquitto import new_secret, proof
from table_controller.adapters.mqtt_names import TableId
from table_controller.floor.engine import account
from table_controller.floor.schema import tables
from table_controller.floor.store import Store


def admitted(store: Store) -> tuple[BrokerAccount, ...]:
    """Return the broker's account of every table that may join."""
    said = sa.select(tables).where(tables.c.account != "").order_by(tables.c.id)
    with store.read() as db:
        rows = db.execute(said).mappings().all()
    return tuple(account(TableId(row["site"], row["name"]), row["account"]) for row in rows)


def renewed(store: Store, db: sa.Connection, at: TableId) -> str:
    """Admit a table, or give an admitted table a new secret. Return the secret."""
    secret = new_secret()
    admit(store, db, at, proof(secret))
    return secret


def struck(db: sa.Connection, at: TableId) -> bool:
    """Remove a table's account, but keep the table's events. Return whether it had an account."""
    mine = (tables.c.site == at.site, tables.c.name == at.table, tables.c.account != "")
    return db.execute(tables.update().where(*mine).values(account="")).rowcount > 0


def admit(store: Store, db: sa.Connection, at: TableId, account: str) -> None:
    """Admit a table by `account`, the proof of the table's secret."""
    id_ = store.table_id(db, at)
    db.execute(tables.update().where(tables.c.id == id_).values(account=account))

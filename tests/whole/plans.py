"""Plans of tables: with every part that a table may have, and with a page alone."""

from table_controller.adapters.mqtt_names import TableId
from table_controller.service.sealing import load_keys, make_key
from table_controller.wiring import config
from table_controller.wiring.config import BrokerSettings, PageSettings
from table_controller.wiring.plan import Plan, evening_accounts, own_address


def plan(folder, *, board="twin", broker=None):
    """With the embedded broker, or another one."""
    make_key(folder / "table.key")
    name = TableId("whole", "table")
    accounts = evening_accounts(name)
    return Plan(
        table=name,
        house=config.house("zoppot-1934"),
        keys=load_keys(folder / "table.key", {}),
        journal=folder / "table.db",
        board=board,
        broker=broker or BrokerSettings(kind="embedded", port=0),
        accounts=() if broker else accounts,
        address=None if broker else own_address(accounts),
        page=PageSettings(port=0),
    )


def paged(folder):
    """With its page, and nothing else."""
    return Plan(
        table=TableId("whole", "paged"),
        house=config.house("zoppot-1934"),
        keys=make_key(folder / "table.key"),
        journal=folder / "table.db",
        page=PageSettings(port=0),
    )

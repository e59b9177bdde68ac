"""A journal belongs to one table.

Another table does not take it silently, and a new name has a way.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from table_controller.adapters.mqtt_names import TableId
from table_controller.service.errors import JournalError
from table_controller.wiring.app import Service
from tests.whole.commands import schlitten
from tests.whole.plans import paged


def begun(plan):
    """The source of a table that began once and ended."""
    service = Service(plan)
    service.journal.close()
    return service.journal.source


def test_another_tables_journal_is_refused(tmp_path):
    """Both would tell events of one name; it is left as it was, and its own table goes on."""
    plan = paged(tmp_path)
    own = begun(plan)

    with pytest.raises(JournalError, match=rf"is the table {own}'s, and this one is .*/other: "):
        Service(replace(plan, table=TableId("whole", "other")))
    assert begun(plan) == own


def test_a_table_with_a_new_name_puts_a_copy_back(tmp_path):
    """As the refusal says: `backup`, then `restore` under the new name."""
    settings = tmp_path / "table.toml"
    text = (
        f'[journal]\npath = "{tmp_path}/table.db"\nkey = "{tmp_path}/table.key"\n'
        '[broker]\nkind = "none"\n[table]\nsite = "whole"\nname = "{name}"\n'
    )
    plan = paged(tmp_path)
    begun(plan)
    settings.write_text(text.replace("{name}", "renamed"))
    words = ("--config", settings)

    refused = schlitten("people", "add", "Anna", "--role", "guest", *words)
    copied = schlitten("backup", tmp_path / "copy.db", *words)
    back = schlitten("restore", tmp_path / "copy.db", *words)
    goes_on = schlitten("people", "list", *words)

    assert "is the table " in refused.sentence
    assert (copied.code, back.code, goes_on.code) == (0, 0, 0)
    assert begun(replace(plan, table=TableId("whole", "renamed"))).endswith("/renamed")

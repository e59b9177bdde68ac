"""Reads a saved table, which was stored when its Schlitten was closed. Reads older formats too."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import fields

from table_controller.engine.chemin_de_fer.state import Table
from table_controller.engine.table.door import entitled
from table_controller.engine.table.felt import Felt
from table_controller.engine.views import STANDING


def load(begun: Table, saved: bytes) -> Table:
    """The inverse of `save`, for tables of every version. House and key come from `begun`."""
    now = migrated(msgspec.json.decode(saved), begun.house.game)
    return entitled(begun, msgspec.convert(now, type=Table))


def migrated(saved: dict[str, Any], game: str) -> dict[str, Any]:
    """The same saved table in today's format.

    Until November 2026 the fields of the felt were fields of the table itself.
    """
    saved["house"].setdefault("game", game)  # there was one game, which no house named
    if "felt" not in saved:
        laid = {field.encode_name for field in fields(Felt)}
        own = {name: value for name, value in saved.items() if name not in laid or name == "house"}
        saved = own | {"felt": {name: value for name, value in saved.items() if name in laid}}
    return _declared(saved["felt"]) | saved


def _declared(felt: dict[str, Any]) -> dict[str, Any]:
    """The players' declarations, and how often each must let the bank pass.

    Tables in an older format stored both in each player's entry.
    """
    players = [*enumerate(felt["seats"], 1), *enumerate(felt["standing"], STANDING + 1)]
    known = [(place, who) for place, who in players if who]
    due = ((place, who.get("must_pass", 0)) for place, who in known)
    return {
        "by_schlitten": [place for place, who in known if who.get("by_schlitten")],
        "must_pass": [(place, count) for place, count in due if count],
    }

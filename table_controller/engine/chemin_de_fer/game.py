"""Chemin de fer as the service takes it: names, types, step, picture, and a state on paper."""

from __future__ import annotations

from typing import Final

from table_controller.engine.chemin_de_fer.events import CheminDeFerEvent
from table_controller.engine.chemin_de_fer.inputs import CheminDeFerInput, Waited
from table_controller.engine.chemin_de_fer.phases import PointeurToSpeak
from table_controller.engine.chemin_de_fer.saved import load, save
from table_controller.engine.chemin_de_fer.state import Table
from table_controller.engine.chemin_de_fer.step import step
from table_controller.engine.chemin_de_fer.view import snapshot
from table_controller.engine.messages import Input
from table_controller.engine.table.felt import balance, places

__all__ = ["deadline", "events", "inputs", "load", "money", "name", "save", "snapshot", "step"]

name: Final = "chemin-de-fer"
inputs: Final = CheminDeFerInput
events: Final = CheminDeFerEvent


def deadline(table: Table) -> tuple[int, Input] | None:
    """When the clock has something to say, in seconds from the prompt on, and what (Z-16)."""
    if not isinstance(table.phase, PointeurToSpeak) or not table.house.slow_look_s:
        return None
    return table.house.slow_look_s, Waited(actor="clock", prompt=table.prompt)


def money(table: Table) -> dict[str, int]:
    """What lies before each player, in the bank, at stake, and with the house."""
    held = {f"seat {place}": balance(table.felt, place) for place in places(table.felt)}
    bank, coup = table.bank, table.coup
    return held | {
        "bank": bank.pot + bank.aside if bank else 0,
        "stakes": coup.staked if coup else 0,
        "cagnotte": table.felt.cagnotte,
        "tips": table.felt.tips,
    }

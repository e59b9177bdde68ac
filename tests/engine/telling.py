"""The events of an input, with every field, as lines."""

from __future__ import annotations

import msgspec

from table_controller.engine.chemin_de_fer.state import Table
from table_controller.engine.chemin_de_fer.step import step
from table_controller.engine.messages import Event
from tests.engine import script
from tests.engine.playing import deal

BANK = ("seat 1 banks 100",)
SOLO = (*BANK, "seat 2 banco solo")
FOUR = (*SOLO, *deal("2h Kc", "3d Ks"))
STAKED = (*BANK, "seat 2 stakes 30", "seat 3 stakes 20")
WON = (*SOLO, *deal("2h Kc", "9d Ks"), "seat 2 carte", "seat 1 opens", "seat 2 opens", "paid")
HIDDEN = {"type", "commitment", "nonce"}


def line(event: Event) -> str:
    """`seat_changed seat=2 to=9 swap=False`; `!` where it is not for everybody."""
    fields = msgspec.to_builtins(event)
    closed = {"public": "", "croupier": "! ", "sealed": "!! "}[event.audience.value]
    said = " ".join(f"{name}={value}" for name, value in fields.items() if name not in HIDDEN)
    return f"{closed}{fields['type']} {said}".rstrip()


def told(now: Table, said: str) -> list[str]:
    _, events = step(now, script.parse(said))
    return [line(event) for event in events]

"""Evenings for the board's scenarios: the public picture of every moment the engine deals."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256

from firmware_bridge.messages import Picture
from table_controller.adapters.board import picture
from table_controller.commands.simulate import evening
from table_controller.engine.chemin_de_fer import game
from table_controller.engine.chemin_de_fer.events import CoupSettled
from table_controller.engine.messages import Audience
from table_controller.service.sealing import Keys
from table_controller.wiring import config

FAULTS = frozenset({"unread", "two_cards", "stray"})


def dealt(seed: int, coups: int, *, house: str = "zoppot-1934") -> Iterator[tuple[str, Picture]]:
    """Label and picture of every moment in which the picture changes, and of every settlement."""
    key = Keys.derive(sha256(f"board {seed}".encode()).digest()).commit
    language = config.lamp_language(config.house(house))
    before = None
    for moment in evening(config.house(house), key, seed=seed, coups=coups, wrong=FAULTS):
        now = picture(game.snapshot(moment.table, Audience.PUBLIC), language)
        settled = any(isinstance(event, CoupSettled) for event in moment.events)
        if now != before or settled:
            said = "settlement" if settled else type(moment.input).__name__
            yield f"coup {moment.table.felt.coups}, {said}", now
        before = now

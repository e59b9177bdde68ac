"""Conditions for every step of every game: for the contract and for a game's own evenings."""

from __future__ import annotations

from typing import Any

import msgspec

from table_controller.engine.messages import Audience
from table_controller.engine.views import Offer
from table_controller.service.game import Game
from tests.contract.games import Played
from tests.contract.walks import Step, tag
from tests.engine.filling import read


def fair(played: Played, step: Step) -> None:
    """A refusal changes nothing and explains itself; what is taken is told in the game's events."""
    game = played.game
    if step.refusal is not None:
        assert str(step.refusal.why).endswith("."), str(step.refusal.why)
        assert str(step.refusal.remedy).strip(), str(step.refusal)
        return
    for event in step.told:
        assert read(msgspec.to_builtins(event), game.events) == event
    assert game.prompt(step.after) >= game.prompt(step.before), "a prompt id was used again"
    assert min([0, *game.money(step.after).values()]) == 0, "a sum below nothing"
    if tag(step.said) not in played.brings:
        before, after = (sum(game.money(one).values()) for one in (step.before, step.after))
        assert before == after, f"{tag(step.said)} made or lost money"


def look(game: Game[Any], state: Any) -> tuple[dict[str, int], list[Offer]]:
    """A table's sum: its money, and its offers except taking back and alerts."""
    offers = game.snapshot(state, Audience.CROUPIER).offers
    left = [o for o in offers if o.input["type"] != "takes_back" and o.group != "alert"]
    return game.money(state), left

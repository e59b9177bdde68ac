"""Checks, from the public events alone, that the money and the points add up.

Source: R-7, R-8, R-16; points: ZX-1, ZP-9, Z-11, Z-15, Z-21.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, get_args

from table_controller.engine.chemin_de_fer.events import CheminDeFerEvent
from table_controller.engine.chemin_de_fer.laid import Laid
from table_controller.engine.messages import Audience

#: The types of events that a recording contains, and that the public does not hear.
_STAFFS = frozenset(
    str(kind.__struct_config__.tag)
    for kind in get_args(CheminDeFerEvent)
    if kind.audience is not Audience.PUBLIC
)


def sums(events: Iterable[dict[str, Any]]) -> tuple[int, str] | None:
    """The index of the first public event whose sums do not add up, and the reason; None if all do.

    The events are in Python's built-in types, in order. The pot of
    a coup must be the sum that the banker put up, or that the last coup or change left. If a
    settled coup is annulled or settled again, the pot is again what it was before that coup. The
    points of a coup must be those of the opened cards.
    """
    pot: int | None = None
    laid = Laid()
    last: dict[str, Any] = {"coup": 0, "pot": None}
    for index, event in enumerate(events):
        wrong = "" if event["type"] in _STAFFS else laid.hear(event)
        if wrong:
            return index, wrong
        match event:
            case {"type": "bank_posted" | "pot_changed" | "partner_joined", "pot": posted}:
                pot = posted
            case {"type": "schlitten_passed" | "auction_begun" | "withdrawn"}:
                pot = None
            case {"type": "coup_annulled", "coup": coup} if coup == last["coup"]:
                pot = last["pot"]
            case {"type": "coup_settled", "coup": coup}:
                wrong = _wrong(event, last["pot"] if coup == last["coup"] else pot)
                if wrong:
                    return index, wrong
                pot, last = event["pot_after"], event
    return None


def _wrong(event: dict[str, Any], pot: int | None) -> str:
    before, staked, after = event["pot"], event["staked"], event["pot_after"]
    house, coup = event["cagnotte"], event["coup"]
    if pot is not None and before != pot:
        return f"coup {coup}: the pot was {pot} and is said to be {before}"
    if min(before, staked, after, house) < 0 or staked > before:
        return f"coup {coup}: {staked} were staked against a pot of {before}"
    due = {"bank": before + staked - house, "pointeur": before - staked, None: before}
    if event["winner"] not in due or after != due[event["winner"]]:
        return f"coup {coup}: the pot after it is {after}, which is not what it won or lost"
    if house and event["winner"] != "bank":
        return f"coup {coup}: a cagnotte of {house} without a win of the bank (R-8)"
    if event["winner"] != _winner(event):
        return f"coup {coup}: the points do not give the winner {event['winner']}"
    return ""


def _winner(event: dict[str, Any]) -> str | None:
    """The side that must have won. A bank that lost by a rule has no points (Z-11, Z-12, N-4)."""
    banker, pointeur = event["banker"], event["pointeur"]
    if banker is None or pointeur is None:
        return "pointeur"
    points = banker - pointeur
    return "bank" if points > 0 else "pointeur" if points < 0 else None

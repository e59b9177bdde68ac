"""Checks, from the public events alone, that the marks add up (E07-43, E07-45)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from table_controller.rules.ecarte.marks import TRICKS


def sums(events: Iterable[dict[str, Any]]) -> tuple[int, str] | None:
    """The index of the first public event whose marks do not add up, and the reason.

    None if all add up. The counters of a partie begin at zero, and move by the marks that are made
    or taken back.
    """
    score: dict[int, int] | None = None
    for index, event in enumerate(events):
        match event:
            case {"type": "partie_begun", "left": left, "right": right}:
                score = {left: 0, right: 0}
            case {"type": "withdrawn" | "player_replaced" | "seat_changed"}:
                score = None
            case {"type": "marked" | "unmarked" as kind, "seat": seat, "points": points}:
                if score is not None:
                    score[seat] += points if kind == "marked" else -points
                    if list(score.values()) != [event["left"], event["right"]]:
                        return index, f"the counters stand at {event['left']}-{event['right']}"
            case {"type": "deal_ended", "left": left, "right": right}:
                if not 0 <= left + right <= TRICKS:
                    return index, f"deal {event['deal']}: {left} and {right} tricks of five"
            case {"type": "partie_ended", "left": left, "right": right}:
                if score is not None and list(score.values()) != [left, right]:
                    return index, f"the partie ended at {left}-{right}"
                score = None
    return None

"""Finds the public events that still count, after inputs were taken back (R-20).

An event `withdrawn` names the events that it takes back by their distance, so nobody guesses them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

#: A public event in Python's built-in types, as a journal contains it.
Heard = dict[str, Any]


def taken_back(at: int, event: Heard) -> range:
    """The indices of the events that the event at index `at` takes back; mostly none."""
    if event["type"] != "withdrawn" or not event.get("events"):
        return range(0)
    first = at - event["ago"]
    return range(max(first, 0), max(first + event["events"], 0))


def void(events: Iterable[Heard]) -> frozenset[int]:
    """The indices, among all public events in order, of those that were taken back."""
    return frozenset(index for at, event in enumerate(events) for index in taken_back(at, event))


def standing(events: Iterable[Heard]) -> list[Heard]:
    """The public events, in order, without those that were taken back."""
    every = list(events)
    gone = void(every)
    return [event for at, event in enumerate(every) if at not in gone]

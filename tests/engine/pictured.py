"""The content of a picture, looked up by the names of its figures and places."""

from __future__ import annotations

from collections.abc import Iterable

from table_controller.engine.pieces import Figure, Mark
from table_controller.engine.views import Snapshot


def values(figures: Iterable[Figure]) -> dict[str, int]:
    """Figures by their names."""
    return {figure.name: figure.value for figure in figures}


def figure(picture: Snapshot, name: str) -> int:
    """One of the table's figures, or of what the house keeps: `pot`, `against`, `cagnotte`."""
    return values((*picture.figures, *picture.till))[name]


def balances(picture: Snapshot) -> dict[int, int]:
    """What each player has, by his place."""
    return {person.seat: person.balance for person in picture.people}


def names(marks: Iterable[Mark]) -> list[str]:
    """The marks of a seat, as lamps know them."""
    return [mark.name for mark in marks]

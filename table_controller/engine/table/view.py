"""The part of the picture that every game shows: seats, Schlitten, alerts, people, till."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from table_controller.engine.alerts import Alert, Alerts, clears
from table_controller.engine.messages import Phrase, phrase
from table_controller.engine.pieces import Figure, Note, Person
from table_controller.engine.table.devices import BY_SENSOR
from table_controller.engine.table.felt import Felt, places, player
from table_controller.engine.views import STANDING, AlertView, ShoeView
from table_controller.rules.houses import House


def of_felt(
    felt: Felt, named: Mapping[str, Phrase], *, staff: bool, kept: str = "Z-13"
) -> dict[str, Any]:
    """The fields of a `Snapshot` that every game has, by name.

    `named` is what the game calls its limits, by the names of their settings. `staff` says whether
    the picture is for the staff; otherwise it is for everybody. `kept` is the game's rule for cards
    that are kept for the next deal.
    """
    shown = {
        "house": felt.house.id,
        "title": felt.house.title,
        "game": felt.house.game,
        "unit": felt.house.unit,
        "coup": felt.coups,
        "shoe": shoe(felt),
        "alerts": alerts(felt.alerts, staff=staff),
        "notes": notes(felt, kept),
        "limits": limits(felt.house, named),
    }
    if not staff:
        return shown
    staffs = {"people": people(felt), "till": till(felt), "croupier": felt.croupier}
    return shown | staffs | {"chips": felt.house.chips}


def limits(house: House, named: Mapping[str, Phrase]) -> tuple[Figure, ...]:
    """The sums between which the house lets people stake."""
    return tuple(
        Figure(name=name, label=named[name], value=value, unit=house.unit)
        for name, value in house.limits.items()
    )


def spots(felt: Felt) -> Iterator[int]:
    """The places that a picture shows: every seat, then the standing players (ZP-17)."""
    yield from range(1, len(felt.seats) + 1)
    yield from (place for place in places(felt) if place > STANDING)


def shoe(felt: Felt) -> ShoeView | None:
    """How full the Schlitten is; None if none is loaded."""
    if felt.shoe is None:
        return None
    return ShoeView(
        id=felt.shoe.id,
        number=felt.number,
        cards=felt.shoe.cards,
        left=felt.shoe.left,
        white_at=felt.house.white_at,
        white_out=felt.shoe.white_out is not None,
        last_coup=felt.last_coup > 0,
        kept=len(felt.kept),
    )


def alerts(open_: Alerts, *, staff: bool) -> tuple[AlertView, ...]:
    """The open alerts. Only the staff sees what happened and the remedies."""
    return tuple(
        AlertView(
            id=alert.id,
            code=alert.code,
            severity=alert.severity,
            acknowledged=alert.acknowledged,
            what=alert.what if staff else None,
            remedy=alert.remedy if staff else None,
            clears=_clears(alert) if staff else None,
        )
        for alert in open_
    )


def _clears(alert: Alert) -> str:
    return "itself" if alert.id in BY_SENSOR else clears(alert.code)


def notes(felt: Felt, kept: str) -> tuple[Note, ...]:
    """Reminders for the croupier. `kept` is the rule for cards that are kept for the next deal."""
    if not (felt.shoe and felt.kept):
        return ()
    return (Note(phrase("Kept for the next deal: {n}.", n=len(felt.kept)), kept),)


def people(felt: Felt) -> tuple[Person, ...]:
    """The people at each place, and their chips."""
    known = ((place, player(felt, place)) for place in places(felt))
    return tuple(
        Person(seat=place, name=who.name, balance=who.balance) for place, who in known if who
    )


def till(felt: Felt) -> tuple[Figure, ...]:
    """The house's takings at this table."""
    unit = felt.house.unit
    return (
        Figure(name="cagnotte", label=phrase("in the cagnotte"), value=felt.cagnotte, unit=unit),
        Figure(name="tips", label=phrase("tips"), value=felt.tips, unit=unit),
    )

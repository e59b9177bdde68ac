"""Judges a simulated evening by a table of each fault's effects, and by the cards drawn.

The table (`expected.toml`) is written by hand. The code under test is not asked which result is
right, except for `verify`, whose sums and chains are part of the check.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec import Struct

from table_controller.commands.simulated.faults import Fault, Lasting
from table_controller.commands.simulated.watch import Alerted, PlayedFault
from table_controller.engine.players import TEMPERS
from table_controller.rules.cards import PACKS
from table_controller.service.archive import Archive
from table_controller.service.scenario import clock
from table_controller.service.verify import verify

if TYPE_CHECKING:
    from table_controller.commands.simulated.evening import SimulatedEvening

TABLE: Final = Path(__file__).with_name("expected.toml")
#: Alerts that people cause without any fault: by thinking for long (Z-16), and by taking back a
#: word after which cards were dealt.
_SLOW: Final = ("slow-look",)
_TAKEN_BACK: Final = ("card-stray-*",)
_LONG: Final = Lasting(0, 0, 10**9)
#: Once a fault is over, the board is heard again within this many seconds.
_AGAIN_S: Final = 20.0


class Brings(Struct, frozen=True, forbid_unknown_fields=True):
    """A line of the table of effects. The head of the file explains each field."""

    what: str
    where: str
    within: str
    raises: tuple[str, ...] = ()
    may: tuple[str, ...] = ()
    remedy: str = ""
    by_card: tuple[str, ...] = ()
    amid: tuple[str, ...] = ()
    ends: str = ""
    least: str = msgspec.field(name="from", default="0 s")


@cache
def table() -> dict[str, Brings]:
    """Return the required effects of each fault, by the fault's name."""
    return msgspec.toml.decode(TABLE.read_bytes(), type=dict[str, Brings])


def differences(evening: SimulatedEvening) -> list[str]:
    """Return the evening's differences from the expectations, as sentences.

    If there are none, the evening passes.
    """
    return [
        *evening.watch.found,
        *_faults(evening),
        *_unexplained(evening),
        *_counts(evening),
        *_record(evening),
    ]


# The effects of the faults


def _window(played: PlayedFault) -> tuple[float, float]:
    """Return the period in which a fault may raise its alerts, in seconds since the beginning."""
    began, ended = played.began_s or 0.0, played.ended_s
    within = _LONG.read(table()[played.fault.name].within) / 1000
    return began, (ended if ended is not None else began) + within


def _is(alert: Alerted, pattern: str) -> bool:
    return bool(re.fullmatch(re.escape(pattern).replace(r"\*", r"\d+"), alert.id))


def _faults(evening: SimulatedEvening) -> Iterator[str]:
    """Yield sentences about required effects and alerts that are missing, for each fault."""
    played = [one for one in evening.watch.faults if one.began_s is not None]
    for one in played:
        wanted, (began, end) = table()[one.fault.name], _window(one)
        alone = not any(_overlap(one, other) for other in played if other is not one)
        for pattern in wanted.raises:
            seen = [
                alert
                for alert in evening.watch.alerted
                if _is(alert, pattern) and began <= alert.raised_s <= end
            ]
            if not seen and alone and one.fault.ms >= _LONG.read(wanted.least):
                yield f"{one.fault}: it must raise {pattern}, and did not"
            for alert in seen:
                if wanted.remedy and not alert.remedy.startswith(wanted.remedy):
                    yield f"{one.fault}: its remedy is {alert.remedy!r}, not {wanted.remedy!r}"


def _overlap(one: PlayedFault, other: PlayedFault) -> bool:
    (began, end), (other_began, other_end) = _window(one), _window(other)
    return began <= other_end and other_began <= end


def _unexplained(evening: SimulatedEvening) -> Iterator[str]:
    """Yield sentences about alerts that no fault explains, and about alerts that stay open."""
    takes_back = "take_back" in TEMPERS[evening.asked.temper].mistakes
    ever = (*_SLOW, *(_TAKEN_BACK if takes_back else ()))
    for alert in evening.watch.alerted:
        if any(_is(alert, pattern) for pattern in ever):
            continue
        causes = [
            one for one in evening.watch.faults if _explains(one, alert, evening.watch.alerted)
        ]
        if not causes:
            yield f"no fault explains the alert {alert.id} at {_clock(alert.raised_s)}"
        elif any(alert.id in table()[one.fault.name].by_card for one in causes):
            if alert.cleared_s is None and _cards_since(evening, causes[0]) > 1:
                yield f"{causes[0].fault}: the alert {alert.id} stays though cards passed"
        elif alert.cleared_s is None and not evening.cut_short:
            yield f"{causes[0].fault}: the alert {alert.id} stays"
        elif all(_late(one, alert) for one in causes):
            until = _clock(alert.cleared_s or 0)
            yield f"{causes[0].fault}: the alert {alert.id} stays until {until}"


def _explains(played: PlayedFault, alert: Alerted, alerted: Sequence[Alerted]) -> bool:
    if played.began_s is None:
        return False
    wanted, (began, end) = table()[played.fault.name], _window(played)
    usual = (*wanted.raises, *wanted.may)
    known = any(_is(alert, pattern) for pattern in usual)
    if any(_is(alert, pattern) for pattern in wanted.amid):
        known = any(
            _is(other, pattern) and _open_at(other, alert.raised_s)
            for other in alerted
            for pattern in usual
        )
    return known and began <= alert.raised_s <= end


def _open_at(alert: Alerted, when_s: float) -> bool:
    return alert.raised_s <= when_s <= (when_s if alert.cleared_s is None else alert.cleared_s)


def _cards_since(evening: SimulatedEvening, played: PlayedFault) -> int:
    end = (played.ended_s or 0.0) + _AGAIN_S
    return sum(passed > end for passed in evening.watch.passed_s)


def _late(played: PlayedFault, alert: Alerted) -> bool:
    return alert.cleared_s is not None and alert.cleared_s > _window(played)[1]


def _clock(seconds: float) -> str:
    return clock(round(seconds * 1000))


# The cards drawn, and the table's report of them


def _counts(evening: SimulatedEvening) -> Iterator[str]:
    """Yield sentences about each Schlitten of which the table's count is wrong.

    The count must be the number of cards that had not left the Schlitten.
    """
    house = evening.asked.house
    whole = Counter({card.value: house.packs for card in PACKS[house.pack]})
    for number, counted in enumerate(evening.watch.counted, 1):
        left = +(whole - counted.out)
        if counted.out - whole or counted.left != left.total():
            yield f"Schlitten {number}: {counted.left} cards by the count, {left.total()} in truth"
        elif counted.remaining and +counted.remaining != left:
            wrong = sorted((left - counted.remaining) + (counted.remaining - left))
            yield f"Schlitten {number}: the count is wrong of {', '.join(wrong)}"


def _record(evening: SimulatedEvening) -> Iterator[str]:
    """Yield sentences about faults of the journal, and about its events that the broker lacks.

    The broker must get each event once and in order.
    """
    found = verify(evening.journal, evening.keys, sums=lambda _: evening.game.sums)
    if not found.holds:
        yield str(found)
    if evening.cut_short:
        return
    archive = Archive.read(evening.journal, evening.keys)
    try:
        wanted = [
            (row.audience, row.seq, row.type)
            for _, events in archive.turns()
            for row in events
            if row.audience != "sealed"
        ]
    finally:
        archive.close()
    heard = list(_heard(evening))
    for audience in ("public", "croupier"):
        kept = [(seq, kind) for who, seq, kind in wanted if who == audience]
        told = [(seq, kind) for who, seq, kind in heard if who == audience]
        if kept != told:
            lost = [one for one in kept if one not in set(told)]
            yield (
                f"the broker heard {len(told)} {audience} events of {len(kept)}, "
                f"{len(lost)} never, or in another order"
            )


def _heard(evening: SimulatedEvening) -> Iterator[tuple[str, int, str]]:
    """Yield the messages that a subscriber heard, without repeats: audience, number, type."""
    known: dict[str, Any] = {}
    for topic, payload in evening.broker.heard:
        levels = topic.split("/")
        if "event" not in levels:
            continue
        event = msgspec.json.decode(payload)
        if event["id"] in known:
            continue
        known[event["id"]] = event
        yield ("croupier" if "croupier" in levels else "public"), event["seq"], levels[-1]


def not_reached(evening: SimulatedEvening) -> list[Fault]:
    """Return the faults that did not begin, since the evening was too short."""
    return [one.fault for one in evening.watch.faults if one.began_s is None]

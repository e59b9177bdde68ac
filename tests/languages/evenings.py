"""The table's texts in the evenings of the coup scripts: pictures and refusals."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from msgspec import Struct

from table_controller.engine.chemin_de_fer import game
from table_controller.engine.chemin_de_fer.state import Table, foremost
from table_controller.engine.chemin_de_fer.step import step
from table_controller.engine.messages import Audience, Phrase, Refusal
from table_controller.engine.views import Snapshot
from tests.engine import script
from tests.engine.playing import COUPS, table_of

#: Said again and again where it is mostly wrong, so that the table refuses it.
WRONG = tuple(
    map(
        script.parse,
        (
            "seat 1 banks 5",
            "seat 3 banks 50",
            "seat 2 banco solo",
            "seat 4 stakes 1",
            "seat 5 carte",
            "seat 1 opens",
            "seat 2 opens",
            "seat 1 passes",
            "paid",
            "take back",
            "schlitten closed",
        ),
    )
)


@cache
def tables() -> tuple[tuple[Table, Snapshot], ...]:
    """Every moment of every coup script, with what the croupier sees then."""
    return tuple((now, game.snapshot(now, Audience.CROUPIER)) for now in _played())


def _played() -> Iterator[Table]:
    for path in COUPS:
        text = path.read_text()
        now = table_of(text)
        yield now
        for said, _ in script.lines(text):
            try:
                now, _ = step(now, said)
            except Refusal:
                continue
            yield now


@cache
def moments() -> dict[str, Snapshot]:
    """A picture of each phase of the game, the first of its kind."""
    found: dict[str, Snapshot] = {}
    for now in _played():
        name = type(foremost(now)).__name__
        if name not in found:
            found[name] = game.snapshot(now, Audience.CROUPIER)
    return found


def printed(picture: Snapshot) -> Iterator[Phrase]:
    """What only the page shows: every phrase of the picture but what is said."""
    spoken = ("prompt", "alerts", "advice")
    yield from phrases([getattr(picture, name) for name in picture.__struct_fields__
                        if name not in spoken])  # fmt: skip


def phrases(part: object) -> Iterator[Phrase]:
    """Every phrase within a part of a picture, none of them empty."""
    if isinstance(part, Phrase):
        if part.text:
            yield part
    elif isinstance(part, Struct):
        yield from phrases([getattr(part, name) for name in part.__struct_fields__])
    elif isinstance(part, (tuple, list)):
        for one in part:
            yield from phrases(one)


def said(now: Table, picture: Snapshot) -> Iterator[Phrase]:
    """What can also be spoken."""
    yield from (picture.prompt.news, picture.prompt.ask, picture.prompt.why)
    for alert in picture.alerts:
        yield from (part for part in (alert.what, alert.remedy) if part)
    if picture.advice:
        yield picture.advice.text
    for wrong in WRONG:
        try:
            step(now, wrong)
        except Refusal as refusal:
            yield from (refusal.why, refusal.remedy)

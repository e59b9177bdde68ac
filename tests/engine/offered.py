"""Writes every button of a picture as one line: its group, its label, and its fields."""

from __future__ import annotations

from table_controller.engine.chemin_de_fer.state import Table
from table_controller.engine.chemin_de_fer.view import snapshot
from table_controller.engine.messages import Audience
from table_controller.engine.views import Choice, Field, Offer, Pin, Secret, Sum, Text
from tests.engine.playing import NEMZETI, play, table

#: The groups of what is played with.
PLAY = ("main", "more")


def field(one: Field) -> str:
    """`chips 2..100 from 50`, `seat 2 3(..70) 4(30..)`, `name: 40 signs`."""
    name = str(one.label) if one.label.text == one.name else f"{one.label}={one.name}"
    match one:
        case Sum(least=least, most=most, suggested=suggested):
            return f"{name} {least}..{most} from {suggested}"
        case Choice(picks=picks):
            return f"{name} " + " ".join(map(_pick, picks))
        case Text(most=most):
            return f"{name}: {most} signs"
        case Secret() | Pin():
            return f"{name}: unseen"


def _pick(one) -> str:
    if one.least is None and one.most is None:
        return str(one.value)
    least, most = ("" if bound is None else bound for bound in (one.least, one.most))
    return f"{one.value}({least}..{most})"


def line(one: Offer) -> str:
    """The button, the input behind it, and the fields."""
    kind, *known = one.input.items()
    said = " ".join([str(kind[1]), *(f"{name}={value}" for name, value in known)])
    fields = "".join(f" | {field(each)}" for each in one.fields)
    return f"{one.group}{'!' if one.hold else ''}: {one.label} = {said}{fields}"


def forms(now: Table, *groups: str) -> list[str]:
    """The buttons of these groups, in their order."""
    offers = snapshot(now, Audience.CROUPIER).offers
    return [line(one) for one in offers if one.group in groups]


def four(**settings) -> Table:
    """Four players with 100 each, at seats 1 to 4."""
    begun = table(chips=100, **settings)
    return play(begun, *(f"seat {seat} leaves" for seat in range(5, len(begun.felt.seats) + 1)))


def nine() -> Table:
    return table(house=NEMZETI, chips=100)


def shown(now: Table, *groups: str) -> list[str]:
    """The same without what can be taken back, which every word of a person changes."""
    return [one for one in forms(now, *groups) if not one.endswith("= takes_back")]

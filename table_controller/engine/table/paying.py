"""A settlement that is paid line by line, and its inputs (Z-26, ZP-14, PB-14)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, TypeVar

from msgspec.structs import replace

from table_controller.engine.messages import OutOfTurn, Phrase, Told, phrase
from table_controller.engine.table.events import PaymentMade
from table_controller.engine.table.inputs import Paid, Ticked
from table_controller.engine.table.offers import Offers, offer


class Line(Protocol):
    """One payment, a frozen struct."""

    @property
    def done(self) -> bool:
        """Whether the line is collected or paid."""


L = TypeVar("L", bound=Line)


def ticked(lines: tuple[L, ...], said: Ticked, rule: str) -> tuple[tuple[L, ...], Told]:
    """The lines, with one more marked as done.

    Raises OutOfTurn, citing `rule`, for a line that is not open.
    """
    if not 0 <= said.line < len(lines) or lines[said.line].done:
        raise OutOfTurn(
            phrase("There is no open payment {line} in this list.", line=said.line + 1),
            phrase("Tick a line that is not ticked yet."),
            rule,
        )
    done = replace(lines[said.line], done=True)  # type: ignore[type-var]
    return (*lines[: said.line], done, *lines[said.line + 1 :]), (PaymentMade(line=said.line),)


def offers(lines: Iterable[Line], label: Phrase, *, hold: bool = True) -> Offers:
    """One offer for all of it, called `label`, and one offer next to each open line."""
    offered = offer(Paid, label, hold=hold)
    for line, payment in enumerate(lines):
        if not payment.done:
            text = phrase("line {line} paid", line=line + 1)
            offered += offer(Ticked, text, group="payment", line=line)
    return offered

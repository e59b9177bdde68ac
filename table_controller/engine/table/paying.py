"""A settlement that the croupier pays line by line, and its inputs (Z-26, ZP-14, PB-14)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, TypeVar

from msgspec.structs import replace

from table_controller.engine.messages import OutOfTurn, Phrase, Told, phrase
from table_controller.engine.table.events import PaymentMade
from table_controller.engine.table.inputs import Paid, Ticked
from table_controller.engine.table.offers import Offers, offer


class Line(Protocol):
    """One line of the settlement, a frozen struct."""

    @property
    def done(self) -> bool:
        """Whether the line was collected or paid."""


L = TypeVar("L", bound=Line)


def ticked(lines: tuple[L, ...], said: Ticked, rule: str) -> tuple[tuple[L, ...], Told]:
    """The lines after the line in `said` was marked as done, and the events.

    Raises OutOfTurn, which cites `rule`, if the line does not exist or is done already.
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
    """One offer to settle all lines at once, called `label`, and one offer for each open line."""
    offered = offer(Paid, label, hold=hold)
    for line, payment in enumerate(lines):
        if not payment.done:
            text = phrase("line {line} paid", line=line + 1)
            offered += offer(Ticked, text, group="payment", line=line)
    return offered

"""A supervisor's repairs: chips moved, a ruling noted, a reading corrected (R-20, Z-27)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from table_controller.engine.alerts import Alert
from table_controller.engine.messages import AgainstRules, Severity, phrase
from table_controller.engine.shoe import Dealt, leaving, restored
from table_controller.engine.table.events import Moved, RulingNoted
from table_controller.engine.table.felt import Change, Felt, calmed, closed, pay
from table_controller.engine.table.inputs import Corrects, Ruled, Transfers
from table_controller.engine.table.seating import money_lies, present
from table_controller.rules.money import Chips

#: The alert for a count that does not add up. Nothing may show it earlier, since the cards are
#: closed (R-17).
MISCOUNTED: Final = Alert(
    "schlitten-miscounted",
    "schlitten_miscounted",
    Severity.STOP,
    phrase("More of a card left the Schlitten than it can have held."),
    phrase("Keep its packs apart and count them; then a supervisor notes a ruling."),
)


def transfers(felt: Felt, said: Transfers) -> Change:
    """The felt after a supervisor moved chips between two places.

    Place 0 is the cagnotte (R-20, Z-27).
    """
    with_reason(said.reason)
    if said.chips < 1 or said.seat == said.to:
        raise AgainstRules(
            phrase("{chips} cannot be moved like that.", chips=said.chips),
            phrase("Name 1 or more, and two places; 0 is the cagnotte."),
            "R-16",
        )
    if said.seat:
        money_lies(felt, said.seat, said.chips)
    elif said.chips > felt.cagnotte:
        raise AgainstRules(
            phrase("The cagnotte holds {chips}.", chips=felt.cagnotte),
            phrase("Name no more than that."),
            "R-16",
        )
    if said.to:
        present(felt, said.to)
    for seat, chips in ((said.seat, -said.chips), (said.to, said.chips)):
        if seat:
            felt = pay(felt, seat, chips)
        else:
            felt = replace(felt, cagnotte=Chips(felt.cagnotte + chips))
    told = Moved(seat=said.seat, to=said.to, chips=said.chips, reason=said.reason)
    return felt, (told,)


def ruled(felt: Felt, said: Ruled) -> Change:
    """The felt after a supervisor's ruling where the rules say nothing. The reason is noted (Z-27).

    The ruling also settles a Schlitten whose count does not add up (R-35).
    """
    with_reason(said.reason)
    felt, told = calmed(felt, MISCOUNTED.id)
    return felt, (RulingNoted(reason=said.reason), *told)


def corrected(felt: Felt, said: Corrects, old: Dealt, lying: Iterable[Dealt]) -> tuple[Felt, Dealt]:
    """The felt with the corrected count, and the corrected card, which needs its own promise.

    `old` is the misread card, which the count no longer contains. `lying` are the coup's closed
    cards. If the new reading contradicts closed cards, this shows only when the Schlitten is
    counted (R-17).
    """
    rest = [card for card in closed(felt, lying) if card.ordinal != old.ordinal]
    shoe = leaving(restored(felt.shoe, old), said.card, 0, lambda: rest) if felt.shoe else None
    if shoe is None:
        raise AgainstRules(
            phrase("The Schlitten cannot have held one more of that card."),
            phrase("Look at the card again."),
            "R-20",
        )
    return replace(felt, shoe=shoe), Dealt(old.ordinal, said.card, 0, old.attempt + 1, felt.boot)


def with_reason(reason: str) -> None:
    """Raise AgainstRules if the supervisor's reason is blank. Source: R-20."""
    if not reason.strip():
        raise AgainstRules(
            phrase("A supervisor's word needs its reason."),
            phrase("Say it in a few words; the journal keeps it."),
            "R-20",
        )

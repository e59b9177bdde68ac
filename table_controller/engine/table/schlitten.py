"""The Schlitten at any table: how it is loaded, closed, counted or thrown away, and its cards.

The module counts cards. It does not use a card's value, nor does it know whose card it is.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from table_controller.engine.alerts import is_open
from table_controller.engine.messages import AgainstRules, Input, OutOfTurn, Severity, phrase
from table_controller.engine.shoe import Dealt, Shoe, remaining
from table_controller.engine.table.devices import CUT_CARD
from table_controller.engine.table.events import (
    ReadingNoted,
    SchlittenCounted,
    SchlittenReady,
    SchlittenWithdrawn,
)
from table_controller.engine.table.felt import Change, Felt, aside, calmed, warned
from table_controller.engine.table.inputs import (
    Prepared,
    ReadingCounted,
    Ruled,
    SchlittenClosed,
    SchlittenLoaded,
)
from table_controller.engine.table.promises import opened
from table_controller.engine.table.repairs import MISCOUNTED
from table_controller.engine.table.white import WHITE, WHITE_MISSED

#: The steps of ZP-4, in order.
PREPARING = ("face_up", "face_down", "carte_passe", "mixed_again", "cut", "white_card")


class NoSchlitten(Struct, frozen=True, gc=False, tag=True):
    """The table waits for a loaded Schlitten.

    `done` is the number of finished steps of `PREPARING`.
    """

    done: int = 0


def prepared(phase: NoSchlitten, _said: Prepared) -> NoSchlitten:
    """The phase after one step of mixing, cutting and loading (ZP-4).

    Raises OutOfTurn if all steps are done.
    """
    if phase.done == len(PREPARING):
        raise OutOfTurn(
            phrase("The cards are mixed and cut."), phrase("Load the Schlitten."), "ZP-4"
        )
    return NoSchlitten(phase.done + 1)


def load(felt: Felt) -> Input:
    """The input that the table waits for: a loaded Schlitten, or a ruling on the last Schlitten."""
    if miscounted(felt):
        return Ruled(reason="counted anew")
    return SchlittenLoaded(shoe=f"schlitten-{felt.number + 1}")


def loaded(felt: Felt, said: SchlittenLoaded, *, pack: int = 52) -> Change:
    """The felt after a Schlitten was loaded. `pack` is the number of cards in a pack (ZP-4).

    Raises OutOfTurn if the last Schlitten still needs a ruling.
    """
    if miscounted(felt):
        raise OutOfTurn(MISCOUNTED.what, MISCOUNTED.remedy, "R-35")
    house, number = felt.house, felt.number + 1
    shoe = Shoe(said.shoe, house.packs, pack=pack)
    felt = replace(felt, shoe=shoe, number=number, back=())
    felt = replace(felt, last_coup=0, first_coup=felt.coups + 1)
    ready = SchlittenReady(shoe=said.shoe, number=number, cards=shoe.cards, white_at=house.white_at)
    return felt, (ready,)


def reading_counted(felt: Felt, said: ReadingCounted) -> Change:
    """Note how well the cards of the closed Schlitten were read.

    None of them is in play any longer.
    """
    figures = {name: getattr(said, name) for name in ReadingNoted.__struct_fields__}
    return felt, (ReadingNoted(**figures),)


def closed(felt: Felt, _said: SchlittenClosed) -> Change:
    """The felt after the Schlitten was emptied and counted.

    Cards that were still closed are revealed. Source: R-35.
    """
    shoe = felt.shoe
    if shoe is None:
        raise OutOfTurn(
            phrase("No Schlitten is loaded."), phrase("Load one; there is nothing to close.")
        )
    revealed = opened(felt, 0, (*felt.hidden, *felt.kept))
    counted = SchlittenCounted(
        shoe=shoe.id,
        coups=felt.coups - felt.first_coup + 1,
        remaining={card.value: count for card, count in remaining(shoe).items()},
    )
    felt, told = calmed(felt, WHITE_MISSED, *CUT_CARD)
    felt, more = taken_apart(replace(felt, hidden=(), kept=()))
    return felt, (*revealed, *told, counted, *more)


def taken_apart(felt: Felt) -> Change:
    """The felt without the Schlitten. An alert is open if a card was read too often.

    Source: R-20, R-35.
    """
    over, felt = felt.shoe is not None and felt.shoe.over, replace(felt, shoe=None)
    return warned(felt, MISCOUNTED) if over else (felt, ())


def miscounted(felt: Felt) -> bool:
    """Whether the last Schlitten's count did not add up and no supervisor has ruled on it yet."""
    return is_open(felt.alerts, MISCOUNTED.id)


def withdrawn(felt: Felt) -> Change:
    """The felt after a restore. The Schlitten goes out of play uncounted and unrevealed (R-54)."""
    shoe = felt.shoe
    felt, told = calmed(felt, WHITE, WHITE_MISSED, *CUT_CARD, JOURNAL)
    if shoe is None:
        return felt, told
    felt = replace(felt, shoe=None, hidden=(), kept=(), last_coup=0)
    return felt, (*told, SchlittenWithdrawn(shoe=shoe.id))


#: The alert for a journal that contains less than the table has published.
JOURNAL: Final = "device-journal"
#: The reason why a coup is then annulled.
RESTORED: Final = "restored"


def gathered(felt: Felt, *, but: str = "") -> Change:
    """Clear every alert that stops the table, except the alert `but`. Returns the felt.

    The stops end too, and the cards laid aside become hidden.
    """
    stops = (one.id for one in felt.alerts if one.severity is Severity.STOP and one.id != but)
    felt, told = calmed(felt, *stops)
    return replace(felt, hidden=(*felt.hidden, *aside(felt)), stops=()), told


# The number of cards in the box, and whether they suffice for a coup.


def in_box(felt: Felt) -> int:
    """The number of cards that are left for the next coup.

    Cards kept by Z-13 count as if they were in the Schlitten (R-6).
    """
    return (felt.shoe.left if felt.shoe else 0) + len(felt.kept)


def since(felt: Felt, dealt: Dealt) -> int:
    """How many cards have left the Schlitten from this card on, including this card."""
    return felt.shoe.ordinal - dealt.ordinal + 1 if felt.shoe else 0


def short(felt: Felt, *, drawn: int = 0) -> bool:
    """Whether too few cards are left to begin a coup (Z-24, R-6, R-37).

    `drawn` cards have already left the Schlitten and would belong to this coup.
    """
    return in_box(felt) + drawn < felt.house.white_at


def ended(felt: Felt, *, drawn: int = 0) -> bool:
    """Whether the Schlitten allows no further coup after the current one (R-6).

    `drawn` cards have already left the Schlitten and would be the first of the further coup.
    """
    played = 0 < felt.last_coup <= felt.coups
    return played or short(felt, drawn=drawn)


def enough_cards(felt: Felt) -> None:
    """Raise AgainstRules if too few cards are left to begin a coup. Source: R-6, Z-24, R-37."""
    if short(felt):
        raise AgainstRules(
            phrase("The Schlitten holds fewer than {least} cards.", least=felt.house.white_at),
            phrase("Close it and load the next one; then the coup can be played."),
            "R-6",
        )

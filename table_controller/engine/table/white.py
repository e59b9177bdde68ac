"""The white card. Lip, sensor and count check one another, and a person decides (R-6, R-52)."""

from __future__ import annotations

from msgspec.structs import replace

from table_controller.engine.alerts import Alert, is_open
from table_controller.engine.messages import AgainstRules, OutOfTurn, Severity, phrase
from table_controller.engine.shoe import Shoe
from table_controller.engine.table import devices
from table_controller.engine.table.events import LastCoup, WhiteCardOut
from table_controller.engine.table.felt import (
    Change,
    Felt,
    calmed,
    disputed,
    released,
    stopped,
    warned,
)
from table_controller.engine.table.inputs import WhiteRuled, WhiteRuling
from table_controller.engine.table.stops import WhiteDisputed

#: The alerts for a white card that the count did not expect, and for a missing one (R-6).
WHITE, WHITE_MISSED = "white-card", "white-missed"


def white_card(felt: Felt, shoe: Shoe, *, coup: bool | None) -> Change:
    """The felt after the white card came out.

    If the count agrees, the last coup is known; if not, the croupier must rule (R-6). Raises
    AgainstRules if the house uses no white card, or if it came out before.
    """
    if not felt.house.white_at:
        raise AgainstRules(
            phrase("A white card passed the lip, and this house uses none."),
            phrase("Lay it aside; the count goes on."),
            "R-6",
        )
    if shoe.white_out is not None:
        raise AgainstRules(
            phrase("A white card passed the lip, and it had come out before."),
            phrase("Lay it aside; the count goes on."),
            "R-6",
        )
    left, want = shoe.left, felt.house.white_at
    felt, told = calmed(felt, WHITE_MISSED)
    felt, more = devices.cut_compared(replace(felt, shoe=replace(shoe, white_out=left)))
    told = (WhiteCardOut(left=left), *told, *more)
    if left == want:
        felt, more = last_coup(felt, coup=coup)
        return felt, (*told, *more)
    alert = Alert(
        WHITE,
        "white_card_disputed",
        Severity.STOP,
        phrase(
            "The white card came out with {left} cards left by the count; it lies before {want}.",
            left=left,
            want=want,
        ),
        phrase("Decide: last coup, play on, or annul a coup that began with too few cards."),
    )
    felt, more = warned(felt, alert)
    return stopped(felt, WhiteDisputed(left)), (*told, *more)


def last_coup(felt: Felt, *, coup: bool | None, came_in: int = 0) -> Change:
    """Announce the last coup: the present coup if one is under way, otherwise the next (R-6, ZP-4).

    `coup` says whether a coup is under way; None means that the game itself decides which coup is
    the last. `came_in` is 0, or the number of a coup that is over: the white card came out in that
    coup, so that coup was the last.
    """
    if coup is None:
        return felt, ()
    number = came_in or (felt.coups if coup else felt.coups + 1)
    return replace(felt, last_coup=number), (LastCoup(coup=number),)


def white_ruled(felt: Felt, stop: WhiteDisputed, said: WhiteRuled, *, coup: bool | None) -> Change:
    """The felt after the croupier's ruling on the white card. He decides, not the count (R-6).

    If the ruling is to annul the coup, the game itself does so afterwards. Raises AgainstRules for
    this ruling if no coup is under way.
    """
    felt, told = calmed(released(felt), WHITE)
    match said.ruling:
        case WhiteRuling.PLAY_ON:  # it was not the real one, which is yet to come.
            felt, more = calmed(felt, *devices.CUT_CARD)
            if felt.shoe:
                felt = replace(felt, shoe=replace(felt.shoe, white_out=None, cut_sensed=None))
            return felt, (*told, *more)
        case WhiteRuling.LAST_COUP:
            felt, more = last_coup(felt, coup=coup, came_in=stop.coup)
            return felt, (*told, *more)
        case WhiteRuling.ANNUL if not coup:
            raise AgainstRules(
                phrase("No coup is under way that could be annulled."),
                phrase("Decide between last coup and play on."),
                "Z-24",
            )
    return replace(felt, last_coup=felt.coups), told


def white_first(felt: Felt) -> None:
    """Raise OutOfTurn while a white card waits for the croupier's ruling. Source: R-6."""
    if disputed(felt):
        raise OutOfTurn(
            phrase("The white card came out where the count does not expect it."),
            phrase("Say first what the last card was, then what the white card means."),
            "R-6",
        )


def white_missed(felt: Felt) -> Change:
    """Raise an alert: so few cards are left that the white card must have left unseen (R-6)."""
    if felt.shoe is None or is_open(felt.alerts, WHITE_MISSED):
        return felt, ()
    alert = Alert(
        WHITE_MISSED,
        "white_card_missed",
        Severity.WARNING,
        phrase(
            "{left} cards are left by the count, and the white card, before {want}, was not seen.",
            left=felt.shoe.left,
            want=felt.house.white_at,
        ),
        phrase("Look for it: after this coup the Schlitten is over by the count."),
    )
    return warned(felt, alert)

"""The prompts of any table: mixed cards, a stray, an unread card, the white card, a device.

Each prompt has a sentence, a reason, and the rule's id. None depends on a closed card (R-17).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from table_controller.engine.messages import Phrase, phrase
from table_controller.engine.table import devices
from table_controller.engine.table.felt import Felt, Stray, Unread, WhiteDisputed, first
from table_controller.engine.table.repairs import MISCOUNTED
from table_controller.engine.table.schlitten import PREPARING, NoSchlitten, in_box, miscounted

SILENT: Final = Phrase("")

#: The news, the request in one sentence, its reason, the rule behind it, and who is to act.
Asked = tuple[Phrase, Phrase, Phrase, str, tuple[int, ...]]

#: The steps of ZP-4, in the croupier's words.
_PREPARE = {
    "face_up": phrase("Mix all the cards, face up"),
    "face_down": phrase("Now face down: mach Salat"),
    "carte_passe": phrase('"Carte passe": the players mix once more'),
    "mixed_again": phrase("Mix again, then hand the cards to the cutter"),
    "cut": phrase("The cutter cuts with the white card"),
    "white_card": phrase("Lift off, count seven from the bottom, put in the white card"),
}


def load(felt: Felt) -> Phrase:
    """The request to load the next Schlitten, or to rule on the wrong count of the last (R-35)."""
    return MISCOUNTED.what if miscounted(felt) else phrase("Load the Schlitten")


def no_schlitten(felt: Felt, phase: NoSchlitten) -> Asked:
    """The prompt for a step of mixing and cutting, or at last for a loaded Schlitten (ZP-4)."""
    mixing = phase.done < len(PREPARING)
    ask = _PREPARE[PREPARING[phase.done]] if mixing else load(felt)
    n = felt.house.white_at
    why = phrase("To be mixed and cut, with the white card {n} from the end.", n=n)
    news = SILENT
    if felt.number and not phase.done:
        news = phrase(
            "Schlitten {n} is closed and counted. Coups: {count}.",
            n=felt.number,
            count=_coups(felt),
        )
    return news, ask, why, "ZP-4", ()


def _coups(felt: Felt) -> int:
    """The number of coups of the current Schlitten, or of the one just closed."""
    return felt.coups - felt.first_coup + 1


def over(felt: Felt) -> Asked:
    """The prompt when no further coup is dealt from this Schlitten (R-6)."""
    left, want = in_box(felt), felt.house.white_at
    why = phrase("The last coup was played.")
    if left < want:
        why = phrase(
            "By the count {left} cards are left; a coup needs {want}.", left=left, want=want
        )
    news = phrase("The Schlitten is over. Coups: {count}.", count=_coups(felt))
    return news, phrase("Close and count the Schlitten"), why, "R-6", ()


def held(felt: Felt, *, begins: bool) -> Asked | None:
    """The prompt for a device's fault that the table waits for; None if there is none.

    Some faults stop the table at any time. Others stop it only if `begins`, that is, if the table
    waits for a coup to begin. Source: R-51, R-53, R-56.
    """
    if not felt.alerts:
        return None
    if devices.stopped(felt.alerts):
        why = phrase("Cards may have been seen or moved.")
        return devices.OPENED, devices.RULE, why, "R-51", ()
    if begins and devices.waiting(felt.alerts):
        news, ask, rule = devices.why_none(felt.alerts)
        return news, ask, SILENT, rule, ()
    return None


def stopped(felt: Felt, *, coup: bool) -> Asked | None:
    """The prompt for the first stop, if it is the same at every table; otherwise None.

    `coup` says whether a coup is under way, which can be annulled.
    """
    stop = first(felt)
    if isinstance(stop, WhiteDisputed):
        return _white_disputed(felt, stop, coup=coup)
    asks = _STOPPED.get(type(stop))
    return asks(felt, stop) if asks else None


def unread(_felt: Felt, stop: Unread) -> Asked:
    """The prompt for a card that could not be read (R-13)."""
    second = stop.named is not None
    return (
        phrase("The two entries differ: both begin again.")
        if stop.differ
        else phrase("A card left and could not be read for certain."),
        phrase("A second person enters the card, unseen")
        if second
        else phrase("Show the card to the camera again"),
        phrase("The two entries are compared and never shown.")
        if second
        else phrase("Or two people each enter it, without seeing the other's entry."),
        "R-13",
        (),
    )


def _stray(_felt: Felt, _stop: Stray) -> Asked:
    return (
        phrase("A card left the Schlitten and none was due."),
        phrase("Is the card still closed?"),
        phrase("Closed, it is the next deal's first card; uncovered, it is burned."),
        "Z-13",
        (),
    )


def _white_disputed(felt: Felt, stop: WhiteDisputed, *, coup: bool) -> Asked:
    return (
        phrase("The white card came out."),
        phrase("Last coup, play on, or annul?") if coup else phrase("Last coup, or play on?"),
        phrase(
            "By the count {left} cards are left; the white card lies before {want}.",
            left=stop.left,
            want=felt.house.white_at,
        ),
        "R-6",
        (),
    )


_STOPPED: dict[type, Callable[[Felt, Any], Asked]] = {
    Unread: unread,
    Stray: _stray,
}

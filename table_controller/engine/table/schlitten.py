"""The Schlitten at any table: loaded, closed, counted or thrown away; its cards, its white card."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from table_controller.engine.alerts import Alert, is_open
from table_controller.engine.messages import AgainstRules, Event, Input, OutOfTurn, Severity, phrase
from table_controller.engine.promises import nonce, promise
from table_controller.engine.shoe import Dealt, Shoe, remaining
from table_controller.engine.table import devices
from table_controller.engine.table.devices import CUT_CARD
from table_controller.engine.table.events import (
    CardDrawn,
    CardIdentified,
    CardOpened,
    LastCoup,
    ReadingNoted,
    SchlittenCounted,
    SchlittenReady,
    SchlittenWithdrawn,
    WhiteCardOut,
)
from table_controller.engine.table.felt import (
    Change,
    Felt,
    WhiteDisputed,
    aside,
    calmed,
    disputed,
    released,
    stopped,
    warned,
)
from table_controller.engine.table.inputs import (
    Prepared,
    ReadingCounted,
    Ruled,
    SchlittenClosed,
    SchlittenLoaded,
    WhiteRuled,
    WhiteRuling,
)
from table_controller.engine.table.repairs import MISCOUNTED

# ---- The white card

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


# ---- The events about cards: the promise when a card leaves, and the proof when the card opens


def _nonce(felt: Felt, dealt: Dealt) -> bytes:
    return nonce(felt.key, felt.shoe.id if felt.shoe else "", felt.number, dealt)


def drawn(felt: Felt, seat: int, dealt: Dealt) -> tuple[Event, ...]:
    """The events when a closed card is dealt to the place `seat` (0: laid aside)."""
    ordinal, card = dealt.ordinal, dealt.card
    made = promise(_nonce(felt, dealt), card)
    return (
        CardDrawn(seat=seat, ordinal=ordinal, commitment=made),
        CardIdentified(ordinal=ordinal, card=card, attempt=dealt.attempt),
    )


def laid_open(felt: Felt, seat: int, dealt: Dealt) -> tuple[Event, ...]:
    """The events when a card is dealt face up to the place `seat`: its promise and its proof."""
    secret, ordinal, card = _nonce(felt, dealt), dealt.ordinal, dealt.card
    return (
        CardDrawn(seat=seat, ordinal=ordinal, commitment=promise(secret, card)),
        CardIdentified(ordinal=ordinal, card=card, attempt=dealt.attempt),
        CardOpened(seat=seat, ordinal=ordinal, card=card, nonce=secret.hex()),
    )


def opened(felt: Felt, seat: int, cards: Iterable[Dealt]) -> tuple[Event, ...]:
    """The events when each of these cards, at the place `seat`, is turned face up."""
    return tuple([_proven(felt, seat, dealt) for dealt in cards])


def _proven(felt: Felt, seat: int, dealt: Dealt) -> Event:
    proof = _nonce(felt, dealt).hex()
    return CardOpened(seat=seat, ordinal=dealt.ordinal, card=dealt.card, nonce=proof)


# ---- The Schlitten at any table: how it is loaded, closed, counted or thrown away, and its cards

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

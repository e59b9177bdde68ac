"""Mishaps, and the rulings on them (PB-20 to PB-27).

The table announces and pays nothing until somebody has ruled. Rulings depend on open hands only
(PR-3), and no text names a closed card.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from table_controller.engine.alerts import Alert, is_open
from table_controller.engine.messages import AgainstRules, OutOfTurn, Phrase, Severity, Told, phrase
from table_controller.engine.punto_banco import state as s
from table_controller.engine.punto_banco.events import PLACES
from table_controller.engine.punto_banco.inputs import PutRight, Side
from table_controller.engine.punto_banco.play import annul, burned_one, lacking
from table_controller.engine.punto_banco.settle import ruling
from table_controller.engine.seen import Unknown
from table_controller.engine.shoe import Dealt
from table_controller.engine.table import cards, schlitten
from table_controller.engine.table.events import (
    CardCorrected,
    CardMoved,
    CardRemoved,
    Misdeal,
    MisdealMended,
)
from table_controller.engine.table.felt import (
    MisdealDue,
    Stray,
    Unread,
    WhiteDisputed,
    after,
    calmed,
    on,
    released,
    stopped,
    warned,
)
from table_controller.engine.table.inputs import (
    Annulled,
    Corrects,
    Misdealt,
    StrayRuled,
    StrayRuling,
    UnreadBurned,
    WhiteRuled,
)
from table_controller.engine.table.repairs import corrected, with_reason
from table_controller.engine.table.schlitten import drawn, opened
from table_controller.rules.points import points

#: Readings after which the Schlitten is withdrawn once its coup is over (PB-27).
ALIEN = frozenset({Unknown.FOREIGN, Unknown.DUPLICATE, Unknown.OTHER_SHOE})
MISDEAL = "misdeal"
RUN_OUT = "cards-run-out"
_NONE_LEFT = Alert(
    RUN_OUT,
    "cards_run_out",
    Severity.STOP,
    phrase("A card is due, and none is left."),
    phrase("Stakes go back, and the Schlitten is over."),
)


# A card too many (PB-20, PB-21), and a card found face up (PB-23)


def rulings(table: s.Table) -> tuple[StrayRuling, ...]:
    """The rulings that this house allows on a card that left when none was due."""
    unseen = StrayRuling.KEPT if table.house.extra_card == "kept" else StrayRuling.BURNED
    return tuple(dict.fromkeys((unseen, StrayRuling.BURNED, StrayRuling.FACE_UP, StrayRuling.BACK)))


def stray_ruled(table: s.Table, stop: Stray, said: StrayRuled) -> s.Step:
    """The croupier rules on a stray (PB-20, PB-21, PB-23).

    If nobody has seen the card, it is kept as the next card or burned, as the house says; otherwise
    it is burned. Raises AgainstRules for a ruling that this house does not allow.
    """
    with_reason(said.reason)
    if said.ruling not in rulings(table):
        raise AgainstRules(
            phrase("This house rules otherwise."),
            phrase("Choose one of the rulings that are offered."),
            "PB-21",
        )
    rule = "PB-23" if said.ruling is StrayRuling.FACE_UP else "PB-21"
    felt, told = cards.stray_ruled(table.felt, stop, said)
    told = (*told, ruling(table, rule, said.actor, said.reason))
    return after(table, felt), told


def last_card(table: s.Table) -> Dealt | None:
    """The last card dealt in this coup, which may have been face up in the pack (PB-23).

    None if the card was dealt closed and opened later (PB-15).
    """
    phase = table.phase
    if not isinstance(phase, s.Lying) or not phase.player:
        return None
    last = s.in_order(phase)[-1]
    squeezed = table.house.dealing == "squeezed"
    return None if squeezed and last.ordinal not in s.closed_cards(phase, squeezed=True) else last


def face_up(table: s.Table, _phase: s.Awaited, said: StrayRuled) -> s.Step:
    """The card that was just dealt was face up in the pack (PB-23).

    The card is burned, and the next card replaces it. In some houses the coup is void instead.
    """
    with_reason(said.reason)
    last = last_card(table)
    if said.ruling is not StrayRuling.FACE_UP or last is None:
        raise OutOfTurn(
            phrase("No card that was laid aside waits for a ruling."),
            phrase("Only the card that was dealt last can have lain face up."),
            "PB-23",
        )
    deal = s.lying(table)
    told: Told = () if _bare(table, last) else opened(table.felt, 0, (last,))
    told += (
        CardRemoved(ordinal=last.ordinal, ruling=said.ruling),
        ruling(table, "PB-23", said.actor, said.reason),
    )
    if table.house.face_up == "void":
        table, more = annul(table, "PB-23")
        return table, (*told, *more)
    left = [card for card in s.in_order(deal) if card != last] if deal else []
    table, more = _redealt(table, left)
    return table, (*told, *more)


def _bare(table: s.Table, dealt: Dealt) -> bool:
    """Whether the card `dealt`, which belongs to the coup, is open."""
    deal, squeezed = s.lying(table), table.house.dealing == "squeezed"
    return deal is not None and dealt.ordinal not in s.closed_cards(deal, squeezed=squeezed)


def _redealt(table: s.Table, left: list[Dealt]) -> s.Step:
    """Deal the coup again with the cards `left`, in the order in which they left the Schlitten.

    A card that is no longer due is burned if somebody has seen it. A closed card is kept for the
    next coup or burned, as the house says (PB-20, PB-21).
    """
    deal = s.lying(table)
    now: s.Deal = s.Dealing(deal.number if deal else 0)
    closed = s.closed_cards(deal, squeezed=table.house.dealing == "squeezed") if deal else set()
    told: Told = ()
    removed: Told = ()
    for card in left:
        if type(now) in s.LAY:
            now, told = s.lay(now, card, closed=card.ordinal in closed)
            continue
        table, more = _too_many(table, card, closed=card.ordinal in closed)
        removed += more
    if isinstance(deal, s.Dealing | s.ToOpen) and isinstance(now, s.Dealing):
        now = replace(now, shown=deal.shown)
    if closed and isinstance(now, s.Dealing | s.ToOpen):
        told = ()
    return s.at(table, now), (*removed, *_moved(deal, now), *told)


def _moved(before: s.Lying | None, now: s.Lying) -> Told:
    """An event for each card that lies in the other hand now (PB-20, R-20)."""
    was, is_ = (_sides(before) if before else {}), _sides(now)
    return tuple(
        CardMoved(ordinal=ordinal, seat=PLACES[side])
        for ordinal, side in is_.items()
        if was.get(ordinal, side) is not side
    )


def _sides(deal: s.Lying) -> dict[int, Side]:
    hands = ((Side.PLAYER, deal.player), (Side.BANKER, deal.banker))
    return {dealt.ordinal: side for side, hand in hands for dealt in hand}


def _too_many(table: s.Table, card: Dealt, *, closed: bool) -> s.Step:
    """Take a card that is no longer due out of the coup: keep it for the next coup, or burn it."""
    felt = table.felt
    if closed and table.house.extra_card == "kept":
        told: Told = (CardRemoved(ordinal=card.ordinal, ruling=StrayRuling.KEPT),)
        return on(table, replace(felt, kept=(*felt.kept, card))), told
    told = (CardRemoved(ordinal=card.ordinal, ruling=StrayRuling.BURNED),)
    return table, (*opened(felt, 0, (card,)), *told) if closed else told


# Dealt to the wrong hand (PB-24)


def misdealt(table: s.Table, _phase: s.Awaited, _said: Misdealt) -> s.Step:
    """Cards were dealt to the wrong hand. The table stops until they are put right (PB-24)."""
    if not s.under_way(table):
        raise OutOfTurn(phrase("No card lies in a hand."), phrase("Deal the first card."), "PB-24")
    alert = Alert(
        MISDEAL,
        "misdeal",
        Severity.STOP,
        phrase("Cards were laid to the wrong hand."),
        phrase("Put them right by the order in which they came, or void the coup."),
    )
    felt, told = warned(table.felt, alert)
    return after(table, stopped(felt, MisdealDue())), (Misdeal(), *told)


def put_right(table: s.Table, _phase: MisdealDue, said: PutRight) -> s.Step:
    """The croupier puts each card where it belongs, because the order is known (PB-24).

    Raises AgainstRules if the coup is void in this house.
    """
    with_reason(said.reason)
    if table.house.wrong_hand == "void":
        void = phrase("In this house the coup is void.")
        raise AgainstRules(void, phrase("Annul the coup"), "PB-24")
    felt, told = calmed(released(table.felt), MISDEAL)
    ruled = ruling(table, "PB-24", said.actor, said.reason)
    return after(table, felt), (MisdealMended(), ruled, *told)


# Void coups (PB-24, PB-25), and whether the Schlitten may go on (PB-27)


#: What is due while such a card waits and no coup is under way.
_DUE_FIRST: Final = {
    Unread: phrase("Show the card again, have two people enter it, or say that none left."),
    Stray: phrase("Say whether it is closed or uncovered."),
}


def due_instead(phase: s.Awaited) -> Phrase:
    """What is to be done if no coup is under way that could be annulled."""
    return _DUE_FIRST.get(type(phase), phrase("Deal the first card."))


def annulled(table: s.Table, phase: s.Awaited, said: Annulled) -> s.Step:
    """A person declares the coup void, with a reason (PB-24, PB-25)."""
    with_reason(said.reason)
    schlitten.white_first(table.felt)
    if not s.under_way(table):
        raise AgainstRules(
            phrase("No coup is under way that could be annulled."),
            due_instead(phase),
            "PB-25",
        )
    rule = "PB-24" if isinstance(phase, MisdealDue) else "PB-25"
    told: Told = (ruling(table, rule, said.actor, said.reason),)
    table, more = annul(table, said.reason)
    return table, (*more, *told)


def run_out(table: s.Table) -> s.Step:
    """Open an alert if a card is due and none is left; otherwise clear this alert.

    Source: PB-25.
    """
    if not lacking(table):
        felt, told = calmed(table.felt, RUN_OUT)
    elif is_open(table.felt.alerts, RUN_OUT):
        return table, ()
    else:
        felt, told = warned(table.felt, _NONE_LEFT)
    return (on(table, felt), told) if told else (table, ())


def white_annuls(table: s.Table, stop: WhiteDisputed, said: WhiteRuled) -> s.Step:
    """The croupier rules on the white card that the coup began with too few cards (R-6, PB-25).

    The coup is annulled.
    """
    felt, told = schlitten.white_ruled(table.felt, stop, said, coup=s.under_way(table))
    table, more = annul(on(table, felt), "PB-25")
    return table, (*told, *more)


def alien(before: s.Table, table: s.Table) -> s.Table:
    """The table after a foreign or doubled card, which ends the Schlitten after the coup (PB-27).

    Nobody learns this before the end of the coup. Otherwise anybody who counts the cards could find
    out which card is doubled (R-13).
    """
    stops = table.felt.stops
    if stops is before.felt.stops or table.house.foreign != "withdrawn":
        return table
    found = any(isinstance(stop, Unread) and stop.reason in ALIEN for stop in stops)
    return replace(table, withdraw=True) if found and not table.withdraw else table


def unread_burned(table: s.Table, stop: Unread, said: UnreadBurned) -> s.Step:
    """An unread card, which nobody may look at, is burned before a coup's first card (R-59).

    During the burn it counts as one of the burned cards. If it is the first card of the Schlitten,
    the next card is turned instead (PB-2).
    """
    felt, told = cards.unread_burned(table.felt, stop, said, coup=s.cards_lie(table))
    told = (*told, ruling(table, "R-59", said.actor, said.reason))
    if isinstance(table.phase, s.Burning):
        phase = burned_one(table.phase) if table.phase.left else table.phase
        table = replace(table, phase=phase, done=None)
    return after(table, felt), told


# A misread card (R-20, PB-26)


def correctable(table: s.Table) -> tuple[tuple[Side, int, Dealt], ...]:
    """The cards of the coup that may be corrected: side, number in the hand, and card.

    There are none once the table has agreed.
    """
    deal = table.phase
    if table.felt.stops or not isinstance(deal, s.Lying):
        return ()
    hands = ((Side.PLAYER, deal.player), (Side.BANKER, deal.banker))
    return tuple(
        (side, number, dealt) for side, hand in hands for number, dealt in enumerate(hand, 1)
    )


def corrects(table: s.Table, _phase: s.Awaited, said: Corrects) -> s.Step:
    """A supervisor corrects a misread card.

    The coup is dealt again from its cards (R-20, PB-26).
    """
    found = {dealt.ordinal: (side, dealt) for side, _, dealt in correctable(table)}
    if said.ordinal not in found:
        raise OutOfTurn(
            phrase("Card {ordinal} does not lie on the table.", ordinal=said.ordinal),
            phrase("Name a card of the present coup by its number."),
            "R-20",
        )
    with_reason(said.reason)
    side, old = found[said.ordinal]
    felt, new = corrected(table.felt, said, old, s.closed_of(table))
    place = PLACES[side]
    told: Told = (CardCorrected(ordinal=new.ordinal, attempt=new.attempt),)
    told += drawn(felt, place, new)
    if _bare(table, old):
        told += opened(felt, place, (new,))
    told += (ruling(table, "PB-26", said.actor, said.reason),)
    table = on(table, felt)
    deal = table.phase
    if isinstance(deal, s.ToOpen):
        return _replaced(table, deal, old, new, told)
    table, more = _redealt(table, [new if card == old else card for card in s.in_order(deal)])  # type: ignore[arg-type]
    return table, (*told, *more)


def _replaced(table: s.Table, deal: s.Lying, old: Dealt, new: Dealt, told: Told) -> s.Step:
    """The table with the card `old` replaced by `new` while a first hand is closed (PR-3).

    The deal stays in the same phase.
    """
    player = tuple(new if card == old else card for card in deal.player)
    banker = tuple(new if card == old else card for card in deal.banker)
    now = replace(deal, player=player, banker=banker, p=_value(player), b=_value(banker))
    return s.at(table, now), told  # type: ignore[arg-type]


def _value(hand: tuple[Dealt, ...]) -> int:
    return points(card.card for card in hand)

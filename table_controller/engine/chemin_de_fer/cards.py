"""Finds the place of each card that leaves the Schlitten. Contains the rulings on cards."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from msgspec.structs import replace

from table_controller.engine.alerts import Alerts
from table_controller.engine.chemin_de_fer import phases as p
from table_controller.engine.chemin_de_fer.deal import (
    banker_card,
    banker_draws,
    first_cards,
    kept_deal,
    third_card,
)
from table_controller.engine.chemin_de_fer.settle import annul, closed, resumed, stand
from table_controller.engine.chemin_de_fer.state import (
    Awaited,
    Step,
    Table,
    at,
    cards_lie,
    deal_of,
    foremost,
    in_play,
    under_way,
)
from table_controller.engine.chemin_de_fer.words import awaited
from table_controller.engine.messages import AgainstRules, CardSeen, Input, OutOfTurn, phrase
from table_controller.engine.shoe import Dealt
from table_controller.engine.table import cards, common, devices, white
from table_controller.engine.table import inputs as ti
from table_controller.engine.table.events import CardRemoved, CoupPaid, Misdeal, RulingNoted
from table_controller.engine.table.felt import after, calmed, instead
from table_controller.engine.table.promises import opened
from table_controller.engine.table.schlitten import ended, short, since
from table_controller.engine.table.stops import MisdealDue, Stray, Unread, WhiteDisputed
from table_controller.engine.table.unread import alert_id

#: Phases in which a card is due, and the function that takes the card.
DUE: dict[type, Callable[[Table, Any, Dealt], Step]] = {
    p.Dealing: first_cards,
    p.ThirdCardDue: third_card,
    p.BankerToChoose: banker_draws,
    p.BankerCardDue: banker_card,
}


def alike(table: Table, _phase: Awaited, said: Input) -> Step:
    """The table after an input that is the same at every table: cards, people, devices.

    Raises OutOfTurn for any other input.
    """
    coup, busy = under_way(table), partial(in_play, table)
    closing = isinstance(said, ti.SchlittenClosed)  # the game says when that is allowed
    taken = None if closing else common.answered(table, said, lay, lying, coup=coup, busy=busy)
    if taken is None:
        raise common.not_due(awaited(table).ask)
    return taken


def seen(table: Table, _phase: Awaited, said: CardSeen) -> Step:
    """One passage at the lip has ended (R-6, R-19)."""
    return cards.card_seen(table, said, lay, lying, coup=under_way(table))


def lying(table: Table) -> tuple[Dealt, ...]:
    """The closed cards of the coup."""
    deal = deal_of(table.phase)
    return closed(deal) if deal else ()


def lay(table: Table, dealt: Dealt, alerts: Alerts) -> Step:
    """Deal a known card to the place where it was due, or else lay it aside as a stray (R-19).

    `alerts` were open when the card left.
    """
    phase = foremost(table)
    due = DUE.get(type(phase))
    lacks = _held(table, phase, dealt, alerts)
    if due and not lacks and not (isinstance(phase, p.BankerToChoose) and phase.deal.spare):
        return due(table, phase, dealt)
    begun = None if lacks else _begins(table, phase, dealt)
    if begun:
        return begun
    felt, told = cards.stray(table.felt, dealt)
    return after(table, felt), told


def _held(table: Table, phase: Awaited, dealt: Dealt, alerts: Alerts) -> bool:
    """Whether the card may not be dealt, as a ruling came before it or no coup could begin then.

    Source: R-51; R-37, R-53, R-56.
    """
    first = deal_of(table.phase) is None
    few = first and short(table.felt, drawn=since(table.felt, dealt))
    if few or not alerts:
        return few
    none = (first or isinstance(phase, p.Settled)) and devices.waiting(alerts)
    return none or devices.stopped(alerts)


def _begins(table: Table, phase: Awaited, dealt: Dealt) -> Step | None:
    """Begin a coup with this card if the table need not ask for it first; otherwise return None.

    This is so in two cases. The card may be the first of a tie's replay, dealt while the tie is
    still announced (R-4). Or it is dealt while the players stake, at a house where the highest
    stake plays the cards (N-3).
    """
    coup = table.coup
    if coup is None or not coup.pointeur or kept_deal(table):
        return None
    unlimited = table.bank is not None and table.bank.open  # the bank's stake is due first (Z-5)
    if isinstance(phase, p.Staking) and table.house.stakes == "highest" and not unlimited:
        return first_cards(table, p.Dealing(), dealt)
    if isinstance(phase, p.Settled) and not ended(table.felt, drawn=since(table.felt, dealt)):
        table, told = stand(replace(table, undo=None))  # it is paid now, so final
        table, more = first_cards(table, p.Dealing(), dealt)
        return table, (CoupPaid(coup=phase.record.number), *told, *more)
    return None


def from_kept(table: Table) -> Step:
    """Deal four kept cards as soon as a deal is due. No other card need leave for it (Z-13)."""
    phase, felt = table.phase, table.felt
    due = isinstance(phase, p.Dealing) and phase.deal is None and not felt.stops
    if not due or not kept_deal(table) or short(felt) or devices.waiting(felt.alerts):
        return table, ()
    return first_cards(table, p.Dealing())


# The croupier's rulings on a card


def stray_ruled(table: Table, phase: Stray, said: ti.StrayRuled) -> Step:
    """The croupier rules on the stray card, which may be part of a misdeal.

    Source: Z-13, R-19, N-9, Z-12.
    """
    if said.ruling is ti.StrayRuling.MISDEALT and under_way(table):
        felt, told = calmed(table.felt, cards.stray_alert(phase.dealt).id)
        return after(table, instead(felt, MisdealDue(phase.dealt))), (Misdeal(), *told)
    return ruled(table, phase, said)


def ruled(table: Table, phase: Stray | Unread, said: ti.StrayRuled | ti.UnreadRuled) -> Step:
    """The croupier's ruling on a card, as at every table. Then the interrupted game goes on.

    Players may have come and gone meanwhile (R-10).
    """
    now, told = alike(table, phase, said)
    return resumed(table, now.felt), told


def face_up_card(phase: Awaited) -> Dealt | None:
    """The last card dealt, which may have been face up in the pack.

    None if the card is open already, or once the pointeur has spoken (N-9).
    """
    deal = phase.deal if isinstance(phase, p.Dealing | p.PointeurToSpeak) else None
    last = max(deal.cards, key=lambda dealt: dealt.ordinal, default=None) if deal else None
    return last if deal and last and last.ordinal not in deal.shown else None


def face_up(table: Table, phase: p.Dealing | p.PointeurToSpeak, said: ti.StrayRuled) -> Step:
    """The card that was just dealt was face up in the pack. It is thrown out (N-9).

    Raises OutOfTurn if the last card dealt cannot be such a card.
    """
    deal, last = phase.deal, face_up_card(phase)
    if said.ruling is not ti.StrayRuling.FACE_UP or deal is None or last is None:
        raise OutOfTurn(
            phrase("No card that was laid aside waits for a ruling."),
            phrase("Only the closed card that came last can have lain face up in the pack."),
            "N-9",
        )
    deal = replace(
        deal,
        pointeur=tuple(dealt for dealt in deal.pointeur if dealt != last),
        banker=tuple(dealt for dealt in deal.banker if dealt != last),
    )
    removed = CardRemoved(ordinal=last.ordinal, ruling=said.ruling)
    return at(table, p.Dealing(deal)), (*opened(table.felt, 0, (last,)), removed)


def unread_burned(table: Table, phase: Unread, said: ti.UnreadBurned) -> Step:
    """The unread card, which nobody may look at, is burned before a coup's first card (R-59).

    It is the first one also where an earlier one was thrown out, face up (N-9).
    """
    felt, told = cards.unread_burned(table.felt, phase, said, coup=cards_lie(table))
    return resumed(table, felt), (RulingNoted(reason=said.reason), *told)


def annul_unread(table: Table, phase: Unread, said: ti.Annulled) -> Step:
    """The coup is annulled because nobody can know the unread card (Z-27).

    The unread card may even be the coup's first card.
    """
    white.white_first(table.felt)
    if not unread_voids(table):
        raise AgainstRules(
            phrase("No coup is under way that could be annulled."),
            phrase("Show the card again, have two people enter it, or say that none left."),
        )
    felt, told = calmed(table.felt, alert_id(phase.ordinal))
    table, more = annul(replace(table, felt=felt), said.reason)
    return table, (*told, *more)


def unread_voids(table: Table) -> bool:
    """Whether there is a coup that can be annulled: at least its stakes are on the table (Z-27)."""
    unbegun = isinstance(table.phase, p.Staking | p.Sharing | p.BankStakeDue | p.Dealing)
    return under_way(table) or (unbegun and table.coup is not None)


def white_ruled(table: Table, phase: WhiteDisputed, said: ti.WhiteRuled) -> Step:
    """The croupier rules on the white card (R-6)."""
    felt, told = white.white_ruled(table.felt, phase, said, coup=under_way(table))
    table = resumed(table, felt)
    if said.ruling is not ti.WhiteRuling.ANNUL:
        return table, told
    table, more = annul(table, "Z-24")
    return table, (*told, *more)

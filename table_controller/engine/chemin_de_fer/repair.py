"""Repairs: taking back, correcting a reading, a supervisor's word (R-20, Z-27).

What was published stays; an event names what is withdrawn, and a new promise replaces an old one.
"""

from __future__ import annotations

from msgspec.structs import replace

from table_controller.engine.alerts import cleared, raised
from table_controller.engine.chemin_de_fer.cards import stray_alert
from table_controller.engine.chemin_de_fer.facts import Deal
from table_controller.engine.chemin_de_fer.faux import CLAIM
from table_controller.engine.chemin_de_fer.inputs import LetStand
from table_controller.engine.chemin_de_fer.ledger import money_lies, present
from table_controller.engine.chemin_de_fer.phases import (
    ClaimDisputed,
    Phase,
    Settled,
    Stray,
    Unread,
    WhiteDisputed,
)
from table_controller.engine.chemin_de_fer.seating import may_declare
from table_controller.engine.chemin_de_fer.settle import resettled, settle, undoable
from table_controller.engine.chemin_de_fer.state import Step, Table, at, deal_of, pay
from table_controller.engine.chemin_de_fer.telling import drawn, opened
from table_controller.engine.messages import AgainstRules, Event, OutOfTurn, phrase
from table_controller.engine.shoe import Dealt, restored, without
from table_controller.engine.table.devices import LidRuled, lid_ruled, stopped
from table_controller.engine.table.events import (
    CardCorrected,
    CardRemoved,
    Moved,
    RulingNoted,
    Withdrawn,
)
from table_controller.engine.table.inputs import Corrects, Ruled, StrayRuling, TakesBack, Transfers
from table_controller.rules.money import Chips


def _declared_before(table: Table, phase: Phase) -> bool:
    """Whether a declaration is the last thing said, and its coup has begun since (R-25)."""
    return table.undo is not None and table.undo.said == "declares" and not may_declare(phase)


def may_take_back(table: Table) -> bool:
    """Whether the last human input can be undone, and nothing else with it. Source: R-20, R-46."""
    phase = table.phase
    still = isinstance(phase, Unread | Stray | WhiteDisputed) or stopped(table.alerts)
    if table.undo is None or still:
        return False
    return not _declared_before(table, phase)


def takes_back(table: Table, phase: Phase, _said: TakesBack) -> Step:
    """The last human input is undone; cards that left since are strays (R-19, R-20, R-46)."""
    if _declared_before(table, phase):
        raise AgainstRules(
            phrase("The coup has begun."),
            phrase("He declares it before the first card of the next one."),
            "R-25",
        )
    if table.undo is None or not may_take_back(table):
        raise OutOfTurn(
            phrase("There is nothing that can be taken back now."),
            phrase("An opening, a card and moved money stand; a supervisor repairs them."),
            "R-20",
        )
    old, now = table.undo.table, deal_of(phase)
    thirds = (*now.pointeur[2:], *now.banker[2:]) if now else ()
    back = replace(
        old,
        shoe=table.shoe,
        last_coup=table.last_coup,
        alerts=table.alerts,
        croupier=table.croupier,
        prompt=table.prompt + 1,
        withdrawn=table.undo.what,
    )
    told: tuple[Event, ...] = (Withdrawn(said=table.undo.said),)
    for dealt in _drawn_since(table, old):
        if dealt in thirds or (now and dealt.ordinal in now.shown):
            # It lies open: burned (R-19, Z-13).
            told = (*told, CardRemoved(ordinal=dealt.ordinal, ruling=StrayRuling.BURNED))
            continue
        alerts, more = raised(back.alerts, stray_alert(dealt))
        back = replace(back, alerts=alerts, phase=Stray(dealt, back.phase))
        told = (*told, *more)
    return back, told


def _drawn_since(table: Table, old: Table) -> tuple[Dealt, ...]:
    """Closed cards of the present deal that the older table did not know, the last one last."""
    now, then = deal_of(table.phase), deal_of(old.phase)
    spare = (then.spare,) if then and then.spare else ()  # it lies given back again (Z-21)
    known = {card.ordinal for card in (*_cards(then), *spare, *old.kept)}
    return tuple(card for card in _cards(now) if card.ordinal not in known)


def _cards(deal: Deal | None) -> tuple[Dealt, ...]:
    if deal is None:
        return ()
    cards = (*deal.pointeur, *deal.banker)
    return tuple(sorted(cards, key=lambda dealt: dealt.ordinal))


Numbered = tuple[tuple[int, Dealt], ...]


def correctable(table: Table, phase: Phase) -> tuple[Numbered, Numbered]:
    """Cards of the pointeur and of the bank that may be corrected, with their places (R-20).

    Closed ones; all of them while a coup is settled and no money of it has moved.
    """
    deal: Deal | None = getattr(phase, "deal", None)
    if deal is None or table.shoe is None:
        return (), ()
    unpaid = isinstance(phase, Settled)
    if isinstance(phase, Settled) and not undoable(table, phase):
        return (), ()

    def hand(cards: tuple[Dealt, ...]) -> Numbered:
        return tuple(
            (number, dealt)
            for number, dealt in enumerate(cards, 1)
            if unpaid or (number < 3 and dealt.ordinal not in deal.shown)
        )

    return hand(deal.pointeur), hand(deal.banker)


def corrects(table: Table, phase: Phase, said: Corrects) -> Step:
    """A misread card is corrected: closed, or in a coup that is settled and not paid (R-20)."""
    deal, shoe = getattr(phase, "deal", None), table.shoe
    old = next((card for card in _cards(deal) if card.ordinal == said.ordinal), None)
    unpaid = isinstance(phase, Settled) and not any(line.done for line in phase.payments)
    if deal is None or shoe is None or old is None:
        raise OutOfTurn(
            phrase("Card {ordinal} does not lie on the table.", ordinal=said.ordinal),
            phrase("Name a card of the present coup by its number."),
            "R-20",
        )
    _with_reason(said.reason)
    lies_open = old.ordinal in deal.shown or old in (*deal.pointeur[2:], *deal.banker[2:])
    if lies_open and not unpaid:
        raise AgainstRules(
            phrase("An open card has been played by already."),
            phrase("Annul the coup; what was paid is moved back."),
            "R-20",
        )
    corrected = without(restored(shoe, old), said.card, 0)
    if corrected is None:
        raise AgainstRules(
            phrase("The Schlitten cannot have held one more of that card."),
            phrase("Look at the card again."),
            "R-20",
        )
    new = Dealt(old.ordinal, said.card, 0, old.attempt + 1)
    deal = replace(
        deal,
        pointeur=tuple(new if card == old else card for card in deal.pointeur),
        banker=tuple(new if card == old else card for card in deal.banker),
    )
    table = replace(table, shoe=corrected)
    seat = _seat_of(table, phase, deal, new)
    told: tuple[Event, ...] = (CardCorrected(ordinal=new.ordinal, attempt=new.attempt),)
    told += drawn(table, seat, new)
    if lies_open:
        told += opened(table, seat, (new,))
    if isinstance(phase, Settled):
        table, after = resettled(table, phase, deal)
        return table, (*told, *after)
    return at(table, replace(phase, deal=deal)), told


def _seat_of(table: Table, phase: Phase, deal: Deal, dealt: Dealt) -> int:
    if isinstance(phase, Settled):
        record = phase.record
        return record.banker_seat if dealt in deal.banker else record.pointeur_seat
    if table.bank is None or table.coup is None:
        return 0
    return table.bank.seat if dealt in deal.banker else table.coup.pointeur


def transfers(table: Table, _phase: Phase, said: Transfers) -> Step:
    """A supervisor moves chips from one place to another, 0 being the cagnotte (R-20, Z-27)."""
    _with_reason(said.reason)
    if said.chips < 1 or said.seat == said.to:
        raise AgainstRules(
            phrase("{chips} cannot be moved like that.", chips=said.chips),
            phrase("Name 1 or more, and two places; 0 is the cagnotte."),
            "R-16",
        )
    if said.seat:
        money_lies(table, said.seat, said.chips)
    elif said.chips > table.cagnotte:
        raise AgainstRules(
            phrase("The cagnotte holds {chips}.", chips=table.cagnotte),
            phrase("Name no more than that."),
            "R-16",
        )
    if said.to:
        present(table, said.to)
    for seat, chips in ((said.seat, -said.chips), (said.to, said.chips)):
        if seat:
            table = pay(table, seat, chips)
        else:
            table = replace(table, cagnotte=Chips(table.cagnotte + chips))
    told = Moved(seat=said.seat, to=said.to, chips=said.chips, reason=said.reason)
    return table, (told,)


def _with_reason(reason: str) -> None:
    """Raise AgainstRules for a supervisor's word without its reason. Source: R-20."""
    if not reason.strip():
        raise AgainstRules(
            phrase("A supervisor's word needs its reason."),
            phrase("Say it in a few words; the journal keeps it."),
            "R-20",
        )


def let_stand(table: Table, phase: ClaimDisputed, said: LetStand) -> Step:
    """The coup counts as the cards lie, by a supervisor's word (R-38, Z-27)."""
    _with_reason(said.reason)
    alerts, told = cleared(table.alerts, CLAIM)
    table, after = settle(replace(table, alerts=alerts), phase.deal)
    return table, (RulingNoted(reason=said.reason), *told, *after)


def lid_stands(table: Table, phase: Phase, said: LidRuled) -> Step:
    """The coup goes on after the lid was open, by a supervisor's word (R-51)."""
    _with_reason(said.reason)
    alerts, told = lid_ruled(table.alerts)
    return at(table, phase, alerts=alerts), (RulingNoted(reason=said.reason), *told)


def ruled(table: Table, _phase: Phase, said: Ruled) -> Step:
    """Where the rules say nothing, the management decides: noted, with its reason (Z-27)."""
    _with_reason(said.reason)
    return table, (RulingNoted(reason=said.reason),)

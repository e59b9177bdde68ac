"""Cards that left the Schlitten when none was due, and corrections (R-19, R-20)."""

from __future__ import annotations

from msgspec.structs import replace

from table_controller.engine.alerts import Alert, Alerts
from table_controller.engine.ecarte.dealing import DUE, back_on_talon, buys, turned_too
from table_controller.engine.ecarte.ending import annul, emptied, laid
from table_controller.engine.ecarte.events import TurnedUp
from table_controller.engine.ecarte.opening import mixing
from table_controller.engine.ecarte.phases import Asked, Buying, Dealing, ElderToSpeak
from table_controller.engine.ecarte.state import (
    Awaited,
    Step,
    Table,
    at,
    first_due,
    foremost,
    on_deal,
    rule,
    seat_of,
    the_deal,
    under_way,
)
from table_controller.engine.messages import (
    AgainstRules,
    Event,
    OutOfTurn,
    Severity,
    Told,
    phrase,
)
from table_controller.engine.shoe import Dealt
from table_controller.engine.table import cards, devices
from table_controller.engine.table.events import CardCorrected, CardRemoved
from table_controller.engine.table.felt import after, calmed, released, stopped, warned
from table_controller.engine.table.inputs import Corrects, StrayRuled, StrayRuling, ThrownAway
from table_controller.engine.table.promises import drawn, opened
from table_controller.engine.table.repairs import corrected, with_reason
from table_controller.engine.table.stops import Stray
from table_controller.rules.cards import Rank


def lying(table: Table) -> tuple[Dealt, ...]:
    """The cards of the deal that may be closed: all that have left, except the turned-up card."""
    return laid(table.deal)


def lay(table: Table, dealt: Dealt, alerts: Alerts) -> Step:
    """Deal a known card to the place where it was due, or else lay it aside as a stray (R-19).

    `alerts` were open when the card left.
    """
    phase = foremost(table)
    if isinstance(phase, Asked):  # a question to a player does not stop the dealer
        phase = table.phase
    due = DUE.get(type(phase))
    begins = isinstance(phase, Dealing) and first_due(table)
    held = devices.stopped(alerts) or (begins and devices.waiting(alerts))
    if due and not held:
        return due(table, phase, dealt)
    felt, told = warned(table.felt, stray_alert(dealt))
    now = after(table, stopped(felt, Stray(dealt)))
    return now, (*drawn(table.felt, 0, dealt), *told)


def correctable(table: Table) -> tuple[Dealt, ...]:
    """The cards whose reading may be corrected: those dealt closed, and the turned-up card (R-20).

    The turned-up card may be corrected until elder has spoken or somebody has marked.
    """
    deal = table.deal
    if deal is None or not under_way(table) or table.felt.stops:
        return ()
    first = isinstance(table.phase, ElderToSpeak) and not deal.bought and deal.marks == (0, 0)
    return (*deal.taken[0], *deal.taken[1], *((deal.turned,) if deal.turned and first else ()))


def corrects(table: Table, _phase: Awaited, said: Corrects) -> Step:
    """A supervisor corrects a misread card (R-20).

    The count, the card's promise and, for the turned-up card, the trumps change too.
    """
    deal = the_deal(table)
    old = next((card for card in correctable(table) if card.ordinal == said.ordinal), None)
    if old is None:
        raise OutOfTurn(
            phrase("Card {ordinal} does not lie on the table.", ordinal=said.ordinal),
            phrase("Name a card of the present coup by its number."),
            "R-20",
        )
    with_reason(said.reason)
    felt, new = corrected(table.felt, said, old, lying(table))
    told: Told = (CardCorrected(ordinal=new.ordinal, attempt=new.attempt),)
    if old is deal.turned:
        dealer = seat_of(table, deal.dealer)
        king = new.card.rank is Rank.KING
        table = on_deal(replace(table, felt=felt), turned=new, turned_marked=False)
        told = (*told, *drawn(felt, 0, new), *opened(felt, 0, (new,)))
        return at(table, table.phase), (*told, TurnedUp(seat=dealer, card=new.card, king=king))
    left, right = (tuple(new if card is old else card for card in hand) for hand in deal.taken)
    seat = seat_of(table, 0 if new in left else 1)
    table = on_deal(replace(table, felt=felt), taken=(left, right))
    return at(table, table.phase), (*told, *drawn(felt, seat, new))


def thrown_away(table: Table, _phase: Awaited, _said: ThrownAway) -> Step:
    """The cards got mixed up. The deal is void, and the same dealer deals again.

    The cards of the Schlitten are gathered.
    """
    if not under_way(table):
        raise OutOfTurn(
            phrase("No coup is under way that could be annulled."),
            phrase("Close it and load the next one."),
            "R-20",
        )
    table, told = annul(table, rule(table, "11"), dealer=the_deal(table).dealer)
    table, more = emptied(table)
    return at(table, mixing(table), asked=(), undo=None), (*told, *more)


def stray_alert(dealt: Dealt) -> Alert:
    """The alert for a card that left when none was due, with the remedy.

    It never names the card.
    """
    return replace(
        cards.stray_alert(dealt),
        severity=Severity.STOP,
        remedy=phrase("Closed, it goes back on the talon; or it lies open. Say which."),
    )


#: The possible rulings on a stray card at écarté.
RULINGS = (StrayRuling.BACK, StrayRuling.FACE_UP)


def stray_ruled(table: Table, phase: Stray, said: StrayRuled) -> Step:
    """The croupier rules on a stray (E07-25, ER-23).

    If the stray is closed, it goes back on top of the talon. If it is open, it counts as turned up
    by mistake.
    """
    dealt, deal = phase.dealt, table.deal
    if said.ruling not in RULINGS:
        raise AgainstRules(
            phrase("A deal is one Schlitten: no card is kept for the next."),
            phrase("Say whether it is closed or uncovered."),
            "R-19",
        )
    if not under_way(table) or deal is None or deal.turned is None:
        felt, told = cards.stray_ruled(table.felt, phase, said)
        return after(table, felt), told
    felt, told = calmed(table.felt, stray_alert(dealt).id)
    told = (CardRemoved(ordinal=dealt.ordinal, ruling=said.ruling), *told)
    table = after(table, released(felt))
    if said.ruling is StrayRuling.BACK:
        table = back_on_talon(table, dealt)
        now = table.phase
        return (buys(table, now) if isinstance(now, Buying) else table), told
    shown: tuple[Event, ...] = opened(felt, 0, (dealt,))
    table, more = turned_too(table, table.phase, dealt)
    return table, (*shown, *told, *more)

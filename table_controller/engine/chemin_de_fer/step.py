"""The state machine: which input is admitted in which phase. The list of cases is the diagram.

Pure: no clock, device, log or chance. Illegal input raises `Refusal` and changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from table_controller.engine import alerts
from table_controller.engine.chemin_de_fer import bank, cards, deal, settle
from table_controller.engine.chemin_de_fer.messages import (
    Annulled,
    Banco,
    Banks,
    BuysIn,
    Leaves,
    Opened,
    Paid,
    Passes,
    SchlittenClosed,
    SchlittenLoaded,
    Sits,
    Spoke,
    StrayRuled,
    UnreadRuled,
    WhiteRuled,
)
from table_controller.engine.chemin_de_fer.state import (
    BankDue,
    BankerCardDue,
    BankerToChoose,
    BankerToOpen,
    Dealing,
    NoSchlitten,
    Over,
    Phase,
    PlayersDue,
    PointeurToOpen,
    PointeurToSpeak,
    Settled,
    StakesDue,
    Step,
    Stray,
    Table,
    ThirdCardDue,
    Unread,
    WhiteDisputed,
)
from table_controller.engine.chemin_de_fer.words import awaited
from table_controller.engine.messages import (
    AlertAcknowledged,
    CardNamed,
    CardSeen,
    DeviceBack,
    DeviceLost,
    Input,
    OutOfTurn,
    StalePrompt,
    phrase,
)

Handler = Callable[[Table, Any, Any], Step]


def _device(table: Table, _phase: Phase, said: DeviceLost | DeviceBack) -> Step:
    now, told = alerts.device(table.alerts, said)
    return replace(table, alerts=now), told


def _acknowledged(table: Table, _phase: Phase, said: AlertAcknowledged) -> Step:
    now, told = alerts.acknowledged(table.alerts, said)
    return replace(table, alerts=now), told


#: Inputs admitted whatever the table waits for.
ALWAYS: dict[type, Handler] = {
    CardSeen: cards.card_seen,
    DeviceLost: _device,
    DeviceBack: _device,
    AlertAcknowledged: _acknowledged,
    Sits: bank.sits,
    BuysIn: bank.buys_in,
    Leaves: bank.leaves,
}

#: What each phase admits besides.
CASES: dict[tuple[type, type], Handler] = {
    (NoSchlitten, SchlittenLoaded): bank.schlitten_loaded,
    (BankDue, Banks): bank.banks,
    (BankDue, Passes): bank.passes,
    (StakesDue, Passes): bank.passes,
    (StakesDue, Banco): bank.banco,
    (PointeurToSpeak, Spoke): deal.pointeur_speaks,
    (PointeurToSpeak, Opened): deal.pointeur_shows,
    (BankerToOpen, Opened): deal.banker_opens,
    (BankerToChoose, Spoke): deal.banker_speaks,
    (PointeurToOpen, Opened): deal.pointeur_opens,
    (Settled, Paid): settle.paid,
    (Stray, StrayRuled): cards.stray_ruled,
    (Unread, CardNamed): cards.card_named,
    (Unread, UnreadRuled): cards.unread_ruled,
    (Unread, Annulled): cards.annul_unread,
    (WhiteDisputed, WhiteRuled): cards.white_ruled,
    **{
        (phase, SchlittenClosed): bank.schlitten_closed
        for phase in (PlayersDue, BankDue, StakesDue, Over)
    },
    **{
        (phase, Annulled): settle.annulled
        for phase in (
            Dealing,
            PointeurToSpeak,
            BankerToOpen,
            ThirdCardDue,
            BankerToChoose,
            BankerCardDue,
            PointeurToOpen,
        )
    },
}


def step(table: Table, said: Input) -> Step:
    """Return the table after `said`, and the events to tell. Pure.

    Raises Refusal, leaving `table` as good as new, when `said` is not admitted.
    """
    if said.prompt is not None and said.prompt != table.prompt:
        raise StalePrompt(
            phrase("It answers a question that the table no longer asks."),
            phrase("Look again: the table awaits {what}.", what=str(awaited(table).ask)),
        )
    kind = type(said)
    handler = ALWAYS.get(kind) or CASES.get((type(table.phase), kind))
    if handler is None:
        raise OutOfTurn(
            phrase("Nothing of the kind is due now."),
            phrase("The table asks: {what}", what=str(awaited(table).ask)),
        )
    return handler(table, table.phase, said)

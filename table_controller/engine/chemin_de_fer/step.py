"""The state machine: which input is admitted in which phase. The list of cases is the diagram.

Pure: no clock, device, log or chance. Illegal input raises `Refusal` and changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from table_controller.engine import alerts
from table_controller.engine.chemin_de_fer import (
    again,
    bank,
    cards,
    deal,
    faux,
    mistakes,
    repair,
    schlitten,
    seating,
    settle,
    stakes,
)
from table_controller.engine.chemin_de_fer import inputs as i
from table_controller.engine.chemin_de_fer import state as s
from table_controller.engine.chemin_de_fer.taken_back import described
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
from table_controller.engine.table import devices
from table_controller.engine.table.devices import (
    CutCardSensed,
    LidClosed,
    LidOpened,
    LidRuled,
    PowerBack,
    PowerFailed,
)

Handler = Callable[[s.Table, Any, Any], s.Step]


def _device(table: s.Table, _phase: s.Phase, said: DeviceLost | DeviceBack) -> s.Step:
    now, told = alerts.device(table.alerts, said)
    return replace(table, alerts=now), told


def _acknowledged(table: s.Table, _phase: s.Phase, said: AlertAcknowledged) -> s.Step:
    now, told = alerts.acknowledged(table.alerts, said)
    return replace(table, alerts=now), told


def _lid(table: s.Table, phase: s.Phase, said: LidOpened | LidClosed) -> s.Step:
    coup = s.deal_of(phase) is not None and not isinstance(s.uninterrupted(phase), s.Settled)
    if isinstance(said, LidClosed):
        now, told = devices.lid_closed(table.alerts, coup=coup)
        return replace(table, alerts=now), told
    now, told = devices.lid_opened(table.alerts, coup=coup)
    if devices.stopped(now) and not devices.stopped(table.alerts):
        return s.at(table, phase, alerts=now), told
    return replace(table, alerts=now), told


def _cut_card(table: s.Table, _phase: s.Phase, said: CutCardSensed) -> s.Step:
    if table.shoe is None:
        return table, ()  # something else passed it
    house = table.house
    now, shoe, told = devices.cut_card(
        table.alerts, table.shoe, said, white_at=house.white_at, apart=house.cut_card_apart
    )
    return replace(table, alerts=now, shoe=shoe), told


def _power(table: s.Table, phase: s.Phase, said: PowerFailed | PowerBack) -> s.Step:
    now, told = devices.power(table.alerts, said)
    if told and s.deal_of(phase) is None:  # other words are due now
        return s.at(table, phase, alerts=now), told
    return replace(table, alerts=now), told


#: Inputs admitted whatever the table waits for.
ALWAYS: dict[type, Handler] = {
    CardSeen: cards.card_seen,
    DeviceLost: _device,
    DeviceBack: _device,
    AlertAcknowledged: _acknowledged,
    LidOpened: _lid,
    LidClosed: _lid,
    LidRuled: repair.lid_stands,
    CutCardSensed: _cut_card,
    PowerFailed: _power,
    PowerBack: _power,
    i.Sits: seating.sits,
    i.Stands: seating.stands,
    i.BuysIn: seating.buys_in,
    i.CashesOut: seating.cashes_out,
    i.Tips: seating.tips,
    i.Leaves: seating.leaves,
    i.Moves: seating.moves,
    i.Swaps: seating.swaps,
    i.Declares: seating.declares,
    i.CroupierChanged: seating.croupier_changed,
    i.Corrects: repair.corrects,
    i.Transfers: repair.transfers,
    i.Ruled: repair.ruled,
    i.TakesBack: repair.takes_back,
}

PLAYING = (
    s.PointeurToSpeak,
    s.BankerToOpen,
    s.ThirdCardDue,
    s.BankerToChoose,
    s.PointeurToOpen,
)
#: Money lies for a coup, and no card of it; or, while dealing, not all four.
UNBEGUN = (s.Staking, s.Sharing, s.BankStakeDue, s.Dealing)
UNDER_WAY = (*UNBEGUN, *PLAYING, s.BankerCardDue)
#: Where only the banker can throw his hand away: nothing is due of the pointeur's (R-46).
THROWABLE = (
    s.Dealing, s.BankerCardDue, s.FauxOffered, s.ClaimDisputed, s.MisdealDue, s.Unread, s.Stray,
    s.WhiteDisputed,
)  # fmt: skip
JUDGED = (s.FauxOffered, s.ClaimDisputed, s.MisdealDue)
CLAIMABLE = (*UNBEGUN, *PLAYING)
CLAIMS = (i.Banco, i.BancoWithPartner, i.BancoWithTable)
BETWEEN = (s.PlayersDue, s.BankDue, s.StakesDue, s.Over)


def _each(phases: Iterable[type], said: type, handler: Handler) -> dict[tuple[type, type], Handler]:
    return {(phase, said): handler for phase in phases}


#: What each phase admits besides.
CASES: dict[tuple[type, type], Handler] = {
    # The Schlitten
    (s.NoSchlitten, i.Prepared): schlitten.prepared,
    (s.NoSchlitten, i.SchlittenLoaded): schlitten.schlitten_loaded,
    **_each(BETWEEN, i.SchlittenClosed, schlitten.schlitten_closed),
    **_each((s.Staking, s.BankStakeDue, s.Dealing), i.SchlittenClosed, schlitten.closed_for_replay),
    **_each((*BETWEEN, *UNDER_WAY, s.Unread, s.Stray), i.ThrownAway, schlitten.thrown_away),
    # The bank
    (s.BankDue, i.Banks): bank.banks,
    (s.BankDue, i.OpensBank): bank.opens_bank,
    (s.BankStakeDue, i.Banks): bank.stakes_bank,
    **_each((s.BankDue, s.StakesDue, s.Staking), i.Passes, bank.passes),
    **_each((s.StakesDue, s.Staking), i.Raises, bank.raises),
    **_each((s.StakesDue, s.Staking), i.DrawsIn, bank.draws_in),
    (s.StakesDue, i.Joins): bank.joins,
    **_each((s.StakesDue, s.Staking, s.Dealing), i.Halves, bank.halves),
    **_each((*UNBEGUN, s.StakesDue, s.NoSchlitten, s.Over), i.Suite, bank.suite),
    (s.Auction, i.Bids): bank.bids,
    **_each((s.Auction, s.TakeOver), i.Sold, bank.sold),
    (s.TakeOver, i.TakesOver): bank.takes_over,
    # The stakes
    **{(s.StakesDue, said): stakes.banco for said in CLAIMS},
    **{(phase, said): stakes.better_right for phase in CLAIMABLE for said in CLAIMS},
    (s.StakesDue, i.OpenGame): stakes.open_game,
    **_each((s.StakesDue, s.Staking, s.Dealing, s.PointeurToSpeak), i.Stakes, stakes.stakes),
    **_each((s.Staking, s.Dealing, s.PointeurToSpeak), i.Closes, stakes.closes),
    **_each((s.StakesDue, s.Staking), i.StakesAgain, again.stakes_again),
    (s.Sharing, i.Stakes): stakes.takes_part,
    (s.Sharing, i.Declines): stakes.declines,
    (s.PointeurToSpeak, i.TakesUp): stakes.takes_up,
    # The deal
    (s.PointeurToSpeak, i.Spoke): deal.pointeur_speaks,
    (s.PointeurToSpeak, i.Opened): deal.pointeur_shows,
    (s.PointeurToSpeak, i.Waited): deal.waited,
    (s.BankerToOpen, i.Opened): deal.banker_opens,
    (s.BankerToOpen, i.Spoke): deal.corrected,
    (s.BankerToChoose, i.Spoke): deal.banker_speaks,
    (s.BankerToChoose, i.AsksSchlitten): deal.asks_schlitten,
    (s.BankerToChoose, i.AdmitsFaux): faux.admits_faux,
    (s.BankerToChoose, i.Opened): faux.proves_claim,
    (s.PointeurToOpen, i.Opened): faux.pointeur_opens,
    (s.FauxOffered, i.Spoke): faux.faux_answered,
    (s.ClaimDisputed, i.LetStand): repair.let_stand,
    # Mistakes
    (s.Dealing, i.Exposed): mistakes.first_exposed,
    (s.PointeurToSpeak, i.Exposed): mistakes.hand_exposed,
    **_each(THROWABLE, i.Throws, mistakes.banker_throws),
    **_each(PLAYING, i.Throws, mistakes.throws),
    **_each((s.Dealing, *PLAYING), i.Misdealt, mistakes.misdealt),
    (s.MisdealDue, i.PutRight): mistakes.put_right,
    (s.MisdealDue, i.BankLoses): mistakes.bank_loses,
    (s.Stray, i.StrayRuled): cards.stray_ruled,
    **_each((s.Dealing, s.PointeurToSpeak), i.StrayRuled, cards.face_up),
    (s.Unread, CardNamed): cards.card_named,
    (s.Unread, i.UnreadRuled): cards.unread_ruled,
    (s.Unread, i.Annulled): cards.annul_unread,
    (s.WhiteDisputed, i.WhiteRuled): cards.white_ruled,
    # After it
    (s.Settled, i.Ticked): settle.ticked,
    (s.Settled, i.Paid): settle.paid,
    **_each((*UNDER_WAY, *JUDGED, s.Settled), i.Annulled, settle.annulled),
    (s.Stray, i.Annulled): settle.annulled_for_want,
}

#: What a person can take back (R-20), until a card is opened or money moves; and its name.
UNDOABLE: dict[type, str] = {
    kind: str(kind.__struct_config__.tag)
    for kind in (
        i.Banks, i.OpensBank, i.Passes, i.Raises, i.DrawsIn, i.Halves, i.Joins, i.Suite, i.Bids,
        i.Sold, i.TakesOver, *CLAIMS, i.OpenGame, i.Stakes, i.StakesAgain, i.Closes,
        i.Declines, i.TakesUp, i.Spoke, i.Declares, i.Misdealt, i.PutRight,
    )
}  # fmt: skip
#: What cannot be taken back, nor anything before it.
FINAL = frozenset(
    {
        i.Opened, i.Exposed, i.Throws, i.BankLoses, i.Paid, i.Ticked, i.Annulled, i.StrayRuled,
        i.UnreadRuled, i.WhiteRuled, i.SchlittenClosed, i.SchlittenLoaded, i.ThrownAway,
        i.Corrects, i.Transfers, i.Sits, i.Stands, i.BuysIn, i.CashesOut, i.Tips, i.Leaves,
        i.Moves, i.Swaps, i.AsksSchlitten, i.AdmitsFaux, i.LetStand,
        i.Prepared, CardNamed,
    }
)  # fmt: skip


#: What stands when something said before it is taken back (R-46): cards then are strays (R-19).
BESIDE = frozenset(
    {
        CardSeen, DeviceLost, DeviceBack, AlertAcknowledged, i.CroupierChanged, i.Waited, i.Ruled,
        i.TakesBack, LidOpened, LidClosed, LidRuled, CutCardSensed, PowerFailed, PowerBack,
    }
)  # fmt: skip
#: What leaves the news of a taking back as they are.
UNHEARD = frozenset(
    {
        i.TakesBack, i.Waited, DeviceLost, DeviceBack, AlertAcknowledged, LidOpened, LidClosed,
        CutCardSensed, PowerFailed, PowerBack,
    }
)  # fmt: skip

#: What is admitted while a ruling on the lid is due (R-51).
BY_LID = frozenset({*ALWAYS, i.Annulled, i.ThrownAway} - {i.TakesBack})
#: What lays a coup's first stakes.
BEGINNING = frozenset({*CLAIMS, i.OpenGame, i.Stakes, i.StakesAgain})

#: While a card waits for a word; what is said then is not taken back: it would wait again.
STOPPED = frozenset({s.Unread, s.Stray, s.WhiteDisputed})


def step(table: s.Table, said: Input) -> s.Step:
    """Return the table after `said`, and the events to tell. Pure.

    Raises Refusal, leaving `table` as good as new, when `said` is not admitted.
    """
    if said.prompt is not None and said.prompt != table.prompt:
        raise StalePrompt(
            phrase("It answers a question that the table no longer asks."),
            phrase("Look again: the table awaits {what}.", what=awaited(table).ask),
        )
    phase, kind = table.phase, type(said)
    _wait(table, kind)
    handler = ALWAYS.get(kind) or CASES.get((type(phase), kind))
    if handler is None:
        raise OutOfTurn(
            phrase("Nothing of the kind is due now."),
            phrase("The table asks: {what}", what=awaited(table).ask),
        )
    now, told = handler(table, phase, said)
    if now.alerts and now.prompt != table.prompt:  # nobody looks at those cards any longer (Z-16)
        calm, more = alerts.cleared(now.alerts, deal.SLOW)
        now, told = replace(now, alerts=calm), (*told, *more)
    if now.alerts and _coup(now) != _coup(table):  # whatever was told of that hand
        calm, more = alerts.cleared(now.alerts, faux.CLAIM)
        calm, lid = alerts.cleared(calm, devices.LID_STOP)
        now, told = replace(now, alerts=calm), (*told, *more, *lid)
    if now.withdrawn and kind not in UNHEARD:
        now = replace(now, withdrawn=None)
    if kind in UNDOABLE:
        final = type(now.phase) in STOPPED or _opens(said)
        undo = None if final else s.Undo(UNDOABLE[kind], table, described(said))
        return replace(now, undo=undo), told
    settles = type(now.phase) is s.Settled and type(phase) is not s.Settled
    if now.undo is not None and (kind in FINAL or settles):
        return replace(now, undo=None), told
    return now, told


def _wait(table: s.Table, kind: type) -> None:
    """Raise OutOfTurn for what waits for a ruling on the lid (R-51), or for the mains (R-53)."""
    if devices.stopped(table.alerts) and kind not in BY_LID:
        raise devices.lid_first()
    if devices.failing(table.alerts) and type(table.phase) is s.StakesDue and kind in BEGINNING:
        raise devices.not_begun()


def _coup(table: s.Table) -> int:
    """Number of the coup whose cards lie, else 0."""
    under_way = s.deal_of(table.phase)
    return under_way.number if under_way else 0


def _opens(said: Input) -> bool:
    """Whether a word opened cards: it cannot be taken back (R-20)."""
    return isinstance(said, i.Spoke) and said.word is i.Word.SCHLAG

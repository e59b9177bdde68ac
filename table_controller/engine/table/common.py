"""Inputs that are the same at every table. A game's `step` calls this module for these inputs.

    check(table, said, awaited)
    handler = CASES.get((type(phase), type(said))) or ALWAYS.get(type(said))  # the game's own
    if handler is None:
        taken = answered(table, said, lay, lying, coup=under_way(table), busy=in_play)

If a shared input changes more than the felt in some game, this game handles the input first.
Examples: which coup may be annulled, which counts begin again with a new Schlitten, and whose bank
moves with its player.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from table_controller.engine.alerts import Alerts
from table_controller.engine.messages import (
    AlertAcknowledged,
    Booted,
    CardNamed,
    CardSeen,
    DeviceBack,
    DeviceLost,
    Input,
    OutOfTurn,
    Phrase,
    Restored,
    StalePrompt,
    Told,
    phrase,
)
from table_controller.engine.table import (
    cards,
    devices,
    persons,
    repairs,
    roles,
    schlitten,
    seating,
)
from table_controller.engine.table import inputs as ti
from table_controller.engine.table.felt import (
    Change,
    Felt,
    Stray,
    T,
    Unread,
    WhiteDisputed,
    after,
    first,
    on,
)
from table_controller.engine.views import Prompt


def _booted(felt: Felt, said: Booted) -> Change:
    """The felt after a start of the service.

    The promises of this start differ from all earlier ones (R-13).
    """
    return replace(felt, boot=said.boot), ()


#: Inputs that are allowed at any time, and are the same at every table.
ANY_TIME: Final[dict[type, Callable[[Felt, Any], Change]]] = {
    Booted: _booted,
    DeviceLost: seating.device,
    DeviceBack: seating.device,
    AlertAcknowledged: seating.acknowledged,
    **devices.ANY_TIME,
    persons.PersonAdded: persons.added,
    persons.PersonRemoved: persons.removed,
    persons.AccountAdded: persons.account_added,
    persons.AccountRemoved: persons.account_removed,
    persons.SignedIn: persons.signed_in,
    persons.SignInRefused: persons.sign_in_refused,
    ti.Sits: seating.sits,
    ti.Stands: seating.stands,
    ti.BuysIn: seating.buys_in,
    ti.CashesOut: seating.cashes_out,
    ti.Tips: seating.tips,
    ti.CroupierChanged: seating.croupier_changed,
    ti.Transfers: repairs.transfers,
    ti.Ruled: repairs.ruled,
    ti.ReadingCounted: schlitten.reading_counted,
}
#: Inputs about people without money in play, between coups.
_OF_IDLE: Final[dict[type, Callable[[Felt, Any], Change]]] = {
    ti.Leaves: seating.leaves,
    ti.Moves: seating.moves,
    ti.Swaps: seating.swaps,
}
#: The inputs that every table handles, whatever it waits for, and the function for each.
ALWAYS: Final[dict[type, Callable[..., Any]]] = {
    **ANY_TIME,
    **_OF_IDLE,
    CardSeen: cards.card_seen,
    devices.LidOpened: devices.lid_opened,
    devices.LidClosed: devices.lid_closed,
}
#: Inputs that need not wait for a ruling on the lid, such as sitting down or paying (R-51).
BY_LID: Final = frozenset(ALWAYS) | {ti.Corrects, ti.Annulled, ti.ThrownAway, Restored}


def check(
    table: T,
    said: Input,
    awaited: Callable[[T], Prompt],
    *,
    by_lid: frozenset[type] = BY_LID,
    eased: bool = False,
) -> None:
    """Check whether the table may take the input now.

    Raises NotAllowed if the actor's role is too low, StalePrompt if the input answers an older
    question, and OutOfTurn if somebody must first rule on the opened lid. `awaited` gives the
    table's present question, for the error's text. `by_lid` are the inputs that are allowed before
    the ruling on the lid. `eased` means that a croupier's role is enough, whatever role the input
    needs elsewhere.
    """
    roles.check(table.felt.persons, said, eased=eased)
    if said.prompt is not None and said.prompt != table.prompt:
        raise StalePrompt(
            phrase("It answers a question that the table no longer asks."),
            phrase("Look again: the table awaits {what}.", what=awaited(table).ask),
        )
    alerts = table.felt.alerts
    if alerts and devices.stopped(alerts) and type(said) not in by_lid:
        raise devices.lid_first()


def not_due(ask: Phrase) -> OutOfTurn:
    """The refusal of an input that the table does not accept in its present phase.

    `ask` is the table's present question.
    """
    return OutOfTurn(
        phrase("Nothing of the kind is due now."), phrase("The table asks: {what}", what=ask)
    )


def answered(
    table: T,
    said: Input,
    lay: cards.Lay[T],
    lying: cards.Lying[T],
    *,
    coup: bool,
    busy: Callable[[int], bool],
) -> tuple[T, Told] | None:
    """The table after an input that every game has, and the events.

    The result is None if the game itself must handle the input. `lay` puts a known card where it
    belongs, and `lying` gives the coup's closed cards. `coup` says whether cards of an unsettled
    coup are on the table; `busy` says whether the player at a place has money in play.
    """
    match said:
        case CardSeen():
            return cards.card_seen(table, said, lay, lying, coup=coup)
        case CardNamed() if isinstance(stop := first(table.felt), Unread):
            return cards.card_named(table, stop, said, lay, lying)
    change = _changed(table.felt, said, coup=coup, busy=busy)
    return None if change is None else (anew(table, change[0]), change[1])


def anew(table: T, felt: Felt) -> T:
    """The game's table with this felt.

    The table asks a new question, with a new prompt, if a stop began or ended. The same is true if
    the table begins or ceases to wait because of the lid, the mains or the disk.
    """
    was, now = table.felt.alerts, felt.alerts
    if was is not now and _holding(was) != _holding(now):
        return on(table, felt, prompt=table.prompt + 1)
    return after(table, felt)


def _holding(alerts: Alerts) -> tuple[bool, bool]:
    return devices.stopped(alerts), devices.waiting(alerts)


def _changed(felt: Felt, said: Input, *, coup: bool, busy: Callable[[int], bool]) -> Change | None:
    match said, first(felt):
        case devices.LidOpened(), _:
            return devices.lid_opened(felt, coup=coup)
        case devices.LidClosed(), _:
            return devices.lid_closed(felt, coup=coup)
        case ti.StrayRuled(), Stray() as stop:
            return cards.stray_ruled(felt, stop, said)
        case ti.UnreadRuled(), Unread() as stop:
            return cards.unread_ruled(felt, stop, said)
        case ti.WhiteRuled(), WhiteDisputed() as stop if said.ruling is not ti.WhiteRuling.ANNUL:
            return schlitten.white_ruled(felt, stop, said, coup=coup)
        case ti.SchlittenClosed(), None if not coup:
            return schlitten.closed(felt, said)
    if type(said) in _OF_IDLE:
        return _moved(felt, said, coup=coup, busy=busy)
    act = ANY_TIME.get(type(said))
    return act(felt, said) if act else None


def _moved(felt: Felt, said: Any, *, coup: bool, busy: Callable[[int], bool]) -> Change:
    """The felt after somebody without money in play leaves or changes his seat (N-1, R-5).

    Raises AgainstRules if the player has money in play, or changes seats during a coup.
    """
    change = _OF_IDLE[type(said)](felt, said)
    if coup and not isinstance(said, ti.Leaves):
        raise seating.coup_begun()
    for seat in (said.seat, getattr(said, "other", said.seat)):
        if busy(seat):
            raise seating.in_play(seat)
    return change

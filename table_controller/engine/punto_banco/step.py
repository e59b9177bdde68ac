"""The state machine: `CASES` lists which input is allowed in which phase.

docs/STATES.md is drawn from this list. The module is pure: it uses no clock, no device, no log and
no random numbers. An input that is not allowed raises `Refusal` and changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from table_controller.engine.messages import CardNamed, CardSeen, Input, Phrase, Restored, phrase
from table_controller.engine.punto_banco import bets, house_keeping, mishaps, play, settle
from table_controller.engine.punto_banco import inputs as i
from table_controller.engine.punto_banco import state as s
from table_controller.engine.punto_banco.play import onward
from table_controller.engine.punto_banco.words import awaited
from table_controller.engine.table import common
from table_controller.engine.table import inputs as ti
from table_controller.engine.table.felt import MisdealDue, Stray, Unread, WhiteDisputed
from table_controller.engine.table.schlitten import NoSchlitten
from table_controller.engine.table.undo import by_seat, remembered, taken_back

Handler = Callable[[s.Table, Any, Any], s.Step]


def _takes_back(table: s.Table, _phase: s.Awaited, _said: ti.TakesBack) -> s.Step:
    """Somebody takes back the last input from a person (R-20, PR-2).

    If the table's agreement to a result is taken back, the roads no longer show that coup.
    """
    return taken_back(table, last_word(table))


def last_word(table: s.Table) -> Phrase:
    """The label of the input that would be taken back, with its seat and sum.

    The button that takes the input back shows the label, and so does the news.
    """
    said = table.undo.said if table.undo else None
    if said is None:
        return Phrase("")
    return by_seat(said, TAKEN_BACK[type(said)], chips=getattr(said, "chips", None))


#: Inputs that are allowed whatever the table waits for, apart from those of every table.
ALWAYS: Final[dict[type, Handler]] = {
    CardSeen: house_keeping.card_seen,
    CardNamed: house_keeping.card_named,
    ti.CashesOut: house_keeping.takes_away,
    ti.Tips: house_keeping.takes_away,
    ti.Leaves: house_keeping.leaves,
    ti.Moves: house_keeping.moves,
    ti.Swaps: house_keeping.moves,
    ti.Transfers: house_keeping.transfers,
    ti.TakesBack: _takes_back,
    i.Collects: settle.collects,
    Restored: house_keeping.restored,
}
#: Phases in which a coup's cards are on the table, and a card may be due.
UNDER_WAY: Final = (s.Dealing, s.ToOpen, s.PlayerDue, s.PlayerToOpen, s.BankerDue, s.BankerToOpen)
PLAYED: Final = (*UNDER_WAY, s.Announced)
STOPPED: Final = (Unread, Stray, MisdealDue)


def _each(phases: Iterable[type], said: type, handler: Handler) -> dict[tuple[type, type], Handler]:
    return {(phase, said): handler for phase in phases}


#: Further inputs that each phase allows.
CASES: Final[dict[tuple[type, type], Handler]] = {
    # The Schlitten
    (NoSchlitten, ti.Prepared): house_keeping.prepared,
    (NoSchlitten, ti.SchlittenLoaded): house_keeping.loaded,
    **_each((s.Burning, s.Betting, s.Over), ti.SchlittenClosed, house_keeping.closed),
    **_each((Unread, Stray), ti.SchlittenClosed, house_keeping.closed_over),
    **_each(STOPPED, ti.ThrownAway, house_keeping.thrown_away),
    # The stakes
    (s.Betting, i.Bets): bets.bets,
    (s.Betting, i.BetsAgain): bets.bets_again,
    **_each((NoSchlitten, s.Burning, s.Betting, s.Over), i.TakesDown, bets.takes_down),
    (s.Betting, ti.Closes): play.closes,
    (s.Betting, i.FreeCoup): play.free_coup,
    (s.Dealing, i.BetsOpenAgain): play.bets_open_again,
    # The deal
    **_each((s.ToOpen, s.PlayerToOpen, s.BankerToOpen), i.Opened, play.opens),
    (s.Announced, i.Agrees): settle.agrees,
    # Mistakes
    (Stray, ti.StrayRuled): mishaps.stray_ruled,
    **_each(PLAYED, ti.StrayRuled, mishaps.face_up),
    **_each(PLAYED, ti.Misdealt, mishaps.misdealt),
    (Unread, ti.UnreadBurned): mishaps.unread_burned,
    (MisdealDue, i.PutRight): mishaps.put_right,
    **_each((*PLAYED, *STOPPED), ti.Annulled, mishaps.annulled),
    **_each(PLAYED, ti.Corrects, mishaps.corrects),
    (WhiteDisputed, ti.WhiteRuled): house_keeping.white_ruled,
    (s.Announced, i.ResultRuled): settle.result_ruled,
    **_each(settle.REOPENABLE, i.Reopens, settle.reopens),
    **_each((*s.BETWEEN, *PLAYED, s.Paying), i.PastRuled, settle.past_ruled),
    # The settlement
    (s.Paying, ti.Ticked): settle.ticked,
    (s.Paying, ti.Paid): settle.all_paid,
}

#: Inputs that a person can take back (R-20), until a card comes or the last line is paid.
TAKEN_BACK: Final[dict[type, Phrase]] = {
    i.Bets: phrase("the stake"),
    i.BetsAgain: phrase("the same stakes again"),
    i.TakesDown: phrase("the stake taken down"),
    ti.Closes: phrase("no more bets"),
    i.FreeCoup: phrase("free coup"),
    i.Agrees: phrase("the agreement"),
    ti.Ticked: phrase("line {line} paid"),
}

#: Inputs that need not wait for a ruling on the lid (R-51).
BY_LID: Final = common.BY_LID | {i.Collects}


def step(table: s.Table, said: Input) -> s.Step:
    """The table after the input `said`, and the events. The function is pure.

    Raises Refusal, and leaves `table` unchanged, if the input is not allowed.
    """
    felt, kind = table.felt, type(said)
    if said.prompt is not None or felt.alerts or felt.persons:
        common.check(table, said, awaited, by_lid=BY_LID)
    phase = felt.stops[-1] if felt.stops else table.phase
    handler = CASES.get((type(phase), kind)) or ALWAYS.get(kind)
    if handler is not None:
        now, told = handler(table, phase, said)
    else:
        taken = house_keeping.answered(table, said)
        if taken is None:
            raise common.not_due(awaited(table).ask)
        now, told = taken
    if now.withdraw and type(now.phase) in (s.Burning, s.Betting) and not now.felt.stops:
        now, more = onward(now)
        told = (*told, *more)
    if now.felt.kept:
        now, more = play.from_kept(now, now.felt.alerts)
        told = (*told, *more)
    shoe = now.felt.shoe
    if shoe is not None and shoe.white_out is not None:
        now, more = play.told(now)
        told = (*told, *more)
    if shoe is not None and (now.felt.alerts or not shoe.left):
        now, more = mishaps.run_out(now)
        told += more
    if kind not in TAKEN_BACK and now.undo is None and not now.felt.withdrawn:
        return now, told  # nothing to remember or forget
    paid = type(table.phase) is s.Paying and type(now.phase) is not s.Paying
    final = paid or now.felt.coups != felt.coups or _contradicted(now)
    return remembered(table, now, said, told, TAKEN_BACK, final=final), told


def _contradicted(table: s.Table) -> bool:
    """Whether a second reading of the table disagreed with the result. Nobody can take this back.

    Source: PB-37.
    """
    return type(table.phase) is s.Announced and table.phase.contradicted

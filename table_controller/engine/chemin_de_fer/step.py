"""The state machine: `CASES` lists which input is allowed in which phase.

docs/STATES.md is drawn from this list. The module is pure: it uses no clock, no device, no log and
no random numbers. An input that is not allowed raises `Refusal` and changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from msgspec.structs import replace

from table_controller.engine.alerts import is_open
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
from table_controller.engine.chemin_de_fer import phases as p
from table_controller.engine.chemin_de_fer import state as s
from table_controller.engine.chemin_de_fer.words import awaited
from table_controller.engine.messages import (
    CardNamed,
    CardSeen,
    Input,
    Phrase,
    Restored,
    Told,
    phrase,
)
from table_controller.engine.table import common, devices
from table_controller.engine.table import inputs as ti
from table_controller.engine.table.felt import calmed
from table_controller.engine.table.schlitten import NoSchlitten
from table_controller.engine.table.stops import MisdealDue, Stray, Unread, WhiteDisputed
from table_controller.engine.table.undo import by_seat, remembered

Handler = Callable[[s.Table, Any, Any], s.Step]


def _power(table: s.Table, phase: s.Awaited, said: Input) -> s.Step:
    """The mains failed or came back. A coup that is already dealt goes on with the same prompt."""
    now, told = cards.alike(table, phase, said)
    return replace(now, prompt=table.prompt) if s.deal_of(table.phase) else now, told


def _takes_back(table: s.Table, _phase: s.Awaited, _said: ti.TakesBack) -> s.Step:
    """Somebody takes back the last input from a person, and no other input (R-20, R-46)."""
    return repair.takes_back(table, last_word(table))


#: Inputs that are allowed whatever the table waits for, besides those of every table.
ALWAYS: Final[dict[type, Handler]] = {
    CardSeen: cards.seen,
    devices.PowerFailed: _power,
    devices.PowerBack: _power,
    ti.Sits: seating.sits,
    ti.Leaves: seating.leaves,
    ti.Moves: seating.moves,
    ti.Swaps: seating.swaps,
    i.Declares: seating.declares,
    Restored: schlitten.restored,
    ti.Corrects: repair.corrects,
    ti.TakesBack: _takes_back,
}

PLAYING = (
    p.PointeurToSpeak,
    p.BankerToOpen,
    p.ThirdCardDue,
    p.BankerToChoose,
    p.PointeurToOpen,
)
#: Phases in which a coup's stakes are laid, but not all of its first four cards.
UNBEGUN = (p.Staking, p.Sharing, p.BankStakeDue, p.Dealing)
UNDER_WAY = (*UNBEGUN, *PLAYING, p.BankerCardDue)
#: Phases in which only the banker can throw his hand away, since the pointeur is not to act (R-46).
THROWABLE = (
    p.Dealing, p.BankerCardDue, p.FauxOffered, p.ClaimDisputed, MisdealDue, Unread, Stray,
    WhiteDisputed,
)  # fmt: skip
JUDGED = (p.FauxOffered, p.ClaimDisputed, MisdealDue)
CLAIMABLE = (*UNBEGUN, *PLAYING)
CLAIMS = (i.Banco, i.BancoWithPartner, i.BancoWithTable)
BETWEEN = (p.PlayersDue, p.BankDue, p.StakesDue, p.Over)


def _each(phases: Iterable[type], said: type, handler: Handler) -> dict[tuple[type, type], Handler]:
    return {(phase, said): handler for phase in phases}


#: Further inputs that each phase allows.
CASES: Final[dict[tuple[type, type], Handler]] = {
    # The Schlitten
    (NoSchlitten, ti.Prepared): schlitten.mixed,
    (NoSchlitten, ti.SchlittenLoaded): schlitten.schlitten_loaded,
    **_each(BETWEEN, ti.SchlittenClosed, schlitten.schlitten_closed),
    **_each(
        (p.Staking, p.BankStakeDue, p.Dealing), ti.SchlittenClosed, schlitten.closed_for_replay
    ),
    **_each((*BETWEEN, *UNDER_WAY, Unread, Stray), ti.ThrownAway, schlitten.thrown_away),
    # The bank
    (p.BankDue, i.Banks): bank.banks,
    (p.BankDue, i.OpensBank): bank.opens_bank,
    (p.BankStakeDue, i.Banks): bank.stakes_bank,
    **_each((p.BankDue, p.StakesDue, p.Staking), i.Passes, bank.passes),
    (NoSchlitten, i.Passes): bank.goes_home,
    **_each((p.StakesDue, p.Staking), i.Raises, bank.raises),
    **_each((p.StakesDue, p.Staking), i.DrawsIn, bank.draws_in),
    (p.StakesDue, i.Joins): bank.joins,
    **_each((p.StakesDue, p.Staking, p.Dealing), i.Halves, bank.halves),
    **_each((*UNBEGUN, p.StakesDue, NoSchlitten, p.Over), i.Suite, bank.suite),
    (p.Auction, i.Bids): bank.bids,
    **_each((p.Auction, p.TakeOver), i.Sold, bank.sold),
    (p.TakeOver, i.TakesOver): bank.takes_over,
    # The stakes
    **{(p.StakesDue, said): stakes.banco for said in CLAIMS},
    **{(phase, said): stakes.better_right for phase in CLAIMABLE for said in CLAIMS},
    (p.StakesDue, i.OpenGame): stakes.open_game,
    **_each((p.StakesDue, p.Staking, p.Dealing, p.PointeurToSpeak), i.Stakes, stakes.stakes),
    **_each((p.Staking, p.Dealing, p.PointeurToSpeak), ti.Closes, stakes.closes),
    **_each((p.StakesDue, p.Staking), i.StakesAgain, again.stakes_again),
    (p.Sharing, i.Stakes): stakes.takes_part,
    (p.Sharing, i.Declines): stakes.declines,
    (p.PointeurToSpeak, i.TakesUp): stakes.takes_up,
    # The deal
    (p.PointeurToSpeak, i.Spoke): deal.pointeur_speaks,
    (p.PointeurToSpeak, i.Opened): deal.pointeur_shows,
    (p.PointeurToSpeak, i.Waited): deal.waited,
    (p.BankerToOpen, i.Opened): deal.banker_opens,
    (p.BankerToOpen, i.Spoke): deal.corrected,
    (p.BankerToChoose, i.Spoke): deal.banker_speaks,
    (p.BankerToChoose, i.AsksSchlitten): deal.asks_schlitten,
    (p.BankerToChoose, i.AdmitsFaux): faux.admits_faux,
    (p.BankerToChoose, i.Opened): faux.proves_claim,
    (p.PointeurToOpen, i.Opened): faux.pointeur_opens,
    (p.FauxOffered, i.Spoke): faux.faux_answered,
    (p.ClaimDisputed, i.CardCounts): faux.card_counts,
    (p.ClaimDisputed, i.LetStand): faux.let_stand,
    # Mistakes
    (p.Dealing, i.Exposed): mistakes.first_exposed,
    (p.PointeurToSpeak, i.Exposed): mistakes.hand_exposed,
    **_each(THROWABLE, i.Throws, mistakes.banker_throws),
    **_each(PLAYING, i.Throws, mistakes.throws),
    **_each((p.Dealing, *PLAYING), ti.Misdealt, mistakes.misdealt),
    (MisdealDue, i.PutRight): mistakes.put_right,
    (MisdealDue, i.BankLoses): mistakes.bank_loses,
    (Stray, ti.StrayRuled): cards.stray_ruled,
    **_each((p.Dealing, p.PointeurToSpeak), ti.StrayRuled, cards.face_up),
    (Unread, CardNamed): cards.alike,
    (Unread, ti.UnreadRuled): cards.ruled,
    (Unread, ti.UnreadBurned): cards.unread_burned,
    (Unread, ti.Annulled): cards.annul_unread,
    (WhiteDisputed, ti.WhiteRuled): cards.white_ruled,
    # After the coup
    (p.Settled, ti.Ticked): settle.ticked,
    (p.Settled, ti.Paid): settle.paid,
    **_each((*UNDER_WAY, *JUDGED, p.Settled), ti.Annulled, settle.annulled),
    (Stray, ti.Annulled): settle.annulled_for_want,
    (NoSchlitten, ti.Annulled): schlitten.tie_annulled,
}

#: Inputs that a person can take back, until a card is opened or the last line is paid (R-20).
TAKEN_BACK: Final[dict[type, Phrase]] = {
    i.Banks: phrase("the sum in the bank"),
    i.OpensBank: phrase("the open bank"),
    i.Passes: phrase("the passing on"),
    i.Raises: phrase("the raised pot"),
    i.DrawsIn: phrase("the sum drawn in"),
    i.Halves: phrase("the halving"),
    i.Joins: phrase("the partner"),
    i.Suite: phrase("Suite"),
    i.Bids: phrase("the bid"),
    i.Sold: phrase("the sale"),
    i.TakesOver: phrase("the taking over"),
    i.Banco: phrase("Banco"),
    i.BancoWithPartner: phrase("Banco with a partner"),
    i.BancoWithTable: phrase("Banco with the table"),
    i.OpenGame: phrase("all may stake"),
    i.Stakes: phrase("the stake"),
    i.StakesAgain: phrase("the same stakes again"),
    ti.Closes: phrase("nichts geht mehr"),
    i.Declines: phrase("the refusal"),
    i.TakesUp: phrase("the cards taken up"),
    i.Spoke: phrase("the word"),
    i.Declares: phrase("the declaration"),
    ti.Misdealt: phrase("the misdeal"),
    i.PutRight: phrase("the deal put right"),
    ti.Ticked: phrase("line {line} paid"),
}
#: The button's name for an answer to take back. A Schlag opens cards, so it cannot be taken back.
_WORDS: Final = {
    i.Word.CARTE: phrase("carte"),
    i.Word.RESTE: phrase("reste"),
    i.Word.DRAWS: phrase("takes a card"),
    i.Word.STANDS: phrase("stays"),
}

#: Inputs that are allowed while a ruling on the lid is due (R-51).
BY_LID = common.BY_LID | {i.Declares}
#: The clock's inputs, which change none of the players' words.
IDLE = frozenset({i.Waited})
#: The inputs that lay a coup's first stakes.
BEGINNING = frozenset({*CLAIMS, i.OpenGame, i.Stakes, i.StakesAgain})


def step(table: s.Table, said: Input) -> s.Step:
    """The table after the input `said`, and the events. The function is pure.

    Raises Refusal, and leaves `table` unchanged, if the input is not allowed.
    """
    alarmed, kind = table.felt.alerts, type(said)
    if alarmed or said.prompt is not None or table.felt.persons:
        eased = kind is ti.Annulled and schlitten.ends_by_croupier(table)
        common.check(table, said, awaited, by_lid=BY_LID, eased=eased)
    if alarmed and kind in BEGINNING and devices.failing(alarmed) and s.unstaked(table):
        raise devices.not_begun(alarmed)
    phase = s.foremost(table)
    handler = CASES.get((type(phase), kind)) or ALWAYS.get(kind, cards.alike)
    now, told = handler(table, phase, said)
    if now.felt.kept:
        now, dealt = cards.from_kept(now)
        told = (*told, *dealt)
    if now.felt.alerts:
        now, told = _looked_away(table, now, told)
    if kind not in TAKEN_BACK and now.undo is None and now.felt.withdrawn is None:
        return now, told  # nothing to remember or forget
    if kind in TAKEN_BACK:
        opened = isinstance(said, i.Spoke) and said.word is i.Word.SCHLAG
        final = opened or (kind is ti.Ticked and type(now.phase) is not p.Settled)
    else:
        final = type(s.foremost(now)) is p.Settled and type(phase) is not p.Settled
    return remembered(table, now, said, told, TAKEN_BACK, final=final, idle=IDLE), told


def last_word(table: s.Table) -> Phrase:
    """The label of the input that would be taken back, with its seat and sum.

    The button that takes the input back shows the label, and so does the news.
    """
    said = table.undo.said if table.undo else None
    if said is None:
        return Phrase("")
    what = TAKEN_BACK[type(said)]
    if isinstance(said, i.Spoke):
        what = _WORDS.get(said.word, what)
    return by_seat(said, what, chips=getattr(said, "chips", None))


#: The alerts that end with the coup during which they were raised.
_OF_COUP: Final = (faux.CLAIM, devices.LID_STOP)


def _looked_away(table: s.Table, now: s.Table, told: Told) -> s.Step:
    """Clear the alerts that concern an earlier prompt or an earlier coup."""
    if now.prompt != table.prompt:
        now, told = _cleared(now, told, deal.SLOW)  # Z-16
    if _coup(now) != _coup(table):  # alerts about that hand are stale
        stale = (id_ for id_ in _OF_COUP if is_open(table.felt.alerts, id_))
        now, told = _cleared(now, told, *stale)
    return now, told


def _cleared(table: s.Table, told: Told, *alerts: str) -> s.Step:
    felt, more = calmed(table.felt, *alerts)
    return (replace(table, felt=felt), (*told, *more)) if more else (table, told)


def _coup(table: s.Table) -> int:
    """The number of the coup whose cards are on the table; 0 if there are none."""
    under_way = s.deal_of(table.phase)
    return under_way.number if under_way else 0

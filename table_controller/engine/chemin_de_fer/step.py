"""The state machine: `CASES` lists which input is allowed in which phase.

docs/STATES.md is drawn from this list. The module is pure: it uses no clock, no device, no log and
no random numbers. An input that is not allowed raises `Refusal` and changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from msgspec.structs import replace

from table_controller.engine.alerts import is_open
from table_controller.engine.chemin_de_fer import bank, deal, house_keeping, money, stakes
from table_controller.engine.chemin_de_fer import inputs as i
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
from table_controller.engine.table.felt import MisdealDue, Stray, Unread, WhiteDisputed, calmed
from table_controller.engine.table.schlitten import NoSchlitten
from table_controller.engine.table.undo import by_seat, remembered

Handler = Callable[[s.Table, Any, Any], s.Step]


def _power(table: s.Table, phase: s.Awaited, said: Input) -> s.Step:
    """The mains failed or came back. A coup that is already dealt goes on with the same prompt."""
    now, told = house_keeping.alike(table, phase, said)
    return replace(now, prompt=table.prompt) if s.deal_of(table.phase) else now, told


def _takes_back(table: s.Table, _phase: s.Awaited, _said: ti.TakesBack) -> s.Step:
    """Somebody takes back the last input from a person, and no other input (R-20, R-46)."""
    return house_keeping.takes_back(table, last_word(table))


#: Inputs that are allowed whatever the table waits for, besides those of every table.
ALWAYS: Final[dict[type, Handler]] = {
    CardSeen: house_keeping.seen,
    devices.PowerFailed: _power,
    devices.PowerBack: _power,
    ti.Sits: house_keeping.sits,
    ti.Leaves: house_keeping.leaves,
    ti.Moves: house_keeping.moves,
    ti.Swaps: house_keeping.swaps,
    i.Declares: house_keeping.declares,
    Restored: house_keeping.restored,
    ti.Corrects: house_keeping.corrects,
    ti.TakesBack: _takes_back,
}

PLAYING = (
    s.PointeurToSpeak,
    s.BankerToOpen,
    s.ThirdCardDue,
    s.BankerToChoose,
    s.PointeurToOpen,
)
#: Phases in which a coup's stakes are laid, but not all of its first four cards.
UNBEGUN = (s.Staking, s.Sharing, s.BankStakeDue, s.Dealing)
UNDER_WAY = (*UNBEGUN, *PLAYING, s.BankerCardDue)
#: Phases in which only the banker can throw his hand away, since the pointeur is not to act (R-46).
THROWABLE = (
    s.Dealing, s.BankerCardDue, s.FauxOffered, s.ClaimDisputed, MisdealDue, Unread, Stray,
    WhiteDisputed,
)  # fmt: skip
JUDGED = (s.FauxOffered, s.ClaimDisputed, MisdealDue)
CLAIMABLE = (*UNBEGUN, *PLAYING)
CLAIMS = (i.Banco, i.BancoWithPartner, i.BancoWithTable)
BETWEEN = (s.PlayersDue, s.BankDue, s.StakesDue, s.Over)


def _each(phases: Iterable[type], said: type, handler: Handler) -> dict[tuple[type, type], Handler]:
    return {(phase, said): handler for phase in phases}


#: Further inputs that each phase allows.
CASES: Final[dict[tuple[type, type], Handler]] = {
    # The Schlitten
    (NoSchlitten, ti.Prepared): house_keeping.mixed,
    (NoSchlitten, ti.SchlittenLoaded): house_keeping.schlitten_loaded,
    **_each(BETWEEN, ti.SchlittenClosed, house_keeping.schlitten_closed),
    **_each(
        (s.Staking, s.BankStakeDue, s.Dealing), ti.SchlittenClosed, house_keeping.closed_for_replay
    ),
    **_each((*BETWEEN, *UNDER_WAY, Unread, Stray), ti.ThrownAway, house_keeping.thrown_away),
    # The bank
    (s.BankDue, i.Banks): bank.banks,
    (s.BankDue, i.OpensBank): bank.opens_bank,
    (s.BankStakeDue, i.Banks): bank.stakes_bank,
    **_each((s.BankDue, s.StakesDue, s.Staking), i.Passes, bank.passes),
    (NoSchlitten, i.Passes): bank.goes_home,
    **_each((s.StakesDue, s.Staking), i.Raises, bank.raises),
    **_each((s.StakesDue, s.Staking), i.DrawsIn, bank.draws_in),
    (s.StakesDue, i.Joins): bank.joins,
    **_each((s.StakesDue, s.Staking, s.Dealing), i.Halves, bank.halves),
    **_each((*UNBEGUN, s.StakesDue, NoSchlitten, s.Over), i.Suite, bank.suite),
    (s.Auction, i.Bids): bank.bids,
    **_each((s.Auction, s.TakeOver), i.Sold, bank.sold),
    (s.TakeOver, i.TakesOver): bank.takes_over,
    # The stakes
    **{(s.StakesDue, said): stakes.banco for said in CLAIMS},
    **{(phase, said): stakes.better_right for phase in CLAIMABLE for said in CLAIMS},
    (s.StakesDue, i.OpenGame): stakes.open_game,
    **_each((s.StakesDue, s.Staking, s.Dealing, s.PointeurToSpeak), i.Stakes, stakes.stakes),
    **_each((s.Staking, s.Dealing, s.PointeurToSpeak), ti.Closes, stakes.closes),
    **_each((s.StakesDue, s.Staking), i.StakesAgain, stakes.stakes_again),
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
    (s.BankerToChoose, i.AdmitsFaux): deal.admits_faux,
    (s.BankerToChoose, i.Opened): deal.proves_claim,
    (s.PointeurToOpen, i.Opened): deal.pointeur_opens,
    (s.FauxOffered, i.Spoke): deal.faux_answered,
    (s.ClaimDisputed, i.CardCounts): deal.card_counts,
    (s.ClaimDisputed, i.LetStand): deal.let_stand,
    # Mistakes
    (s.Dealing, i.Exposed): deal.first_exposed,
    (s.PointeurToSpeak, i.Exposed): deal.hand_exposed,
    **_each(THROWABLE, i.Throws, deal.banker_throws),
    **_each(PLAYING, i.Throws, deal.throws),
    **_each((s.Dealing, *PLAYING), ti.Misdealt, deal.misdealt),
    (MisdealDue, i.PutRight): deal.put_right,
    (MisdealDue, i.BankLoses): deal.bank_loses,
    (Stray, ti.StrayRuled): house_keeping.stray_ruled,
    **_each((s.Dealing, s.PointeurToSpeak), ti.StrayRuled, house_keeping.face_up),
    (Unread, CardNamed): house_keeping.alike,
    (Unread, ti.UnreadRuled): house_keeping.ruled,
    (Unread, ti.UnreadBurned): house_keeping.unread_burned,
    (Unread, ti.Annulled): house_keeping.annul_unread,
    (WhiteDisputed, ti.WhiteRuled): house_keeping.white_ruled,
    # After the coup
    (s.Settled, ti.Ticked): money.ticked,
    (s.Settled, ti.Paid): money.paid,
    **_each((*UNDER_WAY, *JUDGED, s.Settled), ti.Annulled, money.annulled),
    (Stray, ti.Annulled): money.annulled_for_want,
    (NoSchlitten, ti.Annulled): house_keeping.tie_annulled,
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
        eased = kind is ti.Annulled and house_keeping.ends_by_croupier(table)
        common.check(table, said, awaited, by_lid=BY_LID, eased=eased)
    if alarmed and kind in BEGINNING and devices.failing(alarmed) and s.unstaked(table):
        raise devices.not_begun(alarmed)
    phase = s.foremost(table)
    handler = CASES.get((type(phase), kind)) or ALWAYS.get(kind, house_keeping.alike)
    now, told = handler(table, phase, said)
    if now.felt.kept:
        now, dealt = house_keeping.from_kept(now)
        told = (*told, *dealt)
    if now.felt.alerts:
        now, told = _looked_away(table, now, told)
    if kind not in TAKEN_BACK and now.undo is None and now.felt.withdrawn is None:
        return now, told  # nothing to remember or forget
    if kind in TAKEN_BACK:
        opened = isinstance(said, i.Spoke) and said.word is i.Word.SCHLAG
        final = opened or (kind is ti.Ticked and type(now.phase) is not s.Settled)
    else:
        final = type(s.foremost(now)) is s.Settled and type(phase) is not s.Settled
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
_OF_COUP: Final = (deal.CLAIM, devices.LID_STOP)


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

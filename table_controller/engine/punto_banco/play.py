"""The coup at the table: burning, closing the bets, dealing, opening hands, voiding a coup.

After a coup comes the next one, or the end of the Schlitten: the last coup is announced as soon
as it is certain (PB-3, PB-38).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from msgspec.structs import replace

from table_controller.engine.alerts import Alerts
from table_controller.engine.messages import AgainstRules, OutOfTurn, Told, phrase
from table_controller.engine.punto_banco import bets
from table_controller.engine.punto_banco import state as s
from table_controller.engine.punto_banco.events import PLACES, BurnDue, CoupBegun
from table_controller.engine.punto_banco.inputs import BetsOpenAgain, FreeCoup, Opened, Side
from table_controller.engine.shoe import Dealt
from table_controller.engine.table.cards import doubled, stray
from table_controller.engine.table.devices import failing, not_begun, stopped, waiting
from table_controller.engine.table.events import CoupAnnulled, LastCoup, SchlittenOver
from table_controller.engine.table.felt import Felt, after
from table_controller.engine.table.inputs import Closes
from table_controller.engine.table.schlitten import (
    drawn,
    gathered,
    in_box,
    laid_open,
    opened,
    since,
)
from table_controller.rules.points import PIPS
from table_controller.rules.punto_banco.tableau import (
    BANKER_DRAWS,
    PLAYER_DRAWS,
    STOOD,
    is_natural,
)

# ---- The last coup of a Schlitten, announced as soon as it is certain (PB-3, PB-38)

#: At least this many cards must be left for one more coup after the one with the cut card.
ONE_MORE: Final = 12
#: The points that a hand may have while a card of it is closed or still to come.
_ANY: Final = range(10)


def one_more(table: s.Table) -> bool:
    """Whether one more coup follows the coup in which the cut card comes out (PB-3)."""
    return table.house.after_cut == "one_more" and table.house.white_at >= ONE_MORE


def told(table: s.Table) -> s.Step:
    """Announce the last coup, if the cut card came in the present coup and the last is certain now.

    If a mishap or a corrected card changes which coup is the last, it is announced again.
    """
    felt = table.felt
    if felt.stops or not (s.under_way(table) or isinstance(table.phase, s.Paying)):
        return table, ()
    if not table.cut:
        if felt.last_coup:
            return table, ()  # it came before the first card, or no coup may follow
        table = replace(table, cut=felt.coups)
    if table.cut != felt.coups:
        return table, ()
    least, most = _bounds(_further(table.phase, squeezed=table.house.dealing == "squeezed"))
    if in_box(felt) - least < ONE_MORE:
        return _known(table, felt.coups)
    return _known(table, felt.coups + 1) if in_box(felt) - most >= ONE_MORE else (table, ())


def decided(table: s.Table) -> s.Step:
    """Announce the last coup, if the cut card came in the present coup, which is over now."""
    felt = table.felt
    if not felt.coups or table.cut != felt.coups:
        return table, ()
    return _known(table, felt.coups + (in_box(felt) >= ONE_MORE))


def _known(table: s.Table, coup: int) -> s.Step:
    if coup == table.felt.last_coup:
        return table, ()
    return s.on_felt(table, last_coup=coup), (LastCoup(coup=coup),)


def _bounds(numbers: Iterable[int]) -> tuple[int, int]:
    found = set(numbers)
    return min(found), max(found)


def _further(phase: s.Phase, *, squeezed: bool) -> set[int]:
    """All numbers of cards that the coup may still take (PB-4 to PB-7)."""
    match phase:
        case s.Dealing(player=player, banker=banker, p=p, shown=shown):
            counts = len(player) == 2 and (not squeezed or Side.PLAYER in shown)
            left = 4 - len(player) - len(banker)
            return {left + third for third in _thirds((p,) if counts else _ANY, _ANY)}
        case s.ToOpen(p=p, b=b, shown=shown):
            one = (p,) if Side.PLAYER in shown else _ANY
            return _thirds(one, (b,) if Side.BANKER in shown else _ANY)
        case s.PlayerDue(p=p, b=b):
            return _thirds((p,), (b,))
        case s.PlayerToOpen(b=b):
            return {*map(int, BANKER_DRAWS[b][:STOOD])}
        case s.BankerDue():
            return {1}
        case _:
            return {0}


def _thirds(player: Iterable[int], banker: Iterable[int]) -> set[int]:
    """All numbers of third cards that may follow if the hands have one of these points."""
    banker = tuple(banker)
    return set[int]().union(*(_AFTER[p][b] for p in player for b in banker))


def _after(p: int, b: int) -> frozenset[int]:
    """All numbers of third cards that may follow if Player has `p` and Banker `b` points.

    The points are those of the first two cards. After a natural the result is {0}; otherwise the
    table of draws decides.
    """
    if is_natural(p, b):
        return frozenset({0})
    if p > PLAYER_DRAWS:
        return frozenset({int(BANKER_DRAWS[b][STOOD])})
    return frozenset(1 + draws for draws in BANKER_DRAWS[b][:STOOD])


_AFTER: Final = tuple(tuple(_after(p, b) for b in _ANY) for p in _ANY)


# ---- What follows when a coup is over: the next coup, or the end of the Schlitten (PB-3)

_BETTING: Final = s.Betting()
#: A coup takes at most six cards.
MOST: Final = 6


def ended(table: s.Table) -> bool:
    """Whether no further coup is dealt from this Schlitten (PB-3, PB-25, PB-27)."""
    felt, shoe = table.felt, table.felt.shoe
    holds = in_box(felt)
    if table.withdraw or 0 < felt.last_coup <= felt.coups or holds < MOST:
        return True
    if shoe is None:
        return False
    if shoe.over and table.house.foreign == "withdrawn" and doubled(felt):
        return True
    # By the count, the cut card must already be out.
    return shoe.white_out is None and shoe.left < felt.house.white_at


def onward(table: s.Table) -> s.Step:
    """The table with open bets for the next coup, or at the Schlitten's end.

    Source: PB-3, PB-25, PB-27.
    """
    table, told = decided(table) if table.cut else (table, ())
    if not ended(table):
        if table.over:
            table = replace(table, over=())
        return replace(table, phase=_BETTING, prompt=table.prompt + 1), told
    felt = table.felt
    over = SchlittenOver(shoe=felt.shoe.id if felt.shoe else "", left=in_box(felt))
    return s.at(table, s.Over()), (*told, over)


# ---- The coup at the table: burning, closing the bets, dealing, opening hands, voiding a coup

_FIRST = s.Dealing(0)
_PLAYER, _BANKER = PLACES[Side.PLAYER], PLACES[Side.BANKER]


# Cards


def lay(table: s.Table, dealt: Dealt, alerts: Alerts) -> s.Step:
    """Put a known card where it belongs: in a hand, on the burned cards, or aside (R-19, PR-3).

    `alerts` were open when the card left.
    """
    felt, phase = table.felt, table.phase
    if card_due(table, alerts):
        return _joined(table, dealt, alerts)
    if not felt.stops and not stopped(alerts):
        if type(phase) is s.Burning:
            return _burned(table, phase, dealt)
        begins = type(phase) is s.Betting and may_begin(table, alerts, drawn_=since(felt, dealt))
        if begins and not waiting(alerts):
            return _joined(replace(table, phase=_FIRST), dealt, alerts)
    felt, told = stray(felt, dealt)
    return after(table, felt), told


def _joined(table: s.Table, dealt: Dealt, alerts: Alerts) -> s.Step:
    """Deal the card where it was due, after any kept cards (PB-20, PB-21)."""
    table, told = from_kept(table, alerts)
    if type(table.phase) not in s.LAY:  # the kept cards sufficed, so this is a card too many
        felt, more = stray(table.felt, dealt)
        return after(table, felt), told + more
    table, more = to_hand(table, table.phase, table.felt, dealt)
    return table, told + more


def card_due(table: s.Table, alerts: Alerts) -> bool:
    """Whether a card that leaves while these alerts are open belongs to a hand.

    The first card of a coup may have to wait for the mains or the lid (R-53, R-56).
    """
    felt, phase = table.felt, table.phase
    if felt.stops or type(phase) not in s.LAY:
        return False
    if not alerts:
        return True
    return not stopped(alerts) and bool(phase.number or not waiting(alerts))  # type: ignore[union-attr]


def from_kept(table: s.Table, alerts: Alerts) -> s.Step:
    """Deal as many kept cards as are due with these alerts, in the order in which they left.

    Source: PB-39, R-58.

    `step` does this after every input, so that no prompt asks for a card that is already there.
    """
    told: Told = ()
    while table.felt.kept and card_due(table, alerts):
        first, *rest = table.felt.kept
        felt = replace(table.felt, kept=tuple(rest))
        table, more = to_hand(table, table.phase, felt, first, known=True)
        told += more
    return table, told


def to_hand(table: s.Table, phase: Any, felt: Felt, dealt: Dealt, known: bool = False) -> s.Step:
    """Deal one card to a hand: promised, and also opened if the house deals open cards (PR-3).

    A coup's first card closes the bets and makes the previous coup final (PB-4, PB-26). `felt` is
    the felt after the card left the Schlitten, or after it was taken from the kept cards. `known`
    says that the card was promised earlier.
    """
    begun: Told = ()
    if not phase.number:
        number = felt.coups + 1
        if table.house.differential:
            table, begun = bets.closed(replace(table, felt=felt))
            felt = table.felt
        begun += (CoupBegun(coup=number, staked=s.staked(table.bets)),)
        table, felt = replace(table, done=None, undo=None), replace(felt, coups=number)
        phase = s.Dealing(number)
    closed = table.house.dealing == "squeezed"
    now, told = s.LAY[type(phase)](phase, dealt, closed)
    place = _BANKER if now.player is phase.player else _PLAYER
    if closed:
        lies = drawn(felt, place, dealt)
    else:
        lies = opened(felt, place, (dealt,)) if known else laid_open(felt, place, dealt)
    return replace(table, phase=now, felt=felt, prompt=table.prompt + 1), begun + lies + told


def _burned(table: s.Table, phase: s.Burning, dealt: Dealt) -> s.Step:
    """The Schlitten's first card is turned, or one card is burned face down (PB-2).

    As many cards are burned as the first card is worth.
    """
    told = drawn(table.felt, 0, dealt)
    if phase.left is None:
        cards = PIPS[dealt.card] or 10
        told += opened(table.felt, 0, (dealt,))
        return s.at(table, s.Burning(cards), done=None), (*told, BurnDue(cards=cards))
    table = s.on_felt(table, hidden=(*table.felt.hidden, dealt))
    return s.at(table, burned_one(phase), done=None), told


def burned_one(phase: s.Burning) -> s.Burning | s.Betting:
    """The phase after one card was burned: the next card is burned, or the bets are open (PB-2)."""
    left = (phase.left or 0) - 1
    return s.Burning(left) if left > 0 else s.Betting()


def burn(table: s.Table) -> tuple[s.Phase, Told]:
    """The phase in which a Schlitten's burn begins, and the events (PB-2).

    As many cards are burned as the first card is worth, or a number that the house fixes; it may be
    0.
    """
    house = table.house
    if house.burn == "value":
        return s.Burning(), ()
    if not house.burn_cards:
        return s.Betting(), ()
    return s.Burning(house.burn_cards), (BurnDue(cards=house.burn_cards),)


# Before the first card


def may_begin(table: s.Table, alerts: Alerts, *, drawn_: int = 0) -> bool:
    """Whether a card that leaves while these alerts are open may begin a coup.

    There must be enough cards, the mains and the journal must work, and somebody must have staked,
    unless the house takes no bets. A Schlitten that is to be withdrawn begins no coup. `drawn_`
    cards of the coup have already left. Source: PB-4, PB-16, PB-25, R-53.
    """
    felt = table.felt
    if in_box(felt) + drawn_ < MOST or (alerts and failing(alerts)):
        return False
    return not table.withdraw and staked_on(table)


def staked_on(table: s.Table) -> bool:
    """Whether somebody has staked, or this house takes no bets and only announces results."""
    return bool(table.bets) or not table.house.bets


def closes(table: s.Table, _phase: s.Betting, _said: Closes) -> s.Step:
    """The croupier accepts no more bets, and the first card is due (PB-4)."""
    _can_begin(table)
    if not staked_on(table):
        raise AgainstRules(
            phrase("Nobody has laid a stake."),
            phrase("Wait for one, or deal a free coup."),
            "PB-16",
        )
    table, told = bets.closed(table)
    return s.at(table, _FIRST), told


def free_coup(table: s.Table, _phase: s.Betting, _said: FreeCoup) -> s.Step:
    """The croupier deals a coup without stakes, as often in a row as the house allows (PB-16)."""
    _can_begin(table)
    if table.bets or not may_be_free(table):
        raise AgainstRules(
            phrase("No free coup is dealt now."),
            phrase("After {n} in a row somebody stakes.", n=table.house.free_coups),
            "PB-16",
        )
    return s.at(table, _FIRST), ()


def may_be_free(table: s.Table) -> bool:
    """Whether one more coup without stakes may be dealt in a row (PB-16)."""
    return table.house.bets and table.free < table.house.free_coups


def _can_begin(table: s.Table) -> None:
    if failing(table.felt.alerts):
        raise not_begun(table.felt.alerts)
    if in_box(table.felt) < MOST:
        raise AgainstRules(
            phrase("The Schlitten holds fewer than {least} cards.", least=MOST),
            phrase("Close it and load the next one."),
            "PB-25",
        )


def bets_open_again(table: s.Table, phase: s.Dealing, _said: BetsOpenAgain) -> s.Step:
    """The bets, which were closed too early, are open again until the first card (PB-40)."""
    if phase.number:
        raise AgainstRules(
            phrase("The first card of the coup lies."),
            phrase("The bets are open again after this coup."),
            "PB-40",
        )
    return s.at(table, s.Betting(), over=()), ()


# Hands shown to the table


def opens(table: s.Table, phase: s.Deal, said: Opened) -> s.Step:
    """A side's closed cards were opened for the table. From now on they count (PB-15, PR-3)."""
    found = s.opened(phase, said.side)
    if found is None:
        raise OutOfTurn(
            phrase("That side has no closed cards to show."),
            phrase("Look which hand is still closed."),
            "PB-15",
        )
    cards, (now, told) = found
    return s.at(table, now), (*opened(table.felt, PLACES[said.side], cards), *told)


# A void coup


def annul(table: s.Table, reason: str, *, but: str = "") -> s.Step:
    """Annul the coup: the stakes are given back, and the roads do not show the coup (PB-25, PR-2).

    `but` is the id of an alert that stays open, because its cause remains.
    """
    table, told = voided(table, but=but)
    table, more = onward(table)
    number = table.felt.coups
    return table, (CoupAnnulled(coup=number, reason=reason), *told, *more)


def voided(table: s.Table, *, but: str = "") -> s.Step:
    """The table after the coup was dropped and the stakes given back. Closed cards become `hidden`.

    All stops end, and their alerts are cleared except the alert `but`.
    """
    felt = replace(table.felt, hidden=(*table.felt.hidden, *s.closed_of(table)))
    felt, told = gathered(felt, but=but)
    if s.under_way(table):
        table = bets.given_back(replace(table, felt=felt))
        return replace(table, undo=None), told
    return replace(table, felt=felt, undo=None), told


def lacking(table: s.Table) -> bool:
    """Whether a card is due and none is left.

    The coup is then void, and the Schlitten over (PB-25).
    """
    felt = table.felt
    none = felt.shoe is not None and in_box(felt) == 0 and not felt.stops
    return none and type(table.phase) in s.LAY

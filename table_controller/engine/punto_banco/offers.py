"""The inputs that the table would accept now: the page's buttons, a simulated player's choices.

No offer depends on a closed card (PR-3, R-17).
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from table_controller.engine.messages import Phrase, phrase
from table_controller.engine.punto_banco import bets, mishaps, play, settle
from table_controller.engine.punto_banco import inputs as i
from table_controller.engine.punto_banco import state as s
from table_controller.engine.punto_banco.house_keeping import (
    PREPARING,
    busy,
    may_close_over,
)
from table_controller.engine.punto_banco.play import MOST
from table_controller.engine.punto_banco.step import last_word
from table_controller.engine.punto_banco.words import SPOTS
from table_controller.engine.shoe import Dealt
from table_controller.engine.table import inputs as ti
from table_controller.engine.table import offers as to
from table_controller.engine.table import paying
from table_controller.engine.table.devices import failing, stopped
from table_controller.engine.table.felt import (
    Felt,
    MisdealDue,
    Stray,
    Unread,
    WhiteDisputed,
    disputed,
    places,
    player,
    put,
)
from table_controller.engine.table.offers import STAFF, Offers, offer
from table_controller.engine.table.schlitten import NoSchlitten, in_box
from table_controller.engine.table.undo import may_take_back
from table_controller.engine.views import Choice, Pick
from table_controller.rules.money import Chips
from table_controller.rules.punto_banco.coup import Winner

_OPENED: Final = {i.Side.PLAYER: phrase("Player opened"), i.Side.BANKER: phrase("Banker opened")}
_WON: Final = {
    Winner.PLAYER: phrase("Player"),
    Winner.BANKER: phrase("Banker"),
    Winner.TIE: phrase("Tie"),
}
_RULED: Final = {
    ti.StrayRuling.KEPT: (phrase("nobody saw it: keep it"), "main"),
    ti.StrayRuling.BURNED: (phrase("burn it"), "main"),
    ti.StrayRuling.FACE_UP: (phrase("it lay face up in the pack"), "mistake"),
    ti.StrayRuling.BACK: (phrase("it went back"), "mistake"),
}


def offers(table: s.Table) -> Offers:
    """Every input that a person may send now, the most likely first."""
    felt = table.felt
    still = stopped(felt.alerts)  # everything else waits for a ruling
    due = to.lid_ruling() if still else _due(table)
    brings = 20 * table.house.least_bet
    betting = table.house.bets and not still and isinstance(s.foremost(table), s.Betting)
    empty = betting and not any(places(felt))  # nobody is there who could stake
    coming = to.sits(felt, "main", brings) if empty else ()
    return (
        *coming,
        *due,
        *to.people(
            _held(table),
            [place for place in places(felt) if not busy(table, place)],
            brings=brings,
            between=not s.under_way(table),
            come=not empty,
            own=_collecting(table),
        ),
        *(() if still else _mistakes(table)),
        *_supervisor(table, still=still),
        *to.acknowledging(felt),
    )


def _held(table: s.Table) -> Felt:
    """The felt where the commission in a player's box is deducted from his balance (PB-10)."""
    felt = table.felt
    for seat, _ in table.owed:
        who = player(felt, seat)
        if who:
            own = Chips(bets.free_money(table, seat))
            felt = put(felt, seat, replace(who, balance=own))
    return felt


def _collecting(table: s.Table) -> Offers:
    owing = to.one_of(table.felt, [seat for seat, _ in table.owed])
    return offer(i.Collects, phrase("collect the commission"), owing, group="people")


# The offers that are due


def _due(table: s.Table) -> Offers:
    match s.foremost(table):
        case NoSchlitten(done=done):
            return (*to.loading(table.felt, more=done < len(PREPARING)), *_takes_down(table))
        case s.Betting():
            return _betting(table)
        case s.ToOpen() | s.PlayerToOpen() | s.BankerToOpen() as deal:
            return tuple(
                one
                for side in s.to_open(deal)
                for one in offer(i.Opened, _OPENED[side], hold=True, side=side)
            )
        case s.Announced(contradicted=True, winner=winner):
            label = phrase("confirm the result")
            return offer(i.ResultRuled, label, STAFF, hold=True, winner=winner)
        case s.Announced():
            return offer(i.Agrees, phrase("the table agrees"))
        case s.Paying(payments=payments):
            return paying.offers(payments, phrase("all paid"))
        case s.Over():
            return (*to.closing(), *_takes_down(table))
        case s.Burning():
            return _takes_down(table)
        case s.Dealing(number=0):
            return offer(i.BetsOpenAgain, phrase("bets open again"), group="more")
        case _:
            return _stopped(table)


def _stopped(table: s.Table) -> Offers:
    """The offers of rulings that the table waits for. If only a card is due, there are none."""
    match s.foremost(table):
        case Unread():
            return to.unread(table.felt)
        case Stray():
            return _stray(table)
        case MisdealDue():
            return _misdeal(table)
        case WhiteDisputed():
            return to.white(coup=s.under_way(table))
        case _ if play.lacking(table):
            annul = phrase("annul the coup")
            return offer(ti.Annulled, annul, hold=True, reason="PB-25")
        case _:
            return ()


def _betting(table: s.Table) -> Offers:
    closing: Offers = ()
    if play.may_begin(table, table.felt.alerts):
        closing = offer(ti.Closes, phrase("no more bets"))
    elif in_box(table.felt) < MOST:
        closing = to.closing()
    if not bets.may_lie(table):
        return closing
    limits = bets.Limits(table)
    return (*closing, *_laying(table, limits), *_takes_down(table), *_besides(table, limits))


def _besides(table: s.Table, limits: bets.Limits) -> Offers:
    """The offers of a free coup, and of the same stakes again (PB-16)."""
    found: Offers = ()
    if any(map(limits.again, table.previous)):
        found = offer(i.BetsAgain, phrase("the same stakes again"))
    waits = failing(table.felt.alerts) or in_box(table.felt) < MOST
    if not table.bets and play.may_be_free(table) and not waits:
        asked = "more" if any(places(table.felt)) else "main"  # who sits, stakes
        found += offer(i.FreeCoup, phrase("free coup"), group=asked)
    return found


def _laying(table: s.Table, limits: bets.Limits) -> Offers:
    """The offers to stake: one for each spot, for the players who can stake there (PB-13)."""
    found: Offers = ()
    for spot in bets.spots(table.house):
        ranges = {place: limits.of(place, spot) for place in places(table.felt)}
        able = {place: (least, most) for place, (least, most) in ranges.items() if least <= most}
        if able:
            sums = to.amount(
                min(least for least, _ in able.values()),
                max(most for _, most in able.values()),
                table.house.least_bet,
            )
            label = phrase("on {spot}", spot=SPOTS[spot])
            who = to.one_of(table.felt, able)
            found += offer(i.Bets, label, who, sums, group="more", lies=0, spot=spot)
    return found


def _takes_down(table: s.Table) -> Offers:
    """The offer for a player to take back his stake from a spot."""
    lies: dict[str, list[int]] = {spot: [] for spot in bets.spots(table.house)}
    for bet in table.bets:
        lies.setdefault(bet.spot, []).append(bet.seat)
    found: Offers = ()
    for spot, lie in lies.items():
        label = phrase("take down from {spot}", spot=SPOTS[spot])
        seats = to.one_of(table.felt, lie)
        found += offer(i.TakesDown, label, seats, group="more", clears=True, spot=spot)
    return found


# Mistakes


def _stray(table: s.Table) -> Offers:
    return tuple(
        one
        for ruling in mishaps.rulings(table)
        for one in offer(
            ti.StrayRuled, _RULED[ruling][0], STAFF, group=_RULED[ruling][1], ruling=ruling
        )
    )


def _misdeal(table: s.Table) -> Offers:
    if table.house.wrong_hand == "void":
        return ()
    return offer(i.PutRight, phrase("put right"), STAFF)


def _mistakes(table: s.Table) -> Offers:
    """The offers to report mistakes, one tap away under "mistake"."""
    offered: Offers = ()
    if may_take_back(table):
        offered = to.taking_back(last_word(table))
    if table.felt.stops or not s.under_way(table):
        return offered
    offered += offer(ti.Misdealt, phrase("laid to the wrong hand"), group="mistake")
    if mishaps.last_card(table):
        face_up = ti.StrayRuling.FACE_UP
        label = phrase("the last card lay face up in the pack")
        offered += offer(ti.StrayRuled, label, STAFF, group="mistake", hold=True, ruling=face_up)
    return offered


# For a supervisor


def _supervisor(table: s.Table, *, still: bool) -> Offers:
    offered: Offers = ()
    if s.under_way(table) and isinstance(s.foremost(table), Unread | Stray | MisdealDue):
        offered = to.throwing_away()
    waits = isinstance(s.foremost(table), Unread | Stray) and may_close_over(table)
    if waits or (isinstance(s.foremost(table), s.Burning | s.Betting) and not still):
        offered += to.closing_early()
    if isinstance(s.foremost(table), Unread) and not s.cards_lie(table):
        offered += to.burning()
    if s.under_way(table) and not disputed(table.felt):
        offered += to.annulling(asked=still)
    return (
        *offered,
        *to.correcting(
            table.felt,
            (
                (card.ordinal, _card(side, n), f"{side.value}-{n}")
                for side, n, card in _cards(table)
            ),
            lie_open=table.house.dealing == "open",
        ),
        *_transferring(table),
        *(() if still else _results(table)),
        *to.ruling(),
    )


def _cards(table: s.Table) -> tuple[tuple[i.Side, int, Dealt], ...]:
    return mishaps.correctable(table)


def _card(side: i.Side, number: int) -> Phrase:
    if side is i.Side.PLAYER:
        return phrase("Player, card {n}", n=number)
    return phrase("Banker, card {n}", n=number)


def _transferring(table: s.Table) -> Offers:
    """The offer to move chips. The tray keeps what it may need to pay the stakes (PB-13)."""
    felt = table.felt
    spare = Chips(max(0, felt.cagnotte - bets.at_risk(table)))
    return to.transferring(replace(felt, cagnotte=spare))


def _results(table: s.Table) -> Offers:
    """The offers for a supervisor to change a result, or to take it back (PB-26)."""
    phase = s.foremost(table)
    found: Offers = ()
    picks = tuple(Pick(value=winner.value, label=label) for winner, label in _WON.items())
    won = Choice(label=phrase("who has won"), name="winner", picks=picks)
    if isinstance(phase, s.Announced):
        found = offer(i.ResultRuled, phrase("another result"), won, STAFF, group="supervisor")
    if not table.felt.stops and settle.may_reopen(table):
        label = phrase("take the last result back")
        found = offer(i.Reopens, label, STAFF, group="supervisor", hold=True)
    coups = settle.rulable(table)
    if table.felt.stops or not coups:
        return found
    coup = Choice(
        label=phrase("coup"),
        name="coup",
        picks=tuple(Pick(value=n, label=phrase("{n}", n=n)) for n in coups),
    )
    label = phrase("an earlier coup counts otherwise")
    return (*found, *offer(i.PastRuled, label, coup, won, STAFF, group="supervisor"))


# Cards that people type if nothing reads them


def cards_by_hand(table: s.Table) -> Offers:
    """The offers to type a card that left the Schlitten, instead of having it read (R-13)."""
    phase = s.foremost(table)
    due = type(phase) in s.LAY or isinstance(phase, s.Burning)
    group = "main" if due else "more" if isinstance(phase, s.Betting) else "mistake"
    turned = isinstance(phase, s.Burning) and phase.left is None
    lies_open = turned or (due and table.house.dealing == "open")
    return to.cards_by_hand(table.felt, group, lies_open=lies_open)

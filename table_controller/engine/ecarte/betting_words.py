"""The table's question between two parties in words: one sentence, and the rule's id."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from table_controller.engine.ecarte.betting import Mode
from table_controller.engine.ecarte.phases import Auction, StakesDue, Succession
from table_controller.engine.ecarte.purse import the_bets
from table_controller.engine.ecarte.state import Table, book_rule
from table_controller.engine.messages import Phrase, phrase
from table_controller.rules.ecarte import stakes
from table_controller.rules.ecarte.chouette import may_play

Asked = tuple[Phrase, str, tuple[int, ...]]


def _auction(_table: Table, _due: Any) -> Asked:
    return phrase("Who offers most for the chouette?"), "E07-8", ()


def _succession(table: Table, _due: Any) -> Asked:
    return phrase("Who goes on with the chouette?"), book_rule(table, "6", "5", "0"), ()


def _stakes(table: Table, _due: Any) -> Asked:
    bets = the_bets(table)
    if bets.mode is Mode.TWO_SIDES:
        side, missing = stakes.short(*bets.stakes)
        by = book_rule(table, "60", "58", "0")
        hand = bets.orders[side].hand
        if missing and hand:
            ask = phrase("{chips} are missing at seat {seat}", chips=missing, seat=hand)
            return ask, by, ()
        return phrase("Both sides stake alike"), by, ()
    asked = (bets.giver,)
    if bets.bank and not bets.bank.holds:
        return phrase("The bank is lost: a fresh one?"), book_rule(table, "8", "4", "0"), asked
    if bets.chouette and bets.chouette.hand not in may_play(bets.chouette):
        by = book_rule(table, "4", "4", "0")
        return phrase("Whoever has a half holds the cards"), by, may_play(bets.chouette)
    if bets.closed:
        return phrase("Le coup est tenu?"), book_rule(table, "7", "6", "0"), asked
    if bets.bank:
        unit = table.house.unit
        ask = phrase("Faites le jeu: {chips} {unit}", chips=bets.bank.holds, unit=unit)
        return ask, book_rule(table, "8", "4", "0"), asked
    return phrase("Je voudrais voir le coup"), book_rule(table, "7", "6", "0"), asked


ASKS: Final[dict[type, Callable[[Table, Any], Asked]]] = {
    Auction: _auction,
    Succession: _succession,
    StakesDue: _stakes,
}

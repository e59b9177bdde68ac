"""Random deals of écarté, with mistakes: every deal ends, and marks and sums always add up.

The expectations are counted here anew from the cards on the table, not by the engine's own
functions.
"""

from __future__ import annotations

import os
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from random import Random
from typing import Final, NamedTuple

from table_controller.engine.ecarte import events as e
from table_controller.engine.ecarte import state
from table_controller.engine.ecarte.playing import may_be
from table_controller.engine.ecarte.state import (
    Deal,
    ElderToSpeak,
    LeadDue,
    Partie,
    ReplyDue,
    Table,
    begin,
    foremost,
    total,
)
from table_controller.engine.ecarte.step import CASES, step
from table_controller.engine.messages import Event, Input, Refusal
from table_controller.engine.promises import SecretKey
from table_controller.engine.table import inputs as ti
from table_controller.engine.table.events import Withdrawn
from table_controller.rules.cards import Card, Suit
from table_controller.rules.ecarte.house import House
from table_controller.rules.ecarte.tricks import legal
from table_controller.rules.money import Chips
from tests.engine.ecarte_playing import HOUSES
from tests.engine.ecarte_words import SEATS, apt, wild

#: The deals of each house in the whole run.
DEALS_OF_ALL: Final = 300_000
#: How often an input is a mistake, in the three thirds of the deals.
RATES: Final = (0.01, 0.04, 0.16)
#: The number of processes: one more than there are cores, so that no core is idle.
WORKERS: Final = len(os.sched_getaffinity(0)) + 1
#: The deals of one evening. The next evening has another seed.
EVENING: Final = 500
#: More inputs than any deal takes, and more money than anybody stakes.
WORDS, BRINGS = 1500, 10**7

HEIGHTS: Final = "789TAJQK"


class Evening(NamedTuple):
    """A number of deals in one house, and how often an input in them is a mistake."""

    house: int
    rate: float
    seed: int
    deals: int


def evenings(deals: int) -> list[Evening]:
    """Evenings with `deals` deals in each house, a third of them at each rate of mistakes."""
    told = []
    for house in range(len(HOUSES)):
        for third, rate in enumerate(RATES):
            due = deals * (third + 1) // 3 - deals * third // 3
            for seed, begun in enumerate(range(0, due, EVENING)):
                told.append(Evening(house, rate, seed, min(EVENING, due - begun)))
    return told


def found(deals: int) -> dict[str, Counter[str]]:
    """Count what happened in `deals` deals in each house. The work is done on every core."""
    every = {house.id: Counter[str]() for house in HOUSES}
    due = evenings(deals)
    with ProcessPoolExecutor(WORKERS) as pool:
        for evening, came in zip(due, pool.map(walked, due, chunksize=4), strict=True):
            every[HOUSES[evening.house].id] += came
    return every


def walked(evening: Evening) -> Counter[str]:
    """Play one evening to its last deal. A finding ends the run."""
    house = HOUSES[evening.house]
    luck = Random(f"{house.id} {evening.rate} {evening.seed}")
    now, checks, came = seated(house), Checks(house), Counter[str]()
    since = 0
    while came["ended"] + came["annulled"] < evening.deals:
        word = wild(now, luck) if luck.random() < evening.rate else apt(now, luck)
        try:
            after, told = step(now, word)
        except Refusal:
            came["refused"] += 1
            after, told = now, ()
        else:
            came[case(type(foremost(now)), type(word))] += 1
        try:
            checks.look(now, word, after, told)
        except AssertionError as error:
            raise AssertionError(f"{error}, after {word} in {evening}") from error
        for event in told:
            kind = _COUNTED.get(type(event))
            if kind:
                came[kind] += 1
                since = 0
            if kind == "parties" and after.bets is not None:
                came["staked"] += 1
        since += 1
        assert since < WORDS, f"{evening}: a deal does not end"
        now = after
    return came


_COUNTED: Final = {
    e.DealEnded: "ended", e.DealAnnulled: "annulled", e.PartieEnded: "parties",
    e.DealRestored: "restored", e.RuleCalled: "ruled", e.QuestionAsked: "asked",
    e.DealSetAside: "set aside", Withdrawn: "taken back",
}  # fmt: skip


def case(phase: type, kind: type) -> str:
    """The name under which a case of the state machine, a phase and an input, is counted."""
    return f"{phase.__name__} {kind.__name__}"


CASES_BY_NAME: Final = frozenset(case(phase, kind) for phase, kind in CASES)


def seated(house: House) -> Table:
    """A table with six players who have money."""
    now = begin(house, SecretKey(b"soak"))
    for seat in SEATS:
        now, _ = step(now, ti.Sits(seat=seat, name=f"player {seat}", chips=Chips(BRINGS)))
    return now


class Checks:
    """The checks that are made after every input."""

    def __init__(self, house: House) -> None:
        self._house, self._score = house, [0, 0]

    def look(self, before: Table, word: Input, now: Table, told: tuple[Event, ...]) -> None:
        """Check marks, money, and the cards that may be played. Raises AssertionError."""
        if now.felt.seats is not before.felt.seats or now.bets is not before.bets:
            self._money(now)
        if now.deal is not before.deal and now.deal is not None:
            self._cards(now, now.deal, before.deal)
        if now.partie is not before.partie or told:
            self._marks(now.partie or before.partie, now, told, word)

    def _money(self, now: Table) -> None:
        assert total(now) == len(SEATS) * BRINGS, "money was made or lost"
        assert all(who.balance >= 0 for who in now.felt.seats if who), "somebody owes"
        assert state.lies(now.bets) >= 0, "less than nothing is staked"

    def _cards(self, now: Table, deal: Deal, was: Deal | None) -> None:
        assert min(deal.held) >= 0 or deal.ragged, "less than no card is held"
        assert min(deal.marks) >= 0, "more marks taken back than were made"
        if not deal.turned or deal.ended or (was and _lie_alike(was, deal)):
            return
        for side in (0, 1):
            if deal.held[side] > 0:
                cards = may_be(deal, side)
                assert cards, "no card may be played"
                replies = deal.led is not None and side != deal.leader
                assert not replies or legal(cards, deal.led, deal.trump), "none is legal"
        assert sum(tricks(deal)) <= 5, "more than five tricks"
        if isinstance(foremost(now), ElderToSpeak | LeadDue | ReplyDue):
            assert len(deal.tricks) < 5, "a sixth trick is due"

    def _marks(
        self, partie: Partie | None, now: Table, told: tuple[Event, ...], word: Input
    ) -> None:
        for event in told:
            kind = type(event)
            if kind is e.Marked or kind is e.Unmarked:
                assert partie
                assert partie == (now.partie or partie)
                self._moved(event)
            elif kind is e.PartieBegun:
                self._score = [0, 0]
            elif kind is e.PartieEnded:
                self._won(event)
            elif kind is e.DealEnded:
                self._worth(now, event)
        if isinstance(word, ti.TakesBack) and now.partie:
            self._score = list(now.partie.score)
        if now.partie:
            assert self._score == list(now.partie.score), "the counters were moved unseen"
            assert min(now.partie.score) >= 0, "marks below nothing"
            assert len(now.partie.due) <= 12, "too much is due"

    def _moved(self, event: Event) -> None:
        assert isinstance(event, e.Marked | e.Unmarked)
        by = event.points if isinstance(event, e.Marked) else -event.points
        left = self._score[0] + by
        if left == event.left and self._score[1] == event.right:
            self._score[0] = left
        else:
            assert [self._score[0], self._score[1] + by] == [event.left, event.right], "miscounted"
            self._score[1] += by

    def _won(self, event: Event) -> None:
        assert isinstance(event, e.PartieEnded)
        assert [event.left, event.right] == self._score, "the partie ended otherwise"
        if event.how is e.How.MARKS:
            won, lost = max(self._score), min(self._score)
            assert won >= 5 > lost, "the partie ended too early"

    def _worth(self, now: Table, event: Event) -> None:
        """Check which points each side may mark for the deal, by counting them anew.

        The counting follows section 4.3 of the rules, ER-2 and ER-9.
        """
        assert isinstance(event, e.DealEnded)
        deal = now.deal
        assert deal is not None
        made = tricks(deal)
        assert made == [event.left, event.right], "tricks miscounted"
        due = [event.left_marks, event.right_marks]
        if deal.thrown_in:
            assert sorted(due) == [0, 2], "two for cards thrown away"
            return
        assert sum(made) == 5, "a deal of other than five tricks"
        assert due == [self._side(deal, side, made) for side in (0, 1)], "marks do not come out"

    def _side(self, deal: Deal, side: int, made: list[int]) -> int:
        vole, penalty = made[side] == 5, self._house.false_king == "penalty"
        worth = 0
        if made[side] >= 3:
            failed = deal.refused if side != deal.dealer else deal.authority
            worth = 2 if vole or (failed and not deal.bought) else 1
            if deal.revoked[side] and not vole:
                worth = worth - 1 if self._house.book == "E07" else 0
            elif deal.revoked[side]:
                worth = 1
        if penalty and deal.false_kings[side]:
            worth = 0
        return worth + int(penalty and deal.false_kings[1 - side])


def _lie_alike(was: Deal, deal: Deal) -> bool:
    """Whether no card has moved, so that the cards that may be played are the same."""
    moved = was.tricks is not deal.tricks or was.led is not deal.led or was.held is not deal.held
    known = was.shown is not deal.shown or was.bottom is not deal.bottom
    return not moved and not known and was.turned is deal.turned


def tricks(deal: Deal) -> list[int]:
    """The number of tricks of each side, counted from the played cards."""
    made = list(deal.given)
    for trick in deal.tricks:
        taken = beats(trick.reply, trick.led, deal.trump)
        made[1 - trick.leader if taken else trick.leader] += 1
    return made


def beats(reply: Card, led: Card, trump: Suit) -> bool:
    """Whether a reply takes the trick: a higher card of the suit led, or a trump on another."""
    (rank, suit), (led_rank, led_suit) = reply.value, led.value
    if suit == led_suit:
        return HEIGHTS.index(rank) > HEIGHTS.index(led_rank)
    return suit == trump.value

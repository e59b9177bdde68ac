"""Any evening with any mistake: conditions that must be met whatever people and sensors do."""

from __future__ import annotations

import random

import msgspec
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
)
from msgspec.structs import replace

from table_controller.engine.chemin_de_fer import game
from table_controller.engine.chemin_de_fer.state import (
    BankDue,
    ClaimDisputed,
    PlayersDue,
    Table,
    deal_of,
    foremost,
)
from table_controller.engine.chemin_de_fer.step import step
from table_controller.engine.chemin_de_fer.view import snapshot
from table_controller.engine.messages import (
    Audience,
    CardNamed,
    CardSeen,
    Input,
    Severity,
    StalePrompt,
)
from table_controller.engine.seen import Unknown
from table_controller.engine.table import events as te
from table_controller.engine.table import inputs as ti
from table_controller.engine.table import persons
from table_controller.engine.table.devices import failing, stopped
from table_controller.engine.table.felt import MisdealDue
from table_controller.engine.table.schlitten import miscounted
from table_controller.engine.views import STANDING, Offer, Snapshot
from table_controller.rules.cards import PACK
from tests.contract import holds
from tests.contract.games import PLAYED
from tests.contract.walks import taken
from tests.engine.dealing import shuffled
from tests.engine.filling import filled, read
from tests.engine.pictured import balances, figure
from tests.engine.playing import MODERN, NEMZETI, ZOPPOT, same_undo, table, total
from tests.engine.strategies import inputs

#: Where nothing is in the middle of the page: a card is due.
CARD_DUE = {"Dealing", "ThirdCardDue", "BankerCardDue"}


def said(offer: Offer, luck: random.Random, card: str = "7h") -> Input:
    """The input that a button makes, with what somebody fills in."""
    fields = filled(offer, luck, card=card)
    assert offer.takes(fields), fields
    found: Input = read(fields, game.inputs)
    return found


class Evenings(RuleBasedStateMachine):
    """Whatever people do, money is neither made nor lost and nobody is stuck."""

    @initialize(
        seed=st.integers(0, 2**32),
        left=st.sampled_from([312, 312, 40, 25, 14, 8, 7]),
        chips=st.sampled_from([1000, 30, 10, 9]),
        empty=st.sets(st.integers(1, 9), max_size=8),
        house=st.sampled_from([ZOPPOT, NEMZETI, MODERN]),
    )
    def the_evening_begins(self, seed, left, chips, empty, house=ZOPPOT):
        """Some players, a Schlitten of which some cards may be out already."""
        self.state: Table = table(left=left, chips=chips, house=house)
        self.box = shuffled(seed)[:left]
        self.money = total(self.state)
        self.closed: set[int] = set()
        self.pictured: Table | None = None
        self.pressed: Table | None = None
        for seat in empty:
            self.take(ti.Leaves(seat=seat))

    def picture(self) -> Snapshot:
        """What the croupier sees now, asked once however many ask for it."""
        if self.pictured is not self.state:
            self.pictured, self.seen = self.state, snapshot(self.state, Audience.CROUPIER)
        return self.seen

    def take(self, what: Input) -> bool:
        """Say one thing to the table; whether it was admitted."""
        before, kept = self.state, msgspec.json.encode(self.state)
        one = taken(game, before, what)
        holds.fair(PLAYED[0], one)
        assert msgspec.json.encode(before) == kept, "a step changed the state before it"
        if one.refusal is not None:
            return False
        self.state = one.after
        for event in one.told:
            match event:
                case te.BalanceChanged() if not isinstance(what, ti.Tips):
                    self.money += event.chips
                case te.SchlittenReady():
                    self.box = shuffled(event.number)
                case te.CardIdentified():
                    self.closed.add(event.ordinal)
                case te.CardOpened():
                    self.closed.remove(event.ordinal)
                case te.SchlittenWithdrawn():  # its closed cards may still be in play
                    self.closed.clear()
                case te.SchlittenCounted():
                    assert not self.closed, "a card was never revealed (R-35)"
        assert total(self.state) == self.money, "money was made or lost"
        undo = self.state.undo
        if undo and undo.table is before:
            back, _ = step(self.state, ti.TakesBack())
            was = before.felt
            now = replace(back.felt, alerts=was.alerts, withdrawn=was.withdrawn)
            back = same_undo(replace(back, prompt=before.prompt, felt=now), before)
            assert back == before
        return True

    # What people do

    @rule(data=st.data())
    def somebody_takes_an_offer(self, data):
        """Every button that is lit works."""
        offers = self.picture().offers
        offers = [offer for offer in offers if not offer.secret]
        if offers:
            offer = data.draw(st.sampled_from(offers))
            luck = random.Random(data.draw(st.integers(0, 999)))
            prompt = data.draw(st.sampled_from([None, self.state.prompt]))

            assert self.take(replace(said(offer, luck), prompt=prompt)), offer

    @rule()
    def the_likely_thing_happens(self):
        """So that evenings get somewhere: a card where one is due, else the first offer."""
        offers = self.picture().offers
        main = [offer for offer in offers if offer.group == "main" and not offer.secret]
        if main:
            modest = filled(main[0], random.Random(self.state.prompt), modest=True)
            self.take(read(modest, game.inputs))
        else:
            self.a_card_leaves()

    @rule(cards=st.integers(1, 6))
    def several_likely_things_happen(self, cards):
        """A run of play without a mistake."""
        for _ in range(cards):
            self.the_likely_thing_happens()

    @rule()
    def a_card_leaves(self):
        """Whether one is due or not: the count knows it."""
        if not self.box or self.state.felt.shoe is None:
            return
        left = self.state.felt.shoe.left
        named = type(foremost(self.state)).__name__ == "Unread"
        admitted = self.take(CardSeen(card=self.box[0]))
        if admitted:
            self.box.pop(0)
            assert self.state.felt.shoe.left == left - (not named)

    @rule(reason=st.sampled_from(list(Unknown)))
    def a_card_leaves_unread(self, reason):
        """Nothing is guessed; the count goes on."""
        self.take(CardSeen(unknown=reason))

    @rule()
    def the_white_card_comes_out(self):
        """At any moment: then the count says whether it can be."""
        self.take(CardSeen(white=True))

    @rule(card=st.sampled_from(PACK), who=st.sampled_from(["anna", "berta"]))
    def somebody_names_a_card(self, card, who):
        """The page's blind entry."""
        self.take(CardNamed(card=card, actor=who))

    @rule(what=inputs.filter(lambda said: not isinstance(said, persons.KINDS)))
    def anything_is_said(self, what):
        """By anybody, at any moment, for any seat; once people are named, roles forbid the rest."""
        self.take(what)

    @rule(what=inputs, age=st.integers(1, 5))
    def something_is_said_too_late(self, what, age):
        """An answer to an older question does nothing."""
        try:
            step(self.state, replace(what, prompt=self.state.prompt - age))
        except StalePrompt:
            return
        raise AssertionError(f"an old answer was taken: {what}")

    @rule(seat=st.integers(1, 9), chips=st.sampled_from([5, 10, 100]))
    def somebody_comes_or_goes(self, seat, chips):
        """At any moment; who plays in the coup must stay."""
        taken = self.state.felt.seats[seat - 1] is not None
        self.take(ti.Leaves(seat=seat) if taken else ti.Sits(seat=seat, name="Anna", chips=chips))

    # What must hold

    @invariant()
    def nobody_is_stuck(self):
        """Something to press is in the middle, four at most, or a card or the mains are due."""
        phase = type(foremost(self.state)).__name__
        offers = self.picture().offers
        main = [offer for offer in offers if offer.group == "main"]

        dark = phase in ("StakesDue", "Staking") and failing(self.state.felt.alerts)
        assert main or phase in CARD_DUE or dark, phase
        assert len(main) <= 4, [str(offer.label) for offer in main]

    @invariant()
    def every_offer_is_admitted_as_it_stands(self):
        """With any seat, its least or its greatest sum, any words; a card as it was read."""
        if self.pressed is self.state:
            return  # nothing was taken since
        self.pressed = self.state
        luck, deal = random.Random(self.state.prompt), deal_of(self.state.phase)
        cards = {one.ordinal: one.card for one in (*deal.pointeur, *deal.banker)} if deal else {}
        for offer in self.picture().offers:
            if offer.input["type"] == "card_named":
                continue  # a second person must enter it
            what = said(offer, luck)
            if isinstance(what, ti.Corrects):
                what = replace(what, card=cards[what.ordinal])
            step(self.state, what)

    @invariant()
    def the_table_asks_somebody_who_sits_there(self):
        """R-10: an empty seat is asked nothing, and two players are enough to go on."""
        picture = snapshot(self.state, Audience.PUBLIC)
        taken = {view.seat for view in picture.seats if view.taken}

        assert str(picture.prompt.ask)
        assert set(picture.prompt.seats) <= taken, str(picture.prompt.ask)
        seated = {seat for seat in taken if seat <= STANDING}
        if isinstance(foremost(self.state), PlayersDue):
            assert len(seated) < 2
        if isinstance(foremost(self.state), BankDue):
            assert len(seated) >= 2

    @invariant()
    def the_table_stands_still_exactly_while_an_alert_says_so(self):
        """What stops the coup is told, and nothing that was put right is still told."""
        stops = [alert for alert in self.state.felt.alerts if alert.severity is Severity.STOP]
        phase = self.state.phase
        # A misdeal is what the croupier said himself: the prompt asks on, nothing warns.
        waiting = sum(not isinstance(stop, MisdealDue) for stop in self.state.felt.stops)
        waiting += isinstance(phase, ClaimDisputed) + miscounted(self.state.felt)
        if stopped(self.state.felt.alerts):
            assert deal_of(phase)
            waiting += 1

        assert len(stops) == waiting, [str(alert.what) for alert in stops]

    @invariant()
    def the_count_stays_within_the_box(self):
        """R-6: never more cards than six packs, never fewer than none."""
        shoe = self.state.felt.shoe

        assert shoe is None or 0 <= shoe.left <= 312

    @invariant()
    def no_sum_is_below_nothing(self):
        """R-16: no balance, pot or stake is negative."""
        state = self.state
        sums = [who.balance for who in (*state.felt.seats, *state.felt.standing) if who]
        sums += [state.bank.pot, state.bank.aside] if state.bank else []
        sums += [one.chips for one in state.coup.stakes] if state.coup else []

        assert min([0, *sums]) == 0

    @invariant()
    def the_picture_shows_the_same_money(self):
        """The croupier's picture is the books: balances, pot, stake and cagnotte."""
        picture = self.picture()

        people = (*self.state.felt.seats, *self.state.felt.standing)
        shown = sum(balances(picture).values())

        assert shown == sum(who.balance for who in people if who)
        assert figure(picture, "cagnotte") == self.state.felt.cagnotte


Evenings.TestCase.settings = settings(
    max_examples=100,
    stateful_step_count=60,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # a failure is shown, not shrunk
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
TestEvenings = Evenings.TestCase


def test_a_long_evening_of_mistakes():
    """One seeded evening of thousands of whims, further in than hypothesis goes."""
    luck = random.Random(1907)
    evening = Evenings()
    evening.the_evening_begins(seed=1, left=312, chips=10**6, empty=set())
    rules = [
        evening.the_likely_thing_happens,
        evening.the_likely_thing_happens,
        evening.the_likely_thing_happens,
        evening.a_card_leaves,
        lambda: evening.a_card_leaves_unread(luck.choice(list(Unknown))),
        evening.the_white_card_comes_out,
        lambda: evening.somebody_names_a_card(luck.choice(PACK), luck.choice(["anna", "berta"])),
        lambda: evening.somebody_comes_or_goes(luck.randint(1, 9), 10**6),
    ]
    coups = 0
    for _ in range(4000):
        luck.choices(rules, weights=[20, 20, 20, 3, 1, 0.2, 2, 2])[0]()
        evening.nobody_is_stuck()
        evening.the_table_asks_somebody_who_sits_there()
        coups = evening.state.felt.coups

    assert coups > 100

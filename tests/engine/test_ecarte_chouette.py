"""Chouettes at the table of écarté: open, shared, auctioned, given up; and EDE's bank."""

import pytest

from table_controller.engine.ecarte import events as e
from table_controller.engine.ecarte import inputs as i
from table_controller.engine.ecarte import state as p
from table_controller.engine.ecarte.offers import about_stakes
from table_controller.engine.ecarte.state import the_partie
from table_controller.engine.ecarte.step import step
from table_controller.engine.ecarte.view import due_payments
from table_controller.engine.ecarte.words import awaited
from table_controller.engine.messages import Refusal
from table_controller.engine.table import inputs as ti
from table_controller.rules.money import Chips
from tests.engine.ecarte_staking import E00, E07, EDE, changes, laid, over, said, table, told


def chouette(house=E07, giver=1):
    """Seat 1 gives an open chouette, seats 2 to 4 stake 30, 20 and 10 against it."""
    return said(table(house), i.GivesChouette(seat=giver), laid(2, 30), laid(3, 20), laid(4, 10))


def auctioned(*, chips=100):
    """Seat 1 has won the auction and laid his bank."""
    return said(table(E07), i.CallsAuction(), i.BidsFor(seat=1, chips=chips), i.KnockedDown(seat=1))


def bank(now):
    """What the bank holds, how often it was renewed and halved."""
    return now.bets.bank.holds, now.bets.bank.renewed, now.bets.bank.halved


@pytest.mark.parametrize("house", [E07, E00])
def test_an_open_chouette_holds_every_stake(house):
    """E07-5, E00-4, ER-26: even money, down the list; the loser's hand passes on."""
    now = over(chouette(house), 1)
    assert the_partie(now).seats == (1, 2)

    events = told(now, i.Onward())
    paid = [(x.seat, x.to, x.chips) for x in events if isinstance(x, e.StakePaid)]
    assert paid == [(2, 1, 30), (3, 1, 20), (4, 1, 10)]
    now = said(now, i.Onward())
    assert changes(now) == (60, -30, -20, -10, 0, 0)
    assert now.bets.orders[1].players == (3, 4, 2)

    now = said(over(said(now, laid(5, 15)), 0), i.Onward())
    assert changes(now) == (45, -30, -20, -10, 15, 0)
    assert now.bets.orders[1].players == (3, 4, 2, 5)


def test_a_giver_who_cannot_pay_holds_nothing():
    """E07-5, E00-4: he must hold what is laid, so he buys in or withdraws."""
    now = said(table(E07, chips=50), i.GivesChouette(seat=1), laid(2, 30), laid(3, 30))

    with pytest.raises(Refusal, match="Seat 1 has 50 K, not 60"):
        step(now, i.PartieHeld())


def test_partners_share_and_a_half_may_hold_the_cards():
    """E07-4, E00-4, ER-26: 61 in halves, the odd chip is his who plays."""
    now = said(chouette(), laid(4, 1), i.TakesShare(seat=5, parts=1), i.HoldsCards(seat=5))

    now = over(now, 0)
    assert the_partie(now).seats == (5, 2)
    assert changes(said(now, i.Onward())) == (-30, 30, 20, 11, -31, 0)


def test_who_has_less_than_a_half_does_not_hold_the_cards():
    """E07-4, E00-4: and goes to the order's end when he steps out at E07."""
    for house, players in ((E07, (2, 3, 4, 5)), (E00, (2, 3, 4))):
        now = said(chouette(house), i.TakesShare(seat=1, parts=2), i.TakesShare(seat=5, parts=1))
        with pytest.raises(Refusal, match="less than a half"):
            step(now, i.HoldsCards(seat=5))
        assert said(now, i.TakesShare(seat=5, parts=0)).bets.orders[1].players == players


def test_a_share_needs_a_free_hand_and_leaves_the_giver_his():
    """E07-4, E00-4: nobody plays on both sides, nobody gives a chouette without a part."""
    for seat, parts, why in (
        (2, 1, "money in play"), (1, 0, "Seat 1 cannot have 0 parts. He may have from 1 to 100"),
        (5, -1, "cannot have -1"), (5, 0, "cannot have 0"), (5, 101, "cannot have 101"),
    ):  # fmt: skip
        with pytest.raises(Refusal, match=why):
            step(chouette(), i.TakesShare(seat=seat, parts=parts))
    with pytest.raises(Refusal, match="closed already"):
        step(said(chouette(), i.ClosesStakes()), i.TakesShare(seat=5, parts=1))
    with pytest.raises(Refusal, match="other side"):
        step(chouette(), laid(1, 10))


def test_the_partner_goes_on_and_the_loser_stands_behind_the_winner():
    """E07-6: he comes before everybody; without him lots decide among who come forward."""
    shared = said(chouette(), i.TakesShare(seat=5, parts=1))
    now = said(over(shared, 0), i.Onward(), i.GivesUp())

    assert now.bets.orders[1].players == (2, 1, 5, 3, 4)
    with pytest.raises(Refusal, match="before another"):
        step(now, i.GoesOn(seat=3))
    assert said(now, i.GoesOn(seat=5)).bets.orders[1].players == (2, 1, 3, 4)
    now = said(now, i.WillNotGoOn(seat=5), i.GoesOn(seat=3))
    assert now.bets.giver == 3
    assert now.bets.orders[1].players == (2, 1, 5, 4)


def test_a_sharer_of_less_than_a_half_goes_to_the_end_when_the_giver_stops():
    """E07-4, E07-6: he stands behind the loser; the giver behind the winner."""
    shared = said(chouette(), i.TakesShare(seat=1, parts=2), i.TakesShare(seat=5, parts=1))
    now = said(over(shared, 0), i.Onward(), i.GivesUp())

    assert now.bets.orders[1].players == (2, 1, 3, 4, 5)


def test_that_nobody_goes_on_is_held():
    """ER-34: a short touch would end a chouette, an auction or the German bank for everybody."""
    begins = ((EDE, i.LaysBank(seat=1, chips=50)), (E07, i.GivesChouette(seat=1)))
    given_up = [
        said(over(said(table(house), word, laid(2, 20)), 0), i.Onward(), i.GivesUp())
        for house, word in begins
    ]
    for now in (*given_up, said(table(E07), i.CallsAuction())):
        nobody = {"type": "will_not_go_on", "seat": 0}
        assert [each.hold for each in about_stakes(now) if each.input == nobody] == [True]


def test_the_page_shows_each_payment_after_a_partie():
    """E07-60: who pays whom, and how much; during the partie none."""
    assert due_payments(chouette()) == ()

    shown = due_payments(over(chouette(), 0))

    said_of = [(one.seat, one.chips, str(one.text)) for one in shown]
    assert said_of == [(1, 30, "pays seat 2"), (1, 20, "pays seat 3"), (1, 10, "pays seat 4")]


def test_a_winner_who_stops_has_the_losers_place():
    """E07-6: the last player lost and went to the end; the giver plays in his place."""
    now = said(over(chouette(), 1), i.Onward(), i.GivesUp())

    assert now.bets.orders[1].players == (1, 3, 4, 2)


def test_at_e00_sharers_and_then_the_list_go_on():
    """E00-5: any sharer, then the next of the other side; who retired is a newcomer."""
    shared = said(chouette(E00), i.TakesShare(seat=1, parts=2), i.TakesShare(seat=5, parts=1))
    now = said(over(shared, 0), i.Onward(), i.GivesUp())

    assert now.bets.orders[1].players == (2, 3, 4)
    with pytest.raises(Refusal, match="Ask seat 5 first"):
        step(now, i.GoesOn(seat=2))
    now = said(now, i.WillNotGoOn(seat=5))
    with pytest.raises(Refusal, match="Ask seat 2 first"):
        step(now, i.GoesOn(seat=3))
    now = said(now, i.GoesOn(seat=2), laid(1, 10))
    assert now.bets.orders[1].players == (3, 4, 1)


def test_who_will_not_go_on_is_not_asked_anew_at_another_seat():
    """E00-5, E07-6: he stays out wherever he sits now; who takes the place that he left may."""
    now = said(chouette(E00), i.GivesUp(), i.WillNotGoOn(seat=2), i.WillNotGoOn(seat=3))

    swapped = said(now, ti.Swaps(seat=3, other=5))

    with pytest.raises(Refusal, match="Ask seat 4 first"):
        step(swapped, i.GoesOn(seat=5))
    now = said(chouette(), i.GivesUp(), i.WillNotGoOn(seat=3), ti.Leaves(seat=3))
    newcomer = ti.Sits(seat=3, name="newcomer", chips=Chips(100))
    assert said(now, newcomer, i.GoesOn(seat=3)).bets.giver == 3


def test_nobody_goes_on():
    """E07-6, E00-5: then anybody may give one, or two sides play."""
    now = said(chouette(), i.GivesUp(), i.WillNotGoOn(seat=0))

    assert isinstance(now.phase, p.PlayersDue)
    assert now.bets is None
    assert changes(now) == (0,) * 6


def test_the_highest_offer_has_it_and_equals_draw_lots():
    """E07-8: X23, two offer 100 together and the lot decides; one below the highest is none."""
    now = said(table(E07), i.CallsAuction(), i.BidsFor(seat=1, chips=100))
    with pytest.raises(Refusal, match="too small"):
        step(now, i.BidsFor(seat=2, chips=99))

    now = said(now, i.BidsFor(seat=2, chips=100, together=True))
    with pytest.raises(Refusal, match="not offered most"):
        step(now, i.KnockedDown(seat=3))
    now = said(now, i.KnockedDown(seat=2))
    assert now.bets.giver == 2
    assert bank(now) == (100, 0, 0)
    assert changes(now) == (0, -100, 0, 0, 0, 0)


def test_a_bank_covers_in_order_and_who_is_left_out_may_be_let_in():
    """E07-61: X23, 60, 30 and 10 of 30 stand; seat 2 lets seat 4 in, and only then seat 5."""
    now = said(auctioned(), laid(2, 60), laid(3, 30), laid(4, 30), laid(5, 20), i.ClosesStakes())
    assert changes(now) == (-100, -60, -30, -10, 0, 0)

    with pytest.raises(Refusal, match="up to 20"):
        step(now, i.LetsIn(seat=2, chips=25))
    now = said(now, i.LetsIn(seat=2, chips=20))
    assert changes(now) == (-100, -40, -30, -30, 0, 0)
    now = said(now, i.StaysOut())
    with pytest.raises(Refusal, match="up to 0"):
        step(now, i.LetsIn(seat=2, chips=5))


def test_a_bank_is_won_halved_and_bid_double():
    """E07-8, ER-25: X23, 100 become 200, halved to 100; the winner retires and 80 are 160."""
    now = said(over(said(auctioned(), laid(2, 60), laid(3, 40)), 1), i.Onward())
    assert bank(now) == (200, 0, 0)

    now = said(now, i.HalvesBank())
    assert bank(now) == (100, 0, 1)
    with pytest.raises(Refusal, match="cannot be halved"):
        step(now, i.HalvesBank())
    now = said(now, i.GivesUp())
    assert changes(now) == (100, -60, -40, 0, 0, 0)
    now = said(now, i.BidsFor(seat=1, chips=80), i.KnockedDown(seat=1))
    assert bank(now) == (160, 0, 0)


def test_only_a_winner_lays_double():
    """E07-8, ER-25: who lost his last partie lays what he offers, and so does anybody else."""
    lost = said(over(said(auctioned(), laid(2, 60)), 0), i.Onward(), i.GivesUp())
    assert bank(said(lost, i.BidsFor(seat=1, chips=80), i.KnockedDown(seat=1))) == (80, 0, 0)

    won = said(over(said(auctioned(), laid(2, 60)), 1), i.Onward(), i.GivesUp())
    assert bank(said(won, i.BidsFor(seat=2, chips=80), i.KnockedDown(seat=2))) == (80, 0, 0)


def test_a_lost_bank_is_renewed_twice():
    """E07-8: any sum from the least on; then only giving up is left."""
    now = auctioned()
    for renewals in (1, 2):
        now = said(over(said(now, laid(2, 100)), 0), i.Onward())
        assert bank(now)[0] == 0
        with pytest.raises(Refusal, match="The least is 10"):
            step(now, i.RenewsBank(chips=9))
        now = said(now, i.RenewsBank(chips=50))
        assert bank(now) == (50, renewals, 0)
    now = said(over(said(now, laid(2, 50)), 0), i.Onward())
    with pytest.raises(Refusal, match="put up again"):
        step(now, i.RenewsBank(chips=50))
    assert isinstance(said(now, i.GivesUp()).phase, p.Auction)


def test_a_bank_is_raised_at_any_time():
    """E07-8: also when the stakes are closed."""
    now = said(auctioned(), laid(2, 10), i.ClosesStakes(), i.RaisesBank(chips=7))

    assert bank(now) == (107, 0, 0)
    assert changes(now)[0] == -107
    with pytest.raises(Refusal, match="raises nothing"):
        step(now, i.RaisesBank(chips=0))


def test_a_partie_must_be_played_first():
    """E07-8, ER-34: it is owed to those who staked; a void one is none."""
    now = said(auctioned(), laid(2, 10))
    for word in (i.GivesUp(), i.PartieDeclined()):
        with pytest.raises(Refusal, match="One partie at least"):
            step(now, word)

    now = said(over(now, None), i.Onward(), laid(3, 5))
    with pytest.raises(Refusal, match="One partie at least"):
        step(now, i.GivesUp())
    now = said(over(said(now, laid(2, 10)), 1), i.Onward(), i.GivesUp())
    assert changes(now) == (15, -10, -5, 0, 0, 0)


def test_partners_of_a_bank_put_up_their_parts():
    """E07-8, E07-4, ER-26: and have them back with what was won."""
    now = said(auctioned(), i.TakesShare(seat=5, parts=1))
    assert changes(now) == (-50, 0, 0, 0, -50, 0)

    now = said(over(said(now, laid(2, 41)), 1), i.Onward(), i.GivesUp())
    assert changes(now) == (21, -41, 0, 0, 20, 0)


def test_stakes_outside_the_bank_are_settled_apart():
    """E07-62: X23, seat 3 has 50 with the giver; seat 4 bets 30 on him with seat 5."""
    now = said(
        auctioned(), laid(2, 60),
        i.StakesOutside(seat=3, holder=1, chips=50),
        i.StakesOutside(seat=4, holder=5, chips=30, on_giver=True),
    )  # fmt: skip

    now = said(over(now, 1), i.Onward())
    assert bank(now) == (160, 0, 0)
    assert changes(now) == (-50, -60, -50, 30, -30, 0)
    assert now.bets.orders[1].players == (2,)


def test_nobody_bets_against_himself():
    """E07-62: the giver does not stake on the other side, nor hold a stake on himself."""
    for bet in ((1, 2, False), (2, 1, True), (3, 3, False)):
        seat, holder, on_giver = bet
        word = i.StakesOutside(seat=seat, holder=holder, chips=5, on_giver=on_giver)
        with pytest.raises(Refusal, match="against himself"):
            step(chouette(), word)


def test_ede_s_dealer_keeps_the_bank_until_he_loses():
    """EDE-0, ER-28: stakes up to the bank in their order, the first staker plays, he deals."""
    now = said(table(EDE), i.LaysBank(seat=1, chips=50), laid(3, 30), laid(2, 30), i.PartieHeld())
    assert the_partie(now).seats == (1, 3)
    assert the_partie(now).dealer == 0
    assert isinstance(now.phase, p.NoSchlitten)
    assert changes(now) == (-50, -20, -30, 0, 0, 0)

    now = said(over(now, 1, held=False), i.Onward())
    assert bank(now) == (100, 0, 0)
    now = said(over(said(now, laid(2, 100), laid(3, 5)), 0), i.Onward())
    assert changes(now) == (-50, 80, -30, 0, 0, 0)
    assert bank(now) == (0, 0, 0)


def test_ede_s_lost_bank_is_laid_again_or_taken_over():
    """EDE-0, ER-28: by him, or by anybody else."""
    now = said(table(EDE), i.LaysBank(seat=1, chips=50), laid(3, 50))
    lost = said(over(now, 0), i.Onward())

    assert bank(said(lost, i.RenewsBank(chips=20))) == (20, 1, 0)
    now = said(lost, i.GivesUp(), i.LaysBank(seat=4, chips=30))
    assert now.bets.giver == 4
    assert changes(now) == (-50, 0, 50, -30, 0, 0)


def test_a_house_plays_only_what_its_book_has():
    """E07-4, E00-4, EDE-0: no auction at E00, no chouette and no two sides at EDE."""
    for house, word in (
        (E00, i.CallsAuction()),
        (E00, i.LaysBank(seat=1, chips=50)),
        (E07, i.LaysBank(seat=1, chips=50)),
        (EDE, i.GivesChouette(seat=1)),
        (EDE, i.CallsAuction()),
        (EDE, i.TwoSides(left=1, right=2)),
    ):
        with pytest.raises(Refusal, match="not played so here"):
            step(table(house), word)
    for house, word in ((E00, i.StakesOutside(seat=3, holder=4, chips=5)), (E07, i.HalvesBank())):
        with pytest.raises(Refusal, match="not played so here"):
            step(chouette(house), word)


@pytest.mark.parametrize(
    ("house", "why"),
    [
        (E07, "If two just play, nothing is staked."),
        (E00, "If two just play, nothing is staked."),
        (EDE, "These two play without stakes; against a bank the table stakes."),
    ],
)
def test_whoever_names_two_players_is_told_that_they_play_without_stakes(house, why):
    """E07-3, E00-3, EDE-0: in every book stakes belong to a game of the whole table."""
    assert str(awaited(table(house)).why) == why

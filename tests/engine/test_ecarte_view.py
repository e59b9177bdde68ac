"""The display of a partie, of bids and of the list on screens and board, written out by hand."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from table_controller.adapters.board import picture
from table_controller.engine.ecarte import inputs as i
from table_controller.engine.ecarte import state as p
from table_controller.engine.ecarte.view import snapshot
from table_controller.engine.messages import Audience
from table_controller.engine.table import inputs as ti
from table_controller.rules.cards import Card
from table_controller.wiring import config
from tests.engine import ecarte_playing
from tests.engine.ecarte_playing import started
from tests.engine.ecarte_staking import E00, E07, EDE, laid, over, said, table
from tests.engine.test_ecarte_coups import dealt


def seen(now, audience=Audience.CROUPIER):
    return snapshot(now, audience)


def figures(now):
    return [(one.name, one.seat, one.value, one.of, one.moves) for one in seen(now).figures]


def cells(now):
    return [[cell.sign if cell else "" for cell in row] for row in seen(now).grids[0].cells]


def between_two(house):
    return said(table(house), i.Opponents(left=3, right=5))


@pytest.mark.parametrize(("house", "moves"), [(E07, "right"), (E00, "right"), (EDE, "left")])
def test_five_counters_lie_for_each_player_and_nobody_deals_before_the_cut(house, moves):
    """E07-45, E00-7, EDE-16; E07-10: who deals is not known yet."""
    now = between_two(house)

    assert figures(now) == [("marks", 3, 0, 5, moves), ("marks", 5, 0, 5, moves)]
    assert not any(seat.marks for seat in seen(now).seats)


def test_the_first_display_has_both_scores_the_left_players_first():
    """A lamp says one thing: the dealer's mark, until his hand is dealt; who is to act blinks."""
    cut = [i.CutsForDeal(seat=seat, card=Card(card)) for seat, card in ((3, "9h"), (5, "8d"))]
    now = said(between_two(E07), *cut)
    lamps = config.lamp_language(E07)
    shown = picture(seen(now, Audience.PUBLIC), lamps)

    assert (shown.display_1, shown.display_2) == ((0, 0), None)
    assert shown.lamps[4] == lamps["to_act"]  # he shuffles
    assert [str(mark.label) for mark in seen(now).seats[4].marks] == ["deals"]


def test_each_player_keeps_his_side_whoever_deals():
    """The left player is above, the right one below; only the words and colours change."""
    for lower, above in (("left", "dealer"), ("right", "elder")):
        of = {"left": 3, "right": 5}
        cards = {seat: Card("7d" if seat == of[lower] else "Kd") for seat in (3, 5)}
        cut = [i.CutsForDeal(seat=seat, card=card) for seat, card in cards.items()]
        trays = seen(said(between_two(E07), *cut)).trays

        assert [tray.row for tray in trays] == [0, 1, 1, 2]
        assert trays[0].name == above
        assert {tray.name for tray in trays} == {"dealer", "elder", "trump", "trick"}


def test_bids_stand_beside_their_seats():
    """E07-8, ER-40: two may have offered as much together."""
    bids = [i.BidsFor(seat=seat, chips=100, together=seat == 2) for seat in (1, 2)]
    now = said(table(E07), i.CallsAuction(), *bids)

    assert figures(now) == [("bid", 1, 100, 0, "right"), ("bid", 2, 100, 0, "right")]


def test_bids_stand_there_at_a_later_auction_too():
    """E07-8, ER-34: of the bank that was given up nothing is left."""
    bank = i.CallsAuction(), i.BidsFor(seat=1, chips=100), i.KnockedDown(seat=1), i.GivesUp()
    now = said(table(E07), *bank, i.BidsFor(seat=2, chips=50))

    assert figures(now) == [("bid", 2, 50, 0, "right")]
    assert figures(said(table(E00), i.GivesChouette(seat=1), i.GivesUp())) == []


def test_who_drew_for_the_order_stands_on_the_list():
    """E07-9: the lowest card first, the ace low; who drew alike draws anew."""
    drawn = [
        i.Draws(seat=seat, card=Card(card))
        for seat, card in ((1, "9h"), (2, "Ah"), (3, "Kd"), (4, "9c"))
    ]

    assert cells(said(table(E07), *drawn)) == [["2", "1 = 4", "3"]]


def test_the_list_says_who_holds_the_cards_and_on_which_side():
    """E07-3: two rows à deux côtés, one against a chouette."""
    sides = said(
        table(E07), i.TwoSides(left=1, right=2), laid(1, 10, 0), laid(3, 5, 0), laid(2, 15)
    )
    chouette = said(table(E00), i.GivesChouette(seat=1), laid(4, 10), laid(2, 15))

    assert (seen(sides).grids[0].rows, cells(sides)) == (("←", "→"), [["▸1", "3"], ["▸2", ""]])
    assert (seen(chouette).grids[0].rows, cells(chouette)) == ((), [["▸4", "2"]])


def test_the_second_display_is_the_bank_or_what_lies_on_one_side():
    """E07-8: the bank is known before the partie."""
    bank = said(table(EDE), i.LaysBank(seat=1, chips=50), laid(2, 30))
    chouette = said(table(E00), i.GivesChouette(seat=1), laid(4, 10), laid(2, 15))
    shown = [
        picture(seen(now, Audience.PUBLIC), config.lamp_language(EDE)) for now in (bank, chouette)
    ]

    assert [(one.display_1, one.display_2) for one in shown] == [(None, 50), (None, 25)]


def test_a_partie_that_is_over_is_among_the_last_and_its_winner_is_lit():
    """E07-55: whoever leaves has lost; a void one has no winner."""
    begun = said(table(E07), i.GivesChouette(seat=1), laid(2, 10))
    lost, void = over(begun, 1), over(begun, None)
    held = said(begun, i.PartieHeld())
    marked = replace(held, partie=replace(held.partie, score=(1, 3)))
    [behind], [ahead] = (seen(over(marked, side, held=False)).last for side in (1, 0))

    assert str(behind.text) == "Seat 1 wins, 1 : 3"  # the winner's marks come first
    assert str(ahead.text) == "Seat 2 wins, 3 : 1"
    assert [(str(one.text), one.sign) for one in seen(lost).last] == [("Seat 1 wins, 0 : 0", "1")]
    assert [(str(one.text), one.sign) for one in seen(void).last] == [("the partie is void", "–")]


def test_what_was_called_for_a_ruling_is_read_out_until_it_is_ruled():
    """E07-51: the committee decides; noted, or once the table goes on, it is gone."""
    cut = [i.CutsForDeal(seat=seat, card=Card(card)) for seat, card in ((3, "9h"), (5, "8d"))]
    now = said(between_two(E07), *cut, i.Reported(matter=i.Matter.OUTSIDER))

    assert ("an outsider spoke", "E07-51", True) in notes(now)
    assert "E07-51" not in {by for _, by, _ in notes(said(now, ti.Ruled(reason="he leaves")))}
    assert "E07-51" not in {by for _, by, _ in notes(said(now, ti.Prepared()))}


def notes(now):
    return {(str(note.text), note.rule, note.whole) for note in seen(now).notes}


def test_a_king_that_was_marked_stands_at_its_seat_when_the_partie_is_won_by_it():
    """E07-27, E07-28: nobody sees the card; else five marks would come from nowhere."""
    now = dealt(started(ecarte_playing.E00), "As Kh 9h Jd Ks / Qs Th Qd Td Kc / 7s")
    now = replace(now, partie=replace(now.partie, score=(4, 0)))
    now = said(now, i.Marks(seat=ecarte_playing.LEFT, points=1, why=i.Why.KING))
    now = said(now, i.Chooses(seat=0, option=i.Option.SHOWN))

    assert isinstance(now.phase, p.PartieOver)
    marks = {one.seat: [str(mark.label) for mark in one.marks] for one in seen(now).seats}
    assert marks[ecarte_playing.LEFT] == ["marks the king"]
    assert marks[ecarte_playing.RIGHT] == []


#: X22: 30 and 20 and 10 against 40 and 20.
LAID = (laid(1, 30, 0), laid(3, 20, 0), laid(4, 10, 0), laid(2, 40), laid(5, 20))


@pytest.mark.parametrize(
    ("begun", "sum_"),
    [
        (said(table(E07), i.GivesChouette(seat=1), laid(2, 30), laid(3, 20)), 50),
        (said(table(EDE), i.LaysBank(seat=1, chips=50), laid(2, 30)), 30),
        (said(table(E07), i.TwoSides(left=1, right=2), *LAID), 60),
    ],
    ids=["chouette", "bank", "two sides"],
)
def test_a_partie_says_what_was_won_before_and_after_it_is_settled(begun, sum_):
    """E07-60: chips that a payer only collects for the winners count once."""
    before = over(begun, 1)
    after = said(before, i.Onward())
    for now in (before, after):
        [done] = seen(now, Audience.PUBLIC).last
        assert (str(done.winner), done.paid.value) == ("stakes won", sum_)
    free = over(said(ecarte_playing.table(E07), i.Opponents(left=3, right=9)), 1, held=False)
    assert [one.paid for one in seen(free).last] == [None]


def test_a_bank_is_its_givers():
    """EDE-3: what he holds; nobody else holds anything."""
    now = said(table(EDE), i.LaysBank(seat=1, chips=50), laid(2, 30))

    held = {one.seat: one.holds.value for one in seen(now, Audience.PUBLIC).seats if one.holds}
    assert held == {1: 50}

"""The bank's rights at every house and moment: Suite, halving, raising, bids, cards, seats."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table_controller.engine.chemin_de_fer.step import step
from table_controller.engine.chemin_de_fer.view import snapshot
from table_controller.engine.messages import AgainstRules, Audience, Refusal
from table_controller.engine.table import inputs as ti
from table_controller.engine.table.felt import player
from tests.engine import pictured
from tests.engine.playing import MODERN, NEMZETI, ZOPPOT, deal, play, table, total

BANK_WINS = (*deal("2h Kc", "9d Ks"), "seat 2 reste", "seat 1 opens", "seat 2 opens", "paid")
WON = ("seat 1 banks 100", "seat 2 banco solo", *BANK_WINS)
MIXED = ("schlitten closed", "prepared", "prepared", "prepared")
by_house = pytest.mark.parametrize("house", [ZOPPOT, MODERN], ids=lambda house: house.id)


def offered(now, kind):
    return [one for one in snapshot(now, Audience.CROUPIER).offers if one.input["type"] == kind]


def balances(now):
    known = pictured.balances(snapshot(now, Audience.CROUPIER))
    return [known[seat] for seat in range(1, 5)]


def refusal(now, line):
    with pytest.raises(Refusal) as no:
        play(now, line)
    return no.value


@by_house
@pytest.mark.parametrize(
    "lines",
    [
        (),
        ("seat 3 banco solo",),
        ("seat 3 banco 100 with seat 4",),
        ("seat 3 banco 100 with the table", "seat 4 stakes 20"),
        ("seat 3 banco 100 with the table", "seat 4 stakes 20", "nichts geht mehr"),
        ("all may stake", "seat 3 stakes 20", "seat 4 stakes 30"),
        ("all may stake", "seat 3 stakes 20", "nichts geht mehr"),
        ("card 2h", "stray kept", "seat 3 banco solo"),
        MIXED[:1],
        MIXED,
    ],
    ids=lambda lines: lines[-1] if lines else "called",
)
def test_suite_is_offered_and_taken_until_the_first_card(house, lines):
    """ZP-18, R-39, Z-25: whatever lies goes back, and the seller draws in the whole pot."""
    now = play(table(house=house), *WON, *lines)
    assert len(offered(now, "suite")) == 1

    sold = play(now, "seat 1 suite")
    assert balances(sold) == [1095, 900, 1000, 1000]
    assert total(sold) == total(now)
    assert not offered(sold, "suite")


@by_house
@pytest.mark.parametrize("cards", [1, 2, 3])
def test_suite_comes_too_late_with_the_first_card(house, cards):
    """ZP-18, R-5: so long as he has drawn no card for the next."""
    now = play(table(house=house), *WON, "seat 3 banco solo", *deal("2h Kc", "9d Ks")[:cards])

    assert not offered(now, "suite")
    assert refusal(now, "seat 1 suite").rule == "ZP-18"


@by_house
def test_an_open_bank_that_has_won_is_sold_while_its_stake_is_due(house):
    """R-39, Z-5: stakes lie, and no card has come."""
    now = play(table(house=house), "seat 1 banks open", "seat 2 stakes 50", "nichts geht mehr")
    assert not offered(now, "suite")
    now = play(now, "seat 1 banks 50", *BANK_WINS, "seat 3 stakes 200", "nichts geht mehr")

    assert len(offered(now, "suite")) == 1
    assert balances(play(now, "seat 1 suite")) == [1048, 950, 1000, 1000]


def test_nobody_says_suite_at_nemzeti():
    """N-7: a bank is not sold there, it is taken over."""
    now = play(table(house=NEMZETI), "seat 1 banks 100", "seat 2 stakes 100", *BANK_WINS)

    for lines in ((), ("seat 3 stakes 20",), MIXED):
        at = play(now, *lines)
        assert not offered(at, "suite")
        assert refusal(at, "seat 1 suite").rule == "ZP-18"


def test_mixing_goes_on_where_it_stood_when_the_bank_is_sold():
    """Z-25, ZP-4: sold or not, the fourth step is asked for."""
    now = play(table(), *WON, *MIXED)
    asked = snapshot(now, Audience.CROUPIER).prompt.ask

    for lines in (("seat 4 bids 50", "sold"), ("sold",)):
        after = play(now, "seat 1 suite", *lines)
        assert snapshot(after, Audience.CROUPIER).prompt.ask == asked


# Halving and raising


def test_a_pot_of_one_is_not_halved():
    """N-3, R-16: half of one is no chip."""
    house = replace(NEMZETI, least_pot=1, least_stake=1)
    one, two = (play(table(house=house), f"seat 1 banks {pot}") for pot in (1, 2))

    assert refusal(one, "seat 1 halves").rule == "N-5"
    assert not offered(one, "halves")
    assert play(two, "seat 1 halves").bank.pot == 1


def test_a_bank_is_halved_until_its_first_card():
    """R-44, N-3: offered after "rien ne va plus", not once a card lies."""
    now = play(table(house=NEMZETI), "seat 1 banks 100", "seat 2 stakes 50", "nichts geht mehr")
    assert offered(now, "halves")

    dealt = play(now, "card 2h")
    assert not offered(dealt, "halves")
    assert refusal(dealt, "seat 1 halves").rule == "N-5"


def test_a_partner_adds_any_sum_to_a_standing_pot_below_the_least():
    """R-44, Z-4, Z-25: what he has in the bank is the least at least, its pot need not be."""
    now = play(table(left=7), "seat 1 banks 100", "all may stake", "seat 2 stakes 5")
    now = play(now, "nichts geht mehr", *BANK_WINS, "schlitten closed", "schlitten b")
    now = play(now, "seat 2 banco solo", "card 2h", "annul misdealt")
    assert (now.bank.pot, now.bank.aside) == (5, 100)

    assert play(now, "seat 3 joins the bank 2").bank.pot == 7
    assert play(now, "seat 1 raises 1").bank.pot == 6


def test_a_small_pot_is_raised_by_any_sum_up_to_the_most():
    """R-44, R-12: what is offered begins at 1; the house's most still holds."""
    house = replace(NEMZETI, most_pot=12)
    now = play(table(house=house), "seat 1 banks 10", "seat 2 stakes 5", *deal("7h Kc", "7d Ks"))
    now = play(now, "seat 2 reste", "seat 1 opens", "seat 1 stands", "seat 2 opens", "paid")
    (raising,) = offered(now, "raises")

    assert (raising.fields[0].least, raising.fields[0].most) == (1, 7)
    assert play(now, "seat 1 raises 7").bank.pot == 12
    assert refusal(now, "seat 1 raises 8").rule == "R-12"


# Bids


@by_house
def test_a_bid_begins_at_the_highest(house):
    """R-41: what is offered is what is taken; the seller is not asked, his partner is."""
    now = play(table(house=house), "seat 1 banks 50", "seat 4 joins the bank 50")
    now = play(now, "seat 2 banco solo", *BANK_WINS, "seat 1 suite", "seat 5 bids 60")
    bids = {one.input["seat"]: one.fields[0].least for one in offered(now, "bids")}

    assert bids == dict.fromkeys(range(2, 10), 60)
    assert refusal(now, "seat 4 bids 59").rule == "R-41"
    assert "60" in str(refusal(now, "seat 4 bids 59").remedy)
    play(now, "seat 4 bids 60")


# Banco before an open game


@by_house
def test_banco_is_offered_before_an_open_game_that_was_called(house):
    """R-43, ZP-15: all of games I to III, until the stakes are closed."""
    now = play(table(house=house), "seat 1 banks 100", "all may stake", "seat 3 stakes 1000")

    assert {one.input["seat"] for one in offered(now, "banco")} == set(range(2, 10))
    assert len(offered(now, "banco_with_partner")) == len(offered(now, "banco_with_table")) == 1
    assert balances(play(now, "seat 3 banco solo")) == [900, 1000, 900, 1000]
    assert not offered(play(now, "nichts geht mehr"), "banco")


def test_banco_is_not_offered_where_the_highest_stake_holds_the_cards():
    """R-33, R-43: neither before nor after somebody staked."""
    now = play(table(house=NEMZETI), "seat 1 banks 100")

    for lines in ((), ("all may stake",), ("seat 3 stakes 20",)):
        assert not offered(play(now, *lines), "banco")
        assert not offered(play(now, *lines), "banco_with_table")


# Too few cards


@by_house
@pytest.mark.parametrize(
    ("lines", "due"),
    [
        (("seat 1 banks 50", "all may stake", "seat 2 stakes 20"), "nichts geht mehr"),
        (("seat 1 banks 50", "seat 3 banco 30 with the table"), "nichts geht mehr"),
        (("seat 1 banks open", "seat 2 stakes 20", "nichts geht mehr"), "seat 1 banks 20"),
        (
            ("seat 1 banks 50", "seat 3 banco 30 with the table", "nichts geht mehr"),
            "seat 2 stakes 5",
        ),
    ],
    ids=["open game", "with the table", "open bank", "sharing"],
)
@pytest.mark.parametrize("ruling", ["burned", "face_up"])
def test_no_coup_begins_with_six_cards(house, lines, due, ruling):
    """Z-24, R-37: refused with that reason, and all that is left to do is to annul it."""
    now = play(table(left=7, house=house), *lines)
    play(now, "card 2h", "stray kept", due)
    now = play(now, "card 2h", f"stray {ruling}")
    no = refusal(now, due)

    assert (no.rule, "fewer than 7 cards" in str(no.why)) == ("R-6", True)
    main = [one.input for one in snapshot(now, Audience.CROUPIER).offers if one.group == "main"]
    assert main == [{"type": "annulled", "reason": "Z-24"}]
    after = play(now, "annul Z-24")
    assert balances(after)[1:] == [1000, 1000, 1000]
    assert snapshot(after, Audience.CROUPIER).prompt.rule == "R-6"


# People and chips


@given(seat=st.integers(-2, 145), to=st.integers(-2, 145), chips=st.integers(-1, 1001))
def test_chips_go_only_where_somebody_is(seat, to, chips):
    """R-20, Z-27, R-16: an empty seat, or none at all, is refused; no money is made or lost."""
    now = play(table(), "standing 500 Anna", "seat 7 leaves")
    people = {1, 2, 3, 4, 5, 6, 8, 9, 101}
    fits = 1 <= chips <= (500 if seat == 101 else 1000) and seat != to
    said = ti.Transfers(seat=seat, to=to, chips=chips, reason="found under the table")

    if fits and seat in people and to in people | {0}:
        after, _ = step(now, said)
        assert total(after) == total(now)
        return
    with pytest.raises(AgainstRules):
        step(now, said)


def test_whoever_gave_the_bank_up_stays_until_it_is_taken():
    """N-7: payment counts from his seat; he goes when another has the bank."""
    now = play(table(house=NEMZETI), "seat 1 banks 100", "seat 2 stakes 100", *BANK_WINS)
    now = play(now, "seat 1 passes")
    (leaving,) = offered(now, "leaves")

    assert 1 not in [pick.value for pick in leaving.fields[0].picks]
    assert isinstance(refusal(now, "seat 1 leaves"), AgainstRules)
    play(now, "seat 5 takes over", "seat 1 leaves")


def test_place_100_is_nobodys():
    """ZP-17: seats end before it, the standing begin behind it."""
    now = play(table(), "standing 500 Anna")

    assert player(now.felt, 100) is None
    assert player(now.felt, 101).name == "Anna"


def test_an_open_bank_that_has_staked_nothing_is_not_raised():
    """Z-5: its stake comes when the others have staked."""
    now = play(table(), "seat 1 banks open")

    with pytest.raises(Refusal) as no:
        play(now, "seat 1 raises 10")
    assert no.value.rule == "Z-5"
    play(now, "all may stake", "seat 2 stakes 30", "nichts geht mehr", "seat 1 banks 30")

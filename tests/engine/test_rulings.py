"""Rules that one line of a script does not show: alerts, pictures, money aside, odd readings."""

import pytest

from table_controller.engine.chemin_de_fer import events as ev
from table_controller.engine.chemin_de_fer import inputs as i
from table_controller.engine.chemin_de_fer.state import foremost
from table_controller.engine.chemin_de_fer.step import step
from table_controller.engine.chemin_de_fer.view import snapshot
from table_controller.engine.messages import (
    Audience,
    CardSeen,
    Refusal,
    StalePrompt,
)
from table_controller.engine.table import events as te
from table_controller.engine.table import inputs as ti
from table_controller.rules.cards import Card
from tests.engine.pictured import balances, figure, names
from tests.engine.playing import ZOPPOT, deal, events, play, table, total

BANCO = ("seat 1 banks 100", "seat 2 banco solo")
BANK_WINS = (*deal("2h Kc", "9d Ks"), "seat 2 reste", "seat 1 opens", "seat 2 opens")


def refusal(now, said):
    with pytest.raises(Refusal) as error:
        step(now, said)
    return error.value


def picture(now, audience=Audience.CROUPIER):
    return snapshot(now, audience)


# Money (R-7, R-8, R-16, Z-25)


def test_the_picture_shows_the_pot_after_the_coup():
    """R-7, R-8: pot + stake - cagnotte."""
    now = picture(play(table(), *BANCO, *BANK_WINS))

    assert figure(now, "pot") == 195
    assert figure(now, "cagnotte") == 5
    assert [(p.seat, p.chips) for p in now.payments] == [(2, 100), (0, 5)]


def test_the_pointeur_gets_his_stake_and_as_much_again():
    """ZP-9, R-16: no cagnotte of a loss (R-8)."""
    won = (*deal("9h Kc", "2d Ks"), "seat 2 schlag", "seat 1 opens")
    now = play(table(), *BANCO, *won)

    assert [balances(picture(now))[seat] for seat in (1, 2)] == [900, 1100]
    assert figure(picture(now), "cagnotte") == 0


def test_a_tie_moves_no_money():
    """R-4: stakes stand, no cagnotte."""
    tie = (*deal("7h Kc", "7d Ks"), "seat 2 reste", "seat 1 opens", "seat 1 stands", "seat 2 opens")
    now = play(table(), *BANCO, *tie)

    assert [balances(picture(now))[seat] for seat in (1, 2)] == [900, 900]
    shown = [figure(picture(now), name) for name in ("pot", "against", "cagnotte")]
    assert shown == [100, 100, 0]


def test_what_lies_aside_is_the_bankers_when_he_goes():
    """Z-25, R-7: the rest lies on the table as his, and is not lost with the pot."""
    now = play(table(left=9), *BANCO, *BANK_WINS, "paid")
    now = play(now, "schlitten closed", "schlitten b")
    after = play(now, "seat 1 passes")

    assert figure(picture(now), "pot") == 95
    assert balances(picture(after))[1] == 900 + 195


def test_only_what_the_bank_won_last_is_lost_after_z_25():
    """Z-25, R-7: the rest is not played for in that coup."""
    now = play(table(left=9), *BANCO, *BANK_WINS, "paid")
    now = play(now, "schlitten closed", "schlitten b", "seat 3 banco solo")
    now = play(now, *deal("9h Kc", "2d Ks"), "seat 3 schlag", "seat 1 opens")

    assert balances(picture(now))[3] == 1000 + 95
    assert balances(picture(now))[1] == 900 + 100
    assert total(now) == 9000


def test_the_greatest_pot_is_a_setting():
    """R-12: no maximum at Zoppot; where a house sets one, the refusal names sum and limit."""
    house = type(ZOPPOT)(id="here", title="Here", unit="K", seats=9, most_pot=50)
    no = refusal(table(house=house), i.Banks(seat=1, chips=51))

    assert "51 K" in str(no.why)
    assert "50 K" in str(no.remedy)
    play(table(house=house), "seat 1 banks 50")
    play(table(), "seat 1 banks 1000")


def test_the_least_pot_is_named():
    """ZP-5: not under 10 G."""
    no = refusal(table(), i.Banks(seat=1, chips=9))

    assert "9 G" in str(no.why)
    assert "10 G" in str(no.remedy)
    play(table(), "seat 1 banks 10")


@pytest.mark.parametrize("seat", [0, 10, -1, 99])
def test_there_are_nine_seats(seat):
    """ZP-3: others are refused by name."""
    no = refusal(table(), ti.Sits(seat=seat, name="Anna", chips=10))

    assert str(seat) in str(no.why)
    assert "9" in str(no.remedy)
    assert refusal(table(), i.Banco(seat=seat))
    assert refusal(table(), ti.Leaves(seat=seat))


def test_money_that_a_player_has_not_is_named():
    """Z-1, Z-3: what he has, what he called, what to do."""
    now = play(table(chips=30), "seat 1 banks 20", "seat 2 leaves", "seat 2 sits 19 Anna")
    no = refusal(now, i.Banco(seat=2))

    assert "19 G" in str(no.why)
    assert "20" in str(no.why)
    assert "buys in" in str(no.remedy)


@pytest.mark.parametrize("said", [ti.BuysIn, ti.CashesOut, ti.Tips])
def test_less_than_a_chip_is_neither_brought_nor_taken(said):
    """R-16: nothing, and less than nothing, are no sums; money is not made by taking it away."""
    assert refusal(table(), said(seat=2, chips=0)).rule == "R-16"
    assert refusal(table(), said(seat=2, chips=-5)).rule == "R-16"
    assert step(table(), said(seat=2, chips=1))


def test_nobody_sits_down_with_less_than_nothing():
    """R-16: who takes a seat may bring no chips yet, but never owes any."""
    now = play(table(), "seat 3 leaves")

    assert refusal(now, ti.Sits(seat=3, name="Anna", chips=-1)).rule == "R-16"
    assert play(now, "seat 3 sits 0 Anna").felt.seats[2].balance == 0


def test_a_part_is_one_chip_or_more_and_no_more_than_is_missing():
    """R-21: of 30 that are missing, 30 and 1 are parts, 31 and 0 are none."""
    now = play(table(), "seat 1 banks 100", "seat 4 banco 70 with the table", "nichts geht mehr")

    assert refusal(now, i.Stakes(seat=2, chips=0)).rule == "R-21"
    assert refusal(now, i.Stakes(seat=2, chips=31)).rule == "R-21"
    assert step(now, i.Stakes(seat=2, chips=30))
    assert step(now, i.Stakes(seat=2, chips=1))


# Who is who


def test_the_prime_sits_next_after_the_banker():
    """R-10, ZP-13: the next occupied seat, shown beside it."""
    now = play(table(), "seat 2 leaves", "seat 3 leaves", "seat 1 banks 10")

    marked = [view.seat for view in picture(now).seats if "prime" in names(view.marks)]
    assert marked == [4]
    offered = [o.input["seat"] for o in picture(now).offers if o.input["type"] == "banco"]
    assert offered == [4, 5, 6, 7, 8, 9]


def test_the_last_seat_is_followed_by_the_first():
    """ZP-19: 9 to 1."""
    now = play(table(), *(f"seat {seat} passes" for seat in range(1, 9)), "seat 9 banks 10")

    assert [view.seat for view in picture(now).seats if "prime" in names(view.marks)] == [1]


# Words and openings


def test_an_old_answer_does_nothing():
    """Inputs answer prompts: a press on an older question is told so."""
    now = table()
    old = picture(now).prompt.id
    later = play(now, "seat 1 banks 10")

    assert isinstance(refusal(later, i.Banco(seat=2, prompt=old)), StalePrompt)
    step(later, i.Banco(seat=2, prompt=picture(later).prompt.id))


@pytest.mark.parametrize(
    ("banker", "given", "duty"),
    [
        ("2d Ks", "5h", "draw"),
        ("3d Ks", "Th", "draw"),
        ("4d Ks", "Kh", "stand"),
        ("4d Ks", "Ah", "stand"),
        ("3d Ks", "9h", "choose"),
    ],
)
def test_the_custom_is_shown_beside_open_cards(banker, given, duty):
    """ZX-2: the lit square; everybody sees it, since its cards are open."""
    lines = (*deal("2h Kc", banker), "seat 2 carte", "seat 1 opens", f"card {given}")
    now = play(table(), *BANCO, *lines)

    for audience in (Audience.CROUPIER, Audience.PUBLIC):
        assert picture(now, audience).advice.name == duty


@pytest.mark.parametrize("banker", ["5d Ks", "6d Ks", "2d Ks", "7d Ks"])
def test_there_is_no_information_after_reste(banker):
    """Z-20, R-2: the sentence itself, whatever the banker has."""
    lines = (*deal("2h Kc", banker), "seat 2 reste", "seat 1 opens")
    now = picture(play(table(), *BANCO, *lines))

    assert str(now.advice.text) == "Für eine nicht gezogene Karte keine Auskunft."  # as printed
    assert (now.advice.row, now.advice.column) == ("", "")
    assert "free" in str(now.prompt.why)


def test_the_advice_is_said_once_the_call_in_its_place():
    """Z-20, ZX-2: the sentence beside the question is not the tableau's once more."""
    lines = (*deal("2h Kc", "5d Ks"), "seat 2 reste", "seat 1 opens")
    now = picture(play(table(), *BANCO, *lines))

    assert str(now.advice.text) not in (str(now.prompt.why), str(now.prompt.news))


def test_the_last_coup_is_called_until_its_first_card():
    """ZP-4, R-6: "der letzte Coup", in the trade's own words, while one may still stake."""
    now = play(table(left=7), "white card")
    called = [picture(now).prompt.news]
    for line in ("seat 1 banks 10", "seat 2 banco solo"):
        now = play(now, line)
        called.append(picture(now).prompt.news)
    silent = picture(play(now, "card 2h")).prompt.news

    assert all(str(news).startswith("Der letzte Coup.") for news in called)
    assert "letzte" not in str(silent)


def test_a_coup_in_which_the_white_card_comes_is_called_the_last():
    """R-6: from the white card on to the end of that coup."""
    now = play(table(left=9), *BANCO, "card 2h", "card Kd")
    before = picture(now).prompt.news
    now = play(now, "white card")
    called = [picture(now).prompt.news]
    for lines in (("card 2c", "card 5s"), ("seat 2 carte",), ("seat 1 opens",), ("card 4d",)):
        now = play(now, *lines)
        called.append(picture(now).prompt.news)

    assert "letzte" not in str(before)
    assert all(str(news).startswith("Der letzte Coup.") for news in called)


def test_a_banker_with_a_schlag_gives_no_card():
    """ZP-8: nor draws one himself."""
    now = play(table(), *BANCO, *deal("2h Kc", "8d Ks"), "seat 2 carte", "seat 1 opens")

    assert [o.input["type"] for o in picture(now).offers][0:1] == ["opened"]
    assert foremost(play(now, "card 5h")) != foremost(now)  # a stray, not the pointeur's card
    assert "stray_ruled" in {o.input["type"] for o in picture(play(now, "card 5h")).offers}


def test_after_the_pointeurs_schlag_nobody_draws():
    """ZP-7: the banker opens, and it is settled, also where the custom would draw."""
    told = events(table(), *BANCO, *deal("4h 4c", "2d Ks"), "seat 2 schlag", "seat 1 opens")

    assert isinstance(told[-1], ev.CoupSettled)
    assert told[-1].winner is ev.Side.POINTEUR


def test_the_bank_plays_by_the_custom_against_open_cards():
    """R-34: a pointeur who opened without a Schlag: the banker opens and plays by the custom."""
    lines = (*deal("2h Kc", "2d Ks"), "seat 2 schlag", "seat 2 carte", "seat 1 opens", "card 5h")
    now = play(table(), *BANCO, *lines)

    assert refusal(now, i.Spoke(seat=1, word=i.Word.STANDS)).rule == "R-18"


# Cards that come when none is due (R-19, Z-13)


@pytest.mark.parametrize("kept", [1, 2, 3, 4])
def test_kept_cards_come_first_in_the_order_they_left(kept):
    """Z-13, ZP-6: the first kept is the pointeur's, the next the banker's, and so on."""
    cards = ["9h", "2d", "Kc", "3s"][:kept]
    now = play(table(), "seat 1 banks 10")
    for card in cards:
        now = play(now, f"card {card}", "stray kept")
    now = play(now, "seat 2 banco solo")
    rest = ["9h", "2d", "Kc", "3s"][kept:]
    now = play(now, *[f"card {card}" for card in rest], "seat 2 schlag")

    (hand,) = [held.cards for held in picture(now, Audience.PUBLIC).hands if held.seat == 2]
    assert hand == (Card("9h"), Card("Kc"))


def test_a_card_after_the_settlement_of_a_lost_bank_is_a_stray():
    """R-19, Z-13: the next coup has not begun; only after a tie does the deal go on (R-4)."""
    won = (*deal("9h Kc", "2d Ks"), "seat 2 schlag", "seat 1 opens")
    now = play(table(), *BANCO, *won, "card 5h")

    assert {o.input["type"] for o in picture(now).offers} >= {"stray_ruled"}


@pytest.mark.parametrize("copy", [-1, 7, 99])
def test_a_copy_that_no_pack_holds_is_a_duplicate(copy):
    """Never a guess: a seventh copy of a card cannot be in six packs."""
    now = play(table(), *BANCO)

    _, told = step(now, CardSeen(card=Card("Ac"), copy=copy))
    assert [e.reason for e in told if isinstance(e, te.CardUnread)] == ["unsure"]


def test_a_seventh_equal_card_stops_the_coup():
    """The count of each card: six packs hold six of it."""
    now = play(table(), "seat 1 banks 10")
    for _ in range(6):
        now = play(now, "card 9h", "stray burned")

    told = events(now, "card 9h")
    assert [e.reason for e in told if isinstance(e, te.CardUnread)] == ["unsure"]


def test_both_ends_of_a_coup_have_the_same_number():
    """R-30: an annulment before the first card names no coup that was settled."""
    now = play(table(), *BANCO, *BANK_WINS, "paid", "seat 2 banco solo")
    told = events(now, "annul misheard")

    assert [e.coup for e in told if isinstance(e, te.CoupAnnulled)] == [2]


def test_a_white_card_that_was_only_late_is_missed_no_longer():
    """R-6: it comes out after all; the count and it disagree, and that is asked once."""
    now = play(table(left=8), *BANCO, "card 2h", "card 9d")
    late = play(now, "white card")

    assert [alert.code for alert in picture(now).alerts] == ["white_card_missed"]
    assert [alert.code for alert in picture(late).alerts] == ["white_card_disputed"]


def test_annulling_a_coup_ends_whatever_it_stood_still_for():
    """Z-24, R-35: no alert stays behind, and a stray is revealed when the Schlitten is closed."""
    now = play(table(), *BANCO, *deal("2h Kc", "9d Ks"), "card 5h", "card unread no_read")
    now = play(now, "annul no light")
    closing = events(now, "schlitten closed")

    assert not picture(now).alerts
    assert Card("5h") in {e.card for e in closing if isinstance(e, te.CardOpened)}


TIE = (*deal("7h Kc", "7d Ks"), "seat 2 reste", "seat 1 opens", "seat 1 stands", "seat 2 opens")


def test_a_replay_is_announced_as_one():
    """R-4: after a tie; not to the next pointeur, when the replay was annulled."""
    tied = play(table(), *BANCO, *TIE, "paid")
    other = play(tied, "annul misheard", "seat 4 banco solo")

    assert picture(tied).prompt.rule == "R-4"
    assert "En carte" in str(picture(tied).prompt.news)
    assert picture(other).prompt.rule == "ZP-6"
    assert "En carte" not in str(picture(other).prompt.news)


def test_a_lost_bank_is_news_to_the_next_seat_only():
    """ZP-19: whoever has let the Schlitten pass is not said to have lost a bank."""
    won = (*deal("9h Kc", "2d Ks"), "seat 2 schlag", "seat 1 opens", "paid")
    now = play(table(), *BANCO, *won)

    assert "Seat 1 lost" in str(picture(now).prompt.news)
    assert not str(picture(play(now, "seat 2 passes")).prompt.news)


def test_a_card_that_went_back_is_counted_in_the_box_again():
    """R-19, R-6: the count knows it either way; kept and burned cards have left."""
    now = play(table(), "card 9h")

    assert {r: play(now, f"stray {r}").felt.shoe.left for r in ("back", "kept", "burned")} == {
        "back": 312,
        "kept": 311,
        "burned": 311,
    }

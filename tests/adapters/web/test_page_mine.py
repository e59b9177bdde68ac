"""A guest's own seat on his phone.

Public news about it are shown there; no other phone knows it.
"""

from __future__ import annotations

from msgspec.structs import replace

from table_controller.engine.chemin_de_fer.view import snapshot
from table_controller.engine.messages import Audience, phrase
from table_controller.engine.pieces import Spot, Stake
from tests.adapters.web.pieces import PRIME, SUIVI, seats
from tests.adapters.web.samples import ADVICE_LIT
from tests.engine.playing import deal, play, table

PHONE, WALL = (390, 844), (1920, 1080)
#: Seat 2 is the pointeur with 160 on the table; seat 1 holds the bank, and is to act.
NOW = replace(ADVICE_LIT, seats=seats(s2=(PRIME, SUIVI)))


def said(page):
    return page.locator("#mine p").text_content().replace("\u00a0", " ")


def choose(page, seat):
    page.get_by_label("my seat").select_option(seat)


def test_it_shows_role_marks_stake_and_the_right_to_speak(look, served):
    """Of the chosen seat, as it is now; names and balances are nobody's business (R-13)."""
    page = look(NOW, path="/public", size=PHONE)
    assert said(page) == ""

    choose(page, "2")
    assert said(page) == "POINTEUR · prime · suivi · stakes 160 G"
    assert page.locator("#mine[data-acts]").count() == 0

    served.tell(replace(NOW, prompt=replace(NOW.prompt, seats=(2,))))
    page.locator("#mine[data-acts]").wait_for()
    assert said(page).endswith("stakes 160 G · is to act")
    words = page.locator("body").text_content()
    assert not [one.name for one in NOW.people if one.name and one.name in words]


def test_it_tells_what_plays_of_a_stake_and_what_it_wins(look, served):
    """R-23: the pot of 100 covers 60 of one stake, 40 of another and 0 of a third; then ZP-20."""
    staked = play(table(), "seat 1 banks 100", "all may stake", "seat 2 stakes 60")
    staked = play(staked, "seat 3 stakes 50", "seat 5 stakes 30")
    page = look(snapshot(staked, Audience.PUBLIC), path="/public", size=PHONE)
    told = {}
    for seat in ("2", "3", "5"):
        choose(page, seat)
        told[seat] = said(page)
    assert told == {
        "2": "POINTEUR · prime · stakes 60 G · at stake 60 G",
        "3": "stakes 50 G · at stake 40 G",
        "5": "stakes 30 G · at stake 0 G",
    }

    shown = play(staked, "nichts geht mehr", *deal("2h 7h", "2d Ks"), "seat 2 schlag")
    shown = play(shown, "seat 1 opens")
    choose(page, "3")
    served.tell(snapshot(shown, Audience.PUBLIC))
    page.locator("#mine p", has_text="wins 40").wait_for()
    lost = play(staked, "nichts geht mehr", *deal("2h 2s", "9d Ks"), "seat 2 reste")
    served.tell(snapshot(play(lost, "seat 1 opens", "seat 2 opens"), Audience.PUBLIC))
    page.locator("#mine p", has_text="loses 40").wait_for()


def test_it_tells_a_banker_his_pot_and_what_the_bank_wins(look, served):
    """ZP-20, R-8: the stakes of 40 less 2 for the cagnotte."""
    staked = play(table(), "seat 1 banks 40", "seat 2 banco solo")
    page = look(snapshot(staked, Audience.PUBLIC), path="/public", size=PHONE)
    choose(page, "1")
    assert said(page) == "BANK · Pot 40 G · is to act"

    won = play(staked, *deal("2h 2s", "9d Ks"), "seat 2 reste", "seat 1 opens", "seat 2 opens")
    served.tell(snapshot(won, Audience.PUBLIC))
    page.locator("#mine p", has_text="wins 38").wait_for()
    assert said(page) == "wins 38 G · BANK · Pot now 78 G · is to act"
    lost = play(staked, *deal("2h 7s", "2d Ks"), "seat 2 schlag", "seat 1 opens")
    served.tell(snapshot(lost, Audience.PUBLIC))
    page.locator("#mine p", has_text="loses 40").wait_for()


def test_a_bank_that_partners_share_is_won_by_none_of_them_alone(look):
    """Z-4: the page does not say what the banker's part of it is."""
    staked = play(table(), "seat 1 banks 60", "seat 4 joins the bank 40", "seat 2 banco solo")
    won = play(staked, *deal("2h 2s", "9d Ks"), "seat 2 reste", "seat 1 opens", "seat 2 opens")
    page = look(snapshot(won, Audience.PUBLIC), path="/public", size=PHONE)

    choose(page, "1")
    assert "wins" not in said(page)


def test_it_tells_what_a_seat_bids_for_a_bank(look):
    """ZP-18."""
    sold = play(table(), "seat 1 banks 100", "seat 2 banco solo", *deal("2h Ks", "9d Kc"))
    sold = play(sold, "seat 2 reste", "seat 1 opens", "seat 2 opens", "paid", "seat 1 suite")
    bid = snapshot(play(sold, "seat 3 bids 45"), Audience.PUBLIC)
    page = look(bid, path="/public", size=PHONE)

    choose(page, "3")
    assert said(page).endswith("bid 45 G")
    assert page.locator("#result span").first.text_content() == "Seat 3 offers 45 G."


def test_a_seat_with_nothing_is_a_sentence(look, served):
    """Seat 4 has no stake and no mark; nobody sits at seat 9 any more."""
    page = look(NOW, path="/public", size=PHONE)
    assert page.get_by_label("my seat").locator("option").first.text_content() == "choose"

    choose(page, "4")
    assert said(page) == "No stake lies here."
    choose(page, "2")
    assert said(page).startswith("POINTEUR")


def test_it_is_marked_on_the_felt_through_every_change(look, served):
    """One seat, the chosen one, although the server's pictures know nothing of it."""
    page = look(NOW, path="/public", size=PHONE)
    marked = page.locator("#cells [data-mine]")
    choose(page, "2")
    served.tell(replace(NOW, seats=seats(s2=(PRIME,)), coup=31))
    page.locator("#title", has_text="Coup 31").wait_for()

    assert marked.evaluate_all("all => all.map(one => one.dataset.seat)") == ["2"]
    choose(page, "1")
    assert marked.evaluate_all("all => all.map(one => one.dataset.seat)") == ["1"]
    choose(page, "")
    assert marked.count() == 0


def test_only_that_phone_knows_it(look):
    """It is chosen anew nowhere, stays after a reload, and no request or cookie tells of it."""
    page = look(NOW, path="/public", size=PHONE)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    choose(page, "2")
    assert [url for url in asked if "/static/" not in url] == []
    page.reload()
    page.locator("#mine p", has_text="prime").wait_for()

    assert page.get_by_label("my seat").input_value() == "2"
    assert not any("seat" in url or "mine=" in url for url in asked)
    assert page.context.cookies() == []
    assert said(look(NOW, path="/public", size=PHONE)) == ""


def test_at_punto_banco_it_tells_each_spot(look):
    """What lies on which, in the words of the cloth."""
    spots = (("player", "Player"), ("tie", "Tie"))
    now = replace(
        NOW,
        spots=tuple(Spot(name=name, label=phrase(label)) for name, label in spots),
        stakes=(Stake(seat=2, chips=40, spot="tie"), Stake(seat=2, chips=1500, spot="player")),
    )
    page = look(now, path="/public", size=PHONE)
    choose(page, "2")

    assert said(page).endswith("suivi · stakes 1500 G Player · stakes 40 G Tie")


def test_at_punto_banco_the_spots_take_the_room_of_the_names_on_a_phone(look):
    """Guests see no name, so the column of the seats is as narrow as their numbers."""
    spots = tuple(Spot(name=name, label=phrase(name)) for name in ("player", "tie"))
    page = look(replace(NOW, spots=spots), path="/public", size=PHONE)

    seat = page.locator(".cloth .seat").first.bounding_box()["width"]
    box = page.locator(".cloth .box").first.bounding_box()["width"]
    assert seat < 60
    assert box > 100


def test_a_wall_is_nobodys_seat(look):
    """There is nothing to choose on it."""
    page = look(NOW, path="/public", size=WALL)

    assert not page.locator("#mine").is_visible()

"""The views of a croupier and of a guest, in Debian's Chromium."""

from __future__ import annotations

import msgspec
import pytest

from table_controller.engine.chemin_de_fer.view import snapshot
from table_controller.engine.messages import Audience, phrase
from table_controller.engine.pieces import Note
from table_controller.engine.views import Offer
from tests.adapters.web.overlaps import OVERLAPS
from tests.adapters.web.samples import (
    ADVICE_LIT,
    ALERT,
    ALL,
    LAST_COUP,
    NO_INFORMATION,
    SETTLEMENT,
    TO_SPEAK,
    with_pot,
)
from tests.adapters.web.served import drawn, show, words
from tests.engine.playing import deal, play, table
from tests.limits import PATIENCE_S


@pytest.mark.parametrize(
    "name", ["advice", "to-speak", "before-staking", "settlement", "last-coup"]
)
def test_page_shows_the_numbers_of_the_snapshot(look, name):
    """Pot, stake, balances, cards left and the sentence are the snapshot's own."""
    snapshot = ALL[name]
    page = look(snapshot)
    texts = drawn(page)

    pot, against = snapshot.figures
    assert f"{pot.value} G" in texts
    assert str(pot.label) in texts
    assert f"{against.label} {against.value} G" in texts
    assert f"{snapshot.shoe.left} left" in words(page, "#title .left")
    assert {f"{one.balance} G" for one in snapshot.people} <= set(texts)
    assert {one.name for one in snapshot.people} <= set(texts)
    assert words(page, "#ask h1") == str(snapshot.prompt.ask)
    assert words(page, "#ask .news") == str(snapshot.prompt.news)
    main = [str(offer.label) for offer in snapshot.offers if offer.group == "main"]
    assert page.locator("#offers button.main > span").all_text_contents() == main


STAKED = ("seat 1 banks 98", "all may stake", "seat 3 stakes 50", "seat 4 stakes 30")
CLOSED = (*STAKED, "nichts geht mehr")


@pytest.mark.parametrize(
    ("cards", "end", "last", "now"),
    [
        (
            ("2h 7h", "2d Ks"),
            "seat 3 schlag",
            "Pointeur 9 : 2 · seat 3 wins · the bank pays 80 G",
            18,
        ),
        (("2h 2s", "9d Ks"), "seat 3 reste", "Bank 9 : 4 · seat 1 wins 80 G", 174),
    ],
)
def test_what_was_played_and_what_the_pot_is_now(look, cards, end, last, now):
    """ZP-16, ZP-20: 80 of a pot of 98 were played; nobody wins what others staked."""
    state = play(table(), *CLOSED, *deal(*cards), end, "seat 1 opens")
    state = state if "schlag" in end else play(state, "seat 3 opens")
    for path, audience in (("/", Audience.CROUPIER), ("/public", Audience.PUBLIC)):
        page = look(snapshot(state, audience), path=path)
        drawing = drawn(page)

        assert {"Pot now", f"{now} G", "played 80 G"} <= set(drawing)
        assert "Pot" not in drawing
        assert not any("against it" in text for text in drawing)
        assert f"Pot now {now} G, played 80 G." in words(page, "#sums")
        told = " ".join(words(page, "#foot .done").split())
        assert told.startswith(f"Last coup {last} · pot 98 G")
        if path == "/public":
            shown = " ".join(words(page, "#result").split())
            assert shown == last.replace(" · ", " ", 1) + (" · cagnotte 4 G" if now == 174 else "")


def test_guests_are_told_that_the_schlitten_is_over(look):
    """R-6: "the last coup" is past; how many there were."""
    lines = ("seat 1 banks 100", "seat 2 banco solo", "card 2h", "white card", "card 9d")
    lines = (*lines, "card Kc", "card Ks", "seat 2 reste", "seat 1 opens", "seat 2 opens", "paid")
    over = play(table(left=8), *lines)
    page = look(snapshot(over, Audience.PUBLIC), path="/public")

    assert words(page, "#result span:first-child") == "The Schlitten is over. Coups: 1."
    staff = look(snapshot(over, Audience.CROUPIER))
    assert words(staff, "#ask .why").strip().startswith("By the count 4 cards are left")


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (("seat 1 banks 100",), ["The bank stands at 100 G.", "100 G, banco! Who plays?"]),
        (("seat 1 banks 100", "seat 2 banco solo"), ["Seat 1 deals: 4 more"]),
        (
            (*CLOSED, *deal("2h 2s", "9d Ks")),
            ["Four cards are dealt.", "Seat 3: carte or reste?"],
        ),
        (
            (*CLOSED, *deal("2h 2s", "9d Ks"), "seat 3 carte"),
            ['Seat 3: "carte".', "Seat 1 opens the bank's cards"],
        ),
    ],
)
def test_guests_are_told_what_is_awaited_of_whom(look, lines, said):
    """Below the step, whose name alone says neither."""
    page = look(snapshot(play(table(), *lines), Audience.PUBLIC), path="/public")

    assert page.locator("#result span").all_text_contents() == said


def test_guests_are_told_that_a_bank_is_for_sale(look, served):
    """ZP-18: who gives it up, and the best bid so far; it fits on the narrowest wall."""
    sold = play(table(), "seat 1 banks 100", "seat 2 banco solo", *deal("2h Ks", "9d Kc"))
    sold = play(sold, "seat 2 reste", "seat 1 opens", "seat 2 opens", "paid", "seat 1 suite")
    page = look(snapshot(sold, Audience.PUBLIC), path="/public", size=(1280, 800))
    spans = page.locator("#result span")
    assert spans.all_text_contents() == ["Seat 1: Suite.", "The bank is for sale: who offers?"]

    served.tell(snapshot(play(sold, "seat 3 bids 45"), Audience.PUBLIC))
    page.get_by_text("The bank is for sale at 45 G: who offers more?").wait_for()
    assert page.evaluate(f"({OVERLAPS})().faults") == []


def test_pictures_follow_the_table(look, served):
    """A new picture replaces the old one without a reload."""
    page = look(ADVICE_LIT)
    served.tell(msgspec.structs.replace(with_pot(345), coup=30))

    page.locator("#middle .sum", has_text="345").wait_for()
    assert "Coup 30" in words(page, "#title")


def test_one_cell_is_lit_only_with_advice(look, served):
    """R-17: without both open hands the tableau stays dark."""
    page = look(ADVICE_LIT)
    assert page.locator("td.lit").count() == 1
    assert page.locator("tr:has(td.lit) th").text_content() == "5"

    served.tell(TO_SPEAK)
    page.locator("table.asleep").wait_for()

    assert page.locator("td.lit").count() == 0


def test_after_reste_the_sentence_stands_in_the_tableaus_place(look):
    """Z-20: no information on a card that was not drawn."""
    page = look(NO_INFORMATION)

    assert "keine Auskunft" in words(page, "#side")
    assert page.locator(".tableau").count() == 0


def test_settlement_takes_the_tableaus_place(look):
    """Z-26: each payment in its order, with seat, chips and tick."""
    page = look(SETTLEMENT)
    lines = page.locator(".payments li")

    assert page.locator(".tableau").count() == 0
    assert [" ".join(line.inner_text().split()) for line in lines.all()] == [
        "✓ 5 Collect from the table 40 G",
        "2 Collect from the prime 120 G",
        "house Cagnotte, 5 % 8 G",
        "1 Into the pot 152 G",
    ]


def test_lines_that_nobody_can_tick_have_no_boxes(look, served):
    """ER-34: écarté's settlement is one button. Where lines are ticked, there are boxes.

    The lines stay where they are.
    """
    open_lines = [msgspec.structs.replace(one, done=False) for one in SETTLEMENT.payments]
    told = msgspec.structs.replace(SETTLEMENT, payments=tuple(open_lines))
    tick = Offer(input={"type": "ticked", "line": 2}, label=phrase("paid"), group="payment")
    page = look(told)
    at = page.locator(".payments .who").first.bounding_box()

    assert page.locator(".payments .tick:visible").count() == 0
    assert words(page, "#side h2").strip() == "Settlement"

    show(page, served, msgspec.structs.replace(told, offers=(*told.offers, tick)), 1)

    assert page.locator(".payments .tick:visible").count() == 4
    assert page.locator(".payments button.tick").count() == 1
    assert words(page, "#side h2").strip() == "Settlement 0 of 4"
    assert page.locator(".payments .who").first.bounding_box() == at


def test_who_lost_is_still_named(look):
    """Whose hand it is and what it counts stay with both, and how it ended for each."""
    page = look(SETTLEMENT)
    trays = [page.locator(f"[data-key=tray-{name}]") for name in ("pointeur", "banker")]

    assert [" ".join(tray.inner_text().split()).upper() for tray in trays] == [
        "POINTEUR SEAT 2 · A. 2 2 10 10 4 4 6 6 POINTS LOST",
        "BANK SEAT 1 · K. K K 5 5 3 3 8 8 POINTS WON",
    ]


def test_present_step_is_marked(look):
    """An interrupted croupier finds his way back."""
    page = look(ADVICE_LIT)

    assert words(page, "[aria-current=step]") == "banker draws?"


def test_last_coup_is_announced_at_the_gauge(look):
    """R-6: the white card is out."""
    page = look(LAST_COUP)

    assert words(page, "#title .left") == "LAST COUP 5 left · white card is out"
    assert page.locator("#title .gauge.last").count() == 1
    assert page.locator("#title .gauge .white").count() == 0


def test_cards_that_are_kept_are_said_beside_the_question(look, served):
    """R-19, Z-13: whoever deals sees that a card waits; nothing stands there where none does."""
    page = look(TO_SPEAK)
    assert "Kept" not in words(page, "#ask")

    kept = Note(phrase("Kept for the next deal: {n}.", n=2), "Z-13")
    served.tell(msgspec.structs.replace(TO_SPEAK, notes=(kept,)))

    page.locator(".why", has_text="Kept for the next deal: 2.").wait_for()


def test_a_broken_device_becomes_a_bar_with_its_remedy(look, served):
    """Four quiet dots while all is well; then what is wrong and what to do."""
    page = look(ADVICE_LIT)
    assert page.locator("#health .ok").count() == 4
    assert page.locator(".alert").count() == 0

    served.tell(ALERT)
    page.locator(".alert.stop").wait_for()

    assert "Show the card to the camera again" in words(page, ".alert.stop")
    assert words(page, "#health .warning").strip() == "board !"
    page.locator(".others > summary").click()
    page.locator(".alert.warning button").click()
    said, _ = served.said.get(timeout=PATIENCE_S)
    assert said == {"type": "alert_acknowledged", "alert": "lost-board", "prompt": 407}


def test_rule_opens_over_the_page(look, served):
    """An id is one tap from its text."""
    page = look(ADVICE_LIT)
    page.locator("#ask a.rule").click()

    assert "On 5 having given a 4" in words(page, "dialog[open]")
    page.get_by_role("button", name="close").click()
    assert page.locator("dialog[open]").count() == 0


def test_public_page_has_no_names_balances_buttons_or_staffs_words(look, served):
    """The same table, the result large; even if it were given the staff's picture."""
    page = look(SETTLEMENT, path="/public")
    shown = page.content().replace("\u00a0", " ")

    assert words(page, "#result h1") == "Bank 8 : 6"
    assert "160 G" in drawn(page)
    assert not {f"{one.balance} G" for one in SETTLEMENT.people} & set(drawn(page))
    for word in ("K.", str(SETTLEMENT.prompt.ask), "Z-26", "All paid", "supervisor", "data-input"):
        assert word not in shown


def test_public_page_is_calm_in_an_alert(look):
    """Guests learn that the game pauses, not why."""
    page = look(ALERT, path="/public")

    assert "One moment" in words(page, "#result")
    assert "unread" not in page.content()

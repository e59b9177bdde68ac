"""What a croupier and a guest see, in Debian's Chromium."""

from __future__ import annotations

import msgspec
import pytest

from tests.adapters.web.samples import (
    ADVICE_LIT,
    ALERT,
    ALL,
    LAST_COUP,
    NO_INFORMATION,
    SETTLEMENT,
    TO_SPEAK,
)
from tests.adapters.web.served import drawn, words
from tests.limits import PATIENCE_S


@pytest.mark.parametrize(
    "name", ["advice", "to-speak", "before-staking", "settlement", "last-coup"]
)
def test_page_shows_the_numbers_of_the_snapshot(look, name):
    """Pot, stake, balances, cards left and the sentence are the snapshot's own."""
    snapshot = ALL[name]
    page = look(snapshot)
    texts = drawn(page)

    assert f"{snapshot.pot} G" in texts
    assert f"against it {snapshot.against} G" in texts
    assert f"{snapshot.shoe.left} left" in texts
    assert {f"{s.balance} G" for s in snapshot.seats if s.taken} <= set(texts)
    assert {s.name for s in snapshot.seats if s.taken} <= set(texts)
    assert words(page, "#ask h1") == str(snapshot.prompt.ask)
    assert words(page, "#ask .news") == str(snapshot.prompt.news)
    main = [str(offer.label) for offer in snapshot.offers if offer.group == "main"]
    assert page.locator("#offers button.main > span").all_text_contents() == main


def test_pictures_follow_the_table(look, served):
    """A new picture replaces the old one without a reload."""
    page = look(ADVICE_LIT)
    served.tell(msgspec.structs.replace(ADVICE_LIT, pot=345, coup=30))

    page.locator("#table svg.wide .sum", has_text="345").wait_for()
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


def test_present_step_is_marked(look):
    """An interrupted croupier finds his way back."""
    page = look(ADVICE_LIT)

    assert words(page, "[aria-current=step]") == "banker draws?"


def test_last_coup_is_announced_at_the_gauge(look):
    """R-6: the white card is out."""
    page = look(LAST_COUP)

    assert {"LAST COUP", "5 left", "white card is out"} <= set(drawn(page))
    assert page.locator("svg.wide .white").count() == 0


def test_a_broken_device_becomes_a_bar_with_its_remedy(look, served):
    """Four quiet dots while all is well; then what is wrong and what to do."""
    page = look(ADVICE_LIT)
    assert page.locator("#health .ok").count() == 4
    assert page.locator(".alert").count() == 0

    served.tell(ALERT)
    page.locator(".alert.stop").wait_for()

    assert "Show it to the lip's camera again" in words(page, ".alert.stop")
    assert words(page, "#health .warning").strip() == "board !"
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
    assert not {str(seat.balance) + " G" for seat in SETTLEMENT.seats if seat.balance} & set(
        drawn(page)
    )
    for word in ("K.", str(SETTLEMENT.prompt.ask), "Z-26", "All paid", "supervisor", "data-input"):
        assert word not in shown


def test_public_page_is_calm_in_an_alert(look):
    """Guests learn that the game pauses, not why."""
    page = look(ALERT, path="/public")

    assert "One moment" in words(page, "#result")
    assert "unread" not in page.content()

"""Chips on the felt, laid by fingers, in Debian's Chromium."""

from __future__ import annotations

import msgspec
import pytest

from table_controller.engine.messages import Audience, phrase
from table_controller.engine.punto_banco import view
from table_controller.engine.views import Offer
from tests.adapters.web.served import words
from tests.engine.punto_banco import playing
from tests.limits import PATIENCE_S

BETTING = view.snapshot(playing.table(), Audience.CROUPIER)
POOR = view.snapshot(playing.table(chips=100), Audience.CROUPIER)


def box(page, spot):
    return page.locator(f".box[data-seat='3'][data-spot='{spot}']")


def test_a_chip_goes_into_the_hand_though_a_seat_with_several_fields_is_open(look, served):
    """The seat alone does not say where the chip goes: the seat is left, and a field is touched."""
    page = look(BETTING, has_touch=True)
    page.locator(".seat[data-seat='3']").tap()
    page.locator("#seat").wait_for()
    chip = page.locator(".rack [data-chip='10']")
    chip.tap()

    assert chip.get_attribute("aria-pressed") == "true"
    assert not page.locator("#seat").is_visible()
    box(page, "tie").tap()
    said, _ = served.said.get(timeout=PATIENCE_S)
    assert (said["seat"], said["spot"], said["chips"]) == (3, "tie", 10)


def test_a_chip_that_is_too_much_is_refused_in_a_sentence(look, served):
    """The page says what may be laid there, and that nothing was sent."""
    page = look(POOR, has_touch=True)
    page.locator(".rack [data-chip='500']").tap()
    box(page, "player").tap()
    page.locator("#taken", has_text="Not sent").wait_for()

    assert words(page, "#taken").startswith("Not sent. Allowed: 5 to 100 ")
    assert served.said.empty()


def test_before_the_first_stake_the_page_says_how_chips_are_laid(look):
    """Otherwise it would be a guess: no button lays them."""
    page = look(BETTING)

    assert words(page, "#offers .idle") == "Touch a chip, then a field"


def test_beside_a_golden_button_too_it_says_how_chips_are_laid(look):
    """After a coup that button lays the same stakes again; others are laid by hand."""
    again = Offer(input={"type": "bets_again"}, label=phrase("the same stakes again"))

    page = look(msgspec.structs.replace(BETTING, offers=(again, *BETTING.offers)))

    assert page.locator("#ask .why").first.text_content().endswith("Touch a chip, then a field.")


@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080), (1024, 768), (390, 844)])
@pytest.mark.parametrize("chips", [1875, 25_000])
def test_the_figures_of_a_chip_stay_within_its_edge(look, size, chips):
    """At every seat and spot the chip is small; four figures and more are set smaller."""
    house = playing.house(most_bet=chips, tray=10 * chips)
    table = playing.played(playing.table(house, chips=chips), f"seat 3 bets {chips} on player")
    chip = look(view.snapshot(table, Audience.CROUPIER), size=size).locator(".box .chip")
    figures, round_ = chip.locator("span").bounding_box(), chip.bounding_box()

    assert figures["width"] <= round_["width"] - 4  # its border on both sides


def test_the_points_of_both_hands_look_alike(look):
    """Whoever won: the line below the spots has no favourite."""
    dealt = ("free coup", "card 4h", "card Kd", "card 2h", "card 8d")
    page = look(view.snapshot(playing.played(playing.table(), *dealt), Audience.CROUPIER))
    looks = [
        page.locator(points).first.evaluate(
            "e => ['color', 'fontSize', 'fontWeight'].map(name => getComputedStyle(e)[name])"
        )
        for points in ("#middle .sum", "#middle .further b")
    ]

    assert looks[0] == looks[1]

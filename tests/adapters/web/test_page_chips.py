"""Chips on the felt, laid by fingers, in Debian's Chromium."""

from __future__ import annotations

from table_controller.engine.messages import Audience
from table_controller.engine.punto_banco import view
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
    """The golden button only closes the bets; how they are laid would otherwise be a guess."""
    page = look(BETTING)

    assert page.locator("#ask .why").first.text_content().endswith("Touch a chip, then a field.")

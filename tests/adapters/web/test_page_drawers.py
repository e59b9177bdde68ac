"""The drawers below the panel, in Debian's Chromium: from three buttons to seven, in each size."""

from __future__ import annotations

import msgspec
import pytest

from table_controller.engine.messages import phrase
from table_controller.engine.views import Offer
from tests.adapters.web import samples
from tests.adapters.web.overlaps import SIZES
from tests.adapters.web.served import show

#: How many offers fill each drawer that the sample does not have.
FILLED = {"people": 1, "more": 3, "stakes": 1, "banco": 3}
#: The buttons of all drawers, and what is open: left, top, right and bottom.
PLACES = """() => ['.drawers > .drawer > summary', '.drawer[open] > .sheet'].map(
  all => [...document.querySelectorAll(all)].map(e => {
    const { left, top, right, bottom } = e.getBoundingClientRect();
    return [left, top, right, bottom].map(Math.round);
  }))"""


def _filled(buttons):
    """The sample with further drawers, until there are so many buttons."""
    offers = list(samples.ADVICE_LIT.offers)
    names = list(FILLED)[: buttons - 3]
    for name in names:
        kind, group = (name, "more") if name in ("stakes", "banco") else ("told", name)
        offers += [
            Offer(input={"type": kind, "n": n}, label=phrase(f"{name} of {n}"), group=group)
            for n in range(FILLED[name])
        ]
    return msgspec.structs.replace(samples.ADVICE_LIT, offers=tuple(offers))


def _lies_on(one, other):
    return max(one[0], other[0]) < min(one[2], other[2]) and max(one[1], other[1]) < min(
        one[3], other[3]
    )


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_no_open_drawer_lies_on_a_button_of_another(look, served, size):
    """However many buttons there are: one touch leads from each drawer to each other."""
    page = look(size=size, reduced_motion="reduce")
    for buttons in range(3, 8):
        full = _filled(buttons)
        show(page, served, full, buttons)
        drawers = page.locator(".drawers > .drawer > summary")
        assert drawers.count() == buttons
        for n in (0, buttons - 1):
            drawers.nth(n).click()
            all_, open_ = page.evaluate(PLACES)
            assert len(open_) == 1
            assert [one for one in all_ if _lies_on(one, open_[0])] == [], (buttons, open_)
            assert min(bottom - top for _, top, _, bottom in all_) >= 44
        drawers.nth(buttons - 1).click()


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize(("drawer", "beside"), [("supervisor", []), ("people", ["#offers"])])
def test_an_open_drawer_takes_the_place_whole(look, size, drawer, beside):
    """What it would lie on is hidden meanwhile, and the main buttons too, unless it stays open."""
    parts = ["#offers", "#side"]
    page = look(_filled(4), size=size, reduced_motion="reduce")
    seen = [part for part in parts if page.locator(part).is_visible()]
    button = page.locator(".drawer > summary", has_text=drawer)

    button.click()
    beside_it = [part for part in parts if page.locator(part).is_visible()]
    button.click()

    assert seen == parts
    assert beside_it == beside
    assert [part for part in parts if page.locator(part).is_visible()] == parts

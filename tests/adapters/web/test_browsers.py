"""The browser of the tests lays a page out, to the pixel, as the whole Chromium of a house does."""

import pytest

from tests.adapters.web.overlaps import SIZES
from tests.adapters.web.samples import ADVICE_LIT
from tests.adapters.web.served import CHROMIUM, DESKTOP, Served, chromium
from tests.limits import PATIENCE_MS

#: The places and the words of everything on a page.
BOXES = """() => [...document.querySelectorAll("body *")].map(node => {
  const { x, y, width, height } = node.getBoundingClientRect();
  return [node.tagName, node.textContent, x, y, width, height];
})"""


def boxes(browser, url):
    """What stands where, in each size."""
    found = {}
    for width, height in SIZES:
        page = browser.new_page(
            viewport={"width": width, "height": height}, reduced_motion="reduce"
        )
        page.set_default_timeout(PATIENCE_MS)
        with page.expect_response("**/live?*"):
            page.goto(url)
        page.get_by_role("button", name="stays").wait_for()
        found[width] = page.evaluate(BOXES)
        page.close()
    return found


def test_both_browsers_lay_a_page_out_alike():
    """Else an overlap that a croupier sees might not be found here."""
    if not (CHROMIUM.exists() and DESKTOP.exists()):
        pytest.skip("not both here: apt install chromium chromium-headless-shell")
    table = Served(ADVICE_LIT)
    try:
        with chromium() as shell:
            ours = boxes(shell, table.url)
        with chromium(DESKTOP) as whole:
            theirs = boxes(whole, table.url)
    finally:
        table.stop()
    assert min(map(len, ours.values())) > 200
    assert ours == theirs

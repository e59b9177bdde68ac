"""Pages in WebKit, an iPad's engine: nothing covers anything, and nothing moves with a card."""

from __future__ import annotations

import msgspec
import pytest

from table_controller.wiring import config
from table_controller.wiring.games import game
from tests.adapters.web import overlaps, samples
from tests.adapters.web.served import Served, chromium
from tests.adapters.web.webkit import PACKAGES, there, webkit
from tests.limits import LONG_S, PATIENCE_MS

#: An iPad both ways, a low desk, and a narrow window.
SIZES = ((1180, 820), (820, 1180), (1024, 768), (480, 844))
HOUSES = ("zoppot-1934", "punto-banco", "ecarte-german")
PICTURES, COUPS = 6, 45
HANDS = samples.ADVICE_LIT.hands
#: The places on the felt, by their names; those that every picture has.
BOXES = """() => Object.fromEntries(
  [...document.querySelectorAll("#trays, .tray, .tray li, #middle, .seat, #cells .box, #cells")]
    .map((node, number) => {
      const { x, y, width, height } = node.getBoundingClientRect();
      const name = node.matches("li") ? `slot ${number}` : node.id || node.dataset.key;
      return [name, [x, y, width, height]];
    }))"""
SHOWN = (
    """number => document.querySelector("#title span")?.textContent.includes(`Coup ${number}`)"""
)


@pytest.fixture(scope="module")
def safari(tmp_path_factory):
    if not there():
        pytest.skip(f"no WebKit here: apt install {PACKAGES}")
    with webkit(tmp_path_factory.mktemp("webkit")) as browser:
        yield browser


@pytest.mark.timeout(LONG_S)
@pytest.mark.parametrize("path", overlaps.PATHS)
@pytest.mark.parametrize("name", HOUSES)
def test_nothing_lies_on_anything(safari, name, path):
    """As in Chromium (test_page_overlaps.py): pictures of an evening in which all is shown once."""
    house = config.house(name)
    door = game(house.game)
    moments = overlaps.evening(house, coups=COUPS, mishaps=True)
    found, looks = [], 0
    for picture in overlaps.telling(door, moments, PICTURES):
        snap = overlaps.shot(door, picture, overlaps.PATHS[path], by_hand=False)
        served = Served(snap, project=lambda told, _audience: told)
        try:
            for wide, high in SIZES:
                safari.resize(wide, high)
                safari.goto(f"{served.url}{path}?lang=en")
                safari.wait_for("() => document.fonts.status === 'loaded'")
                told = safari.evaluate(f"() => ({overlaps.OVERLAPS})()")
                looks += told["looks"]
                found += [
                    f"{wide}x{high}, picture {picture.number}: {one}" for one in told["faults"]
                ]
        finally:
            served.stop()

    assert not found, "\n".join(found)
    assert looks >= PICTURES


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_first_card_moves_nothing(safari, size):
    """An empty tray is as high as a full one."""
    dealt = msgspec.structs.replace(samples.BEFORE_STAKING, coup=901, hands=HANDS)
    served = Served(samples.BEFORE_STAKING)
    try:
        safari.resize(*size)
        safari.goto(f"{served.url}/")
        before = safari.evaluate(BOXES)
        served.tell(dealt)
        safari.wait_for(SHOWN, 901)
        after = safari.evaluate(BOXES)
    finally:
        served.stop()

    assert before["tray-banker"][3] > 100
    assert after == before


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("path", overlaps.PATHS)
def test_both_engines_lay_a_page_out_alike(safari, path, size):
    """To four pixels: they round the height of a line in their own ways."""
    served = Served(samples.ADVICE_LIT)
    try:
        safari.resize(*size)
        safari.goto(f"{served.url}{path}?lang=en")
        theirs = safari.evaluate(BOXES)
        with chromium() as browser:
            page = browser.new_page(viewport=dict(zip(("width", "height"), size, strict=True)))
            page.set_default_timeout(PATIENCE_MS)
            page.goto(f"{served.url}{path}?lang=en")
            ours = page.evaluate(BOXES)
    finally:
        served.stop()

    assert theirs.keys() == ours.keys()
    assert theirs == {name: pytest.approx(box, abs=4) for name, box in ours.items()}

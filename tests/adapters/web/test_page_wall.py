"""The view of guests from afar: the heights of figures and letters on a wall of 55 inches."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from msgspec.structs import replace

from table_controller.engine.messages import Audience, phrase
from table_controller.engine.views import STANDING, SeatView
from table_controller.rules.cards import hand
from table_controller.wiring import config
from table_controller.wiring.games import game
from tests.adapters.web import overlaps
from tests.adapters.web.samples import ADVICE_LIT
from tests.adapters.web.served import show, words

#: A screen of 55 inches is 685 mm high.
WALL, MM_A_PIXEL = (1920, 1080), 685 / 1080
#: What must be how high, in millimetres: the number of marks, the cards, the names of hands.
LEAST_MM = {".tray .score b": 60, ".card .rank": 40, ".tray:not(.row:nth-child(2) *) h2": 25}

#: How high each of those is drawn at least, in pixels: as the ink of its letters, not as its line.
INK = """selectors => {
  const pen = document.createElement("canvas").getContext("2d");
  const high = e => {
    const style = getComputedStyle(e), drawn = e.getScreenCTM?.().a ?? 1;
    pen.font = `${style.fontWeight} ${parseFloat(style.fontSize) * drawn}px ${style.fontFamily}`;
    return pen.measureText(e.textContent.trim()).actualBoundingBoxAscent;
  };
  return selectors.map(one => Math.min(...[...document.querySelectorAll(one)].map(high)));
}"""


def playing():
    """A trick of écarté that lies open, as guests see it, and the same with both hands open."""
    house = config.house("ecarte-nemzeti-1907")
    door = game(house.game)
    pictures = (
        door.snapshot(one.table, Audience.PUBLIC) for one in overlaps.evening(house, coups=1)
    )
    shown = next(one for one in pictures if len(one.hands) == 4 and len(one.hands[3].cards) == 2)
    cards = {"dealer": hand("Td Js Qc Kh As"), "elder": hand("Tc Ts 7h 8h Ac")}
    hands = tuple(replace(one, cards=cards.get(one.name, one.cards)) for one in shown.hands)
    return shown, replace(shown, hands=hands)


@pytest.mark.parametrize("open_", [0, 1], ids=["closed", "open"])
def test_a_wall_of_ecarte_is_legible_at_eight_metres(look, open_):
    """All that lies open: marks 60 mm, cards 40 and names 25; nothing lies on anything there."""
    page = look(playing()[open_], path="/public", size=WALL, reduced_motion="reduce")

    inks = page.evaluate(INK, list(LEAST_MM))

    found = dict(zip(LEAST_MM, (round(ink * MM_A_PIXEL, 1) for ink in inks), strict=True))
    assert found == {name: pytest.approx(least, abs=2.5) for name, least in LEAST_MM.items()}
    assert all(found[name] >= least for name, least in LEAST_MM.items())
    assert page.locator(".card .rank").count() == 3 + 10 * open_
    assert page.evaluate(f"({overlaps.OVERLAPS})().faults") == []


@pytest.mark.parametrize("more", ["8s", "8s 9h", "8s 9h Th"])
def test_a_hand_with_too_many_cards_stays_in_its_place(look, more):
    """It lies open until the croupier has ruled on it; the other hand does not move."""
    shown = playing()[1]
    hands = tuple(
        replace(one, cards=one.cards + hand(more)) if one.name == "dealer" else one
        for one in shown.hands
    )
    page = look(replace(shown, hands=hands), path="/public", size=WALL)

    assert page.evaluate(f"({overlaps.OVERLAPS})().faults") == []
    tops = page.locator(".row:first-child li").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect().top)"
    )
    assert len({round(top) for top in tops}) == 1


def test_a_wall_of_ecarte_shows_taken_tricks_as_counters(look):
    """As many of five as the hand has taken."""
    shown = playing()[0]
    page = look(shown, path="/public", size=WALL)

    rows = page.locator("#trays .taken").all()
    taken = {one.name: one.count for one in shown.hands[:2]}
    above, _, _, below = shown.trays

    assert [row.locator("i").count() for row in rows] == [5, 5]
    assert [row.locator("i.won").count() for row in rows] == [taken[above.name], taken[below.name]]
    assert sum(taken.values()) == 1


def test_a_wall_has_nothing_to_press_and_goes_on(look, served):
    """It shows what the guests' page shows, and the same news."""
    page = look(ADVICE_LIT, path="/wall", size=WALL)
    pressed = "a, button, select, input, summary, [tabindex]"
    shown = words(page, "main")

    assert page.locator(pressed).count() == 0
    show(page, served, replace(ADVICE_LIT, play=phrase("another play")), 1)
    assert words(page, "main") != shown


@pytest.mark.parametrize("waiting", [8, 16])
def test_those_who_wait_push_nothing_off_a_wall_of_ecarte(look, waiting):
    """As many as a full table has who do not stake, and twice as many who stand."""
    shown = playing()[0]
    seats = [one for one in shown.seats if one.taken and one.seat <= STANDING]
    more = tuple(SeatView(seat=STANDING + n, taken=True) for n in range(1, waiting + 1))
    page = look(replace(shown, seats=(*seats, *more)), path="/public", size=WALL)

    assert page.locator(".waiting li").count() >= waiting
    assert page.evaluate(f"({overlaps.OVERLAPS})().faults") == []


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("zoppot-1934", ["Chemin de fer", "least stake 2\u00a0G", "least bank 10\u00a0G"]),
        ("ecarte-german", ["Écarté", "least stake 1\u00a0G", "least bank 10\u00a0G"]),
        ("punto-banco", ["Punto banco", "least bet 5\u00a0G", "least side bet 1\u00a0G"]),
    ],
)
def test_a_wall_says_the_game_and_its_limits(look, name, said):
    """House names alone tell a guest neither; each is there at once, and within the bar."""
    house = config.house(name)
    moment, *_ = overlaps.evening(house, coups=1)

    page = look(game(house.game).snapshot(moment.table, Audience.PUBLIC), "/public", WALL)

    assert page.locator(".limits span").all_text_contents() == said
    assert page.evaluate(f"({overlaps.OVERLAPS})().faults") == []


def test_all_limits_of_a_house_have_room_beside_a_long_title(look):
    """Five of them, in the languages with the longest words, at the narrowest wall."""
    most: Any = {"most_bet": 100_000, "most_side": 5_000, "differential": 50_000}
    title = "Grand Casino de la Ville · Demonstration"
    house = dataclasses.replace(config.house("punto-banco"), title=title, **most)
    moment, *_ = overlaps.evening(house, coups=1)
    shown = game(house.game).snapshot(moment.table, Audience.PUBLIC)

    for language in ("de", "fr", "hu"):
        page = look(shown, f"/public?lang={language}", (1280, 800))
        assert page.locator(".limits span").count() == 6
        assert page.evaluate(f"({overlaps.OVERLAPS})().faults") == []

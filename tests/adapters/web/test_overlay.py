"""The stream's overlay: the chosen parts, late by the table's delay, and nothing before that."""

from __future__ import annotations

import asyncio

import httpx
import pytest

from table_controller.adapters.web import overlay
from table_controller.adapters.web.app import app
from table_controller.adapters.web.hub import Hub
from table_controller.words import LOCALES
from tests.adapters.web import samples
from tests.adapters.web.overlaps import OVERLAPS


class Clock:
    """A clock that moves only while somebody sleeps."""

    def __init__(self):
        self.now_s = 100.0

    def now(self):
        return self.now_s

    async def sleep(self, seconds):
        self.now_s += seconds
        await asyncio.sleep(0)


def late(pictures, delay):
    """When each of these pictures was shown, `(seconds after the one before, picture)`."""
    clock = Clock()

    async def come():
        for after, one in pictures:
            clock.now_s += after
            yield one

    async def look():
        shown = overlay.later(come(), delay, now=clock.now, sleep=clock.sleep)
        return [(clock.now_s, one) async for one in shown]

    return asyncio.run(look())


def test_everything_comes_in_order_and_not_before_its_time():
    assert late([(0, b"deal"), (5, b"card"), (1, b"end")], 30) == [
        (130.0, b"deal"),
        (135.0, b"card"),
        (136.0, b"end"),
    ]


def test_a_screen_too_far_behind_ends_rather_than_leave_one_out(monkeypatch):
    monkeypatch.setattr(overlay, "MOST_BEHIND", 3)

    seen = late([(0, bytes([n])) for n in range(9)], 30)

    assert [one for _, one in seen] == [b"\0", b"\1", b"\2"]


def asked(path, **settings):
    """The page that a browser gets of that path."""

    async def answered():
        hub = Hub(samples.ADVICE_LIT, samples.project, None, samples.RULES.get)
        transport = httpx.ASGITransport(app=app(hub, names=frozenset({"table"}), **settings))
        async with httpx.AsyncClient(transport=transport, base_url="http://table") as client:
            return (await client.get(path)).text

    return asyncio.run(answered())


def test_nothing_of_the_table_is_in_the_page_itself():
    """Else whoever opens it would see the picture of now."""
    page = asked("/overlay", overlay_delay_s=30)

    for word in ("160", "Coup 29", 'class="rank', "seat 1", "Banco"):
        assert word not in page
    assert 'data-live="/overlay/live?delay=30"' in page


@pytest.mark.parametrize(
    ("address", "delay"),
    [("", 30), ("?delay=5", 30), ("?delay=45", 45), ("?delay=600", 600)],
)
def test_the_address_can_only_make_it_later(address, delay):
    page = asked(f"/overlay{address}", overlay_delay_s=30)

    assert f'/overlay/live?delay={delay}"' in page


@pytest.mark.parametrize(
    ("asks", "parts"),
    [
        ("", {"trays", "result", "foot", "roads"}),
        ("?parts=hands", {"trays"}),
        ("?parts=result,history", {"result", "foot", "roads"}),
        ("?parts=hands,%20result", {"trays", "result"}),
        ("?parts=", {"trays", "result", "foot", "roads"}),
    ],
)
def test_the_address_chooses_parts(asks, parts):
    page = asked(f"/overlay{asks}")

    assert {
        part for part in ("trays", "result", "foot", "roads") if f'id="{part}"' in page
    } == parts


@pytest.mark.parametrize(
    ("asks", "answer"),
    [
        (
            "?parts=hands,balances",
            "The overlay has no part balances. Its parts are: hands, result, history.",
        ),
        (
            "?dellay=15",
            "The overlay's address does not take dellay. It takes: parts, delay, lang.",
        ),
        ("?delay=", "delay= is no delay. Give whole seconds, at most 600."),
        ("?delay=-9", "-9 is no delay. Give whole seconds, at most 600."),
        ("?delay=601", "601 is no delay. Give whole seconds, at most 600."),
        ("?delay=1m", "1m is no delay. Give whole seconds, at most 600."),
    ],
)
def test_an_address_that_is_wrong_is_answered_in_a_sentence(asks, answer):
    """A streamer sees in the source what to write instead."""
    assert asked(f"/overlay{asks}") == answer


def test_a_browser_shows_it_over_a_picture(look):
    """Transparent, with the hands of now where the table has no delay."""
    page = look(samples.ADVICE_LIT, path="/overlay", size=(1920, 1080))
    page.locator("#trays .card").first.wait_for()

    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgba(0, 0, 0, 0)"
    assert page.locator(".seat").count() == 0


#: What OBS puts into every page.
OBS = "body { background-color: rgba(0, 0, 0, 0); overflow: hidden; } #trays { opacity: .5; }"


def test_a_streamers_own_style_is_taken(look):
    """OBS writes it into the page; every other page takes none but its own."""
    put = """css => {
      const style = document.createElement("style");
      style.textContent = css;
      document.head.append(style);
      return getComputedStyle(document.querySelector("#trays")).opacity;
    }"""
    page = look(samples.ADVICE_LIT, path="/overlay")
    assert page.evaluate(put, OBS) == "0.5"

    assert look(path="/public").evaluate(put, OBS) == "1"
    assert "Content Security Policy" in vars(look)["complaints"].pop()


def test_until_the_first_picture_comes_nothing_covers_the_stream(look):
    """A delayed overlay is empty for as long as the delay is: not even a part's ground shows."""
    page = look(samples.ADVICE_LIT, path="/overlay?delay=600", size=(1280, 720))
    covering = """[...document.querySelectorAll("body *")].filter(one => {
        const { width, height } = one.getBoundingClientRect();
        return width && height && getComputedStyle(one).backgroundColor !== "rgba(0, 0, 0, 0)";
    }).map(one => one.id)"""

    assert page.evaluate(covering) == []


@pytest.mark.parametrize("size", [(1920, 1080), (1280, 720)])
@pytest.mark.parametrize("language", LOCALES)
def test_its_words_stay_within_what_they_lie_on(look, size, language):
    """In each language, with the longest words that it has: who has won and who has lost."""
    page = look(samples.SETTLEMENT, path=f"/overlay?lang={language}", size=size)
    page.locator("#trays .tray em").first.wait_for()

    faults = page.evaluate(f"({OVERLAPS})().faults")

    assert [fault for fault in faults if fault[0] != "below"] == []

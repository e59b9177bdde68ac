"""The pages of the past over real journals: who sees what, and two worlds that look alike."""

from __future__ import annotations

import asyncio
import random
import re

import httpx
import pytest

from table_controller.adapters.web.app import app
from table_controller.adapters.web.hub import Answer, Hub
from table_controller.engine.table.inputs import Ruled
from tests.adapters.web import samples
from tests.whole import past
from tests.whole.past import HOUSES

ORIGIN = "http://127.0.0.1:8080"
#: A promise, or the end of the chain that binds it: public, and another in every world.
PROMISE = re.compile(r"[0-9a-f]{64}")
any_house = pytest.mark.parametrize("house", HOUSES)


def looked(journal, *paths, staff=True, language="en"):
    """What each of these paths answers."""

    async def say(_said, _actor, _press):
        return Answer()

    async def run():
        hub = Hub(samples.ADVICE_LIT, samples.project, say, samples.RULES.get)
        who = (lambda _: "croupier") if staff else (lambda _: None)
        site = app(hub, who=who, past=journal, language=language)
        transport = httpx.ASGITransport(app=site)
        async with httpx.AsyncClient(transport=transport, base_url=ORIGIN) as client:
            return [await client.get(path) for path in paths]

    return asyncio.run(run())


def pages(journal, staff=True):
    """Every page of a journal's last evening, by path."""
    evening = len(journal.evenings())
    coups = len(journal.record(evening).coups)
    paths = ["/public/evening", *(f"/public/evening/coups/{n + 1}" for n in range(coups))]
    if staff:
        at = f"/evenings/{evening}"
        paths += ["/evenings", "/evenings/statistics", at, f"{at}/coups.csv", f"{at}/coups.json"]
        paths += [f"{at}/coups/{n + 1}" for n in range(coups)]
    return dict(zip(paths, looked(journal, *paths), strict=True))


@any_house
def test_every_page_is_served_in_every_game(tmp_path, house):
    one = past.played(house, coups=6, faults="unread,stray")
    journal = past.kept(tmp_path / "one.db", one.house, one.said)

    answers = pages(journal)

    assert {answer.status_code for answer in answers.values()} == {200}
    assert "⟦" not in "".join(answer.text for answer in answers.values())


@pytest.mark.parametrize("language", ["de", "fr", "hu", "sv"])
def test_no_text_is_left_in_english(tmp_path, language):
    one = past.played("zoppot-1934", coups=3)
    journal = past.kept(tmp_path / "one.db", one.house, one.said)
    paths = ("/evenings", "/evenings/1", "/evenings/1/coups/2", "/evenings/statistics")

    for answer in looked(journal, *paths, language=language):
        assert "⟦" not in answer.text


def test_a_stranger_sees_only_the_public_pages(tmp_path):
    one = past.played("zoppot-1934", coups=2)
    journal = past.kept(tmp_path / "one.db", one.house, one.said)
    closed = ["/evenings", "/evenings/1", "/evenings/1/coups/1", "/evenings/statistics"]
    closed += ["/evenings/1/coups.csv", "/evenings/1/coups.json", "/evenings/1/coups.parquet"]
    public = ["/public/evening", "/public/evening/coups/1"]

    codes = [answer.status_code for answer in looked(journal, *closed, *public, staff=False)]

    assert codes == [401] * len(closed) + [200] * len(public)


def test_a_guest_reads_neither_who_spoke_nor_what_the_house_took(tmp_path):
    one = past.played("zoppot-1934", coups=4)
    journal = past.kept(tmp_path / "one.db", one.house, one.said)
    staff, guests = looked(journal, "/evenings/1/coups/2", "/public/evening/coups/2")
    record, told = looked(journal, "/evenings/1", "/public/evening")

    assert 'class="p-who"' in staff.text
    assert 'class="p-who"' not in guests.text
    assert "cagnotte" in record.text
    assert "cagnotte" not in told.text


def test_what_is_not_there_is_said_to_be(tmp_path):
    one = past.played("zoppot-1934", coups=1)
    journal = past.kept(tmp_path / "one.db", one.house, one.said)
    paths = ("/evenings/9", "/evenings/0", "/evenings/1/coups/99", "/evenings/1/coups.xls")

    answers = looked(journal, *paths, "/public/evening/coups/0")

    assert {answer.status_code for answer in answers} == {404}
    assert {answer.text for answer in answers} == {
        "There is no such evening or coup: choose one from the list."
    }


def test_names_and_reasons_are_text_never_markup(tmp_path):
    one = past.played("zoppot-1934", coups=2)
    reason = "<script>alert(1)</script>"
    ruled = [*one.said, (one.said[-1][0] + 1000, Ruled(actor="supervisor", reason=reason))]
    hostile = past.kept(tmp_path / "two.db", one.house, ruled)

    (page,) = looked(hostile, "/evenings/1")

    assert reason not in page.text
    assert "&lt;script&gt;alert(1)" in page.text


@any_house
def test_two_worlds_that_differ_in_closed_cards_have_the_same_pages(tmp_path, house):
    """R-13, R-35: pages, playback, papers and statistics while a Schlitten is open."""
    one = past.played(house, seed=8, coups=8)
    luck, compared = random.Random(house), 0
    for number, end in enumerate(sorted(luck.sample(range(20, len(one.said)), 14))):
        said = one.said[:end]
        cards = past.closed_at(one.moments[:end])
        pairs = [(a, b) for a, card in cards for b, other in cards if a < b and card != other]
        if not pairs:
            continue
        compared += 1
        other = past.exchanged(said, *luck.choice(pairs))
        here = past.kept(tmp_path / f"{number}-here.db", one.house, said)
        there = past.kept(tmp_path / f"{number}-there.db", one.house, other)

        assert shown(here) == shown(there)
    assert compared >= 3


def shown(journal):
    """The pages with every promise as any other."""
    answers = pages(journal).items()
    return {path: PROMISE.sub("", answer.text) for path, answer in answers}


def test_many_strangers_at_once_keep_nobody_of_the_house_waiting(tmp_path):
    """Four are answered, the others told to come again; the staff's page comes all the same."""
    one = past.played("zoppot-1934", coups=3)
    journal = past.kept(tmp_path / "one.db", one.house, one.said)

    async def run():
        hub = Hub(samples.ADVICE_LIT, samples.project, None, samples.RULES.get)
        site = app(hub, past=journal)
        transport = httpx.ASGITransport(app=site)
        async with httpx.AsyncClient(transport=transport, base_url=ORIGIN) as client:
            strangers = (client.get("/public/evening") for _ in range(30))
            *guests, staff = await asyncio.gather(*strangers, client.get("/evenings"))
            return guests, staff, await client.get("/public/evening")

    guests, staff, later = asyncio.run(run())

    codes = sorted(answer.status_code for answer in guests)
    assert codes == [200] * 4 + [503] * 26
    assert {answer.headers["Retry-After"] for answer in guests if answer.status_code == 503} == {
        "2"
    }
    assert (staff.status_code, later.status_code) == (200, 200)

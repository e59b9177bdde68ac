"""What a person reads in a browser instead of an error's bare text, at every site."""

from __future__ import annotations

import asyncio

import httpx
import pytest
from starlette.routing import Route

from table_controller.adapters.web import technician
from table_controller.adapters.web.app import app
from table_controller.adapters.web.beginning import Beginning
from table_controller.adapters.web.evening_pages import MOST_GUESTS
from table_controller.adapters.web.hub import Answer, Hub
from table_controller.floor.live import LiveTables
from table_controller.floor.web.app import FloorPages
from table_controller.service.errors import ServiceError
from tests.adapters.web import samples

ORIGIN = "http://127.0.0.1:8080"
#: What Chromium sends when somebody opens an address.
BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}


class Unreadable:
    """A journal that cannot be read."""

    title = "A table"

    def evenings(self):
        raise ServiceError("/var/lib/secret/journal.db: no such file")


async def _fails(_request):
    raise RuntimeError("a fault that names /var/lib/secret")


async def _says(_said, _actor, _press):
    return Answer()


def table(**how):
    hub = Hub(samples.ADVICE_LIT, samples.project, _says, samples.RULES.get)
    made = app(hub, **how)
    made.router.routes.append(Route("/fails", _fails))
    return made


SITES = {
    "table": table,
    "floor": lambda: FloorPages(LiveTables(), dict, lambda _: None).app(),
    "first start": lambda: Beginning("482913", {}, dict, None).app(),
    "technician": lambda: technician.app(None),
}


def ask(site, path, *, method="GET", headers=BROWSER):
    """One request of a browser to a site."""

    async def run():
        transport = httpx.ASGITransport(app=site, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url=ORIGIN) as client:
            return await client.request(method, path, headers=headers)

    return asyncio.run(run())


@pytest.mark.parametrize("site", SITES)
def test_a_wrong_address_leads_on(site):
    answer = ask(SITES[site](), "/no-such-page?x=<script>")

    assert (answer.status_code, answer.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert "There is no such page" in answer.text
    assert 'name="viewport"' in answer.text
    assert 'href="/"' in answer.text
    assert "script>" not in answer.text.replace("</script>", "").replace("defer></script>", "")
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_guests_are_led_to_their_page():
    assert 'href="/public"' in ask(table(), "/publik").text


@pytest.mark.parametrize(
    ("path", "status", "says"),
    [
        ("/say", 405, "cannot be opened"),
        ("/rule/none", 404, "ids look like Z-24"),
        ("/overlay?parts=none", 400, "The overlay has no part none"),
        ("/public/evening", 503, "The journal cannot be read now"),
        ("/static/none.css", 404, "There is no such page"),
        ("/fails", 500, "The table plays on"),
    ],
)
def test_every_error_is_a_page_with_its_own_status(path, status, says):
    answer = ask(table(past=Unreadable()), path)

    assert answer.status_code == status
    assert "<h1>" in answer.text
    assert says in answer.text
    assert "secret" not in answer.text
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["content-security-policy"].startswith("default-src 'none'")


def test_a_stranger_at_a_table_without_people_reads_why():
    answer = ask(table(who=lambda _: None), "/")

    assert answer.status_code == 401
    assert "this page is for the house" in answer.text


@pytest.mark.parametrize(
    ("language", "title"),
    [
        ("de", "Diese Seite gibt es nicht"), ("fr", "Cette page n’existe pas"),
        ("hu", "Nincs ilyen oldal"), ("sv", "Sidan finns inte"),
    ],
)  # fmt: skip
def test_the_page_speaks_the_visitors_language(language, title):
    answer = ask(table(), f"/none?lang={language}")

    assert title in answer.text
    assert f'lang="{language}"' in answer.text
    assert "⟦" not in answer.text


def test_a_foreign_name_is_a_page_that_needs_nothing_else():
    """Whoever asks under this name gets no style sheet either."""
    answer = ask(table(), "/", headers=BROWSER | {"Host": "evil.example"})

    assert answer.status_code == 421
    assert "not served under this name" in answer.text
    assert "<style>" in answer.text
    assert "href" not in answer.text
    assert "evil" not in answer.text
    assert "'sha256-" in answer.headers["content-security-policy"]


def test_programs_keep_their_plain_text():
    for accept in ("*/*", "text/event-stream", "application/json"):
        answer = ask(table(), "/none", headers={"Accept": accept})
        assert (answer.status_code, answer.text) == (404, "Not Found")
    assert ask(table(), "/none", method="POST").text == "Not Found"
    assert ask(table(), "/fails", headers={"Accept": "*/*"}).text == "Internal Server Error"


def test_too_many_guests_are_asked_to_come_again():
    """The header that tells a program when stays."""

    async def run():
        site = table(past=Slow())
        transport = httpx.ASGITransport(app=site)
        async with httpx.AsyncClient(transport=transport, base_url=ORIGIN, headers=BROWSER) as one:
            asked = [one.get("/public/evening") for _ in range(MOST_GUESTS + 1)]
            return await asyncio.gather(*asked)

    refused = [answer for answer in asyncio.run(run()) if answer.status_code == 503]

    assert [answer.headers["retry-after"] for answer in refused] == ["2"]
    assert "<h1>" in refused[0].text


class Slow:
    """A journal without an evening."""

    title = "A table"

    def evenings(self):
        return ()

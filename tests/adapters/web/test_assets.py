"""The app: the cost of a first look, the files a browser may keep, and those it never keeps."""

from __future__ import annotations

import re

import pytest

from table_controller.adapters.web import assets
from tests.adapters.web.samples import ADVICE_LIT
from tests.adapters.web.test_app import ask

#: Bytes as sent of a first look at a page: the page, and everything that it names.
MOST_BYTES = 60_000
PACKED = {"Accept-Encoding": "gzip"}


def sent(path: str) -> int:
    """The bytes of an answer's body on the wire."""
    answer = ask(path, headers=PACKED)
    assert (answer.status_code, answer.headers.get("content-encoding")) == (200, "gzip"), path
    return int(answer.headers["content-length"])


def named(page: str) -> list[str]:
    """The files that a page names."""
    return re.findall(r'(?:href|src)="(/static/[^"]+)"', page)


@pytest.mark.parametrize("path", ["/", "/public"])
def test_a_first_look_takes_under_60_kb_as_sent(path):
    files = named(ask(path).text)
    bytes_sent = sent(path) + sum(map(sent, files))

    assert len(files) >= 4
    assert bytes_sent < MOST_BYTES


def test_a_file_under_its_digest_is_kept_for_good_and_under_another_not_served():
    address = assets.asset("style.css")
    answer = ask(address)
    stale = address.replace(address.split("/")[2], "0" * 12)

    assert "immutable" in answer.headers["cache-control"]
    assert ask(stale).status_code == 404
    assert ask("/static/../app.py").status_code == 404


def test_a_file_under_its_name_alone_is_asked_for_again_each_time():
    first = ask("/static/style.css")
    again = ask("/static/style.css", headers={"If-None-Match": first.headers["etag"]})

    assert first.headers["cache-control"] == "no-cache"
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("path", ["/", "/public", "/rule/ZX-2", "/glossary"])
def test_no_page_is_kept(path):
    """What a table says lies in no cache."""
    assert ask(path).headers["cache-control"] == "no-store"


def test_the_worker_is_told_only_of_the_shell():
    told = ask("/worker.js").text
    kept = re.findall(r'"(/[^"]*)"', told.splitlines()[0])

    assert kept == [*map(assets.asset, assets.SHELL), "/offline"]
    assert assets.page_version() in told


def test_the_page_that_is_kept_says_nothing_of_a_table():
    page = ask("/offline", snapshot=ADVICE_LIT).text

    assert ADVICE_LIT.title not in page
    assert "No table answers" in page


@pytest.mark.parametrize(("page", "start"), [("/", "/"), ("/public", "/public")])
def test_each_page_is_an_app_of_its_own(page, start):
    (manifest,) = re.findall(r'rel="manifest" href="([^"]+)"', ask(page).text)

    told = ask(manifest).json()

    assert (told["start_url"], told["id"]) == (start, start)
    assert ask(told["icons"][0]["src"]).status_code == 200

"""All pages of one browser share a connection, so that no press waits for a seventh one."""

from __future__ import annotations

import httpx
import msgspec
import pytest

from tests.adapters.web import samples
from tests.adapters.web.door import Door
from tests.adapters.web.served import Served
from tests.limits import PATIENCE_MS, PATIENCE_S

PATHS = ("/", "/public", "/overlay", "/", "/public", "/overlay", "/", "/public?lang=de")
#: A page's clock runs a hundred times as fast.
QUICK = """const own = setTimeout;
window.setTimeout = (then, ms, ...more) => own(then, ms / 100, ...more);"""
HIDDEN = "Object.defineProperty(document, 'hidden', { get: () => true })"


@pytest.fixture
def context(browser):
    made = browser.new_context(viewport={"width": 1280, "height": 800})
    made.set_default_timeout(PATIENCE_MS)
    yield made
    made.close()


@pytest.fixture
def streams(context):
    """The addresses of the streams that the browser has asked for."""
    asked = []
    context.on("request", lambda one: asked.append(one.url) if _streams(one.url) else None)
    return asked


def _streams(url):
    return "/live?" in url or "/feeds?" in url


def tell(served, pages, coup):
    """Each page with a title follows to the next picture; so does each overlay."""
    news = msgspec.structs.replace(samples.ADVICE_LIT, coup=coup, hands=())
    served.tell(news)
    for page in pages:
        if page.locator("#title").count():
            page.locator("#title span", has_text=f"Coup {coup}").first.wait_for()
        else:
            page.locator("#trays .card").first.wait_for(state="detached")


def test_eight_pages_of_one_browser_follow_and_a_press_is_answered(served, context, streams):
    served.tell(samples.ADVICE_LIT)
    pages = [context.new_page() for _ in PATHS]
    for page, path in zip(pages, PATHS, strict=True):
        page.goto(served.url + path)
        page.locator("#trays .card").first.wait_for()

    pages[0].get_by_role("button", name="Stays").click()
    said, _ = served.said.get(timeout=PATIENCE_S)
    assert said["word"] == "stands"
    assert streams[-1].count("of=") == 4  # each picture once, whoever shows it
    tell(served, pages, 777)
    pages.pop(0).close()  # the page that led
    served.tell(samples.ADVICE_LIT)
    for page in pages:
        page.locator("#trays .card").first.wait_for()
    tell(served, pages, 778)


def test_a_page_takes_the_lock_from_one_that_does_not_answer(served, context, streams):
    """A browser may freeze a page that has the connection."""
    context.add_init_script(QUICK)
    frozen, other = context.new_page(), context.new_page()
    frozen.goto(served.url)
    frozen.locator("#trays .card").first.wait_for()
    frozen.evaluate("BroadcastChannel.prototype.postMessage = () => {}")
    other.goto(f"{served.url}/public")
    served.tell(msgspec.structs.replace(samples.ADVICE_LIT, coup=777))

    other.locator("#title span", has_text="Coup 777").first.wait_for()
    assert any(one.startswith(f"{served.url}/public/live?") for one in streams)


def test_a_page_that_nobody_sees_opens_no_stream(served, context, streams):
    context.add_init_script(HIDDEN)
    page = context.new_page()
    page.goto(served.url)
    page.wait_for_load_state("networkidle")

    assert streams == []


def test_a_delayed_picture_has_a_stream_of_its_own(served, context, streams):
    """It would begin again, late, whenever another page comes."""
    for path in ("/overlay?delay=9", "/", "/public"):
        with context.expect_event("request", lambda one: _streams(one.url)):
            context.new_page().goto(served.url + path)

    assert sum("/overlay/live?delay=9" in one for one in streams) == 1
    assert not any("delay%3D9" in one for one in streams)


def asked(url, *streams):
    """The names of the first events of these streams in one, until each has told something."""
    found, numbers = set(), {str(n) for n in range(len(streams))}
    with httpx.stream("GET", f"{url}/feeds", params={"of": streams}, timeout=PATIENCE_S) as answer:
        for line in answer.iter_lines():
            if line.startswith("event: "):
                found.add(line.removeprefix("event: "))
            if {one.partition(".")[0] for one in found if "version" not in one} >= numbers:
                break
    return found - {"beat"}


def test_the_events_of_each_stream_have_its_number(program):
    assert asked(program.url, "/live?lang=de", "/public/live") == {
        "0.version", "0.parts", "1.version", "1.parts",
    }  # fmt: skip


@pytest.mark.parametrize("other", ["/", "/say", "/nothing/live", "live", "http://evil/live", ""])
def test_what_is_no_stream_is_over_and_the_others_go_on(program, other):
    assert asked(program.url, other, "/public/live") == {"0.over", "1.version", "1.parts"}


def test_a_stranger_gets_only_the_streams_of_guests():
    """By the same rights as at each stream's own address."""
    table = Served(gate=Door().gate)
    try:
        assert asked(table.url, "/live", "/public/live") == {"0.over", "1.version", "1.parts"}
    finally:
        table.stop()


@pytest.mark.parametrize("count", [0, 25])
def test_too_many_streams_are_refused(program, count):
    answer = httpx.get(f"{program.url}/feeds", params={"of": ["/live"] * count})

    assert answer.status_code == 400
    assert "one to 24 streams" in answer.text

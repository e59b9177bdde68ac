"""The app in Chromium: old pages reload, nothing of a table is kept, the screen can be filled."""

from __future__ import annotations

from table_controller.adapters.web import assets
from tests.adapters.web.samples import ADVICE_LIT

KEPT = """async () => {
  await navigator.serviceWorker.ready;
  const names = await caches.keys();
  const kept = await Promise.all(names.map(async name => (await (await caches.open(name)).keys())));
  return kept.flat().map(request => new URL(request.url).pathname).sort();
}"""


def test_only_the_shell_is_kept(look):
    page = look(ADVICE_LIT)
    page.evaluate("navigator.serviceWorker.ready")
    page.reload()
    page.goto(page.url + "public")

    assert page.evaluate(KEPT) == sorted([*map(assets.asset, assets.SHELL), assets.OFFLINE])


def test_a_screen_whose_table_is_gone_says_so_and_comes_back(look, restart):
    page = look(ADVICE_LIT)
    page.evaluate("navigator.serviceWorker.ready")
    page.reload()
    restart.stop()
    page.goto(page.url, wait_until="load")
    page.get_by_text("No table answers").wait_for()

    restart.start(ADVICE_LIT)

    page.locator("#ask").wait_for()
    vars(look)["complaints"].clear()  # the browser notes each request that nobody answered


def test_an_error_stays_until_somebody_leaves_it(look, served):
    """A page that is not there does not come by looking again, as a lost table does."""
    page = look(ADVICE_LIT)
    page.clock.install()
    with page.expect_response("**/none"):
        page.goto(f"{served.url}/none")
    page.evaluate("window.stays = true")
    page.clock.run_for(10_000)

    assert page.locator("h1").inner_text()
    assert page.evaluate("window.stays")
    vars(look)["complaints"].clear()  # the browser notes that there is no such page


def test_a_page_of_another_version_reloads_itself_once(look):
    page = look(ADVICE_LIT)
    page.evaluate("document.body.dataset.version = 'older'")
    with page.expect_event("load"):  # the stream comes again, and names another version
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")

    assert page.evaluate("document.body.dataset.version") == assets.page_version()
    assert page.evaluate("sessionStorage.getItem('version')") == assets.page_version()


#: Notes each time at which the page takes back that its connection is lost.
WATCH = """() => {
  window.found = 0;
  new MutationObserver(() => { window.found += !document.body.dataset.connection; })
    .observe(document.body, { attributeFilter: ["data-connection"] });
}"""


def test_a_page_is_pale_until_its_stream_brings_a_picture(look):
    """An overlay that comes back has beats at once, and its first picture after its delay."""
    page, come = look(ADVICE_LIT, path="/overlay"), []

    def beat(route):
        come.append(route)
        route.fulfill(content_type="text/event-stream", body="retry: 20\nevent: beat\ndata:\n\n")

    page.evaluate(WATCH)
    page.route("**/live?*", beat)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.locator("body[data-connection=lost]").wait_for()
    while len(come) < 4:
        page.wait_for_event("request", lambda one: "live" in one.url)

    assert page.evaluate("window.found") == 0

    page.unroute("**/live?*")
    page.locator("body:not([data-connection])").wait_for()


def test_the_screen_can_be_filled_and_left(look):
    page = look(ADVICE_LIT)
    full = page.get_by_role("button", name="full screen")
    full.click()
    page.locator("#full[aria-pressed=true]").wait_for()

    assert page.evaluate("document.fullscreenElement !== null")

    full.click()
    page.locator("#full[aria-pressed=false]").wait_for()

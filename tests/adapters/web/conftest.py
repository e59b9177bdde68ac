from pathlib import Path

import pytest

from table_controller.adapters.web.hub import Answer
from tests.adapters.web import samples
from tests.adapters.web import served as serving
from tests.limits import PATIENCE_MS


# For one module only: Playwright keeps an event loop running in this thread, and other
# tests bring their own.
@pytest.fixture(scope="module")
def browser():
    if not serving.CHROMIUM.exists():
        pytest.skip(f"no Chromium at {serving.CHROMIUM}: apt install chromium-headless-shell")
    with serving.chromium() as chromium:
        yield chromium


@pytest.fixture(scope="module")
def program():
    page = serving.Served()
    yield page
    page.stop()


@pytest.fixture
def served(program):
    """A served page; `tell`, `said` and `answer` are the table's side."""
    program.answer = Answer()
    program.said.queue.clear()
    program.tell(samples.ADVICE_LIT)
    return program


@pytest.fixture
def look(browser, served):
    """Open a page of the table; any script error or console complaint fails the test."""
    contexts, complaints = [], []

    def look_(snapshot=None, path="/", size=(1280, 800), theme="dark", **options):
        if snapshot is not None:
            served.tell(snapshot)
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]}, color_scheme=theme, **options
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complaints.append(said.text))
        with page.expect_response("**/live?*"):
            page.goto(served.url + path)
        return page

    vars(look_)["complaints"] = complaints
    yield look_
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture
def restart(served):
    """Stop the served page's program, and start another at the same port."""
    return Restart(served)


class Restart:
    """The table's program, ended and begun again."""

    def __init__(self, served):
        self._served = served
        self._port = int(served.url.rsplit(":", 1)[1])

    def stop(self):
        self._served.halt()

    def start(self, snapshot):
        self._served.begin(snapshot, self._port)


@pytest.fixture(scope="session")
def artefacts():
    """The folder of this run's screenshots, for people to look at."""
    folder = Path(__file__).parents[3] / "artefacts" / "page"
    folder.mkdir(parents=True, exist_ok=True)
    return folder

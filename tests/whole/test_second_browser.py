"""A second screen, as in docs/TABLET.md: Chromium with its own profile and its own trust."""

from __future__ import annotations

import os
import re
import subprocess
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Error, sync_playwright

from tests.adapters.web.served import DESKTOP, FLAGS
from tests.brokers import free_port
from tests.limits import PATIENCE_MS
from tests.whole.commands import COMMAND, Running

ROOT = Path(__file__).parents[2]
NAME, PIN = "table.club.example", "83519264"
#: Stands for the router, which knows the table's name.
ROUTER = f"--host-resolver-rules=MAP {NAME} 127.0.0.1"


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """A table that `init` set up and `run` serves: its address for others, and its folder."""
    folder, port = tmp_path_factory.mktemp("table"), free_port()
    settings = folder / "table.toml"
    words = ("init", "--config", settings, "--supervisor", "Anna", "--address", NAME)
    called = [*COMMAND, *map(str, (*words, "--port", port))]
    subprocess.run(called, check=True, input=PIN, text=True, capture_output=True)
    settings.write_text(settings.read_text() + '\n[broker]\nkind = "none"\n')
    with Running("run", "--config", settings) as running:
        assert running.says(rf"on this machine  (https://127\.0\.0\.1:{port}/)\n")
        yield running.says(rf"croupier's page  (https://{NAME}:{port}/)\n")[1], folder


@contextmanager
def browser(home):
    """A browser that nobody has used, of a person whose home is this folder."""
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch_persistent_context(
            str(home / "profile"),
            executable_path=str(DESKTOP),
            args=[*FLAGS, ROUTER],
            env={**os.environ, "HOME": str(home)},
        )
        page = opened.pages[0]
        page.set_default_timeout(PATIENCE_MS)
        yield page
        opened.close()


def test_a_browser_without_the_root_refuses(table, tmp_path):
    url, _ = table
    with browser(tmp_path) as page, pytest.raises(Error, match="ERR_CERT_AUTHORITY_INVALID"):
        page.goto(url)


def test_a_browser_with_the_root_shows_the_croupiers_page(table, tmp_path):
    """By the lines of the document; nothing is ticked, clicked or ignored on the way."""
    url, folder = table
    told = (ROOT / "docs" / "TABLET.md").read_text("utf-8")
    (lines,) = re.findall(r"^ *```\n((?: *mkdir.*\n) *certutil .*\n) *```$", told, re.MULTILINE)
    home = os.environ | {"HOME": str(tmp_path)}
    subprocess.run(["sh", "-ec", lines], cwd=folder, env=home, check=True)

    with browser(tmp_path) as page:
        page.goto(url)
        secure = page.evaluate("isSecureContext")
        page.locator("[name=name]").fill("Anna")
        page.locator("[name=pin]").fill(PIN)
        page.locator("button.main").click()
        page.get_by_role("button", name="Done, next step").wait_for()

    assert secure

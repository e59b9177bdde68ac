"""`schlitten init`: from nothing to a page that a second browser trusts, and what it refuses."""

from __future__ import annotations

import asyncio
import os
import re
import ssl
import subprocess
from datetime import UTC, datetime

import httpx
import pytest
import typer

from table_controller.adapters import addresses as addresses_of
from table_controller.adapters import certificate
from table_controller.commands import people
from table_controller.commands.live import planned
from table_controller.commands.machine import cli_first
from table_controller.service.errors import ConfigError, ServiceError
from table_controller.wiring import config, first_start
from table_controller.wiring import people as roll
from table_controller.wiring.app import Service
from table_controller.wiring.first_start import FirstStart, begin
from tests.brokers import free_port
from tests.limits import LONG_PATIENCE_S
from tests.whole.browser import chromium
from tests.whole.commands import COMMAND

PIN = "83519264"
#: What options of `init --page` say.
GIVEN = FirstStart(house="punto-banco", supervisor="Anna", pin="", name="t7", port=8123)


def answers(**changes):
    """What a club secretary answers."""
    said = {"house": "punto-banco", "supervisor": "Anna", "pin": PIN} | changes
    return FirstStart(**said)


def test_a_second_browser_reaches_the_page_and_trusts_it(tmp_path):
    """Settings, key, certificate, person: nothing else is needed to serve and to sign in."""
    port = free_port()
    begun = begin(answers(addresses=("127.0.0.1",), port=port), tmp_path / "table.toml")

    async def story():
        plan = planned(config.load(begun.settings), lambda _: None)
        async with Service(plan):
            trust = ssl.create_default_context(cafile=str(begun.root))
            async with httpx.AsyncClient(verify=trust, base_url=begun.url) as browser:
                closed = await browser.get("/")
                headers = {"Origin": begun.url.rstrip("/")}
                let_in = await browser.post(
                    "/sign-in", json={"name": "Anna", "pin": PIN}, headers=headers
                )
                return closed.status_code, let_in.json(), (await browser.get("/")).status_code

    assert asyncio.run(story()) == (401, {"ok": True}, 200)
    assert [one.name for one in roll.persons(begun.settings)] == ["Anna"]


def test_what_is_secret_is_readable_by_its_owner_alone(tmp_path):
    begin(answers(addresses=("192.168.1.40",)), tmp_path / "table.toml")

    for name in ("page.key", "table.key", "table.db"):
        assert (tmp_path / name).stat().st_mode & 0o077 == 0, name
    assert PIN not in (tmp_path / "table.toml").read_text()


@pytest.mark.parametrize("house", config.houses())
@pytest.mark.parametrize("language", ["en", "hu"])
def test_the_settings_of_every_house_are_sound(tmp_path, house, language):
    said = answers(house=house, language=language, camera="/dev/x", board="/dev/y", speaks=True)

    settings = config.load(begin(said, tmp_path / "table.toml").settings)

    assert (settings.table.house, settings.page.language) == (house, language)
    assert (settings.shoe.camera, settings.board.port) == ("/dev/x", "/dev/y")
    assert (settings.shoe.fps, settings.shoe.exposure_us) == (0, 0)  # a webcam has no 120/s
    assert settings.page.host == "127.0.0.1"  # nobody asked for more


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"pin": "1234"}, "PIN"),
        ({"pin": "112233"}, "PIN"),
        ({"supervisor": " "}, "first supervisor"),
        ({"house": "nowhere"}, "unknown house"),
        ({"name": "Table One"}, "name"),
        ({"addresses": ("https://192.168.1.40/",)}, "without https"),
    ],
)
def test_a_wrong_answer_is_refused_and_can_be_given_again(tmp_path, changes, why):
    at = tmp_path / "table.toml"
    with pytest.raises((ConfigError, ServiceError), match=why):
        begin(answers(**changes), at)

    assert not at.exists()
    assert begin(answers(), at).url == "http://127.0.0.1:8080/"


def test_settings_that_are_there_are_not_overwritten(tmp_path):
    at = tmp_path / "table.toml"
    begin(answers(), at)
    with pytest.raises(ConfigError, match="not overwritten"):
        begin(answers(), at)


def test_a_house_keeps_its_own_certificate(tmp_path):
    """Nobody can make a lost key again: it is named, and a table without addresses begins."""
    (tmp_path / "page.key").write_text("the house's own")

    with pytest.raises(ConfigError, match=r"page\.key exist.*move them away, or give no address"):
        begin(answers(addresses=("192.168.1.40",)), tmp_path / "table.toml")
    begin(answers(), tmp_path / "table.toml")

    assert (tmp_path / "page.key").read_text() == "the house's own"


def test_after_a_failure_the_same_answers_are_taken(tmp_path, monkeypatch):
    """Nothing that was made stands in the way of the second try."""
    said = answers(addresses=("192.168.1.40",))
    with monkeypatch.context() as broken:
        broken.setattr(roll, "changed", full)
        with pytest.raises(ServiceError, match="disk is full"):
            begin(said, tmp_path / "table.toml")

    assert begin(said, tmp_path / "table.toml").fingerprint


def full(*_):
    raise ServiceError("the disk is full")


def test_what_install_left_is_replaced(tmp_path):
    at = tmp_path / "table.toml"
    at.write_bytes(next(first_start._left_by_install()))

    assert begin(answers(), at).settings == at


def test_a_certificate_holds_for_its_names_as_openssl_reads_it(tmp_path):
    made = certificate.make(("192.168.1.40", "schlitten.local"), now=datetime.now(UTC))
    for name, content in (("root.pem", made.root), ("page.pem", made.page)):
        (tmp_path / name).write_bytes(content)
    strict = ("openssl", "verify", "-x509_strict", "-CAfile", "root.pem")
    for name in ("-verify_ip=192.168.1.40", "-verify_hostname=schlitten.local"):
        option, value = name.split("=")
        done = subprocess.run(
            (*strict, option, value, "page.pem"),
            check=False,
            cwd=tmp_path,
            capture_output=True,
            text=True,
        )
        assert done.stdout == "page.pem: OK\n", done.stderr
    other = (*strict, "-verify_hostname", "elsewhere.example", "page.pem")
    assert subprocess.run(other, check=False, cwd=tmp_path, capture_output=True).returncode
    assert b"PRIVATE" not in made.root + made.page


def test_the_command_says_where_to_look_and_whom_to_trust(tmp_path):
    words = ("init", "--config", tmp_path / "table.toml", "--house", "ecarte-german")
    more = ("--supervisor", "Anna", "--address", "192.168.1.40", "--language", "de")
    done = subprocess.run(
        (*COMMAND, *map(str, (*words, *more))),
        check=False,
        input=PIN,
        capture_output=True,
        text=True,
    )

    assert done.returncode == 0, done.stderr
    assert "https://192.168.1.40:8080/" in done.stdout
    root, told = tmp_path / "page-root.pem", done.stdout
    assert f"`schlitten doctor --config {tmp_path / 'table.toml'}` checks" in told
    assert f"1. Copy {root} to the screen" in told
    assert "install the file as a certificate authority" in told
    assert re.search(r"SHA-256 fingerprint of its certificate(.|\n)*(:[0-9A-F]{2}){31}\n", told)
    assert PIN not in done.stdout


@pytest.mark.root
def test_a_link_that_lies_beside_the_journal_gives_nobody_another_file(tmp_path):
    """The service's user may write there, and root gives him what lies there."""
    folder, secret = tmp_path / "var", tmp_path / "secret"
    folder.mkdir()
    secret.touch()
    os.chown(folder, 1, 1)
    link = folder / "table.db-link"
    link.symlink_to(secret)

    first_start.given(link, folder)

    assert secret.stat().st_uid == 0
    assert link.lstat().st_uid == 1


def test_without_root_the_installed_settings_are_not_touched(tmp_path, monkeypatch):
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    from table_controller.commands.machine.cli_first import init

    with pytest.raises(SystemExit):
        init(first_start.INSTALLED / "table.toml")


def test_on_a_page_somebody_who_sees_the_console_sets_the_table_up(tmp_path):
    """In Chromium, with the code; without it nothing is written, and five wrong ones end it."""
    at, told = tmp_path / "table.toml", []

    async def story():
        async with chromium() as browser:
            if browser is None:
                pytest.skip("no Chromium here")
            serving = asyncio.create_task(first_start.by_page(at, told.append, GIVEN))
            async with asyncio.timeout(LONG_PATIENCE_S):
                while not told:
                    await asyncio.sleep(0.01)
                url, code = re.findall(r"http://\S+/|\d{6}", told[0])
                page = await browser._browser.new_page()
                await page.goto(f"{url}?lang=de")
                before = [
                    await page.locator(f"[name={name}]").input_value()
                    for name in ("house", "supervisor")
                ]
                rule = await page.locator("#pin-rule").inner_text()
                await fill(page, code, pin="123456")
                await page.get_by_text("ohne Muster nehmen").wait_for()
                await page.goto(f"{url}?lang=en")
                await fill(page, "000000" if code != "000000" else "111111")
                await page.get_by_text("not the code").wait_for()
                nothing = not at.exists()
                await page.locator("[name=code]").fill(code)
                await page.locator("button.main").click()
                await page.get_by_text("The table is set up").wait_for()
                shown = await page.locator("#begun").inner_html()
                return before, rule, nothing, shown, await serving

    before, rule, nothing, shown, begun = asyncio.run(story())

    assert before == ["punto-banco", "Anna"]
    assert "6 bis 12 Ziffern" in rule
    assert nothing
    written = config.load(at)
    assert (written.table.name, written.page.port) == ("t7", 8123)
    assert begun.url in shown
    assert "<svg" in shown
    assert begun.fingerprint in shown
    assert [one.name for one in roll.persons(at)] == ["Anna"]


async def fill(page, code, pin=PIN):
    """Answer everything."""
    typed = {"code": code, "supervisor": "Anna", "pin": pin, "again": pin}
    for name, value in (typed | {"addresses": "192.168.1.40 schlitten.local"}).items():
        await page.locator(f"[name={name}]").fill(value)
    await page.locator("button.main").click()


def test_five_wrong_codes_end_the_page(tmp_path):
    told = []

    async def story():
        serving = asyncio.create_task(first_start.by_page(tmp_path / "t.toml", told.append, GIVEN))
        async with asyncio.timeout(LONG_PATIENCE_S):
            while not told:
                await asyncio.sleep(0.01)
            url, code = re.findall(r"http://\S+/|\d{6}", told[0])
            wrong = f"{(int(code) + 1) % 10**6:06}"
            async with httpx.AsyncClient(base_url=url) as client:
                headers = {"Origin": url.rstrip("/")}
                for _ in range(5):
                    answer = await client.post("/begin", json={"code": wrong}, headers=headers)
                    assert answer.status_code == 403
                last = await client.post("/begin", json={"code": code}, headers=headers)
            assert last.status_code == 403
            await serving

    with pytest.raises(ConfigError, match="too many wrong codes"):
        asyncio.run(story())


@pytest.mark.parametrize(
    ("there", "why"), [("none", "there is no folder"), ("table.toml", "is not overwritten")]
)
def test_nothing_is_asked_where_nothing_can_be_written(tmp_path, monkeypatch, there, why):
    """Ten answers and a PIN, typed twice, would be lost."""
    (tmp_path / "table.toml").write_text("mine")
    at = tmp_path / there / "table.toml" if there == "none" else tmp_path / there
    said = asked(monkeypatch)
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)

    with pytest.raises(ConfigError, match=why):
        cli_first.init(at)
    assert said == []


def test_a_weak_pin_is_asked_again_at_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """The other answers are not lost, and what a PIN needs is said before the first try.

    A weak PIN is refused at once; only a good one is typed twice.
    """
    typed = iter(("7291", "112233", PIN, "83519", PIN, PIN))
    heard: list[str] = []

    def prompt(asked: str, **how: object) -> str:
        assert how == {"hide_input": True}
        heard.append(asked)
        return next(typed)

    monkeypatch.setattr(typer, "prompt", prompt)
    monkeypatch.setattr(cli_first, "tell", heard.append)
    monkeypatch.setattr(people, "tell", heard.append)
    monkeypatch.setattr(people, "warn", heard.append)
    assert cli_first._pin(asks=True) == PIN
    assert "6 to 12 digits" in heard[1]
    assert heard[2:] == [
        "PIN", "A PIN has 6 to 12 digits and nothing else. Choose another PIN.",
        "PIN",
        "Everybody would try this one first: take digits without a pattern. Choose another PIN.",
        "PIN", "the PIN again", "These were two different PINs. Type the PIN again.",
        "PIN", "the PIN again",
    ]  # fmt: skip


def asked(monkeypatch: pytest.MonkeyPatch, *typed: str) -> list[str]:
    """What the terminal says, and has typed; "" takes what is offered."""
    answer, said = iter(typed), []
    monkeypatch.setattr(typer, "prompt", lambda *_, default="": next(answer) or default)
    monkeypatch.setattr(cli_first, "tell", said.append)
    monkeypatch.setattr(cli_first, "warn", said.append)
    return said


@pytest.mark.parametrize(
    ("typed", "house"),
    [(("9",), "punto-banco-no-commission"), (("modern",), "modern"), (("",), "zoppot-1934")],
)
def test_a_house_is_chosen_by_its_number_or_name_from_a_list_of_titles(monkeypatch, typed, house):
    said = asked(monkeypatch, *typed)

    assert cli_first._house() == house
    assert "   3  zoppot-1934                chemin de fer: Zoppot 1934" in said
    assert "   5  ecarte-nemzeti-1907        ecarte: Écarté, Nemzeti Casino 1907" in said


def test_an_unknown_house_or_language_is_asked_again(monkeypatch):
    """While the question is still on the screen, not after the PIN."""
    said = asked(monkeypatch, "11", "punto-banco", "german", "Deutsch")

    assert (cli_first._house(), cli_first._language()) == ("punto-banco", "de")
    assert any("unknown house '11'" in line for line in said)
    assert any("hu (Magyar)" in line for line in said)


@pytest.mark.parametrize(
    ("typed", "found", "addresses"),
    [
        ([""], "192.168.1.40", ("192.168.1.40",)),
        ([""], "", ()),
        (["none"], "192.168.1.40", ()),
        (["https://192.168.1.7:8080/", "0.0.0.0", "192.168.1.7, table.local"], "",
         ("192.168.1.7", "table.local")),
    ],
)  # fmt: skip
def test_the_address_in_the_network_is_offered(monkeypatch, typed, found, addresses):
    """What is no address is asked again: a certificate for it would help nobody."""
    said = asked(monkeypatch, *typed)
    monkeypatch.setattr(addresses_of, "in_network", lambda: found)

    assert cli_first._addresses() == addresses
    assert sum("is no address of a machine" in line for line in said) == len(typed) - 1

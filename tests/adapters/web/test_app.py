"""The web application: who is admitted, what is accepted, and the answers to browsers.

No browser is needed.
"""

from __future__ import annotations

import asyncio
import re

import httpx
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from table_controller.adapters.addresses import is_loopback
from table_controller.adapters.web import picture
from table_controller.adapters.web.app import app
from table_controller.adapters.web.hub import Answer, Hub
from table_controller.engine.messages import phrase
from table_controller.rules.cards import PACK, Card
from tests.adapters.web import samples
from tests.adapters.web.samples import ADVICE_LIT, ALERT, BEFORE_STAKING, TO_SPEAK

ORIGIN = "http://127.0.0.1:8080"
DRAWS = {"type": "spoke", "seat": 1, "word": "draws", "prompt": 412}


def ask(
    path,
    *,
    snapshot=ADVICE_LIT,
    method="GET",
    said=None,
    answer=None,
    who=None,
    language="en",
    **request,
):
    """One request to the application of a table; `said` collects what reached the table."""

    async def say(words, actor, _press):
        if said is not None:
            said.append((words, actor))
        return answer or Answer()

    async def run():
        hub = Hub(snapshot, samples.project, say, samples.RULES.get)
        site = app(hub, language=language, **({"who": who} if who else {}))
        transport = httpx.ASGITransport(app=site)
        async with httpx.AsyncClient(transport=transport, base_url=ORIGIN) as client:
            return await client.request(method, path, **request)

    return asyncio.run(run())


def press(words, origin=ORIGIN, content=None, kind="application/json", **more):
    headers = {"Content-Type": kind} | ({"Origin": origin} if origin else {})
    body = msgspec.json.encode(words) if content is None else content
    return ask("/say", method="POST", headers=headers, content=body, **more)


def test_a_press_reaches_the_table_as_it_was_offered():
    said = []

    assert press(DRAWS, said=said).json() == {"ok": True, "told": "Done", "seen": 0}
    assert said == [(DRAWS, "croupier")]


def test_a_refusal_comes_back_in_words_and_as_a_piece_of_the_page():
    answer = Answer(ok=False, why=phrase("No."), remedy=phrase("Wait."), rule="Z-1")

    told = press(DRAWS, answer=answer).json()

    assert [told[name] for name in ("ok", "why", "remedy", "rule")] == [
        False,
        "No.",
        "Wait.",
        "Z-1",
    ]
    assert 'href="/rule/Z-1"' in told["html"]


def test_a_press_for_an_older_prompt_is_the_tables_to_refuse():
    """It is journaled there with its refusal."""
    said = []
    press(DRAWS | {"prompt": 411}, said=said)

    assert said[0][0]["prompt"] == 411


@pytest.mark.parametrize(
    "forged",
    [
        {"type": "card_seen", "card": "7h", "prompt": 412},
        DRAWS | {"seat": 2},
        DRAWS | {"chips": 5},
        DRAWS | {"card": "7h"},
        {"type": "card_seen", "card": "7h", "prompt": 413},
        DRAWS | {"prompt": 413},
        DRAWS | {"prompt": 2**63},
    ],
)
def test_the_page_takes_only_what_it_offers(forged):
    """So it cannot be used to forge a reader's word, nor one for a prompt that is yet to come."""
    said = []
    told = press(forged, said=said).json()

    assert not told["ok"]
    assert "7h" not in str(told)
    assert said == []


@pytest.mark.parametrize(
    ("chips", "taken"),
    [(9, False), (10, True), (96, True), (97, False), ("20", False), (True, False), (None, False)],
)
def test_a_sum_must_be_within_its_offers_bounds(chips, taken):
    said = []
    words = {"type": "banks", "seat": 3, "chips": chips, "prompt": 398}
    press(words, snapshot=BEFORE_STAKING, said=said)

    assert bool(said) is taken


@pytest.mark.parametrize(("alert", "taken"), [("lost-board", True), ("lost-camera", False)])
def test_an_alert_that_is_open_can_be_acknowledged(alert, taken):
    said = []
    words = {"type": "alert_acknowledged", "alert": alert, "prompt": 407}
    press(words, snapshot=ALERT, said=said)

    assert bool(said) is taken


def test_a_card_typed_unseen_reaches_the_table():
    """Whatever stood in the offer's field; and only where it is asked for."""
    said = []
    press({"type": "card_named", "card": "7h", "prompt": 407}, snapshot=ALERT, said=said)

    assert said[0][0]["card"] == "7h"


@pytest.mark.parametrize("origin", [None, "http://evil.example", "https://127.0.0.1:8080", "null"])
def test_a_press_from_another_sites_page_is_refused(origin):
    said = []
    told = press(DRAWS, origin=origin, said=said)

    assert told.status_code == 403
    assert "own page" in told.json()["why"]
    assert said == []


def test_a_press_as_a_form_is_refused():
    """A form needs no permission to be sent from another site."""
    assert press(DRAWS, kind="text/plain").status_code == 415


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b'"7h"', b'{"prompt": 412}', b'{"type": "spoke"}',
     b'{"type": 5, "prompt": 1}',
     b'{"type": "spoke", "prompt": "412"}', b'{"type": "spoke", "prompt": true}',
     b'{"type": "spoke", "prompt": 412, "actor": "supervisor:me"}',
     b'{"type": "spoke", "prompt": 412, "card": {"7h": 1}}', b"\xff\xfe",
     b'{"type": "\xff", "prompt": 412}', b'{"7h": ' + b"[" * 2000],
)  # fmt: skip
def test_a_press_that_cannot_be_read_is_refused_without_naming_a_value(content):
    said = []
    told = press(None, content=content, said=said)

    assert told.status_code == 400
    assert "prompt it answers" in told.json()["why"]
    assert "7h" not in told.text
    assert said == []


@given(st.binary(max_size=300))
def test_no_press_breaks_the_door(content):
    assert press(None, content=content).status_code in (200, 400)


def test_a_long_press_is_refused():
    told = press(None, content=b'{"type": "' + b"x" * 3000 + b'"}')

    assert told.status_code == 413
    assert "at most 2048 bytes" in told.json()["why"]


@pytest.mark.parametrize("path", ["/", "/live"])
def test_a_stranger_sees_the_public_page_only(path):
    """Where sign-in says nobody, the staff's page and stream are closed."""
    assert ask(path, who=lambda _request: None).status_code == 401
    assert ask("/public", who=lambda _request: None).status_code == 200


def test_a_stranger_cannot_press():
    said = []

    assert press(DRAWS, said=said, who=lambda _request: None).status_code == 401
    assert said == []


def test_a_foreign_name_for_this_machine_is_refused():
    """DNS rebinding: another site's name that points here must not read the page."""
    told = ask("/", headers={"Host": "evil.example"})

    assert told.status_code == 421
    assert "evil.example" in told.text


@pytest.mark.parametrize("host", ["localhost:8080", "127.0.0.1:8080", "[::1]:8080", "[::1]"])
def test_own_names_are_served(host):
    assert ask("/", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("path", ["/", "/public", "/rule/ZX-2", "/static/style.css", "/healthz"])
def test_nothing_inline_and_nothing_from_outside(path):
    """The policy forbids it, and nothing needs it."""
    answer = ask(path)
    policy = answer.headers["Content-Security-Policy"]

    assert answer.status_code == 200
    assert "unsafe" not in policy
    assert "default-src 'none'" in policy
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert not re.search(
        r"\sstyle=|\son\w+=|<script>|<style|https?://(?!www\.w3\.org)", answer.text
    )


def test_rule_is_shown_and_an_unknown_one_is_said_to_be():
    assert "having given a 4" in ask("/rule/ZX-2").text
    unknown = ask("/rule/<script>")
    assert (unknown.status_code, unknown.text) == (
        404,
        "No rule has that id; ids look like Z-24.",
    )


def test_names_are_text_never_markup():
    """A guest who is called <script> is a name."""
    people = tuple(msgspec.structs.replace(who, name="<b>&") for who in ADVICE_LIT.people)
    page = ask("/", snapshot=msgspec.structs.replace(ADVICE_LIT, people=people)).text

    assert "<b>&" not in page
    assert "&lt;b&gt;&amp;" in page


def test_healthz_answers():
    assert ask("/healthz").text == "ok"


def hidden(snapshot):
    """Every card's code and name, except those that lie open."""
    open_ = {card for hand in snapshot.hands for card in hand.cards if card}
    return [card for card in PACK if card not in open_]


@pytest.mark.parametrize("path", ["/", "/public"])
@pytest.mark.parametrize("snapshot", [TO_SPEAK, ADVICE_LIT, ALERT])
def test_no_closed_card_is_named_in_a_page(path, snapshot):
    """R-13: neither as a code, nor in words, nor as a face."""
    page = ask(path, snapshot=snapshot).text
    drawn = set(re.findall(r'class="(?:rank|index)[^>]*>(\w+)<', page))

    open_ = [card for hand in snapshot.hands for card in hand.cards if card]
    assert drawn == {"10" if card.rank == 10 else card[0] for card in open_}
    for card in hidden(snapshot):
        rank, suit = str(picture.card_words(card)).split(" of ")
        assert f"{rank} of {suit}" not in page
        assert not re.search(rf"\b{card}\b", page)


def test_the_leak_test_sees_a_leak():
    """The same test with a closed card shown on purpose."""
    leaking = msgspec.structs.replace(
        TO_SPEAK,
        hands=tuple(
            msgspec.structs.replace(hand, cards=(Card("7h"), None)) if hand.seat == 2 else hand
            for hand in TO_SPEAK.hands
        ),
    )

    assert "seven of hearts" in ask("/", snapshot=leaking).text


@pytest.mark.parametrize(
    ("host", "loopback"),
    [("127.0.0.1", True), ("127.8.8.8", True), ("::1", True), ("[::1]", True), ("localhost", True),
     ("0.0.0.0", False), ("::", False), ("192.168.1.4", False), ("localhost.evil.example", False)],
)  # fmt: skip
def test_loopback_is_what_only_this_machine_reaches(host, loopback):
    assert is_loopback(host) is loopback


@pytest.mark.parametrize(
    ("path", "cookie", "language"),
    [
        ("/", "", "sv"),
        ("/", "language=hu", "hu"),
        ("/?lang=de", "language=hu", "de"),
        ("/?lang=xx", "language=yy", "sv"),
    ],
)
def test_the_page_speaks_what_was_asked_for_else_the_houses_language(path, cookie, language):
    """The address before the browser's choice, that before `[page] language`."""
    shown = ask(path, language="sv", headers={"Cookie": cookie})

    assert f'<html lang="{language}"' in shown.text


def test_a_language_in_the_address_is_kept_by_the_browser():
    assert "language=fr" in ask("/public?lang=fr").headers["set-cookie"]
    assert "set-cookie" not in ask("/public").headers


def test_a_rule_says_that_it_is_kept_in_english():
    """In every language but English; its text is marked as English for a voice."""
    swedish, english = (ask("/rule/ZX-2", language=locale).text for locale in ("sv", "en"))

    assert "Reglerna finns endast på engelska." in swedish
    assert '<div lang="en">' in swedish
    assert "English only" not in english


@pytest.mark.parametrize("path", ["/glossary?lang=fr", "/glossary?lang=fr&public"])
def test_the_words_of_the_trade_are_there_in_the_language_asked_for(path):
    """Those of all tables and the game's own; and the way back to where one came from.

    A screen on the wall shows the way back without scrolling.
    """
    shown = ask(path)

    assert shown.status_code == 200
    assert (
        "<dt>pointeur</dt><dd>Le joueur qui tient les cartes contre la banque.</dd>" in shown.text
    )
    assert "<dt>Schlitten</dt>" in shown.text
    above, _, _ = shown.text.partition("<dt>")
    assert f'href="{"/public" if "public" in path else "/"}"' in above


def test_a_table_s_pages_are_in_the_words_of_its_game():
    """The program's own name stays."""
    shown = msgspec.structs.replace(ADVICE_LIT, game="punto-banco")
    page, words_ = (ask(path, snapshot=shown).text for path in ("/public", "/glossary"))

    assert "Shoe 2" in page
    assert "Schlitten" not in page
    assert "<dt>shoe</dt>" in words_
    assert "<dt>Schlitten</dt>" not in words_
    assert "<dt>pointeur</dt>" not in words_

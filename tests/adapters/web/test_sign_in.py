"""The person at a page: name and PIN, sessions, and people who try without. No browser needed."""

from __future__ import annotations

import asyncio
import http.cookies
import json

import pytest

from table_controller.engine.messages import Role
from table_controller.engine.table.persons import SignedIn
from table_controller.engine.table.roles import Person
from tests.adapters.web import samples
from tests.adapters.web.door import DRAWS, FAR, NEAR, PEOPLE, PINS, Door, press, run
from tests.limits import PATIENCE_S
from tests.signing import own, sign_in


def test_a_stranger_is_asked_for_name_and_pin():
    """At the staff's page; the public one stays open, and no picture of the staff's is in it."""

    async def story(_door, client):
        return [await client.get(path) for path in ("/", "/live", "/public")]

    staff, live, public = run(story)

    assert (staff.status_code, live.status_code, public.status_code) == (401, 401, 200)
    assert 'id="sign-in"' in staff.text
    assert 'id="ask"' not in staff.text


def test_who_signed_in_presses_in_his_own_name():
    async def story(door, client):
        answer = await sign_in(client, "Béla", PINS["Béla"])
        page = await client.get("/")
        return answer.json(), page.text, (await press(client)).json(), door.said, door.noted

    answer, page, told, said, noted = run(story)

    assert answer == {"ok": True}
    assert "Béla · croupier" in page
    assert told == {"ok": True, "told": "Done", "seen": 0}
    assert said == [(DRAWS, "croupier:Béla")]
    assert noted == [SignedIn(actor="croupier:Béla")]


def test_a_session_is_a_cookie_that_no_script_reads_and_no_other_site_sends():
    """And over TLS none that goes without."""

    async def story(door, client):
        plain = await sign_in(client, "Anna", PINS["Anna"])
        async with door.client(FAR) as far:
            secure = await sign_in(far, "Anna", PINS["Anna"])
        return plain.headers["set-cookie"], secure.headers["set-cookie"]

    plain, secure = (next(iter(http.cookies.SimpleCookie(c).values())) for c in run(story))

    for cookie in (plain, secure):
        assert cookie["httponly"]
        assert cookie["samesite"].lower() == "strict"
        assert cookie["path"] == "/"
        assert int(cookie["max-age"]) == 12 * 3600
        assert len(cookie.value) >= 43  # 256 bits
    assert secure["secure"]
    assert not plain["secure"]
    assert plain.value != secure.value


@pytest.mark.parametrize("forged", ["", "x", "A" * 43, "croupier:B", "None"])
def test_a_forged_session_is_nobodys(forged):
    """Neither page, nor stream, nor press."""

    async def story(door, client):
        await sign_in(client, "Béla", PINS["Béla"])
        client.cookies.jar.clear()
        cookie = {"Cookie": f"session-8080={forged}"}
        paths = [(await client.get(path, headers=cookie)).status_code for path in ("/", "/live")]
        return paths, (await press(client, **cookie)).status_code, door.said

    assert run(story) == ([401, 401], 401, [])


def test_a_session_of_another_table_on_this_machine_is_nobodys():
    """Its cookie has another name, and its token is not known here."""

    async def story(door, client):
        other = Door()
        async with other.client("http://127.0.0.1:8081") as at_other:
            await sign_in(at_other, "Béla", PINS["Béla"])
            ((name, token),) = at_other.cookies.items()
        client.cookies.set("session-8080", token, domain="127.0.0.1")
        return name, (await press(client)).status_code

    assert run(story) == ("session-8081", 401)


def test_a_session_ends_after_twelve_hours():
    async def story(door, client):
        await sign_in(client, "Béla", PINS["Béla"])
        codes = []
        for hours in (11.9, 0.2):
            door.now += hours * 3600
            codes.append((await press(client)).status_code)
        return codes

    assert run(story) == [200, 401]


def test_signing_out_ends_it_also_for_whoever_kept_the_cookie():
    async def story(_door, client):
        await sign_in(client, "Béla", PINS["Béla"])
        kept = dict(client.cookies)
        await client.post("/sign-out", json={}, headers={"Origin": own(client)})
        client.cookies.update(kept)
        return (await press(client)).status_code

    assert run(story) == 401


class Memory:
    """Keeps the sessions of a table that is closed."""

    def __init__(self):
        self.text = b""

    def read(self):
        return self.text

    def write(self, text):
        self.text = text


def after_a_restart(kept, cookies, **how):
    """What a press with these cookies comes to at a program that has begun since."""

    async def story(door, client):
        door.now += how.get("later_s", 0)
        door.persons = how.get("persons", PEOPLE)
        client.cookies.update(cookies)
        return (await press(client)).status_code

    return run(story, kept=kept)


def test_a_session_outlives_a_restart_and_ends_as_it_would_have():
    """By its hours, by the role, by another PIN; who signed out is a stranger after it too."""
    kept = Memory()

    async def story(_door, client):
        await sign_in(client, "Béla", PINS["Béla"])
        return dict(client.cookies)

    async def leave(_door, client):
        client.cookies.update(cookies)
        await client.post("/sign-out", json={}, headers={"Origin": own(client)})

    cookies = run(story, kept=kept)
    other_pin = (*PEOPLE[:1], Person("Béla", Role.CROUPIER, "proof of another PIN"))

    assert after_a_restart(kept, cookies) == 200
    assert after_a_restart(kept, cookies, later_s=12.1 * 3600) == 401
    assert after_a_restart(kept, cookies, persons=PEOPLE[:1]) == 401
    assert after_a_restart(kept, cookies, persons=other_pin) == 401
    assert not any(value.encode() in kept.text for value in cookies.values())
    run(leave, kept=kept)
    assert after_a_restart(kept, cookies) == 401


@pytest.mark.parametrize("text", [b"", b"{", b"[]", b'{"x":{"name":5}}'])
def test_sessions_that_cannot_be_read_are_nobodys(text):
    kept = Memory()
    kept.text = text

    async def story(_door, client):
        return (await sign_in(client, "Anna", PINS["Anna"])).status_code

    assert run(story, kept=kept) == 200


def test_a_clock_that_was_set_back_makes_no_session_longer():
    kept = Memory()

    async def story(door, client):
        door.now = 1e9
        await sign_in(client, "Béla", PINS["Béla"])
        return dict(client.cookies)

    cookies = run(story, kept=kept)

    assert after_a_restart(kept, cookies, later_s=11 * 3600) == 200
    assert after_a_restart(kept, cookies, later_s=13 * 3600) == 401


def test_who_signs_in_often_ends_no_session_but_his_own():
    """Eight a person: the ninth ends the person's first."""

    async def story(door, client):
        await sign_in(client, "Anna", PINS["Anna"])
        opened = []
        for _ in range(70):
            async with door.client() as other:
                await sign_in(other, "Béla", PINS["Béla"])
                opened.append(dict(other.cookies))
        still = []
        for cookies in opened:
            async with door.client() as other:
                other.cookies.update(cookies)
                still.append((await press(other)).status_code == 200)
        return (await press(client)).status_code, still

    assert run(story) == (200, [False] * 62 + [True] * 8)


@pytest.mark.parametrize(
    "after",
    [
        PEOPLE[:1],
        (*PEOPLE[:1], Person("Béla", Role.CROUPIER, "proof of another PIN")),
        (*PEOPLE[:1], Person("Béla", Role.GUEST, "proof of 730156")),
    ],
    ids=["removed", "another PIN", "a guest now"],
)
def test_who_has_his_role_no_more_is_a_stranger_at_once(after):
    async def story(door, client):
        await sign_in(client, "Béla", PINS["Béla"])
        door.persons = after
        return (await press(client)).status_code, door.said

    assert run(story) == (401, [])


def test_another_role_is_heard_at_once():
    async def story(door, client):
        await sign_in(client, "Béla", PINS["Béla"])
        door.persons = (*PEOPLE[:1], Person("Béla", Role.SUPERVISOR, "proof of 730156"))
        await press(client)
        return door.said[0][1]

    assert run(story) == "supervisor:Béla"


def test_a_stream_ends_with_its_session():
    """Who signed out sees nothing more of the staff's page."""

    async def story(door, client):
        await sign_in(client, "Béla", PINS["Béla"])
        (cookie,) = client.cookies.items()
        looked, sent = asyncio.Event(), []

        async def receive():
            await asyncio.Event().wait()

        async def send(message):
            sent.append(message)
            if message.get("body", b"").startswith(b"event: parts"):
                looked.set()

        scope = {
            "type": "http", "method": "GET", "path": "/live", "query_string": b"",
            "server": ("127.0.0.1", 8080), "scheme": "http",
            "headers": [(b"host", b"127.0.0.1:8080"), (b"cookie", "=".join(cookie).encode())],
        }  # fmt: skip
        async with asyncio.timeout(PATIENCE_S):
            looking = asyncio.create_task(door.site(scope, receive, send))
            await looked.wait()
            door.persons = PEOPLE[:1]
            door.hub.tell(samples.TO_SPEAK)
            await looking
        return [message["body"][:12] for message in sent if message.get("body")]

    assert run(story) == [b"event: versi", b"event: parts"]


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {},
        {"Origin": NEAR, "Sec-Fetch-Site": "cross-site"},
        {"Origin": NEAR, "Sec-Fetch-Site": "same-site"},
        {"Origin": "http://127.0.0.1:9999"},
    ],
    ids=str,
)
@pytest.mark.parametrize("path", ["/say", "/sign-in", "/sign-out"])
def test_what_another_sites_page_sends_is_refused(path, headers):
    """Also with the session's cookie, which a browser would not send along."""

    async def story(door, client):
        await sign_in(client, "Béla", PINS["Béla"])
        said = {"/say": DRAWS, "/sign-in": {"name": "Anna", "pin": PINS["Anna"]}}.get(path, {})
        answer = await client.post(path, json=said, headers=headers)
        return answer.status_code, list(door.said), (await press(client)).status_code

    assert run(story) == (403, [], 200)


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b'{"name": "Anna"}', b'{"name": 5, "pin": "482913"}', b"\xff",
             b'{"name": "Anna", "pin": 482913}'],
)  # fmt: skip
def test_a_sign_in_that_cannot_be_read_is_refused_and_repeats_nothing(body):
    async def story(_door, client):
        headers = {"Origin": NEAR, "Content-Type": "application/json"}
        return await client.post("/sign-in", content=body, headers=headers)

    answer = run(story)

    assert answer.status_code == 400
    assert "482913" not in answer.text
    assert "Anna" not in answer.text


def test_where_nobody_has_a_role_this_machine_is_open_and_the_page_says_so():
    """A demonstration, or a table whose first supervisor is not made yet."""

    async def story(door, client):
        page = await client.get("/")
        await press(client)
        return page.text, door.said[0][1]

    page, actor = run(story, persons=())

    assert "No sign-in on this machine" in page
    assert actor == "croupier"


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]", "192.168.1.4:8443"])
def test_over_the_network_a_host_called_localhost_is_no_key(host):
    """Finding 2: it was croupier and supervisor; and before there are people nobody is."""

    async def story(door, _client):
        async with door.client(FAR) as far:
            headers = {"Host": host, "Origin": f"https://{host}"}
            page = await far.get("/", headers=headers)
            told = await far.post("/say", json=DRAWS, headers=headers)
            return page.status_code, told.status_code, door.said

    page, told, said = run(story, persons=())

    assert (page, told) == ((401, 401) if "192" in host else (421, 421))
    assert said == []


@pytest.mark.parametrize(
    ("host", "served"),
    [("table.casino.example", True), ("TABLE.casino.example:8443", True), ("192.168.1.4", True),
     ("evil.example", False), ("localhost", False), ("192.168.1.5", False), ("", False)],
)  # fmt: skip
def test_honest_browsers_of_the_network_are_served_by_the_names_of_the_settings(host, served):
    """Finding 2: they got 421. And by the address itself, which no other site's name is."""

    async def story(door, _client):
        async with door.client(FAR) as far:
            return (await far.get("/public", headers={"Host": host})).status_code

    assert run(story, names=("table.casino.example",)) == (200 if served else 421)


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[" * 2000, b'{"name": "Anna"}', b'{"name": "\xff", "pin": "482913"}']
)
def test_what_is_no_name_and_pin_is_refused_without_naming_either(content):
    async def story(_door, client):
        headers = {"Origin": own(client), "Content-Type": "application/json"}
        return await client.post("/sign-in", content=content, headers=headers)

    answer = run(story)

    assert answer.status_code == 400
    assert "takes a name and a PIN" in answer.json()["why"]
    assert "482913" not in answer.text


def test_no_pin_and_no_token_is_in_what_is_noted():
    async def story(door, client):
        for name, pin in (("Anna", PINS["Anna"]), ("Anna", "111999"), ("730156", "730156")):
            await sign_in(client, name, pin)
        return str(door.noted) + json.dumps([str(one) for one in door.noted]), dict(client.cookies)

    noted, cookies = run(story)

    for secret in ("482913", "111999", "730156", *cookies.values()):
        assert secret not in noted

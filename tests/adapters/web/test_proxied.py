"""Who asks, behind a proxy and without one: forwarding headers, this machine, and IPv6."""

from __future__ import annotations

import asyncio
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from table_controller.adapters.web.gate import SignIn
from table_controller.adapters.web.guard import Guard, address_of
from table_controller.adapters.web.serve import Server
from tests.brokers import free_port
from tests.certificates import Authority

FORWARDED = {"X-Forwarded-For": "203.0.113.7", "X-Forwarded-Proto": "https"}


def pages(names: frozenset[str] = frozenset()) -> Starlette:
    """One page: who asked, as the gate and the guard see it."""

    async def never(_pin: str, _proof: str) -> bool:
        return False

    gate: SignIn[Any] = SignIn(tuple, never, lambda _said: None)

    async def who(request: Request) -> JSONResponse:
        here = {"near": gate.open_to(request), "scheme": request.url.scheme}
        return JSONResponse({**here, "address": address_of(request)})

    made = Starlette(routes=[Route("/", who)], middleware=[Middleware(Guard, names=names)])
    made.state.prepare = made.state.close = lambda: None
    return made


async def asked(port: int, headers: dict[str, str], host: str = "127.0.0.1", name: str = "") -> str:
    """The status and the body of an answer, on one line."""
    reader, writer = await asyncio.open_connection(host, port)
    said = {"Host": name or f"{host}:{port}", "Connection": "close", **headers}
    head = "".join(f"{key}: {value}\r\n" for key, value in said.items())
    writer.write(f"GET / HTTP/1.1\r\n{head}\r\n".encode())
    answer = (await reader.read()).decode()
    writer.close()
    head, _, body = answer.partition("\r\n\r\n")
    return f"{head.split(' ')[1]} {body}"


def told(ask: Callable[[int], Any], *names: str, **how: Any) -> Any:
    """What `ask` gets of a server of these pages, which it serves under these names too."""

    async def served() -> Any:
        server = Server(pages(frozenset(names)), port=0, **how)
        await server.start()
        try:
            return await ask(int(server.url.rpartition(":")[2]))
        finally:
            await server.stop()

    return asyncio.run(served())


def test_nobodys_forwarding_headers_are_believed_unless_the_settings_name_him():
    """A stranger would choose his address, and so guess PINs without a wait."""
    answer = told(lambda port: asked(port, FORWARDED))

    assert answer == '200 {"near":true,"scheme":"http","address":"127.0.0.1"}'


def test_a_proxy_on_this_machine_does_not_make_strangers_its_users():
    answer = told(lambda port: asked(port, FORWARDED), proxies=("127.0.0.1",))

    assert answer == '200 {"near":false,"scheme":"https","address":"203.0.113.7"}'


def test_a_proxy_that_does_not_say_who_asks_is_refused():
    """Else everybody would be this machine."""
    answer = told(lambda port: asked(port, {}), proxies=("127.0.0.0/8",))

    assert answer.startswith("502 The proxy does not say who asks")


def test_what_a_stranger_adds_before_the_proxy_is_not_believed():
    """Only what the proxy itself added counts: the last address that is no proxy."""
    lies = {"X-Forwarded-For": "127.0.0.1, 203.0.113.7"}
    answer = told(lambda port: asked(port, lies), proxies=("127.0.0.1",))

    assert '"address":"203.0.113.7"' in answer


def test_at_every_address_ipv4_and_ipv6_are_served(tmp_path):
    """`host = "::"`: an IPv4 browser names an IPv4 address, and is not sent away."""
    certificate, key = Authority(tmp_path).sign("page", "page")

    async def both(port: int) -> list[int]:
        found = []
        for family, host in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")):
            with socket.socket(family) as one:
                found.append(one.connect_ex((host, port)))
        return found

    assert told(both, host="::", certificate=certificate, key=key) == [0, 0]


@pytest.mark.parametrize("name", ["[2001:db8::40]:{port}", "[2001:DB8:0:0::40]:{port}"])
def test_a_name_that_is_an_ipv6_address_may_be_spelt_in_any_way(name):
    answer = told(lambda port: asked(port, {}, name=name.format(port=port)), "2001:db8::40")

    assert answer.startswith("200 ")


def test_the_url_has_an_ipv6_address_in_brackets():
    assert Server(pages(), host="::1", port=8080).url == "http://[::1]:8080"


NGINX = """
daemon off; pid {folder}/pid; error_log {folder}/log; worker_processes 1;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
    server {{
        listen 127.0.0.1:{own};
        location / {{
{settings}
        }}
    }}
}}
"""
DOC = Path(__file__).parents[3] / "docs" / "PROXY.md"


def printed(port: int) -> str:
    """The lines of nginx that our page prints, for a table at this port."""
    block = DOC.read_text().partition("```nginx\n")[2].partition("```")[0]
    inner = block.partition("location / {\n")[2].partition("    }")[0]
    return inner.replace("127.0.0.1:8080", f"127.0.0.1:{port}")


def test_nginx_as_our_page_prints_it_tells_who_asks(tmp_path):
    """A real nginx, with the printed lines; it asks from this machine for somebody elsewhere."""

    async def through(port: int) -> str:
        own = free_port()
        text = NGINX.format(folder=tmp_path, own=own, settings=printed(port))
        (tmp_path / "nginx.conf").write_text(text)
        nginx = await asyncio.create_subprocess_exec(
            "/usr/sbin/nginx", "-c", str(tmp_path / "nginx.conf"), stderr=subprocess.DEVNULL
        )
        try:
            while nginx.returncode is None:
                try:
                    return await asked(own, {"X-Forwarded-For": "10.9.9.9"}, name="table.example")
                except ConnectionRefusedError:
                    await asyncio.sleep(0)
            raise AssertionError((tmp_path / "log").read_text())
        finally:
            nginx.terminate()
            await nginx.wait()

    answer = told(through, "table.example", proxies=("127.0.0.1",))

    assert answer == '200 {"near":true,"scheme":"http","address":"127.0.0.1"}'

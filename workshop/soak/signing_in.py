"""Sign-ins at a page: an honest one each second, and a stranger's with names that nobody has."""

from __future__ import annotations

import asyncio
import secrets
import ssl
import threading
import time
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from urllib.parse import urlsplit

from msgspec import json

#: The person of the house, and how many connections the stranger has.
NAME, PIN = "Anna", "482913"
CONNECTIONS = 180
#: Their addresses: a stranger's sign-ins may make only his own address wait.
HONEST, STRANGER = "127.0.0.2", "127.0.0.9"


def sign_in(line: HTTPConnection, url: str, name: str, pin: str) -> int:
    """Sign in over a connection. Return the answer's status. Raises OSError, HTTPException."""
    headers = {"Content-Type": "application/json", "Origin": url}
    line.request("POST", "/sign-in", json.encode({"name": name, "pin": pin}), headers)
    answer = line.getresponse()
    answer.read()
    return answer.status


def connection(url: str, address: str) -> HTTPConnection:
    """A connection to a page from this address. Its certificate is not looked at."""
    parts = urlsplit(url)
    assert parts.hostname
    if parts.scheme == "http":
        return HTTPConnection(parts.hostname, parts.port, timeout=60, source_address=(address, 0))
    trust = ssl._create_unverified_context()
    return HTTPSConnection(
        parts.hostname, parts.port, timeout=60, source_address=(address, 0), context=trust
    )


async def honest(url: str, took_ms: list[float]) -> None:
    """Sign in once a second until cancelled. Note how long each took. Raises AssertionError."""
    while True:
        began = time.perf_counter()
        status = await asyncio.to_thread(_once, url)
        took_ms.append((time.perf_counter() - began) * 1e3)
        assert status == 200, status
        await asyncio.sleep(1)


def _once(url: str) -> int:
    line = connection(url, HONEST)
    try:
        return sign_in(line, url, NAME, PIN)
    finally:
        line.close()


def invented(url: str, until: float) -> str:
    """Attack: sign in with made-up names until the monotonic time `until`. Return a phrase."""
    answers = [0] * CONNECTIONS

    def one(number: int) -> None:
        while time.monotonic() < until:
            line = connection(url, STRANGER)
            with suppress(OSError, HTTPException):
                while time.monotonic() < until:
                    sign_in(line, url, secrets.token_hex(6), "000000")
                    answers[number] += 1
            line.close()
            time.sleep(0.05)

    threads = [threading.Thread(target=one, args=(number,)) for number in range(CONNECTIONS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return f"{sum(answers):,} sign-ins with made-up names over {CONNECTIONS} connections"

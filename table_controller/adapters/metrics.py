"""Metrics for watching many tables, in Prometheus' text format, on loopback only.

The module knows this format and a little HTTP. A function supplies the measurements. No measurement
may depend on a closed card.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Final, NamedTuple

from table_controller.adapters.addresses import is_loopback, listening
from table_controller.adapters.limits import HEAD_S, MOST_ASKING, MOST_HEAD_BYTES

HOST: Final = "127.0.0.1"

Labels = tuple[tuple[str, str], ...]


class Meter(NamedTuple):
    """One metric: its values by label, or None if this table does not have the metric.

    `counts` is true for a counter, which only grows while the program runs.
    """

    name: str
    help: str
    values: Mapping[Labels, float | None]
    counts: bool = False


def exposition(meters: Iterable[Meter]) -> str:
    """Return the meters as text. Meters without a value are left out."""
    return "".join(
        f"# HELP {meter.name} {_escaped(meter.help)}\n"
        f"# TYPE {meter.name} {'counter' if meter.counts else 'gauge'}\n{samples}"
        for meter in meters
        if (samples := "".join(_samples(meter)))
    )


def _samples(meter: Meter) -> Iterable[str]:
    for labels, value in meter.values.items():
        if value is not None:
            named = ",".join(f'{name}="{_escaped(text, quoted=True)}"' for name, text in labels)
            yield f"{meter.name}{f'{{{named}}}' if named else ''} {value}\n"


def _escaped(text: str, *, quoted: bool = False) -> str:
    text = text.replace("\\", r"\\").replace("\n", r"\n")
    return text.replace('"', r"\"") if quoted else text


async def serve(measure: Callable[[], Iterable[Meter]], port: int) -> asyncio.Server:
    """Serve `/metrics` on loopback. Port 0 takes any free port. Raises CannotServe."""
    answer = partial(_answer, measure, set[object]())
    return await asyncio.start_server(answer, sock=listening(HOST, port), limit=MOST_HEAD_BYTES)


async def _answer(
    measure: Callable[[], Iterable[Meter]],
    asking: set[object],
    said: asyncio.StreamReader,
    out: asyncio.StreamWriter,
) -> None:
    """Answer one HTTP request with the measurements, or with the reason why not."""
    asking.add(out)
    try:
        with contextlib.suppress(OSError, TimeoutError):
            if len(asking) <= MOST_ASKING:
                async with asyncio.timeout(HEAD_S):
                    status = _status(await _head(said))
                    body = exposition(measure()) if status == "200 OK" else f"{status}\n"
                    out.write(
                        f"HTTP/1.1 {status}\r\n"
                        "Content-Type: text/plain; version=0.0.4; charset=utf-8\r\n"
                        f"Content-Length: {len(body.encode())}\r\nConnection: close\r\n\r\n"
                        f"{body}".encode()
                    )
                    await out.drain()
    finally:
        asking.discard(out)
        out.close()


async def _head(said: asyncio.StreamReader) -> list[str]:
    """Return the lines of a request's head; none if the bytes are no HTTP request."""
    try:
        head = await said.readuntil(b"\r\n\r\n")
    except (asyncio.LimitOverrunError, asyncio.IncompleteReadError):
        return []
    return head.decode("latin-1").split("\r\n")


def _status(head: list[str]) -> str:
    """Return the HTTP status of the answer.

    A request whose host name does not mean this machine itself is refused. Otherwise any website
    could read the metrics through a browser on this machine.
    """
    if not head:
        return "400 Bad Request"
    hosts = [line[5:].strip() for line in head if line.lower().startswith("host:")]
    if len(hosts) != 1 or not is_loopback(hosts[0].rsplit(":", 1)[0]):
        return "421 Misdirected Request"
    return "200 OK" if head[0].startswith("GET /metrics HTTP/") else "404 Not Found"

"""Metrics in Prometheus' text format, compared with its description line by line."""

import asyncio
import re

import pytest

from table_controller.adapters import meters
from table_controller.adapters.addresses import CannotServe
from table_controller.adapters.metrics import Meter, exposition, serve
from table_controller.wiring.app import Service
from table_controller.wiring.machine import measured
from tests.limits import PATIENCE_S
from tests.whole.lips import until
from tests.whole.plans import plan

#: https://prometheus.io/docs/instrumenting/exposition_formats/, "Text-based format", by hand.
NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
LABEL = r'[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*"'
VALUE = r"[+-]?(?:\d+(?:\.\d*)?(?:e[+-]?\d+)?|Inf|NaN)"
SAMPLE = re.compile(rf"({NAME})(?:\{{{LABEL}(?:,{LABEL})*\}})? {VALUE}")
HELP = re.compile(rf"# HELP ({NAME}) (?:[^\\\n]|\\\\|\\n)+")
TYPE = re.compile(rf"# TYPE ({NAME}) (?:gauge|counter)")


def conforms(text):
    """Every line is one of the three; a metric's lines stand together, after its head."""
    heads, current = [], None
    assert text.endswith("\n")
    for line in text.splitlines():
        helps, types, sample = HELP.fullmatch(line), TYPE.fullmatch(line), SAMPLE.fullmatch(line)
        assert helps or types or sample, line
        if helps:
            current = helps[1]
            heads.append(current)
        else:
            assert (types or sample)[1] == current, line
    assert len(heads) == len({*heads})
    return True


def test_the_text_is_as_written_down_here():
    """One of each: a plain gauge, a counter with labels, one that this machine has not."""
    told = exposition(
        [
            Meter("schlitten_inbox_inputs", "Inputs that wait.", {(): 3}),
            Meter("schlitten_parts_ended_total", "Ended.", {(("part", "board"),): 2}, counts=True),
            Meter("schlitten_cpu_celsius", "Warmth.", {(): None}),
        ]
    )

    assert told == (
        "# HELP schlitten_inbox_inputs Inputs that wait.\n"
        "# TYPE schlitten_inbox_inputs gauge\n"
        "schlitten_inbox_inputs 3\n"
        "# HELP schlitten_parts_ended_total Ended.\n"
        "# TYPE schlitten_parts_ended_total counter\n"
        'schlitten_parts_ended_total{part="board"} 2\n'
    )
    assert conforms(told)


@pytest.mark.parametrize("name", ['a"b', "a\\b", "a\nb", "Kön,ig}"])
def test_a_label_may_hold_anything(name):
    told = exposition([Meter("m", "A help\\\nin two lines.", {(("house", name),): 1.5})])

    assert conforms(told)


async def asked(port, words):
    lines, out = await asyncio.open_connection("127.0.0.1", port)
    out.write(words)
    async with asyncio.timeout(PATIENCE_S):
        told = await lines.read()
    out.close()
    return told.decode()


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (b"GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", "200 OK"),
        (b"GET /metrics HTTP/1.1\r\nHost: localhost:1\r\n\r\n", "200 OK"),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", "404 Not Found"),
        (b"POST /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n", "404 Not Found"),
        (b"GET /metrics HTTP/1.1\r\nHost: evil.example\r\n\r\n", "421 Misdirected Request"),
        (b"GET /metrics HTTP/1.1\r\n\r\n", "421 Misdirected Request"),
        (b"\xff" * 9000, "400 Bad Request"),
    ],
    ids=["metrics", "by name", "elsewhere", "posted", "by a foreign name", "by no name", "noise"],
)
def test_who_asks_for_metrics_on_this_machine_gets_them_and_nothing_else(words, status):
    async def play():
        server = await serve(lambda: [Meter("m", "Help.", {(): 1})], 0)
        async with server:
            return await asked(server.sockets[0].getsockname()[1], words)

    told = asyncio.run(play())

    assert told.startswith(f"HTTP/1.1 {status}\r\n")
    assert told.endswith("m 1\n") is (status == "200 OK")


def test_a_port_that_is_taken_is_said_to_be():
    async def play():
        async with await serve(list, 0) as server:
            await serve(list, server.sockets[0].getsockname()[1])

    with pytest.raises(CannotServe, match=r"port \d+ at 127.0.0.1 is taken"):
        asyncio.run(play())


def test_a_served_table_tells_its_queues_its_alerts_and_what_ended(tmp_path, monkeypatch):
    """Of the whole table, on a warm Raspberry Pi; the text conforms."""
    for meter, figure in (("_THERMAL", "41500\n"), ("_THROTTLED", "50000\n")):
        file = tmp_path / meter
        file.write_text(figure)
        monkeypatch.setattr(meters, meter, file)

    async def play():
        async with Service(plan(tmp_path)) as service:
            service.lost("camera", "It is away.")
            await until(lambda: bool(service.table.state.felt.alerts))
            service._tasks.ended["board"] += 1
            return exposition(measured(service))

    told = asyncio.run(play())

    assert conforms(told)
    for line in (
        "schlitten_inbox_inputs 0",
        "schlitten_journal_stopped 0",
        'schlitten_alerts{code="device_lost",severity="warning"} 1',
        'schlitten_parts_ended_total{part="board"} 1',
    ):
        assert line in told.splitlines()
    assert re.search(
        r'^schlitten_info\{.*house="zoppot-1934",game="chemin-de-fer"\} 1$', told, re.MULTILINE
    )
    own = {
        name: float(value)
        for name, value in re.findall(r"^schlitten_(\w+) (\S+)$", told, re.MULTILINE)
    }
    assert own["memory_bytes"] > 1 << 20
    assert own["disk_free_bytes"] > 1 << 20
    assert (own["cpu_celsius"], own["throttled"]) == (41.5, 1)
    assert re.search(r"^schlitten_outbox_rows \d+$", told, re.MULTILINE)

"""Measures the time from a commit to a subscriber on the same host, by both kinds of broker.

Plain paho is measured next to them. A separate Mosquitto is reached over TCP, and the embedded one
through the table's socket.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from table_controller.adapters.mqtt_link import BrokerAddress
from table_controller.adapters.mqtt_messages import event_message
from table_controller.adapters.mqtt_publisher import Pace, Publisher
from table_controller.adapters.mqtt_requests import Desk
from table_controller.service.outbox import Outbox
from tests.adapters.mqtt.kit import BOOT, PASSWORDS, ROOT, TABLE, OwnBroker, RealBroker, shown
from tests.service import evenings
from tests.service.counting import Add

SINGLE, BULK = 500, 2000
PAUSE_S = 0.01
"""Between commits, when one event at a time is measured: a table's events come singly."""

WATCH = """
import json, sys, time
import paho.mqtt.client as paho
port, user, password, pattern, last = sys.argv[1:]
came = {}
def hear(client, _, message):
    now = time.monotonic_ns()
    came[json.loads(message.payload)["seq"]] = now
    if len(came) == int(last):
        client.disconnect()
client = paho.Client(paho.CallbackAPIVersion.VERSION2)
client.username_pw_set(user, password)
client.on_connect = lambda client, *_: client.subscribe(pattern, 1)
client.on_subscribe = lambda *_: print("ready", flush=True)
client.on_message = hear
client.connect("127.0.0.1", int(port))
client.loop_forever()
print(json.dumps(came))
"""

BARE = """
import json, sys, time
import paho.mqtt.client as paho
told, public, window, pause = json.loads(input())
client = paho.Client(paho.CallbackAPIVersion.VERSION2)
client.username_pw_set("table", sys.argv[2])
client.max_inflight_messages_set(window)
client.connect("127.0.0.1", int(sys.argv[1]))
client.loop_start()
began = time.perf_counter()
sent = [client.publish(topic, text, qos=1) for topic, text in told]
for one in sent:
    one.wait_for_publish(30)
print(time.perf_counter() - began, flush=True)
input()
said = []
for topic, text in public:
    said.append(time.monotonic_ns())
    client.publish(topic, text, qos=1)
    time.sleep(pause)
print(said, flush=True)
client.disconnect()
client.loop_stop()
"""


def rows() -> list[tuple[str, float, str, str]]:
    """Measure. Return rows of name, value, unit, and the budget or a peer's value."""
    figures = []
    for name, kind in (("Mosquitto", RealBroker), ("embedded", OwnBroker)):
        with TemporaryDirectory() as folder:
            figures += asyncio.run(_broker(name, kind, Path(folder)))
    return [*figures, *_memory()]


async def _broker(name, kind, folder):
    broker = kind(folder)
    await broker.begin()
    journal = evenings.open_journal(folder / "table.db")
    table, outbox = evenings.serve(journal), Outbox(journal)
    table.listen(outbox)
    publisher = Publisher(
        TABLE,
        BrokerAddress(
            port=broker.port, socket=broker.socket, username="table", password=PASSWORDS["table"]
        ),
        outbox, boot=BOOT, desk=_desk(outbox), trouble=lambda _: None, pace=Pace(),
    )  # fmt: skip
    publisher.show(shown())
    running = asyncio.create_task(publisher.run())
    await publisher.told()
    latency = await _singly(broker, table)
    ours, messages = await _all_at_once(table, outbox, publisher, running)
    bare, bare_latency = await asyncio.to_thread(_bare, broker.port, messages)
    journal.close()
    await broker.end()
    return [
        (f"{name}: committed to received p50", statistics.median(latency), "ms", ""),
        (f"{name}: committed to received p99", _p99(latency), "ms", "< 3"),
        (f"{name}: bare paho, publish to received p50", statistics.median(bare_latency), "ms", ""),
        (f"{name}: bare paho, publish to received p99", _p99(bare_latency), "ms", ""),
        (f"{name}: rows told and marked", ours, "rows/s", f"bare paho: {bare:,.0f}"),
    ]


def _desk(outbox):
    async def say(*_):
        return None

    async def unseen(_):
        return False

    return Desk(
        TABLE, outbox, boot=BOOT, staff={}.get, commands=frozenset(), say=say,
        seen_before=unseen,
    )  # fmt: skip


async def _singly(broker, table):
    """Send one input at a time, each of which makes one public event."""
    watch = _watch(broker.port, SINGLE)
    await asyncio.to_thread(watch.stdout.readline)
    committed = []
    for _ in range(SINGLE):
        table.take(Add(chips=1), 1)
        committed.append(time.monotonic_ns())
        await asyncio.sleep(PAUSE_S)
    came = json.loads(await asyncio.to_thread(watch.stdout.readline))
    watch.wait()
    return [(came[str(seq)] - at) / 1e6 for seq, at in enumerate(committed, 1)]


async def _all_at_once(table, outbox, publisher, running):
    """Publish rows that have waited for the broker.

    Return the rows per second, and the same messages for a peer.
    """
    running.cancel()
    await asyncio.wait([running])
    while len(outbox.pending(BULK)) < BULK:
        table.take(Add(chips=1), 1)
    messages = [event_message(row, TABLE) for row in outbox.pending(BULK)]
    running = asyncio.create_task(publisher.run())
    began = time.perf_counter()
    while outbox.pending(1):
        await publisher.told()
    took = time.perf_counter() - began
    running.cancel()
    await asyncio.wait([running])
    return BULK / took, messages


def _bare(port, messages):
    """Send the same bytes with plain paho, in a separate process.

    Return the messages per second, and the times of single messages in ms.
    """
    told = [(m.topic, m.payload.decode()) for m in messages]
    # under another name, since some of the many may still be on their way to a subscriber
    single = f"{ROOT}/event/single"
    public = [(single, text) for topic, text in told if "croupier" not in topic][:SINGLE]
    call = [sys.executable, "-c", BARE, str(port), PASSWORDS["table"]]
    with subprocess.Popen(
        call, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    ) as client:
        print(json.dumps([told, public, Pace().window, PAUSE_S]), file=client.stdin)
        took = float(client.stdout.readline())
        watch = _watch(port, len(public), single)
        watch.stdout.readline()
        print("now", file=client.stdin)
        said = json.loads(client.stdout.readline())
        came = json.loads(watch.stdout.readline())
        watch.wait()
    seqs = [json.loads(text)["seq"] for _, text in public]
    ways = [(came[str(seq)] - at) / 1e6 for seq, at in zip(seqs, said, strict=True)]
    return len(messages) / took, ways


def _watch(port, count, topic=f"{ROOT}/event/+"):
    """Start a subscriber in a separate process, which notes when each event came."""
    call = [sys.executable, "-c", WATCH, str(port), "guest", PASSWORDS["guest"]]
    return subprocess.Popen([*call, topic, str(count)], stdout=subprocess.PIPE, text=True)


def _p99(values):
    return statistics.quantiles(values, n=100)[98]


ADDED = """
import asyncio, psutil, time
resident = lambda: psutil.Process().memory_info().rss / 2**20
import msgspec, table_controller.engine.views, table_controller.service.outbox
bare = resident()
import table_controller.adapters.mqtt_publisher
client = resident()
from table_controller.adapters.broker import EmbeddedBroker
async def serve():
    broker = EmbeddedBroker([], port=0)
    ready = []
    for _ in range(21):
        began = time.perf_counter()
        await broker.start()
        ready.append((time.perf_counter() - began) * 1000)
        child = psutil.Process(broker.pid).memory_info().rss / 2**20
        await broker.stop()
    print(client - bare, resident() - client, child, sorted(ready)[10])
asyncio.run(serve())
"""


def _memory():
    said = subprocess.run(
        [sys.executable, "-c", ADDED], capture_output=True, text=True, check=True
    )  # fmt: skip
    client, broker, child, ready = map(float, said.stdout.split())
    return [
        ("memory that the publisher adds (paho)", client, "MiB", "of 80 in all"),
        ("memory that the embedded broker adds to the table", broker, "MiB", "of 80 in all"),
        ("memory of the embedded broker (Mosquitto)", child, "MiB", "< 64"),
        ("embedded broker: begun to ready", ready, "ms", "< 200"),
    ]

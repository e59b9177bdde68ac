"""When a lost broker is tried again, and what is reported meanwhile. The test moves the clock."""

from __future__ import annotations

import asyncio
import json
import random
import re
import time

import pytest

from table_controller.adapters.mqtt_link import BrokerAddress, LinkLost, connect
from table_controller.adapters.mqtt_messages import Message
from table_controller.adapters.mqtt_publisher import Pace, Publisher
from tests.adapters.mqtt.kit import (
    BOOT,
    PASSWORDS,
    ROOT,
    TABLE,
    Box,
    RealBroker,
    serving,
    shown,
    talking,
)
from tests.brokers import Observer
from tests.limits import PATIENCE_S


class Enough(Exception):
    """Raised once the test has seen enough."""


class Tried(Publisher):
    """A publisher whose attempts end as the test says: None, or how long the link lasted."""

    def __init__(self, lasts, **pace):
        self.said, self.waited, self.now, self.lasts = [], [], 100.0, list(lasts)
        super().__init__(
            TABLE, BrokerAddress(), Box(), boot=BOOT, desk=None,
            trouble=self.said.append, pace=Pace(**pace),
        )  # fmt: skip
        self.reported = []

    async def _connect(self):
        if self.lasts[0] is None:
            self.lasts.pop(0)
            raise LinkLost("it cannot be reached")

    async def _serve(self, _link):
        self.now += self.lasts.pop(0)
        return "gone"

    def _report(self, sentence):
        self.reported.append(sentence)
        super()._report(sentence)


def tried(monkeypatch, lasts, luck=1.0, **pace):
    """The pauses between the attempts, and what was reported."""
    publisher = Tried(lasts, **pace)

    async def sleep(seconds):
        publisher.waited.append(seconds)
        if not publisher.lasts:
            raise Enough

    monkeypatch.setattr(asyncio, "sleep", sleep)
    monkeypatch.setattr(random, "uniform", lambda least, most: least + (most - least) * luck)
    monkeypatch.setattr(time, "monotonic", lambda: publisher.now)
    with pytest.raises(Enough):
        asyncio.run(publisher._stay_connected())
    return publisher


@pytest.mark.parametrize(
    ("lasts", "luck", "waited"),
    [
        pytest.param([None] * 9, 1.0, [0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0],
                     id="each pause is twice the last, up to half a minute"),
        pytest.param([None] * 3, 0.0, [0.125, 0.25, 0.5],
                     id="not all tables come back at once: each waits half its pause at least"),
        pytest.param([None, None, 30.0, None], 1.0, [0.25, 0.5, 1.0, 2.0],
                     id="a link as short as the longest pause changes nothing"),
        pytest.param([None, None, 30.5, None], 1.0, [0.25, 0.5, 0.25, 0.5],
                     id="one that lasted longer begins the pauses anew"),
    ],
)  # fmt: skip
def test_the_pauses_between_attempts(monkeypatch, lasts, luck, waited):
    assert tried(monkeypatch, lasts, luck).waited == waited


@pytest.mark.parametrize(("lasted", "hints"), [(4.9, True), (5.0, False), (31.0, False)])
def test_a_link_that_the_broker_ends_soon_hints_at_a_second_program(monkeypatch, lasted, hints):
    """Under the same name one throws out the other."""
    (sentence,) = tried(monkeypatch, [lasted]).reported
    hint = " If that goes on, look for a second program with this table's name."

    assert sentence == (
        "The broker at 127.0.0.1:1883 is lost: gone. The table goes on, and tells the rest when it"
        " is back." + (hint if hints else "")
    )


def test_a_broker_that_stays_away_is_told_once(monkeypatch):
    """However often it is tried."""
    publisher = tried(monkeypatch, [None] * 3)

    assert len(publisher.reported) == 3
    assert len(publisher.said) == 1
    assert "is lost: it cannot be reached." in publisher.said[0]


def test_subscriptions_cost_a_cluster_nothing(tmp_path):
    """QoS 0, of every pattern that the table listens to: with 1 each is a replicated queue."""

    async def meet():
        async with serving(RealBroker, tmp_path) as broker, talking(broker.port) as table:
            async with asyncio.timeout(PATIENCE_S):
                await table.publisher.told()
                asked = {}
                while len(asked) < 5:
                    await asyncio.sleep(0.01)
                    asked = dict(re.findall(r"\t(\S+) \(QoS (\d)\)", "".join(broker.said)))
                    asked.pop(f"{ROOT}/snapshot", None)  # read once, at the start
            return asked

    parts = ("request/+/+", "state", "alert/+", "croupier/alert/+")
    patterns = (*(f"{ROOT}/{part}" for part in parts), TABLE.announced)
    assert asyncio.run(meet()) == dict.fromkeys(patterns, "0")


async def silent_broker(heard):
    """A broker that admits anybody and just answers a PING; what it hears goes to `heard`."""

    async def serve(reader, writer):
        head = await reader.readexactly(2)
        await reader.readexactly(head[1])
        writer.write(b"\x20\x02\0\0")
        while said := await reader.read(100):
            heard.put_nowait(said)
            if said == b"\xc0\0":
                writer.write(b"\xd0\0")
        heard.put_nowait(b"")
        writer.close()

    return await asyncio.start_server(serve, "127.0.0.1", 0)


def test_a_silent_link_is_asked_whether_it_lives_and_ends_with_all_that_it_holds():
    """A PING after the keep-alive; once it is closed no timer and no socket is left."""

    async def meet():
        heard = asyncio.Queue()
        async with await silent_broker(heard) as server:
            port = server.sockets[0].getsockname()[1]
            will = Message("x", b"")
            address = BrokerAddress(port=port, keepalive_s=1)
            link = await connect(address, "x", will, lambda *_: None, lambda _: None)
            async with asyncio.timeout(PATIENCE_S):
                pinged = await heard.get()
                timer, line = link._misc, link._client.socket()
                again = link._misc
                while again is timer:
                    await asyncio.sleep(0.05)
                    again = link._misc
                link.close()
                said = [await heard.get()]
                while said[-1]:
                    said.append(await heard.get())
            return pinged, b"".join(said), link._misc, again.cancelled(), line.fileno(), link.lost

    pinged, ending, timer, cancelled, line, lost = asyncio.run(meet())
    assert pinged == b"\xc0\0"
    assert ending.endswith(b"\xe0\0")
    assert (timer, cancelled, line) == (None, True, -1)
    assert lost.done()


def test_a_link_that_is_abandoned_says_no_goodbye():
    """So that the broker tells the last will."""

    async def meet():
        heard = asyncio.Queue()
        async with await silent_broker(heard) as server:
            address = BrokerAddress(port=server.sockets[0].getsockname()[1])
            link = await connect(address, "x", Message("x", b""), lambda *_: None, lambda _: None)
            link.abandon("it cannot be trusted")
            async with asyncio.timeout(PATIENCE_S):
                said = await heard.get()
            for use in (lambda: link.publish(Message("x", b"")), lambda: link.subscribe("x")):
                with pytest.raises(LinkLost, match="it cannot be trusted"):
                    use()
            link.close()
            return said, link.lost.result()

    assert asyncio.run(meet()) == (b"", "it cannot be trusted")


def test_pictures_are_at_most_one_a_while_and_the_newest_wins(tmp_path):
    """No event waits for one; what is due when the table ends is told before it says goodbye."""

    async def meet():
        slow = Pace(first_s=0.01, most_s=0.05, ack_s=PATIENCE_S, picture_s=3600.0)
        async with serving(RealBroker, tmp_path) as broker:
            async with (
                Observer(broker.port, "#", user="anna", password=PASSWORDS["anna"]) as anna,
                talking(broker.port, pace=slow) as table,
            ):
                await anna.until(lambda: anna.last("/snapshot"))
                for coup in range(1, 21):
                    table.box.add_public(1)
                    table.publisher.show(shown(coup=coup))
                    await anna.until(lambda coup=coup: len(anna.events()) == coup)
                standing = pictures(anna)
            async with Observer(broker.port, "#", user="anna", password=PASSWORDS["anna"]) as late:
                await late.until(lambda: late.last("/state") and late.last("/snapshot"))
                return standing, pictures(late), late.last("/state")["state"]

    assert asyncio.run(meet()) == ([0], [20], "disconnected")


def pictures(ear):
    """The coups of the pictures in the order in which they were heard."""
    told = (json.loads(payload) for topic, payload, _ in ear.heard if topic.endswith("/snapshot"))
    return [one["data"]["snapshot"]["coup"] for one in told]


def test_a_table_that_finds_one_host_dead_goes_to_the_next(tmp_path):
    """127.0.0.2 is this machine too, but nobody listens there."""

    async def meet():
        hosts = ("127.0.0.2", "127.0.0.1")
        async with (
            serving(RealBroker, tmp_path) as broker,
            talking(broker.port, hosts=hosts) as table,
        ):
            table.box.add_public(3)
            async with asyncio.timeout(PATIENCE_S):
                await table.publisher.told()
            return table.troubles, table.box.waiting

    troubles, waiting = asyncio.run(meet())

    assert waiting == {}
    assert troubles[0].startswith("The broker at 127.0.0.2:")
    assert troubles[1:] == [None]

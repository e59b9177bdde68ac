"""Brokers for tests: a real Mosquitto on a free loopback port, and an observer of its topics.

`Mosquitto` is for tests against a broker. `Observer` is a plain paho client that keeps everything
it hears, and waits with a limit instead of sleeping.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import shutil
import socket
import subprocess
import threading
from contextlib import suppress
from pathlib import Path
from typing import Self

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion

from tests.limits import PATIENCE_S

SHIPPED = Path(__file__).parents[1] / "systemd" / "mosquitto"


def free_port() -> int:
    """A TCP port on loopback that is free now.

    It lies below the ports that Linux gives to outgoing connections, so that no connection of
    another test takes it before the caller does.
    """
    drawn = random.SystemRandom()
    while True:
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", drawn.randrange(20_000, 32_000)))
            return probe.getsockname()[1]


class Mosquitto:
    """A Mosquitto process, open to all unless `lines` say otherwise. Can die and come again."""

    def __init__(self, folder: Path, lines: str = "allow_anonymous true") -> None:
        self.port = free_port()
        self._config = folder / "mosquitto.conf"
        self._config.write_text(
            f"listener {self.port} 127.0.0.1\n{lines}\n"
            "user root\nset_tcp_nodelay true\nlog_dest stderr\nlog_type all\n"
        )
        self._process: subprocess.Popen[str] | None = None
        self.said: list[str] = []
        """Its log, line by line."""

    def start(self) -> None:
        """Start it and return once it serves."""
        program = shutil.which("mosquitto") or "/usr/sbin/mosquitto"
        self._process = subprocess.Popen(
            [program, "-c", self._config], stderr=subprocess.PIPE, text=True
        )
        said = []
        for line in self._process.stderr:
            said.append(line)
            if "running" in line:
                break
        else:
            raise AssertionError("mosquitto did not start: " + "".join(said))
        self.said = said
        threading.Thread(target=said.extend, args=(self._process.stderr,), daemon=True).start()

    def kill(self) -> None:
        """Kill the process as kill -9 does."""
        self._process.kill()
        self._process.wait(PATIENCE_S)

    def freeze(self) -> None:
        """Let it hang: its sockets stay open, nothing is answered."""
        self._process.send_signal(19)

    def thaw(self) -> None:
        """Let it go on."""
        self._process.send_signal(18)

    def stop(self) -> None:
        """End it if it runs.

        The signal is sent again each second: a Mosquitto that has just reported that it runs may
        still miss one.
        """
        if self._process and self._process.poll() is None:
            self.thaw()
            for _ in range(int(PATIENCE_S)):
                self._process.terminate()
                with suppress(subprocess.TimeoutExpired):
                    self._process.wait(1)
                    return
            raise AssertionError("mosquitto does not end")


def depart(client: paho.Client) -> None:
    """Disconnect, and wait until paho's thread is over.

    paho 2.2 forgets its thread when the thread ends. If that happens while `loop_stop` is about to
    wait for the thread, `loop_stop` raises `AttributeError`; nothing is left to wait for then.
    """
    client.disconnect()
    with suppress(AttributeError):
        client.loop_stop()


class Observer:
    """A foreign client: keeps every message, and reconnects by itself, as paho does."""

    def __init__(self, port: int, *patterns: str, user: str = "", password: str = "") -> None:
        self._loop = asyncio.get_running_loop()
        self._changed = asyncio.Event()
        self.heard: list[tuple[str, bytes, bool]] = []
        """(topic, payload, retained) as they came."""
        self.granted: list[str] = []
        self.up = False
        self._client = paho.Client(CallbackAPIVersion.VERSION2, protocol=paho.MQTTv311)
        self._client.reconnect_delay_set(0.05, 0.2)
        if user:
            self._client.username_pw_set(user, password)
        self._client.on_connect = lambda client, *_: client.subscribe(
            [(pattern, 1) for pattern in patterns]
        )
        self._client.on_subscribe = lambda _c, _d, _m, codes, _p: self._post(
            self._subscribed, [str(code) for code in codes]
        )
        self._client.on_disconnect = lambda *_: self._post(self._down)
        self._client.on_message = lambda _c, _d, message: self._post(
            self._hear, (message.topic, message.payload, message.retain)
        )
        self._port = port

    async def __aenter__(self) -> Self:
        await asyncio.to_thread(self._client.connect, "127.0.0.1", self._port)
        self._client.loop_start()
        await self.until(lambda: self.up)
        return self

    async def __aexit__(self, *_) -> None:
        await asyncio.to_thread(depart, self._client)

    def say(self, topic: str, payload: bytes, *, retain: bool = False) -> None:
        """Publish with QoS 1."""
        self._client.publish(topic, payload, qos=1, retain=retain)

    async def leave(self, topic: str, payload: bytes) -> None:
        """Publish retained; it lies at the broker when this returns."""
        left = self._client.publish(topic, payload, qos=1, retain=True)
        await asyncio.to_thread(left.wait_for_publish, PATIENCE_S)

    async def until(self, holds) -> None:
        """Wait until `holds()`, at most `PATIENCE_S`."""
        async with asyncio.timeout(PATIENCE_S):
            while not holds():
                self._changed.clear()
                await self._changed.wait()

    async def until_last(self, events: int, seq: int) -> None:
        """Wait until so many events are heard, and the picture after public event `seq`."""
        await self.until(lambda: len(self.events()) == events)
        await self.until(lambda: self.last("/snapshot")["seq"] == seq)

    def events(self, part: str = "/event/") -> list[dict]:
        """All heard events, each once by its id, in the order they were first heard."""
        once = {}
        for topic, payload, _ in self.heard:
            if part in topic:
                told = json.loads(payload)
                once.setdefault(told["id"], told)
        return list(once.values())

    def last(self, end: str) -> dict | None:
        """Content of what was heard last on the topic that ends so; None if it was cleared."""
        for topic, payload, _ in reversed(self.heard):
            if topic.endswith(end):
                return json.loads(payload)["data"] if payload else None
        return None

    def _post(self, act, *values) -> None:
        with contextlib.suppress(RuntimeError):  # the test is over
            self._loop.call_soon_threadsafe(self._act, act, values)

    def _act(self, act, values) -> None:
        act(*values)
        self._changed.set()

    def _hear(self, message) -> None:
        self.heard.append(message)

    def _subscribed(self, granted) -> None:
        self.granted, self.up = granted, True

    def _down(self) -> None:
        self.up = False

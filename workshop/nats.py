"""Runs three nodes of nats-server on loopback, by `systemd/floor/nats.conf` without TLS.

The program comes from PyPI (`nats.lock`), where a third party has packed the project's own release.
It is used for the long runs only. `scripts/soak` and `scripts/bench` install it in `.venv/nats`.
"""

from __future__ import annotations

import json
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path
from typing import Final
from urllib.request import urlopen

from table_controller.adapters.broker_rules import (
    FLOOR,
    FOR_STAFF,
    PUBLIC,
    BrokerAccount,
    readable,
    writable,
)
from table_controller.adapters.mqtt_link import BrokerAddress
from table_controller.adapters.mqtt_names import VERSION
from tests.brokers import free_port

ROOT: Final = Path(__file__).parents[1]
PROGRAM: Final = ROOT / ".venv/nats/bin/nats-server"
SHIPPED: Final = ROOT / "systemd/floor/nats.conf"
HOSTS: Final = ("127.0.0.1", "127.0.0.2", "127.0.0.3")
#: How long a cluster may take to serve, or to serve again.
READY_S: Final = 240.0


class Cluster:
    """Three nodes that can be killed and started again. `secret` is the floor's password."""

    def __init__(self, folder: Path, accounts: tuple[BrokerAccount, ...], secret: str) -> None:
        assert PROGRAM.exists(), f"{PROGRAM} is missing: scripts/soak installs it"
        self._folder, self._secret = folder, secret
        self.port, self._routes, self._clients, self._looks = (free_port() for _ in range(4))
        self._nodes: list[subprocess.Popen[bytes] | None] = [None] * len(HOSTS)
        for number, host in enumerate(HOSTS):
            self._write(self._place(number), host, accounts)
        self.begin()

    @property
    def address(self) -> BrokerAddress:
        """The address under which the floor finds the cluster."""
        return BrokerAddress(
            host=HOSTS[0], hosts=HOSTS[1:], port=self.port, username=FLOOR, password=self._secret
        )

    @property
    def tables(self) -> BrokerAddress:
        """The address for tables. Each table has its own account."""
        return BrokerAddress(host=HOSTS[0], hosts=HOSTS[1:], port=self.port)

    def _place(self, number: int) -> Path:
        return self._folder / f"node-{number}"

    def _write(self, place: Path, host: str, accounts: tuple[BrokerAccount, ...]) -> None:
        place.mkdir(parents=True)
        text = SHIPPED.read_text()
        for shipped, ours in (("4222", self._clients), ("6222", self._routes), ("8883", self.port)):
            assert f"port: {shipped}" in text
            text = text.replace(f"port: {shipped}", f"port: {ours}")
        (place / "nats.conf").write_text(f'{text}\nhttp: "{host}:{self._looks}"\n')
        routes = [f"nats://{one}:{self._routes}" for one in HOSTS]
        said = {"NODE": place.name, "HOST": host, "STORE": str(place / "data"), "ROUTES": routes}
        (place / "node.conf").write_text(
            "".join(f"{k}: {json.dumps(v)}\n" for k, v in said.items())
        )
        (place / "tls.conf").write_text("")
        (place / "accounts.conf").write_text(accounts_conf(accounts, self._secret))

    def admit(self, accounts: tuple[BrokerAccount, ...]) -> None:
        """Let these tables in and nobody else, as `nats-server --signal reload` does."""
        for number, node in enumerate(self._nodes):
            (self._place(number) / "accounts.conf").write_text(
                accounts_conf(accounts, self._secret)
            )
            if node is not None:
                node.send_signal(signal.SIGHUP)

    def begin(self) -> None:
        """Start the nodes that do not run. Return when all serve and have agreed on a leader."""
        for number in range(len(HOSTS)):
            self.start(number)
        self.ready()

    def start(self, number: int) -> None:
        """Start a node, unless it runs already."""
        node = self._nodes[number]
        if node is None or node.poll() is not None:
            place = self._place(number)
            with (place / "log").open("ab") as log:
                self._nodes[number] = subprocess.Popen(
                    ["setpriv", "--pdeathsig", "KILL", "--", PROGRAM, "-c", place / "nats.conf"],
                    stdout=log, stderr=log,
                )  # fmt: skip

    def ready(self) -> None:
        """Wait until every node serves, and their streams have a leader."""
        until = time.monotonic() + READY_S
        while not all(map(self._serves, HOSTS)):
            assert time.monotonic() < until, "the cluster does not serve"
            time.sleep(0.1)

    def _serves(self, host: str) -> bool:
        try:
            with urlopen(f"http://{host}:{self._looks}/healthz", timeout=5) as answer:
                healthy = answer.status == 200
            with socket.create_connection((host, self.port), timeout=5):
                return healthy
        except OSError:
            return False

    def leader(self) -> int:
        """The number of the node that leads the stream of the tables' messages."""
        for number, host in enumerate(HOSTS):
            try:
                url = f"http://{host}:{self._looks}/jsz?streams=1&accounts=1"
                with urlopen(url, timeout=5) as answer:
                    found = json.load(answer)
            except OSError:
                continue
            streams = [
                s for a in found.get("account_details", ()) for s in a.get("stream_detail", ())
            ]
            for stream in streams:
                if stream["name"] == "$MQTT_msgs":
                    return [f"node-{n}" for n in range(3)].index(stream["cluster"]["leader"])
            return number
        return 0

    def kill(self, number: int) -> None:
        """Kill a node as kill -9 does."""
        node = self._nodes[number]
        if node is not None:
            node.kill()
            node.wait()

    def erase(self) -> None:
        """Kill all nodes and remove all their files."""
        for number in range(len(HOSTS)):
            self.kill(number)
            shutil.rmtree(self._place(number) / "data", ignore_errors=True)

    def stop(self) -> None:
        """End all nodes."""
        for number in range(len(HOSTS)):
            self.kill(number)


def accounts_conf(accounts: tuple[BrokerAccount, ...], secret: str) -> str:
    """The accounts in the form that nats-server reads.

    For each account they say which topics it may publish and subscribe to, and that only MQTT is
    allowed. Without any account, everybody has the floor's rights, as in `floor simulate`.
    """
    if not accounts:
        return f"authorization {{\n  users = [\n{_user(FLOOR, secret, ['>'], ['>'])}  ]\n}}\n"
    every = f"schlitten.{VERSION}.*.*"
    reads = [f"{every}.{_subject(one)}" for one in (*PUBLIC, *FOR_STAFF, f"response/{FLOOR}/+")]
    users = [_user(FLOOR, secret, [f"{every}.request.{FLOOR}.*"], reads)]
    for one in accounts:
        root = _subject(one.user.table.root)
        may = [[f"{root}.{_subject(part)}" for part in of(one.user)] for of in (writable, readable)]
        users.append(_user(one.user.name, one.secret, *may))
    return "authorization {\n  users = [\n" + "".join(users) + "  ]\n}\n"


def _user(name: str, secret: str, publish: list[str], subscribe: list[str]) -> str:
    said = {
        "user": name, "password": secret, "allowed_connection_types": ["MQTT"],
        "permissions": {"publish": publish, "subscribe": subscribe},
    }  # fmt: skip
    return f"    {json.dumps(said)}\n"


def _subject(topic: str) -> str:
    return topic.replace("/", ".").replace("+", "*")

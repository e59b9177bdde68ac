"""Guests and strangers flood a table's broker and its TLS page while an evening is played.

Somebody signs in at the page once a second meanwhile.

Table and broker are in one cgroup of 512 MiB, the unit's limit, if this machine has cgroups and we
are root. Each attack is a separate process. A member of the staff listens meanwhile, and notes how
long each event took to arrive, by the table's clock.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import statistics
import struct
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psutil
from msgspec import structs

from table_controller.adapters.broker_rules import BrokerAccount, BrokerRole, User
from table_controller.adapters.mqtt_names import TableId
from table_controller.commands import players
from table_controller.engine.messages import Input, Role
from table_controller.engine.table.persons import PersonAdded
from table_controller.service import logs, pins
from table_controller.service.sealing import load_keys, make_key
from table_controller.service.verify import verify
from table_controller.wiring import config
from table_controller.wiring.app import Plan, Service
from table_controller.wiring.config import BrokerSettings, PageSettings
from table_controller.wiring.plan import own_account, own_address
from tests.brokers import Observer
from tests.certificates import Authority
from workshop.bench.live import p99
from workshop.soak import signing_in
from workshop.soak.hours import _tell, _words

SECONDS, SEED = 600, 14
TABLE = TableId("soak", "floods")
ROOT = Path(__file__).parents[2]
MEMORY = 512 << 20
GUESTS = tuple(f"guest-{number}" for number in range(12))
SECRET = "for-all-of-them"
CHIEF = f"supervisor:{signing_in.NAME}"
#: The pause between two inputs of the evening.
PACE_S = 0.05
LATE_MS, SIGN_IN_MS, MOST_LOG = 1000, 1000, 1_000_000
MOST_MEMORY = MEMORY // 2


@dataclass
class Found:
    """The figures of one attack."""

    late_ms: list[float] = field(default_factory=list)
    sign_in_ms: list[float] = field(default_factory=list)
    memory: int = 0
    sent: str = ""

    @property
    def told(self) -> str:
        """A sentence with the figures."""
        late = f"p50 {statistics.median(self.late_ms):.1f} ms, latest {max(self.late_ms):.0f} ms"
        signed = f"sign-in p99 {p99(self.sign_in_ms):.0f} ms of {len(self.sign_in_ms)}"
        events = f"{len(self.late_ms)} events, {late}"
        return f"{events}; {signed}; table and broker {self.memory >> 20} MiB"


def run(
    share: float, late_ms: float = LATE_MS, sign_in_ms: float = SIGN_IN_MS
) -> list[tuple[str, str]]:
    """Run each attack for ten minutes. Raises AssertionError if a limit is exceeded."""
    seconds = max(2.0, SECONDS * share)
    with TemporaryDirectory(prefix="soak-floods-") as name:
        folder = Path(name)
        found, about = asyncio.run(_evening(folder, seconds))
        log = (folder / "log").stat().st_size
    rows = [(f"{what}: {one.sent}", one.told) for what, one in found.items()]
    rows += [("seconds of each", f"{seconds:.0f}"), ("log of the table", f"{log:,} bytes"), *about]
    assert all(max(one.late_ms) < late_ms for one in found.values()), rows
    assert all(p99(one.sign_in_ms) < sign_in_ms for one in found.values()), rows
    assert all(one.memory < MOST_MEMORY for one in found.values()), rows
    assert log < MOST_LOG, rows
    return rows


async def _evening(folder: Path, seconds: float) -> tuple[dict[str, Found], list[tuple[str, str]]]:
    Authority(folder).sign("page", "page")
    with (folder / "log").open("wb") as log:
        table = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", __spec__.name, "serve", str(folder)),
            cwd=ROOT, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=log,
        )  # fmt: skip
    found = {}
    try:
        with bounded(table.pid) as bound:
            table.stdin.write(b"begin\n")
            where = json.loads(await table.stdout.readline())
            ear = f"{TABLE.root}/event/#"
            async with Staff(where["port"], ear, user="staff", password=SECRET) as staff:
                table.stdin.write(b"play\n")
                for what in ATTACKS:
                    found[what] = await _attacked(what, where, staff, table.pid, seconds)
                table.stdin.write(b"end\n")
                last = json.loads(await table.stdout.readline())
                await staff.until(lambda: len(staff.events()) >= last["public"])
            assert [event["seq"] for event in staff.events()] == list(range(1, last["public"] + 1))
            assert await table.wait() == 0
    finally:
        if table.returncode is None:
            table.kill()
            await table.wait()
    assert verify(folder / "table.db", load_keys(folder / "table.key", {})).holds
    return found, [
        ("bound of their memory", bound),
        ("inputs taken meanwhile", f"{last['inputs']:,}"),
        ("longest that an input waited for its answer", f"{last['waited_ms']:.0f} ms"),
        (
            "what became of the requests",
            ", ".join(f"{n:,} {w}" for w, n in last["requests"].items()),
        ),
    ]


class Staff(Observer):
    """A member of the staff, who notes how late each event is."""

    def __init__(self, *where: Any, **who: str) -> None:
        super().__init__(*where, **who)
        self.late_ms: list[float] = []

    def _hear(self, message: tuple[str, bytes, bool]) -> None:
        told = datetime.fromisoformat(json.loads(message[1])["time"])
        self.late_ms.append((time.time() - told.timestamp()) * 1000)
        super()._hear(message)


async def _attacked(
    what: str, where: dict[str, Any], staff: Staff, pid: int, seconds: float
) -> Found:
    """Run one attack for `seconds`. Return what was measured."""
    found = Found()
    first = len(staff.heard)
    attack = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", __spec__.name, what, json.dumps(where), str(seconds)),
        cwd=ROOT, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    own, url = psutil.Process(pid), f"https://127.0.0.1:{where['page']}"
    looking = asyncio.create_task(attack.wait())
    signing = asyncio.create_task(signing_in.honest(url, found.sign_in_ms))
    while not looking.done():
        found.memory = max(found.memory, resident(own))
        await asyncio.wait([looking, signing], timeout=0.1, return_when=asyncio.FIRST_COMPLETED)
        if signing.done():
            signing.result()
    signing.cancel()
    found.sent = (await attack.stdout.read()).decode().strip()
    await staff.until(lambda: len(staff.heard) > first)
    await asyncio.sleep(1)  # what is late comes
    found.late_ms = staff.late_ms[first:]
    print(what, found.sent, found.told, file=sys.stderr, flush=True)
    return found


def resident(table: psutil.Process) -> int:
    """The resident bytes of the table and its broker."""
    with contextlib.suppress(psutil.NoSuchProcess):
        return sum(one.memory_info().rss for one in (table, *table.children(recursive=True)))
    return 0


@contextlib.contextmanager
def bounded(pid: int) -> Iterator[str]:
    """Put a process and its children into a cgroup of 512 MiB.

    Yield a sentence that names the cgroup, or says that there is none.
    """
    for root, sign, bound in (
        (Path("/sys/fs/cgroup"), "cgroup.controllers", "memory.max"),
        (Path("/sys/fs/cgroup/memory"), "memory.limit_in_bytes", "memory.limit_in_bytes"),
    ):
        own = root / f"schlitten-soak-{pid}"
        if not (root / sign).exists():
            continue
        try:
            own.mkdir()
            (own / bound).write_text(str(MEMORY))
            (own / "cgroup.procs").write_text(str(pid))
        except OSError:
            with contextlib.suppress(OSError):
                own.rmdir()
            continue
        try:
            yield f"512 MiB by {own / bound}"
        finally:
            with contextlib.suppress(OSError):
                own.rmdir()
        return
    yield "none: this machine lends no cgroup"


# The table, in a separate process


async def _serve(folder: Path) -> None:
    certificate, key = folder / "page.pem", folder / "page.key"
    own = own_account(TABLE)
    guests = tuple(BrokerAccount(User(name, BrokerRole.GUEST, TABLE), SECRET) for name in GUESTS)
    plan = Plan(
        table=TABLE,
        house=config.house("zoppot-1934"),
        keys=make_key(folder / "table.key"),
        journal=folder / "table.db",
        broker=BrokerSettings(port=0),
        accounts=(own, BrokerAccount(User("staff", BrokerRole.STAFF, TABLE), SECRET), *guests),
        address=own_address([own]),
        page=PageSettings(port=0, certificate=certificate, key=key),
    )
    logs.hear_libraries()
    public, waited, inputs = _Public(), 0.0, 0
    async with _words() as words:
        await words.readline()
        async with Service(plan) as service:
            service.table.listen(public)
            people = players.seeded(service.game, SEED)
            lip = players.SimulatedLip(SEED, plan.house)
            pin = pins.proof(signing_in.PIN, plan.keys)
            chief = PersonAdded(
                actor="console", name=signing_in.NAME, role=Role.SUPERVISOR, proof=pin
            )
            await service.table.ask(chief)
            _tell(port=service.broker.port, page=int(service.url.rpartition(":")[2]))
            await words.readline()
            for said in people.arrive(service.table.state):
                await service.table.ask(_by_chief(said))
            ending = asyncio.create_task(words.readline())
            while not ending.done():
                table = service.table.state
                said = people.say(table) or lip.next(people.progress(table))
                began = time.monotonic()
                await service.table.ask(_by_chief(said))
                waited, inputs = max(waited, time.monotonic() - began), inputs + 1
                await asyncio.wait([ending], timeout=PACE_S)
            await service.publisher.told()
            counts = service.publisher._desk.counts
            _tell(public=public.rows, inputs=inputs, waited_ms=waited * 1000, requests=dict(counts))


def _by_chief(said: Input) -> Input:
    """The input as the person says it who has signed in; what nobody says stays as it is."""
    return structs.replace(said, actor=CHIEF) if said.actor == "croupier" else said


class _Public:
    """A listener that counts the events sent to the public."""

    rows = 0

    def tell(self, told: Any, _state: object) -> None:
        self.rows += sum(row.audience == "public" for _, row in told)


# The attacks, each in a separate process


def text(value: str) -> bytes:
    """A string as MQTT has it."""
    return struct.pack("!H", len(value)) + value.encode()


def packet(head: int, body: bytes) -> bytes:
    """Make an MQTT packet from its first byte and its body."""
    length, size = b"", len(body)
    while True:
        size, digit = divmod(size, 128)
        length += bytes([digit | (0x80 if size else 0)])
        if not size:
            return bytes([head]) + length + body


def _inside(port: int, name: str, secret: str = SECRET) -> socket.socket:
    """Open a guest's connection to the broker."""
    line = socket.create_connection(("127.0.0.1", port))
    body = text("MQTT") + b"\x04\xc2\0\0" + text(name) + text(name) + text(secret)
    line.sendall(packet(0x10, body))
    line.recv(4)
    return line


def _many(count: int, work: Any) -> str:
    """Do `work` in `count` threads at a time. Return a phrase that says how often it was done."""
    done = [0] * count

    def one(number: int) -> None:
        with contextlib.suppress(OSError):
            for _ in work(number):
                done[number] += 1

    threads = [threading.Thread(target=one, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return f"{sum(done):,}"


def _asks(name: str, number: int = 1) -> bytes:
    """The content of a request for all events."""
    said = {"specversion": "1.0", "id": f"flood-{number:06}", "source": "/flood",
            "type": "schlitten.replay", "data": {"from_seq": 1}}  # fmt: skip
    return json.dumps(said).encode()


def _publishing(where: dict[str, Any], until: float, payload: bytes, burst: int) -> str:
    def work(number: int) -> Iterator[None]:
        line = _inside(where["port"], GUESTS[number])
        topic = text(f"{TABLE.root}/request/{GUESTS[number]}/replay")
        packets = packet(0x30, topic + payload) * burst
        while time.monotonic() < until:
            line.sendall(packets)
            yield

    times = int(_many(len(GUESTS), work).replace(",", "")) * burst
    return f"{times:,} requests of {len(payload):,} bytes by {len(GUESTS)} guests"


def _large(where: dict[str, Any], until: float) -> str:
    return _publishing(where, until, b"x" * 250_000, 1)


def _small(where: dict[str, Any], until: float) -> str:
    return _publishing(where, until, _asks("x"), 100)


def _torn(where: dict[str, Any], until: float) -> str:
    return _publishing(where, until, b"{", 100)


def _deaf(where: dict[str, Any], until: float) -> str:
    """Attack: send requests without end, and never read an answer."""

    def work(number: int) -> Iterator[None]:
        name = GUESTS[number]
        line = _inside(where["port"], name)
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.sendall(packet(0x82, b"\0\1" + text(f"{TABLE.root}/#") + bytes([number % 2])))
        question = packet(0x30, text(f"{TABLE.root}/request/{name}/replay") + _asks(name))
        while time.monotonic() < until:
            line.sendall(question)
            yield
            time.sleep(0.1)

    return f"{_many(len(GUESTS), work)} questions by {len(GUESTS)} guests who never read"


def _knocks(where: dict[str, Any], until: float) -> str:
    """Attack: connect and disconnect, partly with wrong secrets.

    Meanwhile other connections, which send nothing, occupy all the places.
    """
    silent = []

    def work(number: int) -> Iterator[None]:
        while time.monotonic() < until:
            _inside(where["port"], GUESTS[0], ("wrong", SECRET)[number % 2]).close()
            yield
            if number == 0 and len(silent) < 240:
                silent.append(socket.create_connection(("127.0.0.1", where["port"])))

    return f"{_many(4, work)} comings and goings, {len(silent)} silent ones"


def _handshakes(where: dict[str, Any], until: float) -> str:
    """Attack: keep 400 TLS connections to the page open without ever beginning a handshake."""
    lines: list[socket.socket] = []

    def work(_number: int) -> Iterator[None]:
        while time.monotonic() < until:
            lines.append(socket.create_connection(("127.0.0.1", where["page"]), timeout=5))
            yield
            if len(lines) > 400:
                lines.pop(0).close()

    return f"{_many(4, work)} handshakes at the page that nobody begins"


def _sign_ins(where: dict[str, Any], until: float) -> str:
    return signing_in.invented(f"https://127.0.0.1:{where['page']}", until)


ATTACKS = {
    "nobody": lambda _where, until: time.sleep(until - time.monotonic()) or "an evening in peace",
    "large": _large,
    "small": _small,
    "torn": _torn,
    "deaf": _deaf,
    "knocks": _knocks,
    "handshakes": _handshakes,
    "sign-ins": _sign_ins,
}


def main(what: str, *words: str) -> None:
    """Serve the table, or attack it for a while."""
    if what == "serve":
        asyncio.run(_serve(Path(words[0])))
        return
    print(ATTACKS[what](json.loads(words[0]), time.monotonic() + float(words[1])))


if __name__ == "__main__":
    main(*sys.argv[1:])

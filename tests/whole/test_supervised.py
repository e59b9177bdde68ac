"""systemd's view: it is told when the table is ready; its watchdog is fed while all loops run."""

import asyncio
import contextlib
import re
import socket
import time

import pytest

from firmware_bridge.serial_line import OpenLine
from table_controller.adapters.mqtt_publisher import Publisher
from table_controller.adapters.web.serve import _Quiet
from table_controller.service.journal import Commit
from table_controller.service.table import Table
from table_controller.wiring import supervision
from table_controller.wiring.app import Service
from table_controller.wiring.config import BrokerSettings
from table_controller.wiring.tasks import Tasks
from tests.brokers import free_port
from tests.limits import PATIENCE_S
from tests.whole.lips import until
from tests.whole.plans import plan

#: So long a loop may stand still in these tests, and so often systemd wants to be fed.
STUCK_S, FED_S = 1.5, 0.2
FED = "WATCHDOG=1"


class Systemd:
    """The socket that systemd listens on, and what was said there, each with its time."""

    def __init__(self, folder, monkeypatch):
        self.heard = []
        self._line = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._line.bind(str(folder / "notify"))
        self._line.setblocking(False)
        monkeypatch.setenv("NOTIFY_SOCKET", str(folder / "notify"))
        monkeypatch.setenv("WATCHDOG_USEC", str(int(FED_S * 1e6)))
        monkeypatch.delenv("WATCHDOG_PID", raising=False)

    def hear(self):
        """All that was said until now, in order."""
        with contextlib.suppress(BlockingIOError):
            while True:
                self.heard += self._line.recv(4096).decode().splitlines()
        return self.heard

    def fed(self):
        """How often the watchdog was fed until now."""
        return self.hear().count(FED)


@pytest.fixture
def systemd(tmp_path, monkeypatch):
    monkeypatch.setattr(supervision, "STUCK_S", STUCK_S)
    return Systemd(tmp_path, monkeypatch)


@contextlib.asynccontextmanager
async def supervised(folder, **settings):
    async with Service(plan(folder, **settings)) as service, supervision.supervised(service):
        yield service


async def stays_fed(systemd, seconds):
    """Whether it goes on being fed for so long."""
    until_s = time.monotonic() + seconds
    while time.monotonic() < until_s:
        before = systemd.fed()
        await asyncio.sleep(2 * FED_S)
        if systemd.fed() == before:
            return False
    return True


def test_systemd_is_told_that_the_table_is_ready_and_that_it_ends(systemd, tmp_path):
    """In that order, with its watchdog fed between."""

    async def play():
        async with supervised(tmp_path):
            assert await stays_fed(systemd, 1)

    asyncio.run(play())

    assert systemd.hear()[0] == "READY=1"
    assert systemd.heard[-1] == "STOPPING=1"
    assert set(systemd.heard) == {"READY=1", FED, "STOPPING=1"}


LOOPS = {
    "table": (Table, "_persist"),
    "broker": (Publisher, "_rest"),
    "page": (_Quiet, "on_tick"),
    "board": (OpenLine, "rest"),
}


@pytest.mark.parametrize("part", LOOPS)
def test_the_watchdog_is_not_fed_when_a_loop_hangs(part, systemd, tmp_path, monkeypatch, capfd):
    """Though the process lives and all else goes on; the log names the loop."""
    owner, name = LOOPS[part]
    whole = getattr(owner, name)

    async def play():
        over = asyncio.Event()

        async def hang(*args, **more):
            await over.wait()
            return await whole(*args, **more)

        async with supervised(tmp_path) as service:
            await until(lambda: service.board.status.connected)
            await until(lambda: systemd.fed() > 1)
            monkeypatch.setattr(owner, name, hang)
            service.lost("camera", "It is away.")  # so that the table has something to do
            async with asyncio.timeout(PATIENCE_S):
                while await stays_fed(systemd, 3 * FED_S):
                    pass
            before = systemd.fed()
            await asyncio.sleep(3 * FED_S)
            assert systemd.fed() == before
            over.set()

    asyncio.run(play())
    log = capfd.readouterr().err
    said = r"a loop hangs: the watchdog is not fed.*parts=\"?(\S+?)\"?$"
    assert re.findall(said, log, re.MULTILINE) == [f"['{part}']"], log


def test_waiting_for_a_lost_board_and_broker_and_a_slow_disk_is_turning(
    systemd, tmp_path, monkeypatch
):
    """They may be away for hours: nothing is killed for it."""
    written = Commit.written
    slow = asyncio.Event()

    async def waiting(self):
        await slow.wait()
        await written(self)

    async def play():
        nobody = BrokerSettings(kind="mqtt", port=free_port())
        async with supervised(tmp_path, board=str(tmp_path / "gone"), broker=nobody) as service:
            await until(lambda: len(service.table.state.felt.alerts) == 2)
            monkeypatch.setattr(Commit, "written", waiting)
            service.lost("camera", "It is away.")
            service.lost("module", "It is away.")
            await asyncio.sleep(0)
            assert service.table.waiting == 1  # the disk has the other
            fed = await stays_fed(systemd, 2 * STUCK_S)
            slow.set()
            return fed

    assert asyncio.run(play())


def test_without_systemd_nothing_is_said(tmp_path, monkeypatch):
    """Neither variable is there, say in a terminal."""
    for name in ("NOTIFY_SOCKET", "WATCHDOG_USEC"):
        monkeypatch.delenv(name, raising=False)

    async def play():
        async with supervised(tmp_path) as service:
            return {task.get_name() for task in asyncio.all_tasks()}, bool(service.url)

    tasks, served = asyncio.run(play())

    assert served
    assert "watchdog" not in tasks


def test_a_part_that_is_cancelled_from_within_is_missed_and_begun_anew():
    """A cancelled future inside of it is an end like any other; only `stop` is not missed."""

    async def play():
        missed, going = [], asyncio.Event()

        async def work():
            if not missed:
                raise asyncio.CancelledError
            going.set()
            await asyncio.Event().wait()

        tasks = Tasks(lambda part, _: missed.append(part), lambda _: None)
        tasks.start("board", work)
        async with asyncio.timeout(PATIENCE_S):
            await going.wait()
        await tasks.stop()
        return missed

    assert asyncio.run(play()) == ["board"]


def test_a_part_whose_end_cannot_be_told_is_begun_anew_all_the_same(capfd):
    """Whatever hears of it may be broken too."""

    async def play():
        begun, going = [], asyncio.Event()

        async def work():
            begun.append(1)
            if len(begun) == 2:
                going.set()
                await asyncio.Event().wait()

        def missed(_part, _why):
            raise ValueError("it shows the 7h")

        tasks = Tasks(missed, lambda _: None)
        tasks.start("board", work)
        async with asyncio.timeout(PATIENCE_S):
            await going.wait()
        await tasks.stop()

    asyncio.run(play())
    log = capfd.readouterr().err
    assert "error=ValueError" in log
    assert "7h" not in log

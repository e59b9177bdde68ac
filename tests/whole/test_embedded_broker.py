"""A served table and the broker that it starts itself: the table's own report of it."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import signal
from dataclasses import replace

import pytest

from table_controller.commands.machine import doctor
from table_controller.service.sealing import make_key
from table_controller.wiring.app import Service
from tests.adapters.mqtt.packets import code, connect_packet
from tests.limits import PATIENCE_S
from tests.whole.commands import Running
from tests.whole.lips import until
from tests.whole.plans import plan


@pytest.fixture
def settings(tmp_path):
    """A table with nothing but its broker."""
    make_key(tmp_path / "table.key")
    file = tmp_path / "table.toml"
    file.write_text(
        f'[journal]\npath = "{tmp_path}/t.db"\nkey = "{tmp_path}/table.key"\n'
        "[broker]\nport = 0\n[page]\nport = 0\n"
    )
    return file


def test_run_says_no_secret_and_lets_nobody_in_whom_nobody_named(settings):
    """What it says is kept in a log: there is no guest of the evening."""
    with Running("run", "--config", settings) as table:
        port = int(table.says(r"broker +127\.0\.0\.1:(\d+), topics schlitten/2/")[1])
        table.says("`schlitten people account` lets a device in")
        found = [asyncio.run(code(port, connect_packet(who, ""))) for who in ("guest", "staff")]
        table.ends(signal.SIGTERM)
        said = "".join(table.errors)

    assert found == [5, 5]
    assert not re.search(r"[0-9a-f]{16}| -P ", said)


def alerts(service):
    """What is open now, by its id."""
    return [alert.id for alert in service.game.alerts(service.table.state)]


def test_without_mosquitto_it_says_so_in_one_line_and_serves_all_else(tmp_path, monkeypatch):
    """As a wheel in an empty environment; it comes once it is there."""
    which = shutil.which
    monkeypatch.setattr(shutil, "which", lambda *_, **__: None)
    said = []

    async def play():
        async with Service(replace(plan(tmp_path, board=""), warn=said.append)) as service:
            assert service.url
            async with asyncio.timeout(PATIENCE_S):
                await until(lambda: alerts(service) == ["device-broker"])
            monkeypatch.setattr(shutil, "which", which)
            async with asyncio.timeout(PATIENCE_S):
                await until(lambda: service.publisher is not None)
                await service.publisher.told()

    asyncio.run(play())
    (line,) = said
    assert line == (
        "broker: Mosquitto is not on this machine, so there is no broker here; all else is served. "
        "`sudo apt install mosquitto`, or set [broker] kind = 'none'."
    )


def test_doctor_says_that_mosquitto_is_missing(settings, monkeypatch):
    """With the command."""
    monkeypatch.setattr(shutil, "which", lambda *_, **__: None)
    (broker,) = [one for one in doctor.examine(settings) if one.part == "broker"]
    assert not broker.well
    assert "sudo apt install mosquitto" in broker.said


def test_a_table_that_stops_leaves_no_broker(tmp_path):
    """Not even one that was just being begun again."""

    async def play():
        async with Service(plan(tmp_path, board="")) as service:
            broker = service.broker
            first, folder = broker.pid, broker.socket.parent
            os.kill(first, signal.SIGKILL)
            await until(lambda: broker.pid not in (None, first))
            last = broker.pid
        return folder, last

    folder, last = asyncio.run(play())
    assert not folder.exists()
    with pytest.raises(ProcessLookupError):
        os.kill(last, 0)

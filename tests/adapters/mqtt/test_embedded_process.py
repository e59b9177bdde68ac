"""The embedded broker as a process: how it begins and ends, and the files that it reads."""

import asyncio
import contextlib
import os
import select
import shutil
import socket
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from table_controller.adapters.addresses import CannotServe
from table_controller.adapters.children import with_us
from tests.adapters.mqtt.kit import PASSWORDS, OwnBroker, serving
from tests.adapters.mqtt.packets import code, connect_packet, raw
from tests.limits import PATIENCE_S


def test_after_stop_the_port_is_free_and_everybody_was_let_go():
    """Also those who were just connecting."""

    async def evening():
        broker = OwnBroker(None)
        await broker.begin()
        halfway, _ = await raw(broker.port, b"\x10")
        member, _ = await raw(broker.port, connect_packet("guest", PASSWORDS["guest"]))
        await member.readexactly(4)
        await broker.end()
        async with asyncio.timeout(PATIENCE_S):
            with contextlib.suppress(ConnectionError):
                assert await halfway.read() == await member.read() == b""
        await broker.begin()
        answer = await code(broker.port, connect_packet("guest", PASSWORDS["guest"]))
        await broker.end()
        return answer, [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]

    assert asyncio.run(evening()) == (0, [])


def test_what_it_reads_lies_where_nobody_else_may_look_and_goes_with_it():
    """No secret is in it, and after `stop` there is nothing."""

    async def look():
        async with serving(OwnBroker, None) as broker:
            folder = broker.broker.socket.parent
            modes = {file.name: stat.filemode(file.stat().st_mode) for file in folder.iterdir()}
            told = "".join(file.read_text() for file in folder.iterdir() if file.is_file())
            return folder, stat.filemode(folder.stat().st_mode), modes, told

    folder, mode, modes, told = asyncio.run(look())

    assert mode == "drwx------"
    assert set(modes) == {"passwords", "acl", "mosquitto.conf", "table.sock"}
    assert {modes[name] for name in ("passwords", "acl", "mosquitto.conf")} == {"-rw-------"}
    assert not [word for word in PASSWORDS.values() if word in told]
    assert not folder.exists()


def test_where_there_is_no_mosquitto_it_says_how_to_get_one(monkeypatch):
    """In one line."""
    monkeypatch.setattr(shutil, "which", lambda *_, **__: None)
    with pytest.raises(CannotServe) as caught:
        asyncio.run(OwnBroker(None).begin())

    assert str(caught.value) == (
        "Mosquitto is not on this machine, so there is no broker here; all else is served. "
        "`sudo apt install mosquitto`, or set [broker] kind = 'none'."
    )


LAST_WORD = """#!/bin/sh
(while kill -0 $$ 2>/dev/null; do :; done; sleep 0.2; echo "1: Error: The last word." >&2) &
exit 3
"""


def test_what_it_said_last_is_told_however_late_it_comes(monkeypatch):
    """Its exit code alone would say little."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        program = Path(folder, "mosquitto")
        program.write_text(LAST_WORD)
        program.chmod(0o755)
        monkeypatch.setenv("PATH", folder, prepend=os.pathsep)
        with pytest.raises(CannotServe) as caught:
            asyncio.run(OwnBroker(None).begin())

    assert str(caught.value) == "Mosquitto did not start (Error: The last word)."


SERVES = """
import asyncio
from tests.adapters.mqtt.kit import OwnBroker
async def serve():
    broker = OwnBroker()
    await broker.begin()
    print(broker.broker.pid, broker.port, broker.broker.socket.parent, flush=True)
    await asyncio.Event().wait()
asyncio.run(serve())
"""


def test_it_ends_with_the_program_whatever_ended_that():
    """Kill -9: nobody is left who could end it, but the kernel."""
    with subprocess.Popen([sys.executable, "-c", SERVES], stdout=subprocess.PIPE) as table:
        pid, port, folder = table.stdout.readline().split()
        pid, port = int(pid), int(port)
        ends = select.poll()
        ends.register(broker := os.pidfd_open(pid), select.POLLIN)
        table.kill()
        assert ends.poll(PATIENCE_S * 1000)
        os.close(broker)
        shutil.rmtree(folder)
    socket.create_server(("127.0.0.1", port)).close()


def test_it_does_not_begin_where_the_program_is_gone_already():
    """The kernel is asked too late then: nobody would end it."""
    said = [
        subprocess.run(begun, stdout=subprocess.PIPE, check=False).stdout
        for parent in (os.getpid(), os.getpid() + 1)
        for begun in (with_us("/bin/echo", "begun", parent=parent),)
    ]
    assert said == [b"begun\n", b""]

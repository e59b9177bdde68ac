"""More people at the door than a table has handles: 64 screens are served; the table goes on."""

from __future__ import annotations

import contextlib
import re
import resource
import socket

from table_controller.service.sealing import make_key
from tests.limits import LONG_PATIENCE_S
from tests.whole.commands import Running
from tests.whole.test_slow_disk import press

IDLE, SCREENS = 1_100, 64
SEAT = {"type": "sits", "seat": 3, "name": "Anna", "chips": 100}


def test_1100_idle_connections_leave_64_screens_and_the_table_alone(tmp_path):
    """With 1,024 handles, as systemd gives them."""
    make_key(tmp_path / "table.key")
    settings = tmp_path / "table.toml"
    settings.write_text(
        f'[journal]\npath = "{tmp_path}/table.db"\nkey = "{tmp_path}/table.key"\n'
        '[board]\nport = "twin"\n[broker]\nkind = "none"\n[page]\nport = 0\n'
    )
    with contextlib.ExitStack() as crowd, Running("run", "--config", settings) as running:
        url = running.says(r"croupier's page\s+(\S+)/")[1]
        resource.prlimit(running.process.pid, resource.RLIMIT_NOFILE, (1024, 1024))
        host, port = url.removeprefix("http://").split(":")
        screens = []
        for number in range(IDLE):
            one = socket.create_connection((host, int(port)), timeout=LONG_PATIENCE_S)
            crowd.callback(one.close)
            if number < SCREENS:
                one.sendall(f"GET /live HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
                screens.append(one.makefile("rb"))
                assert b" 200 " in screens[-1].readline()

        prompt = int(re.findall(r'data-prompt="(\d+)"', running.page(url))[0])
        assert press(url, SEAT | {"prompt": prompt})["ok"]

        for screen in screens:  # each was told of the seat, and none was cut
            while b"Anna" not in screen.readline():
                pass
        assert running.process.poll() is None
    assert "part failed" not in "".join(running.errors)

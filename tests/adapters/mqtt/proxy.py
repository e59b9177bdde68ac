"""A line between a client and a broker that can lose acknowledgements."""

from __future__ import annotations

import asyncio
import contextlib


class Proxy:
    """Forwards MQTT between its `port` and a broker's; while `deaf`, drops each PUBACK.

    `dropped` counts them; `lines` is how many connections there have been.
    """

    def __init__(self, broker_port: int) -> None:
        self._broker_port = broker_port
        self._tasks = set()
        self.deaf = False
        self.dropped = self.lines = self.port = 0

    async def __aenter__(self) -> Proxy:
        self._server = await asyncio.start_server(self._join, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _join(self, client_in, client_out) -> None:
        self._tasks.add(asyncio.current_task())
        self.lines += 1
        broker_in, broker_out = await asyncio.open_connection("127.0.0.1", self._broker_port)
        ways = [
            asyncio.create_task(self._forward(client_in, broker_out, hold_back=False)),
            asyncio.create_task(self._forward(broker_in, client_out, hold_back=True)),
        ]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            broker_out.close()
            client_out.close()

    async def _forward(self, source, sink, *, hold_back) -> None:
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                packet = await _packet(source)
                if hold_back and self.deaf and packet[0] >> 4 == 4:
                    self.dropped += 1
                    continue
                sink.write(packet)
                await sink.drain()


async def _packet(source) -> bytes:
    head = await source.readexactly(2)
    length, shift = head[1] & 127, 7
    while head[-1] & 128:
        head += await source.readexactly(1)
        length |= (head[-1] & 127) << shift
        shift += 7
    return head + await source.readexactly(length)

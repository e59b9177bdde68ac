"""Serves the application at one address, and stops immediately even if pages are open.

The module knows uvicorn and sockets. It installs no signal handlers, since `app.py` does.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import socket
import time
from functools import partial
from pathlib import Path
from typing import cast

import uvicorn
from starlette.applications import Starlette

from firmware_bridge.trouble import Trouble
from table_controller.adapters.addresses import CannotServe, in_url, is_loopback, listening
from table_controller.adapters.handshake_limits import Door, Knocking
from table_controller.adapters.limits import BACKLOG
from table_controller.adapters.web.bounds import Bounded
from table_controller.adapters.web.proxied import Proxied
from table_controller.service import logs

STOP_S = 1
"""Seconds after which a connection that does not end is cut."""


class _Quiet(uvicorn.Server):
    """uvicorn without its own signal handlers. An event says when the server has started."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.began = asyncio.Event()
        self.turned = math.inf

    async def on_tick(self, counter: int) -> bool:
        self.turned = time.monotonic()
        return await super().on_tick(counter)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.began.set()

    def capture_signals(self) -> contextlib.AbstractContextManager[None]:  # type: ignore[override]  # a context manager either way
        return contextlib.nullcontext()


class Server:
    """A web server. `url` is the address of its page."""

    def __init__(
        self,
        app: Starlette,
        host: str = "127.0.0.1",
        port: int = 8080,
        *,
        certificate: Path | None = None,
        key: Path | None = None,
        proxies: tuple[str, ...] = (),
    ) -> None:
        """Port 0 takes any free port.

        `proxies` are addresses of proxies, or their networks. Only their word is taken for who asks
        and whether TLS was used (`X-Forwarded-For`, `X-Forwarded-Proto`).

        Raises CannotServe if other machines can reach the address and there is no TLS.
        """
        if not is_loopback(host) and certificate is None:
            raise CannotServe(
                Trouble(
                    "the page would be open to the network at {host} without TLS: "
                    "give it a certificate and its key, or serve it on 127.0.0.1",
                    host=host,
                )
            )
        self._app, self._host, self._port = app, host, port
        self._knocking = Knocking()
        self._config = uvicorn.Config(
            Proxied(app, proxies) if proxies else app,
            proxy_headers=False,  # its default trusts everybody on this machine
            loop="asyncio",
            http=cast("type[asyncio.Protocol]", partial(Bounded, knocking=self._knocking)),
            backlog=BACKLOG,
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=STOP_S,
            ssl_certfile=certificate,
            ssl_keyfile=key,
        )
        logs.hear_libraries()
        self._server = _Quiet(self._config)
        self._running: asyncio.Task[None] | None = None

    @property
    def url(self) -> str:
        """The page's URL.

        If port 0 was asked for, the URL has the real port once the server has started.
        """
        scheme = "https" if self._config.is_ssl else "http"
        return f"{scheme}://{in_url(self._host)}:{self._port}"

    @property
    def turned(self) -> float:
        """When the server's event loop last completed a round, in monotonic seconds."""
        return self._server.turned

    @property
    def connections(self) -> int:
        """The number of browsers that are connected now."""
        return len(self._server.server_state.connections)

    async def start(self) -> None:
        """Begin to listen and serve. Raises CannotServe with the remedy if that fails."""
        await asyncio.to_thread(self._app.state.prepare)
        place = Door(listening(self._host, self._port), self._knocking)
        try:
            self._load()
        except CannotServe:
            place.close()
            raise
        self._port = place.getsockname()[1]
        self._running = asyncio.create_task(self._server.serve([place]), name="page")
        began = asyncio.ensure_future(self._server.began.wait())
        await asyncio.wait({began, self._running}, return_when=asyncio.FIRST_COMPLETED)
        began.cancel()
        if self._running.done():
            self._running.result()

    def _load(self) -> None:
        """Read the certificate, if the server has one. Raises CannotServe."""
        try:
            self._config.load()
        except OSError as error:  # ssl.SSLError is one
            config = self._config
            raise CannotServe(
                Trouble(
                    "the certificate {certificate} and the key {key} cannot be used ({error}): "
                    "give it a certificate and the key that belongs to it, both as PEM and "
                    "readable by the service's user",
                    certificate=str(config.ssl_certfile),
                    key=str(config.ssl_keyfile),
                    error=error.strerror or str(error),
                )
            ) from None

    async def ended(self) -> None:
        """Wait until the server has ended. Raise the fault that ended it, if there was one."""
        if self._running is not None:
            await asyncio.shield(self._running)

    async def stop(self) -> None:
        """End every stream, then end the server."""
        self._app.state.close()
        self._server.should_exit = True
        if self._running is not None:
            await self._running

"""Takes the word of the proxies that the settings name for who sent a request.

The module knows HTTP headers and addresses, but no table.
"""

from __future__ import annotations

import ipaddress

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from table_controller.adapters.addresses import numeric


class Proxied:
    """ASGI middleware: a proxy's request counts as that of the address that the proxy reports.

    A proxy that does not say who asks is refused: everybody would have the proxy's own address, and
    a proxy on this machine would make everybody a user of this machine.
    """

    def __init__(self, app: ASGIApp, proxies: tuple[str, ...]) -> None:
        self._networks = [ipaddress.ip_network(one) for one in proxies]
        self._direct = app
        self._forwarded = ProxyHeadersMiddleware(app, trusted_hosts=list(proxies))  # type: ignore[arg-type]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        host = (scope.get("client") or ("",))[0]
        if not self._is_proxy(host):
            await self._direct(scope, receive, send)
            return
        if scope["type"] == "http" and not Headers(scope=scope).get("x-forwarded-for"):
            text = "The proxy does not say who asks: let it set X-Forwarded-For (docs/PROXY.md)."
            await PlainTextResponse(text, 502)(scope, receive, send)
            return
        scope["client"] = (str(numeric(host)), 0)  # as the list of proxies writes it
        await self._forwarded(scope, receive, send)  # type: ignore[arg-type]

    def _is_proxy(self, host: str) -> bool:
        address = numeric(host)
        return address is not None and any(address in network for network in self._networks)

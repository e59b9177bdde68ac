"""Addresses of this machine: which are reachable from elsewhere, and a socket that listens."""

from __future__ import annotations

import errno
import ipaddress
import socket


class CannotServe(OSError):
    """A listener cannot be opened. The text says which listener, the reason, and the remedy."""


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach the address `host`.

    A listener on any other address needs TLS.
    """
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def listening(host: str, port: int) -> socket.socket:
    """Return a socket that listens at this address; port 0 takes any free port.

    Raises CannotServe.
    """
    made = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host, port))
        made.listen(128)
    except OSError as error:
        made.close()
        raise CannotServe(_why(host, port, error)) from error
    made.setblocking(False)
    return made


def _why(host: str, port: int, error: OSError) -> str:
    match error.errno:
        case errno.EADDRINUSE:
            return (
                f"port {port} at {host} is taken by another program: stop that one "
                f"(`ss -ltnp 'sport = :{port}'` shows it), or set another port"
            )
        case errno.EACCES:
            return f"port {port} needs root: set one from 1024 on"
        case errno.EADDRNOTAVAIL:
            return (
                f"{host} is no address of this machine: use 127.0.0.1, or an address that `ip a` "
                "shows"
            )
        case _:
            return f"nothing can be served at {host}:{port}: {error.strerror}"


def counted_as(host: str) -> str:
    """Return the name under which the requests of an address are counted.

    For IPv6 this is the network, since a client can choose the rest of its address.
    """
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv6Address) and not address.is_loopback:
        return str(address.ipv4_mapped or ipaddress.ip_network((address, 64), strict=False))
    return host

"""Addresses of this machine: which are reachable from elsewhere, and a socket that listens."""

from __future__ import annotations

import errno
import ipaddress
import socket
from contextlib import suppress

from firmware_bridge.trouble import Trouble, TroubleError


class CannotServe(TroubleError, OSError):
    """A listener cannot be opened. The reason says which listener."""


def numeric(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """The address that `host` writes, with or without brackets; None for a name.

    Addresses are compared in this form, since one address has many spellings. An IPv4 address that
    a socket for both kinds reports as `::ffff:192.0.2.1` is that IPv4 address.
    """
    try:
        found = ipaddress.ip_address(host.strip("[]").partition("%")[0])
    except ValueError:
        return None
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    return mapped or found


def is_same(one: str, other: str) -> bool:
    """Whether two texts write the same address, or are the same name."""
    numbers = numeric(one), numeric(other)
    return one.lower() == other.lower() if None in numbers else numbers[0] == numbers[1]


def in_url(host: str) -> str:
    """The address as a URL has it: an IPv6 address in brackets."""
    found = numeric(host)
    return f"[{found}]" if isinstance(found, ipaddress.IPv6Address) else host


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach the address `host`.

    A listener on any other address needs TLS.
    """
    found = numeric(host)
    return host == "localhost" if found is None else found.is_loopback


def is_everywhere(host: str) -> bool:
    """Whether a listener at `host` listens at every address of the machine: `0.0.0.0` or `::`."""
    found = numeric(host)
    return found is not None and found.is_unspecified


def in_network() -> str:
    """Return this machine's address in its network, or "" if it is in no network.

    No packet is sent: the system only chooses the address from which it would send one.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked, suppress(OSError):
        asked.connect(("192.0.2.1", 9))  # an address that documents use, and no machine has
        found = str(asked.getsockname()[0])
        return "" if is_loopback(found) else found
    return ""


def is_elsewhere(host: str) -> bool:
    """Whether `host` is a numeric address that this machine does not have now."""
    kind = numeric(host)
    if kind is None:
        return False
    family = socket.AF_INET6 if kind.version == 6 else socket.AF_INET
    with socket.socket(family, socket.SOCK_DGRAM) as asked:
        try:
            asked.bind((str(kind), 0))
        except OSError as error:
            return error.errno == errno.EADDRNOTAVAIL
    return False


def listening(host: str, port: int) -> socket.socket:
    """Return a socket that listens at this address; port 0 takes any free port.

    At `::` it listens at every IPv4 address too. Raises CannotServe.
    """
    made = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if is_everywhere(host) and made.family is socket.AF_INET6:
        made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
    try:
        made.bind((host, port))
        made.listen(128)
    except OSError as error:
        made.close()
        raise CannotServe(_why(host, port, error)) from error
    made.setblocking(False)
    return made


def _why(host: str, port: int, error: OSError) -> Trouble:
    match error.errno:
        case errno.EADDRINUSE:
            return Trouble(
                "port {port} at {host} is taken by another program: stop that one "
                "({command} shows it), or set another port",
                port=str(port),
                host=host,
                command=f"`ss -ltnp 'sport = :{port}'`",
            )
        case errno.EACCES:
            return Trouble("port {port} needs root: set one from 1024 on", port=str(port))
        case errno.EADDRNOTAVAIL:
            return Trouble(
                "{host} is no address of this machine: use 127.0.0.1, or an address that `ip a` "
                "shows",
                host=host,
            )
        case _:
            return Trouble(
                "nothing can be served at {address}: {error}",
                address=f"{in_url(host)}:{port}",
                error=str(error.strerror),
            )


def counted_as(host: str) -> str:
    """Return the name under which the requests of an address are counted.

    For IPv6 this is the network, since a client can choose the rest of its address.
    """
    address = numeric(host)
    if isinstance(address, ipaddress.IPv6Address) and not address.is_loopback:
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address or host)

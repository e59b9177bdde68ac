"""Names the addresses at which browsers open a table's page.

The module is part of the wiring. It reads the settings of the page and its certificate. It does not
try the addresses.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from table_controller.adapters.addresses import in_url, is_everywhere, is_loopback, is_same
from table_controller.adapters.certificate import names_of
from table_controller.wiring.config import PageSettings


class PageAddresses(NamedTuple):
    """URLs of one page, without a "/" at the end.

    Attributes:
        own: for a browser on the table's own machine.
        others: for other screens. It is empty if only the table's own machine can open the page.
    """

    own: str
    others: tuple[str, ...]

    @property
    def hosts(self) -> tuple[str, ...]:
        """The names or numbers in `others`."""
        return tuple(urlsplit(one).hostname or "" for one in self.others)

    @property
    def sentence(self) -> str:
        """Which browser opens the page at which address."""
        if not self.others:
            return f"only this machine can open the page: {self.own}/"
        more = "" if self.own in self.others else f"; this machine opens {self.own}/"
        return f"other screens open {' or '.join(f'{one}/' for one in self.others)}{more}"


def page_addresses(page: PageSettings, port: int) -> PageAddresses:
    """Return the addresses of a page that is served at `port`.

    A page that is served at every address of the machine is opened by `names`, or else by the names
    in its certificate.
    """

    def at(host: str) -> str:
        scheme = "https" if page.certificate else "http"
        return f"{scheme}://{in_url(host)}:{port}"

    if is_loopback(page.host):
        return PageAddresses(at(page.host), ())
    in_certificate = _names(page.certificate)
    local = [at(one) for one in in_certificate if is_loopback(one)]
    bound = () if is_everywhere(page.host) else (page.host,)
    names = page.names or bound or [one for one in in_certificate if not is_loopback(one)]
    others = tuple(at(name) for name in dict.fromkeys(names))
    if bound:
        return PageAddresses(at(page.host), others)
    return PageAddresses(next(iter((*local, *others)), at("127.0.0.1")), others)


def not_in_certificate(page: PageSettings) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of the page that its certificate lacks, and those that it has."""
    has = _names(page.certificate)
    bound = () if is_loopback(page.host) or is_everywhere(page.host) else (page.host,)
    lacks = (name for name in (*bound, *page.names) if not any(_covers(one, name) for one in has))
    return tuple(lacks), has


def _covers(certified: str, name: str) -> bool:
    """Whether a certificate for `certified` is valid for `name`. "*." stands for one label."""
    certified, name = certified.lower(), name.lower()
    return is_same(certified, name) or (
        certified.startswith("*.") and name.partition(".")[2] == certified[2:]
    )


def _names(certificate: Path | None) -> tuple[str, ...]:
    """Return the names in a certificate, or none if it cannot be read."""
    with suppress(OSError, ValueError):
        return names_of(certificate.read_bytes())[0] if certificate else ()
    return ()

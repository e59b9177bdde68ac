"""`schlitten init`: asks for the facts that a table needs. It prints; other modules do the work."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from msgspec.structs import replace

from table_controller.commands.output import JsonOption, answer, fail, tell, warn

if TYPE_CHECKING:
    from table_controller.wiring.first_start import Begun, FirstStart


_SETTINGS = Path("/etc/schlitten/table.toml")
_HOUSE = "zoppot-1934"
_NONE = "none"
#: The next steps at another screen. A QR code follows.
_TRUST = """
Every other screen (tablet, phone, PC) must learn once to trust this table's certificate:
  1. Copy {begun.root} to the screen, by mail or on a memory stick.
     The file is not secret.
  2. On the screen, install the file as a certificate authority (docs/TABLET.md, step 3).
  3. Then open {begun.url} there, or scan this QR code.
     The browser must not warn.
The QR code has the address of the page and the SHA-256 fingerprint of its certificate.
If you doubt that a screen has reached this table, compare the fingerprint that the screen's
browser shows for the page's certificate with this one:
  {begun.fingerprint}"""


def init(
    settings: Annotated[Path, typer.Option("--config", help="the settings to write")] = _SETTINGS,
    *,
    house: Annotated[str, typer.Option(help="a shipped house, or a house file")] = "",
    language: Annotated[str, typer.Option(help="of the pages: en, de, fr, hu or sv")] = "",
    name: Annotated[str, typer.Option(help="the table's name, a-z, 0-9, _ and -")] = "table-1",
    supervisor: Annotated[str, typer.Option(help="the first supervisor's name")] = "",
    address: Annotated[
        list[str] | None, typer.Option(help="an address of the page for other screens; repeatable")
    ] = None,
    port: Annotated[int, typer.Option(min=1, max=65535, help="the page's port")] = 8080,
    camera: Annotated[str, typer.Option(help="the lip's camera")] = "",
    board: Annotated[str, typer.Option(help="the table board's serial port")] = "",
    speaks: Annotated[bool, typer.Option("--speaks", help="let espeak-ng speak the news")] = False,
    page: Annotated[
        bool, typer.Option("--page", help="answer the questions on a page of this machine")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Set up a table: house, language, first supervisor, devices, the page for other screens.

    At a terminal the command asks for everything that no option says, and shows the page's address
    as a QR code. It asks for the PIN twice. Without a terminal, the PIN is the first line of
    standard input.
    """
    from table_controller.commands.machine import install
    from table_controller.wiring import first_start

    own = settings.parent == first_start.INSTALLED
    if own and os.geteuid() != 0:
        fail(f"{settings} belongs to root: use sudo, or name other settings with --config.")
    first_start.writable(settings)  # before somebody answers ten questions
    said = first_start.FirstStart(
        house=house,
        language=language,
        name=name,
        supervisor=supervisor,
        pin="",
        addresses=tuple(address or ()),
        port=port,
        camera=camera,
        board=board,
        speaks=speaks,
    )
    served = own and install.runs()
    begun = _begun(said if page else _answered(said), settings, by_page=page, served=served)
    _show(begun, served=served, as_json=as_json)


def _answered(said: FirstStart) -> FirstStart:
    """Return the answers that the options give. At a terminal, ask for all other answers."""
    from table_controller.wiring import first_start

    asks = sys.stdin.isatty()
    if asks:
        said = replace(
            said,
            house=said.house or _house(),
            language=said.language or _language(),
            supervisor=said.supervisor or _supervisor(),
            camera=said.camera or _found("camera", first_start.found("camera")),
            board=said.board or _found("table board", first_start.found("board")),
            addresses=said.addresses or _addresses(),
        )
    house, language = said.house or _HOUSE, said.language or "en"
    return replace(said, house=house, language=language, pin=_pin(asks=asks))


def _begun(answers: FirstStart, settings: Path, *, by_page: bool, served: bool) -> Begun:
    """Set the table up by these answers. `by_page` asks for the rest on a page."""
    from table_controller.commands.machine import install
    from table_controller.wiring import first_start

    try:
        if served:
            install.program("systemctl", "stop", "schlitten.service")
        if by_page:
            return asyncio.run(first_start.by_page(settings, warn, answers))
        return first_start.begin(answers, settings)
    finally:
        if served:
            install.program("systemctl", "start", "schlitten.service")


def _show(begun: Begun, *, served: bool, as_json: bool) -> None:
    """Print the files and the page's address. For people, a QR code has the address too."""
    facts: dict[str, Any] = {"settings": str(begun.settings), "url": begun.url}
    if begun.root:
        facts |= {"fingerprint": begun.fingerprint, "root": str(begun.root)}
    answer(facts, _told(begun, served=served), as_json=as_json)
    if begun.root and not as_json:
        import segno

        segno.make(f"{begun.url}#{begun.fingerprint}").terminal(compact=True)


def _house() -> str:
    """Ask for one of the shipped houses, or for a house file that can be read."""
    from table_controller.service.errors import ConfigError
    from table_controller.wiring import config, first_start

    shipped = first_start.houses()
    tell("By the rules of which house does the table play?")
    for number, one in enumerate(shipped, 1):
        tell(f"  {number:>2}  {one.id:<26} {one.game.replace('-', ' ')}: {one.title}")
    known = {str(number): one.id for number, one in enumerate(shipped, 1)}
    while True:
        said = str(typer.prompt("house, by its number or its name", default=_HOUSE))
        chosen = known.get(said, said)
        try:
            config.house(chosen)
        except ConfigError as error:
            warn(f"{error}.")
        else:
            return chosen


def _language() -> str:
    """Ask for the language of the pages and of the voice."""
    from table_controller.words.languages import Language

    named = ", ".join(f"{one.value} ({one.called})" for one in Language)
    tell(f"In which language are the pages? {named}. Each browser can choose another one later.")
    known = {name: one.value for one in Language for name in (one.value, one.called.lower())}
    while True:
        said = str(typer.prompt("language", default="en")).strip().lower()
        if said in known:
            return known[said]
        warn(f"{said!r} is no language here: type the two letters of one of these: {named}.")


def _supervisor() -> str:
    tell("The first supervisor signs in on the page. `schlitten people add` adds others later.")
    return str(typer.prompt("first supervisor's name"))


def _found(what: str, there: Sequence[str]) -> str:
    """Let somebody choose one of the devices that are plugged in.

    Return its name; "" for no device.
    """
    if not there:
        tell(f"No {what} is plugged in. You can set one later.")
        return ""
    for number, one in enumerate(there, 1):
        tell(f"  {number}  {one}")
    chosen = int(typer.prompt(f"{what}, 0 for none", default=1, type=int))
    return there[chosen - 1] if 0 < chosen <= len(there) else ""


def _addresses() -> tuple[str, ...]:
    """Ask for the addresses of the page for other screens. Offer this machine's own address."""
    from table_controller.adapters.addresses import in_network
    from table_controller.service.errors import ConfigError
    from table_controller.wiring.first_start import checked

    tell(
        "Other screens, such as a tablet, open the page at this machine's address in your network."
    )
    tell(f"Type `{_NONE}` if only this machine opens the page.")
    while True:
        said = str(typer.prompt("address", default=in_network() or _NONE)).replace(",", " ").split()
        try:
            return () if said == [_NONE] else tuple(map(checked, said))
        except ConfigError as error:
            warn(str(error))


def _pin(*, asks: bool) -> str:
    """Return the PIN. At a terminal, ask until it is good enough, and say what that needs."""
    from table_controller.commands.people import typed_pin

    if not asks:
        return sys.stdin.readline().strip()
    tell("The supervisor signs in with a PIN.")
    return typed_pin()


def _told(begun: Begun, *, served: bool) -> str:
    runs = (
        "The table is served." if served else f"Serve it: schlitten run --config {begun.settings}"
    )
    named = "" if begun.settings == _SETTINGS else f" --config {begun.settings}"
    lines = [
        f"{begun.settings} is written. {runs}",
        f"  croupier's page  {begun.url}",
        f"`schlitten doctor{named}` checks every part of it.",
    ]
    if begun.root:
        lines += _TRUST.format(begun=begun).splitlines()
    return "\n".join(lines)

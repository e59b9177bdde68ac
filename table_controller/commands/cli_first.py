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

from table_controller.commands.say import JsonOption, answer, fail, tell, warn

if TYPE_CHECKING:
    from table_controller.wiring.first_start import Begun, FirstStart

_SETTINGS = Path("/etc/schlitten/table.toml")
_HOUSE = "zoppot-1934"


def init(
    settings: Annotated[Path, typer.Option("--config", help="the settings to write")] = _SETTINGS,
    *,
    house: Annotated[str, typer.Option(help="a shipped house, or a house file")] = "",
    language: Annotated[str, typer.Option(help="en, de, fr, hu or sv")] = "",
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
    from table_controller.commands import install
    from table_controller.wiring import first_start

    own = settings.parent == first_start.INSTALLED
    if own and os.geteuid() != 0:
        fail(f"{settings} belongs to root: use sudo, or name other settings with --config.")
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
    answers = None if page else _answered(said)
    served = own and install.runs()
    _show(_begun(answers, settings, served=served), served=served, as_json=as_json)


def _answered(said: FirstStart) -> FirstStart:
    """Return the answers that the options give. At a terminal, ask for all other answers."""
    from table_controller.wiring import config, first_start
    from table_controller.words.languages import Language

    asks = sys.stdin.isatty()
    if asks:
        said = replace(
            said,
            house=said.house or _one_of("house", config.houses(), _HOUSE),
            language=said.language or _one_of("language", [one.value for one in Language], "en"),
            supervisor=said.supervisor or str(typer.prompt("first supervisor's name")),
            camera=said.camera or _found("camera", first_start.found("camera")),
            board=said.board or _found("table board", first_start.found("board")),
            addresses=said.addresses or _addresses(),
        )
    house, language = said.house or _HOUSE, said.language or "en"
    return replace(said, house=house, language=language, pin=_pin(asks=asks))


def _begun(answers: FirstStart | None, settings: Path, *, served: bool) -> Begun:
    """Set the table up by these answers. Without answers, a page asks for them."""
    from table_controller.commands import install
    from table_controller.wiring import first_start

    try:
        if served:
            install.program("systemctl", "stop", "schlitten.service")
        if answers is None:
            return asyncio.run(first_start.by_page(settings, warn))
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


def _one_of(what: str, known: Sequence[str], default: str) -> str:
    tell(f"{what}: {', '.join(known)}")
    return str(typer.prompt(what, default=default))


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
    tell("A tablet opens the page at this machine's address in your network, such as 192.168.1.40.")
    tell("`hostname -I` prints that address. Press Enter if only this machine opens the page.")
    said = str(typer.prompt("address", default="", show_default=False))
    return tuple(said.split())


def _pin(*, asks: bool) -> str:
    """Return the PIN. At a terminal, ask until it is good enough, and say what that needs."""
    from table_controller.service import pins

    if not asks:
        return sys.stdin.readline().strip()
    tell(
        "The supervisor signs in with a PIN of 6 to 12 digits. The digits do not show as you type."
    )
    while True:
        said = str(typer.prompt("PIN", hide_input=True, confirmation_prompt="the PIN again"))
        why = pins.weak(said)
        if not why:
            return said
        warn(f"{why}. Choose another PIN.")


def _told(begun: Begun, *, served: bool) -> str:
    runs = (
        "The table is served." if served else f"Serve it: schlitten run --config {begun.settings}"
    )
    lines = [f"{begun.settings} is written. {runs}", f"  croupier's page  {begun.url}"]
    if begun.root:
        lines += [
            f"  tablets trust    {begun.root} (docs/TABLET.md, step 3)",
            f"  its SHA-256      {begun.fingerprint}",
        ]
    lines.append("`schlitten doctor` checks every part of it.")
    return "\n".join(lines)

"""The program `schlitten`: one function per command.

The functions print; other modules do the work. Modules are imported where they are used, so that
`--help` is quick and needs no camera library. Exit codes: 0 if all is well, 1 if a check failed, 2
for bad usage or settings.
"""

from __future__ import annotations

import contextlib
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from table_controller.commands import cli_keeping, cli_simulate, cli_tools
from table_controller.commands.floor import cli_reports
from table_controller.commands.floor.cli import floor
from table_controller.commands.hil import cli as hil
from table_controller.commands.machine import cli as machine
from table_controller.commands.output import (
    JsonOption,
    all_printed,
    answer,
    fail,
    lay_out,
    mendable,
    out,
    pace_of,
    ready_to_print,
    tell,
    warn,
)
from table_controller.commands.people import people
from table_controller.commands.running import until_stopped

if TYPE_CHECKING:
    from table_controller.engine.sheet import Sheet

app = typer.Typer(
    name="schlitten",
    no_args_is_help=True,
    pretty_exceptions_enable=False,  # it prints locals, which may contain a closed card
    add_completion=True,
    help="Reads the cards of a card table, keeps the count, and knows the rules.",
)
cli_tools.register(app)
machine.register(app)
cli_keeping.register(app)
hil.register(app)
cli_simulate.register(app)
cli_reports.register(floor)
app.add_typer(people, name="people")
app.add_typer(floor, name="floor")

PortOption = Annotated[int, typer.Option(min=0, max=65535, help="0: any free port")]
HouseOption = Annotated[str, typer.Option("--house", help="a shipped house, or a house file")]
GameOption = Annotated[str, typer.Option("--game", help="the game, such as punto-banco")]


def _say_version(wanted: bool) -> None:
    if wanted:
        from table_controller.commands.version import sentence

        tell(sentence())
        raise typer.Exit


@app.callback()
def _first(
    *,
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            help="print version and commit, and end",
            is_eager=True,
            callback=_say_version,
        ),
    ] = False,
) -> None:
    pass


def main() -> None:
    """Run the command. An error that a person can fix becomes one sentence, without a traceback."""
    from hardware.emulator import EmulatorError
    from table_controller.commands.simulate import UnknownFault
    from table_controller.service.errors import ConfigError, ServiceError

    ready_to_print()
    try:
        with mendable(ConfigError, ServiceError, UnknownFault, EmulatorError), all_printed():
            app()
    except KeyboardInterrupt:
        sys.exit(130)


@app.command()
def demo(
    *,
    once: Annotated[bool, typer.Option("--once", help="end after one Schlitten")] = False,
    speed: Annotated[str, typer.Option(help="a multiple of the usual pace, or max")] = "1",
    as_json: JsonOption = False,
    seed: Annotated[int, typer.Option(help="another number plays another evening")] = 1,
    house: HouseOption = "zoppot-1934",
    page_port: PortOption = 8080,
    broker_port: PortOption = 1883,
    film: Annotated[Path | None, typer.Option(help="a camera recording to deal from")] = None,
    board: Annotated[str, typer.Option(help="twin, emulated, or a port")] = "twin",
    keep: Annotated[Path | None, typer.Option(help="keep key and journal in this folder")] = None,
    again: Annotated[
        bool,
        typer.Option("--replace", help="with --keep: replace an earlier demo's key and journal"),
    ] = False,
) -> None:
    """Show an evening: cards from a camera recording, simulated hardware, broker and page.

    With --json each public event is a line, and the last line is the result.
    """
    from table_controller.commands.demo import run_demo
    from table_controller.wiring import config

    pace = pace_of(speed)
    with _folder(keep, again=again) as folder:
        until_stopped(
            run_demo(
                folder,
                config.house(house),
                page_port=page_port,
                broker_port=broker_port,
                seed=seed,
                speed=pace,
                once=once,
                film=film,
                board=board,
                lines=out if as_json else None,
                say=warn if as_json else tell,
                keep=keep is not None,
            )
        )


@contextlib.contextmanager
def _folder(keep: Path | None, *, again: bool) -> Iterator[Path]:
    """Yield the folder for key and journal: `keep`, or a folder that is deleted after the demo.

    `again` says whether the files of an earlier demo in `keep` are deleted first.
    """
    from table_controller.commands.demo import cleared

    if keep:
        try:
            keep.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            fail(f"cannot make the folder {keep}: {error.strerror}. Name one that you may write.")
        cleared(keep, again=again)
        yield keep
        return
    with tempfile.TemporaryDirectory(prefix="schlitten-") as name:
        yield Path(name)


@app.command()
def run(
    settings: Annotated[Path, typer.Option("--config", help="the table's settings")] = Path(
        "/etc/schlitten/table.toml"
    ),
    folder: Annotated[
        Path | None, typer.Argument(help="with --record: the folder of the tapes")
    ] = None,
    *,
    record: Annotated[
        bool, typer.Option("--record", help="write encrypted tapes of all inputs")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Serve a live table until it is stopped. With --json a line names the addresses once it runs.

    --record [FOLDER] writes tapes of all inputs. A supervisor or a technician can add pictures and
    serial bytes, with a switch on the page.
    """
    from table_controller.commands.live import run_table
    from table_controller.wiring import config
    from table_controller.wiring.shoe import taping

    if folder and not record:
        raise typer.BadParameter(
            f"{folder}: a folder is only for --record: schlitten run --record {folder}"
        )
    found = config.load(settings)
    kept = (folder or taping.folder(found)) if record else None
    until_stopped(run_table(found, warn, out if as_json else None, record=kept))


@app.command("check-config")
def check_config(
    file: Annotated[Path, typer.Argument(help="a table's settings, or a house file")],
    as_json: JsonOption = False,
) -> None:
    """Read a table's settings or a house file. Print all its values, or the first mistake in it."""
    from msgspec import to_builtins

    from table_controller.wiring import config

    found = config.check(file)
    if isinstance(found, config.Config) and found.shoe.deck:
        from table_controller.wiring.shoe import eyes

        eyes.deck(found.shoe.deck)
    settings = to_builtins(found, enc_hook=str)  # paths as text
    if as_json:
        out({"file": str(file), "kind": type(found).__name__.lower(), "settings": settings})
        return
    rows = [(name, str(value)) for name, value in _flat(settings)]
    lay_out(f"{file} is sound", ("setting", "value"), rows)


def _flat(values: dict[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in values.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{before}{name}.")
        else:
            yield f"{before}{name}", value


@app.command()
def export(
    journal: Annotated[Path, typer.Argument(help="a table's journal")],
    recording: Annotated[Path, typer.Option("--out", help="the recording to write")],
    key: Annotated[Path, typer.Option(help="the table's key file")],
    *,
    everything: Annotated[
        bool, typer.Option("--everything", help="also the open Schlitten, whose cards are secret")
    ] = False,
    with_people: Annotated[
        bool, typer.Option("--people", help="also the list of people, with proofs of their PINs")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Write a journal's closed Schlitten as a recording, for replay and bug reports.

    Exit code 1 if no Schlitten is closed.
    """
    import os

    from table_controller.service.archive import Archive
    from table_controller.service.errors import NothingToExport
    from table_controller.service.recording import export as write
    from table_controller.service.sealing import load_keys
    from table_controller.wiring.games import game

    with contextlib.closing(Archive.read(journal, load_keys(key, os.environ))) as archive:
        played = game(archive.header.game)
        with mendable(NothingToExport, code=1):
            lines = write(archive, played, recording, everything=everything, people=with_people)
    facts = {"recording": str(recording), "lines": lines}
    answer(facts, f"{recording}: {lines} lines", as_json=as_json)


@app.command()
def verify(
    file: Annotated[Path, typer.Argument(help="a journal, a recording or a captured stream")],
    key: Annotated[Path | None, typer.Option(help="the table's key, for the inner chain")] = None,
    anchor: Annotated[
        list[Path] | None,
        typer.Option(help="a file COPY.anchor, which `backup` wrote; repeatable"),
    ] = None,
    stream_of: GameOption = "chemin-de-fer",
    as_json: JsonOption = False,
) -> None:
    """Check chains, promises, numbers and sums. Name the first row that is wrong."""
    import os

    from table_controller.service.sealing import load_keys
    from table_controller.service.verify import read_anchors
    from table_controller.service.verify import verify as check
    from table_controller.wiring.games import game

    keys = load_keys(key, os.environ) if key else None
    anchors = [one for path in anchor or () for one in read_anchors(path)]
    verdict = check(file, keys, anchors=anchors, sums=lambda name: game(name or stream_of).sums)
    facts = {"file": str(file), "holds": verdict.holds, "verdict": verdict}
    answer(facts, str(verdict), as_json=as_json)
    if not verdict.holds:
        raise typer.Exit(1)


@app.command()
def recall(
    journal: Annotated[Path, typer.Argument(help="a table's journal, or a recording")],
    count: Annotated[int, typer.Option("-n", min=1, help="how many coups")] = 10,
    as_json: JsonOption = False,
) -> None:
    """Show the last coups with all opened cards, including an interrupted coup."""
    from table_controller.commands.live import recalled

    _print(recalled(journal, count), str(journal), as_json=as_json)


@app.command()
def tableau(
    house: HouseOption = "zoppot-1934",
    as_json: JsonOption = False,
) -> None:
    """Print the tableau that a house has on its wall (ZX-2)."""
    from table_controller.wiring import config, games

    found = config.house(house)
    sheet = games.game(found.game).wall(found)
    _print(sheet, sheet.title, as_json=as_json)


def _print(sheet: Sheet, title: str, *, as_json: bool) -> None:
    """Print a sheet (a table of texts) for people, or as JSON for programs."""
    if as_json:
        for line in sheet.data:
            out(line)
        return
    lay_out(title, sheet.head, sheet.rows)
    if sheet.note:
        tell(sheet.note)


@app.command()
def rule(
    ids: Annotated[list[str], typer.Argument(help="such as Z-24 R-6, or words: white card")],
    as_json: JsonOption = False,
) -> None:
    """Print rules in our words, or find the rules that contain these words.

    A printed rule also says how the program treats it, and names its code and its tests.
    """
    from table_controller.rules import report
    from table_controller.rules.rulebook import UnknownRule

    with mendable(UnknownRule, code=1):
        found = () if any("-" in one for one in ids) else report.saying(ids)
        if not found and not any("-" in one for one in ids):
            fail(f"no rule contains {' '.join(ids)!r}: try one word, or an id such as Z-24", code=1)
        if as_json:
            text = report.as_json([each.id for each in found] or ids)
        elif found:
            many = "1 rule" if len(found) == 1 else f"{len(found)} rules"
            told = f"{many}; `schlitten rule {found[0].id}` prints the whole rule"
            text = f"{report.as_list(found, ids)}\n{told}"
        else:
            text = report.as_text(ids)
    sys.stdout.write(text.rstrip("\n") + "\n")


#: The purposes of the commands: the headings of `--help`, and the commands under each.
GROUPS = {
    "See it without hardware": ("demo", "practise", "simulate", "replay", "scenario", "film"),
    "Set a table up": (
        *("init", "install", "doctor", "check-config", "people", "board"),
        *("calibrate", "recognise", "enrol", "manifest", "labels"),
    ),
    "Run it": ("run", "update", "self-test", "backup", "restore"),
    "See what was played": ("evenings", "recall", "incident", "verify", "export"),
    "Look up a rule": ("rule", "tableau"),
    "Many tables": ("floor",),
}


def _grouped() -> None:
    """Put each command under its heading in `--help`, in the order of the headings."""
    heads = {name: head for head, names in GROUPS.items() for name in names}
    order = {name: place for place, name in enumerate(heads)}
    shown = [command for command in app.registered_commands if not command.hidden]
    for command in shown:
        command.name = command.name or command.callback.__name__  # type: ignore[union-attr]  # it has one
        command.rich_help_panel = heads[command.name]
    for group in app.registered_groups:
        group.rich_help_panel = heads[str(group.name)]
    app.registered_commands.sort(key=lambda command: order.get(str(command.name), len(order)))


_grouped()

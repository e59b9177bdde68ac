"""The commands about cards, labels, pictures and the board.

They print; other modules do the work.
"""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.progress import track

from table_controller.commands.output import JsonOption, answer, fail, mendable, out, tell, warn

if TYPE_CHECKING:
    from vision.faces.enrol import Enrolment

PortOption = Annotated[
    str, typer.Option(help="/dev/serial/by-path/…, `twin`, or `emulated` (the real firmware)")
]
#: Roughly the number of frames that show each card, for the progress bar.
_FRAMES = 18
SettingsOption = Annotated[Path, typer.Option("--config", help="the table's settings")]
LettersOption = Annotated[str, typer.Option(help="for ace, king, queen and jack: 'A K D B'")]
KeyOption = Annotated[Path, typer.Option(help="the shoe's key file, mode 0600")]


def register(app: typer.Typer) -> None:
    """Add these commands to the program."""
    for command in (manifest, labels, recognise, enrol, film, calibrate):
        app.command()(command)
    anything = {"ignore_unknown_options": True, "allow_extra_args": True}
    app.command("record", hidden=True, context_settings=anything)(renamed)
    app.add_typer(board, name="board")


def manifest(
    shoe: Annotated[str, typer.Argument(help="the shoe's name, e.g. blue-2")],
    file: Annotated[Path, typer.Option("--out", help="the manifest to write, mode 0600")],
    key: KeyOption,
    *,
    packs: Annotated[int, typer.Option(min=1, max=8)] = 6,
    pack: Annotated[int, typer.Option(help="cards of a pack: 52, or 32 from seven to ace")] = 52,
    new_key: Annotated[bool, typer.Option("--new-key", help="make the key file first")] = False,
    as_json: JsonOption = False,
) -> None:
    """Make a Schlitten's manifest: the card of each token.

    The same key and name always make the same manifest.
    """
    from vision import manifest as manifests

    with mendable(manifests.ManifestError):
        secret = manifests.new_key(key) if new_key else manifests.load_key(key)
        made = manifests.make(shoe, secret, packs, pack)
        manifests.save(made, file)
    held = {"packs": packs, "pack": pack, "cards": len(made.cards)}
    answer(
        {"shoe": shoe, **held, "manifest": str(file)},
        f"{file}: {len(made.cards)} cards and the white card. Keep {file} and {key} secret.",
        as_json=as_json,
    )


def labels(
    file: Annotated[Path, typer.Argument(help="a manifest (see `manifest`)")],
    sheets: Annotated[Path, typer.Option("--out", help="the PDF to write, mode 0600")],
    *,
    kind: Annotated[str, typer.Option(help="qr, or code128 for the barcode module")] = "qr",
    deck: Annotated[str, typer.Option(help="a name to print at the top")] = "",
    as_json: JsonOption = False,
) -> None:
    """Print a Schlitten's labels on A4 sticker sheets.

    Stick them on the cards' FACES, never on their backs.
    """
    from table_controller.service import output
    from vision import labels as printing
    from vision import manifest as manifests

    kinds = [member.value for member in printing.Symbology]
    if kind not in kinds:
        fail(f"no label is called {kind!r}: there are {', '.join(kinds)}")
    output.spare(sheets)
    with mendable(manifests.ManifestError):
        read = manifests.load(file)
        try:
            count = printing.write_sheets(read, sheets, kind=printing.Symbology(kind), deck=deck)
        except OSError as error:
            fail(f"cannot write {sheets}: {error.strerror}; name a file in a folder that exists")
    answer(
        {"labels": len(read.entries), "sheets": count, "file": str(sheets)},
        f"{sheets}: {len(read.entries)} labels on {count} sheets. Print at 100 %, stick each "
        "on its card's face where the drawing shows it.",
        as_json=as_json,
    )


def recognise(
    paths: Annotated[list[Path], typer.Argument(help="pictures, or folders of them")],
    *,
    deck: Annotated[Path | None, typer.Option(help="the deck's file (see `enrol`)")] = None,
    letters: LettersOption = "A K Q J",
    as_json: JsonOption = False,
) -> None:
    """Name the cards in pictures, or say why that fails. Exit code 1 if a file is no picture.

    A letter that the deck does not have is reported. If your cards have other letters, name them
    with `--letters`.
    """
    from vision.faces import recognise as faces
    from vision.faces.enrolled import DeckError, load
    from vision.faces.letters import parse
    from vision.faces.read import NET, CornerReader

    with mendable(DeckError, ValueError):
        reader = CornerReader(deck=load(deck, NET) if deck else None, alphabet=parse(letters))
    failed = 0
    for line in faces.lines(paths, reader):
        failed |= faces.exit_code([line])
        if as_json:
            out(line)
        elif "error" in line:
            warn(str(line["error"]))
        else:
            tell(f"{line['file']}: {_cards(line['cards'])}")
    raise typer.Exit(failed)


def _cards(cards: Any) -> str:
    named = [card["card"] or f"? ({_reason(**card)})" for card in cards]
    return ", ".join(named) or "no card"


def _reason(reason: str, letter: str | None, **_rest: object) -> str:
    return f"{reason}: {letter}" if letter else reason


def enrol(
    name: Annotated[str, typer.Argument(help="the deck's name, such as kitchen-red")],
    folder: Annotated[
        Path,
        typer.Argument(metavar="PICTURES", help="a folder of pictures, named by card: 7h-1.png …"),
    ],
    *,
    file: Annotated[
        Path | None, typer.Option("--out", help="the deck's file; by default NAME.deck")
    ] = None,
    letters: LettersOption = "A K Q J",
    as_json: JsonOption = False,
) -> None:
    """Learn the faces of your own deck from pictures, and show how well they are read then.

    No deck's file is written, and the exit code is 1, if fewer cards are read than before, or if a
    card is read as another card.

    Take 6 pictures of each of the 52 cards, one whole card to a picture, on a plain dark
    background. Move and turn the card a little between pictures, under the light and camera that
    will read it. Half of the pictures are not learnt from, but used to measure the reading.
    """
    from table_controller.service import output
    from vision.faces import enrol as enrolling
    from vision.faces.enrolled import DeckError, save
    from vision.faces.letters import parse
    from vision.faces.read import CornerReader
    from vision.faces.recognise import BadPicture, load

    with mendable(ValueError):
        file, reader = file or Path(f"{name}.deck"), CornerReader(alphabet=parse(letters))
    output.spare(file)
    looks, left_out = list[enrolling.Look](), list[str]()
    with mendable(DeckError):
        wanted = track(
            enrolling.files(folder), "looking at the cards", console=Console(stderr=True)
        )
        for path, card in wanted:
            try:
                looks += enrolling.looks(path, card, load(path), reader)
            except (BadPicture, enrolling.NoCard) as error:
                left_out.append(str(path))
                warn(f"left out: {error}")
        done = enrolling.enrol(name, looks, reader)
        if done.pays:
            save(done.deck, file)
    _tell_enrolment(done, file, left_out, as_json=as_json)


def _tell_enrolment(done: Enrolment, file: Path, left_out: list[str], *, as_json: bool) -> None:
    """Print the figures, and whether the deck's file was written. Exit with 1 if it was not."""
    misread = [str(path) for path in done.misread]
    before, after = done.before._asdict(), done.after._asdict()
    if as_json:
        told = {"deck": done.deck.name, "taught": done.taught, "before": before, "after": after}
        told |= {"letters": str(done.deck.alphabet), "bears": done.bears}
        out({**told, "misread": misread, "left_out": left_out, "written": done.pays})
    else:
        tell(f"{done.taught} looks taught the deck; {sum(done.before)} others test the reading:")
        for when, score in (("before", before), ("after", after)):
            tell(f"{when:7}" + "   ".join(f"{how} {count}" for how, count in score.items()))
    if other := done.strange:
        warn(
            f"the pictures seem to show the letters {other}, not {done.deck.alphabet}: if so, use "
            f"--letters '{other}'"
        )
    if misread:
        fail(
            f"no deck is written, because these are read as other cards: {', '.join(misread)}. "
            "Check that each shows the card in its name, or take new pictures.",
            1,
        )
    if not done.pays:
        fail(
            "no deck is written, because it would be read worse. Use no deck, or sharper pictures.",
            1,
        )
    if not as_json:
        tell(f'{file} is written. In the settings: [shoe] deck = "{file}"')


def renamed() -> None:
    """Do what `film` does. Until November 2026 `film` had this name."""
    fail(
        "`record` is called `film` now: schlitten film --out FILE. A table is recorded by "
        "`schlitten run --record`."
    )


def film(
    written: Annotated[Path, typer.Option("--out", help="the camera recording to write")],
    *,
    house: Annotated[str, typer.Option(help="the house of the packs: shipped, or a house file")] = (
        "zoppot-1934"
    ),
    seed: Annotated[int, typer.Option(help="the same seed draws the same film")] = 1,
    as_json: JsonOption = False,
) -> None:
    """Draw a camera recording of a whole Schlitten, as the demo's lip camera would film it.

    No camera is used. `schlitten demo --film` plays it.
    """
    from table_controller.commands import demo
    from table_controller.wiring import config
    from vision.recording import FilmError

    with mendable(FilmError):
        named = config.house(house)
        total = _FRAMES * named.packs * named.pack
        bar = Console(stderr=True)
        frames = demo.film(written, named, seed)
        done = track(frames, "filming a Schlitten", total=total, console=bar)
        count = max(done, default=0)
    facts = {"film": str(written), "frames": count}
    answer(facts, f"{written}: {count} frames", as_json=as_json)


def calibrate(
    pictures: Annotated[
        list[Path] | None,
        typer.Argument(help="the empty lip, then a labelled card in it; none: a page"),
    ] = None,
    *,
    settings: SettingsOption = Path("/etc/schlitten/table.toml"),
    as_json: JsonOption = False,
) -> None:
    """Measure a lip's scale and light, and advise changes. Use a page, or two pictures.

    The page is served in a service mode, so no game can run meanwhile.
    """
    if not pictures:
        from table_controller.commands.running import until_stopped
        from table_controller.wiring import config
        from table_controller.wiring.shoe import technician

        until_stopped(technician.serve_lip(config.load(settings), warn))
        return
    if len(pictures) != 2:
        fail("two pictures are needed: the empty lip, and a labelled card resting in it")
    from vision import calibrate as measuring
    from vision.faces.recognise import BadPicture, load

    with mendable(measuring.CalibrationError, BadPicture, code=1):
        empty, resting = (load(path).max(axis=2) for path in pictures)
        found = measuring.measure(empty, resting)
    lip = found.lip
    known = {"px_per_mm": lip.px_per_mm, "paper_level": lip.paper_level}
    scale = f"{lip.px_per_mm} px/mm, paper from grey level {lip.paper_level}"
    advice = "\n".join(found.advice) or "All is as planned."
    answer(
        {**known, "turned_deg": found.turned_deg, "advice": found.advice},
        f"{scale}, turned {found.turned_deg}°\n{advice}",
        as_json=as_json,
    )


board = typer.Typer(help="Look at, try out, time or flash the table board.", no_args_is_help=True)


@board.command("show")
def board_show(port: PortOption = "", *, as_json: JsonOption = False) -> None:
    """Connect to a board and print how it describes itself. Without a port, list the boards."""
    from hardware import board_tool

    if not port:
        ports = board_tool.find()
        none = "No serial port was found. Is the board plugged in?"
        answer({"ports": ports}, "\n".join(ports) or none, as_json=as_json)
        return
    with mendable(board_tool.BoardToolError, code=1):
        look = board_tool.show(port)
    known = look.status.board
    up = known.time_us / 1e6 if known else 0
    cause, lamps = look.met.cause.name.lower(), look.met.lamps.name
    answer(
        {"port": port, "cause": cause, "lamps": lamps},
        f"{port}: {lamps} lamps, up {up:.1f} s, {cause}",
        as_json=as_json,
    )


@board.command("test")
def board_test(
    port: PortOption,
    *,
    build: Annotated[str, typer.Option(help="modules or board: names the parts to measure")] = "",
    report: Annotated[
        Path | None, typer.Option(help="ask what you saw, and keep the answers in this file")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Show every lamp, colour, rhythm and digit in turn. Print the signals of buttons and sensors.

    With --build, the command names the part and the place to measure for each input that gave no
    signal. With --report it asks "did you see it?". Exit code 1 if you did not see everything.
    """
    from hardware import board_tool, measure
    from table_controller.commands.board_report import Answers

    with Answers(port, report) if report else nullcontext() as seen:

        def say(sentence: str) -> None:
            answer({"seen": sentence}, sentence, as_json=as_json)
            if seen:
                seen.told(sentence)

        with mendable(board_tool.BoardToolError, code=1):
            count = board_tool.try_out(port, say, ask=seen.ask if seen else None, build=build)
        answer({"pictures": count}, f"{count} pictures shown and acknowledged", as_json=as_json)
        missed = seen.close() if seen else []
    if missed:
        for what in missed:
            if build and (where := measure.unseen(build, what)):
                warn(f"not seen: {what}. Look at {where}")
        fail(f"not seen: {', '.join(missed)}. The answers are in {report}", 1)


@board.command("time")
def board_time(port: PortOption, *, as_json: JsonOption = False) -> None:
    """Measure how long the board takes to acknowledge a picture."""
    from hardware import board_tool

    with mendable(board_tool.BoardToolError, code=1):
        timing = board_tool.time_board(port)
    answer(
        {"count": timing.count, "p50_ms": timing.p50_ms, "p99_ms": timing.p99_ms},
        f"{timing.count} pictures: p50 {timing.p50_ms:.2f} ms, p99 {timing.p99_ms:.2f} ms",
        as_json=as_json,
    )


@board.command("flash")
def board_flash(
    port: PortOption,
    *,
    lamps: Annotated[str, typer.Option(help="hc595 or apa102")] = "hc595",
    baud: Annotated[int, typer.Option(help="57600 for old boot loaders")] = 115_200,
    as_json: JsonOption = False,
) -> None:
    """Write the shipped firmware to a board with avrdude. No compiler is needed."""
    from hardware import board_tool

    with mendable(board_tool.BoardToolError, code=1):
        said = board_tool.flash(port, lamps=lamps, baud=baud)
    answer({"port": port, "lamps": lamps, "avrdude": said}, said, as_json=as_json)

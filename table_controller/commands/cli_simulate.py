"""The commands that play evenings with simulated people, and let a person practise."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from table_controller.commands.output import JsonOption, answer, fail, out, progress, tell, warn

if TYPE_CHECKING:
    from table_controller.commands.simulated.faults import Ordered
    from table_controller.commands.simulated.many import EveningOrder, Judged
    from table_controller.rules.houses import House


def register(app: typer.Typer) -> None:
    """Add these commands to the program."""
    app.command()(simulate)
    app.command()(practise)


def practise(
    *,
    house: Annotated[
        str, typer.Option("--house", help="a shipped house, or a house file")
    ] = "zoppot-1934",
    by_hand: Annotated[bool, typer.Option("--by-hand", help="you type the cards")] = False,
    seed: Annotated[int, typer.Option(help="another number deals other cards")] = 1,
    page_port: Annotated[int, typer.Option(min=0, max=65535, help="0: any free port")] = 8080,
) -> None:
    """Practise as the croupier. Cards come by themselves; a word typed here makes a fault.

    Board, camera and cards are simulated, and nothing is kept.
    """
    from table_controller.commands.practice import run_practice
    from table_controller.commands.running import until_stopped
    from table_controller.wiring import config

    with tempfile.TemporaryDirectory(prefix="schlitten-") as folder:
        until_stopped(
            run_practice(
                Path(folder),
                config.house(house),
                page_port=page_port,
                seed=seed,
                by_hand=by_hand,
                say=tell,
            )
        )


def simulate(
    *,
    recording: Annotated[
        Path | None, typer.Option("--out", help="write one evening as a recording")
    ] = None,
    game: Annotated[str, typer.Option("--game", help="the game, such as punto-banco")] = "",
    house: Annotated[
        str, typer.Option("--house", help="a shipped house, or a house file")
    ] = "zoppot-1934",
    seed: Annotated[int, typer.Option(help="the same seed plays the same evening")] = 1,
    coups: Annotated[int, typer.Option(min=1, help="how many coups to play")] = 50,
    faults: Annotated[
        str, typer.Option(help="a file of faults, or random; with --out a list of rates")
    ] = "",
    evenings: Annotated[
        int,
        typer.Option("--evenings", "--seeds", min=1, help="how many evenings, from this seed on"),
    ] = 1,
    jobs: Annotated[int, typer.Option(min=1, help="how many evenings at the same time")] = 1,
    temper: Annotated[str, typer.Option(help="how people play; an unknown word lists all")] = "",
    cards: Annotated[
        Path | None, typer.Option(help="deal the cards of this CSV or recording")
    ] = None,
    board: Annotated[str, typer.Option(help="twin, or emulated")] = "twin",
    as_json: JsonOption = False,
) -> None:
    """Play evenings with simulated people at a whole table. Check each by the cards dealt.

    Exit code 1 if an evening has a fault. With --out alone the engine plays one evening at full
    speed, and its inputs and events are written as a recording.
    """
    from table_controller.wiring import config, games

    if game:
        games.game(game)
    played = config.house(house, game)
    by_time = faults == "random" or faults.endswith(".toml") or Path(faults or "-").is_file()
    if recording and not (by_time or cards or temper):
        _record(recording, played, (seed, coups), faults, as_json=as_json)
        return
    if board not in ("twin", "emulated"):
        raise typer.BadParameter(f"--board {board!r}: want twin or emulated")
    if recording and evenings > 1:
        raise typer.BadParameter("--out writes one evening: leave --evenings out")
    ordered = _ordered(faults if by_time else "", temper)
    if faults and not by_time:
        _rates(faults, played)
    order = _order(
        played, (seed, coups, board), ordered, cards, recording, by_chance=faults == "random"
    )
    _judge(order, evenings, jobs, as_json=as_json)


def _record(
    recording: Path, house: House, how: tuple[int, int], faults: str, *, as_json: bool
) -> None:
    from table_controller.commands.simulate import record

    seed, coups = how
    summary = record(recording, house, seed=seed, coups=coups, faults=faults)
    sentence = (
        f"{recording}: {summary['coups']} coups, {summary['inputs']} inputs, "
        f"{summary['events']} events ({summary['sealed']} sealed), "
        f"{summary['schlitten']} Schlitten"
    )
    answer(summary, sentence, as_json=as_json)


def _rates(faults: str, house: House) -> None:
    """Raise an error for rates of faults at a whole table: only `--out` alone can use rates.

    If a rate is unknown, the error names the rate. Otherwise the error names the option `--out`.
    """
    from table_controller.commands.simulate import read_faults
    from table_controller.wiring.games import game

    read_faults(faults, game(house.game))
    raise typer.BadParameter(
        f"--faults {faults!r} are rates, which only a recording can have: name the recording with "
        "--out. At a whole table, name a file of faults that ends in .toml, or say random."
    )


def _ordered(faults: str, temper: str) -> Ordered:
    from dataclasses import replace

    from table_controller.commands.simulated.faults import Ordered, read
    from table_controller.engine.players import TEMPERS

    ordered = read(Path(faults)) if faults not in ("", "random") else Ordered()
    if temper and temper not in TEMPERS:
        raise typer.BadParameter(f"--temper {temper!r}: want one of {', '.join(TEMPERS)}")
    return replace(ordered, temper=temper or ordered.temper)


def _order(
    house: House,
    how: tuple[int, int, str],
    ordered: Ordered,
    cards: Path | None,
    recording: Path | None,
    *,
    by_chance: bool,
) -> EveningOrder:
    from table_controller.commands.simulated.cards import stream
    from table_controller.commands.simulated.many import EveningOrder

    seed, coups, board = how
    return EveningOrder(
        house=house,
        seed=seed,
        coups=coups,
        ordered=ordered,
        random=by_chance,
        stream=stream(cards, house) if cards else None,
        board=board,
        written=recording,
    )


def _judge(order: EveningOrder, evenings: int, jobs: int, *, as_json: bool) -> None:
    """Play the ordered evening with `evenings` seeds, and print the result.

    Exit code 1 if an evening differs from the expectations.
    """
    from dataclasses import replace

    from table_controller.commands.simulated.many import play_all

    orders = [replace(order, seed=order.seed + number) for number in range(evenings)]
    played = f"{evenings} evening{'s' * (evenings != 1)}"
    wrong, totals, kinds = 0, {"inputs": 0, "coups": 0, "events": 0, "faults": 0}, set()
    with progress(f"{played} at {order.house.id}") as heard:
        for one in play_all(orders, jobs=jobs, heard=heard):
            wrong += bool(one.differences)
            kinds |= set(one.names)
            totals["inputs"] += one.inputs
            totals["coups"] += one.coups
            totals["events"] += one.events
            totals["faults"] += len(one.faults)
            if as_json:
                out(_facts(one))
            for line in _sentences(one):
                (warn if as_json else tell)(line)
    facts = {"evenings": evenings, "differ": wrong, **totals, "kinds": sorted(kinds)}
    if as_json:
        out(facts)
    if wrong:
        fail(f"{wrong} of {played} not as expected", 1)
    if not as_json:
        tell(
            f"{played} at {order.house.id}: {totals['coups']} coups, {totals['inputs']} "
            f"inputs, {totals['events']} events, {totals['faults']} faults; all as expected."
        )


def _sentences(one: Judged) -> Iterator[str]:
    for difference in one.differences:
        yield f"{one.house}, seed {one.seed}: {difference}"
    if one.differences and one.faults:
        yield f"  its faults: {'; '.join(one.faults)}"


def _facts(one: Judged) -> dict[str, Any]:
    from msgspec import to_builtins

    facts: dict[str, Any] = to_builtins(one)
    return facts

"""Slips in the code for lamps, digits, tones and inputs. The scenarios by hand must notice each.

The slips are data in `hardware.toml`. A slip has a description, a file, a text that is in the file
once, and the text's replacement. It also names the board on which it shows, and the scenario to run
first. If that scenario passes, the whole library of scenarios is run.
"""

from __future__ import annotations

import signal
import tomllib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from workshop.mutation import killer
from workshop.mutation.by_hand import judged, spoiled
from workshop.mutation.killer import Job, Verdict
from workshop.mutation.mutations import Mutation

_DATA = Path(__file__).with_suffix(".toml")
_LONGEST_S = 120  # any scenario, on a busy machine


def mutants() -> list[Mutation]:
    """All slips in `hardware.toml`. Their `tests` are the board and the scenario run first."""
    kept = tomllib.loads(_DATA.read_text("utf-8"))["mutant"]
    return [
        Mutation(one["what"], one["file"], one["old"], one["new"], (one["board"], one["by"]))
        for one in kept
    ]


def tried(
    chosen: list[Mutation],
    told: Callable[[str, int], None] = lambda *_: None,
    root: Path = killer.ROOT,
) -> Iterator[tuple[str, Verdict]]:
    """Try each slip. Yield its name and its verdict.

    Raises RedTests if one of the scenarios fails without any slip.
    """
    asked: dict[str, set[str]] = {}
    for mutant in chosen:
        board, first = mutant.tests
        asked.setdefault(board, set()).add(first)
    as_they_are = [
        Job(board, partial(_work, board, tuple(sorted(names)), all_=False))
        for board, names in asked.items()
    ]
    return judged(as_they_are, [_job(mutant, root) for mutant in chosen], told, root)


def _job(mutant: Mutation, root: Path) -> Job:
    text = spoiled((root / mutant.file).read_text("utf-8"), mutant)
    board, first = mutant.tests
    return Job(mutant.rule, partial(_work, board, (first,), all_=True), mutant.file, text)


def _work(board: str, first: tuple[str, ...], *, all_: bool) -> int:
    """Play the scenarios `first` and, if `all_` is set, then all others, until one fails.

    Return pytest's exit code.
    """
    from hardware.emulator import EmulatorError, ToolsMissing, built
    from table_controller.commands.hil.rehearse import Playing, play
    from table_controller.commands.hil.scenarios import load

    folder = Path("hardware/scenarios")
    if board != "twin":
        try:
            built("all")
        except ToolsMissing:
            raise
        except EmulatorError as error:
            print(error)
            return killer.STILLBORN
    others = sorted(path.stem for path in folder.glob("*.scenario")) if all_ else []
    for name in dict.fromkeys((*first, *others)):
        signal.alarm(_LONGEST_S)
        verdict = play(*load(folder / f"{name}.scenario"), Playing(board=board))
        if not verdict.holds:
            print(verdict)
            return pytest.ExitCode.TESTS_FAILED
    return pytest.ExitCode.OK

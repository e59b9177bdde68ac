"""Puts one mistake at a time into a copy of the project, and checks that a test notices.

Such a mistake, as small as a slip of the pen, is called a slip. `python -m workshop.mutation
[WORD ...]` tries the slips written by hand: all of them, or those whose rule or file contains a
WORD. `--sample 6 [--seed S]` tries that many of them, quick ones. `--random 400 [--seed S] [--part
engine]` tries that many random slips. The program prints one line for each, and exits with 1 if no
test noticed one of them. The project itself is never touched.
"""

from __future__ import annotations

import argparse
import random
import sys
import time

from workshop.mutation import at_random, by_hand
from workshop.mutation.chosen import PARTS
from workshop.mutation.covered import RedTests
from workshop.mutation.killer import Verdict
from workshop.mutation.mutations import MUTATIONS, SQUARES, Mutation


def main(words: list[str] | None = None) -> int:
    """Try the slips that the command line asks for. Return the exit code."""
    options = argparse.ArgumentParser(prog="python -m workshop.mutation", description=__doc__)
    options.add_argument(
        "word", nargs="*", help="only written slips with this word in rule or file"
    )
    options.add_argument(
        "--random", type=int, default=0, metavar="COUNT", help="this many random slips"
    )
    options.add_argument(
        "--sample", type=int, default=0, metavar="COUNT", help="this many of the written slips"
    )
    options.add_argument("--seed", type=int, default=1, help="the seed of the random slips")
    options.add_argument("--part", choices=PARTS, action="append", help="run only this part")
    asked = options.parse_args(words)
    begun = time.monotonic()
    try:
        if asked.random:
            of, survived = _by_chance(asked.random, asked.seed, tuple(asked.part or PARTS))
        else:
            of, survived = _by_hand(_named(asked.word), asked.sample, asked.seed)
    except RedTests as red:
        print(red)
        return 1
    print(f"{of} tried, {survived} survived, {time.monotonic() - begun:.0f} s")
    return 1 if survived or not of else 0


def _named(words: list[str]) -> list[Mutation]:
    return [m for m in MUTATIONS if not words or any(w in f"{m.rule} {m.file}" for w in words)]


def _by_hand(chosen: list[Mutation], sample: int, seed: int) -> tuple[int, int]:
    if sample:
        quick = [mutation for mutation in chosen if mutation in SQUARES]
        chosen = random.Random(seed).sample(quick, min(sample, len(quick)))
    verdicts = []
    for slip, verdict in by_hand.tried(chosen):
        print(f"{verdict:8} {slip}", flush=True)
        verdicts.append(verdict)
    return len(chosen), verdicts.count(Verdict.SURVIVED)


def _by_chance(count: int, seed: int, parts: tuple[str, ...]) -> tuple[int, int]:
    outcomes = []
    for outcome in at_random.tried(count, seed, parts):
        print(outcome, flush=True)
        outcomes.append(outcome)
    counted = [outcome for outcome in outcomes if outcome.counts]
    return len(counted), sum(outcome.survived for outcome in counted)


if __name__ == "__main__":
    sys.exit(main())

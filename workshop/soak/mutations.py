"""Slips by hand and by chance, which the tests must notice. All are seeded.

A slip is a small mistake put into the code. All slips by hand must be noticed, and at least 95 in
100 of the random ones. A slip that no test noticed is shown with a person's judgement of it
(`workshop/mutation/judged.toml`).
"""

from __future__ import annotations

import random
from collections import Counter

from rich.console import Console
from rich.progress import Progress

from workshop.mutation import at_random, by_hand
from workshop.mutation.at_random import Outcome
from workshop.mutation.chosen import PARTS
from workshop.mutation.killer import Verdict
from workshop.mutation.mutations import MUTATIONS
from workshop.mutation.slip import KINDS

Row = tuple[str, str]
_BY_CHANCE = 400
_LEAST = 0.95


def run(share: float, seed: int = 1) -> list[Row]:
    """Run a share of the whole. 1.0 takes about an hour on two cores."""
    found = [_by_hand(max(2, round(len(MUTATIONS) * share)), seed)]
    outcomes = _by_chance(max(len(PARTS), round(_BY_CHANCE * share)), seed)
    found += rows(outcomes, seed)
    counted = [outcome for outcome in outcomes if outcome.counts]
    noticed = sum(not outcome.survived for outcome in counted)
    unseen = "\n".join(str(outcome) for outcome in counted if outcome.survived)
    assert noticed >= _LEAST * len(counted), f"{noticed} of {len(counted)} killed:\n{unseen}"
    return found


def _by_hand(count: int, seed: int) -> Row:
    chosen = random.Random(seed).sample(MUTATIONS, count)
    with Progress(console=Console(stderr=True)) as bar:
        task = bar.add_task("slips by hand", total=count)
        ended = list(by_hand.tried(chosen, lambda _, tried: bar.advance(task, tried)))
    survivors = [slip for slip, verdict in ended if verdict == Verdict.SURVIVED]
    assert not survivors, "survived: " + "; ".join(survivors)
    return "slips by hand", f"{count} of {count} killed"


def _by_chance(count: int, seed: int) -> list[Outcome]:
    with Progress(console=Console(stderr=True)) as bar:
        task = bar.add_task("slips by chance", total=count)

        def told(what: str, tried: int) -> None:
            bar.update(task, advance=tried, description=f"slips by chance, {what}")

        outcomes = []
        for outcome in at_random.tried(count, seed, told=told):
            told(outcome.part, 1)
            outcomes.append(outcome)
    return outcomes


def rows(outcomes: list[Outcome], seed: int) -> list[Row]:
    """Rows for all slips, each part, each kind, and every slip that was not noticed."""
    found = [(f"slips by chance, seed {seed}", _summed(outcomes))]
    found += [(f"… {name}", _summed([o for o in outcomes if o.part == name])) for name in PARTS]
    found += [
        (f"… {kind}", _summed([o for o in outcomes if o.slip.kind == kind])) for kind in KINDS
    ]
    order = sorted(outcomes, key=lambda one: (one.slip.file, one.slip.first))
    return found + [_survivor(one) for one in order if one.survived]


def _summed(outcomes: list[Outcome]) -> str:
    came = Counter(str(one.verdict) if one.counts else "equivalent" for one in outcomes)
    counted = [one for one in outcomes if one.counts]
    noticed = sum(not one.survived for one in counted)
    share = f"{100 * noticed / len(counted):.1f} % killed" if counted else "none counts"
    parts = f"{came['killed']} killed, {came['hung']} hung, {came['SURVIVED']} survived"
    return f"{len(outcomes)}: {parts}, {came['equivalent']} shown equivalent; {share}"


def _survivor(one: Outcome) -> Row:
    most_s = at_random.MOST_OF_C_S if one.part == "firmware" else at_random.MOST_S
    cap = f", capped at {most_s:.0f} s of tests" if one.capped else ""
    what = "equivalent" if not one.counts else "survived"
    why = one.judgement.why if one.judgement else "not yet judged"
    place = f"{what}: {one.slip.file}:{one.slip.first}, {one.slip.kind}"
    change = f"`{one.old}` becomes `{one.new}` ({one.tests} tests{cap}). {why}"
    return place, change.replace("|", r"\|")

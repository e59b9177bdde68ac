"""The slips written by hand. Each still fits its place, and a few of them are tried each time."""

import random
import subprocess
import sys
from pathlib import Path

import pytest

from table_controller.testing.plugin import LIBRARY
from workshop.mutation import hardware
from workshop.mutation.by_hand import spoiled
from workshop.mutation.killer import Verdict
from workshop.mutation.mutations import MUTATIONS, Mutation

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda m: f"{m.rule}-{m.file}")
def test_the_mutation_still_applies(mutation):
    """Its text is in its file exactly once, changes it, and leaves Python behind."""
    text = (ROOT / mutation.file).read_text()

    changed = spoiled(text, mutation)
    assert changed != text
    compile(changed, mutation.file, "exec")


def test_a_mutation_that_no_longer_fits_is_named():
    """The error names rule, text and file."""
    with pytest.raises(ValueError, match="is 0 times in here") as error:
        spoiled("some text", Mutation("Z-1", "here.py", "other text", ""))

    assert "Z-1" in str(error.value)


def test_a_sample_of_them_is_noticed():
    """Others each time; as all of them are (`scripts/soak`), a survivor is a test gone blind."""
    seed = random.SystemRandom().randrange(1_000_000)

    call = [sys.executable, "-m", "workshop.mutation", "--sample", "4", "--seed", str(seed)]
    done = subprocess.run(call, cwd=ROOT, capture_output=True, text=True, check=False)

    assert done.returncode == 0, f"{' '.join(call[1:])}\n{done.stdout}{done.stderr[-2000:]}"
    assert "4 tried, 0 survived" in done.stdout


@pytest.mark.parametrize("mutant", hardware.mutants(), ids=lambda m: m.rule)
def test_the_slip_in_the_hardware_still_applies(mutant):
    """Its text is in its file exactly once; it names a board and a scenario of the library."""
    board, first = mutant.tests

    assert spoiled((ROOT / mutant.file).read_text(), mutant)
    assert board in ("twin", "emulated", "emulated-apa102")
    assert (LIBRARY / f"{first}.scenario").is_file()


def test_a_sample_of_those_in_the_hardware_is_noticed():
    """By a scenario, in a copy; `scripts/soak` tries all, those of the firmware too."""
    seed = random.SystemRandom().randrange(1_000_000)
    of_python = [one for one in hardware.mutants() if one.tests[0] == "twin"]
    chosen = random.Random(seed).sample(of_python, 4)

    ended = dict(hardware.tried(chosen))

    assert len(hardware.mutants()) >= 60
    assert ended == dict.fromkeys((one.rule for one in chosen), Verdict.KILLED), seed


def test_every_square_of_the_tableau_is_among_them():
    """ZX-2: eight rows, eleven columns."""
    assert len({m.new for m in MUTATIONS if m.rule.startswith("ZX-2 row")}) == 88
    assert len(MUTATIONS) > 88  # and those that tell a closed card

"""Slips by chance in a small project: drawn by the seed, each tried, the project untouched."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest

from workshop.mutation.chosen import (
    JUDGED,
    PARTS,
    drawn,
    files_of,
    judged,
    lines_of,
    slips_of,
    spread,
)
from workshop.mutation.covered import Covered
from workshop.mutation.mutations import MUTATIONS
from workshop.mutation.slip import KINDS, nth

ROOT = Path(__file__).parents[2]
HELD = """LEAST = 8
TOP = (9,)[LEAST - 8]


def natural(points):
    if points >= LEAST:
        return True
    return False
"""
TESTS = """from table_controller.rules.held import natural


def test_eight_is_and_seven_is_not():
    assert natural(8)
    assert not natural(7)


def test_at_the_table(tmp_path):
    from table_controller.rules.loose import told

    assert told(3) is None
"""
LOOSE = """def told(points):
    if points > 9:
        raise ValueError(points)
"""
LATE = """from pathlib import Path


def test_late():
    first, late = not Path("late").exists(), Path("late").touch()
    assert not first, late
"""
TRY = """
from pathlib import Path
from workshop.mutation import at_random, covered
at_random.SUITES = SUITES
try:
    for one in at_random.tried(COUNT, 1, ("rules",), root=Path(PROJECT)):
        print(one.verdict, one.slip.kind, one.old, one.new, sep="|")
except covered.RedTests as red:
    print(red)
"""


@pytest.fixture
def project(tmp_path):
    """Two modules, one of them held by its tests."""
    root = tmp_path / "project"
    for name, text in {
        "table_controller/__init__.py": "",
        "table_controller/rules/__init__.py": "",
        "table_controller/testing/__init__.py": "",
        "table_controller/testing/plugin.py": "",  # the installed one's name; pytest loads it
        "table_controller/rules/held.py": HELD,
        "table_controller/rules/loose.py": LOOSE,
        "tests/rules/test_held.py": TESTS,
        "pyproject.toml": (ROOT / "pyproject.toml").read_text(),
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


def tried(project, count):
    """What a process of its own says of so many slips in the project."""
    suites = tuple(f"tests/{folder.name}" for folder in (project / "tests").iterdir())
    script = TRY.replace("COUNT", str(count)).replace("PROJECT", repr(str(project)))
    script = script.replace("= SUITES", f"= {suites}")
    environment = os.environ | {"TMPDIR": str(project.parent), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_what_is_held_is_killed_and_what_is_not_survives(project):
    """The project itself is as it was, to the byte."""
    before = {file: file.read_bytes() for file in project.rglob("*") if file.is_file()}

    said = tried(project, 60)

    verdicts = {line.split("|", 1)[1]: line.split("|")[0] for line in said}
    assert verdicts["comparison|if points >= LEAST:|if points > LEAST:"] == "killed"
    assert verdicts["constant|LEAST = 8|LEAST = 7"] == "killed"
    assert "constant|LEAST = 8|LEAST = 9" not in verdicts  # it cannot even be imported
    # None is as false as False
    assert verdicts["early return|return False|return / return False"] == "SURVIVED"
    assert verdicts["comparison|if points > 9:|if points >= 9:"] == "SURVIVED"
    assert verdicts["removed|raise ValueError(points)|pass"] == "SURVIVED"  # no test runs it
    assert before == {file: file.read_bytes() for file in project.rglob("*") if file.is_file()}


def test_a_run_goes_on_where_the_last_one_ended(project):
    """What was tried is told from what was kept; only what is new is run, and added."""
    first = tried(project, 6)
    (kept,) = project.parent.glob("covered-*/tried.jsonl")
    lines = kept.read_text().splitlines(keepends=True)
    kept.write_text("".join(lines).replace("killed", "KEPT"))

    again = tried(project, 9)

    assert sorted(again[:6]) == sorted(line.replace("killed", "KEPT") for line in first)
    assert len(again) == 9
    assert not [line for line in again[6:] if line.startswith("KEPT")]
    assert kept.read_text().count("\n") > len(lines)


def test_nothing_is_tried_where_the_tests_are_red(project):
    file = project / "tests/rules/test_held.py"
    file.write_text(file.read_text() + "\n\ndef test_red():\n    assert natural(7)\n")

    said = tried(project, 5)

    assert said[0].startswith("the tests fail as they are: tests/rules")
    assert "RED: tests/rules/test_held.py::test_red" in said
    assert not [line for line in said if line.startswith(("killed", "SURVIVED"))]


def test_whoever_waits_for_other_programs_is_asked_twice(project):
    """A test that is red by chance alone stops nothing, and kills nothing."""
    file = project / "tests/whole/test_late.py"
    file.parent.mkdir()
    file.write_text(LATE)

    said = tried(project, 3)

    assert len(said) == 3


@pytest.mark.parametrize("part", PARTS)
def test_the_seed_decides_what_is_drawn(part):
    """The same seed draws the same, another something else; every kind is among eighty."""
    one, again, other = (list(islice(drawn(part, seed), 80)) for seed in (5, 5, 6))

    assert one == again != other
    of_python = {"swapped", "early return", "operand", "field", "keyword"}
    kinds = set(KINDS) - {"firmware": of_python, "firmware_bridge": {"keyword"}}.get(part, set())
    assert {slip.kind for slip in one} == kinds
    for slip in one:
        text = (ROOT / slip.file).read_text()
        assert slip.made(text) != text


def test_every_part_has_its_share_and_small_ones_not_too_few():
    given = spread(400, {part: lines_of(part) for part in PARTS})

    assert sum(given.values()) == 400
    assert min(given.values()) >= 25
    assert max(given, key=given.__getitem__) == "engine"


@pytest.mark.parametrize("part", PARTS)
def test_every_part_is_there(part):
    """Each of the named patterns finds a file."""
    assert all(list(ROOT.glob(pattern)) for pattern in PARTS[part])
    assert len(files_of(part)) == len(set(files_of(part)))


def test_a_line_that_runs_when_its_file_is_read_is_held_by_whoever_uses_the_file():
    """Also by the tests of a file that imports it."""
    ran = Covered(
        {"t::one": 0.1, "t::two": 0.2, "u::three": 0.3},
        {
            "a.py": {1: frozenset({""}), 3: frozenset({"t::one"}), 4: frozenset({"t::two"})},
            "b.py": {1: frozenset({"u::three"})},
        },
        {"a.py": {"b.py"}},
    )

    assert ran.tests_of("a.py", 3, 3) == {"t::one"}
    assert ran.tests_of("a.py", 1, 1) == {"t::one", "t::two", "u::three"}
    assert ran.tests_of("a.py", 2, 2) == frozenset()
    assert ran.tests_of("gone.py", 1, 9) == frozenset()


def test_a_file_that_only_a_made_up_name_imports_is_held_by_the_tests_that_had_it_read():
    """As each game's calls are."""
    ran = Covered({"t::one": 0.1}, {"a.py": {1: frozenset({""})}}, readers={"a.py": {"t::one"}})

    assert ran.tests_of("a.py", 1, 1) == {"t::one"}


def test_every_module_of_the_rules_is_among_its_part():
    """Those of a game too, whose folder lies within."""
    rules = {
        str(path.relative_to(ROOT)) for path in (ROOT / "table_controller/rules").rglob("*.py")
    }
    assert set(files_of("rules")) == rules


def test_a_slip_by_hand_in_the_rules_is_tried_by_the_tests_of_its_module():
    """They hold every square; a coup script does not."""
    for mutation in MUTATIONS:
        if "/rules/" in mutation.file:
            (tests,) = mutation.tests
            assert tests.startswith("tests/rules/")
            assert (ROOT / tests).is_file()


def test_what_was_judged_is_a_slip_of_its_file():
    """A judgement of a slip that nobody can draw any more says nothing."""
    for file in {file for file, *_ in judged()}:
        text = (ROOT / file).read_text()
        there = {(*slip.shown(text), nth(text, slip.start)) for slip in slips_of(file, text)}
        for name, *slip in judged():
            if name == file:
                assert tuple(slip) in there, f"{JUDGED.name}: {file} has no {slip} any more"

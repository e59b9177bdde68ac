"""The long runs' report. A part that ran replaces its own chapter and no other."""

from __future__ import annotations

import pytest

from workshop.mutation.at_random import Outcome
from workshop.mutation.chosen import Judgement
from workshop.mutation.killer import Verdict
from workshop.mutation.slip import Slip
from workshop.soak import accuracy, mutations
from workshop.soak.__main__ import REPORT, chapter, kept, rows_to_write, with_chapter


def test_a_part_that_ran_replaces_its_own_chapter_only():
    report = "# Soak\n\nWords.\n"
    for part, found in (("rules", "one"), ("board", "two"), ("rules", "three")):
        report = with_chapter(report, part, chapter(part, [("what", found)], 1.0, 2.0))

    assert report.startswith("# Soak\n\nWords.\n\n## rules\n")
    assert report.count("## rules") == report.count("## board") == 1
    assert "| what | three |" in report
    assert "| what | two |" in report
    assert "one" not in report
    assert "share 1 of the whole, 2.0 min" in report


def test_a_house_that_ran_alone_replaces_its_own_rows_only():
    """Hours are parted house by house, each at its own time."""
    rows = [("a, 45 coups, 1280 x 800", "one"), ("b, 45 coups", "two"), ("a, 2 coups", "three")]
    report = chapter("touches", rows, 1.0, 2.0) + "\n## vision\n\n| c, 1 | other |\n"

    found = kept(report, "touches", [("a, 45 coups, 1280 x 800", "new")])

    assert found == [("b, 45 coups", "two"), ("a, 45 coups, 1280 x 800", "new")]
    assert kept("# Soak\n", "touches", rows) == rows


def test_a_part_run_house_by_house_is_written_before_its_next_house_begins():
    """The rows so far, each with the commit that it was run at; another part's rows all at once."""
    begun = []

    def run():
        for house in "ab":
            begun.append(house)
            yield house, "none"

    first = next(rows_to_write("overlaps", run()))

    assert begun == ["a"]
    assert [(what.partition(", at ")[0], found) for what, found in first] == [("a", "none")]
    assert list(rows_to_write("rules", run())) == [[("a", "none"), ("b", "none")]]


def test_slips_are_told_by_part_and_kind_and_each_survivor_with_its_judgement():
    """What nobody could tell from the true program is no survivor, and is not counted."""
    rows = dict(mutations.rows(SLIPS, seed=7))

    of_all = "4: 1 killed, 1 hung, 1 survived, 1 shown equivalent; 66.7 % killed"
    assert rows["slips by chance, seed 7"] == of_all
    assert rows["… engine"] == "1: 0 killed, 0 hung, 1 survived, 0 shown equivalent; 0.0 % killed"
    assert rows["… vision"].startswith("0: ")
    assert rows["… negation"] == of_all
    assert rows["survived: e.py:3, negation"] == (
        r"`a \| b` becomes `not a \| b` (5 tests, capped at 60 s of tests). not yet judged"
    )
    assert rows["equivalent: s.py:3, negation"].endswith("(5 tests). for the types")


def _outcome(part, verdict, judgement=None, *, capped=False):
    slip = Slip(f"{part[0]}.py", 0, 1, "x", "negation", 3, 3)
    return Outcome(part, slip, "a | b", "not a | b", verdict, 5, capped, judgement)


SLIPS = [
    _outcome("rules", Verdict.KILLED),
    _outcome("rules", Verdict.HUNG),
    _outcome("engine", Verdict.SURVIVED, capped=True),
    _outcome("service", Verdict.SURVIVED, Judgement(equivalent=True, why="for the types")),
]


def test_the_report_can_be_read_again():
    text = REPORT.read_text()

    assert text.startswith("# Soak\n")


def test_every_table_of_accuracy_has_its_place_and_leaves_the_others_alone():
    """vision/ACCURACY.md is written table by table."""
    page = accuracy.PAGE.read_text()
    for part in accuracy.PARTS:
        page = accuracy.with_part(page, part, f"| {part} |\n")

    assert all(page.count(f"| {part} |\n<!-- {part}: end -->") == 1 for part in accuracy.PARTS)
    with pytest.raises(ValueError, match="0 places for 'nothing'"):
        accuracy.with_part(page, "nothing", "")

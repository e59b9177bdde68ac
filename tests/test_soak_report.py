"""The long runs' report: a part that ran replaces its own chapter and no other."""

from __future__ import annotations

import pytest

from tests.soak import accuracy
from tests.soak.__main__ import REPORT, chapter, with_chapter


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

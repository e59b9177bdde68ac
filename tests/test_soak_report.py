"""The long runs' report: a part that ran replaces its own chapter and no other."""

from __future__ import annotations

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

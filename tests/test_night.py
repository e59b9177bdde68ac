"""The gate and the night are parts of one whole, and one line tells what came of both."""

from __future__ import annotations

import pytest

from tests.night import part_of
from tests.totals import closing_line

RESULTS = (
    '<testsuites><testsuite name="pytest" errors="{errors}" failures="{failures}" '
    'skipped="{skipped}" tests="{tests}" time="{time}"></testsuite></testsuites>'
)


@pytest.mark.parametrize(
    ("test", "part"),
    [
        ("tests/rules/test_points.py::test_a", "gate"),
        ("tests/whole/test_copies.py::test_a", "night"),
        ("tests/whole/test_schlitten.py::test_a", "gate"),
        ("tests/whole/test_ecarte_page.py::test_a_partie_at_nemzeti_a_deux_cotes[x]", "gate"),
        ("tests/whole/test_ecarte_page.py::test_an_auctioned_chouette", "night"),
        ("tests/hil/test_board.py::test_a", "night"),
        ("workshop/tests/test_power.py::test_a", "night"),
    ],
)
def test_each_test_is_of_one_part(test, part):
    assert part_of(test) == part


def test_the_last_line_has_the_totals_of_all_runs(tmp_path):
    gate, night = tmp_path / "gate.xml", tmp_path / "night.xml"
    gate.write_text(RESULTS.format(errors=0, failures=0, skipped=4, tests=104, time=301.5))
    night.write_text(RESULTS.format(errors=1, failures=2, skipped=1, tests=34, time=600.25))

    assert [closing_line([gate]).strip("= "), closing_line([gate, night]).strip("= ")] == [
        "100 passed, 4 skipped in 301.50s (5:01)",
        "2 failed, 130 passed, 5 skipped, 1 errors in 901.75s (15:01)",
    ]
    with pytest.raises(FileNotFoundError):
        closing_line([gate, tmp_path / "none.xml"])

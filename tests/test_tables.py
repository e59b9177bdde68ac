"""Tables of cases: how they are read, and that a step with any other result fails."""

import pytest

from tests import tables

TABLE = """# A sum.

One and one
    # As always.
    add 1; add 1 => 2;
        add -2 => 0

Nothing
    add 0 => 0
    seen => -
"""


class Sum:
    """What is added up."""

    def __init__(self):
        self.found = 0.0

    def add(self, more):
        self.found += more
        return self.found

    def seen(self):
        return []


def test_a_case_is_called_by_its_heading_and_by_its_steps_if_there_are_more(tmp_path):
    (tmp_path / "sum.table").write_text(TABLE)
    cases = tables.cases(tmp_path / "sum.table")

    assert [case.id for case in cases] == [
        "One and one",
        "Nothing: add 0 => 0",
        "Nothing: seen => -",
    ]
    for case in cases:
        tables.play(str(case.values[0]), Sum())


@pytest.mark.parametrize("case", ["add 1 => 2", "add 1; seen => 1", "add 0 =>"])
def test_a_step_that_finds_anything_else_fails(case):
    with pytest.raises(AssertionError, match="found: "):
        tables.play(case, Sum())


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (None, "-"),
        ([], "-"),
        ("", '""'),
        (True, "yes"),
        (1.50, "1.5"),
        ({8: 3}, "8:3"),
        ([1, None], "1 -"),
    ],
)
def test_what_is_found_is_said_as_a_table_says_it(found, said):
    assert tables.shown(found) == said

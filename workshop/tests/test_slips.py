"""Each kind of slip makes exactly the change that it names, in Python and in C."""

from __future__ import annotations

import pytest

from workshop.mutation import c_slips, python_slips
from workshop.mutation.slip import nth


def changes(language, text, kind):
    """What each slip of the kind makes of the text."""
    found = language.slips("here", text)
    return [slip.made(text) for slip in found if slip.kind == kind]


def lines(language, text, kind):
    """The lines concerned, as each slip leaves them."""
    return [slip.shown(text)[1] for slip in language.slips("here", text) if slip.kind == kind]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a < b", "a <= b"),
        ("a <= b", "a < b"),
        ("a > b", "a >= b"),
        ("a >= b", "a > b"),
        ("a == b", "a != b"),
        ("a != b", "a == b"),
        ("a is b", "a is not b"),
        ("a is not b", "a is b"),
        ("a in b", "a not in b"),
        ("a not in b", "a in b"),
    ],
)
def test_a_comparison_becomes_its_neighbour(before, after):
    assert changes(python_slips, f"ü = {before}\n", "comparison") == [f"ü = {after}\n"]


def test_each_comparison_of_a_chain_is_one():
    assert changes(python_slips, "x = 1 < a <= 2\n", "comparison") == [
        "x = 1 <= a <= 2\n",
        "x = 1 < a < 2\n",
    ]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("7", ["6", "8"]),
        ("0", ["(-1)", "1"]),
        ("True", ["False"]),
        ("False", ["True"]),
        ("2.5", ["3.5"]),
        ("'bank'", ['""']),
        ("'A sentence.'", []),
        ("None", []),
    ],
)
def test_a_constant_becomes_its_neighbour(before, after):
    wanted = [f"x = {one}\n" for one in after]

    assert sorted(changes(python_slips, f"x = {before}\n", "constant")) == sorted(wanted)


def test_a_condition_is_turned_round():
    text = "if a or b:\n    c = [d for d in e if d]\nf = g if h else i\n"

    assert lines(python_slips, text, "negation") == [
        "if (not (a or b)):",
        "c = [d for d in e if (not (d))]",
        "f = g if (not (h)) else i",
    ]


def test_a_statement_is_removed_where_the_rest_can_go_on_without_it():
    """A name's first binding stays: without it all ends at once."""
    text = "def f(a):\n    b = 1\n    a.c = b\n    d(a)\n    b += 2\n    a = b\n    raise e\n"

    assert changes(python_slips, text, "removed") == [
        text.replace("a.c = b", "pass"),
        text.replace("d(a)", "pass"),
        text.replace("b += 2", "pass"),
        text.replace("a = b\n    raise", "pass\n    raise"),
        text.replace("raise e", "pass"),
    ]


def test_arguments_change_places():
    text = "f(a, b, b, c=1 + 2, d=g(h))\n"

    assert changes(python_slips, text, "swapped") == [
        "f(b, a, b, c=1 + 2, d=g(h))\n",
        "f(a, b, b, c=g(h), d=1 + 2)\n",
    ]


def test_an_operand_is_left_out():
    assert changes(python_slips, "x = (a or b) and c\n", "operand") == [
        "x = ((a or b))\n",
        "x = ((c))\n",
        "x = (((a))) and c\n",
        "x = (((b))) and c\n",
    ]


def test_another_field_of_the_same_thing_is_read():
    """A method is none."""
    text = "def f(a, b):\n    return a.one + a.two - b.three + a.four()\n"

    assert changes(python_slips, text, "field") == [
        text.replace("a.one", "a.two"),
        text.replace("a.two", "a.one"),
    ]


def test_a_copy_keeps_an_old_field():
    text = "x = replace(a, one=1, two=2)\n"

    assert changes(python_slips, text, "keyword") == [
        text.replace("one=1", "**{}"),
        text.replace("two=2", "**{}"),
    ]


def test_a_function_returns_too_early():
    text = "def f(a):\n    b(a)\n    if a:\n        c(a)\n    return a\n"

    assert changes(python_slips, text, "early return") == [
        text.replace("    b(a)", "    return\n    b(a)"),
        text.replace("    if a:", "    return\n    if a:"),
        text.replace("    return a", "    return\n    return a"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        '"""A docstring with 7 < 8."""\n',
        "from a import b\n",
        "def f(a: Literal[7]) -> Literal[8]: ...\n",
        "a: Literal[7]\n",
        "if TYPE_CHECKING:\n    a = 7\n",
        '__all__ = ["a", "b"]\n',
        'a = phrase("{n} cards", n=7, of="x")\n',
        "def f():\n    assert a < 7\n    return None\n",
        'a = f"{7 < 8}"\n',
    ],
)
def test_what_no_test_need_hold_is_left_alone(text):
    assert python_slips.slips("here", text) == []


C = """#include "a.h"
#define LIMIT 7
/* 1 < 2 */
static const u8 TABLE[2] = {1, 0x10};
static u8 f(u8 a)
{
    u8 b = 3;
    if (a < b && (a >> 1)) {
        g(a, "1 < 2");
        b += a->c;
    }
    return b;
}
"""


def test_slips_in_c_are_made_in_its_code_alone():
    assert lines(c_slips, C, "comparison") == ["if (a <= b && (a >> 1)) {"]
    assert lines(c_slips, C, "negation") == ["if (!(a < b && (a >> 1))) {"]
    assert changes(c_slips, C, "removed") == [
        C.replace('g(a, "1 < 2");', ";"),
        C.replace("b += a->c;", ";"),
    ]
    constants = changes(c_slips, C, "constant")
    assert C.replace("{1, 0x10}", "{1, 17}") in constants
    assert C.replace("b = 3", "b = 2") in constants
    assert C.replace(">> 1", ">> 2") in constants
    assert len(constants) == 2 * 5


def test_equal_lines_are_told_apart():
    """Judged in one place is not judged in another."""
    text = "a = 1\nif a:\n    a = 1\na = 1"

    assert [nth(text, at) for at in (0, 4, text.index("if"), 18, len(text) - 1)] == [1, 1, 1, 2, 3]


def test_a_slip_names_the_lines_of_its_statement():
    """Whoever runs one of them runs the slip."""
    text = "x = f(\n    1,\n    a < b,\n)\nif (\n    a\n):\n    b = 1\n"

    found = {slip.kind: (slip.first, slip.last) for slip in python_slips.slips("here", text)[:-2]}
    assert found == {
        "constant": (1, 4),
        "swapped": (1, 4),
        "comparison": (1, 4),
        "negation": (5, 7),
    }

"""The rulebook for readers: a terminal, a program, a page. Knows the rulebook, prints nothing."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable, Iterable, Sequence

from table_controller.rules.rulebook import MEANING, Rule, Treatment, held_by, rule, rules, series

_WIDTH = 88


def as_text(ids: Iterable[str]) -> str:
    """Rules for a terminal, in the order asked for. Raises UnknownRule."""
    return "\n\n".join(_entry(rule(rule_id)) for rule_id in ids)


def as_json(ids: Iterable[str]) -> str:
    """Rules for a program: a list of id, text, treatment, how, tests. Raises UnknownRule."""
    found = [_fields(rule(rule_id)) for rule_id in ids]
    return json.dumps(found, ensure_ascii=False, indent=2)


def markdown(tests: Callable[[str], Sequence[str]] = held_by) -> str:
    """The whole rulebook as a page, docs/RULEBOOK.md; `tests` tells which hold a rule."""
    parts = [_HEAD, _counts()]
    for name, title in series().items():
        parts.append(f"## {name}: {title}")
        parts += [_section(each, tests(each.id)) for each in rules() if each.series == name]
    return "\n\n".join(parts) + "\n"


_HEAD = """\
# The rulebook

Every rule of the table in our own words, how the program treats it, and the tests that hold it.
`schlitten rule Z-24` prints one. Code, prompts and refusals cite these ids.

This page is made from each game's `rulebook.toml` under `table_controller/rules` by
`scripts/generate`: change it there."""


def _counts() -> str:
    """How many rules are treated how."""
    lines = ["| treatment | meaning | rules |", "|---|---|---|"]
    for treatment in Treatment:
        count = sum(each.treatment is treatment for each in rules())
        lines.append(f"| {treatment} | {MEANING[treatment]} | {count} |")
    return "\n".join(lines)


def _section(each: Rule, held: Sequence[str]) -> str:
    tests = "; ".join(f"`{test}`" for test in held) or "none yet"
    return "\n\n".join(
        [
            f"### {each.id}",
            each.text,
            f"**{_sentence(MEANING[each.treatment])}** {each.how}",
            f"Tests: {tests}",
        ]
    )


def _entry(each: Rule) -> str:
    paragraphs = [
        *each.text.split("\n\n"),
        _sentence(MEANING[each.treatment]) + " " + each.how,
    ]
    lines = [each.id]
    for paragraph in paragraphs:
        lines += [*textwrap.wrap(paragraph, _WIDTH, break_on_hyphens=False), ""]
    tests = [f"  {test}" for test in held_by(each.id)] or ["  none yet"]
    return "\n".join([*lines, "Tests:", *tests])


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def _fields(each: Rule) -> dict[str, object]:
    return {
        "id": each.id,
        "text": each.text,
        "treatment": each.treatment.value,
        "how": each.how,
        "tests": list(held_by(each.id)),
    }

"""The whole rulebook as a page, docs/RULEBOOK.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from table_controller.rules.report import meant
from table_controller.rules.rulebook import MEANING, Rule, Treatment, rules, series


def markdown(held: Mapping[str, Sequence[str]]) -> str:
    """Every rule under its series; `held` names the tests of each rule."""
    parts = [_HEAD, _counts()]
    for name, title in series().items():
        parts.append(f"## {name}: {title}")
        parts += [_section(each, held.get(each.id, ())) for each in rules() if each.series == name]
    return "\n\n".join(parts) + "\n"


_HEAD = """\
# The rulebook

Every rule of the table in our own words, how the program treats it, and the tests that hold it.
`schlitten rule Z-24` prints one. Code, prompts and refusals cite these ids.

This page is made from each game's `rulebook.toml` under `table_controller/rules` by
`scripts/generate`: change it there."""


def _counts() -> str:
    """How many rules are treated in which way."""
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
            f"**{meant(each.treatment)}** {each.how}",
            f"Tests: {tests}",
        ]
    )

"""Writes the whole rulebook as a page, docs/RULEBOOK.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from table_controller.rules.report import CODE, meant
from table_controller.rules.rulebook import MEANING, Rule, Treatment, rules, series

Kept = Mapping[str, Sequence[str]]


def markdown(held: Mapping[str, Sequence[str]], kept: Mapping[str, Kept]) -> str:
    """The page: every rule, under its series.

    `held` names the tests of each rule, and `kept` the code of each rule.
    """
    parts = [_HEAD, _counts()]
    for name, title in series().items():
        parts.append(f"## {name}: {title}")
        parts += [
            _section(each, held.get(each.id, ()), kept.get(each.id, {}))
            for each in rules()
            if each.series == name
        ]
    return "\n\n".join(parts) + "\n"


_HEAD = """\
# The rulebook

Every rule of the table in our own words, how the program treats it, the code that keeps it, and the
tests that hold it. `schlitten rule Z-24` prints one. Code, prompts and refusals cite these ids: a
handler is a function that answers what is said or dealt, an offer makes its button, both under
`table_controller`.

This page is made from each game's `rulebook.toml` under `table_controller/rules` by
`scripts/generate`: change it there."""


def _counts() -> str:
    """A sentence with the number of rules for each treatment."""
    lines = ["| treatment | meaning | rules |", "|---|---|---|"]
    for treatment in Treatment:
        count = sum(each.treatment is treatment for each in rules())
        lines.append(f"| {treatment} | {MEANING[treatment]} | {count} |")
    return "\n".join(lines)


def _section(each: Rule, held: Sequence[str], kept: Kept) -> str:
    code = ". ".join(f"{CODE[kind]}: {_listed(places)}" for kind, places in kept.items())
    return "\n\n".join(
        [
            f"### {each.id}",
            each.text,
            f"**{meant(each.treatment)}** {each.how}",
            *([code] if code else []),
            f"Tests: {_listed(held) or 'none yet'}",
        ]
    )


def _listed(places: Sequence[str]) -> str:
    return "; ".join(f"`{place}`" for place in places)

"""Writes the whole rulebook as a page, docs/RULEBOOK.md."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from table_controller.rules.report import CODE, meant
from table_controller.rules.rulebook import MEANING, Rule, Treatment, kept_by, rules, series

PAGE: Final = Path(__file__).parents[2] / "docs" / "RULEBOOK.md"


def made() -> dict[Path, str]:
    """The page as it should be, by its path."""
    return {PAGE: markdown()}


def markdown() -> str:
    """The page: every rule, under its series."""
    parts = [_HEAD, _counts()]
    for name, title in series().items():
        parts.append(f"## {name}: {title}")
        parts += [_section(each) for each in rules() if each.series == name]
    return "\n\n".join(parts) + "\n"


_HEAD = """\
# The rulebook

Every rule of the table in our own words, how the program treats it, and the code that keeps it.
`schlitten rule Z-24` prints one, with the tests that hold it. Code, prompts and refusals cite these
ids: a handler is a function that answers what is said or dealt, an offer makes its button. Both are
under `table_controller`.

This page is made from each game's `rulebook.toml` under `table_controller/rules` by
`scripts/generate`: change it there."""


def _counts() -> str:
    """A sentence with the number of rules for each treatment."""
    lines = ["| treatment | meaning | rules |", "|---|---|---|"]
    for treatment in Treatment:
        count = sum(each.treatment is treatment for each in rules())
        lines.append(f"| {treatment} | {MEANING[treatment]} | {count} |")
    return "\n".join(lines)


def _section(each: Rule) -> str:
    kept = kept_by(each.id)
    code = ". ".join(f"{CODE[kind]}: {_listed(places)}" for kind, places in kept.items())
    return "\n\n".join(
        [
            f"### {each.id}",
            each.text,
            f"**{meant(each.treatment)}** {each.how}",
            *([code] if code else []),
        ]
    )


def _listed(places: Sequence[str]) -> str:
    return "; ".join(f"`{place}`" for place in places)

"""Turns msgspec's error about a value into words for people. The words do not contain the value.

The module knows msgspec's wording, but no setting and no message.
"""

from __future__ import annotations

import re
from typing import Final

_KINDS: Final = {
    "int": "a whole number",
    "float": "a number",
    "str": "a text",
    "bool": "true or false",
    "null": "nothing",
    "array": "a list",
    "object": "a table of fields",
}
#: The constraints in msgspec's sentences, and people's words for them.
_BOUNDS: Final = (
    (r" >= (\S+)", r" from \1 on"),
    (r" > (\S+)", r" above \1"),
    (r" <= (\S+)", r" of at most \1"),
    (r" < (\S+)", r" below \1"),
    (r" of length >= (\d+)", r" of at least \1"),
    (r" of length <= (\d+)", r" of at most \1"),
    (r" of length (\d+)", r" of \1"),
    (r" matching regex .*", " of another form"),
)


def plainly(error: str) -> str:
    """Turn msgspec's error into words that say which values are allowed.

    For example: `want a whole number from 1 on`.
    """
    what = error.partition(" - at `")[0]
    expected = re.match(r"Expected `([^`]+)`(.*)", what, re.DOTALL)
    if expected:
        kinds = " or ".join(_KINDS.get(kind, kind) for kind in expected[1].split(" | "))
        return f"want {kinds}{_bound(expected[2], expected[1])}"
    missing = re.search(r"missing required field `([^`]+)`", what)
    if missing:
        return f"{missing[1]} is missing"
    if "unknown field" in what:
        return "it has an unknown field"
    if "datetime" in what:
        return "want a time as RFC 3339, such as 2026-01-31T20:15:00Z"
    if what.startswith("JSON is malformed") or "truncated" in what:
        return "it is no JSON"
    return "it is not one of the allowed values"


def _bound(rest: str, kind: str) -> str:
    for pattern, words in _BOUNDS:
        found = re.fullmatch(pattern, rest, re.DOTALL)
        if found:
            unit = {"str": " characters", "array": " entries"}.get(kind, "")
            return found.expand(words) + (unit if "length" in pattern else "")
    return ""

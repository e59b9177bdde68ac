"""A report of `doctor` or `self-test` about one part."""

from __future__ import annotations

from typing import NamedTuple


class Finding(NamedTuple):
    """One part: its name, whether it works, and a sentence about it."""

    part: str
    well: bool
    said: str

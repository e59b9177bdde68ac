"""What `doctor` or `self-test` found out about one part."""

from __future__ import annotations

from typing import NamedTuple


class Finding(NamedTuple):
    """The result for one part: its name, whether it works, and a sentence about it."""

    part: str
    well: bool
    said: str

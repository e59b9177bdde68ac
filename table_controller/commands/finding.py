"""What a command that examines says of one part."""

from __future__ import annotations

from typing import NamedTuple


class Finding(NamedTuple):
    """One part: what it is, whether it is well, and a sentence about it."""

    part: str
    well: bool
    said: str

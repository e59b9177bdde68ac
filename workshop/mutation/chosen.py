"""Chooses the slips to try: a number of them, spread over the program's parts, by a seed."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from workshop.mutation import c_slips, python_slips
from workshop.mutation.killer import ROOT
from workshop.mutation.slip import Slip

#: The files of each part. Of vision, the files that read and judge; training only makes the nets.
PARTS = {
    "rules": ("table_controller/rules/**/*.py",),
    "engine": ("table_controller/engine/**/*.py",),
    "service": ("table_controller/service/*.py",),
    "adapters": ("table_controller/adapters/**/*.py",),
    "wiring": ("table_controller/wiring/*.py",),
    "firmware_bridge": ("firmware_bridge/*.py",),
    "vision": ("vision/*.py", "vision/faces/*.py"),
    "firmware": ("hardware/firmware/*.c",),
}
#: The tests that are run first, as they are nearest to the part.
NEAREST = {
    "rules": ("tests/rules", "tests/engine"),
    "engine": ("tests/engine",),
    "service": ("tests/service",),
    "adapters": ("tests/adapters",),
    "wiring": ("tests/whole", "tests/hardware"),
    "firmware_bridge": ("tests/firmware_bridge",),
    "vision": ("tests/vision",),
}
JUDGED = Path(__file__).with_name("judged.toml")


@dataclass(frozen=True)
class Judgement:
    """A person's judgement of a slip that survived: `equivalent` or not, and the reason."""

    equivalent: bool
    why: str


def files_of(part: str, root: Path = ROOT) -> list[str]:
    """The source files of a part, in order."""
    found = {path for glob in PARTS[part] for path in root.glob(glob)}
    return sorted(str(path.relative_to(root)) for path in found)


def lines_of(part: str, root: Path = ROOT) -> int:
    """The number of lines in a part."""
    return sum(len((root / file).read_text().splitlines()) for file in files_of(part, root))


def spread(count: int, lines: dict[str, int]) -> dict[str, int]:
    """How many of `count` slips each part gets.

    All parts share half of the slips equally. The other half is shared by the parts' numbers of
    lines.
    """
    floor = count // (2 * len(lines))
    left, whole = count - floor * len(lines), sum(lines.values())
    given = {part: floor + left * size // whole for part, size in lines.items()}
    largest = sorted(lines, key=lines.__getitem__, reverse=True)
    for part in largest[: count - sum(given.values())]:
        given[part] += 1
    return given


def drawn(part: str, seed: int, root: Path = ROOT) -> Iterator[Slip]:
    """The part's slips in the seed's order, each kind equally often as long as it lasts."""
    luck = random.Random(f"{part} {seed}")
    by_kind: dict[str, list[Slip]] = {}
    for file in files_of(part, root):
        for slip in slips_of(file, (root / file).read_text()):
            by_kind.setdefault(slip.kind, []).append(slip)
    for slips in by_kind.values():
        luck.shuffle(slips)
    while by_kind:
        kind = luck.choice(sorted(by_kind))
        yield by_kind[kind].pop()
        if not by_kind[kind]:
            del by_kind[kind]


def slips_of(file: str, text: str) -> list[Slip]:
    """All slips of a file, which is Python or C."""
    return (c_slips if file.endswith(".c") else python_slips).slips(file, text)


@cache
def judged() -> dict[tuple[str, str, str, int], Judgement]:
    """The judgements by file, old lines, new lines, and number among equal lines."""
    return {
        (one["file"], one["old"], one["new"], one.get("nth", 1)): Judgement(
            one["equivalent"], one["why"]
        )
        for one in tomllib.loads(JUDGED.read_text()).get("slip", [])
    }

"""The definition of a slip that is written by hand, and ways to write many of them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath

#: The tests that check coups. For the rules, each module has its own tests.
FAST = (
    "tests/engine/test_coups.py",
    "tests/engine/test_orders.py",
    "tests/engine/test_bank.py",
    "tests/engine/test_rulings.py",
    "tests/engine/test_white_card.py",
    "tests/engine/test_repairs.py",
)
OFFERED = ("tests/engine/test_offers.py", "tests/engine/test_whims.py")
SECRET = ("tests/engine/test_secrecy.py",)

#: A module that has its own tests besides those of the game.
OWN = {"table_controller/engine/shoe.py": ("tests/engine/test_shoe.py",)}

GAME = "table_controller/engine/chemin_de_fer"
TABLE = "table_controller/engine/table"
TABLEAU = "table_controller/rules/chemin_de_fer/tableau.py"


@dataclass(frozen=True)
class Mutation:
    """A slip: replace `old`, which is in `file` exactly once, by `new`. Then `tests` must fail."""

    rule: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...] = FAST


def _own(file: str) -> tuple[str, ...]:
    path = PurePath(file)
    if file in OWN:
        return OWN[file]
    module = {"house": "houses"}.get(path.stem, path.stem)  # a game's own is tested with all
    return (f"tests/rules/test_{module}.py",) if "rules" in path.parts else FAST


#: The tableau as it is in the code. Slips change one square after the other (ZX-2, R-1, R-2).
_ROWS = (
    "0   -      D D D D D D D D D D",
    "1   -      D D D D D D D D D D",
    "2   -      D D D D D D D D D D",
    "3   -      D D D D D D D D S ?",
    "4   -      S S D D D D D D S S",
    "5   -      S S S S ? D D D S S",
    "6   -      S S S S S S D D S S",
    "7   -      S S S S S S S S S S",
)


def squares() -> list[Mutation]:
    """One slip for each square of the tableau, which replaces the square's duty by another.

    The column "stood" is included.
    """
    spoiled = {"D": "S", "S": "D", "?": "S", "-": "D"}
    places = [4, *range(11, 30, 2)]
    return [
        Mutation(
            f"ZX-2 row {row[0]} column {place}",
            TABLEAU,
            row,
            row[:place] + spoiled[row[place]] + row[place + 1 :],
            _own(TABLEAU),
        )
        for row in _ROWS
        for place in places
    ]


def slips(file: str, *slips: tuple[str, str, str]) -> list[Mutation]:
    return [Mutation(rule, file, old, new, _own(file)) for rule, old, new in slips]


def offered(*slips: tuple[str, str, str, str]) -> list[Mutation]:
    """Slips in the offers.

    Each tuple has a rule, a part (of `offers_<part>.py`), old and new text.
    """
    return [
        Mutation(rule, f"{GAME}/offers_{part}.py", old, new, OFFERED)
        for rule, part, old, new in slips
    ]

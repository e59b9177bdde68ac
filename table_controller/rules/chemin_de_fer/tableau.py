"""The tableau: the custom as it is printed on the wall, square by square.

The custom is what a careful player does. A tableau lists the custom for every case, and each house
names its tableau. The module does not use the state of a table.
"""

from __future__ import annotations

from enum import StrEnum


class Duty(StrEnum):
    """What the custom says about a third card: draw, stand, choose freely, or nothing."""

    DRAW = "draw"
    STAND = "stand"
    CHOOSE = "choose"
    NO_INFORMATION = "no_information"
    """The pointeur stood: "Für eine nicht gezogene Karte keine Auskunft" (Z-20, R-2)."""


Tableau = dict[tuple[int, int | None], Duty]

#: Banker's duty. Row: the banker's two-card point. Column: the pips of the pointeur's third card.
#: D draws, S stands, "?" is the banker's free choice, "-" no information (Z-20, R-2).
#: Source: ZX-2; the rows 0, 1, 2 and 7 and the square 6 against 5: R-1. A test recites it.
CHEMIN_DE_FER = """
    stood  0 1 2 3 4 5 6 7 8 9   <- pips given to the pointeur
0   -      D D D D D D D D D D
1   -      D D D D D D D D D D
2   -      D D D D D D D D D D
3   -      D D D D D D D D S ?
4   -      S S D D D D D D S S
5   -      S S S S ? D D D S S
6   -      S S S S S S D D S S
7   -      S S S S S S S S S S
"""

#: The modern house's tableau. It differs only in having a duty if the pointeur stood.
MODERN = """
    stood  0 1 2 3 4 5 6 7 8 9
0   D      D D D D D D D D D D
1   D      D D D D D D D D D D
2   D      D D D D D D D D D D
3   D      D D D D D D D D S ?
4   D      S S D D D D D D S S
5   D      S S S S ? D D D S S
6   S      S S S S S S D D S S
7   S      S S S S S S S S S S
"""

_MARKS = {"D": Duty.DRAW, "S": Duty.STAND, "?": Duty.CHOOSE, "-": Duty.NO_INFORMATION}


def read(text: str) -> Tableau:
    """Read a printed tableau such as `CHEMIN_DE_FER`.

    Raises ValueError, which names the row, if a row is wrong.
    """
    _, *rows = text.strip().splitlines()
    given: list[int | None] = [None, *range(10)]
    table: Tableau = {}
    for row in rows:
        point, *marks = row.split()
        if len(marks) != len(given) or not set(marks) <= set(_MARKS):
            raise ValueError(f"not a row of the tableau: {row!r} (want a point and 11 of D S ? -)")
        table |= {(int(point), pips): _MARKS[mark] for pips, mark in zip(given, marks, strict=True)}
    return table


TABLEAUX: dict[str, Tableau] = {"zx-2": read(CHEMIN_DE_FER), "modern": read(MODERN)}


def banker_duty(point: int, given: int | None, *, tableau: str = "zx-2") -> Duty:
    """What the banker must do with `point` points (0 to 7) by the custom.

    `given` are the pips of the pointeur's third card, or None if he took none. Raises KeyError for
    a natural: on 8 or 9 nobody draws (ZP-7). Source: ZX-2, R-1, R-2.
    """
    return TABLEAUX[tableau][point, given]


def pointeur_duty(point: int) -> Duty:
    """What the pointeur must do by the custom with `point` points from two cards.

    Source: ZP-8, ZP-10, ZP-11; R-25.
    """
    if point <= 4:
        return Duty.DRAW
    return Duty.CHOOSE if point == 5 else Duty.STAND

"""When a third card is drawn. The module knows points and pips, but no table and no card."""

from __future__ import annotations

from typing import Final

#: Banker's third card. Row: Banker's points on two cards. Column: the pips of Player's third card.
#: D draws, S stands. Source: PB-7; a test recites it.
TABLEAU: Final = """
    stood  0 1 2 3 4 5 6 7 8 9   <- pips given to Player
0   D      D D D D D D D D D D
1   D      D D D D D D D D D D
2   D      D D D D D D D D D D
3   D      D D D D D D D D S D
4   D      S S D D D D D D S S
5   D      S S S S D D D D S S
6   S      S S S S S S D D S S
7   S      S S S S S S S S S S
"""


def _read(text: str) -> tuple[tuple[bool, ...], ...]:
    """Read the table of draws: a row for each number of points, a column for Player's third card.

    The text's first column is for a Player who stood. In the result it is the last column, whose
    index is -1.
    """
    _, *rows = text.strip().splitlines()
    marks = [row.split()[1:] for row in rows]
    return tuple(tuple(mark == "D" for mark in (*given, stood)) for stood, *given in marks)


#: Whether Banker draws, by his points and by the pips given to Player (-1 if Player stood).
BANKER_DRAWS: Final = _read(TABLEAU)
#: The value of `given` if Player took no third card.
STOOD: Final = -1
#: The most points on which Player draws (PB-6).
PLAYER_DRAWS: Final = 5


def is_natural(player: int, banker: int) -> bool:
    """Whether the first two cards of either side make 8 or 9, which ends the coup. Source: PB-5.

    The arguments are the points of both sides.
    """
    return player > 7 or banker > 7


def player_draws(points: int) -> bool:
    """Whether Player draws a third card with these points, 0 to 7. Source: PB-6."""
    return points <= PLAYER_DRAWS


def banker_draws(points: int, given: int = STOOD) -> bool:
    """Whether Banker draws a third card with these points, 0 to 7.

    `given` are the pips of Player's third card, or `STOOD` if he drew none. Source: PB-7.
    """
    return BANKER_DRAWS[points][given]

"""The exact chances of Player, Banker and a tie in the first coup of a full Schlitten.

Nobody has a choice, so every coup has these chances as long as nothing is known about the cards
left.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache

from table_controller.rules.chances import Opening, openings
from table_controller.rules.punto_banco.coup import Winner
from table_controller.rules.punto_banco.tableau import banker_draws, is_natural, player_draws


@cache
def winners(packs: int) -> dict[Winner, Fraction]:
    """The chance of each result, with a Schlitten of `packs` packs. Source: PB-5 to PB-8."""
    ways = Counter[Winner]()
    cards = packs * 52
    thirds = cards - 4
    for opening in openings(packs):
        for (player, banker), so_many in _ended(opening, thirds):
            ways[_winner(player, banker)] += opening.ways * so_many
    total = cards * (cards - 1) * (cards - 2) * (cards - 3) * thirds * (thirds - 1)
    return {winner: Fraction(ways[winner], total) for winner in Winner}


def _winner(player: int, banker: int) -> Winner:
    return Winner.TIE if player == banker else Winner.PLAYER if player > banker else Winner.BANKER


def _ended(opening: Opening, thirds: int) -> Iterator[tuple[tuple[int, int], int]]:
    """Yield the final points of both hands, and the number of ways in which they come about.

    `thirds` is the number of cards that are left after the opening. Each way is an order of two of
    these cards, even if fewer than two are drawn.
    """
    p, b, left, _ = opening
    if is_natural(p, b):
        yield (p, b), thirds * (thirds - 1)
    elif player_draws(p):
        for given, many in enumerate(left):
            if not many:
                continue
            points = (p + given) % 10
            if not banker_draws(b, given):
                yield (points, b), many * (thirds - 1)
                continue
            for drawn, more in enumerate(left):
                yield (points, (b + drawn) % 10), many * (more - (drawn == given))
    elif banker_draws(b):
        for drawn, many in enumerate(left):
            yield (p, (b + drawn) % 10), many * (thirds - 1)
    else:
        yield (p, b), thirds * (thirds - 1)

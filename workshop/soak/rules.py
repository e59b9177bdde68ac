"""The tableau's golden figures, found exactly: the engine plays every deal of each square.

A square is the banker's points and the card given to the pointeur. The figures are for six packs
and the top of a full Schlitten. Each ordered deal is weighted by the frequency of its pips, and the
engine says who wins. So the expectations of drawing and standing are fractions.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

from table_controller.engine.chemin_de_fer import events as ev
from table_controller.engine.chemin_de_fer import inputs as i
from table_controller.engine.chemin_de_fer.state import Table
from table_controller.engine.chemin_de_fer.step import step
from table_controller.engine.messages import CardSeen, Input
from table_controller.rules.cards import Card
from tests.engine.playing import play, table

FIGURES = Path(__file__).parents[2] / "tests" / "rules" / "tableau_ev_6deck.csv"

#: A card of each number of pips, 0 to 9, and how many such cards six packs have.
CARDS = tuple(Card(code + "h") for code in "TA23456789")
HELD = (96, *[24] * 9)

CARTE, RESTE = i.Spoke(seat=2, word=i.Word.CARTE), i.Spoke(seat=2, word=i.Word.RESTE)
DRAWS, STANDS = i.Spoke(seat=1, word=i.Word.DRAWS), i.Spoke(seat=1, word=i.Word.STANDS)
OPEN = {seat: i.Opened(seat=seat) for seat in (1, 2)}
GAIN = {ev.Side.BANK: 1, ev.Side.POINTEUR: -1, None: 0}

#: By the banker's answer and the pointeur's points: the weight of these deals, and their gains.
Weighed = dict[tuple[i.Word, int], list[int]]


def ways(*pips: int) -> int:
    """The number of ways in which cards with these pips can come in this order."""
    left, found = list(HELD), 1
    for each in pips:
        found *= left[each]
        left[each] -= 1
    return found


def played(now: Table, *said: Input) -> Table:
    """The table after all these inputs."""
    for each in said:
        now, _ = step(now, each)
    return now


def gain(now: Table, *said: Input) -> int:
    """What the bank wins by these inputs, in its own units."""
    now = played(now, *said)
    return GAIN[now.last[-1].winner]


def deals(point: int, *, stood: bool) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield the pips of deals with the banker on `point`, each with the pointeur's points.

    The pips are of the four cards, in the order of dealing. The pointeur may draw or, if `stood`,
    stand.
    """
    for one in range(10):
        for two in range(10):
            holds = (one + two) % 10
            if not (5 <= holds <= 7 if stood else holds <= 5):
                continue
            for banker in range(10):
                yield (one, banker, two, (point - banker) % 10), holds


def square(point: int, given: int | None) -> Weighed:
    """Play every deal of a square, with the banker drawing and standing."""
    begun = play(table(), "seat 1 banks 10", "seat 2 banco solo")
    found: Weighed = defaultdict(lambda: [0, 0])
    third = () if given is None else (given,)
    for four, holds in deals(point, stood=given is None):
        now = played(begun, *(CardSeen(card=CARDS[each]) for each in four))
        now = played(now, CARTE if third else RESTE, OPEN[1])
        now = played(now, *(CardSeen(card=CARDS[each]) for each in third))
        pips = (*four, *third)
        weight = ways(*pips)
        stays = found[i.Word.STANDS, holds]
        stays[0] += weight
        stays[1] += weight * gain(now, STANDS, OPEN[2])
        drawn = played(now, DRAWS)
        for card in range(10):
            weight = ways(*pips, card)
            draws = found[i.Word.DRAWS, holds]
            draws[0] += weight
            draws[1] += weight * gain(drawn, CardSeen(card=CARDS[card]), OPEN[2])
    return found


def expectation(found: Weighed, word: i.Word, on_five: Fraction) -> Fraction:
    """The bank's expectation if the banker draws or stands, as `word` says.

    A pointeur with five may draw or stand. So of the deals in which he has five, only the share
    `on_five` counts.
    """
    parts = [
        (Fraction(on_five if holds == 5 else 1), weight, gains)
        for (said, holds), (weight, gains) in found.items()
        if said is word
    ]
    whole = sum((p * weight for p, weight, _ in parts), Fraction())
    return sum((p * gains for p, _, gains in parts), Fraction()) / whole


def compared(row: dict[str, str]) -> str:
    """The exact differences in a square of the file, as a text; empty if there is none."""
    point = int(row["banker_total"])
    given = None if row["player_third"] == "none" else int(row["player_third"])
    found = square(point, given)
    for name, chance in (("p0", Fraction(0)), ("p05", Fraction(1, 2)), ("p1", Fraction(1))):
        on_five = 1 - chance if given is None else chance
        draw, stand = (expectation(found, word, on_five) for word in (i.Word.DRAWS, i.Word.STANDS))
        exact = Fraction(row[f"diff_{name}_exact"])
        rounded = abs(float(draw) - float(row[f"ev_draw_{name}"])) < 1e-8
        if draw - stand != exact or not rounded:
            return f"{point} against {given}, {name}: {draw - stand}, the file says {exact}"
    return ""


def squares() -> list[dict[str, str]]:
    """The rows of the file: 8 points, and ten cards given or none."""
    with FIGURES.open() as file:
        return list(csv.DictReader(file))


def run(share: float) -> list[tuple[str, str]]:
    """Play a share of the 88 squares, beginning with the one that the print leaves empty (R-1)."""
    rows = squares()
    first = next(
        i for i, row in enumerate(rows) if (row["banker_total"], row["player_third"]) == ("6", "5")
    )
    rows = (rows[first:] + rows[:first])[: max(1, round(share * len(rows)))]
    wrong = [what for row in rows if (what := compared(row))]
    return [(f"{len(rows)} squares of the tableau, exactly", "; ".join(wrong) or "all agree")]

"""Slips written by hand: those that chance cannot make. The tests must notice every one.

They put a wrong duty into one square of the tableau, or tell a closed card.
"""

from __future__ import annotations

from dataclasses import dataclass

_GAME = "table_controller/engine/chemin_de_fer"
_TABLE = "table_controller/engine/table"
_PROMISES = "table_controller/engine/promises.py"
_TABLEAU = "table_controller/rules/chemin_de_fer/tableau.py"


@dataclass(frozen=True)
class Mutation:
    """A slip: replace `old`, which is in `file` exactly once, by `new`. Then `tests` must fail."""

    rule: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...] = ("tests/engine/test_secrecy.py",)


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
_SPOILED = {"D": "S", "S": "D", "?": "S", "-": "D"}

#: One slip for each square, the column "stood" included.
SQUARES: tuple[Mutation, ...] = tuple(
    Mutation(
        f"ZX-2 row {row[0]} column {place}",
        _TABLEAU,
        row,
        row[:place] + _SPOILED[row[place]] + row[place + 1 :],
        ("tests/rules/test_tableau.py",),
    )
    for row in _ROWS
    for place in (4, *range(11, 30, 2))
)

#: A closed card is told, or decides what everybody sees (R-13, R-17).
TOLD: tuple[Mutation, ...] = (
    Mutation(
        "R-17 word",
        f"{_GAME}/deal.py",
        "    return s.at(table, s.PointeurToSpeak(deal), felt=felt), told",
        "    due = s.BankerToOpen if s.value(deal.banker) >= 8 else s.PointeurToSpeak\n"
        "    return s.at(table, due(deal), felt=felt), told",
    ),
    Mutation(
        "R-17 admits",
        f"{_GAME}/deal.py",
        "return forbids(deal) if deal.pointeur_open else True",
        "return forbids(deal)",
    ),
    Mutation(
        "R-17 carte",
        f"{_GAME}/deal.py",
        "    word = Said(seat=said.seat, word=said.word)\n",
        "    word = Said(seat=said.seat, word=said.word)\n"
        "    if said.word is i.Word.CARTE and s.value(phase.deal.pointeur) > 5:\n"
        "        whose(0, 1, 'x')\n",
    ),
    Mutation(
        "R-13 picture",
        f"{_GAME}/view.py",
        "card.card if card.ordinal in shown or place >= 2 else None",
        "card.card if card.ordinal in shown or place >= 1 else None",
    ),
    Mutation(
        "R-13 points",
        f"{_GAME}/view.py",
        "s.value(dealt) if deal and len(dealt) >= 2 and deal.lies_open(dealt) else None",
        "s.value(dealt) if deal else None",
    ),
    Mutation(
        "R-13 promise",
        _PROMISES,
        "made.update(nonce + card.encode())",
        "made.update(card.encode())",
    ),
    Mutation("R-13 nonce", _PROMISES, '{shoe}.{number}"', '{shoe}"'),
    Mutation(
        "R-13 alert",
        f"{_TABLE}/cards.py",
        'phrase("A card left the Schlitten and none was due.")',
        'phrase("{card} left.", card=dealt.card.value)',
        ("tests/contract/test_contract.py",),
    ),
    Mutation(
        "R-13 audience",
        f"{_TABLE}/events.py",
        "    audience: ClassVar[Audience] = Audience.SEALED\n",
        "    audience: ClassVar[Audience] = Audience.CROUPIER\n",
    ),
)

MUTATIONS = (*SQUARES, *TOLD)

"""All slips written by hand, each where a rule is decided. The tests must notice every one."""

from __future__ import annotations

from workshop.mutation import coup, money, people, said, schlitten
from workshop.mutation.kinds import TABLEAU, Mutation, slips, squares

MUTATIONS: tuple[Mutation, ...] = (
    *squares(),
    *slips(
        TABLEAU,
        ("ZP-8", "if point <= 4:", "if point <= 3:"),
        ("ZP-10", "if point == 5 else", "if point == 6 else"),
        ("ZX-2 choice", '"?": Duty.CHOOSE', '"?": Duty.DRAW'),
        ("Z-20", '"-": Duty.NO_INFORMATION', '"-": Duty.STAND'),
    ),
    *slips(
        "table_controller/rules/points.py",
        ("ZX-1 court", "card.rank if card.rank < 10 else 0", "card.rank if card.rank < 11 else 0"),
        ("ZX-1 units", ") % 10", ") % 9"),
        ("ZP-7", "points(cards) >= 8", "points(cards) >= 7"),
        ("ZP-7 two cards", "len(cards) == 2 and", ""),
    ),
    *slips(
        "table_controller/rules/money.py",
        ("R-8", "rate_bp // 10_000", "rate_bp // 1_000"),
        ("R-8 rounding", "winnings * rate_bp // 10_000", "-(-winnings * rate_bp // 10_000)"),
    ),
    *slips(
        "table_controller/rules/houses.py",
        ("ZP-2", "packs: int = 6", "packs: int = 8"),
        ("ZP-4", "white_at: int = 7", "white_at: int = 6"),
        ("N-1", '"seats": (2, 12)', '"seats": (2, 9)'),
    ),
    *slips(
        "table_controller/rules/chemin_de_fer/house.py",
        ("ZP-5", "least_pot: int = 10", "least_pot: int = 2"),
        ("ZP-16", "least_stake: int = 2", "least_stake: int = 10"),
        ("R-8 default", "cagnotte_bp: int = 500", "cagnotte_bp: int = 50"),
        ("R-12", "most_pot: int = 0", "most_pot: int = 2400"),
    ),
    *coup.SLIPS,
    *money.SLIPS,
    *schlitten.SLIPS,
    *said.SLIPS,
    *people.SLIPS,
)

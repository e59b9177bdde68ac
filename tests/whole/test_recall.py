"""The output of `recall` for the public events of an evening."""

from table_controller.engine.chemin_de_fer.sheets import heard

DEAL = [
    {"type": "bank_posted", "seat": 1, "pot": 20},
    {"type": "pointeur_named", "seat": 2},
    *({"type": "card_drawn", "seat": seat, "ordinal": n} for n, seat in enumerate((2, 1, 2, 1), 1)),
]


def opened(seat, ordinal, card):
    return {"type": "card_opened", "seat": seat, "ordinal": ordinal, "card": card}


def test_cards_stand_in_the_order_dealt():
    """A third card lies open first: behind the closed ones, and behind them once they open."""
    third = [{"type": "card_drawn", "seat": 2, "ordinal": 5}, opened(2, 5, "9h")]
    [waiting] = heard([*DEAL, *third])
    [shown] = heard([*DEAL, *third, opened(2, 3, "4s"), opened(2, 1, "2c")])

    assert waiting.pointeur_hand == "seat 2: ·· ·· 9h"
    assert (waiting.closed, waiting.cards) == ({2: 3, 1: 2}, {2: ["9h"]})
    assert shown.pointeur_hand == "seat 2: 2c 4s 9h"
    assert shown.cards == {2: ["2c", "4s", "9h"]}
    assert shown.bank == "seat 1: ·· ··"


def test_a_pot_is_told_where_the_coup_was_settled():
    """Of an interrupted or annulled coup no pot is known."""
    settled = {
        "type": "coup_settled", "banker": 8, "pointeur": 5, "winner": "bank", "staked": 20,
        "pot": 20, "pot_after": 39,
    }  # fmt: skip
    pots = [
        heard([*DEAL, *end])[0].pot
        for end in ([settled], [{"type": "coup_annulled", "reason": "misdeal"}], [])
    ]

    assert pots == ["20 → 39", "–", "–"]

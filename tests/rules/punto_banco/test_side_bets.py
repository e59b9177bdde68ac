"""Side bets: which coups win them, written out by hand."""

import pytest

from table_controller.rules.cards import hand
from table_controller.rules.punto_banco.coup import dealt
from table_controller.rules.punto_banco.side_bets import SIDE_BETS

#: Cards as they leave the Schlitten, and what wins; a 2 is the second step of its odds.
COUPS = [
    ("9h 2c Ts 5d", {"small": 1}),  # Player 9, a natural; Banker 7
    ("Kh 4c Kd 3d 2s", {"player_pair": 1, "either_pair": 1, "big": 1}),  # 2 against 7, five cards
    ("Kh 4c Qd 4d 8s", {"banker_pair": 1, "either_pair": 1, "small": 1}),  # Banker 8, a natural
    ("7h 3c 7h 4d 8s", {"player_pair": 1, "either_pair": 1, "perfect_pair": 1, "big": 1}),
    (
        "7h 4c 7h 4c 8s",
        {"player_pair": 1, "banker_pair": 1, "either_pair": 1, "perfect_pair": 2, "small": 1},
    ),
    ("Kh 3c Qd 3d 8s", {"banker_pair": 1, "either_pair": 1, "panda_8": 1, "big": 1}),  # 8 over 6
    ("Kh 2c Qd 3d 4s 2h", {"dragon_7": 1, "big": 1}),  # Banker 7 in three, over 4
    ("Kh 2c Qd 5d 4s", {"big": 1}),  # Banker 7 in two: no dragon
    ("2h 2c 3d 4d 3s Kd", {"panda_8": 1, "big": 1}),  # Player 8 in three, over 6
    ("Kh 2c 8d 4d", {"small": 1}),  # Player 8 in two: no panda
    ("Kh 2c 5d 4d Ts", {"super_6": 1, "lucky_6": 1, "big": 1}),  # Banker 6 in two, over 5
    ("Kh 2c 5d 3d Ts As", {"big": 1}),
    ("Kh 2c 4d 3d 5s As", {"big": 1}),  # Player 9 over 6: nobody has won with 6
    ("Kh Kc 4d 5d 7s As", {"super_6": 1, "lucky_6": 2, "big": 1}),  # Banker 6 in three, over 1
    ("Kh 6c 6d Td", {"small": 1}),  # six all is a tie
]


@pytest.mark.parametrize(("cards", "winning"), COUPS)
def test_what_a_coup_wins(cards, winning):
    """PB-12: each side bet's predicate over the finished coup."""
    coup = dealt(hand(cards))

    won = {name: bet.won(coup) for name, bet in SIDE_BETS.items()}
    assert {name: int(step) for name, step in won.items() if step} == winning


def test_every_side_bet_is_there_once_with_the_steps_of_its_odds():
    """PB-12: what a house file may name is what there is."""
    assert {name: bet.steps for name, bet in SIDE_BETS.items()} == {
        "player_pair": 1,
        "banker_pair": 1,
        "either_pair": 1,
        "perfect_pair": 2,
        "dragon_7": 1,
        "panda_8": 1,
        "super_6": 1,
        "lucky_6": 2,
        "big": 1,
        "small": 1,
    }
    assert all(name == bet.name for name, bet in SIDE_BETS.items())

"""Jeux de règle: each named hand, and one card less of it."""

import pytest

from table_controller.rules.cards import hand
from table_controller.rules.ecarte.regle import is_regle


@pytest.mark.parametrize(
    ("named", "enough", "short"),
    [
        ("EDE-19a", "7h 8h 9h 7c 8d", "7h 8h 7c 8d 9s"),
        ("EDE-19b, three of a suit", "7h 8h 7c 8c 9c", "7h 8h 7c 8c 9d"),
        ("EDE-19b, two with a queen", "7h 8h 7c Qc 9d", "7h 8h 7c Jc 9d"),
        ("EDE-19b, two and a king beside", "7h 8h 7c 8c Kd", "7h 8h 7c 8c Qd"),
        ("EDE-19b, knave and ace, and a knave", "7h 8h Jc Ac Jd", "7h 8h Jc Tc Jd"),
        ("EDE-19b, and no knave beside", "7h 8h Jc Ac Qd", "7h 8h Jc Ac Ad"),
        ("EDE-19c, three with a queen, and a king", "7h 7c 8c Qc Kd", "7h 7c 8c Jc Kd"),
        ("EDE-19c, the king must be of another suit", "7h 7c Kc Qc Kd", "7h 7c Kc Qc Qd"),
        ("EDE-19c, ER-43, the trump is a king", "Kh 7c 8c Jc Kd", "Qh 7c 8c Jc Kd"),
        ("EDE-19c, ER-43, and the other king lies beside", "Kh 7c 8c Jc Kd", "Kh 7c 8c Jc Qd"),
        ("EDE-19c, four with the king", "7h 7c 8c 9c Kc", "7h 7c 8c 9c Qc"),
        ("EDE-19d, two kings and two with a queen", "Kc Kd 7s Qs 7c", "Kc Kd 7s Js 7c"),
        ("EDE-19d, and one king only", "Kc Qs 7s Kd 8d", "Kc Qs 7s Ad 8d"),
        ("EDE-19d, four court cards, two queens", "Jc Qc Qd Js 7s", "Jc Qc Jd Js 7s"),
        ("EDE-19d, and three court cards only", "Kc Qc Qd Js 7s", "Ac Qc Qd Js 7s"),
    ],
)
def test_a_hand_is_a_jeu_de_regle_or_falls_short_of_it(named, enough, short):
    """EDE-19a, EDE-19b, EDE-19c, EDE-19d, ER-43: hearts are trumps."""
    assert is_regle(hand(enough), "h")
    assert not is_regle(hand(short), "h")
    assert named


def test_three_trumps_were_right_and_lost():
    """EDE-19, EDE-19a: X3, the play is advised and still costs two marks."""
    assert is_regle(hand("Jd 9d 7d Ac 8s"), "d")

"""A practice table of écarté: both hands open, no stakes, and which hand is a jeu de règle."""

from dataclasses import replace

import pytest

from table_controller.engine.ecarte import inputs as i
from table_controller.engine.ecarte.deal import regle
from table_controller.engine.ecarte.offers import about_stakes
from table_controller.engine.ecarte.state import known
from table_controller.engine.ecarte.step import step
from table_controller.engine.messages import CardSeen, Refusal
from table_controller.engine.table.events import CardOpened
from table_controller.rules.cards import hand
from tests.engine.ecarte_playing import E07, EDE, LEFT, RIGHT, said, started, table

PRACTICE = replace(E07, practice=True)
#: Elder has three trumps (X3), the dealer nothing.
ELDER, DEALER, TURNED = "Jd 9d 7d Ac 8s", "Td 7c Th 9s 7s", "8d"


def dealt(house):
    """Both hands and the turn-up, three cards first."""
    one, two = hand(ELDER), hand(DEALER)
    order = (*one[:3], *two[:3], *one[3:], *two[3:])
    now = said(started(house), *(CardSeen(card=card) for card in order))
    return step(now, CardSeen(card=hand(TURNED)[0]))


def test_both_hands_are_laid_open_with_the_turn_up():
    """EDE-19, R-13: on a practice table only, and no card before it."""
    now, told = dealt(PRACTICE)

    assert known(now.deal, 0) == hand(ELDER)
    assert known(now.deal, 1) == hand(DEALER)
    assert len([event for event in told if isinstance(event, CardOpened)]) == 11

    now, told = dealt(E07)
    assert now.deal.shown == ((), ())
    assert len([event for event in told if isinstance(event, CardOpened)]) == 1


def test_it_says_which_hand_is_a_jeu_de_regle():
    """EDE-19, EDE-19a: of both, and at no other table, whatever lies open."""
    now, _ = dealt(PRACTICE)

    assert [str(note.text) for note in regle(now)] == [
        f"Seat {LEFT} has a jeu de règle.",
        f"Seat {RIGHT} has no jeu de règle.",
    ]
    other, _ = dealt(E07)
    shown = said(other, *(i.Shows(seat=LEFT, card=card) for card in hand(ELDER)))
    assert known(shown.deal, 0) == hand(ELDER)
    assert regle(shown) == ()


def test_who_discards_takes_his_hand_up_again():
    """EDE-19, R-13: what he keeps nobody knows."""
    now, _ = dealt(PRACTICE)
    now = said(now, i.Proposes(seat=LEFT), i.Accepts(seat=RIGHT), i.Discards(seat=LEFT, cards=2))

    assert known(now.deal, 0) == ()
    assert known(now.deal, 1) == hand(DEALER)
    assert len(regle(now)) == 1


def test_nobody_stakes_on_a_practice_table():
    """EDE-19: neither chouette nor two sides, and no button for them."""
    now = table(PRACTICE)

    assert about_stakes(now) == ()
    for word in (i.GivesChouette(seat=LEFT), i.TwoSides(left=LEFT, right=RIGHT), i.CallsAuction()):
        with pytest.raises(Refusal, match="not played so here"):
            step(now, word)


@pytest.mark.parametrize(
    ("book", "word"),
    [
        (E07, i.TwoSides(left=LEFT, right=RIGHT)),
        (E07, i.GivesChouette(seat=LEFT)),
        (E07, i.CallsAuction()),
        (EDE, i.LaysBank(seat=LEFT, chips=50)),
    ],
    ids=["two_sides", "chouette", "auction", "bank"],
)
def test_nothing_is_staked_there_in_any_way(book, word):
    """EDE-19: what begins a game for money is refused."""
    assert step(table(book), word)
    with pytest.raises(Refusal, match="not played so here"):
        step(table(replace(book, practice=True)), word)

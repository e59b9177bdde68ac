"""People leave, come and change seats between a payment and its return."""

from __future__ import annotations

from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec.structs import replace

from table_controller.engine.messages import Refusal
from table_controller.engine.punto_banco import game
from table_controller.engine.punto_banco.inputs import Bets, BetsAgain, Reopens
from table_controller.engine.punto_banco.step import step
from table_controller.engine.table import inputs as ti
from table_controller.engine.table.felt import places, player
from table_controller.rules.money import Chips
from tests.engine.punto_banco.playing import house, played, table

#: Player wins it 8 : 0; what is laid on Banker and on a tie is lost.
PLAYER_WINS = ("card 4h", "card Kd", "card 4s", "card Qd")
SPOTS = ("player", "banker", "tie")
BROUGHT = 1000

SEATS = st.sampled_from([1, 2, 9, 101])  # few, so that they often meet
STAKES = st.dictionaries(
    st.tuples(SEATS, st.sampled_from(SPOTS)), st.integers(5, 90), min_size=1, max_size=6
)
COMES = {"name": st.just("new"), "chips": st.just(Chips(BROUGHT))}
NEWS = st.lists(
    st.builds(ti.Leaves, seat=SEATS)
    | st.builds(ti.Moves, seat=SEATS, to=SEATS)
    | st.builds(ti.Swaps, seat=SEATS, other=SEATS)
    | st.builds(ti.Sits, seat=SEATS, **COMES)
    | st.builds(ti.Stands, **COMES),
    max_size=8,
)


def begun():
    """Somebody stands, seat 9 is free, and everybody has the same."""
    return played(table(house()), "seat 9 leaves", f"standing {BROUGHT} player 101")


def tried(now, said):
    """The table after an input, and whether it took it."""
    try:
        return step(now, said)[0], True
    except Refusal:
        return now, False


def paid(stakes):
    """The table after a coup with these stakes, and what lay, by the name of who laid it."""
    now, lay = begun(), {}
    for (seat, spot), chips in stakes.items():
        now, taken = tried(now, Bets(seat=seat, spot=spot, chips=Chips(chips)))
        if taken:
            lay[f"player {seat}", spot] = chips
    assume(lay)
    return played(now, *PLAYER_WINS, "agreed", "paid"), lay


def after(now, news):
    """The table after what people did, as far as they could; each newcomer has his own name."""
    for number, said in enumerate(news):
        comes = isinstance(said, ti.Sits | ti.Stands)
        now, _ = tried(now, replace(said, name=f"new {number}") if comes else said)
    return now


def purses(now):
    """Who has how much before him, by his name."""
    there = (player(now.felt, place) for place in places(now.felt))
    return {who.name: who.balance for who in there}


def stakes_of(now):
    """What lies, by the name of who laid it."""
    return {(player(now.felt, bet.seat).name, bet.spot): bet.chips for bet in now.bets}


@given(STAKES, NEWS)
def test_a_result_is_taken_back_from_those_who_had_it(stakes, news):
    """PB-26, R-16: each has what he had, and his stake lies; not so once one of them is gone."""
    now, lay = paid(stakes)
    now = after(now, news)
    here = purses(now)

    back, taken = tried(now, Reopens(reason="read wrongly", actor="supervisor:Berta"))

    assert taken == all(name in here for name, _ in lay)
    if taken:
        had = dict.fromkeys(here, BROUGHT)
        for (name, _), chips in lay.items():
            had[name] -= chips
        assert (purses(back), stakes_of(back)) == (had, lay)
        assert sum(game.money(back).values()) == sum(game.money(now).values())


@given(STAKES, NEWS)
def test_the_same_stakes_are_laid_by_who_laid_them(stakes, news):
    """PB-13: who is still there lays what he had laid; nobody else does."""
    now, lay = paid(stakes)
    now = after(now, news)
    again = {(name, spot): chips for (name, spot), chips in lay.items() if name in purses(now)}

    back, taken = tried(now, BetsAgain())

    assert taken == bool(again)
    assert stakes_of(back) == again

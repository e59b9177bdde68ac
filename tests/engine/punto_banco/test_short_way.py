"""Nearly every card is laid by a shorter way than the rest: it leads where the long one does."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from table_controller.engine.messages import CardSeen, Refusal
from table_controller.engine.punto_banco import house_keeping
from table_controller.engine.punto_banco.deal import LAY
from table_controller.engine.punto_banco.inputs import Agrees, Opened, Side
from table_controller.engine.punto_banco.state import foremost
from table_controller.engine.punto_banco.step import step
from table_controller.engine.seen import Unknown
from table_controller.engine.table.devices import LidOpened, PowerBack, PowerFailed
from table_controller.engine.table.felt import aside
from table_controller.engine.table.inputs import StrayRuled, StrayRuling
from table_controller.rules.cards import PACK
from tests.engine.punto_banco.playing import house, houses, played, table

CARDS = st.builds(CardSeen, card=st.sampled_from(PACK), copy=st.integers(0, 9))
ODD = st.sampled_from(
    [
        CardSeen(white=True),
        CardSeen(unknown=Unknown.NO_READ),
        CardSeen(unknown=Unknown.TWO_CARDS),
        StrayRuled(ruling=StrayRuling.KEPT, reason="unseen"),
        LidOpened(actor="pins"),
        PowerFailed(),
        PowerBack(),
        Agrees(),
        Opened(side=Side.PLAYER),
        Opened(side=Side.BANKER),
    ]
)


def _way(way, now, said):
    """Where it leads, or what refuses it."""
    try:
        return way(now, foremost(now), said)
    except Refusal as refusal:
        return type(refusal), refusal.args


@given(
    own=st.sampled_from([replace(house, bets=False) for house in houses()]),
    left=st.integers(6, 30),
    said=st.lists(CARDS | CARDS | CARDS | ODD, max_size=40),
)
def test_the_short_way_leads_where_the_long_one_does(own, left, said):
    """PB-4, R-6, R-13: the same table and the same events, whatever passed before and now."""
    now = table(own, left=left)
    for one in said:
        if isinstance(one, CardSeen) and type(foremost(now)) in LAY:
            assert _way(house_keeping.card_due, now, one) == _way(house_keeping.card_seen, now, one)
        try:
            now, _ = step(now, one)
        except Refusal:
            continue


def test_a_kept_card_comes_first_once_the_mains_are_back():
    """PB-20, R-53: kept while nothing went on, it is Player's third card; the next one is a stray.

    Player holds 5 and Banker 2, both closed when the fifth card leaves.
    """
    squeezed = replace(house(), bets=False, dealing="squeezed")
    cards = ("card 2c", "card Kh", "card 3c", "card 2d", "card 4d")
    waits = ("power fails", "stray kept because unseen", "player opened", "banker opened")

    now = played(table(squeezed), *cards, *waits, "power back", "card 6h")

    assert [dealt.card for dealt in now.phase.player] == ["2c", "3c", "4d"]
    assert [dealt.card for dealt in now.phase.banker] == ["Kh", "2d"]
    assert [dealt.card for dealt in aside(now.felt)] == ["6h"]

"""Nearly every card is laid by a shorter path of code, which must agree with the long path."""

from __future__ import annotations

from dataclasses import replace
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from table_controller.engine.messages import CardSeen, Refusal, Role
from table_controller.engine.punto_banco import play
from table_controller.engine.punto_banco.inputs import Agrees, Opened, Side
from table_controller.engine.punto_banco.state import Table, on_felt
from table_controller.engine.punto_banco.step import step
from table_controller.engine.seen import Unknown
from table_controller.engine.table.devices import LidOpened, PowerBack, PowerFailed
from table_controller.engine.table.felt import aside
from table_controller.engine.table.inputs import StrayRuled, StrayRuling
from table_controller.engine.table.roles import Person
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


def _led(now, said):
    """Where it leads, or what refuses it."""
    try:
        return step(now, said)
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
        led = _led(now, one)
        with patch.object(play, "dealt", lambda *_: None):
            assert led == _led(now, one)
        now = led[0] if isinstance(led[0], Table) else now


def test_a_card_goes_the_short_way_where_nothing_is_amiss():
    """PB-4: each card of a coup and its first one, where the table has people with roles too."""
    now = table(replace(house(), bets=False))
    now = on_felt(now, persons=(Person("anna", Role.SUPERVISOR),))
    for code in ("5c", "Kd", "7h", "3s", "2d"):
        card = CardSeen(card=code, actor="lip")
        assert play.dealt(now, card) == step(now, card)
        now, _ = step(now, card)


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

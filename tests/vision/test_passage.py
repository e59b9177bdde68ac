from hypothesis import given, settings
from hypothesis import strategies as st

from table_controller.rules.cards import Card
from tests.vision.passing import BACK, CLEAR, GONE, IN_GATE, label, opened_ms
from vision.gate import View
from vision.passage import Passages
from vision.witness import Reading, Witness


def test_a_card_that_rests_in_the_gate_is_read_now_and_then(shoe, passages):
    """Sixteen frames, then one each 50 ms; and none once its verdict is given."""
    asked = 0
    for t_ms in range(0, 1200, 8):
        passages.view(t_ms, IN_GATE)
        if passages.wanted(t_ms):
            asked += 1
            passages.read(t_ms, [label(shoe.cards[0].token)])
    passages.view(1200, GONE)
    passages.due(1300)

    assert 30 < asked < 40
    assert not passages.wanted(1190)


def test_a_reading_prints_no_card(shoe):
    """Whoever logs one logs no closed card."""
    shown = repr([label(shoe.cards[0].token), Reading(Witness.FACE, card=Card("7h"))])

    assert shoe.cards[0].token not in shown
    assert "7h" not in shown


@settings(max_examples=200)
@given(
    st.lists(
        st.tuples(
            st.sampled_from([CLEAR, IN_GATE, GONE, BACK, View(True, 0, 640, True, True)]),
            st.lists(st.integers(0, 3), max_size=3),
            st.floats(0, 300),
        ),
        max_size=60,
    )
)
def test_whatever_is_seen_each_passage_has_one_verdict(steps):
    """Any views, readings and pauses: verdicts never outnumber openings, never come early."""
    from tests.vision.conftest import KEY
    from vision import manifest

    shoe = manifest.make("blue-1", KEY, packs=1)
    passages = Passages(shoe.lookup)
    now, openings, told, was_open = 0.0, 0, [], False
    for view, codes, pause in steps:
        now += pause
        passages.view(now, view)
        openings += opened_ms(passages) is not None and not was_open
        was_open = opened_ms(passages) is not None
        passages.read(now, [label(shoe.cards[code].token) for code in codes])
        due = passages.due(now)
        assert all(decided.due_ms <= now for decided in due)
        told += due
    told += passages.end()

    assert len(told) == openings
    assert all((one.seen.card is None) is (one.seen.unknown is not None) for one in told)

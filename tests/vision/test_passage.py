from hypothesis import given, settings
from hypothesis import strategies as st

from table_controller.engine.seen import Seen, Unknown
from table_controller.rules.cards import Card
from tests.vision.passing import BACK, CLEAR, GONE, IN_GATE, label, opened_ms, slide, verdicts
from vision.gate import View
from vision.passage import Passages
from vision.witness import Reading, Witness


def test_many_frames_are_one_passage_and_one_verdict(shoe, passages):
    """Eight frames, two decoders: one card."""
    entry = shoe.cards[9]
    slide(passages, 0, label(entry.token), label(entry.token, Witness.ZBAR))

    assert verdicts(passages) == [Seen(card=entry.card, copy=entry.copy)]
    assert verdicts(passages) == []


def test_the_verdict_is_due_a_fixed_time_after_the_close_whatever_was_read(shoe, passages):
    """The effort of reading leaks nothing: a read card, none, a foreign one, the same 80 ms."""
    entry = shoe.cards[9]
    for start, readings in ((0, [label(entry.token)]), (200, []), (400, [label("FOREIGN0000000")])):
        slide(passages, start, *readings)
        close = start + 64
        assert passages.next_due_ms == close + 80
        assert passages.due(close + 79.9) == []
        assert [decided.due_ms for decided in passages.due(close + 80)] == [close + 80]


def test_a_late_read_of_the_same_passage_is_no_second_card(shoe, passages):
    """Not even after the verdict; nor does it change the verdict."""
    entry = shoe.cards[9]
    slide(passages, 0)
    verdict = verdicts(passages, 144)

    passages.read(32, [label(entry.token)])

    assert verdict == [Seen(unknown=Unknown.NO_READ)]
    assert passages.end() == []
    assert passages.quality.late == 1


def test_a_read_that_comes_before_the_verdict_counts_for_its_own_frame(shoe, passages):
    """Decoding may lag behind the next card: the frame's time says whose reading it is."""
    first, second = shoe.cards[:2]
    slide(passages, 0)
    slide(passages, 90)

    passages.read(100, [label(second.token)])
    passages.read(30, [label(first.token)])

    assert [seen.card for seen in verdicts(passages)] == [first.card, second.card]


def test_a_frame_between_two_close_cards_belongs_to_the_one_it_shows(shoe, passages):
    """6 ms apart, within what a beam's clock is forgiven: its own passage comes first."""
    first, second = shoe.cards[:2]
    slide(passages, 0, label(first.token))
    slide(passages, 70)

    passages.read(70, [label(second.token)])

    assert [seen.card for seen in verdicts(passages)] == [first.card, second.card]


def test_a_reading_with_nothing_in_the_gate_is_nobodys(shoe, passages):
    """A card held to the lip from outside is not a passage."""
    passages.view(0, CLEAR)
    passages.read(0, [label(shoe.cards[0].token)])

    assert passages.end() == []
    assert passages.quality.stray == 1


def test_what_is_not_ours_is_named_for_what_it_is(shoe, other_shoe, passages):
    """Foreign, another shoe's, two cards; even beside one of ours."""
    ours, second, theirs = shoe.cards[0], shoe.cards[1], other_shoe.cards[0]
    cases = {
        Unknown.FOREIGN: [label(ours.token), label("FOREIGN0000000")],
        Unknown.OTHER_SHOE: [label(ours.token), label(theirs.token)],
        Unknown.TWO_CARDS: [label(ours.token), label(second.token)],
        Unknown.DUPLICATE: [label(ours.token, at_px=200), label(ours.token, at_px=400)],
        Unknown.NO_READ: [],
    }
    for number, readings in enumerate(cases.values()):
        slide(passages, 200 * number, *readings)

    assert [seen.unknown for seen in verdicts(passages)] == list(cases)


def test_two_decoders_at_nearly_one_place_are_not_two_labels(shoe, passages):
    """They measure a code's middle differently."""
    token = shoe.cards[0].token
    slide(passages, 0, label(token, Witness.ZBAR, 300), label(token, Witness.ZXING, 310))

    assert verdicts(passages)[0].card == shoe.cards[0].card


def test_a_card_pushed_back_is_no_card_and_may_come_again(shoe, passages):
    """Its second passage is its own."""
    entry = shoe.cards[0]
    slide(passages, 0, label(entry.token), last=BACK)
    slide(passages, 200, label(entry.token))

    assert [seen.unknown for seen in verdicts(passages)] == [Unknown.PARTIAL, None]


def test_too_much_paper_or_a_second_leading_edge_is_two_cards(shoe, passages):
    """Longer than a card; or an edge that leapt back while the gate stayed blocked."""
    token = shoe.cards[0].token
    passages.view(0, View(True, 0, 600, True, False))
    passages.read(0, [label(token)])
    passages.view(8, GONE)
    for t_ms, lead in ((300, 400), (308, 500), (316, 380), (324, 450)):
        passages.view(t_ms, View(True, 0, lead, tail_cut=True))
        passages.read(t_ms, [label(token)])
    passages.view(332, GONE)

    assert [seen.unknown for seen in verdicts(passages)] == [Unknown.TWO_CARDS] * 2


def test_less_than_a_card_is_half_a_card(shoe, passages):
    """Both ends were in the picture, 250 px apart."""
    passages.view(0, View(True, 200, 450))
    passages.view(8, GONE)

    assert [seen.unknown for seen in verdicts(passages)] == [Unknown.PARTIAL]


def test_a_card_in_the_gate_at_the_end_is_half_out(shoe, passages):
    """A recording may be cut anywhere."""
    passages.view(0, IN_GATE)
    passages.read(0, [label(shoe.cards[0].token)])

    assert opened_ms(passages) == 0
    assert [one.seen.unknown for one in passages.end()] == [Unknown.PARTIAL]


def test_a_beam_opens_and_closes_whatever_the_picture_shows(shoe):
    """And the first picture after the close tells which way the card went."""
    passages = Passages(shoe.lookup, beam=True, fps=1)
    entry = shoe.cards[0]
    for start, last in ((0, GONE), (200, BACK), (400, CLEAR)):
        passages.edge(start + 1, blocked=True)
        passages.view(start + 4, IN_GATE)
        passages.read(start + 4, [label(entry.token)])
        passages.edge(start + 61, blocked=False)
        passages.view(start + 68, last)
        passages.view(start + 76, CLEAR)

    decided = passages.end()
    assert [one.seen.unknown for one in decided] == [None, Unknown.PARTIAL, None]
    assert [one.due_ms for one in decided] == [141, 341, 541]


def test_a_beam_alone_counts_a_card_that_no_camera_saw(shoe):
    """A passage without a read stops the coup; it is never overlooked."""
    passages = Passages(shoe.lookup, beam=True, fps=1)
    passages.edge(0, blocked=True)
    passages.edge(60, blocked=False)

    assert [one.seen for one in passages.end()] == [Seen(unknown=Unknown.NO_READ)]


def test_a_frame_a_little_off_the_beams_time_still_belongs_to_the_card(shoe):
    """Beam and camera have different clocks; 10 ms is forgiven."""
    passages = Passages(shoe.lookup, beam=True, fps=1)
    passages.edge(0, blocked=True)
    passages.edge(60, blocked=False)
    passages.read(66, [label(shoe.cards[0].token)])

    assert passages.end()[0].seen.card == shoe.cards[0].card


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


def test_a_card_shown_again_in_a_hand_may_come_and_go_any_way(shoe, passages):
    """In from the outside, a bright hand behind it, and out again; two labels are still two."""
    first, second = shoe.cards[:2]
    passages.again = True
    for start, readings in ((0, [first]), (200, [first, second]), (400, [])):
        passages.view(start, View(True, 0, 640, True, True))
        passages.read(start, [label(entry.token) for entry in readings])
        passages.view(start + 8, BACK)

    shown = [(seen.card, seen.unknown) for seen in verdicts(passages)]
    assert shown == [(first.card, None), (None, Unknown.TWO_CARDS), (None, Unknown.NO_READ)]


# -- quality and secrecy


def test_quality_is_counted_and_taken_once_per_schlitten(shoe, passages):
    """Reads, agreement, rejects and the margin in frames."""
    entry = shoe.cards[0]
    slide(passages, 0, label(entry.token), label(entry.token, Witness.ZBAR))
    slide(passages, 200)
    slide(passages, 400, label(shoe.white.token))
    slide(passages, 600, label("FOREIGN"), label("FOREIGN", Witness.ZBAR))
    verdicts(passages)

    quality = passages.take_quality()
    assert (quality.passages, quality.cards, quality.white, quality.agreed) == (4, 1, 1, 1)
    assert quality.unknown == {"no_read": 1, "foreign": 1}
    assert quality.reads == {"zxing": 24, "zbar": 16}
    assert quality.frames_read == {8: 3, 0: 1}
    assert passages.take_quality().passages == 0


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


def test_cards_shown_again_are_counted_as_retries(shoe, passages):
    slide(passages, 0)
    passages.due(200)
    passages.again = True
    slide(passages, 400, label(shoe.cards[0].token))
    passages.due(600)

    assert (passages.quality.passages, passages.quality.retries) == (2, 1)

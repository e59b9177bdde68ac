import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from table_controller.engine.seen import Seen, Unknown
from table_controller.rules.cards import Card
from vision.gate import View
from vision.passage import Passages, Reading, Witness

CLEAR = View(False, 320, 320)
IN_GATE = View(True, 100, 600)
GONE = View(False, 320, 320, ahead_px=40, behind_px=200)
BACK = View(False, 320, 320, ahead_px=float("inf"), behind_px=30)


@pytest.fixture
def passages(shoe, other_shoe):
    return Passages(lambda text: shoe.lookup(text, [other_shoe]), delay_ms=80)


def _code(text, witness=Witness.ZXING, at_px=320.0):
    return Reading(witness, text, at_px=at_px)


def _slide(passages, start_ms, *readings, last=GONE):
    """A card past the gate in eight frames, read in each; closed 64 ms after its start."""
    for number in range(8):
        passages.view(start_ms + 8 * number, IN_GATE)
        passages.read(start_ms + 8 * number, readings)
    passages.view(start_ms + 64, last)


def _seen(passages, now_ms=float("inf")):
    return [decided.seen for decided in passages.due(now_ms)]


def test_many_frames_are_one_passage_and_one_verdict(shoe, passages):
    """Eight frames, two decoders: one card."""
    entry = shoe.cards[9]
    _slide(passages, 0, _code(entry.token), _code(entry.token, Witness.ZBAR))

    assert _seen(passages) == [Seen(card=entry.card, copy=entry.copy)]
    assert _seen(passages) == []


def test_the_verdict_is_due_a_fixed_time_after_the_close_whatever_was_read(shoe, passages):
    """The effort of reading leaks nothing: a read card, none, a foreign one, the same 80 ms."""
    entry = shoe.cards[9]
    for start, readings in ((0, [_code(entry.token)]), (200, []), (400, [_code("FOREIGN0000000")])):
        _slide(passages, start, *readings)
        close = start + 64
        assert passages.next_due_ms == close + 80
        assert passages.due(close + 79.9) == []
        assert [decided.due_ms for decided in passages.due(close + 80)] == [close + 80]


def test_a_late_read_of_the_same_passage_is_no_second_card(shoe, passages):
    """Neither when it comes after the verdict, nor does it change the verdict."""
    entry = shoe.cards[9]
    _slide(passages, 0)
    verdict = _seen(passages, 144)

    passages.read(32, [_code(entry.token)])

    assert verdict == [Seen(unknown=Unknown.NO_READ)]
    assert passages.end() == []
    assert passages.quality.late == 1


def test_a_read_that_comes_before_the_verdict_counts_for_its_own_frame(shoe, passages):
    """Decoding may lag behind the next card: the frame's time says whose reading it is."""
    first, second = shoe.cards[:2]
    _slide(passages, 0)
    _slide(passages, 90)

    passages.read(100, [_code(second.token)])
    passages.read(30, [_code(first.token)])

    assert [seen.card for seen in _seen(passages)] == [first.card, second.card]


def test_a_frame_between_two_close_cards_belongs_to_the_one_it_shows(shoe, passages):
    """6 ms apart, within what a beam's clock is forgiven: its own passage comes first."""
    first, second = shoe.cards[:2]
    _slide(passages, 0, _code(first.token))
    _slide(passages, 70)

    passages.read(70, [_code(second.token)])

    assert [seen.card for seen in _seen(passages)] == [first.card, second.card]


def test_a_reading_with_nothing_in_the_gate_is_nobodys(shoe, passages):
    """A card held to the lip from outside is not a passage."""
    passages.view(0, CLEAR)
    passages.read(0, [_code(shoe.cards[0].token)])

    assert passages.end() == []
    assert passages.quality.stray == 1


def test_what_is_not_ours_is_named_for_what_it_is(shoe, other_shoe, passages):
    """Foreign, another shoe's, two cards; even beside one of ours."""
    ours, second, theirs = shoe.cards[0], shoe.cards[1], other_shoe.cards[0]
    cases = {
        Unknown.FOREIGN: [_code(ours.token), _code("FOREIGN0000000")],
        Unknown.OTHER_SHOE: [_code(ours.token), _code(theirs.token)],
        Unknown.TWO_CARDS: [_code(ours.token), _code(second.token)],
        Unknown.DUPLICATE: [_code(ours.token, at_px=200), _code(ours.token, at_px=400)],
        Unknown.NO_READ: [],
    }
    for number, readings in enumerate(cases.values()):
        _slide(passages, 200 * number, *readings)

    assert [seen.unknown for seen in _seen(passages)] == list(cases)


def test_two_decoders_at_nearly_one_place_are_not_two_labels(shoe, passages):
    """They measure a code's middle differently."""
    token = shoe.cards[0].token
    _slide(passages, 0, _code(token, Witness.ZBAR, 300), _code(token, Witness.ZXING, 310))

    assert _seen(passages)[0].card == shoe.cards[0].card


def test_a_card_pushed_back_is_no_card_and_may_come_again(shoe, passages):
    """Its second passage is its own."""
    entry = shoe.cards[0]
    _slide(passages, 0, _code(entry.token), last=BACK)
    _slide(passages, 200, _code(entry.token))

    assert [seen.unknown for seen in _seen(passages)] == [Unknown.PARTIAL, None]


def test_one_dark_frame_is_not_the_end_of_a_passage(shoe, passages):
    """Nothing on either side of the gate: the next frame decides."""
    entry = shoe.cards[0]
    for t_ms, view in enumerate([IN_GATE, CLEAR, IN_GATE, CLEAR, CLEAR]):
        passages.view(t_ms * 8.0, view)
        passages.read(t_ms * 8.0, [_code(entry.token)] if view.blocked else [])

    decided = passages.end()
    assert [one.seen.card for one in decided] == [entry.card]
    assert decided[0].due_ms == 24 + 80


def test_too_much_paper_or_a_second_leading_edge_is_two_cards(shoe, passages):
    """Longer than a card; or an edge that leapt back while the gate stayed blocked."""
    token = shoe.cards[0].token
    passages.view(0, View(True, 0, 600, True, False))
    passages.read(0, [_code(token)])
    passages.view(8, GONE)
    for t_ms, lead in ((300, 400), (308, 470), (316, 380), (324, 450)):
        passages.view(t_ms, View(True, 100, lead))
        passages.read(t_ms, [_code(token)])
    passages.view(332, GONE)

    assert [seen.unknown for seen in _seen(passages)] == [Unknown.TWO_CARDS] * 2


def test_less_than_a_card_is_half_a_card(shoe, passages):
    """Both ends were in the picture, 250 px apart."""
    passages.view(0, View(True, 200, 450))
    passages.view(8, GONE)

    assert [seen.unknown for seen in _seen(passages)] == [Unknown.PARTIAL]


def test_a_card_that_nobody_watched_all_the_way_is_unsure(shoe, passages):
    """A gap in the pictures while it was in the gate: another may have followed."""
    passages.view(0, IN_GATE)
    passages.read(0, [_code(shoe.cards[0].token)])
    passages.view(400, IN_GATE)
    passages.view(408, GONE)

    assert [seen.unknown for seen in _seen(passages)] == [Unknown.UNSURE]


def test_a_card_in_the_gate_at_the_end_is_half_out(shoe, passages):
    """A recording may be cut anywhere."""
    passages.view(0, IN_GATE)
    passages.read(0, [_code(shoe.cards[0].token)])

    assert passages.open_since_ms == 0
    assert [one.seen.unknown for one in passages.end()] == [Unknown.PARTIAL]


def test_a_beam_opens_and_closes_whatever_the_picture_shows(shoe):
    """And the first picture after the close tells which way the card went."""
    passages = Passages(shoe.lookup, beam=True)
    entry = shoe.cards[0]
    for start, last in ((0, GONE), (200, BACK), (400, CLEAR)):
        passages.edge(start + 1, blocked=True)
        passages.view(start + 4, IN_GATE)
        passages.read(start + 4, [_code(entry.token)])
        passages.edge(start + 61, blocked=False)
        passages.view(start + 68, last)
        passages.view(start + 76, CLEAR)

    decided = passages.end()
    assert [one.seen.unknown for one in decided] == [None, Unknown.PARTIAL, None]
    assert [one.due_ms for one in decided] == [141, 341, 541]


def test_a_beam_alone_counts_a_card_that_no_camera_saw(shoe):
    """A passage without a read stops the coup; it is never overlooked."""
    passages = Passages(shoe.lookup, beam=True)
    passages.edge(0, blocked=True)
    passages.edge(60, blocked=False)

    assert [one.seen for one in passages.end()] == [Seen(unknown=Unknown.NO_READ)]


def test_a_frame_a_little_off_the_beams_time_still_belongs_to_the_card(shoe):
    """Beam and camera have different clocks; 10 ms is forgiven."""
    passages = Passages(shoe.lookup, beam=True)
    passages.edge(0, blocked=True)
    passages.edge(60, blocked=False)
    passages.read(66, [_code(shoe.cards[0].token)])

    assert passages.end()[0].seen.card == shoe.cards[0].card


def test_a_card_that_rests_in_the_gate_is_read_now_and_then(shoe, passages):
    """Sixteen frames, then one each 50 ms; and none once its verdict is given."""
    asked = 0
    for t_ms in range(0, 1200, 8):
        passages.view(t_ms, IN_GATE)
        if passages.wanted(t_ms):
            asked += 1
            passages.read(t_ms, [_code(shoe.cards[0].token)])
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
        passages.read(start, [_code(entry.token) for entry in readings])
        passages.view(start + 8, BACK)

    shown = [(seen.card, seen.unknown) for seen in _seen(passages)]
    assert shown == [(first.card, None), (None, Unknown.TWO_CARDS), (None, Unknown.NO_READ)]


# -- the serial module


def test_the_modules_digits_alone_are_no_card(shoe, passages):
    """A Code 128 read with a valid checksum was seen to be wrong: a second witness is wanted."""
    _slide(passages, 0)
    passages.line(100, shoe.cards[0].digits)

    assert [seen.unknown for seen in _seen(passages)] == [Unknown.UNSURE]


def test_the_modules_digits_count_beside_a_second_witness(shoe):
    """A face that names the same card."""
    entry = shoe.cards[0]
    passages = Passages(shoe.lookup)
    _slide(passages, 0, Reading(Witness.FACE, card=entry.card))
    passages.line(100, entry.digits)

    assert _seen(passages) == [Seen(card=entry.card, copy=entry.copy)]


def test_a_module_that_contradicts_stops_the_coup(shoe, passages):
    """Two witnesses, two cards: no guess."""
    _slide(passages, 0, _code(shoe.cards[0].token))
    passages.line(100, shoe.cards[1].digits)

    assert [seen.unknown for seen in _seen(passages)] == [Unknown.DISAGREE]


def test_a_module_that_reads_qr_needs_no_second_witness(shoe, passages):
    """A token is a token, whoever reads it."""
    _slide(passages, 0)
    passages.line(100, shoe.cards[0].token)

    assert [seen.card for seen in _seen(passages)] == [shoe.cards[0].card]


def test_a_line_that_comes_during_the_next_card_finds_its_own(shoe, passages):
    """The module is slow; the camera's token tells whose line it is. Doubled lines are one."""
    first, second = shoe.cards[:2]
    _slide(passages, 0, _code(first.token))
    passages.line(95, first.digits)
    passages.line(96, first.digits)
    _slide(passages, 90, _code(second.token))
    passages.line(170, second.digits)

    assert [seen.card for seen in _seen(passages)] == [first.card, second.card]
    assert passages.quality.agreed == 2


@pytest.mark.parametrize("noise", ["", "1234", "123456789", "VTV3ESBZ6YGN\x00A", "é" * 14])
def test_noise_on_the_modules_line_is_nothing(shoe, passages, noise):
    """Split and garbled lines are not foreign cards."""
    _slide(passages, 0, _code(shoe.cards[0].token))
    passages.line(70, noise)

    assert [seen.card for seen in _seen(passages)] == [shoe.cards[0].card]


def test_whole_digits_that_nobody_knows_are_foreign(shoe, passages):
    """A label of somebody else."""
    digits = next(f"{n:08d}" for n in range(9) if shoe.lookup(f"{n:08d}").entry is None)
    _slide(passages, 0)
    passages.line(70, digits)

    assert [seen.unknown for seen in _seen(passages)] == [Unknown.FOREIGN]


# -- faces


def _faces(*cards, lookup=None):
    passages = Passages(lookup)
    for number, card in enumerate(cards):
        passages.view(8 * number, IN_GATE)
        passages.read(8 * number, [Reading(Witness.FACE, card=Card(card))])
    passages.view(8 * len(cards), GONE)
    return [one.seen for one in passages.end()]


def test_faces_stand_alone_only_where_cards_have_no_labels(shoe):
    """On a labelled table a face without its label is somebody's own card."""
    assert _faces("7h", "7h") == [Seen(card=Card("7h"))]
    assert _faces("7h", "7h", lookup=shoe.lookup) == [Seen(unknown=Unknown.UNSURE)]


def test_a_face_needs_two_votes_and_no_other(shoe):
    """One frame is a glimpse; two opinions are none."""
    assert _faces("7h") == [Seen(unknown=Unknown.UNSURE)]
    assert _faces("7h", "7h", "9h") == [Seen(unknown=Unknown.UNSURE)]
    assert _faces("7h", "7h", "9h", "9h") == [Seen(unknown=Unknown.DISAGREE)]


def test_a_face_that_contradicts_the_label_stops_the_coup(shoe):
    """A label moved to another card; or the cut card's on a king."""
    seven = next(entry for entry in shoe.cards if entry.card == "7h")
    for entry, verdict in ((seven, Unknown.DISAGREE), (shoe.white, Unknown.DISAGREE)):
        passages = Passages(shoe.lookup)
        _slide(passages, 0, _code(entry.token), Reading(Witness.FACE, card=Card("Ks")))
        assert [seen.unknown for seen in _seen(passages)] == [verdict]


# -- quality and secrecy


def test_quality_is_counted_and_taken_once_per_schlitten(shoe, passages):
    """Reads, agreement, rejects and the margin in frames."""
    entry = shoe.cards[0]
    _slide(passages, 0, _code(entry.token), _code(entry.token, Witness.ZBAR))
    _slide(passages, 200)
    _slide(passages, 400, _code(shoe.white.token))
    _slide(passages, 600, _code("FOREIGN"), _code("FOREIGN", Witness.ZBAR))
    _seen(passages)

    quality = passages.take_quality()
    assert (quality.passages, quality.cards, quality.white, quality.agreed) == (4, 1, 1, 1)
    assert quality.unknown == {"no_read": 1, "foreign": 1}
    assert quality.reads == {"zxing": 24, "zbar": 16}
    assert quality.frames_read == {8: 3, 0: 1}
    assert passages.take_quality().passages == 0


def test_a_reading_prints_no_card(shoe):
    """Whoever logs one logs no closed card."""
    shown = repr([_code(shoe.cards[0].token), Reading(Witness.FACE, card=Card("7h"))])

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
    now, openings, verdicts, was_open = 0.0, 0, [], False
    for view, codes, pause in steps:
        now += pause
        passages.view(now, view)
        openings += passages.open_since_ms is not None and not was_open
        was_open = passages.open_since_ms is not None
        passages.read(now, [_code(shoe.cards[code].token) for code in codes])
        due = passages.due(now)
        assert all(decided.due_ms <= now for decided in due)
        verdicts += due
    verdicts += passages.end()

    assert len(verdicts) == openings
    assert all((one.seen.card is None) is (one.seen.unknown is not None) for one in verdicts)


def test_a_line_that_comes_after_its_cards_verdict_is_not_the_next_cards(shoe, passages):
    """The module was slow: counted as late, and the next card is read as if it had not come."""
    first, second = shoe.cards[:2]
    _slide(passages, 0, _code(first.token))
    passages.due(200)
    passages.line(250, first.token)
    _slide(passages, 400, _code(second.token))

    assert _seen(passages) == [Seen(card=second.card, copy=second.copy)]
    assert passages.quality.late == 1


def test_cards_shown_again_are_counted_as_retries(shoe, passages):
    _slide(passages, 0)
    passages.due(200)
    passages.again = True
    _slide(passages, 400, _code(shoe.cards[0].token))
    passages.due(600)

    assert (passages.quality.passages, passages.quality.retries) == (2, 1)

import pytest

from table_controller.engine.seen import Seen, Unknown
from tests.vision.moving import drawn, play, view
from vision.beam import MISSED, STUCK, Beam
from vision.gate import View
from vision.passage import Passages
from vision.timeline import GAP
from vision.witness import Reading, Witness

CLEAR, IN_GATE = View(False, 320, 320), View(True, 100, 600)
GONE = View(False, 320, 320, ahead_px=40, behind_px=200)


def look(beam, start, end, *, paper, step=8):
    """Pictures from `start` to `end`; returns which cards they say were missed."""
    told = [beam.view(t_ms, paper=paper) for t_ms in range(start, end, step)]
    return [since for since in told if since is not None]


def test_a_beam_that_sees_every_card_is_believed():
    """Edges and pictures some milliseconds apart, and the edges first: a camera is slower."""
    beam = Beam()
    for start in (0, 300, 600):
        beam.edge(start + 20, blocked=True)
        beam.edge(start + 83, blocked=False)
        missed = look(beam, start, start + 24, paper=False)
        missed += look(beam, start + 24, start + 90, paper=True)
        missed += look(beam, start + 90, start + 300, paper=False)

        assert (missed, beam.fault) == ([], "")


def test_a_beam_that_misses_a_card_is_told_with_since_when_the_card_was_there():
    """Once; further cards are the picture's business."""
    beam = Beam()
    missed = look(beam, 0, 100, paper=False)
    missed += look(beam, 100, 164, paper=True)
    missed += look(beam, 164, 300, paper=False)
    missed += look(beam, 300, 364, paper=True) + look(beam, 364, 500, paper=False)

    assert missed == [100]
    assert beam.fault == MISSED


def test_a_shadow_of_two_pictures_accuses_nobody():
    beam = Beam()

    assert look(beam, 0, 16, paper=True) + look(beam, 16, 200, paper=False) == []
    assert beam.fault == ""


def test_a_resting_card_with_one_dark_picture_accuses_nobody():
    """The beam is dark all the while."""
    beam = Beam()
    beam.edge(0, blocked=True)
    missed = look(beam, 0, 1000, paper=True) + look(beam, 1000, 1008, paper=False)
    missed += look(beam, 1008, 1500, paper=True) + look(beam, 1500, 1508, paper=False)

    assert (missed, beam.fault) == ([], "")


def test_a_beam_that_stays_dark_over_an_empty_gate_is_stuck():
    """Half a second of both."""
    beam = Beam()
    beam.edge(0, blocked=True)
    look(beam, 0, 64, paper=True)
    look(beam, 64, 500, paper=False)
    assert beam.fault == ""
    look(beam, 500, 600, paper=False)

    assert beam.fault == STUCK


def test_what_passed_while_the_camera_was_away_accuses_nobody():
    """Paper before a gap in the pictures and a clear gate after it are no missed card."""
    beam = Beam()
    look(beam, 0, 100, paper=True)

    assert look(beam, 1000, 1200, paper=False) == []
    assert beam.fault == ""


def slide(passages, start, *readings, beam=True, paper=True, last=GONE):
    """A card past the gate, as beam and pictures have it."""
    if beam:
        passages.edge(start, blocked=True)
        passages.edge(start + 63, blocked=False)
    for t_ms in range(start, start + 64, 8):
        passages.view(t_ms, IN_GATE if paper else CLEAR)
        if passages.wanted(t_ms):
            passages.read(t_ms, readings)
    passages.view(start + 64, last if paper else CLEAR)
    for t_ms in range(start + 72, start + 200, 8):
        passages.view(t_ms, CLEAR)
    return [one.seen for one in passages.due(start + 200)]


@pytest.fixture
def passages(shoe):
    return Passages(shoe.lookup, beam=True, fps=1)


def test_a_card_that_a_dead_beam_missed_stops_the_coup_and_the_next_are_read_without_it(
    shoe, passages
):
    """Never overlooked. When the beam sees cards again, it opens and closes again."""
    first, second = shoe.cards[:2]
    reads = [[Reading(Witness.ZXING, entry.token)] for entry in (first, second)]
    card = Seen(card=second.card, copy=second.copy)

    assert slide(passages, 0, *reads[0]) == [Seen(card=first.card, copy=first.copy)]
    assert slide(passages, 400, *reads[1], beam=False) == [Seen(unknown=Unknown.NO_READ)]
    assert passages.beam_fault == MISSED
    assert slide(passages, 800, *reads[1], beam=False) == [card]
    assert slide(passages, 1200, *reads[1]) == [card]
    assert passages.beam_fault == ""
    assert slide(passages, 1600, *reads[0], paper=False) == [
        Seen(card=first.card, copy=first.copy)
    ]  # the beam alone again


def test_a_passage_that_a_stuck_beam_held_open_is_unsure(shoe, passages):
    """Another card may have gone with it."""
    entry = shoe.cards[0]
    passages.edge(0, blocked=True)
    passages.view(0, IN_GATE)
    passages.read(0, [Reading(Witness.ZXING, entry.token)])
    for t_ms in range(8, 700, 8):
        passages.view(t_ms, CLEAR)

    assert [one.seen for one in passages.due(800)] == [Seen(unknown=Unknown.UNSURE)]
    assert passages.beam_fault == STUCK
    assert slide(passages, 1000, Reading(Witness.ZXING, entry.token), beam=False) == [
        Seen(card=entry.card, copy=entry.copy)
    ]


def test_a_beam_that_cannot_be_heard_leaves_the_edges_to_the_pictures(shoe, passages):
    """Also with a card in the gate, which is then read to its end."""
    entry = shoe.cards[0]
    passages.edge(0, blocked=True)
    for t_ms in range(0, 40, 8):
        passages.view(t_ms, IN_GATE)
        passages.read(t_ms, [Reading(Witness.ZXING, entry.token)])
    passages.beam_away("no pins here")
    passages.view(40, GONE)

    assert passages.beam_fault == "no pins here"
    assert [one.seen for one in passages.due(200)] == [Seen(card=entry.card, copy=entry.copy)]


@pytest.mark.parametrize(
    ("fps", "mps"), [(120, 2.0), (120, 1.7), (120, 1.0), (60, 2.0), (60, 1.5), (30, 1.0), (30, 0.8)]
)
def test_a_card_that_a_beam_missed_is_never_silent_however_quick(shoe, fps, mps):
    """The beam is dead and nobody knows it: each card is a verdict, or an alert to count."""
    for phase in range(10):
        passages = Passages(shoe.lookup, beam=True, fps=fps)
        play(passages, [drawn(100)], 400, fps=fps)
        heard = play_without_edges(passages, drawn(500, mps), fps, 500 + phase * 100 / fps)

        assert heard


def play_without_edges(passages, card, fps, phase_ms):
    """Whether anything was told of a card that only the pictures show."""
    for number in range(-fps // 10, fps // 4):
        t_ms = phase_ms + number * 1000 / fps
        passages.view(t_ms, view([card], t_ms))
    return bool(passages.end()) or passages.take_unseen() == GAP


@pytest.mark.parametrize(("until", "missed"), [(112, []), (120, [96]), (128, [96])])
def test_paper_that_may_have_been_a_card_is_told_and_accuses_nobody(until, missed):
    """The time between the clear pictures just suffices for the quickest card; less is a shadow."""
    beam = Beam()
    told = look(beam, 0, 96, paper=False) + look(beam, 96, until, paper=True)

    assert told + look(beam, until, 300, paper=False) == missed
    assert beam.fault == ""


def test_a_card_as_quick_that_the_beam_saw_is_no_news():
    """Its edges are near."""
    beam = Beam()
    beam.edge(90, blocked=True)
    beam.edge(121, blocked=False)
    told = look(beam, 0, 96, paper=False) + look(beam, 96, 120, paper=True)

    assert told + look(beam, 120, 300, paper=False) == []


@pytest.mark.parametrize("heard", [True, False])
@pytest.mark.parametrize("before", [CLEAR, IN_GATE])
@pytest.mark.parametrize("after", [CLEAR, IN_GATE])
def test_a_beam_proves_nothing_that_the_pictures_beside_a_gap_deny(shoe, heard, before, after):
    """Nor does one that was never dark: it may be dead."""
    passages = Passages(shoe.lookup, beam=True, fps=120)
    if heard:
        passages.edge(-500, blocked=True)
        passages.edge(-437, blocked=False)
        passages.due(0)
    for number in range(12):
        passages.view(number * 1000 / 120, CLEAR if number < 11 else before)
    passages.view(900, after)

    proven = heard and before is after is CLEAR
    assert passages.take_unseen() == ("" if proven else GAP)

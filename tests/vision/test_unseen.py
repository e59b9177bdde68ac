"""What nobody saw: gaps in the pictures' time, dark pictures, a tail that trembles at the gate."""

import numpy as np
import pytest

from table_controller.engine.seen import Unknown
from tests.vision.passing import CLEAR, IN_GATE, code, unknown, verdicts
from vision.frame import Frame
from vision.gate import View
from vision.passage import Passages
from vision.reader import Reader, Sight
from vision.timeline import COVERED, DARK, DROPPED, GAP, SLOW, STILL, UNLIT

PERIOD = 1000 / 120
PAST = View(False, 320, 320, ahead_px=240)


class Lip:
    """Pictures of a lip at 120 a second, the gate clear until something is shown."""

    def __init__(self, passages):
        self.passages, self.t_ms, self.told = passages, 0.0, []
        self.show(CLEAR, 10)

    def show(self, view, count=1, reading=None):
        for _ in range(count):
            self.passages.view(self.t_ms, view)
            self.passages.read(self.t_ms, [reading] if reading else [])
            self.told += filter(None, [self.passages.take_unseen()])
            self.t_ms += PERIOD

    def card(self, reading=None):
        self.show(IN_GATE, 6, reading)
        self.show(PAST)
        self.show(CLEAR, 4)

    def none(self, periods):
        """No picture for so many periods after the last one."""
        self.t_ms += (periods - 1) * PERIOD


@pytest.fixture
def lip(shoe):
    return Lip(Passages(shoe.lookup))


@pytest.mark.parametrize(("periods", "told"), [(2, []), (3, [GAP]), (4, [GAP]), (120, [GAP])])
def test_three_periods_without_a_picture_are_a_gap(lip, shoe, periods, told):
    """Between cards: an alert, and the next card is unsure; the one after it is not."""
    card = code(shoe.cards[0])
    lip.none(periods)
    lip.show(CLEAR)
    lip.card(card)
    lip.card(code(shoe.cards[1]))

    assert lip.told == told
    assert unknown(lip.passages) == [Unknown.UNSURE if told else None, None]
    assert lip.passages.quality.gaps == len(told)


def test_a_card_that_left_and_one_that_came_within_a_gap_are_not_taken_for_one(lip, shoe):
    """A gap of 180 ms: the second card was once never reported."""
    lip.show(IN_GATE, 4, code(shoe.cards[0]))
    lip.none(22)
    lip.show(IN_GATE, 4, code(shoe.cards[0]))
    lip.show(PAST)

    assert lip.told == [GAP]
    assert unknown(lip.passages) == [Unknown.UNSURE]


def test_a_beam_that_was_clear_all_the_while_proves_that_nothing_left(shoe):
    """Then there is no alert, and the next card is as good as any; a fault proves nothing.

    It has been dark before: one that never was may be dead.
    """
    for fault, told in (("", []), ("its cable is out", [GAP])):
        lip = Lip(Passages(shoe.lookup, beam=True))
        lip.passages.edge(-500, blocked=True)
        lip.passages.edge(-437, blocked=False)
        unknown(lip.passages)
        if fault:
            lip.passages.beam_away(fault)
        lip.none(20)
        lip.show(CLEAR)

        assert lip.told == told


def test_a_card_that_the_beam_saw_within_a_gap_is_an_alert_too(shoe):
    """It is counted by its edges; how many there were is not sure."""
    lip = Lip(Passages(shoe.lookup, beam=True))
    lip.passages.edge(lip.t_ms + 20, blocked=True)
    lip.passages.edge(lip.t_ms + 83, blocked=False)
    lip.none(20)
    lip.show(CLEAR)

    assert lip.told == [GAP]


def test_the_true_rate_is_the_slower_of_what_is_set_and_what_comes(shoe):
    """A camera that was set to 30 and stamps its pictures anyhow; one that is slower than set."""
    for fps, told in ((30, []), (200, [GAP])):
        lip = Lip(Passages(shoe.lookup, fps=fps))
        lip.none(4)
        lip.show(CLEAR)

        assert lip.told == told


@pytest.mark.parametrize("dark", [1, 2, 3, 4, 12])
def test_dark_pictures_do_not_make_two_cards_of_one(lip, shoe, dark):
    """Paper cannot have gone so fast. From two on nobody knows what else passed: unsure."""
    card = code(shoe.cards[0])
    lip.show(IN_GATE, 3, card)
    lip.show(CLEAR, dark)
    lip.show(IN_GATE, 3, card)
    lip.show(PAST)
    lip.show(CLEAR, 3)

    assert unknown(lip.passages) == [Unknown.UNSURE if dark > 1 else None]
    assert lip.told == ([DARK] if dark > 1 else [])


def test_a_card_that_nobody_saw_leave_is_closed_where_it_vanished(lip, shoe):
    """When nothing has come to light again, or the next card is in sight."""
    lip.show(IN_GATE, 3, code(shoe.cards[0]))
    gone_ms = lip.t_ms
    lip.show(CLEAR, 60)
    (seen,) = lip.passages.due(float("inf"))

    assert seen.seen.unknown is Unknown.UNSURE
    assert gone_ms < seen.due_ms - 80 < gone_ms + 50

    lip.show(IN_GATE, 3, code(shoe.cards[0]))
    lip.show(CLEAR, 10)
    lip.show(View(False, 320, 320, behind_px=100))
    assert unknown(lip.passages) == [Unknown.UNSURE]


def test_a_tail_that_trembles_at_the_gate_is_one_card(lip, shoe):
    """A millimetre to and fro for 1.5 s, and ten millimetres: one passage, no card pushed back."""
    for reach_px, entry in ((8, shoe.cards[0]), (80, shoe.cards[1])):
        lip.show(IN_GATE, 4, code(entry))
        for number in range(180):
            back = View(True, 320 - reach_px, 640, lead_cut=True)
            past = View(False, 320, 320, ahead_px=reach_px)
            lip.show(back if number % 7 < 3 else past)
        lip.show(PAST)
        lip.show(CLEAR, 20)

        assert [seen.card for seen in verdicts(lip.passages)] == [entry.card]
    assert lip.told == []


def test_a_leading_edge_that_trembles_at_the_gate_is_no_card_pushed_back(lip, shoe):
    """A millimetre to and fro, held by a finger; then the card is drawn."""
    for number in range(60):
        here = View(True, 0, 328, tail_cut=True)
        lip.show(here if number % 7 < 3 else View(False, 320, 320, behind_px=8))
    lip.card(code(shoe.cards[0]))

    assert [seen.card for seen in verdicts(lip.passages)] == [shoe.cards[0].card]


def test_a_tail_that_trembles_in_the_beam_is_one_card(shoe):
    """Its edges are no cards: nothing was seen before the gate."""
    lip = Lip(Passages(shoe.lookup, beam=True))
    lip.passages.edge(lip.t_ms, blocked=True)
    lip.show(IN_GATE, 4, code(shoe.cards[0]))
    for _ in range(13):
        lip.passages.edge(lip.t_ms, blocked=False)
        lip.show(View(False, 320, 320, ahead_px=8), 7)
        lip.passages.edge(lip.t_ms, blocked=True)
        lip.show(View(True, 312, 640, lead_cut=True), 7)
    lip.passages.edge(lip.t_ms, blocked=False)
    lip.show(PAST)
    lip.show(CLEAR, 20)

    assert [seen.card for seen in verdicts(lip.passages)] == [shoe.cards[0].card]


def test_a_card_close_behind_another_is_its_own_in_the_beam(shoe):
    """Its leading edge was in sight before the gate."""
    lip = Lip(Passages(shoe.lookup, beam=True))
    for entry in shoe.cards[:2]:
        lip.passages.edge(lip.t_ms, blocked=True)
        lip.show(IN_GATE, 6, code(entry))
        lip.passages.edge(lip.t_ms, blocked=False)
        lip.show(View(False, 320, 320, ahead_px=40, behind_px=40))

    assert [seen.card for seen in verdicts(lip.passages)] == [one.card for one in shoe.cards[:2]]


@pytest.mark.parametrize("beam", [False, True])
def test_a_card_pushed_through_behind_a_tail_that_came_back_is_told(shoe, beam):
    """The first has its verdict, its tail lies in the gate again; the second comes edge to edge."""
    lip = Lip(Passages(shoe.lookup, beam=beam))

    def edge(blocked):
        if beam:
            lip.passages.edge(lip.t_ms, blocked=blocked)

    edge(True)
    lip.show(IN_GATE, 4, code(shoe.cards[0]))
    edge(False)
    lip.show(View(False, 320, 320, ahead_px=40), 12)
    assert unknown(lip.passages) == [None]
    edge(True)
    lip.show(View(True, 304, 640, lead_cut=True), 40)
    lip.show(View(True, 0, 640, tail_cut=True, lead_cut=True), 6, code(shoe.cards[1]))
    lip.show(View(True, 200, 640, lead_cut=True), 3)
    edge(False)
    lip.show(PAST)
    lip.show(CLEAR, 20)

    assert unknown(lip.passages) == [Unknown.TWO_CARDS]


def test_a_card_that_goes_back_after_its_verdict_makes_the_next_unsure(lip, shoe):
    """It may come a second time: with a face alone nobody could tell."""
    lip.show(IN_GATE, 4, code(shoe.cards[0]))
    lip.show(View(False, 320, 320, ahead_px=40), 12)
    assert unknown(lip.passages) == [None]
    lip.show(View(True, 300, 640, lead_cut=True), 4)
    lip.show(View(False, 320, 320, behind_px=60))
    lip.show(CLEAR, 3)
    lip.card(code(shoe.cards[0]))

    assert unknown(lip.passages) == [Unknown.UNSURE]


EMPTY = np.full((192, 640), 28, np.uint8)


def test_a_reader_tells_gaps_stillness_and_a_queue_that_ran_over(shoe):
    """Each by itself; stillness once while it lasts, and that it is over."""
    gaps, camera = [], []
    reader = Reader((), Sight(manifest=shoe), on_gap=gaps.append, on_camera=camera.append)
    for number in range(20):
        reader.watch(Frame(number * PERIOD, EMPTY))
    reader.due(1000.0)
    assert camera == [""]

    reader.due(1300.0)
    reader.due(1400.0)
    reader.watch(Frame(1500.0, EMPTY))
    reader.due(1508.0)
    reader.dropped()
    reader.dropped(overrun=True)

    assert camera == ["", STILL, ""]
    assert gaps == [GAP, DROPPED]


@pytest.mark.parametrize(
    ("bad", "why"), [(None, "lost"), (EMPTY[:, :320], "the frames are 320 pixels wide")]
)
def test_a_camera_is_well_by_a_picture_that_can_be_read_and_by_nothing_else(shoe, bad, why):
    """It hangs; then its driver says so, or its pictures are of another size; then nothing more."""
    camera = []
    reader = Reader((), Sight(manifest=shoe), on_camera=camera.append)
    reader.watch(Frame(0.0, EMPTY))
    reader.due(1000.0)
    reader.watch(Frame(1500.0, bad, why))
    for now_ms in (1500.0, 1600.0, 9000.0):
        reader.due(now_ms)
    assert camera[:2] == ["", STILL]
    assert [why in one for one in camera[2:]] == [True]

    reader.watch(Frame(9001.0, EMPTY))
    reader.due(9002.0)

    assert camera[3:] == [""]


def test_a_card_that_a_hand_shows_again_is_lifted_away_and_nobody_has_to_count(lip, shoe):
    """It goes faster than any card is drawn; the next one is as good as any."""
    lip.passages.again = True
    lip.show(IN_GATE, 6, code(shoe.cards[0]))
    lip.show(CLEAR, 60)
    shown = unknown(lip.passages)
    lip.passages.again = False
    lip.card(code(shoe.cards[1]))

    assert (shown, unknown(lip.passages), lip.told) == ([None], [None], [])


NIGHT = View(False, 320, 320, dark=True)
WHITE = View(True, 0, 640, True, True)
SCRAP = View(True, 300, 380)


def test_a_lip_that_stays_dark_is_told_while_it_is_and_once_more_when_it_ends(lip, shoe):
    """After a second; nobody saw what was dealt meanwhile, so the next card is unsure."""
    lip.card(code(shoe.cards[0]))
    lip.show(NIGHT, 118)
    assert (lip.passages.still(lip.t_ms), lip.told) == ("", [])
    lip.show(NIGHT, 4)
    assert (lip.passages.still(lip.t_ms), lip.told) == (UNLIT, [])
    lip.show(NIGHT, 600)
    assert lip.passages.still(lip.t_ms) == UNLIT
    lip.show(CLEAR)
    assert (lip.passages.still(lip.t_ms), lip.told) == ("", [UNLIT])
    lip.card(code(shoe.cards[1]))

    assert unknown(lip.passages) == [None, Unknown.UNSURE]


def test_a_second_of_darkness_is_told_however_slow_the_camera(shoe):
    """At one picture a second; otherwise only three of them would be a gap."""
    lip = Lip(Passages(shoe.lookup, fps=1))
    lip.show(NIGHT, 120)
    lip.show(CLEAR)

    assert lip.told == [UNLIT]


def test_no_picture_at_all_is_told_as_that_in_the_dark_too(lip):
    """A strobe that died, and then the camera."""
    lip.show(NIGHT, 20)

    assert lip.passages.still(lip.t_ms + 1000) == STILL


def test_a_lip_that_is_dark_while_a_hand_shows_a_card_again_has_to_be_counted(lip):
    """A hand that takes the card away is not so slow."""
    lip.passages.again = True
    lip.show(NIGHT, 130)
    lip.show(CLEAR)

    assert lip.told == [UNLIT]


@pytest.mark.parametrize("view", [WHITE, SCRAP, View(True, 0, 570, tail_cut=True)])
def test_what_lies_in_the_gate_and_cannot_be_one_card_is_told(lip, shoe, view):
    """Light that blinds, a scrap, two cards: after three seconds, and once more when it is gone."""
    lip.show(view, 350)
    assert lip.passages.still(lip.t_ms) == ""
    lip.show(view, 15)
    assert (lip.passages.still(lip.t_ms), lip.told) == (COVERED, [])
    lip.show(PAST)
    lip.show(CLEAR, 4)

    assert (lip.passages.still(lip.t_ms), lip.told) == ("", [COVERED])
    (seen,) = verdicts(lip.passages)
    assert seen.unknown is not None
    lip.card(code(shoe.cards[0]))
    assert unknown(lip.passages) == [None]


def test_what_lies_in_the_gate_at_the_start_has_three_seconds_too(shoe):
    """The first picture has none before it."""
    passages = Passages(shoe.lookup, fps=120)
    passages.view(9000.0, SCRAP)

    assert passages.still(9001.0) == ""


def test_a_scrap_that_cards_pass_over_is_told_all_the_same(lip, shoe):
    """It lies there between them: no gate is ever clear."""
    for entry in shoe.cards[:3]:
        lip.show(SCRAP, 140)
        lip.show(IN_GATE, 6, code(entry))
    lip.show(SCRAP)

    assert lip.passages.still(lip.t_ms) == COVERED


@pytest.mark.parametrize(
    "view",
    [IN_GATE, View(True, 0, 330, tail_cut=True), View(True, 315, 640, lead_cut=True)],
)
def test_a_card_that_rests_in_the_gate_is_no_cover(lip, shoe, view):
    """Five seconds, and longer; whole, or with one end in sight."""
    lip.show(view, 1200, code(shoe.cards[0]))
    assert lip.passages.still(lip.t_ms) == ""
    lip.show(PAST)
    lip.show(CLEAR, 4)

    assert lip.told == []
    assert unknown(lip.passages) == [None]


def test_a_hand_that_shows_a_card_again_may_cover_the_lip(lip):
    """It is as light as paper."""
    lip.passages.again = True
    lip.show(WHITE, 600)
    assert lip.passages.still(lip.t_ms) == ""
    lip.show(PAST)

    assert lip.told == []


@pytest.mark.parametrize(
    ("fps", "comes", "why", "gaps"),
    [
        (120, 120, "", 0),
        (120, 60, "", 0),  # any card is still seen
        (120, 30, SLOW, 0),
        (120, 10, SLOW, 99),
        (60, 40, "", 0),
        (30, 30, "", 0),
        (30, 22, "", 0),
        (30, 15, SLOW, 0),
        (30, 8, SLOW, 99),
        (0, 8, "", 0),  # a recording: nobody knows what it was
    ],
)
def test_a_camera_so_slow_that_a_card_may_pass_between_two_pictures_is_told(
    shoe, fps, comes, why, gaps
):
    """Compared with the set rate; and a pause in which a card can pass is a gap, however usual."""
    passages = Passages(shoe.lookup, fps=fps)
    told = []
    for number in range(100):
        passages.view(number * 1000 / comes, CLEAR)
        told += filter(None, [passages.take_unseen()])

    assert passages.still(99_500 / comes) == why
    assert told == [GAP] * gaps


def test_a_camera_that_slows_down_in_play_is_told_until_it_is_well_again(shoe):
    """Every card meanwhile is unsure."""
    lip = Lip(Passages(shoe.lookup, fps=120))
    lip.t_ms += 125 - PERIOD
    for entry in shoe.cards[:8]:
        for view in (CLEAR, IN_GATE, PAST, CLEAR):
            lip.show(view, 1, code(entry) if view.blocked else None)
            lip.t_ms += 125 - PERIOD

    assert lip.told == [GAP] * 32
    assert unknown(lip.passages) == [Unknown.UNSURE] * 8
    assert lip.passages.still(lip.t_ms) == SLOW
    lip.t_ms -= 125 - PERIOD
    lip.show(CLEAR, 40)
    assert lip.passages.still(lip.t_ms) == ""


def test_a_camera_that_is_being_opened_has_five_seconds(shoe):
    """From when somebody first asks; then it stands still."""
    passages = Passages(shoe.lookup)

    assert [passages.still(now) for now in (9000.0, 13_999.0, 14_000.0)] == [None, None, STILL]
    passages.view(14_100.0, CLEAR)
    assert [passages.still(now) for now in (15_099.0, 15_100.0)] == ["", STILL]

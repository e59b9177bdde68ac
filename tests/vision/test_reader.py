import asyncio
import itertools
import threading
import time
from dataclasses import replace

import numpy as np
import pytest

from table_controller.engine.seen import Seen, Unknown
from tests.limits import PATIENCE_S
from tests.vision.scenarios import right, scenarios
from vision import recording
from vision.camera import Playback
from vision.frame import Frame
from vision.generator import film, mixed, plan, schlitten
from vision.live import Live, follow
from vision.reader import Reader, Sight
from vision.witness import Reading, Witness


@pytest.mark.parametrize("number", range(21))
def test_what_can_happen_at_the_lip(shoe, other_shoe, number):
    """Every scenario has its verdicts, from pictures to Seen."""
    scenario = scenarios(shoe, other_shoe, 0)[number]
    reader = Reader(scenario.frames, Sight(manifest=shoe, others=[other_shoe]))

    assert tuple(seen for _due, seen in reader.passages()) == scenario.expected, scenario.name


def test_the_list_of_scenarios_is_tested_whole(shoe, other_shoe):
    """The numbers above are all of them."""
    assert len(scenarios(shoe, other_shoe, 0)) == 21


def test_thirty_cards_are_read_right_from_pictures(shoe):
    """Each once, in order, with times that rise. The soak run reads 31,200."""
    order = mixed(shoe, 1)[290:]
    reader = Reader(film(plan(order, 1)), Sight(manifest=shoe))

    read = list(reader.passages())

    assert [seen for _due, seen in read] == [right(entry) for entry in order]
    times = [due for due, _seen in read]
    assert times == sorted(times)
    assert reader.take_quality().cards == 22


def test_reading_is_pulled_no_further_than_asked(shoe):
    """Whoever deals from a recording decides the pace: frames wait with him."""
    pulled = []

    def frames():
        for frame in schlitten(shoe, 1):
            pulled.append(frame.t_ms)
            yield frame

    passages = Reader(frames(), Sight(manifest=shoe)).passages()
    due, _seen = next(passages)
    after_one = len(pulled)

    assert due <= pulled[-1] < due + 10
    next(passages)
    assert len(pulled) > after_one


def test_a_damaged_recording_is_read_around_its_damage(shoe, tmp_path):
    """Faults are told, the cards are read all the same."""
    order = shoe.cards[:3]
    path = tmp_path / "r"
    recording.write(path, film(plan(order, 1)))
    lines = path.read_bytes().splitlines(keepends=True)
    lines[20] = lines[20][:3000] + b"\n"
    path.write_bytes(b"".join(lines[:-1]))
    faults = []

    reader = Reader(recording.read(path), Sight(manifest=shoe), faults.append)
    read = [seen for _due, seen in reader.passages()]

    assert read == [right(entry) for entry in order]
    assert ["line 21" in faults[0], "without its closing line" in faults[1]] == [True, True]
    assert reader.take_quality().unreadable == 2


def test_frames_of_another_width_are_refused_once(shoe):
    """The gate would be somewhere else; no passage is invented, and it is said what to set."""
    faults = []
    frames = [Frame(8.0 * n, np.full((96, 320), 190, np.uint8)) for n in range(5)]
    reader = Reader(frames, Sight(manifest=shoe), faults.append)

    assert list(reader.passages()) == []
    assert reader.take_quality().unreadable == 5
    assert len(faults) == 1
    assert "320 pixels wide, the lip is measured for 640" in faults[0]


# -- live


def _patient(shoe):
    """Verdicts that wait for the last frame: a busy machine may decode late."""
    return Sight(manifest=shoe, delay_ms=600_000)


def _collect(reader, **settings):
    """Run a live reader to its end; what it told, and the error that ended it."""
    told, over = [], threading.Event()
    errors = []

    def ended(error):
        errors.append(error)
        over.set()

    live = Live(reader, lambda due, seen: told.append((due, seen)), ended, **settings)
    live.start()
    assert over.wait(PATIENCE_S)
    live.stop()
    return told, errors[0]


def test_a_live_camera_gives_what_the_recording_gives(shoe):
    """Threads change nothing but the clock."""
    order = shoe.cards[:4]
    slides = plan(order, 1)
    told, error = _collect(Reader(Playback(film(slides)), _patient(shoe)), queue_frames=999)

    assert error is None
    assert [seen for _due, seen in told] == [right(entry) for entry in order]


def test_a_decoder_that_hangs_delays_no_verdict(shoe):
    """The passage is unread, at its time; the reading comes too late and is no second card."""
    release, asked = threading.Event(), []

    def hangs(_picture):
        asked.append(1)
        assert release.wait(PATIENCE_S)
        yield Reading(Witness.ZXING, shoe.cards[0].token)

    told, over = [], threading.Event()
    frames = Playback(film(plan(shoe.cards[:1], 1)))
    reader = Reader(frames, Sight(manifest=shoe, witnesses=[hangs]))

    def tell(due, seen):
        told.append((due, seen, release.is_set()))
        release.set()

    live = Live(reader, tell, lambda _error: over.set())
    live.start()
    assert over.wait(PATIENCE_S)

    assert [(seen.unknown, late) for _due, seen, late in told] == [(Unknown.NO_READ, False)]
    assert len(asked) <= 1  # the frames that waited behind it are of no use any more


def test_a_full_queue_costs_frames_and_not_passages(shoe):
    """Every passage is still seen and has its verdict."""
    order = shoe.cards[:4]

    def slow(_picture):
        time.sleep(0.05)  # the slow decoder itself
        return ()

    reader = Reader(Playback(film(plan(order, 1))), Sight(manifest=shoe, witnesses=[slow]))
    told, _error = _collect(reader, queue_frames=1)

    assert len(told) == 4
    assert reader.take_quality().dropped > 5


def test_an_error_in_a_witness_is_told_once_and_the_others_are_asked(shoe):
    """Nobody stops for it: the barcodes are read beside a net that fails."""

    def broken(_picture):
        raise RuntimeError("the net broke")

    told = []
    eyes = [broken, *_patient(shoe).eyes()]
    frames = Playback(film(plan(shoe.cards[:2], 1)))
    reader = Reader(frames, replace(_patient(shoe), witnesses=eyes), on_eye=told.append)
    seen, error = _collect(reader)

    assert error is None
    assert [one.card for _due, one in seen] == [entry.card for entry in shoe.cards[:2]]
    assert [str(one) for one in told] == ["the net broke"]


def test_an_error_in_whoever_is_told_ends_the_reading_and_is_told(shoe):
    """Not a thread that died and a table that waits for ever."""

    def fails(_due, _seen):
        raise RuntimeError("the table is gone")

    over, errors = threading.Event(), []
    reader = Reader(Playback(film(plan(shoe.cards[:1], 1))), Sight(manifest=shoe))
    live = Live(reader, fails, lambda error: (errors.append(error), over.set()))
    live.start()

    assert over.wait(PATIENCE_S)
    live.stop()
    assert [str(error) for error in errors] == ["the table is gone"]


def test_verdicts_can_be_awaited(shoe):
    """On an event loop, until the frames end."""
    order = shoe.cards[:2]

    async def run():
        reader = Reader(Playback(film(plan(order, 1))), _patient(shoe))
        return [seen async for _due, seen in follow(reader, queue_frames=999)]

    assert asyncio.run(run()) == [right(entry) for entry in order]


def test_awaiting_can_be_given_up(shoe):
    """Leaving the loop stops the camera and the threads."""

    async def run():
        frames = Playback(schlitten(shoe, 1))
        async for _due, seen in follow(Reader(frames, Sight(manifest=shoe))):
            return seen
        return None

    before = threading.active_count()
    assert isinstance(asyncio.run(run()), Seen)
    assert threading.active_count() == before


def test_stopping_does_not_wait_for_the_next_frame(shoe):
    """A camera that brings none for an hour is told to end."""
    began = threading.Event()

    def frames():
        began.set()
        for t_ms in (0.0, 3_600_000.0):
            yield Frame(t_ms, np.zeros((192, 640), np.uint8))

    live = Live(Reader(Playback(frames()), Sight(manifest=shoe)), lambda _due, _seen: None)
    live.start()
    assert began.wait(PATIENCE_S)
    stopping = threading.Thread(target=live.stop, daemon=True)
    stopping.start()
    stopping.join(PATIENCE_S)

    assert not stopping.is_alive()


def test_a_lost_camera_is_one_unreadable_frame_and_reading_goes_on(shoe):
    """What the camera says is passed on."""
    frames = list(film(plan(shoe.cards[:1], 1)))
    faults = []
    lost = [Frame(0.0, None, "camera lip is lost")]

    reader = Reader(itertools.chain(lost, frames), Sight(manifest=shoe), faults.append)

    assert [seen for _due, seen in reader.passages()] == [right(shoe.cards[0])]
    assert faults == ["camera lip is lost"]

"""Things that come and go are reported at a rate that a journal can bear."""

from dataclasses import dataclass

from table_controller.service.debouncing import Flaps


@dataclass
class Waiting:
    """A call that is due at some time, unless it was cancelled."""

    at: float
    call: object
    cancelled: bool = False

    def cancel(self):
        self.cancelled = True


class Line:
    """A plug and what is told of it; time is the test's."""

    def __init__(self):
        self.now, self.told, self.waiting, self.lost = 0.0, [], [], False
        self.flaps = Flaps(lambda: self.now, self.later)

    def later(self, seconds, call):
        self.waiting.append(Waiting(self.now + seconds, call))
        return self.waiting[-1]

    def goes(self):
        self.flaps.amiss("plug")
        if not self.lost:
            self.lost = True
            self.told.append((self.now, "lost"))

    def comes(self):
        self.flaps.well("plug", self.back)

    def back(self):
        self.lost = False
        self.told.append((self.now, "back"))

    def rest(self, seconds):
        end = self.now + seconds
        for one in [one for one in self.waiting if one.at <= end and not one.cancelled]:
            self.now = one.at
            self.waiting.remove(one)
            one.call()
        self.now = end


def test_sixty_four_flaps_within_a_minute_are_told_eight_times():
    """Three times at once, both ways; then it is lost until it has rested for ten seconds."""
    line = Line()
    for _ in range(64):
        line.goes()
        line.rest(0.2)
        line.comes()
        line.rest(0.3)
    assert len(line.told) == 7
    assert line.told[-1] == (1.5, "lost")

    line.rest(9.0)
    assert len(line.told) == 7
    line.rest(2.0)

    assert line.told[-1] == (41.7, "back") or abs(line.told[-1][0] - 41.7) < 0.01
    assert [what for _, what in line.told] == ["lost", "back"] * 4


def test_what_goes_once_in_a_while_is_told_at_once():
    """Seven times in an evening: nothing waits."""
    line = Line()
    for _ in range(7):
        line.goes()
        line.rest(1.0)
        line.comes()
        line.rest(60.0)

    assert len(line.told) == 14
    assert line.waiting == []


def test_one_thing_does_not_wait_for_another():
    """The board flaps; the camera is told at once."""
    line, told = Line(), []
    for _ in range(9):
        line.goes()
        line.comes()
    line.flaps.well("camera", lambda: told.append("camera"))

    assert told == ["camera"]

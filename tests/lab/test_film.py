"""A whole Schlitten, read from a video device: kernel, OpenCV and reader as on a Pi."""

from tests.lab import film, projector
from tests.lab.machine import until
from vision import v4l2
from vision.camera import Settings
from vision.live import Live
from vision.reader import Reader, Sight

SETTINGS = Settings(
    width=film.WIDE, height=film.HIGH, fps=film.FPS, exposure_us=0, mains_hz=0
)  # fmt: skip
#: The film takes 160 s.
FILM_S = 600


class Counted:
    """A camera, how many pictures it has given, and its faults."""

    def __init__(self, camera):
        self._camera, self.count, self.faults = camera, 0, []
        self.close = camera.close

    def __iter__(self):
        for frame in self._camera:
            self.count += frame.picture is not None
            self.faults += [frame.fault] if frame.fault else []
            yield frame


def test_a_whole_schlitten_is_read_from_a_video_device(shown):
    """52 cards and the white one, each once, in order, none unknown; the camera is never lost."""
    seen = []
    camera = Counted(v4l2.usb(projector.NAME, SETTINGS))
    reader = Reader(
        camera,
        Sight(manifest=film.SHOE, fps=film.FPS),
    )
    live = Live(reader, lambda _ordinal, one: seen.append(one))
    live.start()
    try:
        until(lambda: camera.count, "a picture")
        shown.play()
        until(lambda: not shown.left and len(seen) >= len(film.order()), "the cards", FILM_S)
    finally:
        live.stop()

    assert camera.faults == []
    assert [one.card for one in seen] == film.order()
    assert [one.unknown for one in seen if one.unknown] == []
    assert sum(one.white for one in seen) == 1

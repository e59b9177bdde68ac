"""The twin of a webcam in the box of docs/WEBCAM.md: a lamp, a black roof, and cards slid past.

It keeps a webcam's rules. A picture is exposed for as long as `exposure_us` says, and a card moves
meanwhile. At 0 the camera finds its exposure by the brightness of the whole picture, most of which
is the black roof, and goes up to 33 ms and then up with its gain. A camera without a manual
exposure refuses any other setting, in the words of its driver.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np

from tests.vision.decks import deck
from tests.vision.faces.drawn import style
from vision.camera import Camera, Settings
from vision.frame import Frame, Pixels
from vision.v4l2 import Driver

FPS = 30.0
#: Pixels of a millimetre: a card of 88 mm is three quarters of 480 pixels.
SCALE = 4.09
CARD = (63, 88)
#: What a camera's automatic exposure makes of the picture's mean level.
_TARGET, _LONGEST_MS, _MOST_GAIN = 110.0, 33.0, 6.0
_ROOF, _RIM, _PAPER = 0.035, 0.33, 0.81


def face(code: str) -> np.ndarray:
    """A card's face as shares of the light that it reflects, eight pixels to a millimetre."""
    drawn = deck.face(style(), code[0], code[1], np.random.default_rng(5))
    grey = cv2.cvtColor(drawn, cv2.COLOR_BGR2GRAY).astype(np.float32)
    size = (CARD[0] * 8, CARD[1] * 8)
    return cv2.resize(grey, size, interpolation=cv2.INTER_AREA) / 250 * (_PAPER - 0.03) + 0.03


@dataclass
class Box:
    """What lies or slides over the window. `light` is the lamp's; 1 suits an exposure of 8 ms.

    Each card of `cards` takes `seconds` from one side of the picture to the other, and half a
    second later the next one follows. If `rests`, the first card lies in the middle for ever.
    """

    cards: Sequence[str] = ()
    seconds: float = 0.5
    rests: bool = False
    light: float = 1.0
    rim: bool = False
    seed: int = 1
    _faces: dict[str, np.ndarray] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        luck = np.random.default_rng(self.seed)
        self._lie = [(luck.uniform(-2, 2), luck.uniform(-1.5, 1.5)) for _ in self.cards]
        self._empty = np.full((480, 640), _ROOF, np.float32)
        if self.rim:  # the box's own cardboard, round a window of 140 x 110 mm
            across, down = int((640 - 140 * SCALE) / 2), int((480 - 110 * SCALE) / 2)
            within = self._empty[down : 480 - down, across : 640 - across].copy()
            self._empty[:] = _RIM
            self._empty[down : 480 - down, across : 640 - across] = within

    @property
    def over_s(self) -> float:
        """When the last card is gone."""
        return 0.8 + len(self.cards) * (self.seconds + 0.5)

    def seen(self, at_s: float, exposed_ms: float) -> np.ndarray:
        """The light that comes from each point, while the shutter is open."""
        moments = [at_s + exposed_ms * part / 2000 for part in range(3)]
        return np.asarray(np.mean([self._at(one) for one in moments], axis=0), np.float32)

    def _at(self, at_s: float) -> np.ndarray:
        shown = self._empty.copy()
        view = 640 / SCALE
        for number, (code, (off, turned)) in enumerate(zip(self.cards, self._lie, strict=True)):
            way = (at_s - 0.8 - number * (self.seconds + 0.5)) / self.seconds
            if self.rests:
                way = (view / 2 + CARD[0] / 2) / (view + CARD[0])
            if -0.1 < way < 1.1 and not (self.rests and number):
                self._lay(shown, code, (view + CARD[0]) * way - CARD[0] / 2, off, turned)
        return shown

    def _lay(self, shown: np.ndarray, code: str, x_mm: float, off_mm: float, turned: float) -> None:
        if code not in self._faces:
            self._faces[code] = face(code)
        turn = cv2.getRotationMatrix2D((CARD[0] * 4, CARD[1] * 4), turned, SCALE / 8)
        turn[0, 2] += x_mm * SCALE - CARD[0] * 4
        turn[1, 2] += 240 + off_mm * SCALE - CARD[1] * 4
        size = (640, 480)
        laid = cv2.warpAffine(self._faces[code], turn, size, flags=cv2.INTER_LINEAR, borderValue=-1)
        np.copyto(shown, laid, where=laid >= 0)


class Webcam:
    """A webcam that looks at a box, from `connect` on. `manual`: whether it takes an exposure."""

    def __init__(self, box: Box, settings: Settings, *, manual: bool = True) -> None:
        if settings.exposure_us and not manual:
            Driver("/dev/video0", 0, _no_control).prepare(settings)
        self._box, self._settings, self._pictures = box, settings, 0
        self._luck = np.random.default_rng(box.seed)
        self._chosen = [8.0] * 3  # a camera's choice shows three pictures later

    def grab(self) -> tuple[float | None, Pixels]:
        """Return the next picture."""
        return None, self.picture(self._pictures / FPS)

    def picture(self, at_s: float) -> Pixels:
        """The picture that is taken at a time."""
        self._pictures += 1
        automatic = not self._settings.exposure_us
        wanted_ms = self._chosen[0] if automatic else self._settings.exposure_us / 1000
        exposed_ms = min(_LONGEST_MS, wanted_ms)
        gain = wanted_ms / exposed_ms
        light = self._box.seen(at_s, exposed_ms) * self._box.light * 0.8 * exposed_ms / 8
        counted = np.clip(light, 0, 1.6 / gain) * 3000
        counted += self._luck.standard_normal(counted.shape) * np.sqrt(counted + 4)
        level = 255 * np.clip(counted * gain / 3000, 0, 1) ** 0.55
        level = cv2.GaussianBlur(level.astype(np.float32), (0, 0), 0.9)
        level = cv2.addWeighted(level, 1.5, cv2.GaussianBlur(level, (0, 0), 1.2), -0.5, 0)
        level += self._luck.standard_normal(level.shape).astype(np.float32) * 1.2
        if automatic:
            self._choose(float(np.clip(level, 0, 255).mean()))
        _, packed = cv2.imencode(".jpg", np.clip(level, 0, 255).astype(np.uint8))
        return np.asarray(cv2.imdecode(packed, cv2.IMREAD_GRAYSCALE), np.uint8)

    def _choose(self, mean: float) -> None:
        step = np.clip(np.log2(_TARGET / max(mean, 2.0)) * 0.32, -0.35, 0.35)
        most = _LONGEST_MS * _MOST_GAIN
        self._chosen = [*self._chosen[1:], float(np.clip(self._chosen[-1] * 2**step, 0.4, most))]

    def release(self) -> None:
        """Nothing is held."""


def _no_control(_handle: int, _request: int, _buffer: bytearray) -> None:
    raise OSError("no such control")


def webcam(box: Box, settings: Settings, *, manual: bool = True) -> Camera:
    """The camera as the service opens one, as quick as its pictures are drawn."""
    return Camera("webcam", lambda: Webcam(box, settings, manual=manual), settings)


def film(box: Box, settings: Settings) -> Iterator[Frame]:
    """The frames of a whole pack, by the twin's own clock, so that a busy machine loses none."""
    camera = Webcam(box, settings)
    for number in range(int((box.over_s + 0.5) * FPS)):
        at_s = number / FPS
        yield Frame(at_s * 1000, settings.cut(camera.picture(at_s)))

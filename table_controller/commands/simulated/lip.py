"""A lip's twin: cards that pass camera and exit beam, in simulated time.

The reader behind it is the product's own: `vision.passage` decides about each passage. The module
knows the drawn cards, in their order, but no table.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Final

from table_controller.engine.seen import Seen
from table_controller.rules.cards import Card
from table_controller.rules.houses import House
from vision import manifest
from vision.frame import Frame
from vision.gate import View
from vision.lip import SHIPPED
from vision.reader import Reader, Sight
from vision.witness import Reading, Witness

#: Frames a second.
FPS: Final = 60.0
_PERIOD_MS: Final = 1000 / FPS
#: The interval between checks whether a verdict is due.
_LOOK_S: Final = 0.25
#: The exit beam's number on the board's line.
BEAM: Final = 1
_CLEAR: Final = View(False, SHIPPED.gate_px, SHIPPED.gate_px)
#: The length of two cards in one passage, in card lengths, since one card sticks out.
_TWO: Final = 1.4

Physical = tuple[Card, int] | None
"""A card and the number of its copy; None for the white card."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sensors:
    """How cards pass the lip: the milliseconds of a card in the gate, and between two cards.

    By chance, both are longer or shorter by up to the fraction `jitter`.
    """

    card_ms: int = 320
    between_ms: int = 700
    jitter: float = 0.2


@dataclass(slots=True)
class Passing:
    """One passage: its cards, and its faults.

    Attributes:
        cards: one card, or two that pass as one.
        reads: the kind of label: `label` (a readable one), `nothing`, or `foreign` (another house's
            label).
        halts_ms: the milliseconds for which the card is stuck in the gate.
    """

    cards: tuple[Physical, ...]
    reads: str = "label"
    halts_ms: int = 0


@dataclass(slots=True)
class LipTwin:
    """Replaces camera and cards. `follow` is the camera, and `show` draws cards past the camera.

    Attributes:
        touch: sends a command, such as `sensor 1 1`, to the board's rung.
        fault: the reason why there is no readable frame, or "".
        still: whether no frame arrives at all.
        dark: the exit beam's report, whatever the cards are; None for the true report.
    """

    house: House
    seed: int
    sensors: Sensors
    touch: Callable[[str], object]
    fault: str = ""
    still: bool = False
    dark: bool | None = None
    sight: Sight = field(init=False)
    _luck: random.Random = field(init=False)
    _tokens: dict[Physical, str] = field(init=False)
    _reader: Reader | None = field(init=False, default=None)
    _filmed_ms: float = field(init=False, default=0.0)
    _wake: asyncio.Event = field(init=False, default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        deck = manifest.make("simulated", bytes(32), self.house.packs, self.house.pack)
        self._tokens = {
            (entry.card, entry.copy) if entry.card else None: entry.token for entry in deck.entries
        }
        self.sight = Sight(manifest=deck, witnesses=(), beam=True, fps=FPS)
        self._luck = random.Random(f"lip {self.seed}")

    # The camera

    async def follow(self, reader: Reader) -> AsyncIterator[tuple[int, Seen]]:
        """Yield each verdict when it is due, as `vision.live.follow` does."""
        self._reader, self._filmed_ms = reader, _now_ms()
        while True:
            self._wake.clear()
            try:
                async with asyncio.timeout(_LOOK_S):
                    await self._wake.wait()
            except TimeoutError:
                self._film(_now_ms())
            for one in reader.due(_now_ms()):
                yield one

    def _film(self, until_ms: float) -> None:
        """Give the reader frames of an empty lip, from the last frame to `until_ms`."""
        while self._filmed_ms + _PERIOD_MS <= until_ms:
            self._picture(self._filmed_ms + _PERIOD_MS, _CLEAR)

    def _picture(self, t_ms: float, view: View, text: str = "") -> None:
        self._filmed_ms = t_ms
        reader = self._reader
        if reader is None or self.still:
            return
        if self.fault:
            reader.watch(Frame(t_ms, None, self.fault))
        elif reader.view(t_ms, view) and view.blocked and text:
            reader.read(t_ms, [Reading(Witness.ZXING, text, at_px=SHIPPED.gate_px)])

    # The cards

    def between_s(self) -> float:
        """Return the seconds until the hand draws the next card."""
        return self._about(self.sensors.between_ms) / 1000

    def _about(self, ms: int) -> float:
        return ms * (1 + self.sensors.jitter * self._luck.uniform(-1, 1))

    async def show(self, passing: Passing) -> None:
        """Draw the cards of a passage past the lip. Returns once the verdict may be due."""
        ways = 1.0 if len(passing.cards) == 1 else _TWO
        long_px = SHIPPED.card_px * ways
        speed = SHIPPED.card_px / self._about(self.sensors.card_ms)  # px a millisecond
        text = self._text(passing)
        at_px, blocked, halts_ms = 0.0, False, float(passing.halts_ms)
        self._film(_now_ms())
        while at_px < SHIPPED.width_px + long_px:
            await asyncio.sleep(_PERIOD_MS / 1000)
            halted = halts_ms > 0 and at_px - long_px / 2 > SHIPPED.gate_px
            halts_ms -= _PERIOD_MS * halted
            at_px += 0 if halted else speed * _PERIOD_MS
            view = _view(at_px, long_px)
            if view.blocked is not blocked:
                blocked = view.blocked
                self.beam(blocked)
            self._picture(self._filmed_ms + _PERIOD_MS, view, text)
            self._wake.set()
        self._wake.set()

    def beam(self, blocked: bool) -> None:
        """Report that the exit beam is broken, or free again.

        `dark`, if set, is reported instead.
        """
        self.touch(f"sensor {BEAM} {int(blocked if self.dark is None else self.dark)}")

    def _text(self, passing: Passing) -> str:
        match passing.reads:
            case "nothing":
                return ""
            case "foreign":
                return "Z" * manifest.TOKEN_LENGTH
            case _:
                return self._tokens[passing.cards[0]]


def _view(at_px: float, long_px: float) -> View:
    """Return a frame's view of a piece of paper. The paper's leading end is at `at_px`."""
    gate, wide, tail_px = SHIPPED.gate_px, SHIPPED.width_px, at_px - long_px
    if tail_px < gate < at_px:
        cut, lead_cut = tail_px <= 0, at_px >= wide
        return View(True, max(0.0, tail_px), min(float(wide), at_px), cut, lead_cut)
    if 0 < at_px <= gate:
        return View(False, gate, gate, behind_px=gate - at_px)
    if gate <= tail_px < wide:
        return View(False, gate, gate, ahead_px=tail_px - gate)
    return _CLEAR


def _now_ms() -> float:
    return asyncio.get_running_loop().time() * 1000

"""The lip's reader: takes frames, and gives verdicts.

The module knows frames from any source, but no table. On a recording the reader is a plain loop in
the recording's own time. The caller sets the pace, and the same recording gives the same verdicts.
For a live camera see `vision.live`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from firmware_bridge.trouble import Trouble
from table_controller.engine.seen import Seen
from vision import barcode
from vision.frame import Frame, Pixels
from vision.gate import Gate, View
from vision.lip import SHIPPED, Lip
from vision.manifest import Lookup, Manifest
from vision.passage import DELAY_MS, Passages
from vision.timeline import DROPPED
from vision.witness import Quality, Reading

EyeOnFrame = Callable[[Pixels], Iterable[Reading]]
"""A witness: its readings of one frame that has paper in the gate."""


def barcodes(lip: Lip, settings: barcode.DecoderSettings = barcode.AS_SHIPPED) -> EyeOnFrame:
    """Return the witness that reads labels, with both decoders."""

    def read(picture: Pixels) -> Iterable[Reading]:
        for code in barcode.decode(picture, lip, settings):
            yield Reading(code.decoder, code.text, None, code.x)

    return read


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """What a reader needs to read cards.

    Attributes:
        manifest: the manifest of the Schlitten on the table; None if cards have no labels.
        others: the manifests of the house's other Schlitten, so that their cards are recognised.
        lip: the lip's geometry.
        witnesses: the witnesses asked about each frame; None for barcodes.
        beam: whether an exit beam reports the edges (`Reader.edge`).
        delay_ms: the time from a passage's close to its verdict.
        fps: the camera's set rate in frames a second, 0 if unknown.
    """

    manifest: Manifest | None
    others: Sequence[Manifest] = ()
    lip: Lip = SHIPPED
    witnesses: Sequence[EyeOnFrame] | None = None
    beam: bool = False
    delay_ms: float = DELAY_MS
    fps: float = 0.0

    def lookup(self) -> Callable[[str], Lookup] | None:
        """The function that looks up what a code's text means; None if cards have no labels."""
        manifest, others = self.manifest, self.others
        return (lambda text: manifest.lookup(text, others)) if manifest else None

    def eyes(self) -> Sequence[EyeOnFrame]:
        """The witnesses, as given or, if None were given, those for barcodes."""
        return (barcodes(self.lip),) if self.witnesses is None else self.witnesses


class Reader:
    """Reads cards from frames. Iterate over `passages`, or let `vision.live` pass the frames in.

    Every method may be called from any thread. `watch` must be called in the order of the frames.

    Args:
        frames: frames from a camera or a recording. Their times never decrease.
        sight: the manifest, the lip and the witnesses to read with.
        on_fault: called with the fault of unreadable frames, again only if the fault changes. It
            must not block.
        on_beam: called with the fault of the exit beam, and with an empty text when the beam works
            again.
        on_gap: called each time that cards may have left unseen, with the reason.
        on_camera: called with the reason why there is no readable frame, again only if the reason
            changes. Called with an empty text when there is a frame (again). It must neither block
            nor call the reader.
        on_eye: called with the error that a witness raised; after that only once all witnesses work
            again, with None.
    """

    def __init__(
        self,
        frames: Iterable[Frame],
        sight: Sight,
        on_fault: Callable[[str], None] = lambda _fault: None,
        *,
        on_beam: Callable[[str], None] = lambda _fault: None,
        on_eye: Callable[[Exception | None], None] = lambda _error: None,
        on_gap: Callable[[str], None] = lambda _why: None,
        on_camera: Callable[[str], None] = lambda _fault: None,
    ) -> None:
        self.frames, self._sight, self._on_fault = frames, sight, on_fault
        self._on_beam, self._beam_told = on_beam, ""
        self._on_eye, self._eye_failed = on_eye, False
        self._on_gap, self._on_camera = on_gap, on_camera
        self._camera: str | None = None  # last report; None before the first frame
        self._eyes, self._gate = sight.eyes(), Gate(sight.lip)
        self._passages = Passages(
            sight.lookup(), sight.lip, beam=sight.beam, delay_ms=sight.delay_ms, fps=sight.fps
        )
        #: The newest readable frame's view of the gate; None before the first.
        self.latest: View | None = None
        self._lock = threading.Lock()
        self._told = ""  # the last fault; another frame with the same fault is not reported

    def take_quality(self) -> Quality:
        """Return the figures since the last call, and begin anew.

        Called when a Schlitten is closed.
        """
        with self._lock:
            return self._passages.take_quality()

    def edge(self, t_ms: float, *, blocked: bool) -> None:
        """Note that the exit beam was interrupted (`blocked`) at `t_ms`, or became free.

        Only for a sight with `beam`.
        """
        with self._lock:
            self._passages.edge(t_ms, blocked=blocked)

    def beam_away(self, fault: str) -> None:
        """Note that no reports come from the exit beam.

        Meanwhile the frames open and close passages.
        """
        with self._lock:
            self._passages.beam_away(fault)

    def beam_back(self) -> None:
        """Note that the beam's reports come again. The beam is trusted once it has seen a card."""
        with self._lock:
            self._passages.beam_back()

    def line(self, t_ms: float, text: str) -> None:
        """Take a line that the serial barcode module sent at `t_ms`."""
        with self._lock:
            self._passages.line(t_ms, text)

    def ask_again(self, asked: bool) -> None:
        """Set whether the table waits for a card to be shown to the lip again, by hand."""
        with self._lock:
            self._passages.again = asked

    def passages(self) -> Iterator[tuple[int, Seen]]:
        """Yield each passage's verdict with the time (ms) when it is due, as frames are pulled."""
        for frame in self.frames:
            if self.watch(frame):
                self.decode(frame)
            yield from self.due(frame.t_ms)
        yield from self.end()

    def due(self, now_ms: float) -> list[tuple[int, Seen]]:
        """The verdicts due by `now_ms`, each once, with the time when it was due (ms)."""
        with self._lock:
            self._tell_camera(now_ms)
            return [(round(due_ms), seen) for due_ms, seen in self._passages.due(now_ms)]

    def end(self) -> list[tuple[int, Seen]]:
        """Return the remaining verdicts when the frames have ended.

        A card that is then in the gate counts as half out.
        """
        with self._lock:
            return [(round(due_ms), seen) for due_ms, seen in self._passages.end()]

    @property
    def in_gate(self) -> bool:
        """Whether something is in the gate now and its passage has had no verdict yet."""
        with self._lock:
            return self._passages.in_gate

    @property
    def next_due_ms(self) -> float | None:
        """The time (ms) when the next verdict is due, or None if no passage awaits one."""
        with self._lock:
            return self._passages.next_due_ms

    def dropped(self, *, overrun: bool = False) -> None:
        """Note that a frame worth decoding was dropped.

        `overrun` says that it was dropped because too many frames waited.
        """
        with self._lock:
            self._passages.quality.dropped += 1
            if overrun:
                self._passages.unseen(DROPPED)
        self._tell_gap()

    def unseen(self, why: str) -> None:
        """Note that nobody saw the lip until now, for the reason `why`.

        The next passage is unsure.
        """
        with self._lock:
            self._passages.unseen(why)
        self._tell_gap()

    def _tell_camera(self, now_ms: float) -> None:
        """Report the camera's fault, or that there is none any more.

        A fault lasts until a frame can be read.
        """
        camera = self._told or self._passages.still(now_ms)
        if camera != self._camera:
            self._camera = camera
            self._on_camera(camera or "")

    def _tell_gap(self) -> None:
        with self._lock:
            gap = self._passages.take_unseen()
        if gap:
            self._on_gap(gap)

    def wanted(self, t_ms: float) -> bool:
        """Whether reading the frame of `t_ms` can still change a verdict."""
        with self._lock:
            return self._passages.wanted(t_ms)

    def watch(self, frame: Frame) -> bool:
        """Note the frame's view of the gate. Return whether the frame is worth decoding."""
        fault = self._fault(frame)
        if frame.picture is None or fault:
            if fault != self._told:
                self._on_fault(fault)
            with self._lock:
                self._passages.quality.unreadable += 1
                self._told = fault
                self._tell_camera(frame.t_ms)
            return False
        self.latest = self._gate.look(frame.picture)
        return self.view(frame.t_ms, self.latest, arrived=frame.arrived)

    def view(self, t_ms: float, view: View, *, arrived: bool = False) -> bool:
        """Note the view of the frame of `t_ms`. Return whether that frame is worth decoding.

        `arrived` says that `t_ms` is when the frame arrived, so that the frame may have been taken
        earlier.
        """
        with self._lock:
            self._passages.view(t_ms, view, arrived=arrived)
            self._told = ""
            self._tell_camera(t_ms)
            beam, wanted = self._passages.beam_fault, self._passages.wanted(t_ms)
        if beam != self._beam_told:
            self._beam_told = beam
            self._on_beam(beam)
        self._tell_gap()
        return view.blocked and wanted

    def _fault(self, frame: Frame) -> str:
        """What is wrong with a frame; empty if the frame can be read."""
        if frame.picture is None:
            return frame.fault
        wide, wanted = frame.picture.shape[1], self._sight.lip.width_px
        if wide == wanted:
            return ""
        return Trouble(
            "the frames are {wide} pixels wide, the lip is measured for {wanted}: set camera and "
            "lip alike (`schlitten calibrate`)",
            wide=wide,
            wanted=wanted,
        )

    def decode(self, frame: Frame) -> None:
        """Have every witness read the frame, and note the readings.

        A witness is a label decoder or a reader of card faces. This is slow, and may run in
        parallel with `watch`.
        """
        if frame.picture is None:
            return
        readings: list[Reading] = []
        failed: Exception | None = None
        for eye in self._eyes:
            try:
                readings += eye(frame.picture)
            except Exception as error:  # noqa: BLE001 - a witness's edge: the others are asked
                failed = error
        if bool(failed) != self._eye_failed:
            self._eye_failed = bool(failed)
            self._on_eye(failed)
        self.read(frame.t_ms, readings)

    def read(self, t_ms: float, readings: Iterable[Reading]) -> None:
        """Note the readings of the frame of `t_ms`."""
        with self._lock:
            self._passages.read(t_ms, readings)

"""The lip's reader at a live table: frames of a camera in, inputs out. Wiring, like app.py.

Loaded only where a table has a reader: it carries OpenCV.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from table_controller.app import Service, card_input
from table_controller.config import ConfigError, ShoeSettings
from table_controller.engine.chemin_de_fer.state import Table, Unread
from table_controller.service.table import Told
from vision import camera, manifest, recording
from vision.frame import Frame
from vision.lip import SHIPPED
from vision.live import follow
from vision.reader import Reader, Sight, barcodes


async def read_cards(service: Service, settings: ShoeSettings) -> None:
    """Say every passage to the table until the frames end. Raises ConfigError."""
    frames, sight = _frames(settings), _sight(settings)
    loop = asyncio.get_running_loop()

    def report(fault: str) -> None:
        if fault:
            loop.call_soon_threadsafe(service.lost, "camera", fault)
        else:
            loop.call_soon_threadsafe(service.back, "camera")

    reader = Reader(_Watched(frames, report), sight)
    service.table.listen(_Asking(reader))
    async for _, seen in follow(reader):
        service.table.say(card_input(seen))


class _Asking:
    """Tells the reader when the table wants a card shown again: then it may lie in a hand."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def tell(self, _told: Sequence[Told], state: Table) -> None:
        self._reader.ask_again(isinstance(state.phase, Unread))


class _Watched:
    """Frames, with news when they become unreadable and when they are readable again."""

    def __init__(self, frames: Iterable[Frame], report: Callable[[str], None]) -> None:
        self._frames, self._report = frames, report

    def close(self) -> None:
        """End the frames, where they are a camera's."""
        if isinstance(self._frames, camera.Camera | camera.Playback):
            self._frames.close()

    def __iter__(self) -> Iterator[Frame]:
        lost = True  # perhaps since an earlier run: the first good frame says that it is back
        for frame in self._frames:
            if frame.picture is None:
                lost = True
                self._report(frame.fault)
            elif lost:
                lost = False
                self._report("")
            yield frame


def _frames(settings: ShoeSettings) -> Iterable[Frame]:
    try:
        how = camera.Settings(
            width=settings.width,
            height=settings.height,
            fps=settings.fps,
            exposure_us=settings.exposure_us,
            region=settings.region,
            rotation=settings.rotation,
        )
        match settings.reader:
            case "camera":
                return camera.v4l2(settings.camera, how)
            case "pi":
                return camera.pi(int(settings.camera or 0), how)
            case _:
                return camera.Playback(recording.read(Path(settings.camera)))
    except (camera.CameraError, recording.RecordingError, ValueError) as error:
        raise ConfigError(f"[shoe]: {error}") from None


def _sight(settings: ShoeSettings) -> Sight:
    try:
        shoes = [manifest.load(path) for path in settings.manifests]
    except manifest.ManifestError as error:
        raise ConfigError(f"[shoe] manifests: {error}") from None
    first = shoes[0] if shoes else None
    lip = replace(SHIPPED, px_per_mm=settings.px_per_mm, paper_level=settings.paper_level)
    sight = Sight(manifest=first, others=shoes[1:], lip=lip)
    if not settings.faces:
        if first is None:
            raise ConfigError(
                "[shoe]: cards can be read by their labels or by their faces: name `manifests`, "
                "or set faces = true"
            )
        return sight
    from vision.faces.passage import faces  # noqa: PLC0415 - the net is loaded where it is wanted
    from vision.faces.read import CornerReader  # noqa: PLC0415

    eyes = (faces(CornerReader(), lip), *((barcodes(lip),) if first else ()))
    return replace(sight, witnesses=eyes)

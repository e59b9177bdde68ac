"""Turns the settings of `[shoe]` into frames, and into the witnesses that read them.

The module is part of the wiring and loads OpenCV. So it is loaded only for a table with a reader,
or for a technician who looks at a lip.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import convert

from table_controller.rules.houses import House
from table_controller.service.errors import ConfigError
from table_controller.wiring.config import ShoeSettings
from table_controller.wiring.shoe.labels import manifests
from vision import camera, picam, recording, v4l2
from vision.frame import Frame, Pixels
from vision.lip import SHIPPED, Lip
from vision.reader import EyeOnFrame, Sight, barcodes

if TYPE_CHECKING:
    from vision.faces.enrolled import Deck
    from vision.faces.read import CornerReader


class NoFilm(ConfigError):
    """The file is no camera recording, or cannot be read. `why` names the file."""

    def __init__(self, why: str) -> None:
        super().__init__(f"[shoe]: {why}")
        self.why = why


def camera_settings(settings: ShoeSettings) -> camera.Settings:
    """Return the camera's settings. Raises ConfigError."""
    try:
        return convert(settings, camera.Settings, from_attributes=True)
    except ValueError as error:
        raise ConfigError(f"[shoe]: {error}") from None


def frames(settings: ShoeSettings) -> Iterable[Frame]:
    """Return the lip's frames, live or recorded. Raises ConfigError, NoFilm."""
    how = camera_settings(settings)
    match settings.reader:
        case "camera":
            return v4l2.usb(settings.camera, how)
        case "pi":
            return picam.pi(_number(settings.camera), how)
        case "recording":
            return camera.Playback(_film(Path(settings.camera), how))
        case _:
            raise ConfigError('[shoe] reader = "none": name one that reads the cards')


def _number(text: str) -> int:
    try:
        return int(text or 0)
    except ValueError:
        raise ConfigError(
            f"[shoe] camera = {text!r}: the Pi's cameras have numbers, 0 or 1"
        ) from None


def _film(path: Path, how: camera.Settings) -> Iterable[Frame]:
    try:
        return camera.folder(path, how) if path.is_dir() else recording.read(path)
    except camera.CameraError as error:
        raise NoFilm(error.why) from None
    except recording.FilmError as error:
        raise NoFilm(str(error)) from None


def lip(settings: ShoeSettings) -> Lip:
    """Return the lip's geometry in a frame that was cropped and rotated as the settings say."""
    wide, high = settings.region[2:] if settings.region else (settings.width, settings.height)
    if settings.rotation in (90, 270):
        wide, high = high, wide
    return replace(
        SHIPPED,
        width_px=wide,
        height_px=high,
        px_per_mm=settings.px_per_mm,
        paper_level=settings.paper_level,
        card_mm=settings.card_mm,
        whole=settings.corners is not None,
    )


def sight(settings: ShoeSettings, house: House | None = None) -> Sight:
    """Return lip, manifest and witnesses. Raises ConfigError.

    If `house` is given, manifests for other packs than those of the house are an error too.
    """
    shoes = manifests(settings, house)
    first = shoes[0] if shoes else None
    if first is None and not settings.faces:
        raise ConfigError(
            "[shoe]: cards can be read by their labels or by their faces: name `manifests`, "
            "or set faces = true"
        )
    built = lip(settings)
    eyes: tuple[EyeOnFrame, ...] = (barcodes(built),) if first else ()
    if settings.faces:
        eyes = (_faces(settings, built), *eyes)
    return Sight(
        manifest=first,
        others=shoes[1:],
        lip=built,
        witnesses=eyes,
        beam=settings.beam != "none",
        fps=0.0 if settings.reader == "recording" else settings.fps,
    )


def _faces(settings: ShoeSettings, built: Lip) -> EyeOnFrame:
    """Return the witness that reads faces.

    If the lip was calibrated, this witness knows the card's place.
    """
    from vision.faces.passage import sliding  # noqa: PLC0415 - loaded only if wanted

    return sliding(_reader(settings), built, settings.corners)


def strange_letter(settings: ShoeSettings, picture: Pixels) -> str | None:
    """Return the letter on the card in the gate, if the deck has no such letter; else None.

    None also if no letter can be read.

    This is for the builder of a lip, while no game is on, since the letter would reveal a closed
    court card.
    """
    from vision import calibrate  # noqa: PLC0415 - as above

    if not settings.faces or settings.corners is None:
        return None
    return calibrate.strange_letter(picture, settings.corners, _reader(settings))


def _reader(settings: ShoeSettings) -> CornerReader:
    """Return the reader of the signs in this deck's card corners. Raises ConfigError."""
    from vision.faces import letters  # noqa: PLC0415 - as above
    from vision.faces.read import CornerReader  # noqa: PLC0415

    try:
        alphabet = letters.parse(settings.letters)
    except ValueError as error:
        raise ConfigError(f"[shoe] letters: {error}") from None
    own = deck(settings.deck)
    if own and own.alphabet != alphabet:
        raise ConfigError(
            f"[shoe] letters: {alphabet}, but the deck {own.name!r} was enrolled with "
            f"{own.alphabet}: set these, or enrol it again (`schlitten enrol --letters`)"
        )
    return CornerReader(deck=own, alphabet=alphabet)


def deck(path: Path | None) -> Deck | None:
    """Return the enrolled deck in this file; None without a file. Raises ConfigError."""
    from vision.faces.enrolled import DeckError, load  # noqa: PLC0415 - as above
    from vision.faces.read import NET  # noqa: PLC0415

    try:
        return load(path, NET) if path else None
    except DeckError as error:
        raise ConfigError(f"[shoe] deck: {error}") from None

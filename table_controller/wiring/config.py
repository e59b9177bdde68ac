"""Reads the settings: one TOML file per table, and house files.

The module knows their form, and opens no device.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import Meta, Struct

from firmware_bridge.messages import Lamp
from hardware import lamps
from table_controller.adapters.addresses import is_loopback
from table_controller.engine.table.devices import SENSORS
from table_controller.rules.houses import House
from table_controller.service.errors import ConfigError
from table_controller.service.game import Game
from table_controller.wiring import games
from table_controller.wiring.toml_files import converted, line_of, parsed
from table_controller.words.languages import Language

Name = Annotated[str, Meta(pattern="^[a-z0-9_-]{1,64}$")]
Port = Annotated[int, Meta(ge=0, le=65535)]
Millimetres = Annotated[float, Meta(gt=0)]
Corner = tuple[float, float]
#: The board's buttons. The Pi's pins have only the first few of them.
BUTTONS = tuple(map(str, range(1, 9)))
AT_THE_PI = BUTTONS[:4]
Pins = Literal["none", "lgpio", "rpigpio", "mock"]
if TYPE_CHECKING:
    from table_controller.adapters.web.look import HouseLook

    Use = str
else:
    Use = Literal[(*SENSORS, "buttons", "lamps")]


class TableSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """`[table]`: the table's identity, and its game."""

    site: Name = "house"
    name: Name = "table-1"
    game: games.Name = games.FIRST
    house: str = "zoppot-1934"  # one of those shipped, or the path of a house file


class JournalSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """`[journal]`: where the journal is, and the key that seals it."""

    path: Path = Path("/var/lib/schlitten/table.db")
    key: Path | None = None  # None: systemd's credential schlitten.key
    copies: Path | None = None  # the folder of its copies, whose age `doctor` checks


class ShoeSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """`[shoe]`: the reader of the cards, and the manifests of the house's Schlitten."""

    reader: Literal["none", "camera", "pi", "recording"] = "none"
    camera: str = ""  # name, by-id path or Pi camera's number; a recording or folder of pictures
    manifests: tuple[Path, ...] = ()  # that of the shoe on the table first
    faces: bool = False  # read the faces too; without a manifest, only the faces
    deck: Path | None = None  # the house's own deck, as `schlitten enrol` wrote it
    letters: str = "A K Q J"  # the indices of ace, king, queen and jack on the deck
    width: int = 640
    height: int = 480
    fps: Annotated[float, Meta(ge=0)] = 120.0  # frames a second; 0: as many as possible
    exposure_us: Annotated[int, Meta(ge=0)] = 500  # 0: automatic
    strobe: bool = False  # the sensor's exposure output switches the lip's light
    gain: Annotated[float, Meta(ge=0)] = 0.0  # in the camera's units; 0: automatic
    focus: Annotated[float, Meta(ge=0)] | None = None  # in the camera's units; None: automatic
    mains_hz: Literal[0, 50, 60] = 50  # of the light, if the exposure is automatic
    region: tuple[int, int, int, int] | None = None  # x, y, width, height in pixels
    mirrored: bool = False  # the camera looks into a mirror
    rotation: Literal[0, 90, 180, 270] = 0
    px_per_mm: Annotated[float, Meta(gt=0)] = 8.0  # as `schlitten calibrate` measured it
    paper_level: Annotated[int, Meta(ge=1, le=254)] = 60  # grey level from which a pixel is paper
    card_mm: tuple[Millimetres, Millimetres] = (63.0, 88.0)  # along the motion, then across it
    corners: tuple[Corner, Corner, Corner, Corner] | None = None  # of a card in the gate, in pixels
    module: str = ""  # the barcode module's serial port
    beam: Literal["none", "board", "lgpio", "rpigpio", "mock"] = "none"  # where the exit beam is
    cut_card_ahead: Annotated[int, Meta(ge=0, le=104)] = 7  # cards between that sensor and the lip


class BoardSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """`[board]`: the table board, and what its lamps show."""

    port: str = ""  # `twin` for the simulated board; empty: there is none
    lamps: Path | None = None  # this table's own lamp language; None: its house's


class HardwareSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """`[hardware]`: how the board was built, so that the program can name the parts to measure."""

    build: Literal["", "modules", "board"] = ""  # as in hardware/BUILD.md; empty: unknown


class PinSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """`[pins]`: everything that is wired to the Pi's own pins, except the exit beam."""

    driver: Pins = "none"
    uses: tuple[Use, ...] = ()


class BrokerSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """`[broker]`: the embedded broker, a broker elsewhere, or none."""

    kind: Literal["none", "embedded", "mqtt"] = "embedded"
    host: str = "127.0.0.1"
    hosts: tuple[str, ...] = ()  # further hosts of the same broker, tried in turn
    port: Port = 1883
    username: str = ""
    password: Path | None = None  # a file, mode 0600
    ca: Path | None = None
    certificate: Path | None = None
    key: Path | None = None
    home_assistant: bool = False  # whether to announce the table to Home Assistant


class PageSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """`[page]`: where the croupier's and the public page are served, and in which language.

    If somebody chose another language in a browser, that browser keeps it.
    """

    host: str = "127.0.0.1"
    port: Port = 8080
    names: tuple[str, ...] = ()  # further host names under which it may be opened
    language: Language = Language.EN
    theme: Literal["dark", "light", "auto"] = "dark"  # if nobody chose one; auto: the device's
    look: Path | None = None  # the folder of the house's own look
    overlay_delay_s: Annotated[float, Meta(ge=0, le=600)] = 0  # least delay of a stream
    certificate: Path | None = None
    key: Path | None = None
    proxies: tuple[str, ...] = ()  # addresses of proxies whose word is taken for who asks


class VoiceSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """`[voice]`: whether this machine speaks the table's news aloud, and with which program."""

    engine: Literal["none", "espeak-ng", "piper"] = "none"
    language: Language = Language.EN
    model: Path | None = None  # piper's voice, a .onnx file
    words_a_minute: Annotated[int, Meta(ge=80, le=300)] = 150  # of espeak-ng


class TapeSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """`[tape]`: where the table's tapes are, how large they may become, and what they record."""

    record: bool = False  # whether it begins with the table, as with `run --record`
    folder: Path | None = None  # None: next to the journal
    budget_mib: Annotated[int, Meta(ge=64)] = 4096  # of the disk, for all tapes in the folder


class MetricsSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """`[metrics]`: Prometheus' text at http://127.0.0.1:<port>/metrics, for this machine only."""

    port: Port | None = None  # None: no metrics


class Config(Struct, frozen=True, forbid_unknown_fields=True):
    """The content of one table's settings file."""

    table: TableSettings = TableSettings()
    journal: JournalSettings = JournalSettings()
    shoe: ShoeSettings = ShoeSettings()
    board: BoardSettings = BoardSettings()
    hardware: HardwareSettings = HardwareSettings()
    pins: PinSettings = PinSettings()
    buttons: dict[str, str] = {}
    broker: BrokerSettings = BrokerSettings()
    page: PageSettings = PageSettings()
    voice: VoiceSettings = VoiceSettings()
    tape: TapeSettings = TapeSettings()
    metrics: MetricsSettings = MetricsSettings()


def load(path: Path) -> Config:
    """Read a table's settings, and check each setting and their combination. Raises ConfigError."""
    settings = parse(path)
    for trouble in unservable(settings):
        raise ConfigError(f"{path}: {trouble}")
    return settings


def parse(path: Path) -> Config:
    """Read a table's settings, and check each setting, but no combination. Raises ConfigError."""
    return converted(path, *parsed(path), Config)


def unservable(settings: Config) -> Iterator[str]:
    """Yield a sentence for each combination of settings that does not work."""
    yield from _unreadable(settings.shoe)
    yield from _unlettered(settings.shoe)
    yield from _unwired(settings)
    yield from _open_to_others(settings.page, settings.broker)
    yield from _half_a_pair(settings)
    if settings.voice.engine == "piper" and settings.voice.model is None:
        yield "voice.engine = 'piper': it has no voice: name its .onnx file in voice.model."


def _unlettered(shoe: ShoeSettings) -> Iterator[str]:
    """Yield a sentence if the letters of the deck's indices are none."""
    if shoe.letters != ShoeSettings().letters:
        from vision.faces import letters  # noqa: PLC0415 - it loads numpy

        try:
            letters.parse(shoe.letters)
        except ValueError as error:
            yield f"shoe.letters = {shoe.letters!r}: {error}"


def _open_to_others(page: PageSettings, broker: BrokerSettings) -> Iterator[str]:
    """Yield a sentence for each part that the network could reach without TLS."""
    if not is_loopback(page.host) and page.certificate is None:
        yield (
            f"page.host = {page.host!r}: the network could read and press there without TLS: "
            "set page.certificate and page.key, or host = '127.0.0.1'."
        )
    for proxy in page.proxies:
        try:
            ipaddress.ip_network(proxy)
        except ValueError:
            yield (
                f"page.proxies has {proxy!r}: it is no address: write one such as '10.0.0.2', or a "
                "network such as '10.0.0.0/24'."
            )
    if broker.kind == "embedded" and not is_loopback(broker.host):
        yield (
            f"broker.host = {broker.host!r}: the embedded broker serves this machine only: "
            "set host = '127.0.0.1', or kind = 'mqtt' for one elsewhere."
        )
    open_hosts = [host for host in (broker.host, *broker.hosts) if not is_loopback(host)]
    if broker.kind == "mqtt" and open_hosts and broker.ca is None:
        name = "host" if open_hosts[0] == broker.host else "hosts"
        yield (
            f"broker.{name} = {getattr(broker, name)!r}: without TLS the network could read and "
            "command there: set broker.ca (systemd/mosquitto/README.md)."
        )
    if broker.kind != "mqtt" and broker.hosts:
        yield (
            f"broker.hosts = {broker.hosts!r}: only a broker elsewhere has several: set "
            "kind = 'mqtt'."
        )


def _half_a_pair(settings: Config) -> Iterator[str]:
    """Yield a sentence for each certificate without its key, and each key without certificate."""
    for name, part in (("page", settings.page), ("broker", settings.broker)):
        if (part.certificate is None) != (part.key is None):
            has, lacks = ("key", "certificate") if part.key else ("certificate", "key")
            yield (
                f"{name}.{has} = '{getattr(part, has)}': a certificate and its key go together: "
                f"set {name}.{lacks} too."
            )


def _unreadable(shoe: ShoeSettings) -> Iterator[str]:
    """Yield a sentence for each reason why cards cannot be read with these settings."""
    if shoe.reader == "none":
        for name, value in (("module", shoe.module), ("beam", shoe.beam)):
            if value not in ("", "none"):
                yield f"shoe.{name} = {value!r}: it is only for a camera: set shoe.reader too."
    elif not (shoe.manifests or shoe.faces):
        yield (
            f"shoe.reader = {shoe.reader!r}: it has nothing to read cards by: name the labels' "
            "shoe.manifests, or set shoe.faces = true."
        )
    if shoe.reader == "recording" and not shoe.camera:
        yield (
            "shoe.reader = 'recording': name the film, or the folder of pictures, in shoe.camera."
        )
    if shoe.strobe and not shoe.exposure_us:
        yield (
            "shoe.strobe = true: the flash is as long as the exposure, which is automatic: set "
            "shoe.exposure_us = 500."
        )
    if shoe.deck and not shoe.faces:
        yield f"shoe.deck = '{shoe.deck}': it is only for reading faces: set shoe.faces = true."


def _unwired(settings: Config) -> Iterator[str]:
    """Yield a sentence for each part that cannot be wired as these settings say."""
    pins, beam = settings.pins, settings.shoe.beam
    if pins.uses and pins.driver == "none":
        yield f"pins.uses = {list(pins.uses)}: set pins.driver = 'lgpio' too."
    if beam == "board" and not settings.board.port:
        yield "shoe.beam = 'board': set board.port too."
    if pins.uses and beam not in ("none", "board", pins.driver):
        yield f"shoe.beam = {beam!r}: pins.driver is {pins.driver!r}: set both to the same."
    yield from _dead(settings)


def _dead(settings: Config) -> Iterator[str]:
    """Yield a sentence for each button that does not exist, or that would do nothing."""
    board, pi = settings.board.port, "buttons" in settings.pins.uses
    numbers = BUTTONS if board else AT_THE_PI
    allowed = games.game(settings.table.game).buttons
    for number, name in settings.buttons.items():
        if not board and not pi:
            yield (
                f"buttons.{number} = {name!r}: no button is wired: set board.port, or add "
                "'buttons' to pins.uses."
            )
        elif number not in numbers:
            lacks = "" if board else ": without a board.port there are the Pi's"
            yield (
                f"buttons.{number} = {name!r}: a button's number is one of "
                f"{', '.join(numbers)}{lacks}."
            )
        if name not in allowed:
            yield f"buttons.{number} = {name!r}: want one of: {'; '.join(allowed)}."


def houses() -> tuple[str, ...]:
    """Return the ids of the houses that are shipped with the program."""
    found = (Path(str(file)) for file in files("table_controller").joinpath("houses").iterdir())
    return tuple(sorted(file.stem for file in found if file.suffix == ".toml" and _is_house(file)))


def _is_house(path: Path) -> bool:
    """Whether a file is a house file, which has a setting `id`."""
    text = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
    return re.search(r"^id\s*=", text, re.MULTILINE) is not None


def house(name: str, game: str = "") -> House:
    """Read a house: the id of a shipped house, or the path of a house file. Raises ConfigError.

    `game`, if given, is the game that the house must play.
    """
    if name in houses():
        found = _house(Path(str(files("table_controller").joinpath(f"houses/{name}.toml"))))
    elif name.endswith(".toml"):
        found = _house(Path(name))
    else:
        shipped = ", ".join(houses())
        raise ConfigError(
            f"unknown house {name!r}: want one of {shipped}, or the path of a house file (.toml)"
        )
    if game and game != found.game:
        raise ConfigError(
            f"the house {name!r} is for {found.game}, and the game is {game}: name a house of "
            f"{game}, or play {found.game}."
        )
    return found


def _house(path: Path) -> House:
    """Read a house file with its game's settings.

    If the file names a lamp file, that file is in the same folder.
    """
    text, values = parsed(path)
    try:
        kind = games.game(values.get("game", games.FIRST)).house
    except ConfigError as error:
        raise ConfigError(f"{path}, line {line_of(text, ['game'])}: {error}.") from None
    found = converted(path, text, values, kind)
    return replace(found, lamps=str(path.parent / found.lamps)) if found.lamps else found


def check(path: Path) -> Config | House:
    """Read a settings file or a house file. Raises ConfigError."""
    if _is_house(path):
        own = _house(path)
        lamp_language(own)
        return own
    if parsed(path)[1].keys() >= {*lamps.WORDS}:
        raise ConfigError(
            f"{path} is a lamp language: check the house file or the settings that name it."
        )
    settings = load(path)
    lamp_language(house(settings.table.house, settings.table.game), settings.board.lamps)
    house_look(settings.page)
    return settings


def house_look(page: PageSettings) -> HouseLook | None:
    """The house's own look, if the settings name a look. Raises ConfigError."""
    from table_controller.adapters.web import look  # noqa: PLC0415 - most commands serve no page

    try:
        return look.read(page.look) if page.look else None
    except look.BadLook as error:
        raise ConfigError(f"page.look: {error}.") from None


def lamp_language(
    house: House, own: Path | None = None, *, game: Game[Any] | None = None
) -> Mapping[str, Lamp]:
    """Return a table's lamp language. Raises ConfigError.

    The language is read from the file `own`. Without `own`, it is read from the house's lamp file;
    without that file, from the shipped one.
    """
    setting, path = ("board.lamps", own) if own else ("lamps", house.lamps)
    played = game or games.game(house.game)
    try:
        words = lamps.shipped(played.lamps)
        return lamps.load(Path(path), words) if path else words
    except lamps.LampLanguageError as error:
        raise ConfigError(f"{setting}: {error}.") from None


def secret(path: Path) -> str:
    """Read the password in a file of one line with mode 0600. Raises ConfigError."""
    try:
        mode, text = path.stat().st_mode, path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot read the password file {path}: {error}.") from None
    if mode & 0o077:
        raise ConfigError(f"{path} has mode {mode & 0o777:04o}: others may read it. chmod 600 it.")
    return text.strip()

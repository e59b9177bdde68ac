"""`schlitten doctor`: checks that all parts that a table's settings name exist and answer."""

from __future__ import annotations

import os
import pwd
import socket
import ssl
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from functools import partial
from itertools import islice
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Final

from firmware_bridge.barcode_module import BAUD
from firmware_bridge.port import BAUD as BOARD_BAUD
from firmware_bridge.port import TWIN
from firmware_bridge.serial_line import PortError, open_port
from hardware import board_tool, measure
from hardware.netlist import LAMPS
from hardware.pi_table import pin_factory
from hardware.pins import PinsError
from table_controller.adapters.addresses import in_network, is_elsewhere, listening
from table_controller.adapters.broker import program
from table_controller.adapters.voice import require
from table_controller.commands.machine.check_result import Finding
from table_controller.service.archive import Archive
from table_controller.service.errors import ConfigError, JournalBusy, ServiceError
from table_controller.service.sealing import load_keys
from table_controller.service.store import Lock
from table_controller.wiring import config
from table_controller.wiring.calls_aloud import PROGRAMS
from table_controller.wiring.config import Config
from table_controller.wiring.page_addresses import not_in_certificate, page_addresses

if TYPE_CHECKING:
    from vision.lip import Lip


# ---- For `doctor`: the age of the copies of a table's journal, and the files next to the journal

#: The timer makes a copy every morning. If there is none of the last two days, yesterday's failed.
OLD_S: Final = 48 * 3600.0
_MIB: Final = 1 << 20


def examine_copies(
    settings: Config, *, clock: Callable[[], float] = time.time
) -> Iterator[Finding]:
    """Yield findings about this table's journal, the journal's copies, and the files next to it.

    Yield nothing if there is no journal yet.
    """
    journal = settings.journal.path
    if not journal.exists():
        return
    yield _copies(journal, settings.journal.copies, clock())
    yield Finding("kept", True, _kept(journal))


def _copies(journal: Path, folder: Path | None, now_s: float) -> Finding:
    if folder is None:
        said = "no folder is set for them ([journal] copies): nobody looks how old they are"
        return Finding("copies", True, said)
    try:
        made = sorted(copy.stat().st_mtime for copy in folder.glob("*.db"))
    except OSError as error:
        return Finding("copies", False, f"{folder} cannot be read: {error.strerror}")
    first_s, last_s = (t_ms / 1000 for t_ms in played(journal))
    newest = made[-1] if made else first_s
    if newest < last_s and now_s - newest > OLD_S:
        held = f"the newest in {folder} is {_age(now_s - newest)} old" if made else "there is none"
        said = f"{held}: look at `systemctl status schlitten-backup.timer`, or copy by hand"
        return Finding("copies", False, said)
    if not made:
        return Finding("copies", True, f"none yet in {folder}")
    said = f"{len(made)} in {folder}, the newest {_age(now_s - newest)} old"
    return Finding("copies", True, said)


def played(journal: Path) -> tuple[int, int]:
    """Return the times of a journal's first and last rows, in ms since 1970; zeros without rows."""
    with suppress(ServiceError), closing(Archive.read(journal)) as archive:
        times = [row.t_ms for row in (*archive.inputs(0, 1), *archive.inputs(archive.last() - 1))]
        if times:
            return times[0], times[-1]
    return 0, 0


def _age(seconds: float) -> str:
    hours = seconds / 3600
    return f"{hours:.0f} h" if hours < 72 else f"{hours / 24:.0f} days"


def _kept(journal: Path) -> str:
    """Return a sentence about the journal and the files that the program left next to it."""
    aside = list(journal.parent.glob(f"{journal.name}.before-*[0-9]"))
    films = list(journal.parent.glob("lip-*.film"))
    lies = [
        _count(aside, "journal", "laid aside by `restore`"),
        _count(films, "film", "of the lip"),
    ]
    said = f"the journal has {_mib([journal])} MiB and begins at the table's first evening"
    beside = " and ".join(part for part in lies if part)
    if not beside:
        return said
    return (
        f"{said}; beside it {beside}. The program deletes none of these files: move away the ones "
        "that nobody needs."
    )


def _count(paths: list[Path], what: str, why: str) -> str:
    if not paths:
        return ""
    return f"{len(paths)} {what}{'s' if len(paths) > 1 else ''} {why} ({_mib(paths)} MiB)"


def _mib(paths: Iterable[Path]) -> int:
    return sum(path.stat().st_size for path in paths) // _MIB


# ---- For `doctor`: the machine's own meters of disk, heat, power supply, clock, and SD card wear

SYS: Final = Path("/sys")
#: A press waits for a flush. People notice a flush that is slower than the first figure. The second
#: figure is a stall.
SLOW_S, STALL_S = 0.05, 0.5
FLUSHES: Final = 20
#: From this figure on an eMMC is near the end of its life. The unit is ten per cent.
WORN: Final = 9
_THROTTLED = "devices/platform/soc/soc:firmware/get_throttled"
#: Bits of the firmware's word that are true now. The same bits, 16 places higher, were true at some
#: time since the start.
_UNDER_VOLTAGE, _CAPPED, _THROTTLING, _HOT = 1, 2, 4, 8


def examine_machine(
    folder: Path,
    *,
    last_ms: int = 0,
    sys: Path = SYS,
    clock: Callable[[], float] = time.time,
    flush: Callable[[int], None] = os.fsync,
) -> Iterator[Finding]:
    """Read each meter of the machine.

    `folder` is the journal's folder, and `last_ms` the time of the journal's last row.
    """
    yield _flushing(folder, flush)
    yield from _firmware(sys)
    yield _clock(last_ms, clock(), sys)
    yield from _wear(folder, sys)


def _flushing(folder: Path, flush: Callable[[int], None]) -> Finding:
    """Measure how long the disk takes to write and flush 4 KiB.

    The journal does this for each press.
    """
    try:
        took = list(_kept_s(folder, flush))
    except OSError as error:
        said = f"{folder} takes nothing ({error.strerror}): free some space, or let it be written"
        return Finding("disk", False, said)
    usual, worst = statistics.median(took), max(took)
    said = f"keeps a press in {usual * 1000:.1f} ms, at worst of {FLUSHES} in {worst * 1000:.1f}"
    if usual > SLOW_S or worst > STALL_S:
        said += ": every press waits so long. Use a better card, or an SSD"
    return Finding("disk", usual <= SLOW_S and worst <= STALL_S, said)


def _kept_s(folder: Path, flush: Callable[[int], None]) -> Iterator[float]:
    """Write and flush several times. Yield the seconds of each. Raises OSError."""
    with tempfile.TemporaryFile(dir=folder) as file:
        for _ in range(FLUSHES):
            began = time.perf_counter()
            os.pwrite(file.fileno(), bytes(4096), 0)
            flush(file.fileno())
            yield time.perf_counter() - began


def _firmware(sys: Path) -> Iterator[Finding]:
    """Yield findings from the Pi's reports on power supply and heat (`vcgencmd get_throttled`)."""
    word = _number(sys / _THROTTLED, 16)
    if word is None:
        return
    yield _since_start(
        "supply", word, _UNDER_VOLTAGE, "the voltage is too low",
        "use the Pi's own power supply and a short cable",
    )  # fmt: skip
    yield _since_start(
        "throttling", word, _CAPPED | _THROTTLING | _HOT, "the processor is slowed down",
        "cool it, or look at its supply",
    )  # fmt: skip


def _since_start(part: str, word: int, bits: int, what: str, remedy: str) -> Finding:
    if word & bits:
        return Finding(part, False, f"{what} now: {remedy}")
    if word >> 16 & bits:
        return Finding(part, False, f"{what} at times since the start: {remedy}")
    return Finding(part, True, "no fault since the start")


def _clock(last_ms: int, now: float, sys: Path) -> Finding:
    """Return a finding about the clock, which must not be before the journal's last row.

    A Pi without a battery starts with a time in the past, until the network gives the time.
    """
    if now * 1000 < last_ms:
        return Finding(
            "clock",
            False,
            f"is {last_ms / 1000 - now:.0f} s before the journal's last row: set it, or wait for "
            "the network's time",
        )
    kept = any((sys / "class/rtc").glob("rtc*"))
    return Finding(
        "clock",
        True,
        f"says {time.strftime('%Y-%m-%d %H:%M:%S', time.localtime(now))}"
        + ("" if kept else "; without a battery: it needs the network's time after each start"),
    )


def _wear(folder: Path, sys: Path) -> Iterator[Finding]:
    """Yield a finding about the wear of the journal's disk, if the disk reports it."""
    device = folder.stat().st_dev
    part = (sys / f"dev/block/{os.major(device)}:{os.minor(device)}").resolve()
    errors = _number(sys / f"fs/ext4/{part.name}/errors_count")
    if errors:
        yield Finding(
            "file system",
            False,
            f"{part.name} has noted {errors} errors: back the journal up, and exchange the card",
        )
    written = _number(sys / f"fs/ext4/{part.name}/lifetime_write_kbytes")
    life = _life(part.parent / "device/life_time") or _life(part / "device/life_time")
    told = [f"{written / 2**20:.1f} GiB written to {part.name} in its life"] if written else []
    if life:
        told.append(f"{life * 10} % of the card's life is used up")
        if life >= WORN:
            told.append("back the journal up, and exchange it")
    if told:
        yield Finding("wear", life < WORN, "; ".join(told))


def _life(path: Path) -> int:
    """Return the worse of an eMMC's two wear figures, in units of ten per cent; 0 without them."""
    try:
        return max(int(word, 16) for word in path.read_text(encoding="ascii").split())
    except (OSError, ValueError):
        return 0


def _number(path: Path, base: int = 10) -> int | None:
    try:
        return int(path.read_text(encoding="ascii"), base)
    except (OSError, ValueError):
        return None


# ---- `schlitten doctor`: checks that all parts that a table's settings name exist and answer

#: The user as which systemd/schlitten.service runs the table.
USER = "schlitten"
_PICTURE_S = 10.0
_BROKER_S = 5.0


def examine(path: Path) -> Iterator[Finding]:
    """Yield a finding for each part of the table with these settings. Raises ConfigError."""
    settings = config.parse(path)
    troubles = list(config.unservable(settings))
    yield Finding("settings", not troubles, " ".join(troubles) or f"{path} is sound")
    yield _tried("house", lambda: _house(settings))
    yield _tried("key", lambda: _key(settings))
    if settings.journal.path.parent.is_dir():
        _, last_ms = played(settings.journal.path)
        yield from examine_machine(settings.journal.path.parent, last_ms=last_ms)
        yield from examine_copies(settings)
    if settings.voice.engine != "none":
        yield _tried("voice", lambda: _voice(settings))
    journal = settings.journal.path
    try:
        Lock(journal).release()
    except JournalBusy as error:
        yield Finding("journal", True, _written(journal, error.process))
        yield from _readable(settings)
        if settings.page.port:
            yield _tried("page", lambda: _is_served(settings.page))
        yield from _reached(settings.page)
        yield from _named(settings.page)
        return
    except ServiceError as error:
        yield Finding("journal", False, str(error))
    else:
        yield Finding("journal", True, f"{journal} can be written")
    yield from _devices(settings)
    yield from _readable(settings)
    yield from _network(settings)


def _tried(part: str, look: Callable[[], str]) -> Finding:
    """Call `look`. Return its sentence, or its fault, as a finding about `part`."""
    try:
        return Finding(part, True, look())
    except (ConfigError, ServiceError, PortError, PinsError, OSError) as error:
        return Finding(part, False, str(error))


def _written(journal: Path, process: str) -> str:
    return (
        f"the table is running, and its process {process} writes {journal}. So camera, board and "
        "broker are left alone: to try these too, stop the table, then run `doctor` again"
    )


def _key(settings: config.Config) -> str:
    load_keys(settings.journal.key, os.environ)
    return "the key that seals closed cards exists"


def _devices(settings: config.Config) -> Iterator[Finding]:
    shoe = settings.shoe
    if shoe.reader != "none":
        yield _tried("camera", lambda: _camera(shoe))
        yield _tried("reading", lambda: _reading(settings))
        yield _tried("lip", lambda: _lip(settings))
    if shoe.module:
        yield _tried("module", lambda: _port(shoe.module, BAUD))
    if shoe.beam not in ("none", "board"):
        yield _tried("beam", lambda: _pins(shoe.beam))
    if settings.pins.driver != "none":
        yield _tried("pins", lambda: _pins(settings.pins.driver))
    if settings.board.port == TWIN:
        yield Finding("board", True, "the simulated one")
    elif settings.board.port:
        yield _tried("board", lambda: _board(settings))
    if settings.board.lamps:
        yield _tried("lamps", lambda: _lamps(settings))


def _voice(settings: config.Config) -> str:
    for needed in PROGRAMS[settings.voice.engine]:
        require(needed)
    model = settings.voice.model
    if model and not model.exists():
        raise ConfigError(f"voice.model = '{model}': there is no such file.")
    return f"{settings.voice.engine} speaks {settings.voice.language.called}"


def _house(settings: config.Config) -> str:
    """Return the house's title, after a check that lamps can show its words. Raises ConfigError."""
    house = config.house(settings.table.house)
    config.lamp_language(house)
    return house.title


def _lamps(settings: config.Config) -> str:
    """Return how many words the table's lamp language has. Raises ConfigError."""
    house = config.house(settings.table.house)
    return f"{len(config.lamp_language(house, settings.board.lamps))} words"


def _camera(shoe: config.ShoeSettings) -> str:
    """Wait for one frame, and return a sentence about its size and brightness.

    Raises ConfigError with the camera's fault.
    """
    from table_controller.wiring.shoe import eyes  # noqa: PLC0415 - it loads OpenCV
    from vision.frame import Frame  # noqa: PLC0415

    frames, seen = eyes.frames(shoe), list[Frame]()
    look = Thread(target=lambda: seen.extend(islice(frames, 1)), daemon=True)
    look.start()
    look.join(_PICTURE_S)
    if not seen:
        raise ConfigError(f"no picture came in {_PICTURE_S:.0f} s: check the camera's cable")
    picture = seen[0].picture
    if picture is None:
        raise ConfigError(seen[0].fault)
    return (
        f"gives pictures of {picture.shape[1]} x {picture.shape[0]}, as bright as {picture.max()}"
    )


def _reading(settings: config.Config) -> str:
    from table_controller.wiring.shoe import eyes  # noqa: PLC0415

    shoe = settings.shoe
    sight = eyes.sight(shoe, config.house(settings.table.house))
    by = [f"labels of {sight.manifest.shoe}"] if sight.manifest else []
    by += ["faces"] if shoe.faces else []
    at = "" if shoe.corners or not shoe.faces else "; not calibrated yet (`schlitten calibrate`)"
    return f"by {' and '.join(by)}{at}"


def _lip(settings: config.Config) -> str:
    """Return how fast a card may pass the lip, and whether this machine is fast enough.

    Raises ConfigError.
    """
    from table_controller.wiring.shoe import eyes  # noqa: PLC0415
    from vision import limits  # noqa: PLC0415
    from vision.passage import DELAY_MS  # noqa: PLC0415

    shoe = settings.shoe
    sight = eyes.sight(shoe, config.house(settings.table.house))
    took_ms = limits.reading_ms(sight.lip, tuple(sight.eyes()), shoe.corners)
    if took_ms > DELAY_MS:
        raise ConfigError(
            f"this machine reads a picture in {took_ms:.0f} ms, and a card has its verdict after "
            f"{DELAY_MS:.0f}: read labels, mark the card's corners (`schlitten calibrate`), or "
            "take a quicker one"
        )
    said = f"a picture is read in {took_ms:.1f} ms; {_quickest(shoe, sight.lip)}"
    return f"{said}; {_pairs(sight.lip, shoe.fps)} (hardware/BUILD.md, 2)"


def _pairs(lip: Lip, fps: float) -> str:
    """Return how well the lip notices two cards drawn together, given its width and frame rate."""
    from vision import limits, outline  # noqa: PLC0415

    before_mm = lip.card_mm[0] * (outline.CALIBRATED - 1)
    said = (
        "of two cards at once an edge must stick out by 0.4 mm or a corner by 0.9, until "
        f"{outline.ENOUGH} cards were read by {before_mm:.2g}"
    )
    if fps:
        pairs, sure = limits.pairs_mps(lip, fps), limits.sure_mps(lip, fps)
        said += f"; they are told up to {pairs:.2g} m/s, and from {sure:.2g} on any may be unsure"
    if not (lip.sides or lip.whole):
        said += "; shifted sideways they are not told"
    return said


def _quickest(shoe: config.ShoeSettings, lip: Lip) -> str:
    """Return how quickly a card may be drawn, given the exposure and the frame rate."""
    from vision import limits  # noqa: PLC0415

    if not shoe.exposure_us:
        return (
            "the exposure is automatic, so that moving cards smear: `schlitten calibrate` finds "
            "one to hold"
        )
    mps = limits.fastest_mps(lip, shoe.exposure_us)
    light = "flash" if shoe.strobe else "exposure"
    often = limits.sightings(lip, shoe.fps, mps)
    at_least = f", with {often:.0f} pictures of its label" if shoe.fps and shoe.manifests else ""
    return f"by the {light} a card may go {mps:.2g} m/s{at_least}"


def _port(port: str, baud: int) -> str:
    open_port(port, baud).close()
    return f"{port} opens"


def _board(settings: config.Config) -> str:
    """Return a sentence that says whether the board answers and is at rest.

    If not, and if the kind of build is known, the sentence says what to measure.
    """
    build, port = settings.hardware.build, settings.board.port
    try:
        said = _port(port, BOARD_BAUD)
        look = board_tool.show(port)
    except (PortError, board_tool.BoardToolError) as error:
        said = f"{str(error).rstrip('.')}. {measure.silent(build)}" if build else str(error)
        raise ConfigError(said) from None
    if not build:
        return f"{said}, and the board answers"
    ill = [measure.wrong_lamps(build, look.met.lamps)]
    if look.status.board:
        beam = settings.shoe.beam == "board"
        ill += measure.at_rest(build, look.status.board, beam=beam)
    if any(ill):
        raise ConfigError(f"{port} answers. It " + ". It ".join(filter(None, ill)))
    return f"{said}, and the board answers; build `{build}`, firmware {LAMPS[build]}"


def _pins(name: str) -> str:
    pin_factory(name)  # left open, as a process may open them only once
    return f"the pins of {name} are free"


def _network(settings: config.Config) -> Iterator[Finding]:
    page, broker = settings.page, settings.broker
    yield _tried("page", lambda: _page_free(page))
    yield from _reached(page)
    yield from _named(page)
    for name, part in (("page", page), ("broker", broker)):
        if part.certificate and part.key:
            yield _tried(f"{name}'s certificate", partial(_pair, part.certificate, part.key))
    if broker.kind == "embedded":
        yield _tried("broker", lambda: _can_begin(broker.host, broker.port))
    elif broker.kind == "mqtt":
        yield _tried("broker", lambda: _answers(broker.host, broker.port))


def _reached(page: config.PageSettings) -> Iterator[Finding]:
    """Yield the page's addresses that this machine does not have, if any."""
    wrong = [host for host in page_addresses(page, page.port).hosts if is_elsewhere(host)]
    if wrong:
        own = in_network() or "none"
        yield Finding(
            "page's address",
            False,
            f"{' and '.join(wrong)} is no address of this machine, whose own is {own}: give it the "
            "expected one in the router's menu, or set up the page anew (docs/TABLET.md, step 1)",
        )


def _named(page: config.PageSettings) -> Iterator[Finding]:
    """Yield whether the page's certificate has every name by which browsers open the page."""
    lacks, has = not_in_certificate(page)
    if not has:  # there is no certificate, or it cannot be read, which another finding says
        return
    if not lacks:
        yield Finding("page's names", True, f"{page.certificate} has every name of the page")
        return
    missing, known = (", ".join(map(repr, names)) for names in (lacks, has))
    yield Finding(
        "page's names",
        False,
        f"page.names has {missing}, but {page.certificate} has only {known}: a browser would warn. "
        f"Make a certificate with this name too (docs/TABLET.md, step 1), or take {missing} out of "
        "page.names",
    )


def _pair(certificate: Path, key: Path) -> str:
    """Check that certificate and key can be read and belong together. Return a sentence.

    Raises OSError.
    """
    try:
        ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(certificate, key)
    except ssl.SSLError as error:
        raise ConfigError(
            f"{certificate} and {key} do not belong together ({error.reason}): name the "
            "PEM files of one pair"
        ) from None
    except OSError as error:
        raise ConfigError(
            f"{certificate} or {key} cannot be read ({error.strerror}): name files that the "
            "service may read"
        ) from None
    return f"{certificate} and its key belong together"


def _can_begin(host: str, port: int) -> str:
    """Check that the embedded broker is installed and its port is free. Return a sentence."""
    program()
    return _free(host, port)


def _readable(settings: config.Config) -> Iterator[Finding]:
    """Yield findings about files that root can read, but the service's user cannot.

    Only the files of the page and of the broker are tried.
    """
    page, broker = settings.page, settings.broker
    named = (page.certificate, page.key, broker.certificate, broker.key, broker.ca, broker.password)
    for file in filter(None, named):
        if not _service_reads(file):
            yield Finding(
                "files",
                False,
                f"the service's user {USER} cannot read {file}: run `chgrp {USER} {file} && "
                f"chmod 640 {file}`, and let {USER} into its folder",
            )


def _service_reads(file: Path) -> bool:
    """Whether the service's user may read the file. If we are root, try it as that user."""
    if os.geteuid() or not file.exists():
        return True
    try:
        who = pwd.getpwnam(USER)
    except KeyError:  # not installed, so the table is started by hand
        return True
    groups = os.getgrouplist(USER, who.pw_gid)
    tried = subprocess.run(  # noqa: S603 - words of our own
        ["/usr/bin/test", "-r", str(file)],
        user=who.pw_uid, group=who.pw_gid, extra_groups=groups, check=False,
    )  # fmt: skip
    return tried.returncode == 0


def _is_served(page: config.PageSettings) -> str:
    """Check that the page of a running table answers. Return a sentence. Raises ConfigError."""
    host = "127.0.0.1" if page.host == "0.0.0.0" else page.host  # noqa: S104 - where it is bound
    try:
        socket.create_connection((host, page.port), _BROKER_S).close()
    except OSError as error:
        raise ConfigError(
            f"the table is served, but no page answers at {host}:{page.port} ({error}): "
            "`journalctl -u schlitten` says why"
        ) from None
    return f"{host}:{page.port} answers; {page_addresses(page, page.port).sentence}"


def _page_free(page: config.PageSettings) -> str:
    """Return a sentence that says who can open the page once it is served. Raises CannotServe."""
    said = _free(page.host, page.port)
    if not page.port:
        return said
    return f"{said}; once the table is served, {page_addresses(page, page.port).sentence}"


def _free(host: str, port: int) -> str:
    listening(host, port).close()
    return f"port {port} at {host} is free"


def _answers(host: str, port: int) -> str:
    try:
        socket.create_connection((host, port), _BROKER_S).close()
    except OSError as error:
        raise ConfigError(
            f"no broker answers at {host}:{port} ({error}): start the broker, or correct its "
            "address"
        ) from None
    return f"{host}:{port} answers"

"""Makes a new table's settings, key, certificate and first supervisor, from a few answers.

The module knows the content of a settings file. It asks nobody (`schlitten init` does) and starts
no table.
"""

from __future__ import annotations

import asyncio
import ipaddress
import os
import re
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, NamedTuple

from msgspec import Struct, ValidationError, convert, json

from table_controller.adapters import certificate
from table_controller.adapters.addresses import in_network, in_url, numeric
from table_controller.adapters.web.beginning import Beginning, NotBegun
from table_controller.adapters.web.serve import Server
from table_controller.engine.messages import phrase
from table_controller.rules.houses import House
from table_controller.service import pins
from table_controller.service.errors import ConfigError, ServiceError
from table_controller.service.sealing import load_keys, make_key
from table_controller.wiring import config, people
from table_controller.words.languages import Language

#: The folder of the settings, and the journal, if the program is installed.
INSTALLED: Final = Path("/etc/schlitten")
#: Seconds for the last answer to reach the browser.
LAST_ANSWER_S: Final = 0.3
_JOURNAL: Final = Path("/var/lib/schlitten/table.db")


class FirstStart(Struct, frozen=True, kw_only=True):
    """The answers of the person who sets up a table.

    Attributes:
        supervisor, pin: name and PIN of the first person, who gives roles to all others.
        addresses: those at which other screens open the page. Without an address, only this machine
            can.
        camera, board: a name that `found` returned; "" if there is none.
    """

    house: str
    language: str = "en"
    name: str = "table-1"
    supervisor: str
    pin: str
    addresses: tuple[str, ...] = ()
    port: int = 8080
    camera: str = ""
    board: str = ""
    speaks: bool = False


class Begun(Struct, frozen=True, kw_only=True):
    """The files that were made.

    If there is no certificate, `fingerprint` is "" and `root` is None.
    """

    settings: Path
    url: str
    fingerprint: str = ""
    root: Path | None = None


def found(kind: str, root: Path = Path("/dev")) -> list[str]:
    """Return the cameras (`camera`) or serial ports (`board`) of this machine.

    Their names stay the same after a restart.
    """
    folder = root / {"camera": "v4l/by-id", "board": "serial/by-id"}[kind]
    with suppress(FileNotFoundError):
        return sorted(str(one) for one in folder.iterdir())
    return []


def begin(answers: FirstStart, at: Path) -> Begun:
    """Write the settings and the files that they name, and journal the supervisor.

    Settings are overwritten only if `schlitten install` wrote them and nobody has changed them. The
    journal's key and a page's certificate are never overwritten. Raises ServiceError.
    """
    _check(answers, at)
    folder = at.parent
    own = folder == INSTALLED
    journal = _JOURNAL if own else folder / "table.db"
    key = folder / "table.key"
    if not key.exists():
        make_key(key)
    made = certificate.make(_certified(answers)) if answers.addresses else None
    if made:
        root, page, page_key = _pages(folder)
        write_file(root, made.root, 0o644)
        write_file(page, made.page, 0o644)
        write_file(page_key, made.key, 0o600, like=journal.parent)
    write_file(at, "".join(_settings(answers, folder, journal, own=own)).encode(), 0o644)
    try:
        config.load(at)
        proof = pins.proof(answers.pin, load_keys(key, os.environ))
        person = {"type": "person_added", "name": answers.supervisor, "role": "supervisor"}
        people.changed(at, {**person, "proof": proof})
    except (ConfigError, ServiceError):
        for file in (at, *(_pages(folder) if made else ())):
            file.unlink()  # so that somebody can try again
        raise
    for file in journal.parent.glob(f"{journal.name}*"):
        given(file, journal.parent)
    return Begun(
        settings=at,
        url=_url(answers),
        fingerprint=made.fingerprint if made else "",
        root=folder / "page-root.pem" if made else None,
    )


async def by_page(
    at: Path, say: Callable[[str], None], said: FirstStart, *, port: int = 0
) -> Begun:
    """Serve the page of the first start until somebody has answered. Raises ServiceError.

    `said` are the answers that the page shows at first, and those for which it has no field.
    `port` is the port of this page. `say` prints the page's address and its code on the console.
    """
    code = f"{secrets.randbelow(10**6):06}"
    found_here: dict[str, Sequence[Any]] = {
        "houses": _choices(said.house),
        "addresses": said.addresses or [in_network()],
        "camera": _listed(found("camera"), said.camera),
        "board": _listed(found("board"), said.board),
    }
    done: list[Begun] = []

    def heard(typed: Mapping[str, Any]) -> Mapping[str, Any]:
        kept = {name: value for name, value in typed.items() if name != "code"}
        if why := pins.weak(str(kept.get("pin", ""))):
            raise NotBegun(why)
        try:
            answers = convert({"name": said.name, "port": said.port, **kept}, FirstStart)
            begun = begin(answers, at)
        except (ConfigError, ServiceError, ValidationError) as error:
            raise NotBegun(phrase("{text}", text=str(error))) from None
        done.append(begun)
        return {"url": begun.url, "fingerprint": begun.fingerprint, "root": str(begun.root)}

    page = Beginning(code, found_here, heard, said)
    server = Server(page.app(), port=port)
    await server.start()
    try:
        say(f"Open {server.url}/ on this machine, and type the code {code} there.")
        await page.over.wait()
        await asyncio.sleep(LAST_ANSWER_S)
    finally:
        await server.stop()
    if not done:
        raise ConfigError("too many wrong codes: begin again, the console then shows another.")
    return done[0]


def _listed(there: list[str], named: str) -> list[str]:
    """The devices to choose from, with the one that an option names."""
    return there if not named or named in there else [named, *there]


class HouseChoice(NamedTuple):
    """A house to choose: `value` is a shipped house's id, or the path of a house file."""

    value: str
    house: House


def _choices(named: str) -> list[HouseChoice]:
    """The houses to choose from, with the house file that an option names."""
    shipped = [HouseChoice(one.id, one) for one in houses()]
    if not named or named in {one.value for one in shipped}:
        return shipped
    return [HouseChoice(named, config.house(named)), *shipped]


def houses() -> list[House]:
    """Return the houses that are shipped with the program, those of a game together."""
    return sorted(map(config.house, config.houses()), key=lambda one: (one.game, one.title))


def checked(address: str) -> str:
    """Return an address at which other screens open the page. Raises ConfigError."""
    with suppress(ValueError):
        if not ipaddress.ip_address(address).is_unspecified:
            return address
    if re.search("[a-z]", address) and re.fullmatch(r"[a-z0-9-]+(\.[a-z0-9-]+)*", address):
        return address
    raise ConfigError(
        f"{address!r} is no address of a machine: give a number such as 192.168.1.40 or a name "
        "such as table.local, in small letters, without https:// and without a port."
    )


def _certified(answers: FirstStart) -> tuple[str, ...]:
    """The names in the page's certificate. With the last two, this machine opens the page."""
    return tuple(dict.fromkeys((*answers.addresses, "127.0.0.1", "localhost")))


def writable(at: Path) -> None:
    """Raise ConfigError if the settings cannot be written there. No answer changes that."""
    if not at.parent.is_dir():
        raise ConfigError(f"there is no folder {at.parent}: make it, or name another.")
    if at.exists() and at.read_bytes() not in _left_by_install():
        raise ConfigError(f"{at} exists, and is not overwritten: move it away, or name another.")


def _check(answers: FirstStart, at: Path) -> None:
    config.house(answers.house)
    if answers.language not in list(Language):
        known = ", ".join(Language)
        raise ConfigError(f"{answers.language!r} is no language here: want one of {known}.")
    if why := pins.weak(answers.pin):
        raise ConfigError(f"{why} Choose another PIN.")
    if not answers.supervisor.strip():
        raise ConfigError("a table needs a first supervisor: give a name.")
    for address in answers.addresses:
        checked(address)
    writable(at)
    there = [str(file) for file in _pages(at.parent) if answers.addresses and file.exists()]
    if there:
        raise ConfigError(
            f"{' and '.join(there)} exist, and are not overwritten: move them away, or give no "
            "address, and name them in the settings (`certificate` and `key` of [page])."
        )


def _pages(folder: Path) -> tuple[Path, ...]:
    """The files of the page's certificate: the root, the page's own, and its key."""
    return tuple(folder / name for name in ("page-root.pem", "page.pem", "page.key"))


def _left_by_install() -> Iterator[bytes]:
    package = Path(str(files("table_controller")))
    for folder in (package / "shipped" / "systemd", package.parent / "systemd"):
        with suppress(FileNotFoundError):
            yield (folder / "first.toml").read_bytes()


def _settings(answers: FirstStart, folder: Path, journal: Path, *, own: bool) -> Iterator[str]:
    house = config.house(answers.house)
    yield "# Written by `schlitten init`. docs/SETTINGS.md has all settings;\n"
    yield "# `schlitten check-config` says if a change is wrong.\n"
    yield _part("table", name=answers.name, game=house.game, house=answers.house)
    copies = {"copies": "/var/backups/schlitten"} if own else {"key": str(folder / "table.key")}
    yield _part("journal", path=str(journal), **copies)
    if answers.camera:
        # a webcam's own rate and exposure, until `calibrate` has found an exposure to hold
        own_rate = {"fps": 0, "exposure_us": 0}
        yield _part("shoe", reader="camera", camera=answers.camera, faces=True, **own_rate)
    if answers.board:
        yield _part("board", port=answers.board)
    page: dict[str, object] = {"port": answers.port, "language": answers.language}
    if answers.addresses:
        pair: dict[str, object] = {
            "certificate": str(folder / "page.pem"),
            "key": str(folder / "page.key"),
        }
        page |= {"host": _everywhere(answers), "names": list(answers.addresses)} | pair
    yield _part("page", **page)
    if answers.speaks:
        yield _part("voice", engine="espeak-ng", language=answers.language)


def _part(name: str, /, **values: object) -> str:
    """Return a table of a TOML file. TOML writes texts, numbers and lists of texts as JSON does."""
    lines = (f"{key} = {json.encode(value).decode()}\n" for key, value in values.items())
    return f"\n[{name}]\n{''.join(lines)}"


def write_file(file: Path, content: bytes, mode: int, *, like: Path | None = None) -> None:
    """Write a file. The file's owner is the owner of `like`, if given. Raises ConfigError."""
    try:
        file.unlink(missing_ok=True)
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as out:
            out.write(content)
        file.chmod(mode)
        if like:
            given(file, like)
    except OSError as error:
        raise ConfigError(f"cannot write {file}: {error.strerror}. Run it as root.") from None


def given(file: Path, like: Path) -> None:
    """If we are root, give a file to the owner of `like`. The service's user can then read it."""
    if os.geteuid() == 0 and like.exists():
        owner = like.stat()
        os.chown(file, owner.st_uid, owner.st_gid, follow_symlinks=False)


def _url(answers: FirstStart) -> str:
    if not answers.addresses:
        return f"http://127.0.0.1:{answers.port}/"
    return f"https://{in_url(answers.addresses[0])}:{answers.port}/"


def _everywhere(answers: FirstStart) -> str:
    """The host of a page that is open to the network: every address, also IPv6 if one is named."""
    numbers = map(numeric, answers.addresses)
    six = any(isinstance(one, ipaddress.IPv6Address) for one in numbers)
    return "::" if six else "0.0.0.0"  # noqa: S104 - with TLS

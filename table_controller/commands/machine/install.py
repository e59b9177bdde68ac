"""`schlitten install`: installs everything that a table's machine needs besides the program.

It is safe to run again. The module knows where Debian puts files. Files that a person may have
changed (settings, key, the broker's files) are left as they are. Files that nobody should change
(units, device names) are rewritten.
"""

from __future__ import annotations

import importlib.resources
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from table_controller.service.errors import ServiceError
from table_controller.service.sealing import make_key

#: The program's place: a folder for each version, and a link to the version that runs.
VERSIONS, CURRENT = Path("opt/schlitten/versions"), Path("opt/schlitten/current")
COMMAND: Final = Path("usr/local/bin/schlitten")
SETTINGS, KEY = Path("etc/schlitten/table.toml"), Path("etc/schlitten/table.key")
#: Enabled in this order. Units that need something missing wait by themselves.
UNITS: Final = ("schlitten.service", "schlitten-backup.timer", "schlitten-kiosk.service")
_UNITS = Path("etc/systemd/system")
#: The socket that udev has while it runs. A container has no udev.
UDEV: Final = Path("/run/udev/control")


class CannotInstall(ServiceError):
    """A prerequisite is missing. The text names the remedy."""


class _File(NamedTuple):
    """A file that we ship, and its place.

    If `theirs` is true, people may change the file: once it is there, it is never replaced.
    """

    source: str
    place: Path
    theirs: bool = False


_FILES: Final = (
    _File("schlitten.sysusers", Path("usr/local/lib/sysusers.d/schlitten.conf")),
    *(_File(name, _UNITS / name) for name in UNITS),
    _File("schlitten-backup.service", _UNITS / "schlitten-backup.service"),
    _File("99-schlitten.rules", Path("etc/udev/rules.d/99-schlitten.rules")),
    _File("first.toml", SETTINGS, theirs=True),
    _File("table.toml", Path("etc/schlitten/table.toml.example")),
    _File("mosquitto/mosquitto.conf", Path("etc/schlitten/mosquitto.conf"), theirs=True),
    _File("mosquitto/schlitten.acl", Path("etc/schlitten/schlitten.acl"), theirs=True),
    _File("mosquitto/mosquitto.service.conf", _UNITS / "mosquitto.service.d/schlitten.conf"),
)
_FOLDERS: Final = (
    (Path("etc/schlitten"), 0o755, False),
    (Path("var/lib/schlitten"), 0o700, True),
    (Path("var/backups/schlitten"), 0o700, True),
)


def install(root: Path = Path("/"), *, shipped: Path | None = None) -> Iterator[str]:
    """Install everything under `root`. Yield a sentence for each step. Raises CannotInstall.

    A `root` other than / belongs to a machine that is not running, such as a Pi's card in a reader.
    """
    here = root == Path("/")
    if os.geteuid() != 0:
        raise CannotInstall("This needs root: run it with sudo.")
    if not shutil.which("systemd-sysusers"):
        raise CannotInstall("There is no systemd: install on Debian or Raspberry Pi OS.")
    if here:
        yield from _program(root)
    folder = shipped or _shipped()
    for file in _FILES:
        yield from _put(folder / file.source, root / file.place, theirs=file.theirs)
    _call("systemd-sysusers", f"--root={root}", str(root / _FILES[0].place))
    yield "the users schlitten and schlitten-kiosk exist"
    for place, mode, ours in _FOLDERS:
        _folder(root, place, mode, ours=ours)
    key = root / KEY
    if not key.exists():
        make_key(key)
        yield f"{key} is made: keep a copy of the key in the house's safe"
    _call("systemctl", f"--root={root}", "enable", *UNITS)
    yield f"enabled: {', '.join(UNITS)}"
    yield from _start() if here and runs() else _only_enabled()


def join(code: str, settings: Path | None, root: Path = Path("/")) -> Iterator[str]:
    """Let a table join a floor. Yield a sentence for each step. Raises ServiceError.

    `settings` are the settings to change; None means the installed ones, and then a running table
    is restarted.
    """
    from table_controller.adapters.enrolling import NotEnrolled, read_code  # noqa: PLC0415 # heavy
    from table_controller.commands.live import put_back  # noqa: PLC0415
    from table_controller.wiring import joining  # noqa: PLC0415

    said, at = read_code(code), settings or root / SETTINGS
    served = settings is None and root == Path("/") and runs()
    if served:
        _call("systemctl", "stop", "schlitten.service")
    try:
        yield from joining.join(said, at)
        yield from joining.renamed(at, put_back)
        yield from joining.known(at)
    finally:
        if served:
            _call("systemctl", "start", "schlitten.service")
    if not served:
        yield f"start the table now: `schlitten run --config {at}`"
        return
    yield "the table starts again"
    if not joining.arrived(said, at):
        raise NotEnrolled(
            f"The floor has received nothing from this table within {joining.ARRIVE_S:g} s: "
            "`systemctl status schlitten` and `schlitten doctor` say why."
        )
    yield "the floor has heard this table: it is on the floor's page"


def runs() -> bool:
    """Whether systemd runs this machine, and we are not in a chroot."""
    if not Path("/run/systemd/system").is_dir():
        return False
    try:
        return Path("/proc/1/root").samefile("/")
    except OSError:
        return False


def _shipped() -> Path:
    """Return the folder of the files to install. The folder is in the wheel, or in a clone."""
    package = Path(str(importlib.resources.files("table_controller")))
    wheel = package / "shipped" / "systemd"
    return wheel if wheel.is_dir() else package.parent / "systemd"


def _program(root: Path) -> Iterator[str]:
    """Make this program the installed one. Yield a sentence for each step.

    The program must be in the folder of versions.
    """
    home = Path(sys.prefix)
    if not home.is_relative_to(root / VERSIONS):
        raise CannotInstall(
            f"The program runs from {home}, from which a service cannot run: run scripts/install "
            "in a clone, or install the Debian package."
        )
    if switch(root, home):
        yield f"{root / CURRENT} is {home}"
    command = root / COMMAND
    if not command.is_symlink():
        command.parent.mkdir(parents=True, exist_ok=True)
        command.symlink_to(root / CURRENT / "bin" / "schlitten")
        yield f"{command} is the command"


def switch(root: Path, home: Path) -> bool:
    """Make the version at `home` the one that the next start runs.

    Return whether that is a change.
    """
    link = root / CURRENT
    if link.is_symlink() and link.readlink() == home:
        return False
    new = link.with_name("current.new")
    new.unlink(missing_ok=True)
    new.symlink_to(home)
    new.replace(link)
    return True


def _put(source: Path, place: Path, *, theirs: bool) -> Iterator[str]:
    content = source.read_bytes()
    if place.exists() and (theirs or place.read_bytes() == content):
        return
    verb = "is made anew" if place.exists() else "is put in place"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(content)
    place.chmod(0o644)
    yield f"{place} {verb}"


def _folder(root: Path, place: Path, mode: int, *, ours: bool) -> None:
    folder = root / place
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(mode)
    if ours:
        user, group = _ids(root)
        os.chown(folder, user, group)


def _ids(root: Path) -> tuple[int, int]:
    """Return the user and group ids of the service, from the lists of the machine at `root`."""
    for line in (root / "etc/passwd").read_text(encoding="utf-8").splitlines():
        name, _, user, group, *_ = line.split(":")
        if name == "schlitten":
            return int(user), int(group)
    raise CannotInstall(
        "The user schlitten could not be made: see the messages of systemd-sysusers."
    )


def _start() -> Iterator[str]:
    _call("systemctl", "daemon-reload")
    if UDEV.exists():
        _call("udevadm", "control", "--reload")
        _call("udevadm", "trigger")
    # Started only with our settings. With Debian's settings it would take the port of the table's
    # broker.
    program("systemctl", "try-restart", "mosquitto.service")
    _call("systemctl", "restart", "schlitten.service", "schlitten-backup.timer")
    yield "the table is served: `systemctl status schlitten`, `schlitten doctor`"


def _only_enabled() -> Iterator[str]:
    yield "nothing was started, because this root is not running. The table starts when it boots."


def program(*words: str, within_s: float | None = None) -> subprocess.CompletedProcess[str]:
    """Run a program of this machine with these arguments, and wait until it ends."""
    return subprocess.run(  # noqa: S603 - words of our own
        words, capture_output=True, text=True, check=False, timeout=within_s
    )


def _call(*words: str) -> None:
    """Run a program that must succeed. Raises CannotInstall with its output."""
    done = program(*words)
    if done.returncode:
        raise CannotInstall(f"`{' '.join(words)}` failed: {(done.stderr or done.stdout).strip()}")

"""`schlitten update`: installs another version, which serves only if its self-tests pass.

The new version is put next to the old one and tested on a copy of the journal while the table goes
on. Then the table restarts with the new version. If the new version does not start, the table
restarts with the old one.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from table_controller.commands.machine.install import (
    CURRENT,
    SETTINGS,
    VERSIONS,
    program,
    runs,
    switch,
)
from table_controller.service.errors import ServiceError

#: Seconds that its self-tests may take on a Pi.
PATIENCE_S: Final = 600.0


class NotUpdated(ServiceError):
    """The new version is not used, and the old one continues to serve. The text says why."""


class NoWheel(ServiceError):
    """The file is no wheel of this program. The text says which file is needed."""


def update(wheel: Path, *, root: Path = Path("/"), wheels: Path | None = None) -> Iterator[str]:
    """Install the program of `wheel`. Yield a sentence for each step.

    The program's dependencies are taken from the old version, from `wheels`, or else from the
    network. Raises NotUpdated, NoWheel.
    """
    link, version = root / CURRENT, _version(wheel)
    if not link.is_symlink():
        raise NotUpdated(f"There is no {link} yet: run `schlitten install` first.")
    old, new = link.readlink(), root / VERSIONS / version
    if new == old:
        raise NotUpdated(
            f"Version {version} is already running. Build the wheel with another version number."
        )
    try:
        _put(wheel, old, new, wheels)
        yield f"{new} is put beside {old}"
        yield from _tested(root, new)
        switch(root, new)
        yield from _restarted()
    except NotUpdated as why:
        switch(root, old)
        shutil.rmtree(new, ignore_errors=True)
        if runs():
            _systemctl("restart", "schlitten.service")
        raise NotUpdated(f"{why} The previous version continues to serve: {old}.") from None
    yield f"version {version} is the table's"
    for left in (root / VERSIONS).iterdir():
        if left not in (old, new):
            shutil.rmtree(left)


def _version(wheel: Path) -> str:
    """Return the version in the wheel's name."""
    name, _, rest = wheel.name.partition("-")
    if name != "schlitten" or wheel.suffix != ".whl" or not wheel.is_file():
        raise NoWheel(f"{wheel} is no wheel of this program: want schlitten-….whl")
    return rest.partition("-")[0]


def _put(wheel: Path, old: Path, new: Path, wheels: Path | None) -> None:
    """Make an environment in `new` with the packages of `old`, and install the wheel in it.

    `wheels` is a folder with further packages; without it they come from the network.
    """
    shutil.rmtree(new, ignore_errors=True)
    known = (old / "pyvenv.cfg").read_text(encoding="utf-8")
    site = "include-system-site-packages = true" in known
    python = new / "bin" / "python"
    _call(
        "cannot make its environment",
        *(str(Path(sys.base_prefix) / "bin" / "python3"), "-m", "venv", "--without-pip"),
        *(("--system-site-packages",) if site else ()),
        str(new),
    )
    (packages,) = new.glob("lib/python*/site-packages")
    shutil.copytree(old / packages.relative_to(new), packages, dirs_exist_ok=True)
    offline = ("--no-index", f"--find-links={wheels}") if wheels else ()
    words = (str(python), "-m", "pip", "--disable-pip-version-check", "--quiet", "install")
    _call("cannot install it", *words, *offline, str(wheel))
    _call("cannot install it", *words, "--no-deps", "--force-reinstall", *offline, str(wheel))


def _tested(root: Path, new: Path) -> Iterator[str]:
    """Let the new version test itself on a copy of the journal. Yield a sentence for each step."""
    tested = str(new / "bin" / "schlitten")
    said = _call(
        "its self-tests do not hold", tested, "self-test", "--config", str(root / SETTINGS)
    )
    yield said.strip()


def _restarted() -> Iterator[str]:
    """Restart the table. Yield a sentence for each step.

    A unit of `Type=notify` counts as started once the table is ready.
    """
    if not runs():
        yield "nothing was started, because this root is not running"
        return
    failed = _systemctl("restart", "schlitten.service")
    if failed:
        raise NotUpdated(
            f"The table did not start with the new version ({failed}): see `journalctl`."
        )
    yield "the table is served again"


def _systemctl(*words: str) -> str:
    done = program("systemctl", *words)
    return done.stderr.strip() if done.returncode else ""


def _call(why: str, *words: str) -> str:
    """Run a program. Return its output. Raises NotUpdated; `why` says what failed."""
    done = program(*words, within_s=PATIENCE_S)
    if done.returncode:
        said = (done.stderr.strip() or done.stdout.strip()).splitlines()
        ill = [line for line in done.stdout.splitlines() if line.startswith("ILL")]
        raise NotUpdated(f"{why}: {'; '.join(ill) or ' '.join(said[-3:])}.")
    return done.stdout

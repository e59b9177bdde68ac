"""The program's version: its number, its commit, and whether it is the release of that number.

A wheel contains the commit in a file that `hatch_build.py` writes. In a checkout, git is asked. The
module imports only the standard library, since `hatch_build.py` runs it before any package is
installed.
"""

from __future__ import annotations

import json
import re
import subprocess
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

PACKAGE: Final = Path(__file__).parents[1]
#: The place of that file in a wheel, within the package.
CARRIED: Final = "shipped/built.json"
_DESCRIBED = re.compile(r"(?:v.+-(?P<since>\d+)-g)?(?P<commit>[0-9a-f]{40,64})(?P<dirty>-dirty)?")
_UNKNOWN: Final[dict[str, Any]] = {"commit": "", "release": False}


def of_git(root: Path, number: str) -> dict[str, Any]:
    """Return the commit at `root`, and whether it is the release: tagged, and without changes.

    If there is no git or no repository, the commit is unknown and counts as no release.
    """
    if not (root / ".git").exists():  # git would look in the folders above
        return _UNKNOWN
    asked = ("describe", "--always", "--long", "--abbrev=40", "--dirty", "--tags")
    try:
        said = subprocess.run(  # noqa: S603 - words of ours
            ["git", "-C", str(root), *asked, f"--match=v{number}"],  # noqa: S607 - as in the PATH
            capture_output=True,
            text=True,
            timeout=10,
            check=False,
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return _UNKNOWN
    found = _DESCRIBED.fullmatch(said.strip())
    if not found:
        return _UNKNOWN
    release = found["since"] == "0" and not found["dirty"]
    return {"commit": found["commit"], "release": release}


def sentence(package: Path = PACKAGE) -> str:
    """Return `schlitten 0.2.0 (8ee5a783d0c8)`. If this is no release, `+dev` follows `0.2.0`."""
    number, carried = version("schlitten"), package / CARRIED
    if carried.exists():
        built = json.loads(carried.read_text(encoding="utf-8"))
    else:
        built = of_git(package.parent, number)
    return (
        f"schlitten {number}{'' if built['release'] else '+dev'} "
        f"({built['commit'][:12] or 'commit unknown'})"
    )

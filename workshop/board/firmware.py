"""Makes the shipped hex files (`hardware/shipped.py`), if there is a compiler for them.

Another version of avr-gcc makes different bytes from the same sources. So another version is used
only if the sources have changed.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from hardware import shipped


def compiler() -> str:
    """The version of the installed avr-gcc; "" if there is none."""
    if not shutil.which("avr-gcc"):
        return ""
    said = subprocess.run(["avr-gcc", "-dumpversion"], capture_output=True, text=True, check=True)
    return said.stdout.strip()


def made() -> dict[Path, bytes]:
    """Every file that is made here, with its proper content."""
    here, known = compiler(), shipped.note()
    if not here:
        return {}
    if known and known.sources == shipped.sources() and known.compiler != here:
        return {}
    return shipped.build_anew(here)

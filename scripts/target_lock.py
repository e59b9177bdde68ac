"""Prints the part of a lock file that another version of Python needs.

Pip evaluates a lock file's markers only for its own version.

target_lock.py LOCK PYTHON, as `target_lock.py requirements.lock 3.13`; for CPython on Linux
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from packaging.markers import Marker

_MARKED = re.compile(r" ; ([^\\\n]+?)(?= \\?$)", re.MULTILINE)


def needed(lock: str, python: str) -> str:
    """The entries of a lock file's text that this version of Python needs, without the markers."""
    there = {
        "python_version": python,
        "python_full_version": f"{python}.0",
        "implementation_name": "cpython",
        "platform_python_implementation": "CPython",
        "sys_platform": "linux",
        "platform_system": "Linux",
        "os_name": "posix",
    }
    return "".join(
        _MARKED.sub("", part, count=1)
        for part in re.split(r"^(?=\S)", lock, flags=re.MULTILINE)
        if not (found := _MARKED.search(part)) or Marker(found[1]).evaluate(there)
    )


if __name__ == "__main__":
    sys.stdout.write(needed(Path(sys.argv[1]).read_text(encoding="utf-8"), sys.argv[2]))

"""Copies a wheel with another version number, for scripts/boot-test and test_upgrade.py.

another_wheel.py WHEEL VERSION FOLDER [--broken | --newer]

With `--broken` the copy's rules fail. With `--newer` the copy writes journals in a newer form,
which this program does not know.
"""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

RULE = "table_controller/rules/cards.py"
ROWS, FORMAT = "table_controller/service/rows.py", b"\nFORMAT = %d\n"


def main(wheel: str, version: str, folder: str, how: str = "") -> None:
    """Write a copy of `wheel` in `folder`, named schlitten-VERSION-py3-none-any.whl.

    `how` is `--broken`, `--newer` or empty.
    """
    old = Path(wheel).name.split("-")[1]
    made = Path(folder) / f"schlitten-{version}-py3-none-any.whl"
    with zipfile.ZipFile(wheel) as read, zipfile.ZipFile(made, "w") as write:
        for name in read.namelist():
            text = read.read(name)
            if name.endswith("dist-info/METADATA"):
                text = text.replace(
                    f"\nVersion: {old}\n".encode(), f"\nVersion: {version}\n".encode()
                )
            if name.endswith("dist-info/RECORD"):  # without hashes, which are optional
                files = [line.split(",")[0] for line in text.decode().splitlines()]
                text = "".join(f"{_named(file, old, version)},,\n" for file in files).encode()
            if how == "--broken" and name == RULE:
                text += b'\nraise ImportError("broken for a test")\n'
            if how == "--newer" and name == ROWS:
                text = text.replace(FORMAT % 1, FORMAT % 2)
            write.writestr(_named(name, old, version), text)


def _named(file: str, old: str, version: str) -> str:
    return file.replace(f"schlitten-{old}.dist-info", f"schlitten-{version}.dist-info")


if __name__ == "__main__":
    main(*sys.argv[1:])

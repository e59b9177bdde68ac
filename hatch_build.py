"""Compiles the catalogues of texts while the package is built, also for an editable install.

The hook also writes into a wheel what only a checkout can tell: the commit
(`table_controller/commands/version.py`), and the code and tests of each rule
(`table_controller/rules/citations.py`).

The program reads .mo files, which are not committed. `python hatch_build.py` compiles them in a
tree whose package is already installed. The tests do the same before they begin.
"""

from __future__ import annotations

import json
import os
import runpy
import tempfile
from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).parent
CATALOGUES = "table_controller/words/locales/*/LC_MESSAGES"
VERSION = "table_controller/commands/version.py"
CITATIONS = "table_controller/rules/citations.py"
INDEX = "table_controller/rules/index.json"


def compile_catalogues(root: Path = ROOT) -> list[Path]:
    """Compile each .po whose .mo was not made from it. Return the files compiled.

    A .mo gets the time of its .po, so that any other .po is noticed, even an older one of an
    earlier commit. `scripts/setup.sh` compares the same times.
    """
    compiled = []
    for po in sorted(root.glob(f"{CATALOGUES}/*.po")):
        mo, now = po.with_suffix(".mo"), po.stat().st_mtime_ns
        if mo.exists() and mo.stat().st_mtime_ns == now:
            continue
        new = mo.with_suffix(f".{os.getpid()}")  # several processes may do this at once
        with po.open("rb") as text, new.open("wb") as file:
            write_mo(file, read_po(text, locale=po.parents[1].name))
        os.utime(new, ns=(now, now))
        new.replace(mo)
        compiled.append(mo)
    return compiled


class Hook(BuildHookInterface):
    """The hook that hatchling calls before it gathers the files of a wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        compile_catalogues(root)
        build_data["artifacts"].append(f"{CATALOGUES}/*.mo")  # although git ignores them
        if version == "editable":  # an editable install asks git instead
            return
        self._folder = tempfile.TemporaryDirectory()
        told, cited = (runpy.run_path(str(root / name)) for name in (VERSION, CITATIONS))
        made = {
            f"table_controller/{told['CARRIED']}": told["of_git"](root, self.metadata.version),
            INDEX: cited["Citations"](root).index(),
        }
        for name, content in made.items():
            file = Path(self._folder.name) / Path(name).name
            file.write_text(json.dumps(content, ensure_ascii=False) + "\n", encoding="utf-8")
            build_data["force_include"][str(file)] = name

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        if version != "editable":
            self._folder.cleanup()


if __name__ == "__main__":
    compile_catalogues()

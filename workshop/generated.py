"""Lists every generated file with its proper content: `scripts/generate [--check]`.

A file that is up to date is not touched. Each line of `MAKERS` is a generator, which returns all of
its files. So nothing else has to list the files.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

from workshop.board import drawings, firmware, perfboard_page, pins, schematic
from workshop.papers import (
    catalogue,
    glossary,
    message_documents,
    page_pictures,
    rulebook,
    state_diagram,
)

ROOT: Final = Path(__file__).parents[1]
MENDED_BY: Final = "scripts/generate"

Made = Mapping[Path, str | bytes]

#: The generators, by the everyday name of their files.
MAKERS: Final[dict[str, Callable[[], Made]]] = {
    "the rulebook's page": rulebook.made,
    "the messages' schemas and topics": message_documents.made,
    "the list of texts to translate": catalogue.made,
    "the words of the trade": lambda: {ROOT / "docs" / "GLOSSARY.md": glossary.markdown()},
    "the drawing of the phases": state_diagram.made,
    "the firmware's headers": pins.made,
    "the firmware's hex files": firmware.made,
    "the drawings and tables of wires": drawings.made,
    "KiCad's schematic": schematic.made,
    "the perfboards' plans": perfboard_page.made,
    "the pictures of the pages": page_pictures.made,
}


def stale(name: str) -> Iterator[tuple[Path, bytes]]:
    """Yield each file of one generator that is out of date, with the content it should have."""
    for path, content in MAKERS[name]().items():
        wanted = content.encode() if isinstance(content, str) else content
        if not path.exists() or path.read_bytes() != wanted:
            yield path, wanted


def main(arguments: list[str]) -> int:
    """Write the files that are out of date, or with `--check` only report them.

    Return 1 if any were.
    """
    if arguments not in ([], ["--check"]):
        print(f"usage: {MENDED_BY} [--check]")
        return 2
    found = 0
    for name in MAKERS:
        for path, wanted in stale(name):
            found += 1
            if not arguments:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(wanted)
            print(f"{'stale' if arguments else 'wrote'}: {path.relative_to(ROOT)} ({name})")
    if found and arguments:
        print(f"Run {MENDED_BY}.")
    return 1 if found and arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

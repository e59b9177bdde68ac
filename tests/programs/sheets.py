"""Contact sheets: the pages of an evening, each picture with something that none before it showed.

    python -m tests.programs.sheets --house ecarte-german --language hu --wide 390

Sheets are written to artefacts/sheets, for people to look at.
"""

from __future__ import annotations

import argparse
import io
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
from PIL import Image

from table_controller.engine.messages import Audience
from table_controller.wiring import config
from table_controller.wiring.games import game
from table_controller.words import LOCALES
from tests.adapters.web import overlaps
from tests.adapters.web.overlaps import LOOK, PATHS, SIZES, Moment, Screen
from tests.adapters.web.served import Served, chromium
from tests.limits import PATIENCE_MS

FOLDER = Path(__file__).parents[2] / "artefacts" / "sheets"
COUPS = 45
#: Pictures on a sheet side by side, by the width of the page, and in all.
ACROSS = {1280: 2, 1920: 2, 1024: 2, 390: 5}
MOST = {1280: 6, 1920: 4, 1024: 6, 390: 5}


def main() -> None:
    """Make the sheets of one house, language and size."""
    options = argparse.ArgumentParser(prog="tests.programs.sheets", description=__doc__)
    options.add_argument("--house", choices=config.houses(), required=True)
    options.add_argument("--language", choices=LOCALES, default="en")
    options.add_argument("--wide", type=int, choices=ACROSS, default=1280)
    options.add_argument("--path", choices=PATHS, default="/")
    options.add_argument("--theme", choices=("dark", "light"), default="dark")
    options.add_argument("--most", type=int, default=24, help="the most pictures in all")
    asked = options.parse_args()
    FOLDER.mkdir(parents=True, exist_ok=True)
    (size,) = (size for size in SIZES if size[0] == asked.wide)
    screen = Screen(asked.path, size, asked.language)
    pictures = list(shots(asked.house, screen, asked.most, asked.theme))
    name = f"{asked.house}-{asked.language}-{asked.wide}{asked.path.replace('/', '-').rstrip('-')}"
    few = MOST[asked.wide]
    for number, first in zip(count(1), range(0, len(pictures), few), strict=False):
        path = FOLDER / f"{name}-{number}.png"
        tiled(pictures[first : first + few], ACROSS[asked.wide]).save(path)
        print(path)


def shots(name: str, screen: Screen, most: int, theme: str) -> Iterator[Image.Image]:
    """Yield the pictures of an evening of that house."""
    house = config.house(name)
    door = game(house.game)
    moments = overlaps.telling(door, overlaps.evening(house, coups=COUPS, mishaps=True), most)

    def project(told: Moment, audience: Audience) -> Any:
        snap = door.snapshot(told.table, audience)
        return msgspec.structs.replace(snap, title=snap.title + overlaps.mark(told.number))

    served = Served(moments[0], project=project)
    with chromium() as browser:
        context = browser.new_context(color_scheme=theme, **overlaps.shown(screen))
        page = context.new_page()
        with page.expect_response("**/live?*"):
            page.goto(f"{served.url}{screen.path}?lang={screen.locale}")
        for moment in moments:
            served.tell(moment)
            page.evaluate(LOOK, {"mark": overlaps.mark(moment.number), "until": PATIENCE_MS})
            taken = page.screenshot(full_page=screen.size[0] < 900)
            yield Image.open(io.BytesIO(taken))
    served.stop()


def tiled(pictures: Sequence[Image.Image], across: int) -> Image.Image:
    """The pictures side by side, in rows."""
    wide = max(one.width for one in pictures)
    high = max(one.height for one in pictures)
    rows = -(-len(pictures) // across)
    sheet = Image.new("RGB", (across * wide, rows * high), "#777")
    for number, one in enumerate(pictures):
        sheet.paste(one, (number % across * wide, number // across * high))
    return sheet


if __name__ == "__main__":
    main()

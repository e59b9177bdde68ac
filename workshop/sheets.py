"""Contact sheets: the pages of an evening, each picture with something that none before it showed.

    python -m workshop.sheets --house ecarte-german --language en hu --wide 1280 390

The evening's pictures are followed by one of each phase that the evening does not come to: see
phases.py. The name of the phase is above each picture. Sheets are written to artefacts/sheets, for
people to look at.
"""

from __future__ import annotations

import argparse
import io
from collections.abc import Iterator, Sequence
from itertools import count, product
from pathlib import Path
from typing import Any

import msgspec
from PIL import Image, ImageDraw

from hatch_build import compile_catalogues
from table_controller.engine.messages import Audience
from table_controller.service.game import Game
from table_controller.wiring import config
from table_controller.wiring.games import game
from table_controller.words import LOCALES
from tests.adapters.web import overlaps
from tests.adapters.web.overlaps import LOOK, PATHS, SIZES, Moment, Screen
from tests.adapters.web.served import Served, chromium
from tests.limits import PATIENCE_MS
from workshop import phases

FOLDER = Path(__file__).parents[1] / "artefacts" / "sheets"
COUPS = 45
THEMES = ("dark", "light")
#: Pictures on a sheet side by side, by the width of the page, and in all.
ACROSS = {1280: 2, 1920: 2, 1024: 2, 390: 5}
MOST = {1280: 6, 1920: 4, 1024: 6, 390: 5}
#: The height of the line above a picture, in pixels.
LINE = 24


def main() -> None:
    """Make the sheets of one house, in each language, size and theme that is asked for."""
    options = argparse.ArgumentParser(prog="workshop.sheets", description=__doc__)
    options.add_argument("--house", choices=config.houses(), required=True)
    options.add_argument("--language", choices=LOCALES, nargs="+", default=["en"])
    options.add_argument("--wide", type=int, choices=ACROSS, nargs="+", default=[1280])
    options.add_argument("--path", choices=PATHS, default="/")
    options.add_argument("--theme", choices=THEMES, nargs="+", default=["dark"])
    options.add_argument("--most", type=int, default=24, help="the most pictures of the evening")
    options.add_argument("--folder", type=Path, default=FOLDER, help="where the sheets are written")
    asked = options.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    compile_catalogues()
    door, moments = chosen(asked.house, asked.most)
    for locale, size in product(asked.language, SIZES):
        if size[0] in asked.wide:
            screen = Screen(asked.path, size, locale)
            taken = list(shots(door, moments, screen, asked.theme))
            for theme in asked.theme:
                pictures = [(about, by_theme[theme]) for about, by_theme in taken]
                name = f"{asked.house}-{locale}-{size[0]}-{theme}{asked.path.replace('/', '-')}"
                written(asked.folder, name.rstrip("-"), pictures, size[0])


def chosen(name: str, most: int) -> tuple[Game[Any], list[Moment]]:
    """The moments to show: some of that house's evening, then each phase that these do not show."""
    house = config.house(name)
    door = game(house.game)
    evening = overlaps.evening(house, coups=COUPS, mishaps=True)
    shown = overlaps.telling(door, evening, most)
    seen = {phases.name(one.table) for one in shown}
    missing = {phases.name(one.table): one for one in evening}
    shown += [one for phase, one in missing.items() if phase not in seen]
    rest = phases.others(door, (one.table for one in evening))
    after = [Moment(number, table) for number, table in enumerate(rest, len(evening))]
    return door, [*sorted(shown, key=lambda one: one.number), *after]


def shots(
    door: Game[Any], moments: Sequence[Moment], screen: Screen, themes: Sequence[str]
) -> Iterator[tuple[str, dict[str, Image.Image]]]:
    """Yield what each picture is about, and the picture by its theme."""

    def project(told: Moment, audience: Audience) -> Any:
        snap = door.snapshot(told.table, audience)
        return msgspec.structs.replace(snap, title=snap.title + overlaps.mark(told.number))

    served = Served(moments[0], project=project)
    with chromium() as browser:
        page = browser.new_context(**overlaps.shown(screen)).new_page()
        with page.expect_response("**/live?*"):
            page.goto(f"{served.url}{screen.path}?lang={screen.locale}")
        for moment in moments:
            served.tell(moment)
            page.evaluate(LOOK, {"mark": overlaps.mark(moment.number), "until": PATIENCE_MS})
            taken: dict[str, Image.Image] = {}
            for theme in themes:
                page.emulate_media(color_scheme=theme)
                taken[theme] = Image.open(io.BytesIO(whole(page, screen)))
            yield f"{moment.number} {phases.name(moment.table)}", taken
    served.stop()


def whole(page: Any, screen: Screen) -> bytes:
    """The page as a PNG; of a phone's all that can be scrolled to, with its bar below all."""
    if screen.size[0] >= 900:
        return bytes(page.screenshot())
    wide, high = screen.size
    tall = page.evaluate("document.documentElement.scrollHeight")
    page.set_viewport_size({"width": wide, "height": max(high, tall)})
    png = page.screenshot()
    page.set_viewport_size({"width": wide, "height": high})
    return bytes(png)


def written(
    folder: Path, name: str, pictures: Sequence[tuple[str, Image.Image]], wide: int
) -> None:
    """Write the sheets of those pictures, and print where they are."""
    few = MOST[wide]
    for number, first in zip(count(1), range(0, len(pictures), few), strict=False):
        path = folder / f"{name}-{number}.png"
        tiled(pictures[first : first + few], ACROSS[wide]).save(path)
        print(path)


def tiled(pictures: Sequence[tuple[str, Image.Image]], across: int) -> Image.Image:
    """The pictures side by side, in rows, each below the words that it is about."""
    wide = max(one.width for _, one in pictures)
    high = max(one.height for _, one in pictures) + LINE
    rows = -(-len(pictures) // across)
    sheet = Image.new("RGB", (across * wide, rows * high), "#777")
    pen = ImageDraw.Draw(sheet)
    for number, (about, one) in enumerate(pictures):
        left, top = number % across * wide, number // across * high
        pen.text((left + 4, top + 2), about, "white", font_size=LINE - 6)
        sheet.paste(one, (left, top + LINE))
    return sheet


if __name__ == "__main__":
    main()

"""Shows pictures of whole evenings on open pages, and finds overlaps there with `overlaps.js`.

The pages follow a table through the live stream, one picture after another, as at a house.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from table_controller.commands import players, simulate
from table_controller.engine.messages import Audience
from table_controller.engine.views import Snapshot
from table_controller.rules.houses import House
from table_controller.service.game import Game
from table_controller.service.sealing import Keys
from table_controller.wiring import config
from table_controller.wiring.games import game
from tests.adapters.web.served import Served
from tests.limits import PATIENCE_MS

OVERLAPS = Path(__file__).with_name("overlaps.js").read_text()
SIZES = ((1280, 800), (1920, 1080), (1024, 768), (390, 844))
PATHS = {"/": Audience.CROUPIER, "/public": Audience.PUBLIC}

#: Waits until the page shows the picture that ends with this mark, then looks at it.
LOOK = f"""async ({{ mark, until, ...options }}) => {{
  const frame = () => new Promise(requestAnimationFrame), due = performance.now() + until;
  while (!document.querySelector("#title strong").textContent.endsWith(mark)) {{
    if (performance.now() > due) throw new Error("the picture does not come");
    await frame();
  }}
  return ({OVERLAPS})(options);
}}"""
#: Signs without width, with which a picture's number is written behind the title.
SIGNS = "\u2062\u2063"


@dataclass(frozen=True, slots=True)
class Screen:
    """A page that follows the table, and the options of overlaps.js with which it is checked."""

    path: str
    size: tuple[int, int]
    locale: str
    themes: bool = False
    sheets: bool = False

    def __str__(self) -> str:
        return f"{self.path} {self.size[0]}x{self.size[1]} {self.locale}"


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong on a screen: see overlaps.js; `moment`: in which picture of the evening."""

    house: str
    screen: Screen
    moment: int
    what: tuple[str, ...]


def told(faults: Iterable[Fault]) -> list[str]:
    """A line for each thing that is wrong, with the pages where it is and its first picture."""
    where: dict[str, list[Fault]] = {}
    for fault in faults:
        where.setdefault(f"{fault.house}: {' | '.join(fault.what)}", []).append(fault)
    return [
        f"{what}  @ {', '.join(sorted({str(one.screen) for one in at}))}; picture {at[0].moment}"
        for what, at in sorted(where.items())
    ]


@dataclass(frozen=True, slots=True)
class Moment:
    """A picture of an evening."""

    number: int
    table: Any


def evening(house: House, *, coups: int, seed: int = 3, mishaps: bool = False) -> list[Moment]:
    """Every moment of an evening made by the engine; with `mishaps`, each that people know."""
    door = game(house.game)
    wrong = frozenset(players.FAULTS.keys() | door.faults.keys() if mishaps else ())
    key = Keys.derive(b"0" * 32).commit
    said = simulate.evening(house, key, seed=seed, coups=coups, wrong=wrong - {"white_missed"})
    return [Moment(number, one.table) for number, one in enumerate(said)]


def telling(door: Game[Any], moments: Iterable[Moment], most: int) -> list[Moment]:
    """Choose at most so many, each for something that none chosen before shows, in their order."""
    shows = [(one, features(door.snapshot(one.table, Audience.CROUPIER))) for one in moments]
    chosen: list[Moment] = []
    seen: set[object] = set()
    while shows and len(chosen) < most:
        best, its = max(shows, key=lambda one: len(one[1] - seen))
        if its <= seen:
            break
        chosen.append(best)
        seen |= its
    return sorted(chosen, key=lambda one: one.number)


def features(snap: Snapshot) -> set[object]:
    """The features of a picture that decide where things lie."""
    return {
        *(("ask", part.text) for part in (snap.prompt.ask, snap.prompt.why, snap.prompt.news)),
        *(("offer", o.input["type"], o.group, len(o.fields)) for o in snap.offers),
        *(("hand", h.name, len(h.cards), None in h.cards, bool(h.outcome)) for h in snap.hands),
        *(("mark", mark.name) for seat in snap.seats for mark in seat.marks),
        *(("figure", f.name, len(str(f.value))) for f in snap.figures),
        *(("stake", stake.spot, len(str(stake.chips))) for stake in snap.stakes),
        *(("alert", alert.code) for alert in snap.alerts),
        *(("note", note.text.text) for note in snap.notes),
        *(("last", coup.text.text) for coup in snap.last[-1:]),
        ("payments", len(snap.payments)), ("seats", sum(seat.taken for seat in snap.seats)),
        ("further", len(snap.people) > len(snap.seats)), ("step", snap.step),
        ("stakes", len(snap.stakes)), ("play", snap.play.text), ("advice", bool(snap.advice)),
    }  # fmt: skip


def shot(door: Game[Any], moment: Moment, audience: Audience, *, by_hand: bool) -> Snapshot:
    """The picture of a moment, for a table with a reader or `by_hand`."""
    snap = door.snapshot(moment.table, audience)
    return door.by_hand(moment.table, snap, reads=False) if by_hand else snap


class Looking:
    """Pages that follow one table after another."""

    def __init__(self, browser: Any, screens: Sequence[Screen]) -> None:
        self._browser, self.screens = browser, screens
        self.looks = self.boxes = 0

    def faults(
        self, name: str, moments: Iterable[Moment], *, by_hand: bool = False
    ) -> Iterator[Fault]:
        """Show the moments of an evening of that house; yield what is wrong, as it is found.

        `by_hand`: the table has no reader, and its cards are typed.
        """
        house = config.house(name)
        door = game(house.game)

        def project(told: Moment, audience: Audience) -> Snapshot:
            snap = shot(door, told, audience, by_hand=by_hand)
            return msgspec.structs.replace(snap, title=snap.title + mark(told.number))

        moments = list(moments)
        if not moments:
            return
        served = Served(moments[0], project=project)
        contexts = [self._browser.new_context(**shown(screen)) for screen in self.screens]
        try:
            pages = [context.new_page() for context in contexts]
            for page, screen in zip(pages, self.screens, strict=True):
                with page.expect_response("**/live?*"):
                    page.goto(f"{served.url}{screen.path}?lang={screen.locale}")
            for moment in moments:
                served.tell(moment)
                asked = {"mark": mark(moment.number), "until": PATIENCE_MS}
                for page, screen in zip(pages, self.screens, strict=True):
                    options = {"themes": screen.themes, "sheets": screen.sheets}
                    told = page.evaluate(LOOK, asked | options)
                    self.looks, self.boxes = self.looks + told["looks"], self.boxes + told["boxes"]
                    for what in told["faults"]:
                        yield Fault(name, screen, moment.number, tuple(map(str, what)))
        finally:
            for context in contexts:
                context.close()
            served.stop()


def shown(screen: Screen) -> dict[str, Any]:
    """How Chromium opens it."""
    wide, high = screen.size
    return {"viewport": {"width": wide, "height": high}, "reduced_motion": "reduce"}


def mark(number: int) -> str:
    """A number in signs that nobody sees and that take no room, after one that begins it."""
    return "\u2061" + "".join(SIGNS[int(digit)] for digit in f"{number:b}")

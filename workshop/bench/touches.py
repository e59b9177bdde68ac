"""Measures a croupier's finger: the touches and seconds of each act, by taps on a real page.

The seconds are those of a browser that a program drives. So they are the page's time, not a
person's. Next to each figure is an older one, from the time before the page had trays for hands and
let chips stay in the hand.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from table_controller.adapters.web import picture
from table_controller.service.sealing import make_key
from table_controller.wiring import config
from tests.whole.commands import Running
from tests.whole.croupier import SETTINGS, say
from tests.whole.touched import Beside, Finger, touching

SIZE = (1280, 800)
LOADED = (*({"type": "prepared"},) * 3, {"type": "schlitten_loaded", "shoe": "schlitten-1"})
#: The bets of the sketch: chip, seat, spot.
SKETCH = (
    (100, 1, "player"), (50, 5, "player"), (50, 6, "banker"), (50, 2, "banker"),
    (500, 3, "banker"), (10, 3, "tie"), (5, 1, "player_pair"), (5, 6, "banker_pair"),
)  # fmt: skip


def sits(*seats: int, chips: int = 5000) -> tuple[dict[str, Any], ...]:
    """Inputs that seat guests with these chips at these seats."""
    return tuple(
        {"type": "sits", "seat": seat, "name": f"Guest {seat}", "chips": chips} for seat in seats
    )


def cards(*codes: str) -> tuple[dict[str, Any], ...]:
    """Inputs of these cards, as a reader would report them."""
    return tuple({"type": "card_seen", "card": code} for code in codes)


#: Each act: its house, the inputs before it, the goal in touches, and the touches it took before.
Act = tuple[str, str, tuple[dict[str, Any], ...], int, str, Callable[[Finger], Awaitable[None]]]


class Acts:
    """The touches of a finger in each act, timed from the first touch to the page's last change."""

    @staticmethod
    async def seat(finger: Finger) -> None:
        await finger.tap(cell(finger, 5))
        await finger.tap(finger.page.locator("#seat [data-fill='name']", has_text="Guest 5"))
        await finger.tap(finger.page.locator("#seat form > button"))
        await cell(finger, 5).locator(".name", has_text="Guest 5").wait_for()

    @staticmethod
    async def equal(finger: Finger) -> None:
        await finger.tap(chip(finger, 10))
        for seat in (2, 3, 4, 5):
            await finger.tap(cell(finger, seat))
        for seat in (2, 3, 4, 5):
            await cell(finger, seat).locator(".chip", has_text="10").wait_for()

    @staticmethod
    async def unequal(finger: Finger) -> None:
        laid = {2: 5, 3: 10, 4: 50, 5: 100}
        for seat, chips in laid.items():
            await finger.tap(chip(finger, chips))
            await finger.tap(cell(finger, seat))
        for seat, chips in laid.items():
            await cell(finger, seat).locator(".chip", has_text=f"{chips}").wait_for()

    @staticmethod
    async def sketch(finger: Finger) -> None:
        in_hand = 0
        for value, seat, spot in SKETCH:
            if value != in_hand:
                await finger.tap(chip(finger, value))
            in_hand = value
            await finger.tap(box(finger, seat, spot))
        for value, seat, spot in SKETCH:
            await box(finger, seat, spot).locator(".chip", has_text=f"{value}").wait_for()

    @staticmethod
    async def banco(finger: Finger) -> None:
        await finger.tap(cell(finger, 2))
        await finger.tap(
            finger.page.locator("#seat .said").get_by_role("button", name="Banco").first
        )
        await finger.page.locator("#offers [data-secret]").wait_for()
        await say(finger.page.url.partition("/?")[0], *cards("9h", "2c", "Kd", "3s"))
        for label in ("opens: Schlag", "bank opened", "all paid"):
            await finger.hold(big(finger, label))
        await finger.page.locator("#foot .last li", has_text="P").wait_for()

    @staticmethod
    async def correction(finger: Finger) -> None:
        await finger.tap(finger.page.locator("[data-lies-at='banker-1']"))
        seat = finger.page.locator("#seat")
        await finger.card(seat, "4c")
        await finger.tap(seat.locator("[data-fill='reason']").first)
        await finger.hold(seat.locator("form > button"))
        await seat.wait_for(state="hidden")

    @staticmethod
    async def by_hand(finger: Finger) -> None:
        await finger.card(finger.page.locator("#offers"), "9h")
        await finger.page.locator("#trays svg.card").wait_for()


def cell(finger: Finger, seat: int) -> Any:
    return finger.page.locator(f".seat[data-seat='{seat}']")


def box(finger: Finger, seat: int, spot: str) -> Any:
    return finger.page.locator(f".box[data-seat='{seat}'][data-spot='{spot}']")


def chip(finger: Finger, value: int) -> Any:
    return finger.page.locator(f".rack [data-chip='{value}']")


def big(finger: Finger, label: str) -> Any:
    return finger.page.locator("#offers button[data-input]").filter(
        has=finger.page.get_by_text(label, exact=True)
    )


KNOWN = (*sits(1, 2, 3, 4, 5), {"type": "leaves", "seat": 5})
BANKED = (*sits(1, 2, 3, 4, 5), *LOADED, {"type": "banks", "seat": 1, "chips": 400})
STAKED = (*BANKED, {"type": "open_game"})
DEALT = (
    *BANKED, {"type": "banco", "seat": 2}, *cards("9h", "2c", "Kd", "3s"),
    {"type": "ruled", "reason": "misread"},
)  # fmt: skip
BURNED = (*sits(1, 2, 3, 5, 6), *LOADED, *cards("As", "7d"))
ACTS: tuple[Act, ...] = (
    ("seat with name and chips, name known", "zoppot-1934", KNOWN, 3, "5 and typing", Acts.seat),
    ("four equal stakes", "zoppot-1934", STAKED, 5, "9 and digits", Acts.equal),
    ("four unequal stakes", "zoppot-1934", STAKED, 8, "9 and digits", Acts.unequal),
    ("banco coup, Schlag", "zoppot-1934", BANKED, 5, "", Acts.banco),
    ("correction and its reason", "zoppot-1934", DEALT, 5, "", Acts.correction),
    ("card by hand", "zoppot-1934", (*BANKED, {"type": "banco", "seat": 2}), 2, "3", Acts.by_hand),
    ("eight bets of four seats", "punto-banco", BURNED, 13, "32 and digits", Acts.sketch),
)


ECARTE = "ecarte-german"
NAMED = {
    False: ("écarté deal by hand", "12, was 33"),
    True: ("card by hand, pack seen", "1, was 1"),
}


def rows():
    """Return (what, figure, unit, goal and figure before) for each act: touches, then seconds."""
    return asyncio.run(_rows())


async def _rows() -> list[tuple[str, float, str, str]]:
    told = []
    for name, house, before, wanted, was, act in ACTS:
        with TemporaryDirectory(prefix="bench-touches-") as folder:
            touches, seconds = await _measured(Path(folder), house, before, act)
        beside = f"{wanted}" + (f", was {was}" if was else "")
        told += [(name, touches, "touches", beside), (name, seconds, "s", "")]
    with TemporaryDirectory(prefix="bench-touches-") as folder:
        told += await _ecarte(Path(folder))
    return told


async def _measured(folder: Path, house: str, before: Any, act: Any) -> tuple[int, float]:
    async with _served(folder, house, before) as url, touching(url, SIZE) as finger:
        began = time.perf_counter()
        await act(finger)
        return finger.touches, time.perf_counter() - began


async def _ecarte(folder: Path) -> list[tuple[str, float, str, str]]:
    """Measure the second deal once the Schlitten is loaded, and the first card played in it."""
    beside = Beside(config.house(ECARTE), seed=3, faults=frozenset())
    loaded, began, touches, told = 0, 0.0, 0, []
    async with _served(folder, ECARTE, ()) as url, touching(url, SIZE) as finger:
        for offer, said, snap in beside.said(9, []):
            loaded += said["type"] == "schlitten_loaded"
            deals = said["type"] in ("schlitten_loaded", "card_seen")
            dealt = loaded == 2 and not told and deals
            played = loaded == 2 and picture.shape(offer) == "keys"
            if (dealt or played) and not began:
                began, touches = time.perf_counter(), finger.touches
            if dealt or played:
                await finger.page.locator(f"#ask[data-prompt='{snap.prompt.id}']").wait_for()
                await finger.say(offer, said, snap)
            else:
                await say(url, said)
            beside.step(said)
            turned = any(one.name == "trump" and one.cards for one in beside.snap.hands)
            if began and (played or turned):
                name, wanted = NAMED[played]
                told.append((name, finger.touches - touches, "touches", wanted))
                told.append((name, time.perf_counter() - began, "s", ""))
                began = 0.0
            if played:
                return told
    return told


@contextlib.asynccontextmanager
async def _served(folder: Path, house: str, before: tuple[dict[str, Any], ...]) -> Any:
    """Start a process for that house, which has taken the inputs `before`."""
    make_key(folder / "table.key")
    settings = SETTINGS.format(game=config.house(house).game, house=house, folder=folder)
    (folder / "table.toml").write_text(settings)
    with Running("run", "--config", folder / "table.toml") as table:
        url = (await asyncio.to_thread(table.says, r"(http://127\.0\.0\.1:\d+)/\n"))[1]
        await say(url, *before)
        yield url
        table.process.terminate()
        table.process.wait(60)


if __name__ == "__main__":
    for what, figure, unit, beside in rows():
        print(f"{what:40} {figure:8.2f} {unit:8} {beside}")

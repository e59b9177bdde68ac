"""An evening played at the page of a real process by a finger alone, and by the engine in parallel.

Simulated people decide the inputs. A finger touches what the page shows until the input is sent:
chips, seats, keys, drawers, the keyboard on the screen. Everything is a tap, or a touch that is
held, on an element that is visible and under the finger.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
from playwright.async_api import async_playwright

from table_controller.adapters.web import picture
from table_controller.commands import players
from table_controller.engine.messages import BY, Audience, CardNamed, CardSeen, Input
from table_controller.engine.seen import Unknown
from table_controller.engine.views import Choice, Offer, Pin, Secret, Snapshot, Sum, Text
from table_controller.service.archive import Archive
from table_controller.service.reading import by_page
from table_controller.service.sealing import Keys, load_keys, make_key
from table_controller.wiring import config
from table_controller.wiring.games import game
from tests.adapters.web.served import CHROMIUM, FLAGS
from tests.limits import PATIENCE_MS
from tests.whole.commands import Running
from tests.whole.croupier import SETTINGS, SHOWN

#: The second person at a card that nobody could read.
SECOND = "Berta Lind"
#: What is noted, and changes nothing that a page shows.
UNSHOWN = ("ruled", "croupier_changed")
Said = dict[str, Any]


class Finger:
    """What touches a page; `touches` counts how often."""

    def __init__(self, page: Any, cdp: Any) -> None:
        self.page, self._cdp, self.touches = page, cdp, 0
        self._clock = 0.0

    async def tap(self, what: Any) -> None:
        """Touch it: it must be seen, stand still, and lie under the finger."""
        await self._touch("touchStart", [await self._reach(what)])
        await self._touch("touchEnd", [])
        self.touches += 1

    async def hold(self, what: Any) -> None:
        """Touch it until it is filled (R-20)."""
        await self._touch("touchStart", [await self._reach(what)])
        await self.page.wait_for_function("() => !document.querySelector('[data-holding]')")
        await self._touch("touchEnd", [])
        self.touches += 1

    async def _reach(self, what: Any) -> dict[str, float]:
        await what.scroll_into_view_if_needed()
        await what.tap(trial=True)
        box = await what.bounding_box()
        return {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}

    async def _touch(self, kind: str, points: list[dict[str, float]]) -> None:
        """By the finger's own clock no touch is the second of a double tap."""
        self._clock = max(time.time(), self._clock + (0.5 if kind == "touchStart" else 0.05))
        said = {"type": kind, "touchPoints": points, "timestamp": self._clock}
        await self._cdp.send("Input.dispatchTouchEvent", said)

    # What is touched for an offer

    async def say(self, offer: Offer, said: Said, snap: Snapshot) -> None:
        """Say it, by whatever the page shows for that."""
        async with self._answered(shows=said["type"] not in UNSHOWN):
            await self._say(offer, said, snap)

    async def _say(self, offer: Offer, said: Said, snap: Snapshot) -> None:
        if offer.group in ("back", "payment", "alert"):
            place = {"back": "#foot", "payment": "#side", "alert": "#alerts"}[offer.group]
            await self._clear()
            await self._press(self.page.locator(f"{place} {_named(offer.input)}"), offer)
        elif laid := _laid(offer, said, snap):
            await self._lay(laid, said, snap)
        else:
            await self._fill(offer, said)

    @contextlib.asynccontextmanager
    async def _answered(self, *, shows: bool) -> Any:
        """The table takes it, and the page shows what came of it."""
        before = await self.page.evaluate(SHOWN)
        async with self.page.expect_response("**/say*") as answering:
            yield
        answer = await (await answering.value).json()
        assert answer["ok"], answer
        if shows and answer["told"] == "Done":
            await self.page.wait_for_function(f"before => ({SHOWN})() !== before", arg=before)

    async def _clear(self) -> None:
        """Shut what was asked for and lies in the way."""
        leave = self.page.locator("#seat [data-leave]")
        if await leave.is_visible():
            await self.tap(leave)
        drawer = self.page.locator(".drawer[open] > summary")
        if await drawer.count():
            await self.tap(drawer)

    async def _press(self, button: Any, offer: Offer) -> None:
        await (self.hold if offer.hold else self.tap)(button)

    async def _lay(self, chips: int, said: Said, snap: Snapshot) -> None:
        """A chip, then the seat or its box; an odd sum on the pad."""
        await self._clear()
        await self.chip(chips, snap)
        spot = f"[data-spot='{said['spot']}']" if "spot" in said else ""
        where = ".box" if spot else ".seat"
        await self.tap(self.page.locator(f"{where}[data-seat='{said['seat']}']{spot}"))

    async def chip(self, chips: int, snap: Snapshot) -> None:
        """Take a chip, or what is typed on the pad, into the hand."""
        if chips in snap.chips:
            chip = self.page.locator(f".rack [data-chip='{chips}']")
            if await chip.get_attribute("aria-pressed") != "true":
                await self.tap(chip)
            return
        await self.tap(self.page.locator(".rack [data-other]"))
        for digit in f"{chips}=":
            await self.tap(self.page.locator(f"#pad [data-digit='{digit}']"))

    async def _fill(self, offer: Offer, said: Said) -> None:
        """Open what its form is in, fill it in, press."""
        if picture.shape(offer) == "keys":
            choice = offer.fields[0]
            button = self._offered({**offer.input, choice.name: said[choice.name]})
        else:
            button = self._offered(offer.input)
        await self._open(button)
        form = button.locator("xpath=ancestor::form")
        for one in offer.fields if await form.count() else ():
            await self._field(form, one, said)
        if [type(one) for one in offer.fields] != [Secret] or offer.hold:
            await self._press(button, offer)

    def _offered(self, said: Mapping[str, Any]) -> Any:
        named = _named(said)
        return self.page.locator(f"#offers {named}, #more {named}").first

    async def _open(self, button: Any) -> None:
        await button.wait_for(state="attached")
        drawer = button.locator("xpath=ancestor::details[contains(@class, 'drawer')]")
        inside = await drawer.count() and await drawer.get_attribute("open") is not None
        if not inside:
            await self._clear()
        for at in await button.locator("xpath=ancestor::details").all():
            if await at.get_attribute("open") is None:
                await self.tap(at.locator("> summary"))

    async def _field(self, form: Any, one: Any, said: Said) -> None:
        match one:
            case Choice(name=name, picks=picks):
                if len(picks) > 1:
                    value = json.dumps(said[name], ensure_ascii=False)
                    pick = f"label:has(input[name='{name}'][value={json.dumps(value)}])"
                    await self.tap(form.locator(pick))
            case Sum(name=name):
                sum_ = form.locator(f"input[name='{name}']")
                if await sum_.input_value() != str(said[name]):
                    await self.type(sum_, str(said[name]))
            case Text(name=name):
                await self.words(form, name, said[name])
            case Pin(name=name):
                await self.type(form.locator(f"input[name='{name}']"), said[name])
            case Secret(name=name):
                await self.card(form, said[name])

    async def words(self, form: Any, name: str, words: str) -> None:
        """A name or a reason: one used last, or letter by letter."""
        known = form.locator(f"[data-fill='{name}']").get_by_text(words, exact=True)
        if await known.count():
            await self.tap(known)
        else:
            await self.type(form.locator(f"input[name='{name}']"), words)

    async def card(self, form: Any, code: str) -> None:
        """A rank and a suit, or the one key of a small pack."""
        key = form.locator(f"[data-rank='{code[0]}'][data-suit='{code[1]}']")
        if await key.count():
            await self.tap(key)
            return
        await self.tap(form.locator(f"[data-rank='{code[0]}']"))
        await self.tap(form.locator(f"[data-suit='{code[1]}']"))

    async def type(self, field: Any, words: str) -> None:
        """On the keyboard that comes when a field is touched."""
        await self.tap(field)
        keys = self.page.locator("#keyboard")
        await keys.wait_for()
        for sign in words:
            large = "capital" in (await keys.get_attribute("class") or "")
            if sign.isalpha() and sign.isupper() != large:
                await self.tap(keys.locator("[data-key='shift']"))
            await self.tap(keys.locator(f'[data-key="{sign.lower()}"]'))
        await self.tap(keys.locator("[data-key='done']"))
        assert await field.input_value() == words


def _named(said: Mapping[str, Any]) -> str:
    """Where the button of an input is, as a selector."""
    text = msgspec.json.encode(said).decode()
    return f"button[data-input={json.dumps(text, ensure_ascii=False)}]"


def _laid(offer: Offer, said: Said, snap: Snapshot) -> int:
    """How many chips are laid on the felt for it; 0 if it is said otherwise."""
    if offer.lies is None or said.keys() - {"type", "seat", "spot", "chips"}:
        return 0
    others = [one for one in snap.offers if one.lies is not None and _of(one, said)]
    return max(0, int(said["chips"]) - offer.lies) if others == [offer] else 0


def _of(offer: Offer, said: Said) -> bool:
    """Whether that seat can lay chips for it there."""
    if offer.input.get("spot", "") != said.get("spot", ""):
        return False
    picks = [pick.value for one in offer.fields if isinstance(one, Choice) for pick in one.picks]
    return offer.input.get("seat") == said["seat"] or said["seat"] in picks


class Beside:
    """The engine, beside the page: people, cards, and what may be said now."""

    def __init__(self, house: Any, seed: int, faults: frozenset[str]) -> None:
        self.house, self.door = house, game(house.game)
        self.state = self.door.begin(house, Keys.derive(b"beside" * 6).commit)
        self.people = players.seeded(self.door, seed, faults=faults & self.door.faults.keys())
        self.lip = players.SimulatedLip(seed, house, faults=faults & {"unread", "stray"})

    @property
    def snap(self) -> Snapshot:
        """What the page shows to the staff."""
        seen = self.door.snapshot(self.state, Audience.CROUPIER)
        return self.door.by_hand(self.state, seen, reads=False)

    def said(
        self, coups: int, extra: list[Said], guests: int | None = None
    ) -> Iterator[tuple[Offer, Said, Snapshot]]:
        """What is said next, with the offer for it, until so many coups are settled.

        Of the `guests` only so many come. The first `extra` is said in the first coup, or later, as
        soon as it is offered; the next in the second.
        """
        most = len(extra)
        arrivals = iter(list(self.people.arrive(self.state))[:guests])
        now = self.people.progress(self.state)
        while now.loaded or now.coups < coups:
            snap = self.snap
            wanted = next(arrivals, None)
            due = wanted is None and extra and now.coups > most - len(extra)
            if due and (found := _offer(snap, extra[0])):
                yield found, extra.pop(0), snap
            elif wanted is None and now.again:
                yield from self._by_two()
            else:
                said = _by_hand(wanted or self._next(now, coups))
                offer = _offer(snap, said)
                assert offer, f"{said} is not offered: {[one.input for one in snap.offers]}"
                yield offer, said, snap
            now = self.people.progress(self.state)

    def _next(self, now: Any, coups: int) -> Input:
        if now.close and now.coups >= coups:
            return now.close
        if self.lip.stray(now):
            return self.lip.next(now)
        return self.people.say(self.state) or self.lip.next(now)

    def _by_two(self) -> Iterator[tuple[Offer, Said, Snapshot]]:
        """The card that nobody could read, entered by two people."""
        card = str(self.lip._unread.popleft()[0])
        for more in ({}, {BY: SECOND}):
            said = {"type": "card_named", "card": card, **more}
            snap = self.snap
            offer = _offer(snap, said)
            assert offer, snap.offers
            yield offer, said, snap

    def step(self, said: Said) -> None:
        """The engine takes what the finger said."""
        heard, actor = by_page(said, "croupier")
        kinds = {str(kind.__struct_config__.tag): kind for kind in _kinds(self.door.inputs)}
        told = msgspec.convert({**heard, "actor": actor}, kinds[str(said["type"])])
        self.state, _ = self.door.step(self.state, told)


def _kinds(union: Any) -> tuple[type[Input], ...]:
    return union.__args__


def _by_hand(said: Input) -> Said:
    """What people say instead of a reader: no copy, and of an unread card only that it is so."""
    if isinstance(said, CardSeen):
        unknown = Unknown.NO_READ if said.unknown else None
        said = CardSeen(actor="", card=said.card, white=said.white, unknown=unknown)
    assert not isinstance(said, CardNamed)
    fields = msgspec.to_builtins(said)
    return {name: value for name, value in fields.items() if name not in ("actor", "prompt")}


def _offer(snap: Snapshot, said: Said) -> Offer | None:
    """The offer that takes it; what is not filled in may be left out where it is empty."""
    for one in snap.offers:
        names = {*one.input, *(field.name for field in one.fields)}
        bare = {name: value for name, value in said.items() if name in names}
        rest = [value for name, value in said.items() if name not in names]
        if not any(rest) and one.takes(bare):
            said.clear()
            said.update(bare)
            return one
    return None


@dataclass
class Played:
    """An evening by touch: how much was said, with how many touches, and what both came to."""

    said: Counter[str] = field(default_factory=Counter)
    touches: int = 0
    coups: int = 0
    money: dict[str, int] = field(default_factory=dict)
    ledger: dict[str, int] = field(default_factory=dict)


async def play(
    folder: Path,
    name: str,
    *,
    coups: int,
    seed: int,
    size: tuple[int, int] = (1280, 800),
    faults: frozenset[str] = frozenset(),
    extra: tuple[Said, ...] = (),
    guests: int | None = None,
) -> Played:
    """Play an evening of that house by touch alone; `extra` is said as soon as it is offered."""
    house = config.house(name)
    beside, played = Beside(house, seed, faults), Played()
    make_key(folder / "table.key")
    settings = SETTINGS.format(game=house.game, house=name, folder=folder)
    (folder / "table.toml").write_text(settings)
    with Running("run", "--config", folder / "table.toml") as table:
        url = (await asyncio.to_thread(table.says, r"(http://127\.0\.0\.1:\d+)/\n"))[1]
        async with touching(url, size) as finger:
            for offer, said, snap in beside.said(coups, list(extra), guests):
                try:
                    await finger.say(offer, said, snap)
                except Exception as error:
                    await finger.page.screenshot(path=folder / "stuck.png")
                    raise AssertionError(f"{said} as {offer.label} ({offer.group})") from error
                beside.step(said)
                played.said[str(said["type"])] += 1
            played.touches = finger.touches
        table.process.terminate()
        table.process.wait(60)
    played.coups = beside.people.progress(beside.state).coups
    played.money, played.ledger = beside.door.money(beside.state), _ledger(folder, beside)
    return played


@contextlib.asynccontextmanager
async def touching(url: str, size: tuple[int, int]) -> Any:
    """A finger at a page that has no other keys than its own."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        view = {"width": size[0], "height": size[1]}
        context = await browser.new_context(viewport=view, has_touch=True)
        page = await context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        await page.goto(f"{url}/?keyboard=screen")
        yield Finger(page, await context.new_cdp_session(page))
        await browser.close()


def _ledger(folder: Path, beside: Beside) -> dict[str, int]:
    """Where the journal of the process says that the money is."""
    archive = Archive.read(folder / "table.db", load_keys(folder / "table.key", {}))
    with contextlib.closing(archive):
        return dict(list(archive.money())[-1][1])

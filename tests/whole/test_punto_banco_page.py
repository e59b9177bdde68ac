"""Punto banco at the page of a real process: a Schlitten typed by hand, with each mishap once."""

from __future__ import annotations

import asyncio
import random
import re
from collections import Counter

import httpx
import pytest
from playwright.async_api import async_playwright

from table_controller.rules.cards import PACK
from table_controller.service.sealing import make_key
from tests import punto_oracle as oracle
from tests.adapters.web.served import CHROMIUM, FLAGS
from tests.brokers import Mosquitto, Observer
from tests.limits import LONG_S
from tests.whole.commands import ROOT, Running
from tests.whole.leaks import named
from tests.whole.test_by_hand import PATIENCE_MS, Croupier

pytestmark = pytest.mark.timeout(LONG_S)

SETTINGS = """
[table]
game = "punto-banco"
house = "{folder}/house.toml"
[journal]
path = "{folder}/table.db"
key = "{folder}/table.key"
[broker]
kind = "mqtt"
port = {port}
[page]
port = 0
"""
WHY = {"reason": "seen by all"}
CUT_AT = 14
#: Of a coup that begins with no more than these the cut card may come out, of no earlier one.
LAST = CUT_AT + 5


class Dealer(Croupier):
    """Whoever types the cards and says what happens; he keeps count of the Schlitten."""

    def __init__(self, url, page, client, heard, cards, *, squeezed):
        super().__init__(url, page, client)
        self._heard = heard
        self.all, self.cards, self.squeezed = cards, list(cards), squeezed
        self.opened: set[str] = set()
        self.before: set[str] = set()
        self.hidden = Counter[str]()  # what left and was shown to nobody
        self.listened = 0
        self.packs = len(cards) // 52
        self.kept: list[str] = []
        self.told: set[str] = set()
        self.thirds, self.short = 0, False
        self.results = ""

    async def look(self):
        """Nobody but who typed it has seen or heard of a card that is not opened (R-13, PR-3)."""
        for text in (await self.page.content(), (await self._client.get("/public")).text):
            told = {card for cards in named(text) for card in cards}
            assert told <= self.opened, told - self.opened
            self.told |= told
        told, self.listened = self._heard[self.listened :], len(self._heard)
        for topic, payload, _ in told:  # of the coup before, some may come late
            names = {card for cards in named(payload.decode()) for card in cards}
            assert names <= self.opened | self.before, topic

    async def waits(self, prompt):
        await self.page.locator("#ask h1", has_text=prompt).wait_for()

    async def press(self, label):
        """Press a button that the page shows, and wait until the table goes on."""
        async with self.goes_on():
            await self.page.get_by_role("button", name=label).click()

    async def card(self, *, lies_open):
        """The next card, typed where the page asks for it; the cut card before it."""
        if len(self.cards) == CUT_AT:
            await self.say("card_seen", white=True)
        code = self.cards.pop(0)
        if lies_open:
            self.opened.add(code)
        else:
            self.hidden[code] += 1
        await self.type_card(code)
        return code

    async def too_many(self, ruling):
        """PB-20, PB-21: a card leaves though none is due; nothing goes on before it is ruled."""
        code = self.cards.pop(0)
        if ruling == "burned":
            self.opened.add(code)
        await self.say("card_seen", card=code)
        await self.waits("Has anybody seen it?")
        assert not await self.page.get_by_role("button", name="The table agrees").is_visible()
        await self.say("stray_ruled", ruling=ruling, **WHY)
        if ruling == "kept":
            self.kept = [code]

    async def begin(self):
        await self.say("croupier_changed", name="Ilona Réti")
        for seat in (1, 2):
            await self.say("sits", seat=seat, name=f"N{seat}", chips=5000)
        for _ in range(3):
            await self.say("prepared")
        await self.say("schlitten_loaded", shoe="schlitten-1")
        first = await self.card(lies_open=True)
        for _ in range(oracle.pips(first) or 10):
            await self.card(lies_open=False)
        self.opened = {first}

    async def runs_out(self):
        """PB-25: card after card lies face up until none is left; the coup is void."""
        while self.cards:
            self.opened.add(await self.card(lies_open=True))
            await self.say("stray_ruled", ruling="face_up", **WHY)
        await self.waits("Annul the coup")
        assert "A card is due, and none is left." in await self.page.locator("#alerts").inner_text()
        await self.say("annulled", reason="PB-25")
        self.short = True

    async def doubled(self):
        """PB-27: a card of which all were seen; the coup stops until two people say what it is.

        Of a card that lies closed, and what only that contradicts, the table knows nothing (R-17).
        """
        gone = Counter(self.all) - Counter(self.cards) - self.hidden
        await self.say("card_seen", unknown="no_read")
        await self.by_two(next(code for code, out in gone.items() if out == self.packs))
        if not self.squeezed:
            self.opened.add(self.cards[0])
        await self.by_two(self.cards.pop(0))

    async def by_two(self, code):
        """A card that no reader knows: two people enter it, unseen."""
        await self.type_card(code)
        await self.type_card(code, name="Berta Lind")

    async def coup(self, number):
        """A coup from the bets to the last payment, and what goes wrong in that one."""
        last = len(self.cards) <= LAST
        await self.say("bets", seat=1, spot="player", chips=20)
        await self.say("bets", seat=2, spot="banker", chips=20)
        await self.press("No more bets")
        self.before, self.opened = self.opened, set()
        if number == 5:  # PB-23: the first card lay face up; the next one serves
            self.opened.add(await self.card(lies_open=True))
            await self.say("stray_ruled", ruling="face_up", **WHY)
        coup = oracle.deal(self.kept + self.cards)
        if number in (7, 9):  # PB-24, PB-25: void by a word; stakes go back, no road gets an entry
            await self.first_cards(coup, 2)
            if number == 7:
                await self.say("misdealt")
            await self.say("annulled", **WHY)
            return
        if last:
            await self.doubled()
            await self.runs_out()
            return
        await self.deal(coup, number)
        if number in (2, 3):  # PB-20, PB-21
            await self.too_many("burned" if number == 2 else "kept")
        await self.press("The table agrees")
        won = coup.won_by
        if number == 8:  # PB-26: taken back and ruled otherwise, before the next first card
            await self.say("reopens", **WHY)
            won = "B" if won == "P" else "P"
            await self.say("result_ruled", winner=won, **WHY)
            await self.press("The table agrees")
        if won != "T":
            await self.say("paid")
        self.results += won

    async def first_cards(self, coup, count):
        """So many of the first four; one that was kept comes by itself with the next."""
        hands = zip(coup.player[:2], coup.banker[:2], strict=True)
        due = [code for pair in hands for code in pair][:count]
        if self.kept:
            self.kept, due = [], due[1:]
        for code in due:
            assert await self.card(lies_open=not self.squeezed) == code

    async def deal(self, coup, number):
        """Every card of a coup; squeezed ones are shown before the next one is due."""
        if not self.squeezed:
            self.opened |= {*self.kept}
        if number == 6:  # PB-24: put right, since the order is known
            await self.first_cards(coup, 2)
            await self.say("misdealt")
            await self.say("put_right", **WHY)
            for code in (coup.player[1], coup.banker[1]):
                assert await self.card(lies_open=not self.squeezed) == code
        else:
            await self.first_cards(coup, 4)
        await self.show(("player", coup.player[:2]), ("banker", coup.banker[:2]))
        for side, hand in (("player", coup.player), ("banker", coup.banker)):
            for code in hand[2:]:  # PB-22: it is due, and there is nothing to agree to
                await self.waits(f"A card for {side.title()}")
                agrees = self.page.get_by_role("button", name="The table agrees")
                assert not await agrees.is_visible()
                assert await self.card(lies_open=not self.squeezed) == code
                await self.show((side, [code]))
        if len(coup.player) == 2 and len(coup.banker) == 3:
            await self.bankers_third()

    async def bankers_third(self):
        """PB-20: Player stands; whichever box the fifth card was laid to, it is Banker's third."""
        for side, cards in (("player", 2), ("banker", 3)):
            assert await self.page.locator(f"#trays [data-key^='card-{side}-']").count() == cards
        self.thirds += 1

    async def show(self, *hands):
        """Where the cards are squeezed they are shown, side by side."""
        for side, cards in hands if self.squeezed else ():
            await self.look()
            self.opened |= {*cards}
            self.hidden -= Counter(cards)
            await self.say("opened", side=side)

    async def ended(self):
        """Whether the Schlitten is to be closed, once the page shows what was said last."""
        await self.shown()
        return await self.page.locator("#ask h1", has_text="Close and count").count() > 0

    async def drawn(self):
        """The letters of the bead plate, on the public page."""
        text = (await self._client.get("/public")).text
        road = re.search(r'aria-label="Bead plate: ([^"]*)"', text)
        return "".join(word[0] for word in road[1].split(", ")) if road else ""


async def play(url, port, packs, *, squeezed):
    """A Schlitten from its first card to its last; how many coups it had."""
    luck = random.Random(4)
    cards = [card.value for card in PACK] * packs
    luck.shuffle(cards)
    async with (
        async_playwright() as playwright,
        httpx.AsyncClient(base_url=url, timeout=60) as client,
        Observer(port, "#") as ear,
    ):
        browser = await playwright.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        page = await browser.new_page(viewport={"width": 1280, "height": 800})
        page.set_default_timeout(PATIENCE_MS)
        await page.goto(url)
        dealer = Dealer(url, page, client, ear.heard, cards, squeezed=squeezed)
        await dealer.begin()
        number = 0
        while not await dealer.ended():
            number += 1
            await dealer.coup(number)
        assert await dealer.drawn() == dealer.results
        assert len(dealer.results) == number - 3  # three were void
        await browser.close()
    return number, dealer


def schlitten(folder, packs, dealing):
    """A Schlitten of so many packs, dealt at a process of its own; its coups, and the dealer."""
    make_key(folder / "table.key")
    house = (ROOT / "table_controller/houses/punto-banco.toml").read_text()
    house = house.replace("packs = 8", f"packs = {packs}").replace('"open"', f'"{dealing}"', 1)
    (folder / "house.toml").write_text(house.replace('id = "punto-banco"', 'id = "house"'))
    broker = Mosquitto(folder)
    broker.start()
    (folder / "table.toml").write_text(SETTINGS.format(folder=folder, port=broker.port))
    try:
        with Running("run", "--config", folder / "table.toml") as table:
            url = table.says(r"(http://127\.0\.0\.1:\d+)/\n")[1]
            squeezed = dealing == "squeezed"
            coups, dealer = asyncio.run(play(url, broker.port, packs, squeezed=squeezed))
            table.process.terminate()
            table.process.wait(60)
    finally:
        broker.stop()
    assert dealer.listened > 3 * len(dealer.all)  # events, and of pictures at most one a second
    assert len(dealer.told) > 30
    assert dealer.short
    assert dealer.thirds
    return coups, dealer


def test_a_squeezed_schlitten_with_each_mishap_once(tmp_path):
    """PB-20 to PB-27, R-13: each is ruled on, and nobody sees a closed card; the roads follow.

    Two packs; all eight, and open ones, in `scripts/soak --only pages`.
    """
    if not CHROMIUM.exists():
        pytest.skip(f"no Chromium at {CHROMIUM}: apt install chromium-headless-shell")

    coups, _ = schlitten(tmp_path, 2, "squeezed")

    assert coups > 9

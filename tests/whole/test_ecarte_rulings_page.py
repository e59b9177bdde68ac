"""Texts that the page of écarté quotes from the books, a practice table, people without a seat."""

from __future__ import annotations

import pytest

from tests.adapters.web.served import CHROMIUM
from tests.limits import LONG_S
from tests.whole.commands import ROOT
from tests.whole.croupier import at_page, say, served
from tests.whole.test_ecarte_page import Partie, come

pytestmark = [
    pytest.mark.timeout(LONG_S),
    pytest.mark.skipif(not CHROMIUM.exists(), reason=f"no Chromium at {CHROMIUM}"),
]


async def rulings(url):
    """E07: courtesies as they are wanted, and what somebody rules on, with its rule."""
    await come(url, 100, 100, 100)
    async with at_page(url, Partie) as page:
        await page.press("open chouette", seat=1)
        assert "the giver of a chouette may ask for jetons only. E07-46" in await page.asked()
        await page.press("stakes", seat=2, chips=20)
        assert "E07-46" not in await page.asked()
        await page.press("le coup est tenu")
        await page.touch("seat 1, cuts", "Ah")
        await page.touch("seat 2, cuts", "Ks")
        assert "nobody can ask that advice be followed. E07-59" in await page.asked()

        await page.press("call for a ruling", matter="an outsider spoke")
        called = await page.asked()
        assert "an outsider spoke E07-51" in called
        assert "what follows if he does, the games committee decides." in called
        await page.press("note a ruling", reason="He is asked to leave the room")
        assert "E07-51" not in await page.asked()

        await page.press("leaves the partie", seat=2)
        await page.asks("A player leaves: rule on it")
        assert "loses it, except by vis major" in await page.asked()
        await page.press("the partie is void")  # E07-55: a vis major
        assert await page.payments() == []
        await page.press("the partie is settled")
        assert await page.balances(1, 2, 3) == [100, 100, 100]


def test_what_is_ruled_on_stands_there_with_its_rule(tmp_path):
    """E07-46, 51, 55, 59: courtesies too; a partie that a vis major ends pays nobody."""
    served(tmp_path, "ecarte", "ecarte-nemzeti-1907", rulings)


async def practice(url):
    """Both hands lie open, and whether they are jeux de règle; nobody stakes."""
    await come(url, 100, 100)
    async with at_page(url, Partie) as page:
        assert not {"lays a bank", "à deux côtés"} & await page.offers()
        await page.press("these two play", left=1, right=2)
        await page.touch("seat 1, cuts", "7h")
        await page.touch("seat 2, cuts", "Kh")  # EDE-3: the higher deals
        await page.shuffled()
        await page.dealt("Jd 9d 7d Ac 8s", "8c 9h Th Jc 7s", "8d")
        assert "jack of diamonds, nine of diamonds, seven of diamonds" in await page.told(1)
        assert "eight of clubs, nine of hearts, ten of hearts" in await page.told(2)
        assert await page.notes() == [  # EDE-19a: three trumps
            "Seat 1 has a jeu de règle.", "Seat 2 has no jeu de règle.",
        ]  # fmt: skip
        await page.press("proposes")
        await page.press("accepts")
        await page.press("seat 1, lays away", cards=1)
        assert "diamonds" not in await page.told(1)  # what he holds now, nobody knows
        assert await page.notes() == ["Seat 2 has no jeu de règle."]


async def no_practice(url):
    """The same cards at a table with money: nothing of it."""
    await come(url, 100, 100)
    async with at_page(url, Partie) as page:
        await page.press("these two play", left=1, right=2)
        await page.touch("seat 1, cuts", "7h")
        await page.touch("seat 2, cuts", "Kh")
        await page.shuffled()
        await page.dealt("Jd 9d 7d Ac 8s", "8c 9h Th Jc 7s", "8d")
        assert await page.notes() == []
        for seat in (1, 2):
            assert (await page.told(seat)).count("a closed card") == 5


def test_jeux_de_regle_are_told_at_a_practice_table_alone(tmp_path):
    """EDE-19, EDE-19a: both hands lie open there, and nobody stakes."""
    shipped = (ROOT / "table_controller/houses/ecarte-german.toml").read_text()
    house = tmp_path / "house.toml"
    house.write_text(
        shipped.replace("practice = false", "practice = true").replace(
            'id = "ecarte-german"', 'id = "house"'
        )
    )
    for name, at, play in (("open", house, practice), ("closed", "ecarte-german", no_practice)):
        (tmp_path / name).mkdir()
        served(tmp_path / name, "ecarte", at, play)


async def standing(url):
    """Twelve sit, one stands: he stakes, and follows on the list."""
    await say(
        url,
        *({"type": "sits", "seat": seat, "name": f"N{seat}", "chips": 50} for seat in range(1, 13)),
    )
    async with at_page(url, Partie) as page:
        await page.press("comes, standing", name="Vera", chips=80)
        assert await page.told(101) == "Standing, place 101, Vera"
        await page.press("à deux côtés", left=1, right=2)
        await page.press("stakes on seat 1", seat=101, chips=30)
        await page.press("stakes on seat 1", seat=12, chips=10)
        await page.press("stakes on seat 2", seat=2, chips=40)
        assert await page.rows() == ["▸1 101 12", "▸2"]
        assert await page.told(101) == "Standing, place 101, Vera, stakes 30 K"
        await page.press("le coup est tenu")


def test_who_finds_no_seat_stakes_and_stands_on_the_list(tmp_path):
    """E07-3: twelve have a seat, and a lamp; a thirteenth has a place on the list."""
    served(tmp_path, "ecarte", "ecarte-nemzeti-1907", standing)

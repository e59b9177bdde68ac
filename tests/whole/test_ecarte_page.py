"""Parties of écarté at the page of a real process, in each house.

Expectations are written out by hand from the books.
"""

from __future__ import annotations

import pytest

from tests.adapters.web.served import CHROMIUM
from tests.limits import LONG_S
from tests.whole.croupier import Page, at_page, say, served

pytestmark = [
    pytest.mark.timeout(LONG_S),
    pytest.mark.skipif(not CHROMIUM.exists(), reason=f"no Chromium at {CHROMIUM}"),
]

NAMES = ("Karl", "Anna", "Berta", "Otto", "Sari", "Emil")


class Partie(Page):
    """A croupier who leads parties between seats 1 and 2."""

    async def shuffled(self, *, packets=""):
        """Shuffled by the dealer, cut by elder, loaded; and how he deals, the first time."""
        await self.press("done, next step")
        await self.press("done, next step")
        await self.press("Schlitten loaded")
        if packets:
            await self.press(packets)

    async def dealt(self, elder, dealer, turned, *, first=3):
        """The cards of both as they fall, elder's first, and the one that is turned up."""
        elder, dealer = elder.split(), dealer.split()
        packets = elder[:first], dealer[:first], elder[first:], dealer[first:]
        await self.type(*(card for packet in packets for card in packet), turned)

    async def buys(self, seat, bought):
        """A player lays as many away as he buys."""
        cards = bought.split()
        await self.press(f"seat {seat}, lays away", cards=len(cards))
        await self.type(*cards)

    async def played(self, *tricks):
        """Tricks such as `1 Jd Qd`: who leads, his card, the other's."""
        for trick in tricks:
            leader, led, reply = trick.split()
            await self.touch(f"seat {leader}, leads", led)
            await self.touch(f"seat {3 - int(leader)}, plays", reply)

    async def roles(self):
        """Whose hand is the dealer's, and whose elder's."""
        said = [await self.told(seat) for seat in (1, 2)]
        return [next((r for r in ("DEALER", "ELDER") if r in text), "") for text in said]

    async def balances(self, *seats):
        """What lies before each."""
        return [await self.balance(seat) for seat in seats]


async def come(url, *chips):
    """As many sit down as bring something."""
    people = enumerate(zip(NAMES, chips, strict=False), 1)
    await say(url, *({"type": "sits", "seat": at, "name": n, "chips": c} for at, (n, c) in people))


async def staked_alike(page):
    """Two parties stake; while one of them has less the partie does not begin (E07-60)."""
    await page.press("à deux côtés", left=1, right=2)
    await page.press("stakes on seat 1", seat=1, chips=30)
    await page.press("stakes on seat 1", seat=3, chips=20)
    await page.press("stakes on seat 2", seat=2, chips=40)
    await page.asks("10 are missing at seat 2")
    assert "le coup est tenu" not in await page.offers()
    await page.press("stakes on seat 2", seat=4, chips=10)
    assert await page.rows() == ["▸1 3", "▸2 4"]
    await page.press("le coup est tenu")


async def two_sides(url):
    """E07: à deux côtés, two on each side; Anna wins by 5 to 1 in three deals."""
    await come(url, 100, 100, 100, 100)
    async with at_page(url, Partie) as page:
        await staked_alike(page)
        await page.touch("seat 1, cuts", "Ks")
        await page.touch("seat 2, cuts", "Ah")  # E07-10, ER-12: the ace is low, Anna deals

        # Karl plays d'autorité and makes one trick: two for Anna (E07-41, X3).
        await page.shuffled(packets="three, then two")
        await page.dealt("Jd 9d 7d Ac 8s", "Qd Td Kc Ks Qs", "8d")
        assert await page.roles() == ["ELDER", "DEALER"]
        assert {"seat 1, le roi", "seat 2, le roi"} <= await page.offers()  # whoever has him
        await page.played("1 Jd Qd")
        assert not {"seat 1, le roi", "seat 2, le roi"} & await page.offers()  # E07-27, E07-28
        await page.played("2 Ks 8s", "2 Qs 7d", "1 9d Td", "2 Kc Ac")
        assert await page.marks() == ["ooooo", "ooooo"]  # E07-58: none but by his own hand
        await page.press("seat 2, marks the tricks", points=2)
        assert await page.marks() == ["ooooo", "ooo ##"]  # E07-45: from left to right
        await page.press("closed and counted")

        # Karl turns the king and marks him before he looks; Anna makes three (X5).
        await page.shuffled(packets="two, then three")
        await page.dealt("Qs Js 9c 7d 7c", "9s Ah Qc Td 8c", "Ks", first=2)
        assert await page.roles() == ["DEALER", "ELDER"]
        assert "seat 2, marks the king" not in await page.offers()  # E07-26: none but the dealer
        await page.press("seat 1, marks the king")
        assert await page.marks() == ["oooo #", "ooo ##"]
        await page.press("proposes")
        await page.press("accepts")
        await page.buys(2, "Kh")
        await page.buys(1, "8h")
        await page.played("2 Qs 9s", "2 Js 8h", "2 Kh Ah", "2 9c Qc", "1 Td 7d")
        await page.press("seat 2, marks the tricks", points=1)
        assert await page.marks() == ["oooo #", "oo ###"]
        await page.press("closed and counted")

        # Karl proposes, Anna refuses and makes the vole: two (E07-43, X2 as ER-8 has it).
        await page.shuffled()  # E07-14: she deals as she did
        await page.dealt("9h Ts 8s Jd 7c", "Qh Jh Ks Qd Td", "7h")
        await page.press("proposes")
        await page.press("refuses")
        await page.played("1 Jd Qd", "2 Qh 9h", "2 Ks 8s", "2 Jh Ts", "2 Td 7c")
        await page.press("seat 2, marks the tricks", points=2)
        assert await page.marks() == ["oooo #", "#####"]

        assert await page.last() == ("Seat 2 wins, 5 : 1", "Seat 2 wins, 5 : 1")

        # The loser pays the winners one by one from what was lost (E07-60, X22); he stands last.
        lost, won = ["3 pays seat 1 20"], ["1 pays seat 2 40", "1 pays seat 4 10"]
        assert await page.payments() == lost + won
        await page.press("the partie is settled")
        assert await page.balances(1, 2, 3, 4) == [70, 140, 80, 110]
        assert await page.rows() == ["▸3 1", "▸2 4"]


def test_a_partie_at_nemzeti_a_deux_cotes(tmp_path):
    """E07-3, 10, 14, 26, 27, 40, 41, 43, 45, 58, 60: stakes, marks, payments, the list."""
    served(tmp_path, "ecarte", "ecarte-nemzeti-1907", two_sides)


async def open_chouette(url):
    """E00: Karl gives chouette; he wins by 5 to 0 in three deals, the last without a trick."""
    await come(url, 100, 100, 100)
    async with at_page(url, Partie) as page:
        await page.press("open chouette", seat=1)
        await page.asks("Je voudrais voir le coup")
        await page.press("stakes", seat=2, chips=30)
        await page.press("stakes on seat 2", seat=3, chips=20)
        assert await page.rows() == ["▸2 3"]
        await page.press("le coup est tenu")
        await page.touch("seat 1, cuts", "9h")
        await page.touch("seat 2, cuts", "8d")  # E00-10: the lower deals

        # Karl marks the king; Anna refused and makes two tricks: three for Karl (E00-40, X4).
        await page.shuffled(packets="three, then two")
        await page.dealt("Kc Jc Ah Td Qs", "Qc 8c Kh Ts 7s", "9c")
        await page.press("proposes")
        await page.press("refuses")
        await page.press("seat 1, marks the king")
        assert await page.marks() == ["oooo #", "ooooo"]
        await page.played("1 Kc 8c", "1 Qs 7s", "1 Td Qc", "2 Kh Ah", "2 Ts Jc")
        await page.press("seat 1, marks the tricks", points=2)
        assert await page.marks() == ["oo ###", "ooooo"]
        await page.press("closed and counted")

        # Anna marks a king whom she has not, and makes three tricks (E00-29, X8 b).
        await page.shuffled(packets="two, then three")
        await page.dealt("Qh 8h Kd Jc Ts", "Jh Ad 7d Qc 8c", "9h", first=2)
        await page.press("seat 2, marks the king")
        assert await page.marks() == ["oo ###", "oooo #"]
        await page.played("2 Qh Jh", "2 Kd 7d", "2 8h 8c", "2 Jc Qc", "1 Ad Ts")
        assert await page.marks() == ["oo ###", "ooooo"]
        await page.press("seat 1, marks the tricks", points=1)
        assert await page.marks() == ["o ####", "ooooo"]
        await page.press("closed and counted")

        # At four Karl marks the king: the partie is over before a trick (E00-7, X25).
        await page.shuffled()
        await page.dealt("Ks 8d 9h Tc 7d", "Qh Ad 8c 9d 7c", "Js")
        await page.press("seat 1, marks the king")
        assert await page.marks() == ["#####", "ooooo"]
        await page.asks("The king is to be shown")  # ER-14
        await page.press("he has shown it")

        assert await page.payments() == ["2 pays seat 1 30", "3 pays seat 1 20"]
        await page.press("the partie is settled")
        assert await page.balances(1, 2, 3) == [150, 70, 80]
        assert await page.rows() == ["▸3 2"]


def test_a_partie_by_the_undated_print_in_a_chouette(tmp_path):
    """E00-3, 4, 6, 7, 10, 27, 29, 40, 56, 59: a false king, and one that ends the partie."""
    served(tmp_path, "ecarte", "ecarte-undated", open_chouette)


async def bank(url):
    """EDE: Karl lays a bank and wins by 5 to 1; the marks go from right to left."""
    await come(url, 200, 100, 100)
    async with at_page(url, Partie) as page:
        await page.press("lays a bank", seat=1, chips=50)
        await page.press("stakes", seat=2, chips=30)
        await page.press("stakes on seat 2", seat=3, chips=40)
        await page.press("le coup est tenu")  # who holds the bank deals: nobody cuts (EDE-0)

        # An exchange, and three tricks: one for Anna (EDE-17c, X1).
        await page.shuffled()  # EDE-4: three and two always
        await page.dealt("Qh Th Ks As 7d", "Jh 9h Kc 7s 8c", "7h")
        assert await page.roles() == ["DEALER", "ELDER"]
        await page.press("proposes")
        await page.press("accepts")
        await page.buys(2, "8d")
        await page.buys(1, "Jd")
        await page.played("2 Qh 9h", "2 Ks 7s", "2 As Jh", "1 Kc Th", "2 8d Jd")
        await page.press("seat 2, marks the tricks", points=1)
        assert await page.marks() == ["ooooo", "# oooo"]  # EDE-16
        await page.press("closed and counted")

        # Karl leads the king whom he has marked; Anna refused and lost (EDE-12, EDE-17b, X4).
        await page.shuffled()
        await page.dealt("Kc Jc Ah Td Qs", "Qc 8c Kh Ts 7s", "9c")
        assert await page.roles() == ["ELDER", "DEALER"]
        await page.press("proposes")
        await page.press("refuses")
        await page.press("seat 1, marks the king")
        await page.played("1 Kc 8c", "1 Qs 7s", "1 Td Qc", "2 Kh Ah", "2 Ts Jc")
        await page.press("seat 1, marks the tricks", points=2)
        assert await page.marks() == ["### oo", "# oooo"]
        await page.press("closed and counted")

        # Anna plays from the hand and makes one trick: two for Karl (EDE-17a, X3).
        await page.shuffled()
        await page.dealt("Jd 9d 7d Ac 8s", "Qd Td Kc Ks Qs", "8d")
        await page.played("2 Jd Qd", "1 Ks 8s", "1 Qs 7d", "2 9d Td", "1 Kc Ac")
        await page.press("seat 1, marks the tricks", points=2)
        assert await page.marks() == ["#####", "# oooo"]

        # The bank took 30, and of the 40 the 20 that it covered (EDE-0, ER-28).
        assert await page.payments() == ["2 pays the bank 30", "3 pays the bank 20"]
        await page.press("the partie is settled")
        assert await page.balances(1, 2, 3) == [150, 70, 80]
        await page.asks("Faites le jeu: 100 G")


def test_a_partie_by_the_german_rules_against_a_bank(tmp_path):
    """EDE-0, 4, 10, 12, 16, 17, 18: bank and marks, without a list of players."""
    served(tmp_path, "ecarte", "ecarte-german", bank)


async def leaves(page, seat, *, cuts):
    """A partie begins, and a player leaves it: he has lost (E07-55)."""
    await page.press("le coup est tenu")
    for place, card in cuts.items():
        await page.touch(f"seat {place}, cuts", card)
    await page.press("leaves the partie", seat=seat)
    await page.asks("A player leaves: rule on it")
    await page.press("he has lost the partie")


async def auction(url):
    """E07-8, X23: two offer 100; 140 against 100; halved, given up, and bid for anew; lost."""
    await come(url, 300, 200, 100, 100, 100, 100)
    async with at_page(url, Partie) as page:
        await page.press("auction")
        await page.press("makes a bid", seat=1, chips=100)
        await page.press("bids 100 too, at once", seat=2)  # ER-40
        await page.press("knocked down", seat=1)  # of equal offers: who won the lot
        await page.asks("Faites le jeu: 100 K")
        await page.press("stakes", seat=2, chips=60)
        assert "gives it up" not in await page.offers()  # at least one partie, once one staked
        for seat, chips in ((3, 30), (4, 30), (5, 20)):
            await page.press("stakes on seat 2", seat=seat, chips=chips)
        await page.press("stakes outside the bank", seat=6, holder=1, chips=50)  # E07-62
        await page.press("rien ne va plus")
        await page.asks("Le coup est tenu?")
        assert await page.notes() == [
            "Left out: seat 4, 20 K", "Left out: seat 5, 20 K",
            "Outside the bank: seat 6 with seat 1, 50 K",
        ]  # fmt: skip
        await page.press("seat 4 is let in by", seat=2, chips=20)  # E07-61: in their order
        await page.press("seat 5 stays out")
        assert await page.balances(1, 2, 3, 4, 5, 6) == [150, 160, 70, 70, 100, 50]
        await leaves(page, 2, cuts={1: "9h", 2: "8d"})
        assert await page.payments() == [
            "2 pays the bank 40", "3 pays the bank 30", "4 pays the bank 30", "6 pays seat 1 50",
        ]  # fmt: skip
        await page.press("the partie is settled")

        # The bank has 200; it is halved once, to no less than it began with.
        await page.asks("Faites le jeu: 200 K")
        assert await page.rows() == ["▸3 4 5 2"]
        await page.press("halve the bank")
        await page.asks("Faites le jeu: 100 K")
        assert "halve the bank" not in await page.offers()
        assert await page.balances(1, 2, 3, 4, 5, 6) == [350, 160, 70, 70, 100, 50]

        # Who gave it up as a winner gives double what he offers at the next auction.
        await page.press("gives it up")
        await page.asks("Who offers most for the chouette?")
        await page.press("makes a bid", seat=1, chips=80)
        await page.press("knocked down", seat=1)
        await page.asks("Faites le jeu: 160 K")
        assert await page.balance(1) == 290

        # It is lost, laid afresh and raised.
        await page.press("stakes on seat 3", seat=3, chips=70)
        await page.press("stakes on seat 3", seat=5, chips=90)
        await leaves(page, 1, cuts={1: "9h", 3: "8d"})
        assert await page.payments() == ["3 the bank pays 70", "5 the bank pays 90"]
        await page.press("the partie is settled")
        await page.asks("The bank is lost: a fresh one?")
        await page.press("a fresh bank", chips=50)
        await page.press("raise the bank", chips=10)
        await page.asks("Faites le jeu: 60 K")
        assert await page.balances(1, 2, 3, 4, 5, 6) == [230, 160, 140, 70, 190, 50]


def test_an_auctioned_chouette(tmp_path):
    """E07-8, 55, 61, 62, ER-25: bids, lots, left out, let in, halved, doubled, renewed."""
    served(tmp_path, "ecarte", "ecarte-nemzeti-1907", auction)

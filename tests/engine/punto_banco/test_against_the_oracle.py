"""Whole Schlitten through `step`, compared with an independent reading of the rules."""

import random
from collections import Counter

import pytest

from table_controller.engine.messages import CardSeen
from table_controller.engine.punto_banco import bets
from table_controller.engine.punto_banco import inputs as i
from table_controller.engine.punto_banco import state as s
from table_controller.engine.punto_banco.state import Announced, to_open
from table_controller.engine.punto_banco.step import step
from table_controller.engine.table import inputs as ti
from table_controller.rules.cards import PACK, Card
from table_controller.rules.money import Chips
from table_controller.rules.punto_banco.house import House
from table_controller.service.sealing import Keys
from tests import punto_oracle as oracle

SIDE = {
    "player_pair": "11:1",
    "banker_pair": "11:1",
    "either_pair": "5:1",
    "perfect_pair": "25:1 200:1",
    "dragon_7": "40:1",
    "panda_8": "25:1",
    "super_6": "12:1",
    "lucky_6": "12:1 20:1",
    "big": "0.54:1",
    "small": "1.5:1",
}
SECRET = Keys.derive(bytes(32)).commit
#: The same settings, as the game names them and as the oracle does.
HOUSES = {
    "commission": (
        {},
        oracle.House(side=SIDE),
    ),
    "commission in boxes, chips of 5": (
        {"commission": "boxes", "round_to": 5, "commission_bp": 400, "tie_pays": "9:1"},
        oracle.House(side=SIDE, chip=5, commission_bp=400, tie="9:1"),
    ),
    "half on six": (
        {"banker_pays": "half_on_six", "commission_bp": 0, "paid_first": "main"},
        oracle.House(side=SIDE, without_commission="half on six"),
    ),
    "push on seven": (
        {"banker_pays": "push_on_seven", "commission_bp": 0},
        oracle.House(side=SIDE, without_commission="push on seven"),
    ),
    "squeezed": (
        {"dealing": "squeezed", "packs": 6},
        oracle.House(side=SIDE),
    ),
    "no coup after the cut card, seven behind it": (
        {"after_cut": "none", "white_at": 7},
        oracle.House(side=SIDE),
    ),
    "a fixed burn, seven behind the cut card": (
        {"burn": "fixed", "burn_cards": 3, "white_at": 7},
        oracle.House(side=SIDE),
    ),
}


def house(**settings) -> House:
    return House(
        id="t", title="t", game="punto-banco", unit="G", seats=5, side_bets=SIDE, **settings
    )


class Evening:
    """A table that is dealt one Schlitten, and its ledger as the oracle keeps it."""

    def __init__(self, seed: int, settings: dict, read: oracle.House) -> None:
        self.luck, self.settings, self.read = random.Random(seed), settings, read
        self.house = house(**settings)
        self.table = s.begin(self.house, SECRET)
        self.events: list = []
        self.lies: Counter[tuple[int, str]] = Counter()
        self.has: Counter[int] = Counter()
        self.boxes: Counter[int] = Counter()
        packs = list(PACK) * self.house.packs
        self.luck.shuffle(packs)
        self.cards = [card.value for card in packs]
        self.at = 0

    def say(self, said) -> None:
        self.table, told = step(self.table, said)
        self.events += told

    def card(self) -> None:
        """The next card, and the cut card where it lies before it."""
        shoe = self.table.felt.shoe
        if shoe.left == self.house.white_at and shoe.white_out is None:
            self.say(CardSeen(white=True))
        if type(self.table.phase) is not s.Over:
            self.say(CardSeen(card=Card(self.cards[self.at])))
            self.at += 1

    def begin(self) -> None:
        for seat in range(1, 6):
            self.say(ti.Sits(seat=seat, name=f"N{seat}", chips=Chips(100_000)))
            self.has[seat] = 100_000
        for _ in range(3):
            self.say(ti.Prepared())
        self.say(ti.SchlittenLoaded(shoe="one"))
        while type(self.table.phase) is s.Burning:
            self.card()

    def stake(self) -> None:
        """Some lay something, anywhere, as the limits let them."""
        for _ in range(self.luck.randrange(1, 7)):
            seat, spot = self.luck.randrange(1, 6), self.luck.choice(bets.spots(self.house))
            least, most = bets.bounds(self.table, seat, spot)
            if least <= most:
                chips = self.luck.randrange(least, min(most, least + 300) + 1)
                self.say(i.Bets(seat=seat, spot=spot, chips=Chips(chips)))
                self.lies[seat, spot] += chips
                self.has[seat] -= chips

    def coup(self) -> None:
        """Until the result is announced, whatever is closed being shown in some order."""
        while type(self.table.phase) is not Announced:
            if closed := to_open(self.table.phase):
                self.say(i.Opened(side=self.luck.choice(closed)))
            else:
                self.card()

    def settle(self, coup: oracle.Coup) -> None:
        """The table agrees; each line is what the oracle makes of that stake."""
        wanted = {}
        for (seat, spot), chips in self.lies.items():
            found = oracle.outcome(coup, spot, chips, self.read)
            if found.how != "stays":
                wanted[seat, spot] = found
        stakes = [key for key in self.lies if key in wanted]
        side_first = self.settings.get("paid_first", "side") == "side"
        order = oracle.order(stakes, coup, self.read, side_first=side_first)
        self.say(i.Agrees())
        phase = self.table.phase
        lines = phase.payments if type(phase) is s.Paying else ()
        groups = [(line.seat, line.spot in ("player", "banker")) for line in lines]
        assert {(line.seat, line.spot): _line(line) for line in lines} == {
            key: self._paid(found, self.lies[key]) for key, found in wanted.items()
        }
        assert [seat for seat, _ in groups] == [seat for seat, _ in order]
        for key, found in wanted.items():
            stake = self.lies.pop(key)
            if found.how == "won":
                at_once = self.house.commission == "at_once"
                self.has[key[0]] += stake + found.comes - (found.commission if at_once else 0)
                self.boxes[key[0]] += 0 if at_once else found.commission
        if lines:
            self.say(ti.Paid())

    def _paid(self, found: oracle.Outcome, stake: int) -> tuple[int, int]:
        if found.how == "lost":
            return -stake, 0
        if self.house.commission == "boxes":
            return found.comes, found.commission
        return found.comes - found.commission, 0


def _line(line: s.Payment) -> tuple[int, int]:
    return line.chips, line.owed


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", HOUSES)
def test_a_schlitten_comes_to_the_same(name, seed):
    """PB-1 to PB-14: burn, coups, winners, payments in order, money, and where it ends."""
    settings, read = HOUSES[name]
    table = Evening(seed, settings, read)
    told = oracle.schlitten(
        table.cards,
        cut_at=table.house.white_at,
        one_more=table.house.after_cut == "one_more",
        burn=settings.get("burn_cards"),
    )

    table.begin()
    assert table.at == len(told.burned)
    for number, coup in enumerate(told.coups, 1):
        table.stake()
        if not table.lies:
            table.say(i.FreeCoup())
        table.coup()
        phase = table.table.phase
        assert [card.card.value for card in phase.player] == coup.player
        assert [card.card.value for card in phase.banker] == coup.banker
        assert phase.winner.value == coup.won_by
        table.settle(coup)
        assert {
            seat: who.balance for seat, who in enumerate(table.table.felt.seats, 1)
        } == table.has
        assert dict(table.table.owed) == +table.boxes
        assert "".join(one.winner for one in table.table.past) == "".join(
            one.won_by for one in told.coups[:number]
        )
    assert type(table.table.phase) is s.Over
    assert table.table.felt.shoe.left == len(told.left)

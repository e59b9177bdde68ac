"""Simulated players at écarté, and the inputs that they send next."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Final

from msgspec import convert

from table_controller.engine.ecarte import inputs as i
from table_controller.engine.ecarte import state as s
from table_controller.engine.ecarte.offers import about_stakes
from table_controller.engine.ecarte.partie import may_mark_king, may_mark_turned
from table_controller.engine.ecarte.playing import may_be
from table_controller.engine.messages import DeviceBack, DeviceLost, Input
from table_controller.engine.players import CABLE_OUT, USUAL, Chance, Progress, Temper
from table_controller.engine.shoe import Dealt
from table_controller.engine.table import inputs as ti
from table_controller.engine.table.felt import Stray, Unread, occupied_from
from table_controller.engine.table.schlitten import load
from table_controller.engine.table.undo import may_take_back
from table_controller.engine.views import Offer, Sum, bounds, ways
from table_controller.rules.cards import PACK_32, Card
from table_controller.rules.ecarte.tricks import height, king_of, legal, takes
from table_controller.rules.money import Chips

# ---- How simulated players stake before and after a partie: they pick offers by chance

#: Phases in which players handle money, or settle who plays for money.
PHASES: Final = s.PlayersDue | s.Auction | s.StakesDue | s.Succession
#: The weight of each input among the inputs offered.
LIKELY: Final[dict[str, float]] = {
    "two_sides": 2, "gives_chouette": 2, "calls_auction": 2, "lays_bank": 6, "draws": 1,
    "bids_for": 3, "knocked_down": 3, "stakes": 4, "holds_rest": 4, "cuts_stakes": 1,
    "closes_stakes": 3, "lets_in": 6, "stays_out": 1, "partie_held": 6, "renews_bank": 4,
    "takes_share": 0.3, "goes_on": 4, "gives_up": 0.4,
}  # fmt: skip
_SELDOM: Final = 0.1
#: The most least stakes that are staked at a time.
MODEST: Final = 20


def says(table: s.Table, luck: Chance, temper: Temper) -> Input:
    """An input about the next partie's players or stakes.

    One partie in five is played without stakes.
    """
    offered = [
        offer for offer in about_stakes(table) if offer.group != "mistake" and list(ways(offer))
    ]
    alone = isinstance(table.phase, s.PlayersDue) and luck.random() < 0.2
    if alone or not offered:
        left, right = luck.sample(occupied_from(table.felt, 1), 2)
        return i.Opponents(left=left, right=right)
    return _filled(_one_of(offered, luck), luck, MODEST * table.house.least_stake, temper)


def _one_of(offered: list[Offer], luck: Chance) -> Offer:
    """One of the offers, picked by chance with the weights in `LIKELY`."""
    weights = [LIKELY.get(str(offer.input["type"]), _SELDOM) for offer in offered]
    at = luck.random() * sum(weights)
    for offer, weight in zip(offered, weights, strict=True):
        at -= weight
        if at < 0:
            return offer
    return offered[-1]


def _filled(offer: Offer, luck: Chance, modest: int, temper: Temper) -> Input:
    """The input of the offer, with choices picked by chance and a sum near the least."""
    said, picked = dict(offer.input), luck.choice(list(ways(offer)))
    said |= {name: pick.value for name, pick in picked.items()}
    for field in offer.fields:
        if isinstance(field, Sum):
            least, most = bounds(field, picked.values())
            said[field.name] = temper.stakes(luck, least, min(most, least + modest))
    word: Input = convert(said, i.BettingInput)
    return word


# ---- Simulated players at écarté, and the inputs that they send next

NAMES: Final = ("Andrássy", "Berger", "Réti", "Szabó", "Wolf", "Haas", "Amber", "Lindqvist")
#: Faults that players make on request, and the chance of each per input at which it is possible.
FAULTS: Final[dict[str, float]] = {
    "device": 0.01,
    "refused": 0.03,
    "revoke": 0.1,
    "take_back": 0.02,
}
#: Each player brings this many least stakes in chips.
WEALTH: Final = 100
#: A player's words if all cards that he remembers are open elsewhere, so that one was misread
#: (ER-22).
_TWICE: Final = ti.Annulled(actor="supervisor", reason="the same card came twice")


class Players:
    """The simulated players and the croupier of one table."""

    def __init__(
        self, chance: Chance, *, faults: frozenset[str] = frozenset(), temper: Temper = USUAL
    ) -> None:
        self._luck, self._faults = chance, faults | temper.mistakes
        self._temper = temper
        self._afterwards: deque[Input] = deque()
        self._gone: set[tuple[int, int]] = set()

    def arrive(self, table: s.Table) -> Iterator[Input]:
        """Yield the inputs with which people arrive: each name takes a seat, with money."""
        for seat, name in enumerate(NAMES[: len(table.felt.seats)], 1):
            chips = Chips(WEALTH * table.house.least_stake)
            yield ti.Sits(seat=seat, name=name, chips=chips)

    def say(self, table: s.Table) -> Input | None:
        """The next input from one of the people, or None if the table waits for a card."""
        if self._afterwards:
            return self._afterwards.popleft()
        return self._interruption(table) or self._play(table)

    def progress(self, table: s.Table) -> Progress:
        """How far the evening has come."""
        due = s.foremost(table)
        over = isinstance(due, s.DealOver)
        return Progress(
            schlitten=table.felt.number,
            loaded=table.felt.shoe is not None,
            coups=table.felt.coups,
            settled=over,
            close=ti.SchlittenClosed() if over else None,
            again=isinstance(due, Unread),
            named=isinstance(due, Unread) and due.named is not None,
            idle=False,
        )

    def _fault(self, name: str) -> bool:
        return name in self._faults and self._luck.random() < FAULTS[name]

    def _interruption(self, table: s.Table) -> Input | None:
        if self._fault("device"):
            self._afterwards.append(DeviceBack(device="board"))
            return DeviceLost(device="board", why=CABLE_OUT)
        if self._fault("refused"):
            return i.Packets(first=4)
        if may_take_back(table) and self._fault("take_back"):
            return ti.TakesBack()
        return None

    def _play(self, table: s.Table) -> Input | None:
        due = s.foremost(table)
        if isinstance(due, PHASES):
            return says(table, self._luck, self._temper)
        match due:
            case s.CutDue(cuts=cuts):
                side = 0 if cuts[0] is None else 1
                seat = s.seat_of(table, side)
                return i.CutsForDeal(seat=seat, card=self._luck.choice(PACK_32))
            case s.NoSchlitten(done=done):
                return ti.Prepared() if done < 2 else load(table.felt)
            case s.PacketsDue():
                return i.Packets(first=self._luck.choice((2, 3)))
            case s.Dealing() | s.Buying():
                return None
            case Unread():
                return ti.UnreadRuled() if due.named is None else None
            case Stray():
                return ti.StrayRuled(ruling=ti.StrayRuling.BACK)
            case s.Asked():
                return i.Chooses(seat=s.seat_of(table, due.side), option=due.options[0])
            case s.DealOver():
                return self._marks(table) or ti.SchlittenClosed()
            case s.PartieOver():
                return i.Onward()
        return self._king(table) or self._speak(table)

    def _marks(self, table: s.Table) -> Input | None:
        for due in s.the_partie(table).due:
            return i.Marks(seat=s.seat_of(table, due.side), points=due.points, why=due.why)
        return None

    def _king(self, table: s.Table) -> Input | None:
        """The input of a player who marks the king of trumps as soon as he may, or None."""
        deal = s.the_deal(table)
        king = king_of(deal.trump)
        for side in (0, 1):
            speaks = isinstance(table.phase, s.LeadDue | s.ReplyDue)
            holds = king in self._hand(table, side) and speaks
            if may_mark_turned(table, side) or (holds and may_mark_king(table, side)):
                return i.Marks(seat=s.seat_of(table, side), points=1, why=i.Why.KING)
        return self._marks(table)

    def _speak(self, table: s.Table) -> Input:
        deal = s.the_deal(table)
        elder, dealer = (s.seat_of(table, side) for side in (deal.elder, deal.dealer))
        match table.phase:
            case s.ElderToSpeak():
                if s.talon(table) and not self._strong(table, deal.elder):
                    return i.Proposes(seat=elder)
                return self._lead(table, deal.elder)
            case s.DealerToAnswer():
                if deal.forced or not self._strong(table, deal.dealer):
                    return i.Accepts(seat=dealer)
                return i.Refuses(seat=dealer)
            case s.Discarding(side=side):
                return self._discards(table, side)
            case s.LeadDue():
                return self._lead(table, deal.leader)
        return self._reply(table, 1 - deal.leader)

    def _may_play(self, table: s.Table, side: int) -> list[Card]:
        """The cards that a side has and may play.

        The list has no card that was misread, because that card is open elsewhere.
        """
        deal = s.the_deal(table)
        possible = may_be(deal, side)
        hand = possible if s.hand_open(deal, side) else self._hand(table, side)
        return [card for card in hand if card in possible]

    def _cards(self, table: s.Table, side: int) -> list[Dealt]:
        """The cards that a side has now.

        They are those that its player remembers, or else the cards that he received last.
        """
        deal = s.the_deal(table)
        gone = s.played(deal, side)
        left = [dealt for dealt in deal.taken[side] if dealt.card not in gone]
        kept = [d for d in left if (table.felt.number, d.ordinal) not in self._gone]
        if len(kept) < deal.held[side]:  # the discard was taken back
            kept = left
        return kept[max(0, len(kept) - deal.held[side]) :]

    def _hand(self, table: s.Table, side: int) -> list[Card]:
        return [dealt.card for dealt in self._cards(table, side)]

    def _strong(self, table: s.Table, side: int) -> bool:
        deal, hand = s.the_deal(table), self._hand(table, side)
        trumps = sum(card.suit == deal.trump for card in hand)
        kings = sum(height(card) >= 6 for card in hand)
        return (
            trumps >= 3
            or (trumps == 2 and kings >= 1)
            or self._luck.random() < 0.1 * self._temper.ventures
        )

    def _discards(self, table: s.Table, side: int) -> Input:
        deal = s.the_deal(table)
        cards = self._cards(table, side)
        away = [d for d in cards if d.card.suit != deal.trump and height(d.card) < 7]
        least = int(side == deal.elder)
        most = len(cards) if side == deal.elder else min(len(cards), s.talon(table))
        away = (away or cards[:least])[:most]
        taken_back = max(0, len(away) - s.talon(table))
        for dealt in away[: len(away) - taken_back]:
            self._gone.add((table.felt.number, dealt.ordinal))
        return i.Discards(seat=s.seat_of(table, side), cards=len(away))

    def _lead(self, table: s.Table, side: int) -> Input:
        hand = self._may_play(table, side)
        if not hand:
            return _TWICE
        best = max(hand, key=lambda card: (height(card), card))
        return i.PlaysCard(seat=s.seat_of(table, side), card=best)

    def _reply(self, table: s.Table, side: int) -> Input:
        deal, hand = s.the_deal(table), self._may_play(table, side)
        if deal.led is None:
            raise ValueError("no card was led")
        if not hand:
            return _TWICE
        may = list(legal(hand, deal.led, deal.trump))
        seat = s.seat_of(table, side)
        if not s.hand_open(deal, side) and self._fault("revoke"):
            return i.PlaysCard(seat=seat, card=self._luck.choice(hand))
        led, trump = deal.led, deal.trump
        lowest = min(may, key=lambda card: (not takes(card, led, trump), height(card), card))
        return i.PlaysCard(seat=seat, card=lowest)

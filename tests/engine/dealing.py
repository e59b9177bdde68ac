"""Deals a whole Schlitten at the engine, guided by what a croupier sees: offers and events."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence

import msgspec

from table_controller.engine.chemin_de_fer import events as ev
from table_controller.engine.chemin_de_fer import inputs as i
from table_controller.engine.chemin_de_fer.state import Table
from table_controller.engine.chemin_de_fer.step import step
from table_controller.engine.chemin_de_fer.view import snapshot
from table_controller.engine.messages import Audience, CardSeen, Event, Input
from table_controller.engine.table import events as te
from table_controller.engine.table import inputs as ti
from table_controller.engine.views import Snapshot
from table_controller.rules.cards import PACK, Card
from tests import oracle


def shuffled(seed: int, packs: int = 6) -> list[Card]:
    """Six packs in an order of their own."""
    cards = list(PACK) * packs
    random.Random(seed).shuffle(cards)
    return cards


class Croupier:
    """Deals `cards` at a table, saying what `says` tells him, until the Schlitten is over.

    The white card comes out right after the last card before it, or, with `white_late`, as the
    first thing of the next deal.
    """

    def __init__(
        self,
        table: Table,
        cards: Sequence[Card],
        says: oracle.Players,
        *,
        seats: Sequence[int],
        white_late: bool = False,
    ) -> None:
        self.table, self.cards, self.says, self.seats = table, list(cards), says, seats
        self.white_late, self.white_due = white_late, False
        self.events: list[Event] = []
        self.hands: dict[int, list[Card]] = defaultdict(list)
        self.coup, self.over = 1, False

    def take(self, said: Input) -> None:
        """Let the table take one input, and listen."""
        self.table, told = step(self.table, said)
        self.events += told
        place = 0
        for event in told:
            match event:
                case te.CardDrawn():
                    place = event.seat
                case te.CardIdentified():
                    self.hands[place].append(event.card)
                case ev.CoupSettled():
                    self.coup += 1
                case te.SchlittenOver():
                    self.over = True

    def offered(self, now: Snapshot) -> dict[str, dict]:
        """What is due now, by the type of its input; of several alike the first."""
        due = [offer.input for offer in now.offers if offer.group == "main"]
        return {str(said["type"]): said for said in reversed(due)}

    def card(self) -> None:
        """The next card leaves the Schlitten; the white one lies before the last seven."""
        if self.white_due:
            self.white_due = False
            self.take(CardSeen(white=True))
        if len(self.cards) == oracle.BEHIND_WHITE + 1:
            self.white_due = True
        self.take(CardSeen(card=self.cards.pop(0)))
        if self.white_due and not self.white_late:
            self.white_due = False
            self.take(CardSeen(white=True))

    def play(self) -> list[dict]:
        """Deal until the Schlitten is over; the public events as a broker would carry them."""
        self.over = False
        while not self.over:
            self.go_on()
        return [
            msgspec.to_builtins(event) for event in self.events if event.audience is Audience.PUBLIC
        ]

    def go_on(self) -> None:
        """Do what is due."""
        now = snapshot(self.table, Audience.CROUPIER)
        offered, seat = self.offered(now), now.prompt.seats
        spoke = offered.get("spoke", {}).get("word")
        if "banks" in offered:
            self.take(i.Banks(seat=seat[0], chips=self.says.posts(self.coup, seat[0])))
        elif "banco" in offered:
            bank = snapshot(self.table, Audience.PUBLIC)
            at = next(hand.seat for hand in bank.hands if hand.name == "banker")
            prime = oracle.next_seat(at, self.seats)
            self.take(i.Banco(seat=self.says.plays(self.coup, at) or prime))
        elif spoke in ("carte", "reste"):
            word = self.says.pointeur(self.coup, oracle.points(self.hands[seat[0]]))
            self.take(i.Spoke(seat=seat[0], word=i.Word(word)))
        elif spoke:
            given = [hand[2] for hand in self.hands.values() if len(hand) == 3]
            held = oracle.points(self.hands[seat[0]])
            pips = oracle.points(given) if given else None
            draws = self.says.banker(self.coup, held, pips)
            self.take(i.Spoke(seat=seat[0], word=i.Word.DRAWS if draws else i.Word.STANDS))
        elif "opened" in offered:
            self.take(i.Opened(seat=int(offered["opened"]["seat"])))
        elif "paid" in offered:
            self.hands.clear()
            self.take(ti.Paid())
        else:
            self.card()

"""Observes a simulated evening: alerts with times, cards told, money, faults played.

It gets the table's events as any listener does. The module knows the inputs and the cards drawn,
but no rule of a game.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec.structs import replace

from table_controller.commands.simulated.faults import Fault
from table_controller.engine.messages import (
    AlertCleared,
    AlertDetailed,
    Audience,
    Input,
    Refused,
)
from table_controller.engine.table import inputs as ti
from table_controller.engine.table.events import CardDrawn, CardOpened, SchlittenCounted
from table_controller.rules.cards import Card
from table_controller.service.game import INTERNAL, settled
from table_controller.service.table import Told

if TYPE_CHECKING:
    from table_controller.wiring.app import Service

#: A card's code as a text of its own in a message.
CODE: Final = re.compile(r'"([2-9TJQKA][cdhs])"')
#: The most cards that one input opens.
_LAST: Final = 6
#: Inputs that carry money to the table, or away from it.
_MOVES_MONEY: Final = (ti.Sits, ti.Stands, ti.BuysIn, ti.CashesOut, ti.Leaves, ti.TakesBack)


@dataclass(slots=True)
class Alerted:
    """An alert: when it was raised and cleared, in seconds, and its remedy in English."""

    id: str
    raised_s: float
    remedy: str
    cleared_s: float | None = None


@dataclass(slots=True)
class PlayedFault:
    """A played fault: when it began and ended, in seconds; None if it did not."""

    fault: Fault
    began_s: float | None = None
    ended_s: float | None = None


@dataclass(slots=True)
class CountedSchlitten:
    """A Schlitten's count by the table, and the cards that had really left it."""

    remaining: Counter[str]  # empty if a game does not tell it
    left: int
    out: Counter[str]


class Watch:
    """A listener of one evening, through all its lives.

    `now_s` returns the world's time in seconds.
    """

    def __init__(self, now_s: Callable[[], float], faults: Sequence[Fault] = ()) -> None:
        self._now_s = now_s
        self.heard_s = now_s()
        self.faults = [PlayedFault(fault) for fault in faults]
        self.alerted: list[Alerted] = []
        self.counted: list[CountedSchlitten] = []
        self.found: list[str] = []
        self.inputs = self.coups = self.events = 0
        self._open: tuple[set[str], set[str]] = set(), set()  # of this coup, and of the last
        self._over = False  # the coup is settled, and the next card belongs to another
        self.passed_s: list[float] = []  # when something was drawn past the lip
        self._chips: int | None = None
        self._money_moves = False
        self._left = 0  # in the Schlitten, by the last picture
        self._looked: dict[Audience, bytes] = {}
        self._service: Service | None = None
        #: The cards that have really left the Schlitten in use. The dealer sets it.
        self.out: Callable[[], Counter[str]] = Counter

    def begin(self, service: Service) -> None:
        """Note that a life begins: the first one, or one after a power cut."""
        self._service, self._chips = service, None
        self.heard_s = self._now_s()
        # cards opened by the last commit before a power cut were told to nobody then
        for row in service.journal.of_types("card_opened")[-_LAST:]:
            self._open[0].add(msgspec.json.decode(row.body, type=CardOpened).card.value)

    # The faults

    def _played(self, fault: Fault) -> PlayedFault:
        return next(one for one in self.faults if one.fault is fault)

    def begins(self, fault: Fault) -> None:
        """Note that a fault begins now."""
        self._played(fault).began_s = self._now_s()

    def ends(self, fault: Fault, after_s: float = 0.0) -> None:
        """Note that a fault ends now, or after this many seconds."""
        self._played(fault).ended_s = self._now_s() + after_s

    # Inputs and events

    def say(self, said: Input) -> None:
        """Note a person's input before the table gets it."""
        card = getattr(said, "card", None)
        if isinstance(card, Card) and not said.SEALED:
            self._open[0].add(card.value)
        self._money_moves |= isinstance(said, _MOVES_MONEY)

    def answered(self, _told: Sequence[Told]) -> None:
        """Note that the person's input was answered.

        From now on, the total of the money at the table must not change.
        """
        self._money_moves = False

    def tell(self, told: Sequence[Told], _now: object, /) -> None:
        """Note the events of an input. The table calls this."""
        self.heard_s = self._now_s()
        self.inputs += 1
        self.events += len(told)
        ended = settled(event for event, _ in told)
        self.coups += ended
        for event, _ in told:
            self._hear(event)
            self._look("an event", msgspec.json.encode(event))
        self._over |= bool(ended)
        self._count_money()
        self._look_at_pictures()

    def _hear(self, event: Any) -> None:
        match event:
            case AlertDetailed(id=id_, remedy=remedy):
                if not any(one.id == id_ and one.cleared_s is None for one in self.alerted):
                    self.alerted.append(Alerted(id_, self._now_s(), str(remedy)))
            case AlertCleared(id=id_):
                for one in self.alerted:
                    if one.id == id_ and one.cleared_s is None:
                        one.cleared_s = self._now_s()
            case CardDrawn() if self._over:
                self._open, self._over = (set(), self._open[0]), False
            case CardOpened(card=card):
                self._open[0].add(card.value)
            case SchlittenCounted(remaining=remaining):
                self.counted.append(CountedSchlitten(Counter(remaining), self._left, self.out()))
            case Refused(rule=rule, said=said) if rule == INTERNAL:
                self.found.append(f"the program failed on {said}")

    def _count_money(self) -> None:
        service = self._service
        if service is None:
            return
        chips = sum(service.game.money(service.table.state).values())
        if self._chips not in (None, chips) and not self._money_moves:
            self.found.append(f"{chips - (self._chips or 0)} chips came from nowhere or went there")
        self._chips = chips

    # No closed card is told

    def _look_at_pictures(self) -> None:
        service = self._service
        if service is None:
            return
        for audience in (Audience.PUBLIC, Audience.CROUPIER):
            now = service.table.now.snapshot(audience)
            self._left = now.shoe.left if now.shoe else self._left
            # an offer names every card that somebody could say
            picture = msgspec.json.encode(replace(now, offers=()))
            if picture != self._looked.get(audience):
                self._looked[audience] = picture
                self._look(f"the {audience.value} picture", picture)

    def _look(self, where: str, text: bytes) -> None:
        """Report each card that `text` names, unless it was opened in this coup or in the last."""
        if b'"schlitten_counted"' in text:
            return  # it tells what was left
        for card in set(CODE.findall(text.decode())) - self._open[0] - self._open[1]:
            self.found.append(f"{where} names {card}, which does not lie open")

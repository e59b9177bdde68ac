"""The dealer at a simulated table. He draws cards past the lip, and shows a card again if asked.

He counts the cards that are out. A card that nobody saw leave is shown again, as a croupier who
counts would do. The module knows the lip's twin, and a table by its page.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Final

from table_controller.commands.simulated.cards import Schlitten
from table_controller.commands.simulated.faults import Fault
from table_controller.commands.simulated.lip import LipTwin, Passing, Physical
from table_controller.commands.simulated.watch import Watch
from table_controller.engine.messages import Audience
from table_controller.engine.players import Progress
from table_controller.rules.cards import Card
from table_controller.wiring.app import Service

#: Seconds until the first look for a verdict, and the most seconds that a verdict may take.
_SOON_S: Final = 0.3
_VERDICT_S: Final = 20.0
_LOOK_S: Final = 0.02
_WHITE_MISSED: Final = "missed white card"


class Dealer:
    """Draws the cards of one evening."""

    def __init__(
        self, lip: LipTwin, schlitten: Schlitten, watch: Watch, now_s: Callable[[], float]
    ) -> None:
        self._lip, self._schlitten, self._watch, self._now_s = lip, schlitten, watch, now_s
        self._befalls: list[Fault] = []  # the faults of the next cards
        self._hand: list[Physical] = []  # the unread cards, in the order in which they left
        watch.out = schlitten.count

    def load(self, number: int) -> None:
        """Load Schlitten `number`."""
        self._schlitten.load(number)

    def put_back(self, service: Service) -> None:
        """Put the last card back into the Schlitten, as a person ruled.

        At écarté it may lie on top of the talon instead: it has left by the table's count too.
        """
        if self._unknown(service):
            self._schlitten.put_back()

    def befall(self, fault: Fault) -> None:
        """Let a fault happen to the next card."""
        self._befalls.append(fault)

    def is_out(self, service: Service) -> bool:
        """Whether the cards come from a file, and none of them is left."""
        return self._schlitten.next == "" and not self._hand and not self._unknown(service)

    async def deal(self, service: Service, progress: Callable[[Any], Progress]) -> None:
        """Draw the next card, or show a card again.

        Returns once the table has accepted the card.
        """
        state = service.table.state
        passing = self._drawn(service, progress(state))
        if passing is None:
            return
        asked = _asked_for(service)
        await self._lip.show(passing)
        self._watch.passed_s.append(self._now_s())
        await self._verdict(service, state)
        again = progress(service.table.state).again
        if again and passing.cards == (None,):
            self._schlitten.put_back_white()  # people rule that no card left, and show it again
        if not again:
            self._hand.clear()
        elif asked and len(self._hand) > 1 and _asked_for(service) != asked:
            self._hand.pop(0)  # it is known, and the other card is asked for

    async def _verdict(self, service: Service, state: object) -> None:
        """Wait until the table has accepted the passage.

        Wait no longer if the camera has failed, so that nobody can have seen the passage.
        """
        end = self._now_s() + _VERDICT_S
        await asyncio.sleep(_SOON_S)
        while self._now_s() < end and (service.table.busy or service.table.state is state):
            await asyncio.sleep(_LOOK_S)
            if self._lip.fault or self._lip.still:
                return

    def none_left(self, service: Service) -> bool:
        """Whether more cards have left by the table's count than really have.

        Then the table has counted a card although none passed the lip.
        """
        return self._counted(service) > len(self._schlitten.out)

    @staticmethod
    def _counted(service: Service) -> int:
        shoe = service.table.now.snapshot(Audience.CROUPIER).shoe
        return shoe.cards - shoe.left if shoe else 0

    def _unknown(self, service: Service) -> list[tuple[Card, int]]:
        """Return the cards that left and that the table did not count."""
        return self._schlitten.out[self._counted(service) :]

    def _drawn(self, service: Service, now: Progress) -> Passing | None:
        """Return the next passage: a card to show again, a card that nobody saw, or the next card.

        Return None if there is no card to show.
        """
        if now.again and self.none_left(service):
            return None  # somebody has to say so
        if now.again:
            self._hand = self._hand or list(self._schlitten.out[-1:])
            return Passing((self._hand[0],)) if self._hand else None
        self._hand = list(self._unknown(service)[:1])
        return Passing((self._hand[0],)) if self._hand else self._next()

    def _next(self) -> Passing | None:
        if self._schlitten.next is None and not self._hides_white():
            self._schlitten.draw()
            return Passing((None,))
        card = self._schlitten.draw()
        if not isinstance(card, tuple):
            return None
        self._hand, passing = [card], Passing((card,))
        due = [fault for fault in self._befalls if fault.name != _WHITE_MISSED]
        if due:
            self._befalls.remove(due[0])
            self._suffer(due[0], passing)
        return passing

    def _hides_white(self) -> bool:
        """Whether a fault lets the white card leave unseen now. If so, let it leave."""
        fault = next((fault for fault in self._befalls if fault.name == _WHITE_MISSED), None)
        if fault is None:
            return False
        self._befalls.remove(fault)
        self._schlitten.skip_white()
        self._watch.begins(fault)
        self._watch.ends(fault)
        return True

    def _suffer(self, fault: Fault, passing: Passing) -> None:
        match fault.name:
            case "jam":
                passing.halts_ms = fault.ms
            case "misread":
                passing.reads = fault.how["reads"]
            case "double feed" if isinstance(other := self._schlitten.next, tuple):
                self._schlitten.draw()
                self._hand.append(other)
                passing.cards = (*passing.cards, other)
            case _:  # the white card is next, or nothing: it waits for another
                self._befalls.append(fault)
                return
        self._watch.begins(fault)
        self._watch.ends(fault, after_s=fault.ms / 1000)


def _asked_for(service: Service) -> str:
    """Return the id of the alert that asks for a card again, or ""."""
    alerts = (one.id for one in service.table.now.alerts)
    return next((id_ for id_ in alerts if id_.startswith("card-unread-")), "")

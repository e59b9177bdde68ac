"""Short evenings with the simulated lip, including events that make people talk of closed cards."""

from __future__ import annotations

from pathlib import Path

from table_controller.commands.players import SimulatedLip, seeded
from table_controller.engine.chemin_de_fer import game
from table_controller.engine.chemin_de_fer import inputs as i
from table_controller.engine.chemin_de_fer import state as s
from table_controller.engine.messages import CardNamed, CardSeen, Input
from table_controller.engine.seen import Unknown
from tests.whole import evening


class Dealt:
    """Cards and words of a seeded evening in which something goes wrong on purpose.

    The fifth card is not read and shown again, the ninth is entered blind by two people, the
    first card after the second settlement is a stray one, and a word is said out of turn while
    cards lie closed.
    """

    def __init__(self, seed: int) -> None:
        self._seed, self._people = seed, seeded(game, seed)
        self._lip: SimulatedLip | None = None
        self._count = 0
        self._next: list[Input] = []
        self._strayed = self._refused = False

    async def card(self, table: s.Table) -> Input:
        """What the lip, or those who stand round it, say next."""
        if self._next:
            return self._next.pop(0)
        self._lip = self._lip or SimulatedLip(self._seed, table.house)
        seen = self._lip.next(self._people.progress(table))
        if not isinstance(seen, CardSeen) or seen.card is None:
            return seen
        self._count += 1
        if self._count == 5:
            self._next = [seen]
            return CardSeen(actor="lip", unknown=Unknown.NO_READ)
        if self._count == 9:
            self._next = [
                CardNamed(actor="croupier", card=seen.card),
                CardNamed(actor="supervisor", card=seen.card),
            ]
            return CardSeen(actor="lip", unknown=Unknown.DISAGREE)
        return seen

    def word(self, table: s.Table) -> Input | None:
        """What people say next; None: a card is due."""
        if self._next:
            return None
        if isinstance(s.foremost(table), s.PointeurToSpeak) and not self._refused:
            self._refused = True
            return i.Opened(seat=table.bank.seat)
        if (
            isinstance(s.foremost(table), s.StakesDue)
            and table.felt.coups == 2
            and not self._strayed
        ):
            self._strayed = True
            return None
        return evening.steady(self._people.say(table), table)


async def play(folder: Path, port: int, *, name: str, seed: int = 3, coups: int = 4):
    """Play so many coups and look at everything."""
    dealt = Dealt(seed)
    return await evening.play(
        folder,
        port,
        dealt.card,
        dealt.word,
        until=lambda service, _: service.table.state.felt.coups > coups,
        name=name,
    )

"""Inputs and events without secrets: stand-ins replace closed cards, and seats replace people.

A rewritten input depends only on public knowledge: the cards that are open by now, and the words
said aloud. If two evenings differ only in closed cards, their rewritten inputs are the same. By
chance, a stand-in is now and then the true card. To avoid this would reveal that the stand-in is
not the true card (R-13). The module knows the inputs and events that every game has for a card. It
knows no game and no file.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, takewhile
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from table_controller.engine.messages import (
    BY_HAND,
    Booted,
    CardNamed,
    CardSeen,
    Event,
    Input,
    Refused,
)
from table_controller.engine.seen import Unknown
from table_controller.engine.table.events import (
    CardCorrected,
    CardDrawn,
    CardOpened,
    CardUnread,
    SchlittenReady,
)
from table_controller.engine.table.inputs import Corrects, CroupierChanged, Sits, Stands
from table_controller.engine.views import STANDING
from table_controller.rules.cards import PACKS, Card
from table_controller.rules.houses import House
from table_controller.service.game import closes

#: A text that replaces a supervisor's words, since they may name anybody.
REASON: Final = "a reason was given"


class Turn(NamedTuple):
    """An input and the events that it caused, without sealed events. `n` is the input's number."""

    n: int
    t_ms: int
    said: Input
    told: tuple[Event, ...]


class StandIns:
    """The cards of a sequence of turns: true cards where everybody may know them, else stand-ins.

    Attributes:
        closed: the numbers of the inputs whose card is a stand-in.
    """

    def __init__(self, turns: Sequence[Turn], house: House, seed: str) -> None:
        """`turns` are all turns up to now. A card counts as open even if a later turn opened it.

        `seed` decides the stand-ins.
        """
        self._turns, self._house, self._seed = turns, house, seed
        self._cards: dict[int, Card] = {}  # by the input's number
        self.closed: set[int] = set()
        self._assign()

    def of(self, turn: Turn) -> Input:
        """Return the turn's input. If its card is not open, the card is a stand-in."""
        said = turn.said
        match said:
            case CardSeen(white=False):
                return self._seen(turn, said)
            case CardNamed():
                return replace(said, card=self._card(turn))
            case Corrects():
                return replace(said, card=self._card(turn), reason=REASON)
        return said

    def _seen(self, turn: Turn, said: CardSeen) -> Input:
        """Return the reading with public facts only: the card, or the reason why there is none."""
        kinds = {type(event): event for event in turn.told}
        unread = kinds.get(CardUnread)
        if isinstance(unread, CardUnread) and CardDrawn not in kinds:
            return replace(said, card=None, copy=0, unknown=unread.reason)
        if said.card is None:  # "seen before" is for the staff alone
            twice = said.unknown is Unknown.DUPLICATE
            return replace(said, unknown=Unknown.UNSURE) if twice else said
        return replace(said, card=self._card(turn), copy=0)

    def _card(self, turn: Turn) -> Card:
        if turn.n in self._cards:
            return self._cards[turn.n]
        refused = next((event for event in turn.told if isinstance(event, Refused)), None)
        over = refused and (refused.rule == "R-20" or turn.said.actor.startswith(BY_HAND))
        return self._full(turn.n) if over else PACKS[self._house.pack][0]

    def _full(self, n: int) -> Card:
        """Return a card whose copies are all open before input `n`, if there is such a card.

        The table refuses such a card, as it refused the card of input `n`.
        """
        found = Counter[Card]()
        for turn in self._turns:
            if turn.n >= n:
                break
            found.update(event.card for event in turn.told if isinstance(event, CardOpened))
            if any(isinstance(event, CardDrawn) and event.ordinal == 1 for event in turn.told):
                found.clear()
        most = max(found, key=lambda card: found[card], default=None)
        return most or PACKS[self._house.pack][0]

    # The card that each input names, as far as everybody may know it

    def _assign(self) -> None:
        """Choose the card for each input that names one: the open card, or else a stand-in."""
        story = _story(self._turns)
        by_shoe = groupby(_named(self._turns), key=lambda one: one.shoe)
        groups = [list(group) for _, group in by_shoe]
        ends = [*(group[0].n for group in groups[1:]), self._turns[-1].n + 1] if groups else []
        for named, end in zip(groups, ends, strict=True):
            opened = {one.n: _opened(story[one.ordinal], one.n) for one in named}
            self._shown(named, opened, end)
            self._cards |= {n: card for n, card in opened.items() if card}
            shut = [n for n, card in opened.items() if card is None]
            self.closed.update(shut)
            self._cards |= zip(shut, self._drawn(opened, shut), strict=False)
        self._blind()

    def _shown(self, named: list[_Named], opened: dict[int, Card | None], end: int) -> None:
        """Note the cards that players showed or played, without a passage, before input `end`.

        Each such card is taken for the player's first dealt card that `opened` does not know yet.
        """
        begin = named[0].n
        of_it = (turn for turn in self._turns if begin <= turn.n < end)
        for seat, card in _played(takewhile(lambda turn: not closes(turn.told), of_it)):
            there = sum(one is card for one in opened.values())
            shut = [one.n for one in named if one.seat == seat and opened[one.n] is None]
            if shut and there < self._house.packs:
                opened[shut[0]] = card

    def _drawn(self, opened: dict[int, Card | None], shut: list[int]) -> Iterator[Card]:
        """Return stand-ins for the inputs `shut`: cards of the packs that are not in `opened`.

        Only the seed and the inputs' numbers decide their order.
        """
        left = Counter(dict.fromkeys(PACKS[self._house.pack], self._house.packs))
        left.subtract(card for card in opened.values() if card)
        pool = sorted((+left).elements())
        random.Random(f"{self._seed} {min(opened, default=0)}").shuffle(pool)
        return iter(pool[: len(shut)])

    def _blind(self) -> None:
        """Choose a card for the first of two entries, where two people each typed an unread card.

        It is the card of the second entry, or another card if the two entries differed.
        """
        first: int | None = None
        for turn in self._turns:
            if not isinstance(turn.said, CardNamed) or _refused(turn):
                continue
            if first is None:
                first = turn.n
                continue
            unread = next((one for one in turn.told if isinstance(one, CardUnread)), None)
            if turn.n in self._cards:
                self._cards[first] = self._cards[turn.n]
            elif unread and unread.reason is Unknown.DISAGREE:
                one, other, *_ = PACKS[self._house.pack]
                self._cards[first], self._cards[turn.n] = one, other
            else:
                self._cards[first] = self._cards[turn.n] = self._full(turn.n)
            first = None


def _refused(turn: Turn) -> bool:
    return any(isinstance(event, Refused) for event in turn.told)


class _Named(NamedTuple):
    """An input that named a card: its number, the card's passage, and the seat of its player, or 0.

    `shoe` is the number of the Schlitten. Passages may be counted on from one Schlitten to the
    next.
    """

    n: int
    ordinal: int
    seat: int
    shoe: int


def _named(turns: Sequence[Turn]) -> Iterator[_Named]:
    """Yield the inputs that named a card."""
    shoe = 0
    for turn in turns:
        shoe += any(isinstance(event, SchlittenReady) for event in turn.told)
        if not isinstance(turn.said, CardSeen | CardNamed | Corrects):
            continue
        drawn = [one for one in turn.told if isinstance(one, CardDrawn | CardCorrected)]
        if drawn:  # a card that was kept before may be dealt first
            one = max(drawn, key=lambda one: one.ordinal)
            yield _Named(turn.n, one.ordinal, getattr(one, "seat", 0), shoe)


def _played(turns: Iterable[Turn]) -> Iterator[tuple[int, Card]]:
    """Yield the cards that players opened without a passage: the player's seat and the card."""
    for turn in turns:
        for event in turn.told:
            seat, card = getattr(event, "seat", 0), getattr(event, "card", None)
            if seat and card and not isinstance(event, CardOpened):
                yield seat, card


def _story(turns: Sequence[Turn]) -> dict[int, list[tuple[int, Card | None]]]:
    """Return, for each passage, the inputs that named its card and those at which it was opened.

    An input that named the card has None in place of the card.
    """
    found: dict[int, list[tuple[int, Card | None]]] = {}
    for turn in turns:
        for one in _named([turn]):
            found.setdefault(one.ordinal, []).append((one.n, None))
        for event in turn.told:
            if isinstance(event, CardOpened):
                found.setdefault(event.ordinal, []).append((turn.n, event.card))
    return found


def _opened(story: Sequence[tuple[int, Card | None]], n: int) -> Card | None:
    """Return the card that input `n` named, if it is open; else None.

    The card must have been opened before another input named the same passage.
    """
    later = story[story.index((n, None)) + 1 :]
    return later[0][1] if later else None


class Nobody:
    """Replaces names. A player's name becomes his first seat, a staff member's name a number."""

    def __init__(self) -> None:
        self._players: dict[str, str] = {}
        self._staff: dict[str, str] = {}

    def of(self, said: Input) -> Input:
        """Return the input without names, and without texts that somebody wrote."""
        changes: dict[str, Any] = {}
        kind, _, name = said.actor.partition(":")
        if name:
            changes["actor"] = f"{kind}:{self._person(name)}"
        match said:
            case Sits(name=who, seat=seat):
                changes["name"] = self._player(who, seat)
            case Stands(name=who):
                changes["name"] = self._player(who, STANDING + 1)
            case CroupierChanged(name=who):
                changes["name"] = self._person(who)
            case Booted():
                changes |= {"boot": "0" * 32, "source": "", "stream": ""}
        if getattr(said, "reason", ""):
            changes["reason"] = REASON
        return replace(said, **changes) if changes else said

    def _player(self, name: str, seat: int) -> str:
        return self._players.setdefault(name, f"Seat {seat}") if name else ""

    def _person(self, name: str) -> str:
        return self._staff.setdefault(name, f"Person {len(self._staff) + 1}") if name else ""

    def state(self, saved: dict[str, Any]) -> dict[str, Any]:
        """Return a saved table without the names of players and staff.

        The table's list of people with roles is empty.
        """
        felt = saved["felt"]
        for base, places in ((0, felt["seats"]), (STANDING, felt.get("standing", ()))):
            for place, who in enumerate(places, base + 1):
                if who:
                    who["name"] = self._player(who["name"], place)
        felt["croupier"] = self._person(felt.get("croupier", ""))
        for one in felt.get("persons", ()):
            self._person(one["name"])
        felt["persons"], felt["withdrawn"] = [], None
        found: dict[str, Any] = self._without(saved)
        return found

    def _without(self, value: Any) -> Any:
        """Return a saved value in which every known name is replaced, wherever it occurs."""
        if isinstance(value, dict):
            return {name: self._without(one) for name, one in value.items()}
        if isinstance(value, list):
            return [self._without(one) for one in value]
        if not isinstance(value, str):
            return value
        kind, _, name = value.rpartition(":")
        known = self._players.get(name) or self._staff.get(name)
        return (f"{kind}:{known}" if kind else known) if known else value

"""The smallest game that has everything: sums, closed cards, a Schlitten that closes, faults."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

import msgspec
from msgspec import Struct

from table_controller.engine.alerts import Alerts
from table_controller.engine.commitments import Secret, commitment, nonce
from table_controller.engine.messages import (
    AgainstRules,
    Audience,
    CardNamed,
    CardSeen,
    Event,
    Input,
    Refused,
    phrase,
)
from table_controller.engine.people import Chance
from table_controller.engine.sheet import Sheet
from table_controller.engine.views import Snapshot
from table_controller.rules.cards import Card
from table_controller.rules.houses import House


class Add(Input, frozen=True):
    """Add to the sum; more than 100 at once is refused."""

    chips: int


class Show(Input, frozen=True):
    """Open all closed cards."""


class Close(Input, frozen=True):
    """The Schlitten is over."""


class Boom(Input, frozen=True):
    """A fault of the program."""


class Counted(Event, frozen=True):
    """The sum now."""

    total: int


class Noted(Event, frozen=True):
    """Who added, for the staff."""

    audience: ClassVar[Audience] = Audience.CROUPIER
    actor: str
    chips: int


class CardDrawn(Event, frozen=True):
    """A closed card, promised."""

    seat: int
    ordinal: int
    commitment: str


class CardIdentified(Event, frozen=True):
    """Which one, for nobody."""

    audience: ClassVar[Audience] = Audience.SEALED
    ordinal: int
    card: Card


class CardOpened(Event, frozen=True):
    """It lies open."""

    seat: int
    ordinal: int
    card: Card
    nonce: str


class Closed(Event, frozen=True):
    """The Schlitten is over: recovery starts here."""

    CHECKPOINT: ClassVar[bool] = True
    total: int


class State(Struct, frozen=True):
    """A sum, and the closed cards."""

    key: Secret
    total: int = 0
    shoe: int = 1
    ordinal: int = 0
    closed: tuple[tuple[int, Card], ...] = ()


name = "counting"
inputs = CardSeen | CardNamed | Add | Show | Close | Boom
events = Counted | Noted | CardDrawn | CardIdentified | CardOpened | Closed | Refused
KEY = Secret(b"k" * 32)
SECRET = "Zq"  # stands in faults, where a card could


def begin(house: object = None, key: Secret = KEY) -> State:
    return State(key=key)


def step(state: State, said: Input) -> tuple[State, tuple[Event, ...]]:
    match said:
        case Add(chips=chips):
            if chips > 100:
                raise AgainstRules(
                    phrase("{chips} is over 100.", chips=chips), phrase("Add less."), "T-1"
                )
            total = state.total + chips
            after = msgspec.structs.replace(state, total=total)
            return after, (Counted(total=total), Noted(actor=said.actor, chips=chips))
        case CardSeen(card=Card() as card) | CardNamed(card=card):
            n = state.ordinal + 1
            promise = commitment(nonce(state.key, str(state.shoe), n), card)
            after = msgspec.structs.replace(state, ordinal=n, closed=(*state.closed, (n, card)))
            drawn = CardDrawn(seat=1, ordinal=n, commitment=promise)
            known = CardIdentified(ordinal=n, card=card)
            return after, (drawn, known) if isinstance(said, CardSeen) else (known, drawn)
        case CardSeen():
            raise AgainstRules(phrase("A card was not read."), phrase("Show it again."))
        case Show():
            return msgspec.structs.replace(state, closed=()), _opened(state)
        case Close():
            fresh = State(key=state.key, total=state.total, shoe=state.shoe + 1)
            return fresh, (*_opened(state), Closed(total=state.total))
    raise KeyError(SECRET)


def _opened(state: State) -> tuple[Event, ...]:
    return tuple(
        CardOpened(seat=1, ordinal=n, card=card, nonce=nonce(state.key, str(state.shoe), n).hex())
        for n, card in state.closed
    )


def snapshot(state: State, audience: Audience) -> Any:
    return {"total": state.total, "closed": len(state.closed)}


def money(state: State) -> dict[str, int]:
    return {"sum": state.total}


def save(state: State) -> bytes:
    return msgspec.json.encode({"total": state.total, "shoe": state.shoe})


def by_hand(state: State, picture: Snapshot, *, reads: bool) -> Snapshot:
    return picture


def prompt(state: State) -> int:
    return state.ordinal + 1


def alerts(state: State) -> Alerts:
    return ()


def asks_again(state: State) -> bool:
    return False


def deadline(state: State) -> None:
    return None


def changed(before: State, after: State, told: Sequence[Event]) -> bool:
    return before != after


def sums(events: Iterable[dict[str, Any]]) -> None:
    return None


faults: dict[str, float] = {}


def people(chance: Chance, *, faults: frozenset[str]) -> Any:
    raise NotImplementedError


def read(line: str) -> Input:
    word, _, rest = line.partition(" ")
    return msgspec.convert({"type": word, **({"chips": int(rest)} if rest else {})}, type=inputs)


def write(said: Input) -> str:
    return f"add {said.chips}" if isinstance(said, Add) else str(said.__struct_config__.tag)


def load(begun: State, saved: bytes) -> State:
    return msgspec.structs.replace(begun, **msgspec.json.decode(saved))


house = House


def recall(events: Iterable[dict[str, Any]]) -> Sheet:
    return Sheet((), (), ())


def wall(house: House) -> Sheet:
    return Sheet((), (), ())

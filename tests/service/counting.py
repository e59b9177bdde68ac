"""The smallest game that has everything: sums, closed cards, a Schlitten that closes, faults."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from table_controller.engine import alerts as alerting
from table_controller.engine.alerts import Alerts
from table_controller.engine.messages import (
    AgainstRules,
    AlertAcknowledged,
    AlertCleared,
    AlertDetailed,
    AlertRaised,
    AlertSeen,
    Audience,
    Booted,
    CardNamed,
    CardSeen,
    DeviceBack,
    DeviceLost,
    Event,
    Input,
    OutOfTurn,
    Refused,
    Restored,
    StalePrompt,
    phrase,
)
from table_controller.engine.pieces import Cell, Entry, Figure, Hand, Road
from table_controller.engine.players import USUAL, Chance, Progress, Temper
from table_controller.engine.promises import SecretKey, nonce, promise
from table_controller.engine.sheet import Sheet
from table_controller.engine.shoe import Dealt
from table_controller.engine.table import view
from table_controller.engine.table.evening import Expected, PlayedCoup
from table_controller.engine.table.events import CardDrawn, CardIdentified, CardOpened, Withdrawn
from table_controller.engine.table.inputs import TakesBack
from table_controller.engine.table.roles import Person
from table_controller.engine.views import (
    Offer,
    Prompt,
    SeatView,
    ShoeView,
    Snapshot,
    Sum,
)
from table_controller.rules.cards import Card
from table_controller.rules.houses import House


class Add(Input, frozen=True):
    """Add to the sum, from 0 to 100 at once."""

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


class Closed(Event, frozen=True):
    """The Schlitten is over: recovery starts here."""

    CHECKPOINT: ClassVar[bool] = True
    total: int


class State(Struct, frozen=True):
    """A sum, the closed cards, and what was there before the last addition."""

    key: SecretKey
    total: int = 0
    shoe: int = 1
    ordinal: int = 0
    closed: tuple[tuple[int, Card, str], ...] = ()
    open: tuple[Card, ...] = ()
    prompt: int = 1
    alerts: Alerts = ()
    undo: int | None = None
    since: int = 0  # public events since the sum that can be taken back, its own one with them
    boot: str = ""


name = "counting"
inputs = (
    Booted | Restored | CardSeen | CardNamed | Add | Show | Close | TakesBack | Boom
    | DeviceLost | DeviceBack | AlertAcknowledged
)  # fmt: skip
events = (
    Counted | Withdrawn | Noted | CardDrawn | CardIdentified | CardOpened | Closed | Refused
    | AlertRaised | AlertDetailed | AlertSeen | AlertCleared
)  # fmt: skip
buttons = ()
lamps = Path(__file__).with_suffix(".toml")
MOST = 100
#: Of its Schlitten, as far as anybody counts.
CARDS = 52
#: What the cards that lie open are drawn with, red and black.
COLOURS = (
    Cell(sign="○", text=phrase("red"), tone="red"),
    Cell(sign="●", text=phrase("black"), tone="grey"),
)
SECRET = "Zq"  # stands in faults, where a card could
KEY = SecretKey(b"k" * 32)


def begin(house: Any = None, key: SecretKey = KEY) -> State:
    return State(key=key)


def step(state: State, said: Input) -> tuple[State, tuple[Event, ...]]:
    if said.prompt is not None and said.prompt != state.prompt:
        raise StalePrompt(phrase("The sum has changed since."), phrase("Look again."))
    after, told = _step(state, said)
    since = sum(event.audience is Audience.PUBLIC for event in told)
    after = replace(after, since=since + (0 if isinstance(said, Add) else state.since))
    if isinstance(said, Booted | DeviceLost | DeviceBack | AlertAcknowledged):
        return after, told
    return replace(after, prompt=state.prompt + 1), told


def _in_bounds(chips: int) -> None:
    if chips < 0:
        raise AgainstRules(phrase("{chips} is below 0.", chips=chips), phrase("Add more."), "T-1")
    if chips > MOST:
        raise AgainstRules(phrase("{chips} is over 100.", chips=chips), phrase("Add less."), "T-1")


def _step(state: State, said: Input) -> tuple[State, tuple[Event, ...]]:
    match said:
        case Add(chips=chips):
            _in_bounds(chips)
            total = state.total + chips
            after = replace(state, total=total, undo=state.total)
            return after, (Counted(total=total), Noted(actor=said.actor, chips=chips))
        case CardSeen(card=Card() as card) | CardNamed(card=card):
            n = state.ordinal + 1
            made = promise(_nonce(state, n, card, state.boot), card)
            after = replace(
                state, ordinal=n, closed=(*state.closed, (n, card, state.boot)), undo=None
            )
            drawn = CardDrawn(seat=1, ordinal=n, commitment=made)
            known = CardIdentified(ordinal=n, card=card, attempt=0)
            return after, (drawn, known) if isinstance(said, CardSeen) else (known, drawn)
        case CardSeen():
            raise AgainstRules(phrase("A card was not read."), phrase("Show it again."))
        case Show():
            shown = (*state.open, *(card for _, card, _ in state.closed))
            return replace(state, closed=(), open=shown, undo=None), _opened(state)
        case Close():
            fresh = State(
                state.key, state.total, state.shoe + 1, alerts=state.alerts, boot=state.boot
            )
            return fresh, (*_opened(state), Closed(total=state.total))
        case Restored():
            fresh = State(
                state.key, state.total, state.shoe + 1, alerts=state.alerts, boot=state.boot
            )
            return fresh, (Closed(total=state.total),)
        case TakesBack():
            if state.undo is None:
                raise OutOfTurn(phrase("Nothing was added."), phrase("Add something."))
            return replace(state, total=state.undo, undo=None), (
                Withdrawn(said="add", ago=state.since, events=1),
            )
        case Booted(boot=boot):
            return replace(state, boot=boot), ()
        case DeviceLost() | DeviceBack():
            now, told = alerting.device(state.alerts, said)
            return replace(state, alerts=now), told
        case AlertAcknowledged():
            now, told = alerting.acknowledged(state.alerts, said)
            return replace(state, alerts=now), told
    raise KeyError(SECRET)


def _opened(state: State) -> tuple[Event, ...]:
    return tuple(
        CardOpened(seat=1, ordinal=n, card=card, nonce=_nonce(state, n, card, boot).hex())
        for n, card, boot in state.closed
    )


def _nonce(state: State, n: int, card: Card, boot: str) -> bytes:
    return nonce(state.key, str(state.shoe), 0, Dealt(n, card, boot=boot))


def _offers(state: State) -> Iterator[Offer]:
    much = Sum(label=phrase("chips"), least=0, most=MOST, suggested=5)
    yield Offer(input={"type": "add"}, label=phrase("add"), fields=(much,))
    yield Offer(input={"type": "show"}, label=phrase("show"))
    if state.undo is not None:
        yield Offer(input={"type": "takes_back"}, label=phrase("take back"), group="more")
    yield Offer(input={"type": "close"}, label=phrase("close"), group="more", hold=True)
    for alert in state.alerts:
        if not alert.acknowledged:
            said = {"type": "alert_acknowledged", "alert": alert.id}
            yield Offer(input=said, label=phrase("Seen"), group="alert")


def snapshot(state: State, audience: Audience) -> Snapshot:
    staff = audience is not Audience.PUBLIC
    return Snapshot(
        house="here", title="Here", game=name, unit="", coup=state.shoe,
        shoe=ShoeView(
            id=str(state.shoe), number=state.shoe, cards=CARDS, left=CARDS - state.ordinal,
            white_at=0,
        ),
        seats=(SeatView(seat=1, taken=True, host=True),),
        hands=(
            Hand(
                name="cards", label=phrase("cards"), seat=1,
                cards=(*state.open, *(None for _ in state.closed)),
            ),
        ),
        figures=(Figure(name="sum", label=phrase("sum"), value=state.total),),
        displays=("sum",),
        prompt=Prompt(
            id=state.prompt, news=phrase(""), ask=phrase("Add something."), why=phrase(""),
            seats=(1,),
        ),
        steps=(), step=-1, last=(),
        alerts=view.alerts(state.alerts, staff=staff),
        offers=tuple(_offers(state)) if staff else (),
        roads=(opened(state.open),),
    )  # fmt: skip


def opened(cards: tuple[Card, ...]) -> Road:
    """What lies open by its colour, in the order in which it was opened."""
    return Road(
        name="opened",
        label=phrase("opened"),
        rows=6,
        key=COLOURS,
        entries=tuple(Entry(n % 6, n // 6, int(card.suit in "cs")) for n, card in enumerate(cards)),
    )


def money(state: State) -> dict[str, int]:
    return {"sum": state.total}


def save(state: State) -> bytes:
    return msgspec.json.encode(replace(state, key=SecretKey(b"")))


def load(begun: State, saved: bytes) -> State:
    return replace(msgspec.json.decode(saved, type=State), key=begun.key)


def by_hand(state: State, picture: Snapshot, *, reads: bool) -> Snapshot:
    return picture


def persons(_state: State) -> tuple[Person, ...]:
    """It asks nobody who he is."""
    return ()


def prompt(state: State) -> int:
    return state.prompt


def alerts(state: State) -> Alerts:
    return state.alerts


def asks_again(state: State) -> bool:
    return False


def deadline(state: State) -> None:
    return None


def changed(before: State, after: State, told: Sequence[Event]) -> bool:
    return replace(before, prompt=0, undo=None) != replace(after, prompt=0, undo=None)


def sums(events: Iterable[dict[str, Any]]) -> None:
    return None


faults: dict[str, float] = {}


class Counters:
    """They add, look, and now and then begin anew."""

    def __init__(self, chance: Chance) -> None:
        self._chance = chance

    def arrive(self, _state: State) -> Iterator[Input]:
        yield from ()

    def say(self, state: State) -> Input | None:
        what = self._chance.random()
        if what < 0.5:
            return Add(chips=self._chance.randint(1, MOST))
        if what < 0.55 or state.ordinal >= CARDS:
            return Close()
        return Show() if what < 0.65 else None

    def progress(self, state: State) -> Progress:
        return Progress(
            schlitten=state.shoe, loaded=True, coups=state.shoe, settled=False, close=Close(),
            again=False, named=False, idle=False,
        )  # fmt: skip


def players(chance: Chance, *, faults: frozenset[str], temper: Temper = USUAL) -> Counters:
    return Counters(chance)


def read(line: str) -> Input:
    """A line is JSON, as in a recording."""
    try:
        return msgspec.json.decode(line, type=inputs)
    except msgspec.DecodeError as error:
        raise ValueError(f"not a line of the counting game: {line!r}") from error


def write(said: Input) -> str:
    return msgspec.json.encode(replace(said, prompt=None)).decode()


house = House
HERE = House(id="here", title="Here", game=name, unit="", seats=2, packs=1)


def recall(events: Iterable[dict[str, Any]]) -> Sheet:
    return Sheet((), (), ())


def coups(events: Iterable[dict[str, Any]], house: House) -> tuple[PlayedCoup, ...]:
    return ()


def expected(house: House) -> tuple[Expected, ...]:
    return ()


def wall(house: House) -> Sheet:
    return Sheet((), (), ())

"""Random evenings of any game: what people, sensors and mistakes do, and everybody's view of it.

The module knows a game only by its interface: offers, inputs, events by their tags.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple, get_args

import msgspec
from msgspec import inspect
from msgspec.structs import replace

from table_controller.engine.messages import (
    Audience,
    CardNamed,
    CardSeen,
    Event,
    Input,
    Phrase,
    Refusal,
)
from table_controller.engine.seen import Unknown
from table_controller.engine.views import Offer, Snapshot
from table_controller.rules.cards import Card
from table_controller.service.game import Game, refused
from tests.contract.games import Played
from tests.engine.filling import by_tag, filled, read

CODE = re.compile(rb"(?<![0-9A-Za-z])[A2-9TJQK][cdhs](?![0-9A-Za-z])")
#: What people write where a text is asked for.
TEXTS = ("anna", "berta", "lip", "Anna [lip]", "# => x", "a: b", "", " ", "é, 7 b")


class Step(NamedTuple):
    """An input, what was before and after it, and what came of it."""

    before: Any
    said: Input
    after: Any
    told: tuple[Event, ...]
    refusal: Refusal | None


def tag(what: Input | Event | type) -> str:
    """The name of an input or event on the wire."""
    return str(what.__struct_config__.tag)


def mixed(played: Played, seed: int, packs: int) -> list[Card]:
    """A Schlitten's cards in an order of their own."""
    cards = list(played.pack) * (1 if played.apart else packs)
    random.Random(seed).shuffle(cards)
    return cards


def taken(game: Game[Any], before: Any, said: Input) -> Step:
    """One input at the table, taken or refused."""
    try:
        after, told = game.step(before, said)
    except Refusal as refusal:
        return Step(before, said, before, (), refusal)
    return Step(before, said, after, told, None)


def seen(game: Game[Any], step: Step) -> list[object]:
    """Everything that staff and public get to see and hear of a step, and a log with them."""
    told: list[object] = [event for event in step.told if event.audience is not Audience.SEALED]
    if no := step.refusal:
        told += [refused(step.said, no), str(no), repr(no), repr(no.args)]
    pictures = (game.snapshot(step.after, who) for who in (Audience.PUBLIC, Audience.CROUPIER))
    return [*told, *pictures]


def named(told: list[object]) -> set[str]:
    """Every card that these name, in the bytes that go out and in what a log would print."""
    sent = msgspec.json.encode(told) + repr(told).encode()
    return {code.decode() for code in CODE.findall(sent)}


def unpicked(told: list[object]) -> list[object]:
    """The same, but for the cards that a picker offers, whatever is held."""
    return [
        replace(one, offers=_unpicked(one.offers)) if isinstance(one, Snapshot) else one
        for one in told
    ]


def _unpicked(offered: tuple[Offer, ...]) -> tuple[Offer, ...]:
    return tuple(
        replace(one, fields=tuple(field for field in one.fields if field.name != "card"))
        for one in offered
    )


def laid(played: Played, step: Step) -> set[str]:
    """The card that somebody entered as one that lies open, taken or refused."""
    return {step.said.card.value} if tag(step.said) in played.lays else set()  # type: ignore[attr-defined]


def masked(told: list[object]) -> list[object]:
    """Without the promises, which must differ and say nothing."""
    return [replace(e, commitment="") if hasattr(e, "commitment") else e for e in told]  # type: ignore[type-var]


def ordinals(step: Step, kind: str) -> list[int]:
    """Of the cards that a step tells such an event of."""
    return [event.ordinal for event in step.told if tag(event) == kind]  # type: ignore[attr-defined]


def opened(step: Step) -> set[str]:
    """The cards that it lays open."""
    return {event.card.value for event in step.told if tag(event) == "card_opened"}  # type: ignore[attr-defined]


def offers(game: Game[Any], state: Any) -> list[Offer]:
    """What the page offers to somebody who has not to type a card."""
    return [one for one in game.snapshot(state, Audience.CROUPIER).offers if not one.secret]


def walk(
    played: Played, state: Any, luck: random.Random, box: list[Card], *, closing: bool = False
) -> Iterator[Step]:
    """Whims until the box is empty: likely things, cards, mistakes, and anything at all."""
    game, box = played.game, list(box)
    while box:
        step = taken(game, state, whim(played, state, luck, box, closing=closing))
        state = step.after
        if played.apart and any(tag(event) == "schlitten_ready" for event in step.told):
            box = mixed(played, luck.randrange(10**9), 1)
        yield step


def whim(
    played: Played, state: Any, luck: random.Random, box: list[Card], *, closing: bool
) -> Input:
    """What somebody might do at this table now; cards come from `box`."""
    picture = played.game.snapshot(state, Audience.CROUPIER)
    return whim_of(played, state, picture, luck, box, closing=closing)


def whim_of(
    played: Played,
    state: Any,
    picture: Snapshot,
    luck: random.Random,
    box: list[Card],
    *,
    closing: bool,
) -> Input:
    """The same, where the staff's picture is known."""
    never = frozenset() if closing else played.ends
    offered = (one for one in picture.offers if not one.secret)
    lit = [one for one in offered if one.input["type"] not in never]
    what = luck.random()
    if played.apart:  # its Schlitten is small: most cards come when one is due
        due = card_due(played.game, state, picture)
        what = luck.choice((0.7, what)) if due else what * 0.67
    back = [one for one in lit if one.input["type"] == "takes_back"]
    if what < 0.05 and back:
        return pressed(played, back[0], luck)
    if what < 0.65 and lit:
        due = [one for one in lit if one.group == "main"]  # what is asked for is likelier
        return pressed(played, luck.choice(due if due and luck.random() < 0.4 else lit), luck)
    if what < 0.9:
        return CardSeen(card=box.pop(0))
    if what < 0.93:
        return CardSeen(unknown=luck.choice(list(Unknown)))
    if what < 0.96:
        return CardNamed(card=box[0], actor=luck.choice(["anna", "berta"]))
    kinds = [kind for kind in get_args(played.game.inputs) if tag(kind) not in never]
    wild = [k for k in kinds if tag(k) not in played.faults | {"card_seen", "card_named"}]
    return anything(luck.choice(wild), luck)


def card_due(game: Game[Any], state: Any, picture: Snapshot) -> bool:
    """Whether the page asks first for a card, where nothing reads them."""
    picture = game.by_hand(state, picture, reads=False)
    return any(o.input["type"] == "card_seen" and o.group == "main" for o in picture.offers)


def pressed(played: Played, offer: Offer, luck: random.Random) -> Input:
    """The input that a button makes, with what somebody fills in."""
    said = filled(offer, luck)
    assert offer.takes(said), said
    found: Input = read(said, played.game.inputs)
    return found


def said_by(game: Game[Any], offer: Offer, said: Input) -> bool:
    """Whether a button says just that, its fields filled in as they may be."""
    filled_in = {field.name for field in offer.fields} | offer.input.keys()
    words = {k: v for k, v in msgspec.to_builtins(said).items() if k in filled_in}
    return offer.takes(words) and read(words, game.inputs) == said


def kinds(game: Game[Any]) -> dict[str, type[Input]]:
    """The game's inputs by their names on the wire."""
    return by_tag(game.inputs)


def anything(kind: type[Input], luck: random.Random) -> Input:
    """An input of this kind, from fields that need not make sense now."""
    fields = _fields(kind)
    while True:
        said = {field.name: _value(field.type, luck) for field in fields}
        try:
            return msgspec.convert({"type": tag(kind), **said}, kind)
        except msgspec.ValidationError:
            continue


@cache
def _fields(kind: type[Input]) -> tuple[inspect.Field, ...]:
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    return tuple(field for field in info.fields if field.name not in {"actor", "prompt"})


def _value(kind: inspect.Type, luck: random.Random) -> object:
    """A value of a field's type."""
    simple: dict[type, Callable[[], object]] = {
        inspect.IntType: lambda: luck.choice((luck.randint(0, 14), 101, luck.randint(0, 2000))),
        inspect.BoolType: lambda: luck.random() < 0.5,
        inspect.StrType: lambda: luck.choice(TEXTS),
        inspect.NoneType: lambda: None,
    }
    match kind:
        case inspect.EnumType(cls=names):
            return luck.choice(list(names)).value
        case inspect.UnionType(types=types):
            return _value(luck.choice(types), luck)
        case inspect.StructType(cls=cls) if cls is Phrase:
            return {"text": luck.choice(TEXTS)}
    return simple[type(kind)]()

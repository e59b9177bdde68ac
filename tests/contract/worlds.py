"""Two worlds with the same public past and other closed cards. In any case both look alike.

A story is an evening in one world. A window of it is played again in another world, where the cards
that stay closed during the window are different cards. The same inputs are sent in both. At every
moment many more inputs are tried and then forgotten. The module knows a game only by its interface.

Some parts may differ: a promise and a sealed row (compared by their form), the cards themselves
once the table opens them, and the result of a count, which is when closed cards are told.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from table_controller.engine.messages import Audience, CardNamed, CardSeen, Event, Input, Refusal
from table_controller.engine.views import Snapshot
from table_controller.rules.cards import Card
from table_controller.service.game import closes, flushes, refused, settled, tell
from tests.contract import walks
from tests.contract.games import Played
from tests.contract.walks import Step, tag

PROMISE = re.compile(r"[0-9a-f]{64}")
#: Of a card: number in its Schlitten, and the which-th Schlitten that is.
Place = tuple[int, int]
Label = tuple[Card, int]
#: Words that name a closed card.
NAMING = frozenset({"card_seen", "card_named", "corrects"})


class Look(NamedTuple):
    """All that anybody, or any device, learns of one input."""

    told: tuple[object, ...]
    sealed: tuple[object, ...]
    pictures: tuple[Snapshot, ...]
    rest: tuple[object, ...]


class Moment(NamedTuple):
    """One input of a story; which cards it made known to the table, and which it laid open."""

    step: Step
    look: Look
    known: tuple[tuple[Place, Label], ...]
    opened: tuple[Place, ...]


class Story(NamedTuple):
    """An evening of a game in one world."""

    played: Played
    packs: int
    told: list[Moment]


def look(played: Played, step: Step) -> Look:
    """What is told, shown, offered, logged and timed after an input."""
    game, state = played.game, step.after
    if no := step.refusal:
        log = (type(no).__name__, str(no), repr(no), repr(no.args), no.rule)
        return Look((refused(step.said, no),), (), (), (tell(step.said), *log))
    told = [one for one in step.told if tag(one) not in played.proves]
    open_ = tuple(shape(one) for one in told if one.audience is not Audience.SEALED)
    sealed = tuple(_sealed(one) for one in told if one.audience is Audience.SEALED)
    staff = game.snapshot(state, Audience.CROUPIER)
    hands = (game.by_hand(state, staff, reads=reads) for reads in (True, False))
    saved = closes(told) and not played.apart  # there a deal set aside keeps its cards, sealed
    rest = (
        game.prompt(state), game.alerts(state), game.asks_again(state), game.deadline(state),
        game.money(state), game.changed(step.before, state, step.told), settled(told),
        flushes(told), saved and len(game.save(state)), tell(step.said),
    )  # fmt: skip
    return Look(open_, sealed, (game.snapshot(state, Audience.PUBLIC), staff, *hands), rest)


def shape(event: Event) -> Event:
    """The event with its promise, if it has one, as any other promise would stand there."""
    promise = getattr(event, "commitment", None)
    if promise is None:
        return event
    assert PROMISE.fullmatch(promise), promise
    return replace(event, commitment="")


def _sealed(event: Event) -> object:
    """How long it is, and all that it says but the card."""
    fields = msgspec.structs.asdict(event).items()
    said = [(name, value) for name, value in fields if not isinstance(value, Card)]
    return tag(event), said, len(msgspec.json.encode(event))


# A story


def story(played: Played, seed: int, *, steps: int, packs: int) -> Story:
    """An evening by whims and by people who play, with labels or without, and readings twice."""
    luck = random.Random(seed)
    teller = _Teller(played, luck, packs, people=luck.choice((0.0, 0.4, 0.8)))
    return Story(played, 1 if played.apart else packs, [teller.next() for _ in range(steps)])


class _Teller:
    """Tells a story, moment by moment."""

    def __init__(self, played: Played, luck: random.Random, packs: int, *, people: float) -> None:
        self._played, self._luck, self._packs, self._people = played, luck, packs, people
        self._state = played.begun(luck.randrange(10**6), packs)
        self._crowd = played.game.players(random.Random(luck.random()), faults=frozenset())
        self._picture = played.game.snapshot(self._state, Audience.CROUPIER)
        self._labels = luck.random() < 0.5
        self._plays = played.plays if luck.random() < 0.5 else None
        self._generation, self._fresh = 0, True
        self._at: dict[int, Label] = {}
        self._fill()

    def _fill(self) -> None:
        self._box = walks.mixed(self._played, self._luck.randrange(10**9), self._packs)
        self._copies: Counter[Card] = Counter()

    def next(self) -> Moment:
        """The next input and all that comes of it."""
        step = walks.taken(self._played.game, self._state, self._word())
        shown = look(self._played, step)
        self._state = step.after
        if shown.pictures:
            self._picture = shown.pictures[1]
        if any(tag(event) == "schlitten_ready" for event in step.told) or not self._box:
            self._fill()
        return Moment(step, shown, self._known(step), self._opened(step))

    def _word(self) -> Input:
        luck = self._luck
        if self._plays:
            card = luck.random() < (0.92 if self._card_due() else 0.03)
            said = CardSeen(card=self._box.pop(0)) if card else self._plays(self._state, luck)
        elif luck.random() < self._people:
            said = self._of_people()
        else:
            box = self._box
            said = walks.whim_of(
                self._played, self._state, self._picture, luck, box, closing=luck.random() < 0.2
            )
        if isinstance(said, CardNamed) and luck.random() < 0.3:
            said = replace(said, card=luck.choice(self._played.pack))
        if not isinstance(said, CardSeen) or said.card is None or said.copy:
            return said
        if self._at and luck.random() < 0.04:  # it is read a second time
            card, copy = luck.choice(list(self._at.values()))
            return CardSeen(card=card, copy=copy)
        self._copies[said.card] += 1
        copy = self._copies[said.card]
        return replace(said, copy=copy) if self._labels and copy <= self._packs else said

    def _card_due(self) -> bool:
        return walks.card_due(self._played.game, self._state, self._picture)

    def _of_people(self) -> Input:
        """What who knows the game says next, also after words that he would not have said."""
        try:
            said = self._crowd.say(self._state)
        except (Refusal, ValueError, LookupError):
            said = None
        return CardSeen(card=self._box.pop(0)) if said is None else said

    def _known(self, step: Step) -> tuple[tuple[Place, Label], ...]:
        found, copy = [], step.said.copy if isinstance(step.said, CardSeen) else 0
        left = {*walks.ordinals(step, "card_drawn"), *walks.ordinals(step, "card_unread")}
        if self._fresh and 1 in left:  # numbers begin again: not with every Schlitten of a partie
            self._generation, self._at, self._fresh = self._generation + 1, {}, False
        for event in step.told:
            if tag(event) == "card_identified":
                ordinal, card = event.ordinal, event.card  # type: ignore[attr-defined]
                if self._at.get(ordinal, (None, 0))[0] is not card:  # else a kept one is dealt
                    self._at[ordinal] = card, copy
                found.append(((self._generation, ordinal), self._at[ordinal]))
        self._fresh |= any(tag(event) == "schlitten_ready" for event in step.told)
        return tuple(found)

    def _opened(self, step: Step) -> tuple[Place, ...]:
        return tuple((self._generation, one) for one in walks.ordinals(step, "card_opened"))


# Another world


class Differ(AssertionError):
    """Something that anybody could see was not the same in the other world."""


def compared(found: Story, luck: random.Random) -> int:
    """Tell a window of the story in another world; how many inputs were alike in both.

    Raises Differ.
    """
    other = _other(found, luck)
    return sum(other.compared(tries=luck.choice((2, 6, 12)))) if other else 0


def both(found: Story, luck: random.Random) -> list[tuple[Step, Step]]:
    """A window of the story, input by input in both worlds; empty if no card can be another."""
    other = _other(found, luck)
    return list(other.steps()) if other else []


def _other(found: Story, luck: random.Random) -> _Other | None:
    """A window in which a card can be another, or None."""
    came = [number for number, moment in enumerate(found.told) if moment.known]
    if not came:
        return None
    start = max(0, luck.choice(came) - luck.randrange(3))
    end = min(len(found.told), start + luck.choice((4, 8, 16, 32, 64)))
    other = _Other(found, range(start, end), luck)
    return other if other.words else None


class _Other:
    """A window of a story, with other closed cards in it."""

    def __init__(self, found: Story, window: range, luck: random.Random) -> None:
        self._played, self._packs, self._told = found
        self._window, self._luck = window, luck
        self.swapped: set[Place] = set()
        self._opens = {place for at in window for place in self._told[at].opened}
        self.words = self._others()
        entered = any(isinstance(said, CardNamed) for said in self.words.values())
        # Where two people enter a card, the second one's word is one thing in each world.
        self._never = self._played.faults | ({"card_named"} if entered else set())

    def compared(self, *, tries: int) -> Iterator[int]:
        """Say everything in both worlds; yield how many inputs were the same."""
        game, twin = self._played.game, self._told[self._window.start].step.before
        begun = min(self.words)
        for number in self._window:
            moment = self._told[number]
            if number > begun:
                yield from (self._tried(moment, twin) for _ in range(tries))
            also = walks.taken(game, twin, self.words.get(number, moment.step.said))
            if _counted(moment.step) or _counted(also):
                return
            self._alike(moment.look, moment.step, also)
            yield number >= begun
            twin = also.after

    def steps(self) -> Iterator[tuple[Step, Step]]:
        """Say everything in both worlds."""
        twin = self._told[self._window.start].step.before
        for number in self._window:
            one = self._told[number].step
            two = walks.taken(self._played.game, twin, self.words.get(number, one.said))
            if _counted(one) or _counted(two):
                return
            yield one, two
            twin = two.after

    def _tried(self, moment: Moment, twin: Any) -> int:
        """Say anything at this moment in both worlds, and forget it."""
        said = self._anything(moment)
        one, two = (walks.taken(self._played.game, at, said) for at in (moment.step.before, twin))
        numbers = {ordinal for _, ordinal in self.swapped}
        if numbers & {*walks.ordinals(one, "card_opened"), *walks.ordinals(two, "card_opened")}:
            return 0
        if _counted(one) or _counted(two):
            return 0
        self._alike(look(self._played, one), one, two)
        return 1

    def _anything(self, moment: Moment) -> Input:
        luck, played, what = self._luck, self._played, self._luck.random()
        if what < 0.1:  # cards that left already among them
            return CardSeen(card=self._card(), copy=luck.choice((0, luck.randint(1, self._packs))))
        if what < 0.5:
            staff = played.game.snapshot(moment.step.before, Audience.CROUPIER)
            lit = [one for one in staff.offers if one.input["type"] not in self._never]
            corrects = [one for one in lit if one.input["type"] == "corrects"]
            due = [one for one in lit if one.group == "main"]
            likely = corrects if what < 0.2 else due if what < 0.35 else lit
            said = walks.pressed(played, luck.choice(likely or lit), luck)
            return replace(said, card=self._card()) if tag(said) in NAMING else said
        kinds = [kind for name, kind in walks.kinds(played.game).items() if name not in self._never]
        return walks.anything(luck.choice(kinds), luck)

    def _alike(self, first: Look, one: Step, two: Step) -> None:
        second = look(self._played, two)
        if first == second:
            return
        for name, here, there in zip(Look._fields, first, second, strict=True):
            if here != there:
                raise Differ(f"{name} after {tell(one.said)}: {_apart(here, there)}")

    # Which cards are other ones

    def _others(self) -> dict[int, Input]:
        """What is said in the other world instead, by the moment's number."""
        said: dict[int, Input] = {}
        bare = self._bare_before()
        rate = self._luck.choice((0.2, 0.7, 1.0))
        for number in self._window:
            moment = self._told[number]
            if any(tag(event) == "schlitten_ready" for event in moment.step.told):
                bare.clear()
            naming = number not in said and tag(moment.step.said) in NAMING
            if naming and self._luck.random() < rate:
                said |= self._instead(number, moment, bare)
            bare.update(self._label(place) for place in moment.opened)
        return said

    def _label(self, place: Place) -> Label:
        for moment in reversed(self._told[: self._window.stop]):
            for known, label in moment.known:
                if known == place:
                    return label
        raise LookupError(place)

    def _bare_before(self) -> Counter[Label]:
        """What lies open when the window begins, of the Schlitten that is in use then."""
        bare: Counter[Label] = Counter()
        for moment in self._told[: self._window.start]:
            if any(tag(event) == "schlitten_ready" for event in moment.step.told):
                bare.clear()
            bare.update(self._label(place) for place in moment.opened)
        return bare

    def _instead(self, number: int, moment: Moment, bare: Counter[Label]) -> dict[int, Input]:
        said = moment.step.said
        if isinstance(said, CardNamed) and not moment.step.told and not moment.step.refusal:
            return self._named(number, said, bare)
        if len(moment.known) != 1 or isinstance(said, CardNamed):
            return {}
        return self._swap(moment, bare, {number: said})

    def _named(self, number: int, said: CardNamed, bare: Counter[Label]) -> dict[int, Input]:
        """The blind entry of a first person, and that of the second, who agrees or does not."""
        for later in range(number + 1, self._window.stop):
            moment = self._told[later]
            second, no = moment.step.said, moment.step.refusal
            if isinstance(second, CardSeen) and not no:
                break
            if not isinstance(second, CardNamed) or no:
                continue
            if len(moment.known) == 1:
                return self._swap(moment, bare, {number: said, later: second})
            if second.card is said.card:
                return {}
            one, two = self._luck.sample(self._played.pack, 2)
            return {number: replace(said, card=one), later: replace(second, card=two)}
        return {number: replace(said, card=self._luck.choice(self._played.pack))}

    def _swap(
        self, moment: Moment, bare: Counter[Label], words: dict[int, Any]
    ) -> dict[int, Input]:
        ((place, (card, copy)),) = moment.known
        if place in self._opens:
            return {}
        for _ in range(5):
            other = self._card()
            copy = self._luck.randint(1, self._packs) if copy else 0
            out = sum(count for (one, _), count in bare.items() if one is other)
            if other is not card and out < self._packs and not (copy and bare[other, copy]):
                self.swapped.add(place)
                return {
                    at: replace(said, card=other, **({"copy": copy} if copy else {}))
                    for at, said in words.items()
                }
        return {}

    def _card(self) -> Card:
        """Any card of the pack, or one that left already: closed, it may be there twice."""
        if self._luck.random() < 0.3:
            past = [
                label
                for one in self._told[self._window.start : self._window.stop]
                for _, label in one.known
            ]
            if past:
                return self._luck.choice(past)[0]
        return self._luck.choice(self._played.pack)


def _counted(step: Step) -> bool:
    """Whether cards were counted: what lay closed is known by it (R-35)."""
    told = {getattr(event, "code", tag(event)) for event in step.told}
    return not told.isdisjoint({"schlitten_miscounted", "schlitten_counted"})


def _apart(one: object, two: object) -> str:
    """Where two things differ, in a line."""
    if isinstance(one, tuple) and isinstance(two, tuple) and len(one) == len(two):
        return "; ".join(_apart(a, b) for a, b in zip(one, two, strict=True) if a != b)
    if isinstance(one, msgspec.Struct) and type(one) is type(two):
        fields = one.__struct_fields__
        pairs = [(name, getattr(one, name), getattr(two, name)) for name in fields]
        kind = type(one).__name__
        return ", ".join(f"{kind}.{name}: {_apart(a, b)}" for name, a, b in pairs if a != b)
    return f"{str(one)[:300]} / {str(two)[:300]}"

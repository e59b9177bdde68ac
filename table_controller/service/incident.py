"""An incident: the last coups of a journal, as a scenario that anybody may read.

Stand-ins replace closed cards, and seats replace people.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, takewhile
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, replace

from table_controller.engine.messages import (
    BY_HAND,
    Audience,
    Booted,
    CardNamed,
    CardSeen,
    Event,
    Input,
    Phrase,
    Refused,
)
from table_controller.engine.promises import SecretKey
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
from table_controller.service.archive import Archive
from table_controller.service.errors import UNREADABLE, RecordingError
from table_controller.service.game import Game, closes, settled
from table_controller.service.recording import KEYED, Happened, Heard, of_people
from table_controller.service.recovery import play
from table_controller.service.rows import Outcome
from table_controller.service.scenario import Preamble, Scenario, write
from table_controller.service.scenario_recordings import as_cues

# ---- Inputs and events without secrets: stand-ins replace closed cards, and seats replace people

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


# ---- An incident: the last coups of a journal, as a scenario that anybody may read

#: The parts that may differ: sentences, names, and everything that depends on the table's key.
_BESIDE = frozenset({*KEYED, "name", "said", "reason", "by", "source"})
#: The incident begins this many coups earlier if an input that is taken back is before it.
_FURTHER = 3
#: The most alerts that the comment names, and a line of the file that says that one was raised.
_MOST_NAMED: Final = 5
_RAISED: Final = re.compile(r'~ => journal alert_raised \{"id":"([^"]+)"')


class IncidentError(RecordingError):
    """No incident can be made of these coups. The text says why, and names the remedy."""


class Incident(Struct, frozen=True, kw_only=True):
    """An incident, which anybody may read.

    Attributes:
        name: the name of its file, without the ending.
        scenario: its inputs and events. They are marked: nobody has checked them yet.
        until: the number of its last input. With this number the same incident can be made again.
        coups: the number of coups in it.
        closed: the number of cards in it that stand-ins replace.
        text: the content of its file.
    """

    name: str
    scenario: Scenario
    until: int
    coups: int
    closed: int
    text: str


def incident(
    archive: Archive, game: Game[Any], house: House, *, coups: int = 3, until: int | None = None
) -> Incident:
    """Return the incident of the last coups before input `until` (default: the last input).

    The incident contains all inputs from the beginning of these coups to `until`. Raises
    IncidentError, JournalError, WrongKey.
    """
    last = min(until or archive.last(), archive.last())
    if not last:
        raise IncidentError(f"{archive.path} holds no input yet: there is no incident in it.")
    rewritten = _Rewritten(archive, game, house)
    for wanted in range(coups, coups + _FURTHER):
        found = rewritten.since(last, wanted)
        if found:
            return found
    raise IncidentError(
        f"{archive.path}: the last coups cannot be told without their closed cards. Ask again once "
        "the Schlitten is closed; `schlitten export --everything` has the true cards, and is as "
        "secret as the key."
    )


class _Rewritten:
    """A journal's inputs and events, rewritten so that they contain no secret.

    The rewriting begins after the last saved state that contains no dealt card.
    """

    def __init__(self, archive: Archive, game: Game[Any], house: House) -> None:
        self._archive, self._game, self._house = archive, game, house
        self._nobody = Nobody()

    def since(self, last: int, coups: int) -> Incident | None:
        """Return the incident of the last `coups` coups up to input `last`.

        Return None if replaying the rewritten inputs causes other events than at the table.
        """
        base, state = self._base(last, coups)
        turns = list(_turns(self._archive, self._game, base))
        cards = StandIns(turns, self._house, self._archive.header.journal)
        known = [turn for turn in turns if turn.n <= last]
        start = _start(known, coups)
        before = [self._said(cards, turn) for turn in known if turn.n <= start]
        shown = [turn for turn in known if turn.n > start]
        said = [self._said(cards, turn) for turn in shown]
        played = list(play(self._game, state, before))
        saved = self._game.save(played[-1][0] if played else state)
        told = [news for _, news in play(self._game, self._loaded(saved), said)]
        if not shown or not _alike(known, [*(news for _, news in played), *told]):
            return None
        lines = [line for turn, one, news in zip(shown, said, told, strict=True)
                 for line in _lines(turn, one, news)]  # fmt: skip
        closed = sum(turn.n in cards.closed for turn in shown)
        return self._made(lines, saved, (shown[-1].n, _coups(shown), closed))

    def _base(self, last: int, coups: int) -> tuple[int, Any]:
        """Return the last saved state without dealt cards, and the number of its input.

        At least `coups` coups are between that input and input `last`. If there is no such state,
        return 0 and an empty table.
        """
        before = last + 1
        while found := self._archive.save_before(before):
            before, saved = found
            state = msgspec.json.decode(saved)
            turns = _turns(self._archive, self._game, before, last)
            if not _dealt(state) and _coups(list(turns)) >= coups:
                return before, self._loaded(msgspec.json.encode(self._nobody.state(state)))
        return 0, self._game.begin(self._house, _KEY)

    def _loaded(self, saved: bytes) -> Any:
        try:
            return self._game.load(self._game.begin(self._house, _KEY), saved)
        except UNREADABLE:
            raise IncidentError(
                f"{self._archive.path}: its state was kept in a form that this program does not "
                "know. Use the version that wrote it."
            ) from None

    def _said(self, cards: StandIns, turn: Turn) -> Input:
        return self._nobody.of(cards.of(turn))

    def _made(self, lines: list[Any], saved: bytes, facts: tuple[int, int, int]) -> Incident:
        until, coups, closed = facts
        kept, begins = self._archive.header, lines[0].t_ms
        head = Preamble(
            game=kept.game, house=kept.house, begins=begins, code=kept.code, people=False,
            state=saved.decode(),
        )  # fmt: skip
        name = f"incident-{until}"
        made = Scenario(head, as_cues(lines, begins), name)
        body = write(self._game, made)
        text = _comment(name, coups, closed, body) + body
        return Incident(
            name=name, scenario=made, until=until, coups=coups, closed=closed, text=text
        )


_KEY = SecretKey(b"an incident")


def _turns(
    archive: Archive, game: Game[Any], after: int, until: int | None = None
) -> Iterator[Turn]:
    """Yield the inputs and their events, without those that concern the list of people."""
    as_input = msgspec.json.Decoder(game.inputs).decode
    as_event = msgspec.json.Decoder(game.events | Refused).decode
    for row, rows in archive.turns(after, until):
        if row.outcome == Outcome.FAILED:
            continue
        try:
            said = as_input(archive.body(row))
            told = tuple(as_event(one.body) for one in rows if one.body is not None)
        except UNREADABLE:
            raise IncidentError(
                f"{archive.path}: input {row.n} is none of {game.name} as it is now. Use version "
                f"{archive.code_of(row)}."
            ) from None
        if not of_people(said, list(told)):
            yield Turn(row.n, row.t_ms, said, told)


def _coups(turns: Sequence[Turn]) -> int:
    """The number of coups in these turns, including the coup under way."""
    ends = [turn.n for turn in turns if settled(turn.told)]
    under_way = bool(turns) and turns[-1].n not in ends
    return len(ends) + under_way


def _start(turns: Sequence[Turn], coups: int) -> int:
    """Return the number of the input after which the last `coups` coups begin.

    Return 0 if there are no earlier coups.
    """
    ends = [turn.n for turn in turns if settled(turn.told)]
    ahead = coups if turns and turns[-1].n not in ends else coups + 1
    return ends[-ahead] if len(ends) >= ahead else 0


def _dealt(state: Any) -> bool:
    """Whether a saved state contains a dealt card together with the number of its passage."""
    if isinstance(state, dict):
        return {"ordinal", "card"} <= state.keys() or any(map(_dealt, state.values()))
    return isinstance(state, list) and any(map(_dealt, state))


def _alike(then: Sequence[Turn], now: Sequence[tuple[Event, ...]]) -> bool:
    """Whether both lists contain the same events, apart from fields that may differ (`_BESIDE`).

    Sealed events do not count.
    """
    for turn, news in zip(then, now, strict=True):
        open_ = [event for event in news if event.audience is not Audience.SEALED]
        if list(map(_figures, turn.told)) != list(map(_figures, open_)):
            return False
    return True


def _figures(event: Event) -> object:
    fields = asdict(event).items()
    own = {name: value for name, value in fields if name not in _BESIDE}
    plain = {name: value for name, value in own.items() if not isinstance(value, Phrase)}
    return event.__struct_config__.tag, plain


def _lines(turn: Turn, said: Input, news: tuple[Event, ...]) -> Iterator[Heard | Happened]:
    """Yield the input, and the events that may be published, as lines of a recording.

    The promises are left out, because the incident has another key than the table.
    """
    yield Heard(turn.t_ms, said)
    for event in news:
        if event.audience is not Audience.SEALED:
            keyed = {name: "" for name in KEYED if hasattr(event, name)}
            yield Happened(turn.t_ms, replace(event, **keyed) if keyed else event)


def last_coups(number: int) -> str:
    """`last coup` or `last 3 coups`."""
    return "last coup" if number == 1 else f"last {number} coups"


def _comment(name: str, coups: int, closed: int, body: str) -> str:
    cards = (
        f"# {closed} cards still lay closed: others stand in their place. Fetch it again once the "
        "Schlitten is closed.\n"
        if closed
        else ""
    )
    above = (
        f"# The {last_coups(coups)}. Names are left out, and so are promises.\n{cards}"
        f"# As a test, in a clone of the program: .venv/bin/pytest {name}.scenario\n"
        "# (pytest comes with: .venv/bin/pip install -e '.[hil]')\n"
        f"# On a board: .venv/bin/schlitten replay {name}.scenario --board emulated\n"
        "# What it expects is what happened. Where something else should have, write that.\n"
    )
    return above + _instead(body, above.count("\n"))


def _instead(body: str, above: int) -> str:
    """Say which lines to replace in order to expect that an alert is not there.

    The comment names the last alert of each id, the newest first. `above` is the number of lines
    before it.
    """
    raised = {}
    for number, line in enumerate(body.splitlines(), 1):
        found = _RAISED.match(line)
        if found:
            raised[found[1]] = number
    newest = sorted(raised.items(), key=lambda one: -one[1])[:_MOST_NAMED]
    if not newest:
        return ""
    told = above + 1 + len(newest)
    replaced = "".join(f"#   line {told + at}:  => no alert {id_}\n" for id_, at in newest)
    return f"# If an alert should not have been there, put this in place of its line:\n{replaced}"

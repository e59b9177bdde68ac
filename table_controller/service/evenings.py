"""Finds the evenings of a journal, and makes the record of one evening.

The module reads only rows that may be shown: public events, and for the staff also the staff's
events and the speakers. It never opens sealed rows, so no closed card can be in a record (R-13). It
uses a game only through the interface `Game`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from statistics import median
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import Struct

from table_controller.engine.messages import Audience
from table_controller.engine.table.evening import IN_PLAY, NOT_ENDED, RULINGS, PlayedCoup
from table_controller.rules.cards import Card
from table_controller.service.archive import Archive
from table_controller.service.errors import UNREADABLE
from table_controller.service.game import Game
from table_controller.service.passages import COUNTED, CardsOut, Passed
from table_controller.service.rows import EventRow

#: An evening is over if no card has been drawn for five hours.
BREAK_MS: Final = 5 * 3600 * 1000
#: Events after which the coup that was begun is not played on.
_STOPPED: Final = frozenset({"schlitten_withdrawn", "schlitten_over", "schlitten_ready"})

#: Events that follow a coup's result and still belong to the coup.
PAID: Final = frozenset({"payment_made", "coup_paid", "stake_paid", "stake_returned", "marked"})

_SAID: Final = msgspec.json.Decoder(Passed)


class Evening(Struct, frozen=True, kw_only=True):
    """One evening, which ends when no card has been drawn for five hours.

    `first` and `last` are numbers of inputs. Times are in ms since 1970. `cards` is the number of
    cards that left the Schlitten, whatever was mended afterwards.
    """

    number: int
    first: int
    last: int
    began_ms: int
    ended_ms: int
    cards: int


class Timed(Struct, frozen=True, kw_only=True):
    """A coup, the time at which it was played, and how long its steps took, in seconds.

    Attributes:
        first, last: the numbers of its inputs, from the first one after the previous coup.
        began_ms: the time when its first card was drawn.
        stakes_s: from the end of the previous coup to the first card. None for the first coup of a
            Schlitten, since shuffling takes extra time.
        cards_s: from the first card to the result; None if there was no result.
        schlitten: the number of its Schlitten within the evening.
        later: the coup's cards that stayed closed until the Schlitten was closed (R-35).
    """

    coup: PlayedCoup
    first: int
    last: int
    began_ms: int
    stakes_s: float | None
    cards_s: float | None
    schlitten: int
    later: tuple[Card, ...] = ()


class Ruling(Struct, frozen=True, kw_only=True):
    """A decision that the cards did not make: its event's type and fields, and its speaker."""

    t_ms: int
    type: str
    by: str
    fields: dict[str, Any]


class ReadCount(Struct, frozen=True, kw_only=True):
    """How well cards were read: cards drawn, unread passages by reason, and corrections."""

    drawn: int
    unread: dict[str, int]
    corrected: int


class EveningRecord(Struct, frozen=True, kw_only=True):
    """The record of an evening."""

    evening: Evening
    coups: tuple[Timed, ...]
    rulings: tuple[Ruling, ...]
    reading: ReadCount
    alerts: int
    public_rows: int
    chain: str

    @property
    def sums(self) -> dict[str, int]:
        """The figures of all coups of the evening, added up by name."""
        total = Counter[str]()
        for timed in self.coups:
            total.update({one.name: one.value for one in timed.coup.figures})
        return dict(total)

    @property
    def winners(self) -> dict[str, int]:
        """The number of coups that each hand won; "" counts those that nobody won."""
        return dict(Counter(timed.coup.winner for timed in self.coups))

    @property
    def coups_an_hour(self) -> float:
        """The number of coups an hour, between the first card of the evening and the last."""
        hours = (self.evening.ended_ms - self.evening.began_ms) / 3_600_000
        return len(self.coups) / hours if hours else 0.0

    def usual_s(self, step: str) -> float | None:
        """The median of `stakes_s` or `cards_s` (`step` says which).

        None if at most half of the coups have a value.
        """
        took = [value for timed in self.coups if (value := getattr(timed, step)) is not None]
        return median(took) if 2 * len(took) > len(self.coups) else None


class _Drawn(NamedTuple):
    n: int
    t_ms: int


class Evenings:
    """Finds a journal's evenings. It remembers past evenings, since they never change."""

    def __init__(self) -> None:
        self._done: list[Evening] = []
        self._open: list[_Drawn] = []  # first and last card of the evening under way
        self._passages, self._read = CardsOut(), 0
        self._cards: list[tuple[int, int]] = []  # inputs since the last card drawn; changes
        self._before = 0  # the evening's count before these

    def find(self, archive: Archive) -> tuple[Evening, ...]:
        """Return all evenings so far, in order. The last one may still be under way.

        Raises JournalDamaged.
        """
        for id_, n, t_ms, kind, body in archive.public_of(COUNTED, self._read):
            try:
                change, drawn = self._passages.read(kind, _SAID.decode(body))
            except UNREADABLE:
                raise archive.damaged(f"event {id_} is torn") from None
            self._read = id_
            if drawn:
                self._draws(archive, _Drawn(n, t_ms))
            self._cards += [(n, change)] if change else []
        return (*self._done, self._evening(archive.last())) if self._open else tuple(self._done)

    def _draws(self, archive: Archive, card: _Drawn) -> None:
        """A card was drawn. If it begins an evening, unread cards since the break are its too."""
        if self._open and card.t_ms - self._open[-1].t_ms >= BREAK_MS:
            first = archive.longest_break(self._open[-1].n, card.n)
            later = [one for one in self._cards if one[0] >= first]
            self._cards = [one for one in self._cards if one[0] < first]
            self._done.append(self._evening(first - 1))
            self._open, self._before, self._cards = [], 0, later
        self._open = [self._open[0] if self._open else card, card]
        self._before, self._cards = self._count(), []

    def _count(self) -> int:
        return self._before + sum(change for _, change in self._cards)

    def _evening(self, last: int) -> Evening:
        return Evening(
            number=len(self._done) + 1,
            first=self._done[-1].last + 1 if self._done else 1,
            last=last,
            began_ms=self._open[0].t_ms,
            ended_ms=self._open[-1].t_ms,
            cards=self._count(),
        )


def record(
    archive: Archive, game: Game[Any], house: Any, evening: Evening, *, over: bool = True
) -> EveningRecord:
    """Return the record of an evening, made from its rows in the journal. Raises JournalError.

    `over` says whether the evening is over. If not, its last coup may still be in play.
    """
    rows = [row for row in archive.events(evening.first - 1, evening.last) if row.body]
    ended = archive.head(evening.last)
    return told(
        [row for row in rows if row.audience == Audience.PUBLIC],
        lambda events: game.coups(events, house),
        evening,
        rulings=tuple(_rulings(archive, rows)),
        drawn=evening.cards,
        public_rows=ended.seqs[Audience.PUBLIC.value],
        chain=ended.link.hex(),
        over=over,
    )


def told(
    public: list[EventRow],
    coups: Callable[[list[dict[str, Any]]], Iterable[PlayedCoup]],
    evening: Evening,
    *,
    rulings: tuple[Ruling, ...],
    drawn: int,
    public_rows: int,
    chain: str,
    over: bool,
) -> EveningRecord:
    """Return the record of an evening, made from its public rows.

    `coups` is the game's function that finds the coups in the events. `over` says whether the
    evening is over; `drawn` is the number of cards that left.
    """
    events = [msgspec.json.decode(row.body or b"") for row in public]
    found = [*coups(events)]
    if found and not over:
        found[-1] = _in_play(found[-1], events)
    return EveningRecord(
        evening=evening,
        coups=tuple(_timed(found, public, events, evening)),
        rulings=rulings,
        reading=_reading(events, drawn),
        alerts=sum(event["type"] == "alert_raised" for event in events),
        public_rows=public_rows,
        chain=chain,
    )


def _in_play(coup: PlayedCoup, events: list[dict[str, Any]]) -> PlayedCoup:
    """Return the last coup of an evening under way, which says so if the coup is being played."""
    stopped = any(event["type"] in _STOPPED for event in events[coup.first :])
    if coup.text != NOT_ENDED or stopped:
        return coup
    return msgspec.structs.replace(coup, text=IN_PLAY)


def _timed(
    coups: list[PlayedCoup],
    rows: list[EventRow],
    events: list[dict[str, Any]],
    evening: Evening,
) -> Iterator[Timed]:
    """Yield each coup with its times. A coup without a result lasts until the next coup begins."""
    ready = [at for at, event in enumerate(events) if event["type"] == "schlitten_ready"]
    later = _later(events)
    before = None
    until = [*(coup.first for coup in coups[1:]), len(events)]
    ends = [_end(coup, events, next_one) for coup, next_one in zip(coups, until, strict=False)]
    for coup, end, previous in zip(coups, ends, [-1, *ends], strict=False):
        began, over = rows[coup.first], coup.last >= 0
        fresh = before is None or any(previous < at < coup.first for at in ready)
        yield Timed(
            coup=coup,
            first=rows[previous].n + 1 if previous >= 0 else evening.first,
            last=rows[end].n,
            began_ms=began.t_ms,
            stakes_s=None if fresh or before is None else (began.t_ms - before) / 1000,
            cards_s=(rows[coup.last].t_ms - began.t_ms) / 1000 if over else None,
            schlitten=sum(at < coup.first for at in ready),
            later=tuple(later[at] for at in range(coup.first, end + 1) if at in later),
        )
        before = rows[end].t_ms


def _end(coup: PlayedCoup, events: list[dict[str, Any]], until: int) -> int:
    """Return the index of a coup's last event: its last payment, or else its result."""
    if coup.last < 0:
        return until - 1
    paid = (at for at in range(coup.last + 1, until) if events[at]["type"] in PAID)
    return max(paid, default=coup.last)


def _later(events: list[dict[str, Any]]) -> dict[int, Card]:
    """Return the cards that stayed closed until their Schlitten was closed.

    The key is the index of the event at which the card was drawn.
    """
    drawn: dict[int, int] = {}
    found: dict[int, Card] = {}
    for at, event in enumerate(events):
        match event:
            case {"type": "schlitten_ready"}:
                drawn = {}
            case {"type": "card_drawn", "ordinal": ordinal}:
                drawn.setdefault(ordinal, at)
            case {"type": "card_opened", "seat": 0, "ordinal": ordinal, "card": card}:
                if ordinal in drawn:
                    found[drawn[ordinal]] = Card(card)
    return found


def _rulings(archive: Archive, rows: list[EventRow]) -> Iterator[Ruling]:
    for row in rows:
        if row.type not in RULINGS:
            continue
        fields = msgspec.json.decode(row.body or b"{}")
        kind = fields.pop("type")
        yield Ruling(t_ms=row.t_ms, type=kind, by=_actor(archive, row.n), fields=fields)


def _actor(archive: Archive, n: int) -> str:
    """Return who sent the input: its actor, or "" if the input is sealed."""
    said = next(archive.inputs(n - 1, n), None)
    return str(msgspec.json.decode(said.body).get("actor", "")) if said and said.body else ""


def _reading(events: Iterable[dict[str, Any]], cards: int) -> ReadCount:
    kinds, unread = Counter[str](), Counter[str]()
    for event in events:
        kinds[event["type"]] += 1
        if event["type"] == "card_unread":
            unread[event["reason"]] += 1
    return ReadCount(drawn=cards, unread=dict(unread), corrected=kinds["card_corrected"])


def paces(record: EveningRecord, *, minutes: int = 30) -> list[tuple[int, int]]:
    """Return how many coups began in each interval of `minutes`.

    Each pair is the interval's start, and the number of coups.

    Starts are in ms since 1970.
    """
    if not record.coups:
        return []
    width = minutes * 60_000
    first = record.evening.began_ms // width
    count = Counter(timed.began_ms // width - first for timed in record.coups)
    return [((first + at) * width, count[at]) for at in range(max(count) + 1)]

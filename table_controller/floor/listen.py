"""Receives every table's messages through durable MQTT sessions; decides what to ask for again."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from secrets import token_hex
from typing import Final
from zlib import crc32

import msgspec
from msgspec import Raw, Struct
from paho.mqtt.client import topic_matches_sub
from sqlalchemy.exc import DataError, IntegrityError, SQLAlchemyError

from table_controller.adapters.broker_rules import FLOOR
from table_controller.adapters.mqtt_link import BrokerAddress, LinkLost
from table_controller.adapters.mqtt_messages import Message
from table_controller.adapters.mqtt_names import TableId
from table_controller.floor.fair_queue import OwnNews, TableMessage, Turns, by_connection, placed
from table_controller.floor.faults import (
    FaultCode,
    Noticing,
    Odd,
    TableShare,
    earlier_name,
    flood,
)
from table_controller.floor.inbox import AUDIENCES, Audience, Foreign, NotAnEvent, ToldRow, told
from table_controller.floor.live import Chain, LiveTables
from table_controller.floor.requests import Asking, request
from table_controller.floor.sessions import EVENTS, PICTURES, Receipts, Sessions
from table_controller.floor.store import Doubt, End, Ledger, News, Page, TableFault
from table_controller.floor.threads import Threads
from table_controller.service import logs

# ---- When a message arrived, for comparing the tables' clocks with the floor's

#: How often the event loop shows that it goes on, and the pause after which it stood still.
BEAT_S: Final = 0.5
STOOD_S: Final = 2.0
#: For so long after a pause, messages may be read that came during it.
DRAINED_S: Final = 10.0


class Arrivals:
    """Tells when a message is taken from its socket. `run` beats until cancelled."""

    def __init__(
        self,
        clock_s: Callable[[], float] = time.time,
        now: Callable[[], float] = time.monotonic,
        stood: Callable[[float], None] = lambda _: None,
    ) -> None:
        """Begin to beat. `stood` is told for how many seconds the program stood still."""
        self._clock, self._now, self._stood = clock_s, now, stood
        self._beat, self._unsure_until = now(), 0.0

    def came_s(self) -> float | None:
        """The time (in seconds since 1970) of a message that is read now; None if it is unsure."""
        self.beat()
        return None if self._now() < self._unsure_until else self._clock()

    def beat(self) -> None:
        """Note that the event loop goes on."""
        now = self._now()
        if now - self._beat > STOOD_S:
            self._unsure_until = now + DRAINED_S
            self._stood(now - self._beat)
        self._beat = now

    async def run(self) -> None:
        """Beat until cancelled."""
        while True:
            await asyncio.sleep(BEAT_S)
            self.beat()


# ---- Decides when to ask which table for which rows

#: How long to wait for a gap to close by itself, and how long an answer may take.
GAP_S: Final = 2.0
ANSWER_S: Final = 5.0
#: The time between two pages of one table: five pages in a second.
PAGE_S: Final = 0.2
#: How many pages may be asked for at the same time, of all tables together.
MOST_ASKED: Final = 32

Key = tuple[TableId, Audience]
Range = tuple[int, int]


class _Missing(Struct):
    """The rows that one audience lacks. `due` is the time when to ask for them."""

    range: Range
    due: float
    asked: bool = False


class Refill:
    """Keeps track of the missing rows, and says which to ask for now."""

    def __init__(self) -> None:
        self._missing: dict[Key, _Missing] = {}
        self._next: dict[TableId, float] = {}
        self.pages = 0
        """How many pages have been asked for."""

    def update(self, key: Key, wanted: Range | None, now: float) -> None:
        """Note which rows are missing now; None if none is."""
        if wanted is None:
            self._missing.pop(key, None)
            return
        known = self._missing.get(key)
        if known is None:
            self._missing[key] = _Missing(wanted, now + GAP_S)
        elif known.range != wanted:
            known.range = wanted

    def answered(self, key: Key, now: float) -> None:
        """Note that a page came. The next page is due immediately, but no faster than the pace."""
        if known := self._missing.get(key):
            known.asked, known.due = False, now

    def due(self, now: float, there: frozenset[TableId]) -> list[tuple[Key, Range]]:
        """Return the rows to ask for now, of the tables that are connected (`there`)."""
        asked = sum(one.asked and one.due > now for one in self._missing.values())
        found = []
        for key, one in self._missing.items():
            at = key[0]
            if asked >= MOST_ASKED:
                break
            if at in there and one.due <= now and self._next.get(at, 0.0) <= now:
                one.asked, one.due = True, now + ANSWER_S
                self._next[at] = now + PAGE_S
                found.append((key, one.range))
                asked += 1
        self.pages += len(found)
        return found

    @property
    def missing(self) -> int:
        """The number of pairs of table and audience that lack rows."""
        return len(self._missing)


# ---- Receives every table's messages through durable MQTT sessions (`sessions.py`)

#: Messages in one transaction.
MOST_AT_ONCE: Final = 500
#: How long to wait before a database that takes nothing is tried again.
AGAIN_S: Final = 0.5
#: How often a table is asked whether it told more than was heard: one that rests tells nothing.
DOUBT_S: Final = 60.0

#: What one message brings about, whatever else is told: neither the database nor the lead is lost.
_TO_BLAME: Final = (
    DataError, IntegrityError, ArithmeticError, AssertionError, AttributeError, LookupError,
    RecursionError, TypeError, ValueError,
)  # fmt: skip


class _Answer(Struct, frozen=True):
    transaction: str
    ok: bool
    events: tuple[Raw, ...] = ()


class _Response(Struct, frozen=True):
    data: _Answer


class FloorListener:
    """Receives messages from one broker as long as `run` runs.

    `trouble` gets a sentence when something fails, and None when that is over. `stored` gets the
    live events that have been committed.
    """

    def __init__(
        self,
        address: BrokerAddress,
        ledger: Ledger,
        live: LiveTables,
        *,
        trouble: Callable[[str | None], None] = lambda _: None,
        stored: Callable[[Sequence[ToldRow]], None] = lambda _: None,
        now: Callable[[], float] = time.monotonic,
        noticing: Noticing | None = None,
        clock_s: Callable[[], float] = time.time,
        threads: Threads | None = None,
    ) -> None:
        self.live, self.refill = live, Refill()
        self.sessions = Sessions(address, self._delivered, self._lost, trouble, self._back)
        self.asking = Asking(self.sessions.publish)
        self._ledger, self._trouble, self._now, self._stored = ledger, trouble, now, stored
        self._noticing, self._threads = noticing or Noticing({}, ""), threads or Threads()
        self._arrivals = Arrivals(clock_s, now, live.stood)
        self._taking_since: float | None = None
        self._share = TableShare()
        self._own = OwnNews()
        self._waiting, self._stuck = Turns(), False
        self._cut: frozenset[TableId] = frozenset()
        self.cuts = asyncio.Event()
        """Set when `cut_off` changes."""
        self._there = asyncio.Event()
        self._asked: dict[str, tuple[TableId, Audience]] = {}
        self._doubted: dict[TableId, float] = {}
        self._looked = 0.0
        self._numbers, self._token = itertools.count(1), token_hex(6)
        self.counts: Counter[str] = Counter()
        """How many messages were dropped, by reason."""

    async def run(self) -> None:
        """Receive messages until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self.sessions.run())
            tasks.create_task(self._ingest())
            tasks.create_task(self._ask())
            tasks.create_task(self._arrivals.run())

    def beat(self) -> None:
        """Note that the event loop goes on (`Arrivals`)."""
        self._arrivals.beat()

    def late_s(self) -> float:
        """For how long the message waits that has waited longest to be stored, in seconds."""
        begun = [one for one in (self._waiting.oldest_s(), self._taking_since) if one is not None]
        return max(0.0, self._now() - min(begun)) if begun else 0.0

    def cut_off(self) -> frozenset[TableId]:
        """The tables whose flood is so large that the broker should not admit them."""
        return self._share.cut_off(self._now())

    def _back(self) -> None:
        self._doubted.clear()
        self._looked = self._now()

    def _lost(self, receipts: Receipts) -> None:
        """Forget what a lost connection delivered: the messages come again, with other numbers."""
        self._waiting.forget(receipts)

    def _delivered(self, receipts: Receipts, topic: str, payload: bytes, mid: int) -> None:
        came_s, read_s = self._arrivals.came_s(), self._now()
        heard = placed(topic, payload, mid, receipts, came_s=came_s, read_s=read_s)
        if receipts.waits(mid):
            return
        if why := self._refused(heard) if heard else "strange":
            self.counts[why] += 1
            receipts.drop(mid)
        elif heard:
            self._waiting.add(heard)
            self._there.set()

    def _refused(self, heard: TableMessage) -> str:
        """Why a message is dropped: its table floods, or there is no room; "": it is not."""
        at, now, share, size = heard.at, self._now(), self._share, len(heard.payload)
        spent, full = share.spent(at, now, size), self._waiting.full(at, size)
        crowded = self._waiting.crowded(size)
        if not spent and (crowded or self._stuck or not full):
            return "full" if full or crowded else ""
        if share.flooded(at, now, size):
            self._note(at, flood())
            self._there.set()
        if (cut := share.cut_off(now)) != self._cut:
            self._cut = cut
            self.cuts.set()
        return "flood"

    async def _ingest(self) -> None:
        """Commit waiting messages, in batches. A batch that cannot be committed is tried again."""
        while True:
            await self._there.wait()
            self._there.clear()
            while self._waiting or self._own:
                self._taking_since = self._waiting.oldest_s()
                batch = self._waiting.take(MOST_AT_ONCE)
                await self._commit(batch)
                self._taking_since = None
                for receipts, mids in by_connection(batch).items():
                    receipts.give(mids)

    async def _commit(self, batch: list[TableMessage]) -> None:
        """Commit the content of a batch, trying until the database takes it. Raises Led."""
        news = [one for heard in batch for one in self._read(heard)]
        news += self._own.take()
        while news:
            try:
                await self._take(news)
            except SQLAlchemyError as error:
                self._stuck = True
                logs.error("the floor's database takes nothing", why=str(error.__class__.__name__))
                self._trouble("The database takes nothing: look at it. It is tried again.")
                await asyncio.sleep(AGAIN_S)
            else:
                if self._stuck:
                    self._trouble(None)
                self._stuck = False
                return

    async def _take(self, news: Sequence[tuple[TableId, News]]) -> None:
        try:
            await self._store(news)
        except _TO_BLAME:  # one of them is to blame: the others must go on
            await self._sift(news)

    async def _store(self, news: Sequence[tuple[TableId, News]]) -> None:
        missing = await self._threads.ingest(self._ledger.take, news)
        self._stored([one for _, one in news if isinstance(one, ToldRow)])
        found, self._ledger.found = self._ledger.found, []
        for at, why in found:
            self.live.fault(at, why, self._now())
        for key, wanted in missing.items():
            self.refill.update(key, wanted, self._now())

    async def _sift(self, news: Sequence[tuple[TableId, News]]) -> None:
        """Commit each item alone. An item that the database cannot take is a fault of its table."""
        for at, one in news:
            try:
                await self._store([(at, one)])
            except _TO_BLAME as error:
                logs.fault("what a table told is not taken", error, table=at.source)
                self.counts["strange"] += 1
                sentence = "It told something that the database cannot take."
                self.live.fault(at, sentence, self._now())
                with suppress(*_TO_BLAME):
                    await self._store([(at, TableFault(sentence, FaultCode.NONSENSE))])

    def _read(self, heard: TableMessage) -> Iterator[tuple[TableId, News]]:
        """Yield the content of a message. A message that cannot be read is a fault of its table."""
        at, kind = heard.at, heard.topic.partition("/")[0]
        try:
            if "event/" in heard.topic:
                row = told(heard.payload, at.source)
                if row.audience != ("public" if kind == "event" else "croupier"):
                    raise NotAnEvent("Its id does not name its audience and number.")
                yield at, row
            elif heard.topic.startswith(f"response/{FLOOR}/replay"):
                yield from self._page(at, heard.payload)
            elif kind == "response":
                self.asking.heard(at, heard.payload)
            else:
                chain = self.live.hear(at, heard.topic, heard.payload, self._now())
                self._compare(at, kind, chain, heard.came_s)
                if isinstance(chain, Chain):
                    yield at, _end(chain)
        except (ValueError, RecursionError) as error:
            self.counts["nonsense"] += 1
            why = str(error) if isinstance(error, NotAnEvent) else "It does not fit its topic."
            sentence = f"A message at {_place(heard.topic)} is refused. {why}"
            self.live.fault(at, sentence, self._now())
            foreign = isinstance(error, Foreign)
            yield at, TableFault(sentence, FaultCode.FOREIGN if foreign else FaultCode.NONSENSE)

    def _compare(self, at: TableId, kind: str, chain: Chain | None, came_s: float | None) -> None:
        """Compare a table's message with its earlier messages, and note the faults that this shows.

        `kind` is the topic's first level. `came_s` is when the message came, if that is known.
        """
        shown = self.live.tables[at]
        found: Iterable[Odd] = ()
        if kind == "state" and at in self.live.there():
            found = self._noticing.boot(at, shown.boot)
        elif kind == "info" and shown.info:
            found = self._noticing.version(shown.info.version)
        elif kind == "health":
            self.live.fade(at, self._now())
            found = self._noticing.clock(shown.said_time, came_s) if came_s is not None else ()
            if self._share.over(at, self._now()):
                self._note(at, Odd(FaultCode.FLOOD))
        elif kind == "snapshot" and chain:
            found = self._noticing.stream(at, chain.stream)
        for odd in found:
            self._note(at, odd)

    def _note(self, at: TableId, odd: Odd) -> None:
        """Show a fault, and store it with the next commit."""
        if self.live.note(at, odd, self._now()) and odd.why:
            self._own.add(at, TableFault(str(odd.why), odd.code))

    @property
    def connected(self) -> bool:
        """Whether the broker is connected."""
        return self.sessions.connected

    def _page(self, at: TableId, payload: bytes) -> Iterator[tuple[TableId, News]]:
        answer = _RESPONSE.decode(payload).data
        key = self._asked.get(answer.transaction)
        if key is None or key[0] != at:
            return  # asked before we were started again, or of another table
        del self._asked[answer.transaction]
        if answer.ok:
            self.refill.answered(key, self._now())
            rows = tuple(told(bytes(one), None) for one in answer.events)
            self._note_names(at, {row.source for row in rows})
            if all(row.audience == key[1] for row in rows):
                yield at, Page(key[1], rows)

    def _note_names(self, at: TableId, sources: Iterable[str]) -> None:
        """Note the faults that earlier names of a table in its events mean, if any.

        A page of `replay` may contain them; a live event must have the table's present name.
        """
        for source in sources:
            if odd := earlier_name(at, source, self.live.there().__contains__):
                self._note(at, odd)

    async def _ask(self) -> None:
        """Ask tables for missing rows, no faster than the tables' pace."""
        while True:
            await asyncio.sleep(0.05)
            if not self.connected:
                continue
            with suppress(LinkLost):
                now, there = self._now(), self.live.there()
                self._doubt(now, there)
                for key, (first, last) in self.refill.due(now, there):
                    self.sessions.publish(self._replay(key, first, last))

    def _doubt(self, now: float, there: frozenset[TableId]) -> None:
        """Mark the tables that must be asked now whether they have more rows. Raises LinkLost."""
        if now - self._looked >= DOUBT_S:
            self._looked = now
            self.sessions.ask_again()
        for at in there:
            if at not in self._doubted:  # not all at once
                self._doubted[at] = now - crc32(at.source.encode()) % 1000 / 1000 * DOUBT_S
            if now - self._doubted[at] >= DOUBT_S:
                self._doubted[at] = now
                for audience in AUDIENCES:
                    self._own.add(at, Doubt(audience))
                self._there.set()

    def _replay(self, key: tuple[TableId, Audience], first: int, last: int) -> Message:
        at, audience = key
        transaction = f"{self._token}-{next(self._numbers)}"
        if len(self._asked) > 10_000:  # answers that never came
            self._asked.clear()
        self._asked[transaction] = key
        data = {"from_seq": first, "to_seq": last, "audience": audience}
        return request(at, transaction, "replay", data)


_RESPONSE = msgspec.json.Decoder(_Response)


def _place(topic: str) -> str:
    """Return a topic's name for a sentence: the pattern that the topic matches, or "another topic".

    The topic itself is not quoted, because a table may make up any number of topics.
    """
    return next(
        (one for one in (*EVENTS, *PICTURES) if topic_matches_sub(one, topic)), "another topic"
    )


def _end(chain: Chain) -> End:
    audience: Audience = "public" if chain.chain_head else "croupier"
    return End(audience, chain.seq, chain.stream, chain.chain_head)

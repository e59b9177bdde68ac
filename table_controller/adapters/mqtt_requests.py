"""Requests that arrive through the broker, and their answers.

The module knows topics, envelopes and who may ask, but no client and no game. A command goes to the
table through a function, as an input like any other. Every message is either answered, or dropped
and counted. No message causes an exception or a line in the log, and no value of a message is ever
repeated.
"""

from __future__ import annotations

import asyncio
import itertools
import time
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta, Raw, Struct

from table_controller.adapters.broker_rules import FLOOR
from table_controller.adapters.mqtt_messages import Message, answer_message, event
from table_controller.adapters.mqtt_names import Request, TableId, request_of
from table_controller.adapters.mqtt_throttle import Ear
from table_controller.engine.messages import Audience, Refusal
from table_controller.engine.table.roles import MOST_NAME, PLAIN_NAME, on_behalf
from table_controller.service.errors import JournalError
from table_controller.service.outbox import Outbox
from table_controller.service.plain_errors import plainly
from table_controller.words import text

MAX_BYTES = 8192
"""Bytes of a request. The largest sensible request has some 500."""
MAX_WAITING = 64
"""The most requests that may wait: in all, for `replay`, and from one user."""
MAX_REPLAYS = 32
MAX_WAITING_OF_ONE = 8
MAX_ANSWERS = 256
"""Answers that are kept, so that a repeated request gets the same answer."""
PAGE_ROWS = 100
"""Rows in one answer to `replay`."""
AHEAD_S = 2.0
"""How far a sender's clock may be ahead of ours, in seconds."""

#: The highest event number. It is far more than a table reaches, and a page beyond it still fits
#: any database.
Seq = Annotated[int, Meta(ge=1, le=2**62)]
#: The values that become the content of `response`.
Reply = dict[str, Any]
T = TypeVar("T")


class Transaction(Struct, frozen=True):
    """A request's envelope: a CloudEvent whose `id` is the id of the transaction."""

    specversion: Literal["1.0"]
    id: Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{8,64}$")]
    source: Annotated[str, Meta(min_length=1, max_length=256)]
    type: Annotated[str, Meta(min_length=1, max_length=128)]
    data: Raw
    time: Annotated[datetime, Meta(tz=True)] | None = None


class ReplayAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """Content of `replay`: the first and the last number of the missing events, both included.

    Without `to_seq` all later events are meant.
    """

    from_seq: Seq
    to_seq: Seq | None = None
    audience: Literal["public", "croupier"] = "public"


class CommandAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """Content of any other request.

    Attributes:
        boot: as in `state`, so that a command meant for an earlier start is not carried out.
        prompt: the id of the prompt that the command answers, or null.
        ttl_ms: how many milliseconds after the envelope's `time` the command may be carried out.
        input: the fields of the input that the command names.
        person: the name of the person for whom the floor asks. Only the floor's account may give a
            name, and the name is only noted. The request has the rights of the floor's account.
    """

    boot: str
    prompt: int | None
    ttl_ms: Annotated[int, Meta(ge=1, le=60_000)]
    input: dict[str, Any] = {}
    person: Annotated[str, Meta(max_length=MOST_NAME, pattern=PLAIN_NAME)] = ""


class _Declined(Exception):
    """Why a request is declined, and the remedy: two sentences without the request's values."""


def _unwritten() -> _Declined:
    return _Declined("The journal cannot be written now.", "Ask again in a while.")


class Desk:
    """Answers requests one at a time: commands first, then replays, each in order of arrival."""

    def __init__(
        self,
        table: TableId,
        rows: Outbox,
        *,
        boot: str,
        staff: Callable[[str], str | None],
        commands: frozenset[str],
        say: Callable[[dict[str, Any], str], Awaitable[Any]],
        seen_before: Callable[[str], Awaitable[bool]],
        stopped: Callable[[], bool] = lambda: False,
        game: str = "",
        now: Callable[[], float] = time.time,
    ) -> None:
        """Connect the desk with a table.

        Args:
            table: the table to which the requests belong.
            rows: the rows from which `replay` is answered.
            boot: id of this start of the program.
            staff: returns the actor for a user of the broker, as named in the journal; None for
                other users, who may only ask for `replay`.
            commands: names of the inputs that may arrive this way. None of them can name a closed
                card.
            say: sends an input to the table, in the name of an actor. The input is a dict of its
                fields, with `type` and `prompt`. Raises Refusal or ValueError.
            seen_before: notes a transaction permanently. Returns True if it was already known.
                Raises JournalError if it cannot be noted.
            stopped: whether the table has stopped, because the journal cannot be written now.
            game: the table's game, in whose words a refusal is answered.
            now: returns the seconds since 1970.
        """
        self._table, self._rows, self._boot = table, rows, boot
        self._staff, self._commands = staff, commands
        self._say, self._seen_before = say, seen_before
        self._stopped, self._game, self._now = stopped, game, now
        # commands before replays, otherwise in order
        self._waiting: asyncio.PriorityQueue[tuple[bool, int, Request, bytes]]
        self._waiting = asyncio.PriorityQueue(MAX_WAITING)
        self._numbers, self._replays = itertools.count(), 0
        self._waiting_of: Counter[str] = Counter()
        #: Whether requests are heard now.
        self.ear = Ear(commands)
        self._answers: OrderedDict[str, Reply] = OrderedDict()
        self.counts: Counter[str] = Counter()
        """The fate of every request that arrived: `answered`, `declined`, or the reason why it was
        dropped."""

    def hear(self, topic: str, payload: bytes, retained: bool) -> None:
        """Queue a request, or drop and count it. Never raises an error."""
        request = request_of(topic, self._table)
        if request is None:
            self.counts["dropped_topic"] += 1
        elif retained:
            self.counts["dropped_retained"] += 1
        elif self._crowded(request):
            self.counts["dropped_busy"] += 1
            self.ear.dropped(1 + len(payload) // MAX_BYTES)
        else:
            replay = request.command == "replay"
            self._replays += replay
            self._waiting_of[request.user] += 1
            # a request that is too large gets an answer, but is not kept whole
            kept = payload[: MAX_BYTES + 1]
            self._waiting.put_nowait((replay, next(self._numbers), request, kept))

    def _crowded(self, request: Request) -> bool:
        if request.command == "replay" and self._replays >= MAX_REPLAYS:
            return True
        return self._waiting.full() or self._waiting_of[request.user] >= MAX_WAITING_OF_ONE

    async def serve(self, tell: Callable[[Message], None]) -> None:
        """Answer requests until cancelled; `tell` sends an answer.

        After each replay the desk pauses for as long as the replay took.
        """
        while True:
            replay, _, request, payload = await self._waiting.get()
            began = time.perf_counter()
            answer = await self.answer(request, payload)
            tell(answer_message(request.user, request.command, answer, self._boot, self._table))
            self._replays -= replay
            self._waiting_of[request.user] -= 1
            if not self._waiting_of[request.user]:
                del self._waiting_of[request.user]
            await asyncio.sleep(time.perf_counter() - began if replay else 0)

    async def answer(self, request: Request, payload: bytes) -> Reply:
        """Carry out a request, unless it was carried out before.

        The answer says what came of it.
        """
        transaction = ""
        try:
            asked = _read(payload)
            transaction = asked.id
            answer = await self._do(request, asked)
        except _Declined as declined:
            why, remedy = declined.args
            answer = {"ok": False, "why": why, "remedy": remedy}
        self.counts["answered" if answer["ok"] else "declined"] += 1
        return {"transaction": transaction, **answer}

    async def _do(self, request: Request, asked: Transaction) -> Reply:
        if request.command == "replay":
            return self._replay(request, asked)
        key = f"{request.user}/{asked.id}"
        if key in self._answers:
            return self._answers[key]
        answer = await self._command(request, asked, key)
        self._answers[key] = answer
        if len(self._answers) > MAX_ANSWERS:
            self._answers.popitem(last=False)
        return answer

    def _replay(self, request: Request, asked: Transaction) -> Reply:
        """Return one page of the missing events.

        `next` is the first number of the next page, or null.
        """
        gap = _content(asked, _REPLAY)
        audience = Audience(gap.audience)
        if audience is not Audience.PUBLIC and self._staff(request.user) is None:
            raise _Declined("These events are for the staff.", "Ask for audience 'public'.")
        last = gap.from_seq + PAGE_ROWS - 1
        to = last if gap.to_seq is None else min(gap.to_seq, last)
        try:
            rows = [] if to < gap.from_seq else self._rows.replay(audience, gap.from_seq, to)
        except OSError:
            raise _Declined("The journal cannot be read now.", "Ask again in a while.") from None
        more = to == last != gap.to_seq and len(rows) == PAGE_ROWS
        return {
            "ok": True,
            "audience": audience,
            "events": [event(row, self._table) for row in rows],
            "next": last + 1 if more else None,
        }

    async def _command(self, request: Request, asked: Transaction, key: str) -> Reply:
        actor = self._staff(request.user)
        if actor is None:
            raise _Declined(
                "Only the table's staff may do that.", "Guests may ask for 'replay' only."
            )
        if request.command not in self._commands:
            allowed = ", ".join(sorted(self._commands | {"replay"}))
            raise _Declined("That is no command of this table.", f"There are: {allowed}.")
        command = _content(asked, _COMMAND)
        if command.person:
            if request.user != FLOOR:
                raise _Declined(
                    "Only the floor's account may say for whom it asks.",
                    "Leave 'person' out: the account's own person counts.",
                )
            actor = on_behalf(actor, command.person)
        self._check_moment(asked, command)
        try:
            known = await self._seen_before(key)
        except JournalError:
            raise _unwritten() from None
        if known:
            raise _Declined(
                "This transaction was received before.", "Give every request an id of its own."
            )
        self._check_moment(asked, command)  # checked again, since writing to the disk took time
        try:
            said = await self._say(
                {**command.input, "type": request.command, "prompt": command.prompt}, actor
            )
        except Refusal as refusal:
            why, remedy = (text(one, "en", self._game) for one in (refusal.why, refusal.remedy))
            return {"ok": False, "why": why, "remedy": remedy}
        except ValueError as error:
            return {
                "ok": False,
                "why": f"The input is not one: {error}.",
                "remedy": "TOPICS.md and the AsyncAPI document have the fields of each.",
            }
        return {"ok": True, "said": said}

    def _check_moment(self, asked: Transaction, command: CommandAsked) -> None:
        if taken := sorted(command.input.keys() & {"actor", "type", "prompt"}):
            raise _Declined(
                f"The input may not hold {' and '.join(taken)}.",
                "The table knows the actor; type is the topic's end, prompt stands beside it.",
            )
        if command.boot != self._boot:
            raise _Declined(
                "It was meant for an earlier start of the table.",
                "Read 'state' for the boot id of now, and 'snapshot' for what it asks.",
            )
        if self._stopped():
            raise _unwritten()
        if asked.time is None:
            raise _Declined("It has no 'time'.", "Say when it was asked, as RFC 3339.")
        age = self._now() - asked.time.timestamp()
        if age * 1000 > command.ttl_ms:
            raise _Declined(
                f"It came {age:.1f} s after its time and was good for {command.ttl_ms / 1000:g} s.",
                "Look at 'snapshot' and ask again; if it is always so, set the clocks.",
            )
        if age < -AHEAD_S:
            raise _Declined(
                f"Its time lies {-age:.1f} s ahead of the table's clock.", "Set the clocks."
            )


_ASKED = msgspec.json.Decoder(Transaction)
_REPLAY = msgspec.json.Decoder(ReplayAsked)
_COMMAND = msgspec.json.Decoder(CommandAsked)


def _read(payload: bytes) -> Transaction:
    if len(payload) > MAX_BYTES:
        raise _Declined(f"It is larger than {MAX_BYTES} bytes.", "Send the input alone.")
    try:
        return _ASKED.decode(payload)
    except (ValueError, RecursionError) as error:
        raise _Declined(
            f"It is not a CloudEvents 1.0 envelope: {_reason(error)}.", "TOPICS.md has an example."
        ) from None


def _content(asked: Transaction, decoder: msgspec.json.Decoder[T]) -> T:
    try:
        return decoder.decode(asked.data)
    except (ValueError, RecursionError) as error:
        raise _Declined(
            f"Its data does not fit: {_reason(error)}.", "TOPICS.md has an example."
        ) from None


def _reason(error: ValueError | RecursionError) -> str:
    """Return what was wrong and where, without the wrong value."""
    if isinstance(error, msgspec.DecodeError):
        _, at, where = str(error).partition(" - at ")
        return plainly(str(error)) + at + where
    return "not text in UTF-8" if isinstance(error, UnicodeDecodeError) else "nested too deeply"

"""Connects the table with the screens: the newest picture goes out, inputs come in.

The module knows audiences and how to wait, but no game, no HTML and no network.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Generic, TypeVar

from msgspec import Struct

from table_controller.engine.messages import Audience, Phrase, phrase
from table_controller.engine.views import Snapshot

S = TypeVar("S")

#: A screen's press is compared with this many of the last accepted inputs.
MOST_KNOWN = 256
#: The page's message: an offer's input with its `prompt`, and the values that the person filled in.
Said = dict[str, str | int | bool | None]


class Answer(Struct, frozen=True, kw_only=True):
    """The table's answer to an input.

    If it is not `ok`, it names the reason and the remedy, and no card. `changed` says whether an
    `ok` input changed anything.
    """

    ok: bool = True
    changed: bool = True
    why: Phrase = Phrase("")
    remedy: Phrase = Phrase("")
    rule: str = ""


class Press(Struct, frozen=True):
    """One press of one finger. It counts once, even if it is sent twice.

    Attributes:
        id: a random id; "" if the sender gives none. Then a repeated press is not recognised.
        seen: the number of the picture on the screen (`Hub.turn`); None if there was none.
    """

    id: str = ""
    seen: int | None = None

    def by(self, actor: str) -> str:
        """Return the press's id in the journal, unique among all inputs; "" for no id."""
        return f"{actor}/{self.id}" if self.id else ""


NAMELESS = Press()


class Hub(Generic[S]):
    """Gets the table's states from the wiring, and makes a picture only when a page asks for one.

    A slow screen misses pictures, but never the newest one, and delays no other screen. The hub
    works on one event loop, and `tell` must be called there.
    """

    def __init__(
        self,
        state: S,
        project: Callable[[S, Audience], Snapshot],
        say: Callable[[Said, str, str], Awaitable[Answer]],
        rule: Callable[[str], str | None],
        answered: Callable[[str], Answer | None] = lambda _: None,
        *,
        begin: int = 0,
    ) -> None:
        """Begin with a state. `project` makes pictures, and `rule` finds a rule's text by its id.

        `say` sends an input to the table, with its actor and its press's id in the journal.
        `answered` returns the answer to such an id, if there was one. Pictures are numbered from
        `begin`, which is higher than all numbers of the program's last start.
        """
        self._state = state
        self._project, self._say, self._rule = project, say, rule
        self._answered = answered
        self._one_by_one = asyncio.Lock()
        self._taken: deque[tuple[int, Said]] = deque(maxlen=MOST_KNOWN)
        self._pictures: dict[Audience, Snapshot] = {}
        self.turn = self._begin = begin
        """The number of the current picture."""
        self._news = asyncio.Event()
        self._closed = False

    def tell(self, state: S) -> None:
        """Note the newest state. No picture is made until somebody looks."""
        self._state = state
        self._pictures.clear()
        self.turn += 1
        self._wake()

    def again(self) -> None:
        """Have the current picture made again, since something outside the state has changed."""
        self.tell(self._state)

    def close(self) -> None:
        """End every subscription."""
        self._closed = True
        self._wake()

    def snapshot(self, audience: Audience) -> Snapshot:
        """Return the current picture, made once for any number of viewers."""
        if audience not in self._pictures:
            self._pictures[audience] = self._project(self._state, audience)
        return self._pictures[audience]

    async def subscribe(self, audience: Audience) -> AsyncIterator[Snapshot]:
        """Yield the current picture, then each newest picture, until `close`."""
        seen = -1
        while not self._closed:
            if seen == self.turn:
                await self._news.wait()
                continue
            seen = self.turn
            yield self.snapshot(audience)

    async def say(self, said: Said, actor: str, press: Press = NAMELESS) -> Answer:
        """Pass an input to the table and return its answer.

        A repeated press gets the first answer.
        """
        name = press.by(actor)
        async with self._one_by_one:  # the result of one input decides about the next
            first = self._answered(name) if name else None
            answer = first or self._refused(said, press)
            if answer is None:
                answer = await self._say(said, actor, name)
                if answer.ok and answer.changed:
                    self._taken.append((self.turn, _words(said)))
        return answer

    def _refused(self, said: Said, press: Press) -> Answer | None:
        if "prompt" not in said:  # not from a page, as a page names its prompt
            return None
        picture = self.snapshot(Audience.CROUPIER)
        return refused_here(said, picture) or self._said_meanwhile(said, press, picture)

    def _said_meanwhile(self, said: Said, press: Press, picture: Snapshot) -> Answer | None:
        """Refuse an input that another screen has sent since this person's picture was drawn.

        If two people enter the bet that both have heard, the bet counts once. It counts twice only
        if the second person presses after seeing the first bet on the page.
        """
        if press.seen is None or said["prompt"] != picture.prompt.id:
            return None
        if press.seen < self._begin:  # nobody knows any more which inputs others have sent since
            return Answer(
                ok=False,
                why=phrase("The table was started again just now."),
                remedy=phrase("Look at the table. If it does not show it, press again."),
            )
        since = (words for turn, words in self._taken if turn > press.seen)
        if _words(said) not in since:
            return None
        return Answer(
            ok=False,
            why=phrase("The same was said on another screen just now."),
            remedy=phrase("Look at the table. If it counts twice, press again."),
        )

    def rule(self, rule_id: str) -> str | None:
        """Return the text of a rule in our words; None if no rule has that id."""
        return self._rule(rule_id)

    def _wake(self) -> None:
        news, self._news = self._news, asyncio.Event()
        news.set()


def _words(said: Said) -> Said:
    return {name: value for name, value in said.items() if name != "prompt"}


def refused_here(said: Said, snapshot: Snapshot) -> Answer | None:
    """Refuse an input that the page does not offer, so that no page can forge a reader's input.

    Return None for an input that may go to the table. A press for an older prompt goes to the
    table, which refuses and journals it. A press for a prompt that no page has shown yet is refused
    here, since that prompt could be current by the time the table gets the press.
    """
    words = _words(said)
    answers, now = int(said["prompt"] or 0), snapshot.prompt.id
    if answers < now or (answers == now and any(offer.takes(words) for offer in snapshot.offers)):
        return None
    long = next(filter(None, (offer.too_long(words) for offer in snapshot.offers)), None)
    if long and answers == now:
        return Answer(
            ok=False,
            why=phrase("{what}: {most} letters are allowed.", what=long.label, most=long.most),
            remedy=phrase("Make it shorter."),
        )
    return Answer(
        ok=False,
        why=phrase("The table does not take this now."),
        remedy=phrase("Use the buttons that the page shows."),
    )

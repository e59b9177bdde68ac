"""Who uses a page. People sign in with name and PIN, once the list of people names anybody.

The module knows the list of people and HTTP, but no table: a floor's page uses it too. A session is
a cookie that no script can read and no other site can send. Sessions outlive a restart of the
program, since a press may be under way then.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from hashlib import sha256
from math import ceil
from secrets import token_urlsafe
from typing import Generic, Protocol, TypeVar

from msgspec import DecodeError, Struct, json
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response

from table_controller.adapters.addresses import is_loopback
from table_controller.adapters.limits import (
    FIRST_WAIT_S,
    FREE_AT_AN_ADDRESS,
    FREE_GUESSES,
    HELD_S,
    MOST_COUNTED,
    MOST_SESSIONS,
    MOST_WAIT_S,
    SESSION_S,
)
from table_controller.adapters.web.guard import address_of
from table_controller.adapters.web.hub import Said
from table_controller.engine.messages import BY, Phrase, phrase
from table_controller.engine.table.persons import SignedIn, SignInRefused
from table_controller.engine.table.roles import KnownByName, alike, named

#: Characters that distinguish typed names. The house's names are shorter.
MOST_NAME = 100

#: The actor at a page that only this machine can open, while nobody has a role.
ALONE = "croupier"


class Someone(KnownByName, Protocol):
    """Somebody on a list of people.

    `proof` is the hash of the PIN; `actor` names the person and the role.
    """

    @property
    def proof(self) -> str: ...
    @property
    def actor(self) -> str: ...
    @property
    def signs_in(self) -> bool:
        """Whether the person may sign in at all; guests may not."""


P = TypeVar("P", bound=Someone)


class NotLetIn(Exception):
    """A sign-in was refused. `wait_s` is the time until the next attempt, in seconds."""

    def __init__(self, why: Phrase, remedy: Phrase, wait_s: int = 0) -> None:
        super().__init__(str(why))
        self.why, self.remedy, self.wait_s = why, remedy, wait_s


class _Session(Struct, frozen=True):
    """The person who signed in, from where, the hash of the PIN then, and when the session ends.

    `until` is in seconds since 1970.
    """

    name: str
    address: str
    proof: str
    until: float


_SESSIONS = dict[str, _Session]


def _token_key(token: str) -> str:
    """The key of a session: nobody signs in with what is kept."""
    return sha256(token.encode()).hexdigest()


#: Guesses with the same key are counted together. A key is the typed name, the address it came
#: from, and whether that address is this machine. All names of an address have the key without a
#: name (None), too.
_Whose = tuple[str | None, str, bool]


class Guesses:
    """Counts wrong PINs by name and address, and says how long the next guess must wait.

    Known and unknown names are counted alike, so that the wait reveals nothing. Each address is
    counted separately, so that no stranger can keep anybody out. Invented names cost the address
    that sends them a wait, and nobody else.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._wrong: dict[_Whose, tuple[int, float]] = {}

    def wait_s(self, whose: _Whose) -> float:
        """Return the seconds until another guess is accepted."""
        until = max(self._wrong.get(key, (0, 0.0))[1] for key in _counted(whose))
        return max(0.0, until - self._now())

    def wrong(self, whose: _Whose) -> None:
        """Count a guess as wrong, before it is checked, since many may come at once."""
        for key, free in _counted(whose).items():
            count = self._wrong.pop(key, (0, 0.0))[0] + 1
            beyond = count - free
            wait = min(FIRST_WAIT_S * 2.0 ** min(beyond, 16), MOST_WAIT_S) if beyond >= 0 else 0.0
            if len(self._wrong) >= MOST_COUNTED:
                del self._wrong[min(self._wrong, key=self._wrong.__getitem__)]
            self._wrong[key] = count, self._now() + wait

    def right(self, whose: _Whose) -> None:
        """Forget the counts, because the guess was right."""
        for key in _counted(whose):
            self._wrong.pop(key, None)


def _counted(whose: _Whose) -> dict[_Whose, int]:
    """The keys with which a guess is counted, and how many guesses each has free."""
    _, address, near = whose
    return {(None, address, near): FREE_AT_AN_ADDRESS, whose: FREE_GUESSES}


class Kept(Protocol):
    """Where sessions are kept, as a text that nobody else can read or write."""

    def read(self) -> bytes:
        """Return the text; b"" if there is none."""

    def write(self, text: bytes) -> None:
        """Replace the text. This may wait for a disk."""


class SignIn(Generic[P]):
    """Signs people in and out, and knows who is signed in.

    Args:
        persons: returns the present list of people.
        matches: returns whether a PIN and a stored hash agree.
        say: journals a person who signed in or was refused.
        kept: keeps the sessions while this program does not run; None: they end with it.
        now: returns the time in seconds, from any origin, for the waits after wrong PINs.
        clock: returns the time in seconds since 1970, for the sessions.
        hold: waits for some seconds, before somebody who guesses too early is told so.
    """

    def __init__(
        self,
        persons: Callable[[], tuple[P, ...]],
        matches: Callable[[str, str], Awaitable[bool]],
        say: Callable[[SignedIn | SignInRefused], None],
        kept: Kept | None = None,
        *,
        now: Callable[[], float] = time.monotonic,
        clock: Callable[[], float] = time.time,
        hold: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._hold = hold
        self._persons, self._matches, self._say, self._clock = persons, matches, say, clock
        self._kept, self._keeping = kept, asyncio.Lock()
        self._sessions = self._of_before()
        self._guesses = Guesses(now)
        self._first, self._others = asyncio.Semaphore(1), asyncio.Semaphore(1)

    def who(self, request: Request) -> str | None:
        """Return the actor of a request; None for a stranger."""
        if self.open_to(request):
            return ALONE
        person = self.person(request)
        return person.actor if person else None

    def open_to(self, request: Request) -> bool:
        """Whether the request needs no sign-in.

        It needs none as long as nobody has a role, if it came from this machine.
        """
        return not self._persons() and _near(request)

    def person(self, request: Request) -> P | None:
        """Return the person whom the request's cookie signs in; None if there is nobody.

        A session ends when the person's PIN changes, or when the person may no longer sign in.
        """
        session = self._sessions.get(_token_key(request.cookies.get(_cookie(request), "")))
        if session is None or session.until <= self._clock():
            return None
        person = named(self._persons(), session.name)
        return person if person and person.proof == session.proof and person.signs_in else None

    async def sign_in(self, request: Request, name: str, pin: str) -> str:
        """Check name and PIN, and return the cookie of a new session. Raises NotLetIn.

        Wrong guesses are counted separately for each name and address, whether the name is known or
        not.
        """
        person = await self._known(request, name, pin)
        self._say(SignedIn(actor=person.actor))
        token = self._begun(person, address_of(request))
        await self._keep()
        return token

    async def second(self, request: Request, said: Said) -> P | None:
        """Return the second person who enters a card, and check that person's PIN. Raises NotLetIn.

        Return None if no second person was chosen, or nobody is signed in. A second person who is
        the signed-in person needs no PIN.
        """
        here, name, pin = self.person(request), said.get(BY), str(said.pop("pin", ""))
        if here is None or not isinstance(name, str):
            return None
        if alike(name) == alike(here.name):
            return here
        return await self._known(request, name, pin)

    async def _known(self, request: Request, name: str, pin: str) -> P:
        """Return the person with this name and PIN. Raises NotLetIn."""
        person = named(self._persons(), name)
        whose = alike(name)[:MOST_NAME], address_of(request), _near(request)
        wait_s = ceil(self._guesses.wait_s(whose))
        if wait_s:
            await self._hold(HELD_S)  # else his next guess comes at once, and the page is busy
            raise NotLetIn(phrase("Too many wrong PINs."), phrase("Wait, then try again."), wait_s)
        self._guesses.wrong(whose)
        proof = person.proof if person and person.signs_in else ""
        async with self._turn(request):
            matches = await self._matches(pin, proof)
        if not matches or person is None:
            self._say(SignInRefused(actor="page", name=person.name if person else ""))
            raise NotLetIn(
                phrase("No person here has this name and this PIN."),
                phrase("Look at both and try again."),
                ceil(self._guesses.wait_s(whose)),
            )
        self._guesses.right(whose)
        return person

    def _turn(self, request: Request) -> asyncio.Semaphore:
        """The queue in which a PIN waits to be checked, since a check takes memory and time.

        This machine, and addresses from which somebody is signed in, wait for no stranger. The
        queue does not depend on the name, so the time tells nothing about it.
        """
        here, now = address_of(request), self._clock()
        used = any(one.address == here and one.until > now for one in self._sessions.values())
        return self._first if used or _near(request) else self._others

    def _begun(self, person: P, address: str) -> str:
        now = self._clock()
        for old in [key for key, one in self._sessions.items() if one.until <= now]:
            del self._sessions[old]
        same = [key for key, one in self._sessions.items() if alike(one.name) == alike(person.name)]
        for old in same[: max(0, len(same) - MOST_SESSIONS + 1)]:
            del self._sessions[old]
        token = token_urlsafe(32)
        session = _Session(person.name, address, person.proof, now + SESSION_S)
        self._sessions[_token_key(token)] = session
        return token

    async def sign_out(self, request: Request) -> None:
        """End the session of this request."""
        if self._sessions.pop(_token_key(request.cookies.get(_cookie(request), "")), None):
            await self._keep()

    async def _keep(self) -> None:
        """Keep the sessions as they are now."""
        if self._kept:
            async with self._keeping:
                await asyncio.to_thread(self._kept.write, json.encode(self._sessions))

    def _of_before(self) -> dict[str, _Session]:
        """The sessions of an earlier run. None lasts longer than if it began now."""
        try:
            found = json.decode(self._kept.read() if self._kept else b"{}", type=_SESSIONS)
        except DecodeError:  # nothing is kept yet, or by an older version
            return {}
        now = self._clock()
        last = now + SESSION_S
        return {
            key: replace(one, until=min(one.until, last))
            for key, one in found.items()
            if one.until > now
        }


def remember(answer: Response, request: Request, token: str) -> None:
    """Set the session's cookie in the browser. An empty `token` deletes the cookie."""
    answer.set_cookie(
        _cookie(request),
        token,
        int(SESSION_S) if token else 0,
        secure=request.url.scheme == "https",
        httponly=True,
        samesite="strict",
    )


def _cookie(request: Request) -> str:
    """Return the cookie's name, with the port in it.

    A browser sends the cookies of one machine to all its ports, so tables need different names.
    """
    server = request.scope.get("server") or ("", 0)
    return f"session-{server[1]}"


def _near(request: Request) -> bool:
    """Whether the request came from this machine, to an address that only it can reach.

    A proxy on this machine passes on the requests of others, whose address it reports.
    """
    ends = (request.scope.get("server"), request.client)
    return all(one is not None and is_loopback(one[0]) for one in ends)

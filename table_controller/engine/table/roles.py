"""People with roles: who they are, and which inputs each may send.

The module is pure, and knows no game and no PIN. Until somebody has a role, anybody who is let in
may send every input, as in a demonstration.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Protocol, TypeVar

from msgspec import Struct

from table_controller.engine.messages import BY_HAND, Input, Phrase, Refusal, Role, phrase

#: The actor of somebody at the machine itself, who keeps the list of people.
CONSOLE: Final = "console"
#: The most characters of a person's name.
MOST_NAME: Final = 40
#: Characters that no person's name contains: an actor names the role before a `:`, and in brackets
#: the person for whom he speaks.
_PARTS: Final = ":#\\[\\]"
#: The form of a name on a table's list of people.
NAME: Final = f"^[^{_PARTS}]+$"
#: The form of a name that a floor gives, in one line and without characters that turn a line.
#: "" is no name.
PLAIN_NAME: Final = rf"^[^{_PARTS}\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]*$"

#: Each role's name for people.
CALLED: Final[dict[Role, Phrase]] = {
    Role.GUEST: phrase("guest"),
    Role.TECHNICIAN: phrase("technician"),
    Role.CROUPIER: phrase("croupier"),
    Role.SUPERVISOR: phrase("supervisor"),
}


class KnownByName(Protocol):
    """Anybody who is known by a name."""

    @property
    def name(self) -> str:
        """As the person signs in."""


N = TypeVar("N", bound=KnownByName)


class Account(Struct, frozen=True, gc=False):
    """A name at the broker, one per device of a person.

    `proof` is the hash of its secret, as in a password file. The secret itself was shown once.
    """

    name: str
    proof: str


class Person(Struct, frozen=True, gc=False):
    """Somebody whom the house knows. `proof` is made from the PIN and the table's key."""

    name: str
    role: Role
    proof: str = ""
    accounts: tuple[Account, ...] = ()

    @property
    def actor(self) -> str:
        """The person as an input's actor: `supervisor:anna`."""
        return f"{self.role}:{self.name}"

    @property
    def signs_in(self) -> bool:
        """Whether the person works here, and so has business at the staff's page."""
        return bool(self.proof) and self.role is not Role.GUEST


class NotAllowed(Refusal):
    """The actor may not send this input."""


NOBODY: Final = phrase("Nobody who may say this has signed in.")


def another_role(wanted: Role) -> Phrase:
    """The reason why somebody without this role is refused."""
    return phrase("This needs another role: {role}.", role=CALLED[wanted])


#: All reasons of NotAllowed. A table without people never refuses for these.
WHYS: Final = (NOBODY, *map(another_role, Role))


def alike(name: str) -> str:
    """A name in the form used for comparison, however it was written."""
    return " ".join(name.casefold().split())


def on_behalf(actor: str, name: str) -> str:
    """An actor who says something for somebody else: `croupier:Floor [Anna]`.

    No person's name contains a bracket, so nobody can have such a name.
    """
    return f"{actor} [{name}]"


def answering(name: str) -> str:
    """The person on the list who answers for the input.

    The other person gains no rights from it.
    """
    return name.partition(" [")[0]


def named(persons: Iterable[N], name: str) -> N | None:
    """The person of that name, however it is written, or None."""
    wanted = alike(name)
    for person in persons:
        if alike(person.name) == wanted:
            return person
    return None


def holder(persons: Iterable[Person], account: str) -> Person | None:
    """The person whose account at the broker has this name, or None."""
    return next((one for one in persons if any(a.name == account for a in one.accounts)), None)


def check(persons: tuple[Person, ...], said: Input, *, eased: bool = False) -> None:
    """Raise NotAllowed if the actor's role is too low.

    `eased` means that a croupier's role is enough.
    """
    if not persons:
        return
    kind, _, name = said.actor.partition(":")
    by_hand = kind == BY_HAND
    if by_hand:
        kind, _, name = name.partition(":")
    needs = Role.CROUPIER if eased else said.NEEDS
    if kind == CONSOLE:
        return
    if kind not in CALLED:  # a reader, a sensor, a button at the table
        may = needs is None or Role.CROUPIER.may(needs)
    else:
        person = named(persons, answering(name))
        if person is None or person.role != kind:
            raise NotAllowed(
                NOBODY,
                phrase("Sign in by name and PIN, and say it again."),
            )
        may = person.role.may(needs or Role.CROUPIER) and (needs is not None or by_hand)
    if not may:
        raise NotAllowed(
            another_role(needs or Role.CROUPIER),
            phrase("Have somebody of that role sign in and say it."),
        )

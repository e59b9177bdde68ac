"""People with roles: who they are, and which inputs each may send.

The module is pure, and knows no game and no PIN. Until somebody has a role, anybody who can reach
the page may send every input, as in a demonstration.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Protocol, TypeVar

from msgspec import Struct

from table_controller.engine.messages import BY_HAND, Input, Phrase, Refusal, Role, phrase

#: The actor of somebody at the machine itself, who keeps the list of people.
CONSOLE: Final = "console"

#: Each role's name for people.
CALLED: Final[dict[Role, Phrase]] = {
    Role.GUEST: phrase("guest"),
    Role.TECHNICIAN: phrase("technician"),
    Role.CROUPIER: phrase("croupier"),
    Role.SUPERVISOR: phrase("supervisor"),
}


class KnownByName(Protocol):
    """Anything that has a person's name."""

    @property
    def name(self) -> str:
        """The name with which the person signs in."""


N = TypeVar("N", bound=KnownByName)


class Account(Struct, frozen=True, gc=False):
    """An account at the broker; a person has one for each of his devices.

    `proof` is the hash of the account's secret, as in a password file. The secret itself was shown
    only once.
    """

    name: str
    proof: str


class Person(Struct, frozen=True, gc=False):
    """A person on the house's list.

    `proof` is made from the PIN and the table's key; "" without a PIN.
    """

    name: str
    role: Role
    proof: str = ""
    accounts: tuple[Account, ...] = ()

    @property
    def actor(self) -> str:
        """The person as the actor of an input: `supervisor:anna`."""
        return f"{self.role}:{self.name}"

    @property
    def signs_in(self) -> bool:
        """Whether the person works here, and so may use the staff's page."""
        return bool(self.proof) and self.role is not Role.GUEST


class NotAllowed(Refusal):
    """The actor's role does not allow this input."""


NOBODY: Final = phrase("Nobody who may say this has signed in.")


def another_role(wanted: Role) -> Phrase:
    """The reason for refusing a person who does not have the role `wanted`."""
    return phrase("This needs another role: {role}.", role=CALLED[wanted])


#: All reasons of NotAllowed. A table without people never refuses for these.
WHYS: Final = (NOBODY, *map(another_role, Role))


def alike(name: str) -> str:
    """A name in the form used for comparison: small letters, single spaces."""
    return " ".join(name.casefold().split())


def on_behalf(actor: str, name: str) -> str:
    """The actor of an input that the person `actor` sends for `name`: `croupier:Floor [Anna]`.

    Nobody can have such a name, because no person's name contains a bracket.
    """
    return f"{actor} [{name}]"


def answering(name: str) -> str:
    """The person on the list who is responsible for an input, from a name such as `Floor [Anna]`.

    That is `Floor`. The person in brackets gains no rights.
    """
    return name.partition(" [")[0]


def named(persons: Iterable[N], name: str) -> N | None:
    """The person of that name, or None.

    Small and capital letters, and spaces, make no difference.
    """
    wanted = alike(name)
    for person in persons:
        if alike(person.name) == wanted:
            return person
    return None


def holder(persons: Iterable[Person], account: str) -> Person | None:
    """The person whose account at the broker has this name, or None."""
    return next((one for one in persons if any(a.name == account for a in one.accounts)), None)


def check(persons: tuple[Person, ...], said: Input, *, eased: bool = False) -> None:
    """Raise NotAllowed if the actor's role is too low for the input.

    `eased` means that a croupier's role is enough, whatever role the input needs elsewhere.
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

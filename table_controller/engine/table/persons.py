"""People with roles: their list, sign-ins and accounts at the broker, and who may enter cards."""

from __future__ import annotations

from typing import Annotated, ClassVar, Final, get_args

from msgspec import Meta
from msgspec.structs import replace

from table_controller.engine.messages import (
    BY_HAND,
    AgainstRules,
    Audience,
    Event,
    Input,
    Refusal,
    Role,
    phrase,
)
from table_controller.engine.table import roles
from table_controller.engine.table.felt import Change, Felt
from table_controller.engine.table.roles import CONSOLE, Account, Person, alike, answering

# ---- The list of people with roles, their sign-ins, and their accounts at the broker

Name = Annotated[str, Meta(min_length=1, max_length=roles.MOST_NAME, pattern=roles.NAME)]
#: The form of an account's name. The name must fit into a topic and into a line of a password file,
#: and it cannot be a table's name.
Device = Annotated[str, Meta(pattern="^(?!table(-|$))[a-z0-9_-]{1,32}$")]
Proof = Annotated[str, Meta(max_length=256, pattern="^[!-9;-~]*$")]
#: The most persons, accounts and the like that a table may have.
MOST, MOST_ACCOUNTS = 64, 8

# Inputs


class PersonAdded(Input, frozen=True):
    """A supervisor gives a person a role, another role, or another PIN."""

    SEALED = True
    NEEDS = Role.SUPERVISOR
    name: Name
    role: Role
    proof: Proof = ""


class PersonRemoved(Input, frozen=True):
    """A supervisor removes a person from the list, and with the person the person's accounts."""

    NEEDS = Role.SUPERVISOR
    name: Name


class AccountAdded(Input, frozen=True):
    """A supervisor gives a person's device an account at the broker, or a new secret."""

    SEALED = True
    NEEDS = Role.SUPERVISOR
    name: Name
    account: Device
    proof: Proof


class AccountRemoved(Input, frozen=True):
    """A supervisor removes a device's account at the broker."""

    NEEDS = Role.SUPERVISOR
    account: Device


class SignedIn(Input, frozen=True):
    """The actor has proved by his PIN who he is."""

    NEEDS = Role.GUEST


class SignInRefused(Input, frozen=True):
    """Somebody gave a wrong name or PIN. `name` is "" unless the house knows the name."""

    NEEDS = None
    name: str = ""


PersonInput = PersonAdded | PersonRemoved | AccountAdded | AccountRemoved | SignedIn | SignInRefused
#: The inputs about this list; none of them belongs to the game.
KINDS: Final[tuple[type[Input], ...]] = get_args(PersonInput)

# Events


class PersonNoted(Event, frozen=True):
    """A person has this role now. `role` is None if the person was removed from the list."""

    audience: ClassVar[Audience] = Audience.CROUPIER
    name: str
    role: Role | None


class AccountNoted(Event, frozen=True):
    """A person's account at the broker was added or renewed, or removed (`there` is false)."""

    audience: ClassVar[Audience] = Audience.CROUPIER
    account: str
    name: str
    there: bool


class SignInNoted(Event, frozen=True):
    """Somebody signed in, or the sign-in was refused (`taken` is false)."""

    audience: ClassVar[Audience] = Audience.CROUPIER
    name: str
    taken: bool


PersonEvent = PersonNoted | AccountNoted | SignInNoted


def added(felt: Felt, said: PersonAdded) -> Change:
    """Add a person, or change the role and PIN of a known person, who keeps his accounts.

    Raises AgainstRules if the list is full, or if no supervisor would be left.
    """
    was = roles.named(felt.persons, said.name)
    if was is None and len(felt.persons) >= MOST:
        raise AgainstRules(
            phrase("{most} people have roles already.", most=MOST),
            phrase("Remove one of them first."),
        )
    person = Person(said.name, said.role, said.proof, was.accounts if was else ())
    others = tuple(one for one in felt.persons if one is not was)
    return _kept(felt, (*others, person)), (PersonNoted(name=said.name, role=said.role),)


def removed(felt: Felt, said: PersonRemoved) -> Change:
    """Remove the person of that name. Raises AgainstRules if no supervisor would be left."""
    gone = _known(felt, said.name)
    others = tuple(one for one in felt.persons if one is not gone)
    return _kept(felt, others), (PersonNoted(name=gone.name, role=None),)


def account_added(felt: Felt, said: AccountAdded) -> Change:
    """Add an account, or renew its secret.

    Raises AgainstRules if another person has an account of that name, or if this person has too
    many.
    """
    person, holder = _known(felt, said.name), roles.holder(felt.persons, said.account)
    others = tuple(one for one in person.accounts if one.name != said.account)
    if len(others) >= MOST_ACCOUNTS or holder not in (None, person):
        raise AgainstRules(
            phrase("This account belongs to another person, or is one too many."),
            phrase("Give it another name, or remove one first."),
        )
    accounts = (*others, Account(said.account, said.proof))
    told = AccountNoted(account=said.account, name=person.name, there=True)
    return _with(felt, replace(person, accounts=accounts)), (told,)


def account_removed(felt: Felt, said: AccountRemoved) -> Change:
    """Remove the account of that name. Raises AgainstRules if there is none."""
    person = roles.holder(felt.persons, said.account)
    if person is None:
        raise _nobody()
    accounts = tuple(one for one in person.accounts if one.name != said.account)
    told = AccountNoted(account=said.account, name=person.name, there=False)
    return _with(felt, replace(person, accounts=accounts)), (told,)


def signed_in(felt: Felt, said: SignedIn) -> Change:
    """Note that the actor signed in.

    `check` has already made sure that the house knows this person.
    """
    return felt, (SignInNoted(name=said.actor.partition(":")[2], taken=True),)


def sign_in_refused(felt: Felt, said: SignInRefused) -> Change:
    """Note that a sign-in was refused."""
    return felt, (SignInNoted(name=said.name, taken=False),)


def _known(felt: Felt, name: str) -> Person:
    person = roles.named(felt.persons, name)
    if person is None:
        raise _nobody()
    return person


def _nobody() -> AgainstRules:
    return AgainstRules(phrase("Nobody here has that name."), phrase("Look at the list of people."))


def _with(felt: Felt, person: Person) -> Felt:
    return replace(
        felt, persons=tuple(person if one.name == person.name else one for one in felt.persons)
    )


def _kept(felt: Felt, persons: tuple[Person, ...]) -> Felt:
    """The felt with this list of people. Raises AgainstRules if no supervisor is on the list."""
    if not any(one.role is Role.SUPERVISOR and one.proof for one in persons):
        raise AgainstRules(
            phrase("Nobody would be left who may keep the list of people."),
            phrase("Make somebody a supervisor first."),
        )
    return replace(felt, persons=persons)


# ---- Cards that people enter by hand: who enters them, and what one person alone may not do


def by_hand(said: Input) -> bool:
    """Whether a person typed the card of this input, instead of a reader that saw the card."""
    return said.actor.partition(":")[0] == BY_HAND


def person(felt: Felt, actor: str) -> str:
    """The name of the person behind an actor, in the form used for comparison.

    The actor `croupier`, without a name, means the person who leads the table.
    """
    kind, _, name = actor.partition(":")
    return _called(felt, kind, answering(name))


def _called(felt: Felt, kind: str, name: str) -> str:
    leads = felt.croupier if kind == "croupier" else ""
    return alike(name or leads or kind)


def ruler(felt: Felt, actor: str) -> str:
    """The name of the person who made a ruling.

    A button at the table speaks for the table's croupier. If nobody has given a name, the result is
    the actor's role, such as `croupier`.
    """
    kind, _, name = actor.partition(":")
    return _called(felt, *((kind, name) if kind in {*Role, CONSOLE} else (Role.CROUPIER, "")))


def two_enter_it() -> Refusal:
    """The refusal if one person alone types an unread card, which two people must type."""
    return AgainstRules(
        phrase("A card left the Schlitten and could not be read for certain."),
        phrase("Show the card again, have two people enter it, or say that none left."),
    )


def one_too_many() -> Refusal:
    """The refusal of a typed card if all cards equal to it have left the Schlitten already.

    A reader's card would stop the coup here, but a person can look at the card again.
    """
    return AgainstRules(
        phrase("The Schlitten cannot have held one more of that card."),
        phrase("Look at the card again."),
        "ZP-2",
    )

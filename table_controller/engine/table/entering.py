"""Cards entered by hand: who enters them, and what one person alone may not do. Names no card."""

from __future__ import annotations

from table_controller.engine.messages import BY_HAND, AgainstRules, Input, Refusal, Role, phrase
from table_controller.engine.table.felt import Felt
from table_controller.engine.table.roles import CONSOLE, alike, answering


def by_hand(said: Input) -> bool:
    """Whether a person typed the card instead of a reader seeing it."""
    return said.actor.partition(":")[0] == BY_HAND


def person(felt: Felt, actor: str) -> str:
    """The person behind an actor, however the name is written.

    `croupier` alone is the person who leads the table.
    """
    kind, _, name = actor.partition(":")
    return _called(felt, kind, answering(name))


def _called(felt: Felt, kind: str, name: str) -> str:
    leads = felt.croupier if kind == "croupier" else ""
    return alike(name or leads or kind)


def ruler(felt: Felt, actor: str) -> str:
    """The person who made a ruling. A button at the table speaks for the person who leads it.

    It is a name if people have roles, and just `croupier` if nobody gave a name.
    """
    kind, _, name = actor.partition(":")
    return _called(felt, *((kind, name) if kind in {*Role, CONSOLE} else (Role.CROUPIER, "")))


def two_enter_it() -> Refusal:
    """The refusal if one person alone names an unread card."""
    return AgainstRules(
        phrase("A card left the Schlitten and could not be read for certain."),
        phrase("Show the card again, have two people enter it, or say that none left."),
    )


def one_too_many() -> Refusal:
    """The refusal of a typing slip. Unlike a reader, a person can look again."""
    return AgainstRules(
        phrase("The Schlitten cannot have held one more of that card."),
        phrase("Look at the card again."),
        "ZP-2",
    )

"""Cards that people enter: who they are, and what one of them alone may not. Names no card."""

from __future__ import annotations

from table_controller.engine.messages import BY_HAND, AgainstRules, Input, Refusal, Role, phrase
from table_controller.engine.table.felt import Felt
from table_controller.engine.table.roles import CONSOLE, alike


def by_hand(said: Input) -> bool:
    """Whether a person typed it, and no reader saw it."""
    return said.actor.partition(":")[0] == BY_HAND


def person(felt: Felt, actor: str) -> str:
    """Who an actor is, however he writes his name; `croupier` alone is who leads the table."""
    kind, _, name = actor.partition(":")
    leads = felt.croupier if kind == "croupier" else ""
    return alike(name or leads or kind)


def ruler(felt: Felt, actor: str) -> str:
    """Whose word a ruling is: a button at the table is pressed for who leads it.

    Where there are people with roles it is a name; where nobody gave one, the croupier's office.
    """
    kind = actor.partition(":")[0]
    return person(felt, actor if kind in {*Role, CONSOLE} else Role.CROUPIER)


def two_enter_it() -> Refusal:
    """What one person types does not name an unread card."""
    return AgainstRules(
        phrase("A card left the Schlitten and could not be read for certain."),
        phrase("Show the card again, have two people enter it, or say that none left."),
    )


def one_too_many() -> Refusal:
    """A slip of the finger: unlike a reader, a person looks again."""
    return AgainstRules(
        phrase("The Schlitten cannot have held one more of that card."),
        phrase("Look at the card again."),
        "ZP-2",
    )

"""Cards that people enter by hand: who enters them, and what one person alone may not do.

No sentence in this module names a card.
"""

from __future__ import annotations

from table_controller.engine.messages import BY_HAND, AgainstRules, Input, Refusal, Role, phrase
from table_controller.engine.table.felt import Felt
from table_controller.engine.table.roles import CONSOLE, alike, answering


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

"""The part of a game's interface (`service/game.py`) that is the same for all games with a felt."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from table_controller.engine.alerts import Alerts
from table_controller.engine.messages import Event
from table_controller.engine.promises import SecretKey
from table_controller.engine.table.cards import asked_by_hand
from table_controller.engine.table.felt import Felt, Unread, first, on
from table_controller.engine.table.offers import Offers, second_entry
from table_controller.engine.table.roles import Person
from table_controller.engine.table.undo import Undoable
from table_controller.engine.views import Snapshot

T = TypeVar("T", bound=Undoable)


def prompt(table: Undoable) -> int:
    """The id of the question that the table asks now."""
    return table.prompt


def alerts(table: Undoable) -> Alerts:
    """The open alerts."""
    return table.felt.alerts


def persons(table: Undoable) -> tuple[Person, ...]:
    """The people who have roles. If nobody has a role, roles are not checked."""
    return table.felt.persons


def asks_again(table: Undoable) -> bool:
    """Whether the card that left last must be shown to the lip once more (R-13)."""
    return isinstance(first(table.felt), Unread)


def changed(before: T, after: T, told: Sequence[Event]) -> bool:
    """Whether an accepted input changed the table, or at least noted something.

    `told` are the input's events.
    """
    return any(event.NOTES for event in told) or _lasting(before) != _lasting(after)


def _lasting(table: T) -> T:
    return on(table, replace(table.felt, withdrawn=None), prompt=0, undo=None)


def by_hand(felt: Felt, picture: Snapshot, cards: Offers | None) -> Snapshot:
    """The staff's picture with the offers by which people enter cards by hand.

    `cards` are the offers to type a card that left; None if a reader reads the cards.
    """
    offers = second_entry(felt, picture.offers)
    if cards is not None:
        offers = (*cards, *offers)
        picture = asked_by_hand(picture, first(felt))
    return replace(picture, offers=offers)


def save(table: Undoable) -> bytes:
    """A table whose Schlitten was just closed, as JSON, without the secret key.

    The input that can be taken back is not saved, because it would contain the key. Nothing before
    the closing can be taken back anyway (R-20).
    """
    return msgspec.json.encode(on(table, replace(table.felt, key=SecretKey(b"")), undo=None))


def load(begun: T, saved: bytes) -> T:
    """The inverse of `save`.

    The house and the secret key are taken from the fresh table `begun`.
    """
    return entitled(begun, msgspec.json.decode(saved, type=type(begun)))


def entitled(begun: T, table: T) -> T:
    """A saved table, with the house and the secret key of the fresh table `begun`."""
    house, key = begun.felt.house, begun.felt.key
    return on(table, replace(table.felt, house=house, key=key), house=house)

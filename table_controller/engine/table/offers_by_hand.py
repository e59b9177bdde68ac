"""Cards and names that people type if no device or sign-in supplies them.

The wiring knows whether anything reads. Nothing here depends on a closed card (R-17).
"""

from __future__ import annotations

from msgspec.structs import replace

from table_controller.engine.messages import BY, CardNamed, CardSeen, Role, phrase
from table_controller.engine.seen import Unknown
from table_controller.engine.table.entering import person
from table_controller.engine.table.felt import Felt, first
from table_controller.engine.table.offers import NAME, Offers, offer, typed
from table_controller.engine.table.roles import alike
from table_controller.engine.table.stops import Unread
from table_controller.engine.views import Choice, Field, Pick, Pin, Text

_SECOND = phrase("the second person's name")
_PIN = Pin(label=phrase("PIN"))


def cards_by_hand(felt: Felt, group: str, *, lies_open: bool) -> Offers:
    """The offers to type a card that left the Schlitten, instead of having it read.

    There are none while an unread card waits, because only one card may wait at a time (R-13).
    `group` is `main` if a card is due, `more` if a card may come, and otherwise `mistake`.
    """
    if felt.shoe is None or isinstance(first(felt), Unread):
        return ()
    card = typed(felt, lies_open=lies_open)
    entered = offer(CardSeen, phrase("enter the card that left"), card, group=group)
    out: Offers = ()
    if felt.house.white_at and felt.shoe.white_out is None:
        label = phrase("the white card came out")
        out = offer(CardSeen, label, group="more", hold=True, white=True)
    nobody = phrase("a card left that nobody can name")
    none = offer(CardSeen, nobody, group="mistake", hold=True, unknown=Unknown.NO_READ)
    return (*entered, *out, *none)


def second_entry(felt: Felt, offers: Offers) -> Offers:
    """The same offers, but the second person who types an unread card must also say who he is.

    If the house has a list of people, he picks his name and types his PIN. So both people can use
    one screen.
    """
    stop = first(felt)
    if not isinstance(stop, Unread) or stop.named is None:
        return offers
    by: tuple[Field, ...] = (Text(label=_SECOND, name=BY, most=NAME),)
    if felt.persons:
        others = _others(felt, stop.named[0])
        by = (Choice(label=_SECOND, name=BY, picks=others), _PIN) if others else ()
    kind = CardNamed.__struct_config__.tag
    return tuple(
        replace(one, fields=(*by, *one.fields)) if one.input["type"] == kind else one
        for one in offers
    )


def _others(felt: Felt, first: str) -> tuple[Pick, ...]:
    """The people who may enter a card, except the person `first`, who has already done so."""
    return tuple(
        Pick(value=one.name, label=phrase("{text}", text=one.name))
        for one in felt.persons
        if one.proof and one.role.may(Role.CROUPIER) and alike(one.name) != person(felt, first)
    )

"""The buttons of every table: how an offer is made and found, people, repairs, cards by hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from msgspec import to_builtins
from msgspec.structs import replace

from table_controller.engine.messages import (
    BY,
    AlertAcknowledged,
    CardNamed,
    CardSeen,
    Input,
    Phrase,
    Role,
    phrase,
)
from table_controller.engine.seen import Unknown
from table_controller.engine.table import inputs as ti
from table_controller.engine.table.devices import LidRuled
from table_controller.engine.table.felt import Felt, Unread, balance, first, places, player
from table_controller.engine.table.persons import person
from table_controller.engine.table.roles import alike
from table_controller.engine.table.schlitten import miscounted
from table_controller.engine.table.seating import MOST_STANDING
from table_controller.engine.views import (
    STANDING,
    Choice,
    Field,
    Offer,
    Pick,
    Pin,
    Secret,
    Snapshot,
    Sum,
    Text,
)

# ---- The buttons of every table: how an offer is made, people, and repairs

Offers = tuple[Offer, ...]
#: The least and the most that somebody may stake; None if only the sum field limits him.
Range = tuple[int | None, int | None]

#: More chips than anybody brings in one go. This limit catches typing slips.
MOST_BROUGHT = 1_000_000
#: The most characters of a name, and of a reason.
NAME, REASON = 40, 120

_NAME = Text(label=phrase("name"), name="name", most=NAME)
_CARD, _UNSEEN = phrase("the card"), phrase("the card, unseen")
#: A reason that everybody sees, and a reason for the staff only.
PUBLIC = Text(label=phrase("reason, for the public record"), name="reason", most=REASON)
STAFF = Text(label=phrase("reason, for the staff"), name="reason", most=REASON)


def offer(
    kind: type[Input],
    label: Phrase,
    *fields: Field,
    group: str = "main",
    hold: bool = False,
    lies: int | None = None,
    clears: bool = False,
    **known: Any,
) -> Offers:
    """An offer of the input `kind`; none if one of its fields has no allowed value.

    People fill in `fields`; the values `known` fill the input's other fields. `Offer` explains the
    other arguments.
    """
    if not all(map(_possible, fields)) or not _apart(fields):
        return ()
    said = {"type": str(kind.__struct_config__.tag), **to_builtins(known)}
    made = Offer(
        input=said, label=label, group=group, hold=hold, fields=fields, lies=lies, clears=clears
    )
    return (made,)


def _possible(field: Field) -> bool:
    match field:
        case Sum(least=least, most=most):
            return least <= most
        case Choice(picks=picks):
            return bool(picks)
        case _:
            return True


def _apart(fields: Iterable[Field]) -> bool:
    """Whether every choice can get another value than the other choices."""
    choices = [field.picks for field in fields if isinstance(field, Choice)]
    return len({pick.value for picks in choices for pick in picks}) >= len(choices)


def amount(least: int, most: int, suggested: int | None = None) -> Sum:
    """A field for a sum from `least` to `most`. It shows `suggested` at first, or else `least`."""
    begin = least if suggested is None else min(most, max(least, suggested))
    return Sum(label=phrase("chips"), least=least, most=most, suggested=begin)


def one_of(
    felt: Felt,
    places: Iterable[int] | Mapping[int, Range],
    name: str = "seat",
    label: Phrase | None = None,
) -> Choice:
    """A field in which a person picks one of `places`. Place 0 is the cagnotte.

    If `places` is a mapping, it gives the range of the sum that is allowed for each place.
    """
    ranges = places if isinstance(places, Mapping) else dict.fromkeys(places, (None, None))
    return Choice(
        label=label or phrase("seat"),
        name=name,
        picks=tuple(
            Pick(value=place, label=_named(felt, place), least=least, most=most)
            for place, (least, most) in ranges.items()
        ),
        places=True,
    )


def _named(felt: Felt, place: int) -> Phrase:
    if not place:
        return phrase("cagnotte")
    who = player(felt, place)
    if who is None:
        return phrase("{seat}", seat=place)
    return phrase("{seat} {name}", seat=place, name=who.name)


def holding(felt: Felt, places: Iterable[int], least: int = 1) -> dict[int, Range]:
    """Those of `places` with at least `least` chips, each with the range up to all its chips."""
    balances = {place: balance(felt, place) for place in places}
    return {place: (None, held) for place, held in balances.items() if held >= least}


def _most(held: Mapping[int, Range]) -> int:
    return max((most or 0 for _, most in held.values()), default=0)


# People


def people(
    felt: Felt,
    idle: Iterable[int],
    *,
    brings: int,
    between: bool,
    come: bool = True,
    own: Offers = (),
) -> Offers:
    """The offers about people, which the page shows after one tap on "people".

    Args:
        felt: the people at the table.
        idle: places without money in play.
        brings: the sum that a newcomer probably brings.
        between: whether players may change seats now, between two coups (N-1, R-5).
        come: whether to offer here that a player takes a seat; False if the table's prompt asks for
            it.
        own: offers that only this game has.
    """
    everybody = list(places(felt))
    standing = sum(who is not None for who in felt.standing)
    bought = amount(1, MOST_BROUGHT, brings)
    held = holding(felt, everybody)
    taken, who = amount(1, _most(held)), one_of(felt, held)
    coming = sits(felt, "people", brings) if come else ()
    if standing < MOST_STANDING:
        coming += offer(ti.Stands, phrase("comes, standing"), _NAME, bought, group="people")
    return (
        *offer(ti.BuysIn, phrase("buys in"), one_of(felt, everybody), bought, group="people"),
        *offer(ti.CashesOut, phrase("cashes out"), who, taken, group="people"),
        *offer(ti.Tips, phrase("tips"), who, taken, group="people"),
        *coming,
        *_goings(felt, list(idle), between=between),
        *own,
        *offer(ti.CroupierChanged, phrase("change of croupier"), _NAME, group="people"),
    )


def sits(felt: Felt, group: str, brings: int) -> Offers:
    """The offer that a player takes a free seat. `brings` is the suggested sum of his chips."""
    sum_ = amount(0, MOST_BROUGHT, brings)
    return offer(
        ti.Sits, phrase("takes a seat"), one_of(felt, _free(felt)), _NAME, sum_, group=group
    )


def _free(felt: Felt) -> list[int]:
    return [seat for seat, who in enumerate(felt.seats, 1) if who is None]


def _goings(felt: Felt, idle: list[int], *, between: bool) -> Offers:
    """The offers to leave or, between coups, to change seats, if no money is in play (N-1, R-5)."""
    leaving = offer(ti.Leaves, phrase("leaves"), one_of(felt, idle), group="people")
    if not between:
        return leaving
    to = one_of(felt, _free(felt), "to", phrase("to seat"))
    seated = [place for place in idle if place <= STANDING]
    other = one_of(felt, seated, "other", phrase("with seat"))
    moves, swaps = phrase("changes the seat"), phrase("two swap seats")
    return (
        *offer(ti.Moves, moves, one_of(felt, idle), to, group="people"),
        *offer(ti.Swaps, swaps, one_of(felt, seated), other, group="people"),
        *leaving,
    )


# Stops, and how to put things right


def acknowledging(felt: Felt) -> Offers:
    """The offer "seen" for each alert that nobody has seen yet. The page shows it at the alert."""
    return tuple(
        one
        for alert in felt.alerts
        if not alert.acknowledged
        for one in offer(AlertAcknowledged, phrase("seen"), group="alert", alert=alert.id)
    )


def lid_ruling() -> Offers:
    """The offer for a supervisor to let a coup count although the lid was opened (R-51)."""
    return offer(LidRuled, phrase("let it stand"), STAFF, hold=True)


def closing() -> Offers:
    """The offer to close the Schlitten, because it is over."""
    return offer(ti.SchlittenClosed, phrase("closed and counted"), hold=True)


def loading(felt: Felt, *, more: bool) -> Offers:
    """The offer to report a loaded Schlitten, or to rule on the count of the last one (R-35).

    `more` adds the offer to report the next step of mixing (ZP-4), which is then the main one.
    """
    shoe, group = f"schlitten-{felt.number + 1}", "more" if more else "main"
    loaded = phrase("Schlitten loaded")
    load = offer(ti.SchlittenLoaded, loaded, group=group, hold=True, shoe=shoe)
    if miscounted(felt):
        load = offer(ti.Ruled, phrase("note a ruling"), STAFF)
    return (*offer(ti.Prepared, phrase("done, next step")), *load) if more else load


def unread(felt: Felt) -> Offers:
    """The offers for a card that was not read with certainty."""
    named = offer(CardNamed, phrase("enter the card, unseen"), typed(felt, lies_open=False))
    return (*named, *offer(ti.UnreadRuled, phrase("no card left"), group="mistake"))


def burning() -> Offers:
    """The offer to burn the unread card, which nobody may look at, before a coup begins (R-59)."""
    label = phrase("burn it unread")
    return offer(ti.UnreadBurned, label, STAFF, group="supervisor", hold=True)


def stray(*, coup: bool) -> Offers:
    """The offers to rule on a card that left when none was due.

    `coup` says whether a coup is under way, in which the card may have been dealt wrongly (R-19).
    """
    rulings = [
        (ti.StrayRuling.KEPT, phrase("closed: keep it"), "main"),
        (ti.StrayRuling.BURNED, phrase("uncovered: burn it"), "main"),
        (ti.StrayRuling.FACE_UP, phrase("it lay face up in the pack"), "mistake"),
        (ti.StrayRuling.BACK, phrase("it went back"), "mistake"),
    ]
    if coup:
        rulings.append((ti.StrayRuling.MISDEALT, phrase("dealt wrongly"), "main"))
    return tuple(
        one
        for ruling, label, group in rulings
        for one in offer(ti.StrayRuled, label, group=group, ruling=ruling)
    )


def white(*, coup: bool) -> Offers:
    """The offers to rule on an unexpected white card; with `coup`, also to annul the coup (R-6)."""
    choices = [
        (ti.WhiteRuling.LAST_COUP, phrase("last coup")),
        (ti.WhiteRuling.PLAY_ON, phrase("play on")),
    ]
    if coup:
        choices.append((ti.WhiteRuling.ANNUL, phrase("annul the coup")))
    return tuple(
        one for ruling, label in choices for one in offer(ti.WhiteRuled, label, ruling=ruling)
    )


def taking_back(what: Phrase) -> Offers:
    """The offer to take back the last input from a person, whose label is `what` (R-20)."""
    return offer(ti.TakesBack, phrase("take back: {what}", what=what), group="back")


# For a supervisor


def closing_early() -> Offers:
    """The offer to close the Schlitten between coups, before its white card is out."""
    return offer(ti.SchlittenClosed, phrase("close the Schlitten"), group="supervisor", hold=True)


def throwing_away() -> Offers:
    """The offer to throw all the cards away, because they were mixed up (N-9)."""
    thrown = phrase("throw all cards away")
    return offer(ti.ThrownAway, thrown, PUBLIC, group="supervisor", hold=True)


def annulling(group: str = "supervisor", *, asked: bool = False) -> Offers:
    """The offer to annul the coup (Z-24, Z-27).

    `asked` says whether the table asks a supervisor for it. The offer is then a main one.
    """
    group = "main" if asked else group
    return offer(ti.Annulled, phrase("annul the coup"), PUBLIC, group=group, hold=True)


def typed(felt: Felt, *, lies_open: bool) -> Secret:
    """A field for typing a card. The card is shown if it is open."""
    return Secret(label=_CARD if lies_open else _UNSEEN, open=lies_open, pack=felt.house.pack)


def correcting(
    felt: Felt, cards: Iterable[tuple[int, Phrase, str]], *, lie_open: bool = False
) -> Offers:
    """The offer to correct a misread card. `cards` are the ordinal, label and place of each card.

    The screen does not show the entry (R-20), unless `lie_open` says that all these cards are open
    (PB-41).
    """
    picks = tuple(Pick(value=number, label=label, at=at) for number, label, at in cards)
    card = Choice(label=phrase("card"), name="ordinal", picks=picks)
    face = typed(felt, lies_open=lie_open)
    return offer(ti.Corrects, phrase("correct a card"), card, face, STAFF, group="supervisor")


def transferring(felt: Felt) -> Offers:
    """The offer to move chips between two places; the cagnotte is one of them (R-20, Z-27)."""
    everybody = list(places(felt))
    held = holding(felt, everybody)
    if felt.cagnotte:
        held[0] = (None, felt.cagnotte)
    return offer(
        ti.Transfers,
        phrase("move chips"),
        one_of(felt, held, "seat", phrase("from")),
        one_of(felt, [*everybody, 0], "to", phrase("to")),
        amount(1, _most(held)),
        STAFF,
        group="supervisor",
    )


def ruling() -> Offers:
    """The offer to note the management's ruling where the rules say nothing (Z-27)."""
    return offer(ti.Ruled, phrase("note a ruling"), STAFF, group="supervisor")


# ---- Cards and names that people type if no device or sign-in supplies them

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


# ---- Finds the offer that a button presses: the table's current offer whose label the button names

#: How long a button is held for an offer that cannot be taken back, as on the page (R-20).
HOLD_S: Final = 0.6
#: Groups of offers that a button may press: the offers that are due, and those that go with them.
GROUPS = frozenset({"main", "more"})


def pressable(offer: Offer) -> bool:
    """Whether a button can press this offer: it has no fields to fill in, and a fixed label."""
    return offer.group in GROUPS and not offer.fields and not offer.label.args


def answering(picture: Snapshot, name: str) -> Offer | None:
    """The offer that the button `name` presses now, or None.

    If several offers have this name, the button presses the one for a seat that must act. There is
    no answer if more than one is left.
    """
    named = [offer for offer in picture.offers if pressable(offer) and offer.label.text == name]
    acting = [offer for offer in named if offer.input.get("seat") in picture.prompt.seats]
    found = acting or named
    return found[0] if len(found) == 1 else None


def lit_by(offer: Offer, picture: Snapshot) -> frozenset[int]:
    """The seats whose lamps light up in answer to the press.

    They are the seat in the offer's input, otherwise the seats that must act, otherwise all seats.
    """
    seat = offer.input.get("seat")
    if isinstance(seat, int):
        return frozenset({seat})
    return frozenset(picture.prompt.seats or (view.seat for view in picture.seats))

"""The current picture: what a page, a broker or a board may show to each audience. Pure data.

A game projects its state into a `Snapshot`; nothing else looks into a game's state. The broker
carries only the `PublicView`, so a new panel on a page does not change the messages. Closed cards
are None here: a picture cannot leak a card that it does not contain (R-13).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product

from msgspec import Struct

from table_controller.engine.messages import Phrase, Severity
from table_controller.engine.pieces import (
    Advice,
    Drawer,
    Figure,
    Grid,
    Hand,
    Mark,
    Note,
    Party,
    Person,
    Result,
    Road,
    Spot,
    Stake,
    Total,
    Tray,
)

#: The first standing player's place has the next number (ZP-17).
STANDING = 100


class Sum(Struct, frozen=True, kw_only=True, tag="sum"):
    """A sum of chips between two bounds. A pick in another field may narrow the bounds."""

    label: Phrase
    least: int
    most: int
    suggested: int
    name: str = "chips"


class Pick(Struct, frozen=True, kw_only=True):
    """One of several options. If it is picked, `least` and `most` narrow the offer's sum.

    `at` is the place of a card that is offered: its tray and its number there, such as `trump-1`.
    """

    value: int | str
    label: Phrase
    least: int | None = None
    most: int | None = None
    at: str = ""


class Choice(Struct, frozen=True, kw_only=True, tag="choice"):
    """One of several picks. If two choices of an offer have `places`, their picks must differ."""

    label: Phrase
    name: str
    picks: tuple[Pick, ...]
    places: bool = False


class Text(Struct, frozen=True, kw_only=True, tag="text"):
    """A few words that a person types, such as a name or a reason.

    They are at most `most` characters long, and not blank. `known` are the texts typed there last,
    the latest first; a touch fills one in.
    """

    label: Phrase
    name: str
    most: int
    known: tuple[str, ...] = ()


class Secret(Struct, frozen=True, kw_only=True, tag="secret"):
    """A typed card. It is never echoed if it is closed (R-13).

    `open`: the card is open and is shown while it is typed (PB-41). `pack` is the number of
    different cards. 32 cards have a key each, which never changes (R-17). 52 cards are typed as
    rank and suit.
    """

    label: Phrase
    name: str = "card"
    open: bool = False
    pack: int = 52


class Pin(Struct, frozen=True, kw_only=True, tag="pin"):
    """The PIN of the person picked next to it.

    The page's server checks the PIN; no table sees it.
    """

    label: Phrase
    name: str = "pin"


Field = Sum | Choice | Text | Secret | Pin
"""A field that a person fills in. `name` is the input's field, and `label` the text next to it."""


class Offer(Struct, frozen=True, kw_only=True):
    """An input that the table would accept now: its button, and the fields to fill in first.

    Attributes:
        input: the input as builtins: its `type` and fields, but not actor, prompt or `fields`.
        label: the button's text.
        group: `main` (two to four offers), `open`, `more`, `people`, `mistake`, `supervisor`,
            `back`, `payment` or `alert`. The last three have places of their own. Those of `open`
            are always within reach, but less prominent.
        hold: whether the button must be held down, since the input cannot be taken back (R-20).
        fields: the fields that the person fills in.
        lies: the part of its sum that is already on the felt, if chips are laid there for it; else
            None.
        clears: whether it removes a seat's chips from the felt.
    """

    input: dict[str, str | int | bool | None]
    label: Phrase
    group: str = "main"
    hold: bool = False
    fields: tuple[Field, ...] = ()
    lies: int | None = None
    clears: bool = False

    @property
    def secret(self) -> bool:
        """Whether a card must be typed for it."""
        return any(isinstance(field, Secret) for field in self.fields)

    def takes(self, said: Mapping[str, object]) -> bool:
        """Whether `said` is this input with valid values in its fields."""
        names = {field.name for field in self.fields}
        needed = {field.name for field in self.fields if not isinstance(field, Pin)}
        fixed = {name: value for name, value in said.items() if name not in names}
        if fixed != self.input or not needed <= said.keys():
            return False
        choices = [field for field in self.fields if isinstance(field, Choice)]
        picks = [pick for field in choices if (pick := _picked(field, said))]
        if len(picks) < len(choices) or not _apart(choices, picks):
            return False
        return all(_fits(field, said.get(field.name), picks) for field in self.fields)

    def too_long(self, said: Mapping[str, object]) -> Text | None:
        """The words that are too long, if that alone keeps the offer from taking `said`."""
        texts = [field for field in self.fields if isinstance(field, Text)]
        long = [field for field in texts if len(str(said.get(field.name, ""))) > field.most]
        cut = {field.name: str(said[field.name])[: field.most] for field in long}
        return long[0] if long and self.takes({**said, **cut}) else None


def _picked(choice: Choice, said: Mapping[str, object]) -> Pick | None:
    value = said[choice.name]
    same = (pick for pick in choice.picks if type(pick.value) is type(value))
    return next((pick for pick in same if pick.value == value), None)


def _apart(choices: Sequence[Choice], picks: Sequence[Pick]) -> bool:
    """Whether no place is picked twice."""
    places = [pick.value for one, pick in zip(choices, picks, strict=True) if one.places]
    return len(set(places)) == len(places)


def _fits(field: Field, value: object, picks: Sequence[Pick]) -> bool:
    match field:
        case Sum():
            least, most = bounds(field, picks)
            return type(value) is int and least <= value <= most
        case Text(most=most):
            typed = value if isinstance(value, str) and value.isprintable() else ""
            return len(typed) <= most and bool(typed.strip())
        case Secret():
            return isinstance(value, str)
        case Choice() | Pin():
            return True  # `takes` has already found the pick


def bounds(field: Sum, picks: Iterable[Pick]) -> tuple[int, int]:
    """The least and the most of a sum, given the picks next to it."""
    least, most = field.least, field.most
    for pick in picks:
        least = least if pick.least is None else max(least, pick.least)
        most = most if pick.most is None else min(most, pick.most)
    return least, most


def ways(offer: Offer) -> Iterator[dict[str, Pick]]:
    """Every way to pick from an offer's choices, with no seat twice and a valid sum left."""
    choices = [field for field in offer.fields if isinstance(field, Choice)]
    sums = [field for field in offer.fields if isinstance(field, Sum)]
    for picks in product(*(choice.picks for choice in choices)):
        ranges = (bounds(field, picks) for field in sums)
        if _apart(choices, picks) and all(least <= most for least, most in ranges):
            yield {choice.name: pick for choice, pick in zip(choices, picks, strict=True)}


class Prompt(Struct, frozen=True, kw_only=True):
    """The question that the table asks now.

    Attributes:
        id: the prompt's id, which every input that answers it carries.
        news: the latest event, in a sentence.
        ask: the request, in one sentence.
        why: the reason, shown next to the request; may be empty.
        rule: the id of the rule behind it, or "".
        seats: the seats that are to act.
    """

    id: int
    news: Phrase
    ask: Phrase
    why: Phrase
    rule: str = ""
    seats: tuple[int, ...] = ()


class SeatView(Struct, frozen=True, kw_only=True):
    """One seat, or a standing player's place (101 and up, ZP-17).

    Attributes:
        marks: words next to it, most important first: `prime`, `suivi`, …
        host: whether the seat's lamp shows an alert that stops the table.
    """

    seat: int
    taken: bool
    marks: tuple[Mark, ...] = ()
    host: bool = False


class ShoeView(Struct, frozen=True, kw_only=True):
    """The Schlitten's gauge. `white_at` is the number of cards behind the white card.

    `kept` cards left the Schlitten by mistake and will be the first of the next deal (Z-13).
    """

    id: str
    number: int
    cards: int
    left: int
    white_at: int
    white_out: bool = False
    last_coup: bool = False
    kept: int = 0


class PaymentView(Struct, frozen=True, kw_only=True):
    """One line of the settlement, in order of payment. Sums are in smallest chips.

    Seat 0 is the house.
    """

    text: Phrase
    seat: int
    chips: int
    done: bool


class AlertView(Struct, frozen=True, kw_only=True):
    """An open alert. Fields that are None in the public picture are for the staff.

    Attributes:
        since_ms: the time when it was first raised, in milliseconds since 1970, from the journal.
        clears: who clears it: `itself` (once its cause is gone), `supervisor` or `croupier`.
    """

    id: str
    code: str
    severity: Severity
    acknowledged: bool = False
    what: Phrase | None = None
    remedy: Phrase | None = None
    since_ms: int | None = None
    clears: str | None = None


class PublicView(Struct, frozen=True, kw_only=True):
    """The facts about the table that everybody may know now, as the broker carries them.

    Change this class with care, as other programs read it.

    Attributes:
        house: the house's id, such as `zoppot-1934`; `title` is the heading over the table.
        game: `chemin-de-fer`, `punto-banco` or `ecarte`; `play`: the variant played, or "".
        unit: the house's unit of money, as printed after a sum.
        coup: the number of the evening's current or last coup.
        seats: the seats by number, then the standing players' places.
        hands: the hands in the order in which they are dealt.
        figures: the most important first.
        steps: the steps of the coup, in words; `step`: the index of the current step, -1 between
            coups.
        last: the last coups, the oldest first.
    """

    house: str
    title: str
    game: str
    unit: str
    coup: int
    shoe: ShoeView | None
    seats: tuple[SeatView, ...]
    prompt: Prompt
    steps: tuple[Phrase, ...]
    step: int
    last: tuple[Result, ...] = ()
    hands: tuple[Hand, ...] = ()
    spots: tuple[Spot, ...] = ()
    stakes: tuple[Stake, ...] = ()
    figures: tuple[Figure, ...] = ()
    play: Phrase = Phrase("")
    advice: Advice | None = None
    payments: tuple[PaymentView, ...] = ()
    alerts: tuple[AlertView, ...] = ()
    roads: tuple[Road, ...] = ()


class Snapshot(PublicView, frozen=True, kw_only=True):
    """The picture for one audience's screens and board: the public view and the other parts.

    Attributes:
        displays: the names of the figures on the board's displays. A display without a name stays
            dark, and figures with the same name are shown side by side.
        trays: the places of the game's hands on a page, the same in every picture of a game.
        parties: the players who stake on each of two sides; empty if the game has no sides.
        wall: the table on the wall, whose lit cell `advice` names; `grids`: further tables.
        notes: sentences below the prompt.
        drawers: the drawers of the page, shown before the page's own.
        chips: the house's chips, the smallest first, for the staff.
        offers, people, till, totals: for the staff; empty in the public picture.
        till: the house's takings at this table; `croupier`: who leads the table, None for the
            public.
    """

    displays: tuple[str, ...] = ()
    trays: tuple[Tray, ...] = ()
    parties: tuple[Party, ...] = ()
    wall: Grid | None = None
    grids: tuple[Grid, ...] = ()
    notes: tuple[Note, ...] = ()
    drawers: tuple[Drawer, ...] = ()
    chips: tuple[int, ...] = ()
    offers: tuple[Offer, ...] = ()
    people: tuple[Person, ...] = ()
    till: tuple[Figure, ...] = ()
    totals: tuple[Total, ...] = ()
    croupier: str | None = None


def public(picture: PublicView) -> PublicView:
    """The part of a picture that is sent to everybody."""
    return PublicView(**{name: getattr(picture, name) for name in PublicView.__struct_fields__})

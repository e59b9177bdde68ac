"""The present picture: the facts that a page, the broker or the board may show to each audience.

It is plain data. A game makes a `Snapshot` from its state; nothing else looks into a game's state.
The broker carries only the `PublicView`, so a new panel of a page does not change the messages.
Closed cards are None in a picture: a picture cannot reveal a card that it does not contain (R-13).
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
    """A field for a sum of chips, from `least` to `most`.

    A pick in another field may narrow this range.
    """

    label: Phrase
    least: int
    most: int
    suggested: int
    name: str = "chips"


class Pick(Struct, frozen=True, kw_only=True):
    """One option of a `Choice`.

    If somebody picks it, `least` and `most` narrow the range of the sum. `at` is the place of a
    card that can be picked: the tray's name and the card's number in the tray, such as `trump-1`.
    It is "" for other options.
    """

    value: int | str
    label: Phrase
    least: int | None = None
    most: int | None = None
    at: str = ""


class Choice(Struct, frozen=True, kw_only=True, tag="choice"):
    """A field in which a person picks one of several options.

    `places` says that the options are places at the table. In two such fields of one offer, the
    person must pick different places.
    """

    label: Phrase
    name: str
    picks: tuple[Pick, ...]
    places: bool = False


class Text(Struct, frozen=True, kw_only=True, tag="text"):
    """A field for a few words that a person types, such as a name or a reason.

    The text must not be blank, and has at most `most` characters. `known` are the texts that were
    typed in this field last, the latest first; one tap enters such a text.
    """

    label: Phrase
    name: str
    most: int
    known: tuple[str, ...] = ()


class Secret(Struct, frozen=True, kw_only=True, tag="secret"):
    """A field in which a person types a card.

    If the card is closed, no screen shows the entry (R-13). `open` means that the card is open, so
    that the screen shows the entry (PB-41). `pack` is the number of different cards. With 32 cards,
    each card has its own key, whose place never changes (R-17). With 52 cards, the person types
    rank and suit.
    """

    label: Phrase
    name: str = "card"
    open: bool = False
    pack: int = 52


class Pin(Struct, frozen=True, kw_only=True, tag="pin"):
    """A field for the PIN of the person who was picked in the field next to it.

    The page's server checks the PIN. The table never gets it.
    """

    label: Phrase
    name: str = "pin"


Field = Sum | Choice | Text | Secret | Pin
"""A field that a person fills in. `name` is the input's field, and `label` the text next to it."""


class Offer(Struct, frozen=True, kw_only=True):
    """An input that the table would accept now, with its button and the fields to fill in first.

    Attributes:
        input: the input in Python's built-in types: its `type` and the fields that are known
            already, without actor, prompt and the fields in `fields`.
        label: the button's text.
        group: the part of the page where the button is: `main` (two to four offers), `open`,
            `more`, `people`, `mistake`, `supervisor`, `back`, `payment` or `alert`. Offers of
            `open` are always visible, but less prominent. The last three groups have their own
            areas of the page.
        hold: whether the button must be held down, because the input cannot be taken back (R-20).
        fields: the fields that a person fills in.
        lies: if chips are put on the felt for this offer, the part of its sum that is already
            there; otherwise None.
        clears: whether the input removes a seat's chips from the felt.
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
        """Whether a person must type a card before he can send this offer."""
        return any(isinstance(field, Secret) for field in self.fields)

    def takes(self, said: Mapping[str, object]) -> bool:
        """Whether `said` is this offer's input, with an allowed value in each field."""
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
        """The text field whose text in `said` is too long; None if `said` has no such text.

        Also None if the offer would not take `said` with shorter texts either.
        """
        texts = [field for field in self.fields if isinstance(field, Text)]
        long = [field for field in texts if len(str(said.get(field.name, ""))) > field.most]
        cut = {field.name: str(said[field.name])[: field.most] for field in long}
        return long[0] if long and self.takes({**said, **cut}) else None


def _picked(choice: Choice, said: Mapping[str, object]) -> Pick | None:
    value = said[choice.name]
    same = (pick for pick in choice.picks if type(pick.value) is type(value))
    return next((pick for pick in same if pick.value == value), None)


def _apart(choices: Sequence[Choice], picks: Sequence[Pick]) -> bool:
    """Whether the picks of the choices with `places` are all different."""
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
    """The least and the most that the sum field takes, given the picks in other fields."""
    least, most = field.least, field.most
    for pick in picks:
        least = least if pick.least is None else max(least, pick.least)
        most = most if pick.most is None else min(most, pick.most)
    return least, most


def ways(offer: Offer) -> Iterator[dict[str, Pick]]:
    """All valid ways to pick in an offer's choices: for each way, the pick by the choice's name.

    No place is picked twice, and a valid sum remains.
    """
    choices = [field for field in offer.fields if isinstance(field, Choice)]
    sums = [field for field in offer.fields if isinstance(field, Sum)]
    for picks in product(*(choice.picks for choice in choices)):
        ranges = (bounds(field, picks) for field in sums)
        if _apart(choices, picks) and all(least <= most for least, most in ranges):
            yield {choice.name: pick for choice, pick in zip(choices, picks, strict=True)}


class Prompt(Struct, frozen=True, kw_only=True):
    """The question that the table asks now.

    Attributes:
        id: the prompt's id, which every input that answers the question carries.
        news: the latest event, in a sentence.
        ask: the request, in one sentence.
        why: the reason, shown next to the request; may be empty.
        rule: the id of the rule that demands the answer, or "".
        seats: the seats whose players must act.
    """

    id: int
    news: Phrase
    ask: Phrase
    why: Phrase
    rule: str = ""
    seats: tuple[int, ...] = ()


class SeatView(Struct, frozen=True, kw_only=True):
    """One seat, or the place of a standing player (101 and up, ZP-17).

    Attributes:
        taken: whether somebody is there.
        marks: words next to the seat, most important first: `prime`, `suivi`, …
        host: whether the seat's lamp shows an alert that stops the table.
        holds: the sum in the middle that is this seat's to defend; None if there is none.
    """

    seat: int
    taken: bool
    marks: tuple[Mark, ...] = ()
    host: bool = False
    holds: Figure | None = None


class ShoeView(Struct, frozen=True, kw_only=True):
    """How full the Schlitten is.

    `white_at` is the number of cards that belong behind the white card. `kept` is the number of
    cards that left the Schlitten by mistake and will be the first of the next deal (Z-13).
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
    """One line of the settlement; the lines are in order of payment. Sums are in smallest chips.

    Attributes:
        seat: the seat next to which the line is shown; 0 for the house.
        payer, payee: the seats that pay and that are paid; 0 for the house, or for a bank that
            several share.
    """

    text: Phrase
    seat: int
    chips: int
    done: bool
    payer: int = 0
    payee: int = 0


class AlertView(Struct, frozen=True, kw_only=True):
    """An open alert. Fields that are None in the public picture are for the staff only.

    Attributes:
        since_ms: the time when the alert was first raised, in milliseconds since 1970, from the
            journal.
        clears: who clears the alert: `supervisor` or `croupier`; `itself` if it clears once its
            cause is gone.
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

    Change this class with care, because other programs read it.

    Attributes:
        house: the house's id, such as `zoppot-1934`; `title` is the heading over the table.
        game: `chemin-de-fer`, `punto-banco` or `ecarte`; `play`: the variant played, or "".
        unit: the house's unit of money, as printed after a sum.
        coup: the number of the evening's current or last coup.
        seats: the seats by number, then the standing players' places.
        hands: the hands in the order in which they are dealt.
        figures: the figures, the most important first.
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
    """The picture for the screens and the board of one audience: the public view and further parts.

    Attributes:
        displays: the names of the figures that the board's displays show. A display without a name
            stays dark, and figures with the same name are shown side by side.
        trays: the areas of the page for the game's hands, the same in every picture of a game.
        parties: the players who stake on each of two sides; empty if the game has no sides.
        wall: the printed table on the wall, whose lit cell `advice` names; `grids`: further tables.
        notes: sentences below the prompt.
        limits: the sums between which the house lets people stake.
        drawers: the game's drawers, which the page shows before its own drawers.
        chips: the values of the house's chips, the smallest first, for the staff.
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
    limits: tuple[Figure, ...] = ()
    drawers: tuple[Drawer, ...] = ()
    chips: tuple[int, ...] = ()
    offers: tuple[Offer, ...] = ()
    people: tuple[Person, ...] = ()
    till: tuple[Figure, ...] = ()
    totals: tuple[Total, ...] = ()
    croupier: str | None = None


def public(picture: PublicView) -> PublicView:
    """The part of a picture that everybody gets."""
    return PublicView(**{name: getattr(picture, name) for name in PublicView.__struct_fields__})

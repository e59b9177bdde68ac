"""The picture of now: what a page, a broker or a board may show, per audience. Pure data.

A game projects its state into a `Snapshot`; nobody else looks into a game's state.
Closed cards are None here: a picture cannot leak what it does not hold (R-13).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from table_controller.engine.messages import Phrase, Severity
from table_controller.rules.cards import Card

#: The first standing player's place is one more (ZP-17).
STANDING = 100


class Sum(Struct, frozen=True, kw_only=True, tag="sum"):
    """A sum of chips between two bounds; what is picked beside it may narrow them."""

    label: Phrase
    least: int
    most: int
    suggested: int
    name: str = "chips"


class Pick(Struct, frozen=True, kw_only=True):
    """One of several. `least` and `most` narrow the offer's sum where it is picked."""

    value: int | str
    label: Phrase
    least: int | None = None
    most: int | None = None


class Choice(Struct, frozen=True, kw_only=True, tag="choice"):
    """One of several picks. Two choices of one offer never take the same value."""

    label: Phrase
    name: str
    picks: tuple[Pick, ...]


class Text(Struct, frozen=True, kw_only=True, tag="text"):
    """A few words that a person types: a name, a reason; `most` characters, not blank."""

    label: Phrase
    name: str
    most: int


class Secret(Struct, frozen=True, kw_only=True, tag="secret"):
    """A card that is typed and never echoed (R-13)."""

    label: Phrase
    name: str = "card"


Field = Sum | Choice | Text | Secret
"""What a person fills in. `name` is the input's field, `label` what stands beside it."""


class Offer(Struct, frozen=True, kw_only=True):
    """An input that the table would take now: a button, and what is filled in before it.

    Attributes:
        input: the input as builtins, `type` and fields, but for actor, prompt and `fields`.
        label: what the button says.
        group: `main` (two to four), `more`, `people`, `mistake`, `supervisor`, `payment` or
            `alert`; the last two stand beside what they are about.
        hold: whether it must be held, since it cannot be taken back (R-20).
        fields: what the person fills in.
    """

    input: dict[str, str | int | bool | None]
    label: Phrase
    group: str = "main"
    hold: bool = False
    fields: tuple[Field, ...] = ()

    @property
    def secret(self) -> bool:
        """Whether a card is typed with it."""
        return any(isinstance(field, Secret) for field in self.fields)

    def takes(self, said: Mapping[str, object]) -> bool:
        """Whether `said` is this input, its fields filled in as they may be."""
        names = {field.name for field in self.fields}
        fixed = {name: value for name, value in said.items() if name not in names}
        if fixed != self.input or not names <= said.keys():
            return False
        picked = [_picked(field, said) for field in self.fields if isinstance(field, Choice)]
        picks = [pick for pick in picked if pick]
        if len({pick.value for pick in picks}) < len(picked):
            return False
        return all(_fits(field, said[field.name], picks) for field in self.fields)


def _picked(choice: Choice, said: Mapping[str, object]) -> Pick | None:
    value = said[choice.name]
    same = (pick for pick in choice.picks if type(pick.value) is type(value))
    return next((pick for pick in same if pick.value == value), None)


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
        case Choice():
            return True  # `takes` has found its pick


def bounds(field: Sum, picks: Iterable[Pick]) -> tuple[int, int]:
    """The least and the most of a sum, where these are picked beside it."""
    least, most = field.least, field.most
    for pick in picks:
        least = least if pick.least is None else max(least, pick.least)
        most = most if pick.most is None else min(most, pick.most)
    return least, most


class Prompt(Struct, frozen=True, kw_only=True):
    """What the table waits for.

    Attributes:
        id: goes with every input that answers it.
        news: what just happened.
        ask: the one sentence.
        why: the reason, beside it; may be empty.
        rule: the id of the rule behind it, or "".
        seats: who is to act.
    """

    id: int
    news: Phrase
    ask: Phrase
    why: Phrase
    rule: str = ""
    seats: tuple[int, ...] = ()


class SeatView(Struct, frozen=True, kw_only=True):
    """One seat. `name` and `balance` are for the staff and None in the public picture.

    Attributes:
        role: `banker`, `pointeur` or "".
        marks: further words beside it: `prime`, `suivi`, `partner`, `by_schlitten`, …
        cards: the places where its cards lie, in order; None is a closed card.
        points: of the hand, once every card of it is open.
        outcome: `won`, `lost`, `tie` after a coup, else "".
    """

    seat: int
    taken: bool
    name: str | None = None
    balance: int | None = None
    stake: int = 0
    role: str = ""
    marks: tuple[str, ...] = ()
    acts: bool = False
    cards: tuple[Card | None, ...] = ()
    points: int | None = None
    outcome: str = ""


class ShoeView(Struct, frozen=True, kw_only=True):
    """The Schlitten's gauge. `white_at` is how many cards lie behind the white card.

    `kept` cards left it by mistake and are the first of the next deal (Z-13).
    """

    id: str
    number: int
    cards: int
    left: int
    white_at: int
    white_out: bool = False
    last_coup: bool = False
    kept: int = 0


class CoupView(Struct, frozen=True, kw_only=True):
    """A finished coup in the row of the last ones. `winner` is `bank`, `pointeur` or `tie`.

    Points are None where a hand stayed closed, since the bank lost without them.
    """

    coup: int
    winner: str
    banker: int | None
    pointeur: int | None
    banker_seat: int
    pointeur_seat: int
    pot: int
    paid: int
    cagnotte: int
    annulled: bool = False


class PaymentView(Struct, frozen=True, kw_only=True):
    """One line of the settlement, in the order of Z-26. Seat 0 is the house."""

    text: Phrase
    seat: int
    chips: int
    done: bool


class AdviceView(Struct, frozen=True, kw_only=True):
    """The lit cell of the tableau, or the sentence in its place (Z-20).

    `given` is the third card's pips 0 to 9, or None; `duty` is `draw`, `stand`, `choose`
    or `no_information`.
    """

    point: int
    given: int | None
    duty: str
    text: Phrase
    rule: str


class AlertView(Struct, frozen=True, kw_only=True):
    """An open alert. `what` and `remedy` are None in the public picture."""

    id: str
    code: str
    severity: Severity
    acknowledged: bool = False
    what: Phrase | None = None
    remedy: Phrase | None = None


class TotalView(Struct, frozen=True, kw_only=True):
    """What so many coups came to: `of` is `coup`, `schlitten` or `evening`."""

    of: str
    coups: int
    bank: int
    pointeur: int
    ties: int
    staked: int
    cagnotte: int


class Snapshot(Struct, frozen=True, kw_only=True):
    """Everything a screen needs, for one audience.

    Attributes:
        house: the house's id, as `zoppot-1934`; `title` is what hangs over the table.
        game: `chemin-de-fer`, `punto-banco` or `ecarte`; `play`: `banco_solo` … or "".
        unit: the house's unit of money, as printed after a sum.
        coup: number of the present or last coup of the evening.
        pot: what the bank puts up; `against`: what is staked against it.
        steps: the coup as a line of words; `step` is the index of the present one, -1 between.
        offers, totals: empty in the public picture; `cagnotte`, `tips`, `croupier`: None.
    """

    house: str
    title: str
    game: str
    unit: str
    coup: int
    shoe: ShoeView | None
    pot: int
    against: int
    play: str
    seats: tuple[SeatView, ...]
    prompt: Prompt
    steps: tuple[Phrase, ...]
    step: int
    last: tuple[CoupView, ...]
    advice: AdviceView | None = None
    payments: tuple[PaymentView, ...] = ()
    alerts: tuple[AlertView, ...] = ()
    offers: tuple[Offer, ...] = ()
    cagnotte: int | None = None
    tips: int | None = None
    croupier: str | None = None
    totals: tuple[TotalView, ...] = ()

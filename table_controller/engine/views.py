"""The picture of now: what a page, a broker or a board may show, per audience. Pure data.

A game projects its state into a `Snapshot`; nobody else looks into a game's state.
Closed cards are None here: a picture cannot leak what it does not hold (R-13).
"""

from __future__ import annotations

from msgspec import Struct

from table_controller.engine.messages import Phrase, Severity
from table_controller.rules.cards import Card


class Offer(Struct, frozen=True, kw_only=True):
    """An input that the table would take now: a button.

    Attributes:
        input: the input as builtins, `type` and fields, without actor and prompt.
        label: what the button says.
        group: `main` (two to four), `more`, `mistake` or `supervisor`.
        hold: whether it must be held, since it cannot be taken back (R-20).
        sums: (least, most, suggested) where the person fills in the field `chips`.
        secret: whether the person types a card that is never echoed (field `card`).
    """

    input: dict[str, str | int | bool | None]
    label: Phrase
    group: str = "main"
    hold: bool = False
    sums: tuple[int, int, int] | None = None
    secret: bool = False


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
    """The Schlitten's gauge. `white_at` is how many cards lie behind the white card."""

    id: str
    number: int
    cards: int
    left: int
    white_at: int
    white_out: bool = False
    last_coup: bool = False


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


class Snapshot(Struct, frozen=True, kw_only=True):
    """Everything a screen needs, for one audience.

    Attributes:
        house: the house's id, as `zoppot-1934`; `title` is what hangs over the table.
        game: `chemin-de-fer`, `punto-banco` or `ecarte`; `play`: `banco_solo` … or "".
        unit: the house's unit of money, as printed after a sum.
        coup: number of the present or last coup of the evening.
        pot: what the bank puts up; `against`: what is staked against it.
        steps: the coup as a line of words; `step` is the index of the present one, -1 between.
        offers: empty in the public picture.
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

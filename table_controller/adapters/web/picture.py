"""From a snapshot to what the templates print: chips, the lit cell, health, lines of words.

Pure. Knows snapshots and the printed tableau; knows no HTML and no network.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass

from table_controller.engine.messages import Phrase, Severity, phrase
from table_controller.engine.views import (
    STANDING,
    AdviceView,
    AlertView,
    CoupView,
    Field,
    Offer,
    SeatView,
    ShoeView,
    Snapshot,
)
from table_controller.rules.cards import Card, Rank
from table_controller.rules.chemin_de_fer.tableau import Duty, Tableau
from table_controller.words import card_words

__all__ = ["card_words"]  # the templates ask this module for all that they print

#: What the house has in its rack, greatest first; a pile shows at most so many chips.
DENOMINATIONS = (1000, 500, 100, 50, 10, 5, 2, 1)
PILE = 5

#: The four dots, and the words in an alert's id or code that make one red.
DEVICES = {
    "shoe": {"shoe", "schlitten", "lip", "beam", "lid", "white", "count"},
    "camera": {"camera", "reader", "frames", "module", "recording", "reading"},
    "board": {"board", "serial", "lamps", "digits"},
    "broker": {"broker", "mqtt"},
}

DEVICE_WORDS = {
    "shoe": phrase("shoe"),
    "camera": phrase("camera"),
    "board": phrase("board"),
    "broker": phrase("broker"),
}

#: Rows and columns that people look at; above and below everybody knows (R-1).
ROWS = (3, 4, 5, 6)
COLUMNS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 0)

RANK_SIGNS = {rank: str(rank.value) for rank in Rank} | {
    Rank.ACE: "A", Rank.JACK: "J", Rank.QUEEN: "Q", Rank.KING: "K"
}  # fmt: skip

PLAYS = {
    "banco_solo": phrase("Banco solo"),
    "banco_partner": phrase("Banco with a partner"),
    "banco_table": phrase("Banco with the table"),
    "open": phrase("open game"),
    "open_bank": phrase("open bank"),
}
#: What is one tap away: what is said seat by seat where many sit, then the offers' groups.
DRAWERS = {
    "banco": phrase("Banco solo"),
    "stakes": phrase("stakes"),
    "bids": phrase("bids"),
    "more": phrase("more"),
    "people": phrase("people at the table"),
    "mistake": phrase("mistake at the table"),
    "supervisor": phrase("supervisor"),
}
#: Drawers that stay open, since several people say something one after the other.
STAY = ("stakes", "bids", "people")
#: So many stay in the open.
FEW = 2
TOTALS = {
    "coup": phrase("last coup"),
    "schlitten": phrase("Schlitten"),
    "evening": phrase("evening"),
}
#: Rows of the totals: how often, and how much.
COUNTED = {
    "coups": phrase("coups"),
    "bank": phrase("bank won"),
    "pointeur": phrase("pointeur won"),
    "ties": phrase("en carte"),
}
SUMMED = {"staked": phrase("staked"), "cagnotte": phrase("cagnotte")}
MARKS = {
    "prime": phrase("prime"),
    "suivi": phrase("suivi"),
    "partner": phrase("partner"),
    "by_schlitten": phrase("by the Schlitten"),
    "must_pass": phrase("must pass"),
}
#: What a press came to, by whether it changed anything.
ANSWERED = {True: phrase("Done"), False: phrase("Nothing has changed")}
ROLES = {"banker": phrase("BANK"), "pointeur": phrase("POINTEUR")}
OUTCOMES = {"won": phrase("WON"), "lost": phrase("LOST"), "tie": phrase("EN CARTE")}

_RULE = re.compile(r"\b(?:ZP|ZX|[ZNRE])-?\d+\b")


def rule_ids(text: str) -> list[str]:
    """Find the ids in a list of them such as `ZX-2, R-1`."""
    return _RULE.findall(text)


def chips(total: int) -> list[tuple[int, int]]:
    """Split a sum into the house's chips, few as they go: (value, how many)."""
    piles = []
    for value in DENOMINATIONS:
        count, total = divmod(total, value)
        if count:
            piles.append((value, count))
    return piles


@dataclass(frozen=True, slots=True)
class Cell:
    """One square of the tableau; `lit` is the one that holds now, `near` its row or column."""

    duty: str
    lit: bool
    near: bool


def tableau_rows(tableau: Tableau, advice: AdviceView | None) -> list[tuple[int, list[Cell]]]:
    """Return the wall's rows, with one cell lit where the advice names it (R-17)."""
    point = given = None
    if advice and advice.duty != Duty.NO_INFORMATION:
        point, given = advice.point, advice.given
    lit = (point, given) if point is not None and given is not None else None
    return [
        (
            row,
            [
                Cell(
                    duty=tableau[row, column].value,
                    lit=lit == (row, column),
                    near=lit is not None and (row == point or column == given),
                )
                for column in COLUMNS
            ],
        )
        for row in ROWS
    ]


def health(alerts: Iterable[AlertView], absent: Container[str] = ()) -> dict[str, str]:
    """Return each device's word: `ok`, `absent`, or the severity of the alert that names it."""
    state = {device: "absent" if device in absent else "ok" for device in DEVICES}
    for alert in alerts:
        words = set(re.split(r"[^a-z0-9]+", f"{alert.id} {alert.code}".lower()))
        for device, names in DEVICES.items():
            if words & names and state[device] != Severity.STOP:
                state[device] = alert.severity.value
    return state


def gauge(shoe: ShoeView) -> dict[str, float]:
    """Return how full the Schlitten is and where the white card sits, as parts of the whole."""
    return {"left": shoe.left / shoe.cards, "white": shoe.white_at / shoe.cards}


def seats_in_order(snapshot: Snapshot) -> list[SeatView]:
    """Return the seats 1, 2, 3 … without a hole."""
    known = {seat.seat: seat for seat in snapshot.seats if seat.seat <= STANDING}
    return [
        known.get(n, SeatView(seat=n, taken=False)) for n in range(1, max(known, default=0) + 1)
    ]


def standing(snapshot: Snapshot) -> list[SeatView]:
    """Return the players without a seat (ZP-17)."""
    return [seat for seat in snapshot.seats if seat.seat > STANDING]


def acknowledging(offers: Sequence[Offer]) -> dict[str, Offer]:
    """Return the offers to say that somebody has seen an alert, by its id."""
    return {str(offer.input["alert"]): offer for offer in offers if offer.group == "alert"}


def ticking(offers: Sequence[Offer]) -> dict[int, Offer]:
    """Return the offers to tick a payment, by its line."""
    return {int(offer.input["line"] or 0): offer for offer in offers if offer.group == "payment"}


def groups(offers: Sequence[Offer]) -> dict[str, list[Offer]]:
    """Sort the offers into the page's places: `main`, `open` and the drawers that are not empty.

    Two simple ones of `more` stay in the open; stakes and bids never hide among others. What
    stands beside an alert or a payment is left out; an unknown group is kept under `more`.
    """
    found: dict[str, list[Offer]] = {"main": [], "open": []}
    further = [offer for offer in offers if offer.group not in ("alert", "payment")]
    alike = Counter(offer.input["type"] for offer in further if offer.group == "more")
    crowded = alike.total() > FEW
    for offer in further:
        kind, group = str(offer.input["type"]), offer.group
        if (
            group == "more"
            and kind in DRAWERS
            and (alike[kind] > FEW or (crowded and kind in STAY))
        ):
            group = kind
        elif group != "main" and group not in DRAWERS:
            group = "more"
        found.setdefault(group, []).append(offer)
    more = found.get("more", [])
    if len(more) <= FEW and all(shape(offer) != "block" for offer in more):
        found["open"] = found.pop("more", [])
    return found


def tag(field: Field) -> str:
    """Return which kind of field it is, as its messages name it."""
    return str(type(field).__struct_config__.tag)


def shape(offer: Offer) -> str:
    """Return how an offer is laid out: a `button`, a `line` with one sum, or a `block`."""
    if not offer.fields:
        return "button"
    return "line" if [tag(field) for field in offer.fields] == ["sum"] else "block"


def step_of(least: int, most: int) -> int:
    """Return by how much the stepper's keys change a sum: about a fortieth, a round one."""
    size = 1
    for candidate in (1, 2, 5, 10, 50, 100, 500, 1000):
        if candidate * 40 <= most - least or candidate == 1:
            size = candidate
    return size


def latest(coups: Sequence[CoupView], count: int = 9) -> list[CoupView]:
    """Return the last coups, oldest first."""
    return sorted(coups, key=lambda coup: coup.coup)[-count:]


def card(code: str) -> Card:
    """Return the open card of that code."""
    return Card(code)


def result(coup: CoupView) -> Phrase:
    """Say in a few words how a coup ended."""
    if coup.annulled:
        return phrase("Annulled: stakes go back")
    if coup.banker is None or coup.pointeur is None:
        return phrase("The bank lost without its cards")
    if coup.winner == "bank":
        return phrase("Bank {won} : {lost}", won=coup.banker, lost=coup.pointeur)
    if coup.winner == "pointeur":
        return phrase("Pointeur {won} : {lost}", won=coup.pointeur, lost=coup.banker)
    return phrase("En carte {both} : {both}", both=coup.banker)


def winning_seat(coup: CoupView) -> int | None:
    """Return who won the coup, None on a tie or an annulled one."""
    if coup.annulled or coup.winner not in ("bank", "pointeur"):
        return None
    return coup.banker_seat if coup.winner == "bank" else coup.pointeur_seat


def finished(snapshot: Snapshot) -> CoupView | None:
    """Return the coup whose hands still lie open on the table, if its result is known."""
    if not any(seat.outcome for seat in snapshot.seats):
        return None
    done = latest(snapshot.last, 1)
    return done[0] if done and done[0].coup == snapshot.coup else None

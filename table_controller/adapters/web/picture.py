"""Turns a snapshot into the texts and numbers that the page's templates print.

The module is pure. It knows snapshots, but no game, no HTML and no network.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from table_controller.engine.messages import Severity, phrase
from table_controller.engine.pieces import (
    Advice,
    Cell,
    Drawer,
    Entry,
    Figure,
    Grid,
    Hand,
    Note,
    Person,
    Result,
    Spot,
)
from table_controller.engine.views import (
    STANDING,
    AlertView,
    Choice,
    Field,
    Offer,
    Pick,
    SeatView,
    ShoeView,
    Snapshot,
)
from table_controller.rules.cards import PACK, Card, Rank
from table_controller.rules.rulebook import UnknownRule, rule, series
from table_controller.words import card_words

__all__ = ["card_words"]  # the templates ask this module for everything that they print

#: The least value of each chip colour, the highest first.
COLOURS = (1000, 500, 100, 50, 10, 5, 2, 1)
#: What a text is called that is longer than its place, from the next size on.
STEPS = ("long", "longer", "longest")
#: The heights of the signs on a card: those of the two columns at the sides, and of the middle one.
PIPS: dict[int, tuple[tuple[float, ...], tuple[float, ...]]] = {
    2: ((), (33, 135)),
    3: ((), (33, 84, 135)),
    4: ((33, 135), ()),
    5: ((33, 135), (84,)),
    6: ((33, 84, 135), ()),
    7: ((33, 84, 135), (58.5,)),
    8: ((33, 84, 135), (58.5, 109.5)),
    9: ((33, 67, 101, 135), (84,)),
    10: ((33, 67, 101, 135), (50, 118)),
}
#: A stack of chips: how many lie on one another, how thick one is, and how far columns are apart.
COLUMN, CHIP_HIGH, COLUMN_WIDE = 5, 5.4, 34
#: This many places are free between the counters that were moved and the others.
GAP = 2

#: The four dots that show health, and the words in an alert's id or code that turn each dot red.
DEVICES = {
    "shoe": {"shoe", "schlitten", "lip", "beam", "lid", "white", "count"},
    "camera": {"camera", "reader", "frames", "module", "recording", "reading"},
    "board": {"board", "serial", "lamps", "digits"},
    "broker": {"broker", "mqtt"},
}

DEVICE_WORDS = {
    "shoe": phrase("Schlitten"),
    "camera": phrase("camera"),
    "board": phrase("board"),
    "broker": phrase("broker"),
}

RANK_SIGNS = {rank: str(rank.value) for rank in Rank} | {
    Rank.ACE: "A", Rank.JACK: "J", Rank.QUEEN: "Q", Rank.KING: "K"
}  # fmt: skip

#: The order of ranks in a pack without low cards, as its keys stand everywhere.
SMALL_PACK = (
    *(Rank.SEVEN, Rank.EIGHT, Rank.NINE, Rank.TEN),
    *(Rank.ACE, Rank.JACK, Rank.QUEEN, Rank.KING),
)

#: The drawers of every game, one tap away: groups of offers.
DRAWERS = (
    Drawer(name="more", label=phrase("more")),
    Drawer(name="people", label=phrase("people"), stays=True),
    Drawer(name="mistake", label=phrase("mistake")),
    Drawer(name="supervisor", label=phrase("supervisor")),
)
#: This many offers of `more` are shown without opening the drawer.
FEW = 2
#: The result of a press, by whether it changed anything.
ANSWERED = {True: phrase("Done"), False: phrase("Nothing has changed")}
#: A rule's id, of any game's book.
_RULE = re.compile(rf"\b(?:{'|'.join(series())})-\d+[a-z]?\b")


def rule_ids(text: str) -> list[str]:
    """Return the rule ids in a text such as `ZX-2, R-1`."""
    return _RULE.findall(text)


def rule_text(id_: str) -> str:
    """Return a rule's text in one paragraph; "" if there is no such rule."""
    try:
        return " ".join(rule(id_).text.split())
    except UnknownRule:
        return ""


@dataclass(frozen=True, slots=True)
class Square:
    """One square of a grid, such as the tableau, that the page shows.

    The square that applies now is `lit`; a square in the same row or column is `near`.
    """

    cell: Cell | None
    lit: bool
    near: bool


def squares(grid: Grid, advice: Advice | None = None) -> list[list[Square]]:
    """Return the rows of a grid. If `advice` names a square, that square is lit (R-17)."""
    row, column = (advice.row, advice.column) if advice else ("", "")
    both = bool(row and column)
    return [
        [
            Square(cell, lit=both and at == (row, column), near=both and _near(at, row, column))
            for at, cell in zip(_heads(grid, down, len(cells)), cells, strict=True)
        ]
        for down, cells in enumerate(grid.cells)
    ]


def _heads(grid: Grid, down: int, wide: int) -> list[tuple[str, str]]:
    """Return the row's and the column's heading of each square of a row; "" where there is none."""
    row = grid.rows[down] if grid.rows else ""
    return [(row, column) for column in grid.columns or ("",) * wide]


def _near(at: tuple[str, str], row: str, column: str) -> bool:
    return at[0] == row or at[1] == column


def path(entries: Iterable[Entry], x: float = 5, y: float = 5, then: str = "h0") -> str:
    """Return an SVG path that draws the path `then` once in the square of each entry of a road.

    A square is ten units wide. In it, `then` begins at `x`, `y`.
    """
    return "".join(f"M{10 * at.column + x} {10 * at.row + y}{then}" for at in entries)


def health(alerts: Iterable[AlertView], absent: Container[str] = ()) -> dict[str, str]:
    """Return each device's state: `ok`, `absent`, or the severity of the alert that names it."""
    state = {device: "absent" if device in absent else "ok" for device in DEVICES}
    for alert in alerts:
        words = set(re.split(r"[^a-z0-9]+", f"{alert.id} {alert.code}".lower()))
        for device, names in DEVICES.items():
            if words & names and state[device] != Severity.STOP:
                state[device] = alert.severity.value
    return state


def clock(t_ms: int) -> str:
    """Return the hour and minute of a time, in this machine's time zone."""
    return time.strftime("%H:%M", time.localtime(t_ms / 1000))


def gauge(shoe: ShoeView) -> dict[str, float]:
    """Return how much of the Schlitten is left, and where the white card is, as fractions of 1."""
    return {"left": shoe.left / shoe.cards, "white": shoe.white_at / shoe.cards}


def seats_in_order(snapshot: Snapshot) -> list[SeatView]:
    """Return the seats from 1 to the highest known one; an unknown seat is empty."""
    known = {seat.seat: seat for seat in snapshot.seats if seat.seat <= STANDING}
    return [
        known.get(n, SeatView(seat=n, taken=False)) for n in range(1, max(known, default=0) + 1)
    ]


def standing(snapshot: Snapshot) -> list[SeatView]:
    """Return the players without a seat (ZP-17)."""
    return [seat for seat in snapshot.seats if seat.seat > STANDING]


def colour(chips: int) -> str:
    """Return the CSS class of the largest chip that fits into a sum."""
    return f"value-{next((value for value in COLOURS if value <= chips), 1)}"


class LaidChip(NamedTuple):
    """A chip of a stack: its CSS class, and where it lies, in the stack's own units."""

    colour: str
    x: int
    y: float
    value: int


def stack(chips: int, values: Sequence[int]) -> list[LaidChip]:
    """Return the fewest chips that make a sum, in the order in which they are drawn.

    The largest lie lowest, five in a column; further columns are to the right. A sum that takes
    more than three columns is drawn with three.
    """
    laid: list[int] = []
    for value in sorted({*(values or COLOURS), 1}, reverse=True):
        laid += [value] * (chips // value)
        chips %= value
    return [
        LaidChip(colour(value), COLUMN_WIDE * (n // COLUMN), -CHIP_HIGH * (n % COLUMN), value)
        for n, value in enumerate(laid[: 3 * COLUMN])
    ]


def pips(rank: Rank) -> list[tuple[float, float, bool]]:
    """Return where the signs of a card from 2 to 10 are, and whether they are upside down.

    The card is 120 wide and 168 high; a place is the middle of a sign.
    """
    sides, middle = PIPS[rank.value]
    places = [(x, y) for y in sides for x in (44, 76)] + [(60, y) for y in middle]
    return [(x, y, y > 84) for x, y in places]


def beside_the_question(snapshot: Snapshot) -> list[Note]:
    """Return the notes that are shown in the place of a reason, where a question has none."""
    if snapshot.prompt.why.text:
        return []
    return [note for note in snapshot.notes if not note.whole]


def step_down(length: int, most: tuple[int, int, int]) -> str:
    """Return the CSS class of a text of that many letters: each of `most` is one size less."""
    steps = reversed(tuple(zip(STEPS, most, strict=True)))
    return next((f" {name}" for name, n in steps if length > n), "")


def hands_at(snapshot: Snapshot) -> dict[int, Hand]:
    """Return the hands, by the seat (or number of the standing player) to which they belong."""
    return {hand.seat: hand for hand in snapshot.hands if hand.seat}


def keypad(field: Field) -> bool:
    """Whether the field is a choice among cards, which the page shows as keys."""
    return isinstance(field, Choice) and all("card" in pick.label.args for pick in field.picks)


def named(field: Choice) -> bool:
    """Whether people's own names are among a choice's options. They may be long: dots cut them."""
    return field.places or any(pick.label.text == "{text}" for pick in field.picks)


def with_cards(offer: Offer) -> bool:
    """Whether the offer is a form with the keys of all cards."""
    return shape(offer) == "block" and any(
        tag(field) == "secret" or keypad(field) for field in offer.fields
    )


def keys(field: Choice) -> list[list[tuple[Card, Pick | None]]]:
    """Return the keys of a choice among cards: for each rank a column of suits.

    None stands for a card that cannot be chosen.
    """
    of = {Card(str(pick.value)): pick for pick in field.picks}
    ranks = sorted({card.rank for card in of})
    if set(ranks) <= set(SMALL_PACK):
        ranks.sort(key=SMALL_PACK.index)
    return [[(card, of.get(card)) for card in PACK if card.rank == rank] for rank in ranks]


def staked(snapshot: Snapshot) -> dict[int, int]:
    """Return the stake of each seat, with all its spots added up."""
    laid: Counter[int] = Counter()
    for stake in snapshot.stakes:
        laid[stake.seat] += stake.chips
    return laid


def won(snapshot: Snapshot) -> dict[int, int]:
    """Return what each seat wins by the settlement, or loses if it is negative."""
    sums: Counter[int] = Counter()
    for line in snapshot.payments:
        sums[line.payer] -= line.chips
        sums[line.payee] += line.chips
    return {seat: chips for seat, chips in sums.items() if seat and chips}


def spot(snapshot: Snapshot, name: str) -> Spot:
    """Return the spot of that name. Raises StopIteration if there is none."""
    return next(spot for spot in snapshot.spots if spot.name == name)


def people(snapshot: Snapshot) -> dict[int, Person]:
    """Return the people by seat, if this picture names them."""
    return {person.seat: person for person in snapshot.people}


def figures_of(snapshot: Snapshot, seat: int) -> list[Figure]:
    """Return the figures of a seat (0: of the table) that are shown as plain numbers.

    A figure with `of` is left out. A row of counters, which are moved to count, shows it.
    """
    return [figure for figure in snapshot.figures if figure.seat == seat and not figure.of]


def counted(snapshot: Snapshot, seat: int = 0) -> list[Figure]:
    """Return the figures of one seat (0: of all seats) that a row of counters shows."""
    return [one for one in snapshot.figures if one.of and seat in (0, one.seat)]


def counters(figure: Figure) -> list[tuple[int, bool]]:
    """Return, for each counter of a figure, its place in the row and whether it was moved.

    Places are numbered from 0 at the left.
    """
    moved, last = min(max(figure.value, 0), figure.of), figure.of + GAP - 1
    rest = [(place, False) for place in range(figure.of - moved)]
    there = [(last - place, True) for place in reversed(range(moved))]
    if figure.moves == "right":
        return rest + there
    return [(last - place, was) for place, was in reversed(rest + there)]


def alert_rows(alerts: Iterable[AlertView]) -> list[tuple[AlertView, int]]:
    """Group alerts with the same text: return one of each group, and the number of alerts in it.

    The most urgent group is the first. Alerts that somebody has seen follow all others.
    """
    alike: dict[tuple[str, str, bool], list[AlertView]] = {}
    for alert in sorted(alerts, key=_urgency):
        what = str(alert.what or alert.id)
        alike.setdefault((what, str(alert.remedy), alert.acknowledged), []).append(alert)
    return [(one[0], len(one)) for one in alike.values()]


def _urgency(alert: AlertView) -> tuple[bool, int]:
    """The place of an alert in the order of urgency; the most urgent alert has the least."""
    return alert.acknowledged, -list(Severity).index(alert.severity)


def acknowledging(offers: Sequence[Offer]) -> dict[str, Offer]:
    """Return the offers that acknowledge an alert, by the alert's id."""
    return {str(offer.input["alert"]): offer for offer in offers if offer.group == "alert"}


def ticking(offers: Sequence[Offer]) -> dict[int, Offer]:
    """Return the offers that tick a payment, by the payment's line."""
    return {int(offer.input["line"] or 0): offer for offer in offers if offer.group == "payment"}


def back(offers: Sequence[Offer]) -> Offer | None:
    """Return the offer that takes back the last input; None if there is none."""
    return next((offer for offer in offers if offer.group == "back"), None)


def correcting(offers: Sequence[Offer]) -> bool:
    """Whether a touch on a card on the felt offers to correct it."""
    fields = (field for offer in offers for field in offer.fields)
    return any(pick.at for field in fields if isinstance(field, Choice) for pick in field.picks)


def laying(offers: Sequence[Offer]) -> bool:
    """Whether an offer can be pressed by laying chips on the felt."""
    return any(offer.lies is not None for offer in offers)


def drawers(snapshot: Snapshot) -> tuple[Drawer, ...]:
    """Return the game's own drawers, then those that every game has."""
    return (*snapshot.drawers, *DRAWERS)


def groups(offers: Sequence[Offer], own: Iterable[Drawer] = ()) -> dict[str, list[Offer]]:
    """Sort the offers into the page's places: `main`, `open` and the drawers that are not empty.

    Offers of `open` are shown without opening a drawer. If `more` has at most two offers, all
    simple, they are shown so too.

    The game may have its `own` drawer for a type of input. More than two offers of that type go
    there. If the drawer `stays`, even one such offer goes there when `more` has over two offers in
    all.

    Offers that are shown next to an alert or a payment are left out. An unknown group goes to
    `more`.
    """
    stays = {drawer.name: drawer.stays for drawer in own}
    known = stays.keys() | {drawer.name for drawer in DRAWERS}
    found: dict[str, list[Offer]] = {"main": [], "open": []}
    further = [offer for offer in offers if offer.group not in ("alert", "payment", "back")]
    alike = Counter(offer.input["type"] for offer in further if offer.group == "more")
    crowded = alike.total() > FEW
    for offer in further:
        kind, group = str(offer.input["type"]), offer.group
        if offer.lies is not None:  # chips are laid on the felt for it
            group = "more"
        if group == "more" and kind in stays and (alike[kind] > FEW or (crowded and stays[kind])):
            group = kind
        elif group not in ("main", "open") and group not in known:
            group = "more"
        found.setdefault(group, []).append(offer)
    more = found.get("more", [])
    if len(more) <= FEW and all(shape(offer) not in ("block", "keys") for offer in more):
        found["open"] += found.pop("more", [])
    return found


@dataclass(frozen=True, slots=True)
class Acts:
    """The main offers by their place.

    Attributes:
        usual: the usual answer, in the golden place; the outcomes of a ruling if there are several.
        others: the other answers, which are small and outlined.
        forms: what is to fill in, or cards to touch, below them.
    """

    usual: tuple[Offer, ...]
    others: tuple[Offer, ...]
    forms: tuple[Offer, ...]


def acts(main: Sequence[Offer], *, stopped: object = None) -> Acts:
    """Sort the main offers: the first that a touch says is the usual answer.

    If the table is `stopped`, somebody has to rule, and all of them are equal.
    """
    said = tuple(offer for offer in main if shape(offer) in ("button", "line"))
    forms = tuple(offer for offer in main if offer not in said)
    if stopped and len(said) > 1:
        return Acts(usual=said, others=(), forms=forms)
    return Acts(usual=said[:1], others=said[1:], forms=forms)


def order(offer: Offer) -> tuple[Field, ...]:
    """Return an offer's fields as they are shown.

    The second person's name and PIN come after the keys of the card. The keys thus stay where they
    were for the first person.
    """
    if not offer.secret:
        return offer.fields
    return tuple(sorted(offer.fields, key=lambda field: tag(field) in ("text", "pin")))


def tag(field: Field) -> str:
    """Return the kind of a field: its tag in messages."""
    return str(type(field).__struct_config__.tag)


def shape(offer: Offer) -> str:
    """Return the layout of an offer: a `button`, a `line` with one sum, `keys`, or a `block`."""
    if not offer.fields:
        return "button"
    if len(offer.fields) == 1 and keypad(offer.fields[0]):
        return "keys"
    return "line" if [tag(field) for field in offer.fields] == ["sum"] else "block"


def key(offer: Offer) -> str:
    """Return a short name of an offer, which no other offer of the same picture has."""
    return "-".join(map(str, offer.input.values()))


def step_of(least: int, most: int, suggested: int) -> int:
    """Return the step by which keys change a sum: a round number near a fortieth of the range.

    It is at most five times a sum that is suggested: from 100 a key leads to 500, not to 1000.
    """
    limit = 5 * suggested if suggested > least else most
    size = 1
    for candidate in (1, 2, 5, 10, 50, 100, 500, 1000):
        if candidate * 40 <= most - least and candidate <= limit:
            size = candidate
    return size


def latest(coups: Sequence[Result], count: int = 9) -> list[Result]:
    """Return the last `count` coups, the oldest first."""
    return sorted(coups, key=lambda coup: coup.coup)[-count:]


def card(code: str) -> Card:
    """Return the card of this code, such as `7h`."""
    return Card(code)


def finished(snapshot: Snapshot) -> Result | None:
    """Return the coup that has just ended, if its hands are still on the table; else None."""
    if not any(hand.outcome for hand in snapshot.hands):
        return None
    done = latest(snapshot.last, 1)
    return done[0] if done and done[0].coup == snapshot.coup else None

"""The coups of an evening, found from its public events alone: their record, sheets and sums."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, get_args

from msgspec import Struct, field

from table_controller.engine.chemin_de_fer.events import CheminDeFerEvent, Side
from table_controller.engine.chemin_de_fer.state import CoupRecord
from table_controller.engine.chemin_de_fer.view import result
from table_controller.engine.messages import Audience, phrase
from table_controller.engine.pieces import Figure, Hand
from table_controller.engine.sheet import Sheet
from table_controller.engine.table.evening import (
    Expected,
    Heard,
    PlayedCoup,
    Span,
    cards_of,
    not_settled,
    once,
    ranks,
    ranks_seen,
    spanned,
    standing,
    taken_back,
)
from table_controller.rules.cards import Card
from table_controller.rules.chances import natural
from table_controller.rules.chemin_de_fer.house import House
from table_controller.rules.chemin_de_fer.tableau import TABLEAUX, Duty
from table_controller.rules.money import Chips
from table_controller.rules.points import is_natural, points

# ---- The output of commands for chemin de fer: a journal's last coups, and the tableau

MARKS = {Duty.DRAW: "●", Duty.STAND: "–", Duty.CHOOSE: "◐", Duty.NO_INFORMATION: "·"}


def recall(events: Iterable[dict[str, Any]]) -> Sheet:
    """All coups in these public events, in order, including an interrupted one."""
    coups = heard(standing(events))
    rows = ((str(c.number), c.bank, c.pointeur_hand, c.result, c.pot) for c in coups)
    return Sheet(("coup", "bank", "pointeur", "result", "pot"), tuple(rows), tuple(coups))


def wall(house: House) -> Sheet:
    """The house's tableau as a table for printing (ZX-2)."""
    squares = TABLEAUX[house.tableau]
    given = (None, *range(10))
    rows = ((str(point), *(MARKS[squares[point, pips]] for pips in given)) for point in range(8))
    data = (
        {"point": point, "given": pips, "duty": duty} for (point, pips), duty in squares.items()
    )
    title = f"the tableau ({house.tableau})"
    note = "● draws   – stands   ◐ as he chooses   · no information (Z-20)"
    return Sheet(("bank", "stood", *map(str, range(10))), tuple(rows), tuple(data), title, note)


class CoupRow(Struct):
    """One coup as the public saw it. Fields that are not yet known are empty.

    `hands` are the cards of each seat by ordinal; a closed card is None.
    """

    number: int
    banker_seat: int = 0
    pointeur_seat: int = 0
    closed: dict[int, int] = field(default_factory=dict)
    cards: dict[int, list[str]] = field(default_factory=dict)
    hands: dict[int, dict[int, str | None]] = field(default_factory=dict)
    banker: int | None = None
    pointeur: int | None = None
    winner: str | None = None
    staked: int = 0
    pot_before: int = 0
    pot_after: int = 0
    cagnotte: int = 0
    outcome: str = "interrupted"

    @property
    def bank(self) -> str:
        """The bank's seat, cards and points, as text."""
        return self._hand(self.banker_seat, self.banker)

    @property
    def pointeur_hand(self) -> str:
        """The pointeur's seat, cards and points, as text."""
        return self._hand(self.pointeur_seat, self.pointeur)

    @property
    def result(self) -> str:
        """The winner and his win, or the reason why nobody won, as text."""
        if self.outcome != "settled":
            return self.outcome
        won = {"bank": "bank wins", "pointeur": "pointeur wins", None: "en carte"}[self.winner]
        return f"{won} {self.staked}" if self.winner else won

    @property
    def pot(self) -> str:
        """The pot before and after the coup, as text; "" until the coup is settled."""
        return f"{self.pot_before} → {self.pot_after}" if self.outcome == "settled" else "–"

    def _hand(self, seat: int, points: int | None) -> str:
        cards = [card or "··" for _, card in sorted(self.hands.get(seat, {}).items())]
        total = "" if points is None else f" = {points}"
        return f"seat {seat}: {' '.join(cards)}{total}"


def heard(events: Iterable[dict[str, Any]], found: list[CoupRow] | None = None) -> list[CoupRow]:
    """Find all coups in these public events, in order. Return them, and add them to `found`.

    The events that were taken back are not among them (see `standing`).
    """
    found = [] if found is None else found
    roles = (0, 0)
    open_coup: CoupRow | None = None
    given: _Given = {}
    for event in events:
        match event:
            case {"type": "bank_posted", "seat": seat}:
                roles = (seat, roles[1])
            case {"type": "pointeur_named", "seat": seat}:
                roles = (roles[0], seat)
                if open_coup:
                    _played_on(open_coup, seat)
            case {"type": "card_drawn", "seat": seat} if seat and open_coup is None:
                open_coup, given = CoupRow(len(found) + 1, *roles), {}
                found.append(open_coup)
        if open_coup is None and found and _opens_again(found[-1], event):
            open_coup = found[-1]
        if open_coup:
            _give(open_coup, given, event)
            open_coup = _hear(open_coup, event)
    return found


#: The cards of a coup that were given back as a *faux tirage*, by ordinal.
_Given = dict[int, str | None]


def _give(coup: CoupRow, given: _Given, event: dict[str, Any]) -> None:
    """Move a card that is given back as a *faux tirage* to where it lies (Z-21, R-38).

    It is in no hand until the banker draws it, or until the claim fails.
    """
    match event:
        case {"type": "faux_tirage", "seat": seat, "ordinal": ordinal}:
            given[ordinal] = coup.hands.get(seat, {}).get(ordinal)
            _removed(coup, ordinal)
        case {"type": "said", "seat": seat, "word": "draws"} if seat == coup.banker_seat:
            for ordinal in given:
                _lay(coup, seat, ordinal, given[ordinal])
        case {"type": "claim_failed", "seat": seat, "ordinal": ordinal, "returned": True}:
            _lay(coup, seat, ordinal, given.pop(ordinal, None))


def _opens_again(coup: CoupRow, event: dict[str, Any]) -> bool:
    """Whether this event changes a coup that was over: a card is corrected, or it is annulled.

    Source: R-20.
    """
    match event:
        case {"type": "card_corrected"}:
            return True
        case {"type": "coup_annulled", "coup": number}:
            return bool(number == coup.number)
    return False


def _played_on(coup: CoupRow, seat: int) -> None:
    """Give the pointeur's cards to another seat, which takes his place (R-20)."""
    before, coup.pointeur_seat = coup.pointeur_seat, seat
    if before in coup.hands:
        coup.hands[seat] = coup.hands.pop(before)
        _count(coup, before, seat)


def _count(coup: CoupRow, *seats: int) -> None:
    """Set `closed` and `cards` of these seats to what lies in their hands."""
    for seat in seats:
        hand = coup.hands.get(seat, {})
        coup.closed[seat] = len(hand)
        coup.cards[seat] = [card for _, card in sorted(hand.items()) if card]
        for counted in (coup.closed, coup.cards):
            if not counted[seat]:
                del counted[seat]


def _hear(coup: CoupRow, event: dict[str, Any]) -> CoupRow | None:
    """The coup after one more event, or None once the coup is over."""
    match event:
        case {"type": "card_drawn", "seat": seat, "ordinal": ordinal} if seat:
            _lay(coup, seat, ordinal, None)
        case {"type": "card_opened", "seat": seat, "ordinal": ordinal, "card": card} if seat:
            _lay(coup, seat, ordinal, card)
        case {"type": "card_removed", "ordinal": ordinal}:
            _removed(coup, ordinal)
        case {"type": "coup_annulled", "reason": reason}:
            coup.number = event.get("coup", coup.number)
            coup.outcome, coup.winner = f"annulled: {reason}", None
            return None
        case {"type": "coup_settled"}:
            coup.number = event.get("coup", coup.number)
            coup.banker, coup.pointeur = event["banker"], event["pointeur"]
            coup.winner, coup.staked = event["winner"], event["staked"]
            coup.pot_before, coup.pot_after = event["pot"], event["pot_after"]
            coup.cagnotte = event.get("cagnotte", 0)
            coup.outcome = "settled"
            return None
    return coup


def _lay(coup: CoupRow, seat: int, ordinal: int, card: str | None) -> None:
    """Lay a card into this seat's hand alone."""
    _removed(coup, ordinal)
    coup.hands.setdefault(seat, {})[ordinal] = card
    _count(coup, seat)


def _removed(coup: CoupRow, ordinal: int) -> None:
    """Take the card `ordinal` out of the hand in which it lies, if any."""
    for seat, hand in coup.hands.items():
        if ordinal in hand:
            del hand[ordinal]
            _count(coup, seat)


# ---- The coups of an evening of chemin de fer, and the outcomes whose chances are known

_ADDS_UP: Final = phrase(
    "If the bank wins, the pot grows by the stakes, less the cagnotte. If the pointeur wins, it "
    "shrinks by the stakes."
)


def coups(events: Iterable[Heard], house: House) -> tuple[PlayedCoup, ...]:
    """All coups in these public events, in order."""
    rows = spanned(heard, events, lambda row: row.outcome != "interrupted")
    return tuple(_coup(row, span, house.unit) for row, span in rows)


def _coup(row: CoupRow, span: Span, unit: str) -> PlayedCoup:
    hands = (_hand(row, Side.BANK), _hand(row, Side.POINTEUR))
    if row.outcome != "settled":
        return PlayedCoup(
            number=row.number,
            first=span.first,
            last=span.last,
            hands=hands,
            winner="",
            sign="–",
            text=not_settled(row.outcome),
        )
    ended = result(_record(row), unit)
    staked = Figure(name="staked", label=phrase("staked"), value=row.staked, unit=unit)
    pot = Figure(name="pot", label=phrase("pot"), value=row.pot_before, unit=unit)
    after = Figure(name="pot_after", label=phrase("pot after"), value=row.pot_after, unit=unit)
    took = Figure(name="house", label=phrase("cagnotte"), value=row.cagnotte, unit=unit)
    return PlayedCoup(
        number=row.number,
        first=span.first,
        last=span.last,
        hands=hands,
        winner=ended.name,
        sign=ended.sign,
        tone=ended.tone,
        text=ended.text,
        figures=(staked, took),
        beside=(pot, after),
        saw=_saw(hands),
        adds_up=_ADDS_UP,
    )


def _record(row: CoupRow) -> CoupRecord:
    return CoupRecord(
        number=row.number,
        winner=Side(row.winner) if row.winner else None,
        banker_seat=row.banker_seat,
        pointeur_seat=row.pointeur_seat,
        banker=row.banker,
        pointeur=row.pointeur,
        pot=Chips(row.pot_before),
        staked=Chips(row.staked),
        cagnotte=Chips(row.cagnotte),
        pot_after=Chips(row.pot_after),
    )


def _hand(row: CoupRow, side: Side) -> Hand:
    bank = side is Side.BANK
    seat = row.banker_seat if bank else row.pointeur_seat
    cards = (card for _, card in sorted(row.hands.get(seat, {}).items()))
    return Hand(
        name="banker" if bank else "pointeur",
        label=phrase("BANK") if bank else phrase("POINTEUR"),
        seat=seat,
        tone="red" if bank else "blue",
        cards=cards_of(cards),
        count=row.banker if bank else row.pointeur,
    )


def _saw(hands: tuple[Hand, Hand]) -> dict[str, tuple[int, int]]:
    """The outcomes of one coup: whether there was a natural, and which ranks were seen.

    A natural counts only if the first two cards of both hands are known.
    """
    told = ranks_seen(card for hand in hands for card in hand.cards)
    first = [tuple(card for card in hand.cards[:2] if card) for hand in hands]
    if any(len(two) < 2 for two in first):
        return told
    return told | once(natural=any(is_natural(two) for two in first))


def expected(house: House) -> Iterator[Expected]:
    """The outcomes whose chances are known. Who wins depends on people's choices (ZX-2)."""
    yield Expected("natural", phrase("a natural in either hand"), natural(house.packs))
    yield from ranks()


# ---- The cards in each hand, found from the public events alone
#      Source: ZX-1, ZP-9, Z-11, Z-12, Z-15, Z-21, R-18, R-38.

#: The hand of a card that was given back. It is the banker's, unless the card is burned (Z-21).
_GIVEN_BACK = -1
#: The events before which no card of the coup under way lies in a hand.
_BEGINS = frozenset({"schlitten_ready", "bank_posted", "coup_paid", "coup_annulled"})


class Laid:
    """The cards of the coup under way, found from public events.

    If the events begin in the middle of a coup, nothing is known about this coup.
    """

    def __init__(self) -> None:
        self._known = False
        self._told: list[dict[str, Any]] = []  # since the coup before; {"type": ""} if taken back
        self._begin(known=False)

    def _begin(self, *, known: bool = True) -> None:
        self._known = self._known or known
        self._place: dict[int, int] = {}
        self._face: dict[int, str] = {}
        self._thrown: set[int] = set()
        self._misdealt = False

    def hear(self, event: dict[str, Any]) -> str:
        """Note a public event. Return what is wrong with the points in it, or ""."""
        if event["type"] in _BEGINS:
            self._told = []
        if event["type"] == "withdrawn":
            self._again(event)
        self._told.append(event)
        return self._note(event)

    def _again(self, withdrawn: dict[str, Any]) -> None:
        """Note the coup's events again, without those that were taken back (R-20)."""
        for at in taken_back(len(self._told), withdrawn):
            self._told[at] = {"type": ""}
        self._begin(known=False)
        for event in self._told:
            self._note(event)
        if "events" not in withdrawn:  # an older journal does not say which
            self._known = False

    def _note(self, event: dict[str, Any]) -> str:
        match event:
            case {"type": kind} if kind in _BEGINS:
                self._begin()
            case {"type": "card_drawn" | "claim_failed", "seat": seat, "ordinal": ordinal}:
                if event.get("returned", True):
                    self._place[ordinal] = seat
            case {"type": "faux_tirage", "ordinal": ordinal}:
                self._place[ordinal] = _GIVEN_BACK
            case {"type": "card_opened", "ordinal": ordinal, "card": card}:
                self._face[ordinal] = card
            case {"type": "card_removed", "ordinal": ordinal}:
                self._place.pop(ordinal, None)
            case {"type": "hand_thrown", "seat": seat}:
                self._thrown.add(seat)
            case {"type": "misdeal"}:
                self._misdealt = True
            case {"type": "hand_opened", "cards": cards, "points": told}:
                if _points(cards) != told:
                    return f"these cards do not make {told} points"
            case {"type": "coup_settled"}:
                return self._settled(event)
        return ""

    def _settled(self, event: dict[str, Any]) -> str:
        coup, forfeit, bank = event["coup"], event.get("forfeit", ""), event["banker_seat"]
        told = event["banker"], event["pointeur"]
        if forfeit or None in told:
            lost = bank in self._thrown if forfeit == "Z-11" else self._misdealt
            if not forfeit or told != (None, None) or (self._known and not lost):
                return f"coup {coup}: nothing that happened lost it by a rule ({forfeit or 'none'})"
            return ""
        if not self._known:
            return ""
        his = 0 if self._thrown - {bank} else self._points(bank, banks=False)
        due = self._points(bank, banks=True), his
        if bank in self._thrown or told != due:
            return f"coup {coup}: the points are not those of the cards that were opened"
        return ""

    def _points(self, bank: int, *, banks: bool) -> int | None:
        """The points of the bank's hand if `banks`, otherwise of the pointeur's; None if unknown.

        The pointeur may have changed during the deal (R-24). So every card that is not the bank's
        counts as the pointeur's.
        """
        sides = {bank, _GIVEN_BACK}
        cards = [dealt for dealt, seat in self._place.items() if seat and (seat in sides) is banks]
        return _points([self._face.get(dealt, "") for dealt in cards])


def _points(cards: Iterable[str]) -> int | None:
    """The points of two or three open cards; None for other numbers or a closed card."""
    try:
        hand = [Card(card) for card in cards]
    except ValueError:
        return None
    return points(hand) if len(hand) in (2, 3) else None


# ---- Checks, from the public events alone, that the money and the points add up
#      Source; points: ZX-1, ZP-9, Z-11, Z-15, Z-21.

#: The types of events that a recording contains, and that the public does not hear.
_STAFFS = frozenset(
    str(kind.__struct_config__.tag)
    for kind in get_args(CheminDeFerEvent)
    if kind.audience is not Audience.PUBLIC
)


def sums(events: Iterable[dict[str, Any]]) -> tuple[int, str] | None:
    """The index of the first public event whose sums do not add up, and the reason; None if all do.

    The events are in Python's built-in types, in order. The pot of
    a coup must be the sum that the banker put up, or that the last coup or change left. If a
    settled coup is annulled or settled again, the pot is again what it was before that coup. The
    points of a coup must be those of the opened cards.
    """
    pot: int | None = None
    laid = Laid()
    last: dict[str, Any] = {"coup": 0, "pot": None}
    for index, event in enumerate(events):
        wrong = "" if event["type"] in _STAFFS else laid.hear(event)
        if wrong:
            return index, wrong
        match event:
            case {"type": "bank_posted" | "pot_changed" | "partner_joined", "pot": posted}:
                pot = posted
            case {"type": "schlitten_passed" | "auction_begun" | "withdrawn"}:
                pot = None
            case {"type": "coup_annulled", "coup": coup} if coup == last["coup"]:
                pot = last["pot"]
            case {"type": "coup_settled", "coup": coup}:
                wrong = _wrong(event, last["pot"] if coup == last["coup"] else pot)
                if wrong:
                    return index, wrong
                pot, last = event["pot_after"], event
    return None


def _wrong(event: dict[str, Any], pot: int | None) -> str:
    before, staked, after = event["pot"], event["staked"], event["pot_after"]
    house, coup = event["cagnotte"], event["coup"]
    if pot is not None and before != pot:
        return f"coup {coup}: the pot was {pot} and is said to be {before}"
    if min(before, staked, after, house) < 0 or staked > before:
        return f"coup {coup}: {staked} were staked against a pot of {before}"
    due = {"bank": before + staked - house, "pointeur": before - staked, None: before}
    if event["winner"] not in due or after != due[event["winner"]]:
        return f"coup {coup}: the pot after it is {after}, which is not what it won or lost"
    if house and event["winner"] != "bank":
        return f"coup {coup}: a cagnotte of {house} without a win of the bank (R-8)"
    if event["winner"] != _winner(event):
        return f"coup {coup}: the points do not give the winner {event['winner']}"
    return ""


def _winner(event: dict[str, Any]) -> str | None:
    """The side that must have won. A bank that lost by a rule has no points (Z-11, Z-12, N-4)."""
    banker, pointeur = event["banker"], event["pointeur"]
    if banker is None or pointeur is None:
        return "pointeur"
    points = banker - pointeur
    return "bank" if points > 0 else "pointeur" if points < 0 else None

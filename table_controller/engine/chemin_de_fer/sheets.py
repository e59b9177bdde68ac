"""The output of commands for chemin de fer: a journal's last coups, and the tableau.

The module reads only public events, so that it cannot show a closed card.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import Struct, field

from table_controller.engine.sheet import Sheet
from table_controller.engine.table.standing import standing
from table_controller.rules.chemin_de_fer.house import House
from table_controller.rules.chemin_de_fer.tableau import TABLEAUX, Duty

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

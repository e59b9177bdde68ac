"""The coups of an evening, found from its public events alone: their record, sheets and sums."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from msgspec import Struct, field

from table_controller.engine.messages import phrase
from table_controller.engine.pieces import Figure, Hand
from table_controller.engine.punto_banco.events import PLACES
from table_controller.engine.punto_banco.inputs import Side
from table_controller.engine.punto_banco.words import SPOTS, TONES
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
)
from table_controller.rules import chances
from table_controller.rules.cards import Card
from table_controller.rules.points import is_natural, points
from table_controller.rules.punto_banco.chances import winners
from table_controller.rules.punto_banco.coup import Coup, Winner, winner
from table_controller.rules.punto_banco.house import House
from table_controller.rules.punto_banco.money import BANKER, MAIN, PLAYER, backed
from table_controller.rules.punto_banco.side_bets import SIDE_BETS, pair
from table_controller.rules.punto_banco.tableau import STOOD, banker_draws

# ---- The output of commands for punto banco: the coups that were published, and the table of draws

_SIDES = {place: side for side, place in PLACES.items()}
_WINS = {"P": "Player wins", "B": "Banker wins", "T": "tie"}


class CoupRow(Struct):
    """One coup as the public saw it. A card that is not yet open is None.

    `returned` are the stakes that won or stayed, without winnings.
    """

    number: int
    staked: int = 0
    hands: dict[str, dict[int, str | None]] = field(
        default_factory=lambda: {side.value: {} for side in Side}
    )
    points: tuple[int, int] | None = None
    winner: str | None = None
    returned: int = 0
    paid: int = 0
    commission: int = 0
    lost: int = 0
    outcome: str = "interrupted"

    def hand(self, side: Side) -> str:
        """The cards of a hand and, once they are counted, its points, as text."""
        cards = [card or "··" for _, card in sorted(self.hands[side].items())]
        counted = "" if self.points is None else f" = {self.points[side is Side.BANKER]}"
        return " ".join(cards) + counted

    @property
    def result(self) -> str:
        """The winner, or the reason why nobody won, as text."""
        return _WINS[self.winner] if self.winner else self.outcome


def recall(events: Iterable[dict[str, Any]]) -> Sheet:
    """All coups in these public events, in order, including an interrupted one."""
    coups = heard(standing(events))
    rows = (
        (str(c.number), c.hand(Side.PLAYER), c.hand(Side.BANKER), c.result, str(c.staked))
        for c in coups
    )
    return Sheet(("coup", "Player", "Banker", "result", "staked"), tuple(rows), tuple(coups))


def heard(events: Iterable[dict[str, Any]], found: list[CoupRow] | None = None) -> list[CoupRow]:
    """Find all coups in these public events, in order. Return them, and add them to `found`.

    The events that were taken back are not among them (see `standing`).
    """
    found = [] if found is None else found
    dealing = False  # whether the Schlitten in use is that of the last coup
    for event in events:
        match event:
            case {"type": "coup_begun", "coup": number, "staked": staked}:
                found.append(CoupRow(number, staked))
                dealing = True
            case {"type": "schlitten_ready"}:
                dealing = False
            case {"type": "result_changed", "coup": number, "winner": won}:
                _changed(found, number, won)
            case _ if dealing:
                _hear(found[-1], event)
    return found


def _changed(coups: list[CoupRow], number: int, won: str) -> None:
    """Give the coup of this number another winner, if it had one (PB-26)."""
    for coup in coups:
        if coup.number == number and coup.winner:
            coup.winner = won


def _hear(coup: CoupRow, event: dict[str, Any]) -> None:
    """Note an event of the coup's own Schlitten, in which `ordinal` names one card."""
    match event:
        case {"type": "card_drawn", "seat": place, "ordinal": n} if place in _SIDES:
            coup.hands[_SIDES[place]].setdefault(n, None)
        case {"type": "card_opened", "seat": place, "ordinal": n, "card": card} if place in _SIDES:
            coup.hands[_SIDES[place]][n] = card
        case {"type": "card_moved", "seat": place, "ordinal": n}:
            coup.hands[_SIDES[place]][n] = _taken(coup, n)
        case {"type": "card_removed", "ordinal": n}:
            _taken(coup, n)
        case {"type": "coup_annulled", "reason": reason}:
            coup.outcome, coup.winner = f"annulled: {reason}", None
        case {"type": "coup_settled", "winner": won}:
            coup.points, coup.winner = (event["player"], event["banker"]), won
            coup.staked, coup.returned = event["staked"], event["back"] + event["stays"]
            coup.paid, coup.outcome = event["paid"], "settled"
            coup.lost, coup.commission = event["lost"], event["commission"]
        case {"type": "result_reopened"}:
            coup.winner, coup.outcome = None, "reopened"


def _taken(coup: CoupRow, ordinal: int) -> str | None:
    """Take this card out of its hand. Return it; None if it is closed, or in no hand."""
    taken = [hand.pop(ordinal) for hand in coup.hands.values() if ordinal in hand]
    return taken[0] if taken else None


def wall(_house: House) -> Sheet:
    """The table of draws, which says when Banker draws, as a table for printing (PB-7)."""
    given = (STOOD, *range(10))
    rows = tuple(
        (str(points), *("●" if banker_draws(points, pips) else "–" for pips in given))
        for points in range(8)
    )
    data = tuple(
        {
            "points": points,
            "given": None if pips == STOOD else pips,
            "draws": banker_draws(points, pips),
        }
        for points in range(8)
        for pips in given
    )
    title, note = "Banker's third card", "● draws   – stands (PB-7)"
    return Sheet(("Banker", "stood", *map(str, range(10))), rows, data, title, note)


# ---- The coups of an evening of punto banco, and the exact chances of their outcomes

_ADDS_UP: Final = phrase(
    "The house won what was staked, less what went back to the players: their winnings, and the "
    "stakes that won or stayed."
)
_NAMES: Final = {Winner.PLAYER: "player", Winner.BANKER: "banker", Winner.TIE: "tie"}


def coups(events: Iterable[Heard], house: House) -> tuple[PlayedCoup, ...]:
    """All coups in these public events, in order."""
    rows = spanned(heard, events, lambda row: row.outcome != "interrupted")
    return tuple(_coup(row, span, house) for row, span in rows)


def _coup(row: CoupRow, span: Span, house: House) -> PlayedCoup:
    hands = tuple(_hand(row, side) for side in (Side.PLAYER, Side.BANKER))
    if row.winner is None or row.points is None:
        return PlayedCoup(
            number=row.number,
            first=span.first,
            last=span.last,
            hands=hands,
            winner="",
            sign="–",
            text=not_settled(row.outcome),
        )
    winner, (player, banker) = Winner(row.winner), row.points
    return PlayedCoup(
        number=row.number,
        first=span.first,
        last=span.last,
        hands=hands,
        winner=_NAMES[winner],
        sign=winner.value,
        tone=TONES[_NAMES[winner]],
        text=phrase("Player {player} : {banker} Banker", player=player, banker=banker),
        figures=tuple(_sums(row, house)),
        saw=_saw(hands, winner),
        adds_up=_ADDS_UP,
    )


def _sums(row: CoupRow, house: House) -> Iterator[Figure]:
    """The sums of a coup: what was staked, less what went back, is what the house won.

    Commission in a box has still to be collected, but it is the house's already (PB-10).
    """
    owed = row.commission if house.commission == "boxes" else 0
    sums = (
        ("staked", phrase("staked"), row.staked),
        ("returned", phrase("back to the players"), row.returned + row.paid - owed),
        ("house", phrase("the house won"), row.lost - row.paid + owed),
        ("commission", phrase("of that, commission"), row.commission),
    )
    for name, label, value in sums:
        yield Figure(name=name, label=label, value=value, unit=house.unit)


def _hand(row: CoupRow, side: Side) -> Hand:
    return Hand(
        name=side.value,
        label=SPOTS[side.value],
        tone=TONES[side.value],
        cards=cards_of(card for _, card in sorted(row.hands[side].items())),
        count=None if row.points is None else row.points[side is Side.BANKER],
    )


def _saw(hands: tuple[Hand, ...], winner: Winner) -> dict[str, tuple[int, int]]:
    won = once(**{name: winner is one for one, name in _NAMES.items()})
    told = won | ranks_seen(card for hand in hands for card in hand.cards)
    player, banker = (tuple(card for card in hand.cards[:2] if card) for hand in hands)
    if len(player) < 2 or len(banker) < 2:
        return told
    return told | once(
        natural=is_natural(player) or is_natural(banker),
        player_pair=pair(player),
        banker_pair=pair(banker),
    )


def expected(house: House) -> Iterator[Expected]:
    """The exact chance of each outcome.

    The chances are known, because nobody has a choice (PB-6, PB-7).
    """
    won = winners(house.packs)
    for side, name in _NAMES.items():
        yield Expected(name, SPOTS[name], won[side])
    yield Expected("natural", phrase("a natural in either hand"), chances.natural(house.packs))
    for name in ("player_pair", "banker_pair"):
        yield Expected(name, SPOTS[name], chances.pair(house.packs))
    yield from ranks()


# ---- Checks, from the public events alone, that the money and the points add up


def sums(events: Iterable[dict[str, Any]]) -> tuple[int, str] | None:
    """The index of the first event whose sums do not add up, and the reason; None if all do."""
    heard = _Heard()
    for index, event in enumerate(events):
        wrong = heard.of(event)
        if wrong:
            return index, wrong
    return None


class _Heard:
    """The facts about the present coup that the events told: its open cards, and a ruling."""

    def __init__(self) -> None:
        self._cards: dict[int, tuple[Side, Card]] = {}
        self._number, self._ruled = 0, ""

    def of(self, event: dict[str, Any]) -> str:
        """Note the event. Return which sums or points in it are wrong, or "" if none is."""
        match event:
            case {"type": "coup_begun", "coup": number}:
                self._cards, self._number, self._ruled = {}, number, ""
            case {"type": "card_opened", "seat": place, "ordinal": n, "card": card}:
                if place in _SIDES:
                    self._cards[n] = (_SIDES[place], Card(card))
            case {"type": "card_moved", "seat": place, "ordinal": n} if n in self._cards:
                self._cards[n] = (_SIDES[place], self._cards[n][1])
            case {"type": "card_removed", "ordinal": n}:
                self._cards.pop(n, None)
            case {"type": "result_changed", "coup": number, "winner": won}:
                self._ruled = won if number == self._number else self._ruled
            case {"type": "coup_announced"}:
                self._ruled = ""
                return self._points(event)
            case {"type": "coup_settled"}:
                return self._points(event) or _money(event) or self._won(event)
        return ""

    def _won(self, event: dict[str, Any]) -> str:
        """Why the payments of a coup cannot be right, or "" if they can.

        Each paid spot must have won with these cards, and the payments must add up.
        """
        lines = event.get("won", ())
        if not lines:
            return ""  # nobody won, or the record is older and lists no spots
        player, banker = (tuple(c for s, c in self._laid() if s is side) for side in Side)
        coup = Coup(player, banker, event["player"], event["banker"], Winner(event["winner"]))
        for line in lines:
            spot, even = line["spot"], line["spot"] in (PLAYER, BANKER)
            won = backed(coup) == spot if spot in MAIN else SIDE_BETS[spot].won(coup) > 0
            if not won:
                return f"{spot} is paid, and has not won"
            if even and not 0 <= max(line["paid"], line["commission"]) <= line["stake"]:
                return f"{spot} is paid {line['paid']} for {line['stake']}"
        for part, of in (("back", "stake"), ("paid", "paid"), ("commission", "commission")):
            parts = sum(line[of] for line in lines)
            if event[part] != parts:
                return f"{part} {event[part]}, and by spots {parts}"
        return ""

    def _laid(self) -> list[tuple[Side, Card]]:
        """The open cards and their sides, in the order in which the cards left."""
        return [self._cards[ordinal] for ordinal in sorted(self._cards)]

    def _points(self, event: dict[str, Any]) -> str:
        """Why the points or the winner in the event are wrong for the open cards, or ""."""
        hands = {side: [c for s, c in self._cards.values() if s is side] for side in Side}
        found = {side: points(cards) for side, cards in hands.items()}
        told = {Side.PLAYER: event["player"], Side.BANKER: event["banker"]}
        if found != told:
            return f"the cards make {_two(found)}, not {_two(told)}"
        won: str = self._ruled or winner(told[Side.PLAYER], told[Side.BANKER])
        if Winner(event["winner"]) != won:
            return f"{event['winner']} cannot have won with {_two(told)}"
        return ""


def _two(found: dict[Side, int]) -> str:
    return f"{found[Side.PLAYER]} : {found[Side.BANKER]}"


def _money(event: dict[str, Any]) -> str:
    """Why a settlement's sums do not add up, or "" if they do.

    Every stake must be lost, go back or stay.
    """
    parts = event["lost"] + event["back"] + event["stays"]
    if parts != event["staked"]:
        return f"{event['staked']} staked, and {parts} lost, back or left"
    if min(event["paid"], event["commission"], event["stays"]) < 0:
        return "a sum below nothing"
    return ""

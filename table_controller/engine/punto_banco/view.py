"""The present picture for one audience. Only this module decides what a screen may show."""

from __future__ import annotations

from typing import Final

from table_controller.engine.messages import Audience, Phrase, phrase
from table_controller.engine.pieces import (
    Drawer,
    Figure,
    Hand,
    Mark,
    Note,
    Result,
    Spot,
    Stake,
    Tone,
    Tray,
)
from table_controller.engine.punto_banco import deal as d
from table_controller.engine.punto_banco import state as s
from table_controller.engine.punto_banco.bets import spots as spots_of
from table_controller.engine.punto_banco.inputs import Side
from table_controller.engine.punto_banco.labels import SPOTS, TONES
from table_controller.engine.punto_banco.offers import offers
from table_controller.engine.punto_banco.settle import deducted
from table_controller.engine.punto_banco.view_past import remarks, roads, totals
from table_controller.engine.punto_banco.view_wall import advice, wall
from table_controller.engine.punto_banco.words import awaited
from table_controller.engine.shoe import Dealt
from table_controller.engine.table.felt import player
from table_controller.engine.table.view import of_felt, spots
from table_controller.engine.views import PaymentView, SeatView, Snapshot
from table_controller.rules.points import points
from table_controller.rules.punto_banco.coup import Winner

#: The row of past coups shows this many coups.
REMEMBERED: Final = 9
STEPS: Final = (
    phrase("bets"),
    phrase("deal"),
    phrase("third cards"),
    phrase("result"),
    phrase("settle"),
)
_STEP: Final[dict[type, int]] = {
    s.Betting: 0,
    d.Dealing: 1,
    d.ToOpen: 1,
    d.PlayerDue: 2,
    d.PlayerToOpen: 2,
    d.BankerDue: 2,
    d.BankerToOpen: 2,
    d.Announced: 3,
    s.Paying: 4,
}
_HANDS: Final[dict[Side, tuple[Phrase, Tone]]] = {
    Side.PLAYER: (phrase("Player"), "blue"),
    Side.BANKER: (phrase("Banker"), "red"),
}
TRAYS: Final = tuple(
    Tray(name=side.value, label=label, tone=tone, slots=3) for side, (label, tone) in _HANDS.items()
)
_WON, _LOST = Mark(name="won", label=phrase("WON")), Mark(name="lost", label=phrase("LOST"))
_TIE = Mark(name="tie", label=phrase("Tie"))
_SIDE_OF: Final = {Winner.PLAYER: Side.PLAYER, Winner.BANKER: Side.BANKER}
#: The word for every seat's lamp. The headline says it once in words.
_RESULT: Final = {
    Winner.PLAYER: Mark(name="player", label=Phrase("")),
    Winner.BANKER: Mark(name="banker", label=Phrase("")),
    Winner.TIE: Mark(name="tie", label=Phrase("")),
}
_DRAWS: Final[dict[type, Mark]] = {
    d.PlayerDue: Mark(name="player_draws", label=Phrase("")),
    d.BankerDue: Mark(name="banker_draws", label=Phrase("")),
}
#: What people call the limits of a house, by the names of their settings.
_LIMITS: Final = {
    "least_bet": phrase("least bet"),
    "most_bet": phrase("greatest bet"),
    "least_side": phrase("least side bet"),
    "most_side": phrase("greatest side bet"),
    "differential": phrase("differential"),
}
_DRAWERS: Final = (
    Drawer(name="bets", label=phrase("bets"), stays=True),
    Drawer(name="takes_down", label=phrase("take down"), stays=True),
)


def snapshot(table: s.Table, audience: Audience) -> Snapshot:
    """The picture with everything that a screen for `audience` needs.

    Closed cards are None for every audience (R-13).
    """
    staff = audience is not Audience.PUBLIC
    counted = _counted(table)
    results = tuple(record.result for record in table.past)
    shared = of_felt(table.felt, _LIMITS, staff=staff, kept="PB-21")
    if staff:
        shared["notes"] += (*_over(table), *remarks(table))
        shared["till"] += (*_boxes(table), *_lying(table))
    return Snapshot(
        **shared,
        seats=tuple(_seat(table, seat) for seat in spots(table.felt)),
        hands=tuple(_hand(table, side) for side in Side),
        spots=tuple(_spot(name) for name in spots_of(table.house)),
        stakes=tuple(Stake(seat=b.seat, chips=b.chips, spot=b.spot) for b in table.bets),
        figures=_figures(table, counted),
        prompt=awaited(table),
        steps=STEPS,
        step=_STEP.get(type(table.phase), -1),
        last=tuple(_result(record) for record in table.past[-REMEMBERED:]),
        payments=_payments(table),
        trays=TRAYS,
        displays=("player", "banker") if counted else ("coup",),
        wall=wall(),
        advice=advice(table),
        roads=roads(results),
        drawers=_DRAWERS,
        offers=offers(table) if staff else (),
        totals=totals(results) if staff else (),
    )


def _over(table: s.Table) -> tuple[Note, ...]:
    """The notes, during the deal, about stakes that went back when the bets closed (PB-36)."""
    if not isinstance(table.phase, d.Dealing):
        return ()
    return tuple(
        Note(
            phrase(
                "Over the differential: {chips} {unit} on {spot} back to seat {seat}.",
                chips=bet.chips,
                unit=table.house.unit,
                spot=SPOTS[bet.spot],
                seat=bet.seat,
            ),
            "PB-36",
        )
        for bet in table.over
    )


def _boxes(table: s.Table) -> tuple[Figure, ...]:
    """The commission in each place's box, for the staff (PB-10)."""
    return tuple(
        Figure(
            name="box",
            label=phrase("box of seat {seat}", seat=seat),
            value=chips,
            unit=table.house.unit,
            seat=seat,
        )
        for seat, chips in table.owed
    )


def _lying(table: s.Table) -> tuple[Figure, ...]:
    """The stakes by seat and spot, for the staff.

    The picture of the felt shows one sum per seat.
    """
    return tuple(
        Figure(
            name="stake",
            label=phrase("seat {seat} on {spot}", seat=bet.seat, spot=SPOTS[bet.spot]),
            value=bet.chips,
            unit=table.house.unit,
            seat=bet.seat,
        )
        for bet in table.bets
    )


def _spot(name: str) -> Spot:
    return Spot(name=name, label=SPOTS[name], tone=TONES.get(name, ""))


def _seat(table: s.Table, seat: int) -> SeatView:
    """The seat's part of the picture. Every seat's lamp shows who draws and who has won.

    The table itself has no lamp.
    """
    taken = player(table.felt, seat) is not None
    phase = s.foremost(table)
    deal = phase.deal if isinstance(phase, s.Paying) else phase
    mark = _RESULT[deal.winner] if isinstance(deal, d.Announced) else _DRAWS.get(type(phase))
    return SeatView(seat=seat, taken=taken, marks=(mark,) if mark else (), host=True)


def _cards(table: s.Table, side: Side) -> tuple[tuple[Dealt, ...], frozenset[int]]:
    """The cards of a hand, and the ordinals of the coup's closed cards."""
    deal = s.lying(table)
    if deal is None:
        return (), frozenset()
    closed = d.closed_cards(deal, squeezed=table.house.dealing == "squeezed")
    return (deal.player if side is Side.PLAYER else deal.banker), closed


def _counted(table: s.Table) -> dict[Side, int]:
    """The points of each hand whose two or three cards are all open."""
    found = {}
    for side in Side:
        cards, closed = _cards(table, side)
        if len(cards) > 1 and not closed & {card.ordinal for card in cards}:
            found[side] = points(card.card for card in cards)
    return found


def _hand(table: s.Table, side: Side) -> Hand:
    cards, closed = _cards(table, side)
    label, tone = _HANDS[side]
    count = _counted(table).get(side)
    return Hand(
        name=side.value,
        label=label,
        tone=tone,
        cards=tuple(None if card.ordinal in closed else card.card for card in cards),
        points=None if count is None else _points(count),
        count=count,
        outcome=_outcome(table, side),
    )


def _points(count: int) -> Phrase:
    return phrase("1 point") if count == 1 else phrase("{n} points", n=count)


def _outcome(table: s.Table, side: Side) -> Mark | None:
    deal = s.lying(table)
    if not isinstance(deal, d.Announced) or table.felt.stops:
        return None
    if deal.winner is Winner.TIE:
        return _TIE
    return _WON if _SIDE_OF[deal.winner] is side else _LOST


def _figures(table: s.Table, counted: dict[Side, int]) -> tuple[Figure, ...]:
    """The points of both hands while they are known, the coup's number, and the stakes' sum."""
    shown = tuple(
        Figure(name=side.value, label=SPOTS[side.value], value=count)
        for side, count in counted.items()
    )
    staked = s.staked(table.bets)
    lies = Figure(name="staked", label=phrase("staked"), value=staked, unit=table.house.unit)
    coup = Figure(name="coup", label=phrase("coup"), value=table.felt.coups)
    return (*shown, coup, *((lies,) if table.house.bets else ()))


def _result(record: s.Record) -> Result:
    won = max(record.player, record.banker) if record.winner is Winner.TIE else None
    count = {Winner.PLAYER: record.player, Winner.BANKER: record.banker}.get(record.winner, won)
    name = _RESULT[record.winner].name
    return Result(
        coup=record.coup,
        name=name,
        text=phrase(
            "Player {player} : {banker} Banker", player=record.player, banker=record.banker
        ),
        sign=record.winner.value,
        tone=TONES[name],
        count=count,
    )


def _payments(table: s.Table) -> tuple[PaymentView, ...]:
    """The lines of the settlement, in the order in which a dealer works (PB-14)."""
    due = s.foremost(table)
    if not isinstance(due, s.Paying):
        return ()
    return tuple(
        PaymentView(
            text=_line(table, line),
            seat=line.seat,
            chips=abs(line.chips),
            done=line.done,
            payer=line.seat if line.chips < 0 else 0,
            payee=line.seat if line.chips > 0 else 0,
        )
        for line in due.payments
    )


def _line(table: s.Table, line: s.Payment) -> Phrase:
    """The text of a line: collect or pay, the spot, and the commission (PB-9, PB-10)."""
    spot, less = SPOTS[line.spot], deducted(table.house, line)
    if line.chips < 0:
        return phrase("collect, {spot}", spot=spot)
    if less and not line.owed:
        won = line.chips + less
        return phrase("{spot} {won} less {less} commission", spot=spot, won=won, less=less)
    if line.owed:
        return phrase("pay, {spot}; {owed} into the box", spot=spot, owed=line.owed)
    return phrase("pay, {spot}", spot=spot)

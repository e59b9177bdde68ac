"""The present picture for one audience. Only this module decides what a screen may show.

It contains a Schlitten's roads and counters, and the printed table of draws on the wall.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from itertools import chain, zip_longest
from typing import Final

from table_controller.engine.messages import Audience, Phrase, phrase
from table_controller.engine.pieces import (
    Advice,
    Ask,
    Cell,
    Drawer,
    Entry,
    Figure,
    Grid,
    Hand,
    Mark,
    Note,
    Result,
    Road,
    Spot,
    Stake,
    Tone,
    Total,
    Tray,
)
from table_controller.engine.punto_banco import state as s
from table_controller.engine.punto_banco.bets import spots as spots_of
from table_controller.engine.punto_banco.inputs import Side
from table_controller.engine.punto_banco.offers import offers
from table_controller.engine.punto_banco.settle import deducted
from table_controller.engine.punto_banco.words import SPOTS, TONES, awaited
from table_controller.engine.shoe import Dealt
from table_controller.engine.table.felt import player
from table_controller.engine.table.view import of_felt, spots
from table_controller.engine.views import PaymentView, SeatView, Snapshot
from table_controller.rules.cards import Card
from table_controller.rules.points import PIPS, points
from table_controller.rules.punto_banco import roads as drawn
from table_controller.rules.punto_banco.coup import Winner
from table_controller.rules.punto_banco.irregularities import Kind, Shuffle, notices
from table_controller.rules.punto_banco.results import Result as Outcome
from table_controller.rules.punto_banco.results import counters
from table_controller.rules.punto_banco.roads import Colour
from table_controller.rules.punto_banco.tableau import STOOD, banker_draws, is_natural

# ---- The printed table of draws on the wall

#: Rows that people look at. Below 3 Banker always draws, on 7 never.
ROWS = (3, 4, 5, 6)
_DRAWS_THIRD: Final = phrase("draws")
_STANDS: Final = phrase("stands")


@cache
def wall() -> Grid:
    """The table of draws (PB-7): a row for Banker's points, a column for Player's third card."""
    given = (STOOD, *range(10))
    draws, stands = (
        Cell(sign="●", text=_DRAWS_THIRD),
        Cell(sign="–", text=_STANDS),
    )
    return Grid(
        name="tableau",
        label=phrase("Banker's third card: Banker's points, Player's third card"),
        rule="PB-7",
        rows=tuple(map(str, ROWS)),
        columns=("–", *map(str, range(10))),
        cells=tuple(
            tuple(draws if banker_draws(points, pips) else stands for pips in given)
            for points in ROWS
        ),
        key=(draws, stands),
    )


def advice(table: s.Table) -> Advice | None:
    """The square of the table that says whether Banker draws.

    None if no square decides now, or if a card on which the square depends is closed (PR-3).
    """
    deal = s.foremost(table)
    if not isinstance(deal, s.BankerDue | s.Announced) or len(deal.banker) > 2:
        return None
    third = deal.player[2:]
    if deal.b not in ROWS or (not third and is_natural(deal.p, deal.b)):
        return None
    draws = isinstance(deal, s.BankerDue)
    return Advice(
        name="draws" if draws else "stands",
        text=_DRAWS_THIRD if draws else _STANDS,
        rule="PB-7",
        row=str(deal.b),
        column=str(PIPS[third[0].card]) if third else "–",
    )


# ---- The results of a Schlitten: its roads, its counters, and patterns among its cards

_SIDES: Final = {
    Colour.RED: phrase("Banker"),
    Colour.BLUE: phrase("Player"),
    Colour.GREEN: phrase("Tie"),
}
_COLOURS: Final = {Colour.RED: phrase("red"), Colour.BLUE: phrase("blue")}
_LETTERS: Final = {Colour.RED: "B", Colour.BLUE: "P", Colour.GREEN: "T"}
#: The derived roads: name, label, sign.
_DERIVED: Final = (
    ("eye", phrase("Big eye boy"), "○"),
    ("small", phrase("Small road"), "●"),
    ("cockroach", phrase("Cockroach"), "╱"),
)
_COUNTED: Final = {
    "coups": phrase("coups"),
    "player": phrase("Player"),
    "banker": phrase("Banker"),
    "ties": phrase("Tie"),
    "player_pairs": phrase("Player pairs"),
    "banker_pairs": phrase("Banker pairs"),
    "naturals": phrase("naturals"),
}
_SEEN: Final = {
    Kind.RANK: phrase("{n} cards of one rank in a row"),
    Kind.SUIT: phrase("{n} cards of one suit in a row"),
    Kind.STEP: phrase("{n} cards in a row, each one rank on"),
    Kind.SEQUENCE: phrase("{n} cards of one suit in the order of a new pack"),
    Kind.REPEAT: phrase("{n} cards in an order that came before"),
    Kind.AGAIN: phrase("{n} cards in the order of the Schlitten before"),
}


#: The index of each colour's sign in a key.
_PLACE: Final = {colour: at for at, colour in enumerate(_SIDES)}
#: The signs of the first two roads: a letter, and a ring.
_BEADS: Final = tuple(
    Cell(sign=letter, text=_SIDES[colour], tone=colour.value) for colour, letter in _LETTERS.items()
)
_RINGS: Final = tuple(
    Cell(sign="○", text=text, tone=colour.value) for colour, text in _SIDES.items()
)


@lru_cache(maxsize=8)  # more pictures are made than coups played
def roads(results: tuple[Outcome, ...]) -> tuple[Road, ...]:
    """The five roads, each with the signs that may come next. Source: PB-30 to PB-34."""
    found = drawn.roads(results)
    bead = Road(
        name="bead",
        label=phrase("Bead plate"),
        rule="PB-30",
        rows=drawn.ROWS,
        key=_BEADS,
        entries=_entries(found.bead),
        figures=figures(results),
    )
    big = Road(
        name="big",
        label=phrase("Big road"),
        rule="PB-31",
        rows=drawn.ROWS,
        key=_RINGS,
        entries=_entries(found.big),
    )
    cells = (found.eye, found.small, found.cockroach)
    asks = map(_asks, found.if_player, found.if_banker)
    return (bead, big, *map(_derived, _DERIVED, cells, asks))


def _derived(drawn_as: tuple[str, Phrase, str], cells: drawn.Road, ask: tuple[Ask, ...]) -> Road:
    """One of the three derived roads, whose one sign is drawn in two colours."""
    name, label, sign = drawn_as
    key = (Cell(sign=sign, text=text, tone=colour.value) for colour, text in _COLOURS.items())
    return Road(
        name=name,
        label=label,
        rule="PB-33",
        rows=drawn.ROWS,
        key=tuple(key),
        entries=_entries(cells),
        ask=ask,
    )


def _entries(cells: drawn.Road) -> tuple[Entry, ...]:
    return tuple(
        Entry(
            cell.row,
            cell.column,
            _PLACE[cell.colour],
            count=cell.ties,
            top_left=cell.banker_pair,
            bottom_right=cell.player_pair,
        )
        for cell in cells
    )


def _asks(player: Colour | None, banker: Colour | None) -> tuple[Ask, ...]:
    """The signs that a road would get if Player, or if Banker, wins next. Source: PB-34."""
    return tuple(
        Ask(_SIDES[side], side.value, None if colour is None else _PLACE[colour])
        for side, colour in ((Colour.BLUE, player), (Colour.RED, banker))
    )


def figures(results: Sequence[Outcome]) -> tuple[Figure, ...]:
    """The counters of a Schlitten: coups, wins, ties, pairs, naturals."""
    counted = counters(results)._asdict()
    return tuple(
        Figure(name=name, label=label, value=counted[name]) for name, label in _COUNTED.items()
    )


def totals(results: Sequence[Outcome]) -> tuple[Total, ...]:
    """The same counters as totals of the Schlitten, for the staff."""
    return (Total(of="schlitten", label=phrase("Schlitten"), figures=figures(results)),)


def remarks(table: s.Table) -> tuple[Note, ...]:
    """The notes about patterns among the opened cards, only between two coups (PR-4)."""
    if not isinstance(table.phase, s.BETWEEN):
        return ()
    house = table.house
    shuffle = Shuffle(house.packs, house.packs * 52 - house.white_at, house.schlitten_a_year)
    return notes(_dealt(table.past), _gathered(table.before), shuffle)


def _dealt(past: Iterable[s.Record]) -> tuple[Card, ...]:
    """The opened cards of these coups in the order dealt, in which Player and Banker alternate."""
    turns = (zip_longest(one.player_cards, one.banker_cards) for one in past)
    return tuple(card for turn in chain.from_iterable(turns) for card in turn if card)


def _gathered(past: Iterable[s.Record]) -> tuple[Card, ...]:
    """The opened cards of these coups in the order of gathering: Player's hand, then Banker's."""
    return tuple(card for one in past for card in (*one.player_cards, *one.banker_cards))


@lru_cache(maxsize=4)
def notes(opened: tuple[Card, ...], before: tuple[Card, ...], shuffle: Shuffle) -> tuple[Note, ...]:
    """A note about the rarest pattern among the opened cards, and how rare it is (PR-4).

    `before` are the cards of the previous Schlitten. There is no note if nothing is rare. For the
    staff.
    """
    return tuple(
        Note(
            phrase(
                "{seen}. Honest shuffles at this table: such a thing once in {years} years.",
                seen=phrase(_SEEN[each.found.kind].text, n=each.found.length),
                years=each.years,
            ),
            "PR-4",
        )
        for each in notices(opened, before, shuffle)[:1]
    )


# ---- The present picture for one audience

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
    s.Dealing: 1,
    s.ToOpen: 1,
    s.PlayerDue: 2,
    s.PlayerToOpen: 2,
    s.BankerDue: 2,
    s.BankerToOpen: 2,
    s.Announced: 3,
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
    s.PlayerDue: Mark(name="player_draws", label=Phrase("")),
    s.BankerDue: Mark(name="banker_draws", label=Phrase("")),
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
    if not isinstance(table.phase, s.Dealing):
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
    mark = _RESULT[deal.winner] if isinstance(deal, s.Announced) else _DRAWS.get(type(phase))
    return SeatView(seat=seat, taken=taken, marks=(mark,) if mark else (), host=True)


def _cards(table: s.Table, side: Side) -> tuple[tuple[Dealt, ...], frozenset[int]]:
    """The cards of a hand, and the ordinals of the coup's closed cards."""
    deal = s.lying(table)
    if deal is None:
        return (), frozenset()
    closed = s.closed_cards(deal, squeezed=table.house.dealing == "squeezed")
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
    if not isinstance(deal, s.Announced) or table.felt.stops:
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

"""The present picture for one audience. Only this module decides what a screen may show.

It contains the past coups as figures and words only, and the tableau on the wall (ZX-2, R-17).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from table_controller.engine.chemin_de_fer import money
from table_controller.engine.chemin_de_fer import state as s
from table_controller.engine.chemin_de_fer.bank import standing_bids
from table_controller.engine.chemin_de_fer.deal import duty_of
from table_controller.engine.chemin_de_fer.events import Side
from table_controller.engine.chemin_de_fer.inputs import Play
from table_controller.engine.chemin_de_fer.money import counted
from table_controller.engine.chemin_de_fer.offers import offers
from table_controller.engine.chemin_de_fer.words import ADVICE, awaited
from table_controller.engine.messages import Audience, Phrase, phrase
from table_controller.engine.pieces import (
    Advice,
    Cell,
    Drawer,
    Figure,
    Grid,
    Hand,
    Mark,
    Result,
    Stake,
    Tone,
    Total,
    Tray,
)
from table_controller.engine.table.felt import player
from table_controller.engine.table.view import of_felt, spots
from table_controller.engine.views import PaymentView, SeatView, Snapshot
from table_controller.rules.chemin_de_fer.tableau import TABLEAUX, Duty

# ---- The tableau on the wall, and the cell that applies now (ZX-2, R-17)

#: Rows and columns that people look at. Everybody knows those above and below (R-1).
ROWS = (3, 4, 5, 6)
COLUMNS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 0)
#: A column's heading: the third card, as it is on the table.
_HEADS = {pips: str(pips) for pips in COLUMNS} | {1: "A", 0: "10"}

_CELLS = {
    Duty.DRAW: Cell(sign="●", text=phrase("draws")),
    Duty.STAND: Cell(sign="–", text=phrase("stands")),
    Duty.CHOOSE: Cell(sign="◐", text=phrase("as he chooses")),
}


@cache
def wall(tableau: str) -> Grid:
    """The tableau of that name as a grid.

    There is one row per points of the bank, and one column per third card given.
    """
    duties = TABLEAUX[tableau]
    return Grid(
        name="tableau",
        label=phrase("Tableau: bank's points, third card given"),
        rule="ZX-2",
        rows=tuple(map(str, ROWS)),
        columns=tuple(_HEADS[pips] for pips in COLUMNS),
        cells=tuple(tuple(_CELLS[duties[row, pips]] for pips in COLUMNS) for row in ROWS),
        key=tuple(_CELLS.values()),
    )


def advice(table: s.Table) -> Advice | None:
    """The tableau's advice at the banker's turn; None at other times.

    The cards that it depends on are open (R-17).
    """
    due = s.foremost(table)
    if not isinstance(due, s.BankerToChoose):
        return None
    point, given, duty = duty_of(table, due.deal)
    text, rule = ADVICE[duty]
    if duty is Duty.NO_INFORMATION:
        return Advice(name=duty.value, text=text, rule=rule)
    column = "" if given is None else _HEADS[given]
    return Advice(name=duty.value, text=text, rule=rule, row=str(point), column=column)


# ---- The past: the row of the last coups, and their totals, as figures and words only

_TOTALS = {
    "coup": phrase("last coup"),
    "schlitten": phrase("Schlitten"),
    "evening": phrase("evening"),
}
#: The winning hand's name, its letter, and its colour.
_OUTCOMES: dict[Side | None, tuple[str, str, Tone]] = {
    Side.BANK: ("banker", "B", "red"),
    Side.POINTEUR: ("pointeur", "P", "blue"),
    None: ("tie", "=", "grey"),
}


def results(table: s.Table) -> tuple[Result, ...]:
    """The row of the last coups."""
    return tuple(result(record, table.house.unit) for record in table.last)


def result(record: s.CoupRecord, unit: str) -> Result:
    """A finished coup for the row of past coups.

    Everybody sees the house's share: it is taken openly, and without it no sum adds up (R-8).
    """
    name, sign, tone = _OUTCOMES[record.winner]
    by_pointeur = record.winner is Side.POINTEUR
    seat = record.pointeur_seat if by_pointeur else record.banker_seat
    pot = Figure(name="pot", label=phrase("pot"), value=record.pot, unit=unit)
    took = Figure(name="cagnotte", label=phrase("cagnotte"), value=record.cagnotte, unit=unit)
    # A pointeur wins only for himself. The payment goes to all who staked with him.
    to_all = phrase("the bank pays") if by_pointeur else Phrase("")
    return Result(
        coup=record.number,
        name=name,
        text=_ended(record),
        sign=sign,
        tone=tone,
        count=record.pointeur if by_pointeur else record.banker,
        winner=phrase("seat {n} wins", n=seat) if record.winner else Phrase(""),
        paid=Figure(name="paid", label=to_all, value=record.staked, unit=unit)
        if record.winner
        else None,
        after=Phrase("") if record.winner else phrase("the coup is replayed"),
        figures=(pot, took) if record.cagnotte else (pot,),
    )


def _ended(record: s.CoupRecord) -> Phrase:
    """How a coup ended, in a few words."""
    if record.banker is None or record.pointeur is None:
        return phrase("The bank lost without its cards")
    if record.winner is Side.BANK:
        return phrase("Bank {won} : {lost}", won=record.banker, lost=record.pointeur)
    if record.winner is Side.POINTEUR:
        return phrase("Pointeur {won} : {lost}", won=record.pointeur, lost=record.banker)
    return phrase("En carte {both} : {both}", both=record.banker)


def totals(table: s.Table) -> tuple[Total, ...]:
    """The totals of the last coup, of this Schlitten and of the evening."""
    last = tuple(counted(s.Totals(), record) for record in table.last[-1:])
    names = tuple(_TOTALS)[-2 - len(last) :]
    return tuple(
        Total(of=name, label=_TOTALS[name], figures=_counted(total, table.house.unit))
        for name, total in zip(names, (*last, *table.totals), strict=True)
    )


def _counted(total: s.Totals, unit: str) -> tuple[Figure, ...]:
    return (
        Figure(name="coups", label=phrase("coups"), value=total.coups),
        Figure(name="bank", label=phrase("bank won"), value=total.bank),
        Figure(name="pointeur", label=phrase("pointeur won"), value=total.pointeur),
        Figure(name="ties", label=phrase("en carte"), value=total.ties),
        Figure(name="staked", label=phrase("staked"), value=total.staked, unit=unit),
        Figure(name="cagnotte", label=phrase("cagnotte"), value=total.cagnotte, unit=unit),
    )


# ---- The present picture for one audience

STEPS = (
    phrase("bank"),
    phrase("stakes"),
    phrase("deal"),
    phrase("the word"),
    phrase("bank opens"),
    phrase("card given"),
    phrase("banker draws?"),
    phrase("pointeur opens"),
    phrase("settle"),
)

_STEP: dict[type, int] = {
    s.BankDue: 0,
    s.StakesDue: 1,
    s.Staking: 1,
    s.Sharing: 1,
    s.BankStakeDue: 1,
    s.Dealing: 2,
    s.PointeurToSpeak: 3,
    s.BankerToOpen: 4,
    s.ThirdCardDue: 5,
    s.BankerToChoose: 6,
    s.BankerCardDue: 6,
    s.PointeurToOpen: 7,
    s.FauxOffered: 7,
    s.ClaimDisputed: 7,
    s.Settled: 8,
}

#: What people call the limits of a house, by the names of their settings.
_LIMITS = {
    "least_stake": phrase("least stake"),
    "least_pot": phrase("least bank"),
    "most_pot": phrase("greatest bank"),
}
_PLAYS = {
    Play.BANCO_SOLO: phrase("Banco solo"),
    Play.BANCO_PARTNER: phrase("Banco with a partner"),
    Play.BANCO_TABLE: phrase("Banco with the table"),
    Play.OPEN: phrase("open game"),
    Play.OPEN_BANK: phrase("open bank"),
}
#: Inputs that fill a drawer of their own when many players sit.
_DRAWERS = (
    Drawer(name="banco", label=phrase("Banco solo")),
    Drawer(name="stakes", label=phrase("stakes"), stays=True),
    Drawer(name="bids", label=phrase("bids"), stays=True),
)
#: Each side's hand: its name, its label and its colour.
_HANDS: dict[Side, tuple[str, Phrase, Tone]] = {
    Side.BANK: ("banker", phrase("BANK"), "red"),
    Side.POINTEUR: ("pointeur", phrase("POINTEUR"), "blue"),
}
TRAYS = tuple(
    Tray(name=name, label=label, tone=tone, slots=3)
    for name, label, tone in (_HANDS[Side.POINTEUR], _HANDS[Side.BANK])
)
_WON = Mark(name="won", label=phrase("WON"))
_LOST = Mark(name="lost", label=phrase("LOST"))
_TIE = Mark(name="tie", label=phrase("EN CARTE"))
_MARKS = {
    "prime": phrase("prime"),
    "suivi": phrase("suivi"),
    "partner": phrase("partner"),
    "by_schlitten": phrase("by the Schlitten"),
    "must_pass": phrase("must pass"),
}


def snapshot(table: s.Table, audience: Audience) -> Snapshot:
    """The picture with everything that a screen for `audience` needs.

    Closed cards are None for every audience (R-13).
    """
    staff = audience is not Audience.PUBLIC
    coup, record = table.coup, _settled(table)
    figures = _figures(table, record)
    places = tuple(spots(table.felt))
    shared = of_felt(table.felt, _LIMITS, staff=staff)
    if staff:
        shared["till"] += _beside(table)
    return Snapshot(
        **shared,
        seats=_seats(table, places, record, figures[0]),
        hands=_hands(table, record),
        stakes=_stakes(table, places),
        figures=figures,
        play=_PLAYS[coup.play] if coup else Phrase(""),
        prompt=awaited(table),
        steps=STEPS,
        step=_STEP.get(type(table.phase), -1),
        last=results(table),
        advice=advice(table),
        payments=_payments(table),
        trays=TRAYS,
        displays=("pot", "against") if table.felt.shoe else (),
        wall=wall(table.house.tableau),
        drawers=_DRAWERS,
        offers=offers(table) if staff else (),
        totals=totals(table) if staff else (),
    )


def _settled(table: s.Table) -> s.CoupRecord | None:
    due = s.foremost(table)
    return due.record if isinstance(due, s.Settled) else None


def _seats(
    table: s.Table, places: tuple[int, ...], record: s.CoupRecord | None, pot: Figure
) -> tuple[SeatView, ...]:
    prime, banker = money.prime(table), _holder(table, Side.BANK, record)
    return tuple(
        SeatView(
            seat=seat,
            taken=player(table.felt, seat) is not None,
            marks=_marks(table, seat, prime),
            host=seat == banker,
            holds=pot if seat == banker else None,
        )
        for seat in places
    )


def _marks(table: s.Table, seat: int, prime: int) -> tuple[Mark, ...]:
    """The words next to a seat: its rights, and its player's declaration."""
    bank = table.bank
    marks = {
        "prime": seat == prime,
        "suivi": seat == table.suivi,
        "partner": bank is not None and seat in dict(bank.partners),
        "by_schlitten": seat in table.by_schlitten,
        "must_pass": s.passes_due(table, seat) > 0,
    }
    return tuple(Mark(name=name, label=_MARKS[name]) for name, holds in marks.items() if holds)


def _holder(table: s.Table, side: Side, record: s.CoupRecord | None) -> int:
    """The place of the hand `side`; 0 if nobody has this hand.

    If the coup is settled, this is the place that had the hand in the coup, by its `record`.
    """
    if side is Side.BANK:
        return record.banker_seat if record else table.banker
    return record.pointeur_seat if record else table.pointeur


def _hands(table: s.Table, record: s.CoupRecord | None) -> tuple[Hand, ...]:
    held = {side: _holder(table, side, record) for side in (Side.POINTEUR, Side.BANK)}
    return tuple(_hand(table, side, seat, record) for side, seat in held.items() if seat)


def _hand(table: s.Table, side: Side, seat: int, record: s.CoupRecord | None) -> Hand:
    name, label, tone = _HANDS[side]
    deal = s.deal_of(table.phase)
    dealt = () if deal is None else deal.banker if side is Side.BANK else deal.pointeur
    shown = deal.shown if deal else ()
    count = s.value(dealt) if deal and len(dealt) >= 2 and deal.lies_open(dealt) else None
    return Hand(
        name=name,
        label=label,
        seat=seat,
        tone=tone,
        cards=tuple(
            card.card if card.ordinal in shown or place >= 2 else None
            for place, card in enumerate(dealt)
        ),
        points=None if count is None else _points(count),
        count=count,
        outcome=_outcome(side, record) if record else None,
    )


def _points(count: int) -> Phrase:
    return phrase("1 point") if count == 1 else phrase("{n} points", n=count)


def _outcome(side: Side, record: s.CoupRecord) -> Mark:
    if record.winner is None:
        return _TIE
    return _WON if record.winner is side else _LOST


def _stakes(table: s.Table, places: tuple[int, ...]) -> tuple[Stake, ...]:
    staked = [(seat, table.coup.stake_of(seat)) for seat in places] if table.coup else []
    return tuple(Stake(seat=seat, chips=chips) for seat, chips in staked if chips)


def _figures(table: s.Table, record: s.CoupRecord | None) -> tuple[Figure, ...]:
    """The pot, the stakes against it, and then the figures of single seats.

    After the coup the first two show the pot that is left, and the stakes that were played for.
    """
    pot = record.pot_after if record else table.bank.pot if table.bank else 0
    against = record.staked if record else money.covered(table)
    now, beside = (
        (phrase("Pot now"), phrase("played")) if record else (phrase("Pot"), phrase("against it"))
    )
    unit = table.house.unit
    return (
        Figure(name="pot", label=now, value=pot, unit=unit),
        Figure(name="against", label=beside, value=against, unit=unit),
        *(() if record else _covered(table)),
        *_bids(table),
    )


def _bids(table: s.Table) -> tuple[Figure, ...]:
    """The bids that stand for the bank that is for sale (ZP-18)."""
    due = s.foremost(table)
    if not isinstance(due, s.Auction):
        return ()
    bids = {bid.seat: bid.chips for bid in standing_bids(table, due)}
    return _by_seat(table, "bid", phrase("bid"), bids)


def _covered(table: s.Table) -> tuple[Figure, ...]:
    """What plays of each stake while the pot does not cover all of them (R-23, R-47)."""
    bank, coup = table.bank, table.coup
    if not (bank and bank.pot and coup and coup.staked > bank.pot):
        return ()
    plays = {stake.seat: stake.chips for stake in money.cover(table)}
    laid = {stake.seat: plays.get(stake.seat, 0) for stake in coup.stakes}
    return _by_seat(table, "plays", phrase("at stake"), laid)


def _by_seat(
    table: s.Table, name: str, label: Phrase, sums: Mapping[int, int]
) -> tuple[Figure, ...]:
    unit = table.house.unit
    return tuple(
        Figure(name=name, label=label, value=chips, unit=unit, seat=seat)
        for seat, chips in sorted(sums.items())
    )


def _beside(table: s.Table) -> tuple[Figure, ...]:
    """For the staff: the chips that the banker set aside (R-7)."""
    bank, unit = table.bank, table.house.unit
    if not (bank and bank.aside):
        return ()
    label = phrase("seat {seat}: aside", seat=bank.seat)
    return (Figure(name="aside", label=label, value=bank.aside, unit=unit, seat=bank.seat),)


def _payments(table: s.Table) -> tuple[PaymentView, ...]:
    due = s.foremost(table)
    if not isinstance(due, s.Settled):
        return ()
    before = due.before.bank
    bank = 0 if before and before.partners else due.record.banker_seat  # shared by the partners
    return tuple(
        PaymentView(
            text=phrase("cagnotte")
            if line.seat == 0
            else phrase("collect")
            if line.chips < 0
            else phrase("pay"),
            seat=line.seat,
            chips=abs(line.chips),
            done=line.done,
            payer=line.seat if line.chips < 0 else bank,
            payee=line.seat if line.chips > 0 else bank,
        )
        for line in due.payments
    )

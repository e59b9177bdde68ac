"""The present picture for one audience. Only this module decides what a screen may show."""

from __future__ import annotations

from collections.abc import Mapping

from table_controller.engine.chemin_de_fer import ledger
from table_controller.engine.chemin_de_fer import phases as p
from table_controller.engine.chemin_de_fer.bank import standing_bids
from table_controller.engine.chemin_de_fer.events import Side
from table_controller.engine.chemin_de_fer.facts import CoupRecord
from table_controller.engine.chemin_de_fer.inputs import Play
from table_controller.engine.chemin_de_fer.offers import offers
from table_controller.engine.chemin_de_fer.state import Table, deal_of, foremost, passes_due, value
from table_controller.engine.chemin_de_fer.view_past import results, totals
from table_controller.engine.chemin_de_fer.view_wall import advice, wall
from table_controller.engine.chemin_de_fer.words import awaited
from table_controller.engine.messages import Audience, Phrase, phrase
from table_controller.engine.pieces import Drawer, Figure, Hand, Mark, Stake, Tone, Tray
from table_controller.engine.table.felt import player
from table_controller.engine.table.view import of_felt, spots
from table_controller.engine.views import PaymentView, SeatView, Snapshot

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
    p.BankDue: 0,
    p.StakesDue: 1,
    p.Staking: 1,
    p.Sharing: 1,
    p.BankStakeDue: 1,
    p.Dealing: 2,
    p.PointeurToSpeak: 3,
    p.BankerToOpen: 4,
    p.ThirdCardDue: 5,
    p.BankerToChoose: 6,
    p.BankerCardDue: 6,
    p.PointeurToOpen: 7,
    p.FauxOffered: 7,
    p.ClaimDisputed: 7,
    p.Settled: 8,
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
    Side.BANK: ("banker", phrase("BANK"), "gold"),
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


def snapshot(table: Table, audience: Audience) -> Snapshot:
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


def _settled(table: Table) -> CoupRecord | None:
    due = foremost(table)
    return due.record if isinstance(due, p.Settled) else None


def _seats(
    table: Table, places: tuple[int, ...], record: CoupRecord | None, pot: Figure
) -> tuple[SeatView, ...]:
    prime, banker = ledger.prime(table), _holder(table, Side.BANK, record)
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


def _marks(table: Table, seat: int, prime: int) -> tuple[Mark, ...]:
    """The words next to a seat: its rights, and its player's declaration."""
    bank = table.bank
    marks = {
        "prime": seat == prime,
        "suivi": seat == table.suivi,
        "partner": bank is not None and seat in dict(bank.partners),
        "by_schlitten": seat in table.by_schlitten,
        "must_pass": passes_due(table, seat) > 0,
    }
    return tuple(Mark(name=name, label=_MARKS[name]) for name, holds in marks.items() if holds)


def _holder(table: Table, side: Side, record: CoupRecord | None) -> int:
    """The place of the hand `side`; 0 if nobody has this hand.

    If the coup is settled, this is the place that had the hand in the coup, by its `record`.
    """
    if side is Side.BANK:
        return record.banker_seat if record else table.banker
    return record.pointeur_seat if record else table.pointeur


def _hands(table: Table, record: CoupRecord | None) -> tuple[Hand, ...]:
    held = {side: _holder(table, side, record) for side in (Side.POINTEUR, Side.BANK)}
    return tuple(_hand(table, side, seat, record) for side, seat in held.items() if seat)


def _hand(table: Table, side: Side, seat: int, record: CoupRecord | None) -> Hand:
    name, label, tone = _HANDS[side]
    deal = deal_of(table.phase)
    dealt = () if deal is None else deal.banker if side is Side.BANK else deal.pointeur
    shown = deal.shown if deal else ()
    count = value(dealt) if deal and len(dealt) >= 2 and deal.lies_open(dealt) else None
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


def _outcome(side: Side, record: CoupRecord) -> Mark:
    if record.winner is None:
        return _TIE
    return _WON if record.winner is side else _LOST


def _stakes(table: Table, places: tuple[int, ...]) -> tuple[Stake, ...]:
    staked = [(seat, table.coup.stake_of(seat)) for seat in places] if table.coup else []
    return tuple(Stake(seat=seat, chips=chips) for seat, chips in staked if chips)


def _figures(table: Table, record: CoupRecord | None) -> tuple[Figure, ...]:
    """The pot, the stakes against it, and then the figures of single seats.

    After the coup the first two show the pot that is left, and the stakes that were played for.
    """
    pot = record.pot_after if record else table.bank.pot if table.bank else 0
    against = record.staked if record else ledger.covered(table)
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


def _bids(table: Table) -> tuple[Figure, ...]:
    """The bids that stand for the bank that is for sale (ZP-18)."""
    due = foremost(table)
    if not isinstance(due, p.Auction):
        return ()
    bids = {bid.seat: bid.chips for bid in standing_bids(table, due)}
    return _by_seat(table, "bid", phrase("bid"), bids)


def _covered(table: Table) -> tuple[Figure, ...]:
    """What plays of each stake while the pot does not cover all of them (R-23, R-47)."""
    bank, coup = table.bank, table.coup
    if not (bank and bank.pot and coup and coup.staked > bank.pot):
        return ()
    plays = {stake.seat: stake.chips for stake in ledger.cover(table)}
    laid = {stake.seat: plays.get(stake.seat, 0) for stake in coup.stakes}
    return _by_seat(table, "plays", phrase("at stake"), laid)


def _by_seat(table: Table, name: str, label: Phrase, sums: Mapping[int, int]) -> tuple[Figure, ...]:
    unit = table.house.unit
    return tuple(
        Figure(name=name, label=label, value=chips, unit=unit, seat=seat)
        for seat, chips in sorted(sums.items())
    )


def _beside(table: Table) -> tuple[Figure, ...]:
    """For the staff: the chips that the banker set aside (R-7)."""
    bank, unit = table.bank, table.house.unit
    if not (bank and bank.aside):
        return ()
    label = phrase("seat {seat}: aside", seat=bank.seat)
    return (Figure(name="aside", label=label, value=bank.aside, unit=unit, seat=bank.seat),)


def _payments(table: Table) -> tuple[PaymentView, ...]:
    due = foremost(table)
    if not isinstance(due, p.Settled):
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

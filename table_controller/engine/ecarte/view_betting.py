"""Stakes, chouettes and banks in the picture. Everybody may see all of it."""

from __future__ import annotations

from table_controller.engine.ecarte import phases as p
from table_controller.engine.ecarte import state as s
from table_controller.engine.ecarte.auction import bids_that_stand
from table_controller.engine.ecarte.betting import Bets, drawn
from table_controller.engine.ecarte.settle import changed_hands, payments, won_by
from table_controller.engine.messages import phrase
from table_controller.engine.pieces import Cell, Figure, Grid, Mark, Note, Stake
from table_controller.engine.views import PaymentView
from table_controller.rules.ecarte import stakes as rules
from table_controller.rules.ecarte.bank import Bank
from table_controller.rules.ecarte.order import Order
from table_controller.rules.ecarte.settle import Payment
from table_controller.rules.money import Chips

_PLAYS = Cell(sign="▸", text=phrase("holds the cards"), tone="gold")
_WAITS = Cell(sign="", text=phrase("follows"))
_PASSED = Cell(sign="–", text=phrase("renounced"), tone="grey")
#: The board's second display: the bank, or one side's stakes.
DISPLAY = "staked"


def stakes(table: s.Table) -> tuple[Stake, ...]:
    """Each player's stake, on either side."""
    bets = table.bets
    if bets is None:
        return ()
    laid = (*bets.stakes[0], *bets.stakes[1])
    return tuple(Stake(seat=stake.place, chips=stake.chips) for stake in laid)


def figures(table: s.Table) -> tuple[Figure, ...]:
    """The figures of the betting. The first is the bank, or else the sum of one side.

    The board's display shows the first figure.
    """
    bets, unit = table.bets, table.house.unit
    if bets is None or isinstance(table.phase, p.Auction):
        return tuple(
            Figure(name="bid", label=phrase("bid"), value=bid.chips, unit=unit, seat=bid.place)
            for bid in bids_that_stand(table)
        )
    if isinstance(table.phase, p.Succession):
        return ()
    right = Figure(
        name="right_staked", label=phrase("staked on the right"),
        value=rules.total(bets.stakes[1]), unit=unit,
    )  # fmt: skip
    if bets.bank is not None:
        bank = _figure_of(bets.bank, unit)
        against = Figure(name="against", label=phrase("against it"), value=right.value, unit=unit)
        return (bank, against)
    if bets.chouette is not None:
        label = phrase("against seat {seat}", seat=bets.giver)
        return (Figure(name=DISPLAY, label=label, value=right.value, unit=unit),)
    left = rules.total(bets.stakes[0])
    return (
        Figure(name=DISPLAY, label=phrase("staked on the left"), value=left, unit=unit),
        right,
    )


def lists(table: s.Table) -> tuple[Grid, ...]:
    """The order of players as lists, one row per side; the player who holds the cards comes first.

    Source: E07-3.
    """
    bets = table.bets
    if bets is None:
        return _drawn(table)
    orders = [order for order in bets.orders if order.players]
    if not orders:
        return ()
    columns = max(len(order.players) for order in orders)
    rows = tuple(_row(order, columns) for order in orders)
    rule = s.book_rule(table, "3", "3", "0")
    return (
        Grid(
            name="order",
            label=phrase("the list"),
            cells=rows,
            rows=_heads(bets),
            key=(_PLAYS, _PASSED),
            rule=rule,
        ),
    )


def _drawn(table: s.Table) -> tuple[Grid, ...]:
    """The list of the players who drew for the order; the one who will play first comes first.

    Players with equal draws share a cell (E07-9, ER-36).
    """
    groups = drawn(table.house, table.before.draws)
    if not groups:
        return ()
    cells = tuple(
        Cell(sign=" = ".join(map(str, group)), text=phrase("draws for the order"))
        for group in groups
    )
    rule = s.book_rule(table, "9", "9", "3")
    return (Grid(name="order", label=phrase("the list"), cells=(cells,), rule=rule),)


def _row(order: Order, columns: int) -> tuple[Cell | None, ...]:
    cells: list[Cell | None] = []
    for place in order.players:
        what = _PLAYS if place == order.hand else _PASSED if place in order.renounced else _WAITS
        cells.append(Cell(sign=f"{what.sign}{place}", text=what.text, tone=what.tone))
    return (*cells, *[None] * (columns - len(cells)))


def _heads(bets: Bets) -> tuple[str, ...]:
    """The row headings for the left and right side; none if there is only one side."""
    return ("←", "→") if all(order.players for order in bets.orders) else ()


def due_payments(table: s.Table) -> tuple[PaymentView, ...]:
    """The payments after a partie, in order (E07-60)."""
    return tuple(
        PaymentView(
            text=phrase("pays the bank") if payment.to == 0
            else phrase("the bank pays") if payment.payer == 0
            else phrase("pays seat {seat}", seat=payment.to),
            seat=payment.payer or payment.to, chips=payment.chips, done=False,
            payer=payment.payer, payee=payment.to,
        )
        for payment in _due(table)
        if payment.payer != payment.to
    )  # fmt: skip


def due(table: s.Table) -> Chips:
    """The sum that the settlement of the partie will move from losers to winners."""
    return changed_hands(_due(table))


def _due(table: s.Table) -> tuple[Payment, ...]:
    """The payments of the partie that is over and not settled; none at other times."""
    phase = table.phase
    if table.bets is None or not isinstance(phase, p.PartieOver):
        return ()
    return payments(table.bets, won_by(table, phase))


def holds(table: s.Table, seat: int) -> Figure | None:
    """The bank, if it is this seat's."""
    bets = table.bets
    if bets is None or bets.bank is None or seat != bets.giver:
        return None
    return _figure_of(bets.bank, table.house.unit)


def _figure_of(bank: Bank, unit: str) -> Figure:
    return Figure(name=DISPLAY, label=phrase("Bank"), value=bank.holds, unit=unit)


def marks(table: s.Table, seat: int) -> tuple[Mark, ...]:
    """The words next to a seat: its player gives the chouette, shares in it, or covers the rest."""
    bets = table.bets
    if bets is None:
        return ()
    told = []
    if bets.chouette and seat == bets.giver:
        told.append(Mark(name="gives", label=phrase("gives chouette")))
    elif bets.chouette and seat in bets.chouette.places:
        told.append(Mark(name="shares", label=phrase("shares in it")))
    if bets.rest == seat:
        told.append(Mark(name="rest", label=phrase("holds the rest")))
    return tuple(told)


def notes(table: s.Table) -> tuple[Note, ...]:
    """The notes about stakes that the bank does not cover, and about stakes outside the bank.

    Source: E07-61, E07-62.
    """
    bets, unit = table.bets, table.house.unit
    if bets is None:
        return ()
    left_out = (
        Note(
            phrase("Left out: seat {seat}, {chips} {unit}", seat=x.place, chips=x.chips, unit=unit),
            "E07-61",
        )
        for x in bets.left_out
    )
    outside = (
        Note(
            phrase(
                "Outside the bank: seat {seat} with seat {holder}, {chips} {unit}",
                seat=x.place, holder=x.holder, chips=x.chips, unit=unit,
            ),
            "E07-62",
        )
        for x in bets.beside
    )  # fmt: skip
    return (*left_out, *outside)

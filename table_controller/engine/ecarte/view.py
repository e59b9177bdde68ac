"""The present picture for one audience. Only this module decides what a screen may show."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec.structs import replace

from table_controller.engine.ecarte import state as s
from table_controller.engine.ecarte.deal import regle
from table_controller.engine.ecarte.faults import called_by
from table_controller.engine.ecarte.offers import MATTERS as LABELS
from table_controller.engine.ecarte.offers import offers
from table_controller.engine.ecarte.partie import due_again, name, third_pack_due
from table_controller.engine.ecarte.stakes import bids_that_stand, changed_hands, payments, won_by
from table_controller.engine.ecarte.words import awaited
from table_controller.engine.messages import Audience, Phrase, phrase
from table_controller.engine.pieces import (
    Cell,
    Figure,
    Grid,
    Hand,
    Mark,
    Note,
    Party,
    Result,
    Stake,
    Tone,
    Tray,
)
from table_controller.engine.table.felt import player
from table_controller.engine.table.view import of_felt, spots
from table_controller.engine.views import PaymentView, SeatView, Snapshot
from table_controller.rules.cards import Card
from table_controller.rules.ecarte import stakes as rules
from table_controller.rules.ecarte.bank import Bank
from table_controller.rules.ecarte.marks import PARTIE
from table_controller.rules.ecarte.order import Order
from table_controller.rules.ecarte.settle import Payment
from table_controller.rules.money import Chips

# ---- Stakes, chouettes and banks in the picture

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
    if bets is None or isinstance(table.phase, s.Auction):
        return tuple(
            Figure(name="bid", label=phrase("bid"), value=bid.chips, unit=unit, seat=bid.place)
            for bid in bids_that_stand(table)
        )
    if isinstance(table.phase, s.Succession):
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
    groups = s.drawn(table.house, table.before.draws)
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


def _heads(bets: s.Bets) -> tuple[str, ...]:
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
    if table.bets is None or not isinstance(phase, s.PartieOver):
        return ()
    return payments(table.bets, won_by(table, phase))


def stakes_held(table: s.Table, seat: int) -> Figure | None:
    """The bank, if it is this seat's."""
    bets = table.bets
    if bets is None or bets.bank is None or seat != bets.giver:
        return None
    return _figure_of(bets.bank, table.house.unit)


def _figure_of(bank: Bank, unit: str) -> Figure:
    return Figure(name=DISPLAY, label=phrase("Bank"), value=bank.holds, unit=unit)


def betting_marks(table: s.Table, seat: int) -> tuple[Mark, ...]:
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


# ---- The rules that screens quote from the books: those for a ruling that is due, and courtesies

#: The rule on money and jetons in E07 and E00; EDE has none.
_JETONS = {"E07": "46", "E00": "8"}
#: Whether a player may forbid advice beforehand.
_ADVICE = {"restricted": "E07-59", "free": "E00-57"}
_ONLY = Phrase("")


def read_out(table: s.Table) -> tuple[Note, ...]:
    """The notes that quote the rules for a ruling that is due, and rules of courtesy."""
    due = s.foremost(table)
    asked = (Note(_ONLY, due.rule, whole=True),) if isinstance(due, s.Asked) else ()
    called = ((LABELS[matter], called_by(table, matter)) for matter in table.called)
    ruled = (Note(label, by, whole=bool(by)) for label, by in called)
    return (*ruled, *_unbeaten(table), *asked, *_customs(table, due))


def _unbeaten(table: s.Table) -> Iterator[Note]:
    """The notes about leads that were not beaten, until somebody has ruled (EDE-14, ER-1)."""
    for number, side in table.deal.unbeaten[table.deal.heard :] if table.deal else ():
        seat = s.seat_of(table, side)
        text = phrase(
            "Seat {seat} could have beaten the lead of trick {n}.", seat=seat, n=number + 1
        )
        yield Note(text, "EDE-14", whole=True)


def _customs(table: s.Table, due: s.Awaited) -> Iterator[Note]:
    book = table.house.book
    unstaked = isinstance(due, s.StakesDue) and not (table.bets and table.bets.stakes[1])
    if unstaked and book in _JETONS:
        yield Note(_ONLY, f"{book}-{_JETONS[book]}", whole=True)
    if isinstance(due, s.NoSchlitten) and not due.done and table.bets and book != "EDE":
        yield Note(_ONLY, _ADVICE[table.house.advice], whole=True)


# ---- The present picture for one audience

STEPS = (
    phrase("the cut for deal"), phrase("shuffle, cut, load"), phrase("deal"),
    phrase("proposition"), phrase("écart"), phrase("tricks"), phrase("marks"),
    phrase("settle"),
)  # fmt: skip
_STEP: dict[type, int] = {
    s.CutDue: 0, s.NoSchlitten: 1, s.PacketsDue: 1, s.Dealing: 2, s.ElderToSpeak: 3,
    s.DealerToAnswer: 3, s.Discarding: 4, s.Buying: 4, s.LeadDue: 5, s.ReplyDue: 5,
    s.DealOver: 6, s.PartieOver: 7,
}  # fmt: skip
#: What people call the limits of a house, by the names of their settings.
_LIMITS = {"least_stake": phrase("least stake"), "least_bank": phrase("least bank")}
_WON = Mark(name="won", label=phrase("WON"))
_LOST = Mark(name="lost", label=phrase("LOST"))
#: The board's first display: the score, the left player's first.
MARKS = "marks"
#: Each role's hand: its label and its colour.
_HANDS: dict[str, tuple[Phrase, Tone]] = {
    "dealer": (phrase("DEALER"), "red"),
    "elder": (phrase("ELDER"), "blue"),
}
_TRUMP, _TRICK = phrase("TRUMP"), phrase("TRICK")
_BETWEEN = (
    Tray(name="trump", label=_TRUMP, slots=1, row=1),
    Tray(name="trick", label=_TRICK, slots=2, row=1),
)


def snapshot(table: s.Table, audience: Audience) -> Snapshot:
    """The picture with everything that a screen for `audience` needs.

    Closed cards are None for every audience (R-13).
    """
    staff = audience is not Audience.PUBLIC
    shown = of_felt(table.felt, _LIMITS, staff=staff)
    shown["notes"] = (
        *shown["notes"], *read_out(table), *_notes(table), *notes(table),
        *regle(table),
    )  # fmt: skip
    shown["coup"] = table.parties
    places = tuple(spots(table.felt))
    return Snapshot(
        **shown,
        seats=tuple(_seat(table, seat) for seat in places),
        hands=_hands(table),
        stakes=stakes(table),
        figures=(*_figures(table), *figures(table), *_talon(table)),
        prompt=awaited(table),
        steps=STEPS,
        step=_STEP.get(type(table.phase), -1),
        last=_results(table),
        trays=_trays(table),
        parties=_parties(table),
        displays=(MARKS, DISPLAY),
        payments=due_payments(table),
        grids=lists(table),
        offers=offers(table) if staff else (),
    )


def _seat(table: s.Table, seat: int) -> SeatView:
    deals = table.partie is not None and table.partie.seats[_dealer(table)] == seat
    said = deals and table.deal is None and not isinstance(table.phase, s.CutDue)
    marks = (Mark(name="deals", label=phrase("deals")),) if said else ()
    taken = player(table.felt, seat) is not None
    marks = (*marks, *_king(table, seat), *betting_marks(table, seat))
    holds = stakes_held(table, seat)
    return SeatView(seat=seat, taken=taken, marks=marks, host=bool(deals), holds=holds)


def _king(table: s.Table, seat: int) -> tuple[Mark, ...]:
    """The marks of a player who said "le roi", until the end of the deal, or who marked a king.

    Source: E07-26 to E07-28.
    """
    deal = table.deal
    sides = [side for side in (0, 1) if deal and s.seat_of(table, side) == seat]
    if deal is None or not sides:
        return ()
    [side] = sides
    if deal.kings[side] or (deal.turned_marked and side == deal.dealer):
        return (Mark(name="marked", label=phrase("marks the king")),)
    said = deal.said[side] and not deal.ended
    return (Mark(name="king", label=phrase("le roi")),) if said else ()


def _parties(table: s.Table) -> tuple[Party, ...]:
    """For each player of the partie: the players who stake on him, in the order of their stakes."""
    partie, bets = table.partie, table.bets
    players: tuple[int | None, ...] = ()
    if partie:
        players = partie.seats
    elif bets:
        players = tuple(order.hand for order in bets.orders)
    laid = bets.stakes if bets else ((),) * len(players)
    return tuple(
        Party(
            label=phrase("with seat {seat}", seat=plays) if plays else Phrase(""),
            seats=tuple(dict.fromkeys((*filter(None, [plays]), *(one.place for one in staked)))),
        )
        for plays, staked in zip(players, laid, strict=True)
    )


def _dealer(table: s.Table) -> int:
    return table.deal.dealer if table.deal else s.the_partie(table).dealer


def _trays(table: s.Table) -> tuple[Tray, ...]:
    """The trays, from the top. Each player keeps his side for the whole partie, whoever deals."""
    roles = ("dealer", "elder")
    if table.partie is not None and _dealer(table) == 1:
        roles = ("elder", "dealer")
    above, below = (
        Tray(name=role, label=_HANDS[role][0], tone=_HANDS[role][1], slots=5, row=row)
        for role, row in zip(roles, (0, 2), strict=True)
    )
    return (above, *_BETWEEN, below)


def _hands(table: s.Table) -> tuple[Hand, ...]:
    """The two hands as backs of cards, the turned-up card, and the present trick."""
    partie, deal = table.partie, table.deal
    if partie is None or deal is None:
        return ()
    sides = tuple(_hand(table, side) for side in (0, 1))
    trump = (deal.turned.card,) if deal.turned else ()
    lies = (deal.led,) if deal.led else _last(table)
    return (
        *sides,
        Hand(name="trump", label=_TRUMP, cards=trump),
        Hand(name="trick", label=_TRICK, cards=lies),
    )


def _last(table: s.Table) -> tuple[Card, ...]:
    deal = s.the_deal(table)
    return (deal.tricks[-1].led, deal.tricks[-1].reply) if deal.tricks else ()


def _hand(table: s.Table, side: int) -> Hand:
    deal = s.the_deal(table)
    label, tone = _HANDS[name(deal, side)]
    known = s.known(deal, side)
    backs = max(0, deal.held[side] - len(known))
    tricks = s.tricks_of(deal, side)
    return Hand(
        name=name(deal, side),
        label=label,
        seat=s.seat_of(table, side),
        tone=tone,
        cards=(*known, *(None for _ in range(backs))),
        outcome=_outcome(table, s.seat_of(table, side)),
        points=phrase("tricks: {n}", n=tricks),
        count=tricks,
    )


def _outcome(table: s.Table, seat: int) -> Mark | None:
    over = table.phase
    if not isinstance(over, s.PartieOver):
        return None
    return _WON if seat == over.winner else _LOST if seat == over.loser else None


def _results(table: s.Table) -> tuple[Result, ...]:
    """The last parties; of one that is not settled yet, what its settlement will be."""
    if not isinstance(table.phase, s.PartieOver):
        return tuple(_past(one, table.house.unit) for one in table.past)
    *before, now = table.past
    now = replace(now, paid=due(table))
    return tuple(_past(one, table.house.unit) for one in (*before, now))


def _past(done: s.Past, unit: str) -> Result:
    own, other = done.score
    if not done.winner:
        void = phrase("the partie is void")
        return Result(coup=done.number, name="void", text=void, sign="–", tone="grey")
    return Result(
        coup=done.number,
        name="won",
        text=phrase("Seat {seat} wins, {own} : {other}", seat=done.winner, own=own, other=other),
        sign=str(done.winner),
        tone="gold",
        count=min(done.score),
        winner=phrase("stakes won") if done.paid else Phrase(""),
        paid=Figure(name="paid", label=Phrase(""), value=done.paid, unit=unit)
        if done.paid
        else None,
    )


def _figures(table: s.Table) -> tuple[Figure, ...]:
    """The counters of both players, which move left to right (E07-45) or right to left (EDE-16)."""
    partie = table.partie
    if partie is None:
        return ()
    moves: Literal["left", "right"] = "right" if table.house.marks == "left_to_right" else "left"
    return tuple(
        Figure(name=MARKS, label=phrase("marks"), value=score, seat=seat, of=PARTIE, moves=moves)
        for seat, score in zip(partie.seats, partie.score, strict=True)
    )


def _talon(table: s.Table) -> tuple[Figure, ...]:
    if table.deal is None or table.felt.shoe is None:
        return ()
    return (Figure(name="talon", label=phrase("talon"), value=s.talon(table)),)


def _packs(table: s.Table, partie: s.Partie) -> list[Note]:
    """A note about the pack that must be shuffled (E07-10).

    This is a fresh pack, the pack that the dealer chooses, or the other one of two packs.
    """
    if not isinstance(table.phase, s.NoSchlitten):
        return []
    if partie.fresh:
        return [Note(phrase("Two cards were alike: a fresh pack is due."), "ER-10")]
    if table.house.decks == 1:
        return []
    if not partie.ordinal:
        return [Note(phrase("The dealer chooses his pack."), s.rule(table, "10"))]
    return [Note(phrase("Two packs in turn: now the other one."), s.rule(table, "2"))]


def _aside(table: s.Table, partie: s.Partie) -> Iterator[Note]:
    """Notes about the deals that were set aside, until they are played (E00-18, ER-45)."""
    between = isinstance(table.phase, s.NoSchlitten)
    for one in partie.aside:
        seat = s.seat_of(table, one.deal.dealer)
        text = phrase("A deal of seat {seat} waits, set aside.", seat=seat)
        if between and one is due_again(partie):
            text = phrase("The deal of seat {seat} that was set aside is played now.", seat=seat)
        yield Note(text, "E00-18")
    if between and third_pack_due(table):
        yield Note(phrase("Both packs lie set aside: take a fresh third pack."), "E00-18")


def _notes(table: s.Table) -> tuple[Note, ...]:
    """The notes about marks that may be made, and about rules that apply to this deal."""
    if table.partie is None:
        return ()
    told = [
        Note(
            phrase("Seat {seat} may mark {n}.", seat=s.seat_of(table, due.side), n=due.points),
            due.rule,
        )
        for due in table.partie.due
    ]
    told += _packs(table, table.partie) if due_again(table.partie) is None else []
    told += _aside(table, table.partie)
    deal = table.deal
    for side in (0, 1):
        if deal and deal.open[side]:
            by = s.book_rule(table, "52", "50", "22")
            seat = s.seat_of(table, side)
            told.append(Note(phrase("Seat {seat} plays with open cards.", seat=seat), by))
    if deal and deal.bought == 0 and deal.refused and not deal.ended:
        by = s.book_rule(table, "40", "40", "17b")
        told.append(Note(phrase("The dealer refused: he needs three tricks."), by))
    if deal and deal.bought == 0 and deal.authority and not deal.ended:
        by = s.book_rule(table, "41", "41", "17a")
        told.append(Note(phrase("D'autorité: elder needs three tricks."), by))
    return tuple(told)

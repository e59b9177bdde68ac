"""The present picture for one audience. Only this module decides what a screen may show."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec.structs import replace

from table_controller.engine.ecarte import phases as p
from table_controller.engine.ecarte import state as s
from table_controller.engine.ecarte import view_betting
from table_controller.engine.ecarte.ending import name
from table_controller.engine.ecarte.facts import Partie, Past
from table_controller.engine.ecarte.offers import offers
from table_controller.engine.ecarte.opening import due_again, third_pack_due
from table_controller.engine.ecarte.practice import regle
from table_controller.engine.ecarte.view_rules import read_out
from table_controller.engine.ecarte.words import awaited
from table_controller.engine.messages import Audience, Phrase, phrase
from table_controller.engine.pieces import Figure, Hand, Mark, Note, Party, Result, Tone, Tray
from table_controller.engine.table.felt import player
from table_controller.engine.table.view import of_felt, spots
from table_controller.engine.views import SeatView, Snapshot
from table_controller.rules.cards import Card
from table_controller.rules.ecarte.marks import PARTIE

STEPS = (
    phrase("the cut for deal"), phrase("shuffle, cut, load"), phrase("deal"),
    phrase("proposition"), phrase("écart"), phrase("tricks"), phrase("marks"),
    phrase("settle"),
)  # fmt: skip
_STEP: dict[type, int] = {
    p.CutDue: 0, p.NoSchlitten: 1, p.PacketsDue: 1, p.Dealing: 2, p.ElderToSpeak: 3,
    p.DealerToAnswer: 3, p.Discarding: 4, p.Buying: 4, p.LeadDue: 5, p.ReplyDue: 5,
    p.DealOver: 6, p.PartieOver: 7,
}  # fmt: skip
#: What people call the limits of a house, by the names of their settings.
_LIMITS = {"least_stake": phrase("least stake"), "least_bank": phrase("least bank")}
_WON = Mark(name="won", label=phrase("WON"))
_LOST = Mark(name="lost", label=phrase("LOST"))
#: The board's first display: the score, the left player's first.
MARKS = "marks"
#: Each role's hand: its label and its colour.
_HANDS: dict[str, tuple[Phrase, Tone]] = {
    "dealer": (phrase("DEALER"), "gold"),
    "elder": (phrase("ELDER"), "blue"),
}
_TRUMP, _TRICK = phrase("TRUMP"), phrase("TRICK")
TRAYS = (
    Tray(name="dealer", label=_HANDS["dealer"][0], tone="gold", slots=5),
    Tray(name="trump", label=_TRUMP, slots=1, row=1),
    Tray(name="trick", label=_TRICK, slots=2, row=1),
    Tray(name="elder", label=_HANDS["elder"][0], tone="blue", slots=5, row=2),
)


def snapshot(table: s.Table, audience: Audience) -> Snapshot:
    """The picture with everything that a screen for `audience` needs.

    Closed cards are None for every audience (R-13).
    """
    staff = audience is not Audience.PUBLIC
    shown = of_felt(table.felt, _LIMITS, staff=staff)
    shown["notes"] = (
        *shown["notes"], *read_out(table), *_notes(table), *view_betting.notes(table),
        *regle(table),
    )  # fmt: skip
    shown["coup"] = table.parties
    places = tuple(spots(table.felt))
    return Snapshot(
        **shown,
        seats=tuple(_seat(table, seat) for seat in places),
        hands=_hands(table),
        stakes=view_betting.stakes(table),
        figures=(*_figures(table), *view_betting.figures(table), *_talon(table)),
        prompt=awaited(table),
        steps=STEPS,
        step=_STEP.get(type(table.phase), -1),
        last=_results(table),
        trays=TRAYS,
        parties=_parties(table),
        displays=(MARKS, view_betting.DISPLAY),
        payments=view_betting.due_payments(table),
        grids=view_betting.lists(table),
        offers=offers(table) if staff else (),
    )


def _seat(table: s.Table, seat: int) -> SeatView:
    deals = table.partie is not None and table.partie.seats[_dealer(table)] == seat
    said = deals and table.deal is None and not isinstance(table.phase, p.CutDue)
    marks = (Mark(name="deals", label=phrase("deals")),) if said else ()
    taken = player(table.felt, seat) is not None
    marks = (*marks, *_king(table, seat), *view_betting.marks(table, seat))
    holds = view_betting.holds(table, seat)
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
    if not isinstance(over, p.PartieOver):
        return None
    return _WON if seat == over.winner else _LOST if seat == over.loser else None


def _results(table: s.Table) -> tuple[Result, ...]:
    """The last parties; of one that is not settled yet, what its settlement will be."""
    if not isinstance(table.phase, p.PartieOver):
        return tuple(_past(one, table.house.unit) for one in table.past)
    *before, now = table.past
    now = replace(now, paid=view_betting.due(table))
    return tuple(_past(one, table.house.unit) for one in (*before, now))


def _past(done: Past, unit: str) -> Result:
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


def _packs(table: s.Table, partie: Partie) -> list[Note]:
    """A note about the pack that must be shuffled (E07-10).

    This is a fresh pack, the pack that the dealer chooses, or the other one of two packs.
    """
    if not isinstance(table.phase, p.NoSchlitten):
        return []
    if partie.fresh:
        return [Note(phrase("Two cards were alike: a fresh pack is due."), "ER-10")]
    if table.house.decks == 1:
        return []
    if not partie.ordinal:
        return [Note(phrase("The dealer chooses his pack."), s.rule(table, "10"))]
    return [Note(phrase("Two packs in turn: now the other one."), s.rule(table, "2"))]


def _aside(table: s.Table, partie: Partie) -> Iterator[Note]:
    """Notes about the deals that were set aside, until they are played (E00-18, ER-45)."""
    between = isinstance(table.phase, p.NoSchlitten)
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

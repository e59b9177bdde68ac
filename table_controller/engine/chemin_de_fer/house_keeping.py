"""Inputs that every table has, as chemin de fer handles them: cards, people, Schlitten, repairs."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from msgspec.structs import replace

from table_controller.engine.alerts import Alerts
from table_controller.engine.chemin_de_fer import state as s
from table_controller.engine.chemin_de_fer.deal import (
    banker_card,
    banker_draws,
    first_cards,
    kept_deal,
    third_card,
)
from table_controller.engine.chemin_de_fer.events import BankPosted, Declared
from table_controller.engine.chemin_de_fer.inputs import Declares
from table_controller.engine.chemin_de_fer.money import (
    annul,
    closed_cards,
    lacking,
    onward,
    paid,
    resettled,
    resumed,
    stand,
    undoable,
)
from table_controller.engine.chemin_de_fer.words import awaited
from table_controller.engine.messages import (
    AgainstRules,
    CardSeen,
    Event,
    Input,
    OutOfTurn,
    Phrase,
    Restored,
    Told,
    phrase,
)
from table_controller.engine.shoe import Dealt
from table_controller.engine.table import cards, common, devices, schlitten, seating, undo
from table_controller.engine.table import events as te
from table_controller.engine.table import inputs as ti
from table_controller.engine.table.cards import alert_id
from table_controller.engine.table.events import CardRemoved, CoupPaid, Misdeal, RulingNoted
from table_controller.engine.table.felt import (
    MisdealDue,
    Stray,
    Unread,
    WhiteDisputed,
    after,
    calmed,
    instead,
    occupied_from,
)
from table_controller.engine.table.inputs import Corrects, Paid, StrayRuling
from table_controller.engine.table.repairs import corrected, with_reason
from table_controller.engine.table.schlitten import (
    RESTORED,
    NoSchlitten,
    closed,
    drawn,
    ended,
    gathered,
    loaded,
    opened,
    prepared,
    short,
    since,
    withdrawn,
)
from table_controller.engine.views import STANDING
from table_controller.rules.money import Chips

# ---- Finds the place of each card that leaves the Schlitten

#: Phases in which a card is due, and the function that takes the card.
DUE: dict[type, Callable[[s.Table, Any, Dealt], s.Step]] = {
    s.Dealing: first_cards,
    s.ThirdCardDue: third_card,
    s.BankerToChoose: banker_draws,
    s.BankerCardDue: banker_card,
}


def alike(table: s.Table, _phase: s.Awaited, said: Input) -> s.Step:
    """The table after an input that is the same at every table: cards, people, devices.

    Raises OutOfTurn for any other input.
    """
    coup, busy = s.under_way(table), partial(s.in_play, table)
    closing = isinstance(said, ti.SchlittenClosed)  # the game says when that is allowed
    taken = None if closing else common.answered(table, said, lay, lying, coup=coup, busy=busy)
    if taken is None:
        raise common.not_due(awaited(table).ask)
    return taken


def seen(table: s.Table, _phase: s.Awaited, said: CardSeen) -> s.Step:
    """One passage at the lip has ended (R-6, R-19)."""
    return cards.card_seen(table, said, lay, lying, coup=s.under_way(table))


def lying(table: s.Table) -> tuple[Dealt, ...]:
    """The closed cards of the coup."""
    deal = s.deal_of(table.phase)
    return closed_cards(deal) if deal else ()


def lay(table: s.Table, dealt: Dealt, alerts: Alerts) -> s.Step:
    """Deal a known card to the place where it was due, or else lay it aside as a stray (R-19).

    `alerts` were open when the card left.
    """
    phase = s.foremost(table)
    due = DUE.get(type(phase))
    lacks = _held(table, phase, dealt, alerts)
    if due and not lacks and not (isinstance(phase, s.BankerToChoose) and phase.deal.spare):
        return due(table, phase, dealt)
    begun = None if lacks else _begins(table, phase, dealt)
    if begun:
        return begun
    felt, told = cards.stray(table.felt, dealt)
    return after(table, felt), told


def _held(table: s.Table, phase: s.Awaited, dealt: Dealt, alerts: Alerts) -> bool:
    """Whether the card may not be dealt, as a ruling came before it or no coup could begin then.

    Source: R-51; R-37, R-53, R-56.
    """
    first = s.deal_of(table.phase) is None
    few = first and short(table.felt, drawn=since(table.felt, dealt))
    if few or not alerts:
        return few
    none = (first or isinstance(phase, s.Settled)) and devices.waiting(alerts)
    return none or devices.stopped(alerts)


def _begins(table: s.Table, phase: s.Awaited, dealt: Dealt) -> s.Step | None:
    """Begin a coup with this card if the table need not ask for it first; otherwise return None.

    This is so in two cases. The card may be the first of a tie's replay, dealt while the tie is
    still announced (R-4). Or it is dealt while the players stake, at a house where the highest
    stake plays the cards (N-3).
    """
    coup = table.coup
    if coup is None or not coup.pointeur or kept_deal(table):
        return None
    unlimited = table.bank is not None and table.bank.open  # the bank's stake is due first (Z-5)
    if isinstance(phase, s.Staking) and table.house.stakes == "highest" and not unlimited:
        return first_cards(table, s.Dealing(), dealt)
    if isinstance(phase, s.Settled) and not ended(table.felt, drawn=since(table.felt, dealt)):
        table, told = stand(replace(table, undo=None))  # it is paid now, so final
        table, more = first_cards(table, s.Dealing(), dealt)
        return table, (CoupPaid(coup=phase.record.number), *told, *more)
    return None


def from_kept(table: s.Table) -> s.Step:
    """Deal four kept cards as soon as a deal is due. No other card need leave for it (Z-13)."""
    phase, felt = table.phase, table.felt
    due = isinstance(phase, s.Dealing) and phase.deal is None and not felt.stops
    if not due or not kept_deal(table) or short(felt) or devices.waiting(felt.alerts):
        return table, ()
    return first_cards(table, s.Dealing())


# The croupier's rulings on a card


def stray_ruled(table: s.Table, phase: Stray, said: ti.StrayRuled) -> s.Step:
    """The croupier rules on the stray card, which may be part of a misdeal.

    Source: Z-13, R-19, N-9, Z-12.
    """
    if said.ruling is ti.StrayRuling.MISDEALT and s.under_way(table):
        felt, told = calmed(table.felt, cards.stray_alert(phase.dealt).id)
        return after(table, instead(felt, MisdealDue(phase.dealt))), (Misdeal(), *told)
    return ruled(table, phase, said)


def ruled(table: s.Table, phase: Stray | Unread, said: ti.StrayRuled | ti.UnreadRuled) -> s.Step:
    """The croupier's ruling on a card, as at every table. Then the interrupted game goes on.

    Players may have come and gone meanwhile (R-10).
    """
    now, told = alike(table, phase, said)
    return resumed(table, now.felt), told


def face_up_card(phase: s.Awaited) -> Dealt | None:
    """The last card dealt, which may have been face up in the pack.

    None if the card is open already, or once the pointeur has spoken (N-9).
    """
    deal = phase.deal if isinstance(phase, s.Dealing | s.PointeurToSpeak) else None
    last = max(deal.cards, key=lambda dealt: dealt.ordinal, default=None) if deal else None
    return last if deal and last and last.ordinal not in deal.shown else None


def face_up(table: s.Table, phase: s.Dealing | s.PointeurToSpeak, said: ti.StrayRuled) -> s.Step:
    """The card that was just dealt was face up in the pack. It is thrown out (N-9).

    Raises OutOfTurn if the last card dealt cannot be such a card.
    """
    deal, last = phase.deal, face_up_card(phase)
    if said.ruling is not ti.StrayRuling.FACE_UP or deal is None or last is None:
        raise OutOfTurn(
            phrase("No card that was laid aside waits for a ruling."),
            phrase("Only the closed card that came last can have lain face up in the pack."),
            "N-9",
        )
    deal = replace(
        deal,
        pointeur=tuple(dealt for dealt in deal.pointeur if dealt != last),
        banker=tuple(dealt for dealt in deal.banker if dealt != last),
    )
    removed = CardRemoved(ordinal=last.ordinal, ruling=said.ruling)
    return s.at(table, s.Dealing(deal)), (*opened(table.felt, 0, (last,)), removed)


def unread_burned(table: s.Table, phase: Unread, said: ti.UnreadBurned) -> s.Step:
    """The unread card, which nobody may look at, is burned before a coup's first card (R-59).

    It is the first one also where an earlier one was thrown out, face up (N-9).
    """
    felt, told = cards.unread_burned(table.felt, phase, said, coup=s.cards_lie(table))
    return resumed(table, felt), (RulingNoted(reason=said.reason), *told)


def annul_unread(table: s.Table, phase: Unread, said: ti.Annulled) -> s.Step:
    """The coup is annulled because nobody can know the unread card (Z-27).

    The unread card may even be the coup's first card.
    """
    schlitten.white_first(table.felt)
    if not unread_voids(table):
        raise AgainstRules(
            phrase("No coup is under way that could be annulled."),
            phrase("Show the card again, have two people enter it, or say that none left."),
        )
    felt, told = calmed(table.felt, alert_id(phase.ordinal))
    table, more = annul(replace(table, felt=felt), said.reason)
    return table, (*told, *more)


def unread_voids(table: s.Table) -> bool:
    """Whether there is a coup that can be annulled: at least its stakes are on the table (Z-27)."""
    unbegun = isinstance(table.phase, s.Staking | s.Sharing | s.BankStakeDue | s.Dealing)
    return s.under_way(table) or (unbegun and table.coup is not None)


def white_ruled(table: s.Table, phase: WhiteDisputed, said: ti.WhiteRuled) -> s.Step:
    """The croupier rules on the white card (R-6)."""
    felt, told = schlitten.white_ruled(table.felt, phase, said, coup=s.under_way(table))
    table = resumed(table, felt)
    if said.ruling is not ti.WhiteRuling.ANNUL:
        return table, told
    table, more = annul(table, "Z-24")
    return table, (*told, *more)


# ---- People at the table: seats, standing players, their money, and their declarations


def sits(table: s.Table, phase: s.Awaited, said: ti.Sits) -> s.Step:
    """A player takes a free seat, which is allowed at any time (N-1)."""
    now, told = alike(table, phase, said)
    return reseated(now, phase), told


def leaves(table: s.Table, phase: s.Awaited, said: ti.Leaves) -> s.Step:
    """A player leaves with his chips. Nobody may leave with money in the coup or the bank."""
    now, told = alike(table, phase, said)
    return reseated(_renumbered(now, {said.seat: 0}), phase), told


def moves(table: s.Table, phase: s.Awaited, said: ti.Moves) -> s.Step:
    """A player moves to a free seat (N-1).

    He must then let the bank pass as often as the house says. Source: R-40.
    """
    seating.present(table.felt, said.seat)
    if s.under_way(table):  # this comes before any check of the seat that he asks for
        raise seating.coup_begun()
    table, told = alike(table, phase, said)
    table = _renumbered(table, {said.seat: said.to})
    if said.seat <= STANDING:  # a newcomer need not pass
        table = s.due_to_pass(table, said.to, table.house.passes_after_move)
    return reseated(table, phase), told


def swaps(table: s.Table, phase: s.Awaited, said: ti.Swaps) -> s.Step:
    """Two players change seats with each other (N-1).

    Both must then let the bank pass as often as the house says (R-40).
    """
    table, told = alike(table, phase, said)
    seats = {said.seat: said.other, said.other: said.seat}
    table = _renumbered(table, seats)
    for seat in seats:
        table = s.due_to_pass(table, seat, table.house.passes_after_move)
    return table, told


def declares(table: s.Table, _phase: s.Awaited, said: Declares) -> s.Step:
    """A player declares whether he plays by the Schlitten, before the first card (R-25, ZP-9)."""
    seating.present(table.felt, said.seat)
    if not may_declare(table.phase):
        raise AgainstRules(
            phrase("The coup has begun."),
            phrase("He declares it before the first card of the next one."),
            "R-25",
        )
    others = {*table.by_schlitten} - {said.seat}
    bound = tuple(sorted(others | {said.seat} if said.by_schlitten else others))
    told = Declared(seat=said.seat, by_schlitten=said.by_schlitten)
    return replace(table, by_schlitten=bound), (told,)


def may_declare(phase: s.Phase) -> bool:
    """Whether players may declare: no card of a coup is dealt, or the coup is already being paid.

    Source: R-25, ZP-9.
    """
    return s.deal_of(phase) is None or isinstance(phase, s.Settled)


def reseated(table: s.Table, phase: s.Awaited) -> s.Table:
    """The table after a change of seats, in the phase that fits the players who are there now.

    The change may bring the second player, or leave the seat empty where the Schlitten is.
    """
    if not isinstance(phase, s.PlayersDue | s.BankDue):
        return table
    place = next(iter(occupied_from(table.felt, table.place)), table.place)
    after = onward(table)
    if type(after) is type(phase) and place == table.place:
        return table
    return s.at(table, after, place=place)


def _renumbered(table: s.Table, seats: dict[int, int]) -> s.Table:
    """The table after players changed seats; `seats` says the new seat for each old seat.

    These things move with a player: his declaration, the passes that he owes, his suivi, his ban as
    a seller of the bank, and his stake. Source: R-25, N-1, ZP-13, Z-22.
    """

    def new(seat: int) -> int:
        return seats.get(seat, seat)

    bank = _resold(table.bank, seats)
    phase = _rebooked(table.phase, seats)
    previous = tuple(replace(stake, seat=new(stake.seat)) for stake in table.previous)
    bound = sorted(filter(None, map(new, table.by_schlitten)))
    due = sorted((new(seat), count) for seat, count in table.must_pass if new(seat))
    return replace(
        table,
        phase=phase,
        bank=bank,
        suivi=new(table.suivi),
        previous=previous,
        by_schlitten=tuple(bound),
        must_pass=tuple(due),
    )


def _rebooked(phase: s.Phase, seats: dict[int, int]) -> s.Phase:
    """The phase after players changed seats.

    If the coup is settled, the state before its settlement gets the new seats too. So the
    settlement can still be undone (R-20). While the bank is for sale, its earlier sellers, and the
    partners whom Suite paid out, may move or leave (Z-22).
    """
    match phase:
        case s.Settled(before=old):
            bank, suivi = _resold(old.bank, seats), seats.get(old.suivi, old.suivi)
            return replace(phase, before=replace(old, bank=bank, suivi=suivi))
        case s.Auction(partners=partners, sellers=sellers):
            now = tuple(seats.get(seat, seat) for seat in partners)
            return replace(phase, partners=now, sellers=_sellers(sellers, seats))
    return phase


def _resold(bank: s.Bank | None, seats: dict[int, int]) -> s.Bank | None:
    """The bank after its earlier sellers have changed seats (Z-22)."""
    if bank is None or not bank.sellers:
        return bank
    return replace(bank, sellers=_sellers(bank.sellers, seats))


def _sellers(sellers: tuple[s.Seller, ...], seats: dict[int, int]) -> tuple[s.Seller, ...]:
    return tuple(
        replace(
            one,
            seat=seats.get(one.seat, one.seat),
            partners=tuple(seats.get(seat, seat) for seat in one.partners),
        )
        for one in sellers
    )


# ---- How mixing, loading, closing and throwing away a Schlitten changes the bank and the coup


def mixed(table: s.Table, phase: NoSchlitten, said: ti.Prepared) -> s.Step:
    """One step of mixing, cutting and loading is done (ZP-4)."""
    return s.at(table, prepared(phase, said)), ()


def schlitten_loaded(table: s.Table, _phase: NoSchlitten, said: ti.SchlittenLoaded) -> s.Step:
    """A Schlitten was loaded and is in play.

    The pot of a bank that has won is carried over to the new Schlitten (ZP-4, Z-25, R-7).
    """
    felt, told = loaded(table.felt, said)
    table = replace(
        table,
        felt=felt,
        place=next(iter(occupied_from(felt, table.place)), table.place),
        bank=_carried(table.bank),
        totals=(s.Totals(), table.totals[1]),
    )
    if table.bank and not table.coup:
        told = (*told, BankPosted(seat=table.bank.seat, pot=table.bank.pot))
    return s.at(table, onward(table)), told


def _carried(bank: s.Bank | None) -> s.Bank | None:
    """The bank at the start of a new Schlitten: its pot is its win in the last coup.

    The rest of the bank's chips is set aside.
    """
    if bank is None or not bank.won or bank.whole:
        return bank
    return replace(bank, pot=bank.won, aside=Chips(bank.aside + bank.pot - bank.won))


def schlitten_closed(table: s.Table, _phase: s.Awaited, said: ti.SchlittenClosed) -> s.Step:
    """The Schlitten was emptied and counted.

    Its closed cards are revealed, and nothing before can be taken back (R-35).
    """
    felt, told = closed(table.felt, said)
    return s.at(table, NoSchlitten(), felt=felt, undo=None), told


def closed_for_replay(table: s.Table, phase: s.Phase, said: ti.SchlittenClosed) -> s.Step:
    """The Schlitten is closed because too few cards are left to replay a tie.

    The tie is replayed from the next Schlitten (R-30).
    """
    if not (table.coup and table.coup.tie and lacking(table)):
        raise AgainstRules(
            phrase("Stakes lie against this bank."),
            phrase("They are taken back first, or the coup is played."),
            "R-5",
        )
    if isinstance(phase, s.BankStakeDue):  # no stake of the bank yet: stakes are closed again (Z-5)
        table = replace(table, coup=replace(table.coup, closed=False))
    return schlitten_closed(table, phase, said)


def tie_annulled(table: s.Table, phase: NoSchlitten, said: ti.Annulled) -> s.Step:
    """A tie will not be replayed. Its stakes are given back, and everybody may leave (R-57)."""
    if table.coup is None:
        raise AgainstRules(
            phrase("No coup is under way that could be annulled."),
            phrase("Load the Schlitten."),
            "R-57",
        )
    table, told = annul(table, said.reason)
    return s.at(table, phase), told


def ends_by_croupier(table: s.Table) -> bool:
    """Whether a croupier may annul a coup that has no cards and cannot begin (R-57, Z-24, R-37)."""
    if isinstance(table.phase, NoSchlitten):
        return table.coup is not None
    return table.coup is not None and not table.coup.tie and lacking(table)


def restored(table: s.Table, _phase: s.Awaited, _said: Restored) -> s.Step:
    """A backup was restored, so the Schlitten goes out of play.

    A coup that is not decided is annulled (R-54).
    """
    phase, told = table.phase, tuple[Event, ...]()
    if isinstance(phase, s.Settled):
        table, told = paid(table, phase, Paid())
    elif table.felt.shoe and table.coup and not isinstance(phase, s.TakeOver):
        table, told = annul(table, RESTORED)
    felt, calm = gathered(table.felt)
    felt, gone = withdrawn(felt)
    table = replace(table, felt=felt, undo=None)
    told = (*told, *calm, *gone)
    match phase:
        case s.Auction():
            return s.at(table, replace(phase, after=NoSchlitten())), told
        case NoSchlitten() | s.TakeOver():
            return s.at(table, phase), told
    return s.at(table, NoSchlitten()), told


def thrown_away(table: s.Table, _phase: s.Awaited, said: ti.ThrownAway) -> s.Step:
    """The cards got mixed up, so the coup is annulled and the Schlitten is closed (N-9)."""
    if isinstance(table.phase, s.Settled):
        raise AgainstRules(
            phrase("A coup is announced and not yet paid."),
            phrase("Pay it first; then close the Schlitten."),
            "N-9",
        )
    if isinstance(table.phase, s.Auction | s.TakeOver):
        raise AgainstRules(
            phrase("The bank is being sold."),
            phrase("Say what the card was and sell the bank; then throw the cards away."),
            "N-9",
        )
    told: Told
    if table.coup:
        table, told = annul(table, said.reason)
    else:  # there is no coup to annul; cards laid aside are out of play
        felt, told = gathered(table.felt)
        table = replace(table, felt=felt)
    table, more = schlitten_closed(table, table.phase, ti.SchlittenClosed())
    return table, (*told, *more)


# ---- Repairs: to take back an input, to correct a reading, to rule as a supervisor (R-20, Z-27)


def _declared_before(table: s.Table) -> bool:
    """Whether the last input was a declaration, and a coup has begun since then (R-25)."""
    return table.undo is not None and isinstance(table.undo.said, Declares) and s.under_way(table)


def may_take_back(table: s.Table) -> bool:
    """Whether the last input can be taken back now without undoing anything else.

    Source: R-20, R-46.
    """
    return undo.may_take_back(table) and not _declared_before(table)


def takes_back(table: s.Table, what: Phrase) -> s.Step:
    """The table before the last input, whose label is `what`. Cards that left since are strays.

    Source: R-19, R-20, R-46.
    """
    if _declared_before(table):
        raise AgainstRules(
            phrase("The coup has begun."),
            phrase("He declares it before the first card of the next one."),
            "R-25",
        )
    back, told = undo.taken_back(table, what)
    now = s.deal_of(table.phase)
    thirds = (*now.pointeur[2:], *now.banker[2:]) if now else ()
    for dealt in _drawn_since(table, back):
        if dealt in thirds or (now and dealt.ordinal in now.shown):
            # It is open, so it is burned (R-19, Z-13).
            told = (*told, te.CardRemoved(ordinal=dealt.ordinal, ruling=StrayRuling.BURNED))
            continue
        felt, more = undo.laid_aside(back.felt, dealt)
        back = replace(back, felt=felt)
        told = (*told, *more)
    return back, told


def _drawn_since(table: s.Table, old: s.Table) -> tuple[Dealt, ...]:
    """The closed cards of the current deal that are not in the older table `old`, in order."""
    now, then = s.deal_of(table.phase), s.deal_of(old.phase)
    spare = (then.spare,) if then and then.spare else ()  # it counts as given back again (Z-21)
    known = {card.ordinal for card in (*_cards(then), *spare, *old.felt.kept)}
    return tuple(card for card in _cards(now) if card.ordinal not in known)


def _cards(deal: s.Deal | None) -> tuple[Dealt, ...]:
    return tuple(sorted(deal.cards, key=lambda dealt: dealt.ordinal)) if deal else ()


Numbered = tuple[tuple[int, Dealt], ...]


def correctable(table: s.Table) -> tuple[Numbered, Numbered]:
    """The cards of pointeur and bank whose reading may be corrected, with their places (R-20).

    During a coup these are the coup's closed cards. Once the coup is settled these are all its
    cards, until some of its money has moved.
    """
    phase, deal = table.phase, None if table.felt.stops else s.deal_of(table.phase)
    if deal is None or table.felt.shoe is None:
        return (), ()
    unpaid = isinstance(phase, s.Settled)
    if isinstance(phase, s.Settled) and not undoable(table, phase):
        return (), ()

    def hand(cards: tuple[Dealt, ...]) -> Numbered:
        return tuple(
            (number, dealt)
            for number, dealt in enumerate(cards, 1)
            if unpaid or (number < 3 and dealt.ordinal not in deal.shown)
        )

    return hand(deal.pointeur), hand(deal.banker)


def corrects(table: s.Table, _phase: s.Awaited, said: Corrects) -> s.Step:
    """A supervisor corrects a misread card (R-20).

    The card must be closed, or the coup must be settled and no payment made yet.
    """
    phase, deal = table.phase, None if table.felt.stops else s.deal_of(table.phase)
    old = next((card for card in _cards(deal) if card.ordinal == said.ordinal), None)
    unpaid = isinstance(phase, s.Settled) and not any(line.done for line in phase.payments)
    if deal is None or table.felt.shoe is None or old is None:
        raise OutOfTurn(
            phrase("Card {ordinal} does not lie on the table.", ordinal=said.ordinal),
            phrase("Name a card of the present coup by its number."),
            "R-20",
        )
    with_reason(said.reason)
    lies_open = old.ordinal in deal.shown or old in (*deal.pointeur[2:], *deal.banker[2:])
    if lies_open and not unpaid:
        raise AgainstRules(
            phrase("An open card has been played by already."),
            phrase("Annul the coup; what was paid is moved back."),
            "R-20",
        )
    felt, new = corrected(table.felt, said, old, closed_cards(deal))
    deal = replace(
        deal,
        pointeur=tuple(new if card == old else card for card in deal.pointeur),
        banker=tuple(new if card == old else card for card in deal.banker),
    )
    table = replace(table, felt=felt)
    seat = _seat_of(table, phase, deal, new)
    told: tuple[Event, ...] = (te.CardCorrected(ordinal=new.ordinal, attempt=new.attempt),)
    told += drawn(table.felt, seat, new)
    if lies_open:
        told += opened(table.felt, seat, (new,))
    if isinstance(phase, s.Settled):
        table, after = resettled(table, phase, deal)
        return table, (*told, *after)
    return s.at(table, replace(phase, deal=deal)), told


def _seat_of(table: s.Table, phase: s.Phase, deal: s.Deal, dealt: Dealt) -> int:
    if isinstance(phase, s.Settled):
        record = phase.record
        return record.banker_seat if dealt in deal.banker else record.pointeur_seat
    if table.bank is None or table.coup is None:
        return 0
    return table.bank.seat if dealt in deal.banker else table.coup.pointeur

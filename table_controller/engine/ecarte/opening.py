"""How a partie begins: cut for the deal, shuffling, loading, packets. Also the end of a partie."""

from __future__ import annotations

from msgspec.structs import replace

from table_controller.engine.ecarte.ending import annul, emptied, revealed
from table_controller.engine.ecarte.events import (
    CardsAsked,
    CutShown,
    DealAnnulled,
    DealerFound,
    DealResumed,
    PartieBegun,
)
from table_controller.engine.ecarte.facts import Deal, Due, Partie, Waiting, paired
from table_controller.engine.ecarte.inputs import (
    CutFaulty,
    CutsForDeal,
    FreshCards,
    Onward,
    Opponents,
    Packets,
    Reshuffles,
    Why,
)
from table_controller.engine.ecarte.marking import scored
from table_controller.engine.ecarte.phases import (
    CutDue,
    Dealing,
    DealOver,
    ElderToSpeak,
    NoSchlitten,
    PacketsDue,
    PartieOver,
    PlayersDue,
)
from table_controller.engine.ecarte.state import (
    Step,
    Table,
    at,
    book_rule,
    of_the_pack,
    on_deal,
    on_felt,
    on_partie,
    rule,
    seat_of,
    side_of,
    the_partie,
    under_way,
)
from table_controller.engine.messages import AgainstRules, Event, OutOfTurn, Restored, phrase
from table_controller.engine.table import schlitten
from table_controller.engine.table.inputs import (
    Annulled,
    Prepared,
    SchlittenClosed,
    SchlittenLoaded,
)
from table_controller.engine.table.repairs import with_reason
from table_controller.engine.table.schlitten import gathered, withdrawn
from table_controller.engine.table.seating import present
from table_controller.rules.cards import Card
from table_controller.rules.ecarte.tricks import drawn_height, height

#: Steps before a Schlitten is loaded: shuffle and cut (E07-13, ER-20).
STEPS = 2


def opponents(table: Table, _phase: PlayersDue, said: Opponents) -> Step:
    """The croupier names two players, who begin a partie without stakes.

    If there are stakes, the betting begins the partie.
    """
    return begun(table, said.left, said.right)


def begun(table: Table, left: int, right: int) -> Step:
    """Begin a partie, whose players must cut for the deal (E07-10)."""
    if left == right:
        raise AgainstRules(
            phrase("Écarté is played by two."),
            phrase("Name two different players."),
            book_rule(table, "1", "1", "0"),
        )
    for seat in (left, right):
        present(table.felt, seat)
    number = table.parties + 1
    now = at(table, CutDue(), parties=number, partie=Partie(number, (left, right)), undo=None)
    return now, (PartieBegun(partie=number, left=left, right=right),)


def cuts(table: Table, phase: CutDue, said: CutsForDeal) -> Step:
    """A player cuts for the deal. The lower card deals, ace low (E07-10).

    At EDE the higher card deals (EDE-3, ER-12).
    """
    side = side_of(table, said.seat)
    if phase.cuts[side] is not None:
        raise OutOfTurn(
            phrase("Seat {seat} has cut.", seat=said.seat),
            phrase("The other player cuts now."),
            rule(table, "10"),
        )
    of_the_pack(table, said.card)
    shown = paired(phase.cuts, side, said.card)
    left, right = shown
    told = CutShown(seat=said.seat, card=said.card)
    if left is None or right is None:
        return at(table, CutDue(shown)), (told,)
    found = first_dealer(table, left, right)
    if found is None:
        return at(table, CutDue()), (told, DealerFound(seat=0))
    table = on_partie(table, dealer=found)
    dealer = DealerFound(seat=seat_of(table, found))
    return at(table, NoSchlitten()), (told, dealer)


def first_dealer(table: Table, left: Card, right: Card) -> int | None:
    """The side that deals first, or None if both must cut again (ER-12)."""
    if table.house.cut_for_deal == "lower":
        heights = drawn_height(left), drawn_height(right)
        return None if heights[0] == heights[1] else int(heights[1] < heights[0])
    heights = height(left), height(right)
    return None if heights[0] == heights[1] else int(heights[1] > heights[0])


def prepared(table: Table, phase: NoSchlitten, _said: Prepared) -> Step:
    """One step of mixing is done: the dealer has shuffled, or elder has cut (E07-13, EDE-4)."""
    the_partie(table)
    if phase.done == STEPS:
        raise OutOfTurn(
            phrase("The cards are shuffled and cut."),
            phrase("Load the Schlitten."),
            book_rule(table, "13", "13", "4"),
        )
    return at(table, NoSchlitten(phase.done + 1)), ()


def reshuffles(table: Table, phase: NoSchlitten, said: Reshuffles) -> Step:
    """Elder shuffles again before the cut; after him the dealer may (E07-49, E00-47)."""
    side = side_of(table, said.seat)
    if phase.done != 1 or side == the_partie(table).dealer:
        raise OutOfTurn(
            phrase("Only elder may shuffle again, before the cut."),
            phrase("The dealer may shuffle after him."),
            book_rule(table, "49", "47", "4"),
        )
    return at(table, NoSchlitten(0)), ()


def cut_faulty(table: Table, phase: NoSchlitten, _said: CutFaulty) -> Step:
    """The cut was faulty, so elder must cut again (E07-47, E00-45).

    He must lift at least two cards and leave two.
    """
    by = book_rule(table, "47", "45", "4")
    cut = phase.done == STEPS and not due_again(the_partie(table))
    if not cut or not table.house.cut_limits:
        raise OutOfTurn(phrase("No cut has been made."), phrase("Elder cuts."), by)
    return at(table, NoSchlitten(1)), ()


def fresh_cards(table: Table, phase: NoSchlitten, said: FreshCards) -> Step:
    """A player calls for fresh cards before the next cut (ER-18). The house says who pays (E07-48).

    If fresh cards are due because two cards were identical, nobody pays for them (ER-10).
    """
    side_of(table, said.seat)
    if phase.done == STEPS:
        raise OutOfTurn(
            phrase("The cards are shuffled and cut."),
            phrase("Fresh cards come before the next cut."),
            book_rule(table, "48", "46", "4"),
        )
    pays = table.house.fresh_cards == "asks" and not the_partie(table).fresh
    return at(on_partie(table, fresh=False), NoSchlitten()), (
        CardsAsked(seat=said.seat, pays=pays),
    )


def schlitten_loaded(table: Table, phase: NoSchlitten, said: SchlittenLoaded) -> Step:
    """A Schlitten of 32 cards was loaded; it is for one deal (ER-20)."""
    partie, felt = the_partie(table), table.felt
    if phase.done != STEPS:
        raise OutOfTurn(
            phrase("The cards are not shuffled and cut."),
            phrase("The dealer shuffles, elder cuts."),
            book_rule(table, "13", "13", "4"),
        )
    felt, ready = schlitten.loaded(felt, said, pack=table.house.pack)
    if felt.shoe is not None:  # only their numbers tell the promises of one partie apart
        felt = replace(felt, shoe=replace(felt.shoe, ordinal=partie.ordinal))
    table = replace(table, felt=felt, undo=None)
    waits = due_again(partie)
    if waits:
        table, told = _resumed(table, waits)
        return table, (*ready, *told)
    known = 3 if table.house.packets == "three_two" else partie.packets[partie.dealer]
    if not known:
        return at(table, PacketsDue()), ready
    return _deals(table, known, chosen=False), ready


def due_again(partie: Partie) -> Waiting | None:
    """The deal that was set aside and is played next, in its turn; None if there is none.

    Of several by one dealer, the one that was dealt first is played first (E00-18, ER-45).
    """
    return next((one for one in partie.aside if one.deal.dealer == partie.dealer), None)


def third_pack_due(table: Table) -> bool:
    """Whether all packs lie set aside, so that the next deal needs a fresh one (ER-45)."""
    partie = the_partie(table)
    return len(partie.aside) >= table.house.decks and due_again(partie) is None


def mixing(table: Table) -> NoSchlitten:
    """The phase before a deal. Before one that was set aside, nothing is shuffled (E00-18)."""
    return NoSchlitten(STEPS) if due_again(the_partie(table)) else NoSchlitten()


def no_third_pack(table: Table, _phase: NoSchlitten, said: Annulled) -> Step:
    """There is no third pack, so the deal that was set aside last is void (ER-45)."""
    with_reason(said.reason)
    partie = the_partie(table)
    if not third_pack_due(table):
        raise OutOfTurn(
            phrase("No deal is under way."), phrase("Shuffle, cut, load the Schlitten.")
        )
    void = partie.aside[-1].deal
    table = at(on_partie(table, aside=partie.aside[:-1]), NoSchlitten(), undo=None)
    dealer = seat_of(table, void.dealer)
    return table, (DealAnnulled(deal=void.number, dealer=dealer, rule="E00-18"),)


def _deals(table: Table, first: int, *, chosen: bool) -> Table:
    partie = the_partie(table)
    table = on_partie(on_felt(table, coups=table.felt.coups + 1), fresh=False)
    deal = Deal(table.felt.coups, partie.dealer, first, chosen)
    return at(table, Dealing(), deal=deal)


def packets(table: Table, _phase: PacketsDue, said: Packets) -> Step:
    """The dealer says the size of his first packet, three or two, for the whole partie (E07-14)."""
    if said.first not in (2, 3):
        raise AgainstRules(
            phrase("He deals by threes and twos."),
            phrase("Say which comes first, three or two."),
            book_rule(table, "13", "13", "4"),
        )
    partie = the_partie(table)
    table = on_partie(table, packets=paired(partie.packets, partie.dealer, said.first))
    return _deals(table, said.first, chosen=True), ()


def _resumed(table: Table, waiting: Waiting) -> Step:
    """Resume the deal that was set aside, with its hands, its talon and its marks (E00-18, ER-29).

    It is taken up just as it is: who had looked has looked, and what was marked is marked (ER-45).
    """
    shoe, now, partie = waiting.shoe, table.felt.shoe, the_partie(table)
    if now is not None:
        shoe = replace(shoe, id=now.id, ordinal=now.ordinal)
    left = tuple(one for one in partie.aside if one is not waiting)
    table = on_partie(on_felt(table, shoe=shoe, coups=table.felt.coups + 1), aside=left)
    deal = replace(waiting.deal, number=table.felt.coups, marks=(0, 0))
    table = at(table, ElderToSpeak(), deal=deal)
    told: tuple[Event, ...] = (DealResumed(dealer=seat_of(table, deal.dealer)),)
    for side in (0, 1):
        points = waiting.deal.marks[side]
        if points and not isinstance(table.phase, PartieOver):
            due = Due(side, points, Why.KING, "", deal.number)
            table, more = scored(table, side, points, due)
            told = (*told, *more)
    return table, told


def schlitten_closed(table: Table, _phase: DealOver, _said: SchlittenClosed) -> Step:
    """The cards of a deal were gathered. The next deal follows (ER-20)."""
    deal = table.deal if table.deal and table.deal.ended else None
    table, told = emptied(table)
    table = on_partie(table, last=deal)
    return at(table, mixing(table), undo=None), told


def restored(table: Table, _said: Restored) -> Step:
    """A backup was restored. The deal under way, and deals that were set aside, are void (R-54).

    Their cards cannot be dealt again.
    """
    told: tuple[Event, ...] = ()
    by = rule(table, "11")
    if table.deal and under_way(table):
        table, told = annul(table, by, dealer=table.deal.dealer)
    elif table.felt.shoe is not None and isinstance(table.phase, PacketsDue):
        table = at(table, NoSchlitten())
    partie = table.partie
    for one in partie.aside if partie else ():
        number, dealer = one.deal.number, seat_of(table, one.deal.dealer)
        told = (*told, DealAnnulled(deal=number, dealer=dealer, rule=by))
    if partie:
        last = table.felt.shoe.ordinal if table.felt.shoe else partie.ordinal
        table = on_partie(table, emptied=(), aside=(), ordinal=last)
    if table.deal:  # marks that are still due stay due, but the deal's cards are gone
        table = on_deal(table, taken=((), ()), turned=None, top=(), bottom=())
    felt, calm = gathered(table.felt)
    felt, more = withdrawn(felt)
    return replace(table, felt=felt, undo=None), (*told, *calm, *more)


def onward(table: Table, _phase: PartieOver, _said: Onward) -> Step:
    """The partie is settled.

    Its closed cards are revealed, and the next partie may begin (ER-20).
    """
    table, told = emptied(table)
    partie = the_partie(table)
    shown = revealed(table.felt, partie.emptied)
    return at(table, PlayersDue(), partie=None, deal=None, undo=None), (*shown, *told)

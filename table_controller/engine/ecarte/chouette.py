"""Who plays for money: the order, two sides, who gives a chouette, shares in it or goes on."""

from __future__ import annotations

from msgspec.structs import replace

from table_controller.engine.ecarte import purse
from table_controller.engine.ecarte.betting import Before, Bets, Draw, Mode, drawn, on_side
from table_controller.engine.ecarte.betting_events import (
    AuctionCalled,
    BettingBegun,
    BettingOver,
    CardDrawnForOrder,
    ChouetteGivenUp,
    HandRenounced,
)
from table_controller.engine.ecarte.betting_inputs import (
    Draws,
    GivesChouette,
    GivesUp,
    GoesOn,
    HoldsCards,
    Renounces,
    TakesShare,
    TwoSides,
    WillNotGoOn,
)
from table_controller.engine.ecarte.phases import Auction, PlayersDue, StakesDue, Succession
from table_controller.engine.ecarte.state import Step, Table, at, book_rule, rule
from table_controller.engine.messages import AgainstRules, phrase
from table_controller.engine.table.felt import places
from table_controller.engine.table.people import present
from table_controller.rules.ecarte import bank as banks
from table_controller.rules.ecarte import chouette as c
from table_controller.rules.ecarte import order as orders
from table_controller.rules.ecarte import stakes
from table_controller.rules.ecarte.order import Order
from table_controller.rules.ecarte.tricks import drawn_height


def draws(table: Table, _phase: PlayersDue, said: Draws) -> Step:
    """The lowest card begins; several count as their highest; equals draw anew (E07-9)."""
    present(table.felt, said.seat)
    before = table.before
    mine = next((draw for draw in before.draws if draw.place == said.seat), None)
    told = (CardDrawnForOrder(seat=said.seat, card=said.card),)
    if mine is None:
        every = (*before.draws, Draw(said.seat, (said.card,)))
        return replace(table, before=replace(before, draws=every)), told
    together = next(group for group in drawn(before.draws) if said.seat in group)
    if said.more:
        cards = (*mine.cards[:-1], max(mine.cards[-1], said.card, key=drawn_height))
    elif len(together) > 1:
        cards = (*mine.cards, said.card)
    else:
        raise AgainstRules(
            phrase("Seat {seat} has drawn.", seat=said.seat),
            phrase("Of several cards the highest counts; only equals draw again."),
            rule(table, "9"),
        )
    every = tuple(
        Draw(said.seat, cards) if draw.place == said.seat else draw for draw in before.draws
    )
    return replace(table, before=replace(before, draws=every)), told


def drawn_order(table: Table, *, but: int) -> Order:
    """The players as they drew, without the giver; nobody before it is drawn (E07-9)."""
    flat = (place for group in drawn(table.before.draws) for place in group)
    return orders.ordered([place for place in flat if place != but])


def two_sides(table: Table, _phase: PlayersDue, said: TwoSides) -> Step:
    """Whole parties play against each other (E07-3, E00-3)."""
    purse.for_money(table)
    if not table.house.two_sides:
        raise purse.not_played()
    for seat in (said.left, said.right):
        present(table.felt, seat)
    if said.left == said.right:
        raise AgainstRules(
            phrase("Écarté is played by two."),
            phrase("Name two different players."),
            book_rule(table, "1", "1", "0"),
        )
    bets = Bets(Mode.TWO_SIDES, orders=(Order(said.left), Order(said.right)))
    return _opened(table, bets)


def gives(table: Table, _phase: PlayersDue, said: GivesChouette) -> Step:
    """Somebody gives an open chouette (E07-5, E00-4)."""
    purse.for_money(table)
    if table.house.chouette == "bank":
        raise purse.not_played()
    present(table.felt, said.seat)
    players = (Order(), drawn_order(table, but=said.seat))
    return _opened(table, Bets(Mode.OPEN, players, chouette=c.given(said.seat)))


def _opened(table: Table, bets: Bets) -> Step:
    told = (
        BettingBegun(mode=bets.mode, seat=bets.giver),
        *(purse.order_told(bets, side) for side in (0, 1) if bets.orders[side].players),
    )
    return at(table, StakesDue(), bets=bets, before=Before()), told


def takes_share(table: Table, _phase: StakesDue, said: TakesShare) -> Step:
    """Others share on the giver's side, with his leave (E07-4, E00-4)."""
    bets, chouette = purse.the_bets(table), purse.the_chouette(table)
    if table.house.chouette == "bank":
        raise purse.not_played()
    present(table.felt, said.seat)
    if bets.closed:
        raise AgainstRules(
            phrase("The stakes are closed already."),
            phrase("It changes between two parties."),
            book_rule(table, "4", "4", "0"),
        )
    if stakes.laid(bets.stakes[1], said.seat):
        raise AgainstRules(
            phrase("Seat {seat} has money in play.", seat=said.seat),
            phrase("He takes his stake back first."),
            book_rule(table, "4", "4", "0"),
        )
    parts = {share.place: share.parts for share in chouette.shares} | {said.seat: said.parts}
    if said.parts == 0 and said.seat != chouette.giver:
        del parts[said.seat]
    if parts[chouette.giver] <= 0 or said.parts < 0:
        raise AgainstRules(
            phrase("The giver keeps a part of his chouette."),
            phrase("He gives it up, or keeps 1 or more."),
            book_rule(table, "4", "4", "0"),
        )
    was_small = said.seat in c.small(chouette)
    after = replace(bets, chouette=c.shared(chouette, parts))
    order = orders.leaves(bets.orders[1], said.seat)
    if said.parts == 0 and was_small and table.house.retired == "result":
        order = orders.to_the_end(order, said.seat)
    after = on_side(after, 1, order=order)
    table = purse.funded(table, after)
    told = (purse.shares_told(purse.the_chouette(table)), purse.order_told(after, 1))
    return table, told


def holds_cards(table: Table, _phase: StakesDue, said: HoldsCards) -> Step:
    """Only the giver, or who has a half, may hold the cards (E07-4, E00-4)."""
    chouette = purse.the_chouette(table)
    if said.seat not in c.may_play(chouette):
        raise AgainstRules(
            phrase("Seat {seat} has less than a half of the chouette.", seat=said.seat),
            phrase("Its giver holds the cards, or who has a half."),
            book_rule(table, "4", "4", "0"),
        )
    if said.seat == chouette.hand:
        raise AgainstRules(
            phrase("Seat {seat} holds the cards already.", seat=said.seat),
            phrase("Its giver holds the cards, or who has a half."),
            book_rule(table, "4", "4", "0"),
        )
    held = c.Chouette(chouette.shares, said.seat)
    return purse.funded(table, replace(purse.the_bets(table), chouette=held)), (
        purse.shares_told(held),
    )


def renounces(table: Table, _phase: StakesDue, said: Renounces) -> Step:
    """Everybody may give up his hand; the giver may not object (E07-4, E00-4, ER-18)."""
    bets = purse.the_bets(table)
    for side in (0, 1):
        if bets.orders[side].hand == said.seat:
            order = orders.renounces(table.house, bets.orders[side])
            after = on_side(bets, side, order=order)
            told = (HandRenounced(seat=said.seat), purse.order_told(after, side))
            return replace(table, bets=after), told
    raise AgainstRules(
        phrase("Seat {seat} has not the hand.", seat=said.seat),
        phrase("Only who would play now gives it up."),
        book_rule(table, "4", "4", "0"),
    )


def gives_up(table: Table, _phase: StakesDue, _said: GivesUp) -> Step:
    """The giver stops, after a partie won or lost; or the two sides end (E07-6, E00-5)."""
    bets = purse.the_bets(table)
    auctioned = bets.mode is Mode.BANK and table.house.chouette != "bank"
    if auctioned and bets.bank and not banks.may_stop(bets.bank):
        raise AgainstRules(
            phrase("One partie at least must be played."),
            phrase("He may give it up when it is settled."),
            "E07-8",
        )
    table, back = purse.given_back(table)
    if bets.chouette is None:
        return at(table, PlayersDue(), bets=None), (*back, BettingOver())
    after = replace(purse.the_bets(table), bank=None, declined=())
    table = purse.funded(table, _retired(table, after))
    bets = purse.the_bets(table)
    told = (*back, ChouetteGivenUp(seat=bets.giver), purse.order_told(bets, 1))
    if not auctioned:
        return at(table, Succession()), told
    before = Before(retired=bets.giver if bets.giver_won else 0)
    table = at(table, Auction(), bets=replace(bets, chouette=None), before=before)
    return table, (*told, AuctionCalled())


def _retired(table: Table, bets: Bets) -> Bets:
    """The other side's order with those who gave up the chouette in their places."""
    chouette, order = purse.the_chouette(table), bets.orders[1]
    if table.house.retired == "newcomer" or bets.giver_won is None:
        return bets
    order = orders.retired(order, c.left_with(chouette), won=bets.giver_won)
    for place in c.small(chouette):
        order = orders.to_the_end(order, place)
    return on_side(bets, 1, order=order)


def candidates(table: Table) -> tuple[int, ...]:
    """Who may go on with a chouette that was given up, as far as the rules say (E07-6, E00-5)."""
    bets, chouette = purse.the_bets(table), purse.the_chouette(table)
    there = set(places(table.felt)) - set(bets.declined)
    return c.successors(table.house, chouette, bets.orders[1].players, there)


def goes_on(table: Table, _phase: Succession, said: GoesOn) -> Step:
    """A partner first, then by lots (E07-6) or down the list (E00-5)."""
    if table.house.chouette == "bank":
        raise purse.not_played()
    allowed = candidates(table)
    if said.seat not in allowed:
        raise AgainstRules(
            phrase("Seat {seat} may not go on with it before another.", seat=said.seat),
            phrase("Ask seat {first} first.", first=allowed[0] if allowed else 0),
            book_rule(table, "6", "5", "0"),
        )
    order = orders.leaves(purse.the_bets(table).orders[1], said.seat)
    return _opened(table, Bets(Mode.OPEN, (Order(), order), chouette=c.given(said.seat)))


def will_not(table: Table, _phase: Succession | Auction, said: WillNotGoOn) -> Step:
    """Who might go on with it will not; where nobody will, it is over (E07-6, E00-5)."""
    if said.seat == 0:
        return at(table, PlayersDue(), bets=None, before=Before()), (BettingOver(),)
    bets = purse.the_bets(table)
    return at(table, Succession(), bets=replace(bets, declined=(*bets.declined, said.seat))), ()

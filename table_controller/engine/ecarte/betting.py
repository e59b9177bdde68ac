"""The players for money and their money: their order, the sides, givers and sharers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from table_controller.engine.ecarte.events import (
    AuctionCalled,
    BankTold,
    BettingBegun,
    BettingOver,
    CardDrawnForOrder,
    ChouetteGivenUp,
    HandRenounced,
    OrderTold,
    SharesTold,
    StakePaid,
    StakeReturned,
)
from table_controller.engine.ecarte.inputs import (
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
from table_controller.engine.ecarte.state import (
    Auction,
    Before,
    Bets,
    Draw,
    Mode,
    PlayersDue,
    StakesDue,
    Step,
    Succession,
    Table,
    at,
    book_rule,
    drawn,
    giver_holds,
    of_the_pack,
    on_side,
    players,
    rule,
    the_partie,
)
from table_controller.engine.messages import AgainstRules, Event, OutOfTurn, phrase
from table_controller.engine.table import felt
from table_controller.engine.table.felt import places
from table_controller.engine.table.seating import money_lies, present
from table_controller.rules.ecarte import bank as banks
from table_controller.rules.ecarte import chouette as c
from table_controller.rules.ecarte import order as orders
from table_controller.rules.ecarte import stakes
from table_controller.rules.ecarte.chouette import Chouette, parted, shared
from table_controller.rules.ecarte.order import Order
from table_controller.rules.ecarte.settle import BANK, Payment
from table_controller.rules.ecarte.tricks import drawn_height, height
from table_controller.rules.money import Chips

# ---- The money of the betting: stakes, the bank and its owners, payments


def the_bets(table: Table) -> Bets:
    """The stakes and players of the partie. Raises OutOfTurn if there are none."""
    if table.bets is None:
        raise OutOfTurn(phrase("Nobody stakes yet."), phrase("Say first how it is played."))
    return table.bets


def the_chouette(table: Table) -> Chouette:
    """The present chouette. Raises AgainstRules if the players stake à deux côtés."""
    chouette = the_bets(table).chouette
    if chouette is None:
        raise not_played()
    return chouette


def not_played() -> AgainstRules:
    """The refusal of an input that this house, or this mode of betting, does not have."""
    return AgainstRules(
        phrase("It is not played so here."), phrase("Its rules say what is played.")
    )


def for_money(table: Table) -> None:
    """Raise AgainstRules on a practice table, where nobody stakes (EDE-19)."""
    if table.house.practice:
        raise not_played()


def paid(table: Table, place: int, chips: int) -> Table:
    """The table after the player at `place` got `chips`; a negative sum is taken from him."""
    return replace(table, felt=felt.pay(table.felt, place, chips))


def funded(table: Table, after: Bets) -> Table:
    """The table with these bets. A player whose part of the bank grows pays the difference.

    Raises AgainstRules if somebody does not have that much (Z-3).
    """
    was, now = _entitled(table.bets), _entitled(after)
    for place in sorted({*was, *now}):
        more = now.get(place, 0) - was.get(place, 0)
        if more > 0:
            money_lies(table.felt, place, more)
        if more:
            table = paid(table, place, -more)
    return replace(table, bets=after)


def _entitled(bets: Bets | None) -> dict[int, int]:
    """By place: how much of the money on the giver's side each sharer owns (ER-26)."""
    if bets is None or bets.chouette is None:
        return {}
    held = parted(bets.chouette, Chips(giver_holds(bets)))
    return {place: int(chips) for place, chips in held.items()}


def most_more(table: Table, least: int = 1) -> int:
    """The most that the giver's side can add to its bank, or 0 if it cannot add `least` (ER-26).

    It can add any sum from `least` to the result. Sometimes one sum cannot be added, but a larger
    one can, because the player of the cards pays the odd chips. Such larger sums are ignored.
    """
    bets, chouette = the_bets(table), the_chouette(table)
    holds, had = giver_holds(bets), _entitled(bets)
    whole = sum(share.parts for share in chouette.shares)
    odd, most = len(chouette.shares) - 1, holds + least - 1
    has = {place: chips + felt.balance(table.felt, place) for place, chips in had.items()}
    # Each part is rounded down. The player of the cards adds at most `odd` more.
    safe = min(max(0, has[share.place] - odd) * whole // share.parts for share in chouette.shares)
    most = max(most, safe)
    while all(chips <= has[at] for at, chips in parted(chouette, Chips(most + 1)).items()):
        most += 1
    return most - holds if most - holds >= least else 0


def parts_within(table: Table, place: int, least: int, most: int) -> tuple[int, int] | None:
    """The least and the most parts that the player at `place` could have (ER-26).

    With each number between them, everybody can pay his part of the bank. If several such ranges
    exist, this is the lowest; None if there is none.
    """
    chouette, bank = the_chouette(table), giver_holds(the_bets(table))
    had = _entitled(table.bets)
    places = {*chouette.places, place}
    has = {at: had.get(at, 0) + felt.balance(table.felt, at) for at in places}
    if all(chips >= bank for chips in has.values()):
        return least, most
    fits = [n for n in range(least, most + 1) if _fits(chouette, place, n, bank, has)]
    if not fits:
        return None
    row = next((at for at, n in enumerate(fits) if n != fits[0] + at), len(fits))
    return fits[0], fits[row - 1]


def _fits(chouette: Chouette, place: int, parts: int, bank: int, has: Mapping[int, int]) -> bool:
    """Whether everybody could pay his part of the bank if the player at `place` had `parts` parts.

    `has` are the chips that each player can spend.
    """
    each = {share.place: share.parts for share in chouette.shares} | {place: parts}
    divided = shared(chouette, {at: n for at, n in each.items() if n})
    return all(chips <= has[at] for at, chips in parted(divided, Chips(bank)).items())


def given_back(table: Table) -> Step:
    """Give the stakes back to the players who laid them, also those outside the bank."""
    bets, told = the_bets(table), list[Event]()
    for stake in (*bets.stakes[0], *bets.stakes[1]):
        table = paid(table, stake.place, stake.chips)
        told.append(StakeReturned(seat=stake.place, chips=stake.chips))
    for bet in bets.beside:
        table = paid(paid(table, bet.place, bet.chips), bet.holder, bet.chips)
    after = replace(bets, stakes=((), ()), rest=0, left_out=(), beside=(), closed=False, found=())
    return funded(table, after), tuple(told)


def settled(table: Table, payments: Iterable[Payment]) -> Step:
    """Make these payments one by one. The stakes were given back before."""
    told = []
    for payment in payments:
        if payment.payer == payment.to:
            continue
        for place, chips in ((payment.payer, -payment.chips), (payment.to, payment.chips)):
            if place != BANK:
                table = paid(table, place, chips)
        told.append(StakePaid(seat=payment.payer, to=payment.to, chips=payment.chips))
    return table, tuple(told)


def order_told(bets: Bets, side: int) -> OrderTold:
    """The event with the present order of players on a side."""
    order = bets.orders[side]
    return OrderTold(side=side, hand=order.hand or 0, waiting=order.waiting)


def shares_told(chouette: Chouette) -> SharesTold:
    """The event with the sharers of the chouette, and the player of its cards."""
    return SharesTold(
        seats=chouette.places,
        parts=tuple(share.parts for share in chouette.shares),
        hand=chouette.hand,
    )


def bank_told(bets: Bets) -> tuple[BankTold, ...]:
    """The event with the bank's sum; none if there is no bank."""
    bank = bets.bank
    if bank is None:
        return ()
    return (BankTold(chips=bank.holds, start=bank.start, renewed=bank.renewed, halved=bank.halved),)


# ---- The players for money: their order, the two sides, the giver and the sharers of a chouette


def draws(table: Table, _phase: PlayersDue, said: Draws) -> Step:
    """A player draws a card. The player with the lowest card holds the cards first (E07-9).

    If somebody draws several cards, the highest counts; players with equal cards draw again. Raises
    AgainstRules if he has drawn already, unless somebody has an equal card.
    """
    present(table.felt, said.seat)
    of_the_pack(table, said.card)
    before = table.before
    mine = next((draw for draw in before.draws if draw.place == said.seat), None)
    told = (CardDrawnForOrder(seat=said.seat, card=said.card),)
    if mine is None:
        every = (*before.draws, Draw(said.seat, (said.card,)))
        return replace(table, before=replace(before, draws=every)), told
    together = next(group for group in drawn(table.house, before.draws) if said.seat in group)
    if said.more:
        rank = height if table.house.cut_for_deal == "higher" else drawn_height
        cards = (*mine.cards[:-1], max(mine.cards[-1], said.card, key=rank))
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
    """The order of players as they drew, without the player `but`; empty if nobody drew (E07-9).

    At EDE stakes rank in the order in which they are laid, and nobody draws for the order (ER-36).
    """
    if table.house.chouette == "bank":
        return Order()
    flat = (place for group in drawn(table.house, table.before.draws) for place in group)
    return orders.ordered([place for place in flat if place != but])


def may_lay(table: Table) -> tuple[int, ...]:
    """The players who may lay the bank at EDE, where the players draw cards for this right.

    The one with the highest card may, or the next one if he has declined. If nobody drew, anybody
    may. While the highest cards are equal, nobody may (EDE-3, ER-36).
    """
    for group in drawn(table.house, table.before.draws):
        willing = tuple(place for place in group if place not in table.before.declined)
        if willing:
            return willing if len(group) == 1 else ()
    return tuple(places(table.felt))


def lays_first(table: Table, seat: int) -> None:
    """Raise AgainstRules if another player with a higher card has not declined (EDE-3, ER-36)."""
    first = may_lay(table)
    if not first:
        raise AgainstRules(
            phrase("The highest cards drawn are equal."), phrase("Only they draw again."), "EDE-3"
        )
    if seat not in first:
        raise AgainstRules(
            phrase("Seat {seat} has not drawn the highest card.", seat=seat),
            phrase("Ask seat {first} first.", first=first[0]),
            "EDE-3",
        )


def lays_none(table: Table, _phase: PlayersDue, said: WillNotGoOn) -> Step:
    """The player with the higher card declines to lay a bank, so the next one may (ER-36)."""
    if table.house.chouette != "bank" or not table.before.draws:
        raise not_played()
    lays_first(table, said.seat)
    declined = (*table.before.declined, said.seat)
    return replace(table, before=replace(table.before, declined=declined)), ()


def two_sides(table: Table, _phase: PlayersDue, said: TwoSides) -> Step:
    """Two parties play against each other, à deux côtés (E07-3, E00-3)."""
    for_money(table)
    if not table.house.two_sides:
        raise not_played()
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
    """A player gives an open chouette (E07-5, E00-4)."""
    for_money(table)
    if table.house.chouette == "bank":
        raise not_played()
    present(table.felt, said.seat)
    sides = (Order(), drawn_order(table, but=said.seat))
    return _opened(table, Bets(Mode.OPEN, sides, chouette=c.given(said.seat)))


def _opened(table: Table, bets: Bets) -> Step:
    told = (
        BettingBegun(mode=bets.mode, seat=bets.giver),
        *(order_told(bets, side) for side in (0, 1) if bets.orders[side].players),
    )
    return at(table, StakesDue(), bets=bets, before=Before()), told


def takes_share(table: Table, _phase: StakesDue, said: TakesShare) -> Step:
    """A player takes a share on the giver's side, with the giver's permission (E07-4, E00-4)."""
    bets, chouette = the_bets(table), the_chouette(table)
    if table.house.chouette == "bank":
        raise not_played()
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
    least = least_parts(chouette, said.seat)
    if not least <= said.parts <= c.MOST_PARTS:
        raise AgainstRules(
            phrase("Seat {seat} cannot have {n} parts.", seat=said.seat, n=said.parts),
            phrase("He may have from {least} to {most}.", least=least, most=c.MOST_PARTS),
            book_rule(table, "4", "4", "0"),
        )
    if said.parts == 0:
        del parts[said.seat]
    was_small = said.seat in c.small(chouette)
    after = replace(bets, chouette=c.shared(chouette, parts))
    order = orders.leaves(bets.orders[1], said.seat)
    if said.parts == 0 and was_small and table.house.retired == "result":
        order = orders.to_the_end(order, said.seat)
    after = on_side(after, 1, order=order)
    table = funded(table, after)
    told = (shares_told(the_chouette(table)), order_told(after, 1))
    return table, told


def least_parts(chouette: c.Chouette, place: int) -> int:
    """The fewest parts that the player may have: 1, or 0 for a sharer who withdraws.

    The giver keeps at least one part (E07-4).
    """
    return int(place not in chouette.places[1:])


def holds_cards(table: Table, _phase: StakesDue, said: HoldsCards) -> Step:
    """A sharer takes over the cards of the chouette (E07-4, E00-4).

    Raises AgainstRules if he has less than half; if nobody has a half, the giver holds the cards.
    """
    chouette = the_chouette(table)
    if said.seat not in c.may_play(chouette):
        raise AgainstRules(
            phrase("Seat {seat} has less than a half of the chouette.", seat=said.seat),
            phrase("Whoever has a half holds the cards; if nobody has, the giver."),
            book_rule(table, "4", "4", "0"),
        )
    if said.seat == chouette.hand:
        raise AgainstRules(
            phrase("Seat {seat} holds the cards already.", seat=said.seat),
            phrase("Whoever has a half holds the cards; if nobody has, the giver."),
            book_rule(table, "4", "4", "0"),
        )
    held = c.Chouette(chouette.shares, said.seat)
    return funded(table, replace(the_bets(table), chouette=held)), (shares_told(held),)


def may_play_on(table: Table, side: int) -> tuple[int, ...]:
    """The players who may play on for a player who left the partie (E00-53, ER-35).

    If the giver of a chouette left, these are the partners with at least a half. If another player
    left, these are the players with a stake on his side. Without stakes there are none.
    """
    bets, seats = table.bets, the_partie(table).seats
    if bets is None:
        return ()
    staked = tuple(stake.place for stake in bets.stakes[side])
    able = c.halves(bets.chouette) if bets.chouette and side == 0 else staked
    return tuple(place for place in able if place not in seats)


def renounces(table: Table, _phase: StakesDue, said: Renounces) -> Step:
    """A player gives up his turn to hold the cards.

    The giver may not object (E07-4, E00-4, ER-18).
    """
    bets = the_bets(table)
    for side in (0, 1):
        if bets.orders[side].hand == said.seat:
            order = orders.renounces(table.house, bets.orders[side])
            after = on_side(bets, side, order=order)
            told = (HandRenounced(seat=said.seat), order_told(after, side))
            return replace(table, bets=after), told
    raise AgainstRules(
        phrase("Seat {seat} does not have the hand.", seat=said.seat),
        phrase("Only the player who would play now can give it up."),
        book_rule(table, "4", "4", "0"),
    )


def gives_up(table: Table, _phase: StakesDue, _said: GivesUp) -> Step:
    """The giver gives up the chouette, or the play on two sides ends (E07-6, E00-5)."""
    bets = the_bets(table)
    free(table)
    auctioned = bets.mode is Mode.BANK and table.house.chouette != "bank"
    table, back = given_back(table)
    if bets.chouette is None:
        return at(table, PlayersDue(), bets=None), (*back, BettingOver())
    after = replace(the_bets(table), bank=None, declined=())
    table = funded(table, _retired(table, after))
    bets = the_bets(table)
    told = (*back, ChouetteGivenUp(seat=bets.giver), order_told(bets, 1))
    if not auctioned:
        return at(table, Succession()), told
    before = Before(retired=bets.giver if bets.giver_won else 0)
    table = at(table, Auction(), bets=replace(bets, chouette=None), before=before)
    return table, (*told, AuctionCalled())


def owes(table: Table) -> bool:
    """Whether the giver of an auctioned bank still owes the stakers one partie (E07-8, ER-34)."""
    bets = the_bets(table)
    if bets.bank is None or table.house.chouette == "bank" or banks.may_stop(bets.bank):
        return False
    return bool(bets.stakes[1]) and 0 not in players(bets)


def free(table: Table) -> None:
    """Raise AgainstRules if the giver owes the stakers a partie, which he may not decline."""
    if owes(table):
        raise AgainstRules(
            phrase("One partie at least must be played."),
            phrase("He may give it up when it is settled."),
            "E07-8",
        )


def _retired(table: Table, bets: Bets) -> Bets:
    """The bets after the players who gave up their chouette were put in the other side's order.

    In some houses they get no place there until they stake (E00-5).
    """
    chouette, order = the_chouette(table), bets.orders[1]
    if table.house.retired == "newcomer" or bets.giver_won is None:
        return bets
    order = orders.retired(order, c.left_with(chouette), won=bets.giver_won)
    for place in c.small(chouette):
        order = orders.to_the_end(order, place)
    return on_side(bets, 1, order=order)


def candidates(table: Table) -> tuple[int, ...]:
    """The players who may go on with a chouette that was given up (E07-6, E00-5)."""
    bets, chouette = the_bets(table), the_chouette(table)
    there = set(places(table.felt)) - set(bets.declined)
    return c.successors(table.house, chouette, bets.orders[1].players, there)


def goes_on(table: Table, _phase: Succession, said: GoesOn) -> Step:
    """A player goes on with a chouette that was given up (E07-6, E00-5).

    A partner with a half comes first. The others follow by lot (E07) or down the list (E00).
    """
    if table.house.chouette == "bank":
        raise not_played()
    allowed = candidates(table)
    if said.seat not in allowed:
        raise AgainstRules(
            phrase("Seat {seat} may not go on with it before another.", seat=said.seat),
            phrase("Ask seat {first} first.", first=allowed[0] if allowed else 0),
            book_rule(table, "6", "5", "0"),
        )
    order = orders.leaves(the_bets(table).orders[1], said.seat)
    return _opened(table, Bets(Mode.OPEN, (Order(), order), chouette=c.given(said.seat)))


def will_not(table: Table, phase: Succession | Auction, said: WillNotGoOn) -> Step:
    """A player who might go on declines. If nobody will, the chouette is over (E07-6, E00-5)."""
    if said.seat == 0:
        return at(table, PlayersDue(), bets=None, before=Before()), (BettingOver(),)
    asked = isinstance(phase, Succession) and table.house.chouette != "bank"
    if not asked or said.seat not in candidates(table):
        raise AgainstRules(
            phrase("Seat {seat} is not asked whether he goes on.", seat=said.seat),
            phrase("Name whom the table asks, or say that nobody will."),
            book_rule(table, "6", "5", "0"),
        )
    bets = the_bets(table)
    return at(table, Succession(), bets=replace(bets, declined=(*bets.declined, said.seat))), ()

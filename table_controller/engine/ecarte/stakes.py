"""The stakes of a partie: laid, made equal, closed, covered by the bank, and paid after it.

The bank of a chouette is auctioned, laid, raised, halved and put up again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from table_controller.engine.ecarte import betting
from table_controller.engine.ecarte.betting import drawn_order, lays_first
from table_controller.engine.ecarte.events import (
    AuctionCalled,
    BettingBegun,
    BidMade,
    DealerFound,
    LeftOut,
    PartieWithdrawn,
    RestHeld,
    StakedOutside,
    StakeLaid,
    StakeReturned,
    StakesShut,
    Surplus,
)
from table_controller.engine.ecarte.inputs import (
    BidsFor,
    CallsAuction,
    ClosesStakes,
    CutsStakes,
    HalvesBank,
    HoldsRest,
    KnockedDown,
    LaysBank,
    LetsIn,
    Onward,
    PartieDeclined,
    PartieHeld,
    RaisesBank,
    RenewsBank,
    StakeFound,
    Stakes,
    StakesAgain,
    StakesOutside,
    StakeWithdrawn,
    StaysOut,
)
from table_controller.engine.ecarte.partie import begun, onward
from table_controller.engine.ecarte.state import (
    Auction,
    Before,
    Bets,
    Mode,
    NoSchlitten,
    PartieOver,
    Phase,
    PlayersDue,
    Previous,
    StakesDue,
    Step,
    Succession,
    Table,
    at,
    book_rule,
    on_partie,
    on_side,
    players,
    the_partie,
)
from table_controller.engine.messages import AgainstRules, Event, OutOfTurn, Refusal, phrase
from table_controller.engine.table.felt import balance
from table_controller.engine.table.seating import money_lies, present
from table_controller.rules.ecarte import bank as banks
from table_controller.rules.ecarte import chouette as c
from table_controller.rules.ecarte import order as orders
from table_controller.rules.ecarte import settle as rules
from table_controller.rules.ecarte import stakes as s
from table_controller.rules.ecarte.bank import Bank, Bid
from table_controller.rules.ecarte.chouette import Chouette, may_play
from table_controller.rules.ecarte.order import Order
from table_controller.rules.ecarte.settle import Payment, TwoSidesShared
from table_controller.rules.ecarte.stakes import Beside, Covered, Stake, laid
from table_controller.rules.money import NONE, Chips

# ---- The stakes of a partie: laid, made equal, closed, covered by the bank; and holding the partie


def stakes(table: Table, _phase: Phase, said: Stakes) -> Step:
    """A player stakes on a side (E07-3, E07-7).

    A newcomer goes to the end of the side's order of players. As the order is a circle, he will
    play just before the player who holds the cards now.
    """
    bets = betting.the_bets(table)
    not_lost(table, bets)
    _sums_stand(table, bets)
    _still_open(table, bets, consent=said.consent)
    if said.chips < table.house.least_stake:
        raise AgainstRules(
            phrase("{chips} is too small a stake.", chips=said.chips),
            phrase("The least is {least}.", least=table.house.least_stake),
            book_rule(table, "46", "8", "0"),
        )
    _on_his_side(table, bets, said)
    money_lies(table.felt, said.seat, said.chips)
    table = betting.paid(table, said.seat, -said.chips)
    laid = s.lays(bets.stakes[said.side], said.seat, said.chips)
    after = on_side(bets, said.side, laid=laid)
    told: tuple[Event, ...] = (_laid(after, said.side, said.seat),)
    order = after.orders[said.side]
    if said.seat not in order.players:
        order = orders.joins(order, said.seat, on=order.hand or 0)
        after = on_side(after, said.side, order=order)
        told = (*told, betting.order_told(after, said.side))
    table = betting.funded(table, after)
    if not bets.closed:
        return table, told
    table, more = _covered(table)
    return table, (*told, *more)


def _on_his_side(table: Table, bets: Bets, said: Stakes) -> None:
    """Raise AgainstRules if a player stakes against himself, or on the giver's side (E07-62)."""
    if said.side not in (0, 1) or (bets.chouette and said.side == 0):
        raise betting.not_played()
    against = bets.chouette.places if bets.chouette else bets.orders[1 - said.side].players
    if said.seat in against:
        raise AgainstRules(
            phrase("Seat {seat} is on the other side.", seat=said.seat),
            phrase("He stakes on his own."),
            book_rule(table, "3", "3", "0"),
        )


def _still_open(table: Table, bets: Bets, *, consent: bool) -> None:
    """Raise AgainstRules if the stakes are closed and the giver allows no change (E07-7, E00-6)."""
    if bets.closed and not consent:
        raise AgainstRules(
            phrase("The stakes are closed already."),
            phrase("They change only with the giver's leave."),
            book_rule(table, "7", "6", "0"),
        )


def not_lost(table: Table, bets: Bets) -> None:
    """Raise AgainstRules if the bank is lost, so that a fresh bank is due (E07-8, EDE-0)."""
    if bets.bank is not None and not bets.bank.holds:
        raise AgainstRules(
            phrase("The bank is lost."),
            phrase("It is put up afresh, or given up."),
            book_rule(table, "8", "4", "0"),
        )


def _sums_stand(table: Table, bets: Bets) -> None:
    """Raise AgainstRules if two sides stake and the partie has begun: the sums are fixed.

    Source: E07-60.
    """
    if table.partie is not None and bets.mode is Mode.TWO_SIDES:
        raise AgainstRules(
            phrase("The stakes stand until the partie is over."),
            phrase("They change between two parties."),
            sums(table),
        )


def _laid(bets: Bets, side: int, place: int) -> StakeLaid:
    staked = bets.stakes[side]
    return StakeLaid(seat=place, side=side, chips=s.laid(staked, place), total=s.total(staked))


def withdrawn(table: Table, _phase: Phase, said: StakeWithdrawn) -> Step:
    """A player takes his stake back, before stakes close or with permission (E07-7, E00-6)."""
    bets = betting.the_bets(table)
    _sums_stand(table, bets)
    _still_open(table, bets, consent=said.consent)
    told = list[Event]()
    for side in (0, 1):
        chips = s.laid(bets.stakes[side], said.seat)
        if chips:
            order = bets.orders[side]
            if table.house.chouette == "bank":  # no list is kept: the first staker plays (ER-28)
                order = orders.leaves(order, said.seat)
            laid = s.draws_back(bets.stakes[side], said.seat)
            bets = on_side(bets, side, laid=laid, order=order)
            table = betting.paid(table, said.seat, chips)
            told.append(StakeReturned(seat=said.seat, chips=chips))
    if not told:
        raise AgainstRules(
            phrase("Seat {seat} has no stake.", seat=said.seat),
            phrase("Name who has."),
            book_rule(table, "7", "6", "0"),
        )
    rest = 0 if bets.rest == said.seat else bets.rest
    return betting.funded(table, replace(bets, rest=rest)), tuple(told)


def _two_sides(table: Table) -> tuple[int, Chips]:
    """The side with the lower stakes, and the difference. Raises AgainstRules in a chouette."""
    bets = betting.the_bets(table)
    if bets.mode is not Mode.TWO_SIDES:
        raise betting.not_played()
    return s.short(*bets.stakes)


def _equal(table: Table) -> AgainstRules:
    return AgainstRules(
        phrase("Both sides are equal."), phrase("The partie can begin."), sums(table)
    )


def holds_rest(table: Table, _phase: StakesDue, said: HoldsRest) -> Step:
    """A player stakes the rest, the sum that one side lacks (E07-60, E00-58, ER-27)."""
    side, chips = _two_sides(table)
    bets = betting.the_bets(table)
    if not chips:
        raise _equal(table)
    _on_his_side(table, bets, Stakes(seat=said.seat, side=side, chips=chips))
    table, told = stakes(table, StakesDue(), Stakes(seat=said.seat, side=side, chips=chips))
    table = replace(table, bets=replace(betting.the_bets(table), rest=said.seat))
    return table, (*told, RestHeld(seat=said.seat, side=side, chips=chips))


def cuts(table: Table, _phase: StakesDue, _said: CutsStakes) -> Step:
    """The last stakes of the higher side are cut down to the other's sum (ER-27)."""
    side, missing = _two_sides(table)
    bets = betting.the_bets(table)
    if not missing:
        raise _equal(table)
    kept = s.cut_down(bets.stakes[1 - side], s.total(bets.stakes[side]))
    table, told = _back(table, bets.stakes[1 - side], kept)
    return replace(table, bets=on_side(bets, 1 - side, laid=kept)), told


def _back(table: Table, before: s.Stakes, after: s.Stakes) -> Step:
    """Give back the parts of the stakes `before` that the stakes `after` no longer contain."""
    told = list[Event]()
    for stake in before:
        over = stake.chips - s.laid(after, stake.place)
        if over > 0:
            table = betting.paid(table, stake.place, over)
            told.append(StakeReturned(seat=stake.place, chips=Chips(over)))
    return table, tuple(told)


def outside(table: Table, _phase: StakesDue, said: StakesOutside) -> Step:
    """A player stakes outside the bank. This gives him no share and no turn to play (E07-62)."""
    bets, given = betting.the_bets(table), betting.the_chouette(table)
    if not table.house.side_bets:
        raise betting.not_played()
    not_lost(table, bets)
    for place in (said.seat, said.holder):
        money_lies(table.felt, place, said.chips)
    own = said.seat in given.places and not said.on_giver
    own = own or (said.holder in given.places and said.on_giver)
    if own or said.seat == said.holder or said.chips <= 0:
        raise AgainstRules(
            phrase("Nobody stakes against himself."),
            phrase("Name two players, and a sum."),
            "E07-62",
        )
    bet = Beside(said.seat, said.holder, said.chips, said.on_giver)
    told = StakedOutside(
        seat=said.seat, holder=said.holder, chips=said.chips, on_giver=said.on_giver
    )
    for place in (said.seat, said.holder):
        table = betting.paid(table, place, -said.chips)
    return replace(table, bets=replace(bets, beside=s.beside(bets.beside, bet))), (told,)


def closes(table: Table, _phase: StakesDue, _said: ClosesStakes) -> Step:
    """The giver says "rien ne va plus", which closes the stakes at a house with this call (E07-7).

    At other houses the giver closes the stakes by holding the partie.
    """
    betting.the_chouette(table)
    if table.house.freezes != "rien_ne_va_plus":
        raise betting.not_played()
    not_lost(table, betting.the_bets(table))
    if betting.the_bets(table).closed:
        raise AgainstRules(
            phrase("The stakes are closed already."),
            phrase("They change only with the giver's leave."),
            book_rule(table, "7", "6", "0"),
        )
    return _shut(table)


def _shut(table: Table) -> Step:
    """Close the stakes. A bank covers them in order, up to its sum (E07-61, EDE-0)."""
    bets = replace(betting.the_bets(table), closed=True)
    table, told = _covered(betting.funded(table, bets))
    return table, (StakesShut(), *told)


def _covered(table: Table) -> Step:
    """Give back the stakes that the bank does not cover (E07-61).

    The stakes are covered in the order of the list of players (ER-41), at EDE as they were laid. A
    player whose stake is covered may then give a part of it to those left out, in the same order.
    """
    bets = betting.the_bets(table)
    if bets.bank is None:
        return table, ()
    lay = bets.stakes[1]
    if table.house.chouette != "bank":
        listed = bets.orders[1].players
        lay = tuple(sorted(lay, key=lambda stake: listed.index(stake.place)))
    found = s.covered(lay, bets.bank.holds)
    after = on_side(bets, 1, laid=found.standing)
    left_out = (*bets.left_out, *found.left_out)
    table, _ = _back(table, bets.stakes[1], found.standing)
    told = tuple(LeftOut(seat=stake.place, chips=stake.chips) for stake in found.left_out)
    return replace(table, bets=replace(after, left_out=left_out)), told


def lets_in(table: Table, _phase: StakesDue, said: LetsIn) -> Step:
    """A staker gives a part of his covered stake to the first player whose stake is not covered.

    Source: E07-61.
    """
    bets = betting.the_bets(table)
    found = Covered(bets.stakes[1], bets.left_out)
    most = s.most_let_in(found, said.seat) if table.house.shares else 0
    if not 0 < said.chips <= most:
        raise AgainstRules(
            phrase("{chips} cannot be shared so.", chips=said.chips),
            phrase("The first who was left out may have up to {most}.", most=most),
            "E07-61",
        )
    guest = bets.left_out[0].place
    money_lies(table.felt, guest, said.chips)
    table = betting.paid(betting.paid(table, guest, -said.chips), said.seat, said.chips)
    after = s.lets_in(found, said.seat, said.chips)
    bets = replace(on_side(bets, 1, laid=after.standing), left_out=after.left_out)
    told = (StakeReturned(seat=said.seat, chips=said.chips), _laid(bets, 1, guest))
    return replace(table, bets=bets), told


def stays_out(table: Table, _phase: StakesDue, _said: StaysOut) -> Step:
    """The first player whose stake is not covered declines a part; the next is asked (E07-61)."""
    bets = betting.the_bets(table)
    if not bets.left_out:
        raise AgainstRules(phrase("Nobody is left out."), phrase("The bank covers all."), "E07-61")
    left = s.stays_out(Covered((), bets.left_out)).left_out
    return replace(table, bets=replace(bets, left_out=left)), ()


def declined(table: Table, _phase: StakesDue, _said: PartieDeclined) -> Step:
    """The giver declines this partie, and the stakes are given back (E07-7, E00-6)."""
    giver = betting.the_chouette(table).giver
    betting.free(table)
    if not betting.the_bets(table).stakes[1]:
        raise _unstaked(table)
    table, back = betting.given_back(table)
    return table, (*back, PartieWithdrawn(seat=giver))


def _unstaked(table: Table) -> AgainstRules:
    by = book_rule(table, "7", "6", "0")
    return AgainstRules(phrase("Nobody has staked."), phrase("Ask for stakes."), by)


def held(table: Table, _phase: StakesDue, _said: PartieHeld) -> Step:
    """The giver holds the partie: the stakes are fixed, and the cut follows (E07-7, E07-60)."""
    told: tuple[Event, ...] = ()
    if not betting.the_bets(table).closed:
        table, told = _shut(table)
    bets = betting.the_bets(table)
    _ready(table, bets)
    left, right = players(bets)
    table, begins = begun(table, left, right)
    if table.house.chouette == "bank":  # the dealer has the bank, so there is no cut (EDE-0)
        table = at(on_partie(table, dealer=0), NoSchlitten())
        begins = (*begins, DealerFound(seat=left))
    return table, (*told, *begins)


def _ready(table: Table, bets: Bets) -> None:
    """Raise AgainstRules unless there are stakes, a player on each side, and the right sums."""
    if bets.mode is Mode.TWO_SIDES and s.short(*bets.stakes)[1]:
        left, right = map(s.total, bets.stakes)
        raise AgainstRules(
            phrase("The sides have {left} and {right}.", left=left, right=right),
            phrase("Somebody holds the rest, or the last stakes are cut."),
            sums(table),
        )
    if not bets.stakes[1]:
        raise _unstaked(table)
    if bets.chouette and bets.chouette.hand not in may_play(bets.chouette):
        raise AgainstRules(
            phrase("Seat {seat} has less than a half of the chouette.", seat=bets.chouette.hand),
            phrase("Whoever has a half holds the cards; if nobody has, the giver."),
            book_rule(table, "4", "4", "0"),
        )
    if 0 in players(bets):
        raise AgainstRules(
            phrase("Nobody plays for one side."),
            phrase("Whoever stakes on it may hold its cards."),
            book_rule(table, "3", "3", "0"),
        )


def sums(table: Table) -> str:
    """The id of the rule that the sums of both sides must be equal."""
    return book_rule(table, "60", "58", "0")


# ---- The offer "the same stakes again": the last partie's stakes, as far as they are allowed now


def stakes_again(table: Table, phase: StakesDue, _said: StakesAgain) -> Step:
    """Lay the last partie's stakes again, all at once, as if each player had named his own stake.

    A stake that the table refuses is not laid. Raises OutOfTurn if none can be laid.
    """
    told: tuple[Event, ...] = ()
    for said in _as_said(betting.the_bets(table)):
        try:
            if isinstance(said, Stakes):
                table, more = stakes(table, phase, said)
            else:
                table, more = outside(table, phase, said)
        except Refusal:
            continue
        told += more
    if not told:
        raise OutOfTurn(
            phrase("None of the last stakes can be laid again now."),
            phrase("Name each stake with its seat."),
        )
    return table, told


def _as_said(bets: Bets) -> Iterator[Stakes | StakesOutside]:
    """The inputs that would lay the last partie's stakes again, and those outside the bank.

    A player who has staked on a side already is not among them.
    """
    for side, before in enumerate(bets.previous.stakes):
        for stake in before:
            if not any(laid(now, stake.place) for now in bets.stakes):
                yield Stakes(seat=stake.place, side=side, chips=stake.chips)
    now = {(bet.place, bet.holder, bet.on_giver) for bet in bets.beside}
    for bet in bets.previous.beside:
        if (bet.place, bet.holder, bet.on_giver) not in now:
            yield StakesOutside(
                seat=bet.place, holder=bet.holder, chips=bet.chips, on_giver=bet.on_giver
            )


# ---- The bank of a chouette: how it is auctioned, laid, raised, halved and put up again


def calls_auction(table: Table, _phase: PlayersDue, _said: CallsAuction) -> Step:
    """The right to give a chouette is auctioned (E07-8)."""
    betting.for_money(table)
    if table.house.chouette != "open_and_auctioned":
        raise betting.not_played()
    return at(table, Auction()), (AuctionCalled(),)


def bids(table: Table, _phase: Auction, said: BidsFor) -> Step:
    """A player bids. His later bid replaces an earlier one (E07-8, ER-40)."""
    if said.together:
        _at_once(table, said)
    elif said.chips < (least := least_bid(table)):
        raise AgainstRules(
            phrase("{chips} is too small a stake.", chips=said.chips),
            phrase("The least is {least}.", least=least),
            "ER-40" if bids_that_stand(table) else "E07-8",
        )
    bid = Bid(said.seat, said.chips)
    money_lies(table.felt, said.seat, owed(table, bid))
    others = tuple(other for other in table.before.bids if other.place != said.seat)
    told = BidMade(seat=said.seat, chips=said.chips)
    return replace(table, before=replace(table.before, bids=(*others, bid))), (told,)


def least_bid(table: Table) -> int:
    """The least bid that is allowed. It must be higher than every bid before it (E07-8, ER-40)."""
    return max(table.house.least_bank, most_bid(table) + 1)


def most_bid(table: Table) -> int:
    """The highest bid that counts, or 0 if there is none."""
    return max((bid.chips for bid in bids_that_stand(table)), default=NONE)


def _at_once(table: Table, said: BidsFor) -> None:
    """Raise AgainstRules unless the bid equals the highest bid of another player (ER-40)."""
    first = banks.highest(bids_that_stand(table))
    if said.chips != most_bid(table) or said.seat in first or not first:
        raise AgainstRules(
            phrase("Nobody else has offered just {chips}.", chips=said.chips),
            phrase("Two offers are made together where both are the highest."),
            "ER-40",
        )


def bids_that_stand(table: Table) -> tuple[Bid, ...]:
    """The bids that count: those of players who still have the money for them (Z-3)."""
    return tuple(
        bid for bid in table.before.bids if balance(table.felt, bid.place) >= owed(table, bid)
    )


def owed(table: Table, bid: Bid) -> Chips:
    """The sum that a player with this bid must lay as his bank (E07-8).

    It is double the bid if he has just given up a chouette after he won his last partie.
    """
    return banks.owed(table.house, bid, table.before.retired or None)


def knocked_down(table: Table, _phase: Auction, said: KnockedDown) -> Step:
    """The highest bidder gets the chouette; the lot decides between equal bids (E07-8).

    If he has just given up a chouette after he won his last partie, he must lay double.
    """
    bids = bids_that_stand(table)
    if said.seat not in banks.highest(bids):
        raise AgainstRules(
            phrase("Seat {seat} has not offered most.", seat=said.seat),
            phrase("The highest has it; equal offers draw lots."),
            "E07-8",
        )
    bid = next(bid for bid in bids if bid.place == said.seat)
    return _bank_laid(table, said.seat, owed(table, bid))


def lays_bank(table: Table, _phase: PlayersDue | Succession, said: LaysBank) -> Step:
    """A player lays a bank and deals, which is allowed at EDE only (EDE-0, ER-36).

    If players drew cards, the player with the higher card may lay the bank first. After a bank was
    lost, anybody may lay one.
    """
    betting.for_money(table)
    if table.house.chouette != "bank":
        raise betting.not_played()
    present(table.felt, said.seat)
    if table.before.draws:
        lays_first(table, said.seat)
    _least(table, said.chips)
    return _bank_laid(table, said.seat, said.chips)


def _bank_laid(table: Table, seat: int, chips: Chips) -> Step:
    """Lay a new bank of `chips`, and publish who plays against it."""
    money_lies(table.felt, seat, chips)
    players = table.bets.orders[1] if table.bets else drawn_order(table, but=seat)
    players = orders.leaves(players, seat)
    bets = Bets(Mode.BANK, (Order(), players), chouette=c.given(seat), bank=banks.laid(chips))
    table = replace(table, bets=None, before=Before())
    table = at(betting.funded(table, bets), StakesDue())
    told = (BettingBegun(mode=Mode.BANK, seat=seat), *betting.bank_told(bets))
    return table, (*told, betting.order_told(bets, 1)) if players.players else told


def raises(table: Table, _phase: StakesDue, said: RaisesBank) -> Step:
    """The giver raises his bank by any sum, at any time (E07-8).

    At EDE a bank has one height, and is laid anew only when it is lost (EDE-0).
    """
    bank = _own_bank(table)
    if table.house.chouette == "bank":
        raise AgainstRules(
            phrase("The bank has one height."),
            phrase("When it is lost, another is laid."),
            "EDE-0",
        )
    not_lost(table, betting.the_bets(table))
    if said.chips <= 0:
        raise AgainstRules(
            phrase("{chips} raises nothing.", chips=said.chips), phrase("Name 1 or more."), "E07-8"
        )
    return _changed(table, banks.raised(bank, said.chips))


def halves(table: Table, _phase: StakesDue, _said: HalvesBank) -> Step:
    """The giver halves his bank, only once and not below its first sum (E07-8, ER-25)."""
    bank = _own_bank(table)
    if betting.the_bets(table).closed or not banks.may_halve(table.house, bank):
        raise AgainstRules(
            phrase("The bank cannot be halved now."),
            phrase("Once, before the stakes are closed, and not below its first sum."),
            "E07-8",
        )
    return _changed(table, banks.halved(table.house, bank))


def renews(table: Table, _phase: StakesDue, said: RenewsBank) -> Step:
    """The giver lays a fresh bank after he lost his. How often he may depends on the house.

    Source: E07-8, EDE-0.
    """
    bank = _own_bank(table)
    if not banks.may_renew(table.house, bank):
        raise AgainstRules(
            phrase("The bank cannot be put up again."),
            phrase("It must be lost, and that {most} times at most.", most=most_renewals(table)),
            book_rule(table, "8", "4", "0"),
        )
    _least(table, said.chips)
    return _changed(table, banks.renewed(table.house, bank, said.chips))


def most_renewals(table: Table) -> int:
    """How often a lost bank may be laid again in this house."""
    return table.house.most_renewals


def _own_bank(table: Table) -> Bank:
    bank = betting.the_bets(table).bank
    if bank is None:
        raise betting.not_played()
    return bank


def _least(table: Table, chips: Chips) -> None:
    if chips < table.house.least_bank:
        raise AgainstRules(
            phrase("{chips} is too small a stake.", chips=chips),
            phrase("The least is {least}.", least=table.house.least_bank),
            book_rule(table, "8", "4", "0"),
        )


def _changed(table: Table, bank: Bank) -> Step:
    bets = replace(betting.the_bets(table), bank=bank)
    return betting.funded(table, bets), betting.bank_told(bets)


# ---- After a partie: its stakes are paid one by one, and the turn to hold the cards passes on


def stake_found(table: Table, phase: PartieOver, said: StakeFound) -> Step:
    """A lost stake turned out to be another sum than was counted (E07-60, E00-58).

    The payer bears the difference.
    """
    bets = betting.the_bets(table)
    if bets.mode is not Mode.TWO_SIDES:
        raise betting.not_played()
    side = won_by(table, phase)
    if side < 0 or not s.laid(bets.stakes[1 - side], said.seat):
        raise AgainstRules(
            phrase("Seat {seat} has no stake.", seat=said.seat),
            phrase("Name who has."),
            sums(table),
        )
    least, most = may_be_found(table, bets, side, said.seat)
    if not least <= said.chips <= most:
        raise AgainstRules(
            phrase("Seat {seat} cannot have staked {chips}.", seat=said.seat, chips=said.chips),
            phrase("It may be from {least} to {most}.", least=least, most=most),
            sums(table),
        )
    before = two_sides(bets, side)
    after = replace(
        bets, found=(*s.draws_back(bets.found, said.seat), Stake(said.seat, said.chips))
    )
    now = two_sides(after, side)
    more = (now.keeps - now.adds) - (before.keeps - before.adds)
    told: tuple[Event, ...] = ()
    if more and said.seat != now.payer:
        payer, staker = (now.payer, said.seat) if more < 0 else (said.seat, now.payer)
        table, told = betting.settled(table, (Payment(payer, staker, Chips(abs(more))),))
    over = now.keeps - now.adds
    surplus = (Surplus(seat=now.payer, chips=over),) if over else ()
    return replace(table, bets=after), (*told, *surplus)


def may_be_found(table: Table, bets: Bets, side: int, place: int) -> tuple[int, int]:
    """The least and the most that a lost stake may turn out to be (Z-3).

    The chips of payer and staker limit the range. If the stake is the payer's own, it cannot exceed
    the sum that was counted, because he would pay the excess to himself.
    """
    noted = s.laid(bets.stakes[1 - side], place)
    payer = two_sides(bets, side).payer
    if place == payer:
        return 0, noted
    told = [stake.chips for stake in bets.found if stake.place == place]
    now = (told or [noted])[0]
    return max(0, now - balance(table.felt, payer)), now + balance(table.felt, place)


def settled(table: Table, phase: PartieOver, said: Onward) -> Step:
    """The stakes go back, losses are paid one by one, and the turn passes on (E07-3, E07-60)."""
    if table.bets is None:
        return onward(table, phase, said)
    side, bets = won_by(table, phase), table.bets
    played, laid = the_partie(table).seats, Previous(bets.stakes, bets.beside)
    table, back = betting.given_back(table)
    due = payments(bets, side)
    table, paid = betting.settled(table, due)
    done = replace(table.past[-1], paid=changed_hands(due))
    table = replace(table, past=(*table.past[:-1], done))
    table, over = onward(table, phase, said)
    after = betting.the_bets(table)
    if side >= 0:
        after = replace(_banked(after, due), giver_won=side == 0)
    after = _passed_on(table, _played_on(after, played, side), side)
    after = replace(after, previous=laid)
    table = at(replace(table, bets=after), StakesDue())
    told: tuple[Event, ...] = (*over, *back, *paid, *betting.bank_told(after))
    return table, (*told, *(betting.order_told(after, end) for end in _ends(after)))


def won_by(table: Table, phase: PartieOver) -> int:
    """The side that won the partie, or -1 if neither did."""
    seats = the_partie(table).seats
    return seats.index(phase.winner) if phase.winner in seats else -1


def payments(bets: Bets, side: int) -> tuple[Payment, ...]:
    """All payments of a partie that `side` won, in order (E07-60, E07-62, ER-26)."""
    if side < 0:
        return ()
    apart = rules.outside(bets.beside, giver_won=side == 0)
    if bets.chouette is None:
        told = two_sides(bets, side)
        handed = (Payment(x.place, told.payer, x.chips) for x in bets.stakes[1 - side])
        return (*handed, *told.payments)
    if bets.mode is Mode.OPEN:
        return (*rules.against(bets.chouette, bets.stakes[1], giver_won=side == 0), *apart)
    return (*rules.against_bank(bets.stakes[1], giver_won=side == 0), *apart)


def changed_hands(due: Iterable[Payment]) -> Chips:
    """The sum that passes from losers to winners by these payments.

    Chips that somebody only hands on count once.
    """
    sums: Counter[int] = Counter()
    for payment in due:
        sums[payment.payer] -= payment.chips
        sums[payment.to] += payment.chips
    return Chips(sum(chips for chips in sums.values() if chips > 0))


def two_sides(bets: Bets, side: int) -> TwoSidesShared:
    """The payments to the winners of a partie à deux côtés, and who pays them (E07-60)."""
    player = bets.orders[1 - side].hand or 0
    found = {stake.place: stake for stake in bets.found}
    lay = tuple(found.get(stake.place, stake) for stake in bets.stakes[1 - side])
    return rules.two_sides(bets.stakes[side], lay, player, bets.rest or None)


def _banked(bets: Bets, due: tuple[Payment, ...]) -> Bets:
    """The bets after the bank's win or loss (E07-8, EDE-0)."""
    if bets.bank is None:
        return bets
    change = rules.net(due).get(rules.BANK, 0)
    return replace(bets, bank=banks.played(bets.bank, change))


def _played_on(bets: Bets, played: tuple[int, int], side: int) -> Bets:
    """The bets after a partie that somebody played on in a leaver's place, and won (E00-53).

    He holds the cards on, and the leaver goes to the end of the list (E00-3, ER-44).
    """
    if side < 0 or played[side] == players(bets)[side]:
        return bets
    if side == 0 and bets.chouette:
        return replace(bets, chouette=Chouette(bets.chouette.shares, played[0]))
    rest = orders.leaves(bets.orders[side], played[side])
    gone = players(bets)[side]
    waiting = tuple(place for place in rest.players if place != gone)
    order = Order(played[side], (*waiting, gone), rest.renounced)
    return on_side(bets, side, order=order)


def _passed_on(table: Table, bets: Bets, side: int) -> Bets:
    """The bets with the order of players for the next partie.

    The loser goes to the end of his side, and the winner plays on (E07-3). At EDE the first staker
    plays (ER-28).
    """
    if table.house.chouette == "bank":
        bets = on_side(bets, 1, order=Order())
    else:
        for end in (0, 1):
            order = bets.orders[end]
            lost = side >= 0 and end != side and order.hand is not None
            bets = on_side(bets, end, order=orders.lost(order) if lost else orders.won(order))
    return bets


def _ends(bets: Bets) -> tuple[int, ...]:
    return tuple(end for end in (0, 1) if bets.orders[end].players)

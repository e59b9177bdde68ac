"""The stakes of a partie: laid, made equal, closed, covered by the bank; and holding the partie."""

from __future__ import annotations

from msgspec.structs import replace

from table_controller.engine.ecarte import chouette, purse
from table_controller.engine.ecarte.betting import Bets, Mode, on_side, players
from table_controller.engine.ecarte.betting_events import (
    LeftOut,
    PartieWithdrawn,
    RestHeld,
    StakedOutside,
    StakeLaid,
    StakeReturned,
    StakesShut,
)
from table_controller.engine.ecarte.betting_inputs import (
    ClosesStakes,
    CutsStakes,
    HoldsRest,
    LetsIn,
    PartieDeclined,
    PartieHeld,
    Stakes,
    StakesOutside,
    StakeWithdrawn,
    StaysOut,
)
from table_controller.engine.ecarte.events import DealerFound
from table_controller.engine.ecarte.opening import begun
from table_controller.engine.ecarte.phases import NoSchlitten, Phase, StakesDue
from table_controller.engine.ecarte.state import Step, Table, at, book_rule, on_partie
from table_controller.engine.messages import AgainstRules, Event, phrase
from table_controller.engine.table.seating import money_lies
from table_controller.rules.ecarte import order as orders
from table_controller.rules.ecarte import stakes as s
from table_controller.rules.ecarte.chouette import may_play
from table_controller.rules.ecarte.stakes import Beside, Covered
from table_controller.rules.money import Chips


def stakes(table: Table, _phase: Phase, said: Stakes) -> Step:
    """A player stakes on a side (E07-3, E07-7).

    A newcomer goes to the end of the side's order of players. As the order is a circle, he will
    play just before the player who holds the cards now.
    """
    bets = purse.the_bets(table)
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
    table = purse.paid(table, said.seat, -said.chips)
    laid = s.lays(bets.stakes[said.side], said.seat, said.chips)
    after = on_side(bets, said.side, laid=laid)
    told: tuple[Event, ...] = (_laid(after, said.side, said.seat),)
    order = after.orders[said.side]
    if said.seat not in order.players:
        order = orders.joins(order, said.seat, on=order.hand or 0)
        after = on_side(after, said.side, order=order)
        told = (*told, purse.order_told(after, said.side))
    table = purse.funded(table, after)
    if not bets.closed:
        return table, told
    table, more = _covered(table)
    return table, (*told, *more)


def _on_his_side(table: Table, bets: Bets, said: Stakes) -> None:
    """Raise AgainstRules if a player stakes against himself, or on the giver's side (E07-62)."""
    if said.side not in (0, 1) or (bets.chouette and said.side == 0):
        raise purse.not_played()
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
    bets = purse.the_bets(table)
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
            table = purse.paid(table, said.seat, chips)
            told.append(StakeReturned(seat=said.seat, chips=chips))
    if not told:
        raise AgainstRules(
            phrase("Seat {seat} has no stake.", seat=said.seat),
            phrase("Name who has."),
            book_rule(table, "7", "6", "0"),
        )
    rest = 0 if bets.rest == said.seat else bets.rest
    return purse.funded(table, replace(bets, rest=rest)), tuple(told)


def _two_sides(table: Table) -> tuple[int, Chips]:
    """The side with the lower stakes, and the difference. Raises AgainstRules in a chouette."""
    bets = purse.the_bets(table)
    if bets.mode is not Mode.TWO_SIDES:
        raise purse.not_played()
    return s.short(*bets.stakes)


def _equal(table: Table) -> AgainstRules:
    return AgainstRules(
        phrase("Both sides are equal."), phrase("The partie can begin."), sums(table)
    )


def holds_rest(table: Table, _phase: StakesDue, said: HoldsRest) -> Step:
    """A player stakes the rest, the sum that one side lacks (E07-60, E00-58, ER-27)."""
    side, chips = _two_sides(table)
    bets = purse.the_bets(table)
    if not chips:
        raise _equal(table)
    _on_his_side(table, bets, Stakes(seat=said.seat, side=side, chips=chips))
    table, told = stakes(table, StakesDue(), Stakes(seat=said.seat, side=side, chips=chips))
    table = replace(table, bets=replace(purse.the_bets(table), rest=said.seat))
    return table, (*told, RestHeld(seat=said.seat, side=side, chips=chips))


def cuts(table: Table, _phase: StakesDue, _said: CutsStakes) -> Step:
    """The last stakes of the higher side are cut down to the other's sum (ER-27)."""
    side, missing = _two_sides(table)
    bets = purse.the_bets(table)
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
            table = purse.paid(table, stake.place, over)
            told.append(StakeReturned(seat=stake.place, chips=Chips(over)))
    return table, tuple(told)


def outside(table: Table, _phase: StakesDue, said: StakesOutside) -> Step:
    """A player stakes outside the bank. This gives him no share and no turn to play (E07-62)."""
    bets, given = purse.the_bets(table), purse.the_chouette(table)
    if not table.house.side_bets:
        raise purse.not_played()
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
        table = purse.paid(table, place, -said.chips)
    return replace(table, bets=replace(bets, beside=s.beside(bets.beside, bet))), (told,)


def closes(table: Table, _phase: StakesDue, _said: ClosesStakes) -> Step:
    """The giver says "rien ne va plus", which closes the stakes at a house with this call (E07-7).

    At other houses the giver closes the stakes by holding the partie.
    """
    purse.the_chouette(table)
    if table.house.freezes != "rien_ne_va_plus":
        raise purse.not_played()
    not_lost(table, purse.the_bets(table))
    if purse.the_bets(table).closed:
        raise AgainstRules(
            phrase("The stakes are closed already."),
            phrase("They change only with the giver's leave."),
            book_rule(table, "7", "6", "0"),
        )
    return _shut(table)


def _shut(table: Table) -> Step:
    """Close the stakes. A bank covers them in order, up to its sum (E07-61, EDE-0)."""
    bets = replace(purse.the_bets(table), closed=True)
    table, told = _covered(purse.funded(table, bets))
    return table, (StakesShut(), *told)


def _covered(table: Table) -> Step:
    """Give back the stakes that the bank does not cover (E07-61).

    The stakes are covered in the order of the list of players (ER-41), at EDE as they were laid. A
    player whose stake is covered may then give a part of it to those left out, in the same order.
    """
    bets = purse.the_bets(table)
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
    bets = purse.the_bets(table)
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
    table = purse.paid(purse.paid(table, guest, -said.chips), said.seat, said.chips)
    after = s.lets_in(found, said.seat, said.chips)
    bets = replace(on_side(bets, 1, laid=after.standing), left_out=after.left_out)
    told = (StakeReturned(seat=said.seat, chips=said.chips), _laid(bets, 1, guest))
    return replace(table, bets=bets), told


def stays_out(table: Table, _phase: StakesDue, _said: StaysOut) -> Step:
    """The first player whose stake is not covered declines a part; the next is asked (E07-61)."""
    bets = purse.the_bets(table)
    if not bets.left_out:
        raise AgainstRules(phrase("Nobody is left out."), phrase("The bank covers all."), "E07-61")
    left = s.stays_out(Covered((), bets.left_out)).left_out
    return replace(table, bets=replace(bets, left_out=left)), ()


def declined(table: Table, _phase: StakesDue, _said: PartieDeclined) -> Step:
    """The giver declines this partie, and the stakes are given back (E07-7, E00-6)."""
    giver = purse.the_chouette(table).giver
    chouette.free(table)
    if not purse.the_bets(table).stakes[1]:
        raise _unstaked(table)
    table, back = purse.given_back(table)
    return table, (*back, PartieWithdrawn(seat=giver))


def _unstaked(table: Table) -> AgainstRules:
    by = book_rule(table, "7", "6", "0")
    return AgainstRules(phrase("Nobody has staked."), phrase("Ask for stakes."), by)


def held(table: Table, _phase: StakesDue, _said: PartieHeld) -> Step:
    """The giver holds the partie: the stakes are fixed, and the cut follows (E07-7, E07-60)."""
    told: tuple[Event, ...] = ()
    if not purse.the_bets(table).closed:
        table, told = _shut(table)
    bets = purse.the_bets(table)
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

"""The bank: how it is put up, raised, halved, shared, sold, taken over and passed on."""

from __future__ import annotations

from msgspec.structs import replace

from table_controller.engine.chemin_de_fer import events as e
from table_controller.engine.chemin_de_fer import inputs as i
from table_controller.engine.chemin_de_fer import money
from table_controller.engine.chemin_de_fer import state as s
from table_controller.engine.chemin_de_fer.money import onward
from table_controller.engine.messages import AgainstRules, Event, OutOfTurn, phrase
from table_controller.engine.table import seating
from table_controller.engine.table.felt import next_seat
from table_controller.engine.table.schlitten import NoSchlitten, enough_cards
from table_controller.rules.money import NONE, Chips


def _in_turn(table: s.Table, seat: int) -> None:
    """Raise OutOfTurn if the Schlitten is not at this player's seat (ZP-19).

    Raise AgainstRules if he must still let the bank pass, because he changed his seat (N-1).
    """
    seating.present(table.felt, seat)
    if seat != table.place:
        raise OutOfTurn(
            phrase("The Schlitten does not stand at seat {seat}.", seat=seat),
            phrase("Seat {place} puts up the pot or lets it pass.", place=table.place),
            "ZP-19",
        )
    count = s.passes_due(table, seat)
    if count:
        raise AgainstRules(
            phrase("Seat {seat} changed his seat.", seat=seat),
            phrase("Passes of the bank that he still owes: {count}.", count=count),
            "N-1",
        )


def opens_bank(table: s.Table, _phase: s.BankDue, said: i.OpensBank) -> s.Step:
    """The player opens a bank without limit.

    He puts up the bank's stake after the other players have staked (Z-5).
    """
    _in_turn(table, said.seat)
    bank = s.Bank(said.seat, NONE, open=True)
    return s.at(table, s.StakesDue(), bank=bank), (e.BankOpened(seat=said.seat),)


def banks(table: s.Table, _phase: s.BankDue, said: i.Banks) -> s.Step:
    """The player to whom the Schlitten has come puts up a pot (ZP-5)."""
    _in_turn(table, said.seat)
    new_pot(table, said.chips)
    seating.money_lies(table.felt, said.seat, said.chips)
    bank = s.Bank(said.seat, said.chips, own=said.chips)
    table = s.pay(table, said.seat, -said.chips)
    return s.at(table, s.StakesDue(), bank=bank), (e.BankPosted(seat=said.seat, pot=said.chips),)


def new_pot(table: s.Table, chips: int, *, least: int = 0, rule: str = "ZP-5") -> None:
    """Raise AgainstRules if a pot of `chips` is too small or too great. Source: ZP-5, Z-4, R-12.

    A pot is too small if it is below the house's least pot, or below `least`, the highest bid so
    far (R-41). The refusal of too small a pot cites `rule`.
    """
    house, least = table.house, max(least, table.house.least_pot)
    if chips < least:
        raise AgainstRules(
            phrase("A pot of {chips} {unit} is too small.", chips=chips, unit=house.unit),
            phrase("The least is {least} {unit}.", least=least, unit=house.unit),
            rule,
        )
    most_pot(table, chips)


def most_pot(table: s.Table, chips: int) -> None:
    """Raise AgainstRules if a pot, new or raised, exceeds the house's limit. Source: R-12, R-44."""
    house = table.house
    if house.most_pot and chips > house.most_pot:
        raise AgainstRules(
            phrase("A pot of {chips} {unit} is too great.", chips=chips, unit=house.unit),
            phrase("The most is {most} {unit}.", most=house.most_pot, unit=house.unit),
            "R-12",
        )


def stakes_bank(table: s.Table, phase: s.BankStakeDue, said: i.Banks) -> s.Step:
    """The banker of an open bank puts up the bank's stake. He may deal only after that (Z-5)."""
    bank = _held(table, said.seat)
    if said.chips < phase.least:
        raise AgainstRules(
            phrase("{chips} does not cover what was staked.", chips=said.chips),
            phrase("An open bank puts up {least} at least.", least=phase.least),
            "Z-5",
        )
    enough_cards(table.felt)
    seating.money_lies(table.felt, said.seat, said.chips)
    table = _add(s.pay(table, said.seat, -said.chips), bank, said.chips)
    pot = table.bank.pot if table.bank else NONE
    return s.at(table, s.Dealing()), (e.BankPosted(seat=said.seat, pot=pot),)


def _pot_may_change(table: s.Table, phase: s.Phase, bank: s.Bank) -> None:
    """Raise AgainstRules if the pot must not change now. Source: R-5, R-7, Z-25, N-5."""
    if isinstance(phase, s.Staking) and not (table.coup and table.coup.tie):
        raise AgainstRules(
            phrase("The pot is called, and stakes are laid against it."),
            phrase("It changes between coups."),
            "R-5",
        )
    if first_pot(table, bank):
        raise AgainstRules(
            phrase("A new Schlitten begins with just what the bank won in the last deal."),
            phrase("He may add or draw in once this coup is played."),
            "Z-25",
        )


def first_pot(table: s.Table, bank: s.Bank) -> bool:
    """Whether the pot was carried over from the last Schlitten, and no coup was dealt since.

    Source: Z-25, R-7.
    """
    return bool(bank.won) and not bank.whole and table.felt.coups < table.felt.first_coup


def raises(table: s.Table, phase: s.StakesDue | s.Staking, said: i.Raises) -> s.Step:
    """The banker adds to his pot, first from his chips that were set aside (R-7, N-5)."""
    bank = _held(table, said.seat)
    _pot_may_change(table, phase, bank)
    if bank.open and not bank.pot:
        raise OutOfTurn(
            phrase("Seat {seat} opens the bank.", seat=said.seat),
            phrase("All are asked to stake; the highest holds the cards."),
            "Z-5",
        )
    from_aside = min(bank.aside, said.chips)
    fresh = Chips(said.chips - from_aside)
    if said.chips < 1:
        raise AgainstRules(
            phrase("{chips} raises nothing.", chips=said.chips), phrase("Name 1 or more."), "R-16"
        )
    most_pot(table, bank.pot + said.chips)
    seating.money_lies(table.felt, said.seat, fresh)
    bank = replace(bank, aside=Chips(bank.aside - from_aside), pot=Chips(bank.pot + from_aside))
    table = _add(s.pay(table, said.seat, -fresh), bank, fresh)
    return s.at(table, phase), (_pot(table),)


def draws_in(table: s.Table, phase: s.StakesDue | s.Staking, said: i.DrawsIn) -> s.Step:
    """The banker takes back his chips that were set aside (R-7)."""
    bank = _held(table, said.seat)
    _pot_may_change(table, phase, bank)
    if not bank.aside:
        raise OutOfTurn(
            phrase("Nothing lies aside."), phrase("With Suite he draws in the pot."), "R-7"
        )
    table = money.out_of_bank(table, bank, bank.aside)
    return s.at(table, phase, bank=replace(bank, aside=NONE)), (
        e.PotChanged(seat=said.seat, pot=bank.pot, aside=NONE),
    )


def halves(table: s.Table, phase: s.Phase, said: i.Halves) -> s.Step:
    """The banker halves his bank. After that the players may stake again (N-3, N-5, R-33)."""
    bank = _held(table, said.seat)
    if not table.house.halving or bank.halved or s.deal_of(phase) or bank.pot < 2:
        why = (
            phrase("This bank was halved, or taken over.")
            if bank.halved
            else phrase("The bank cannot be halved now.")
        )
        raise AgainstRules(
            why, phrase("Once, before the cards of a coup, where the house allows it."), "N-5"
        )
    half = bank.pot // 2
    table = money.out_of_bank(table, bank, half)
    coup = table.coup
    if coup:
        # a player does not lose the cards if his stake shrinks only because the bank was
        # halved.
        coup = replace(coup, closed=False, held=Chips(min(coup.held, bank.pot - half)))
    kept = replace(bank, pot=Chips(bank.pot - half), halved=True)
    table = replace(table, bank=kept, coup=coup)
    after = s.Staking() if coup else s.StakesDue()
    return s.at(table, after), (_pot(table),)


def joins(table: s.Table, phase: s.StakesDue, said: i.Joins) -> s.Step:
    """A partner joins the bank, if the banker's own part is at least the least pot (Z-4, N-2)."""
    bank = table.bank
    seating.present(table.felt, said.seat)
    if bank is None or said.seat == bank.seat or said.chips < 1:
        raise AgainstRules(
            phrase(
                "Seat {seat} cannot be a partner with {chips}.", seat=said.seat, chips=said.chips
            ),
            phrase("Another player joins the bank with 1 or more."),
            "Z-4",
        )
    _pot_may_change(table, phase, bank)
    bank = money.valued(bank)
    if bank.own < table.house.least_pot:
        raise AgainstRules(
            phrase("The banker has not put up the least pot himself."),
            phrase("He puts up {least} first.", least=table.house.least_pot),
            "Z-4",
        )
    most_pot(table, bank.pot + said.chips)
    seating.money_lies(table.felt, said.seat, said.chips)
    parts = dict(bank.partners)
    parts[said.seat] = Chips(parts.get(said.seat, 0) + said.chips)
    bank = replace(bank, pot=Chips(bank.pot + said.chips), partners=tuple(parts.items()))
    table = replace(s.pay(table, said.seat, -said.chips), bank=bank)
    told = e.PartnerJoined(seat=said.seat, chips=said.chips, pot=bank.pot)
    return s.at(table, s.StakesDue()), (told,)


def _held(table: s.Table, seat: int) -> s.Bank:
    """The bank of the player at `seat`. Raises OutOfTurn if he is not the banker."""
    if table.bank is None or table.bank.seat != seat:
        raise OutOfTurn(
            phrase("Seat {seat} does not hold the bank.", seat=seat),
            phrase("Only the banker can do that."),
        )
    return table.bank


def _add(table: s.Table, bank: s.Bank, chips: Chips) -> s.Table:
    bank = money.valued(bank)
    own, pot = Chips(bank.own + chips), Chips(bank.pot + chips)
    return replace(table, bank=replace(bank, own=own, pot=pot))


def _pot(table: s.Table) -> e.PotChanged:
    bank = table.bank
    if bank is None:
        raise ValueError("there is no bank")
    return e.PotChanged(seat=bank.seat, pot=bank.pot, aside=bank.aside)


# Giving it up


def passes(table: s.Table, _phase: s.Phase, said: i.Passes) -> s.Step:
    """The player lets the Schlitten pass to the next seat, and takes back his pot (ZP-19, R-32).

    If the house allows it and the bank has won, another player may first take it over (N-7).
    """
    if said.seat != (table.bank.seat if table.bank else table.place):
        raise OutOfTurn(
            phrase("The Schlitten does not stand at seat {seat}.", seat=said.seat),
            phrase("Only the player who has it can let it pass."),
            "ZP-19",
        )
    bank, lies = table.bank, bool(table.coup and table.coup.stakes)
    if bank and bank.pot and (bank.won or lies) and table.house.sale == "take_over":
        # N-7: after a tie the bank is worth its pot in that coup, whatever was halved or raised
        # since.
        pot = (table.coup and table.coup.tie_pot) or bank.pot
        told = e.AuctionBegun(seat=said.seat, pot=pot)
        return s.at(money.end_bank(table), s.TakeOver(said.seat, pot)), (told,)
    if lies:
        raise AgainstRules(
            phrase("Stakes lie against this bank."),
            phrase("They are taken back first, or the coup is played."),
            "R-5",
        )
    seating.present(table.felt, said.seat)
    count = s.passes_due(table, said.seat)
    if bank is None and count:
        table = s.due_to_pass(table, said.seat, count - 1)
    return _passed_on(money.end_bank(table), said.seat)


def goes_home(table: s.Table, _phase: NoSchlitten, said: i.Passes) -> s.Step:
    """Between two Schlitten the banker takes his money and goes (R-57).

    Raises AgainstRules while a tie is still to be replayed. The next Schlitten begins at the next
    seat.
    """
    bank = _held(table, said.seat)
    if table.coup:
        raise AgainstRules(
            phrase("The stakes of a tie lie against this bank."),
            phrase("Annul the tie first: its stakes go back."),
            "R-57",
        )
    table = replace(money.end_bank(table), place=next_seat(table.felt, table.place))
    told = e.PotChanged(seat=bank.seat, pot=NONE, aside=NONE)
    return s.at(table, table.phase), (told,)


def _passed_on(table: s.Table, seat: int, after: s.Phase | None = None) -> s.Step:
    to = next_seat(table.felt, table.place)
    table = replace(money.give_back(table), place=to)
    return s.at(table, after or onward(table)), (e.SchlittenPassed(seat=seat, to=to),)


def may_sell(table: s.Table, bank: s.Bank) -> bool:
    """Whether the bank has won and no card of the next coup is dealt (ZP-18, Z-23, R-39)."""
    return table.house.sale == "auction" and bool(bank.won) and not s.deal_of(table.phase)


def suite(table: s.Table, phase: s.Phase, said: i.Suite) -> s.Step:
    """The banker says "Suite": he takes the pot that he won, and the bank is sold (ZP-18, R-28).

    Stakes against the bank are given back (R-39). If the cards were being counted or mixed, that
    work goes on after the sale (Z-25).
    """
    bank = _held(table, said.seat)
    if not may_sell(table, bank):
        raise AgainstRules(
            phrase("Suite is for a banker who has just won."),
            phrase("He plays on, or lets the Schlitten pass."),
            "ZP-18",
        )
    after = phase if isinstance(phase, NoSchlitten | s.Over) else None
    partners = tuple(seat for seat, _ in bank.partners)
    told = e.AuctionBegun(seat=bank.seat, pot=bank.pot)
    table = money.end_bank(money.give_back(table))
    return s.at(table, s.Auction(bank.seat, partners, bank.sellers, after=after)), (told,)


def standing_bids(table: s.Table, phase: s.Auction) -> list[s.Stake]:
    """The bids that count: those of players who still have the money for them (Z-3)."""
    return [bid for bid in phase.bids if money.able(table, bid.seat, bid.chips)]


def bids(table: s.Table, phase: s.Auction, said: i.Bids) -> s.Step:
    """A player offers a pot for the bank that is for sale (ZP-18).

    Raises AgainstRules if the pot is smaller than the highest offer so far (R-41).
    """
    seating.money_lies(table.felt, said.seat, said.chips)
    new_pot(table, said.chips)
    if said.seat == phase.seller:
        raise AgainstRules(
            phrase("Seat {seat} sells this bank.", seat=said.seat),
            phrase("Others bid for it."),
            "ZP-18",
        )
    best = max((bid.chips for bid in standing_bids(table, phase)), default=NONE)
    new_pot(table, said.chips, least=best, rule="R-41")
    others = tuple(bid for bid in phase.bids if bid.seat != said.seat)
    phase = replace(phase, bids=(*others, s.Stake(said.seat, said.chips)))
    return s.at(table, phase), (e.BidMade(seat=said.seat, chips=said.chips),)


def sold(table: s.Table, phase: s.Auction | s.TakeOver, _said: i.Sold) -> s.Step:
    """The croupier ends the sale. The highest bidder gets the bank, and his bid is the new pot.

    If there is no bid, the Schlitten passes on to the next seat (R-28).
    """
    if isinstance(phase, s.TakeOver):
        return _passed_on(table, phase.giver)
    bids = standing_bids(table, phase)
    if not bids:
        return _passed_on(table, phase.seller, phase.after)
    # Nobody has the bank now, so the round begins with the prime. Seated players come before
    # standing players.
    around = money.round_table(table)
    best = max(
        bids,
        key=lambda bid: (
            bid.chips,
            -(around.index(bid.seat) if bid.seat in around else len(around) + bid.seat),
        ),
    )
    sellers = (*phase.sellers, s.Seller(phase.seller, phase.partners, best.chips))
    bank = s.Bank(best.seat, best.chips, own=best.chips, sellers=sellers)
    table = replace(s.pay(table, best.seat, -best.chips), bank=bank)
    told = e.BankSold(seat=phase.seller, to=best.seat, pot=best.chips)
    posted = e.BankPosted(seat=best.seat, pot=best.chips)
    return s.at(table, phase.after or s.StakesDue()), (told, posted)


def takes_over(table: s.Table, phase: s.TakeOver, said: i.TakesOver) -> s.Step:
    """Another player takes over the bank with a pot of the same size.

    He may not halve it (N-7, R-33).
    """
    if said.seat == phase.giver or (table.coup and table.coup.stake_of(said.seat)):
        raise AgainstRules(
            phrase("Seat {seat} cannot take this bank over.", seat=said.seat),
            phrase("Another player, with no stake against it, takes it."),
            "N-7",
        )
    seating.money_lies(table.felt, said.seat, phase.pot)
    bank = s.Bank(said.seat, phase.pot, own=phase.pot, halved=True, giver=phase.giver)
    table = replace(s.pay(table, said.seat, -phase.pot), bank=bank)
    told: tuple[Event, ...] = (
        e.BankSold(seat=phase.giver, to=said.seat, pot=phase.pot),
        e.BankPosted(seat=said.seat, pot=phase.pot),
    )
    return s.at(table, onward(table)), told

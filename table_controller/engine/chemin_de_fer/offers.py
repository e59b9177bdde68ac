"""The inputs that the table would accept now: the page's buttons, a simulated player's choices."""

from __future__ import annotations

from collections.abc import Iterable

from table_controller.engine.chemin_de_fer import inputs as i
from table_controller.engine.chemin_de_fer import money
from table_controller.engine.chemin_de_fer import state as s
from table_controller.engine.chemin_de_fer.bank import first_pot, may_sell, standing_bids
from table_controller.engine.chemin_de_fer.deal import (
    Playing,
    banker_can_throw,
    bound,
    by_schlitten,
    can_admit,
    mendable,
)
from table_controller.engine.chemin_de_fer.house_keeping import (
    correctable,
    face_up_card,
    may_declare,
    may_take_back,
    unread_voids,
)
from table_controller.engine.chemin_de_fer.money import lacking, undoable
from table_controller.engine.chemin_de_fer.stakes import claimable, fitting, goes_before
from table_controller.engine.chemin_de_fer.step import CASES, last_word
from table_controller.engine.messages import Phrase, phrase
from table_controller.engine.table import devices, paying
from table_controller.engine.table import inputs as ti
from table_controller.engine.table import offers as to
from table_controller.engine.table.devices import failing, stopped
from table_controller.engine.table.felt import (
    MisdealDue,
    Stop,
    Stray,
    Unread,
    WhiteDisputed,
    balance,
    disputed,
    places,
    player,
)
from table_controller.engine.table.offers import (
    MOST_BROUGHT,
    Offers,
    Range,
    amount,
    annulling,
    holding,
    offer,
    one_of,
)
from table_controller.engine.table.schlitten import PREPARING, NoSchlitten, ended, short
from table_controller.rules.chemin_de_fer.house import House
from table_controller.rules.chemin_de_fer.tableau import Duty

# ---- The buttons about the bank: put it up, raise, share, halve, sell, take over or pass it on

#: Up to this many offers of a kind get a big button each.
BIG = 2


def bank_due(table: s.Table) -> Offers:
    """The offers to put up a pot, or to let the Schlitten pass."""
    house, seat = table.house, table.place
    who = player(table.felt, seat)
    balance = who.balance if who else 0
    passing = offer(i.Passes, phrase("seat {seat} passes", seat=seat), seat=seat)
    if who is None or s.passes_due(table, seat):
        return passing
    most = min(balance, house.most_pot) if house.most_pot else balance
    return (
        *offer(
            i.Banks,
            phrase("seat {seat} banks", seat=seat),
            amount(house.least_pot, most),
            seat=seat,
        ),
        *passing,
        *offer(i.OpensBank, phrase("open bank"), group="more", seat=seat),
    )


def between(table: s.Table, bank: s.Bank) -> Offers:
    """The banker's offers before anybody plays against him."""
    passing = offer(i.Passes, phrase("the banker passes"), group="more", seat=bank.seat)
    return (*suite_offer(table), *own_bank(table, bank), *_joining(table, bank), *passing)


def going_home(table: s.Table) -> Offers:
    """The offers to end the evening between two Schlitten (R-57).

    The croupier can annul a tie that was not replayed, or the banker can go home.
    """
    if table.coup:
        return annulling("more")
    if table.bank is None:
        return ()
    seat = table.bank.seat
    return offer(i.Passes, phrase("the banker passes"), group="more", seat=seat)


def suite_offer(table: s.Table) -> Offers:
    """The offer to say "Suite", until the first card of the next coup (ZP-18, R-39).

    The offer is there even while the cards are mixed.
    """
    bank = table.bank
    if bank is None or not may_sell(table, bank):
        return ()
    return offer(i.Suite, phrase("Suite"), group="more", seat=bank.seat)


def own_bank(table: s.Table, bank: s.Bank) -> Offers:
    """The banker's offers about his own bank between coups."""
    if first_pot(table, bank) or bank.open:
        return halving(table, bank)
    house = table.house
    most = bank.aside + balance(table.felt, bank.seat)
    if house.most_pot:
        most = min(most, house.most_pot - bank.pot)
    offered = offer(
        i.Raises, phrase("raise the pot"), amount(1, most), group="more", seat=bank.seat
    )
    if bank.aside:
        drawn = phrase("draw in what lies aside")
        offered += offer(i.DrawsIn, drawn, group="more", seat=bank.seat)
    return (*offered, *halving(table, bank))


def halving(table: s.Table, bank: s.Bank) -> Offers:
    """The offer to halve the bank, once, before the first card (N-3, N-5, R-44).

    There is none if the house does not allow halving.
    """
    if not table.house.halving or bank.halved or bank.pot < 2 or s.deal_of(table.phase):
        return ()
    return offer(i.Halves, phrase("halve the bank"), group="more", seat=bank.seat)


def _joining(table: s.Table, bank: s.Bank) -> Offers:
    """The offer for a player to join the bank as a partner (Z-4, N-2)."""
    house = table.house
    if bank.open or first_pot(table, bank) or money.valued(bank).own < house.least_pot:
        return ()
    others = holding(table.felt, (place for place in places(table.felt) if place != bank.seat))
    most = max((most or 0 for _, most in others.values()), default=0)
    if house.most_pot:
        most = min(most, house.most_pot - bank.pot)
    return offer(
        i.Joins,
        phrase("a partner joins the bank"),
        one_of(table.felt, others),
        amount(1, most, house.least_pot),
        group="more",
    )


def stake_due(table: s.Table, bank: s.Bank, least: int) -> Offers:
    """The offer to put up the open bank's stake (Z-5).

    A banker without enough chips buys in first (Z-3).
    """
    missing = least - balance(table.felt, bank.seat)
    if missing > 0:
        buys = phrase("seat {seat} buys in", seat=bank.seat)
        brought = amount(min(missing, MOST_BROUGHT), MOST_BROUGHT)  # again, if that is not enough
        return offer(ti.BuysIn, buys, brought, seat=bank.seat)
    most = balance(table.felt, bank.seat)
    return offer(i.Banks, phrase("the bank's stake"), amount(least, most), seat=bank.seat)


def at_auction(table: s.Table, phase: s.Auction) -> Offers:
    """The offers to bid for the bank, and to end the auction (ZP-18)."""
    house = table.house
    best = max((bid.chips for bid in standing_bids(table, phase)), default=0)
    offered = offer(i.Sold, phrase("sold"), hold=True)
    for seat in places(table.felt):
        most = balance(table.felt, seat)
        if house.most_pot:
            most = min(most, house.most_pot)
        if seat != phase.seller:
            label = phrase("seat {seat} bids", seat=seat)
            bid = amount(max(best, house.least_pot), most, best + house.least_pot)
            offered += offer(i.Bids, label, bid, group="more", seat=seat)
    return offered


def taking_over(table: s.Table, phase: s.TakeOver) -> Offers:
    """The offer to take over the bank, for everybody with enough chips for its pot (N-7)."""
    coup = table.coup
    takers = [
        seat
        for seat in places(table.felt)
        if seat != phase.giver
        and money.able(table, seat, phase.pot)
        and not (coup and coup.stake_of(seat))
    ]
    offered: Offers = ()
    for index, seat in enumerate(takers):
        label = phrase("seat {seat} takes over", seat=seat)
        group = "main" if index < BIG else "more"
        offered += offer(i.TakesOver, label, group=group, seat=seat)
    return (*offered, *offer(i.Sold, phrase("nobody"), hold=True))


# ---- The offers to type a card: one that is due, one that may come, or one that left by mistake

#: Phases in which a card is due, ...
_DUE = s.Dealing | s.ThirdCardDue | s.BankerCardDue
#: ... and phases in which a card may come unannounced: as a draw, a replay's first card or a deal's
#: first.
_WELCOME = s.BankerToChoose | s.Settled | s.Staking
#: Phases whose next card is dealt open (Z-9).
_THIRD = s.ThirdCardDue | s.BankerToChoose | s.BankerCardDue


def cards_by_hand(table: s.Table) -> to.Offers:
    """The offers to type a card that left the Schlitten, instead of having it read (R-13)."""
    phase = s.foremost(table)
    group = "main" if isinstance(phase, _DUE) else "mistake"
    group = "more" if isinstance(phase, _WELCOME) else group
    return to.cards_by_hand(table.felt, group, lies_open=isinstance(phase, _THIRD))


# ---- Inputs that people at a chemin de fer table may send at any time, including declarations


def people(table: s.Table) -> to.Offers:
    """The offers about people, which the page shows after one tap on "people"."""
    return to.people(
        table.felt,
        [place for place in places(table.felt) if not s.in_play(table, place)],
        brings=brings(table),
        between=may_declare(table.phase),
        come=not isinstance(s.foremost(table), s.PlayersDue),
        own=_declarations(table),
    )


def brings(table: s.Table) -> int:
    """The sum that a newcomer probably brings, which the page suggests."""
    return 10 * table.house.least_pot


def _declarations(table: s.Table) -> to.Offers:
    """The offers to declare, before the first card, who plays by the Schlitten (R-25)."""
    if not may_declare(table.phase):
        return ()
    free = [place for place in places(table.felt) if place not in table.by_schlitten]
    by, freely = phrase("plays by the Schlitten"), phrase("plays free again")
    return (
        *_declares(table, by, free, by_schlitten=True),
        *_declares(table, freely, table.by_schlitten, by_schlitten=False),
    )


def _declares(
    table: s.Table, label: Phrase, who: Iterable[int], *, by_schlitten: bool
) -> to.Offers:
    picks = to.one_of(table.felt, who)
    return to.offer(i.Declares, label, picks, group="people", by_schlitten=by_schlitten)


# ---- The buttons for things that went wrong: a stop, a mistake, a supervisor's repair

#: Phases in which the table waits for a person before anything else goes on.
STANDING_STILL = Stop | s.ClaimDisputed


def repairs(table: s.Table) -> Offers:
    """The offers while something has stopped the table."""
    match s.foremost(table):
        case Stray():
            replay = table.coup is not None and table.coup.tie  # a replay waits for cards
            void = lacking(table) and not replay and not disputed(table.felt)
            annul = for_want_of_cards() if void else ()
            return (*to.stray(coup=s.under_way(table)), *annul)
        case Unread():
            return to.unread(table.felt)
        case WhiteDisputed():
            return to.white(coup=s.under_way(table))
        case MisdealDue():
            losable = s.deal_of(table.phase) is not None
            offered: Offers = ()
            if mendable(table) or not losable:
                offered = offer(i.PutRight, phrase("put right (retablir)"))
            if losable:
                offered += offer(i.BankLoses, phrase("the bank loses"), hold=True)
            return offered
        case s.ClaimDisputed():
            counts = offer(i.CardCounts, phrase("the card counts"), to.STAFF, hold=True)
            stands = offer(i.LetStand, phrase("let it stand"), to.STAFF, hold=True)
            return (*counts, *stands, *to.annulling("main"))
        case _:
            return ()


def for_want_of_cards() -> Offers:
    """The offer to annul a coup that cannot begin, because too few cards are left (Z-24, R-37)."""
    return offer(ti.Annulled, phrase("annul the coup"), hold=True, reason="Z-24")


def mistakes(table: s.Table) -> Offers:
    """The offers to report mistakes, one tap away under "mistake"."""
    bank, coup, phase = table.bank, table.coup, s.foremost(table)
    offered: Offers = ()
    if may_take_back(table):
        offered += to.taking_back(last_word(table))
    if bank is None or coup is None:
        return offered
    offered += _exposed(phase, coup.pointeur, bank.seat)
    dealing = isinstance(phase, s.Dealing) and phase.deal
    throwing = (coup.pointeur,) if isinstance(phase, Playing) else ()
    for seat in (*throwing, bank.seat) if banker_can_throw(table) else throwing:
        thrown = phrase("seat {seat} threw his cards away", seat=seat)
        offered += offer(i.Throws, thrown, group="mistake", hold=True, seat=seat)
    if (dealing or isinstance(phase, s.PointeurToSpeak)) and face_up_card(phase):
        up = phrase("the last card lay face up in the pack")
        face_up = ti.StrayRuling.FACE_UP
        offered += offer(ti.StrayRuled, up, group="mistake", hold=True, ruling=face_up)
    if isinstance(phase, Playing) or dealing:
        offered += offer(ti.Misdealt, phrase("dealt wrongly"), group="mistake")
    if isinstance(phase, s.BankerToChoose):
        offered += _faux(table, phase.deal, coup.pointeur)
    return offered


def _faux(table: s.Table, deal: s.Deal, pointeur: int) -> Offers:
    """The offers about a faux tirage: the pointeur gives a card back, or opens his hand as proof.

    Source: Z-21, R-38.
    """
    if can_admit(table, deal):
        admitted = phrase("the pointeur admits a faux tirage")
        return offer(i.AdmitsFaux, admitted, group="mistake", seat=pointeur)
    if deal.claimed and not deal.thrown:
        label = phrase("pointeur opened")
        return offer(i.Opened, label, group="mistake", hold=True, seat=pointeur)
    return ()


def _exposed(phase: s.Awaited, pointeur: int, banker: int) -> Offers:
    """The offers to report that closed cards were exposed (Z-6, Z-8, Z-10)."""
    first = isinstance(phase, s.Dealing) and phase.deal
    four = isinstance(phase, s.PointeurToSpeak) and phase.deal
    offered: Offers = ()
    if (first and not first.lies_open(first.pointeur)) or (four and not four.pointeur_open):
        label = phrase("the pointeur's card was laid open")
        offered = offer(i.Exposed, label, group="mistake", hold=True, seat=pointeur)
    if four and not four.banker_open:
        label = phrase("the bank's cards were laid open")
        offered += offer(i.Exposed, label, group="mistake", hold=True, seat=banker)
    return offered


# For a supervisor


def supervisor(table: s.Table) -> Offers:
    """The offers that need a supervisor, most of them with a reason (R-20, Z-27)."""
    phase = s.foremost(table)
    offered: Offers = ()
    due = isinstance(phase, s.StakesDue) and short(table.felt)
    if isinstance(phase, s.PlayersDue | s.BankDue | s.StakesDue) and not due:
        offered += to.closing_early()
    first = isinstance(table.phase, s.Settled | s.Auction | s.TakeOver)
    if isinstance(phase, Unread) and not s.cards_lie(table):
        offered += to.burning()
    if (type(phase), ti.ThrownAway) in CASES and not first:
        offered += to.throwing_away()
    if _voidable(table):
        offered += to.annulling(asked=devices.stopped(table.felt.alerts))
    return (*offered, *_correction(table), *to.transferring(table.felt), *to.ruling())


def _voidable(table: s.Table) -> bool:
    if disputed(table.felt) or isinstance(s.foremost(table), s.ClaimDisputed):
        return False  # the white card comes first; or it is one of the three main offers
    phase = s.foremost(table)
    if isinstance(phase, s.Settled):
        return undoable(table, phase)
    still = Stray | Unread | s.Settled | s.Over | NoSchlitten | s.Auction | s.TakeOver
    if isinstance(phase, Unread):
        return unread_voids(table)
    return not isinstance(phase, still) and table.coup is not None


def _correction(table: s.Table) -> Offers:
    """The offer to correct a misread card.

    The screen does not show the card that is typed (R-20).
    """
    hands = correctable(table)
    labels = {"pointeur": phrase("pointeur, card {n}"), "banker": phrase("bank, card {n}")}
    cards = (
        (dealt.ordinal, phrase(label.text, n=number), f"{name}-{number}")
        for hand, (name, label) in zip(hands, labels.items(), strict=True)
        for number, dealt in hand
    )
    return to.correcting(table.felt, cards)


# ---- Labels that depend on the house: the words with which the croupier closes the stakes


def closing_words(house: House, *, staked: bool) -> Phrase:
    """The label of the button that closes the stakes, in this house's words (ZP-16, N-3).

    `staked` says whether anybody has staked.
    """
    if not staked:
        return phrase("nobody stakes")
    if house.stakes == "highest":
        return phrase("rien ne va plus")
    return phrase("nichts geht mehr, ab dafür")


# ---- The buttons for stakes: the four games, better rights to be pointeur, stakes, and their end

_WITH_PARTNER = phrase("Banco with a partner"), phrase("better right: Banco with a partner")
_WITH_TABLE = phrase("Banco with the table"), phrase("better right: Banco with the table")


def stakes_due(table: s.Table, bank: s.Bank) -> Offers:
    """The offers once the pot is put up: to be pointeur, or to let all stake (ZP-15, ZP-16)."""
    if table.house.stakes == "games" and not bank.open:
        return (*claims(table, bank, BIG), *offer(i.OpenGame, phrase("all may stake")))
    opened = offer(i.OpenGame, phrase("all may stake"))
    return (*opened, *_again(table), *_stakes(table))


def claims(free: s.Table, bank: s.Bank, big: int = 0) -> Offers:
    """The offers to come forward as pointeur in game I, II or III; the first `big` are big buttons.

    `free` is the table as it would be if all stakes were returned (ZP-15).
    """
    everybody = list(places(free.felt))
    solo: Offers = ()
    for index, seat in enumerate(_solo(free, free, bank)):
        label = phrase("seat {seat}: Banco solo", seat=seat)
        solo += offer(i.Banco, label, group="main" if index < big else "more", seat=seat)
    return (
        *solo,
        *_with_partner(free, bank, everybody, _WITH_PARTNER[0]),
        *_with_table(free, bank, everybody, _WITH_TABLE[0]),
    )


def _solo(table: s.Table, free: s.Table, bank: s.Bank) -> list[int]:
    """The players who have chips for the whole pot, the best right first (R-9).

    `free` is the table as it would be if all stakes were returned.
    """
    able = [seat for seat in places(table.felt) if money.able(free, seat, bank.pot)]
    return sorted(able, key=lambda seat: money.rank(table, seat, i.Play.BANCO_SOLO))


def _with_partner(free: s.Table, bank: s.Bank, seats: list[int], label: Phrase) -> Offers:
    """The offer of game II, in which one of `seats` and a partner stake the whole pot (ZP-15)."""
    least = min(free.house.least_stake, bank.pot)
    has = {at: balance(free.felt, at) for at in places(free.felt) if money.able(free, at, least)}
    pairs = [
        (one, other)
        for one in seats
        for other in has
        if one in has and one != other and has[one] + has[other] >= bank.pot
    ]
    pointeurs: dict[int, Range] = {one: (None, has[one]) for one, _ in pairs}
    partners: dict[int, Range] = {other: (bank.pot - has[other], None) for _, other in pairs}
    return offer(
        i.BancoWithPartner,
        label,
        one_of(free.felt, pointeurs),
        one_of(free.felt, partners, "partner", phrase("partner")),
        amount(least, bank.pot - least, -(-bank.pot // 2)),
        group="more",
    )


def _with_table(free: s.Table, bank: s.Bank, seats: list[int], label: Phrase) -> Offers:
    """The offer of game III, in which one of `seats` stakes at least half of the pot.

    The other players stake the rest (ZP-15).
    """
    half = max(-(-bank.pot // 2), free.house.least_stake)
    able = (seat for seat in seats if money.able(free, seat, half))
    return offer(
        i.BancoWithTable,
        label,
        one_of(free.felt, holding(free.felt, able, half)),
        amount(half, bank.pot - 1),
        group="more",
    )


def better_rights(table: s.Table, bank: s.Bank) -> Offers:
    """The offers for players who may still take the pointeur's place (R-9, R-24, Z-7)."""
    coup, deal = table.coup, s.deal_of(table.phase)
    if coup is None or not claimable(coup, deal):
        return ()
    held = money.rank(table, coup.pointeur, coup.play)

    def better(play: i.Play) -> list[int]:
        return [seat for seat in places(table.felt) if money.rank(table, seat, play) < held]

    offered: Offers = ()
    if deal:  # the deal has begun: the stakes stay as they are
        stake = coup.stake_of(coup.pointeur)
        for seat in better(coup.play):
            if money.able(table, seat, stake):
                label = phrase("better right: seat {seat}", seat=seat)
                offered += offer(i.Banco, label, group="more", seat=seat)
        return offered
    free = money.give_back(table)
    solo = better(i.Play.BANCO_SOLO)
    for seat in _solo(table, free, bank):
        if seat in solo:
            label = phrase("better right: seat {seat}, Banco solo", seat=seat)
            offered += offer(i.Banco, label, group="more", seat=seat)
    return (
        *offered,
        *_with_partner(free, bank, better(i.Play.BANCO_PARTNER), _WITH_PARTNER[1]),
        *_with_table(free, bank, better(i.Play.BANCO_TABLE), _WITH_TABLE[1]),
    )


def while_staking(table: s.Table, bank: s.Bank) -> Offers:
    """The offers while all may stake, until the stakes are closed."""
    coup, house = table.coup, table.house
    staked = coup is not None and bool(coup.stakes)
    closes: Offers = ()
    if not (coup and coup.closed):
        closes = offer(ti.Closes, closing_words(house, staked=staked))
    passing: Offers = ()
    if not staked or (house.sale == "take_over" and bank.pot):
        passing = offer(i.Passes, phrase("the banker passes"), group="more", seat=bank.seat)
    own = own_bank(table, bank) if coup and coup.tie else halving(table, bank)
    banco = claims(money.give_back(table), bank) if coup and goes_before(table, coup) else ()
    lying = (*_stakes(table), *_withdrawals(table))
    return (*closes, *_again(table), *banco, *lying, *own, *passing)


def _again(table: s.Table) -> Offers:
    """The offer to lay all allowed stakes of the previous coup again with one tap."""
    if not fitting(table):
        return ()
    return offer(i.StakesAgain, phrase("the same stakes again"))


def _stakes(table: s.Table) -> Offers:
    """The offer to stake, for everybody who may stake.

    It suggests the player's previous stake, or else the least stake.
    """
    coup, least = table.coup, table.house.least_stake
    last = {stake.seat: stake.chips for stake in table.previous}
    dealt = s.deal_of(table.phase) is not None
    offered: Offers = ()
    for seat in _stakers(table):
        lies = coup.stake_of(seat) if coup else 0
        begin = lies or last.get(seat, least)
        sum_ = amount(max(least, lies if dealt else 0), lies + balance(table.felt, seat), begin)
        label = phrase("seat {seat} stakes", seat=seat)
        offered += offer(i.Stakes, label, sum_, group="more", lies=lies, seat=seat)
    return offered


def _stakers(table: s.Table) -> list[int]:
    """The players who may stake.

    The pointeur of game III is not among them, because he has already named his stake (ZP-15).
    """
    coup = table.coup
    named = coup.pointeur if coup and coup.play is i.Play.BANCO_TABLE else 0
    return [seat for seat in places(table.felt) if seat != named and money.able(table, seat, 0)]


def _withdrawals(table: s.Table) -> Offers:
    """The offer to take back a stake before the deal (ZP-16, N-3)."""
    coup = table.coup
    if coup is None or coup.closed:
        return ()
    lying = [seat for seat in _stakers(table) if coup.stake_of(seat)]
    label = phrase("takes his stake back")
    who = one_of(table.felt, lying)
    return offer(i.Stakes, label, who, group="more", clears=True, chips=0)


def late_stakes(table: s.Table) -> Offers:
    """The offers about stakes after the deal, while the pointeur has not taken up his cards.

    They exist only at houses where the highest stake plays the cards (N-3).
    """
    coup, phase = table.coup, table.phase
    if coup is None or coup.taken_up or table.house.stakes != "highest":
        return ()
    offered: Offers = ()
    if isinstance(phase, s.PointeurToSpeak):
        taken = phrase("seat {seat} takes up its cards", seat=coup.pointeur)
        offered = offer(i.TakesUp, taken, group="more", seat=coup.pointeur)
    if coup.closed:
        return (*offered, *_with_consent(table, coup))
    closes = offer(ti.Closes, closing_words(table.house, staked=True), group="more")
    return (*offered, *closes, *_stakes(table))


def _with_consent(table: s.Table, coup: s.Coup) -> Offers:
    """The offer to stake after "rien ne va plus", with the banker's consent (N-3)."""
    has = {seat: coup.stake_of(seat) + balance(table.felt, seat) for seat in _stakers(table)}
    least = table.house.least_stake
    able: dict[int, Range] = {seat: (None, most) for seat, most in has.items() if most >= least}
    return offer(
        i.Stakes,
        phrase("a stake with the banker's consent"),
        one_of(table.felt, able),
        amount(least, max(has.values(), default=0)),
        group="more",
        consent=True,
    )


def while_sharing(table: s.Table, phase: s.Sharing) -> Offers:
    """The offers to the player who is asked about the part of the pot that nobody staked (R-21)."""
    seat = phase.seats[0]
    most = min(phase.missing, balance(table.felt, seat))
    takes, refuses = (
        phrase("seat {seat} takes", seat=seat),
        phrase("seat {seat} declines", seat=seat),
    )
    return (
        *offer(i.Stakes, takes, amount(1, most, most), seat=seat),
        *offer(i.Declines, refuses, seat=seat),
    )


# ---- The inputs that the table would accept now: the page's buttons, a simulated player's choices


def offers(table: s.Table) -> Offers:
    """Every input that a person may send now, the most likely first."""
    still = stopped(table.felt.alerts)  # everything else waits for a ruling
    return (
        *(to.lid_ruling() if still else _due(table)),
        *people(table),
        *(() if still else mistakes(table)),
        *supervisor(table),
        *to.acknowledging(table.felt),
    )


def _due(table: s.Table) -> Offers:
    """The offers that are due, and those that go with them."""
    match s.foremost(table):
        case NoSchlitten(done=done):
            load = to.loading(table.felt, more=done < len(PREPARING))
            return (*load, *suite_offer(table), *going_home(table))
        case s.PlayersDue():
            return to.sits(table.felt, "main", brings(table))
        case s.BankDue():
            return bank_due(table)
        case s.Settled() as settled:
            return _settled(table, settled)
        case s.Over():
            return (*to.closing(), *suite_offer(table))
        case phase if isinstance(phase, STANDING_STILL):
            return repairs(table)
        case _:
            return _played(table, table.bank) if table.bank else _sold(table)


def _settled(table: s.Table, phase: s.Settled) -> Offers:
    """The offers to settle each line of the settlement, and all lines together (Z-26)."""
    again = phase.record.winner is None and not ended(table.felt)
    label = phrase("deal again") if again else phrase("all paid")
    return paying.offers(phase.payments, label, hold=not again)


def _sold(table: s.Table) -> Offers:
    """The offers while the bank is for sale, or may be taken over."""
    match table.phase:
        case s.Auction() as auction:
            return at_auction(table, auction)
        case s.TakeOver() as take_over:
            return taking_over(table, take_over)
        case _:
            return ()


def _played(table: s.Table, bank: s.Bank) -> Offers:
    """The offers while there is a bank: first about stakes, then about cards."""
    suite = suite_offer(table)
    if lacking(table):
        replay = table.coup is not None and table.coup.tie
        return (*(to.closing() if replay else for_want_of_cards()), *suite)
    match table.phase:
        case s.StakesDue():
            waits = failing(table.felt.alerts)  # no coup begins
            called = () if waits else stakes_due(table, bank)
            called = to.closing() if short(table.felt) else called
            return (*called, *between(table, bank))
        case s.Staking() if failing(table.felt.alerts) and s.unstaked(table):
            return suite
        case s.Staking():
            staking = while_staking(table, bank)
            return (*staking, *better_rights(table, bank), *suite)
        case s.Sharing() as phase:
            sharing = while_sharing(table, phase)
            return (*sharing, *better_rights(table, bank), *suite)
        case s.BankStakeDue(least=least):
            return (*stake_due(table, bank, least), *suite)
        case s.Dealing():  # a card is due: nobody need press anything
            late = (*late_stakes(table), *halving(table, bank))
            return (*better_rights(table, bank), *late, *suite)
        case _:
            return _deal(table, bank.seat, table.coup.pointeur) if table.coup else ()


def _deal(table: s.Table, banker: int, pointeur: int) -> Offers:
    match table.phase:
        case s.PointeurToSpeak(deal=deal):  # a card says "carte" by itself, so "reste" is the first
            carte = offer(i.Spoke, phrase("carte"), seat=pointeur, word=i.Word.CARTE)
            reste = offer(i.Spoke, phrase("reste"), seat=pointeur, word=i.Word.RESTE)
            if deal.pointeur_open:
                return (*reste, *carte)
            shows = phrase("opens: Schlag")
            schlag = offer(i.Spoke, shows, hold=True, seat=pointeur, word=i.Word.SCHLAG)
            return (*reste, *carte, *schlag, *late_stakes(table))
        case s.BankerToOpen(deal=deal):
            opened = offer(i.Opened, phrase("bank opened"), hold=True, seat=banker)
            return (*opened, *_other_word(table, deal, pointeur))
        case s.BankerToChoose(deal=deal):
            asks: Offers = ()
            if not deal.bound:
                label = phrase("Was macht der Schlitten?")
                asks = offer(i.AsksSchlitten, label, group="more", seat=banker)
            return (*_draw_or_stay(banker, bound(table, deal)), *asks)
        case s.FauxOffered():
            return _draw_or_stay(banker)
        case s.PointeurToOpen():
            return offer(i.Opened, phrase("pointeur opened"), hold=True, seat=pointeur)
        case _:
            return ()  # a card is due: nobody need press anything


def _other_word(table: s.Table, deal: s.Deal, pointeur: int) -> Offers:
    """The offers for a pointeur by the Schlitten to correct his word.

    He may do this until the banker opens (R-18, Z-17).
    """
    if deal.thrown or not by_schlitten(table, pointeur):
        return ()
    match deal.word:
        case i.Word.CARTE:
            label, word = phrase("corrects himself: reste"), i.Word.RESTE
        case i.Word.RESTE:
            label, word = phrase("corrects himself: carte"), i.Word.CARTE
        case _:
            return ()
    return offer(i.Spoke, label, group="mistake", seat=pointeur, word=word)


def _draw_or_stay(banker: int, commanded: Duty | None = None) -> Offers:
    """The banker's two offers, to draw and to stand, or only the one he is bound to (R-18)."""
    draws = offer(i.Spoke, phrase("takes a card"), seat=banker, word=i.Word.DRAWS)
    stays = offer(i.Spoke, phrase("stays"), seat=banker, word=i.Word.STANDS)
    match commanded:
        case Duty.DRAW:
            return draws
        case Duty.STAND:
            return stays
        case _:
            return (*stays, *draws)  # a card that is drawn says so by itself

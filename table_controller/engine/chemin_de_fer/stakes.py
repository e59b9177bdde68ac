"""The players against the bank, and their stakes, new or the same again.

Offers the unstaked part of the pot.
"""

from __future__ import annotations

from msgspec.structs import replace

from table_controller.engine.chemin_de_fer import events as e
from table_controller.engine.chemin_de_fer import inputs as i
from table_controller.engine.chemin_de_fer import money
from table_controller.engine.chemin_de_fer import state as s
from table_controller.engine.messages import AgainstRules, Event, OutOfTurn, phrase
from table_controller.engine.table import inputs as ti
from table_controller.engine.table import seating
from table_controller.engine.table.felt import places
from table_controller.engine.table.schlitten import enough_cards
from table_controller.engine.views import STANDING
from table_controller.rules.money import NONE, Chips

# ---- The players against the bank, and their stakes


def _bank(table: s.Table) -> s.Bank:
    if table.bank is None:
        raise ValueError("stakes are due and there is no bank")
    return table.bank


# Games I to III: a pointeur comes forward


Claim = i.Banco | i.BancoWithPartner | i.BancoWithTable

_GAME: dict[type, i.Play] = {
    i.Banco: i.Play.BANCO_SOLO,
    i.BancoWithPartner: i.Play.BANCO_PARTNER,
    i.BancoWithTable: i.Play.BANCO_TABLE,
}


def banco(table: s.Table, _phase: s.StakesDue, said: Claim) -> s.Step:
    """A player comes forward as pointeur and names his game (ZP-15, Z-1)."""
    enough_cards(table.felt)
    coup = _claim(table, said)
    return _named(table, coup)


def claimable(coup: s.Coup, deal: s.Deal | None) -> bool:
    """Whether another player may still take the pointeur's place. Source: R-24, Z-7."""
    return coup.play in _GAMES and not coup.tie and not (deal and len(deal.pointeur) >= 2)


def goes_before(table: s.Table, coup: s.Coup) -> bool:
    """Whether a player may still say Banco, which ends this open game, in which all may stake.

    He may until the stakes are closed (R-43).
    """
    open_game = coup.play is i.Play.OPEN and not coup.tie and not coup.closed
    return open_game and table.house.stakes == "games"


def better_right(table: s.Table, phase: s.Phase, said: Claim) -> s.Step:
    """A player with a better right takes the pointeur's place, if Z-7 allows it (R-9, R-24)."""
    coup, deal = table.coup, s.deal_of(phase)
    if coup and goes_before(table, coup):
        return banco(money.give_back(table), s.StakesDue(), said)
    _games_played(table)
    if coup is None or not claimable(coup, deal):
        raise AgainstRules(
            phrase("Nobody else may act as pointeur now."),
            phrase("The pointeur keeps his cards."),
            _too_late(coup, deal),
        )
    play = coup.play if deal else _GAME[type(said)]
    if money.rank(table, said.seat, play) >= money.rank(table, coup.pointeur, coup.play):
        raise AgainstRules(
            phrase(
                "Seat {seat} has no better right than seat {other}.",
                seat=said.seat,
                other=coup.pointeur,
            ),
            phrase("Suivi goes first, then the prime, then the lower game from the prime on."),
            "R-9",
        )
    if deal is None:
        return banco(money.give_back(table), s.StakesDue(), said)
    return _in_his_place(table, phase, coup, said.seat)


def _too_late(coup: s.Coup | None, deal: s.Deal | None) -> str:
    """The id of the rule that forbids others to take the pointeur's place now."""
    if coup is None or coup.play in _GAMES or (deal and len(deal.pointeur) >= 2):
        return "Z-7"
    return "R-4" if coup.tie else "R-43"


def _in_his_place(table: s.Table, phase: s.Phase, coup: s.Coup, seat: int) -> s.Step:
    """The player at `seat` takes the pointeur's place after the deal has begun (R-24).

    The stakes stay as they are. He lays the pointeur's stake, in addition to his own stake if he
    has one.
    """
    stake = coup.stake_of(coup.pointeur)
    money.may_play(table, seat)
    seating.money_lies(table.felt, seat, stake)
    table = s.pay(s.pay(table, coup.pointeur, stake), seat, -stake)
    stake = Chips(stake + coup.stake_of(seat))
    coup = money.lay(money.lay(coup, coup.pointeur, NONE), seat, stake)
    table = replace(table, coup=replace(coup, pointeur=seat))
    return s.at(table, phase), (e.PointeurNamed(seat=seat, play=coup.play, stake=stake),)


_GAMES = tuple(_GAME.values())


def _claim(table: s.Table, said: Claim) -> s.Coup:
    """The coup in the game that this player named, before money is laid. Source: ZP-15.

    Raises AgainstRules if the rules do not allow it.
    """
    _games_played(table)
    pot = _bank(table).pot
    for seat, chips in _parts(said, pot).items():
        money.may_play(table, seat)
        if chips < min(table.house.least_stake, pot):
            raise AgainstRules(
                phrase("{chips} is too small a stake.", chips=chips),
                phrase("The least is {least}.", least=table.house.least_stake),
                "ZP-16",
            )
        seating.money_lies(table.felt, seat, chips)
    lies = tuple(s.Stake(seat, chips) for seat, chips in _parts(said, pot).items())
    return s.Coup(said.seat, _GAME[type(said)], lies)


def _games_played(table: s.Table) -> None:
    """Raise AgainstRules if nobody may say Banco to this bank, that is, choose game I, II or III.

    Source: R-32, R-33.
    """
    unlimited = _bank(table).open
    if table.house.stakes != "games" or unlimited:
        raise AgainstRules(
            phrase("Banco is not played against this bank."),
            phrase("All are asked to stake; the highest holds the cards."),
            "R-32" if unlimited else "R-33",
        )


def _parts(said: Claim, pot: Chips) -> dict[int, Chips]:
    """The players of the game that `said` names, and the stake of each (ZP-15)."""
    match said:
        case i.BancoWithPartner(seat=seat, chips=chips, partner=partner):
            if seat == partner:
                raise AgainstRules(
                    phrase("A partner is another player."),
                    phrase("Name one, or play Banco solo."),
                    "ZP-15",
                )
            return {seat: chips, partner: Chips(pot - chips)}
        case i.BancoWithTable(seat=seat, chips=chips):
            if not pot <= 2 * chips < 2 * pot:
                raise AgainstRules(
                    phrase("{chips} is not at least half of the pot.", chips=chips),
                    phrase("With the table he stakes {least} at least.", least=-(-pot // 2)),
                    "ZP-15",
                )
            return {seat: chips}
        case i.Banco(seat=seat):
            return {seat: pot}


def _named(table: s.Table, coup: s.Coup) -> s.Step:
    """The pointeur and his partner lay their stakes (Z-1).

    Cards are due next. Only in game III, "banco with the table", the others stake before the deal.
    """
    for stake in coup.stakes:
        table = s.pay(table, stake.seat, -stake.chips)
    with_table = coup.play is i.Play.BANCO_TABLE
    table = replace(table, coup=replace(coup, closed=not with_table))
    own = coup.stake_of(coup.pointeur)
    told: tuple[Event, ...] = (e.PointeurNamed(seat=coup.pointeur, play=coup.play, stake=own),)
    told += tuple(e.StakeLaid(seat=one.seat, chips=one.chips) for one in coup.stakes[1:])
    return s.at(table, s.Staking() if with_table else s.Dealing()), told


# All may stake


def open_game(table: s.Table, _phase: s.StakesDue, _said: i.OpenGame) -> s.Step:
    """The croupier asks all players to stake; the highest stake plays the cards (ZP-16, Z-5)."""
    enough_cards(table.felt)
    play = i.Play.OPEN_BANK if _bank(table).open else i.Play.OPEN
    table = s.at(table, s.Staking(), coup=s.Coup(0, play, ()))
    return table, (e.GameOpened(play=play),)


def stakes(table: s.Table, phase: s.Phase, said: i.Stakes) -> s.Step:
    """A player changes his total stake; 0 takes the stake back. Source: ZP-16, ZP-17, N-3, Z-2."""
    if isinstance(phase, s.StakesDue):
        if table.house.stakes == "games" and not _bank(table).open:
            raise OutOfTurn(
                phrase("The pointeur has not said which game he plays."),
                phrase("Ask for Banco first; nobody wants it, then all may stake."),
                "ZP-15",
            )
        table, opened = open_game(table, phase, i.OpenGame())
        table, told = stakes(table, table.phase, said)
        return table, (*opened, *told)
    coup = table.coup
    if coup is None:
        raise ValueError("stakes lie and there is no coup")
    _may_change(table, phase, coup, said)
    money.may_play(table, said.seat)
    before = coup.stake_of(said.seat)
    if said.chips and said.chips < table.house.least_stake:
        raise AgainstRules(
            phrase("{chips} is too small a stake.", chips=said.chips),
            phrase("The least is {least}.", least=table.house.least_stake),
            "ZP-16",
        )
    seating.money_lies(table.felt, said.seat, said.chips - before)
    coup = money.lay(coup, said.seat, said.chips)
    table = replace(s.pay(table, said.seat, before - said.chips), coup=coup)
    told = (e.StakeLaid(seat=said.seat, chips=said.chips),)
    table, named = _holder(table, coup)
    # The prompt stays the same unless somebody else plays the cards now.
    return (s.at(table, phase) if named else table), (*told, *named)


def _may_change(table: s.Table, phase: s.Phase, coup: s.Coup, said: i.Stakes) -> None:
    """Raise AgainstRules if this stake may not change any more. Source: R-5, N-3, ZP-16."""
    if coup.play is i.Play.BANCO_TABLE and said.seat == coup.pointeur:
        raise AgainstRules(
            phrase("The pointeur has named his stake."),
            phrase("The others stake the rest of the pot."),
            "ZP-15",
        )
    dealt, highest = s.deal_of(phase), table.house.stakes == "highest"
    late = coup.taken_up
    if late or (coup.closed and not (said.consent and highest)):
        raise AgainstRules(
            phrase("No more may be staked."),
            phrase("The stakes stand until the next coup.")
            if late or not highest
            else phrase("Only with the banker's consent, or when he halves his bank."),
            "N-3" if highest else "ZP-16",
        )
    if (dealt or coup.closed) and coup.staked + said.chips == coup.stake_of(said.seat):
        raise AgainstRules(
            phrase("Nothing would lie against the bank."),
            phrase("A supervisor annuls the coup."),
            "N-3",
        )
    if dealt and not said.consent and said.chips < coup.stake_of(said.seat):
        raise AgainstRules(
            phrase("A stake is not withdrawn while the cards lie."),
            phrase("It may be raised until the cards are taken up."),
            "N-3",
        )


def _holder(table: s.Table, coup: s.Coup) -> s.Step:
    """Find which place plays the cards if all may stake: the place with the highest stake.

    There is an event if another place plays them now. Source: ZP-16, R-22, N-5, R-33.
    """
    if coup.play in _GAMES:
        return table, ()
    if coup.held and coup.stake_of(coup.pointeur) >= coup.held:
        return table, ()
    holder = money.highest(table, coup.stakes) if coup.stakes else 0
    if holder == coup.pointeur and not coup.held:
        return table, ()
    # N-5: a hand that reduced its stake is no longer protected by it.
    table = replace(table, coup=replace(coup, pointeur=holder, held=NONE))
    if holder == coup.pointeur:
        return table, ()
    if not holder:
        return table, ()
    return table, (e.PointeurNamed(seat=holder, play=coup.play, stake=coup.stake_of(holder)),)


def closes(table: s.Table, phase: s.Phase, _said: ti.Closes) -> s.Step:
    """The croupier closes the stakes: "nichts geht mehr", "rien ne va plus" (ZP-16, N-3)."""
    coup, bank = table.coup, _bank(table)
    if coup is None or coup.closed:
        raise OutOfTurn(
            phrase("The stakes are closed already."), phrase("The cards are due."), "ZP-16"
        )
    if not coup.stakes:
        # if nobody stakes, there is no coup. The banker waits or passes.
        return s.at(replace(table, coup=None), s.StakesDue()), (
            e.StakesClosed(staked=NONE, covered=NONE),
        )
    if not s.deal_of(phase):
        enough_cards(table.felt)
    table = replace(table, coup=replace(coup, closed=True))
    # An open bank must cover all stakes (Z-5).
    unlimited = coup.play is i.Play.OPEN_BANK and not (coup.tie and bank.halved)  # N-5, N-7
    at_risk = coup.staked if unlimited else money.covered(table)
    told = (e.StakesClosed(staked=coup.staked, covered=at_risk),)
    if not isinstance(phase, s.Staking):
        return s.at(table, phase), told  # the cards are already dealt (N-3)
    if coup.play is i.Play.BANCO_TABLE and coup.staked < bank.pot:
        table, more = _share(table, _to_ask(table, coup), Chips(bank.pot - coup.staked))
        return table, (*told, *more)
    if unlimited and bank.pot < coup.staked:
        # The bank's stake covers the stakes, and is at least the prescribed least (Z-4).
        least = max(coup.staked, table.house.least_pot) - bank.pot
        return s.at(table, s.BankStakeDue(Chips(least))), told
    return s.at(table, s.Dealing()), told


def takes_up(table: s.Table, phase: s.PointeurToSpeak, said: i.TakesUp) -> s.Step:
    """The pointeur takes up his cards. From now on a higher stake comes too late (N-3)."""
    coup, late = table.coup, table.house.stakes == "highest"
    if coup is None or not late or said.seat != coup.pointeur or coup.taken_up:
        raise OutOfTurn(
            phrase("Seat {seat} has no cards to take up.", seat=said.seat),
            phrase("The highest stake takes them up, once."),
            "N-3",
        )
    table = replace(table, coup=replace(coup, taken_up=True, closed=True))
    return s.at(table, phase), (e.CardsTakenUp(seat=said.seat),)


# Sharing out


def _to_ask(table: s.Table, coup: s.Coup) -> tuple[int, ...]:
    """The players to whom the part of the pot is offered that nobody staked, in order.

    They are the seated players from the prime on, then the standing players. Source: R-21, R-42.
    """
    standing = [place for place in places(table.felt) if place > STANDING]
    return tuple(seat for seat in (*money.round_table(table), *standing) if seat != coup.pointeur)


def _share(table: s.Table, seats: tuple[int, ...], missing: Chips) -> s.Step:
    """Offer the part that nobody has staked to the first of `seats`.

    If nobody is left to ask, this part of the pot is not played for.
    """
    while seats and not money.able(table, seats[0], 1):
        seats = seats[1:]
    if not seats or not missing:
        return s.at(table, s.Dealing()), ()
    return s.at(table, s.Sharing(seats, missing)), (e.PartOffered(seat=seats[0], chips=missing),)


def takes_part(table: s.Table, phase: s.Sharing, said: i.Stakes) -> s.Step:
    """The player who is asked takes a part of the sum that nobody has staked (R-21)."""
    _asked(table, phase, said.seat)
    coup = table.coup
    if coup is None or not 0 < said.chips <= phase.missing:
        raise AgainstRules(
            phrase("{chips} is no part of {missing}.", chips=said.chips, missing=phase.missing),
            phrase("He takes up to what is missing, or declines."),
            "R-21",
        )
    seating.money_lies(table.felt, said.seat, said.chips)
    chips = Chips(coup.stake_of(said.seat) + said.chips)
    coup = money.lay(coup, said.seat, chips)
    table = replace(s.pay(table, said.seat, -said.chips), coup=coup)
    told = e.StakeLaid(seat=said.seat, chips=chips)
    table, more = _share(table, phase.seats[1:], Chips(phase.missing - said.chips))
    return table, (told, *more)


def declines(table: s.Table, phase: s.Sharing, said: i.Declines) -> s.Step:
    """The player who is asked takes nothing, and the next player is asked (R-21)."""
    _asked(table, phase, said.seat)
    return _share(table, phase.seats[1:], phase.missing)


def _asked(table: s.Table, phase: s.Sharing, seat: int) -> None:
    enough_cards(table.felt)
    if seat != phase.seats[0]:
        raise OutOfTurn(
            phrase("Seat {seat} is not asked now.", seat=seat),
            phrase("The part is offered to seat {asked} first.", asked=phase.seats[0]),
            "R-21",
        )


# ---- The offer "the same stakes again": the previous coup's stakes, as far as they are allowed now


def fitting(table: s.Table) -> tuple[s.Stake, ...]:
    """The previous coup's stakes that are allowed now, of players who have not staked yet."""
    coup, bank, house = table.coup, table.bank, table.house
    if bank is None or not isinstance(table.phase, s.StakesDue | s.Staking):
        return ()
    if isinstance(table.phase, s.StakesDue) and house.stakes == "games" and not bank.open:
        return ()  # the pointeur has not yet named his game (ZP-15)
    named = coup.pointeur if coup and coup.play is i.Play.BANCO_TABLE else 0
    return tuple(
        stake
        for stake in table.previous
        if stake.chips >= house.least_stake
        and stake.seat != named
        and not (coup and coup.stake_of(stake.seat))
        and money.able(table, stake.seat, stake.chips)
    )


def stakes_again(table: s.Table, _phase: s.Phase, _said: i.StakesAgain) -> s.Step:
    """Lay the previous coup's stakes again, all at once, as if each player had named his own stake.

    A stake that is not allowed now is not laid. Raises OutOfTurn if none is allowed now.
    """
    again = fitting(table)
    if not again:
        raise OutOfTurn(
            phrase("None of the last stakes can be laid again now."),
            phrase("Name each stake with its seat."),
        )
    told: tuple[Event, ...] = ()
    for stake in again:
        said = i.Stakes(seat=stake.seat, chips=stake.chips)
        table, more = stakes(table, table.phase, said)
        told += more
    return table, told

"""The inputs that the table would take now: the buttons of the page, the whims of a player.

`main` is what is due, two to four of them where it can be; `more`, `mistake` and `supervisor`
are one tap away. Nothing here depends on a closed card (R-17).
"""

from __future__ import annotations

from msgspec import to_builtins

from table_controller.engine.chemin_de_fer import inputs as i
from table_controller.engine.chemin_de_fer import ledger
from table_controller.engine.chemin_de_fer import state as s
from table_controller.engine.chemin_de_fer.bank import first_pot
from table_controller.engine.chemin_de_fer.cards import face_up_card
from table_controller.engine.chemin_de_fer.deal import bound, by_schlitten
from table_controller.engine.chemin_de_fer.labels import TAKEN_BACK, closing_words
from table_controller.engine.chemin_de_fer.mistakes import mendable
from table_controller.engine.chemin_de_fer.settle import ended, in_box, undoable
from table_controller.engine.chemin_de_fer.step import CASES
from table_controller.engine.messages import Input, Phrase, phrase
from table_controller.engine.views import Offer
from table_controller.rules.money import Chips
from table_controller.rules.tableau import Duty

Sums = tuple[int, int, int]
Offers = tuple[Offer, ...]


def _offer(
    said: Input,
    label: Phrase,
    group: str = "main",
    *,
    hold: bool = False,
    sums: Sums | None = None,
) -> Offer:
    fields = to_builtins(said)
    del fields["actor"], fields["prompt"]
    return Offer(input=fields, label=label, group=group, hold=hold, sums=sums)


def offers(table: s.Table) -> Offers:
    """Everything a person may say now, the likely first."""
    return (*_main(table), *_mistakes(table), *_supervisor(table))


def _main(table: s.Table) -> Offers:
    match table.phase:
        case s.NoSchlitten(done=done):
            loaded = i.SchlittenLoaded(shoe=f"schlitten-{table.number + 1}")
            load = _offer(loaded, phrase("Schlitten loaded"), hold=True)
            if done == len(s.PREPARING):
                return (load,)
            return (_offer(i.Prepared(), phrase("done, next step")), load)
        case s.BankDue():
            return _bank_due(table)
        case s.StakesDue():
            return _stakes_due(table)
        case s.Staking() | s.Sharing() | s.BankStakeDue() | s.Auction() | s.TakeOver():
            return _staking(table)
        case s.Settled(record=record, payments=payments):
            again = record.winner is None and not ended(table)
            ticks = tuple(
                _offer(i.Ticked(line=line), phrase("line {line} paid", line=line + 1), "more")
                for line, payment in enumerate(payments)
                if not payment.done
            )
            label = phrase("deal again") if again else phrase("all paid")
            return (_offer(i.Paid(), label, hold=not again), *ticks)
        case s.Over():
            return (_closing(),)
        case s.Stray() | s.Unread() | s.WhiteDisputed() | s.MisdealDue():
            return _repairs(table)
        case _:
            return _deal(table)


def _closing() -> Offer:
    return _offer(i.SchlittenClosed(), phrase("closed and counted"), hold=True)


def _bank_due(table: s.Table) -> Offers:
    house, seat = table.house, table.place
    who = s.player(table, seat)
    balance = who.balance if who else 0
    passing = _offer(i.Passes(seat=seat), phrase("seat {seat} passes", seat=seat))
    if balance < house.least_pot or (who and who.must_pass):
        return (passing,)
    most = min(balance, house.most_pot) if house.most_pot else balance
    least = Chips(house.least_pot)
    banked = _offer(
        i.Banks(seat=seat, chips=least),
        phrase("seat {seat} banks", seat=seat),
        sums=(least, most, least),
    )
    opened = _offer(i.OpensBank(seat=seat), phrase("open bank"), "more")
    return banked, passing, opened


def _stakes_due(table: s.Table) -> Offers:
    bank = table.bank
    if bank is None:
        return ()
    offered: Offers = ()
    playable = in_box(table) >= table.house.white_at
    if playable and table.house.stakes == "games" and not bank.open:
        offered = _games(table, bank)
    elif playable:
        offered = (
            _offer(i.OpenGame(), phrase("all may stake")),
            *_stake_offers(table, "more"),
        )
    else:
        offered = (_closing(),)
    if bank.won and table.house.sale == "auction":
        offered = (*offered, _offer(i.Suite(seat=bank.seat), phrase("Suite"), "more"))
    passing = _offer(i.Passes(seat=bank.seat), phrase("the banker passes"), "more")
    return (*offered, *_own_bank(table, bank), passing)


def _games(table: s.Table, bank: s.Bank) -> Offers:
    """Games I to III for everyone who can, the best right first (R-9), then the open one."""
    able = sorted(
        (seat for seat in s.places(table) if ledger.able(table, seat, bank.pot)),
        key=lambda seat: ledger.rank(table, seat, i.Play.BANCO_SOLO),
    )
    solo = tuple(
        _offer(
            i.Banco(seat=seat),
            phrase("seat {seat}: Banco solo", seat=seat),
            "main" if index < 2 else "more",
        )
        for index, seat in enumerate(able)
    )
    half = Chips(max(-(-bank.pot // 2), table.house.least_stake))
    with_table = tuple(
        _offer(
            i.BancoWithTable(seat=seat, chips=half),
            phrase("seat {seat}: Banco with the table", seat=seat),
            "more",
            sums=(half, min(bank.pot - 1, s.balance(table, seat)), half),
        )
        for seat in s.places(table)
        if half < bank.pot and ledger.able(table, seat, half)
    )
    return (*solo, _offer(i.OpenGame(), phrase("all may stake")), *with_table)


def _own_bank(table: s.Table, bank: s.Bank) -> Offers:
    """What the banker may do with his own bank between coups."""
    if first_pot(table, bank) or bank.open:
        return _halving(table, bank)
    house = table.house
    offered: Offers = ()
    least = max(1, house.least_pot - bank.pot)
    most = bank.aside + s.balance(table, bank.seat)
    if house.most_pot:
        most = min(most, house.most_pot - bank.pot)
    if most >= least:
        raised = i.Raises(seat=bank.seat, chips=Chips(least))
        offered += (_offer(raised, phrase("raise the pot"), "more", sums=(least, most, least)),)
    if bank.aside:
        offered += (_offer(i.DrawsIn(seat=bank.seat), phrase("draw in what lies aside"), "more"),)
    return (*offered, *_halving(table, bank))


def _stake_offers(table: s.Table, group: str) -> Offers:
    """A stake for everyone who can: what he had last time, or the least."""
    coup, least = table.coup, table.house.least_stake
    last = {stake.seat: stake.chips for stake in table.previous}
    offered: Offers = ()
    for seat in s.places(table):
        who = s.player(table, seat)
        lies = coup.stake_of(seat) if coup else 0
        most = lies + (who.balance if who else 0)
        named = coup is not None and coup.play is i.Play.BANCO_TABLE and seat == coup.pointeur
        if most < least or named or not ledger.able(table, seat, 0):
            continue
        suggested = min(most, max(least, lies or last.get(seat, least)))
        said = i.Stakes(seat=seat, chips=Chips(suggested))
        label = phrase("seat {seat} stakes", seat=seat)
        offered += (_offer(said, label, group, sums=(least, most, suggested)),)
    return offered


def _staking(table: s.Table) -> Offers:
    bank, coup, house = table.bank, table.coup, table.house
    match table.phase:
        case s.Staking() if bank:
            staked = coup is not None and bool(coup.stakes)
            closes = _offer(i.Closes(), closing_words(house, staked=staked))
            closing = () if coup and coup.closed else (closes,)
            passing = _offer(i.Passes(seat=bank.seat), phrase("the banker passes"), "more")
            give_up = (passing,) if not staked or (house.sale == "take_over" and bank.pot) else ()
            own = _own_bank(table, bank) if coup and coup.tie else _halving(table, bank)
            return (*closing, *_stake_offers(table, "more"), *own, *give_up)
        case s.Sharing(seats=seats, missing=missing):
            who = s.player(table, seats[0])
            most = min(missing, who.balance if who else 0)
            refuses = _offer(
                i.Declines(seat=seats[0]), phrase("seat {seat} declines", seat=seats[0])
            )
            if not most:
                return (refuses,)
            takes = _offer(
                i.Stakes(seat=seats[0], chips=Chips(most)),
                phrase("seat {seat} takes", seat=seats[0]),
                sums=(1, most, most),
            )
            return takes, refuses
        case s.BankStakeDue(least=least) if bank:
            who = s.player(table, bank.seat)
            balance = who.balance if who else 0
            if balance < least:
                return ()  # he buys in, or the coup is annulled
            said = i.Banks(seat=bank.seat, chips=least)
            return (_offer(said, phrase("the bank's stake"), sums=(least, balance, least)),)
        case s.Auction() as auction:
            return (_offer(i.Sold(), phrase("sold"), hold=True), *_bids(table, auction))
        case s.TakeOver(giver=giver, pot=pot):
            takers = tuple(
                _offer(i.TakesOver(seat=seat), phrase("seat {seat} takes over", seat=seat))
                for seat in s.places(table)
                if seat != giver and ledger.able(table, seat, pot)
                and not (coup and coup.stake_of(seat))
            )  # fmt: skip
            return (*takers, _offer(i.Sold(), phrase("nobody"), hold=True))
        case _:
            return ()


def _halving(table: s.Table, bank: s.Bank) -> Offers:
    if not table.house.halving or bank.halved or bank.pot < 2:
        return ()
    return (_offer(i.Halves(seat=bank.seat), phrase("halve the bank"), "more"),)


def _bids(table: s.Table, auction: s.Auction) -> Offers:
    house = table.house
    best = max((bid.chips for bid in auction.bids), default=0)
    offered: Offers = ()
    for seat in s.places(table):
        who = s.player(table, seat)
        most = who.balance if who else 0
        if house.most_pot:
            most = min(most, house.most_pot)
        if seat in (auction.seller, *auction.partners) or most < house.least_pot:
            continue
        suggested = min(most, max(house.least_pot, best + house.least_pot))
        said = i.Bids(seat=seat, chips=Chips(suggested))
        label = phrase("seat {seat} bids", seat=seat)
        offered += (_offer(said, label, "more", sums=(house.least_pot, most, suggested)),)
    return offered


def _deal(table: s.Table) -> Offers:
    bank, coup = table.bank, table.coup
    if bank is None or coup is None:
        return ()
    banker, pointeur = bank.seat, coup.pointeur
    match table.phase:
        case s.PointeurToSpeak(deal=deal):
            words: Offers = (
                _offer(i.Spoke(seat=pointeur, word=i.Word.CARTE), phrase("carte")),
                _offer(i.Spoke(seat=pointeur, word=i.Word.RESTE), phrase("reste")),
            )
            if deal.pointeur_open:
                return words
            words = (*words, *_late_stakes(table, coup))
            schlag = i.Spoke(seat=pointeur, word=i.Word.SCHLAG)
            return (*words, _offer(schlag, phrase("opens: Schlag"), hold=True))
        case s.BankerToOpen():
            return (_offer(i.Opened(seat=banker), phrase("bank opened"), hold=True),)
        case s.BankerToChoose(deal=deal):
            asks = _offer(i.AsksSchlitten(seat=banker), phrase("Was macht der Schlitten?"), "more")
            free = _draw_or_stay(banker, bound(table, deal))
            return (*free, *(() if deal.bound else (asks,)))
        case s.FauxOffered():
            return _draw_or_stay(banker)
        case s.PointeurToOpen():
            return (_offer(i.Opened(seat=pointeur), phrase("pointeur opened"), hold=True),)
        case _:
            return ()  # a card is due: nobody need press anything


def _late_stakes(table: s.Table, coup: s.Coup) -> Offers:
    """Four cards lie and "rien ne va plus" was not said: it may be, or the cards taken up (N-3)."""
    if coup.taken_up or table.house.stakes != "highest":
        return ()
    taken = phrase("seat {seat} takes up its cards", seat=coup.pointeur)
    late = (_offer(i.TakesUp(seat=coup.pointeur), taken, "more"),)
    closing = _offer(i.Closes(), closing_words(table.house, staked=True), "more")
    return late if coup.closed else (*late, closing)


def _draw_or_stay(banker: int, commanded: Duty | None = None) -> Offers:
    """Both answers, or the one that binds him (R-18)."""
    draws = _offer(i.Spoke(seat=banker, word=i.Word.DRAWS), phrase("takes a card"))
    stays = _offer(i.Spoke(seat=banker, word=i.Word.STANDS), phrase("stays"))
    match commanded:
        case Duty.DRAW:
            return (draws,)
        case Duty.STAND:
            return (stays,)
        case _:
            return draws, stays


# Something went wrong


def _repairs(table: s.Table) -> Offers:
    """What a person says when something stands still."""
    match table.phase:
        case s.Stray(resume=resume):
            under_way = s.deal_of(resume) and not isinstance(s.uninterrupted(resume), s.Settled)
            rulings = [
                (i.StrayRuling.KEPT, phrase("closed: keep it"), "main"),
                (i.StrayRuling.BURNED, phrase("uncovered: burn it"), "main"),
                (i.StrayRuling.FACE_UP, phrase("it lay face up in the pack"), "mistake"),
                (i.StrayRuling.BACK, phrase("it went back"), "mistake"),
            ]
            if under_way:
                rulings.append((i.StrayRuling.MISDEALT, phrase("dealt wrongly"), "main"))
            return tuple(
                _offer(i.StrayRuled(ruling=ruling), label, group)
                for ruling, label, group in rulings
            )
        case s.Unread():
            named = Offer(
                input={"type": "card_named", "card": ""},
                label=phrase("enter the card, unseen"),
                secret=True,
            )
            return named, _offer(i.UnreadRuled(), phrase("no card left"), "mistake")
        case s.WhiteDisputed(resume=resume):
            choices = [
                (i.WhiteRuling.LAST_COUP, phrase("last coup")),
                (i.WhiteRuling.PLAY_ON, phrase("play on")),
            ]
            if s.deal_of(resume) and not isinstance(s.uninterrupted(resume), s.Settled):
                choices.append((i.WhiteRuling.ANNUL, phrase("annul the coup")))
            return tuple(_offer(i.WhiteRuled(ruling=ruling), label) for ruling, label in choices)
        case s.MisdealDue() as misdeal:
            right = _offer(i.PutRight(), phrase("put right (retablir)"))
            lost = _offer(i.BankLoses(), phrase("the bank loses"), hold=True)
            losable = s.deal_of(misdeal) is not None
            return (
                *((right,) if mendable(table, misdeal) or not losable else ()),
                *((lost,) if losable else ()),
            )
        case _:
            return ()


def _mistakes(table: s.Table) -> Offers:
    """One tap away, under "mistake at the table"."""
    bank, coup, phase = table.bank, table.coup, table.phase
    offered: Offers = ()
    if table.undo and not isinstance(phase, s.Unread | s.Stray | s.WhiteDisputed):
        back = phrase("take back: {what}", what=TAKEN_BACK[table.undo.said])
        offered += (_offer(i.TakesBack(), back, "mistake"),)
    if bank is None or coup is None:
        return offered
    first = isinstance(phase, s.Dealing) and phase.deal
    exposable = first and first.pointeur and not first.shown
    if exposable or (isinstance(phase, s.PointeurToSpeak) and not phase.deal.pointeur_open):
        exposed = phrase("the pointeur's card was laid open")
        offered += (_offer(i.Exposed(seat=coup.pointeur), exposed, "mistake", hold=True),)
    playing = (
        s.PointeurToSpeak | s.BankerToOpen | s.ThirdCardDue | s.BankerToChoose | s.PointeurToOpen
    )
    if isinstance(phase, playing):
        for seat in (coup.pointeur, bank.seat):
            thrown = phrase("seat {seat} threw his cards away", seat=seat)
            offered += (_offer(i.Throws(seat=seat), thrown, "mistake", hold=True),)
    dealing = isinstance(phase, s.Dealing) and phase.deal
    if dealing or isinstance(phase, s.PointeurToSpeak):
        up = phrase("the last card lay face up in the pack")
        ruled = i.StrayRuled(ruling=i.StrayRuling.FACE_UP)
        offered += (_offer(ruled, up, "mistake", hold=True),) if face_up_card(phase) else ()
    if isinstance(phase, playing) or dealing:
        offered += (_offer(i.Misdealt(), phrase("dealt wrongly"), "mistake"),)
    third = isinstance(phase, s.BankerToChoose) and phase.deal.given
    if third and by_schlitten(table, coup.pointeur):
        admitted = phrase("the pointeur admits a faux tirage")
        offered += (_offer(i.AdmitsFaux(seat=coup.pointeur), admitted, "mistake"),)
    return offered


def _supervisor(table: s.Table) -> Offers:
    """What needs a supervisor's word."""
    phase = table.phase
    offered: Offers = ()
    if isinstance(phase, s.PlayersDue | s.BankDue | s.StakesDue):
        closing = phrase("close the Schlitten")
        offered += (_offer(i.SchlittenClosed(), closing, "supervisor", hold=True),)
    settled = isinstance(s.uninterrupted(phase), s.Settled)
    if (type(phase), i.ThrownAway) in CASES and not settled:
        thrown = i.ThrownAway(reason="the cards were mixed up")
        offered += (_offer(thrown, phrase("throw all cards away"), "supervisor", hold=True),)
    inner = phase.resume if isinstance(phase, s.Unread) else phase
    standing_still = (
        s.Stray | s.WhiteDisputed | s.Unread | s.Over | s.NoSchlitten | s.Auction | s.TakeOver
    )
    if isinstance(inner, s.Settled):
        voidable = inner is phase and undoable(table, inner)
    else:
        voidable = not isinstance(inner, standing_still) and (
            s.deal_of(inner) is not None if phase is not inner else table.coup is not None
        )
    if voidable:
        voided = i.Annulled(reason="supervisor")
        offered += (_offer(voided, phrase("annul the coup"), "supervisor", hold=True),)
    return offered

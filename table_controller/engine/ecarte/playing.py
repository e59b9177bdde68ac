"""Five tricks: leads, cards played to them, cards taken up again, and what open cards prove."""

from __future__ import annotations

from msgspec.structs import replace

from table_controller.engine.ecarte.ending import annul, emptied, finish, unmark
from table_controller.engine.ecarte.events import (
    CardPlayed,
    CardShown,
    CardTakenUp,
    DealRestored,
    OpenCards,
    RevokeFound,
    SuitAnnounced,
    TrickWon,
)
from table_controller.engine.ecarte.facts import Deal, Trick
from table_controller.engine.ecarte.inputs import (
    Announces,
    HasNone,
    Option,
    PlaysCard,
    Revoked,
    Shows,
    TakesUp,
    Twins,
    Why,
)
from table_controller.engine.ecarte.phases import (
    Dealing,
    ElderToSpeak,
    LeadDue,
    NoSchlitten,
    PacketsDue,
    PartieOver,
    Question,
    ReplyDue,
)
from table_controller.engine.ecarte.questions import ask
from table_controller.engine.ecarte.state import (
    Awaited,
    Step,
    Table,
    at,
    book_rule,
    for_side,
    hand_open,
    known,
    on_deal,
    on_partie,
    played,
    rule,
    seat_of,
    side_of,
    the_deal,
    the_partie,
    tricks_of,
)
from table_controller.engine.messages import AgainstRules, Event, OutOfTurn, phrase
from table_controller.rules.cards import PACK_32, Card
from table_controller.rules.ecarte.marks import PARTIE, TRICKS
from table_controller.rules.ecarte.tricks import is_renonce, legal, proven, takes


def out(deal: Deal) -> frozenset[Card]:
    """The cards that everybody knows to be in no hand: turned up, or played (ER-22)."""
    gone = {dealt.card for dealt in deal.bottom}
    gone.update(card for trick in deal.tricks for card in (trick.led, trick.reply))
    if deal.led is not None:
        gone.add(deal.led)
    if deal.turned is not None:
        gone.add(deal.turned.card)
    return frozenset(gone)


def may_be(deal: Deal, side: int) -> tuple[Card, ...]:
    """The cards that a side may have by what everybody knows, whatever it holds (ER-22)."""
    if hand_open(deal, side):
        return known(deal, side)
    gone = out(deal).union(known(deal, 1 - side))
    return tuple([card for card in PACK_32 if card not in gone])


def announces(table: Table, phase: ElderToSpeak | LeadDue, said: Announces) -> Step:
    """The announced suit is to be led (E07-32); at EDE it is a custom (EDE-13)."""
    side, deal = side_of(table, said.seat), the_deal(table)
    if side != _leader(deal, phase):
        raise OutOfTurn(
            phrase("Seat {seat} does not lead.", seat=said.seat),
            phrase("The leader names his suit."),
            book_rule(table, "32", "32", "13"),
        )
    told = SuitAnnounced(seat=said.seat, suit=said.suit)
    if not table.house.announced:
        return table, (told,)
    return on_deal(table, announced=said.suit), (told,)


def _leader(deal: Deal, phase: Awaited) -> int:
    return deal.elder if isinstance(phase, ElderToSpeak) else deal.leader


def leads(table: Table, phase: ElderToSpeak | LeadDue, said: PlaysCard) -> Step:
    """Elder leads, then who took the trick (E07-31, ER-4).

    At the first distribution without a proposition it is d'autorité (E07-41). Who leads though
    it is not his turn takes it back on request, until it is covered (E07-34).
    """
    side, deal = side_of(table, said.seat), the_deal(table)
    _can_be(deal, side, said.card)
    if isinstance(phase, ElderToSpeak):
        alone = side == deal.elder and not deal.bought
        table = on_deal(table, authority=alone, leader=deal.elder)
    table = for_side(table, side, held=deal.held[side] - 1)
    table = on_deal(table, led=said.card, leader=side, fell=False)
    unspoken = isinstance(phase, ElderToSpeak) and side != deal.elder
    return at(table, ReplyDue(unspoken)), (CardPlayed(seat=said.seat, card=said.card, lead=True),)


def _can_be(deal: Deal, side: int, card: Card) -> None:
    """Raise AgainstRules for a card that everybody knows to be elsewhere (ER-22)."""
    if card not in may_be(deal, side):
        raise AgainstRules(
            phrase("That card lies open elsewhere."),
            phrase("Look at the card again; if it lies there twice, say so."),
        )


def replies(table: Table, _phase: ReplyDue, said: PlaysCard) -> Step:
    """The other player's card: with an open hand he cannot but do his duty (E07-44, EDE-14)."""
    side, deal = side_of(table, said.seat), the_deal(table)
    if side == deal.leader or deal.led is None:
        raise OutOfTurn(
            phrase("Seat {seat} has led.", seat=said.seat),
            phrase("The other player's card is due."),
            rule(table, "34"),
        )
    _can_be(deal, side, said.card)
    if hand_open(deal, side) and said.card not in legal(known(deal, side), deal.led, deal.trump):
        raise AgainstRules(
            phrase("His open cards oblige him to play another."),
            phrase("He follows and takes the trick if he can; else he trumps."),
            book_rule(table, "44", "44", "14"),
        )
    return _trick(table, side, said.card)


def _trick(table: Table, side: int, card: Card) -> Step:
    deal = the_deal(table)
    if deal.led is None:
        raise ValueError("no card was led")
    winner = side if takes(card, deal.led, deal.trump) else 1 - side
    trick = Trick(1 - side, deal.led, card, winner)
    table = for_side(table, side, held=deal.held[side] - 1)
    tricks = (*deal.tricks, trick)
    table = on_deal(table, tricks=tricks, led=None, leader=winner, announced=None, fell=False)
    now = the_deal(table)
    told = (
        CardPlayed(seat=seat_of(table, side), card=card, lead=False),
        TrickWon(seat=seat_of(table, winner), left=tricks_of(now, 0), right=tricks_of(now, 1)),
    )
    table, more = looked_through(at(table, LeadDue()))
    return _over(table, (*told, *more))


def _over(table: Table, told: tuple[Event, ...]) -> Step:
    """The deal is over with the fifth trick, unless a question comes first."""
    if len(the_deal(table).tricks) < TRICKS or table.asked:
        return table, told
    table, more = finish(table)
    return table, (*told, *more)


def looked_through(table: Table) -> Step:
    """Whether open cards now prove a breach; a closed hand is secret (E07-44, EDE-26)."""
    deal, told = the_deal(table), tuple[Event, ...]()
    for side in (0, 1):
        if deal.revoked[side] or deal.excused[side]:
            continue
        trick = _breach(table, side)
        if trick is None:
            continue
        found = RevokeFound(seat=seat_of(table, side), trick=trick + 1)
        late = trick < len(deal.tricks) - 1 or deal.led is not None or deal.ended
        mend = table.house.revoke == "mended" and not late
        table, more = ask(
            table, Question.REVOKE, -1, book_rule(table, "44", "44", "26"),
            Option.MEND if mend else Option.RESTORE, Option.STANDS, about=side,
        )  # fmt: skip
        return table, (*told, found, *more)
    return table, told


def _breach(table: Table, side: int) -> int | None:
    deal = the_deal(table)
    own = [
        (None, trick.led) if trick.leader == side else (trick.led, trick.reply)
        for trick in deal.tricks
    ]
    rest = [*known(deal, side)]
    if deal.led is not None and deal.leader == side:
        rest.append(deal.led)
    if table.house.revoke == "mended":
        return proven([*own, *((None, card) for card in rest)], deal.trump)
    for number, (led, card) in enumerate(own):
        held = [one for _, one in own[number:]] + rest
        if led is not None and is_renonce(card, held, led, deal.trump):
            return number
    return None


def shows(table: Table, _phase: Awaited, said: Shows) -> Step:
    """A card of the hand lies open for the rest of the deal (ER-31, ER-14, E07-54)."""
    side, deal = side_of(table, said.seat), the_deal(table)
    _can_be(deal, side, said.card)
    if said.card in known(deal, side) or len(known(deal, side)) >= deal.held[side]:
        raise OutOfTurn(phrase("It lies open already."), phrase("Show another card."))
    table = for_side(table, side, shown=(*deal.shown[side], said.card))
    told: tuple[Event, ...] = (CardShown(seat=said.seat, card=said.card),)
    if deal.tricks and not table.asked:
        table, more = looked_through(table)
        told = (*told, *more)
    return replace(table, prompt=table.prompt + 1), told


def takes_up(table: Table, phase: Awaited, said: TakesUp) -> Step:
    """The last card goes back, and is known from now on.

    A lead until it is covered (E07-32, E07-34), a reply before the next lead (E07-44); one that
    fell is no lead, at E07 though it was covered (E07-53, E00-51).
    """
    side, deal = side_of(table, said.seat), the_deal(table)
    last = deal.tricks[-1] if deal.tricks else None
    told = (CardTakenUp(seat=said.seat),)
    if isinstance(phase, ReplyDue) and side == deal.leader:
        return _lead_taken_up(table, phase), told
    if last and deal.fell and side == last.leader and table.house.fallen == "never":
        return _lead_taken_up(reply_mended(table, 1 - side), ReplyDue()), told
    mended = isinstance(phase, LeadDue) and table.house.revoke == "mended"
    if not mended or last is None or side == last.leader:
        raise AgainstRules(
            phrase("A card that lies is played."),
            phrase("A reply is mended before the next lead."),
            book_rule(table, "44", "44", "27"),
        )
    return reply_mended(table, side), told


def _lead_taken_up(table: Table, phase: ReplyDue) -> Table:
    """The lead is due again; elder has his word where he had not spoken (E07-34)."""
    deal, led = the_deal(table), the_deal(table).led
    if led is None:
        raise ValueError("no card was led")
    wrong = deal.announced is not None and led.suit != deal.announced
    turn = deal.tricks[-1].winner if deal.tricks else deal.elder
    if not (wrong or deal.fell or deal.leader != turn):
        raise AgainstRules(
            phrase("A card that lies is played."),
            phrase("It is taken back out of turn, or for the suit announced."),
            rule(table, "34"),
        )
    table = taken_up(table, deal.leader, led)
    table = on_deal(table, led=None, leader=turn, fell=False)
    return at(table, ElderToSpeak() if phase.unspoken else LeadDue())


def reply_mended(table: Table, side: int) -> Table:
    """The last trick's reply is free again, before the next lead (E07-44)."""
    deal = the_deal(table)
    last = deal.tricks[-1]
    table = on_deal(table, tricks=deal.tricks[:-1], led=last.led, leader=last.leader)
    return at(taken_up(table, side, last.reply), ReplyDue())


def taken_up(table: Table, side: int, *cards: Card) -> Table:
    """These cards are in a side's hand again, and known, since they lay open (ER-30)."""
    deal = the_deal(table)
    fresh = tuple(card for card in cards if card not in deal.shown[side])
    held = deal.held[side] + len(cards)
    return for_side(table, side, held=held, shown=(*deal.shown[side], *fresh))


def has_none(table: Table, _phase: ReplyDue, said: HasNone) -> Step:
    """He holds none of the suit that he announced: the card led stands (ER-3)."""
    side, deal = side_of(table, said.seat), the_deal(table)
    if deal.announced is None or side != deal.leader:
        raise OutOfTurn(
            phrase("No other suit was announced."), phrase("Play on."), rule(table, "32")
        )
    return on_deal(table, announced=None), ()


def twins(table: Table, _phase: ReplyDue, said: Twins) -> Step:
    """Two identical cards: the deal is void (E07-11), or stands, and the leader's wins (E00-11)."""
    side, deal = side_of(table, said.seat), the_deal(table)
    by = book_rule(table, "11", "11", "20")
    if deal.led is None or side == deal.leader:
        raise OutOfTurn(
            phrase("Seat {seat} has led.", seat=said.seat),
            phrase("It is said of the card played to its twin."),
            by,
        )
    if table.house.twins == "void":
        return annul(on_partie(table, fresh=True), by, dealer=deal.dealer)
    return _trick(table, side, deal.led)


def revoked(table: Table, phase: Awaited, said: Revoked) -> Step:
    """A player admits a revoke, or it is claimed and the croupier finds it so (E07-44, ER-13)."""
    side, deal = side_of(table, said.seat), claimable(table)
    if deal is None or not may_have_revoked(deal, side):
        raise OutOfTurn(
            phrase("He has played to no lead that he could have revoked on."),
            phrase("Play on."),
            book_rule(table, "44", "44", "26"),
        )
    if isinstance(phase, LeadDue) and table.house.revoke == "mended" and _only_just(deal, side):
        return reply_mended(table, side), (CardTakenUp(seat=said.seat),)
    table, told = _fetched(table, deal)
    table, more = restored(table, side)
    return table, (*told, *more)


def claimable(table: Table) -> Deal | None:
    """The deal in which a revoke may be claimed now (ER-13, ER-31).

    The one that lies, then the one that was gathered, until a trump is turned; the deciding one
    until payment begins.
    """
    deal, partie = table.deal, table.partie
    if isinstance(table.phase, PartieOver):
        paid = table.bets is not None and bool(table.bets.found)
        return deal if deal and _decides(table, deal) and not paid else None
    if isinstance(table.phase, NoSchlitten | PacketsDue | Dealing):
        return partie.last if partie else None
    return deal


def _decides(table: Table, deal: Deal) -> bool:
    """Whether nobody has five without what was marked for this deal's tricks."""
    score = the_partie(table).score
    without = max(score[side] - deal.trick_marks[side] for side in (0, 1))
    return any(deal.trick_marks) and without < PARTIE


def may_have_revoked(deal: Deal, side: int) -> bool:
    """Whether a side has played to a lead, and its play was not found wrong yet (E07-44)."""
    over = deal.annulled or deal.thrown_in or deal.revoked[side]
    return not over and any(trick.leader != side for trick in deal.tricks)


def _only_just(deal: Deal, side: int) -> bool:
    """Whether the last trick's card is the only one that a side has played to a lead."""
    return [trick.leader for trick in deal.tricks].index(1 - side) == len(deal.tricks) - 1


def _fetched(table: Table, deal: Deal) -> Step:
    """The cards of a deal that was gathered lie again; what was dealt since is put away (ER-13)."""
    if deal is table.deal:
        return table, ()
    table, told = emptied(table)
    return replace(on_partie(table, last=None), deal=deal), told


def restored(table: Table, side: int) -> Step:
    """All cards are taken back, and the tricks are played again (E07-44, EDE-27, ER-30)."""
    deal = the_deal(table)
    for one in (0, 1):
        table = taken_up(table, one, *played(deal, one))
    told: tuple[Event, ...] = ()
    if deal.ended:
        table, told = _unended(table)
    table = for_side(table, side, revoked=True)
    table = on_deal(
        table, tricks=(), led=None, leader=deal.elder, announced=None, given=(0, 0),
        replayed=True, ended=False,
    )  # fmt: skip
    told = (*told, DealRestored(seat=seat_of(table, side)))
    if table.house.revoke == "open":
        table = on_deal(table, open=(True, True))
        told = (*told, *(OpenCards(seat=seat_of(table, one)) for one in (0, 1)))
    return at(table, LeadDue(), asked=(), undo=None), told


def _unended(table: Table) -> Step:
    """What was due, or marked, for the tricks is not, and the next dealer waits (ER-13)."""
    deal, partie, told = the_deal(table), the_partie(table), tuple[Event, ...]()
    due = tuple(one for one in partie.due if (one.why, one.deal) != (Why.TRICKS, deal.number))
    table = on_partie(table, due=due, dealer=deal.dealer)
    for side in (0, 1):
        if deal.trick_marks[side]:
            table, more = unmark(table, side, deal.trick_marks[side], rule(table, "44"))
            left = deal.marks[side] - deal.trick_marks[side]
            table = for_side(table, side, marks=left, trick_marks=0)
            told = (*told, *more)
    return table, told

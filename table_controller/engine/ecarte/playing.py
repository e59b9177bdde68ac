"""The five tricks: leads and replies, cards shown, cards taken up again, and revokes."""

from __future__ import annotations

from msgspec.structs import replace

from table_controller.engine.ecarte.events import (
    CardPlayed,
    CardShown,
    CardTakenUp,
    DealRestored,
    NotBeaten,
    OpenCards,
    RevokeFound,
    SuitAnnounced,
    TrickWon,
)
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
from table_controller.engine.ecarte.partie import annul, ask, emptied, finish, unmark
from table_controller.engine.ecarte.state import (
    Awaited,
    Deal,
    Dealing,
    ElderToSpeak,
    LeadDue,
    NoSchlitten,
    PacketsDue,
    PartieOver,
    Question,
    ReplyDue,
    Step,
    Table,
    Trick,
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
from table_controller.rules.ecarte.tricks import breaches, is_renonce, legal, proven, takes
from table_controller.rules.ecarte.tricks import replies as replies_in

# ---- Revokes: those that open cards prove, those put right in time, and replaying the deal


def looked_through(table: Table) -> Step:
    """Check whether the open cards now prove a breach of the rules of play (E07-44, EDE-26).

    Closed cards do not affect the answer.
    """
    table, told = _not_beaten(table)
    deal = the_deal(table)
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


def _not_beaten(table: Table) -> Step:
    """Publish, at EDE only, each lead that a player could have beaten and did not (EDE-14, ER-1).

    At EDE the croupier rules on this. It is not a revoke, which has a penalty.
    """
    told: tuple[Event, ...] = ()
    if table.house.revoke == "mended":
        return table, told
    for side in (0, 1):
        deal = the_deal(table)
        for number, led, card, held in replies_in(_open(deal, side)):
            if (number, side) in deal.unbeaten or card.suit != led.suit:
                continue
            if breaches(card, held, led, deal.trump):
                table = on_deal(table, unbeaten=(*the_deal(table).unbeaten, (number, side)))
                seat = seat_of(table, side)
                told = (*told, NotBeaten(seat=seat, trick=number + 1, rule="EDE-14"))
    return table, told


def _open(deal: Deal, side: int) -> list[tuple[Card | None, Card]]:
    """A side's open cards, each with the lead that it replied to, or None.

    They are the cards of its tricks in order, then the card it leads now, then the cards it showed.
    """
    own = [
        (None, trick.led) if trick.leader == side else (trick.led, trick.reply)
        for trick in deal.tricks
    ]
    rest = [*known(deal, side)]
    if deal.led is not None and deal.leader == side:
        rest.append(deal.led)
    return [*own, *((None, card) for card in rest)]


def _breach(table: Table, side: int) -> int | None:
    deal = the_deal(table)
    offends = breaches if table.house.revoke == "mended" else is_renonce
    return proven(_open(deal, side), deal.trump, offends)


def mendable(table: Table) -> int:
    """The side whose reply can be put right without penalty, or -1 (E07-44, ER-37).

    This is possible until the next lead, in any trick; at EDE never (ER-1).
    """
    deal = table.deal
    if deal is None or not deal.tricks or not isinstance(table.phase, LeadDue):
        return -1
    return 1 - deal.tricks[-1].leader if table.house.revoke == "mended" else -1


def reply_mended(table: Table, side: int) -> Table:
    """The table where the reply to the last trick must be made again (E07-44)."""
    deal = the_deal(table)
    last = deal.tricks[-1]
    table = on_deal(table, tricks=deal.tricks[:-1], led=last.led, leader=last.leader)
    return at(taken_up(table, side, last.reply), ReplyDue())


def taken_up(table: Table, side: int, *cards: Card) -> Table:
    """The table after a side took these cards back.

    Everybody knows them, as they were open (ER-30).
    """
    deal = the_deal(table)
    fresh = tuple(card for card in cards if card not in deal.shown[side])
    held = deal.held[side] + len(cards)
    return for_side(table, side, held=held, shown=(*deal.shown[side], *fresh))


def revoked(table: Table, _phase: Awaited, said: Revoked) -> Step:
    """A player admits a revoke, or somebody claims it and the croupier confirms it (E07-44, ER-13).

    A revoke in the last trick is put right (ER-37), unless `earlier` says that it was in another
    one.
    """
    side, deal = side_of(table, said.seat), claimable(table)
    if side == mendable(table) and not said.earlier:
        return reply_mended(table, side), (CardTakenUp(seat=said.seat),)
    if deal is None or not may_have_revoked(table, deal, side):
        raise OutOfTurn(
            phrase("He has not yet played to a lead, so he cannot have revoked."),
            phrase("Play on."),
            book_rule(table, "44", "44", "26"),
        )
    table, told = _fetched(table, deal)
    table, more = restored(table, side)
    return table, (*told, *more)


def claimable(table: Table) -> Deal | None:
    """The deal in which a revoke may be claimed now; None if there is none (ER-13, ER-31).

    It is the deal on the table. After that deal was gathered, a revoke in it may be claimed until
    the next turn-up. If the deal decided the partie, it may be claimed until somebody is paid.
    """
    deal, partie = table.deal, table.partie
    if isinstance(table.phase, PartieOver):
        paid = table.bets is not None and bool(table.bets.found)
        return deal if deal and _decides(table, deal) and not paid else None
    if isinstance(table.phase, NoSchlitten | PacketsDue | Dealing):
        return partie.last if partie else None
    return deal


def _decides(table: Table, deal: Deal) -> bool:
    """Whether the partie was decided by the marks for this deal's tricks."""
    score = the_partie(table).score
    without = max(score[side] - deal.trick_marks[side] for side in (0, 1))
    return any(deal.trick_marks) and without < PARTIE


def may_have_revoked(table: Table, deal: Deal, side: int) -> bool:
    """Whether somebody may report that a side revoked in a trick that cannot be put right (E07-44).

    This is possible if the side has replied to a lead, and none of its revokes was found yet.
    """
    tricks = deal.tricks[:-1] if side == mendable(table) else deal.tricks
    over = deal.annulled or deal.thrown_in or deal.revoked[side]
    return not over and any(trick.leader != side for trick in tricks)


def _fetched(table: Table, deal: Deal) -> Step:
    """Bring a gathered deal back to the table. First gather the cards dealt since (ER-13)."""
    if deal is table.deal:
        return table, ()
    table, told = emptied(table)
    return replace(on_partie(table, last=None), deal=deal), told


def restored(table: Table, side: int) -> Step:
    """All cards are taken back, and the tricks are played again (E07-44, EDE-27, ER-30).

    `side` is the side that revoked.
    """
    deal = the_deal(table)
    for one in (0, 1):
        table = taken_up(table, one, *played(deal, one))
    told: tuple[Event, ...] = ()
    if deal.ended:
        table, told = unended(table)
    table = for_side(table, side, revoked=True)
    table = on_deal(
        table, tricks=(), led=None, leader=deal.elder, announced=None, given=(0, 0),
        replayed=True, ended=False, unbeaten=(), heard=0,
    )  # fmt: skip
    told = (*told, DealRestored(seat=seat_of(table, side)))
    if table.house.revoke == "open":
        table = on_deal(table, open=(True, True))
        told = (*told, *(OpenCards(seat=seat_of(table, one)) for one in (0, 1)))
    return at(table, LeadDue(), asked=(), undo=None), told


def unended(table: Table) -> Step:
    """Take back the marks for the tricks, made or still due, and undo the change of dealer.

    Source: ER-13.
    """
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


# ---- The five tricks: leads and replies, cards shown, and cards taken up again


def out(deal: Deal) -> frozenset[Card]:
    """The cards that, as everybody knows, are in neither hand: turned up, or played (ER-22)."""
    gone = {dealt.card for dealt in deal.bottom}
    gone.update(card for trick in deal.tricks for card in (trick.led, trick.reply))
    if deal.led is not None:
        gone.add(deal.led)
    if deal.turned is not None:
        gone.add(deal.turned.card)
    return frozenset(gone)


def lying(deal: Deal, side: int) -> frozenset[Card]:
    """The cards that, as everybody knows, are not in the hand of `side` (ER-22)."""
    return out(deal).union(known(deal, 1 - side))


def may_be(deal: Deal, side: int) -> tuple[Card, ...]:
    """The cards that a side may have as far as everybody knows (ER-22).

    The answer does not depend on the cards that it really has.
    """
    if hand_open(deal, side):
        return known(deal, side)
    gone = lying(deal, side)
    return tuple([card for card in PACK_32 if card not in gone])


def playable(table: Table, side: int) -> tuple[Card, ...]:
    """The cards that a side may lead or play now, as far as everybody knows.

    A player whose whole hand is open must follow the rules of play (E07-44, EDE-14).
    """
    deal = the_deal(table)
    cards = may_be(deal, side)
    if isinstance(table.phase, ReplyDue) and deal.led is not None and hand_open(deal, side):
        return legal(cards, deal.led, deal.trump)
    return cards


def announces(table: Table, phase: ElderToSpeak | LeadDue, said: Announces) -> Step:
    """A player announces the suit that he will lead, which binds him (E07-32).

    At EDE announcing is only a custom (EDE-13).
    """
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
    """A player leads a card: elder first, then the winner of each trick (E07-31, ER-4).

    At the first distribution, a lead without a proposition is d'autorité (E07-41). A lead out of
    turn can be taken back until the other player has replied (E07-34).
    """
    side = side_of(table, said.seat)
    _can_be(the_deal(table), side, said.card)
    return _led(table, phase, side, said.card)


def _led(table: Table, phase: ElderToSpeak | LeadDue, side: int, card: Card) -> Step:
    deal = the_deal(table)
    if isinstance(phase, ElderToSpeak):
        alone = side == deal.elder and not deal.bought
        table = on_deal(table, authority=alone, leader=deal.elder)
    table = for_side(table, side, held=deal.held[side] - 1)
    table = on_deal(table, led=card, leader=side, fell=False)
    unspoken = isinstance(phase, ElderToSpeak) and side != deal.elder
    told = CardPlayed(seat=seat_of(table, side), card=card, lead=True)
    return at(table, ReplyDue(unspoken)), (told,)


def _can_be(deal: Deal, side: int, card: Card) -> None:
    """Raise AgainstRules if everybody knows that the card is not in this side's hand (ER-22)."""
    if card not in may_be(deal, side):
        raise AgainstRules(
            phrase("That card lies open elsewhere."),
            phrase("Look at the card again; if it lies there twice, say so."),
        )


def replies(table: Table, _phase: ReplyDue, said: PlaysCard) -> Step:
    """The other player replies to the lead (E07-44, EDE-14).

    If his whole hand is open, he may play only a card that the rules allow.
    """
    side, deal = side_of(table, said.seat), the_deal(table)
    if side == deal.leader or deal.led is None:
        raise OutOfTurn(
            phrase("Seat {seat} has led.", seat=said.seat),
            phrase("The other player's card is due."),
            rule(table, "34"),
        )
    _can_be(deal, side, said.card)
    if said.card not in playable(table, side):
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
    """End the deal after the fifth trick, unless a question must be answered first."""
    if len(the_deal(table).tricks) < TRICKS or table.asked:
        return table, told
    table, more = finish(table)
    return table, (*told, *more)


def shows(table: Table, _phase: Awaited, said: Shows) -> Step:
    """A player shows a card of his hand.

    The card is open for the rest of the deal (ER-31, ER-14, E07-54).
    """
    side = side_of(table, said.seat)
    _can_be(the_deal(table), side, said.card)
    return _shown(table, side, said.card)


def _shown(table: Table, side: int, card: Card) -> Step:
    deal = the_deal(table)
    if card in known(deal, side) or len(known(deal, side)) >= deal.held[side]:
        raise OutOfTurn(phrase("It lies open already."), phrase("Show another card."))
    table = for_side(table, side, shown=(*deal.shown[side], card))
    told: tuple[Event, ...] = (CardShown(seat=seat_of(table, side), card=card),)
    if deal.tricks and not table.asked:
        table, more = looked_through(table)
        told = (*told, *more)
    return replace(table, prompt=table.prompt + 1), told


def may_take_up(table: Table) -> tuple[int, ...]:
    """The sides that may take their last card back into the hand now.

    A lead out of turn, or not of the announced suit, may be taken back until the other player has
    replied (E07-32, E07-34). A reply may be taken back until the next lead (E07-44). A card that
    fell does not count as played: at E07 it may be taken back even after the reply, at E00 only
    before (E07-53, E00-51).
    """
    deal = the_deal(table)
    if isinstance(table.phase, ReplyDue) and deal.led is not None:
        wrong = deal.announced is not None and deal.led.suit != deal.announced
        return (deal.leader,) if wrong or deal.fell or deal.leader != _turn(deal) else ()
    if isinstance(table.phase, LeadDue) and deal.tricks and deal.fell:
        return (0, 1) if table.house.fallen == "never" else ()
    side = mendable(table)
    return (side,) if side >= 0 else ()


def _turn(deal: Deal) -> int:
    """The side that must lead by the rules (E07-31, ER-4)."""
    return deal.tricks[-1].winner if deal.tricks else deal.elder


def takes_up(table: Table, phase: LeadDue | ReplyDue, said: TakesUp) -> Step:
    """A player takes his last card back. Everybody then knows that it is in his hand."""
    side, deal = side_of(table, said.seat), the_deal(table)
    if side not in may_take_up(table):
        raise _played(table, leads=isinstance(phase, ReplyDue) and side == deal.leader)
    told = (CardTakenUp(seat=said.seat),)
    if isinstance(phase, ReplyDue):
        return _lead_taken_up(table, phase), told
    last = deal.tricks[-1]
    back = reply_mended(table, 1 - last.leader)
    return (_lead_taken_up(back, ReplyDue()) if side == last.leader else back), told


def _played(table: Table, *, leads: bool) -> AgainstRules:
    """The refusal to take back a card that must stay on the table, with the remedy."""
    why = phrase("A card on the table counts as played.")
    if leads:
        back = phrase("It is taken back out of turn, or for the suit announced.")
        return AgainstRules(why, back, rule(table, "34"))
    if the_deal(table).fell and isinstance(table.phase, LeadDue):
        return AgainstRules(why, phrase("If it was a revoke, say so; else play on."), "E00-51")
    mended = phrase("A reply is mended before the next lead.")
    return AgainstRules(why, mended, book_rule(table, "44", "44", "27"))


def _lead_taken_up(table: Table, phase: ReplyDue) -> Table:
    """The table after a lead was taken back. If elder had not spoken, he may speak now (E07-34)."""
    deal, led = the_deal(table), the_deal(table).led
    if led is None:
        raise ValueError("no card was led")
    table = taken_up(table, deal.leader, led)
    table = on_deal(table, led=None, leader=_turn(deal), fell=False)
    return at(table, ElderToSpeak() if phase.unspoken else LeadDue())


def has_none(table: Table, _phase: ReplyDue, said: HasNone) -> Step:
    """The leader has no card of the suit that he announced, so the card he led may stay (ER-3)."""
    side, deal = side_of(table, said.seat), the_deal(table)
    if deal.announced is None or side != deal.leader:
        raise OutOfTurn(
            phrase("No other suit was announced."), phrase("Play on."), rule(table, "32")
        )
    return on_deal(table, announced=None), ()


def may_be_twins(table: Table, side: int) -> frozenset[Card]:
    """The cards of which a side may have a second one now: those that lie open (ER-32).

    Where the deal then counts, the card is led, played or shown like any other: of an open hand it
    is one of its cards, and no card is shown twice (E00-11).
    """
    deal = the_deal(table)
    gone, own = lying(deal, side), known(deal, side)
    if table.house.twins == "void":
        return gone
    if hand_open(deal, side):
        gone = gone.intersection(own)
    lays = isinstance(table.phase, ElderToSpeak | LeadDue)
    if lays or (isinstance(table.phase, ReplyDue) and side != deal.leader):
        return gone if deal.held[side] else frozenset()
    return gone.difference(own) if len(own) < deal.held[side] else frozenset()


def twins(table: Table, phase: Awaited, said: Twins) -> Step:
    """A player has a card that is already open, in a trick or as the turned-up card (ER-32).

    At E07 the deal is void (E07-11). At E00 it counts, and the card is led, played or shown like
    any other (E00-11). If one of the two is played to the other, the leader's card wins (ER-18).
    """
    side, deal = side_of(table, said.seat), the_deal(table)
    card, by = said.card or deal.led, book_rule(table, "11", "11", "20")
    if card is None or card not in may_be_twins(table, side):
        raise OutOfTurn(
            phrase("No card like that one lies open."), phrase("Lay it like any other card."), by
        )
    if table.house.twins == "void":
        return annul(on_partie(table, fresh=True), by, dealer=deal.dealer)
    if isinstance(phase, ElderToSpeak | LeadDue):
        return _led(table, phase, side, card)
    if isinstance(phase, ReplyDue) and side != deal.leader:
        return _trick(table, side, card)
    return _shown(table, side, card)

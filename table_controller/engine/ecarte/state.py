"""The écarté table between two inputs, as plain data: partie, deal, tricks, stakes and phases."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from table_controller.engine.ecarte.inputs import Matter, Option, Why
from table_controller.engine.messages import AgainstRules, Event, Input, OutOfTurn, phrase
from table_controller.engine.promises import SecretKey
from table_controller.engine.shoe import Dealt, Shoe
from table_controller.engine.table import felt
from table_controller.engine.table.felt import Felt, Stop
from table_controller.engine.table.inputs import Leaves, Moves, Swaps
from table_controller.engine.table.undo import Undo
from table_controller.rules.cards import PACK_32, Card, Suit
from table_controller.rules.ecarte import order, stakes
from table_controller.rules.ecarte.bank import Bank, Bid
from table_controller.rules.ecarte.chouette import Chouette, Share
from table_controller.rules.ecarte.house import House
from table_controller.rules.ecarte.order import Order
from table_controller.rules.ecarte.stakes import Beside, Stake, Stakes
from table_controller.rules.money import NONE, Chips

# ---- The state of a partie of écarté, its deal and its tricks

T = TypeVar("T")


class Due(Struct, frozen=True, gc=False):
    """Marks that a side may make. Only the players themselves mark (ER-24).

    `rule` is the id of the rule that allows the marks, and `deal` the number of their deal.
    """

    side: int
    points: int
    why: Why
    rule: str
    deal: int = 0


class Trick(Struct, frozen=True, gc=False):
    """A finished trick: the side that led, its card, the reply, and the side that won."""

    leader: int
    led: Card
    reply: Card
    winner: int


class Deal(Struct, frozen=True, gc=False):
    """One distribution of cards and its five tricks.

    In a pair, the left player's value comes first.

    Attributes:
        number: the deal's number in the evening.
        dealer: the side that deals; the other side is elder.
        first: the number of cards in the first packet, 3 or 2; `chosen`: whether the dealer said so
            for this deal.
        taken: the cards that each side has received, which nobody may know (R-13).
        came: the number of cards dealt so far, up to the turned-up card.
        held: the number of cards that each side has now.
        turned: the turned-up card.
        looked: whether each side has looked at its cards, or at the cards it bought last.
        bought: how many propositions were accepted so far. From the first on, the penalties
            for refusing and for leading d'autorité no longer apply (E07-40, E07-41).
        refused: whether the dealer refused at the first distribution; `authority`: whether elder
            led without proposing.
        asked: how many cards elder last asked for.
        laid_away: the number of cards that both sides have discarded so far.
        top, bottom: cards outside the Schlitten that are dealt before its cards, and after them
            (ER-23).
        forced: whether the dealer must accept the next proposition (E07-42).
        barred: whether each side may not mark a king (E07-23, E07-24).
        said: whether each side has said "le roi".
        kings: whether each side has marked a king in its hand; `bought_at`: how many propositions
            were accepted by then.
        lost_kings: whether each side lost its mark for a king because it had too many cards
            (E07-23, E07-24); the mark may have been false all the same (E07-29).
        false_kings: whether each side's mark was found false and taken back (E07-29).
        turned_marked: whether the dealer has marked the king that he turned up.
        marks: marks of each side in this deal, which are taken back if it is annulled (ER-16).
        tricks: the finished tricks; `led`: the card led to the next trick; `leader`: the side that
            led it or must lead.
        announced: the suit that the leader announced.
        given: the tricks that each side got because the other threw its cards away (E00-52).
        shown: each side's cards that everybody knows, without those played.
        open: whether each side plays with open cards.
        revoked: whether each side revoked, so that its win counts one less (E07-44); `excused`:
            whether the croupier let its play stand.
        replayed: whether the tricks are being played again.
        ragged: whether a wrong number was corrected, so that it is uncertain who received which
            card.
        ended: whether the tricks are made and counted; `thrown_in`: whether cards were thrown away
            (E07-54).
        trick_marks: marks of each side for the deal's tricks.
        exposed: whether a card of elder's was exposed in dealing, so that elder will be asked
            whether the deal counts (E07-17).
        annulled: whether the deal is void (ER-16).
        fell: whether the card on the table fell from a hand (E07-53, E00-51).
        unbeaten: the tricks, from 0, in which a player could have beaten the lead, and the player's
            side (EDE-14); `heard`: on how many of them the croupier has ruled.
    """

    number: int
    dealer: int
    first: int = 3
    chosen: bool = False
    came: int = 0
    taken: tuple[tuple[Dealt, ...], tuple[Dealt, ...]] = ((), ())
    held: tuple[int, int] = (0, 0)
    turned: Dealt | None = None
    looked: tuple[bool, bool] = (False, False)
    bought: int = 0
    refused: bool = False
    authority: bool = False
    asked: int = 0
    laid_away: int = 0
    top: tuple[Dealt, ...] = ()
    bottom: tuple[Dealt, ...] = ()
    forced: bool = False
    barred: tuple[bool, bool] = (False, False)
    said: tuple[bool, bool] = (False, False)
    kings: tuple[bool, bool] = (False, False)
    bought_at: tuple[int, int] = (0, 0)
    lost_kings: tuple[bool, bool] = (False, False)
    false_kings: tuple[bool, bool] = (False, False)
    turned_marked: bool = False
    marks: tuple[int, int] = (0, 0)
    tricks: tuple[Trick, ...] = ()
    led: Card | None = None
    leader: int = -1
    announced: Suit | None = None
    given: tuple[int, int] = (0, 0)
    shown: tuple[tuple[Card, ...], tuple[Card, ...]] = ((), ())
    open: tuple[bool, bool] = (False, False)
    revoked: tuple[bool, bool] = (False, False)
    excused: tuple[bool, bool] = (False, False)
    replayed: bool = False
    ragged: bool = False
    ended: bool = False
    thrown_in: bool = False
    trick_marks: tuple[int, int] = (0, 0)
    exposed: bool = False
    annulled: bool = False
    fell: bool = False
    unbeaten: tuple[tuple[int, int], ...] = ()
    heard: int = 0

    @property
    def elder(self) -> int:
        """The side that leads first: the one that does not deal."""
        return 1 - self.dealer

    @property
    def trump(self) -> Suit:
        """The suit of the turned-up card (E07-30). Raises ValueError before a card is turned up."""
        if self.turned is None:
            raise ValueError("no card is turned up")
        return self.turned.card.suit

    @property
    def first_lead(self) -> bool:
        """Whether no card has been led yet."""
        return not self.tricks and self.led is None


class Emptied(Struct, frozen=True, gc=False):
    """A Schlitten of this partie after its deal.

    Its cards are revealed when the partie ends (ER-20).
    """

    shoe: str
    number: int
    cards: tuple[Dealt, ...]


class Waiting(Struct, frozen=True, gc=False):
    """A deal that was set aside, and its Schlitten (E00-18, ER-29)."""

    deal: Deal
    shoe: Shoe


class Past(Struct, frozen=True, gc=False):
    """A finished partie: the winner's seat (0 for nobody), and the marks, the winner's first.

    `paid` is the sum that changed hands; 0 before the stakes are settled.
    """

    number: int
    winner: int
    score: tuple[int, int]
    paid: Chips = NONE


class Partie(Struct, frozen=True, gc=False):
    """A game to five marks.

    Attributes:
        number: the partie's number in the evening.
        seats: the left player's seat, then the right player's.
        score: the marks of each side.
        dealer: the side that deals now, or next.
        packets: the size of each side's first packet in this partie; 0 if not said yet (E07-14).
        due: marks that the sides may still make.
        emptied: the Schlitten used so far.
        aside: the deals that were set aside and are still to be played, in the order dealt.
        ordinal: the number of the last card in earlier Schlitten of the partie, so that promises
            have distinct numbers.
        last: the deal gathered last, in which a revoke may still be claimed (ER-13).
        fresh: whether two cards were identical, so that a fresh pack is due (ER-10).
    """

    number: int
    seats: tuple[int, int]
    score: tuple[int, int] = (0, 0)
    dealer: int = 0
    packets: tuple[int, int] = (0, 0)
    due: tuple[Due, ...] = ()
    emptied: tuple[Emptied, ...] = ()
    aside: tuple[Waiting, ...] = ()
    ordinal: int = 0
    last: Deal | None = None
    fresh: bool = False


def paired(pair: tuple[T, T], side: int, value: T) -> tuple[T, T]:
    """The pair with the value of one side replaced."""
    return (value, pair[1]) if side == 0 else (pair[0], value)


# ---- The phases of an écarté table


class PlayersDue(Struct, frozen=True, gc=False, tag=True):
    """No partie is under way. Its players must be named, or a mode of betting chosen."""


class Auction(Struct, frozen=True, gc=False, tag=True):
    """The right to give a chouette is auctioned (E07-8)."""


class StakesDue(Struct, frozen=True, gc=False, tag=True):
    """The players may stake on the next partie (E07-7)."""


class Succession(Struct, frozen=True, gc=False, tag=True):
    """A chouette was given up, and somebody may go on with it (E07-6)."""


class CutDue(Struct, frozen=True, gc=False, tag=True):
    """Both players must cut for the deal.

    `cuts` are the cards shown so far, the left player's first (E07-10).
    """

    cuts: tuple[Card | None, Card | None] = (None, None)


class NoSchlitten(Struct, frozen=True, gc=False, tag=True):
    """The cards must be shuffled, cut and loaded. `done` is the number of steps done (ER-20)."""

    done: int = 0


class PacketsDue(Struct, frozen=True, gc=False, tag=True):
    """The dealer must say the size of his first packet (E07-13, ER-21)."""


class Dealing(Struct, frozen=True, gc=False, tag=True):
    """Ten closed cards must be dealt, then an eleventh, which is turned up (E07-13)."""


class ElderToSpeak(Struct, frozen=True, gc=False, tag=True):
    """Elder must propose or lead (E07-35, E07-41)."""


class DealerToAnswer(Struct, frozen=True, gc=False, tag=True):
    """Elder has proposed, and the dealer must answer (E07-37)."""


class Discarding(Struct, frozen=True, gc=False, tag=True):
    """A player must discard, and say how many cards (E07-35)."""

    side: int


class Buying(Struct, frozen=True, gc=False, tag=True):
    """A player must get `due` cards from the talon (E07-35).

    `mends` means that these cards correct a wrong number of cards (E07-20 to 22). Afterwards the
    first card must be led, if `lead` is true; otherwise elder must speak.
    """

    side: int
    due: int
    mends: bool = False
    lead: bool = False


class LeadDue(Struct, frozen=True, gc=False, tag=True):
    """A player must lead. Elder leads to the first trick (E07-31, ER-4)."""


class ReplyDue(Struct, frozen=True, gc=False, tag=True):
    """A card was led, and the other player must reply (E07-44).

    `unspoken` means that the card was led out of turn, before elder had spoken (E07-34).
    """

    unspoken: bool = False


class DealOver(Struct, frozen=True, gc=False, tag=True):
    """The deal was played or annulled. Players mark, then the cards are gathered (E07-57)."""


class PartieOver(Struct, frozen=True, gc=False, tag=True):
    """A player has five marks, or the partie is lost or void. Its stakes must be settled (E07-45).

    `winner` and `loser` are seats, 0 for nobody.
    """

    winner: int = 0
    loser: int = 0


Phase = (
    PlayersDue | Auction | StakesDue | Succession | CutDue | NoSchlitten | PacketsDue | Dealing
    | ElderToSpeak | DealerToAnswer | Discarding | Buying | LeadDue | ReplyDue | DealOver
    | PartieOver
)  # fmt: skip


class Question(StrEnum):
    """A decision that the rules leave to a player or to the croupier."""

    PACKETS = "packets"
    FACED = "faced"
    EXPOSED = "exposed"
    TWO_TURNED = "two_turned"
    DEALER_SHORT = "dealer_short"
    DEALER_OVER = "dealer_over"
    ELDER_SHORT = "elder_short"
    ELDER_OVER = "elder_over"
    NUMBER = "number"
    OPEN = "open"
    SHOW_KING = "show_king"
    REVOKE = "revoke"
    THROWN = "thrown"
    LEFT = "left"
    FALSE_CARDS = "false_cards"


class Asked(Struct, frozen=True, gc=False, tag=True):
    """A question that a person must answer before the table goes on.

    Attributes:
        side: the side that must answer, 0 or 1; -1 for the croupier.
        about: the side that the question is about.
        options: the possible answers; `rule`: the id of the rule that asks the question.
        cards: how many cards the question is about, or the ordinal of its one card; `also`: the
            ordinals of cards that were added later.
    """

    question: Question
    side: int
    options: tuple[Option, ...]
    rule: str
    about: int = -1
    cards: int = 0
    also: tuple[int, ...] = ()


# ---- The stakes on a partie of écarté, and its players, as plain data with functions that read it


class Mode(StrEnum):
    """The way in which stakes are laid on the partie."""

    TWO_SIDES = "two_sides"
    """À deux côtés (E07-3)."""
    OPEN = "open"
    """A chouette that takes on every stake against it (E07-5, E00-4)."""
    BANK = "bank"
    """A chouette limited to its bank, which was auctioned (E07-8) or is the dealer's at EDE
    (EDE-0)."""


class Draw(Struct, frozen=True, gc=False):
    """The card that a player drew for the order of players, and one for each redraw (E07-9)."""

    place: int
    cards: tuple[Card, ...]


class Previous(Struct, frozen=True, gc=False):
    """The stakes on the last partie: on each side, and outside the bank."""

    stakes: tuple[Stakes, Stakes] = ((), ())
    beside: tuple[Beside, ...] = ()


class Bets(Struct, frozen=True, gc=False):
    """The stakes, and the players of each side.

    Attributes:
        orders: the order of players of each side; the giver's side of a chouette has none.
        stakes: the stakes laid on each side, in order. In a chouette, all are on side 1.
        rest: the player whose stake covers the rest, the sum by which one side was below the other;
            0 for nobody (E07-60).
        chouette: the giver and the sharers of the chouette; `bank`: the bank, if there is one.
        left_out: the parts of stakes that the bank did not cover, in order (E07-61).
        beside: stakes outside the bank (E07-62).
        closed: whether "rien ne va plus" was said (E07-7).
        giver_won: whether the giver won his last partie; None before the first.
        found: lost stakes that turned out to be another sum than was counted (E07-60).
        declined: players who refuse to go on with a chouette that was given up (E07-6).
        previous: the stakes of the last partie, for "the same again".
    """

    mode: Mode
    orders: tuple[Order, Order] = (Order(), Order())
    stakes: tuple[Stakes, Stakes] = ((), ())
    rest: int = 0
    chouette: Chouette | None = None
    bank: Bank | None = None
    left_out: Stakes = ()
    beside: tuple[Beside, ...] = ()
    closed: bool = False
    giver_won: bool | None = None
    declined: tuple[int, ...] = ()
    found: Stakes = ()
    previous: Previous = Previous()

    @property
    def giver(self) -> int:
        """The player who gives the chouette; 0 à deux côtés."""
        return self.chouette.giver if self.chouette else 0


class Before(Struct, frozen=True, gc=False):
    """The facts that are known before anybody stakes.

    Attributes:
        draws: the cards drawn for the order of players (E07-9).
        retired: the player who has just given up an auctioned chouette after he won his last
            partie, else 0 (E07-8).
        bids: the bids made so far.
        declined: at EDE, players who drew but will lay no bank (ER-36).
    """

    draws: tuple[Draw, ...] = ()
    retired: int = 0
    bids: tuple[Bid, ...] = ()
    declined: tuple[int, ...] = ()


def players(bets: Bets) -> tuple[int, int]:
    """The player who holds the cards on each side; 0 if there is none."""
    left = bets.chouette.hand if bets.chouette else bets.orders[0].hand
    return left or 0, bets.orders[1].hand or 0


def lies(bets: Bets | None) -> int:
    """All money at stake and in the bank, in smallest chips."""
    if bets is None:
        return 0
    outside = 2 * sum(bet.chips for bet in bets.beside)  # both players put up the sum
    return sum(map(stakes.total, bets.stakes)) + outside + giver_holds(bets)


def giver_holds(bets: Bets) -> int:
    """The money on the giver's side: his bank, or the sum that covers the closed stakes (E07-5)."""
    if bets.bank is not None:
        return bets.bank.holds
    return stakes.total(bets.stakes[1]) if bets.chouette and bets.closed else 0


def may_not_leave(bets: Bets | None, place: int) -> bool:
    """Whether the player at `place` may not leave.

    He may not if he has money at stake, gives a chouette or shares in it, or holds the cards once
    the stakes are closed.
    """
    if bets is None:
        return False
    staked = any(stakes.laid(side, place) for side in bets.stakes)
    outside = any(place in (bet.place, bet.holder) for bet in bets.beside)
    shares = bets.chouette is not None and place in bets.chouette.places
    return bool(staked or outside or shares or (bets.closed and place in players(bets)))


def known_after_moving(before: Before, said: Input) -> Before:
    """The facts in `before` after the input `said`: a player left or changed seats."""
    match said:
        case Leaves(seat=gone):
            draws = tuple(draw for draw in before.draws if draw.place != gone)
            declined = tuple(place for place in before.declined if place != gone)
            retired = before.retired * (before.retired != gone)
            return replace(before, draws=draws, retired=retired, declined=declined)
        case Moves(seat=seat, to=to) | Swaps(seat=seat, other=to):
            names = {seat: to, to: seat}
            draws = tuple(
                Draw(names.get(draw.place, draw.place), draw.cards) for draw in before.draws
            )
            declined = tuple(names.get(place, place) for place in before.declined)
            retired = names.get(before.retired, before.retired)
            return replace(before, draws=draws, retired=retired, declined=declined)
        case _:
            return before


def after_moving(bets: Bets | None, said: Input) -> Bets | None:
    """The bets after the input `said`: a player who is not `busy` left or changed seats."""
    match said:
        case Leaves(seat=gone) if bets:
            left, right = bets.orders
            declined = tuple(place for place in bets.declined if place != gone)
            orders = (order.leaves(left, gone), order.leaves(right, gone))
            gave, last = _moved(bets.chouette, {gone: 0}), _reseated(bets.previous, {gone: 0})
            return replace(bets, orders=orders, declined=declined, chouette=gave, previous=last)
        case Moves(seat=seat, to=to) | Swaps(seat=seat, other=to) if bets:
            names = {seat: to, to: seat}
            left, right = (_renamed(one, names) for one in bets.orders)
            declined = tuple(names.get(place, place) for place in bets.declined)
            gave, last, both = (
                _moved(bets.chouette, names),
                _reseated(bets.previous, names),
                (left, right),
            )
            return replace(bets, orders=both, declined=declined, chouette=gave, previous=last)
        case _:
            return bets


def _reseated(before: Previous, names: Mapping[int, int]) -> Previous:
    """The last stakes after players changed seats; `names` says the new seat for each old seat.

    The stakes of a player who left (new seat 0) are dropped.
    """
    first, second = (
        tuple(
            Stake(names.get(stake.place, stake.place), stake.chips)
            for stake in side
            if names.get(stake.place, stake.place)
        )
        for side in before.stakes
    )
    bets = (
        Beside(
            names.get(bet.place, bet.place),
            names.get(bet.holder, bet.holder),
            bet.chips,
            bet.on_giver,
        )
        for bet in before.beside
    )
    return Previous((first, second), tuple(bet for bet in bets if bet.place and bet.holder))


def _moved(one: Chouette | None, names: Mapping[int, int]) -> Chouette | None:
    """A chouette that was given up, after its players changed seats (ER-34).

    `names` says the new seat for each old seat; 0 means that the player left.
    """
    if one is None:
        return None
    shares = (Share(names.get(share.place, share.place), share.parts) for share in one.shares)
    return Chouette(tuple(shares), names.get(one.hand, one.hand))


def _renamed(one: Order, names: Mapping[int, int]) -> Order:
    """The order of players after they changed seats; `names` says each new seat."""
    return Order(
        None if one.hand is None else names.get(one.hand, one.hand),
        tuple(names.get(place, place) for place in one.waiting),
        tuple(names.get(place, place) for place in one.renounced),
    )


def on_side(
    bets: Bets, side: int, *, order: Order | None = None, laid: Stakes | None = None
) -> Bets:
    """The bets with another order of players, or other stakes, on one side."""
    orders, staked = list(bets.orders), list(bets.stakes)
    orders[side] = orders[side] if order is None else order
    staked[side] = staked[side] if laid is None else laid
    return replace(bets, orders=(orders[0], orders[1]), stakes=(staked[0], staked[1]))


def drawn(house: House, draws: Iterable[Draw]) -> tuple[tuple[int, ...], ...]:
    """The players who drew, in groups; the group that will play first comes first.

    Players with equal draws are in one group (E07-9, ER-36).
    """
    groups: list[tuple[Draw, ...]] = [tuple(draws)]
    for time in range(max((len(draw.cards) for draw in groups[0]), default=0)):
        groups = [part for group in groups for part in _parted(house, group, time)]
    return tuple(tuple(draw.place for draw in group) for group in groups if group)


def _parted(house: House, group: tuple[Draw, ...], time: int) -> list[tuple[Draw, ...]]:
    """Split a group by the cards that its players drew in the round `time`, counted from 0.

    The group stays whole until all of its players have drawn in this round.
    """
    if len(group) == 1 or any(len(draw.cards) <= time for draw in group):
        return [group]
    by_place = {draw.place: draw for draw in group}
    ranked = order.drawn(
        house, {place: draw.cards[time : time + 1] for place, draw in by_place.items()}
    )
    return [tuple(by_place[place] for place in places) for places in ranked]


# ---- The écarté table between two inputs, and functions that read it


class Table(Struct, frozen=True, gc=False):
    """The whole state of a table of écarté.

    Attributes:
        felt: the things that every card table has.
        prompt: the id of the question that the table asks; it changes with every new phase.
        parties: the number of parties begun this evening.
        asked: questions that the rules leave to persons, the last to be answered first. The game
            goes on when all are answered.
        before: the facts known before anybody stakes; `bets`: who stakes and plays for money.
        past: the last parties, for the screens.
        called: matters reported for a ruling, until somebody rules or the phase changes.
        undo: the last input from a person that can be taken back, and the table before it (R-20).
    """

    house: House
    phase: Phase
    felt: Felt
    prompt: int = 1
    parties: int = 0
    partie: Partie | None = None
    deal: Deal | None = None
    asked: tuple[Asked, ...] = ()
    before: Before = Before()
    bets: Bets | None = None
    called: tuple[Matter, ...] = ()
    past: tuple[Past, ...] = ()
    undo: Undo[Table] | None = None


Step = tuple[Table, tuple[Event, ...]]
#: The things that a table may wait for.
Awaited = Phase | Stop | Asked


def begin(house: House, key: SecretKey) -> Table:
    """An empty table of `house`. The nonces of the promises are made with `key`."""
    return Table(house, PlayersDue(), Felt(house, key, (None,) * house.seats))


def at(table: Table, phase: Phase, **changes: Any) -> Table:
    """The table in a new phase, with a new prompt id."""
    return replace(table, phase=phase, prompt=table.prompt + 1, called=(), **changes)


def foremost(table: Table) -> Awaited:
    """The stop that people must settle first, or else a question to a person, or else the phase."""
    if table.felt.stops:
        return table.felt.stops[-1]
    return table.asked[-1] if table.asked else table.phase


def on_felt(table: Table, **changes: Any) -> Table:
    """The table with these changes to its felt."""
    return replace(table, felt=replace(table.felt, **changes))


def on_deal(table: Table, **changes: Any) -> Table:
    """The table with these changes to its deal."""
    return replace(table, deal=replace(the_deal(table), **changes))


def on_this(table: Table, deal: Deal, **changes: Any) -> Table:
    """The table with changes to `deal`, which is the present deal or the one gathered last."""
    if deal is table.deal:
        return on_deal(table, **changes)
    return on_partie(table, last=replace(deal, **changes))


def on_partie(table: Table, **changes: Any) -> Table:
    """The table with these changes to its partie."""
    return replace(table, partie=replace(the_partie(table), **changes))


def for_side(table: Table, side: int, deal: Deal | None = None, **values: Any) -> Table:
    """The table with these values of one side in the present deal, or in `deal` (`on_this`)."""
    of = deal or the_deal(table)
    pairs = {name: paired(getattr(of, name), side, value) for name, value in values.items()}
    return on_this(table, of, **pairs)


def the_partie(table: Table) -> Partie:
    """The partie under way. Raises OutOfTurn if there is none."""
    if table.partie is None:
        raise OutOfTurn(
            phrase("No partie is under way."), phrase("Say first who plays the next one.")
        )
    return table.partie


def the_deal(table: Table) -> Deal:
    """The deal under way. Raises OutOfTurn if there is none."""
    if table.deal is None:
        raise OutOfTurn(phrase("No deal is under way."), phrase("Load the Schlitten and deal."))
    return table.deal


def first_due(table: Table) -> bool:
    """Whether no card of the deal has been dealt yet."""
    return table.deal is not None and not table.deal.came


def side_of(table: Table, seat: int) -> int:
    """The side of the player at `seat`. Raises OutOfTurn if he does not play the partie."""
    seats = the_partie(table).seats
    if seat not in seats:
        raise OutOfTurn(
            phrase("Seat {seat} does not play this partie.", seat=seat),
            phrase("Seats {left} and {right} play it.", left=seats[0], right=seats[1]),
        )
    return seats.index(seat)


def seat_of(table: Table, side: int) -> int:
    """The seat of the player of `side`; 0 for the croupier (-1)."""
    return the_partie(table).seats[side] if side >= 0 else 0


def rule(table: Table, number: str) -> str:
    """The id of a rule in this house's book. E07 and E00 have the same numbers from 9 to 44.

    For a house that plays by EDE, the id is that of E07.
    """
    return f"{'E07' if table.house.book == 'EDE' else table.house.book}-{number}"


def book_rule(table: Table, e07: str, e00: str, ede: str) -> str:
    """The id of a rule in this house's book, from the rule's numbers in the three books."""
    return {"E07": f"E07-{e07}", "E00": f"E00-{e00}", "EDE": f"EDE-{ede}"}[table.house.book]


def of_the_pack(table: Table, card: Card) -> None:
    """Raise AgainstRules if the card is not in an écarté pack (E07-1, E00-1, EDE-1)."""
    if card not in PACK_32:
        raise AgainstRules(
            phrase("The pack of écarté has 32 cards, from the seven to the ace."),
            phrase("Name one of them."),
            book_rule(table, "1", "1", "1"),
        )


def talon(table: Table) -> int:
    """The number of cards in the talon, inside the Schlitten and outside (ER-23)."""
    deal, shoe = table.deal, table.felt.shoe
    if deal is None or shoe is None:
        return 0
    return shoe.left + len(deal.top) + len(deal.bottom)


def played(deal: Deal, side: int) -> tuple[Card, ...]:
    """The cards that a side has played, in order."""
    cards = [trick.led if trick.leader == side else trick.reply for trick in deal.tricks]
    if deal.led is not None and deal.leader == side:
        cards.append(deal.led)
    return tuple(cards)


def tricks_of(deal: Deal, side: int) -> int:
    """How many tricks a side has won."""
    return sum(trick.winner == side for trick in deal.tricks) + deal.given[side]


def known(deal: Deal, side: int) -> tuple[Card, ...]:
    """The cards in a side's hand that everybody knows."""
    shown = deal.shown[side]
    if not shown:
        return ()
    gone = played(deal, side)
    return tuple(card for card in shown if card not in gone)


def hand_open(deal: Deal, side: int) -> bool:
    """Whether everybody knows every card in a side's hand."""
    return 0 < deal.held[side] == len(known(deal, side))


def under_way(table: Table) -> bool:
    """Whether a deal is under way that is not over."""
    deal = table.deal
    return deal is not None and not isinstance(table.phase, DealOver | PartieOver)


def busy(table: Table, seat: int) -> bool:
    """Whether the person at that place plays the partie, or has money in play.

    Once a chouette is given up, all money is back, so its giver may leave (ER-34).
    """
    plays = table.partie is not None and seat in table.partie.seats
    bids = any(bid.place == seat for bid in table.before.bids)
    given_up = isinstance(table.phase, Succession | Auction)
    return plays or bids or (not given_up and may_not_leave(table.bets, seat))


def money(table: Table) -> dict[str, int]:
    """The money of each player, the stakes with the bank, and the house's money, by name."""
    return felt.money(table.felt, stakes=lies(table.bets))


def total(table: Table) -> int:
    """All money brought to the table and not taken away, in smallest chips (R-16)."""
    return sum(money(table).values())

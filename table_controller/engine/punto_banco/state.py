"""The table between two inputs, as plain data: the things on it, its phase, and the deal.

There is one class for each moment of a deal.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from table_controller.engine.messages import Event
from table_controller.engine.promises import SecretKey
from table_controller.engine.punto_banco.events import CoupAnnounced, PointsTold, ThirdCardDue
from table_controller.engine.punto_banco.inputs import Side
from table_controller.engine.shoe import Dealt
from table_controller.engine.table import felt
from table_controller.engine.table.felt import Felt, Stop
from table_controller.engine.table.schlitten import NoSchlitten
from table_controller.engine.table.undo import Undo
from table_controller.rules.cards import Card
from table_controller.rules.money import NONE, Chips
from table_controller.rules.points import PIPS
from table_controller.rules.punto_banco.coup import Coup, Winner, winner
from table_controller.rules.punto_banco.house import House
from table_controller.rules.punto_banco.results import Result
from table_controller.rules.punto_banco.tableau import (
    BANKER_DRAWS,
    PLAYER_DRAWS,
    STOOD,
    is_natural,
)

# ---- The deal: the card that is due, and the hands' points

Cards = tuple[Dealt, ...]


class Lying(Struct, frozen=True, gc=False):
    """The cards of both hands in the coup `number`, each hand in the order dealt.

    `p` and `b` are Player's and Banker's points.
    """

    number: int
    player: Cards = ()
    banker: Cards = ()
    p: int = 0
    b: int = 0


class Dealing(Lying, frozen=True, tag=True):
    """Both hands get two cards, Player first (PB-4). `number` is 0 before the first card.

    `shown` are the sides that had already opened their cards when Banker's second card was replaced
    (PB-23).
    """

    shown: tuple[Side, ...] = ()


class ToOpen(Lying, frozen=True, tag=True):
    """Four cards are dealt, and at least one hand is still closed (PB-15, PR-3).

    `shown` is the side that is open.
    """

    shown: tuple[Side, ...] = ()


class PlayerDue(Lying, frozen=True, tag=True):
    """Player's third card is due (PB-6)."""


class PlayerToOpen(Lying, frozen=True, tag=True):
    """Player's third card is closed, so nobody can say yet whether Banker draws (PR-3)."""


class BankerDue(Lying, frozen=True, tag=True):
    """Banker's third card is due (PB-7)."""


class BankerToOpen(Lying, frozen=True, tag=True):
    """Banker's third card is dealt and still closed."""


class Announced(Lying, frozen=True, tag=True, kw_only=True):
    """The result is announced. Nothing is paid until the table agrees (PB-8).

    `contradicted` means that a second reading disagreed, so that a supervisor must decide (PB-37).
    """

    winner: Winner
    contradicted: bool = False


Deal = Dealing | ToOpen | PlayerDue | PlayerToOpen | BankerDue | BankerToOpen | Announced
#: The deal after a card or an input, and the events it caused.
Dealing_ = tuple[Deal, tuple[Event, ...]]

#: By Player's points, then Banker's. They are precomputed, since simulations play a million coups.
_WINNER: Final = tuple(tuple(winner(p, b) for b in range(10)) for p in range(10))
_POINTS: Final = tuple(tuple(PointsTold(player=p, banker=b) for b in range(10)) for p in range(10))
_PLAYER_DUE: Final = ThirdCardDue(side=Side.PLAYER)
_BANKER_DUE: Final = ThirdCardDue(side=Side.BANKER)


def lay(deal: Any, dealt: Dealt, *, closed: bool = False) -> Dealing_:
    """The deal after the card `dealt`, and the events. `closed` says whether the card stays closed.

    Raises KeyError if no card is due.
    """
    return LAY[type(deal)](deal, dealt, closed)


def _first_four(deal: Dealing, dealt: Dealt, closed: bool) -> Dealing_:
    number, player, banker = deal.number, deal.player, deal.banker
    pips = PIPS[dealt.card]
    if not player:
        return Dealing(number, (dealt,), (), pips, 0), ()
    if not banker:
        return Dealing(number, player, (dealt,), deal.p, pips), ()
    if len(player) == 1:
        return Dealing(number, (player[0], dealt), banker, (deal.p + pips) % 10, deal.b), ()
    banker, p, b = (banker[0], dealt), deal.p, (deal.b + pips) % 10
    if closed:
        return ToOpen(number, player, banker, p, b, deal.shown), ()
    return _judged(number, player, banker, p, b)


def _judged(number: int, player: Cards, banker: Cards, p: int, b: int) -> Dealing_:
    """The deal once both hands are open: a natural ends the coup, or one side draws, or none.

    Source: PB-5 to PB-7.
    """
    told = _POINTS[p][b]
    if not is_natural(p, b):
        if p <= PLAYER_DRAWS:
            return PlayerDue(number, player, banker, p, b), (told, _PLAYER_DUE)
        if BANKER_DRAWS[b][STOOD]:
            return BankerDue(number, player, banker, p, b), (told, _BANKER_DUE)
    deal, said = _announced(number, player, banker, p, b)
    return deal, (told, *said)


def _player_third(deal: PlayerDue, dealt: Dealt, closed: bool) -> Dealing_:
    number, player, banker = deal.number, (*deal.player, dealt), deal.banker
    p, b = (deal.p + PIPS[dealt.card]) % 10, deal.b
    if closed:
        return PlayerToOpen(number, player, banker, p, b), ()
    return _player_drew(number, player, banker, p, b)


def _player_drew(number: int, player: Cards, banker: Cards, p: int, b: int) -> Dealing_:
    """The deal once Player's third card is open, which decides whether Banker draws.

    Source: PB-7.
    """
    if BANKER_DRAWS[b][PIPS[player[2].card]]:
        return BankerDue(number, player, banker, p, b), (_BANKER_DUE,)
    return _announced(number, player, banker, p, b)


def _banker_third(deal: BankerDue, dealt: Dealt, closed: bool) -> Dealing_:
    number, player, banker = deal.number, deal.player, (*deal.banker, dealt)
    p, b = deal.p, (deal.b + PIPS[dealt.card]) % 10
    if closed:
        return BankerToOpen(number, player, banker, p, b), ()
    return _announced(number, player, banker, p, b)


def _announced(number: int, player: Cards, banker: Cards, p: int, b: int) -> Dealing_:
    won = _WINNER[p][b]
    told = CoupAnnounced(coup=number, winner=won, player=p, banker=b)
    return Announced(number, player, banker, p, b, winner=won), (told,)


#: The moments in which a card is due, and the function that takes it.
LAY: Final[dict[type, Callable[[Any, Dealt, bool], Dealing_]]] = {
    Dealing: _first_four,
    PlayerDue: _player_third,
    BankerDue: _banker_third,
}


def opened(deal: Deal, side: Side) -> tuple[Cards, Dealing_] | None:
    """The cards that a side opens now, and the deal after that (PB-15).

    None if the side has no closed cards.
    """
    match deal, side:
        case ToOpen(shown=shown), _ if side not in shown:
            cards = deal.player if side is Side.PLAYER else deal.banker
            if shown:
                return cards, _judged(deal.number, deal.player, deal.banker, deal.p, deal.b)
            now = ToOpen(deal.number, deal.player, deal.banker, deal.p, deal.b, (side,))
            return cards, (now, ())
        case PlayerToOpen(), Side.PLAYER:
            lies = (deal.number, deal.player, deal.banker, deal.p, deal.b)
            return (deal.player[2],), _player_drew(*lies)
        case BankerToOpen(), Side.BANKER:
            lies = (deal.number, deal.player, deal.banker, deal.p, deal.b)
            return (deal.banker[2],), _announced(*lies)
    return None


def to_open(deal: object) -> tuple[Side, ...]:
    """The sides that have closed cards to open, Player first."""
    match deal:
        case ToOpen(shown=shown):
            return tuple(side for side in Side if side not in shown)
        case PlayerToOpen():
            return (Side.PLAYER,)
        case BankerToOpen():
            return (Side.BANKER,)
    return ()


def closed_cards(deal: Lying, *, squeezed: bool) -> frozenset[int]:
    """The ordinals of the cards that nobody has opened yet.

    `squeezed` says whether the house deals closed cards; otherwise there are none.
    """
    if not squeezed:
        return frozenset()
    match deal:
        case Dealing(shown=shown) | ToOpen(shown=shown):
            player: Cards = () if Side.PLAYER in shown else deal.player
            cards = (*player, *(() if Side.BANKER in shown else deal.banker))
        case PlayerToOpen():
            cards = deal.player[2:]
        case BankerToOpen():
            cards = deal.banker[2:]
        case _:
            cards = ()
    return frozenset(card.ordinal for card in cards)


def in_order(deal: Lying) -> Cards:
    """The cards of the coup in the order in which they left the Schlitten."""
    return tuple(sorted((*deal.player, *deal.banker), key=lambda card: card.ordinal))


def finished(deal: Announced) -> Coup:
    """The announced coup, with its winner or the winner that a supervisor named (PB-26)."""
    return Coup(_faces(deal.player), _faces(deal.banker), deal.p, deal.b, deal.winner)


def _faces(hand: Cards) -> tuple[Card, ...]:
    if len(hand) == 2:  # the usual case; the loop below takes twice as long
        one, two = hand
        return one.card, two.card
    return tuple([dealt.card for dealt in hand])


# ---- The table between two inputs: the things on it, and its phase


class Bet(Struct, frozen=True, gc=False):
    """The stake of one place on one spot."""

    seat: int
    spot: str
    chips: Chips


class Payment(Struct, frozen=True, gc=False):
    """One line of the settlement (PB-14), about one place's stake on one spot.

    Attributes:
        chips: the sum that the house pays on top of the stake; negative for a stake that it
            collects.
        owed: the part of `chips` that is commission in the player's box (PB-10).
        stake: the stake itself.
    """

    seat: int
    spot: str
    chips: Chips
    stake: Chips
    owed: Chips = NONE
    done: bool = False


class Record(Struct, frozen=True, gc=False):
    """The record of a finished coup, for the roads, the counters and the row of past coups.

    All cards were open at its end. The record keeps them in the order dealt (PR-4).
    """

    coup: int
    winner: Winner
    player: int
    banker: int
    cards: int
    player_pair: bool = False
    banker_pair: bool = False
    natural: bool = False
    player_cards: tuple[Card, ...] = ()
    banker_cards: tuple[Card, ...] = ()

    @property
    def result(self) -> Result:
        """The coup's entry in the roads."""
        return Result(self.winner, self.player_pair, self.banker_pair, self.natural)


class Done(Struct, frozen=True, gc=False):
    """The last settled coup, until the next coup's first card (PB-26).

    `bets` are the stakes on it, and `payments` the lines of its settlement. `free` is the
    number of coups in a row before it that had no stakes.
    """

    deal: Announced
    bets: tuple[Bet, ...]
    payments: tuple[Payment, ...]
    free: int


# Phases besides those of the deal


class Burning(Struct, frozen=True, gc=False, tag=True):
    """The first card must be turned, or `left` more cards must be burned face down (PB-2)."""

    left: int | None = None


class Betting(Struct, frozen=True, gc=False, tag=True):
    """The bets are open. The coup's first card closes them (PB-4)."""


class Paying(Struct, frozen=True, gc=False, tag=True):
    """The table agreed, and the croupier collects and pays (PB-14)."""

    deal: Announced
    payments: tuple[Payment, ...]


class Over(Struct, frozen=True, gc=False, tag=True):
    """No further coup is dealt from this Schlitten (PB-3). The croupier must close and count it."""


Phase = (
    NoSchlitten
    | Burning
    | Betting
    | Dealing
    | ToOpen
    | PlayerDue
    | PlayerToOpen
    | BankerDue
    | BankerToOpen
    | Announced
    | Paying
    | Over
)
#: The things that a table may wait for.
Awaited = Phase | Stop
#: Between two coups.
BETWEEN = (NoSchlitten, Burning, Betting, Over)


class Table(Struct, frozen=True, gc=False):
    """The whole state of a table of punto banco.

    Attributes:
        felt: the things that every card table has; its `cagnotte` is the house's tray.
        prompt: the id of the question that the table asks; it changes with every new phase.
        bets: the stakes on the spots. After a tie some stay for the next coup (PB-9).
        order: the stakes in the order laid, if the house has a differential (PB-36).
        over: the stakes that the differential sent back when the bets closed, until the bets are
            open again.
        previous: the stakes of the previous coup, for "the same again".
        owed: the commission in each place's box (PB-10).
        free: how many coups in a row were without a stake (PB-16).
        past: this Schlitten's coups, without the void ones (PR-2).
        before: the coups of the previous Schlitten (PR-4).
        done: the last settled coup, until the next coup's first card (PB-26).
        withdraw: whether a foreign or doubled card came, so that the Schlitten ends after this coup
            (PB-27).
        cut: the number of the coup in which the cut card came, if one more coup may follow; else 0
            (PB-3).
        undo: the last input from a person that can be taken back (R-20).
    """

    house: House
    phase: Phase
    felt: Felt
    prompt: int = 1
    bets: tuple[Bet, ...] = ()
    previous: tuple[Bet, ...] = ()
    owed: tuple[tuple[int, Chips], ...] = ()
    free: int = 0
    past: tuple[Record, ...] = ()
    before: tuple[Record, ...] = ()
    done: Done | None = None
    withdraw: bool = False
    undo: Undo[Table] | None = None
    order: tuple[Bet, ...] = ()
    over: tuple[Bet, ...] = ()
    cut: int = 0


Step = tuple[Table, tuple[Event, ...]]


def begin(house: House, key: SecretKey) -> Table:
    """An empty table of `house`. The nonces of the promises are made with `key`."""
    tray = Chips(house.tray if house.bets else 0)
    return Table(house, NoSchlitten(), Felt(house, key, (None,) * house.seats, cagnotte=tray))


def at(table: Table, phase: Phase, **changes: Any) -> Table:
    """The table in a new phase, with a new prompt id."""
    return replace(table, phase=phase, prompt=table.prompt + 1, **changes)


def on_felt(table: Table, **changes: Any) -> Table:
    """The table with these changes to its felt."""
    return replace(table, felt=replace(table.felt, **changes))


def pay(table: Table, seat: int, chips: int) -> Table:
    """The table after the house paid `chips` to the player; a negative sum is taken from him."""
    now = felt.pay(table.felt, seat, chips) if chips else table.felt
    return replace(table, felt=replace(now, cagnotte=Chips(now.cagnotte - chips)))


def staked(bets: tuple[Bet, ...]) -> Chips:
    """The sum of all stakes."""
    return Chips(sum([bet.chips for bet in bets])) if bets else NONE


def money(table: Table) -> dict[str, int]:
    """How many chips the players, the stakes and the house's tray have (R-16)."""
    return felt.money(table.felt, stakes=staked(table.bets))


def foremost(table: Table) -> Awaited:
    """The stop that people must settle first, or else the phase."""
    return table.felt.stops[-1] if table.felt.stops else table.phase


def lying(table: Table) -> Lying | None:
    """The cards of the coup under way, or of the coup that is being paid; None between coups."""
    phase = table.phase
    return phase.deal if isinstance(phase, Paying) else phase if isinstance(phase, Lying) else None


def under_way(table: Table) -> bool:
    """Whether there are cards of a coup whose result the table has not agreed on."""
    phase = table.phase
    return isinstance(phase, Lying) and phase.number > 0


def cards_lie(table: Table) -> bool:
    """Whether `under_way`, and a card lies in a hand: the only one may be burned (PB-23)."""
    deal = lying(table)
    return under_way(table) and deal is not None and bool(deal.player)


def closed_of(table: Table) -> tuple[Dealt, ...]:
    """The cards of the coup that nobody has opened yet (PR-3)."""
    deal, squeezed = lying(table), table.house.dealing == "squeezed"
    closed = closed_cards(deal, squeezed=squeezed) if deal else frozenset()
    return tuple(card for card in cards_of(deal) if card.ordinal in closed)


def cards_of(deal: Lying | None) -> tuple[Dealt, ...]:
    """All cards of a coup, Player's first; none if `deal` is None."""
    return (*deal.player, *deal.banker) if deal else ()

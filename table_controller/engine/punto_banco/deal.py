"""The deal: the card that is due, and the hands' points. There is one class for each moment.

The module knows cards, points and the table of draws, but no Schlitten, bet or money. Points are
counted as cards are dealt, but they decide nothing while a hand is closed (PR-3).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec import Struct

from table_controller.engine.messages import Event
from table_controller.engine.punto_banco.events import CoupAnnounced, PointsTold, ThirdCardDue
from table_controller.engine.punto_banco.inputs import Side
from table_controller.engine.shoe import Dealt
from table_controller.rules.cards import Card
from table_controller.rules.points import PIPS
from table_controller.rules.punto_banco.coup import Coup, Winner, winner
from table_controller.rules.punto_banco.tableau import (
    BANKER_DRAWS,
    PLAYER_DRAWS,
    STOOD,
    is_natural,
)

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

"""The écarté table between two inputs, and functions that read it."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from table_controller.engine.ecarte import betting
from table_controller.engine.ecarte.betting import Before, Bets
from table_controller.engine.ecarte.facts import Deal, Partie, Past, paired
from table_controller.engine.ecarte.inputs import Matter
from table_controller.engine.ecarte.phases import (
    Asked,
    Auction,
    DealOver,
    PartieOver,
    Phase,
    PlayersDue,
    Succession,
)
from table_controller.engine.messages import AgainstRules, Event, OutOfTurn, phrase
from table_controller.engine.promises import SecretKey
from table_controller.engine.table import felt
from table_controller.engine.table.felt import Felt
from table_controller.engine.table.stops import Stop
from table_controller.engine.table.undo import Undo
from table_controller.rules.cards import PACK_32, Card
from table_controller.rules.ecarte.house import House


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
    return plays or bids or (not given_up and betting.busy(table.bets, seat))


def money(table: Table) -> dict[str, int]:
    """The money of each player, the stakes with the bank, and the house's money, by name."""
    return felt.money(table.felt, stakes=betting.lies(table.bets))


def total(table: Table) -> int:
    """All money brought to the table and not taken away, in smallest chips (R-16)."""
    return sum(money(table).values())

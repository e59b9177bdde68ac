"""The table between two inputs, as plain data: the things on it, its phase, and how it is stored.

A phase's fields are the facts that only this phase has.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import fields, replace

from table_controller.engine.chemin_de_fer.events import Side
from table_controller.engine.chemin_de_fer.inputs import Play, Word
from table_controller.engine.messages import Event
from table_controller.engine.promises import SecretKey
from table_controller.engine.shoe import Dealt
from table_controller.engine.table import felt
from table_controller.engine.table.door import entitled
from table_controller.engine.table.felt import Felt, Stop
from table_controller.engine.table.schlitten import NoSchlitten
from table_controller.engine.table.undo import Undo
from table_controller.engine.views import STANDING
from table_controller.rules.chemin_de_fer.house import House
from table_controller.rules.money import NONE, Chips
from table_controller.rules.points import points

# ---- The things on the table: bank, stakes, cards, results


class Seller(Struct, frozen=True, gc=False):
    """A banker who sold the bank, and the buyer's bid, which became the new pot (Z-22, R-29)."""

    seat: int
    partners: tuple[int, ...]
    bid: Chips


class Bank(Struct, frozen=True, gc=False):
    """The bank: the banker's seat, and the money in the bank.

    Attributes:
        pot: the sum that is played for.
        aside: the banker's chips on the table that are not played for in this coup (R-7).
        won: the banker's win in the last coup, after the cagnotte; 0 if he did not win. After a win
            he may give the bank to another (ZP-18, N-7). This sum is also the first pot of a new
            Schlitten (Z-25).
        whole: whether a coup was annulled after the win, so that a new Schlitten leaves the pot as
            it is (R-30, R-39).
        own: the part that the banker put up himself; `partners`: place and part of each partner
            (Z-4).
        open: whether the bank is played without limit (Z-5).
        halved: whether the banker has already halved the bank, or may not halve it (N-5, N-7).
        sellers: the earlier bankers who sold this bank, the earliest first (R-29).
        giver: the seat of the player from whom the present banker took over the bank, else 0. The
            order of payment begins after that seat (N-7).
    """

    seat: int
    pot: Chips
    aside: Chips = NONE
    won: Chips = NONE
    own: Chips = NONE
    partners: tuple[tuple[int, Chips], ...] = ()
    open: bool = False
    halved: bool = False
    sellers: tuple[Seller, ...] = ()
    giver: int = 0
    whole: bool = False


class Stake(Struct, frozen=True, gc=False):
    """The stake of one place against the bank."""

    seat: int
    chips: Chips


class Coup(Struct, frozen=True, gc=False):
    """The pointeur and his game, and the stakes against the bank.

    Attributes:
        pointeur: the place that plays the cards; 0 while there is none.
        closed: whether "nichts geht mehr" was said; `taken_up`: whether nobody can take the
            pointeur's place any more (N-3).
        tie: whether the coup is a replay after equal points, by the same pointeur (R-4).
        held: after a tie, the least stake that the pointeur needs to keep the cards (N-5); else 0.
        tied: those stakes of the last tie that have not been withdrawn (N-5, R-36).
        tie_pot: the sum that was played for in that tie, which is the pot if the bank is taken over
            (N-7); else 0.
    """

    pointeur: int
    play: Play
    stakes: tuple[Stake, ...]
    closed: bool = False
    taken_up: bool = False
    tie: bool = False
    held: Chips = NONE
    tied: tuple[Stake, ...] = ()
    tie_pot: Chips = NONE

    @property
    def staked(self) -> Chips:
        """The sum of all stakes, whether the pot covers them or not."""
        return Chips(sum(stake.chips for stake in self.stakes))

    def stake_of(self, seat: int) -> Chips:
        """The stake of the place `seat`, 0 if it has none."""
        for stake in self.stakes:
            if stake.seat == seat:
                return stake.chips
        return NONE


class Deal(Struct, frozen=True, gc=False):
    """The cards of a coup so far, in the order dealt, and which of them are open.

    Attributes:
        shown: ordinals of the cards that were dealt closed and are now open.
        word: the pointeur's last answer.
        bound: whether the banker must play by the custom, whatever he declared (Z-8, Z-19, R-34).
        thrown: whether the pointeur threw his cards away, so that they count nothing (Z-15).
        spare: the pointeur's third card, if he gave it back. The banker gets this card if he draws
            (Z-21).
        claimed: the card given back, if only the pointeur says that the custom forbade it. His hand
            proves it or not when it opens (R-38).
    """

    number: int
    pointeur: tuple[Dealt, ...] = ()
    banker: tuple[Dealt, ...] = ()
    shown: tuple[int, ...] = ()
    word: Word | None = None
    bound: bool = False
    thrown: bool = False
    spare: Dealt | None = None
    claimed: Dealt | None = None

    @property
    def cards(self) -> tuple[Dealt, ...]:
        """The cards of both hands: the pointeur's, then the banker's."""
        return (*self.pointeur, *self.banker)

    @property
    def given(self) -> Dealt | None:
        """The pointeur's third card, which is open (Z-9); None if he has no third card."""
        return self.pointeur[2] if len(self.pointeur) == 3 else None

    @property
    def pointeur_open(self) -> bool:
        """Whether the pointeur has his two closed cards and both are open now."""
        return len(self.pointeur) >= 2 and self.lies_open(self.pointeur)

    @property
    def banker_open(self) -> bool:
        """Whether the banker has his two closed cards and both are open now."""
        return len(self.banker) >= 2 and self.lies_open(self.banker)

    def lies_open(self, cards: tuple[Dealt, ...]) -> bool:
        """Whether the cards of this hand that were dealt closed are all open now."""
        shown = self.shown
        return not [dealt for dealt in cards[:2] if dealt.ordinal not in shown]


class CoupRecord(Struct, frozen=True, gc=False):
    """A finished coup, as the row of past coups shows it."""

    number: int
    winner: Side | None
    banker_seat: int
    pointeur_seat: int
    banker: int | None
    pointeur: int | None
    pot: Chips
    staked: Chips
    cagnotte: Chips
    pot_after: Chips
    forfeit: str = ""


class Totals(Struct, frozen=True, gc=False):
    """The totals of all coups of a Schlitten, or of an evening."""

    coups: int = 0
    bank: int = 0
    pointeur: int = 0
    ties: int = 0
    staked: Chips = NONE
    cagnotte: Chips = NONE


class Payment(Struct, frozen=True, gc=False):
    """One line of the settlement: the player at `seat` gets `chips`, or pays them if negative.

    Place 0 is the house.
    """

    seat: int
    chips: int
    done: bool = False


class Books(Struct, frozen=True, gc=False):
    """The sums that a coup paid to each player, and the state before the coup was settled (R-20).

    With these, the settlement can be undone.
    """

    moved: tuple[Payment, ...]
    bank: Bank | None
    coup: Coup | None
    suivi: int
    totals: tuple[Totals, Totals]


# ---- The phases, one class for each


class PlayersDue(Struct, frozen=True, gc=False, tag=True):
    """The table waits until at least two players are there."""


class BankDue(Struct, frozen=True, gc=False, tag=True):
    """The player to whom the Schlitten has come puts up a pot, or lets the Schlitten pass."""


class StakesDue(Struct, frozen=True, gc=False, tag=True):
    """The banker has put up the pot, and a pointeur may come forward."""


class Staking(Struct, frozen=True, gc=False, tag=True):
    """All players may stake (ZP-15 III, ZP-16, N-3)."""


class Sharing(Struct, frozen=True, gc=False, tag=True):
    """The part that nobody has staked is offered to one player after another (R-21).

    The first of `seats` must answer now.
    """

    seats: tuple[int, ...]
    missing: Chips


class BankStakeDue(Struct, frozen=True, gc=False, tag=True):
    """The banker of an open bank must put up its stake, at least `least` (Z-5)."""

    least: Chips


class Auction(Struct, frozen=True, gc=False, tag=True):
    """The bank is sold to the highest bidder (ZP-18, R-28).

    If the bank is sold while cards are counted or mixed, `after` is the phase of that work, which
    goes on after the sale (Z-25).
    """

    seller: int
    partners: tuple[int, ...]
    sellers: tuple[Seller, ...]
    bids: tuple[Stake, ...] = ()
    after: NoSchlitten | Over | None = None


class TakeOver(Struct, frozen=True, gc=False, tag=True):
    """Another player may take over the bank of `giver` with a pot of the same size (N-7)."""

    giver: int
    pot: Chips


class Dealing(Struct, frozen=True, gc=False, tag=True):
    """The pointeur and the banker get two closed cards each, the pointeur first (ZP-6)."""

    deal: Deal | None = None


class PointeurToSpeak(Struct, frozen=True, gc=False, tag=True):
    """Four cards are dealt. The pointeur must speak, whatever cards he has (R-17)."""

    deal: Deal


class BankerToOpen(Struct, frozen=True, gc=False, tag=True):
    """The pointeur has spoken. The banker must open his cards first (ZP-12)."""

    deal: Deal


class ThirdCardDue(Struct, frozen=True, gc=False, tag=True):
    """The banker must deal the pointeur's third card open (ZP-8, Z-9)."""

    deal: Deal


class BankerToChoose(Struct, frozen=True, gc=False, tag=True):
    """The banker must draw or stand (ZP-9)."""

    deal: Deal


class BankerCardDue(Struct, frozen=True, gc=False, tag=True):
    """The banker said that he draws. His third card is dealt open (Z-9)."""

    deal: Deal


class PointeurToOpen(Struct, frozen=True, gc=False, tag=True):
    """The pointeur must open his closed cards (ZP-12)."""

    deal: Deal


class FauxOffered(Struct, frozen=True, gc=False, tag=True):
    """The pointeur's third card was given back, and the banker may ask for it (Z-21, R-18)."""

    deal: Deal


class ClaimDisputed(Struct, frozen=True, gc=False, tag=True):
    """A claim failed after the banker had drawn the card or it was burned (R-38).

    A supervisor must rule.
    """

    deal: Deal


class Settled(Struct, frozen=True, gc=False, tag=True):
    """The result is announced, and the croupier collects and pays (ZP-14).

    `payments` are in the order of Z-26.
    """

    deal: Deal
    record: CoupRecord
    payments: tuple[Payment, ...]
    before: Books


class Over(Struct, frozen=True, gc=False, tag=True):
    """No further coup is dealt from this Schlitten (R-6). The croupier must close and count it."""


Phase = (
    NoSchlitten
    | PlayersDue
    | BankDue
    | StakesDue
    | Staking
    | Sharing
    | BankStakeDue
    | Auction
    | TakeOver
    | Dealing
    | PointeurToSpeak
    | BankerToOpen
    | ThirdCardDue
    | BankerToChoose
    | BankerCardDue
    | PointeurToOpen
    | FauxOffered
    | ClaimDisputed
    | Settled
    | Over
)


# ---- The table between two inputs: the things on it, and its phase

#: The row shows this many past coups.
REMEMBERED = 9


class Table(Struct, frozen=True, gc=False):
    """The whole state of a table of chemin de fer.

    Attributes:
        felt: the things that every card table has.
        place: the seat that has the Schlitten. It does not change when the bank is sold (R-11).
        prompt: the id of the question that the table asks; it changes with every new phase.
        suivi: the place of the pointeur who lost the previous coup, else 0 (ZP-13).
        totals: the totals of this Schlitten and of the evening.
        previous: the stakes of the previous coup, for "the same again".
        by_schlitten: places whose players declared to play by the custom (R-25).
        must_pass: for each place, how often its player must still let the bank pass after changing
            seats (N-1).
        undo: the last input from a person that can be taken back, and the table before it (R-20).
    """

    house: House
    phase: Phase
    felt: Felt
    place: int = 1
    prompt: int = 1
    bank: Bank | None = None
    coup: Coup | None = None
    suivi: int = 0
    totals: tuple[Totals, Totals] = (Totals(), Totals())
    previous: tuple[Stake, ...] = ()
    last: tuple[CoupRecord, ...] = ()
    by_schlitten: tuple[int, ...] = ()
    must_pass: tuple[tuple[int, int], ...] = ()
    undo: Undo[Table] | None = None

    @property
    def banker(self) -> int:
        """The place of the banker, 0 while there is none."""
        return self.bank.seat if self.bank else 0

    @property
    def pointeur(self) -> int:
        """The place of the pointeur, 0 while there is none."""
        return self.coup.pointeur if self.coup else 0


Step = tuple[Table, tuple[Event, ...]]


def begin(house: House, key: SecretKey) -> Table:
    """An empty table of `house`. The nonces of the promises are made with `key`."""
    return Table(house, NoSchlitten(), Felt(house, key, (None,) * house.seats))


def at(table: Table, phase: Phase, **changes: Any) -> Table:
    """The table in a new phase, with a new prompt id."""
    return replace(table, phase=phase, prompt=table.prompt + 1, **changes)


def on_felt(table: Table, **changes: Any) -> Table:
    """The table with these changes to its felt."""
    return replace(table, felt=replace(table.felt, **changes))


def pay(table: Table, seat: int, chips: int) -> Table:
    """The table after the player at `seat` got `chips`; a negative sum is taken from him."""
    return replace(table, felt=felt.pay(table.felt, seat, chips))


def money(table: Table) -> dict[str, int]:
    """The chips of each player, of the bank, of all stakes, and of the house, by name (R-16)."""
    bank = table.bank.pot + table.bank.aside if table.bank else 0
    stakes = table.coup.staked if table.coup else 0
    return felt.money(table.felt, bank=bank, stakes=stakes)


def value(cards: tuple[Dealt, ...]) -> int:
    """The points of a hand, 0 to 9."""
    return points([dealt.card for dealt in cards])


def passes_due(table: Table, seat: int) -> int:
    """How often the player at that place must still let the bank pass (N-1, R-40)."""
    return dict(table.must_pass).get(seat, 0)


def due_to_pass(table: Table, seat: int, count: int) -> Table:
    """The table where the player at `seat` must still let the bank pass `count` times."""
    due = {**dict(table.must_pass), seat: count}
    return replace(table, must_pass=tuple((at, n) for at, n in sorted(due.items()) if n))


#: The things that a table may wait for.
Awaited = Phase | Stop


def foremost(table: Table) -> Awaited:
    """The stop that people must settle first, or else the phase."""
    return table.felt.stops[-1] if table.felt.stops else table.phase


def deal_of(phase: Phase) -> Deal | None:
    """The cards on the table, or None if there are none."""
    return getattr(phase, "deal", None)


def unstaked(table: Table) -> bool:
    """Whether the table waits for the coup's first stake (R-53)."""
    if table.felt.stops:
        return False
    lies = table.coup is not None and table.coup.staked > 0
    return isinstance(table.phase, StakesDue) or (isinstance(table.phase, Staking) and not lies)


def under_way(table: Table) -> bool:
    """Whether cards of an unsettled coup are on the table."""
    return deal_of(table.phase) is not None and not isinstance(table.phase, Settled)


def cards_lie(table: Table) -> bool:
    """Whether `under_way`, and a card lies in a hand: the only one may be thrown out (N-9)."""
    deal = deal_of(table.phase)
    return under_way(table) and deal is not None and bool(deal.cards)


def in_play(table: Table, seat: int) -> bool:
    """Whether the player at that place has money in the coup, the bank or its sale."""
    bank, coup, phase = table.bank, table.coup, table.phase
    busy = False
    match phase:
        case Settled(before=before):  # announced, but not yet paid
            bank, coup = before.bank, before.coup
        case Auction(seller=seller, bids=bids):  # his partners are paid out (Z-4)
            busy = seat == seller or any(bid.seat == seat for bid in bids)
        case TakeOver(giver=giver):
            busy = seat == giver
        case Sharing(seats=asked):
            busy = seat == asked[0]
    in_bank = bank and (seat == bank.seat or seat in dict(bank.partners))
    in_coup = coup and (seat == coup.pointeur or coup.stake_of(seat))
    return bool(in_bank or in_coup or busy)


# ---- Reads a saved table, which was stored when its Schlitten was closed


def load(begun: Table, saved: bytes) -> Table:
    """The inverse of `save`, for tables of every version. House and key come from `begun`."""
    now = migrated(msgspec.json.decode(saved), begun.house.game)
    return entitled(begun, msgspec.convert(now, type=Table))


def migrated(saved: dict[str, Any], game: str) -> dict[str, Any]:
    """The same saved table in today's format.

    Until November 2026 the fields of the felt were fields of the table itself.
    """
    saved["house"].setdefault("game", game)  # there was one game, which no house named
    if "felt" not in saved:
        laid = {field.encode_name for field in fields(Felt)}
        own = {name: value for name, value in saved.items() if name not in laid or name == "house"}
        saved = own | {"felt": {name: value for name, value in saved.items() if name in laid}}
    return _declared(saved["felt"]) | saved


def _declared(felt: dict[str, Any]) -> dict[str, Any]:
    """The players' declarations, and how often each must let the bank pass.

    Tables in an older format stored both in each player's entry.
    """
    players = [*enumerate(felt["seats"], 1), *enumerate(felt["standing"], STANDING + 1)]
    known = [(place, who) for place, who in players if who]
    due = ((place, who.get("must_pass", 0)) for place, who in known)
    return {
        "by_schlitten": [place for place, who in known if who.get("by_schlitten")],
        "must_pass": [(place, count) for place, count in due if count],
    }

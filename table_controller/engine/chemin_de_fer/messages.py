"""What happens at a chemin de fer table (inputs) and what comes of it (events)."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar

from table_controller.engine import messages as common
from table_controller.engine.messages import Audience, Event, Input
from table_controller.engine.seen import Unknown
from table_controller.rules.cards import Card
from table_controller.rules.money import Chips
from table_controller.rules.tableau import Duty


class Word(StrEnum):
    """What a player says, as the table says it."""

    CARTE = "carte"
    RESTE = "reste"
    SCHLAG = "schlag"
    DRAWS = "draws"
    STANDS = "stands"


class Play(StrEnum):
    """The games of ZP-15 and ZP-16."""

    BANCO_SOLO = "banco_solo"


class Side(StrEnum):
    """The two hands of a coup."""

    BANK = "bank"
    POINTEUR = "pointeur"


class StrayRuling(StrEnum):
    """What the croupier says of a card that left when none was due (R-19)."""

    KEPT = "kept"
    """Still closed: the first card of the next deal (Z-13)."""
    BURNED = "burned"
    """It was uncovered: thrown on the pile (Z-13)."""
    BACK = "back"
    """It was none: a hand in the light, a card pushed back before it left."""


class WhiteRuling(StrEnum):
    """What the croupier decides where the white card and the count disagree (R-6)."""

    LAST_COUP = "last_coup"
    PLAY_ON = "play_on"
    ANNUL = "annul"
    """The coup under way began with too few cards (Z-24)."""


# Inputs


class Sits(Input, frozen=True):
    """A player takes a seat with so many chips."""

    seat: int
    name: str
    chips: Chips


class BuysIn(Input, frozen=True):
    """A seated player brings more chips to the table."""

    seat: int
    chips: Chips


class Leaves(Input, frozen=True):
    """A player leaves with his chips."""

    seat: int


class SchlittenLoaded(Input, frozen=True):
    """A mixed and cut Schlitten stands ready; `shoe` names its manifest."""

    shoe: str


class SchlittenClosed(Input, frozen=True):
    """The Schlitten is over, emptied and counted: what stayed closed may be known (R-35)."""


class Banks(Input, frozen=True):
    """The player at `seat` puts up so much as the pot (ZP-5)."""

    seat: int
    chips: Chips


class Passes(Input, frozen=True):
    """The player at `seat` lets the Schlitten pass on."""

    seat: int


class Banco(Input, frozen=True):
    """The player at `seat` comes forward as pointeur for the whole pot (ZP-15 I)."""

    seat: int


class Spoke(Input, frozen=True):
    """The player at `seat` said a word."""

    seat: int
    word: Word


class Opened(Input, frozen=True):
    """The hand at `seat` lies open. It cannot be taken back (R-20)."""

    seat: int


class Paid(Input, frozen=True):
    """Everything of this coup is collected and paid; the table goes on (ZP-14)."""


class StrayRuled(Input, frozen=True):
    """The croupier says what the card was that left when none was due (R-19)."""

    ruling: StrayRuling


class UnreadRuled(Input, frozen=True):
    """The croupier says of an unread passage that no card of this Schlitten left in it."""


class WhiteRuled(Input, frozen=True):
    """The croupier decides where white card and count disagree (R-6)."""

    ruling: WhiteRuling


class Annulled(Input, frozen=True):
    """The coup is annulled without loss to either side (Z-24, Z-27)."""

    reason: str


# Events


class PlayerSat(Event, frozen=True):
    """A seat is taken."""

    seat: int


class PlayerLeft(Event, frozen=True):
    """A seat is free."""

    seat: int


class BalanceChanged(Event, frozen=True):
    """Chips came to, or left, the table: for the staff."""

    audience: ClassVar[Audience] = Audience.CROUPIER
    seat: int
    name: str
    chips: int
    balance: Chips


class SchlittenReady(Event, frozen=True):
    """A full Schlitten is in play: so many cards, so many of them behind the white one."""

    shoe: str
    number: int
    cards: int
    white_at: int


class BankPosted(Event, frozen=True):
    """The bank stands: "… banco" (ZP-5)."""

    seat: int
    pot: Chips


class SchlittenPassed(Event, frozen=True):
    """The Schlitten goes on to the next seat (ZP-19)."""

    seat: int
    to: int


class PointeurNamed(Event, frozen=True):
    """Who plays against the bank, how, and for how much (ZP-15)."""

    seat: int
    play: Play
    stake: Chips


class CardDrawn(Event, frozen=True):
    """A card joined the place of `seat` (0: laid aside). Public: that it did, and its promise."""

    seat: int
    ordinal: int
    commitment: str


class CardIdentified(Event, frozen=True):
    """Which card it is. For nobody, before it is opened."""

    audience: ClassVar[Audience] = Audience.SEALED
    ordinal: int
    card: Card
    attempt: int


class CardUnread(Event, frozen=True):
    """A passage without a sure reading. The coup stands still."""

    ordinal: int
    reason: Unknown


class CardOpened(Event, frozen=True):
    """A card lies face up; nonce and card prove the promise of `card_drawn`."""

    seat: int
    ordinal: int
    card: Card
    nonce: str


class CardRemoved(Event, frozen=True):
    """A card of no hand: `ruling` says what became of it (R-19)."""

    ordinal: int
    ruling: StrayRuling


class Said(Event, frozen=True):
    """A word that counts."""

    seat: int
    word: Word


class HandOpened(Event, frozen=True):
    """All cards of a hand lie open, in the order dealt. Points 0 to 9."""

    seat: int
    cards: tuple[Card, ...]
    points: int


class Advised(Event, frozen=True):
    """What the custom says to the banker; no information after "reste" (ZX-2, Z-20)."""

    seat: int
    point: int
    given: int | None
    duty: Duty


class WhiteCardOut(Event, frozen=True):
    """The white card left; so many cards are left by the count (R-6)."""

    left: int


class LastCoup(Event, frozen=True):
    """Announced as "der letzte Coup": this one if one is under way, else the next (ZP-4, R-6)."""

    coup: int


class CoupSettled(Event, frozen=True):
    """Both hands are open. `winner` is None on equal points (*en carte*).

    Attributes:
        pot: what the bank had put up.
        staked: what was at risk against it.
        cagnotte: the house's share, only where the bank won.
        pot_after: what the pot holds now: pot + staked - cagnotte, or pot - staked, or pot.
    """

    coup: int
    winner: Side | None
    banker_seat: int
    pointeur_seat: int
    banker: int
    pointeur: int
    pot: Chips
    staked: Chips
    cagnotte: Chips
    pot_after: Chips


class CoupAnnulled(Event, frozen=True):
    """The coup counts for nobody; stakes go back (Z-24, R-30)."""

    coup: int
    reason: str


class CoupPaid(Event, frozen=True):
    """Collected and paid: the table goes on."""

    coup: int


class SchlittenOver(Event, frozen=True):
    """No further coup from this Schlitten (R-6)."""

    shoe: str
    left: int


class SchlittenCounted(Event, frozen=True):
    """The Schlitten is closed: `remaining` holds, per card code, how many were never read (R-35).

    After this event everything earlier may be known, and recovery starts here.
    """

    CHECKPOINT: ClassVar[bool] = True
    shoe: str
    coups: int
    remaining: dict[str, int]


CheminDeFerInput = (
    common.CardSeen
    | common.CardNamed
    | common.DeviceLost
    | common.DeviceBack
    | common.AlertAcknowledged
    | Sits
    | BuysIn
    | Leaves
    | SchlittenLoaded
    | SchlittenClosed
    | Banks
    | Passes
    | Banco
    | Spoke
    | Opened
    | Paid
    | StrayRuled
    | UnreadRuled
    | WhiteRuled
    | Annulled
)

CheminDeFerEvent = (
    common.AlertRaised
    | common.AlertDetailed
    | common.AlertSeen
    | common.AlertCleared
    | common.Refused
    | PlayerSat
    | PlayerLeft
    | BalanceChanged
    | SchlittenReady
    | BankPosted
    | SchlittenPassed
    | PointeurNamed
    | CardDrawn
    | CardIdentified
    | CardUnread
    | CardOpened
    | CardRemoved
    | Said
    | HandOpened
    | Advised
    | WhiteCardOut
    | LastCoup
    | CoupSettled
    | CoupAnnulled
    | CoupPaid
    | SchlittenOver
    | SchlittenCounted
)

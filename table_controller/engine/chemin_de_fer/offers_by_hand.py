"""What people type where no device and no sign-in does it: cards unseen, a second person's name.

The game itself does not know whether anything reads the cards: the wiring does, and puts these
beside the game's own offers. Nothing here depends on a closed card (R-17).
"""

from __future__ import annotations

from msgspec.structs import replace

from table_controller.engine.chemin_de_fer import phases as p
from table_controller.engine.chemin_de_fer import state as s
from table_controller.engine.chemin_de_fer.offering import NAME, Offers, offer
from table_controller.engine.messages import BY, CardNamed, CardSeen, phrase
from table_controller.engine.seen import Unknown
from table_controller.engine.table.stops import Unread
from table_controller.engine.views import Secret, Text

_CLOSED, _OPEN = Secret(label=phrase("the card, unseen")), Secret(label=phrase("the card"))
#: Phases in which a card is due, ...
_DUE = p.Dealing | p.ThirdCardDue | p.BankerCardDue
#: ... and in which one may come without a word: it draws, is a replay's first, or begins the deal.
_WELCOME = p.BankerToChoose | p.Settled | p.Staking
#: Phases whose next card lies open (Z-9).
_THIRD = p.ThirdCardDue | p.BankerToChoose | p.BankerCardDue


def cards_by_hand(table: s.Table) -> Offers:
    """A card that left the Schlitten, in place of a reader's word; one waits at a time (R-13)."""
    phase, shoe = s.foremost(table), table.felt.shoe
    if shoe is None or isinstance(phase, Unread):
        return ()
    group = "main" if isinstance(phase, _DUE) else "mistake"
    group = "more" if isinstance(phase, _WELCOME) else group
    card = _OPEN if isinstance(phase, _THIRD) else _CLOSED
    entered = offer(CardSeen, phrase("enter the card that left"), card, group=group)
    white: Offers = ()
    if shoe.white_out is None:
        out = phrase("the white card came out")
        white = offer(CardSeen, out, group="more", hold=True, white=True)
    nobody = phrase("a card left that nobody can name")
    unread = offer(CardSeen, nobody, group="mistake", hold=True, unknown=Unknown.NO_READ)
    return (*entered, *white, *unread)


def second_entry(table: s.Table, offers: Offers) -> Offers:
    """The same offers; who enters an unread card as the second one says his name."""
    phase = s.foremost(table)
    if not isinstance(phase, Unread) or phase.named is None:
        return offers
    by = Text(label=phrase("the second person's name"), name=BY, most=NAME)
    kind = CardNamed.__struct_config__.tag
    return tuple(
        replace(one, fields=(by, *one.fields)) if one.input["type"] == kind else one
        for one in offers
    )

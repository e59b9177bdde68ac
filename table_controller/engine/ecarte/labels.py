"""The labels of écarté's buttons."""

from __future__ import annotations

from typing import Final

from table_controller.engine.ecarte.inputs import Matter, Option, Why
from table_controller.engine.messages import Phrase, phrase
from table_controller.engine.table.inputs import StrayRuling
from table_controller.rules.cards import Suit

OPTIONS: Final[dict[Option, Phrase]] = {
    Option.KEEP: phrase("the deal is kept"),
    Option.ANNUL: phrase("the deal is annulled"),
    Option.BACK: phrase("back on the talon"),
    Option.BOTTOM: phrase("under the talon"),
    Option.TAKE: phrase("he takes from the talon"),
    Option.DRAW: phrase("one is drawn out"),
    Option.PUT_ASIDE: phrase("the surplus is put aside"),
    Option.DEAL: phrase("he deals anew"),
    Option.DEMAND: phrase("he demands open cards"),
    Option.WAIVE: phrase("he does not"),
    Option.SHOWN: phrase("he has shown it"),
    Option.NOT_SHOWN: phrase("he does not have it"),
    Option.RESTORE: phrase("it is played again"),
    Option.MEND: phrase("the card is mended"),
    Option.STANDS: phrase("it stands"),
    Option.TWO: phrase("two marks"),
    Option.TRICKS: phrase("the tricks are given"),
    Option.LOSES: phrase("he has lost the partie"),
    Option.VOID: phrase("the partie is void"),
}
RULINGS: Final[dict[StrayRuling, Phrase]] = {
    StrayRuling.BACK: phrase("closed: back on the talon"),
    StrayRuling.FACE_UP: phrase("it lies open"),
}
SUITS: Final[dict[Suit, Phrase]] = {
    Suit.CLUBS: phrase("clubs"),
    Suit.DIAMONDS: phrase("diamonds"),
    Suit.HEARTS: phrase("hearts"),
    Suit.SPADES: phrase("spades"),
}
WHY: Final[dict[Why, Phrase]] = {
    Why.KING: phrase("marks the king"),
    Why.TRICKS: phrase("marks the tricks"),
    Why.FAULT: phrase("marks a fault"),
}
MATTERS: Final[dict[Matter, Phrase]] = {
    Matter.KARBATSCH: phrase("cards overturned"),
    Matter.OUTSIDER: phrase("an outsider spoke"),
    Matter.OTHER_HAND: phrase("another hand marked"),
    Matter.TRICKS_TAKEN: phrase("tricks wrongly taken in"),
    Matter.FELL: phrase("a card fell"),
    Matter.DOUBT: phrase("a doubtful case"),
}

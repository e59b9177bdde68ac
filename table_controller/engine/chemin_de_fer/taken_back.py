"""What can be taken back, in words: on its button, and in the news when it was (R-20).

Knows inputs; knows no table.
"""

from __future__ import annotations

from table_controller.engine.chemin_de_fer.inputs import Spoke, Word
from table_controller.engine.messages import Input, Phrase, phrase

#: What can be taken back (R-20), by the input's type.
TAKEN_BACK = {
    "banks": phrase("the sum in the bank"),
    "opens_bank": phrase("the open bank"),
    "passes": phrase("the passing on"),
    "raises": phrase("the raised pot"),
    "draws_in": phrase("the sum drawn in"),
    "halves": phrase("the halving"),
    "joins": phrase("the partner"),
    "suite": phrase("Suite"),
    "bids": phrase("the bid"),
    "sold": phrase("the sale"),
    "takes_over": phrase("the taking over"),
    "banco": phrase("Banco"),
    "banco_with_partner": phrase("Banco with a partner"),
    "banco_with_table": phrase("Banco with the table"),
    "open_game": phrase("all may stake"),
    "stakes": phrase("the stake"),
    "stakes_again": phrase("the same stakes again"),
    "closes": phrase("nichts geht mehr"),
    "declines": phrase("the refusal"),
    "takes_up": phrase("the cards taken up"),
    "spoke": phrase("the word"),
    "declares": phrase("the declaration"),
    "misdealt": phrase("the misdeal"),
    "put_right": phrase("the deal put right"),
}

_WORDS = {
    Word.CARTE: phrase("carte"),
    Word.RESTE: phrase("reste"),
    Word.DRAWS: phrase("takes a card"),
    Word.STANDS: phrase("stays"),
}


def described(said: Input) -> Phrase:
    """What was said, by whom and for how much, as far as it says so."""
    what = TAKEN_BACK[str(said.__struct_config__.tag)]
    if isinstance(said, Spoke):
        what = _WORDS.get(said.word, what)  # a Schlag opens cards: it is not taken back
    seat, chips = getattr(said, "seat", None), getattr(said, "chips", None)
    if seat is None:
        return what
    if chips is None:
        return phrase("seat {seat}, {what}", seat=seat, what=what)
    return phrase("seat {seat}, {what}, {chips}", seat=seat, what=what, chips=chips)

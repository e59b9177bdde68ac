"""What can be taken back, in words: on its button, and in the news when it was (R-20).

Knows inputs; knows no table.
"""

from __future__ import annotations

from table_controller.engine.chemin_de_fer import inputs as i
from table_controller.engine.messages import Input, Phrase, phrase
from table_controller.engine.table import inputs as ti

#: What a person can take back, until a card is opened or money moves (R-20).
TAKEN_BACK: dict[type, Phrase] = {
    i.Banks: phrase("the sum in the bank"),
    i.OpensBank: phrase("the open bank"),
    i.Passes: phrase("the passing on"),
    i.Raises: phrase("the raised pot"),
    i.DrawsIn: phrase("the sum drawn in"),
    i.Halves: phrase("the halving"),
    i.Joins: phrase("the partner"),
    i.Suite: phrase("Suite"),
    i.Bids: phrase("the bid"),
    i.Sold: phrase("the sale"),
    i.TakesOver: phrase("the taking over"),
    i.Banco: phrase("Banco"),
    i.BancoWithPartner: phrase("Banco with a partner"),
    i.BancoWithTable: phrase("Banco with the table"),
    i.OpenGame: phrase("all may stake"),
    i.Stakes: phrase("the stake"),
    i.StakesAgain: phrase("the same stakes again"),
    ti.Closes: phrase("nichts geht mehr"),
    i.Declines: phrase("the refusal"),
    i.TakesUp: phrase("the cards taken up"),
    i.Spoke: phrase("the word"),
    i.Declares: phrase("the declaration"),
    ti.Misdealt: phrase("the misdeal"),
    i.PutRight: phrase("the deal put right"),
}

_WORDS = {
    i.Word.CARTE: phrase("carte"),
    i.Word.RESTE: phrase("reste"),
    i.Word.DRAWS: phrase("takes a card"),
    i.Word.STANDS: phrase("stays"),
}


def described(said: Input) -> Phrase:
    """What was said, by whom and for how much, as far as it says so."""
    what = TAKEN_BACK[type(said)]
    if isinstance(said, i.Spoke):
        what = _WORDS.get(said.word, what)  # a Schlag opens cards: it is not taken back
    seat, chips = getattr(said, "seat", None), getattr(said, "chips", None)
    if seat is None:
        return what
    if chips is None:
        return phrase("seat {seat}, {what}", seat=seat, what=what)
    return phrase("seat {seat}, {what}, {chips}", seat=seat, what=what, chips=chips)
